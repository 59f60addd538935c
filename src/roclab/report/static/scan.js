// The page of a scan: one threshold, on the FROC curve and on a slider, shows and hides marks, in the viewer too.

import { embeddedSource } from "./embedded.js";
import { countAt, FrocPanel, placeOf } from "./froc.js";
import { formatNumber } from "./numbers.js";
import { firstState, ScanViewer } from "./viewer.js";

// The viewer of the images that the page holds, in its place; resolves when it is there.
export async function startViewer(facts, more = {}) {
  const source = await embeddedSource(facts, [...document.querySelectorAll("[data-block]")]);
  const host = document.getElementById("planes");
  return new ScanViewer(host, { facts, source, ...more });
}

export function startScan(data) {
  const get = (id) => document.getElementById(id);
  const rows = [...document.querySelectorAll("#marks .mark")];
  const slide = get("slide");
  const put = (id, text) => { const node = get(id); if (node !== null) node.textContent = text; };
  const panel = new FrocPanel(get("froc"), data.curve, (at) => move(data.curve.threshold[at]));
  let viewer = null;
  let threshold = data.threshold;

  function move(to) {
    threshold = to;
    const at = placeOf(data.curve.threshold, threshold);
    const now = countAt(data.marks, threshold, data.nodules);
    for (const row of rows) row.hidden = Number(row.dataset.probability) < threshold;
    put("threshold", formatNumber(threshold));
    put("count", String(now.marks));
    put("found", String(now.found));
    put("lost", String(now.lost));
    put("false", String(now.wrong));
    for (const [cell, count] of Object.entries(now.square)) put(`square-${cell}`, String(count));
    put("sensitivity", formatNumber(at < 0 ? 0 : data.curve.sensitivity[at]));
    put("rate", formatNumber(at < 0 ? 0 : data.curve.rate[at]));
    const hidden = data.marks.length - now.marks;
    put("hidden", hidden === 0 ? "" : `${hidden} below the threshold hidden`);
    panel.show(at, `threshold ${formatNumber(threshold)}`);
    slide.value = Math.round(1000 * threshold);
    viewer?.paint();
  }

  const rowOf = (mark) => get(`mark-${mark}`);

  function choose(mark, scroll) {
    for (const row of rows) row.classList.toggle("chosen", row === rowOf(mark));
    viewer?.choose(mark, data.marks.find((one) => one.mark === mark).place);
    if (scroll) rowOf(mark)?.scrollIntoView({ block: "nearest", behavior: "smooth" });
  }

  slide.addEventListener("input", () => move(Number(slide.value) / 1000));
  get("stored").addEventListener("click", () => move(data.threshold));
  get("every").addEventListener("click", () => move(0));
  // A link to a hidden mark shows it.
  window.addEventListener("hashchange", () => {
    const target = document.querySelector(window.location.hash || "#marks");
    if (target !== null && target.hidden) { move(Number(target.dataset.probability)); target.scrollIntoView(); }
  });
  move(data.threshold);
  document.documentElement.classList.add("live");
  if (!data.viewer) return;
  const state = firstState(data.viewer);
  if (data.marks.length > 0) Object.assign(state, { at: data.marks[0].place.map(Math.round), chosen: data.marks[0].mark });
  startViewer(data.viewer, { state, marks: () => data.marks.filter((one) => one.probability >= threshold), onPick: (mark) => choose(mark, true) }).then((made) => {
    viewer = made;
    for (const row of rows) {
      const button = row.querySelector(".show");
      if (button === null) continue;
      button.hidden = false;
      button.addEventListener("click", () => { choose(Number(row.dataset.mark), false); get("viewer").scrollIntoView({ block: "start", behavior: "smooth" }); });
    }
    get("viewer").classList.add("ready");
  });
}
