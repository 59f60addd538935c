// Lines in a square: curves of any kind with their names beside them, bands, marks, a read-out, and a part chosen by dragging.

import { inDecimal } from "/report/decimal.js";
import { formatThreshold, niceTicks } from "/report/numbers.js";
import { h, svg } from "../dom.js";
import { t } from "../text.js";
import { placedNames } from "./names.js";
import { sized } from "./sized.js";

const MARGIN = { l: 42, r: 12, t: 30, b: 46 };
export const tickText = (value) => inDecimal(formatThreshold(value)).replace(/^-/, "−");

export const dashOf = (place) => (place < 1 ? "" : `.d${(place % 4) + 1}`).replace(".", " ");
export const keyLine = (colour, dash = "") => svg("svg", { class: `key k${colour}`, viewBox: "0 0 22 10", "aria-hidden": "true" }, svg("line", { class: `series${dash}`, x1: 0, x2: 22, y1: 5, y2: 5 }));

const path = (points, X, Y) => points.filter((one) => one.x !== null && one.y !== null).map((one, at) => `${at ? "L" : "M"}${X(one.x).toFixed(1)} ${Y(one.y).toFixed(1)}`).join("");

// Scales of a figure of this width.
export function framed(figure, width) {
  const { x = [0, 1], y = [0, 1], ratio = 0.86, max = 760 } = figure;
  const full = Math.min(width, max);
  const inner = full - MARGIN.l - MARGIN.r;
  const height = Math.round(inner * (full < 420 ? Math.max(ratio, 0.95) : ratio));
  return {
    width: full, height: height + MARGIN.t + MARGIN.b, inner, tall: height, m: MARGIN,
    X: (value) => MARGIN.l + ((Math.min(Math.max(value, x[0] - (x[1] - x[0])), x[1] + (x[1] - x[0])) - x[0]) / (x[1] - x[0])) * inner,
    Y: (value) => MARGIN.t + (1 - (value - y[0]) / (y[1] - y[0])) * height,
    back: (px) => x[0] + Math.max(0, Math.min(1, (px - MARGIN.l) / inner)) * (x[1] - x[0]),
  };
}

let clips = 0;

// The drawing alone; the same on the page and in a file.
export function drawLines(figure, width, { names = true } = {}) {
  const { lines, x = [0, 1], y = [0, 1], titles, chance = null, bands = [], marks = [], label, interactive = false } = figure;
  const frame = framed(figure, width);
  const { X, Y, m, inner, tall } = frame;
  const root = svg("svg", { width: frame.width, height: frame.height, viewBox: `0 0 ${frame.width} ${frame.height}`, role: interactive ? "group" : "img", "aria-label": label });
  const clip = `inside-${clips++}`;
  root.append(svg("clipPath", { id: clip }, svg("rect", { x: m.l - 2, y: m.t - 2, width: inner + 4, height: tall + 4 })));
  const few = frame.width < 420 ? 4 : 5;
  const ticks = (given, ends) => (given ?? niceTicks(ends[0], ends[1], few).map((one) => [one, tickText(one)])).filter(([at]) => at >= ends[0] - 1e-9 && at <= ends[1] + 1e-9);
  for (const [at, text] of ticks(figure.yTicks, y)) root.append(svg("line", { class: at === y[0] ? "axis" : "grid", x1: X(x[0]), x2: X(x[1]), y1: Y(at), y2: Y(at) }), svg("text", { x: m.l - 8, y: Y(at) + 4, "text-anchor": "end" }, text));
  let free = -Infinity;
  for (const [at, text] of ticks(figure.xTicks, x)) {
    root.append(svg("line", { class: at === x[0] ? "axis" : "grid", x1: X(at), x2: X(at), y1: Y(y[0]), y2: Y(y[1]) }));
    if (X(at) < free) continue; // no text over another one
    root.append(svg("text", { x: X(at), y: Y(y[0]) + 18, "text-anchor": "middle" }, text));
    free = X(at) + text.length * 6 + 12;
  }
  root.append(svg("text", { class: "axis-title", x: 0, y: 13 }, titles[1]), svg("text", { class: "axis-title", x: X(x[1]), y: Y(y[0]) + 38, "text-anchor": "end" }, titles[0]));
  const inside = svg("g", { "clip-path": `url(#${clip})` });
  root.append(inside);
  for (const band of bands) inside.append(svg("path", { class: `band k${band.colour}`, d: `${path(band.x.map((one, at) => ({ x: one, y: band.high[at] })), X, Y)}${path(band.x.map((one, at) => ({ x: one, y: band.low[at] })).reverse(), X, Y).replace("M", "L")}Z` }));
  if (chance) inside.append(svg("path", { class: "chance", d: path(chance[0].map((one, at) => ({ x: one, y: chance[1][at] })), X, Y) }));
  for (const line of [...lines].reverse()) {
    inside.append(svg("path", { class: `${line.kind ?? "series curve"} k${line.colour}${line.dash ?? ""}`, d: path(line.pts, X, Y), "data-curve": line.place ?? null }));
  }
  const within = (value, [low, high]) => value !== null && value >= low && value <= high;
  for (const mark of marks) if (within(mark.x, x) && within(mark.y, y)) root.append(marked(mark, X, Y));
  const named = lines.filter((one) => one.name);
  if (names && named.length) {
    for (const { one, value, x: left, y: base } of placedNames(named, X, Y, [m.l, m.t, X(x[1]), Y(y[0])])) {
      root.append(svg("text", { class: `label k k${one.colour}`, x: left, y: base }, one.name, value ? svg("tspan", { class: "v", dx: 6 }, value) : null));
    }
  }
  return { root, frame };
}

