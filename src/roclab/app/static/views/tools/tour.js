// How a ROC curve comes about, chapter by chapter, on twenty cases or on the score that is open.

import { cheapest, equalCostSlope } from "/report/decision.js";
import { lineChart } from "../../charts/lines.js";
import { measured, share, short } from "../../digits.js";
import { checkbox, fill, h, select } from "../../dom.js";
import { button, choice } from "../../parts.js";
import { t } from "../../text.js";
import { areaUnder, crossing, ofScore, pairsOf, twenty } from "./teaching_cases.js";

const MOST_TILES = 60;
const MOST_STEPS = 400; // of a score of the page: more are not walked one by one

export function build(view) { return new Tour(view).node; }

class Tour {
  constructor(view) {
    this.app = view.app;
    this.chapter = "threshold";
    this.rounded = false;
    this.score = "";
    this.conditions = { prevalence: 0.5, costFp: 1, costFn: 1 };
    this.words = h("div.tour-words", { id: "tour-words", "aria-live": "polite" });
    this.tiles = h("div.tiles", { role: "img" });
    this.counts = h("p", { id: "tour-counts" });
    this.controls = h("div.row.fields-line");
    this.slider = h("input", { type: "range", id: "tour-at", min: 0, step: 1, "aria-label": t("Threshold"), oninput: () => { this.at = Number(this.slider.value); this.paint(); } });
    this.chart = lineChart(() => this.figure(), { over: null });
    this.chapters = h("div", {});
    this.node = h("div.cols", {}, this.chapters, this.words, h("div.cols.half.keep", {}, this.chart, h("div.cols", {}, this.controls, h("label.field", { id: "tour-slider" }, h("span", {}, t("Threshold")), this.slider), this.tiles, this.counts)), this.pages());
    this.load();
  }

  get list() { return Object.keys(CHAPTERS); }

  pages() {
    const go = (step) => () => { const at = this.list.indexOf(this.chapter) + step; if (at >= 0 && at < this.list.length) this.open(this.list[at]); };
    return h("div.row", {}, button(t("Back"), go(-1), { id: "tour-back" }), button(t("Next"), go(1), { kind: "main", id: "tour-next" }));
  }

  load() {
    const score = this.app.store?.scores.find((one) => one.name === this.score);
    this.curve = score ? ofScore(score) : twenty(this.rounded ? 1 : 3);
    this.at = Math.min(this.at ?? 6, this.curve.groups.length);
    this.slider.max = this.curve.groups.length;
    this.open(this.chapter);
  }

  open(chapter) {
    this.chapter = chapter;
    fill(this.chapters, choice(t("Chapters"), Object.entries(CHAPTERS).map(([name, [title]], at) => [name, `${at + 1} ${t(title)}`]), chapter, (name) => this.open(name), { id: "tour-chapters" }));
    const scores = (this.app.store?.scores ?? []).filter((one) => one.thresholds.length <= MOST_STEPS + 1);
    const slide = (name, words, ends) => { const [low, high] = ends; const box = h("input", { type: "range", id: `tour-${name}`, min: low, max: high, step: 0.01, value: name === "prevalence" ? this.conditions.prevalence : Math.log10(this.conditions.costFn), oninput: () => { if (name === "prevalence") this.conditions.prevalence = Number(box.value); else this.conditions.costFn = 10 ** Number(box.value); this.paint(); } }); return h("label.field", {}, h("span", {}, t(words)), box); };
    fill(this.controls, scores.length ? select(t("Cases"), [["", t("twenty cases of a textbook")], ...scores.map((one) => [one.name, one.name])], this.score, (value) => { this.score = value; this.at = undefined; this.load(); }, { id: "tour-cases" }) : null,
      chapter === "ties" && this.score === "" ? checkbox(t("round the scores, so that some are tied"), this.rounded, (on) => { this.rounded = on; this.load(); }, { id: "tour-round" }) : null,
      chapter === "costs" ? [slide("prevalence", "Prevalence", [0.01, 0.99]), slide("cost", "Cost of a missed case", [-2, 2])] : null);
    document.getElementById("tour-slider")?.toggleAttribute("hidden", !["threshold", "walk"].includes(chapter));
    this.paint();
  }

  paint() {
    const { curve, at } = this;
    const { tp, fp, nPos, nNeg, thresholds } = curve;
    this.slider.value = at;
    this.slider.setAttribute("aria-valuetext", at === 0 ? t("above all scores") : measured(thresholds[at]));
    fill(this.words, h("p.big-answer", {}, CHAPTERS[this.chapter][1](this)));
    const called = { threshold: at, walk: at, costs: cheapest(curve, this.conditions) }[this.chapter] ?? 0;
    const few = nPos + nNeg <= MOST_TILES;
    fill(this.tiles, few ? curve.groups.flatMap(({ value, p, n }, group) => [...Array(p).fill("pos"), ...Array(n).fill("neg")].map((kind) => h(`span.tile.${kind}${group < called ? ".called" : ""}`, { title: measured(value) }, kind === "pos" ? "+" : "−"))) : []);
    this.tiles.setAttribute("aria-label", t("{pos} positive and {neg} negative cases in the order of their scores", { pos: nPos, neg: nNeg }));
    this.counts.dataset.exact = `${tp[at]} ${fp[at]}`;
    this.counts.textContent = ["threshold", "walk"].includes(this.chapter) ? t("{tp} of {pos} positive cases found, {fp} of {neg} negative ones falsely: sensitivity {tpr}, false positive rate {fpr}", { tp: tp[at], pos: nPos, fp: fp[at], neg: nNeg, tpr: share(tp[at] / nPos), fpr: share(fp[at] / nNeg) }) : "";
    this.chart.repaint();
  }

