// Other questions: many classes, many markers, classifiers together, rank tests, sample size, the printed examples.

import { fill, h, number, select } from "../dom.js";
import { tableOf } from "../tables.js";
import { t } from "../text.js";

const TOOLS = {
  multiclass: "Many classes", screen: "Screening", combine: "Combination", rank: "Rank tests", plan: "Sample size", reproduce: "Printed examples",
};
const NEEDS_DATA = ["multiclass", "screen", "combine", "rank"];

export class MoreView {
  constructor(host, app) {
    this.app = app;
    this.host = host;
    this.build();
  }

  get tool() { return this.app.state.more.tool; }

  build() {
    const { app } = this;
    this.answer = h("div", { id: "more-answer" });
    const buttons = Object.entries(TOOLS).map(([name, title]) => h("button", {
      type: "button", id: `tool-${name}`, "aria-pressed": String(name === this.tool),
      onclick: () => { app.session.set({ more: { tool: name } }); this.build(); document.getElementById(`tool-${name}`).focus(); },
    }, t(title)));
    const missing = NEEDS_DATA.includes(this.tool) && app.data === null;
    fill(this.host, h("h2.unseen", {}, t("More")), h("div.tools", { role: "group", "aria-label": t("Questions") }, buttons), h("h3", {}, t(TOOLS[this.tool])),
      missing ? h("p.hint", {}, t("Open data first.")) : this[this.tool](), this.answer);
  }

  run(question, options, roles = undefined) {
    this.app.work(this.answer, question, options, (answer) => {
      this.answer.append(tableOf(answer.table, { name: question }) ?? "", answer.words ? h("pre", { tabindex: 0, "aria-label": t("In words") }, answer.words.join("\n")) : "");
    }, roles);
  }

  multiclass() {
    const { app } = this;
    const { data, state } = app;
    const labels = data.columns.filter((one) => one.is_class && one.distinct > 2).map((one) => [one.name, one.name]);
    if (labels.length === 0) return h("p.hint", {}, t("No column holds three classes or more."));
    const asked = { label: labels.some(([one]) => one === state.roles.label) ? state.roles.label : labels[0][0] };
    const numbers = data.columns.filter((one) => one.kind === "number");
    const classesOf = (label) => data.columns.find((one) => one.name === label).values.map(([value]) => value);
    const pairs = h("div.inline", { id: "class-pairs" });
    const columnOf = {};
    const pair = () => {
      for (const name of Object.keys(columnOf)) delete columnOf[name];
      for (const one of classesOf(asked.label)) columnOf[one] = columnNamed(one, numbers.map((column) => column.name));
      fill(pairs, classesOf(asked.label).map((one, at) => select(t("score of {name}", { name: one }), [["", t("choose")], ...numbers.map((column) => [column.name, column.name])], columnOf[one] ?? "", (value) => { columnOf[one] = value || null; }, { id: `class-score-${at}` })));
    };
    pair();
    const paired = (classes) => {
      const without = classes.filter((one) => !columnOf[one]);
      if (without.length) fill(this.answer, h("p.error", { role: "alert" }, t("Choose the score column of {name}.", { name: without.join(", ") })));
      return without.length === 0;
    };
    const target = h("select", { id: "class-target", "aria-label": t("target class") }, classesOf(asked.label).map((one) => h("option", { value: one }, one)));
    return h("div", {}, h("p", {}, t("One score column per class.")),
      select(t("label"), labels, asked.label, (value) => { asked.label = value; pair(); fill(target, classesOf(value).map((one) => h("option", { value: one }, one))); }, { id: "class-label" }),
      pairs,
      h("p.inline", {}, h("button.main", { type: "button", id: "run-multiclass", onclick: () => { const classes = classesOf(asked.label); if (paired(classes)) this.run("multiclass", { labels: classes, level: app.state.level }, { label: asked.label, score: classes.map((one) => columnOf[one]) }); } }, t("Areas of all classes")),
        h("span", {}, ` ${t("or one against the rest in every view:")} `), target,
        h("button", { type: "button", id: "take-target", onclick: () => paired([target.value]) && app.session.set({ roles: { label: asked.label, positive: target.value, negative: null, score: [columnOf[target.value]] }, view: "curves" }) }, t("Show the curves"))));
  }

  screen() {
    const { app } = this;
    const { label, positive, negative, weight, id, missing } = app.state.roles;
    if (!label) return h("p.hint", {}, t("Choose a label among the columns first."));
    const adjust = select(t("many markers"), app.desk.choices.adjustments.map((one) => [one, t(one)]), "holm", () => {}, { id: "screen-adjust" });
    return h("p.inline", {}, t("Every numeric column against {label}.", { label }), " ", adjust, h("button.main", {
      type: "button", id: "run-screen", onclick: () => this.run("screen", { adjust: adjust.querySelector("select").value, level: app.state.level }, { label, positive, negative, weight, id, missing, direction: "auto" }),
    }, t("Screen")));
  }

