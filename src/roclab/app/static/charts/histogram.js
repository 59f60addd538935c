// Two classes back to back over one axis; thresholds part right decisions from wrong ones and cut the bars.

import { logTicks, niceTicks } from "/report/numbers.js";
import { svg } from "../dom.js";
import { measured } from "../digits.js";
import { sized } from "./sized.js";
import { tickText } from "./lines.js";

// `figure()` has edges, pos and neg (shares of the class), log, lower (do low values mean positive?), cuts, words, label.
export function histogram(figure, { onMove = null, height: least = 300, ratio = 0.62 } = {}) {
  const box = sized((width) => {
    const now = figure();
    const { edges, pos, neg, log, words } = now;
    const height = Math.max(least, Math.round(ratio * width));
    const m = { l: 6, r: 6, t: 30, b: 42 };
    const [from, to] = [edges[0], edges[edges.length - 1]];
    const bend = log ? Math.log10 : (one) => one;
    const share = (value) => Math.max(0, Math.min(1, (bend(Math.max(value, from)) - bend(from)) / (bend(to) - bend(from) || 1)));
    const X = (value) => m.l + share(Math.min(Math.max(value, from), to)) * (width - m.l - m.r);
    const half = (height - m.t - m.b) / 2 - 2;
    const middle = m.t + (height - m.t - m.b) / 2;
    const most = Math.max(...pos, ...neg, 1e-9);
    const root = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: onMove ? "group" : "img", "aria-label": now.label });
    const bars = svg("g", { class: "bars" });
    root.append(bars, svg("line", { class: "axis", x1: m.l, x2: width - m.r, y1: middle, y2: middle }),
      svg("text", { class: "axis-title", x: 0, y: m.t + 10 }, words.pos), svg("text", { class: "axis-title", x: 0, y: height - m.b - 4 }, words.neg),
      svg("text", { class: "axis-title", x: width - m.r, y: height - 4, "text-anchor": "end" }, words.axis));
    let free = -Infinity;
    for (const tick of log ? logTicks(from, to) : niceTicks(from, to)) {
      const text = tickText(tick);
      if (tick < from || tick > to || X(tick) - text.length * 3.5 < free) continue;
      root.append(svg("text", { x: X(tick), y: height - m.b + 16, "text-anchor": share(tick) < 0.02 ? "start" : share(tick) > 0.98 ? "end" : "middle" }, text));
      free = X(tick) + text.length * 3.5 + 8;
    }
    const flags = svg("g", { class: "thr" });
    if (onMove) Object.entries({ tabindex: 0, role: "slider", "aria-label": words.axis }).forEach(([key, value]) => flags.setAttribute(key, value));
    root.append(flags);

    box.move = () => {
      const { cuts, lower = false, flagged } = figure();
      bars.replaceChildren();
      const inside = cuts.filter(Number.isFinite);
      if (cuts.length > 1) bars.append(svg("rect", { class: "zone", x: X(clamped(cuts[0])), width: Math.max(0, X(clamped(cuts[1])) - X(clamped(cuts[0]))), y: m.t, height: height - m.t - m.b }));
      for (let at = 0; at + 1 < edges.length; at++) {
        for (const [side, heights] of [["pos", pos], ["neg", neg]]) {
          const tall = (heights[at] / most) * half;
          if (!tall) continue;
          const ends = [edges[at], ...inside.filter((one) => one > edges[at] && one < edges[at + 1]), edges[at + 1]];
          for (let piece = 1; piece < ends.length; piece++) {
            const reached = cuts.filter((one) => (lower ? ends[piece] <= one + 1e-12 : ends[piece - 1] >= one - 1e-12)).length;
            const kind = reached > 0 && reached < cuts.length ? "grey" : (reached === cuts.length) === (side === "pos") ? "right" : "wrong";
            const [x0, x1] = [X(ends[piece - 1]) + (piece === 1 ? 1 : 0), X(ends[piece]) - (piece === ends.length - 1 ? 1 : 0)];
            bars.append(svg("rect", { class: `${kind} ${side}`, x: x0, width: Math.max(0.5, x1 - x0), y: side === "pos" ? middle - 1 - tall : middle + 1, height: tall }));
          }
        }
      }
      flags.replaceChildren(...cuts.map((cut, at) => flag(cut, flagged[at], cuts.length === 1 ? 0 : at === 0 ? -1 : 1)));
      if (!onMove) return;
      const x = X(clamped(cuts[0]));
      flags.append(svg("line", { class: "reach", x1: x, x2: x, y1: 0, y2: height - m.b }), svg("rect", { class: "ring", x: x - 36, y: -3, width: 72, height: 28, rx: 7 }));
      flags.setAttribute("aria-valuemin", measuredNumber(from));
      flags.setAttribute("aria-valuemax", measuredNumber(to));
      flags.setAttribute("aria-valuenow", measuredNumber(clamped(cuts[0])));
      flags.setAttribute("aria-valuetext", flagged[0]);
    };
    const clamped = (cut) => (Number.isNaN(cut) ? to : Math.max(from, Math.min(to, cut)));
    const flag = (cut, text, side) => {
      const wide = text.length * 7 + 16;
      const x = X(clamped(cut));
      const left = Math.max(0, Math.min(width - wide, side < 0 ? x - wide : side > 0 ? x : x - wide / 2));
      return svg("g", {}, svg("line", { x1: x, x2: x, y1: m.t - 8, y2: height - m.b + 2 }), svg("rect", { x: left, y: 0, width: wide, height: 22, rx: 4 }), svg("text", { x: left + wide / 2, y: 15, "text-anchor": "middle" }, text));
    };
    box.where = (event) => {
      const bounds = root.getBoundingClientRect();
      const part = Math.max(0, Math.min(1, (event.clientX - bounds.left - m.l) / (bounds.width - m.l - m.r)));
      const value = bend(from) + part * (bend(to) - bend(from));
      return log ? 10 ** value : value;
    };
    if (onMove) flags.addEventListener("keydown", (event) => onMove.key(event));
    box.grip = flags;
    box.move();
    return root;
  });
  if (!onMove) return box;
  let held = false; // the box outlives its drawing, so it holds the pointer during a drag
  box.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !box.where) return;
    held = true;
    box.setPointerCapture(event.pointerId);
    box.grip.focus({ preventScroll: true });
    onMove.to(box.where(event));
  });
  box.addEventListener("pointermove", (event) => { if (held) onMove.to(box.where(event)); });
  for (const end of ["pointerup", "pointercancel"]) box.addEventListener(end, () => { held = false; });
  return box;
}

const measuredNumber = (value) => Number(value.toPrecision(6));
export const flagText = (sign, value) => `${sign} ${measured(value)}`;
