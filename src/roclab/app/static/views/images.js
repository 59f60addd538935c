// Images: a scan in three planes with its windows, and the marks of a lung CAD beside their table.

import * as api from "../api.js";
import { greysOf, SlicePane } from "../charts/slices.js";
import { counted, measured, share, short } from "../digits.js";
import { checkbox, fill, h, number } from "../dom.js";
import { banner, button, choice, lead, panel } from "../parts.js";
import { rowsOf, tableOf } from "../tables.js";
import { inLanguage, t } from "../text.js";

const PLANES = { axial: "Axial", coronal: "Coronal", sagittal: "Sagittal" };
const WINDOWS = { first: ["as opened", null], lung: ["lung", [-1350, 150]], soft: ["soft tissue", [-160, 240]], bone: ["bone", [-450, 1050]] };
const KEPT = 600; // slices in the page

export class ImagesView {
  constructor(host, app) {
    this.app = app;
    this.host = host;
    if (!app.scan) { this.empty(); return; }
    this.build();
  }

  // -- opening -------------------------------------------------------------------------------------------------

  empty() {
    const path = h("input", { type: "text", id: "scan-path", spellcheck: "false", placeholder: "/data/scan.nii.gz" });
    this.said = h("div", { id: "scan-said" });
    fill(this.host, lead(t("Look at a scan, and at what may be a nodule in it."), t("NIfTI, MetaImage, NRRD, NumPy, or the folder of a DICOM series; it stays where it is.")),
      h("section.panel", { "aria-label": t("Open a scan") }, h("form.row.apart", { onsubmit: (event) => { event.preventDefault(); this.open(path.value); } }, h("label.field.grow", {}, h("span", {}, t("A path on this computer")), path), h("button.btn.main", { type: "submit", id: "open-scan" }, t("Open"))),
        h("div.row", {}, button(t("Try the example"), () => this.open("example"), { id: "example-scan" }), h("span.quiet", {}, t("A phantom of a chest with four nodules")))), this.said, h("p.note", {}, t("Research use, not a medical device.")));
  }

  async open(path) {
    const { app } = this;
    fill(this.said, h("p.working", { role: "status" }, t("Reading …")));
    try {
      const facts = await api.openScan(path);
      app.scan = { facts, slices: new Map(), at: null, marks: null, threshold: null, chosen: null, outline: true, window: facts.window, preset: "first" };
      app.show();
    } catch (error) {
      if (!(error instanceof api.Refused)) throw error;
      fill(this.said, banner("bad", error.message));
    }
  }

  // -- the planes ----------------------------------------------------------------------------------------------

  build() {
    const { scan } = this.app;
    const { planes } = scan.facts;
    scan.at ??= [Math.floor(planes.axial.slices / 2), Math.floor(planes.coronal.slices / 2), Math.floor(planes.sagittal.slices / 2)]; // z, y, x
    this.panes = Object.fromEntries(Object.entries(PLANES).map(([plane, words]) => [plane, new SlicePane(plane, planes[plane], { label: t(words), onPoint: (row, column) => this.point(plane, row, column), onTurn: (steps) => this.turn(plane, steps) })]));
    this.value = h("span", { id: "voxel" });
    this.lead = h("div", { id: "answer" });
    this.tools = h("div.row.tools");
    this.marks = h("div", { id: "marks" });
    fill(this.host, this.lead, h("section.panel.tools", { "aria-label": t("Window") }, this.tools), h("div.planes", {}, h("section.panel.tight", { "aria-label": t("Axial") }, this.panes.axial.node), h("section.panel.tight", { "aria-label": t("Coronal") }, this.panes.coronal.node, this.panes.sagittal.node)),
      panel(t("What may be a nodule?"), button(t("Mark"), () => this.mark(), { id: "mark" }), h("p.note", {}, t("The CAD that comes with roclab was trained on phantoms only; a model of your own is trained by roclab cad train.")), h("label.field", {}, h("span", {}, t("Another model, by its path")), this.model = h("input", { type: "text", id: "cad-model", spellcheck: "false", placeholder: "lung.cad" })), this.marks),
      h("ul.notes", {}, [...scan.facts.notes.map(inLanguage), t("Research use, not a medical device.")].map((one) => h("li", {}, one))));
    this.greys = greysOf(scan.window, scan.facts);
    this.window();
    this.sentence();
    if (scan.marks) this.showMarks();
    this.paint();
  }

