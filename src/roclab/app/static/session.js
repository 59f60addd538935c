// The state of an analysis: all of it, as plain values, with undo and redo, and as a small file.

const FORMAT = "roclab session";
const VERSION = 3;
const KEPT = 200; // steps that can be undone
const CARRIED = 60; // steps that survive a reload

export const EMPTY = Object.freeze({
  data: null, // { key, called, fingerprint, path, reading }
  trail: [], // where the data came from: [{ words, state }], each a way back
  confirmed: false, // the guess about the columns was taken, or roles were chosen by hand
  answered: [], // remarks about columns that were answered
  roles: { label: null, positive: null, negative: null, score: [], direction: {}, weight: null, id: null, fold: null, by: null, time: null, event: null, missing: "error" },
  view: "start",
  level: 0.95,
  place: { prevalence: null, costFp: 1, costFn: 1 },
  point: { score: null, threshold: null },
  curves: { kind: "roc", band: "none", walk: "expected", average: "none", averaged: null, hull: false, joint: false, region: null, hidden: [] },
  areas: { estimators: [] },
  options: {}, // of each question: what was chosen in its form
  cutoffs: { score: null, require: { metric: "tpr", bound: 0.9 }, zone: { out: 0.95, in: 0.95 } },
  train: { features: null, models: ["logistic", "naive_bayes", "knn", "tree"], sampling: "k_fold", folds: 10, repeats: null, share: 0.5, balance: "none", settings: "modern", seed: 0, asked: null, model: null },
  more: { tool: "multiclass" },
});
const NO_STEPS = ["view"]; // what undo leaves alone

const copy = (value) => JSON.parse(JSON.stringify(value));

export class Session {
  constructor() {
    this.state = copy(EMPTY);
    this.past = [];
    this.future = [];
    this.listeners = [];
    this.last = null;
  }

  listen(listener) { this.listeners.push(listener); }

  // Changes by part: set({ curves: { kind: "pr" } }). Steps with the same name in a row are one step for undo.
  // `quiet` tells nobody; `aside` is no step at all.
  set(changes, { step = null, quiet = false, aside = false } = {}) {
    const next = copy(this.state);
    for (const [part, value] of Object.entries(changes)) {
      const whole = value === null || typeof value !== "object" || Array.isArray(value) || next[part] === null;
      next[part] = whole ? value : { ...next[part], ...value };
    }
    if (JSON.stringify(next) === JSON.stringify(this.state)) return;
    if (!aside) this.push(step);
    this.state = next;
    this.tell(quiet ? [] : Object.keys(changes));
  }

  push(step = null) {
    if (step === null || step !== this.last) {
      this.past.push(this.state);
      if (this.past.length > KEPT) this.past.shift();
    }
    this.last = step;
    this.future = [];
  }

  // What follows is another step, even if it is of the same kind.
  pause() { this.last = null; }

  tell(parts) { for (const listener of this.listeners) listener(parts); }

  get canUndo() { return this.past.length > 0; }
  get canRedo() { return this.future.length > 0; }

  undo() { this.turn(this.past, this.future); }
  redo() { this.turn(this.future, this.past); }

  turn(from, to) {
    if (from.length === 0) return;
    to.push(this.state);
    const next = from.pop();
    for (const part of NO_STEPS) next[part] = this.state[part];
    this.state = next;
    this.last = null;
    this.tell(["all"]);
  }

  // Another analysis: one step, so that the one before can be had again.
  replace(state) {
    this.push();
    this.last = null;
    this.state = { ...copy(EMPTY), ...copy(state) };
    this.tell(["all"]);
  }

  // A new beginning: nothing before it.
  restart(state = EMPTY) {
    this.state = { ...copy(EMPTY), ...copy(state) };
    this.past = [];
    this.future = [];
    this.last = null;
    this.tell(["all"]);
  }

  // All of it with its steps, to be kept for a page that is loaded again; and back.
  carried() { return { version: VERSION, state: this.state, past: this.past.slice(-CARRIED), future: this.future.slice(-CARRIED) }; }

  resume({ state, past, future }) {
    const whole = (one) => ({ ...copy(EMPTY), ...one });
    this.state = whole(state);
    this.past = past.map(whole);
    this.future = future.map(whole);
    this.last = null;
    this.tell(["all"]);
  }

  // A file; `tables` are texts of tables that are nowhere else, by fingerprint.
  text(tables = {}) { return `${JSON.stringify({ format: FORMAT, version: VERSION, state: this.state, ...(Object.keys(tables).length ? { tables } : {}) }, null, 1)}\n`; }
}

// The state in a session file and the tables with it; a sentence about the file if it is none.
export function stateOf(text) {
  let found;
  try {
    found = JSON.parse(text);
  } catch {
    throw new Error("This is not a session file of roclab.");
  }
  if (found === null || typeof found !== "object" || found.format !== FORMAT || typeof found.state !== "object" || !found.state) {
    throw new Error("This is not a session file of roclab.");
  }
  if (found.version > VERSION) throw new Error("This session was saved by a newer roclab; update to open it.");
  const state = copy(EMPTY);
  if (found.version === 1 && found.state.compare) found.state.options = { compare: found.state.compare }; // where they were until version 2
  for (const [part, value] of Object.entries(found.state)) {
    if (!Object.hasOwn(state, part)) continue;
    const own = state[part] !== null && typeof state[part] === "object" && !Array.isArray(state[part]);
    state[part] = own ? { ...state[part], ...value } : value;
  }
  if (!Array.isArray(state.trail)) state.trail = [];
  if (found.version < 3 && state.roles.label) state.confirmed = true;
  return { state, tables: tablesOf(found.tables) };
}

const tablesOf = (found) => Object.fromEntries(Object.entries(found !== null && typeof found === "object" ? found : {}).filter(([, text]) => typeof text === "string"));
