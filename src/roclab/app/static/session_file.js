// Sessions as files: saved with what the server alone holds, and opened with the data they are about.

import * as api from "./api.js";
import { save } from "./files.js";
import { stateOf } from "./session.js";
import { inLanguage, t } from "./text.js";

export class SessionFile {
  constructor(app) {
    this.app = app;
    this.waiting = null; // a session whose file is not open yet
  }

  save(name, content, type) { save(name, content, type); }

  // Tables that were made here, such as the scores of trained models, go into the file; others are asked for again.
  async saveSession() {
    const { app } = this;
    const tables = {};
    for (const { data } of [app.state, ...app.state.trail.map((one) => one.state)]) {
      if (!data?.made || tables[data.fingerprint]) continue;
      try {
        tables[data.fingerprint] = (await api.textOf(data.key)).text;
      } catch (error) {
        app.say(error.message, "warn");
      }
    }
    save(`${app.data?.called ?? "roclab"}.roclab.json`, app.session.text(tables), "application/json");
  }

  async openSession(input) {
    const [file] = input.files;
    input.value = "";
    if (!file) return;
    try {
      const { state, tables } = stateOf(await file.text());
      await this.restore(state, tables);
    } catch (error) {
      this.app.say(inLanguage(error.message), "bad");
    }
  }

  // The data of a state: those that are open, those in the file, or those at their path.
  async found(data, tables) {
    const open = [...this.app.tables.values()].find((one) => one.fingerprint === data.fingerprint);
    if (open) return open;
    if (tables[data.fingerprint] !== undefined) return api.openText(tables[data.fingerprint], data.called);
    return data.path ? api.openPath(data.path) : null;
  }

  async restore(state, tables = {}) {
    const { app } = this;
    const whole = structuredClone(state);
    if (whole.data !== null) {
      const data = await this.found(whole.data, tables);
      if (data === null) {
        this.waiting = { state, tables };
        app.say(t("Now open the file {name}: the session holds no data.", { name: whole.data.called }), "info");
        return;
      }
      app.tables.set(data.key, data);
      if (data.fingerprint !== whole.data.fingerprint) app.say(t("The file has changed since the session was saved: numbers will differ."), "warn");
      Object.assign(whole.data, { key: data.key, fingerprint: data.fingerprint });
    }
    for (const one of whole.trail) await this.settleTrail(one, tables);
    this.waiting = null;
    app.session.replace(whole);
    app.frame.address(whole.view);
  }

  async settleTrail(one, tables) {
    try {
      const data = await this.found(one.state.data, tables);
      if (data === null) return; // the way back will ask for the file
      this.app.tables.set(data.key, data);
      one.state.data.key = data.key;
    } catch { /* the way back will say so */ }
  }

  // After a file was opened: does a session wait for it?
  async opened(data, roles = {}, view = "data") {
    const { app, waiting } = this;
    this.waiting = null;
    app.tables.set(data.key, data);
    if (waiting && waiting.state.data.fingerprint === data.fingerprint) {
      await this.restore(waiting.state, waiting.tables);
      return;
    }
    app.take(data, roles, { view, confirmed: Object.keys(roles).length > 0 });
    if (waiting) app.say(t("This is another file than that of the session; a new analysis begins."), "warn");
  }
}
