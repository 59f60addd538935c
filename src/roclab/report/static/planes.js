// One plane of a scan on a canvas: codes drawn through a window, colours over them, outlines, marks, a cross.

import { channels } from "./colours.js";
import { h } from "./elements.js";

const PRESSED = 5; // pixels that a press may move and still be one
const STEPS = { ArrowUp: 1, ArrowDown: -1, ArrowRight: 1, ArrowLeft: -1, PageUp: 10, PageDown: -10, Home: -1e6, End: 1e6 };

export class SlicePane {
  // `onPoint(row, column, pressed)` hears a drag and a press, `onTurn(steps)` a wheel or arrow keys, `onOver(row, column)` a
  // pointer that moves, and null when it leaves.
  constructor(plane, facts, { label, onPoint, onTurn, onOver }) {
    this.plane = plane;
    this.facts = facts;
    this.canvas = h("canvas", { tabindex: 0, role: "img", "aria-label": label, dataset: { plane } });
    this.caption = h("span.quiet", { dataset: { slice: plane } });
    this.node = h("figure.plane", {}, this.canvas, h("figcaption", {}, label, " ", this.caption));
    this.raw = document.createElement("canvas");
    [this.raw.width, this.raw.height] = [facts.columns, facts.rows];
    this.context = this.raw.getContext("2d");
    this.image = this.context.createImageData(facts.columns, facts.rows);
    this.listen(onPoint, onTurn, onOver);
    new ResizeObserver(() => this.draw()).observe(this.node);
  }

