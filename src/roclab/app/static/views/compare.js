// Compare: do the scores differ, and how sure is that? Areas, differences, and areas of groups.

import { forestTable } from "../charts/forest.js";
import { pWords, short, withRange } from "../digits.js";
import { checkbox, fill, h, number, select } from "../dom.js";
import { choice, folded, lead, panel } from "../parts.js";
import { rowsOf, tableOf } from "../tables.js";
import { t } from "../text.js";
import { estimatorWords } from "../words_of_values.js";
import { trailOf } from "./data.js";

const HYPOTHESES = [["", "Do they differ?"], ["non-inferiority", "Is one not worse?"], ["equivalence", "Are they equivalent?"]];
const MARGIN = 0.05;

export class CompareView {
  constructor(host, app) {
    this.app = app;
    this.build(host);
    this.areas();
    this.pairs();
    this.groups();
  }

  get several() { return this.app.state.roles.score.length > 1; }

  build(host) {
    const { app } = this;
    const { desk, state } = app;
    this.areaHost = h("div", { id: "areas" });
    this.pairHost = h("div", { id: "pairs" });
    this.groupHost = h("div", { id: "groups" });
    this.lead = h("div", { id: "answer" });
    this.question = h("div", {});
    const chosen = new Set(state.areas.estimators);
    const estimators = folded(t("Other areas and methods"), chosen.size > 0, h("div.checks", {}, desk.choices.estimators.map((name) => checkbox(estimatorWords(name), chosen.has(name), (value) => {
      if (value) chosen.add(name); else chosen.delete(name);
      app.session.set({ areas: { estimators: [...chosen] } }, { quiet: true });
      app.frame.steps();
      this.areas();
    }, { id: `estimator-${name}` }))), app.form("areas", () => this.areas()));
    const columns = app.data.columns.filter((one) => one.is_class && one.name !== state.roles.label).map((one) => [one.name, one.name]);
    fill(host, trailOf(app), this.lead, this.several ? h("section.panel.tools", { "aria-label": t("Question") }, this.question) : null,
      h("div.cols.half.late.stretch", {}, panel(t("Areas"), null, this.areaHost), panel(t("Differences"), null, this.several ? this.pairHost : h("p.note", {}, t("Choose a second score to compare.")))), estimators,
      panel(t("Groups of cases"), columns.length ? select(t("by"), [["", t("no groups")], ...columns], state.roles.by ?? "", (value) => { app.session.set({ roles: { by: value || null } }, { quiet: true }); app.frame.steps(); this.groups(); }, { id: "by" }) : null, columns.length ? null : h("p.note", {}, t("No column has few enough values to make groups.")), this.groupHost));
    this.ask();
    this.sentence(null);
  }

  // Which score is to be shown not worse than the others, or equivalent to them.
  get subject() {
    const { score } = this.app.state.roles;
    const { subject } = this.app.chosen("compare");
    return score.includes(subject) ? subject : score[0];
  }

  // The question about pairs: hypothesis, whose, margin, adjustment, level.
  ask() {
    const { app } = this;
    const now = app.chosen("compare");
    const hypothesis = now.margin === undefined ? "" : now.claim ?? "non-inferiority";
    const set = (changes) => {
      const next = { ...app.chosen("compare"), ...changes };
      app.session.set({ options: { compare: Object.fromEntries(Object.entries(next).filter(([, one]) => one !== null && one !== undefined)) } }, { quiet: true });
      app.frame.steps();
      this.ask();
      this.pairs();
    };
    fill(this.question, h("div.row.apart", {}, choice(t("Hypothesis"), HYPOTHESES.map(([key, words]) => [key, t(words)]), hypothesis, (value) => set(value === "" ? { margin: null, claim: null } : { margin: now.margin ?? MARGIN, claim: value }), { id: "hypothesis" }),
      h("div.row.fields-line", {}, hypothesis ? select(t("this one"), app.state.roles.score.map((one) => [one, one]), this.subject, (value) => set({ subject: value }), { id: "compare-subject" }) : null,
        hypothesis ? number(t("margin"), now.margin, (value) => set({ margin: value }), { id: "compare-margin", min: 1e-6, max: 1 }) : null,
        select(t("Confidence"), [[0.9, "90 %"], [0.95, "95 %"], [0.99, "99 %"]], app.state.level, (value) => app.session.set({ level: Number(value) }), { id: "level" }))),
    folded_(app.form("compare", () => this.pairs(), ["margin", "claim"])));
  }

