// The workbench: one session, one data set, and the view that is open.

import { Store } from "/report/store.js";
import * as api from "./api.js";
import { codePanel } from "./code.js";
import { fill, h } from "./dom.js";
import { save } from "./files.js";
import { optionForm } from "./form.js";
import { Session, stateOf } from "./session.js";
import { LANGUAGES, chooseLanguage, language, loadTexts, t } from "./text.js";
import { DataView } from "./views/data.js";
import { CurvesView } from "./views/curves.js";
import { PointView } from "./views/point.js";
import { CompareView } from "./views/compare.js";
import { CutoffsView } from "./views/cutoffs.js";
import { TrainView } from "./views/train.js";
import { MoreView } from "./views/more.js";

const VIEWS = { data: DataView, curves: CurvesView, point: PointView, compare: CompareView, cutoffs: CutoffsView, train: TrainView, more: MoreView };
const TITLES = {
  data: "Data", curves: "Curves", point: "Operating point", compare: "Areas and comparison", cutoffs: "Cut-offs",
  train: "Train and test", more: "More",
};
const SETTLE = 120; // milliseconds
const NEEDS_CURVES = ["curves", "point", "compare", "cutoffs"];

export class App {
  constructor(root, desk) {
    this.root = root;
    this.desk = desk;
    this.session = new Session();
    this.data = null; // what the server says about the table that is open
    this.overview = null; // the first answer about its scores
    this.store = null; // the operating point
    this.asked = null; // for which roles
    this.typedRule = null; // a rule that is being typed, and for which label
    this.code = { python: "", command: "" };
    this.session.listen((parts) => this.changed(parts));
    document.addEventListener("keydown", (event) => this.key(event));
    for (const end of ["pointerup", "keyup"]) document.addEventListener(end, () => this.session.pause());
    this.build();
  }

  get state() { return this.session.state; }

  // -- the frame -------------------------------------------------------------------------------------------

  build() {
    this.tabs = Object.keys(VIEWS).map((name) => h("button.tab", {
      type: "button", role: "tab", id: `tab-${name}`, "aria-controls": "view", onclick: () => this.open(name),
      onkeydown: (event) => this.walkTabs(event, name),
    }, t(TITLES[name])));
    this.undo = h("button", { type: "button", id: "undo", "aria-label": t("Undo"), title: `${t("Undo")} (Ctrl+Z)`, onclick: () => this.session.undo() }, "↶");
    this.redo = h("button", { type: "button", id: "redo", "aria-label": t("Redo"), title: `${t("Redo")} (Ctrl+Y)`, onclick: () => this.session.redo() }, "↷");
    this.about = h("p.quiet", { id: "about" });
    this.status = h("p.status", { id: "status", role: "status", "aria-live": "polite" });
    this.view = h("main", { id: "view", role: "tabpanel", tabindex: -1 });
    this.codes = h("div", { id: "code" });
    const languages = h("select", {
      id: "language", "aria-label": t("Language"), onchange: (event) => { chooseLanguage(event.target.value); this.rebuild(); },
    }, Object.entries(LANGUAGES).map(([code, name]) => h("option", { value: code, lang: code }, name)));
    languages.value = language();
    const open = h("input.unseen", { type: "file", id: "session-file", accept: ".json,.roclab", tabindex: -1, "aria-label": t("Open session"), onchange: () => this.openSession(open) });
    fill(this.root,
      h("header.bar", {},
        h("div.brand", {}, h("h1", {}, "roclab"), this.about),
        h("div.buttons", {}, this.undo, this.redo,
          h("button", { type: "button", id: "save-session", onclick: () => this.saveSession() }, t("Save session")),
          h("button", { type: "button", id: "open-session", onclick: () => open.click() }, t("Open session")), open,
          h("button.main", { type: "button", id: "report", onclick: () => this.report() }, t("Report")), languages)),
      h("nav.tabs", { role: "tablist", "aria-label": t("Views") }, this.tabs),
      this.status, this.view, this.codes,
      h("footer.quiet", {}, `roclab ${this.desk.version} · ${t("Everything stays on this machine.")}`));
    this.show();
  }