  listen(onPoint, onTurn, onOver) {
    const { canvas, facts } = this;
    const place = (event) => {
      const box = canvas.getBoundingClientRect();
      const [row, column] = [((event.clientY - box.top) / box.height) * facts.rows, ((event.clientX - box.left) / box.width) * facts.columns];
      return [Math.min(Math.max(Math.floor(row), 0), facts.rows - 1), Math.min(Math.max(Math.floor(column), 0), facts.columns - 1)];
    };
    let from = null;
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      canvas.setPointerCapture(event.pointerId);
      from = [event.clientX, event.clientY];
      onPoint(...place(event), false);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (event.buttons === 1) onPoint(...place(event), false);
      onOver(...place(event));
    });
    canvas.addEventListener("pointerup", (event) => {
      if (from !== null && Math.hypot(event.clientX - from[0], event.clientY - from[1]) < PRESSED) onPoint(...place(event), true);
      from = null;
    });
    canvas.addEventListener("pointerleave", () => onOver(null, null));
    canvas.addEventListener("wheel", (event) => { event.preventDefault(); onTurn(Math.sign(event.deltaY)); }, { passive: false });
    canvas.addEventListener("keydown", (event) => {
      if (!(event.key in STEPS)) return;
      event.preventDefault();
      onTurn(STEPS[event.key]);
    });
  }

  // Codes of a slice through a table of greys; `over` are { codes, colours, opacity }, `filled` { codes, colourOf, opacity }
  // and `outlines` { codes, colourOf }, whose codes are labels and whose colours are null for what is not drawn.
  show(codes, greys, { over = null, filled = [], outlines = [] } = {}) {
    const { data } = this.image;
    for (let at = 0; at < codes.length; at++) {
      const grey = greys[codes[at] + 32768];
      data[4 * at] = grey;
      data[4 * at + 1] = grey;
      data[4 * at + 2] = grey;
      data[4 * at + 3] = 255;
    }
    if (over !== null) {
      for (let at = 0; at < over.codes.length; at++) {
        const from = 4 * (over.codes[at] + 32768);
        this.mix(at, over.colours[from], over.colours[from + 1], over.colours[from + 2], (over.opacity * over.colours[from + 3]) / 255);
      }
    }
    for (const one of filled) this.paint(one, () => one.opacity);
    for (const one of outlines) this.paint(one, (at) => (this.edge(one.codes, at) ? 1 : 0));
    this.context.putImageData(this.image, 0, 0);
    this.draw();
  }

  paint({ codes, colourOf }, opacityAt) {
    const known = new Map();
    for (let at = 0; at < codes.length; at++) {
      const number = codes[at];
      if (number === 0) continue;
      if (!known.has(number)) {
        const colour = colourOf(number);
        known.set(number, colour === null ? null : channels(colour));
      }
      const colour = known.get(number);
      if (colour === null) continue;
      const opacity = opacityAt(at);
      if (opacity > 0) this.mix(at, ...colour, opacity);
    }
  }

  mix(at, red, green, blue, opacity) {
    const { data } = this.image;
    data[4 * at] += opacity * (red - data[4 * at]);
    data[4 * at + 1] += opacity * (green - data[4 * at + 1]);
    data[4 * at + 2] += opacity * (blue - data[4 * at + 2]);
  }

  // Does a voxel touch another label? The end of a slice is none.
  edge(codes, at) {
    const { rows, columns } = this.facts;
    const column = at % columns;
    const own = codes[at];
    return (column > 0 && codes[at - 1] !== own) || (column < columns - 1 && codes[at + 1] !== own) || (at >= columns && codes[at - columns] !== own) || (at < (rows - 1) * columns && codes[at + columns] !== own);
  }

  // What lies over the slice: the cross at (row, column), circles { row, column, radius in mm, chosen }.
  over(cross, circles) {
    this.cross = cross;
    this.circles = circles;
    this.draw();
  }

  // The circle at a place, the nearest of several.
  circleAt(row, column) {
    const { down, across } = this.facts;
    const apart = (one) => Math.hypot((one.row - row) * down, (one.column - column) * across);
    return (this.circles ?? []).filter((one) => apart(one) <= Math.max(one.radius, 3) + 2).sort((a, b) => apart(a) - apart(b))[0] ?? null;
  }

  draw() {
    const { canvas, facts, raw } = this;
    const wide = Math.floor(this.node.clientWidth);
    if (wide < 20) return;
    const tall = Math.round((wide * facts.rows * facts.down) / (facts.columns * facts.across));
    const dots = window.devicePixelRatio || 1;
    [canvas.width, canvas.height] = [wide * dots, tall * dots];
    canvas.style.height = `${tall}px`;
    const pen = canvas.getContext("2d");
    pen.imageSmoothingQuality = "high";
    pen.drawImage(raw, 0, 0, canvas.width, canvas.height);
    pen.scale(dots, dots);
    const [x, y] = [(column) => ((column + 0.5) * wide) / facts.columns, (row) => ((row + 0.5) * tall) / facts.rows];
    if (this.cross) {
      pen.strokeStyle = "rgba(255, 220, 80, 0.45)";
      pen.beginPath();
      pen.moveTo(x(this.cross[1]), 0);
      pen.lineTo(x(this.cross[1]), tall);
      pen.moveTo(0, y(this.cross[0]));
      pen.lineTo(wide, y(this.cross[0]));
      pen.stroke();
    }
    for (const { row, column, radius, chosen } of this.circles ?? []) {
      pen.strokeStyle = chosen ? "#ffdc50" : "#ff8a3c";
      pen.lineWidth = chosen ? 3 : 2;
      pen.beginPath();
      pen.arc(x(column), y(row), Math.max(7, (radius * wide) / (facts.columns * facts.across) + 3), 0, 7);
      pen.stroke();
    }
    this.letters(pen, wide, tall);
  }

  letters(pen, wide, tall) {
    const [left, right, up, down] = this.facts.letters ?? "";
    pen.font = "600 13px sans-serif";
    pen.lineWidth = 3;
    pen.strokeStyle = "rgba(0, 0, 0, 0.75)";
    pen.lineJoin = "round";
    pen.fillStyle = "#ffd43b";
    for (const [letter, px, py, align] of [[left, 6, tall / 2, "left"], [right, wide - 6, tall / 2, "right"], [up, wide / 2, 14, "center"], [down, wide / 2, tall - 6, "center"]]) {
      if (!letter) continue;
      pen.textAlign = align;
      pen.strokeText(letter, px, py);
      pen.fillText(letter, px, py);
    }
  }
}
