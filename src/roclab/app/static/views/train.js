// Train and test: which model is best on cases it has not seen? Models, their table, the square of each, and the rows behind it.

import * as api from "../api.js";
import { drawing } from "../charts/drawn.js";
import { intervalRow, scaleOf, scaleRow } from "../charts/intervals.js";
import { dashOf, keyLine, lineChart } from "../charts/lines.js";
import { pWords, share, short, withRange } from "../digits.js";
import { checkbox, fill, h, number, select } from "../dom.js";
import { save } from "../files.js";
import { button, choice, lead, panel, small, toast } from "../parts.js";
import { showRows } from "../rows_drawer.js";
import { rowsOf, tableOf } from "../tables.js";
import { inLanguage, t } from "../text.js";
import { modelWords, samplingWords } from "../words_of_names.js";
import { trailOf } from "./data.js";

const pairOfModels = (value, column) => (["first", "second"].includes(column) ? modelWords(value) : null);
const SETTINGS = [["modern", "tuned"], ["published", "as published"]];
const SHOWN = [["counts", "counts"], ["rows", "% of the row"], ["columns", "% of the column"]];

export class TrainView {
  constructor(host, app) {
    this.app = app;
    this.host = host;
    this.build();
  }

  get choice() { return this.app.state.train; }
  set(changes) { this.app.session.set({ train: changes }, { quiet: true }); this.app.frame.steps(); }

  build() {
    const { app } = this;
    this.lead = h("div", { id: "answer" }, lead(t("Which model is best on cases it has not seen?"), t("Choose what is to be predicted, from what, and by which models.")));
    this.result = h("div", { id: "bench" });
    this.shown = h("div.view", { id: "bench-shown" });
    const trained = this.choice.asked !== null;
    this.forms = h("details.panel", { id: "train-forms", open: !trained }, h("summary", {}, t("Models and design")), h("div.cols", {}, this.stepLabel(), this.stepFeatures(), this.stepModels(), this.stepSampling()), h("div.row", {}, button(t("Train and test"), () => this.run(), { kind: "main", id: "train" })));
    fill(this.host, trailOf(app), this.lead, this.forms, this.shown, this.result);
    if (trained) this.again();
  }

  stepLabel() {
    const { app } = this;
    const classes = app.data.columns.filter((one) => one.is_class);
    const { label, positive } = app.state.roles;
    const column = app.data.columns.find((one) => one.name === label);
    return h("fieldset", {}, h("legend", {}, t("What is to be predicted?")), h("div.fields", {},
      select(t("label"), [["", "–"], ...classes.map((one) => [one.name, one.name])], label ?? "", (value) => app.session.set({ confirmed: true, roles: { label: value || null, positive: null, negative: null, score: app.state.roles.score.filter((one) => one !== value) } }), { id: "train-label" }),
      column && column.values.length === 2 ? select(t("positive class"), [["", "–"], ...column.values.map(([value]) => [value, value])], positive ?? "", (value) => app.session.set({ roles: { positive: value || null } }), { id: "train-positive" }) : null));
  }

  stepFeatures() {
    const { app } = this;
    const { roles } = app.state;
    const free = app.data.columns.filter((one) => one.name !== roles.label && ![roles.id, roles.weight, roles.fold].includes(one.name));
    const chosen = new Set(this.choice.features ?? free.filter((one) => !one.is_key || one.kind === "number").map((one) => one.name));
    this.features = () => free.map((one) => one.name).filter((one) => chosen.has(one));
    return h("fieldset", {}, h("legend", {}, t("Which columns are features?")), h("div.checks", {}, free.map((one, at) => checkbox(one.name, chosen.has(one.name), (value) => {
      if (value) chosen.add(one.name); else chosen.delete(one.name);
      this.set({ features: [...chosen] });
    }, { id: `feature-${at}` }))));
  }

