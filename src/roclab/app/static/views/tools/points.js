// Operating points that are typed in: radar operators, readers, tests of papers. Their hull, the best of them, their areas.

import { drawing } from "../../charts/drawn.js";
import { h } from "../../dom.js";
import { button } from "../../parts.js";
import { tableOf } from "../../tables.js";
import { t } from "../../text.js";

const EXAMPLE = "operator 1; 0.10; 0.55\noperator 2; 0.20; 0.80\noperator 3; 0.35; 0.75\noperator 4; 0.45; 0.95";

export function build(view) {
  const typed = h("textarea", { id: "points-typed", rows: 7, spellcheck: "false" });
  typed.value = view.typedPoints ?? EXAMPLE;
  const run = () => {
    view.typedPoints = typed.value;
    view.run("points", { typed: typed.value }, {}, (answer) => view.add(
      drawing(answer, t("Convex hull")), h("h3", {}, t("Points that no other one beats")), tableOf(answer.front, { name: "front" }),
      h("h3", {}, t("Who is best where")), tableOf(answer.hull, { name: "hull" }), h("h3", {}, t("Corners of the hull")), tableOf(answer.vertices, { name: "vertices" }),
      h("h3", {}, t("Areas")), tableOf(answer.table, { name: "areas" }),
    ));
  };
  return h("div.cols", {}, h("label.field", {}, h("span", {}, t("One point a line: name; false positive rate; true positive rate")), typed),
    h("p.note", {}, t("Points of the same name are one curve. Rates may be written 0.1, 0,1 or 10 %; a first line of names may say specificity.")),
    h("div.row", {}, button(t("Show the hull"), run, { kind: "main", id: "run-points" })));
}
