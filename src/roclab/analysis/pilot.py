"""How many cases does a study need, judged by a pilot? Plans from the spread that data show, without a model."""

from __future__ import annotations

import math
from typing import Any, Unpack

import numpy as np

from roclab.analysis.support import folding_of, prepared
from roclab.data.cases import Cases
from roclab.data.read import read_cases
from roclab.data.verbs import verb
from roclab.errors import InputError, Words, named
from roclab.inference.comparison.covariance import influence_of_cases
from roclab.inference.one_area.area import area_of_method
from roclab.inference.one_area.score import fit_score_variance
from roclab.inference.planning.power import Plan, plan_with_variances
from roclab.names import PlanSides
from roclab.options.folds import FoldedKeywords

__all__ = ["plan_from_pilot"]


@verb(FoldedKeywords)
def plan_from_pilot(
    y_true: Any,
    y_score: Any = None,
    *,
    null: float = 0.5,
    n_pos: float | None = None,
    n_neg: float | None = None,
    power: float | None = None,
    ratio: float | None = None,
    level: float | None = 0.95,
    alternative: PlanSides = "two-sided",
    **asked: Unpack[FoldedKeywords],
) -> Plan:
    r"""Plan a study from pilot data: of one score against ``null``, or of two scores on the same cases.

    DeLong's variance of an area, or of the difference of two, is :math:`S_+/P + S_-/N`; a larger study with R negatives
    per positive has :math:`(S_+ + S_-/R)/n_+`. Nothing is assumed about the shape of the scores, and exchanging the two
    scores changes nothing. The pilot's areas are taken for the truth, so that a lucky pilot promises too much.

    One score is tested by the score test, whose variance is that under the null hypothesis: larger than the pilot's
    where its area is far from ``null``. The plan has it at the planned size (``fit_score_variance``); planned for .9,
    the test had a power of .84 to .91 in 20 plans from six pilots, by the pilot's variance alone .49 to .86
    (``benchmarks/plans.py``).

    Parameters
    ----------
    y_true, y_score : data with one score or two, as in :func:`compare`
    null : float
        Of one score: the area to test against.
    n_pos, n_neg, power, level : float, optional
        Give ``power`` for the sample size, class sizes for the power, both and ``level=None`` for the level.
    ratio : float, optional
        Negatives per positive of the study; by default that of the pilot.

    Examples
    --------
    >>> import roclab as rl
    >>> y = [1, 1, 0, 1, 1, 1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0]
    >>> rl.planning.plan_from_pilot(y, range(20, 0, -1), power=0.9).cases_pos
    59
    """
    fold_average, data = folding_of(asked)
    cases = prepared("plan_from_pilot", read_cases(y_true, y_score, **data), fold_average)
    if len(cases.names) > 2:
        raise InputError("score", "must name one score or two for a plan", Words(f"{len(cases.names)}"), "name two")
    if cases.weight is not None:
        raise InputError(
            "sample_weight", "has no part in a pilot, which counts every case once", way_out="leave it out"
        )
    areas, spread_pos, spread_neg, correlation = _spreads(cases)
    own = float(np.count_nonzero(~cases.label)) / float(np.count_nonzero(cases.label))
    other = null if len(areas) == 1 else areas[1]
    if areas[0] == other:
        raise InputError(
            "", f"the pilot shows no difference: both areas are {other:.4g}", way_out="collect a larger pilot"
        )

    def under_null(positives: float, per_positive: float) -> float:
        fitted = fit_score_variance(areas[0], spread_pos, spread_neg, n_pos=positives, n_neg=positives * per_positive)
        return positives * fitted(null)

    question = f"AUC {areas[0]:.4g} against {other:.4g}, as in a pilot of {len(cases)} cases"
    question += "".join(f"; {words}" for words in cases.sample(cases.names[0]).belonging())
    return plan_with_variances(
        question,
        area=areas[0],
        other=other,
        spread=lambda per_positive: spread_pos + spread_neg / per_positive,
        under_null=under_null if len(areas) == 1 else None,
        n_pos=n_pos,
        n_neg=n_neg,
        power=power,
        ratio=own if ratio is None and n_pos is None else ratio,
        level=level,
        alternative=alternative,
        correlation=correlation,
    )


def _spreads(cases: Cases) -> tuple[list[float], float, float, float]:
    """Areas, and the variances within both classes of the influence on the area or on the difference."""
    area = area_of_method("empirical")
    found = [influence_of_cases(cases, name, area) for name in cases.names]
    parts = [np.asarray(influence) for _, _, influence in found]
    areas = [float(value) for _, value, _ in found]
    contrast = parts[0] if len(parts) == 1 else parts[0] - parts[1]
    sides = [contrast[cases.label], contrast[~cases.label]]
    for side, name in zip(sides, ("positive", "negative"), strict=True):
        if side.size < 2:
            raise InputError("", f"a pilot needs two {name} cases", Words(f"{side.size}"), "collect more")
    spread_pos, spread_neg = (float(np.var(side, ddof=1)) for side in sides)
    if spread_pos + spread_neg == 0:
        raise InputError("", "the pilot shows no spread, so that it tells nothing about the cases needed",
                         way_out=f"use plan_one_area() with a model of {named('variance')}")  # fmt: skip
    if len(parts) == 1:
        return areas, spread_pos, spread_neg, 0.0
    sizes = [float(side.size) for side in sides]
    cross = sum(
        float(np.cov(parts[0][rows], parts[1][rows])[0, 1]) / n
        for rows, n in zip((cases.label, ~cases.label), sizes, strict=True)
    )
    own = [
        sum(float(np.var(part[rows], ddof=1)) / n for rows, n in zip((cases.label, ~cases.label), sizes, strict=True))
        for part in parts
    ]
    return areas, spread_pos, spread_neg, cross / math.sqrt(own[0] * own[1]) if min(own) > 0 else 0.0
