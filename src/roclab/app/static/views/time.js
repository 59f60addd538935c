// Over time: who has the event by when? One horizon moves areas, curves, the square at a cut-off and net benefit together.

import * as api from "../api.js";
import { dashOf, keyLine, lineChart } from "../charts/lines.js";
import { counted, measured, pWords, share, shares, short, withRange } from "../digits.js";
import { checkbox, fill, h, number, select } from "../dom.js";
import { lead, panel } from "../parts.js";
import { tableOf } from "../tables.js";
import { inLanguage, t } from "../text.js";
import { metricWords } from "../words_of_names.js";
import { trailOf } from "./data.js";

const MEANINGS = [["cause", "the event asked about"], ["competing", "another event"], ["censored", "lost"]];
const LOST = ["0", "false", "no", "none", "censored", "cens", "lost", "alive", "living"];
const STEPS = 200; // of the slider
const SETTLE = 80; // milliseconds
const CELLS = [["tp", "right", "found"], ["fp", "wrong", "false alarms"], ["fn", "wrong", "missed"], ["tn", "right", "rightly cleared"]];

export class TimeView {
  constructor(host, app) {
    this.host = host;
    this.app = app;
    this.found = null; // over time
    this.now = null; // at the horizon
    this.build();
    if (this.ready) this.ask();
  }

  get roles() { return this.app.state.roles; }
  get chosen() { return this.app.chosen("time"); }
  get ready() { return this.roles.time !== null && this.roles.event !== null && this.roles.score.length > 0 && Boolean(this.codes.cause); }
  get at() { return this.chosen.at ?? this.found?.usual ?? null; }
  column(name) { return this.app.data.columns.find((one) => one.name === name); }
  inkOf(name) { const place = Math.max(0, this.roles.score.indexOf(name)); return { colour: place % 10, dash: dashOf(place) }; }

  // What the codes of the event mean: as it was said, else 1 and 0 and words that say so.
  get codes() {
    const { cause, competing, censored } = this.chosen;
    const values = (this.column(this.roles.event)?.values ?? []).map(([value]) => value);
    const known = { cause: values.includes(cause) ? cause : null, competing: (competing ?? []).filter((one) => values.includes(one)), censored: (censored ?? []).filter((one) => values.includes(one)) };
    if (known.cause || known.competing.length || known.censored.length) return known;
    const lost = values.filter((one) => LOST.includes(one.toLowerCase()));
    const others = values.filter((one) => !lost.includes(one));
    return { cause: others.length === 1 ? others[0] : null, competing: [], censored: lost };
  }

  set(changes, step = null) {
    const next = { ...this.chosen, ...changes };
    this.app.session.set({ options: { time: Object.fromEntries(Object.entries(next).filter(([, one]) => one !== null && one !== undefined)) } }, { quiet: true, step });
    this.app.frame.steps();
  }

  // Of every question: codes, controls, and what losses depend on.
  get options() {
    const { controls, depends } = this.chosen;
    return { ...this.codes, ...(controls ? { controls } : {}), ...(depends === "scores" ? { cox: this.roles.score } : depends ? { strata: [depends] } : {}), level: this.app.state.level };
  }

  // -- the columns and what their codes mean --------------------------------------------------------------------

  build() {
    const { app } = this;
    this.lead = h("div", { id: "answer" });
    this.busy = h("div", { id: "time-busy" });
    this.body = h("div.cols", { id: "time-body", hidden: true });
    fill(this.host, trailOf(app), this.lead, this.asking(), this.busy, this.body);
    if (!this.ready) fill(this.lead, lead(t("Who has the event by when?"), t("Say how long each case was followed, and what ended that.")));
  }