  stepModels() {
    const chosen = new Set(this.choice.models);
    return h("fieldset", {}, h("legend", {}, t("Which models?")), h("div.checks", {}, this.app.desk.choices.bench_classifiers.map((name) => checkbox(modelWords(name), chosen.has(name), (value) => {
      if (value) chosen.add(name); else chosen.delete(name);
      this.set({ models: [...chosen] });
    }, { id: `model-${name}` }))), h("div.fields", {}, select(t("settings"), SETTINGS.map(([one, text]) => [one, t(text)]), this.choice.settings, (value) => this.set({ settings: value }), { id: "settings" })));
  }

  stepSampling() {
    const { choices } = this.app.desk;
    const { sampling, folds, repeats, balance, seed, share: tested } = this.choice;
    return h("fieldset", {}, h("legend", {}, t("How are cases split?")), h("div.fields", {},
      select(t("sampling"), choices.bench_samplings.filter((one) => one !== "test").map((one) => [one, samplingWords(one)]), sampling, (value) => { this.set({ sampling: value }); this.build(); }, { id: "sampling" }),
      sampling === "k_fold" ? number(t("folds"), folds, (value) => this.set({ folds: value ?? 10 }), { id: "bench-folds", min: 2, step: 1 }) : null,
      ["k_fold", "splits", "bootstrap"].includes(sampling) ? number(t("repeats"), repeats, (value) => this.set({ repeats: value }), { id: "repeats", min: 1, step: 1 }) : null,
      sampling === "splits" ? number(t("tested share"), tested, (value) => this.set({ share: value ?? 0.5 }), { id: "share", min: 0.05, max: 0.95, share: true }) : null,
      select(t("balance"), choices.bench_balances.map((one) => [one, t(one)]), balance, (value) => this.set({ balance: value }), { id: "balance" }),
      number(t("seed"), seed, (value) => this.set({ seed: value ?? 0 }), { id: "seed", min: 0, step: 1 })));
  }

  run() {
    const { app } = this;
    const { models, sampling, folds, repeats, balance, settings, seed, share: tested } = this.choice;
    const { label, positive, negative, id, missing } = app.state.roles;
    const options = {
      features: this.choice.features ?? this.features(), models, sampling, balance, settings, rng: seed,
      ...(sampling === "k_fold" ? { folds } : {}), ...(repeats && ["k_fold", "splits", "bootstrap"].includes(sampling) ? { repeats } : {}), ...(sampling === "splits" ? { test_share: tested } : {}),
    };
    this.set({ asked: { options, roles: { label, positive, negative, id, missing, direction: {} } }, model: null });
    this.again();
  }

  // What was asked last, from the answers that are known or anew: undo, a reload and a session file bring it back.
  again() {
    const { app } = this;
    const { options, roles } = this.choice.asked;
    fill(this.shown);
    app.work(this.result, "bench", options, (answer) => this.show(answer), { roles });
  }

  show(answer) {
    this.forms.open = false;
    this.answered = answer;
    const model = answer.models.includes(this.choice.model) ? this.choice.model : answer.best;
    this.square = h("div", { id: "bench-matrix" });
    fill(this.lead, this.sentence(answer));
    const failures = answer.failures.length ? h("p.error", {}, answer.failures.map((one) => `${modelWords(one.model)}: ${Object.entries(one).filter(([name]) => name !== "model").map((pair) => pair.join(" ")).join("; ")}`).join(" ")) : null;
    fill(this.shown,
      panel(t("Models"), h("div.row.tools", {}, small(t("Save the scores"), () => this.saveScores(answer), { id: "save-scores" }), this.analyse(answer)), failures, this.table(answer, model), h("p.note", {}, answer.words.map(inLanguage).join(" ")),
        h("details.plain-details", {}, h("summary", {}, t("All numbers")), tableOf(answer.table, { name: "test and score", spoken: (value, column) => (column === "model" ? modelWords(value) : null) }),
          answer.comparison ? [h("h3", {}, t("Do they differ?")), tableOf(answer.comparison, { name: "comparison", spoken: pairOfModels })] : null, answer.practical?.rows.length ? [h("h3", {}, t("How probable is it that one is better, by 0.01 or more?")), tableOf(answer.practical, { name: "practical", spoken: pairOfModels })] : null, answer.hull ? [h("h3", {}, t("Who is best where")), tableOf(answer.hull, { name: "hull" })] : null)),
      this.square, h("div.cols.half.late", {}, answer.curves?.length ? panel(t("Curves of the models"), null, this.curves(answer), h("p.note", {}, t("Scores of cases that a model had not seen. The dot is where the model itself decides, by default at a probability of one half."))) : null, this.inside(answer)));
    this.matrix(answer, model);
  }

