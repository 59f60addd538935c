// The workbench begins: texts, the key of this start, what this tab left, and the file that the command named.

import * as api from "./api.js";
import { App } from "./app.js";
import { loadDigits } from "./digits.js";
import { fill, h } from "./dom.js";
import { PRESETS } from "./opening.js";
import { loadTexts, t } from "./text.js";
import { loadTheme } from "./theme.js";

async function begin() {
  const root = document.getElementById("app");
  try {
    loadTheme();
    loadDigits();
    await loadTexts();
    if (!api.token()) throw new Error(t("Open the address that roclab printed: it holds the key of this start."));
    const desk = await api.start();
    const app = new App(root, desk);
    window.roclab = app;
    const carried = await app.keeping.found();
    app.frame.build();
    app.keeping.begin();
    if (carried !== null) {
      app.frame.returned = true;
      app.session.resume(carried);
      const named = app.frame.named();
      if (named && named !== app.state.view) app.session.set({ view: named }, { aside: true });
      else app.frame.address(app.state.view);
    } else if (desk.opened) {
      const roles = PRESETS[desk.opened.called] ?? {};
      app.take(desk.opened, roles, { confirmed: Object.keys(roles).length > 0 });
    } else app.frame.arrive();
  } catch (error) {
    fill(root, h("main", { id: "view" }, h("h1", {}, "roclab"), h("p.error", { role: "alert" }, error.message)));
  }
  document.documentElement.classList.add("live");
}

begin();