  rebuild() { this.build(); if (this.store) this.store.changed("score"); }

  walkTabs(event, name) {
    const names = Object.keys(VIEWS);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = names[(names.indexOf(name) + step + names.length) % names.length];
    this.open(next);
    document.getElementById(`tab-${next}`).focus();
  }

  key(event) {
    if (!(event.ctrlKey || event.metaKey) || event.target.matches("input, textarea")) return;
    const pressed = event.key.toLowerCase();
    if (pressed === "z" && !event.shiftKey) this.session.undo();
    else if (pressed === "y" || (pressed === "z" && event.shiftKey)) this.session.redo();
    else return;
    event.preventDefault();
  }

  open(view) { this.session.set({ view }, { step: "view" }); }

  changed(parts) {
    this.undo.disabled = !this.session.canUndo;
    this.redo.disabled = !this.session.canRedo;
    if (parts.includes("all") || parts.includes("roles") || parts.includes("level")) this.refresh();
    else if (parts.includes("view")) this.show();
    if (parts.includes("all") && this.store) this.putPoint();
  }

  show() {
    const view = Object.hasOwn(VIEWS, this.state.view) ? this.state.view : "data"; // a session may name any other
    this.undo.disabled = !this.session.canUndo;
    this.redo.disabled = !this.session.canRedo;
    for (const tab of this.tabs) {
      const chosen = tab.id === `tab-${view}`;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
    }
    this.view.setAttribute("aria-labelledby", `tab-${view}`);
    if (this.store) this.store.listeners = [this.keepPoint]; // a view that is left hears nothing more
    this.about.textContent = this.data === null ? t("From a file to a decision.") : this.data.called
      + (this.overview ? ` · ${this.overview.sample}` : "");
    if (NEEDS_CURVES.includes(view) && this.overview === null) {
      fill(this.view, h("p.hint", {}, t("Choose a label and a score among the columns first.")),
        h("button", { type: "button", onclick: () => this.open("data") }, t("Data")));
      return;
    }
    this.current = new VIEWS[view](this.view, this);
  }

  say(text, kind = "note") {
    this.status.className = `status ${kind}`;
    this.status.textContent = text;
  }

  showCode(code) {
    if (!code || (!code.python && !code.command)) return;
    this.code = code;
    codePanel(this.codes, code);
  }

  // -- data ------------------------------------------------------------------------------------------------

  // A table was opened: a new analysis begins, with roles only where they are known.
  take(data, roles = {}, view = "data") {
    const old = this.data;
    this.data = data;
    this.typedRule = null;
    if (old && old.key !== data.key) api.forget(old.key).catch(() => {});
    this.forgetAnswers();
    this.session.restart({
      data: { called: data.called, fingerprint: data.fingerprint, path: data.path, reading: data.reading },
      roles: { ...this.session.state.roles, label: null, positive: null, negative: null, score: [], direction: {}, weight: null, id: null, fold: null, by: null, missing: "error", ...roles },
      view,
    });
  }

  forgetAnswers() {
    this.overview = null;
    this.store = null;
    this.asked = null;
  }

  get ready() {
    const { label, score } = this.state.roles;
    return this.data !== null && label !== null && score.length > 0;
  }

  request(question, options = {}, roles = this.state.roles) {
    const given = Object.fromEntries(Object.entries(roles).filter(([, value]) => value !== null && value !== ""));
    if (Object.keys(given.direction ?? {}).length === 0) delete given.direction;
    return { question, key: this.data?.key ?? null, roles: given, options };
  }

