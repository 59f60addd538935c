// What a threshold does: counts, rates, predictive values and costs. Undefined ratios are null.

const ratio = (a, b) => (b > 0 ? a / b : null);

export function matrixAt(score, at) {
  const tp = score.tp[at];
  const fp = score.fp[at];
  return { tp, fp, fn: score.nPos - tp, tn: score.nNeg - fp, threshold: score.thresholds[at] };
}

export function metricsOf({ tp, fp, fn, tn }) {
  const tpr = ratio(tp, tp + fn);
  const tnr = ratio(tn, fp + tn);
  const fpr = ratio(fp, fp + tn);
  const fnr = ratio(fn, tp + fn);
  return {
    tpr,
    tnr,
    fpr,
    ppv: ratio(tp, tp + fp),
    npv: ratio(tn, tn + fn),
    accuracy: ratio(tp + tn, tp + fp + fn + tn),
    f1: ratio(2 * tp, 2 * tp + fp + fn),
    youden_j: tpr + tnr - 1,
    lr_plus: likelihood(tpr, fpr),
    lr_minus: likelihood(fnr, tnr),
  };
}

function likelihood(above, below) {
  if (below > 0) return above / below;
  return above > 0 ? Infinity : null;
}

// Predictive values where the positive class is as common as said.
export function predictiveValues({ tpr, fpr }, prevalence) {
  const hit = prevalence * tpr;
  const alarm = (1 - prevalence) * fpr;
  const miss = prevalence * (1 - tpr);
  const quiet = (1 - prevalence) * (1 - fpr);
  return { ppv: ratio(hit, hit + alarm), npv: ratio(quiet, quiet + miss) };
}

// Slope of every line of equal cost in ROC space.
export function equalCostSlope({ prevalence, costFp, costFn }) {
  return ((1 - prevalence) * costFp) / (prevalence * costFn);
}

export function expectedCost({ tpr, fpr }, { prevalence, costFp, costFn }) {
  return prevalence * costFn * (1 - tpr) + (1 - prevalence) * costFp * fpr;
}

// Where the conditions lie on the axis of a cost curve.
export function costPosition({ prevalence, costFp, costFn }) {
  const misses = prevalence * costFn;
  return misses / (misses + (1 - prevalence) * costFp);
}

// The cheapest vertex: on the hull, and of equals the one with the fewest false positives.
export function cheapest(score, conditions) {
  const slope = equalCostSlope(conditions);
  let best = score.hull[0];
  let height = -Infinity;
  for (const at of score.hull) {
    const gain = score.tp[at] / score.nPos - slope * (score.fp[at] / score.nNeg);
    if (gain > height + 1e-12) {
      height = gain;
      best = at;
    }
  }
  return best;
}

// The vertex that calls the same cases positive as "score reaches value" does, among the vertices there are.
export function vertexAtValue(score, value) {
  const reaches = score.direction === "lower" ? (t) => t <= value : (t) => t >= value;
  let low = 0;
  let high = score.thresholds.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (reaches(score.thresholds[middle])) low = middle;
    else high = middle - 1;
  }
  return low;
}
