// One logistic regression whole, and its probabilities as a new score.

import * as api from "../../api.js";
import { pWords, share, short, withRange } from "../../digits.js";
import { checkbox, h, select } from "../../dom.js";
import { save } from "../../files.js";
import { button, inWords } from "../../parts.js";
import { rowsOf, tableOf } from "../../tables.js";
import { t } from "../../text.js";

const INTERVALS = [["auto", "as usual"], ["plain", "plain"], ["logit", "logit"], ["gaidyshev", "Gaidyshev"]];
const VARIANCES = [["", "as usual"], ["delong", "DeLong"], ["hanley_mcneil", "Hanley and McNeil"]];

export function build(view) {
  const { app } = view;
  const { label, positive, negative, id, missing, score, weight } = app.state.roles;
  const numbers = app.data.columns.filter((one) => one.kind === "number" && one.name !== label).map((one) => one.name).slice(0, 40);
  const chosen = new Set(score.length ? score : numbers.slice(0, 6));
  const against = new Set();
  const asked = { variance: "", interval: "auto" };
  const roles = () => ({ label, positive, negative, missing, weight, id, score: [...chosen] });
  const options = () => ({ level: app.state.level, ...(asked.variance ? { variance: asked.variance } : {}), ...(asked.interval === "auto" ? {} : { interval: asked.interval }), ...(against.size ? { against: [...against] } : {}) });
  const boxes = (set, name) => h("div.checks", {}, numbers.map((one, at) => checkbox(one, set.has(one), (on) => { if (on) set.add(one); else set.delete(one); }, { id: `${name}-${at}` })));
  const report = async (answer) => save(answer.name, answer.html, "text/html;charset=utf-8");
  return h("div.cols", {}, boxes(chosen, "logistic"), h("details.plain-details", {}, h("summary", {}, t("Compare with a second model")), h("p.note", {}, t("Both are fitted to the cases that lack no value of either.")), boxes(against, "against")),
    h("div.row.fields-line", {}, select(t("variance"), VARIANCES.map(([one, words]) => [one, t(words)]), "", (value) => { asked.variance = value; }, { id: "logistic-variance" }), select(t("interval"), INTERVALS.map(([one, words]) => [one, t(words)]), "auto", (value) => { asked.interval = value; }, { id: "logistic-interval" }),
      button(t("Fit"), () => view.run("logistic", options(), roles(), (answer) => show(view, answer, () => view.run("logistic_report", options(), roles(), report))), { kind: "main", id: "run-logistic" })));
}

function show(view, answer, report) {
  const { app } = view;
  const { area } = answer;
  const [fit] = rowsOf(answer.fit);
  const analyse = async () => {
    try {
      const trail = app.trailTo(app.data.called);
      const data = await api.openText(answer.scored, `probabilities of ${app.data.called.replace(/\.[^.]*$/, "")}.csv`);
      app.take({ ...data, made: true }, { label: "class", positive: app.state.roles.positive, score: ["probability"] }, { trail, confirmed: true, view: "curves" });
    } catch (error) {
      if (!(error instanceof api.Refused)) throw error;
      app.say(error.message, "bad");
    }
  };
  view.add(h("p.big-answer", {}, t("The fitted probabilities have an AUC of {area} (standard error {error}).", { area: withRange(area.value, area.low, area.high), error: short(area.error, 4) })),
    h("div.row", {}, button(t("Analyse the probabilities"), analyse, { id: "analyse-probabilities" }), button(t("Report"), report, { id: "logistic-report" })),
    answer.models ? second(answer) : null,
    h("h3", {}, t("Coefficients")), tableOf(answer.table, { name: "coefficients" }), h("p.note", {}, t("Likelihood ratio {value} on {df} degrees of freedom, {p}. AIC {aic}.", { value: short(fit["likelihood ratio"]), df: fit.df, p: pWords(fit.p), aic: short(fit.AIC, 1) })),
    h("h3", {}, t("Best cut-off of the probability")), tableOf(answer.cutoff, { name: "cut-off" }), h("h3", {}, t("Is the area above one half?")), tableOf(answer.test, { name: "test" }),
    h("details.plain-details", {}, h("summary", {}, t("Every threshold")), tableOf(answer.curve, { name: "thresholds", most: 50, spoken: (value) => (typeof value === "number" ? share(value, 1) : null) })), inWords(answer));
}

// Two models beside each other: whose area is larger, and whether the further columns belong there.
function second({ models, pairs, nested, second: coefficients }) {
  const [pair] = rowsOf(pairs);
  const [ratio] = nested.rows.length ? rowsOf(nested) : [null];
  const [low, high] = ["low", "high"].map((end) => pair[pairs.columns.find((one) => one.endsWith(` ${end}`))]);
  return [h("h3", {}, t("Both models")), h("p.big-answer", { id: "models-answer" }, ratio ? t("The likelihood ratio of the further columns is {value}, {p}.", { value: short(ratio.statistic), p: pWords(ratio.p) }) : t("The areas differ by {gap}, {p}.", { gap: withRange(pair.difference, low, high), p: pWords(pair.p) })),
    tableOf(models, { name: "models" }), tableOf(pairs, { name: "difference of models" }), nested.rows.length ? tableOf(nested, { name: "likelihood ratio" }) : null, h("h3", {}, t("Coefficients of the second model")), tableOf(coefficients, { name: "coefficients of the second model" })];
}
