// Figures for a paper: drawn again in ink on white at the width of one column or two, with title, axes and a legend.

import { h, svg } from "../dom.js";
import { save } from "../files.js";
import { drawLines } from "./lines.js";

export const WIDTHS = { 85: 321, 175: 661 }; // millimetres, and pixels of 1/96 inch
const DOTS = 300 / 96; // of a PNG, for 300 dots an inch
const STYLED = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "stroke-opacity", "opacity", "font-size", "font-family", "font-weight", "text-anchor"];

// The figure as a drawing of its own; `legend` are lines { colour, dash, text }.
export function figureFile(figure, { title, legend = [], width = 175 }) {
  const across = WIDTHS[width];
  const { root, frame } = drawLines({ ...figure, max: across }, across, { names: false });
  const step = 18;
  const columns = across > 500 && legend.length > 2 ? 2 : 1;
  const below = Math.ceil(legend.length / columns) * step + (legend.length ? 12 : 0);
  const top = title ? 24 : 0;
  const whole = svg("svg", { width: `${width}mm`, height: `${((frame.height + top + below) * width) / across}mm`, viewBox: `0 0 ${across} ${frame.height + top + below}` });
  whole.append(svg("rect", { class: "export-paper", x: 0, y: 0, width: across, height: frame.height + top + below }));
  if (title) whole.append(svg("text", { class: "export-title", x: 0, y: 16 }, title));
  const place = svg("g", { transform: `translate(0 ${top})` });
  place.append(...root.childNodes);
  whole.append(place);
  legend.forEach((one, at) => {
    const [column, row] = [at % columns, Math.floor(at / columns)];
    const [x, y] = [frame.m.l + (column * (across - frame.m.l)) / columns, top + frame.height + 14 + row * step];
    whole.append(svg("line", { class: `series k${one.colour}${one.dash}`, x1: x, x2: x + 22, y1: y - 4, y2: y - 4 }), svg("text", { class: "export-legend", x: x + 28, y }, one.text));
  });
  return styledText(whole);
}

// Styles of the page, for light ground, are written into the drawing.
function styledText(drawing) {
  const host = h("div.plot.for-paper", { "aria-hidden": "true" });
  host.append(drawing);
  document.body.append(host);
  for (const node of [drawing, ...drawing.querySelectorAll("*")]) {
    const style = window.getComputedStyle(node);
    const drawn = ["line", "path", "rect", "circle", "text", "tspan"].includes(node.tagName);
    for (const name of drawn ? STYLED : []) {
      if (node.tagName === "text" && name.startsWith("stroke")) continue; // no halo in print
      node.setAttribute(name, style.getPropertyValue(name));
    }
  }
  for (const node of drawing.querySelectorAll("*")) node.removeAttribute("class");
  drawing.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  host.remove();
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(drawing)}\n`;
}

export const saveSvg = (text, name) => save(`${name}.svg`, text, "image/svg+xml");

export async function savePng(text, name, width) {
  const image = new Image();
  const url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  await new Promise((done, failed) => { image.onload = done; image.onerror = failed; image.src = url; });
  const canvas = document.createElement("canvas");
  const across = WIDTHS[width];
  canvas.width = Math.round(across * DOTS);
  canvas.height = Math.round((canvas.width * image.height) / image.width);
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(url);
  save(`${name}.png`, await new Promise((done) => { canvas.toBlob(done, "image/png"); }), "image/png");
}
