r"""How many cases the external validation of a risk model needs, one criterion after the other, without simulation.

With the prevalence :math:`\varphi`, the level's deviate z and the width of every interval:

- calibration in the large: :math:`n = (1 - \varphi)/(\varphi s^2)` with the standard error s of ln(O/E) for which
  :math:`e^{zs} - e^{-zs}` is the width
- c-statistic: the n at which Newcombe's standard error is the half width over z
- calibration slope: :math:`n = I_{00} / (s^2 (I_{00} I_{11} - I_{01}^2))` with the expected information of a well
  calibrated model, by quadrature over its normal linear predictor
- standardised net benefit at a threshold probability: the delta variance
  :math:`Se(1 - Se)/\varphi + w^2 Sp(1 - Sp)/(1 - \varphi) + w^2 (1 - Sp)^2/(\varphi(1 - \varphi))`, with
  :math:`w = \frac{1 - \varphi}{\varphi} \frac{p}{1 - p}`, over s²

Programs that simulate the linear predictor and round standard errors print numbers within 1% of these.

References
----------
Riley RD et al. Minimum sample size for external validation of a clinical prediction model with a binary outcome.
Stat Med 2021;40:4230. Archer L et al. Stat Med 2021;40:133. Riley RD et al. BMJ 2024;384:e074821.
Newcombe RG. Confidence intervals for an effect size measure based on the Mann-Whitney statistic. Stat Med 2006;25:559.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit

from roclab._core.checks import check_fraction, check_level, check_positive
from roclab._core.text import text_table
from roclab.errors import InputError, Words, named
from roclab.inference.one_area.intervals import deviate
from roclab.inference.rates.paired import falling_zero
from roclab.options.verb import public
from roclab.results import Result

__all__ = ["ValidationNeed", "ValidationPlan", "plan_validation"]

_LARGEST = 40.0  # of the logarithm of a number of cases


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationNeed(Result):
    """Cases that one criterion needs; not rounded."""

    criterion: str
    width: float  # of the interval
    standard_error: float
    cases: float

    def rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [{"criterion": self.criterion, "width": self.width, "std. error": self.standard_error,
                 "cases": math.ceil(self.cases - 1e-9)}]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationPlan(Result):
    """Size of a validation study: the largest that any criterion needs."""

    needs: tuple[ValidationNeed, ...]
    prevalence: float
    level: float

    @property
    def cases(self) -> int:
        """All cases."""
        return max(math.ceil(one.cases - 1e-9) for one in self.needs)

    @property
    def events(self) -> int:
        """Positive cases expected among them."""
        return math.ceil(self.cases * self.prevalence - 1e-9)

    def rows(self) -> list[dict[str, Any]]:
        """One row per criterion."""
        return [row for one in self.needs for row in one.rows()]

    def __str__(self) -> str:
        said = (
            f"{self.cases:,} cases, {self.events:,} of them positive, keep every interval of {100 * self.level:g}% as "
        )
        return "\n".join([text_table(self.rows()), "", said + "narrow as asked"])


@public()
def plan_validation(
    *,
    prevalence: float,
    c: float | None = None,
    linear_predictor: tuple[float, float] | None = None,
    sensitivity: float | None = None,
    specificity: float | None = None,
    probability: float | None = None,
    oe_width: float = 0.2,
    c_width: float = 0.1,
    slope_width: float = 0.2,
    net_benefit_width: float = 0.2,
    level: float = 0.95,
) -> ValidationPlan:
    """Size of the external validation of a risk model, so that what it is judged by is known well enough.

    Parameters
    ----------
    prevalence : float
        Expected share of positives.
    c : float, optional
        Expected c-statistic (AUC).
    linear_predictor : pair of float, optional
        Mean and standard deviation of the model's linear predictor, its logit, in the validation cases: for the slope.
    sensitivity, specificity, probability : float, optional
        Expected rates at a threshold probability: for the standardised net benefit there.
    oe_width, c_width, slope_width, net_benefit_width : float
        Widths of the intervals of O/E, C, the slope and the standardised net benefit.

    Examples
    --------
    >>> import roclab as rl
    >>> plan = rl.planning.plan_validation(prevalence=0.018, c=0.8, linear_predictor=(-5, 2.5))
    >>> plan.cases, plan.events, [round(one.cases, 1) for one in plan.needs]
    (21028, 379, [21027.0, 4251.2, 4553.7])
    """
    share = check_fraction(prevalence, "prevalence", open_ends=True, way_out="write 0.1 for 10%")
    z = deviate(check_level(level))
    for name, width in (("oe_width", oe_width), ("c_width", c_width), ("slope_width", slope_width),
                        ("net_benefit_width", net_benefit_width)):  # fmt: skip
        check_positive(width, name, way_out="write 0.2")
    error = math.asinh(oe_width / 2) / z
    needs = [_need("O/E", oe_width, error, (1 - share) / (share * error**2))]
    if c is not None:
        area = check_fraction(c, "c", open_ends=True, way_out="write 0.8")
        needs.append(_need("c-statistic", c_width, c_width / 2 / z, _for_c(area, share, c_width / 2 / z)))
    if linear_predictor is not None:
        error = slope_width / 2 / z
        needs.append(_need("calibration slope", slope_width, error, _for_slope(linear_predictor, error)))
    rates = {"sensitivity": sensitivity, "specificity": specificity, "probability": probability}
    given = [name for name, value in rates.items() if value is not None]
    if given and len(given) < 3:
        raise InputError(given[0], "belongs to a net benefit, which needs sensitivity, specificity and probability",
                         Words(" and ".join(given)), "give all three")  # fmt: skip
    if sensitivity is not None and specificity is not None and probability is not None:
        for name, value in rates.items():
            check_fraction(value or 0.0, name, open_ends=name == "probability", way_out="write 0.8")
        error = net_benefit_width / 2 / z
        cases = _for_net_benefit(sensitivity, specificity, probability, share, error)
        needs.append(_need(f"standardised net benefit at {probability:g}", net_benefit_width, error, cases))
    return ValidationPlan(needs=tuple(needs), prevalence=share, level=level)


def _need(criterion: str, width: float, error: float, cases: float) -> ValidationNeed:
    return ValidationNeed(criterion=criterion, width=width, standard_error=error, cases=cases)


def _for_c(c: float, share: float, error: float) -> float:
    def excess(log_cases: float) -> float:
        n = math.exp(log_cases)
        inside = 1 + (n / 2 - 1) * ((1 - c) / (2 - c) + c / (1 + c))
        return c * (1 - c) * inside / (n * n * share * (1 - share)) - error**2

    return math.exp(falling_zero(excess, 0.0, _LARGEST))


def _for_slope(linear_predictor: tuple[float, float], error: float) -> float:
    try:
        mean, spread = (float(one) for one in linear_predictor)
    except (TypeError, ValueError):
        raise InputError("linear_predictor", "must be a mean and a standard deviation", linear_predictor,
                         f"write {named('linear_predictor', (-2, 1.2))}") from None  # fmt: skip
    check_positive(spread, "linear_predictor", way_out="its second number is a standard deviation")
    nodes, weights = np.polynomial.legendre.leggauss(400)
    x = 10 * nodes
    density = np.exp(-x * x / 2) * weights * 10 / math.sqrt(2 * math.pi)
    at = mean + spread * x
    chance = expit(at)
    each = density * chance * (1 - chance)
    i00, i01, i11 = (float(each @ at**power) for power in (0, 1, 2))
    return i00 / (error**2 * (i00 * i11 - i01**2))


def _for_net_benefit(se: float, sp: float, at: float, share: float, error: float) -> float:
    odds = (1 - share) / share * at / (1 - at)
    variance = se * (1 - se) / share + odds**2 * sp * (1 - sp) / (1 - share)
    return (variance + odds**2 * (1 - sp) ** 2 / (share * (1 - share))) / error**2
