// Train and test, step by step: features, models and sampling, the table, the matrix, and the scores as new data.

import * as api from "../api.js";
import { checkbox, fill, h, number, select } from "../dom.js";
import { tableOf } from "../tables.js";
import { t } from "../text.js";

const SETTINGS = [["modern", "tuned"], ["published", "as published"]];

export class TrainView {
  constructor(host, app) {
    this.app = app;
    this.host = host;
    this.build();
  }

  get choice() { return this.app.state.train; }
  set(changes) { this.app.session.set({ train: changes }); }

  build() {
    const { app } = this;
    if (app.data === null) {
      fill(this.host, h("p.hint", {}, t("Open a table of features first.")), h("button", { type: "button", onclick: () => app.open("data") }, t("Data")));
      return;
    }
    this.result = h("div", { id: "bench" });
    fill(this.host, h("h2", {}, t("Train and test")), this.stepLabel(), this.stepFeatures(), this.stepModels(), this.stepSampling(),
      h("p", {}, h("button.main", { type: "button", id: "train", onclick: () => this.run() }, t("Train and test"))), this.result);
    if (app.trained) this.show(app.trained);
  }

  stepLabel() {
    const { app } = this;
    const classes = app.data.columns.filter((one) => one.is_class);
    const { label, positive } = app.state.roles;
    const column = app.data.columns.find((one) => one.name === label);
    const quiet = (changes) => { app.session.set({ roles: changes }); };
    return h("fieldset", {}, h("legend", {}, `1. ${t("What is to be predicted?")}`),
      select(t("label"), [["", "–"], ...classes.map((one) => [one.name, one.name])], label ?? "", (value) => quiet({ label: value || null, positive: null, negative: null, score: app.state.roles.score.filter((one) => one !== value) }), { id: "train-label" }),
      column && column.values.length === 2 ? select(t("positive class"), [["", "–"], ...column.values.map(([value]) => [value, value])], positive ?? "", (value) => quiet({ positive: value || null }), { id: "train-positive" }) : null);
  }

  stepFeatures() {
    const { app } = this;
    const { roles } = app.state;
    const free = app.data.columns.filter((one) => one.name !== roles.label && ![roles.id, roles.weight, roles.fold].includes(one.name));
    const chosen = new Set(this.choice.features ?? free.filter((one) => !one.is_key || one.kind === "number").map((one) => one.name));
    return h("fieldset", {}, h("legend", {}, `2. ${t("Which columns are features?")}`), h("div.checks", {}, free.map((one, at) => checkbox(one.name, chosen.has(one.name), (value) => {
      if (value) chosen.add(one.name); else chosen.delete(one.name);
      this.set({ features: [...chosen] });
    }, { id: `feature-${at}` }))));
  }

  stepModels() {
    const chosen = new Set(this.choice.models);
    return h("fieldset", {}, h("legend", {}, `3. ${t("Which models?")}`), h("div.checks", {}, this.app.desk.choices.bench_classifiers.map((name) => checkbox(name.replaceAll("_", " "), chosen.has(name), (value) => {
      if (value) chosen.add(name); else chosen.delete(name);
      this.set({ models: [...chosen] });
    }, { id: `model-${name}` }))), select(t("settings"), SETTINGS.map(([one, text]) => [one, t(text)]), this.choice.settings, (value) => this.set({ settings: value }), { id: "settings" }));
  }

  stepSampling() {
    const { choices } = this.app.desk;
    const same = (names) => names.map((one) => [one, t(one.replaceAll("_", " "))]);
    const { sampling, folds, repeats, balance, seed, share } = this.choice;
    return h("fieldset", {}, h("legend", {}, `4. ${t("How are cases split?")}`), h("div.inline", {},
      select(t("sampling"), same(choices.bench_samplings.filter((one) => one !== "test")), sampling, (value) => this.set({ sampling: value }), { id: "sampling" }),
      number(t("folds"), folds, (value) => this.set({ folds: value }), { id: "bench-folds", min: 2, step: 1 }),
      number(t("repeats"), repeats, (value) => this.set({ repeats: value }), { id: "repeats", min: 1, step: 1 }),
      number(t("tested share"), share, (value) => this.set({ share: value }), { id: "share", min: 0.05, max: 0.95, step: 0.05 }),
      select(t("balance"), same(choices.bench_balances), balance, (value) => this.set({ balance: value }), { id: "balance" }),
      number(t("seed"), seed, (value) => this.set({ seed: value ?? 0 }), { id: "seed", min: 0, step: 1 })));
  }

