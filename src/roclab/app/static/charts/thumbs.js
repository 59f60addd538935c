// Small pictures: a curve on a card, the values of a column in its row.

import { svg } from "../dom.js";

export function thumb(lines, { chance = true } = {}) {
  return svg("svg", { viewBox: "0 0 120 104", "aria-hidden": "true" }, svg("path", { d: "M6 4V98H116", fill: "none", stroke: "var(--line-firm)" }),
    chance ? svg("line", { x1: 6, y1: 98, x2: 116, y2: 4, stroke: "var(--line-firm)", "stroke-dasharray": "2 4" }) : null,
    lines.map((points, at) => svg("path", { class: `series k${at}`, d: points.map(([x, y], i) => `${i ? "L" : "M"}${(6 + 110 * x).toFixed(1)} ${(98 - 94 * y).toFixed(1)}`).join("") })));
}

// Bars of a column: [negative, positive] counts of each, one colour while no class is known.
export function tiny(bins) {
  const most = Math.max(...bins.map(([a, b]) => a + b), 1);
  const width = 144 / bins.length;
  return svg("svg", { class: "tiny", "aria-hidden": "true", viewBox: "0 0 144 36", preserveAspectRatio: "none" }, bins.map(([a, b], at) => {
    const [low, high] = [(a / most) * 34, (b / most) * 34];
    return [svg("rect", { class: "neg", x: at * width + 0.6, width: Math.max(width - 1.2, 0.5), y: 36 - low, height: low }), svg("rect", { class: "pos", x: at * width + 0.6, width: Math.max(width - 1.2, 0.5), y: 36 - low - high, height: high })];
  }));
}

// From a table to a curve: what the page is for.
export const art = () => svg("svg", { class: "art", viewBox: "0 0 200 150", "aria-hidden": "true" },
  [0, 1, 2, 3, 4].map((row) => [0, 1, 2].map((column) => svg("rect", { x: 4 + column * 22, y: 26 + row * 20, width: 18, height: 15, rx: 2, fill: column === 2 ? "var(--accent)" : "var(--line)", opacity: column === 2 ? 0.25 + row * 0.15 : 1 }))),
  svg("path", { d: "M76 74h22m-7-6l7 6-7 6", fill: "none", stroke: "var(--ink-3)", "stroke-width": 2, "stroke-linecap": "round" }),
  svg("path", { d: "M112 22v104h84", fill: "none", stroke: "var(--line-firm)", "stroke-width": 1.5 }), svg("path", { d: "M112 126L196 26", stroke: "var(--line-firm)", "stroke-dasharray": "2 4" }),
  svg("path", { d: "M112 126C114 70 132 34 196 26", fill: "none", stroke: "var(--accent)", "stroke-width": 3 }), svg("circle", { cx: 130, cy: 61, r: 6, fill: "var(--ink)", stroke: "var(--surface)", "stroke-width": 2 }));
