// Rates: two tests or more at thresholds that were fixed beforehand, and the gaps of these rates between groups.

import { forestTable } from "../charts/forest.js";
import { dashOf, keyLine } from "../charts/lines.js";
import { pWords, range, share, shares, short, withRange } from "../digits.js";
import { checkbox, fill, h, number, select } from "../dom.js";
import { choice, lead, panel } from "../parts.js";
import { tableOf } from "../tables.js";
import { inLanguage, t } from "../text.js";
import { gapWords, metricWords } from "../words_of_names.js";
import { trailOf } from "./data.js";

const HYPOTHESES = [["", "Do they differ?"], ["non-inferiority", "Is one not worse?"], ["equivalence", "Are they equivalent?"]];
const METRICS = ["sensitivity", "specificity", "ppv", "npv", "accuracy", "lr_plus", "lr_minus", "net_benefit"];
const USUAL = ["sensitivity", "specificity", "ppv", "npv"];
const INTERVALS = ["tango", "newcombe", "bonett_price", "agresti_min", "wald"];
const TESTS = [["score", "McNemar"], ["midp", "McNemar, mid-p"], ["exact", "McNemar, exact"], ["corrected", "McNemar, corrected"]];
const OF_SUBJECTS = [["score", "Score test"], ["eliasziw_donner", "Eliasziw, Donner"], ["obuchowski", "Obuchowski"], ["durkalski", "Durkalski"], ["yang", "Yang"]];
const MARGIN = 0.05;

export class RatesView {
  constructor(host, app) {
    this.app = app;
    this.build(host);
    this.ask();
  }

  get now() { return this.app.chosen("rates"); }
  get fixed() { return Object.fromEntries(Object.entries(this.now.fixed ?? {}).filter(([name]) => this.app.state.roles.score.includes(name))); }
  get predicted() { return (this.now.predicted ?? []).filter((name) => this.app.data.columns.some((one) => one.name === name)); }

  set(changes) {
    const { app } = this;
    const next = { ...this.now, ...changes };
    app.session.set({ options: { rates: Object.fromEntries(Object.entries(next).filter(([, one]) => one !== null && one !== undefined)) } }, { quiet: true });
    app.frame.steps();
    this.ask();
  }

  build(host) {
    const { app } = this;
    const { roles } = app.state;
    this.lead = h("div", { id: "answer" });
    this.rateHost = h("div", { id: "rates" });
    this.pairHost = h("div", { id: "rate-pairs" });
    this.groupHost = h("div", { id: "gaps" });
    this.question = h("div", {});
    const calls = app.data.columns.filter((one) => one.is_class && one.distinct === 2 && one.name !== roles.label && !roles.score.includes(one.name));
    const groups = app.data.columns.filter((one) => one.is_class && one.name !== roles.label).map((one) => [one.name, one.name]);
    const threshold = (name) => {
      const column = app.data.columns.find((one) => one.name === name);
      return number(t("{name}, positive from", { name }), this.fixed[name], (value) => {
        const next = { ...this.fixed };
        if (value === null) delete next[name]; else next[name] = value;
        this.set({ fixed: next });
      }, { id: `threshold-${roles.score.indexOf(name)}`, hint: column?.low === null || column?.low === undefined ? "" : range(column.low, column.high) });
    };
    fill(host, trailOf(app), this.lead, h("section.panel.tools", { "aria-label": t("Thresholds") }, h("p.note", {}, t("Write thresholds that were fixed before these cases were seen; one that was chosen on them makes its score look better.")),
      h("div.fields", {}, roles.score.map(threshold)),
      calls.length ? h("div.cols", {}, h("h3", {}, t("Tests that say yes or no")), h("div.checks", {}, calls.map((one, at) => checkbox(one.name, this.predicted.includes(one.name), (on) => this.set({ predicted: on ? [...this.predicted, one.name] : this.predicted.filter((name) => name !== one.name) }), { id: `test-${at}` })))) : null, this.question),
    h("div.cols.half.late.stretch", {}, panel(t("Rates"), null, this.rateHost), panel(t("Differences"), null, this.pairHost)),
    panel(t("Groups of cases"), groups.length ? select(t("by"), [["", t("no groups")], ...groups], roles.by ?? "", (value) => { app.session.set({ roles: { by: value || null } }, { quiet: true }); app.frame.steps(); this.gaps(); }, { id: "by" }) : null,
      groups.length ? null : h("p.note", {}, t("No column has few enough values to make groups.")), this.groupHost));
  }

