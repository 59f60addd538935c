// Cases to learn from, in the order of their scores, and what a curve is made of: steps, pairs, corners of the hull.

// Twenty cases of two classes, in the order of table 1 of Fawcett (2006).
const SCORES = [0.9, 0.8, 0.7, 0.6, 0.55, 0.54, 0.53, 0.52, 0.51, 0.505, 0.4, 0.39, 0.38, 0.37, 0.36, 0.35, 0.34, 0.33, 0.3, 0.1];
const CLASSES = "11011100101010001010";

export const twenty = (decimals = 3) => grouped(SCORES.map((one, at) => [Number(one.toFixed(decimals)), CLASSES[at] === "1"]));

// Cases of one score stand together: { value, p, n }, the most positive first.
function grouped(cases) {
  const groups = new Map();
  for (const [value, positive] of cases) {
    const group = groups.get(value) ?? { value, p: 0, n: 0 };
    group[positive ? "p" : "n"] += 1;
    groups.set(value, group);
  }
  return curveOf([...groups.values()].sort((one, two) => two.value - one.value));
}

// The same of a score of the page, whose vertices hold the counts so far.
export function ofScore({ thresholds, tp, fp }) {
  return curveOf(thresholds.slice(1).map((value, at) => ({ value, p: tp[at + 1] - tp[at], n: fp[at + 1] - fp[at] })));
}

// Everything that the chapters show of these groups; `thresholds[0]` is above all scores.
export function curveOf(groups) {
  const [tp, fp, thresholds] = [[0], [0], [Infinity]];
  for (const { value, p, n } of groups) {
    tp.push(tp.at(-1) + p);
    fp.push(fp.at(-1) + n);
    thresholds.push(value);
  }
  const [nPos, nNeg] = [tp.at(-1), fp.at(-1)];
  return { groups, tp, fp, thresholds, nPos, nNeg, tpr: tp.map((one) => one / nPos), fpr: fp.map((one) => one / nNeg), hull: hullOf(tp, fp) };
}

// Vertices of the upper convex hull: a turn to the left, or none, takes the last one out.
function hullOf(tp, fp) {
  const hull = [];
  for (let at = 0; at < tp.length; at++) {
    while (hull.length > 1) {
      const [a, b] = hull.slice(-2);
      if ((tp[b] - tp[a]) * (fp[at] - fp[a]) > (tp[at] - tp[a]) * (fp[b] - fp[a])) break;
      hull.pop();
    }
    hull.push(at);
  }
  return hull;
}

// Pairs of a positive and a negative case: ranked right, tied, and all.
export function pairsOf({ groups, nPos, nNeg }) {
  let [right, tied, below] = [0, 0, nNeg];
  for (const { p, n } of groups) {
    below -= n;
    right += p * below;
    tied += p * n;
  }
  return { right, tied, all: nPos * nNeg, area: (right + tied / 2) / (nPos * nNeg) };
}

// Points of the curve that passes tied cases with the positive ones first, last, or straight.
export function crossing({ groups, nPos, nNeg }, how) {
  const points = [{ x: 0, y: 0 }];
  for (const { p, n } of groups) {
    const { x, y } = points.at(-1);
    if (p && n && how === "best") points.push({ x, y: y + p / nPos });
    if (p && n && how === "worst") points.push({ x: x + n / nNeg, y });
    points.push({ x: x + n / nNeg, y: y + p / nPos });
  }
  return points;
}

export const areaUnder = (points) => points.slice(1).reduce((sum, one, at) => sum + ((one.x - points[at].x) * (one.y + points[at].y)) / 2, 0);