  figure() {
    const { curve, at } = this;
    const all = curve.tpr.map((y, i) => ({ x: curve.fpr[i], y }));
    const base = { titles: [t("1 − specificity"), t("Sensitivity")], chance: [[0, 1], [0, 1]], label: t("ROC curve"), max: 560, ratio: 0.9 };
    const here = { x: curve.fpr[at], y: curve.tpr[at], colour: 0 };
    const whole = { colour: 0, pts: crossing(curve, "straight"), place: 0 };
    return { ...base, ...CHAPTERS[this.chapter][2]({ ...this, curve, all, here, whole }) };
  }
}

// Of each chapter: its title, what is said, and what the chart draws.
const CHAPTERS = {
  threshold: ["Threshold", ({ curve, at }) => (at === 0 ? t("A threshold above all scores classifies no case as positive: the point lies at the lower left. Move the threshold down.") : t("All cases from {value} up are classified as positive. Every threshold is one point: how many positive cases are found, against how many negative ones are taken falsely.", { value: measured(curve.thresholds[at]) })),
    ({ all, here }) => ({ lines: [], marks: [...all.map((one) => ({ ...one, shape: "diamond" })), here] })],
  walk: ["Walk", ({ curve, at }) => stepWords(curve, at), ({ curve, at, all, here }) => ({ lines: [{ colour: 0, pts: crossing({ ...curve, groups: curve.groups.slice(0, at) }, "straight"), place: 0 }], marks: [...all.slice(at + 1).map((one) => ({ ...one, shape: "diamond" })), here] })],
  ties: ["Ties", ({ curve }) => {
    const [best, straight, worst] = ["best", "straight", "worst"].map((how) => short(areaUnder(crossing(curve, how)), 3));
    return curve.groups.some(({ p, n }) => p && n) ? t("Where a positive and a negative case share a score, their order is unknown. Positive ones first gives an area of {best}, last {worst}; the straight line between them, {straight}, counts each tied pair one half and does not depend on the order of the rows.", { best, straight, worst }) : t("No positive and negative case share a score, so all three curves are the same. Round the scores to see what ties do.");
  }, ({ curve, whole }) => ({ lines: [whole, { colour: 2, pts: crossing(curve, "best"), kind: "series thin" }, { colour: 3, pts: crossing(curve, "worst"), kind: "series thin" }], bands: ties(curve) })],
  area: ["Area", ({ curve }) => { const { right, tied, all, area } = pairsOf(curve); return t("Take any positive and any negative case: of {all} such pairs {right} are ranked right and {tied} are tied. ({right} + {tied} / 2) / {all} = {area} is the area under the curve.", { right, tied, all, area: short(area, 3) }); },
    ({ whole }) => ({ lines: [whole], bands: [{ colour: 0, x: whole.pts.map((one) => one.x), low: whole.pts.map(() => 0), high: whole.pts.map((one) => one.y) }] })],
  hull: ["Hull", ({ curve }) => t("A string pulled tight over the curve is its convex hull. Only its {n} corners can be the best threshold, whatever errors cost and however common the positive class is.", { n: curve.hull.length }),
    ({ curve, whole, all }) => ({ lines: [whole, { colour: 1, pts: curve.hull.map((one) => all[one]), kind: "series" }], marks: curve.hull.map((one) => ({ ...all[one], colour: 1 })) })],
  costs: ["Costs", ({ curve, conditions }) => {
    const best = cheapest(curve, conditions);
    return t("Where {share} are positive and a miss costs as much as {cost} false alarms, all points on a line of slope {slope} cost the same. The highest such line touches the hull at the best threshold: {threshold}.", { share: share(conditions.prevalence), cost: short(conditions.costFn), slope: short(equalCostSlope(conditions)), threshold: best === 0 ? t("above all scores") : measured(curve.thresholds[best]) });
  }, ({ curve, conditions, whole, all }) => {
    const best = all[cheapest(curve, conditions)];
    const slope = equalCostSlope(conditions);
    const far = Math.min(2, 2 / slope);
    return { lines: [whole, { colour: 1, pts: curve.hull.map((one) => all[one]), kind: "hull" }, { colour: 1, pts: [{ x: best.x - far, y: best.y - far * slope }, { x: best.x + far, y: best.y + far * slope }], kind: "iso" }], marks: [{ ...best, colour: 1 }] };
  }],
};

function stepWords({ groups, nPos, nNeg }, at) {
  if (at === 0) return t("Begin at the lower left and take the cases one by one, the highest score first.");
  const { p, n, value } = groups[at - 1];
  const values = { value: measured(value), p, n, pos: nPos, neg: nNeg };
  if (p && n) return t("Score {value}: {p} positive and {n} negative cases are tied, and the curve goes slantwise, up by {p}/{pos} and right by {n}/{neg}.", values);
  return p ? t("Score {value}: {p} positive, and the curve goes up by {p}/{pos}.", values) : t("Score {value}: {n} negative, and the curve goes right by {n}/{neg}.", values);
}

// The triangles between the most and the least favourable order.
function ties(curve) {
  const bands = [];
  curve.groups.forEach(({ p, n }, at) => {
    if (p && n) bands.push({ colour: 3, x: [curve.fpr[at], curve.fpr[at + 1]], low: [curve.tpr[at], curve.tpr[at]], high: [curve.tpr[at + 1], curve.tpr[at + 1]] });
  });
  return bands;
}