  curves(answer) {
    const keys = h("p.keys-line", {}, answer.curves.map((one, at) => h("span.nowrap", {}, keyLine(at % 10, dashOf(at)), ` ${modelWords(one.name)}`)));
    return [keys, lineChart(() => ({
      titles: [t("1 − specificity"), t("Sensitivity")], chance: [[0, 1], [0, 1]], label: t("Curves of the models"), max: 560, ratio: 0.9,
      lines: answer.curves.map((one, at) => ({ colour: at % 10, dash: dashOf(at), place: at, pts: one.x.map((x, i) => ({ x, y: one.y[i] })) })),
      marks: answer.curves.map((one, at) => ({ ...one.default, colour: at % 10, title: modelWords(one.name) })),
    }))];
  }

  // Trees and logistic models can be read.
  inside(answer) {
    const models = Object.entries(answer.inside ?? {});
    if (models.length === 0) return null;
    return panel(t("Look into a model"), null, models.map(([name, one], at) => h("details.plain-details", { open: at === 0, id: `inside-${name}` }, h("summary", {}, modelWords(name)), drawing(one, modelWords(name)), h("pre", { tabindex: 0, "aria-label": modelWords(name) }, one.words.join("\n")))));
  }

  sentence(answer) {
    const rows = rowsOf(answer.table);
    const best = rows.find((one) => one.model === answer.best) ?? rows[0];
    if (!best) return lead(t("No model could be trained"), "");
    const title = t("{name} leads with an AUC of {area}", { name: modelWords(best.model), area: withRange(...areaOf(best)) });
    if (!answer.comparison) return lead(title, t("Each case is tested by models that have not seen it."));
    const pairs = rowsOf(answer.comparison).filter((one) => [one.first, one.second].includes(best.model));
    const other = (one) => (one.first === best.model ? one.second : one.first);
    const p = (one) => one["adjusted p"] ?? one.p;
    const apart = pairs.filter((one) => p(one) < 1 - this.app.state.level).map((one) => `${modelWords(other(one))} (${pWords(p(one))})`);
    const near = pairs.filter((one) => !(p(one) < 1 - this.app.state.level)).map((one) => modelWords(other(one)));
    const said = [apart.length ? t("Told apart from it: {names}.", { names: apart.join(", ") }) : "", near.length ? t("Not told apart from it: {names}.", { names: near.join(", ") }) : "", t("Each case is tested by models that have not seen it.")];
    return lead(title, said.filter(Boolean).join(" "));
  }

