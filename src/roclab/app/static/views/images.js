// Images: a scan in three planes with its windows, marks of a lung CAD beside their table, or a series in time.

import { countAt, FrocPanel, placeOf } from "/report/froc.js";
import { firstState, ScanViewer } from "/report/viewer.js";
import * as api from "../api.js";
import { counted, share, short } from "../digits.js";
import { fill, h } from "../dom.js";
import { banner, button, choice, lead, panel } from "../parts.js";
import { square } from "../square.js";
import { rowsOf, tableOf } from "../tables.js";
import { inLanguage, t } from "../text.js";

const KEPT = 600; // slices in the page

// Slices and curves that the server hands out, the last ones kept.
class ServerSource {
  constructor(key) {
    this.key = key;
    this.kept = new Map();
  }

  async held(name, ask) {
    if (this.kept.has(name)) return this.kept.get(name);
    const found = await ask();
    this.kept.set(name, found);
    if (this.kept.size > KEPT) this.kept.delete(this.kept.keys().next().value);
    return found;
  }

  slice({ name }, plane, at) { return this.held(`${name} ${plane} ${at}`, async () => new Int16Array(await api.slice(this.key, plane, at, { image: name }))); }
  labels({ name }, plane, at) { return this.held(`labels ${name} ${plane} ${at}`, async () => new Uint16Array(await api.slice(this.key, plane, at, { labels: name }))); }
  highest({ name }, plane) { return this.held(`highest ${name} ${plane}`, async () => new Int16Array(await api.slice(this.key, plane, 0, { image: name, highest: true }))); }
  curve(at) { return this.held(`curve ${at}`, async () => (await api.kinetic(this.key, at)).curve); }
  forget() { this.kept.clear(); }
}

export class ImagesView {
  constructor(host, app) {
    this.app = app;
    this.host = host;
    this.scan = app.scan ?? null; // kept here: a picture may still be drawn when the view is left
    if (this.scan === null) { this.empty(); return; }
    this.build();
  }

  // -- opening -------------------------------------------------------------------------------------------------

  empty() {
    const { app } = this;
    app.scanKind ??= "scan";
    const path = h("input", { type: "text", id: "scan-path", spellcheck: "false", placeholder: app.scanKind === "scan" ? "/data/scan.nii.gz" : "/data/dce" });
    const field = (id, words, hint) => h("label.field", {}, h("span", {}, words), h("input", { type: "text", id, spellcheck: "false", placeholder: hint }));
    const more = app.scanKind === "scan" ? null : h("div.fields", {}, field("series-times", t("Seconds of the frames, where the files know none"), "0, 72, 144"), field("series-arrival", t("Arrival of the contrast agent, in seconds"), "30"), field("series-model", t("A model of roclab dce train, by its path"), "model.npz"), field("series-anterior", t("Where the front of the body is, where the files do not say"), "y-, y+, x-, x+, z-, z+"));
    const series = () => (app.scanKind === "scan" ? null : Object.fromEntries(["times", "arrival", "model", "anterior"].map((name) => [name, document.getElementById(`series-${name}`).value])));
    this.said = h("div", { id: "scan-said" });
    fill(this.host, lead(t("Look at a scan, and at what may be a nodule in it."), t("NIfTI, MetaImage, NRRD, NumPy, or the folder of a DICOM series; it stays where it is.")),
      h("section.panel", { "aria-label": t("Open a scan") }, h("div.row", {}, choice(t("Open a scan"), [["scan", t("one scan")], ["series", t("a series in time (DCE-MRI)")]], app.scanKind, (kind) => { app.scanKind = kind; this.empty(); }, { id: "scan-kind" })),
        h("form.row.apart", { onsubmit: (event) => { event.preventDefault(); this.open(path.value, series()); } }, h("label.field.grow", {}, h("span", {}, t("A path on this computer")), path), h("button.btn.main", { type: "submit", id: "open-scan" }, t("Open"))), more,
        h("div.row", {}, button(t("Try the example"), () => this.open("example", app.scanKind === "scan" ? null : {}), { id: "example-scan" }), h("span.quiet", {}, app.scanKind === "scan" ? t("A phantom of a chest with four nodules") : t("A phantom of breasts with two lesions")))), this.said, h("p.note", {}, t("Research use, not a medical device.")));
  }

