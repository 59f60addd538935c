"""One area with its standard error and interval: the estimate a user asks for."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from roclab._core.checks import check_choice
from roclab._core.undefined import Undefined
from roclab.data.tally import Tally
from roclab.errors import InputError, Words, named
from roclab.inference.one_area.area import Area
from roclab.inference.one_area.bootstrap import (
    bootstrap_area,
    bootstrap_interval,
    influence_acceleration,
    jackknife_acceleration,
)
from roclab.inference.one_area.delong import DelongParts, delong_parts, delong_variance
from roclab.inference.one_area.hanley_mcneil import bamber_se, empirical_q_se, hanley_mcneil_se, null_se, q_in_words
from roclab.inference.one_area.intervals import area_interval
from roclab.inference.one_area.score import SCORE, score_interval
from roclab.inference.one_area.variance import area_variance, corrected_variance, effective_sizes
from roclab.inference.welch import EstimatedVariance, corrected_area_variance
from roclab.names import (
    BOOTSTRAP_INTERVALS,
    TALLY_VARIANCES,
    Scale,
    Side,
    Variance,
)
from roclab.options.uncertainty import USUAL, AreaUncertainty
from roclab.results import AreaEstimate, Interval, Sample

__all__ = ["UNSEEN", "area_notes", "bare_estimate", "estimate_area", "estimate_from_error", "variance_title"]

_TITLES = {
    "delong": "DeLong",
    "hanley_mcneil": "Hanley-McNeil 1982",
    "empirical_q": "Hanley-McNeil with empirical Q",
    "bamber": "Bamber",
    "bootstrap": "bootstrap",
}


# What formulas give at an area of 0 or 1 is 0: that is what was not seen, not what cannot be.
UNSEEN = Undefined("all pairs of cases are placed alike, so nothing is seen of how much the area varies")
_ROUNDING = 1e-12  # a variance that is none
_FEW_INSIDE = 2.0  # cases of a class that a partial area rests on, below which a note says so


def variance_title(area: Area, variance: str = "delong") -> str:
    """What a variance is called in results: DeLong's for the AUC, for other areas the influence it generalises to."""
    if variance == "delong" and area.quantity not in ("AUC", "Gini"):
        return "influence"
    return _TITLES[variance]


def estimate_area(tally: Tally, area: Area, asked: AreaUncertainty = USUAL) -> AreaEstimate:
    """Estimate an area with uncertainty.

    By default the standard error is DeLong's where an influence is known, else the bootstrap's, and the interval the
    score interval for the AUC, on the logit scale elsewhere.
    """
    level, interval, variance, side = asked.level, asked.interval, asked.variance, asked.side
    fitted = None if area.fit is None else area.fit(tally)
    value = area.estimate(tally) if fitted is None else fitted.area
    if interval is None:
        return bare_estimate(area, value, tally.sample, level)
    wants_bootstrap = interval in BOOTSTRAP_INTERVALS
    if variance is None:
        closed = area.influence is not None or fitted is not None
        variance = "delong" if closed and not wants_bootstrap else "bootstrap"
    check_choice(variance, "variance", TALLY_VARIANCES)
    if wants_bootstrap and variance != "bootstrap":
        raise InputError(
            "",
            f"{named('interval', interval)} comes from the bootstrap",
            Words(f"{named('variance', variance)}"),
            "leave one of them out",
        )
    notes = [*area_notes(area, value, tally.sample), *(() if fitted is None else fitted.notes)]
    parts, estimated = None, None
    if variance == "bootstrap":
        sampled = bootstrap_area(tally, area.estimate, resampling=asked.how, rng=asked.rng)
        se = sampled.standard_error
        name = sampled.describe()
        found = None
        if wants_bootstrap and np.ptp(sampled.replicates) <= _ROUNDING:
            notes.append(
                "Every bootstrap sample has the same area, so resampling sees no uncertainty; the interval is of "
                "another kind, which it names."
            )
            interval = "auto"
            parts = delong_parts(tally, area.auc_of(value)) if area.of_auc else None
        elif wants_bootstrap:
            found = bootstrap_interval(
                sampled.replicates,
                value,
                level=level,
                side=side,
                acceleration=_acceleration(tally, area) if interval == "bca" else None,
                name=name,
            )
    elif fitted is not None and variance == "delong":
        # The model's own standard error; where it has none, its reason stands in the interval too.
        se, name, found = fitted.standard_error, fitted.standard_error_method, None
    else:
        if variance == "delong" and area.of_auc:
            parts = delong_parts(tally, area.auc_of(value))
        elif variance == "delong" and interval == "auto" and area.influence is not None:
            estimated = corrected_variance(tally, area)
        se, found = _closed_form_se(tally, area, value, variance), None
        se, name = with_fallback(area, value, se, variance_title(area, variance), tally.sample, notes)
        if variance in ("hanley_mcneil", "empirical_q"):
            notes.append(q_in_words(tally))
    if found is None:
        sizes = effective_sizes(tally)
        if parts is None:
            blind = _blind_variance(tally, area, value, se, notes)
            estimated = blind if estimated is None else estimated
        cases = tally.n_pos + tally.n_neg
        pairs = area.pairs(*sizes)
        found = _scaled_interval(area, value, se, name, pairs, level, interval, side, parts, estimated, cases=cases)
    return _estimate(area, value, se, found, tally.sample, notes)


