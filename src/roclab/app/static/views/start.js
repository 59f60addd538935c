// Start: how does my table get in? A place to drop it, examples, and sessions that other tabs left.

import * as api from "../api.js";
import { art, thumb } from "../charts/thumbs.js";
import { fill, h } from "../dom.js";
import { button, lead, panel, small } from "../parts.js";
import { t } from "../text.js";

const EXAMPLES = {
  example: ["Patients and three markers", "300 patients: who will deteriorate?"], wines: ["Wines and three grapes", "180 wines: many classes at once"],
  readings: ["Readers, film and digital", "5 readers, 80 cases, 2 modalities"], followed: ["Patients followed over time", "Who relapses within two years?"],
};

export class StartView {
  constructor(host, app) {
    this.app = app;
    const file = h("input.unseen", { type: "file", id: "file", tabindex: -1, "aria-label": t("Choose a file"), onchange: () => file.files[0] && app.frame.opening.upload(file.files[0]) });
    fill(host, lead(t("Open a table of cases. See what each score can tell."), t("One row per case, one column that says what was true, one or more scores. Columns are recognised; nothing is sent anywhere.")),
      this.refused(),
      h("section.drop", { id: "drop", "aria-label": t("Open data") }, h("div.words", {}, h("p.big", {}, t("Drop a file anywhere on this page")),
        h("p.quiet", {}, t("CSV, Excel, SPSS, Stata, Parquet, Arrow, Orange; separators, decimal commas and codes for missing values are found out.")),
        h("div.row", {}, button(t("Choose a file"), () => file.click(), { kind: "main", sign: "file", id: "choose-file" }), button(t("Paste cells"), () => this.ask("paste"), { id: "show-paste" }),
          button(t("Path on this computer"), () => this.ask("path"), { id: "show-path" }), file), this.asked = h("div", {})), art()),
      h("section.view", {}, h("h2", {}, t("Or begin with an example")), h("div.cards", {}, app.desk.examples.map((one) => this.card(one))),
        h("div.row", {}, button(t("New to ROC curves? Step by step"), () => { app.session.set({ more: { tool: "tour" } }, { quiet: true }); app.open("more"); }, { sign: "tour", id: "begin-tour" }), button(t("Look at a scan"), () => app.open("images"), { sign: "images", id: "begin-images" }))), this.recent());
  }

  ask(what) {
    const { opening } = this.app.frame;
    if (what === "paste") {
      const pasted = h("textarea", { id: "paste", rows: 5, spellcheck: "false", placeholder: t("Paste cells from a spreadsheet, with their header row") });
      fill(this.asked, h("form.field", { onsubmit: (event) => { event.preventDefault(); opening.text(pasted.value); } }, h("label.field", {}, h("span", {}, t("Cells, with the row of their names")), pasted),
        h("div.row", {}, h("button.btn", { type: "submit", id: "open-pasted" }, t("Use what is pasted")))));
      pasted.focus();
      return;
    }
    const path = h("input", { type: "text", id: "path", spellcheck: "false", placeholder: "/data/scores.parquet" });
    fill(this.asked, h("form.row.apart", { onsubmit: (event) => { event.preventDefault(); opening.path(path.value); } }, h("label.field.grow", {}, h("span", {}, t("A path on this computer; large files stay where they are")), path),
      h("button.btn", { type: "submit", id: "open-path" }, t("Open"))));
    path.focus();
  }

  card({ name, curves }) {
    const [title, words] = EXAMPLES[name] ?? [name, ""];
    return h("button.card", { type: "button", id: `example-${name}`, onclick: () => this.app.frame.opening.example(name) }, h("span.thumb", {}, thumb(curves)), h("span.text", {}, h("b", {}, t(title)), h("span.quiet", {}, t(words))));
  }

  // A file that was refused: what may be chosen stands with the refusal.
  refused() {
    const { opening } = this.app.frame;
    if (!opening.refused) return null;
    const { file, message } = opening.refused;
    const separators = { ",": ",", ";": ";", "\t": t("tab"), "|": "|" };
    const choose = (reading) => opening.choose(reading);
    return h("section.panel.refused", { id: "refused-file", role: "alert", "aria-label": file.called }, h("p.error", {}, message),
      file.sheets.length > 1 ? h("div.row", {}, h("b", {}, t("Which sheet holds the cases?")), file.sheets.map((one) => small(one, () => choose({ sheet: one }), { dataset: { sheet: one } }))) : null,
      file.header_row ? h("div.row", {}, button(t("The names are in row {row}", { row: file.header_row }), () => choose({ header_row: file.header_row }), { kind: "main", id: "take-header" })) : null,
      file.delimiters.length > 1 ? h("div.row", {}, h("b", {}, t("What separates the cells?")), file.delimiters.map((one) => small(separators[one] ?? one, () => choose({ delimiter: one }), { dataset: { delimiter: one } }))) : null,
      file.lines.length ? h("details", { open: !file.header_row && file.sheets.length < 2 }, h("summary", {}, t("How the file begins")), h("div.scroll", { tabindex: 0, role: "region", "aria-label": t("How the file begins") }, h("table.lines", {}, h("tbody", {}, file.lines.map(([row, text]) => h("tr", {},
        h("th.num", { scope: "row" }, row), h("td", {}, h("code", {}, text)), h("td.num", {}, small(t("names are in this row"), () => choose({ header_row: row }), { dataset: { header: row } })))))))) : null);
  }

  // Sessions of tabs that were closed or crashed; this server keeps them until it ends.
  recent() {
    const { app } = this;
    const others = (app.keeping.others ?? []).filter((one) => !one.here && one.called);
    if (others.length === 0) return null;
    const when = (seconds) => new Date(seconds * 1000).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });
    return panel(t("Recent"), h("span.quiet", {}, t("Kept on this computer until roclab ends")), h("table.recent.stack", {}, h("thead", {}, h("tr", {}, ["Session", "Last answer", "Changed", "Open"].map((one, at) => h("th", { scope: "col" }, at === 3 ? h("span.unseen", {}, t(one)) : t(one))))),
      h("tbody", {}, others.slice(0, 8).map((one) => h("tr", {}, h("th", { scope: "row" }, one.called), h("td.full", {}, one.answer || "–"), h("td.quiet.full.nowrap", {}, when(one.changed)), h("td.num", {}, small(t("Open"), () => this.reopen(one.tab), { "aria-label": `${t("Open")} ${one.called}`, dataset: { recent: one.tab } })))))));
  }

  async reopen(tab) {
    const { app } = this;
    const found = await api.kept(tab, true);
    if (found.state === null) return;
    app.keeping.tab = tab;
    window.sessionStorage.setItem("roclab tab", tab);
    app.session.resume(found.state);
    app.frame.address(found.state.state.view === "start" ? "data" : found.state.state.view);
    app.frame.show();
  }
}