  asking() {
    const { app, roles } = this;
    const numbers = app.data.columns.filter((one) => one.kind === "number").map((one) => [one.name, one.name]);
    const classes = app.data.columns.filter((one) => one.is_class).map((one) => [one.name, one.name]);
    const part = (name) => (value) => {
      const chosen = value || null;
      const next = { [name]: chosen, score: roles.score.filter((one) => one !== chosen), confirmed: true };
      for (const other of ["label", "by", "id", "fold", "weight", "time", "event"]) if (other !== name && chosen !== null && roles[other] === chosen) next[other] = null;
      delete next.confirmed;
      app.session.set({ confirmed: true, roles: next, options: { time: {} } });
    };
    const values = this.column(roles.event)?.values ?? [];
    const meanings = values.map(([value, count], at) => select(`${value} (${counted(count)})`, [["", "–"], ...MEANINGS.map(([key, words]) => [key, t(words)])], this.meaningOf(value), (key) => this.mean(value, key), { id: `code-${at}` }));
    const free = app.data.columns.filter((one) => one.kind === "number" && ![roles.time, roles.event, roles.weight].includes(one.name));
    const scores = h("div.checks", { role: "group", "aria-label": t("Scores") }, free.map((one, at) => checkbox(one.name, roles.score.includes(one.name), (on) => app.session.set({ confirmed: true, roles: { score: on ? [...roles.score, one.name] : roles.score.filter((name) => name !== one.name) } }), { id: `time-score-${at}` })));
    const groups = app.data.columns.filter((one) => one.is_class && ![roles.event, roles.label].includes(one.name)).map((one) => [one.name, t("Kaplan and Meier in every {name}", { name: one.name })]);
    return h("details.panel", { id: "time-columns", open: !this.ready }, h("summary", {}, t("Columns and codes")), h("div.cols", {}, h("div.fields", {},
      select(t("How long followed"), [["", "–"], ...numbers], roles.time ?? "", part("time"), { id: "time-column" }), select(t("What ended it"), [["", "–"], ...classes], roles.event ?? "", part("event"), { id: "event-column" })),
    meanings.length ? h("fieldset", { id: "codes" }, h("legend", {}, t("What do the codes of {name} mean?", { name: roles.event })), h("div.fields", {}, meanings)) : null,
    roles.time && roles.event ? h("div.cols", {}, h("b", {}, t("Scores")), scores) : null,
    this.ready ? h("div.fields", {}, this.codes.competing.length ? select(t("Compared with"), [["", t("who is not a case")], ["event-free", t("who is free of any event")]], this.chosen.controls ?? "", (value) => this.change({ controls: value || null }), { id: "controls" }) : null,
      select(t("Losses depend on"), [["", t("nothing but time")], ["scores", t("the scores (Cox's model)")], ...groups], this.chosen.depends ?? "", (value) => this.change({ depends: value || null }), { id: "censoring" }),
      select(t("Confidence"), [[0.9, "90 %"], [0.95, "95 %"], [0.99, "99 %"]], app.state.level, (value) => app.session.set({ level: Number(value) }), { id: "level" })) : null));
  }

  meaningOf(value) {
    const { cause, competing, censored } = this.codes;
    return cause === value ? "cause" : competing.includes(value) ? "competing" : censored.includes(value) ? "censored" : "";
  }

  mean(value, key) {
    const { cause, competing, censored } = this.codes;
    const without = (all) => all.filter((one) => one !== value);
    const next = { cause: cause === value ? null : cause, competing: without(competing), censored: without(censored) };
    if (key === "cause") {
      if (next.cause) next.competing.push(next.cause); // one event is asked about
      next.cause = value;
    } else if (key) next[key].push(value);
    this.change({ ...next, at: null });
  }

  change(changes) {
    this.set(changes);
    const held = document.activeElement?.id;
    this.found = null;
    this.now = null;
    const open = document.getElementById("time-columns")?.open;
    this.build();
    if (open) document.getElementById("time-columns").open = true;
    if (held) document.getElementById(held)?.focus();
    if (this.ready) this.ask();
  }

  // -- asking ----------------------------------------------------------------------------------------------------

  ask() {
    this.app.work(this.busy, "over_time", this.options, (answer) => {
      this.found = answer;
      this.body.hidden = false;
      this.frame();
      this.askHere();
    });
  }