  // Ask the first question whenever parts of the data change; the newest answer counts.
  async refresh() {
    if (!this.ready) {
      this.forgetAnswers();
      this.show();
      return;
    }
    const key = JSON.stringify([this.data.key, this.data.reading, this.state.roles, this.state.level]);
    if (this.asked === key && this.overview) { this.show(); return; }
    this.asked = key;
    this.say(t("Counting …"));
    await new Promise((done) => { setTimeout(done, SETTLE); }); // several columns are often chosen one after the other
    if (this.asked !== key) return;
    let found;
    try {
      found = await api.ask(this.request("overview", { level: this.state.level }), {
        onProgress: ({ done, total }) => this.say(total ? `${t("Counting …")} ${done}/${total}` : t("Counting …")),
      });
    } catch (error) {
      if (this.asked !== key) return;
      this.overview = null;
      this.store = null;
      this.say(error.message, "error");
      this.show();
      return;
    }
    if (this.asked !== key) return;
    this.overview = found;
    this.makeStore(found.explorer);
    this.say(found.notes.join(" "));
    this.showCode(found.code);
    this.show();
  }

  makeStore(explorer) {
    this.store = new Store(explorer);
    this.place = { ...this.store.conditions };
    for (const name of this.state.curves.hidden) this.store.hidden.add(name);
    this.putPoint();
    this.keepPoint = () => {
      const { score, at, conditions } = this.store;
      const threshold = score.thresholds[at];
      const known = Number.isFinite(threshold) ? threshold : String(threshold);
      const prevalence = conditions.prevalence === this.place.prevalence ? null : conditions.prevalence;
      this.session.set({
        point: { score: score.name, threshold: known },
        place: { prevalence, costFp: conditions.costFp, costFn: conditions.costFn },
        curves: { hidden: [...this.store.hidden] },
      }, { step: "point", quiet: true });
      this.undo.disabled = !this.session.canUndo;
    };
    this.store.listen(this.keepPoint);
  }

  // The operating point, conditions and hidden curves of the state, put back into the store.
  putPoint() {
    const { point, place, curves } = this.state;
    const { store } = this;
    const score = store.scores.find((one) => one.name === point.score);
    store.hidden = new Set(curves.hidden.filter((name) => store.scores.some((one) => one.name === name)));
    store.conditions = { prevalence: place.prevalence ?? this.place.prevalence, costFp: place.costFp, costFn: place.costFn };
    if (score) {
      store.score = score;
      const at = score.thresholds.findIndex((value) => (Number.isFinite(value) ? value : String(value)) === point.threshold);
      store.at = at < 0 ? score.start : at;
    }
    store.changed("score");
  }

  // Where decisions will be made, for questions of the server.
  get conditions() {
    const { prevalence, costFp, costFn } = this.state.place;
    return { ...(prevalence === null ? {} : { prevalence }), cost_fp: costFp, cost_fn: costFn };
  }

  // -- forms -----------------------------------------------------------------------------------------------

  chosen(question) { return this.state.options[question] ?? {}; }

  // The form of a question; what is chosen in it belongs to the session, and `ask` asks again.
  form(question, ask, skip = []) {
    const changed = (name, value) => {
      const next = { ...this.chosen(question), [name]: value };
      this.session.set({ options: { [question]: Object.fromEntries(Object.entries(next).filter(([, one]) => one !== null)) } });
      ask();
    };
    return optionForm(question, this.desk.forms[question], this.chosen(question), changed, skip);
  }

  // -- asking into a place of the page ------------------------------------------------------------------------

