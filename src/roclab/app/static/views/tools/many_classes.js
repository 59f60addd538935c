// Many classes: every class against the rest, every pair, or one class as a curve.

import { fill, h, select } from "../../dom.js";
import { button } from "../../parts.js";
import { t } from "../../text.js";

export function build(view) {
  const { app } = view;
  const { data, state } = app;
  const labels = data.columns.filter((one) => one.is_class && one.distinct > 2).map((one) => [one.name, one.name]);
  if (labels.length === 0) return h("p.note", {}, t("No column holds three classes or more."));
  const asked = { label: labels.some(([one]) => one === state.roles.label) ? state.roles.label : labels[0][0] };
  const numbers = data.columns.filter((one) => one.kind === "number");
  const classesOf = (label) => data.columns.find((one) => one.name === label).values.map(([value]) => value);
  const pairs = h("div.fields", { id: "class-pairs" });
  const columnOf = {};
  const pair = () => {
    for (const name of Object.keys(columnOf)) delete columnOf[name];
    for (const one of classesOf(asked.label)) columnOf[one] = columnNamed(one, numbers.map((column) => column.name));
    fill(pairs, classesOf(asked.label).map((one, at) => select(t("score of {name}", { name: one }), [["", t("choose")], ...numbers.map((column) => [column.name, column.name])], columnOf[one] ?? "", (value) => { columnOf[one] = value || null; }, { id: `class-score-${at}` })));
  };
  pair();
  const paired = (classes) => {
    const without = classes.filter((one) => !columnOf[one]);
    if (without.length) fill(view.answer, h("p.error", { role: "alert" }, t("Choose the score column of {name}.", { name: without.join(", ") })));
    return without.length === 0;
  };
  const target = h("select.pick", { id: "class-target", "aria-label": t("target class") }, classesOf(asked.label).map((one) => h("option", { value: one }, one)));
  return h("div.cols", {}, select(t("label"), labels, asked.label, (value) => { asked.label = value; pair(); fill(target, classesOf(value).map((one) => h("option", { value: one }, one))); }, { id: "class-label" }),
    h("p.note", {}, t("One score column per class. Columns are paired with classes by their names where those say so.")), pairs,
    h("div.row", {}, button(t("Areas of all classes"), () => { const classes = classesOf(asked.label); if (paired(classes)) view.run("multiclass", { labels: classes, level: app.state.level }, { label: asked.label, score: classes.map((one) => columnOf[one]) }); }, { kind: "main", id: "run-multiclass" }),
      h("span", {}, t("or one against the rest in every view:")), h("label.field", {}, target), button(t("Show the curves"), () => {
        if (!paired([target.value])) return;
        app.session.set({ confirmed: true, roles: { label: asked.label, positive: target.value, negative: null, score: [columnOf[target.value]] } });
        app.open("curves");
      }, { id: "take-target" })));
}

// The column whose name says that it is of this class: the class itself, or the class at its end ("p_oak", "knn: oak"); none is guessed among several.
function columnNamed(one, names) {
  if (names.includes(one)) return one;
  const ending = names.filter((name) => name.length > one.length && name.endsWith(one) && !/[\p{L}\p{N}]/u.test(name.at(-one.length - 1)));
  return ending.length === 1 ? ending[0] : null;
}
