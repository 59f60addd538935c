// Scores together: AND, OR, or along their common hull.

import { fill, h, number, select } from "../../dom.js";
import { button } from "../../parts.js";
import { t } from "../../text.js";

export function build(view) {
  const { app } = view;
  if (app.state.roles.score.length < 2 || !app.overview) return h("p.note", {}, t("Choose two scores or more."));
  const asked = { how: "hybrid", fpr: 0.1, thresholds: {} };
  for (const one of app.store.scores) asked.thresholds[one.name] = Number.isFinite(one.thresholds[one.start]) ? one.thresholds[one.start] : 0;
  const fields = h("div.row.fields-line");
  const draw = () => fill(fields, asked.how === "hybrid" ? number(t("false positive rate to meet"), asked.fpr, (value) => { asked.fpr = value; }, { id: "combine-fpr", min: 0, max: 1 })
    : app.store.scores.map((one, at) => number(`${one.name} ${one.direction === "lower" ? "≤" : "≥"}`, asked.thresholds[one.name], (value) => { asked.thresholds[one.name] = value; }, { id: `combine-${at}` })));
  draw();
  return h("div.cols", {}, h("div.row.fields-line", {}, select(t("How"), [["hybrid", t("along the common hull")], ["and", t("positive if all say so (AND)")], ["or", t("positive if any says so (OR)")]], asked.how, (value) => { asked.how = value; draw(); }, { id: "combine-how" }), fields,
    button(t("Combine"), () => view.run("combine", asked.how === "hybrid" ? { how: "hybrid", fpr: asked.fpr, ...(asked.fpr === null ? app.conditions : {}) } : { how: asked.how, thresholds: Object.values(asked.thresholds) }), { kind: "main", id: "run-combine" })));
}
