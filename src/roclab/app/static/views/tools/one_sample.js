// One column against a distribution that was chosen before: Kolmogorov's test and the band of the distribution function.

import { drawing } from "../../charts/drawn.js";
import { h, fill, number, select } from "../../dom.js";
import { pWords, short } from "../../digits.js";
import { button } from "../../parts.js";
import { tableOf } from "../../tables.js";
import { t } from "../../text.js";

const FAMILIES = { normal: ["Normal", [["mean", 0], ["standard deviation", 1]]], uniform: ["Uniform", [["from", 0], ["to", 1]]], exponential: ["Exponential", [["rate", 1]]] };

export function build(view) {
  const { app } = view;
  const numbers = app.data.columns.filter((one) => one.kind === "number").map((one) => [one.name, one.name]);
  if (numbers.length === 0) return h("p.note", {}, t("No column holds numbers."));
  const asked = { score: app.state.roles.score[0] ?? numbers[0][0], family: "normal", values: [0, 1] };
  const fields = h("div.row.fields-line");
  const draw = () => fill(fields, FAMILIES[asked.family][1].map(([words], at) => number(t(words), asked.values[at], (value) => { asked.values[at] = value; }, { id: `sample-${at}` })));
  draw();
  const run = () => view.run("distribution", { score: asked.score, cdf: `${asked.family}:${asked.values.join(",")}`, level: app.state.level }, { missing: app.state.roles.missing }, (answer) => view.add(
    h("p.big-answer", {}, t(answer.p < 1 - app.state.level ? "{name} does not come from this distribution, {p}" : "Nothing speaks against this distribution, {p}", { name: asked.score, p: pWords(answer.p) })),
    drawing(answer, t("Distribution function of {name}", { name: asked.score })),
    h("p.note", {}, t("The band of {n} values is ± {width} wide and holds the whole distribution function. The test is for a distribution that was chosen before the values were seen.", { n: answer.n, width: short(answer.width, 3) })),
    tableOf(answer.table, { name: "kolmogorov" }),
  ));
  return h("div.cols", {}, h("div.row.fields-line", {}, select(t("of"), numbers, asked.score, (value) => { asked.score = value; }, { id: "sample-of" }),
    select(t("Distribution"), Object.entries(FAMILIES).map(([name, [words]]) => [name, t(words)]), asked.family, (value) => { asked.family = value; asked.values = FAMILIES[value][1].map(([, one]) => one); draw(); }, { id: "sample-family" }), fields,
    button(t("Test"), run, { kind: "main", id: "run-sample" })));
}
