r"""Sensitivity and specificity of several tests at equal covariates: a marginal model of their calls.

The right calls of one class, several of every case, follow one logistic model [1]_

.. math:: \operatorname{logit} P(\text{test } t \text{ calls case } i \text{ right}) =
          \beta_0 + \beta_t + \gamma^\top x_i + \delta_t^\top x_i,

with :math:`\delta` where a covariate interacts with the test. It is fitted as if calls were independent, which
estimates the margins right whatever joins them; the covariance is the sandwich of sums over cases, or over subjects, so
that calls of one case count as what they are [2]_. Adjusted rates are means of the fitted ones over the cases of the
class, every test asked about every case; their differences have limits by the delta method, with t on K - 1 degrees of
freedom, the covariates as they are. Several coefficients are tested together by Wald's statistic, turned into F with
K - 1. Without covariates these are the raw rates.

References
----------
.. [1] Leisenring W, Pepe MS, Longton G. A marginal regression modelling framework for evaluating medical diagnostic
   tests. Stat Med 1997;16:1263-1281.
.. [2] Liang KY, Zeger SL. Longitudinal data analysis using generalized linear models. Biometrika 1986;73:13-22.
   doi:10.1093/biomet/73.1.13
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
from scipy.special import expit, stdtr

from roclab._core.types import Bools, Floats, Ints
from roclab._core.undefined import Undefined
from roclab.decisions.rate_models import AdjustedDifference, RateModel
from roclab.errors import InputError, RoclabError
from roclab.inference.one_area.intervals import deviate
from roclab.models.logistic import LogisticFit, fit_logistic
from roclab.results import Interval, TestResult

__all__ = ["rate_model"]


def rate_model(
    metric: str, names: Sequence[str], right: Sequence[Bools], subject: tuple[Ints, int], *,
    covariates: Mapping[str, Mapping[str, Floats]], interacting: Sequence[str], level: float,
) -> RateModel:  # fmt: skip
    """The model of the cases of one class; ``right`` is what every test calls right, one array a test.

    Covariates are columns by covariate, several for a covariate of words: one for every word but the first.
    """
    n, tests = right[0].size, len(names)
    kept = {name: columns for name, columns in covariates.items() if any(np.ptp(one) > 0 for one in columns.values())}
    lacking = [name for name in covariates if name not in kept]
    if lacking:
        raise InputError("covariates", f"must vary among the cases of {metric}", lacking[0], "leave it out")
    layout = {test: _columns(test, names, kept, interacting, n) for test in names}
    stacked = {term: np.concatenate([layout[test][term] for test in names]) for term in layout[names[0]]}
    every = np.concatenate(right)
    number = np.tile(subject[0], tests)
    try:
        fit = fit_logistic(stacked, every, level=level, subject=(number, subject[1]))
    except RoclabError as error:
        raise InputError(
            "covariates", f"leave no model of {metric} with a maximum ({str(error).rstrip('.')})",
            way_out="leave some of them out, or the interaction",
        ) from None  # fmt: skip
    designs = {test: np.column_stack([np.ones(n), *layout[test].values()]) for test in names}
    df = subject[1] - 1
    pairs = tuple(_difference(metric, one, two, designs, fit, df, level) for one, two in combinations(names, 2))
    return RateModel(
        metric=metric, fit=fit, pairs=pairs, reference=names[-1],
        interactions=tuple(_interaction(metric, name, _products(names, kept[name]), fit, df) for name in interacting),
    )  # fmt: skip


def _columns(
    test: str, names: Sequence[str], covariates: Mapping[str, Mapping[str, Floats]], interacting: Sequence[str], n: int
) -> dict[str, Floats]:
    """The columns of one test's calls: which test it is, the covariates, and their products."""
    reference = names[-1]
    found = {f"{one} - {reference}": np.full(n, float(one == test)) for one in names[:-1]}
    for columns in covariates.values():
        found |= columns
    for name in interacting:
        for term, values in covariates[name].items():
            found |= {_product(one, reference, term): float(one == test) * values for one in names[:-1]}
    return found


def _products(names: Sequence[str], columns: Mapping[str, Floats]) -> list[str]:
    """The terms of one interaction."""
    return [_product(test, names[-1], term) for test in names[:-1] for term in columns]


def _product(test: str, reference: str, term: str) -> str:
    return f"({test} - {reference}) × {term}"


def _difference(
    metric: str, first: str, second: str, designs: Mapping[str, Floats], fit: LogisticFit, df: int, level: float
) -> AdjustedDifference:
    """Means of the fitted rates, and the delta method of their difference."""
    values, slopes = [], []
    for test in (first, second):
        chance = expit(designs[test] @ fit.coefficients)
        values.append(float(chance.mean()))
        slopes.append((designs[test] * (chance * (1 - chance))[:, None]).mean(axis=0))
    apart = slopes[0] - slopes[1]
    difference, error = values[0] - values[1], math.sqrt(max(float(apart @ fit.covariance @ apart), 0.0))
    half = deviate(level, df=df) * error
    statistic = difference / error if error > 0 else Undefined("no case is called differently")
    return AdjustedDifference(
        metric=metric, first=first, second=second, first_rate=values[0], second_rate=values[1], difference=difference,
        interval=Interval(low=difference - half, high=difference + half, level=level, method="delta method, t"),
        statistic=statistic, df=float(df),
        p_value=statistic if isinstance(statistic, Undefined) else float(2 * stdtr(df, -abs(statistic))),
    )  # fmt: skip


def _interaction(metric: str, name: str, terms: Sequence[str], fit: LogisticFit, df: int) -> TestResult:
    """All coefficients of one covariate's products at once."""
    from scipy.stats import f as f_distribution

    at = [fit.names.index(term) for term in terms]
    beta, covariance = fit.coefficients[at], fit.covariance[np.ix_(at, at)]
    wald = float(beta @ np.linalg.solve(covariance, beta)) / len(at)
    return TestResult(
        name=f"interaction of test and {name}",
        hypothesis=f"{metric}: the difference of tests does not depend on {name}",
        statistic=wald,
        distribution=f"F({len(at)}, {df})",
        p_value=float(f_distribution.sf(wald, len(at), df)),
        method="Wald's test of the marginal model's products, covariance of sums over subjects",
    )
