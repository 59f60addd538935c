// A small SVG chart: a frame with axes, lines, bars, and one handle that is dragged by mouse, touch or keyboard.

import { logTicks, niceTicks } from "./numbers.js";

const NS = "http://www.w3.org/2000/svg";
const PAD = { left: 52, right: 12, top: 12, bottom: 44 };

export function svgElement(name, attributes = {}, text = null) {
  const node = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== null) node.textContent = text;
  return node;
}

export class Chart {
  constructor(host, { title, xLabel, yLabel, width = 440, height = 300 }) {
    this.width = width;
    this.height = height;
    this.svg = svgElement("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart", "aria-label": title, role: "group" });
    this.frame = svgElement("g");
    this.back = svgElement("g");
    this.data = svgElement("g");
    this.front = svgElement("g");
    const clip = `clip${Chart.count++}`;
    const region = svgElement("clipPath", { id: clip });
    region.append(svgElement("rect", this.box()));
    for (const layer of [this.back, this.data]) layer.setAttribute("clip-path", `url(#${clip})`);
    this.surface = svgElement("rect", { ...this.box(), class: "surface" });
    this.xTitle = svgElement("text", { x: PAD.left + this.innerWidth / 2, y: height - 8, class: "axis-title" }, xLabel);
    const middle = PAD.top + this.innerHeight / 2;
    this.svg.append(
      region, this.frame, this.surface, this.back, this.data, this.front, this.xTitle,
      svgElement("text", { transform: `translate(14 ${middle}) rotate(-90)`, class: "axis-title" }, yLabel),
    );
    host.replaceChildren(this.svg);
  }

  get innerWidth() { return this.width - PAD.left - PAD.right; }
  get innerHeight() { return this.height - PAD.top - PAD.bottom; }
  box() { return { x: PAD.left, y: PAD.top, width: this.innerWidth, height: this.innerHeight }; }

  // The ranges of both axes, and their ticks.
  // Given ticks are pairs of a place and its text, for axes that are bent before they come here.
  range([x0, x1], [y0, y1], { xText = String, yText = String, logX = false, xTicks = null, yTicks = null } = {}) {
    this.bend = logX ? Math.log10 : (value) => value;
    this.unbend = logX ? (value) => 10 ** value : (value) => value;
    this.xRange = [this.bend(x0), this.bend(x1)];
    this.yRange = [y0, y1];
    this.frame.replaceChildren(svgElement("rect", { ...this.box(), class: "frame" }));
    const across = (logX ? logTicks(x0, x1) : niceTicks(x0, x1)).map((value) => [value, xText(value)]);
    for (const [value, text] of xTicks ?? across) {
      const at = this.px(value);
      this.frame.append(
        svgElement("line", { x1: at, x2: at, y1: PAD.top, y2: this.height - PAD.bottom, class: "grid" }),
        svgElement("text", { x: at, y: this.height - PAD.bottom + 16, class: "tick" }, text),
      );
    }
    for (const [value, text] of yTicks ?? niceTicks(y0, y1).map((one) => [one, yText(one)])) {
      const at = this.py(value);
      this.frame.append(
        svgElement("line", { x1: PAD.left, x2: this.width - PAD.right, y1: at, y2: at, class: "grid" }),
        svgElement("text", { x: PAD.left - 6, y: at + 4, class: "tick end" }, text),
      );
    }
  }

  px(x) { return PAD.left + ((this.bend(x) - this.xRange[0]) / (this.xRange[1] - this.xRange[0])) * this.innerWidth; }
  py(y) { return PAD.top + (1 - (y - this.yRange[0]) / (this.yRange[1] - this.yRange[0])) * this.innerHeight; }
  x(px) { return this.unbend(this.xRange[0] + ((px - PAD.left) / this.innerWidth) * (this.xRange[1] - this.xRange[0])); }
  y(py) { return this.yRange[0] + (1 - (py - PAD.top) / this.innerHeight) * (this.yRange[1] - this.yRange[0]); }

  within(x) { // infinite and very low thresholds stand at the edge
    const [x0, x1] = this.xRange.map(this.unbend);
    return Math.min(Math.max(x, x0), x1);
  }

  path(xs, ys) {
    const parts = [];
    for (let i = 0; i < xs.length; i++) {
      if (xs[i] === null || ys[i] === null) continue;
      parts.push(`${this.px(xs[i]).toFixed(1)},${this.py(ys[i]).toFixed(1)}`);
    }
    return parts.join(" ");
  }

  line(xs, ys, attributes, layer = this.data) {
    const node = svgElement("polyline", { points: this.path(xs, ys), fill: "none", ...attributes });
    layer.append(node);
    return node;
  }

  area(xs, low, high, attributes, layer = this.back) {
    const points = `${this.path(xs, high)} ${this.path([...xs].reverse(), [...low].reverse())}`;
    const node = svgElement("polygon", { points, ...attributes });
    layer.append(node);
    return node;
  }

  clear(...layers) { for (const layer of layers) layer.replaceChildren(); }

  // The handle: "circle" is dragged in both directions, "rule" is an upright line dragged sideways.
  handle(shape, { onMove, onKey, label }) {
    const group = svgElement("g", { class: "handle", tabindex: 0, role: "slider", "aria-label": label });
    if (shape === "circle") {
      group.append(svgElement("circle", { r: 22, class: "reach" }), svgElement("circle", { r: 7, class: "grip" }));
    } else {
      const ends = { y1: PAD.top, y2: this.height - PAD.bottom };
      group.append(svgElement("line", { ...ends, class: "reach" }), svgElement("line", { ...ends, class: "grip" }));
    }
    this.front.append(group);
    this.grip = group;
    const moved = (event) => onMove(...this.pointer(event));
    for (const target of [this.surface, group]) {
      target.addEventListener("pointerdown", (event) => {
        if (event.button !== 0) return;
        target.setPointerCapture(event.pointerId);
        target.dataset.dragged = "yes";
        group.focus({ preventScroll: true });
        moved(event);
        event.preventDefault();
      });
      target.addEventListener("pointermove", (event) => { if (target.dataset.dragged) moved(event); });
      for (const end of ["pointerup", "pointercancel"]) {
        target.addEventListener(end, () => delete target.dataset.dragged);
      }
    }
    group.addEventListener("keydown", (event) => {
      const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 20, PageDown: -20 };
      const step = { ...steps, Home: -Infinity, End: Infinity }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      onKey(step);
    });
  }

  pointer(event) {
    const box = this.svg.getBoundingClientRect();
    const scale = this.width / box.width;
    return [this.x((event.clientX - box.left) * scale), this.y((event.clientY - box.top) * scale)];
  }

  place(x, y) {
    const across = this.px(this.within(x));
    this.grip.setAttribute("transform", `translate(${across.toFixed(2)} ${y === null ? 0 : this.py(y).toFixed(2)})`);
  }

  describe(now, last, text) {
    for (const [key, value] of Object.entries({ valuemin: 0, valuemax: last, valuenow: now, valuetext: text })) {
      this.grip.setAttribute(`aria-${key}`, value);
    }
  }
}
Chart.count = 0;