  sentence(answer) {
    const { app } = this;
    if (answer === null) {
      fill(this.lead, lead(app.answerInWords(), app.sampleInWords()));
      return;
    }
    const { level } = app.state;
    const [first, ...rest] = rowsOf(answer.pairs).map(pairOf).sort((a, b) => Math.abs(b.gap) - Math.abs(a.gap));
    const claims = rowsOf(answer.claims);
    if (claims.length) {
      const said = claims.map(claimWords);
      fill(this.lead, lead(said[0], [...said.slice(1, 5), app.sampleInWords()].join(" ")));
      return;
    }
    const better = first.gap >= 0 ? [first.first, first.second] : [first.second, first.first];
    const gap = first.gap >= 0 ? withRange(first.gap, first.low, first.high) : withRange(-first.gap, -first.high, -first.low);
    const title = first.p < 1 - level ? t("{first} is better than {second} by {gap}", { first: better[0], second: better[1], gap }) : t("{first} and {second} are not told apart", { first: better[0], second: better[1] });
    const others = rest.slice(0, 4).map((one) => (one.p < 1 - level ? t("{first} and {second} differ ({p}).", { first: one.first, second: one.second, p: pWords(one.p) }) : t("{first} and {second} are not told apart ({p}).", { first: one.first, second: one.second, p: pWords(one.p) })));
    fill(this.lead, lead(title, `${t("{p} for this pair, adjusted for all.", { p: pWords(first.p) })} ${others.join(" ")}`));
  }

  areas() {
    const { app } = this;
    const { estimators } = app.state.areas;
    app.work(this.areaHost, "areas", { null: 0.5, ...app.chosen("areas"), estimators, level: app.state.level }, (answer) => {
      const rows = rowsOf(answer.table).filter((one) => typeof one.area === "number");
      const limits = Object.keys(rows[0] ?? {}).filter((name) => /% (low|high)$/.test(name));
      const items = rows.map((one) => ({ name: [one.score ?? app.state.roles.score[0], estimators.length > 1 ? estimatorWords(one.method) : null].filter(Boolean).join(", "), score: one.score ?? app.state.roles.score[0], value: one.area, low: one[limits[0]], high: one[limits[1]] }));
      this.areaHost.append(forestTable(app, items, { most: 1, title: t("Areas with intervals"), head: t("Score"), value: "AUC" }), folded_(tableOf(answer.table, { name: "areas" })));
    });
  }

  pairs() {
    const { app } = this;
    if (!this.several) return;
    const options = { ...app.chosen("compare") };
    delete options.subject;
    const { roles } = app.state;
    const score = options.margin === undefined ? roles.score : [this.subject, ...roles.score.filter((one) => one !== this.subject)];
    app.work(this.pairHost, "compare", { ...options, level: app.state.level }, (answer) => {
      this.sentence(answer);
      const pairs = rowsOf(answer.pairs).map(pairOf);
      if (pairs.length <= 40) this.pairHost.append(forestTable(app, pairs.map((one) => ({ name: one.first, under: `− ${one.second}`, value: one.gap, low: one.low, high: one.high, p: one.p })), { at: 0, title: t("Differences of areas with intervals"), head: t("Pair"), value: t("difference") }));
      if (answer.equality) this.pairHost.append(h("p.note", {}, t("Are all areas equal?"), ` ${pWords(rowsOf(answer.equality)[0].p)}`));
      if (answer.claims.rows.length) this.pairHost.append(h("h3", {}, t("Within the margin?")), tableOf(answer.claims, { name: "margin" }));
      this.pairHost.append(folded_(tableOf(answer.pairs, { name: "differences" })));
    }, { roles: { ...roles, score } });
  }

  groups() {
    const { app } = this;
    const { by } = app.state.roles;
    if (!by) { fill(this.groupHost); return; }
    app.work(this.groupHost, "groups", { by, level: app.state.level }, (answer) => {
      if (answer.forest.length <= 60) this.groupHost.append(forestTable(app, answer.forest, { title: t("Areas of groups with intervals"), head: t("Group"), value: "AUC" }));
      this.groupHost.append(h("h3", {}, t("Do groups differ?")), tableOf(answer.tests, { name: "heterogeneity" }), folded_(...answer.tables.map((one) => tableOf(one, { caption: one.title, name: `groups ${one.title}` }))));
    });
  }
}

const folded_ = (...content) => h("details.plain-details", {}, h("summary", {}, t("All numbers and options")), content);

function claimWords({ claim, first, second, margin, shown, "one-sided p": p }) {
  const values = { first, second, margin: short(margin), p: pWords(p) };
  if (claim === "equivalence") return shown ? t("{first} and {second} are equivalent within {margin} ({p}).", values) : t("It is not shown that {first} and {second} are equivalent within {margin} ({p}).", values);
  return shown ? t("{first} is worse than {second} by less than {margin} ({p}).", values) : t("It is not shown that {first} is worse than {second} by less than {margin} ({p}).", values);
}

function pairOf(row) {
  const low = Object.keys(row).find((name) => / low$/.test(name));
  const high = Object.keys(row).find((name) => / high$/.test(name));
  return { first: row.first, second: row.second, gap: row.difference, low: row[low], high: row[high], p: row["adjusted p"] ?? row.p };
}
