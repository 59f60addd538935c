"""What do predicted probabilities mean where the outcome is rarer, or more common? Known or estimated prevalence."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import check_fraction, check_level
from roclab._core.text import format_number, text_table
from roclab._core.types import Floats, frozen
from roclab._core.undefined import Undefined
from roclab.data.columns import score_column
from roclab.errors import InputError, Words, named
from roclab.inference.one_area.intervals import deviate
from roclab.models.prior_shift import likeliest_prevalence, shifted_probabilities
from roclab.options.verb import public
from roclab.results import Interval, Result

__all__ = ["PrevalenceShift", "shift_prevalence"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PrevalenceShift(Result):
    """Probabilities at another prevalence, which was given or estimated from them."""

    probabilities: Floats
    trained: float
    prevalence: float
    interval: Interval | None  # of an estimated prevalence
    estimated: bool

    def __post_init__(self) -> None:
        frozen(self.probabilities)

    def threshold(self, old: float) -> float:
        """Where a threshold of the old probabilities lies among the new ones: the same cases are called."""
        check_fraction(old, "old", way_out="write 0.2")
        return float(shifted_probabilities(np.array([old]), self.trained, self.prevalence)[0])

    def apply(self, probabilities: Any) -> Floats:
        """Probabilities of further cases at the new prevalence."""
        return shifted_probabilities(_checked(probabilities), self.trained, self.prevalence)

    def rows(self) -> list[dict[str, Any]]:
        """One row."""
        limits = {}
        if self.interval is not None:
            percent = f"{100 * self.interval.level:g}%"
            limits = {f"{percent} low": self.interval.low, f"{percent} high": self.interval.high}
        return [{"trained at": self.trained, "prevalence": self.prevalence, **limits,
                 "mean probability": float(self.probabilities.mean())}]  # fmt: skip

    def __str__(self) -> str:
        how = "estimated from the probabilities without outcomes (Saerens 2002)" if self.estimated else "given"
        said = f"prevalence {format_number(self.prevalence)} {how}; right only where probabilities are calibrated and "
        return "\n".join([text_table(self.rows()), "", said + "nothing but the prevalence changed (Elkan 2001)"])


def _checked(probabilities: Any) -> Floats:
    column = score_column(probabilities, "probabilities")
    values = np.asarray(column.values, dtype=np.float64)
    if values.size == 0 or np.isnan(values).any() or values.min() < 0 or values.max() > 1:
        got = Words("none") if values.size == 0 else Words(f"{values.min():g} to {values.max():g}")
        raise InputError("probabilities", "must hold predicted probabilities between 0 and 1", got,
                         "fit a model that predicts them first")  # fmt: skip
    return values


@public()
def shift_prevalence(
    probabilities: Any, *, trained: float, prevalence: float | None = None, level: float = 0.95
) -> PrevalenceShift:
    """Predicted probabilities where the outcome is rarer, or more common, than where the model was trained.

    Parameters
    ----------
    probabilities : array
        Calibrated predictions of new cases, whose outcomes need not be known.
    trained : float
        Share of positives among the cases that trained the model.
    prevalence : float, optional
        Share of positives where it is used; estimated from the probabilities where it is left out.
    level : float
        Of the interval of an estimated prevalence, Wald's on the logit scale; how often it covers was not measured.

    Examples
    --------
    >>> import roclab as rl
    >>> rare = rl.shift_prevalence([0.05, 0.2, 0.5, 0.8], trained=0.3, prevalence=0.05)
    >>> rare.probabilities.round(4).tolist(), round(rare.threshold(0.5), 4)
    ([0.0064, 0.0298, 0.1094, 0.3294], 0.1094)
    """
    before = check_fraction(trained, "trained", open_ends=True, way_out="write 0.3 for 30%")
    check_level(level)
    p = _checked(probabilities)
    if prevalence is not None:
        after = check_fraction(prevalence, "prevalence", open_ends=True, way_out="write 0.05 for 5%")
        return PrevalenceShift(probabilities=shifted_probabilities(p, before, after), trained=before, prevalence=after,
                               interval=None, estimated=False)  # fmt: skip
    after, error = likeliest_prevalence(p, before)
    if math.isinf(error):
        raise InputError("prevalence", "cannot be estimated from probabilities that are all the trained one",
                         way_out=f"write {named('prevalence', 0.05)}")  # fmt: skip
    method = "Wald, logit"
    why = Undefined("the estimate lies on its bound")
    limits = Interval(low=why, high=why, level=level, method="none")
    if not math.isnan(error):
        middle, half = math.log(after / (1 - after)), deviate(level) * error / (after * (1 - after))
        low, high = (1 / (1 + math.exp(-(middle + way * half))) for way in (-1, 1))
        limits = Interval(low=low, high=high, level=level, method=method)
    moved = shifted_probabilities(p, before, after) if 0 < after < 1 else np.full(p.size, float(after))
    return PrevalenceShift(probabilities=moved, trained=before, prevalence=after, interval=limits, estimated=True)
