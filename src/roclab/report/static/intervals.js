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

// How many standard errors the ratio found lies above another one, with the likeliest proportions that have it.
function ratioDeviate(a, n, b, m, ratio) {
  const middle = ratio * (n + b) + a + m;
  const root = Math.sqrt(Math.max(middle * middle - 4 * ratio * (n + m) * (a + b), 0));
  const p2 = (2 * (a + b)) / (middle + root);
  const p1 = Math.min(ratio * p2, 1);
  const variance = (p1 * (1 - p1)) / n + (ratio * ratio * p2 * Math.max(1 - p2, 0)) / m;
  return variance > 0 ? (a / n - (ratio * b) / m) / Math.sqrt(variance) : 0;
}

// The ratio at which that number is the wanted one; it falls as the ratio rises.
function ratioLimit(a, n, b, m, wanted) {
  const found = Math.log(((a + 0.5) / (n + 0.5)) / ((b + 0.5) / (m + 0.5)));
  let [low, high] = [found - 1, found + 1];
  while (ratioDeviate(a, n, b, m, Math.exp(low)) < wanted && low > -700) low -= 2 * (found - low);
  while (ratioDeviate(a, n, b, m, Math.exp(high)) > wanted && high < 700) high += 2 * (high - found);
  for (let step = 0; step < 60; step += 1) {
    const half = (low + high) / 2;
    if (ratioDeviate(a, n, b, m, Math.exp(half)) > wanted) low = half;
    else high = half;
  }
  return Math.exp((low + high) / 2);
}

// Koopman's score interval of a ratio of two independent proportions.
export function ratioInterval(hits, nHits, alarms, nAlarms, z) {
  if ((hits === 0 && alarms === 0) || nHits === 0 || nAlarms === 0) return null;
  const limit = (wanted) => ratioLimit(hits, nHits, alarms, nAlarms, wanted);
  return [hits === 0 ? 0 : limit(z), alarms === 0 ? Infinity : limit(-z)];
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
