// Nothing is lost: the session of a tab is kept by the server, and offered when the page is loaded again or comes back.

import * as api from "./api.js";

const TAB = "roclab tab";
const SETTLE = 300; // milliseconds after a change
const PULSE = 15_000; // between two words that say that the page is there
const BUSY = 900; // the same while work runs, whose progress is shown

const newName = () => [...window.crypto.getRandomValues(new Uint8Array(12))].map((one) => (one % 36).toString(36)).join("").padEnd(12, "0");

export class Keeping {
  constructor(app) {
    this.app = app;
    this.jobs = [];
    this.listeners = [];
    this.waiting = null; // a change that is not kept yet
    this.failed = false;
    this.uploads = 0;
    this.tab = window.sessionStorage.getItem(TAB);
    this.again = this.tab !== null;
    if (!this.again) this.rename();
  }

  rename() {
    this.tab = newName();
    window.sessionStorage.setItem(TAB, this.tab);
  }

  // What this tab left, and the sessions of other tabs.
  async found() {
    const again = window.performance.getEntriesByType("navigation")[0]?.type !== "navigate";
    const found = await api.kept(this.tab, again);
    if (found.taken) this.rename(); // the tab was copied: it goes on with a name of its own
    this.others = found.others;
    return found.state;
  }

  begin() {
    this.app.session.listen(() => this.changed());
    window.addEventListener("pagehide", () => { this.flush(); api.leave(); });
    window.addEventListener("pageshow", (event) => { if (event.persisted) this.pulse(); });
    window.addEventListener("beforeunload", (event) => { if (this.atStake) event.preventDefault(); });
    this.pulse();
  }

  // Would something be lost if the page went now?
  get atStake() { return this.uploads > 0 || this.jobs.length > 0 || (this.failed && this.app.data !== null); }

  changed() {
    if (this.app.session.state.data === null && !this.app.session.canUndo) return; // nothing is worth keeping yet
    window.clearTimeout(this.waiting);
    this.waiting = window.setTimeout(() => this.flush(), SETTLE);
  }

  async flush() {
    if (this.waiting === null) return;
    window.clearTimeout(this.waiting);
    this.waiting = null;
    const { session } = this.app;
    const told = { called: session.state.data?.called ?? "", answer: this.app.answerInWords(), state: session.carried() };
    try {
      await api.keep(this.tab, told);
      this.failed = false;
    } catch {
      this.failed = true;
    }
  }

  async startOver() {
    window.clearTimeout(this.waiting);
    this.waiting = null;
    await api.drop(this.tab);
    this.rename();
  }

  // Say that the page is there, and hear how far its work is.
  async pulse() {
    window.clearTimeout(this.beat);
    try {
      const { jobs } = await api.alive();
      if (JSON.stringify(jobs) !== JSON.stringify(this.jobs)) {
        this.jobs = jobs;
        for (const listener of this.listeners) listener(jobs);
      }
    } catch { /* whoever asks next says that the server is gone */ }
    this.beat = window.setTimeout(() => this.pulse(), this.jobs.length > 0 ? BUSY : PULSE);
  }
}
