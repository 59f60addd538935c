// One analysis: its state, the table that is open, the first answer about it, and how views ask further.

import { Store } from "/report/store.js";
import * as api from "./api.js";
import { counted, withRange } from "./digits.js";
import { fill, h } from "./dom.js";
import { optionForm } from "./form.js";
import { Frame } from "./frame.js";
import { Keeping } from "./keeping.js";
import { refusal, small, toast } from "./parts.js";
import { remedies } from "./remedies.js";
import { EMPTY, Session } from "./session.js";
import { SessionFile } from "./session_file.js";
import { inLanguage, language, t } from "./text.js";

const SETTLE = 60; // milliseconds
const ANSWERS = 80; // that are not asked for twice
const DASHES = ["", "7 3", "2 3", "9 3 2 3"];

export class App {
  constructor(root, desk) {
    this.desk = desk;
    this.session = new Session();
    this.data = null; // what the server says about the table that is open
    this.tables = new Map(); // the same of every table that was open, by its key
    this.overview = null; // the first answer about its scores
    this.refusedOverview = null; // or why there is none
    this.store = null; // the operating point
    this.asked = null; // for which data and roles
    this.answers = new Map(); // by question
    this.typedRule = null; // a rule that is being typed, and for which label
    this.files = new SessionFile(this);
    this.keeping = new Keeping(this);
    this.frame = new Frame(root, this);
    this.session.listen((parts) => this.changed(parts));
    for (const end of ["pointerup", "keyup"]) document.addEventListener(end, () => this.session.pause());
  }

  get state() { return this.session.state; }
  get view() { return this.state.view; }
  say(text, kind = "note") { this.frame.say(text, kind); }
  open(view) { this.frame.open(view); }

  changed(parts) {
    this.frame.steps();
    if (parts.includes("all")) this.settle();
    else if (parts.some((one) => ["roles", "level", "data"].includes(one))) this.refresh();
    else if (parts.includes("view")) this.show();
    if (parts.includes("curves") && this.store) this.putPoint();
  }

  show() { this.frame.show(); }

  // -- data ------------------------------------------------------------------------------------------------

  // A table was opened: a new analysis begins, one step after the one before.
  take(data, roles = {}, { view = "data", trail = [], train = null, confirmed = false } = {}) {
    this.tables.set(data.key, data);
    this.typedRule = null;
    this.session.replace({
      data: { key: data.key, called: data.called, fingerprint: data.fingerprint, path: data.path, reading: data.reading, ...(data.made ? { made: true } : {}) }, trail, confirmed,
      roles: { ...EMPTY.roles, ...roles }, level: this.state.level, view, ...(train === null ? {} : { train }),
    });
    this.frame.address(view);
  }

  // Where the data of this analysis came from, and one step more.
  trailTo(words) {
    const { trail, ...state } = this.state;
    return [...trail, { words, state }];
  }

  goBack(at) {
    const { trail } = this.state;
    this.session.replace({ ...trail[at].state, trail: trail.slice(0, at) });
    this.frame.address(trail[at].state.view);
  }

  // The state is another one: the server is asked for the table that it is about, if the page does not know it.
  async settle() {
    const wanted = this.state.data;
    const now = {};
    this.settling = now;
    if (wanted === null) {
      this.data = null;
    } else {
      let found = this.tables.get(wanted.key);
      try {
        if (!found) found = await api.item(wanted.key);
        if (JSON.stringify(found.reading ?? {}) !== JSON.stringify(wanted.reading ?? {})) found = await api.readAnew(wanted.key, wanted.reading ?? {});
      } catch (error) {
        if (this.settling !== now) return;
        this.data = null;
        this.forgetAnswers();
        this.say(error.message, "bad");
        this.show();
        return;
      }
      if (this.settling !== now) return;
      this.tables.set(found.key, found);
      this.data = found;
    }
    await this.refresh();
  }

  // Read the same file in another way; roles of columns that are not there any more are given up.
  async readAnew(reading) {
    const data = await api.readAnew(this.data.key, { ...this.data.reading, ...reading });
    this.readDifferently(data);
  }

