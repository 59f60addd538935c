// Opening a table, wherever the user asks for it: chosen, dropped, pasted, by path, or an example.

import * as api from "./api.js";
import { inLanguage, t } from "./text.js";

// The parts that are known of the data sets that come with roclab.
export const PRESETS = {
  example: { label: "outcome", positive: "deteriorated", score: ["procalcitonin", "lactate", "concern"] },
  wines: { label: "oak", positive: "1", score: ["p_oak"] },
  readings: { label: "truth", positive: "1", score: ["rating"], id: "case" },
};

export class Opening {
  constructor(app) {
    this.app = app;
    this.refused = null; // a file that could not be read as it is, and what may be chosen
  }

  upload(file) {
    const { keeping } = this.app;
    keeping.uploads += 1;
    return this.load(() => api.upload(file).finally(() => { keeping.uploads -= 1; }));
  }

  path(path) { return this.load(() => api.openPath(path)); }
  text(text) { return this.load(() => api.openText(text, "pasted.tsv")); }
  example(name) { return this.load(() => api.openPath(name), PRESETS[name], name === "readings" ? "readers" : "data"); }

  async load(open, roles = {}, view = "data") {
    const { app } = this;
    this.refused = null;
    app.say(t("Reading …"), "busy");
    try {
      const data = await open();
      app.say(data.notes.map(inLanguage).join(" "), "info");
      await app.files.opened(data, roles, view);
    } catch (error) {
      if (!(error instanceof api.Refused)) throw error;
      this.refuse(error);
    }
  }

  // The refusal carries what may be chosen, in the place where files are opened.
  refuse(error) {
    const { app } = this;
    app.say("", "busy");
    if (error.file) {
      this.refused = error;
      if (app.view !== "start") app.open("start");
      else app.show();
      document.getElementById("refused-file")?.scrollIntoView({ block: "nearest" });
      return;
    }
    app.say(error.message, "bad");
  }

  // Read the refused file in another way.
  async choose(reading) {
    const { key, reading: before } = this.refused.file;
    const held = this.refused;
    await this.load(() => api.readAnew(key, { ...before, ...reading }));
    if (this.refused && !this.refused.file) this.refused = held;
  }
}
