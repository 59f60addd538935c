// Curves: which score separates best, and by how much? Curves of every kind with their names, bands, hulls, and a part of them.

import { csvText } from "/report/cutoff_rows.js";
import { dashOf, keyLine, lineChart } from "../charts/lines.js";
import { figureFile, savePng, saveSvg } from "../charts/export.js";
import { measured, pWords, short, withRange } from "../digits.js";
import { checkbox, fill, h, number, select } from "../dom.js";
import { save } from "../files.js";
import { icon } from "../icons.js";
import { choice, folded, lead, menu, panel, small } from "../parts.js";
import { rowsOf, tableOf } from "../tables.js";
import { inLanguage, t } from "../text.js";
import { trailOf } from "./data.js";
import { AXES, BANDS, CHANCE, DRAWN, FIRST, KINDS, PERFECT } from "./curve_kinds.js";

const AVERAGES = [["none", "whole data"], ["each", "every fold"], ["pooled", "pooled"], ["vertical", "vertical"], ["threshold", "by threshold"], ["horizontal", "horizontal"]];
const WALKS = [["expected", "slanted"], ["optimistic", "stairs, best case"], ["pessimistic", "stairs, worst case"]];

export class CurvesView {
  constructor(host, app) {
    this.app = app;
    Object.assign(this, { found: null, bands: null, folds: null, hull: null, leaders: null });
    this.build(host);
    this.ask();
  }

  get choice() { return this.app.state.curves; }

  choose(changes) {
    this.app.session.set({ curves: changes }, { quiet: true });
    this.app.frame.steps();
    if (Object.keys(changes).some((one) => ["kind", "walk"].includes(one))) this.bands = null;
    this.controls();
    this.ask();
  }

  build(host) {
    const { app } = this;
    this.title = lead(app.answerInWords(), this.sub(), { id: "answer" });
    this.kinds = h("div", {});
    this.tools = h("div.row", { id: "curve-tools" });
    this.figure = h("div", { id: "chart" });
    this.busy = h("div", { id: "chart-busy" });
    this.banding = h("div", { id: "band-busy" });
    this.legend = h("div.legend", { id: "legend", role: "group", "aria-label": t("Scores: press to hide or show a curve") });
    this.note = h("p.note", { id: "chart-note" });
    this.under = h("div", { id: "region" });
    this.aside = h("div", { id: "leaders" });
    this.extra = h("div", { id: "hull" });
    this.mean = h("div", { id: "fold-average" });
    this.more = h("div", { id: "curve-more" });
    fill(host, trailOf(app), this.title,
      h("div.cols.chart", {}, h("section.panel", { "aria-label": t("Curves") }, h("div.head", {}, this.kinds, this.exports()), this.busy, this.figure, this.banding, this.note),
        h("div.cols", {}, panel(t("Scores"), null, this.legend), h("section.panel.tight", { "aria-label": t("Show") }, h("h2", {}, t("Show")), this.tools))),
      this.under, this.mean, this.extra, this.aside, this.more);
    app.store.listen((what) => { if (what !== "point") this.legendRows(); this.draw(); });
    this.controls();
    this.legendRows();
    this.findings();
  }

  sub() {
    const { overview } = this.app;
    const pairs = rowsOf(overview.pairs);
    const [best] = this.app.areas;
    const others = pairs.filter((one) => one.first === best.name || one.second === best.name).map((one) => {
      const turn = one.first === best.name ? 1 : -1;
      return { name: turn > 0 ? one.second : one.first, gap: turn * one.difference, low: turn > 0 ? one["95% low"] ?? one.low : -(one["95% high"] ?? one.high), high: turn > 0 ? one["95% high"] ?? one.high : -(one["95% low"] ?? one.low), p: one["adjusted p"] ?? one.p };
    });
    if (others.length === 0) return this.app.sampleInWords();
    const said = others.slice(0, 3).map((one) => (one.p < 1 - overview.level
      ? t("Larger than that of {name} by {gap}, {p}.", { name: one.name, gap: withRange(one.gap, one.low, one.high), p: pWords(one.p) })
      : t("Not told apart from that of {name}, {p}.", { name: one.name, p: pWords(one.p) })));
    return `${said.join(" ")} ${this.app.sampleInWords()}.`;
  }

