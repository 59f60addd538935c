// Rows of values with intervals on one scale, in shares of the width, so that they need no measuring.

import { niceTicks } from "/report/numbers.js";
import { svg } from "../dom.js";
import { tickText } from "./lines.js";

// A scale that holds all values and their ends.
export function scaleOf(values, { at = null, least = null, most = null, bend = (one) => one } = {}) {
  const ends = [...values, at].filter((one) => typeof one === "number" && Number.isFinite(one)).map(bend);
  if (ends.length === 0) return { from: 0, to: 1, bend, ticks: [] };
  const pad = (Math.max(...ends) - Math.min(...ends) || 0.5) * 0.06;
  const from = Math.max(Math.min(...ends) - pad, least ?? -Infinity);
  const to = Math.min(Math.max(...ends) + pad, most ?? Infinity);
  return { from, to, bend, ticks: niceTicks(from, to, 4).filter((one) => one >= from && one <= to) };
}

const placeOf = ({ from, to, bend }) => (value) => `${(4 + (92 * (Math.max(from, Math.min(to, bend(value))) - from)) / (to - from)).toFixed(2)}%`;

export function intervalRow(scale, items, { at = null, label = "" } = {}) {
  const place = placeOf(scale);
  const drawing = svg("svg", { class: "forest", role: "img", "aria-label": label });
  const flat = placeOf({ ...scale, bend: (one) => one });
  for (const tick of scale.ticks) drawing.append(svg("line", { class: "g", x1: flat(tick), x2: flat(tick), y1: 0, y2: "100%" }));
  if (at !== null) drawing.append(svg("line", { class: "null", x1: place(at), x2: place(at), y1: 0, y2: "100%" }));
  for (const one of items) {
    if (typeof one.value !== "number") continue;
    const y = one.y ?? "50%";
    const group = svg("g", { class: one.colour === undefined ? null : `k${one.colour}` });
    if (typeof one.low === "number" && typeof one.high === "number") group.append(svg("line", { x1: place(one.low), x2: place(one.high), y1: y, y2: y }));
    group.append(one.round ? svg("circle", { cx: place(one.value), cy: y, r: 5 }) : svg("rect", { x: place(one.value), y, width: 10, height: 10, transform: "translate(-5 -5)" }));
    drawing.append(group);
  }
  return drawing;
}

export function scaleRow(scale, text = tickText) {
  const place = placeOf({ ...scale, bend: (one) => one });
  return svg("svg", { class: "forest", "aria-hidden": "true" }, scale.ticks.map((one) => svg("text", { x: place(one), y: 14, "text-anchor": "middle" }, text(one))));
}
