"""Where a CAD marks: chosen by false positives per scan, by sensitivity or by costs, from marks on held-out scans."""

from __future__ import annotations

import numpy as np

from roclab._core.checks import check_positive
from roclab._core.types import Floats
from roclab.analysis.froc_results import Froc
from roclab.errors import InputError, Words
from roclab.imaging.lungs.cad_model import OperatingPoint

__all__ = ["choose_point"]

_DRAWS = 1000


def choose_point(
    curve: Froc,
    *,
    false_positives: float | None,
    sensitivity: float | None,
    cost: float | None,
    level: float,
    seed: int,
) -> OperatingPoint:
    """The operating point by one of three rules, with percentile intervals of resampled scans.

    By false positives, the highest sensitivity at no more of them per scan; by sensitivity, the fewest false positives
    at no less; by cost, the least of ``cost`` times the missed nodules plus the false positives. Of equals the highest
    threshold.
    """
    given = {"false_positives": false_positives, "sensitivity": sensitivity, "cost": cost}
    rules = [name for name, value in given.items() if value is not None]
    if len(rules) > 1:
        raise InputError(" ".join(rules), "must be one rule for the operating point", Words(" and ".join(rules)))
    rate, found, cuts = (np.asarray(one) for one in (curve.curve.rate, curve.curve.sensitivity, curve.curve.thresholds))
    if sensitivity is not None:
        if not 0 < sensitivity <= 1:
            raise InputError("sensitivity", "must satisfy 0 < sensitivity <= 1", sensitivity, "0.8 for example")
        if found[-1] < sensitivity:
            raise InputError(
                "sensitivity", f"must be one that is reached, {found[-1]:.3f} at most on held-out scans", sensitivity,
                "nodules in no region cannot be marked",
            )  # fmt: skip
        at = int(np.argmax(found >= sensitivity))
        rule = f"a sensitivity of {sensitivity:g}"
    elif cost is not None:
        check_positive(cost, "cost", way_out="what a missed nodule costs in false positives")
        losses = cost * (1 - found) * curve.lesions + rate * curve.scans
        at = int(np.argmin(np.round(losses, 9)))
        rule = f"cost, a missed nodule being worth {cost:g} false positives"
    else:
        most = 1.0 if false_positives is None else float(false_positives)
        check_positive(most, "false_positives", way_out="1 per scan for example")
        at = int(np.flatnonzero(rate <= most)[-1])
        rule = f"{most:g} false positives per scan"
    if at == 0:
        raise InputError(
            rules[0] if rules else "false_positives", "must leave marks", Words(f"{rule}, at which nothing is marked"),
            "allow more false positives",
        )  # fmt: skip
    threshold = float(cuts[at])
    low, high = _limits(curve, threshold, level, seed)
    return OperatingPoint(
        rule=rule, threshold=threshold, sensitivity=float(found[at]), sensitivity_low=low[0], sensitivity_high=high[0],
        false_positives=float(rate[at]), false_positives_low=low[1], false_positives_high=high[1], level=level,
    )  # fmt: skip


def _limits(curve: Froc, threshold: float, level: float, seed: int) -> tuple[list[float], list[float]]:
    """Of sensitivity and false positives per scan at a threshold, over resampled scans with nodules."""
    matched = curve._matched
    many = len(matched.scans)
    nodules = np.bincount(matched.lesion_scan, minlength=many)
    hits = np.bincount(matched.lesion_scan[matched.lesion_score >= threshold], minlength=many)
    false = np.bincount(matched.false_scan[matched.false_score >= threshold], minlength=many)
    drawn = np.random.default_rng(seed).integers(many, size=(_DRAWS, many))
    total = nodules[drawn].sum(axis=1)
    shares: Floats = hits[drawn].sum(axis=1)[total > 0] / total[total > 0]
    tails = [(1 - level) / 2, (1 + level) / 2]
    ends = [np.quantile(shares, tails), np.quantile(false[drawn].mean(axis=1), tails)]
    return [float(one[0]) for one in ends], [float(one[1]) for one in ends]
