"""What every smooth curve offers, and the checks that all of them share."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np

from roclab._core.checks import check_positive
from roclab._core.text import format_number
from roclab._core.types import Counts, Floats
from roclab.data.tally import Tally
from roclab.errors import InputError, Words
from roclab.rank_tests.area_variance import hanley_mcneil_variance
from roclab.results import Result, Sample
from roclab.results.pictured import Pictured

__all__ = ["ClassDensities", "FiniteScores", "SmoothFit", "SmoothPoint", "SmoothRoc", "finite_scores", "check_slope"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SmoothPoint(Result):
    """The best operating point for one slope of the equal-cost lines: where tpr - slope * fpr is largest."""

    fpr: float
    tpr: float
    slope: float  # the slope that was asked for
    threshold: float  # in the user's units; undefined for models that have no score

    def rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [{"slope": self.slope, "fpr": self.fpr, "tpr": self.tpr, "threshold": self.threshold}]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClassDensities(Pictured):
    """Densities of the negatives and of the positives over a common grid.

    ``scale`` says what x is: "score", in the user's own units, or "latent", where the negatives are standard normal and
    no score is known.
    """

    x: Floats
    neg: Floats
    pos: Floats
    scale: Literal["score", "latent"] = "score"

    def of_logarithms(self) -> ClassDensities:
        """Densities per unit of the logarithm, which is what a logarithmic axis shows; scores above 0 only."""
        above = self.x > 0
        x = self.x[above]
        return ClassDensities(x=x, neg=self.neg[above] * x, pos=self.pos[above] * x, scale=self.scale)

    def rows(self) -> list[dict[str, Any]]:
        """One row per point."""
        columns = zip(self.x.tolist(), self.neg.tolist(), self.pos.tolist(), strict=True)
        return [{"x": x, "negative": neg, "positive": pos} for x, neg, pos in columns]


class SmoothRoc(Protocol):
    """What every file of this room offers, and no more."""

    @property
    def area(self) -> float:
        """Area under the fitted curve."""
        ...

    @property
    def standard_error(self) -> float:
        """Its standard error, or an undefined number with the reason."""
        ...

    @property
    def standard_error_method(self) -> str:
        """How the standard error was found."""
        ...

    @property
    def converged(self) -> bool:
        """False when an iterative fit stopped early or the data determine no fit; the notes say why."""
        ...

    @property
    def iterations(self) -> int:
        """Iterations used; 0 for closed forms."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know."""
        ...

    def tpr(self, fpr: Any) -> Floats:
        """True positive rate at each false positive rate."""
        ...

    def slope(self, fpr: Any) -> Floats:
        """Slope of the curve at each false positive rate."""
        ...

    def optimal_point(self, slope: float) -> SmoothPoint:
        """The point of the curve where tpr - slope * fpr is largest."""
        ...

    def densities(self) -> ClassDensities:
        """Densities of both classes, of models that have them."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SmoothFit(Pictured):
    """The fields that every fit has."""

    method: str
    area: float
    standard_error: float
    standard_error_method: str
    sample: Sample | None
    converged: bool = True
    iterations: int = 0
    notes: tuple[str, ...] = ()

    def parameters(self) -> dict[str, Any]:
        """The estimated parameters by name."""
        return {}

    def densities(self) -> ClassDensities:
        """The fitted densities of both classes; models of the curve alone have none."""
        raise InputError(
            "estimator",
            "must fit the scores of each class to have densities",
            Words(f"{self.method}, which fits the curve alone"),
            "use 'normal', 'box_cox' or 'kernel_k1'",
        )

    def rows(self) -> list[dict[str, Any]]:
        """One row: the area and the parameters."""
        return [
            {"method": self.method, "area": self.area, "std. error": self.standard_error}
            | self.parameters()
            | {"converged": self.converged}
        ]

    def __str__(self) -> str:
        lines = [
            f"AUC {format_number(self.area)}, standard error {format_number(self.standard_error)} "
            f"({self.standard_error_method}); {self.method}",
            ", ".join(f"{name} {format_number(value)}" for name, value in self.parameters().items()),
        ]
        if self.sample is not None:
            lines.append(self.sample.describe())
        if not self.converged:
            lines.append("the fit did not converge")
        return "\n".join([*(line for line in lines if line), *self.notes])

    def __float__(self) -> float:
        return float(self.area)


class FiniteScores(NamedTuple):
    """Distinct scores of one class, ascending, with their counts."""

    values: Floats
    counts: Counts

    @property
    def size(self) -> int:
        """Number of cases."""
        return int(self.counts.sum())

    @property
    def mean(self) -> float:
        """Mean score."""
        return float(np.dot(self.counts, self.values)) / self.size

    def variance(self, ddof: int = 1) -> float:
        """Variance of the scores; exactly 0 for constant ones."""
        if self.values.size == 1:
            return 0.0
        centred = self.values - self.mean
        return float(np.dot(self.counts, centred**2)) / (self.size - ddof)

    def mapped(self, values: Floats) -> FiniteScores:
        """The same cases with increasing or decreasing transforms of their scores."""
        flip = slice(None, None, -1 if values.size > 1 and values[0] > values[-1] else 1)
        return FiniteScores(values[flip], self.counts[flip])


def finite_scores(tally: Tally, *, model: str) -> tuple[FiniteScores, FiniteScores]:
    """Scores of the positives and of the negatives, higher meaning positive; O(n).

    Smooth models count whole cases and finite scores; anything else is an error.
    """
    require_whole_cases(tally, model=model)
    if not np.all(np.isfinite(tally.score)):
        count = int(np.dot(~np.isfinite(tally.score), tally.pos + tally.neg))
        raise InputError(
            "score",
            f"must be finite for the {model} curve",
            Words(f"{count} infinite"),
            "use the empirical curve, which needs ranks only, or leave these cases out",
        )
    ascending = tally.score[::-1]
    largest, spread = float(np.max(np.abs(ascending))), float(ascending[-1] / 2 - ascending[0] / 2)
    if largest > 1e150 or 0 < spread < 1e-150:
        raise InputError(
            "score",
            f"must have squares within the range of numbers for the {model} curve",
            Words(f"scores of size {largest:g} that differ by {2 * spread:g} at most"),
            "rescale them",
        )
    out = []
    for counts in (tally.pos[::-1], tally.neg[::-1]):
        held = counts > 0
        out.append(FiniteScores(ascending[held], counts[held].astype(np.int64)))
    return out[0], out[1]


def require_whole_cases(tally: Tally, *, model: str) -> None:
    """Importance weights have no likelihood here: refuse them."""
    whole = not tally.weighted and all(np.all(counts == np.floor(counts)) for counts in (tally.pos, tally.neg))
    if not whole:
        raise InputError(
            "weights",
            f"must be whole counts of cases for the {model} curve",
            Words("importance weights"),
            "use the empirical area, or repeat each case a whole number of times",
        )


def user_sign(sample: Sample) -> float:
    """-1 where scores were negated because a lower score means positive, else 1."""
    return 1.0 if sample.direction == "higher" else -1.0


def check_slope(slope: float) -> float:
    """The slope of equal-cost lines."""
    return check_positive(
        slope,
        "slope",
        way_out="it is (1 - prevalence) / prevalence * cost of a false positive / cost of a false negative",
    )


def check_some_spread(pos: FiniteScores, neg: FiniteScores, *, model: str) -> None:
    """A class of one case has no variance, and two constant classes leave nothing to fit."""
    for scores, name in ((pos, "positive"), (neg, "negative")):
        if scores.size < 2:
            raise InputError(
                "",
                f"the {model} curve needs at least 2 cases in each class to estimate a variance",
                Words(f"{scores.size} {name}"),
                "add cases or use the empirical area",
            )
        check_squares(scores, model=model)
    if pos.values.size == 1 and neg.values.size == 1:
        raise InputError(
            "",
            f"the {model} curve needs scores that vary",
            Words("one constant score in each class"),
            "use the empirical area",
        )


def check_squares(scores: FiniteScores, *, model: str) -> None:
    """Refuse distinct scores whose squared distances vanish: a variance of 0 would divide what follows."""
    if scores.values.size > 1 and not scores.variance(ddof=0) > 0:
        raise InputError(
            "score",
            f"must differ by more than 1e-150 for the {model} curve, whose variance is a sum of squares",
            Words(f"{scores.values[0]:g} to {scores.values[-1]:g}"),
            "multiply all scores by one number, or use the empirical area",
        )


def check_spread_in_each(pos: FiniteScores, neg: FiniteScores, *, model: str) -> None:
    """Models whose likelihood is unbounded for a constant class need two distinct scores in each."""
    for scores, name in ((pos, "positives"), (neg, "negatives")):
        if scores.values.size < 2:
            raise InputError(
                "",
                f"the {model} curve needs at least 2 distinct scores in each class",
                Words(f"one score ({scores.values[0]:g}) for all {name}"),
                "use the empirical area",
            )


def hanley_mcneil(area: float, n_pos: float, n_neg: float) -> float:
    """Hanley and McNeil's 1982 standard error, for models without a likelihood of their own."""
    return math.sqrt(hanley_mcneil_variance(area, n_pos, n_neg))
