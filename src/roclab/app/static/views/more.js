// More: is there a tool for this question? Many classes, many markers, scores together, regression, rank tests, planning.

import { icon } from "../icons.js";
import { pWords, short, withRange } from "../digits.js";
import * as api from "../api.js";
import { fill, h, number, select } from "../dom.js";
import { button, panel } from "../parts.js";
import { rowsOf, tableOf } from "../tables.js";
import { t } from "../text.js";
import { trailOf } from "./data.js";

const TOOLS = {
  multiclass: ["Many classes", "How well are three or more classes told apart?", "hull"], screen: ["Screening", "Which of many markers tell the classes apart?", "rank"], logistic: ["Logistic regression", "Coefficients, odds ratios, fitted probabilities", "train"],
  combine: ["Combine scores", "What do two scores reach together?", "mix"], rank: ["Rank tests", "Do samples come from one distribution?", "compare"], plan: ["Sample size", "How many cases does a study need?", "size"], reproduce: ["Printed examples", "What texts print, beside ours", "report"],
};
const NEEDS_DATA = ["multiclass", "screen", "combine", "rank", "logistic"];
const INTERVALS = [["auto", "as usual"], ["plain", "plain"], ["logit", "logit"], ["gaidyshev", "Gaidyshev"]];
const VARIANCES = [["", "as usual"], ["delong", "DeLong"], ["hanley_mcneil", "Hanley and McNeil"]];

export class MoreView {
  constructor(host, app) {
    this.app = app;
    this.host = host;
    this.build();
  }

  get tool() { return Object.hasOwn(TOOLS, this.app.state.more.tool) ? this.app.state.more.tool : "multiclass"; }

  build() {
    const { app } = this;
    this.answer = h("div", { id: "more-answer" });
    const find = h("input", { type: "search", id: "find-tool", placeholder: t("Type a question or a method: kappa, power, hull …"), "aria-label": t("Find a tool"), oninput: () => {
      const sought = find.value.trim().toLowerCase();
      for (const card of cards) card.hidden = sought !== "" && !card.textContent.toLowerCase().includes(sought);
    } });
    const cards = Object.entries(TOOLS).map(([name, [title, words, sign]]) => h("button.card", {
      type: "button", id: `tool-${name}`, "aria-pressed": String(name === this.tool), onclick: () => { app.session.set({ more: { tool: name } }, { quiet: true }); app.frame.steps(); this.build(); document.getElementById(`tool-${name}`).focus(); },
    }, h("span.text", {}, icon(sign, "icon"), h("b", {}, t(title)), h("span.quiet", {}, t(words)))));
    const missing = NEEDS_DATA.includes(this.tool) && app.data === null;
    fill(this.host, app.data === null ? null : trailOf(app), h("div.lead", {}, h("h1", {}, t("What else should the data answer?")), h("label.field.wide-find", {}, find)), h("div.cards.small-cards", { role: "group", "aria-label": t("Questions") }, cards),
      panel(t(TOOLS[this.tool][0]), null, missing ? h("p.note", {}, t("Open data first.")) : this[this.tool](), this.answer));
  }

  run(question, options, roles = undefined, show = null) {
    this.app.work(this.answer, question, options, (answer) => {
      if (show) { show(answer); return; }
      this.answer.append(tableOf(answer.table, { name: question }) ?? "", answer.words ? h("details.plain-details", {}, h("summary", {}, t("In words")), h("pre", { tabindex: 0, "aria-label": t("In words") }, answer.words.join("\n"))) : "");
    }, { roles });
  }