  // The newest horizon counts; what is drawn stays until its answer is there.
  async askHere() {
    const { at } = this;
    const { score, threshold } = this.chosen;
    const options = { ...this.options, at, ...(this.roles.score.includes(score) ? { score } : {}), ...(threshold === undefined ? {} : { threshold }) };
    const mine = this.newest = {};
    try {
      const known = this.app.known("at_horizon", options);
      if (!known) await new Promise((done) => { setTimeout(done, SETTLE); }); // the slider is still moving
      if (this.newest !== mine) return;
      const answer = known ?? await this.app.answer("at_horizon", options);
      if (this.newest !== mine || !this.host.isConnected) return;
      this.now = answer;
      fill(this.wrong);
      this.app.frame.code.add(this.body, answer.code);
      this.paint();
    } catch (error) {
      if (!(error instanceof api.Refused)) throw error;
      if (this.newest === mine) fill(this.wrong, this.app.refusal(error));
    }
  }

  // -- the parts that stand while the horizon moves ------------------------------------------------------------------

  frame() {
    const { stops, longest } = this.found;
    const [low, high] = [stops[0], stops[stops.length - 1]];
    const round = (place) => (place <= 0 ? low : place >= STEPS ? high : Number((low + ((high - low) * place) / STEPS).toPrecision(3)));
    const placeOf = (at) => Math.round((STEPS * (at - low)) / (high - low || 1));
    this.wrong = h("div", { id: "time-wrong" });
    this.known = h("p.quiet", { id: "known", "aria-live": "polite" });
    this.slide = h("input", { type: "range", id: "horizon-range", min: 0, max: STEPS, step: 1, "aria-label": `${t("Horizon")}, ${t("slider")}` });
    this.slide.addEventListener("input", () => this.move(round(Number(this.slide.value)), true));
    this.field = number(t("Horizon"), this.at, (value) => { if (value !== null) this.move(value); }, { id: "horizon", min: Number.MIN_VALUE, max: longest });
    this.placeSlider = () => {
      this.slide.value = placeOf(this.at);
      this.slide.setAttribute("aria-valuetext", measured(this.at));
    };
    this.placeSlider();
    this.rocHost = h("div", { id: "time-roc" });
    this.squareHost = h("div", { id: "time-square" });
    this.benefitHost = h("div", { id: "time-benefit" });
    this.tableHost = h("div", { id: "time-table" });
    this.tools = h("div.row.fields-line", { id: "time-tools" });
    this.over = lineChart(() => this.areasFigure(), { read: (value, seen) => this.read(value, seen, t("Horizon")) });
    fill(this.body, h("section.panel", { "aria-label": t("Horizon") }, h("div.cols.slider", {}, this.field, this.slide), this.known, this.wrong),
      h("div.cols.half.stretch", {}, panel(t("ROC curves by the horizon"), null, this.rocHost), panel(t("What a cut-off does by then"), this.tools, this.squareHost)),
      h("div.cols.half.stretch", {}, panel(t("Area over time"), null, h("div", { id: "time-areas" }, this.over), this.keys(), h("p.note", {}, t("Limits hold at each horizon alone."))), panel(t("Net benefit by the horizon"), null, this.benefitHost)),
      panel(t("Who is known when"), null, h("div", { id: "time-states" }, lineChart(() => this.statesFigure()))), this.tableHost);
  }

  keys() { return this.roles.score.length > 1 ? h("p.keys-line", {}, this.roles.score.map((name) => h("span.nowrap", {}, keyLine(this.inkOf(name).colour, this.inkOf(name).dash), " ", name))) : null; }

  move(at, sliding = false) {
    this.set({ at }, "horizon");
    this.placeSlider();
    if (sliding) this.field.querySelector("input").value = measured(at);
    this.over.repaint();
    this.askHere();
  }

