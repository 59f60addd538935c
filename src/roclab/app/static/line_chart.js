// A chart of any curves: lines with their ink, bands, marks, and a part of the axis that is chosen by dragging.

import { Chart, svgElement } from "/report/chart.js";
import { inDecimal } from "/report/decimal.js";
import { formatThreshold } from "/report/numbers.js";
import { niceTicks } from "/report/numbers.js";

const text = (value) => inDecimal(formatThreshold(value));

export class LineChart {
  constructor(host, { title, xLabel, yLabel, onRegion = null, width = 640, height = 520 }) {
    this.chart = new Chart(host, { title, xLabel, yLabel, width, height });
    this.chart.svg.setAttribute("role", "img");
    if (onRegion) this.dragRegion(onRegion);
  }

  draw({ lines, x = [0, 1], y = [0, 1], chance = null, bands = [], marks = [], scale = null }) {
    const { chart } = this;
    const ticks = scale === null ? {} : { xTicks: scale.ticks.filter(inside(x)), yTicks: scale.ticks.filter(inside(y)) };
    chart.range(x, y, { xText: text, yText: text, ...ticks });
    chart.clear(chart.back, chart.data, chart.front);
    for (const band of bands) chart.area(band.x, band.low, band.high, { fill: `var(--c${band.colour})`, class: "band" });
    if (chance) chart.line(chance[0], chance[1], { class: "chance" }, chart.back);
    for (const line of lines) {
      chart.line(line.x, line.y, {
        stroke: `var(--c${line.colour})`, "stroke-dasharray": line.dash || "none", class: line.kind ?? "curve", "data-curve": line.place ?? "",
      });
    }
    for (const mark of marks) this.mark(mark);
  }

  mark({ x, y, shape = "circle", title = "", colour = null }) {
    const { chart } = this;
    if (x === null || y === null || x < chart.xRange[0] || x > chart.xRange[1]) return;
    const [across, up] = [chart.px(x), chart.py(y)];
    const fill = colour === null ? "var(--ink)" : `var(--c${colour})`;
    const node = shape === "circle"
      ? svgElement("circle", { cx: across, cy: up, r: 6, fill, stroke: "var(--paper)", "stroke-width": 2, class: "mark" })
      : svgElement("path", { d: `M${across} ${up - 6}l6 6l-6 6l-6 -6z`, fill: "var(--paper)", stroke: fill, class: "mark" });
    if (title) node.append(svgElement("title", {}, title));
    chart.front.append(node);
  }

  // Drag across the chart: the range between start and end; a click without a drag is left alone.
  dragRegion(onRegion) {
    const { chart } = this;
    let from = null;
    const shade = svgElement("rect", { class: "region", y: chart.box().y, height: chart.box().height, width: 0 });
    chart.surface.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      [from] = chart.pointer(event);
      chart.surface.setPointerCapture(event.pointerId);
      chart.front.append(shade);
    });
    chart.surface.addEventListener("pointermove", (event) => {
      if (from === null) return;
      const [a, b] = [from, chart.pointer(event)[0]].map((one) => chart.px(chart.within(one))).sort((one, two) => one - two);
      shade.setAttribute("x", a);
      shade.setAttribute("width", b - a);
    });
    for (const end of ["pointerup", "pointercancel"]) {
      chart.surface.addEventListener(end, (event) => {
        if (from === null) return;
        const [a, b] = [chart.within(from), chart.within(chart.pointer(event)[0])].sort((one, two) => one - two);
        from = null;
        shade.remove();
        shade.setAttribute("width", 0);
        const share = (b - a) / (chart.xRange[1] - chart.xRange[0]);
        if (end === "pointerup" && share > 0.02) onRegion([Number(a.toFixed(3)), Number(b.toFixed(3))]);
      });
    }
  }
}

const inside = ([low, high]) => ([place]) => place >= low && place <= high;

// Values with intervals, one line each: [{ name, value, low, high }].
export function forestChart(host, rows, { title, at = null }) {
  const line = 26;
  const [width, left] = [720, 240];
  const height = rows.length * line + 50;
  const ends = rows.flatMap((row) => [row.low, row.high, row.value]).filter((one) => typeof one === "number");
  if (at !== null) ends.push(at);
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  const pad = (most - least || 1) * 0.06;
  const [low, high] = [least - pad, most + pad];
  const px = (value) => left + ((value - low) / (high - low)) * (width - left - 20);
  const svg = svgElement("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart forest", role: "img", "aria-label": title });
  for (const value of niceTicks(low, high)) {
    svg.append(svgElement("line", { x1: px(value), x2: px(value), y1: 8, y2: height - 34, class: "grid" }),
      svgElement("text", { x: px(value), y: height - 16, class: "tick" }, text(value)));
  }
  if (at !== null) svg.append(svgElement("line", { x1: px(at), x2: px(at), y1: 8, y2: height - 34, class: "iso" }));
  rows.forEach((row, place) => {
    const y = 8 + line * (place + 0.5);
    const name = row.name.length > 34 ? `${row.name.slice(0, 33)}…` : row.name;
    svg.append(svgElement("text", { x: left - 10, y: y + 4, class: "forest-name" }, name));
    if (typeof row.value !== "number") return;
    svg.append(svgElement("line", { x1: px(row.low), x2: px(row.high), y1: y, y2: y, class: "forest-line" }),
      svgElement("rect", { x: px(row.value) - 4, y: y - 4, width: 8, height: 8, class: "forest-mark" }));
  });
  host.replaceChildren(svg);
  return svg;
}