  // Hypothesis, margin, which rates, and whose limits.
  form() {
    const { now, app } = this;
    const metrics = now.metrics ?? USUAL;
    const hypothesis = now.margin === undefined ? "" : now.claim ?? "non-inferiority";
    const pick = (metric, on) => {
      const next = METRICS.filter((one) => (one === metric ? on : metrics.includes(one)));
      if (next.length) this.set({ metrics: next, probability: next.includes("net_benefit") ? now.probability ?? 0.2 : null });
    };
    const open = METRICS.some((one) => metrics.includes(one) !== USUAL.includes(one)) || now.interval !== undefined || now.test !== undefined;
    fill(this.question, h("div.row.apart", {}, choice(t("Hypothesis"), HYPOTHESES.map(([key, words]) => [key, t(words)]), hypothesis, (value) => this.set(value === "" ? { margin: null, claim: null } : { margin: now.margin ?? MARGIN, claim: value }), { id: "rate-hypothesis" }),
      h("div.row.fields-line", {}, hypothesis ? number(t("margin"), now.margin, (value) => this.set({ margin: value }), { id: "rate-margin", min: 1e-6, max: 1 }) : null,
        select(t("Confidence"), [[0.9, "90 %"], [0.95, "95 %"], [0.99, "99 %"]], app.state.level, (value) => app.session.set({ level: Number(value) }), { id: "level" }))),
    h("details.plain-details", { open, id: "rate-options" }, h("summary", {}, t("More options")), h("div.checks", {}, METRICS.map((one) => checkbox(metricWords(one), metrics.includes(one), (on) => pick(one, on), { id: `metric-${one}` }))),
      h("div.fields", {}, metrics.includes("net_benefit") ? number(t("threshold probability"), now.probability ?? 0.2, (value) => this.set({ probability: value }), { id: "rate-probability", min: 1e-6, max: 1, share: true }) : null,
        select(t("Limits of differences"), INTERVALS.map((one) => [one, ({ tango: "Tango", newcombe: "Newcombe", bonett_price: "Bonett, Price", agresti_min: "Agresti, Min", wald: "Wald" })[one]]), now.interval ?? "tango", (value) => this.set({ interval: value === "tango" ? null : value }), { id: "rate-interval" }),
        select(t("Test"), (app.state.roles.id ? OF_SUBJECTS : TESTS).map(([key, words]) => [key, t(words)]), now.test ?? "score", (value) => this.set({ test: value === "score" ? null : value }), { id: "rate-test" })), app.form("rates", () => this.ask())));
  }

  ask() {
    const { app } = this;
    this.form();
    const { fixed, predicted } = this;
    this.tests = [...Object.keys(fixed), ...predicted];
    if (this.tests.length === 0) {
      fill(this.lead, lead(t("What do tests call at thresholds fixed beforehand?"), app.sampleInWords()));
      fill(this.rateHost, h("p.note", {}, t("Write a threshold above.")));
      fill(this.pairHost, h("p.note", {}, t("Two thresholds or tests are compared.")));
      fill(this.groupHost);
      return;
    }
    app.work(this.rateHost, "rates", { ...this.now, fixed, predicted, level: app.state.level }, (answer) => this.show(answer));
    this.gaps();
  }

  show(answer) {
    const { app } = this;
    const level = `${100 * app.state.level} %`;
    const of = (test, metric) => answer.rates.find((one) => one.test === test && one.metric === metric);
    const cell = (one) => (one ? [h("b", {}, isShare(one.metric) ? share(one.value) : short(one.value, 3)), h("span.ci", {}, one.low === null ? "" : isShare(one.metric) ? ` (${shares(one.low, one.high)})` : ` (${range(one.low, one.high, 3)})`)] : "–");
    this.rateHost.append(h("table.stack", { id: "rate-table" }, h("thead", {}, h("tr", {}, [t("Rate"), ...answer.names].map((one, at) => h("th", { scope: "col", class: at ? "num" : null }, one)))),
      h("tbody", {}, answer.metrics.map((metric) => h("tr", {}, h("th", { scope: "row" }, metricWords(metric)), answer.names.map((name) => h("td.num.full", { dataset: { name, exact: of(name, metric)?.value } }, cell(of(name, metric)))))))),
    h("p.note", {}, t("In brackets: {level} intervals.", { level })));
    this.differences(answer);
    this.sentence(answer);
  }

  differences(answer) {
    const { app } = this;
    fill(this.pairHost);
    if (answer.pairs.length === 0) {
      this.pairHost.append(h("p.note", {}, t("Two thresholds or tests are compared.")));
      return;
    }
    const several = answer.names.length > 2;
    const items = (scale) => answer.pairs.filter((one) => one.scale === scale).map((one) => ({ name: metricWords(one.metric), under: `${one.first} ${scale === "ratio" ? "÷" : "−"} ${one.second}`, value: one.value, low: one.low, high: one.high, p: several ? one.adjusted : one.p }));
    const p = several ? t("adjusted p") : "p";
    if (items("difference").length) this.pairHost.append(forestTable(app, items("difference"), { at: 0, title: t("Differences of rates with intervals"), head: t("Rate"), value: t("difference"), p }));
    if (items("ratio").length) this.pairHost.append(forestTable(app, items("ratio"), { at: 1, title: t("Ratios with intervals"), head: t("Rate"), value: t("ratio"), p }));
    if (answer.claims.length) this.pairHost.append(h("h3", {}, t("Within the margin?")), tableOf(answer.claim_table, { name: "margin" }));
    this.pairHost.append(h("details.plain-details", {}, h("summary", {}, t("All numbers")), tableOf(answer.table, { name: "differences of rates" }), answer.equality?.rows.length ? tableOf(answer.equality, { name: "equality" }) : null, h("p.note", {}, answer.methods)));
  }