  async open(path, series = null) {
    const { app } = this;
    fill(this.said, h("p.working", { role: "status" }, t("Reading …")));
    try {
      const facts = await api.openScan(path, series);
      app.scan = { facts, source: new ServerSource(facts.key), state: firstState(facts), series: series !== null, marks: null, threshold: null };
      app.show();
    } catch (error) {
      if (!(error instanceof api.Refused)) throw error;
      fill(this.said, banner("bad", error.message));
    }
  }

  // -- the planes ----------------------------------------------------------------------------------------------

  build() {
    const { scan } = this;
    this.lead = h("div", { id: "answer" });
    this.place = h("section.panel", { "aria-label": t("Images") });
    this.marks = h("div", { id: "marks" });
    this.over = h("div", { id: "overlays" });
    fill(this.host, this.lead, this.place, scan.series ? null : this.cadPanel(), this.overlayPanel(), h("ul.notes", { id: "scan-notes" }));
    this.draw();
    this.sentence();
    if (scan.marks) this.showMarks();
  }

  draw() {
    const { scan } = this;
    const { facts, source, state } = scan;
    this.viewer = new ScanViewer(this.place, {
      facts, source, state, marks: () => this.shown(), onPick: (mark) => this.choose(mark, true), onFail: (error) => { if (!(error instanceof api.Refused)) throw error; this.app.say(error.message, "bad"); },
      tools: [button(t("Another scan"), () => { this.app.scan = null; this.app.show(); }, { id: "close-scan" })],
    });
    fill(document.getElementById("scan-notes") ?? h("ul"), [...facts.notes.map(inLanguage), t("Research use, not a medical device.")].map((one) => h("li", {}, one)));
  }

  // Layers that were added: the facts anew, what is shown as it was.
  layered(facts, shown) {
    const { scan } = this;
    Object.assign(scan.facts, { images: facts.images, labels: facts.labels });
    scan.source.forget();
    for (const one of facts.labels) scan.state.layers[one.name] ??= shown;
    this.draw();
  }

  overlayPanel() {
    const { scan } = this;
    const path = h("input", { type: "text", id: "overlay-path", spellcheck: "false", placeholder: "confidence.nii.gz" });
    const classes = scan.series ? null : h("div.row", {}, h("label.field", {}, h("span", {}, t("Classes of robust fuzzy c-means")), this.classes = h("input", { type: "number", id: "classes", min: 2, max: 8, value: 4 })), button(t("Find classes"), () => this.cluster(), { id: "cluster" }));
    return panel(t("Layers over the scan"), null, h("form.row.apart", { onsubmit: (event) => { event.preventDefault(); this.overlay(path.value); } }, h("label.field.grow", {}, h("span", {}, t("An image in the same place, by its path: labels, memberships, a confidence")), path), h("button.btn", { type: "submit", id: "add-overlay" }, t("Add"))), classes, this.over);
  }

  async overlay(path) {
    try {
      const facts = await api.addOverlay(this.scan.facts.key, path);
      fill(this.over);
      const added = facts.images.filter((one) => one.colour).at(-1);
      if (added && !this.scan.facts.images.some((one) => one.name === added.name)) this.scan.state.over = added.name;
      this.layered(facts, true);
    } catch (error) {
      if (!(error instanceof api.Refused)) throw error;
      fill(this.over, banner("bad", error.message));
    }
  }

  cluster() {
    const { scan } = this;
    this.app.work(this.over, "classes", { path: scan.facts.path, classes: Number(this.classes.value) }, async (answer) => {
      let facts = null;
      for (const name of answer.layers) facts = await api.addLayer(scan.facts.key, answer.job, name);
      fill(this.over, tableOf(answer.table, { name: "classes" }));
      this.layered(facts, true);
    }, { roles: {}, fresh: true });
  }

  // -- marks ---------------------------------------------------------------------------------------------------

  cadPanel() {
    const field = (id, words, hint) => h("label.field", {}, h("span", {}, words), h("input", { type: "text", id, spellcheck: "false", placeholder: hint }));
    return panel(t("What may be a nodule?"), button(t("Mark"), () => this.mark(), { id: "mark" }), h("p.note", {}, t("The CAD that comes with roclab was trained on phantoms only; a model of your own is trained by roclab cad train.")),
      h("div.fields", {}, field("cad-model", t("Another model, by its path"), "lung.cad"), field("cad-truth", t("The true nodules, where they are known: a table by its path"), "annotations.csv")), this.marks);
  }

  shown() {
    const { marks, threshold } = this.scan;
    return (marks ?? []).filter((one) => one.probability >= threshold);
  }

