// The kinetic curve of the voxel or part under the mouse, with the means of lesions and of normal tissue.

import { Chart } from "./chart.js";
import { inDecimal } from "./decimal.js";
import { fill, h } from "./elements.js";
import { word } from "./words.js";

const MEANS = ["curve-lesion", "curve-normal"];
const TIMES = 150; // seconds after arrival: the initial rise

export class KineticPanel {
  // `words` say what a part with a curve of its own is called.
  constructor(facts, words) {
    this.facts = facts;
    this.words = words;
    this.chart = h("div", {});
    this.key = h("ul.kinetic-key", {});
    this.node = h("figure.kinetics", { "aria-label": word("Kinetic curves") }, this.chart, this.key);
    this.top = 0;
    this.show(null, null);
  }

  // Curves of a voxel and of the part it lies in, a number of the labels that have curves; null for none.
  show(voxel, part) {
    const { seconds, means, of_parts: parts } = this.facts;
    const own = part === null ? null : parts[part] ?? null;
    const every = [...Object.values(means), voxel ?? [], own ?? []].flat();
    const [low, high] = [Math.min(0, ...every), Math.max(0.5, this.top, ...every)];
    this.top = high;
    const drawn = new Chart(this.chart, { title: word("Kinetic curves"), xLabel: word("seconds after arrival"), yLabel: word("relative enhancement"), height: 260 });
    drawn.range([0, seconds[seconds.length - 1]], [low, high * 1.05]);
    const xs = [0, ...seconds];
    if (xs[xs.length - 1] > TIMES) drawn.line([TIMES, TIMES], [low, high * 1.05], { class: "phase" }, drawn.back);
    const lines = Object.entries(means).map(([name, values], at) => [word(name), values, MEANS[at % MEANS.length]]);
    if (own !== null) lines.push([this.words[part] ?? String(part), own, "curve-part"]);
    if (voxel !== null) lines.push([word("voxel"), voxel, "curve-voxel"]);
    for (const [, values, kind] of lines) drawn.line(xs, [0, ...values], { class: `curve ${kind}` });
    fill(this.key, lines.map(([name, values, kind]) => h("li", {}, h(`i.${kind}`, { "aria-hidden": "true" }), `${name}: `, h("span", {}, `${word("highest")} ${inDecimal(Math.max(...values).toFixed(2))}`))), voxel === null ? h("li.quiet", {}, word("Move over a picture to see the curve of a voxel.")) : null);
  }
}