  read(value, seen, across) {
    return h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, `${across} ${measured(value)}`), h("th.num", {}, ""))), h("tbody", {}, seen.map(([one, point]) => h("tr", {}, h("td", {}, keyLine(one.colour, one.dash), " ", one.name), h("td.num", {}, short(point.y, 3))))));
  }

  areasFigure() {
    const { lines, stops } = this.found;
    const every = lines.flatMap((one) => [...one.low, ...one.y]).filter((one) => typeof one === "number");
    const low = Math.max(0, Math.min(0.45, ...every) - 0.02);
    const x = [stops[0], stops[stops.length - 1]];
    const ends = x[1] > x[0] ? x : [0, x[0] * 2];
    return {
      lines: lines.map((one) => ({ ...this.inkOf(one.name), name: one.name, pts: one.x.map((place, at) => ({ x: place, y: one.y[at] })) })),
      bands: lines.length <= 3 ? lines.map((one) => ({ ...this.inkOf(one.name), x: one.x, low: one.low, high: one.high })) : [],
      marks: (this.now?.areas ?? []).map((one) => ({ x: this.now.at, y: one.value, colour: this.inkOf(one.name).colour })), chance: [ends, [0.5, 0.5]],
      x: ends, y: [low, 1], titles: [t("Horizon"), t("AUC by then")], label: t("Area over time"), ratio: 0.7,
    };
  }

  statesFigure() {
    const { x, had, lost } = this.found.states;
    const line = (name, colour, y) => ({ name, colour, pts: x.map((place, at) => ({ x: place, y: y[at] })) });
    const ends = [x[0], x[x.length - 1] > x[0] ? x[x.length - 1] : x[0] * 2];
    return { lines: [line(t("had the event"), 1, had), line(t("lost"), 9, lost)], x: ends, y: [0, Math.min(1, Math.ceil(10 * Math.max(...had, ...lost) * 1.1) / 10)], titles: [t("Horizon"), t("Share of the cases")], label: t("Who is known when"), ratio: 0.35 };
  }

  // -- what the horizon moves ----------------------------------------------------------------------------------------

  paint() {
    this.sentence();
    const { known } = this.now;
    this.known.textContent = t("{cases} had the event by {at}, {controls} did not, {unknown} were lost before; by their weights {few} and {many}.", { cases: counted(known.cases), at: measured(this.now.at), controls: counted(known.controls), unknown: counted(known.unknown), few: short(known.effective_cases, 1), many: short(known.effective_controls, 1) });
    if (!this.roc) this.roc = lineChart(() => this.rocFigure(), { read: (value, seen) => this.read(value, seen, t("False positive rate")) });
    if (!this.roc.isConnected) fill(this.rocHost, this.roc);
    this.roc.repaint();
    this.over.repaint();
    this.decisions();
    this.benefit();
    fill(this.tableHost, h("details.panel", {}, h("summary", {}, t("All numbers and what they rest on")), h("div.cols", {}, tableOf(this.now.table, { name: "areas at a horizon" }), h("p.note", {}, inLanguage(this.now.methods)))),
      this.now.notes.length ? h("ul.notes", { id: "time-notes" }, this.now.notes.map((one) => h("li", {}, inLanguage(one)))) : null);
  }

  sentence() {
    const { areas, pairs, at } = this.now;
    const best = [...areas].sort((a, b) => b.value - a.value)[0];
    const said = t("{name}: AUC {area} by {at}", { name: best.name, area: withRange(best.value, best.low, best.high), at: measured(at) });
    const more = pairs.filter((one) => one.first === best.name || one.second === best.name).slice(0, 2).map((one) => {
      const other = one.first === best.name ? one.second : one.first;
      const gap = one.first === best.name ? withRange(one.value, one.low, one.high) : withRange(-one.value, -one.high, -one.low);
      return one.p < 1 - this.app.state.level ? t("Larger than that of {name} by {gap}, {p}.", { name: other, gap, p: pWords(one.p) }) : t("Not told apart from that of {name}, {p}.", { name: other, p: pWords(one.p) });
    });
    fill(this.lead, lead(said, more.length ? more.join(" ") : t("Who has the event by when?")));
    this.lead.dataset.exact = best.value;
  }

  rocFigure() {
    const { lines, square } = this.now;
    const rate = (name) => square.rates.find((one) => one.metric === name)?.value;
    return {
      lines: lines.map((one) => ({ ...this.inkOf(one.name), name: one.name, value: `AUC ${short(one.value)}`, pts: one.x.map((x, at) => ({ x, y: one.y[at] })) })),
      marks: [{ x: 1 - rate("specificity"), y: rate("sensitivity"), colour: this.inkOf(square.score).colour }], chance: [[0, 1], [0, 1]],
      titles: [t("False positive rate"), t("True positive rate")], label: t("ROC curves by the horizon"),
    };
  }

  decisions() {
    const { square } = this.now;
    const typing = this.tools.contains(document.activeElement);
    if (!typing) {
      fill(this.tools, this.roles.score.length > 1 ? select(t("Score"), this.roles.score.map((one) => [one, one]), square.score, (value) => { this.set({ score: value, threshold: null }); this.askHere(); }, { id: "time-score" }) : null,
        number(t("threshold"), this.chosen.threshold ?? null, (value) => { this.set({ threshold: value }); this.askHere(); }, { id: "time-threshold" }));
    }
    const { tp, fp, fn, tn } = square.cells;
    const of = { tp: tp + fn, fn: tp + fn, fp: fp + tn, tn: fp + tn };
    const cell = ([name, kind, words]) => h(`div.cell.${kind}`, {}, h("b", { dataset: { value: name, exact: square.cells[name] } }, short(square.cells[name], 1)), h("span", {}, t(words)), h("span", {}, of[name] > 0 ? share(square.cells[name] / of[name]) : "–"));
    const sign = square.direction === "lower" ? "≤" : "≥";
    const sum = (value) => h("span.sum", {}, short(value, 1));
    const [found, alarm, missed, cleared] = CELLS.map(cell);
    fill(this.squareHost, h("p", {}, h("b", { id: "time-cut", dataset: { exact: square.threshold } }, `${square.score} ${sign} ${measured(square.threshold)}`), " ", h("span.quiet", {}, t(square.chosen ? "Youden's, chosen on these cases" : "as it was written"))),
      h("div.square", {}, h("span"), h("span.h.top", {}, t("has the event")), h("span.h.top", {}, t("has it not")), h("span.sum", {}, t("all")), h("span.h", {}, t("called positive")), found, alarm, sum(tp + fp), h("span.h", {}, t("called negative")), missed, cleared, sum(fn + tn)),
      h("p.note", {}, t("Numbers to be expected had nobody been lost.")),
      h("table.stack", { id: "time-rates" }, h("tbody", {}, square.rates.map((one) => h("tr", {}, h("th", { scope: "row" }, metricWords(one.metric)), h("td.num.full", { dataset: { metric: one.metric, exact: one.value } }, h("b", {}, share(one.value)), one.low === null ? null : h("span.ci", {}, ` (${shares(one.low, one.high)})`)))))));
  }

  benefit() {
    const { benefit } = this.now;
    if (benefit === null) {
      fill(this.benefitHost, h("p.note", {}, t("No score lies between 0 and 1, as predicted risks do.")));
      return;
    }
    if (!this.decision) this.decision = lineChart(() => this.benefitFigure(), { read: (value, seen) => this.read(value, seen, t("threshold probability")) });
    if (!this.decision.isConnected) fill(this.benefitHost, this.decision, h("p.note", {}, t("Dotted: everybody is treated; nobody is at 0. Meaningful where scores are risks of the event by this horizon.")));
    this.decision.repaint();
  }

  benefitFigure() {
    const { benefit } = this.now;
    const most = Math.max(...benefit.all, ...benefit.lines.flatMap((one) => one.y).filter((one) => typeof one === "number"), 0.01) * 1.1;
    const useful = benefit.lines.flatMap((one) => one.y.map((y, at) => (y > 0.1 * most ? benefit.x[at] : 0)));
    const end = Math.min(1, Math.max(0.1, ...useful) * 1.25);
    return {
      lines: benefit.lines.map((one) => ({ ...this.inkOf(one.name), name: one.name, pts: benefit.x.map((x, at) => ({ x, y: one.y[at] })) })),
      bands: benefit.lines.length <= 3 ? benefit.lines.map((one) => bandOf({ ...this.inkOf(one.name), x: benefit.x, low: one.low, high: one.high }, end)) : [],
      chance: [benefit.x, benefit.all], x: [0, end], y: [-most / 4, most], titles: [t("threshold probability"), t("net benefit")], label: t("Net benefit by the horizon"),
    };
  }
}

// Where limits are there, up to the end of the figure.
function bandOf({ x, low, high, ...ink }, end) {
  const there = x.map((_, at) => at).filter((at) => x[at] <= end && typeof low[at] === "number" && typeof high[at] === "number");
  return { ...ink, x: there.map((at) => x[at]), low: there.map((at) => low[at]), high: there.map((at) => high[at]) };
}