  // Shows progress, a way to stop, and errors in `host`; then show(answer). A newer question in the same place wins.
  async work(host, question, options, show, roles = undefined, refused = () => {}) {
    const mine = {};
    const place = host;
    place.work?.controller.abort();
    const controller = new window.AbortController();
    place.work = { mine, controller };
    const bar = h("progress", { max: 1 });
    const words = h("span");
    const timer = setTimeout(() => {
      if (place.work?.mine !== mine) return;
      fill(place, h("p.working", { role: "status" }, bar, words,
        h("button", { type: "button", onclick: () => { controller.abort(); fill(place, h("p.quiet", {}, t("Stopped."))); } }, t("Stop"))));
    }, 150);
    try {
      const answer = await api.ask(this.request(question, options, roles), {
        signal: controller.signal,
        onProgress: ({ done, total, doing, state }) => {
          if (total) bar.value = done / total;
          words.textContent = ` ${state === "waiting" ? t("waiting for other work") : doing} ${total ? `${done}/${total}` : ""} `;
        },
      });
      clearTimeout(timer);
      if (place.work?.mine !== mine) return;
      fill(place);
      show(answer);
      if (answer.notes?.length) place.append(h("ul.notes", {}, answer.notes.map((note) => h("li", {}, note))));
      this.showCode(answer.code);
    } catch (error) {
      clearTimeout(timer);
      if (place.work?.mine !== mine || controller.signal.aborted) return;
      if (!(error instanceof api.Refused)) throw error;
      refused(error);
      fill(place, h("p.error", { role: "alert" }, error.message));
    }
  }

  // -- session and report ----------------------------------------------------------------------------------------

  saveSession() { save(`${this.data?.called ?? "roclab"}.roclab.json`, this.session.text(), "application/json"); }

  async openSession(input) {
    const [file] = input.files;
    input.value = "";
    if (!file) return;
    try {
      const state = stateOf(await file.text());
      await this.restore(state);
    } catch (error) {
      this.say(t(error.message), "error");
    }
  }

  // The data of a session: those that are open, or those at its path; else the user is asked for them.
  async restore(state) {
    if (state.data === null) { this.session.restart(state); return; }
    let data = this.data;
    if (data?.fingerprint !== state.data.fingerprint) {
      if (!state.data.path) {
        this.waiting = state;
        this.say(t("Now open the file {name}: the session holds no data.", { name: state.data.called }));
        this.session.set({ view: "data" });
        return;
      }
      data = await api.openPath(state.data.path);
    }
    if (JSON.stringify(data.reading ?? {}) !== JSON.stringify(state.data.reading ?? {})) data = await api.readAnew(data.key, state.data.reading);
    const same = data.fingerprint === state.data.fingerprint;
    this.data = data;
    this.forgetAnswers();
    this.session.restart(state);
    this.waiting = null;
    if (!same) this.say(t("The file has changed since the session was saved: numbers will differ."), "warning");
  }

  // After a file was opened: does a session wait for it?
  async opened(data, roles = {}) {
    const { waiting } = this;
    if (waiting && waiting.data.fingerprint === data.fingerprint) {
      this.data = data;
      await this.restore(waiting);
      return;
    }
    if (waiting) {
      this.waiting = null;
      this.take(data, roles);
      this.say(t("This is another file than that of the session; a new analysis begins."), "warning");
      return;
    }
    this.take(data, roles);
  }

  report() {
    if (!this.overview) { this.say(t("Choose a label and a score among the columns first."), "error"); return; }
    const place = h("div", {});
    fill(this.status, place);
    this.work(place, "report", { level: this.state.level, ...this.conditions, conventions: this.chosen("areas").conventions ?? null }, (answer) => {
      save(answer.name, answer.html, "text/html;charset=utf-8");
      fill(place, h("p", {}, t("The report was saved by the browser: one file that needs nothing else.")));
    });
  }
}

async function begin() {
  const root = document.getElementById("app");
  try {
    await loadTexts();
    if (!api.token()) throw new Error(t("Open the address that roclab printed: it holds the key of this start."));
    const desk = await api.start();
    const app = new App(root, desk);
    window.roclab = app;
    if (desk.opened) app.take(desk.opened, app.current.presetOf?.(desk.opened.called) ?? {});
  } catch (error) {
    fill(root, h("h1", {}, "roclab"), h("p.error", { role: "alert" }, error.message));
  }
  document.documentElement.classList.add("live");
}

begin();
