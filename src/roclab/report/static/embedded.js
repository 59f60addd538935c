// Images inside a page of one file: blocks of deflated codes, cut into slices as the server would.

export class EmbeddedSource {
  // `blocks` are codes by name, Int16Array or Uint16Array of whole volumes or of stacks of them.
  constructor(facts, blocks) {
    this.facts = facts;
    this.blocks = blocks;
    const { planes } = facts;
    this.size = [planes.axial.slices, planes.axial.rows, planes.axial.columns];
    this.kept = new Map();
  }

  slice(image, plane, at) { return this.cut(image, plane, at); }
  labels(label, plane, at) { return this.cut(label, plane, at); }

  cut({ block, frame }, plane, at) {
    const codes = this.blocks[block];
    const [z, y, x] = this.size;
    const first = (frame ?? 0) * z * y * x;
    if (plane === "axial") return codes.subarray(first + at * y * x, first + (at + 1) * y * x);
    const found = new codes.constructor(z * (plane === "coronal" ? x : y));
    let to = 0;
    for (let row = z - 1; row >= 0; row--) { // heads are up
      const from = first + row * y * x;
      if (plane === "coronal") {
        found.set(codes.subarray(from + at * x, from + (at + 1) * x), to);
        to += x;
      } else {
        for (let line = 0; line < y; line++) found[to++] = codes[from + line * x + at];
      }
    }
    return found;
  }

  // The highest code along the lines of sight of a plane.
  highest(image, plane) {
    const name = `${image.name} ${plane}`;
    if (!this.kept.has(name)) {
      const many = this.facts.planes[plane].slices;
      const found = Int16Array.from(this.cut(image, plane, 0));
      for (let at = 1; at < many; at++) {
        const next = this.cut(image, plane, at);
        for (let voxel = 0; voxel < found.length; voxel++) if (next[voxel] > found[voxel]) found[voxel] = next[voxel];
      }
      this.kept.set(name, found);
    }
    return this.kept.get(name);
  }

  // Relative enhancement of a voxel.
  curve([z, y, x]) {
    const { block, slope, seconds } = this.facts.curves;
    const [planes, rows, columns] = this.size;
    const at = (z * rows + y) * columns + x;
    return seconds.map((_, frame) => this.blocks[block][frame * planes * rows * columns + at] * slope);
  }
}

// The blocks of a page: elements whose text is base64 of deflated codes, "signed" or not.
export async function embeddedSource(facts, elements) {
  const blocks = {};
  for (const element of elements) {
    const packed = Uint8Array.from(window.atob(element.textContent.trim()), (one) => one.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new window.DecompressionStream("deflate"));
    const bytes = await new window.Response(stream).arrayBuffer();
    const signed = facts.images.some((one) => one.block === element.dataset.block);
    blocks[element.dataset.block] = signed ? new Int16Array(bytes) : new Uint16Array(bytes);
    element.remove(); // the text is not needed any more
  }
  return new EmbeddedSource(facts, blocks);
}
