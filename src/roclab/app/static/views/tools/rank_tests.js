// Rank tests: do samples come from one distribution?

import { h, select } from "../../dom.js";
import { button } from "../../parts.js";
import { t } from "../../text.js";

export function build(view) {
  const { app } = view;
  const numbers = app.data.columns.filter((one) => one.kind === "number").map((one) => [one.name, one.name]);
  const groups = app.data.columns.filter((one) => one.is_class).map((one) => [one.name, one.name]);
  if (numbers.length === 0 || groups.length === 0) return h("p.note", {}, t("A numeric column and a column of classes are needed."));
  const asked = { test: "mann-whitney", score: app.state.roles.score[0] ?? numbers[0][0], group: app.state.roles.label ?? groups[0][0], alternative: "two-sided" };
  return h("div.row.fields-line", {}, select(t("Test"), [["mann-whitney", "Mann-Whitney"], ["kruskal-wallis", "Kruskal-Wallis"], ["smirnov", "Smirnov"]], asked.test, (value) => { asked.test = value; }, { id: "rank-test" }),
    select(t("of"), numbers, asked.score, (value) => { asked.score = value; }, { id: "rank-of" }), select(t("by"), groups, asked.group, (value) => { asked.group = value; }, { id: "rank-by" }),
    select(t("alternative"), [["two-sided", t("two-sided")], ["greater", t("greater")], ["less", t("less")]], asked.alternative, (value) => { asked.alternative = value; }, { id: "rank-side" }),
    button(t("Test"), () => {
      const { label, positive, negative, missing } = app.state.roles;
      const roles = asked.test === "kruskal-wallis" ? { missing } : { label: asked.group, positive: asked.group === label ? positive : null, negative: asked.group === label ? negative : null, score: [asked.score], missing };
      view.run("rank_test", { ...asked, ...(asked.alternative === "two-sided" || asked.test === "kruskal-wallis" ? { alternative: null } : {}) }, roles);
    }, { kind: "main", id: "run-rank" }));
}