def _blind_variance(tally: Tally, area: Area, value: float, se: float, notes: list[str]) -> EstimatedVariance | None:
    """What takes the place of a standard error of 0 inside the bounds: one case of each class placed otherwise."""
    low, high = area.bounds
    if math.isnan(se) or se > _ROUNDING * (high - low) or not low + _ROUNDING < value < high - _ROUNDING:
        return None
    nothing = [(np.zeros(1), None)] * 2
    widths = area.correction_widths(tally)
    estimated = corrected_area_variance(nothing, effective_sizes(tally), widths=widths, shares=area.shares)
    if not math.isnan(estimated.df):
        notes.append(
            "All cases leave the area where it is (constant scores?), so no uncertainty is seen; the interval allows "
            "for one case of each class placed half a range apart."
        )
    return estimated


def estimate_from_error(
    area: Area,
    value: float,
    se: float,
    name: str,
    *,
    sample: Sample,
    level: float,
    interval: str,
    side: Side,
    pairs: float | None = None,
    parts: DelongParts | None = None,
    estimated: EstimatedVariance | None = None,
    df: float = math.inf,
) -> AreaEstimate:
    """An estimate from a value and a standard error found elsewhere.

    ``pairs`` is min(P, N), of the cases in the region, unless weights lower it; ``parts`` are what both classes add to
    the AUC's variance, where the score interval can have them; ``spread`` is the variance with a small-sample
    correction that other areas' default interval rests on. ``df`` are the degrees of freedom of a standard error that
    comes from few subjects.
    """
    notes = [*area_notes(area, value, sample)]
    se, name = with_fallback(area, value, se, name, sample, notes)
    pairs = area.pairs(sample.n_pos, sample.n_neg) if pairs is None else pairs
    cases = sample.n_pos + sample.n_neg if math.isinf(df) else math.nan  # of subjects they are not independent
    found = _scaled_interval(area, value, se, name, pairs, level, interval, side, parts, estimated, df, cases)
    return _estimate(area, value, se, found, sample, notes)


def with_fallback(
    area: Area, value: float, se: float, name: str, sample: Sample, notes: list[str]
) -> tuple[float, str]:
    """The standard error, or for the AUC one that exists where that one does not; a note then says so."""
    if not area.is_auc:
        return se, name
    if isinstance(se, Undefined):
        notes.append(f"{name}'s standard error is undefined because {se.reason}; Hanley-McNeil 1982 is used instead.")
        return hanley_mcneil_se(value, sample.n_pos, sample.n_neg), "Hanley-McNeil 1982"
    if se == 0 and area.bounds[0] < value < area.bounds[1]:
        notes.append("all components are equal (constant scores?), so the null standard error is used instead.")
        return null_se(sample.n_pos, sample.n_neg), "null standard error"
    return se, name