  multiclass() {
    const { app } = this;
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
      if (without.length) fill(this.answer, h("p.error", { role: "alert" }, t("Choose the score column of {name}.", { name: without.join(", ") })));
      return without.length === 0;
    };
    const target = h("select.pick", { id: "class-target", "aria-label": t("target class") }, classesOf(asked.label).map((one) => h("option", { value: one }, one)));
    return h("div.cols", {}, select(t("label"), labels, asked.label, (value) => { asked.label = value; pair(); fill(target, classesOf(value).map((one) => h("option", { value: one }, one))); }, { id: "class-label" }),
      h("p.note", {}, t("One score column per class. Columns are paired with classes by their names where those say so.")), pairs,
      h("div.row", {}, button(t("Areas of all classes"), () => { const classes = classesOf(asked.label); if (paired(classes)) this.run("multiclass", { labels: classes, level: app.state.level }, { label: asked.label, score: classes.map((one) => columnOf[one]) }); }, { kind: "main", id: "run-multiclass" }),
        h("span", {}, t("or one against the rest in every view:")), h("label.field", {}, target), button(t("Show the curves"), () => {
          if (!paired([target.value])) return;
          app.session.set({ confirmed: true, roles: { label: asked.label, positive: target.value, negative: null, score: [columnOf[target.value]] } });
          app.open("curves");
        }, { id: "take-target" })));
  }

  screen() {
    const { app } = this;
    const { label, positive, negative, weight, id, missing } = app.state.roles;
    if (!label) return h("p.note", {}, t("Choose a label among the columns first."));
    const asked = { adjust: "holm", direction: "auto" };
    const shown = (answer) => {
      const ticked = new Set();
      const take = button(t("Take the ticked ones as scores"), () => {
        const rows = rowsOf(answer.table).filter((one) => ticked.has(one.marker ?? one.score));
        app.session.set({ confirmed: true, roles: { score: rows.map((one) => one.marker ?? one.score), direction: Object.fromEntries(rows.filter((one) => one.direction === "lower").map((one) => [one.marker ?? one.score, "lower"])) } });
        app.open("curves");
      }, { kind: "main", id: "take-markers", disabled: true });
      const named = answer.table.columns[0];
      const table = tableOf(answer.table, { name: "screen" });
      this.answer.append(h("div.row", {}, take), table);
      const ticks = () => {
        for (const row of table.querySelectorAll("tbody tr")) {
          const first = row.firstElementChild;
          if (first.querySelector("input")) continue;
          const name = first.dataset.exact;
          const box = h("input", { type: "checkbox", "aria-label": t("Tick {name}", { name }), checked: ticked.has(name), onchange: () => { if (box.checked) ticked.add(name); else ticked.delete(name); take.disabled = ticked.size === 0; } });
          first.prepend(box, " ");
        }
      };
      ticks();
      table.querySelector("thead").addEventListener("click", ticks);
      if (answer.words) this.answer.append(h("details.plain-details", {}, h("summary", {}, t("In words")), h("pre", { tabindex: 0, "aria-label": t("In words") }, answer.words.join("\n"))));
      return named;
    };
    return h("div.row.fields-line", {}, h("p", {}, t("Every numeric column against {label}.", { label })), select(t("many markers"), app.desk.choices.adjustments.map((one) => [one, t(one)]), asked.adjust, (value) => { asked.adjust = value; }, { id: "screen-adjust" }),
      select(t("positive means"), [["auto", t("as each marker points")], ["higher", t("higher")], ["lower", t("lower")]], asked.direction, (value) => { asked.direction = value; }, { id: "screen-direction" }),
      button(t("Screen"), () => this.run("screen", { adjust: asked.adjust, level: app.state.level }, { label, positive, negative, weight, id, missing, direction: asked.direction }, shown), { kind: "main", id: "run-screen" }));
  }

  // One regression whole, and its probabilities as a new score.
  logistic() {
    const { app } = this;
    const { label, positive, negative, id, missing, score, weight } = app.state.roles;
    if (!label) return h("p.note", {}, t("Choose a label among the columns first."));
    const numbers = app.data.columns.filter((one) => one.kind === "number" && one.name !== label).map((one) => one.name);
    const chosen = new Set(score.length ? score : numbers.slice(0, 6));
    const asked = { variance: "", interval: "auto" };
    const roles = () => ({ label, positive, negative, missing, weight, id, score: [...chosen] });
    return h("div.cols", {}, h("div.checks", {}, numbers.slice(0, 40).map((one, at) => { const box = h("input", { type: "checkbox", id: `logistic-${at}`, checked: chosen.has(one), onchange: () => { if (box.checked) chosen.add(one); else chosen.delete(one); } }); return h("label.check", {}, box, h("span", {}, one)); })),
      h("div.row.fields-line", {}, select(t("variance"), VARIANCES.map(([one, words]) => [one, t(words)]), "", (value) => { asked.variance = value; }, { id: "logistic-variance" }), select(t("interval"), INTERVALS.map(([one, words]) => [one, t(words)]), "auto", (value) => { asked.interval = value; }, { id: "logistic-interval" }),
        button(t("Fit"), () => this.run("logistic", { level: app.state.level, ...(asked.variance ? { variance: asked.variance } : {}), ...(asked.interval === "auto" ? {} : { interval: asked.interval }) }, roles(), (answer) => this.regression(answer)), { kind: "main", id: "run-logistic" })));
  }

  regression(answer) {
    const { app } = this;
    const { area } = answer;
    const [fit] = rowsOf(answer.fit);
    const analyse = button(t("Analyse the probabilities"), async () => {
      try {
        const trail = app.trailTo(app.data.called);
        const data = await api.openText(answer.scored, `probabilities of ${app.data.called.replace(/\.[^.]*$/, "")}.csv`);
        app.take({ ...data, made: true }, { label: "class", positive: app.state.roles.positive, score: ["probability"] }, { trail, confirmed: true, view: "curves" });
      } catch (error) {
        if (!(error instanceof api.Refused)) throw error;
        app.say(error.message, "bad");
      }
    }, { id: "analyse-probabilities" });
    this.answer.append(h("p.big-answer", {}, t("The fitted probabilities have an AUC of {area} (standard error {error}).", { area: withRange(area.value, area.low, area.high), error: short(area.error, 4) })), h("div.row", {}, analyse),
      h("h3", {}, t("Coefficients")), tableOf(answer.table, { name: "coefficients" }), h("p.note", {}, t("Likelihood ratio {value} on {df} degrees of freedom, {p}. AIC {aic}.", { value: short(fit["likelihood ratio"]), df: fit.df, p: pWords(fit.p), aic: short(fit.AIC, 1) })),
      h("h3", {}, t("Best cut-off of the probability")), tableOf(answer.cutoff, { name: "cut-off" }), h("h3", {}, t("Is the area above one half?")), tableOf(answer.test, { name: "test" }),
      h("details.plain-details", {}, h("summary", {}, t("In words")), h("pre", { tabindex: 0, "aria-label": t("In words") }, answer.words.join("\n"))));
  }

  combine() {
    const { app } = this;
    if (app.state.roles.score.length < 2 || !app.overview) return h("p.note", {}, t("Choose two scores or more."));
    const asked = { how: "hybrid", fpr: 0.1, thresholds: {} };
    for (const one of app.store.scores) asked.thresholds[one.name] = Number.isFinite(one.thresholds[one.start]) ? one.thresholds[one.start] : 0;
    const fields = h("div.row.fields-line");
    const draw = () => fill(fields, asked.how === "hybrid" ? number(t("false positive rate to meet"), asked.fpr, (value) => { asked.fpr = value; }, { id: "combine-fpr", min: 0, max: 1 })
      : app.store.scores.map((one, at) => number(`${one.name} ${one.direction === "lower" ? "≤" : "≥"}`, asked.thresholds[one.name], (value) => { asked.thresholds[one.name] = value; }, { id: `combine-${at}` })));
    draw();
    return h("div.cols", {}, h("div.row.fields-line", {}, select(t("How"), [["hybrid", t("along the common hull")], ["and", t("positive if all say so (AND)")], ["or", t("positive if any says so (OR)")]], asked.how, (value) => { asked.how = value; draw(); }, { id: "combine-how" }), fields,
      button(t("Combine"), () => this.run("combine", asked.how === "hybrid" ? { how: "hybrid", fpr: asked.fpr, ...(asked.fpr === null ? app.conditions : {}) } : { how: asked.how, thresholds: Object.values(asked.thresholds) }), { kind: "main", id: "run-combine" })));
  }

  rank() {
    const { app } = this;
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
        this.run("rank_test", { ...asked, ...(asked.alternative === "two-sided" || asked.test === "kruskal-wallis" ? { alternative: null } : {}) }, roles);
      }, { kind: "main", id: "run-rank" }));
  }

  plan() {
    const asked = { area: 0.8, null: 0.5, other: null, correlation: null, power: 0.8, ratio: 1, n_pos: null, n_neg: null };
    const shares = ["area", "null", "other", "correlation", "power"];
    const field = (name, label) => number(t(label), asked[name], (value) => { asked[name] = value; }, { id: `plan-${name}`, ...(shares.includes(name) ? { min: name === "correlation" ? -1 : 0, max: 1 } : { min: 0 }), ...(name.startsWith("n_") ? { step: 1 } : {}) });
    return h("div.cols", {}, h("p.note", {}, t("Leave empty what is to be found: the cases, the power, or the area.")), h("div.fields", {},
      field("area", "area expected"), field("null", "against"), field("other", "or compared with another area"), field("correlation", "correlation of both areas"),
      field("power", "power"), field("ratio", "negatives per positive"), field("n_pos", "positive cases"), field("n_neg", "negative cases")),
    h("div.row", {}, button(t("Plan"), () => {
      const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== null));
      if (given.other !== undefined) delete given.null; else delete given.correlation;
      if (given.n_pos !== undefined && given.n_neg !== undefined) delete given.ratio;
      this.run("plan", given, {});
    }, { kind: "main", id: "run-plan" })));
  }

  reproduce() {
    return h("div.row", {}, h("p", {}, t("What the texts behind these methods print or claim, beside ours.")), button(t("Run"), () => this.run("reproduce", {}, {}), { kind: "main", id: "run-reproduce" }));
  }
}

// The column whose name says that it is of this class: the class itself, or the class at its end ("p_oak", "knn: oak"); none is guessed among several.
function columnNamed(one, names) {
  if (names.includes(one)) return one;
  const ending = names.filter((name) => name.length > one.length && name.endsWith(one) && !/[\p{L}\p{N}]/u.test(name.at(-one.length - 1)));
  return ending.length === 1 ? ending[0] : null;
}
