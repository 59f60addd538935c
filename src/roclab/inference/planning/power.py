r"""Planning a study: sample size, power and detectable area.

All plans rest on one formula. To see a difference :math:`\Delta` with power :math:`1 - \beta` at level
:math:`\alpha`, with variances :math:`V_0/n_+` under the null and :math:`V_1/n_+` under the alternative hypothesis,

.. math:: n_+ = \left( \frac{z_\alpha \sqrt{V_0} + z_\beta \sqrt{V_1}}{\Delta} \right)^2 .

V depends on the area, on the ratio of negatives to positives, and on the distribution of the scores:

- "obuchowski": binormal scores of equal spread, in closed form [1]_.
- "hanley_mcneil": exponential scores [2]_.
- "binormal": binormal scores with any ratio of spreads b, by the delta method, covariance term included [3]_.

For two areas on the same cases, V is that of the difference, with correlation r of the two areas. Under the null
hypothesis both areas are equal, so both get the variance of their mean area: exchanging the two areas changes nothing.

References
----------
.. [1] Obuchowski NA. Computing sample size for receiver operating characteristic studies.
   Invest Radiol 1994;29:238-243.
.. [2] Hanley JA, McNeil BJ. Radiology 1982;143:29-36. doi:10.1148/radiology.143.1.7063747
.. [3] Obuchowski NA, McClish DK. Sample size determination for diagnostic accuracy studies involving binormal ROC curve
   indices. Stat Med 1997;16:1529-1542.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from scipy.special import ndtri

from roclab._core.checks import check_choice, check_fraction, check_positive
from roclab.errors import InputError, Words, named
from roclab.inference.planning.follow_up import FollowedShares, sizes_of_follow_up
from roclab.inference.planning.solving import Study, power_curve, solve_plan
from roclab.names import PLAN_VARIANCES, PlanSides, PlanVariance
from roclab.options.verb import public
from roclab.rank_tests.area_variance import hanley_mcneil_variance
from roclab.results.pictured import Pictured

__all__ = ["Plan", "plan_one_area", "plan_two_areas", "plan_with_variances"]

_SMALL = 12  # cases of a class, below which a plan from a pilot promises more power than it has
_FEW = f"Fewer than {_SMALL} cases of a class: where .9 was planned the power was .77 to .9."


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan(Pictured):
    """A study: how many cases, with which power, to see which areas apart."""

    question: str
    area: float
    other_area: float
    margin: float
    n_pos: float  # exact; the cases needed are the next whole numbers
    n_neg: float
    power: float
    level: float
    alternative: str
    ratio: float
    correlation: float
    variance: str
    notes: tuple[str, ...] = ()
    followed: int | None = None  # patients to follow, of whom the classes are what is left at a horizon
    # Positives and power, to be drawn.
    _powers: tuple[tuple[float, float], ...] = field(default=(), repr=False, metadata={"not_in_json": True})

    @property
    def cases_pos(self) -> int:
        """Positive cases to collect."""
        return math.ceil(self.n_pos - 1e-9)

    @property
    def cases_neg(self) -> int:
        """Negative cases to collect."""
        return math.ceil(self.n_neg - 1e-9)

    def rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [
            {
                "question": self.question,
                "area": self.area,
                "against": self.other_area,
                "margin": self.margin,
                "positives": self.cases_pos,
                "negatives": self.cases_neg,
                "power": self.power,
                "level": self.level,
                "alternative": self.alternative,
                "r": self.correlation,
                "variance": self.variance,
                **({} if self.followed is None else {"followed": self.followed}),
            }
        ]

    def __str__(self) -> str:
        test = f"{self.alternative}, level {self.level:g}"
        if self.margin:
            error = (1 - self.level) / (2 if self.alternative == "two-sided" else 1)
            test = f"one-sided at {100 * error:.4g}%"
        return (
            f"{self.question}\n{self.cases_pos} positive and {self.cases_neg} negative "
            f"{'cases' if self.followed is None else 'effective cases'}, "
            f"power {self.power:.4f} ({test}, {self.variance} variance)" + "".join(f"\n{note}" for note in self.notes)
        )


def area_variance_times_positives(
    area: float, *, ratio: float, variance: PlanVariance, n_pos: float, b: float = 1.0
) -> float:
    """n_pos times the variance of an AUC, for ``ratio`` negatives per positive.

    Only "hanley_mcneil" depends on ``n_pos`` itself, through its terms in 1/n.
    """
    check_choice(variance, "variance", PLAN_VARIANCES)
    _check_sensible(b, "b", "it is the ratio of the negatives' spread to the positives'")
    if variance == "hanley_mcneil":
        return n_pos * hanley_mcneil_variance(area, n_pos, ratio * n_pos)
    if variance == "obuchowski":
        # The rounded constants of the paper; the exact binormal form below differs by a few percent.
        a2 = (1.414 * float(ndtri(area))) ** 2
        return 0.0099 * math.exp(-a2 / 2) * (5 * a2 + 8 + (a2 + 8) / ratio)
    return _binormal_variance(area, ratio=ratio, b=b)


def _binormal_variance(area: float, *, ratio: float, b: float) -> float:
    r"""n_pos times the variance of the binormal area :math:`\Phi(a / \sqrt{1 + b^2})`.

    With f and g the derivatives of the area by a and b, Var = f² Var(a) + g² Var(b) + 2 f g Cov(a, b), where
    Var(a) = (1 + b²/R + a²/2)/n₊, Var(b) = b²(1 + R)/(2 R n₊), Cov(a, b) = a b/(2 n₊), R negatives per positive. The
    last term is easily forgotten and then doubles the variance for unequal spreads.
    """
    a = float(ndtri(area)) * math.sqrt(1 + b * b)
    density = math.exp(-(a * a) / (2 * (1 + b * b))) / math.sqrt(2 * math.pi * (1 + b * b))
    f, g = density, -density * a * b / (1 + b * b)
    var_a = 1 + b * b / ratio + a * a / 2
    var_b = b * b * (1 + ratio) / (2 * ratio)
    return f * f * var_a + g * g * var_b + 2 * f * g * a * b / 2


def _with_follow_up(shares: FollowedShares | None, plan: Plan) -> Plan:
    """The plan with the patients to follow, where a horizon was planned for."""
    if shares is None:
        return plan
    return replace(plan, followed=shares.patients(plan.n_pos), notes=(*plan.notes, shares.note(plan.n_pos)))


@public()
def plan_one_area(
    *,
    area: float | None = None,
    null: float = 0.5,
    n_pos: float | None = None,
    n_neg: float | None = None,
    power: float | None = None,
    ratio: float | None = None,
    level: float | None = 0.95,
    alternative: PlanSides = "two-sided",
    variance: PlanVariance = "obuchowski",
    b: float = 1.0,
    incidence: float | None = None,
    unknown: float | None = None,
    followed: float | None = None,
) -> Plan:
    """Plan a study of one area against a null area; leave out what is to be found.

    Give ``area`` and ``power`` for the sample size, ``area`` and class sizes for the power, class sizes and ``power``
    for the smallest detectable area above the null; all three and ``level=None`` for the level that goes with them.

    For an area at a horizon give the ``incidence`` of the event by then and the share ``unknown`` (lost before) instead
    of a ratio, and ``followed``, the number of patients, instead of class sizes.

    >>> plan_one_area(area=0.8, power=0.9, ratio=1).cases_pos
    17
    >>> round(plan_one_area(area=0.8, n_pos=17, n_neg=17, power=0.9, level=None).level, 3)
    0.954
    >>> plan_one_area(area=0.7, power=0.9, incidence=0.2, unknown=0.3).followed
    165
    """
    n_pos, n_neg, ratio, shares = sizes_of_follow_up(
        incidence, unknown, followed, n_pos=n_pos, n_neg=n_neg, ratio=ratio
    )
    null = check_fraction(null, "null", way_out="give the area to test against, e.g. 0.5", open_ends=True)
    ratio = _ratio(ratio, n_pos, n_neg)

    def spread(value: float, n: float) -> float:
        return area_variance_times_positives(value, ratio=ratio, variance=variance, n_pos=n, b=b)

    def study(value: float) -> Study:
        return Study(lambda n: spread(null, n), lambda n: spread(value, n), abs(value - null))

    plan = solve_plan(study, area=area, null=null, n_pos=n_pos, power=power, level=level, alternative=alternative)
    return _with_follow_up(shares, Plan(
        question=f"AUC {plan.area:g} against {null:g}",
        area=plan.area,
        other_area=null,
        margin=0.0,
        n_pos=plan.n_pos,
        n_neg=plan.n_pos * ratio,
        power=plan.power,
        level=plan.level,
        alternative=alternative,
        ratio=ratio,
        correlation=0.0,
        variance=variance,
        _powers=power_curve(study(plan.area), plan, alternative),
    ))  # fmt: skip


@public()
def plan_two_areas(
    *,
    area: float | None = None,
    other: float,
    correlation: float = 0.0,
    margin: float = 0.0,
    n_pos: float | None = None,
    n_neg: float | None = None,
    power: float | None = None,
    ratio: float | None = None,
    level: float | None = 0.95,
    alternative: PlanSides = "two-sided",
    variance: PlanVariance = "obuchowski",
    b: float = 1.0,
    incidence: float | None = None,
    unknown: float | None = None,
    followed: float | None = None,
) -> Plan:
    """Plan a comparison of two areas; leave out what is to be found.

    ``correlation`` is that of the two areas: 0 for different cases (then the sizes are those of each group), for the
    same cases take ``hanley_mcneil.correlation_of_areas``. With a ``margin`` the question is non-inferiority: is the
    first area not worse than the other by more than the margin? Its one-sided test is that of the two-sided interval,
    at half of what the level leaves (2.5% at 0.95), unless ``alternative="one-sided"`` gives it all. ``incidence``,
    ``unknown`` and ``followed`` as in :func:`plan_one_area`.
    """
    n_pos, n_neg, ratio, shares = sizes_of_follow_up(
        incidence, unknown, followed, n_pos=n_pos, n_neg=n_neg, ratio=ratio
    )
    other = check_fraction(other, "other", way_out="give the area to compare with", open_ends=True)
    if not -1 < correlation < 1:
        raise InputError("correlation", "must lie strictly between -1 and 1", correlation, "0 means different cases")
    if margin:
        margin = check_positive(margin, "margin", way_out="it is the largest loss you would still accept, e.g. 0.05")
    ratio = _ratio(ratio, n_pos, n_neg)

    def spread(value: float, n: float) -> float:
        return area_variance_times_positives(value, ratio=ratio, variance=variance, n_pos=n, b=b)

    def study(value: float) -> Study:
        def under_null(n: float) -> float:
            if margin:  # the null is a difference of -margin: the areas as planned still describe the spread
                return under_alternative(n)
            return 2 * (1 - correlation) * spread((value + other) / 2, n)

        def under_alternative(n: float) -> float:
            one, two = spread(value, n), spread(other, n)
            return one + two - 2 * correlation * math.sqrt(one * two)

        return Study(under_null, under_alternative, abs(value - other) if not margin else value - other + margin)

    plan = solve_plan(study, area=area, null=other, n_pos=n_pos, power=power, level=level, alternative=alternative)
    words = f"AUC {plan.area:g} against {other:g}, " + (
        f"same cases (r = {correlation:g})" if correlation else "different cases, sizes of each group"
    )
    return _with_follow_up(shares, Plan(
        question=words + (f", non-inferior within {margin:g}" if margin else ""),
        area=plan.area,
        other_area=other,
        margin=margin,
        n_pos=plan.n_pos,
        n_neg=plan.n_pos * ratio,
        power=plan.power,
        level=plan.level,
        alternative=alternative,
        ratio=ratio,
        correlation=correlation,
        variance=variance,
        _powers=power_curve(study(plan.area), plan, alternative),
    ))  # fmt: skip


def plan_with_variances(
    question: str,
    *,
    area: float,
    other: float,
    spread: Callable[[float], float],
    under_null: Callable[[float, float], float] | None = None,
    n_pos: float | None,
    n_neg: float | None,
    power: float | None,
    ratio: float | None,
    level: float | None,
    alternative: PlanSides,
    correlation: float,
) -> Plan:
    """A plan whose variance per positive case is known as a function of the negatives per positive.

    ``under_null`` gives that under the null hypothesis, from the number of positives and the negatives per positive;
    without it both are the same.
    """
    ratio = _ratio(ratio, n_pos, n_neg)

    def null(n: float) -> float:
        return spread(ratio) if under_null is None else under_null(n, ratio)

    study = Study(null, lambda _: spread(ratio), abs(area - other))
    plan = solve_plan(
        lambda _: study, area=area, null=other, n_pos=n_pos, power=power, level=level, alternative=alternative
    )
    return Plan(
        question=question,
        area=area,
        other_area=other,
        margin=0.0,
        n_pos=plan.n_pos,
        n_neg=plan.n_pos * ratio,
        power=plan.power,
        level=plan.level,
        alternative=alternative,
        ratio=ratio,
        correlation=correlation,
        variance="pilot's own",
        notes=(_FEW,) if min(plan.n_pos, plan.n_pos * ratio) < _SMALL else (),
        _powers=power_curve(study, plan, alternative),
    )


def _ratio(ratio: float | None, n_pos: float | None, n_neg: float | None) -> float:
    for value, name in ((n_pos, "n_pos"), (n_neg, "n_neg")):
        if value is not None:
            check_positive(value, name, way_out="give a number of cases")
    if (n_pos is None) != (n_neg is None):
        raise InputError(
            "",
            f"{named('n_pos')} and {named('n_neg')} belong together",
            Words("one of them"),
            f"give both, or {named('power')} and {named('ratio')}",
        )
    if n_pos is not None and n_neg is not None:
        if ratio is not None:
            raise InputError(
                "ratio", f"follows from {named('n_pos')} and {named('n_neg')}", Words("all three"), "leave it out"
            )
        return _check_sensible(n_neg / n_pos, "n_neg / n_pos", "it is the number of negatives per positive")
    return _check_sensible(1.0 if ratio is None else ratio, "ratio", "it is the number of negatives per positive")


def _check_sensible(value: float, name: str, meaning: str) -> float:
    """A ratio that no study exceeds; beyond it the formulas overflow."""
    if not 1e-6 <= check_positive(value, name, way_out=meaning) <= 1e6:
        raise InputError(name, "must lie between 1e-6 and 1e6", value, f"{meaning}")
    return float(value)