  readDifferently(data, more = {}) {
    const there = data.columns.map((one) => one.name);
    const kept = (name) => (there.includes(name) ? name : null);
    const { roles } = this.state;
    this.tables.set(data.key, data);
    this.data = data;
    this.forgetAnswers();
    this.say(data.notes.map(inLanguage).join(" "));
    this.session.set({
      data: { ...this.state.data, reading: data.reading },
      roles: { label: kept(roles.label), score: roles.score.filter(kept), weight: kept(roles.weight), id: kept(roles.id), fold: kept(roles.fold), by: kept(roles.by), time: kept(roles.time), event: kept(roles.event), ...(more.roles ?? {}) },
    });
  }

  forgetAnswers() {
    this.overview = null;
    this.refusedOverview = null;
    this.store = null;
    this.asked = null;
  }

  get ready() {
    const { label, score } = this.state.roles;
    return this.data !== null && label !== null && score.length > 0;
  }

  // `beside` is the key of a second table, of questions about two.
  request(question, options = {}, roles = this.state.roles, beside = null) {
    const given = Object.fromEntries(Object.entries(roles).filter(([, value]) => value !== null && value !== ""));
    if (Object.keys(given.direction ?? {}).length === 0) delete given.direction;
    return { question, key: this.data?.key ?? null, ...(beside === null ? {} : { beside }), roles: given, options };
  }

  // The answer, asked for once while data, roles and options stay the same.
  async answer(question, options = {}, { roles = this.state.roles, beside = null, ...how } = {}) {
    const request = this.request(question, options, roles, beside);
    const name = JSON.stringify([request, this.data?.reading ?? null]);
    const known = this.answers.get(name);
    if (known) return known;
    const found = await api.ask(request, how);
    this.answers.set(name, found);
    if (this.answers.size > ANSWERS) this.answers.delete(this.answers.keys().next().value);
    return found;
  }

  known(question, options = {}, roles = this.state.roles, beside = null) {
    return this.answers.get(JSON.stringify([this.request(question, options, roles, beside), this.data?.reading ?? null])) ?? null;
  }

  // Ask the first question whenever parts of the data change; the newest answer counts.
  async refresh() {
    if (!this.ready) {
      this.forgetAnswers();
      this.show();
      return;
    }
    const key = JSON.stringify([this.data.key, this.data.reading, this.state.roles, this.state.level]);
    if (this.asked === key && this.overview) {
      this.putPoint();
      this.show();
      return;
    }
    this.asked = key;
    const options = { level: this.state.level };
    let found = this.known("overview", options);
    if (!found) {
      this.say(t("Counting …"), "busy");
      this.show();
      await new Promise((done) => { setTimeout(done, SETTLE); }); // several columns are often chosen one after the other
      if (this.asked !== key) return;
      try {
        found = await this.answer("overview", options, {
          onProgress: ({ done, total }) => this.say(total ? `${t("Counting …")} ${done}/${total}` : t("Counting …"), "busy"),
        });
      } catch (error) {
        if (this.asked !== key) return;
        if (!(error instanceof api.Refused)) throw error;
        this.overview = null;
        this.store = null;
        this.refusedOverview = error;
        this.say("");
        this.show();
        return;
      }
      if (this.asked !== key) return;
    }
    this.refusedOverview = null;
    this.overview = found;
    this.makeStore(found.explorer);
    this.say(found.notes.map(inLanguage).join(" "));
    this.show();
    this.keeping.changed(); // the answer belongs to what is kept
  }

