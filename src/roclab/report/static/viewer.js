// Three planes of a scan: scrolling, windows, images to switch between, layers over them, marks, kinetic curves.

import { coloursOf, gradientOf, greysOf, labelColour } from "./colours.js";
import { inDecimal } from "./decimal.js";
import { fill, h } from "./elements.js";
import { KineticPanel } from "./kinetics.js";
import { SlicePane } from "./planes.js";
import { word } from "./words.js";

const PLANES = { axial: "Axial", coronal: "Coronal", sagittal: "Sagittal" };
const WINDOWS = { first: ["as opened", null], lung: ["lung", [-1350, 150]], soft: ["soft tissue", [-160, 240]], bone: ["bone", [-450, 1050]] };
const FIXED = { lungs: "#46c8ff", mask: "#46c8ff", lesions: "#3ddc97" }; // colours of layers that every scan has

// Set by script: the policy of the workbench allows no styles in attributes.
function swatch(background) {
  const node = h("i", { "aria-hidden": "true" });
  node.style.background = background;
  return node;
}

// What a viewer shows, to be kept where it is built again.
export function firstState(facts) {
  const { axial, coronal, sagittal } = facts.planes;
  return {
    at: facts.start ?? [axial, coronal, sagittal].map(({ slices }) => Math.floor(slices / 2)), // z, y, x
    image: facts.images.find((one) => !one.colour)?.name, windows: {}, preset: "first", over: null, opacity: 0.6,
    layers: Object.fromEntries(facts.labels.map((one) => [one.name, !one.filled])), highest: false, chosen: null,
  };
}

export class ScanViewer {
  // `source` has slice(image, plane, at), labels(label, plane, at), highest(image, plane) and curve([z, y, x]), values or
  // promises of them. `marks()` are { mark, place, diameter_mm, region } to be circled; `onPick(mark)` hears which is pressed.
  constructor(host, { facts, source, state = firstState(facts), marks = () => [], onPick = () => {}, onFail = () => {}, tools = [] }) {
    Object.assign(this, { facts, source, state, marks, onPick, onFail });
    this.shown = Object.keys(PLANES).filter((plane) => facts.planes[plane].rows > 1 && facts.planes[plane].columns > 1);
    this.panes = Object.fromEntries(this.shown.map((plane) => [plane, new SlicePane(plane, facts.planes[plane], {
      label: word(this.shown.length === 1 ? "Slice" : PLANES[plane]), onPoint: (row, column, pressed) => this.point(plane, row, column, pressed), onTurn: (steps) => this.turn(plane, steps), onOver: (row, column) => this.over(plane, row, column),
    })]));
    this.kinetics = facts.curves ? new KineticPanel(facts.curves, facts.labels.find((one) => one.name === facts.curves.parts)?.words ?? {}) : null;
    this.value = h("output.voxel", { id: "voxel" });
    this.bar = h("div.viewer-bar", {});
    this.layers = h("div.viewer-bar", {});
    this.more = tools;
    const [first, ...rest] = this.shown.map((plane) => this.panes[plane].node);
    fill(host, this.bar, this.layers, h("div.planes", {}, h("div.plane-column", {}, first, this.shown.length > 1 && this.kinetics?.node), h("div.plane-column", {}, rest, this.shown.length === 1 && this.kinetics?.node)));
    this.tables();
    this.tools();
    this.paint();
  }

  get image() { return this.facts.images.find((one) => one.name === this.state.image); }
  get colours() { return this.facts.images.find((one) => one.name === this.state.over) ?? null; }

  window(image) { return this.state.windows[image.name] ?? image.window; }

  tables() {
    this.greys = greysOf(this.window(this.image), this.image);
    this.table = this.colours && coloursOf(this.colours.window, this.colours);
  }

  // Put something of the state anew, with the tools and the picture.
  put(changes) {
    Object.assign(this.state, changes);
    this.tables();
    this.tools();
    this.paint();
  }

  // -- tools ---------------------------------------------------------------------------------------------------