  mark() {
    const { scan } = this;
    const typed = (id) => document.getElementById(id).value.trim();
    const options = Object.fromEntries([["model", typed("cad-model")], ["truth", typed("cad-truth")]].filter(([, value]) => value));
    this.app.work(this.marks, "cad", { path: scan.facts.path, ...options }, async (answer) => {
      let facts = null;
      for (const name of ["lungs", "regions"]) facts = await api.addLayer(scan.facts.key, answer.job, name);
      scan.marks = rowsOf(answer.table).map((one, at) => ({ ...one, place: answer.places[at], region: answer.regions[at], hit: answer.hits?.[at] ?? null }));
      Object.assign(scan, { table: answer.table, rule: answer.rule, threshold: answer.threshold, curve: answer.curve, nodules: answer.nodules });
      this.layered(facts, true);
      this.sentence();
      this.showMarks();
    }, { roles: {}, fresh: true });
  }

  showMarks() {
    const { scan } = this;
    const label = h("output", { id: "mark-count" });
    const table = h("div", {});
    const slider = h("input", { type: "range", id: "mark-threshold", min: 0, max: 1, step: 0.001, "aria-label": t("Marks from a probability of"), oninput: () => move(Number(slider.value)) });
    const curve = h("div", { id: "froc" });
    const held = h("p", { id: "held-out" });
    const cells = scan.nodules === null ? null : square({ positive: t("nodule"), negative: t("other") });
    const found = h("p", { id: "found" });
    fill(this.marks, h("label.field", {}, h("span", {}, t("Marks from a probability of"), " ", label), slider),
      h("div.cols.two", {}, h("figure", {}, curve, h("figcaption", {}, held)), cells === null ? null : h("div", {}, h("h3", {}, t("Regions of this scan")), cells.node, found)), table);
    const froc = new FrocPanel(curve, scan.curve, (at) => move(scan.curve.threshold[at]));
    const draw = () => {
      const rows = this.shown();
      const at = placeOf(scan.curve.threshold, scan.threshold);
      const [sensitivity, rate] = at < 0 ? [0, 0] : [scan.curve.sensitivity[at], scan.curve.rate[at]];
      froc.show(at, share(scan.threshold, 1));
      slider.value = scan.threshold;
      label.textContent = `${share(scan.threshold, 1)} · ${t("{n} marks", { n: rows.length })}`;
      held.textContent = t("On scans that its training had not seen: sensitivity {s} at {r} false positives per scan. Drag the point.", { s: share(sensitivity), r: short(rate) });
      if (cells !== null) {
        const now = countAt(scan.marks, scan.threshold, scan.nodules);
        cells.paint(now.square);
        found.textContent = t("{found} of {all} nodules found, {lost} missed", { found: now.found, all: scan.nodules, lost: now.lost });
      }
      const { columns } = scan.table;
      fill(table, tableOf({ ...scan.table, rows: scan.table.rows.filter((row) => row[columns.indexOf("probability")] >= scan.threshold) }, { name: "marks", most: 50, pick: (row) => this.choose(row[columns.indexOf("mark")], false) }) ?? h("p.note", {}, t("No region reaches this probability.")));
    };
    const move = (threshold) => {
      scan.threshold = threshold;
      draw();
      this.sentence();
      this.viewer.paint();
    };
    draw();
  }

  // Of a press on a row, or on a circle, whose row is then looked for.
  choose(mark, from) {
    const { scan } = this;
    this.viewer.choose(mark, scan.marks.find((one) => one.mark === mark).place);
    const at = scan.table.columns.indexOf("mark");
    for (const row of this.marks.querySelectorAll("tbody tr")) {
      const own = Number(row.cells[at]?.dataset.exact ?? row.cells[at]?.textContent) === mark;
      row.classList.toggle("here", own);
      if (own && from) row.scrollIntoView({ block: "nearest" });
    }
    if (!from) this.place.scrollIntoView({ block: "nearest" });
  }

  sentence() {
    const { scan } = this;
    const { axial, coronal } = scan.facts.planes;
    const size = t("{slices} slices of {rows} × {columns}, {mm} mm apart.", { slices: counted(axial.slices), rows: axial.rows, columns: axial.columns, mm: short(coronal.down) });
    if (!scan.marks) { fill(this.lead, lead(scan.facts.called, size)); return; }
    const rows = this.shown();
    fill(this.lead, lead(rows.length ? t("{n} places may be nodules, the first with a probability of {p}", { n: rows.length, p: share(rows[0].probability) }) : t("No place reaches this probability"), `${scan.facts.called}. ${size}`));
  }
}