  makeStore(explorer) {
    this.store = new Store(explorer);
    for (const one of this.store.scores) {
      one.colour = one.place % 10;
      one.dash = DASHES[one.place % 4];
    }
    this.place = { ...this.store.conditions };
    this.putPoint();
    this.keepPoint = () => {
      const { score, at, conditions, hidden } = this.store;
      const threshold = score.thresholds[at];
      const known = Number.isFinite(threshold) ? threshold : String(threshold);
      const now = {
        point: { score: score.name, threshold: known },
        place: { prevalence: conditions.prevalence === this.place.prevalence ? null : conditions.prevalence, costFp: conditions.costFp, costFn: conditions.costFn },
        curves: { hidden: [...hidden] },
      };
      if (JSON.stringify(now) === this.put) return; // it is the state that was put here, not the user
      this.put = JSON.stringify(now);
      this.session.set(now, { step: "point", quiet: true });
      this.frame.steps();
    };
    this.store.listen(this.keepPoint);
  }

  // The operating point, conditions and hidden curves of the state, put back into the store.
  putPoint() {
    const { point, place, curves } = this.state;
    const { store } = this;
    const score = store.scores.find((one) => one.name === point.score) ?? store.scores[store.scores.indexOf(store.score)];
    store.hidden = new Set(curves.hidden.filter((name) => store.scores.some((one) => one.name === name)));
    store.conditions = { prevalence: place.prevalence ?? this.place.prevalence, costFp: place.costFp, costFn: place.costFn };
    store.score = score;
    const at = point.score === score.name ? score.thresholds.findIndex((value) => (Number.isFinite(value) ? value : String(value)) === point.threshold) : -1;
    store.at = at < 0 ? score.start : at;
    const threshold = score.thresholds[store.at];
    this.put = JSON.stringify({
      point: { score: score.name, threshold: Number.isFinite(threshold) ? threshold : String(threshold) },
      place: { prevalence: place.prevalence, costFp: place.costFp, costFn: place.costFn }, curves: { hidden: [...store.hidden] },
    });
    store.changed("score");
  }

  // Where decisions will be made, for questions of the server.
  get conditions() {
    const { prevalence, costFp, costFn } = this.state.place;
    return { ...(prevalence === null ? {} : { prevalence }), cost_fp: costFp, cost_fn: costFn };
  }

  // -- sentences that several places say ----------------------------------------------------------------------

  get areas() {
    const { columns, rows } = this.overview.areas;
    const at = (name) => columns.findIndex((one) => one === name || one.endsWith(` ${name}`));
    const [named, area, low, high] = [at("score"), at("area"), at("low"), at("high")];
    return rows.map((row) => ({ name: row[named], area: row[area], low: row[low], high: row[high] })).sort((a, b) => b.area - a.area);
  }

  answerInWords() {
    if (!this.overview) return "";
    const [best] = this.areas;
    return t(this.areas.length > 1 ? "{name} separates best: AUC {area}" : "{name} has an AUC of {area}", { name: best.name, area: withRange(best.area, best.low, best.high) });
  }

  // "300 cases · 90 ill, 210 well"
  sampleInWords() {
    if (this.data === null) return "";
    if (!this.overview) return t("{rows} rows, {columns} columns", { rows: counted(this.data.rows_read), columns: this.data.columns.length });
    const { nPos, nNeg } = this.store.scores[0];
    const numbers = [this.overview.positive, this.overview.negative].some((one) => /^[-\d.,<>=≥≤ ]+$/.test(one)); // "320 1" reads as one number
    return t(numbers ? "{all} cases · {pos} positive, {neg} negative" : "{all} cases · {pos} {positive}, {neg} {negative}", { all: counted(nPos + nNeg), pos: counted(nPos), positive: this.overview.positive, neg: counted(nNeg), negative: this.overview.negative });
  }

  // -- forms -----------------------------------------------------------------------------------------------

  chosen(question) { return this.state.options[question] ?? {}; }

  // The form of a question; what is chosen in it belongs to the session, and `ask` asks again.
  form(question, ask, skip = []) {
    const changed = (name, value) => {
      const next = { ...this.chosen(question), [name]: value };
      this.session.set({ options: { [question]: Object.fromEntries(Object.entries(next).filter(([, one]) => one !== null)) } }, { quiet: true });
      this.frame.steps();
      ask();
    };
    return optionForm(question, this.desk.forms[question], this.chosen(question), changed, skip);
  }