  run() {
    const { app } = this;
    const { features, models, sampling, folds, repeats, balance, settings, seed, share } = this.choice;
    const { label, positive, negative, id, missing } = app.state.roles;
    const all = [...this.host.querySelectorAll("[id^=feature-]")].map((one) => [one.checked, one.nextSibling.textContent]);
    const options = {
      features: features ?? all.filter(([on]) => on).map(([, name]) => name), models, sampling, balance, settings, rng: seed,
      ...(sampling === "k_fold" ? { folds } : {}), ...(repeats ? { repeats } : {}), ...(sampling === "splits" ? { test_share: share } : {}),
    };
    app.work(this.result, "bench", options, (answer) => { app.trained = answer; this.show(answer); }, { label, positive, negative, id, missing, direction: {} });
  }

  show(answer) {
    const { app } = this;
    this.matrixHost = h("div", { id: "bench-matrix" });
    const pick = select(t("Matrix of"), answer.models.map((one) => [one, one]), answer.best, (value) => this.matrix(answer, value), { id: "matrix-model" });
    fill(this.result, h("h3", {}, `5. ${t("Test and score")}`), answer.words.map((one) => h("p.quiet", {}, one)), tableOf(answer.table, { name: "test and score" }),
      answer.failures.length ? h("p.error", {}, answer.failures.map((one) => JSON.stringify(one)).join(" ")) : null,
      answer.comparison ? [h("h3", {}, t("Do they differ?")), tableOf(answer.comparison, { name: "comparison" })] : null,
      answer.hull ? [h("h3", {}, t("Who is best where")), tableOf(answer.hull, { name: "hull" })] : null,
      h("h3", {}, `6. ${t("Confusion matrix")}`), pick, this.matrixHost,
      h("h3", {}, `7. ${t("ROC analysis")}`), h("p", {}, t("The scores of all test cases become the data of every other view.")),
      this.analyse(answer));
    this.matrix(answer, answer.best);
    app.showCode(answer.code);
  }

  analyse(answer) {
    const { app } = this;
    const target = h("select", { id: "target", "aria-label": t("target class") }, (answer.matrices[answer.best]?.classes ?? []).map((one) => h("option", { value: one }, one)));
    const { positive } = app.state.roles;
    if (positive) target.value = positive;
    return h("p.inline", {}, h("span", {}, `${t("target class")} `), target, h("button.main", {
      type: "button", id: "analyse-scores", onclick: async () => {
        try {
          const data = await api.adopt(answer.job, "scores", `scores of ${app.data.called.replace(/\.[^.]*$/, "")}.csv`);
          const score = answer.models.map((one) => (answer.multiclass ? `${one}: ${target.value}` : one));
          app.trained = null;
          app.take(data, { label: "class", positive: target.value, score }, "curves");
        } catch (error) {
          app.say(error.message, "error");
        }
      },
    }, t("Analyse these scores")));
  }

  matrix(answer, model) {
    const found = answer.matrices[model];
    if (!found) { fill(this.matrixHost); return; }
    const rows = h("div", { id: "bench-rows" });
    fill(this.matrixHost, h("div.scroll", {}, h("table.matrix", {}, h("caption", {}, t("Rows: actual class; columns: called class.")),
      h("thead", {}, h("tr", {}, h("td"), found.classes.map((one) => h("th", { scope: "col" }, one)))),
      h("tbody", {}, found.counts.map((line, row) => h("tr", {}, h("th", { scope: "row" }, found.classes[row]), line.map((count, column) => h("td", { class: row === column ? "right" : null }, h("button.cell", {
        type: "button", onclick: () => {
          const cell = found.cells[`${found.classes[row]}\u001f${found.classes[column]}`];
          const caption = `${found.classes[row]} → ${found.classes[column]}: ${cell.count}`;
          fill(rows, h("h4", {}, caption), tableOf(cell.table, { caption, name: `cell ${caption}` }));
        },
      }, String(count))))))))), rows);
  }
}