  table(answer, model) {
    const rows = rowsOf(answer.table);
    const known = rows.filter((one) => typeof areaOf(one)[0] === "number");
    const scale = scaleOf(known.flatMap(areaOf), { most: 1 });
    const measures = ["accuracy", "sensitivity", "recall", "specificity", "Brier", "brier"].filter((name) => answer.table.columns.includes(name)).slice(0, 4);
    return h("table.stack.crowded.wide", { id: "models" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("Model")), h("th", { scope: "col" }, h("span.unseen", {}, t("Areas with intervals"))), h("th.num", { scope: "col" }, `AUC (${t("{level} interval", { level: `${100 * this.app.state.level} %` })})`), measures.map((one) => h("th.num", { scope: "col" }, t(one))))),
      h("tbody", {}, rows.map((one) => h("tr", { class: one.model === model ? "pressable chosen" : "pressable", dataset: { model: one.model }, onclick: () => this.pick(one.model) },
        h("th", { scope: "row" }, h("label.check", {}, h("input", { type: "radio", name: "model", id: `pick-${one.model}`, checked: one.model === model, onchange: () => this.pick(one.model) }), modelWords(one.model))),
        h("td.plotcol.full", {}, typeof areaOf(one)[0] === "number" ? intervalRow(scale, [{ value: areaOf(one)[0], low: areaOf(one)[1], high: areaOf(one)[2] }], { label: withRange(...areaOf(one)) }) : null),
        h("td.num", { dataset: { exact: areaOf(one)[0] } }, withRange(...areaOf(one))), measures.map((name) => h("td.num.hide", { dataset: { exact: one[name] } }, /brier/i.test(name) ? short(one[name]) : share(one[name]))))),
      h("tr.scale", {}, h("td.hide"), h("td.plotcol.full", {}, scaleRow(scale)), h("td.hide"), measures.map(() => h("td.hide")))));
  }

  pick(model) {
    if (model === this.choice.model || !this.answered.models.includes(model)) return;
    this.set({ model });
    for (const row of this.shown.querySelectorAll("#models tr[data-model]")) row.className = row.dataset.model === model ? "pressable chosen" : "pressable";
    const radio = document.getElementById(`pick-${model}`);
    if (radio) radio.checked = true;
    this.matrix(this.answered, model);
  }

  // -- the square of a model, any fields of it together, and the rows of the table behind them -------------------

  matrix(answer, model) {
    const found = answer.matrices[model];
    if (!found) { fill(this.square); return; }
    const { classes, counts } = found;
    const ticked = new Set();
    const total = counts.flat().reduce((sum, one) => sum + one, 0);
    const sum = (list) => list.reduce((one, two) => one + two, 0);
    const rowSums = counts.map(sum);
    const columnSums = classes.map((_, column) => sum(counts.map((line) => line[column])));
    let shown = "counts";
    const tools = h("div.row", {});
    const grid = h("div.scroll", { tabindex: 0, role: "region", "aria-label": t("Confusion matrix") });
    const text = (row, column) => ({ counts: String(counts[row][column]), rows: rowSums[row] ? share(counts[row][column] / rowSums[row]) : "–", columns: columnSums[column] ? share(counts[row][column] / columnSums[column]) : "–" })[shown];
    const of = (test) => counts.flatMap((line, row) => line.map((count, column) => [row, column, count])).filter(([row, column]) => test(row, column));
    const open = (cells, words) => this.rows(found, model, cells, words);
    const wrong = of((row, column) => row !== column);
    const right = of((row, column) => row === column);
    const draw = () => {
      const chosen = of((row, column) => ticked.has(`${row} ${column}`));
      fill(tools, choice(t("fields show"), SHOWN.map(([one, words]) => [one, t(words)]), shown, (value) => { shown = value; draw(); }),
        small(t("Misclassified ({n})", { n: sum(wrong.map(([, , count]) => count)) }), () => open(wrong, t("misclassified")), { id: "misclassified" }), small(t("Correct ({n})", { n: sum(right.map(([, , count]) => count)) }), () => open(right, t("classified rightly")), { id: "correct" }),
        chosen.length > 1 ? button(t("Show the rows of {n} fields", { n: chosen.length }), () => open(chosen, t("{n} fields", { n: chosen.length })), { kind: "small main", id: "ticked-fields" }) : null);
      fill(grid, h("table.matrix", {}, h("caption", {}, t("Rows: actual class; columns: predicted class.")), h("thead", {}, h("tr", {}, h("td"), classes.map((one) => h("th.num", { scope: "col" }, one)), h("th.num", { scope: "col" }, t("all")))),
        h("tbody", {}, counts.map((line, row) => h("tr", {}, h("th", { scope: "row" }, classes[row]), line.map((_, column) => h("td", { class: "num" }, h("div.matrix-cell", {}, h("button", {
          type: "button", class: row === column ? "cell right" : "cell wrong", dataset: { field: `${row} ${column}`, exact: counts[row][column] }, "aria-label": `${classes[row]} → ${classes[column]}: ${counts[row][column]}`, onclick: () => open([[row, column]], `${classes[row]} → ${classes[column]}`),
        }, h("b", {}, text(row, column))), h("input", { type: "checkbox", "aria-label": t("Tick {name}", { name: `${classes[row]} → ${classes[column]}` }), checked: ticked.has(`${row} ${column}`), onchange: (event) => { if (event.target.checked) ticked.add(`${row} ${column}`); else ticked.delete(`${row} ${column}`); draw(); } })))), h("td.num.quiet", {}, rowSums[row])))),
        h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, t("all")), columnSums.map((one) => h("td.num.quiet", {}, one)), h("td.num.quiet", {}, total)))));
    };
    draw();
    fill(this.square, panel(t("Decisions of {name}", { name: modelWords(model) }), h("span.quiet", {}, t("Press a field to see its cases; tick several to see them together")), tools, grid));
  }

  rows(found, model, cells, words) {
    const { classes } = found;
    const beside = new Map();
    const numbers = [];
    for (const [row, column] of cells) {
      const cell = found.cells[`${classes[row]}\u001f${classes[column]}`];
      cell.rows.forEach((one, at) => {
        if (!beside.has(one)) numbers.push(one);
        beside.set(one, [classes[column], cell.splits[at], cell.scores[at]]);
      });
    }
    showRows(this.app, { question: "rows", options: { rows: numbers }, words, id: "bench-rows", from: modelWords(model), roles: {}, beside: { columns: [t("predicted"), t("fold"), t("score")], of: (one) => beside.get(one) ?? ["", "", ""] } });
  }

  // -- the scores as data ----------------------------------------------------------------------------------------

  async saveScores(answer) {
    try {
      const { text } = await api.made(answer.job, "scores");
      save(`scores of ${this.app.data.called.replace(/\.[^.]*$/, "")}.csv`, text, "text/csv;charset=utf-8");
    } catch (error) {
      if (!(error instanceof api.Refused)) throw error;
      this.app.say(error.message, "bad");
    }
  }

  analyse(answer) {
    const { app } = this;
    const classes = answer.matrices[answer.best]?.classes ?? [];
    const target = h("select.btn.small", { id: "target", "aria-label": t("target class") }, classes.map((one) => h("option", { value: one }, one)));
    const { positive } = this.choice.asked.roles;
    if (positive && classes.includes(positive)) target.value = positive;
    const take = (columns, changes) => async () => {
      try {
        const trail = app.trailTo(`${app.data.called} · ${t("Train and test")}`);
        const data = await api.adopt(answer.job, "scores", `scores of ${app.data.called.replace(/\.[^.]*$/, "")}.csv`);
        app.take({ ...data, made: true }, { label: "class", positive: target.value, score: columns(), fold: "split" }, { view: "curves", trail, confirmed: true });
        if (changes) app.session.set(changes);
        toast(t("The trained models are one step back."));
      } catch (error) {
        if (!(error instanceof api.Refused)) throw error;
        app.say(error.message, "bad");
      }
    };
    const likely = answer.with_probabilities ?? [];
    return [answer.multiclass ? target : h("span", { hidden: true }, target),
      likely.length ? small(t("Calibration of their probabilities"), take(() => likely.map((one) => `${one} probability`), { curves: { kind: "calibration" } }), { id: "analyse-probabilities" }) : null,
      button(t("Analyse these scores"), take(() => answer.models.map((one) => (answer.multiclass ? `${one}: ${target.value}` : one))), { kind: "small main", id: "analyse-scores" })];
  }
}

// The area of a row of the table with its limits.
function areaOf(row) {
  const ends = ["low", "high"].map((end) => Object.keys(row).find((name) => name === `AUC ${end}` || new RegExp(`% ${end}$`).test(name)));
  return [row.AUC ?? row.area, ...ends.map((name) => (name === undefined ? undefined : row[name] ?? undefined))];
}