def _scaled_interval(
    area: Area,
    value: float,
    se: float,
    name: str,
    pairs: float,
    level: float,
    interval: str,
    side: Side,
    parts: DelongParts | None = None,
    estimated: EstimatedVariance | None = None,
    df: float = math.inf,
    cases: float = math.nan,
) -> Interval:
    if interval in ("auto", "score") and parts is not None:
        low, high = score_interval(parts.score_variance(area.auc_of(value)), level=level, side=side, df=df)
        kind = SCORE if math.isinf(df) else f"{name}, {SCORE} t"
        method = kind if side == "two-sided" else f"{kind}, {side} bound"
        return Interval(low=area.of_area(low), high=area.of_area(high), level=level, method=method)
    if interval == "score":
        raise InputError(
            "interval",
            "'score' exists for the AUC and Gini with DeLong's variance",
            Words(f"{area.quantity}, {name}"),
            f"use {named('interval', 'logit')}",
        )
    if interval == "binomial" and not area.is_auc:
        raise InputError("interval", "'binomial' is an interval of the AUC", Words(area.quantity), "use 'logit'")
    scale: Scale = "logit" if interval == "auto" else interval  # type: ignore[assignment]
    if estimated is not None and not math.isnan(estimated.variance):
        se, df = math.sqrt(estimated.variance), estimated.df
        if math.isnan(df):
            se = Undefined("each class has only one case, so no spread can be seen")
    return area_interval(
        value, se, level=level, scale=scale, side=side, bounds=area.bounds, pairs=pairs, name=name, df=df, cases=cases
    )


def _estimate(
    area: Area, value: float, se: float, interval: Interval, sample: Sample, notes: Sequence[str]
) -> AreaEstimate:
    if se == 0 and area.of_auc and not area.bounds[0] < value < area.bounds[1]:
        se = UNSEEN
        notes = [*notes, f"standard error undefined: {se.reason}."]
    return AreaEstimate(
        quantity=area.quantity,
        area=value,
        standard_error=se,
        interval=interval,
        method=area.method,
        sample=sample,
        notes=tuple(notes),
    )


def _acceleration(tally: Tally, area: Area) -> float:
    if area.influence is None:
        return jackknife_acceleration(tally, area.estimate)
    return influence_acceleration(tally, area.influence(tally))


def bare_estimate(area: Area, value: float, sample: Sample, level: float) -> AreaEstimate:
    """A value without its uncertainty, which was not asked for."""
    skipped = Undefined("no interval was asked for")
    nothing = Interval(low=skipped, high=skipped, level=level, method="none")
    return _estimate(area, value, skipped, nothing, sample, area_notes(area, value, sample))


def _closed_form_se(tally: Tally, area: Area, value: float, kind: Variance) -> float:
    if kind == "delong":
        if area.influence is None:
            raise InputError(
                "",
                (f"{named('variance', 'delong')} needs a known influence function, and {area.method!r} has none"),
                way_out=f"use {named('variance', 'bootstrap')}",
            )
        if tally.known is not None and area.of_auc:  # counted before scores were joined
            square = delong_variance(tally, area.auc_of(value))
            if not area.is_auc and not isinstance(square, Undefined):  # times 4 its reason would be lost
                square *= 4
        else:
            square = delong_variance(tally, value) if area.is_auc else area_variance(tally, area.influence(tally))
        return square if isinstance(square, Undefined) else math.sqrt(max(square, 0.0))
    if not area.is_auc:
        raise InputError(
            "",
            f"{named('variance', kind)} exists for the empirical AUC only",
            Words(f"{area.quantity} ({area.method})"),
            "use 'delong' or 'bootstrap'",
        )
    if tally.weighted:
        raise InputError(
            "",
            (f"{named('variance', kind)} counts whole cases and has no form for importance weights"),
            way_out="use 'delong'",
        )
    if kind == "hanley_mcneil":
        return hanley_mcneil_se(value, tally.n_pos, tally.n_neg)
    return empirical_q_se(tally) if kind == "empirical_q" else bamber_se(tally)


def area_notes(area: Area, value: float, sample: Sample) -> tuple[str, ...]:
    """What a reader should know: a direction that may be wrong, a curve below chance, a range without cases."""
    if area.quantity == "AUC" and value < 0.5:
        other = "lower" if sample.direction == "higher" else "higher"
        return (
            f"The AUC is below 0.5: if {other} scores mean positive, say direction={other!r} "
            f"(the AUC is then {1 - value:.4f}).",
        )
    notes = []
    if "mcclish" in area.quantity and value < 0.5:
        notes.append("The curve runs below the chance line in this range, so McClish's value is below 0.5.")
    if area.region is None:
        return tuple(notes)
    sizes = {"positives": sample.n_pos, "negatives": sample.n_neg}
    for (name, size), share in zip(sizes.items(), area.shares, strict=True):
        if share < 1 and size * share < _FEW_INSIDE:
            notes.append(
                f"This range rests on about {size * share:.2g} of {size:g} {name}, so that hardly anything is known "
                "about the area in it; take a wider range, or more cases."
            )
    return tuple(notes)
