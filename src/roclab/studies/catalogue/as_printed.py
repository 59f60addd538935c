"""What printed formulas give that errata correct: each as it stands in its text."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np

from roclab.curves.roc import RocCurve, roc_curve
from roclab.data.tally import Tally
from roclab.decisions.confusion import ConfusionMatrix
from roclab.smooth.kernel import fit_kernel

__all__ = [
    "area_by_algorithm_4", "bandwidths_of_zou", "benefit_slope", "cost_slope", "exponential_area_below", "f_score",
    "level_of_recursion", "level_of_tops", "membership_on_a_centre", "memberships", "planes",
    "trapezoid_without_origin", "vertices_by_algorithm_3",
]  # fmt: skip

# Conover's recursion for ten values, five equal steps and t = 4/10. The text writes f and e for one side, c and b for
# the other; both are the same here.
_BOTTOMS = [Fraction(j, 5) for j in (3, 2, 2, 1, 1, 0, 0)]
_TOPS = [Fraction(j, 5) for j in (3, 3, 2, 2, 1, 1, 0)]


def f_score(tp: int, fp: int, fn: int, tn: int) -> float:
    """Greek figure 2.1: precision times recall."""
    metrics = ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn).metrics()
    return metrics["ppv"] * metrics["tpr"]


def area_by_algorithm_4(tally: Tally) -> float:
    """Greek algorithm 4: counts of a step are added up as trapezoids, but the last ends at (1, 1), not at (N, P)."""
    curve = roc_curve(tally)
    fp, tp = np.rint(curve.fpr * tally.n_neg), np.rint(curve.tpr * tally.n_pos)
    area = float(np.sum(np.diff(fp[:-1]) * (tp[1:-1] + tp[:-2])) / 2)
    last = abs(1 - fp[-2]) * (1 + tp[-2]) / 2
    return (area + float(last)) / float(tally.n_neg * tally.n_pos)


def vertices_by_algorithm_3(curve: RocCurve, comparison: str) -> int:
    """Greek algorithm 3: vertices that stay when slopes of neighbouring segments are compared, by < as printed."""
    kept: list[tuple[float, float]] = []
    for point in zip(curve.fpr.tolist(), curve.tpr.tolist(), strict=True):
        while len(kept) > 1:
            before, after = _slope(kept[-2], kept[-1]), _slope(kept[-1], point)
            if before < after if comparison == "<" else before > after:
                break
            kept.pop()
        kept.append(point)
    return len(kept)


def _slope(a: tuple[float, float], b: tuple[float, float]) -> float:
    return float(np.inf) if b[0] == a[0] else round((b[1] - a[1]) / (b[0] - a[0]), 12)


def level_of_tops() -> float:
    """Greek 1.4.2 B, step 1: the height at the top of a jump."""
    return _level(_TOPS)


def level_of_recursion() -> float:
    """Greek eq 8: f with the index k - j, where its power belongs."""
    return _level(_BOTTOMS, as_printed=True)


def _level(heights: list[Fraction], *, as_printed: bool = False) -> float:
    """e_0 = 1, e_k = 1 - sum over j < k of C(k, j) f_j^(k-j) e_j; then the sum of C(10, j) f_j^(10-j) e_j."""
    e: list[Fraction] = []
    for k in range(len(heights)):
        terms = (comb(k, j) * (heights[k - j] if as_printed else heights[j] ** (k - j)) * e[j] for j in range(k))
        e.append(1 - sum(terms, Fraction(0)))
    return float(sum(comb(10, j) * heights[j] ** (10 - j) * e[j] for j in range(len(heights))))


def bandwidths_of_zou(tally: Tally) -> float:
    """Greek eq 5: the area K1 with the exponent -1.5 for -1/5."""
    fit = fit_kernel(tally, rule="k1")
    widths = (
        fit.bandwidth_pos * float(tally.n_pos) ** (-1.5 + 0.2),
        fit.bandwidth_neg * float(tally.n_neg) ** (-1.5 + 0.2),
    )
    return fit_kernel(tally, bandwidths=widths).area


def exponential_area_below(k: float) -> float:
    """Greek 3.3.4: area under 1 - (1 - FP)^k, said to be the curve of a lower mean of the positives."""
    return 1 - 1 / (k + 1)


def benefit_slope(benefits: tuple[float, float], costs: tuple[float, float]) -> float:
    """Greek 3.3.4, at a prevalence of one half: costs subtracted from benefits."""
    return (benefits[0] - costs[0]) / (benefits[1] - costs[1])


def cost_slope(*, prevalence: float, cost_fp: float, cost_fn: float) -> float:
    """English eq 4.47: the class shares exchanged."""
    return prevalence * cost_fp / ((1 - prevalence) * cost_fn)


def trapezoid_without_origin(curve: RocCurve) -> float:
    """Russian trapezoid rule: over the thresholds of the data only."""
    return float(np.sum(np.diff(curve.fpr[1:]) * (curve.tpr[2:] + curve.tpr[1:-1])) / 2)


def memberships(cost: tuple[float, ...], q: float) -> tuple[float, ...]:
    """Italian eq 2.8: summands of the denominator are all that of the class itself."""
    return tuple(one ** (-1 / (q - 1)) / sum(one ** (-1 / (q - 1)) for _ in cost) for one in cost)


def membership_on_a_centre() -> str:
    """Italian appendix A: sums of inverse distances, of which one is infinite."""
    with np.errstate(divide="ignore", invalid="ignore"):
        inverse = np.array([0.0, 1.0]) ** -1.0
        return "NaN" if np.isnan((inverse / inverse.sum())[0]) else "a number"


def planes(repeats: str) -> int:
    """Italian appendix A.2: elements of the neighbours' planes of 2 x 2 pixels in 3 planes, repmat(Nz, n)."""
    pixels = 4
    return int(np.tile(np.arange(3), (pixels, pixels) if repeats == "printed" else (1, pixels)).size)