  window() {
    const { scan } = this.app;
    const put = (values, preset) => {
      Object.assign(scan, { window: values, preset });
      this.greys = greysOf(values, scan.facts);
      this.window();
      this.paint();
    };
    const [low, high] = scan.window;
    fill(this.tools, choice(t("Window"), Object.entries(WINDOWS).map(([name, [words]]) => [name, t(words)]), scan.preset, (name) => put(WINDOWS[name][1] ?? scan.facts.window, name), { id: "windows" }),
      number(t("from"), Number(low.toPrecision(5)), (value) => put([value, high], "own"), { id: "window-low" }), number(t("to"), Number(high.toPrecision(5)), (value) => put([low, value], "own"), { id: "window-high" }),
      scan.marks ? checkbox(t("outline of the lungs"), scan.outline, (on) => { scan.outline = on; this.paint(); }, { id: "outline" }) : null, this.value, button(t("Another scan"), () => { this.app.scan = null; this.app.show(); }, { id: "close-scan" }));
  }

  // Where a pane's row and column lie in the scan, and back.
  indexOf(plane, row, column) {
    const [z, y, x] = this.app.scan.at;
    const up = this.app.scan.facts.planes.axial.slices - 1;
    return { axial: [z, row, column], coronal: [up - row, y, column], sagittal: [up - row, column, x] }[plane];
  }

  placeIn(plane, [z, y, x]) {
    const up = this.app.scan.facts.planes.axial.slices - 1;
    return { axial: [y, x, z], coronal: [up - z, x, y], sagittal: [up - z, y, x] }[plane]; // row, column, slice
  }

  point(plane, row, column) {
    const { rows, columns } = this.app.scan.facts.planes[plane];
    this.go(this.indexOf(plane, Math.max(0, Math.min(rows - 1, row)), Math.max(0, Math.min(columns - 1, column))));
  }

  turn(plane, steps) {
    const { scan } = this.app;
    const axis = Object.keys(PLANES).indexOf(plane);
    const next = [...scan.at];
    next[axis] = Math.max(0, Math.min(scan.facts.planes[plane].slices - 1, next[axis] + steps));
    this.go(next);
  }

  go(at) {
    const { scan } = this.app;
    scan.at = at.map(Math.round);
    this.paint();
  }

  async slice(plane, at, layer = null) {
    const { scan } = this.app;
    const name = `${plane} ${at} ${layer ?? ""}`;
    const known = scan.slices.get(name);
    if (known) return known;
    const bytes = await api.slice(scan.facts.key, plane, at, layer);
    const found = layer === null ? new Int16Array(bytes) : new Uint8Array(bytes);
    scan.slices.set(name, found);
    if (scan.slices.size > KEPT) scan.slices.delete(scan.slices.keys().next().value);
    return found;
  }

  // The newest place wins: slices of a place that was left meanwhile are not drawn.
  async paint() {
    const { scan } = this.app;
    const wanted = [...scan.at];
    this.wanted = wanted;
    try {
      await Promise.all(Object.keys(PLANES).map(async (plane) => {
        const [row, column, at] = this.placeIn(plane, wanted);
        const mask = scan.marks && scan.outline ? await this.slice(plane, at, "lungs") : null;
        const codes = await this.slice(plane, at);
        if (this.wanted !== wanted) return;
        const pane = this.panes[plane];
        pane.caption.textContent = `${at} / ${scan.facts.planes[plane].slices - 1}`;
        pane.canvas.dataset.at = at;
        pane.over([row, column], this.circles(plane, at));
        pane.show(codes, this.greys, mask);
        if (plane === "axial") this.value.textContent = `${t("value here")}: ${measured(codes[row * scan.facts.planes.axial.columns + column] * scan.facts.slope + scan.facts.intercept)}`;
      }));
    } catch (error) {
      if (!(error instanceof api.Refused)) throw error;
      this.app.say(error.message, "bad");
    }
  }