  tools() {
    const { state, facts, image } = this;
    const [low, high] = this.window(image);
    const greys = facts.images.filter((one) => !one.colour);
    const colours = facts.images.filter((one) => one.colour);
    const own = (values, preset = "own") => this.put({ windows: { ...state.windows, [image.name]: values }, preset });
    const number = (id, label, value, put) => h("label.field.short", {}, h("span", {}, label), h("input", { type: "text", inputmode: "decimal", id, value: inDecimal(String(Number(value.toPrecision(4)))), onchange: (event) => { const typed = Number(event.target.value.replace(",", ".")); if (event.target.value.trim() !== "" && Number.isFinite(typed)) put(typed); else this.tools(); } }));
    fill(this.bar, greys.length > 1 ? this.picked("image", word("Image"), greys.map((one) => [one.name, word(one.name)]), state.image, (name) => this.put({ image: name })) : null,
      image.unit === "HU" ? this.choice("windows", word("Window"), Object.entries(WINDOWS).map(([name, [words]]) => [name, word(words)]), state.preset, (name) => own(WINDOWS[name][1] ?? image.window, name)) : null,
      number("window-low", word("from"), low, (value) => own([value, high])), number("window-high", word("to"), high, (value) => own([low, value])),
      this.shown.length === 3 ? this.check("highest", word("maximum along the line of sight"), state.highest, (on) => this.put({ highest: on })) : null, this.value, this.more);
    fill(this.layers, colours.length > 0 ? this.picked("over", word("Colours over it"), [["", word("no colours")], ...colours.map((one) => [one.name, word(one.name)])], state.over ?? "", (name) => this.put({ over: name || null })) : null,
      this.colours ? this.legend(this.colours) : null,
      colours.length > 0 || facts.labels.some((one) => one.filled) ? h("label.field.short", {}, h("span", {}, word("opacity")), h("input", { type: "range", id: "opacity", min: 0, max: 1, step: 0.05, value: state.opacity, oninput: (event) => { state.opacity = Number(event.target.value); this.paint(); } })) : null,
      facts.labels.map((one) => this.check(`layer-${one.name.replaceAll(" ", "-")}`, this.spoken(one), state.layers[one.name], (on) => this.put({ layers: { ...state.layers, [one.name]: on } }))));
  }

  spoken(label) {
    const words = Object.entries(label.words);
    const key = label.filled && this.state.layers[label.name] && words.length <= 8 ? words.map(([number, said]) => h("span.label-key", {}, swatch(labelColour(Number(number))), word(said))) : null;
    return [word(label.name), key];
  }

  legend({ window: [low, high], unit }) {
    return h("span.legend-bar", {}, inDecimal(String(low)), swatch(gradientOf([low, high])), `${inDecimal(String(Number(high.toPrecision(3))))} ${unit}`);
  }

  picked(id, label, pairs, chosen, pick) {
    const field = h("select", { id: `viewer-${id}`, onchange: () => pick(field.value) }, pairs.map(([key, words]) => h("option", { value: key }, words)));
    field.value = chosen;
    return h("label.field.pickable", {}, h("span", {}, label), field);
  }

  choice(id, label, pairs, chosen, pick) {
    return h("div.seg", { id, role: "group", "aria-label": label }, pairs.map(([key, words]) => h("button", { type: "button", "aria-pressed": String(key === chosen), dataset: { choice: key }, onclick: () => pick(key) }, words)));
  }

  check(id, words, on, put) {
    const field = h("input", { type: "checkbox", id, checked: Boolean(on), onchange: () => put(field.checked) });
    return h("label.check", {}, field, h("span", {}, words));
  }

  // -- places --------------------------------------------------------------------------------------------------

  // Where a pane's row and column lie in the scan, and back.
  indexOf(plane, row, column) {
    const [z, y, x] = this.state.at;
    const up = this.facts.planes.axial.slices - 1;
    return { axial: [z, row, column], coronal: [up - row, y, column], sagittal: [up - row, column, x] }[plane];
  }

  placeIn(plane, [z, y, x]) {
    const up = this.facts.planes.axial.slices - 1;
    return { axial: [y, x, z], coronal: [up - z, x, y], sagittal: [up - z, y, x] }[plane]; // row, column, slice
  }

  point(plane, row, column, pressed) {
    const circle = pressed ? this.panes[plane].circleAt(row, column) : null;
    if (circle === null) this.go(this.indexOf(plane, row, column));
    else this.onPick(circle.mark);
  }

