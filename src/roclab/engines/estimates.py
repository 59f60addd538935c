"""Areas of data that were counted on an engine: the same estimates, with the numerical error of every number."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

from roclab._core.checks import plural
from roclab._core.text import format_number
from roclab._core.undefined import Undefined
from roclab.data.tally import Tally
from roclab.engines.cells import area_error, spread_errors, standard_error_bound
from roclab.engines.influence_bounds import influence_error
from roclab.engines.limit_bounds import limits_error
from roclab.engines.rate_bounds import limits_in_cells, rate_error
from roclab.inference.one_area.area import Area
from roclab.inference.one_area.delong import DelongParts, delong_parts
from roclab.inference.one_area.estimate import estimate_area, estimate_from_error
from roclab.names import ERROR_INTERVALS, Side
from roclab.options.uncertainty import USUAL, AreaUncertainty
from roclab.results import AreaEstimate, RateEstimate

__all__ = ["CountedArea", "CountedRate", "NumericalError", "NumericalRateError", "area_of_counts", "rate_of_counts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NumericalError:
    """The largest distance of each number from that of the rows themselves; 0 where it is exact.

    This is an error of arithmetic, not of sampling: intervals do not contain it, and it shrinks with more cells.
    """

    area: float = 0.0
    standard_error: float = 0.0
    low: float = 0.0
    high: float = 0.0

    @property
    def exact(self) -> bool:
        """True when no number has an error."""
        return all(getattr(self, one.name) == 0 for one in fields(self))


@dataclass(frozen=True, slots=True, kw_only=True)
class NumericalRateError:
    """The largest distance of a rate from that of the rows themselves; what is resampled has no bound."""

    rate: float = 0.0
    standard_error: float = field(default_factory=lambda: Undefined("it comes from resampled cells"))
    low: float = field(default_factory=lambda: Undefined("it comes from resampled cells"))
    high: float = field(default_factory=lambda: Undefined("it comes from resampled cells"))


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedRate(RateEstimate):
    """A rate that was read from counts of an engine, with its numerical error."""

    numerical_error: NumericalRateError = field(default_factory=NumericalRateError)
    counted: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedArea(AreaEstimate):
    """An area that was counted on an engine, with its numerical error and how it was counted."""

    numerical_error: NumericalError = field(default_factory=NumericalError)
    counted: str = ""


def _counted_words(error: NumericalError, counted: str) -> str:
    """How an area was counted, and with which error."""
    if error.exact:
        return f"Counted exactly ({counted})."
    parts = []
    for name in ("area", "standard_error"):
        value, words = getattr(error, name), name.replace("_", " ")
        parts.append(
            f"unknown for the {words}, as {value.reason}"
            if isinstance(value, Undefined)
            else f"{words} {format_number(value)}"
        )
    return f"Numerical error at most: {', '.join(parts)} ({counted})."


def area_of_counts(tally: Tally, area: Area, asked: AreaUncertainty = USUAL) -> CountedArea:
    """An area of a tally that an engine counted."""
    estimate = estimate_area(tally, area, asked)
    error = _errors(tally, area, estimate, asked)
    values = {one.name: getattr(estimate, one.name) for one in fields(AreaEstimate)}
    words = tally.counted
    if tally.top is not None and (tally.known is None or tally.score.size > 1):
        words += f", {plural(int(tally.score.size), 'cell')}"
    values["notes"] = (*values["notes"], _counted_words(error, words))
    return CountedArea(**values, numerical_error=error, counted=words)


def _errors(tally: Tally, area: Area, found: AreaEstimate, asked: AreaUncertainty) -> NumericalError:
    half = area_error(tally, area)
    if tally.top is None:
        return NumericalError()
    skipped = isinstance(found.standard_error, Undefined)
    if skipped:
        return NumericalError(area=half)
    if asked.variance not in (None, "delong") or asked.interval not in ERROR_INTERVALS:
        why = Undefined("only standard errors by influence, of which DeLong's is one, have a bound")
        return NumericalError(area=half, standard_error=why, low=why, high=why)
    if not area.of_auc:
        return _errors_by_influence(tally, area, found, half, asked)
    factor = 2 if area.method == "gini" else 1
    se = standard_error_bound(tally, area.auc_of(found.area)) * factor
    if half == 0 and se == 0:
        return NumericalError()
    ends = [_ends_at(tally, area, found, shift * half / factor, grow, asked) for shift in (-1, 1) for grow in (-1, 1)]
    low = max(abs(end.interval.low - found.interval.low) for end in ends)
    high = max(abs(end.interval.high - found.interval.high) for end in ends)
    return NumericalError(area=half, standard_error=se, low=low, high=high)


def _errors_by_influence(
    tally: Tally, area: Area, found: AreaEstimate, half: float, asked: AreaUncertainty
) -> NumericalError:
    """Of areas other than the AUC."""
    se = influence_error(tally, area)
    if half == 0 and se == 0:
        return NumericalError()
    if isinstance(half, Undefined) or isinstance(se, Undefined):
        why = half if isinstance(half, Undefined) else se
        return NumericalError(area=half, standard_error=se, low=why, high=why)
    low, high = limits_error(
        tally, area, found, half, level=asked.level, interval=asked.interval or "auto", side=asked.side,
    )  # fmt: skip
    return NumericalError(area=half, standard_error=se, low=low, high=high)


def rate_of_counts(
    tally: Tally, found: RateEstimate, *, at: float, mirrored: bool, side: Side = "two-sided"
) -> RateEstimate:
    """A rate with its numerical error, if the tally has cells: the height of its curve, or of the mirrored one."""
    if tally.top is None:
        return found
    facing = tally.mirrored() if mirrored else tally
    error = NumericalRateError(rate=rate_error(facing, at))
    resampled = not found.interval.method.startswith("score")
    if not resampled:
        error = _errors_of_limits(facing, found, error.rate, at, side)
    values = {one.name: getattr(found, one.name) for one in fields(RateEstimate)}
    words = f"Numerical error of the rate at most {format_number(error.rate)}" if error.rate else "The rate is exact"
    ends = "its interval comes from resampled cells" if resampled else (
        f"its limits move by at most {format_number(max(error.low, error.high))}"
    )  # fmt: skip
    values["notes"] = (*values["notes"], f"{words}; {ends} ({tally.counted}).")
    return CountedRate(**values, numerical_error=error, counted=tally.counted)


def _errors_of_limits(
    facing: Tally, found: RateEstimate, rate: float, at: float, side: Side
) -> NumericalRateError:  # fmt: skip
    """Of a score interval, and of the standard error that is half the length of another one."""
    from roclab.inference.one_curve.fixed_rate import ONE_DEVIATE  # needs SciPy, which areas do without

    low, high = limits_in_cells(facing, at, level=found.interval.level, side=side)
    below, above = limits_in_cells(facing, at, level=ONE_DEVIATE)
    least, most = (above[0] - below[1]) / 2, (above[1] - below[0]) / 2
    return NumericalRateError(
        rate=rate,
        standard_error=max(most - found.standard_error, found.standard_error - least),
        low=max(abs(end - found.interval.low) for end in low),
        high=max(abs(end - found.interval.high) for end in high),
    )


def _ends_at(
    tally: Tally, area: Area, found: AreaEstimate, shift: float, grow: int, asked: AreaUncertainty
) -> AreaEstimate:
    """The estimate at one corner of what area and spreads can be: limits move with the area and with the spreads."""
    value = min(max(area.auc_of(found.area) + shift, 0.0), 1.0)
    parts = delong_parts(tally, area.auc_of(found.area))
    pos, neg = (
        max((part * n) ** 0.5 + grow * error, 0.0) ** 2 / n
        for part, n, error in zip(parts[:2], parts[2:], spread_errors(tally), strict=True)
    )
    corner = DelongParts(pos, neg, parts.n_pos, parts.n_neg)
    factor = 2 if area.method == "gini" else 1
    return estimate_from_error(
        area, area.of_area(value), corner.standard_error * factor, "DeLong", sample=tally.sample,
        level=asked.level, interval=asked.interval or "auto", side=asked.side, parts=corner,
    )  # fmt: skip