  controls() {
    const { kind, band, walk, average, averaged, hull, joint, region } = this.choice;
    const { roles } = this.app.state;
    const words = (pairs) => pairs.map(([value, text]) => [value, t(text)]);
    const isRoc = kind === "roc";
    const others = KINDS.filter(([one]) => !FIRST.includes(one));
    const more = h("select.btn.small", { id: "more-kinds", "aria-label": t("More curves"), onchange: () => more.value && this.choose({ kind: more.value, region: null }) }, h("option", { value: "" }, t("More curves")), others.map(([one, text]) => h("option", { value: one, selected: one === kind }, t(text))));
    fill(this.kinds, h("div.row", { id: "kind" }, choice(t("Curve"), KINDS.filter(([one]) => FIRST.includes(one)).map(([one, text]) => [one, t(text)]), kind, (value) => this.choose({ kind: value, region: null })), more));
    fill(this.tools,
      isRoc ? select(t("Band"), words(BANDS), band, (value) => this.choose({ band: value }), { id: "band" }) : null,
      isRoc || kind === "troc" ? select(t("Ties"), words(WALKS), walk, (value) => this.choose({ walk: value }), { id: "walk" }) : null,
      isRoc && roles.fold ? select(t("Folds"), words(AVERAGES), average, (value) => this.choose({ average: value }), { id: "average" }) : null,
      isRoc && roles.fold && average !== "none" && roles.score.length > 1 ? select(t("of"), roles.score.map((one) => [one, one]), averaged ?? roles.score[0], (value) => this.choose({ averaged: value }), { id: "averaged" }) : null,
      isRoc ? checkbox(t("hull of each"), hull, (value) => this.choose({ hull: value }), { id: "each-hull" }) : null,
      isRoc && roles.score.length > 1 ? checkbox(t("joint hull"), joint, (value) => this.choose({ joint: value }), { id: "joint-hull" }) : null,
      isRoc ? this.regionField(region) : null,
      isRoc && DRAWN.includes(band) ? this.app.form("band", () => { this.bands = null; this.ask(); }) : null,
      isRoc && region ? this.app.form("region", () => this.ask()) : null,
      isRoc ? null : h("p.note", {}, t("Bands, hulls and a part of the curve: for ROC curves.")));
  }

  regionField(region) {
    const [low, high] = region ?? [0, 1];
    const set = (at) => (value) => {
      const next = [low, high];
      next[at] = value ?? at;
      this.choose({ region: next[0] >= next[1] || (next[0] === 0 && next[1] === 1) ? null : next });
    };
    return h("div.pair", {}, number(t("FPR from"), low, set(0), { id: "fpr-from", min: 0, max: 1 }), number(t("to"), high, set(1), { id: "fpr-to", min: 0, max: 1 }),
      region ? small(t("Whole curve"), () => this.choose({ region: null }), { id: "whole" }) : null);
  }

  exports() {
    const name = () => `${this.choice.kind} ${this.app.data.called}`;
    const file = (width) => figureFile(this.figureNow(), { title: this.titleOfFile(), legend: this.legendOfFile(), width });
    const item = (id, words, call) => h("button", { type: "button", id, onclick: call }, words);
    return h("div.row.tools", { id: "exports" }, menu(h("button.btn.small", { type: "button", id: "export" }, icon("save"), t("Export")), [
      item("save-svg", "SVG, 175 mm", () => saveSvg(file(175), name())), item("save-svg-85", "SVG, 85 mm", () => saveSvg(file(85), name())),
      item("save-png", "PNG, 175 mm", () => savePng(file(175), name(), 175)), item("save-png-85", "PNG, 85 mm", () => savePng(file(85), name(), 85)),
      item("save-csv", t("Points as CSV"), () => save(`${name()}.csv`, csvText(this.cells()), "text/csv;charset=utf-8")),
    ]));
  }

