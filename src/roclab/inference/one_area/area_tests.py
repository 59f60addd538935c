"""Tests of one area against a null value."""

from __future__ import annotations

import math
from typing import Any, Literal

from roclab._core.checks import check_choice, check_fraction
from roclab._core.undefined import Undefined
from roclab.areas.empirical import auc
from roclab.data.tally import Tally
from roclab.errors import InputError, Words, named
from roclab.inference.one_area.area import Area
from roclab.inference.one_area.delong import delong_parts, delong_variance
from roclab.inference.one_area.estimate import estimate_area
from roclab.inference.one_area.hanley_mcneil import hanley_mcneil_se, null_se, tie_corrected_null_se
from roclab.inference.one_area.score import score_test
from roclab.inference.one_area.variance import corrected_variance
from roclab.inference.p_values import p_of_z
from roclab.inference.welch import EstimatedVariance
from roclab.names import ALTERNATIVES, AREA_TESTS, CLUSTERED_VARIANCES, Alternative, AreaTest
from roclab.results import AreaEstimate, TestResult

__all__ = ["against", "any_area_test", "area_test", "auc_test", "estimate_test", "significance_beside"]


def auc_test(
    tally: Tally, *, null: float = 0.5, test: AreaTest = "wald", alternative: Alternative = "two-sided"
) -> TestResult:
    r"""Is the AUC different from a null value A₀?

    - "wald": :math:`(A - A_0) / SE_{DeLong}(A)`, for any A₀.
    - "score": :math:`(A - A_0) / \sqrt{v(A_0)}` with the variance that A₀ implies; agrees with the score interval.
    - "logit": Wald's on the logit scale; agrees with the logit interval.
    - "hanley_mcneil": :math:`(A - A_0) / SE_{HM}(A_0)`, the standard error the null hypothesis implies.
    - "null": the same at A₀ = 1/2, the Mann-Whitney z without tie correction, as SPSS prints it.
    - "tie_corrected": the Mann-Whitney z with tie correction, A₀ = 1/2 only.
    - "gaidyshev": :math:`(A - 1/2) / \sqrt{SE_{HM}(A)^2 + SE_{HM}(1/2)^2}`, A₀ = 1/2 only; it treats the constant 1/2
      as if it were an estimate, so it claims too little.

    The choice of the test must be made before looking at the result.
    """
    check_choice(test, "test", AREA_TESTS)
    check_choice(alternative, "alternative", ALTERNATIVES)
    null = check_fraction(null, "null", way_out="give the area to test against, e.g. 0.5", open_ends=True)
    if test in ("null", "tie_corrected", "gaidyshev") and null != 0.5:
        raise InputError(
            "",
            f"{named('test', test)} tests against 0.5 only",
            Words(named("null", null)),
            "use 'wald' or 'hanley_mcneil'",
        )
    if tally.weighted and test not in ("score", "wald", "logit"):
        raise InputError(
            "",
            f"{named('test', test)} counts whole cases and has no form for importance weights",
            way_out="use 'wald'",
        )
    area, n_pos, n_neg = auc(tally), tally.n_pos, tally.n_neg
    distance = area - null
    if test == "score":
        z = score_test(delong_parts(tally, area).score_variance(area), null=null)
        return against("AUC", null, z, estimate=area, alternative=alternative, method=test)
    if test in ("wald", "logit"):
        variance = delong_variance(tally, area)
        se: float = variance if isinstance(variance, Undefined) else math.sqrt(variance)
        if test == "logit" and 0 < area < 1:
            distance = _logit(area) - _logit(null)
            se = se if isinstance(se, Undefined) else se / (area * (1 - area))
    elif test == "hanley_mcneil":
        se = hanley_mcneil_se(null, n_pos, n_neg)
    elif test == "null":
        se = null_se(n_pos, n_neg)
    elif test == "tie_corrected":
        se = tie_corrected_null_se(tally)
    else:
        se = math.hypot(hanley_mcneil_se(area, n_pos, n_neg), null_se(n_pos, n_neg))
    z = _ratio(distance, se, area)
    return against("AUC", null, z, estimate=area, alternative=alternative, method=test)


def area_test(
    tally: Tally,
    area: Area,
    *,
    null: float = 0.5,
    test: AreaTest | None = None,
    alternative: Alternative = "two-sided",
) -> TestResult:
    """Is an area different from a null value? By default the test that agrees with the default interval.

    That is the score test for the AUC, which exists for perfect areas and for constant scores too, and t on the logit
    scale, with a small-sample correction, for areas whose influence is known. Other areas than the AUC know "wald" and
    "logit" beside it.
    """
    if not area.is_auc:
        check_choice(test or "logit", "test", ("logit", "wald"))
        scale: Literal["plain", "logit"] = "plain" if test == "wald" else "logit"
        careful = test is None and area.influence is not None and not area.of_auc
        return any_area_test(tally, area, null=null, scale=scale, alternative=alternative, careful=careful)
    if test is not None:
        return auc_test(tally, null=null, test=test, alternative=alternative)
    return auc_test(tally, null=null, test="score", alternative=alternative)


