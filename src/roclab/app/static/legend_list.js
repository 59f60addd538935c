// The list of scores with their ink, area and interval; legend.js of the report makes it hide and lift curves.

import { svgElement } from "/report/chart.js";
import { shownNumber } from "/report/decimal.js";
import { h } from "./dom.js";
import { t } from "./text.js";

export function sample(colour, dash) {
  const svg = svgElement("svg", { class: "sample", viewBox: "0 0 34 8", "aria-hidden": "true" });
  svg.append(svgElement("line", { x1: 0, x2: 34, y1: 4, y2: 4, stroke: `var(--c${colour})`, "stroke-dasharray": dash || "none" }));
  return svg;
}

export function legendOf(app) {
  const { columns, rows } = app.overview.areas;
  const at = (name) => columns.findIndex((one) => one === name || one.endsWith(` ${name}`));
  const [named, area, low, high] = [at("score"), at("area"), at("low"), at("high")];
  const ranked = app.store.scores.map((one) => ({ one, row: rows.find((row) => row[named] === one.name) })).sort((a, b) => b.row[area] - a.row[area]);
  return h("ul.legend", { id: "legend", "aria-label": t("Scores: press to hide or show a curve") }, ranked.map(({ one, row }) => h("li", {},
    h("button", { type: "button", dataset: { legend: one.place }, "aria-pressed": "true" }, sample(one.colour, one.dash), h("span.name", {}, one.name), " ",
      h("span.auc", {}, `${shownNumber(row[area])} (${shownNumber(row[low])}–${shownNumber(row[high])})`)))));
}