  titleOfFile() { return `${t(KINDS.find(([one]) => one === this.found.kind)[1])} · ${this.app.data.called}`; }

  legendOfFile() {
    return this.seenLines().map((one) => ({ colour: one.colour, dash: one.dash, text: [one.name, one.value].filter(Boolean).join("  ") }));
  }

  cells() {
    const rows = [["curve", "threshold", this.found.x_name, this.found.y_name]];
    for (const one of this.found.lines) one.x.forEach((x, at) => rows.push([one.name, one.thresholds?.[at] ?? "", x, one.y[at]].map(String)));
    return rows;
  }

  ask() {
    const { kind, walk } = this.choice;
    const { app } = this;
    const key = `${kind} ${walk} ${app.asked}`;
    if (this.askedKind !== key) {
      this.askedKind = key;
      this.pending = true;
      app.work(this.busy, "curve", { kind, ties: walk, ...(kind === "net_benefit" ? app.conditions : {}) }, (answer) => {
        this.pending = false;
        this.found = answer;
        this.frame();
        this.rest();
      }, { refused: () => this.refused() });
      return;
    }
    if (!this.pending) this.rest(); // else the curve brings the rest with it
  }

  // No figure of another question stands under the title of one that has no answer.
  refused() {
    this.pending = false;
    this.found = null;
    this.chart = null;
    for (const place of [this.figure, this.under, this.aside, this.mean, this.extra]) fill(place);
  }

  // What else was asked of the ROC curve.
  rest() {
    const { kind, band, average, averaged, joint, region } = this.choice;
    const { app } = this;
    const { level } = app.state;
    if (this.found === null) return; // it was refused, and says so
    this.draw();
    fill(this.under);
    fill(this.mean);
    fill(this.extra);
    fill(this.aside);
    if (kind !== "roc") return;
    if (band !== "none" && this.bands?.kind !== band) {
      app.work(this.banding, "band", { kind: band, level, ...(DRAWN.includes(band) ? app.chosen("band") : {}) }, (answer) => { this.bands = { kind: band, found: answer.bands }; this.draw(); });
    }
    if (average !== "none" && app.state.roles.fold) {
      const score = averaged ?? app.state.roles.score[0];
      app.work(this.mean, "average", { how: average, score, level }, (answer) => {
        this.folds = { ...answer, score };
        if (answer.table) this.mean.append(panel(t("Average over folds"), null, tableOf(answer.table, { name: "average" })));
        this.draw();
      });
    } else this.folds = null;
    this.hull = joint ? this.hull : null;
    if (joint) {
      app.work(this.extra, "hull", {}, (answer) => {
        this.hull = answer;
        this.extra.append(panel(t("Joint hull: who is best for which slope of equal cost"), null, tableOf(answer.ranges, { name: "hull ranges" })));
        this.draw();
      });
    }
    if (region) {
      app.work(this.under, "region", { fpr: region, level, ...app.chosen("region") }, (answer) => {
        const [low, high] = region;
        this.under.append(panel(t("Area between the false positive rates {low} and {high}", { low: short(low), high: short(high) }), null, tableOf(answer.table, { name: "partial areas" }),
          answer.standardized ? [h("h3", {}, t("On a scale where chance is one half and a perfect score one")), tableOf(answer.standardized, { name: "standardised partial areas" })] : null));
      });
    }
    if (app.state.roles.score.length > 1) {
      app.work(this.aside, "leaders", {}, (answer) => {
        this.leaders = answer;
        this.aside.append(folded(t("Who leads where"), false, tableOf(answer.table, { name: "leaders" }), h("ul.notes", {}, answer.words.map((one) => h("li", {}, inLanguage(one))))));
        this.draw();
      });
    }
  }