  turn(plane, steps) {
    const axis = Object.keys(PLANES).indexOf(plane);
    const next = [...this.state.at];
    next[axis] = Math.max(0, Math.min(this.facts.planes[plane].slices - 1, next[axis] + steps));
    this.go(next);
  }

  go(at) {
    this.state.at = at.map(Math.round);
    this.paint();
  }

  choose(mark, place) {
    this.state.chosen = mark;
    this.go(place);
  }

  // -- the picture ---------------------------------------------------------------------------------------------

  // The newest place wins: slices of a place that was left meanwhile are not drawn.
  async paint() {
    const { state } = this;
    const wanted = { at: [...state.at] };
    this.wanted = wanted;
    try {
      await Promise.all(this.shown.map((plane) => this.paintPlane(plane, wanted)));
      if (this.wanted !== wanted) return;
      await this.tell();
    } catch (error) {
      this.onFail(error);
    }
  }

  async paintPlane(plane, wanted) {
    const { state, source, image, colours } = this;
    const [row, column, at] = this.placeIn(plane, wanted.at);
    const labels = this.facts.labels.filter((one) => state.layers[one.name]);
    const [codes, over, ...held] = await Promise.all([
      state.highest ? source.highest(image, plane) : source.slice(image, plane, at),
      colours && (state.highest ? source.highest(colours, plane) : source.slice(colours, plane, at)),
      ...(state.highest ? [] : labels.map((one) => source.labels(one, plane, at))),
    ]);
    if (this.wanted !== wanted) return;
    const pane = this.panes[plane];
    const drawn = (filled) => held.map((own, number) => ({ codes: own, opacity: state.opacity, colourOf: this.colourOf(labels[number]), label: labels[number] })).filter(({ label }) => label.filled === filled);
    pane.caption.textContent = state.highest ? "" : `${at} / ${this.facts.planes[plane].slices - 1}`;
    pane.canvas.dataset.at = at;
    pane.over([row, column], this.circles(plane, at));
    pane.show(codes, this.greys, { over: over && { codes: over, colours: this.table, opacity: state.opacity }, filled: drawn(true), outlines: drawn(false) });
  }

  // Regions are outlined where their marks are shown, the chosen one in the colour of its circle.
  colourOf(label) {
    if (label.name in FIXED) return () => FIXED[label.name];
    if (label.name !== "regions") return labelColour;
    const shown = new Map(this.marks().map((one) => [one.region, one.mark]));
    return (number) => (shown.has(number) ? (shown.get(number) === this.state.chosen ? "#ffdc50" : "#ff8a3c") : null);
  }

  circles(plane, at) {
    const { planes } = this.facts;
    const step = { axial: planes.coronal.down, coronal: planes.axial.down, sagittal: planes.axial.across }[plane];
    return this.marks().map((one) => ({ one, place: this.placeIn(plane, one.place) }))
      .filter(({ one, place }) => this.state.highest || Math.abs(place[2] - at) * step <= Math.max(one.diameter_mm / 2, step))
      .map(({ one, place: [row, column] }) => ({ row, column, radius: one.diameter_mm / 2, mark: one.mark, chosen: one.mark === this.state.chosen }));
  }

  // The value at the cross.
  async tell() {
    const [z, y, x] = this.state.at;
    const codes = await this.source.slice(this.image, "axial", z);
    const { slope, intercept, unit } = this.image;
    const value = codes[y * this.facts.planes.axial.columns + x] * slope + intercept;
    this.value.textContent = `${word("value here")}: ${inDecimal(String(Number(value.toPrecision(4))))} ${unit}`.trim();
  }

  // The curve under the mouse; again the newest wins.
  async over(plane, row, column) {
    if (this.kinetics === null || this.state.highest) return;
    const at = row === null ? null : this.indexOf(plane, row, column);
    this.under = at;
    if (at === null) { this.kinetics.show(null, null); return; }
    try {
      const label = this.facts.labels.find((one) => one.name === this.facts.curves.parts);
      const [curve, parts] = await Promise.all([this.source.curve(at), label ? this.source.labels(label, "axial", at[0]) : null]);
      if (this.under !== at) return;
      const part = parts && parts[at[1] * this.facts.planes.axial.columns + at[2]];
      this.kinetics.show(curve, part || null);
    } catch (error) {
      this.onFail(error);
    }
  }
}