  // What was asked, answered: the claim, else the first rate in which the two are furthest apart.
  sentence(answer) {
    const { level } = this.app.state;
    if (answer.pairs.length === 0) {
      const [one] = answer.rates;
      fill(this.lead, lead(t("{name}: {metric} {value}", { name: answer.names[0], metric: metricWords(one.metric), value: withRange(one.value, one.low, one.high) }), this.app.sampleInWords()));
      return;
    }
    if (answer.claims.length) {
      const [one] = answer.claims;
      const words = one.claim === "equivalence" ? (one.shown ? "{first} and {second} are equivalent in {metric} within {margin}" : "It is not shown that {first} and {second} are equivalent in {metric} within {margin}")
        : (one.shown ? "{first} is not worse than {second} in {metric} by {margin} or more" : "It is not shown that {first} is not worse than {second} in {metric} by {margin}");
      fill(this.lead, lead(t(words, { first: one.first, second: one.second, metric: metricWords(one.metric), margin: short(one.margin) }), t("The difference is {gap}, {p}.", { gap: withRange(one.value, one.low, one.high), p: pWords(one.p) })));
      return;
    }
    const [first, second] = [answer.pairs[0].first, answer.pairs[0].second];
    const said = answer.pairs.filter((one) => one.first === first && one.second === second && one.scale === "difference").slice(0, 2).map((one) => {
      const higher = one.value >= 0 ? [one.first, one.second] : [one.second, one.first];
      const gap = one.value >= 0 ? withRange(one.value, one.low, one.high) : withRange(-one.value, -one.high, -one.low);
      const p = answer.names.length > 2 ? one.adjusted : one.p;
      return p < 1 - level ? t("{metric} of {first} is higher than that of {second} by {gap}, {p}", { metric: metricWords(one.metric), first: higher[0], second: higher[1], gap, p: pWords(p) }) : t("{metric} of {first} and {second} is not told apart, {p}", { metric: metricWords(one.metric), first, second, p: pWords(p) });
    });
    fill(this.lead, lead(sentenceOf(said[0] ?? t("Ratios with intervals")), [said[1] && sentenceOf(said[1]), this.app.sampleInWords()].filter(Boolean).join(". ")));
  }

  gaps() {
    const { app } = this;
    const { by } = app.state.roles;
    if (!by || this.tests.length === 0) { fill(this.groupHost); return; }
    app.work(this.groupHost, "gaps", { fixed: this.fixed, predicted: this.predicted, by, level: app.state.level }, (answer) => {
      for (const found of answer.found) this.groupHost.append(this.gapsOf(found, by));
      this.groupHost.append(h("p.note", {}, t("Limits of a gap hold for the largest of all pairs of groups and begin at 0 where these may have one rate.")));
    });
  }

  gapsOf(found, by) {
    const { app } = this;
    const items = found.gaps.map((one) => ({ name: gapWords(one.name)[0], under: `${gapWords(one.name)[1]}: ${one.highest} − ${one.lowest}`, value: one.value, low: one.low, high: one.high, p: one.p }));
    const metrics = [...new Set(found.rates.map((one) => one.metric))];
    const of = (group, metric) => found.rates.find((one) => one.group === group && one.metric === metric);
    const at = app.store?.scores.findIndex((one) => one.name === found.test) ?? -1;
    return h("div.cols", {}, h("h3", {}, at >= 0 ? [keyLine(at % 10, dashOf(at)), " "] : null, found.test), h("div.cols.half.late.stretch", {},
      h("div.scroll", { tabindex: 0, role: "region", "aria-label": `${t("Groups of cases")}, ${found.test}` }, h("table.stack", {}, h("thead", {}, h("tr", {}, [by, ...metrics.map(metricWords)].map((one, place) => h("th", { scope: "col", class: place ? "num" : null }, one)))),
        h("tbody", {}, found.groups.map((group) => h("tr", {}, h("th", { scope: "row" }, group), metrics.map((metric) => { const one = of(group, metric); return h("td.num.full", { dataset: { name: metricWords(metric), exact: one?.value } }, one ? [h("b", {}, share(one.value)), one.low === null ? null : h("span.ci", {}, ` (${shares(one.low, one.high)})`)] : "–"); })))))),
      forestTable(app, items, { at: 0, least: -0.02, title: t("Gaps between groups with intervals"), head: t("Gap"), value: t("difference"), p: "p", wraps: true })),
    h("details.plain-details", {}, h("summary", {}, t("All numbers")), tableOf(found.table, { name: `gaps ${found.test}` }), found.notes.length ? h("ul.notes", {}, found.notes.map((one) => h("li", {}, inLanguage(one)))) : null));
  }
}

const sentenceOf = (text) => text.charAt(0).toLocaleUpperCase() + text.slice(1);
const isShare = (metric) => !["lr_plus", "lr_minus", "net_benefit"].includes(metric);
