// Intervals of everything that a threshold does, by the formulas of the library; z is the normal deviate of the level.
// An interval is [low, high], or null where there is none.

// Wilson's score interval of a proportion k of n.
export function wilson(k, n, z) {
  if (!(n > 0)) return null;
  const share = k / n;
  const centre = (k + (z * z) / 2) / (n + z * z);
  const half = (z / (n + z * z)) * Math.sqrt(n * share * (1 - share) + (z * z) / 4);
  return [k === 0 ? 0 : Math.max(centre - half, 0), k === n ? 1 : Math.min(centre + half, 1)];
}

// Ratio of two independent proportions on the log scale; a zero leaves one end open, the other takes half a case more.
export function ratioInterval(hits, nHits, alarms, nAlarms, z) {
  if ((hits === 0 && alarms === 0) || nHits === 0 || nAlarms === 0) return null;
  const more = hits === 0 || alarms === 0 ? 0.5 : 0;
  const [a, n, b, m] = [hits + more, nHits + more, alarms + more, nAlarms + more];
  const spread = z * Math.sqrt(Math.max(1 / a - 1 / n + 1 / b - 1 / m, 0));
  const ratio = a / n / (b / m);
  return [hits === 0 ? 0 : ratio * Math.exp(-spread), alarms === 0 ? Infinity : ratio * Math.exp(spread)];
}

// Difference of two independent proportions by square-and-add of their intervals.
export function differenceInterval(hits, nHits, alarms, nAlarms, z) {
  const [one, two] = [wilson(hits, nHits, z), wilson(alarms, nAlarms, z)];
  if (one === null || two === null) return null;
  const [p, q] = [hits / nHits, alarms / nAlarms];
  const low = p - q - Math.hypot(p - one[0], two[1] - q);
  const high = p - q + Math.hypot(one[1] - p, q - two[0]);
  return [Math.max(low, -1), Math.min(high, 1)];
}

// F1 from the share of Jaccard: each is a rising function of the other.
export function f1Interval(tp, fp, fn, z) {
  const share = wilson(tp, tp + fp + fn, z);
  return share === null ? null : share.map((end) => (2 * end) / (1 + end));
}

// A predictive value from its likelihood ratio at a prevalence taken as known.
function predictive(ratio, prevalence, positive) {
  if (ratio === null) return null;
  const share = (end) => (end === Infinity ? 1 : (end * prevalence) / (end * prevalence + 1 - prevalence));
  return positive ? ratio.map(share) : [1 - share(ratio[1]), 1 - share(ratio[0])];
}

export function intervalsOf({ tp, fp, fn, tn }, z, prevalence) {
  if (z === null) return {};
  const [nPos, nNeg] = [tp + fn, fp + tn];
  const plus = ratioInterval(tp, nPos, fp, nNeg, z);
  const minus = ratioInterval(fn, nPos, tn, nNeg, z);
  return {
    tpr: wilson(tp, nPos, z),
    tnr: wilson(tn, nNeg, z),
    ppv: wilson(tp, tp + fp, z),
    npv: wilson(tn, tn + fn, z),
    accuracy: wilson(tp + tn, nPos + nNeg, z),
    youden_j: differenceInterval(tp, nPos, fp, nNeg, z),
    f1: f1Interval(tp, fp, fn, z),
    lr_plus: plus,
    lr_minus: minus,
    ppv_there: predictive(plus, prevalence, true),
    npv_there: predictive(minus, prevalence, false),
  };
}
