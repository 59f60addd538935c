// One plane of a scan on a canvas: 16-bit codes drawn through a window, outlines of a mask, marks, a cross.

import { h } from "../dom.js";

export class SlicePane {
  // `onPoint(row, column)` hears a press or a drag, `onTurn(steps)` a wheel or arrow keys.
  constructor(plane, facts, { label, onPoint, onTurn }) {
    this.plane = plane;
    this.facts = facts;
    this.canvas = h("canvas", { tabindex: 0, role: "img", "aria-label": label, dataset: { plane } });
    this.caption = h("span.quiet", { dataset: { slice: plane } });
    this.node = h("figure.slice", {}, this.canvas, h("figcaption", {}, label, " ", this.caption));
    this.raw = document.createElement("canvas");
    [this.raw.width, this.raw.height] = [facts.columns, facts.rows];
    this.context = this.raw.getContext("2d");
    this.image = this.context.createImageData(facts.columns, facts.rows);
    this.listen(onPoint, onTurn);
    new ResizeObserver(() => this.draw()).observe(this.node);
  }

  listen(onPoint, onTurn) {
    const { canvas, facts } = this;
    const told = (event) => {
      const box = canvas.getBoundingClientRect();
      onPoint(Math.floor(((event.clientY - box.top) / box.height) * facts.rows), Math.floor(((event.clientX - box.left) / box.width) * facts.columns));
    };
    canvas.addEventListener("pointerdown", (event) => { if (event.button === 0) { canvas.setPointerCapture(event.pointerId); told(event); } });
    canvas.addEventListener("pointermove", (event) => { if (event.buttons === 1) told(event); });
    canvas.addEventListener("wheel", (event) => { event.preventDefault(); onTurn(Math.sign(event.deltaY)); }, { passive: false });
    canvas.addEventListener("keydown", (event) => {
      const steps = { ArrowUp: 1, ArrowDown: -1, ArrowRight: 1, ArrowLeft: -1, PageUp: 10, PageDown: -10, Home: -1e6, End: 1e6 }[event.key];
      if (steps === undefined) return;
      event.preventDefault();
      onTurn(steps);
    });
  }

  // Codes of a slice, seen through a table of 65536 greys; `mask` is a byte a voxel, or null.
  show(codes, greys, mask) {
    const { data } = this.image;
    const { rows, columns } = this.facts;
    for (let at = 0; at < codes.length; at++) {
      const grey = greys[codes[at] + 32768];
      data[4 * at] = grey;
      data[4 * at + 1] = grey;
      data[4 * at + 2] = grey;
      data[4 * at + 3] = 255;
    }
    if (mask) {
      for (let at = 0; at < mask.length; at++) {
        const column = at % columns;
        const edge = mask[at] && (column === 0 || column === columns - 1 || at < columns || at >= (rows - 1) * columns || !mask[at - 1] || !mask[at + 1] || !mask[at - columns] || !mask[at + columns]);
        if (edge) data.set([70, 200, 255, 255], 4 * at);
      }
    }
    this.context.putImageData(this.image, 0, 0);
    this.draw();
  }

  // What lies over the slice: the cross at (row, column), circles { row, column, radius, chosen } in voxels, letters of the sides.
  over(cross, circles) {
    this.cross = cross;
    this.circles = circles;
    this.draw();
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
    pen.drawImage(raw, 0, 0, canvas.width, canvas.height);
    pen.scale(dots, dots);
    const [x, y] = [(column) => ((column + 0.5) * wide) / facts.columns, (row) => ((row + 0.5) * tall) / facts.rows];
    if (this.cross) {
      pen.strokeStyle = "rgba(255, 220, 80, 0.55)";
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
    pen.font = "600 13px sans-serif";
    pen.fillStyle = "rgba(255, 255, 255, 0.85)";
    const [left, right, up, down] = facts.letters ?? "";
    const said = [[left, 6, tall / 2, "left"], [right, wide - 6, tall / 2, "right"], [up, wide / 2, 14, "center"], [down, wide / 2, tall - 6, "center"]];
    for (const [letter, px, py, align] of said) {
      if (!letter) continue;
      pen.textAlign = align;
      pen.fillText(letter, px, py);
    }
  }
}

// Greys of all codes through a window of values.
export function greysOf([low, high], { slope, intercept }) {
  const greys = new Uint8ClampedArray(65536);
  const span = high - low || 1;
  for (let code = -32768; code < 32768; code++) greys[code + 32768] = ((code * slope + intercept - low) / span) * 255;
  return greys;
}