def any_area_test(
    tally: Tally,
    area: Area,
    *,
    null: float,
    scale: Literal["plain", "logit"] = "logit",
    alternative: Alternative = "two-sided",
    careful: bool = False,
) -> TestResult:
    r"""Is any area (partial, tAUC, average precision, Gini …) different from a null value?

    A Wald test with the influence standard error, on the plain scale or on the logit scale of the area's own bounds,
    :math:`g(A) = \operatorname{logit}\frac{A - l}{u - l}`; the latter agrees with the logit interval. ``careful``
    refers it to t with the variance of the default interval (``variance.corrected_variance``), and so agrees with it.
    """
    estimated = None
    if careful and area.influence is not None:
        estimated = corrected_variance(tally, area)
    asked: dict[str, Any] = {"null": null, "scale": scale, "alternative": alternative, "estimated": estimated}
    return estimate_test(estimate_area(tally, area), area, **asked)


def estimate_test(
    estimate: AreaEstimate,
    area: Area,
    *,
    null: float,
    scale: Literal["plain", "logit"] = "logit",
    alternative: Alternative = "two-sided",
    estimated: EstimatedVariance | None = None,
    deviate: float | None = None,
) -> TestResult:
    """The same from an estimate, whatever its standard error comes from: clusters, the bootstrap, a smooth curve.

    ``deviate`` is a score test's normal deviate that is known already.
    """
    check_choice(scale, "scale", ("plain", "logit"))
    check_choice(alternative, "alternative", ALTERNATIVES)
    low, high = area.bounds
    if not low < null < high:
        raise InputError("null", f"must lie strictly between {low:g} and {high:g} for {area.quantity}", null)
    value, se, df = estimate.area, estimate.standard_error, math.inf
    if estimated is not None and not math.isnan(estimated.variance):
        se, df = math.sqrt(estimated.variance), estimated.df
    distance = value - null
    if scale == "logit" and low < value < high:
        share, width = (value - low) / (high - low), high - low
        distance = _logit(share) - _logit((null - low) / width)
        se = se if isinstance(se, Undefined) else se / width / (share * (1 - share))
    if deviate is not None:
        return against(area.quantity, null, deviate, estimate=value, alternative=alternative, method="score")
    z = _ratio(distance, se, value)
    method = ("wald" if scale == "plain" else scale) + (" t" if estimated is not None else "")
    return against(area.quantity, null, z, estimate=value, alternative=alternative, method=method, df=df)


def significance_beside(
    estimate: AreaEstimate,
    tally: Tally,
    area: Area,
    *,
    variance: str | None,
    null: float = 0.5,
    test: AreaTest | None = None,
    alternative: Alternative = "two-sided",
) -> TestResult:
    """The test that stands beside an estimate: with the standard error of the estimate, unless a test is named.

    Tests that count cases take each of them for itself, so that beside the errors of resampled subjects only those from
    the standard error are left: on the logit scale by default, "wald" on the plain one. Obuchowski's errors have a test
    of their own (``clustered_area``).
    """
    if variance in (None, "delong") or (test not in (None, "logit", "wald") and variance not in CLUSTERED_VARIANCES):
        return area_test(tally, area, null=null, test=test, alternative=alternative)
    check_choice(test or "logit", "test", ("logit", "wald"))
    scale: Literal["plain", "logit"] = "plain" if test == "wald" else "logit"
    return estimate_test(estimate, area, null=null, scale=scale, alternative=alternative)


def against(
    quantity: str,
    null: float,
    z: float,
    *,
    estimate: float,
    alternative: Alternative,
    method: str,
    df: float = math.inf,
) -> TestResult:
    """The result of a test of one value against a null value, from its statistic."""
    return TestResult(
        name=f"{quantity} against {null:g} ({method})",
        hypothesis=f"{quantity} = {null:g}",
        statistic=z,
        distribution="standard normal" if math.isinf(df) else f"t, {df:.1f} df",
        p_value=p_of_z(z, alternative, df) if not isinstance(z, Undefined) else z,
        alternative=alternative,
        estimate=estimate,
        method=method,
    )


def _ratio(distance: float, se: float, area: float) -> float:
    if isinstance(se, Undefined):
        return se
    if se > 0:
        return distance / se
    if distance == 0:
        return Undefined("the area equals the null value and has no spread")
    return Undefined(f"the standard error is 0 at an area of {area:g}; use test='null' or 'hanley_mcneil'")


def _logit(value: float) -> float:
    return math.log(value / (1 - value))