  combine() {
    const { app } = this;
    if (app.state.roles.score.length < 2 || !app.overview) return h("p.hint", {}, t("Choose two scores or more."));
    const asked = { how: "hybrid", fpr: 0.1, thresholds: {} };
    for (const one of app.store.scores) asked.thresholds[one.name] = Number.isFinite(one.thresholds[one.start]) ? one.thresholds[one.start] : 0;
    const fields = h("div.inline");
    const draw = () => fill(fields, asked.how === "hybrid" ? number(t("false positive rate to meet"), asked.fpr, (value) => { asked.fpr = value; }, { id: "combine-fpr", min: 0, max: 1, step: 0.01 })
      : app.store.scores.map((one) => number(`${one.name} ${one.direction === "lower" ? "≤" : "≥"}`, asked.thresholds[one.name], (value) => { asked.thresholds[one.name] = value; })));
    draw();
    return h("div", {}, select(t("How"), [["hybrid", t("along the common hull")], ["and", t("positive if all say so (AND)")], ["or", t("positive if any says so (OR)")]], asked.how, (value) => { asked.how = value; draw(); }, { id: "combine-how" }), fields,
      h("button.main", { type: "button", id: "run-combine", onclick: () => this.run("combine", asked.how === "hybrid" ? { how: "hybrid", fpr: asked.fpr, ...(asked.fpr === null ? app.conditions : {}) } : { how: asked.how, thresholds: Object.values(asked.thresholds) }) }, t("Combine")));
  }

  rank() {
    const { app } = this;
    const numbers = app.data.columns.filter((one) => one.kind === "number").map((one) => [one.name, one.name]);
    const groups = app.data.columns.filter((one) => one.is_class).map((one) => [one.name, one.name]);
    if (numbers.length === 0 || groups.length === 0) return h("p.hint", {}, t("A numeric column and a column of classes are needed."));
    const asked = { test: "mann-whitney", score: app.state.roles.score[0] ?? numbers[0][0], group: app.state.roles.label ?? groups[0][0] };
    return h("p.inline", {}, select(t("Test"), [["mann-whitney", "Mann-Whitney"], ["kruskal-wallis", "Kruskal-Wallis"], ["smirnov", "Smirnov"]], asked.test, (value) => { asked.test = value; }, { id: "rank-test" }),
      select(t("of"), numbers, asked.score, (value) => { asked.score = value; }), select(t("by"), groups, asked.group, (value) => { asked.group = value; }),
      h("button.main", { type: "button", id: "run-rank", onclick: () => {
        const { label, positive, negative, missing } = app.state.roles;
        const roles = asked.test === "kruskal-wallis" ? { missing } : { label: asked.group, positive: asked.group === label ? positive : null, negative: asked.group === label ? negative : null, score: [asked.score], missing };
        this.run("rank_test", asked, roles);
      } }, t("Test")));
  }

  plan() {
    const asked = { area: 0.8, null: 0.5, other: null, correlation: null, power: 0.8, ratio: 1, n_pos: null, n_neg: null };
    const field = (name, label, more = {}) => number(t(label), asked[name], (value) => { asked[name] = value; }, { id: `plan-${name}`, ...more });
    return h("div", {}, h("p", {}, t("Leave empty what is to be found: the cases, the power, or the area.")), h("div.inline", {},
      field("area", "area expected"), field("null", "against"), field("other", "or compared with another area"), field("correlation", "correlation of both areas"),
      field("power", "power"), field("ratio", "negatives per positive"), field("n_pos", "positive cases"), field("n_neg", "negative cases")),
    h("button.main", { type: "button", id: "run-plan", onclick: () => {
      const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== null));
      if (given.other !== undefined) delete given.null; else delete given.correlation;
      if (given.n_pos !== undefined && given.n_neg !== undefined) delete given.ratio;
      this.run("plan", given, {});
    } }, t("Plan")));
  }

  reproduce() {
    return h("p", {}, t("What the texts behind these methods print or claim, beside ours."), " ", h("button.main", { type: "button", id: "run-reproduce", onclick: () => this.run("reproduce", {}, {}) }, t("Run")));
  }
}

// The column whose name says that it is of this class: the class itself, or the class at its end ("p_oak", "knn: oak"); none is guessed among several.
function columnNamed(one, names) {
  if (names.includes(one)) return one;
  const ending = names.filter((name) => name.length > one.length && name.endsWith(one) && !/[\p{L}\p{N}]/u.test(name.at(-one.length - 1)));
  return ending.length === 1 ? ending[0] : null;
}