function marked({ x, y, shape = "circle", title = "", colour = null }, X, Y) {
  const kind = colour === null ? "mark" : `mark k${colour}`;
  const node = shape === "circle" ? svg("circle", { class: `dot ${kind}`, cx: X(x), cy: Y(y), r: 6 }) : svg("path", { class: `diamond ${kind}`, d: `M${X(x)} ${Y(y) - 6}l6 6l-6 6l-6 -6z` });
  if (title) node.append(svg("title", {}, title));
  return node;
}

// The figure on the page. `figure` is a function, so that a repaint takes what holds now; `read(x, found)` makes the read-out.
export function lineChart(figure, { read = null, onRegion = null, over = null } = {}) {
  let held = null;
  const box = sized((width) => {
    const now = figure();
    const { root, frame } = drawLines({ ...now, interactive: read !== null || over !== null }, width);
    box.frame = frame;
    box.drawing = root;
    if (over) over(root, frame);
    if (!read) return root;
    const [left, right] = now.x ?? [0, 1];
    const layer = svg("g", {});
    const tip = h("div.tip", { hidden: true });
    const show = (value) => {
      held = value;
      layer.replaceChildren();
      tip.hidden = value === null;
      if (value === null) return;
      const { X, Y, m } = frame;
      const [low, high] = now.y ?? [0, 1];
      const found = now.lines.filter((one) => one.name).map((one) => [one, reached(one.pts, value)]).filter(([, point]) => point).sort((a, b) => b[1].y - a[1].y);
      layer.append(svg("line", { class: "cross", x1: X(value), x2: X(value), y1: Y(low), y2: Y(high) }));
      for (const [one, point] of found) layer.append(svg("circle", { class: `dot k${one.colour}`, cx: X(point.x), cy: Y(point.y), r: 5 }));
      tip.replaceChildren(read(value, found));
      const beside = X(value) + 16;
      const wide = tip.offsetWidth || 210;
      tip.style.left = `${beside + wide > frame.width ? Math.max(0, X(value) - wide - 16) : beside}px`;
      tip.style.top = `${Math.max(m.t, Y(low) - tip.offsetHeight - 14)}px`;
    };
    const pad = svg("rect", {
      class: "surface", x: frame.m.l, y: frame.m.t, width: frame.inner, height: frame.tall, tabindex: 0, role: "slider", "aria-label": `${now.titles[0]}: ${t("read values")}`, "aria-valuemin": left, "aria-valuemax": right, "aria-valuenow": left,
    });
    const where = (event) => frame.back(((event.clientX - root.getBoundingClientRect().left) * frame.width) / root.getBoundingClientRect().width);
    pad.addEventListener("pointermove", (event) => show(where(event)));
    pad.addEventListener("pointerleave", () => { if (document.activeElement !== pad) show(null); });
    pad.addEventListener("blur", () => show(null));
    pad.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 0.01, ArrowLeft: -0.01 }[event.key];
      if (event.key === "Escape") show(null);
      if (!step) return;
      event.preventDefault();
      const next = Math.max(left, Math.min(right, (held ?? left) + step * (right - left) * (event.shiftKey ? 10 : 1)));
      show(next);
      pad.setAttribute("aria-valuenow", next.toFixed(3));
      pad.setAttribute("aria-valuetext", tip.textContent);
    });
    root.append(layer, pad);
    if (onRegion) dragRegion(pad, root, frame, where, onRegion, right - left);
    return [root, tip];
  });
  return box;
}

// The line at a place, between its points; the threshold is that of the last point before it.
function reached(points, value) {
  let before = null;
  for (const point of points) {
    if (point.x === null || point.y === null) continue;
    if (point.x > value + 1e-9) {
      if (before === null) return null;
      const part = (value - before.x) / (point.x - before.x);
      const between = (a, b) => (typeof a === "number" && typeof b === "number" ? a + part * (b - a) : undefined);
      return { ...before, x: value, y: between(before.y, point.y), value: between(before.value, point.value) };
    }
    before = point;
  }
  return before;
}

// Drag across the figure: the range between start and end; a press without a drag is left alone.
function dragRegion(pad, root, frame, where, onRegion, span) {
  let from = null;
  const shade = svg("rect", { class: "region", y: frame.m.t, height: frame.tall, width: 0 });
  pad.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    from = where(event);
    pad.setPointerCapture(event.pointerId);
    root.insertBefore(shade, pad);
  });
  pad.addEventListener("pointermove", (event) => {
    if (from === null) return;
    const [a, b] = [from, where(event)].map(frame.X).sort((one, two) => one - two);
    shade.setAttribute("x", a);
    shade.setAttribute("width", b - a);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    pad.addEventListener(end, (event) => {
      if (from === null) return;
      const [a, b] = [from, where(event)].sort((one, two) => one - two);
      from = null;
      shade.remove();
      shade.setAttribute("width", 0);
      if (end === "pointerup" && (b - a) / span > 0.02) onRegion([Number(a.toFixed(3)), Number(b.toFixed(3))]);
    });
  }
}