  // -- marks ---------------------------------------------------------------------------------------------------

  circles(plane, at) {
    const { scan } = this.app;
    if (!scan.marks) return [];
    const { planes } = scan.facts;
    const step = { axial: planes.coronal.down, coronal: planes.axial.down, sagittal: planes.axial.across }[plane];
    return this.shown().map((one) => ({ one, place: this.placeIn(plane, one.place) })).filter(({ one, place }) => Math.abs(place[2] - at) * step <= Math.max(one.diameter_mm / 2, step))
      .map(({ one, place: [row, column] }) => ({ row, column, radius: one.diameter_mm / 2, chosen: one.mark === scan.chosen }));
  }

  shown() {
    const { marks, threshold } = this.app.scan;
    return marks.filter((one) => one.probability >= threshold);
  }

  mark() {
    const { scan } = this.app;
    const model = this.model.value.trim();
    this.app.work(this.marks, "cad", { path: scan.facts.path, ...(model ? { model } : {}) }, async (answer) => {
      await api.addLayer(scan.facts.key, answer.job, "lungs");
      scan.marks = rowsOf(answer.table).map((one, at) => ({ ...one, place: answer.places[at] }));
      scan.table = answer.table;
      scan.rule = answer.rule;
      scan.threshold = answer.threshold;
      this.window();
      this.sentence();
      this.showMarks();
      this.paint();
    }, { roles: {}, fresh: true });
  }

  showMarks() {
    const { scan } = this.app;
    const label = h("output", { id: "mark-count" });
    const table = h("div", {});
    const slider = h("input", { type: "range", id: "mark-threshold", min: 0, max: 1, step: 0.001, value: scan.threshold, "aria-label": t("Marks from a probability of"), oninput: () => { scan.threshold = Number(slider.value); draw(); this.sentence(); this.paint(); } });
    const draw = () => {
      const rows = this.shown();
      label.textContent = `${share(scan.threshold, 1)} · ${t("{n} marks", { n: rows.length })}`;
      const { columns } = scan.table;
      fill(table, tableOf({ ...scan.table, rows: scan.table.rows.filter((row) => row[columns.indexOf("probability")] >= scan.threshold) }, { name: "marks", most: 50, pick: (row) => this.choose(row[columns.indexOf("mark")]) }) ?? h("p.note", {}, t("No region reaches this probability.")));
    };
    draw();
    fill(this.marks, h("label.field", {}, h("span", {}, t("Marks from a probability of"), " ", label), slider), table);
  }

  choose(mark) {
    const { scan } = this.app;
    scan.chosen = mark;
    this.go(scan.marks.find((one) => one.mark === mark).place);
    this.panes.axial.node.scrollIntoView({ block: "nearest" });
  }

  sentence() {
    const { scan } = this.app;
    const { axial } = scan.facts.planes;
    const size = t("{slices} slices of {rows} × {columns}, {mm} mm apart.", { slices: counted(axial.slices), rows: axial.rows, columns: axial.columns, mm: short(scan.facts.planes.coronal.down) });
    if (!scan.marks) { fill(this.lead, lead(scan.facts.called, size)); return; }
    const rows = this.shown();
    fill(this.lead, lead(rows.length ? t("{n} places may be nodules, the first with a probability of {p}", { n: rows.length, p: share(rows[0].probability) }) : t("No place reaches this probability"), `${scan.facts.called}. ${size}`));
  }
}
