// What a view shows that needs data, or roles, which are not there yet.

import { button, lead } from "../parts.js";
import { fill, h } from "../dom.js";
import { t } from "../text.js";

export function showNeeds(host, app) {
  const { refusedOverview } = app;
  if (app.data !== null && refusedOverview) {
    fill(host, lead(t("There is no answer yet"), ""), h("section.panel", {}, app.refusal(refusedOverview), h("div.row", {}, button(t("Data"), () => app.open("data")))));
    return;
  }
  const where = app.data === null ? "start" : "data";
  fill(host, lead(t("Choose a label and a score among the columns first."), ""), h("div.row", {}, button(t(where === "start" ? "Open data" : "Data"), () => app.open(where), { kind: "main" })));
}