  // -- asking into a place of the page ------------------------------------------------------------------------

  // Shows progress, a way to stop, and refusals in `host`; then show(answer). A newer question in the same place wins.
  async work(host, question, options, show, { roles = this.state.roles, beside = null, refused = () => {}, fresh = false } = {}) {
    const place = host;
    place.work?.controller.abort();
    const controller = new window.AbortController();
    const mine = { controller };
    place.work = mine;
    const done = (answer) => {
      fill(place);
      show(answer);
      if (answer.notes?.length) place.append(h("ul.notes", {}, answer.notes.map((note) => h("li", {}, inLanguage(note)))));
      this.frame.code.add(place, answer.code);
    };
    const known = fresh ? null : this.known(question, options, roles, beside);
    if (known) { done(known); return; }
    const bar = h("progress", { max: 1, "aria-label": t("progress") });
    const words = h("span");
    const waiting = h("p.working", { role: "status" }, bar, words, small(t("Stop"), () => controller.abort()));
    const timer = setTimeout(() => { if (place.work === mine) fill(place, waiting); }, 150);
    try {
      const answer = await this.answer(question, options, {
        roles, beside, signal: controller.signal,
        onProgress: (told) => {
          if (!mine.heard) { mine.heard = true; this.keeping.pulse(); }
          if (told.total) bar.value = told.done / told.total;
          words.textContent = told.state === "waiting" ? t("waiting for other work") : `${told.doing} ${told.total ? `${told.done}/${told.total}` : ""}`;
        },
      });
      clearTimeout(timer);
      if (mine.heard) this.keeping.pulse();
      if (place.work === mine) done(answer);
    } catch (error) {
      clearTimeout(timer);
      if (mine.heard) this.keeping.pulse();
      if (!(error instanceof api.Refused)) throw error;
      if (place.work !== mine) return;
      if (error.message === "") { // stopped, here or in the list of running work
        fill(place, h("p.note", {}, t("Stopped.")), small(t("Run again"), () => this.work(host, question, options, show, { roles, beside, refused, fresh })));
        return;
      }
      refused(error);
      fill(place, this.refusal(error));
    }
  }

  // A refusal takes the place of what it refuses, with the ways out as buttons.
  refusal(error, kind = "") { return refusal(error.message, remedies(this, error), kind); }

  // Thresholds that were fixed and a bound that is to be promised, as far as they were written.
  decided() {
    const { metric, bound, confidence } = this.state.cutoffs.require;
    const { fixed } = this.chosen("rates");
    return { ...(fixed ? { fixed } : {}), ...(confidence ? { require: { [metric]: bound }, confidence } : {}) };
  }

  // -- report ------------------------------------------------------------------------------------------------

  report() {
    const { time, event, score, label } = this.state.roles;
    if (time !== null && event !== null && score.length > 0 && (this.view === "time" || label === null)) {
      const { at = null } = this.chosen("time");
      if (this.view === "time" && this.current?.options) {
        this.work(this.frame.tray(), "time_report", { ...this.current.options, at: at ?? this.current.at }, (answer) => this.saveReport(answer));
      } else this.open("time");
      return;
    }
    if (!this.overview) {
      this.open(this.data === null ? "start" : "data");
      this.say(t("Choose a label and a score among the columns first."), "bad");
      return;
    }
    const place = this.frame.tray();
    this.work(place, "report", { level: this.state.level, language: language(), ...this.conditions, conventions: this.chosen("areas").conventions ?? null, ...this.decided() }, (answer) => this.saveReport(answer));
  }

  saveReport(answer) {
    this.files.save(answer.name, answer.html, "text/html;charset=utf-8");
    toast(t("The report was saved by the browser: one file that needs nothing else."));
  }

  startOver() {
    this.keeping.startOver();
    this.tables.clear();
    this.answers.clear();
    this.forgetAnswers();
    this.session.restart();
    this.frame.address("start");
  }
}