  findings() {
    const { findings } = this.app.overview;
    if (findings.length) fill(this.more, folded(t("What to know about these data"), findings.some((one) => one.weight === "warning"), h("ul.findings", {}, findings.map((one) => h("li", { class: one.weight }, inLanguage(one.text))))));
  }

  frame() {
    this.chart = lineChart(() => this.figureNow(), {
      read: (value, found) => this.readOut(value, found), onRegion: this.found.kind === "roc" ? (region) => this.choose({ region }) : null,
    });
    fill(this.figure, this.chart);
    this.note.textContent = this.found.kind === "roc" ? t("Drag across the figure to choose a part of it; point at it to read values.") : t("Point at the figure to read values.");
    this.legendRows();
  }

  // One value across, all curves down, with their thresholds.
  readOut(value, found) {
    const [across, up] = AXES[this.found.kind].map((one) => t(one).replace(/ \(.*\)$/, ""));
    return h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, `${across} ${short(value)}`), h("th.num", {}, up), found.some(([, point]) => point.threshold !== undefined) ? h("th.num", {}, t("threshold")) : null)),
      h("tbody", {}, found.map(([one, point]) => h("tr", {}, h("td", {}, keyLine(one.colour, one.dash), " ", one.name), h("td.num", {}, short(point.value ?? point.y, 3)), point.threshold === undefined ? null : h("td.num", {}, measured(point.threshold))))));
  }

  inkOf(name) {
    const place = this.app.store.scores.findIndex((one) => one.name === name);
    return place < 0 ? { colour: 9, dash: " d3", place: -1 } : { colour: place % 10, dash: dashOf(place), place };
  }

  seenLines() {
    const { store } = this.app;
    return this.found.lines.filter((one) => !store.hidden.has(one.name)).map((one) => ({
      ...this.inkOf(one.name), name: one.name, value: this.valueOf(one), pts: one.x.map((x, at) => ({ x: one.px ? one.px[at] : x, y: one.py ? one.py[at] : one.y[at], value: one.y[at], threshold: one.thresholds?.[at] })),
    }));
  }

  // The areas of those curves that are drawn.
  valueOf(line) { return line.area ? `${line.area.name} ${short(line.area.value)}` : ""; }

  legendRows() {
    const { store } = this.app;
    const areas = this.app.areas;
    const drawn = new Map((this.found?.lines ?? []).map((one) => [one.name, one.area]));
    const own = ["roc", "troc"].includes(this.found?.kind ?? "roc");
    fill(this.legend, areas.map(({ name, area, low, high }) => {
      const ink = this.inkOf(name);
      const told = (own && drawn.get(name)) || { name: "AUC", value: area, low, high };
      const lit = (on) => () => { for (const line of this.figure.querySelectorAll("[data-curve]")) { line.classList.toggle("lit", on && line.dataset.curve === String(ink.place)); line.classList.toggle("dim", on && line.dataset.curve !== String(ink.place)); } };
      return h("button", { type: "button", id: `legend-${ink.place}`, dataset: { legend: ink.place }, "aria-pressed": String(!store.hidden.has(name)), onclick: () => store.toggle(name), onpointerenter: lit(true), onpointerleave: lit(false), onfocus: lit(true), onblur: lit(false) },
        keyLine(ink.colour, ink.dash), h("span.who", {}, name), h("span.val", { dataset: { exact: told.value } }, short(told.value)), h("span.ci.auc", {}, `${told.name}${told.low === undefined ? "" : ` ${withRange(told.value, told.low, told.high).replace(/^\S+ /, "")}`}`));
    }));
  }

  draw() { if (this.found && this.chart) this.chart.repaint(); }

  figureNow() {
    const { app } = this;
    const { kind } = this.found;
    const { region, hull, average } = this.choice;
    const folded_ = kind === "roc" && this.folds !== null && average !== "none";
    const lines = folded_ ? this.foldLines() : this.seenLines();
    if (kind === "roc" && hull && !folded_) {
      for (const one of app.store.seen) lines.push({ pts: one.hull.map((at) => ({ x: one.fpr[at], y: one.tpr[at] })), colour: one.colour, kind: "hull" });
    }
    if (kind === "roc" && this.hull) {
      const { columns, rows } = this.hull.vertices;
      lines.push({ pts: rows.map((row) => ({ x: row[columns.indexOf("fpr")], y: row[columns.indexOf("tpr")] })), colour: 9, kind: "hull joint-hull" });
    }
    const bands = kind === "roc" && this.bands && this.choice.band === this.bands.kind && !folded_ ? this.bands.found.filter((one) => !app.store.hidden.has(one.name)).map((one) => ({ ...one, colour: this.inkOf(one.name).colour })) : [];
    if (PERFECT[kind]) lines.push({ pts: PERFECT[kind][0].map((x, at) => ({ x, y: PERFECT[kind][1][at] })), colour: 9, kind: "perfect" });
    const [xLabel, yLabel] = AXES[kind].map((one) => t(one));
    const scale = this.found.scale ? { xTicks: this.found.scale.ticks, yTicks: this.found.scale.ticks } : {};
    return { lines, bands, ...this.ranges(kind, lines, region), ...scale, titles: [xLabel, yLabel], chance: this.chanceOf(kind), marks: this.marks(kind, folded_), label: `${t(KINDS.find(([one]) => one === kind)[1])}: ${xLabel}, ${yLabel}` };
  }

  foldLines() {
    const { colour } = this.inkOf(this.folds.score);
    const points = (one) => one.x.map((x, at) => ({ x, y: one.y[at] }));
    const each = this.folds.folds.map((one) => ({ pts: points(one), colour, kind: "series curve dim" }));
    return this.folds.mean ? [{ pts: points(this.folds.mean), colour, name: `${this.folds.score}, ${t(this.folds.mean.name)}` }, ...each] : each;
  }

  ranges(kind, lines, region) {
    if (this.found.scale) return { x: this.found.scale.range, y: this.found.scale.range };
    if (kind === "roc" && region) {
      const inside = lines.flatMap((one) => one.pts.filter((point) => point.x >= region[0] && point.x <= region[1]).map((point) => point.y));
      return { x: region, y: [Math.max(0, Math.min(...inside, 1) - 0.02), Math.min(1, Math.max(...inside, 0) + 0.02)] };
    }
    if (kind === "cost") return { x: [0, 1], y: [0, 0.5], ratio: 0.66 };
    if (kind === "lift" || kind === "net_benefit") {
      const values = lines.flatMap((one) => one.pts.map((point) => point.y)).filter((one) => typeof one === "number");
      const low = kind === "lift" ? 0 : Math.max(Math.min(...values, 0), -0.1);
      return { x: [0, 1], y: [low, Math.max(...values, 0.01) * 1.05], ratio: 0.7 };
    }
    return { x: [0, 1], y: [0, 1] };
  }

  chanceOf(kind) {
    if (kind === "pr") {
      const { nPos, nNeg } = this.app.store.scores[0];
      const share = nPos / (nPos + nNeg);
      return [[0, 1], [share, share]];
    }
    return CHANCE[kind] ?? null;
  }

  // The operating point, and where curves cross.
  marks(kind, folded_) {
    const { store } = this.app;
    if (folded_) return [];
    const line = this.found.lines.find((one) => one.name === store.score.name && !store.hidden.has(one.name));
    const at = line?.thresholds ? line.thresholds.findIndex((value) => value === store.score.thresholds[store.at]) : -1;
    const point = at >= 0 ? [{ x: (line.px ?? line.x)[at], y: (line.py ?? line.y)[at], title: store.inWords(), colour: this.inkOf(line.name).colour }] : [];
    const crossings = kind === "roc" && this.leaders ? this.leaders.crossings.map((one) => ({ x: one.fpr, y: one.tpr, shape: "diamond", title: `${one.first} × ${one.second}` })) : [];
    return [...crossings, ...point];
  }
}

