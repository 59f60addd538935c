"""The shared vocabulary of answers: what every method returns, whichever method it is.

All results are frozen values. Each can print itself, become a dictionary, JSON, CSV or any data
frame, and show itself as HTML in a notebook; the command line prints exactly these.
"""

from __future__ import annotations

import dataclasses
import html
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from roclab._core.checks import in_full
from roclab._core.markup import latex_table, markdown_table
from roclab._core.plain import plain
from roclab._core.quick_init import quickly_made
from roclab._core.text import csv_text, format_number, html_table, text_table, with_notes
from roclab._core.undefined import Undefined
from roclab.names import Direction, Weighting
from roclab.results.frames import frame_of

__all__ = [
    "AreaEstimate",
    "Estimate",
    "Interval",
    "RateEstimate",
    "Result",
    "Sample",
    "TestResult",
    "Undefined",
]


class Result:
    """What every result can do. Subclasses are frozen dataclasses and say what their rows are."""

    __slots__ = ()

    def rows(self) -> list[dict[str, Any]]:
        """The result as a table, one dictionary per row: the base of every other output."""
        raise NotImplementedError  # pragma: no cover - every result defines its rows

    @classmethod
    def _between_groups(cls, answers: Mapping[str, Any]) -> tuple[TestResult, ...]:
        """Tests whether the answers of groups differ, for those questions that have one."""
        return ()

    def to_dict(self) -> dict[str, Any]:
        """Every field as plain Python values; undefined numbers are None with their reasons beside them."""
        value = plain(self)
        assert isinstance(value, dict)
        return value

    def to_json(self, *, indent: int | None = 2, whole: bool = False) -> str:
        """The dictionary as JSON text; this is what ``roclab … --json`` prints.

        ``whole`` adds all that the result keeps, cases and fits too, so that ``from_json`` gives it back whole.
        """
        content = self.to_dict()
        if whole:
            from roclab.results.whole import KEY, encoded

            content = {**content, KEY: encoded(self)}
        return json.dumps(content, indent=indent, ensure_ascii=False, allow_nan=False)

    def to_csv(self) -> str:
        """The rows as comma-separated text with every digit; names that begin as formulas get an apostrophe."""
        return csv_text(self.rows(), shown=True)

    def to_markdown(self) -> str:
        """The rows as a table of Markdown, rounded as ``print`` rounds them."""
        return markdown_table(self.rows())

    def to_latex(self) -> str:
        """The rows as a tabular of LaTeX with the lines of booktabs, rounded as ``print`` rounds them."""
        return latex_table(self.rows())

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """The result that ``to_json`` wrote, of the class that is asked: it is equal in JSON and prints the same.

        Cases are not in JSON: a further question that needs them is refused in words, and so are results that keep
        more than their JSON tells, such as models. ``to_json(whole=True)`` writes everything.

        >>> import roclab as rl
        >>> area = rl.auc([0, 0, 1, 1], [1, 3, 2, 4])
        >>> rl.results.AreaEstimate.from_json(area.to_json()) == area
        True
        """
        from roclab.results.restoring import restored

        return restored(cls, text)

    def to_frame(self, backend: str | None = None) -> Any:
        """The rows as a data frame of ``backend``: "pandas", "polars" or "pyarrow" (default: the first installed).

        Names of columns do not depend on the level: limits are ``low`` and ``high``, and ``level`` stands beside them.
        """
        return frame_of(self.rows(), backend)

    def summary_row(self) -> dict[str, Any] | None:
        """The answer in one row, for results so long that groups are shown beside each other by it; else None."""
        return None

    def _noting(self, *notes: str) -> Self:
        """The same with further notes, where it has a place for them."""
        if not notes or "notes" not in getattr(self, "__dataclass_fields__", {}):
            return self
        known: tuple[str, ...] = getattr(self, "notes")  # noqa: B009 - not of every result
        return dataclasses.replace(self, notes=(*known, *notes))  # type: ignore[type-var]

    def _following(self, program: str, note: str) -> Self:
        """The same, saying that it follows the conventions of a program, and following them when asked on."""
        noted = self._noting(note)
        if "conventions" not in getattr(self, "__dataclass_fields__", {}):
            return noted
        return dataclasses.replace(noted, conventions=program)  # type: ignore[type-var]

    def __str__(self) -> str:
        return with_notes(text_table(self.rows()), getattr(self, "notes", ()))

    def _repr_html_(self) -> str:
        """In a notebook, all that ``print`` shows: a table, or the words around it too where there are some."""
        if type(self).__str__ is Result.__str__ and not getattr(self, "notes", ()):
            return html_table(self.rows())
        return f"<pre>{html.escape(str(self))}</pre>"


@quickly_made
@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """What was analysed: carried by every result so that no number loses its circumstances."""

    n_pos: float
    n_neg: float
    positive: str = "1"
    negative: str = "0"
    direction: Direction = "higher"  # which side of the score is called positive
    direction_chosen: bool = False  # True when direction="auto" was asked for
    dropped: int = 0  # cases left out because a value was missing
    outcome: str = ""  # how the classes were made, where they are not simply the two labels of a column
    weights: Weighting = "none"
    score: str | None = None
    points: int = 0  # ready-made points, behind which no cases are known
    subjects: int = 0  # whose the cases are, where some have several
    pooled_folds: int = 0  # folds whose cases were put together because somebody said so

    def without_name(self) -> Sample:
        """The same circumstances of any score, to be said once for several."""
        return dataclasses.replace(self, score=None)

    def describe(self) -> str:
        """One line for people.

        >>> print(Sample(n_pos=41, n_neg=72, positive="poor", negative="good").describe())
        41 positive (poor), 72 negative (good); a higher score means positive
        """
        if self.points:
            return f"{self.points} ready-made points; without the numbers of cases behind them there are no intervals"
        text = (
            f"{in_full(self.n_pos)} positive ({self.positive}), {in_full(self.n_neg)} negative ({self.negative}); "
            f"a {self.direction} score means positive"
        )
        if self.direction_chosen:
            text += " (direction chosen from the data)"
        if self.weights != "none":
            text += f"; {self.weights} weights"
        if self.dropped:
            text += f"; {self.dropped} dropped for missing values"
        if self.outcome:
            text += f"; {self.outcome}"
        return "; ".join([text, *self.belonging()])

    def belonging(self) -> list[str]:
        """Whose the cases are and which folds were put together, where there is something to say."""
        parts = [f"cases of {self.subjects:,} subjects"] if self.subjects else []
        if self.pooled_folds:
            parts.append(f"{self.pooled_folds} folds pooled: all cases are ranked together")
        return parts


@quickly_made
@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A confidence interval: from ``low`` to ``high`` at ``level``, by ``method``.

    >>> low, high = Interval(low=0.7, high=0.9, level=0.95, method="DeLong, logit")
    >>> low, high
    (0.7, 0.9)
    """

    low: float
    high: float
    level: float
    method: str

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def __iter__(self) -> Iterator[float]:
        return iter((self.low, self.high))

    def __format__(self, spec: str) -> str:
        return f"{self.low:{spec}} to {self.high:{spec}}" if spec else str(self)

    def __str__(self) -> str:
        return f"{format_number(self.low)} to {format_number(self.high)}"


class Estimate(Result):
    """A number with its uncertainty, which behaves like the number where a number is wanted.

    ``float(e)``, ``round(e, 3)``, ``f"{e:.3f}"``, comparisons and sums, differences, products and quotients with
    numbers and other estimates use the value alone; what they give are numbers, which have no interval.
    """

    __slots__ = ()

    quantity: str
    standard_error: float
    interval: Interval
    sample: Sample
    method: str
    notes: tuple[str, ...]

    @property
    def value(self) -> float:
        """The number itself."""
        raise NotImplementedError  # pragma: no cover - every estimate has a value

    @property
    def n_pos(self) -> float:
        """Number (or total weight) of positive cases."""
        return self.sample.n_pos

    @property
    def n_neg(self) -> float:
        """Number (or total weight) of negative cases."""
        return self.sample.n_neg

    def rows(self) -> list[dict[str, Any]]:
        """One row: the estimate."""
        percent = f"{100 * self.interval.level:g}%"
        return [
            {
                "score": self.sample.score or "score",
                "quantity": self.quantity,
                self._title: self.value,
                "std. error": self.standard_error,
                f"{percent} low": self.interval.low,
                f"{percent} high": self.interval.high,
                "method": self.method,
                "interval": self.interval.method,
            }
        ]

    @property
    def _title(self) -> str:
        return "estimate"

    def __str__(self) -> str:
        lines = [
            f"{self.quantity} {format_number(self.value)}, "
            f"{100 * self.interval.level:g}% interval {self.interval} ({self.interval.method})",
            f"standard error {format_number(self.standard_error)}; {self.method}",
            self.sample.describe(),
        ]
        return "\n".join([*lines, *self.notes])

    def __float__(self) -> float:
        return float(self.value)

    def __format__(self, spec: str) -> str:
        return format(float(self), spec) if spec else str(self)

    def __round__(self, digits: int | None = None) -> float:
        return round(float(self), digits)

    def __lt__(self, other: Any) -> bool:
        return float(self) < float(other)

    def __le__(self, other: Any) -> bool:
        return float(self) <= float(other)

    def __gt__(self, other: Any) -> bool:
        return float(self) > float(other)

    def __ge__(self, other: Any) -> bool:
        return float(self) >= float(other)

    def __add__(self, other: Any) -> Any:
        return float(self) + (float(other) if isinstance(other, Estimate) else other)

    def __sub__(self, other: Any) -> Any:
        return float(self) - (float(other) if isinstance(other, Estimate) else other)

    def __mul__(self, other: Any) -> Any:
        return float(self) * (float(other) if isinstance(other, Estimate) else other)

    def __truediv__(self, other: Any) -> Any:
        return float(self) / (float(other) if isinstance(other, Estimate) else other)

    def __radd__(self, other: Any) -> Any:
        return other + float(self)

    def __rsub__(self, other: Any) -> Any:
        return other - float(self)

    def __rmul__(self, other: Any) -> Any:
        return other * float(self)

    def __rtruediv__(self, other: Any) -> Any:
        return other / float(self)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        import numpy as np

        return np.asarray(float(self), dtype=dtype)

    def __neg__(self) -> float:
        return -float(self)

    def __abs__(self) -> float:
        return abs(float(self))


@quickly_made
@dataclass(frozen=True, slots=True, kw_only=True)
class AreaEstimate(Estimate):
    """An area with its uncertainty."""

    quantity: str  # "AUC", "partial AUC", "tAUC" …
    area: float
    standard_error: float
    interval: Interval
    method: str  # the estimator that really ran
    sample: Sample
    notes: tuple[str, ...] = field(default=())

    @property
    def value(self) -> float:
        """The area."""
        return self.area

    @property
    def _title(self) -> str:
        return "area"


@dataclass(frozen=True, slots=True, kw_only=True)
class RateEstimate(Estimate):
    """A rate with its uncertainty: sensitivity at a specificity, or the reverse."""

    quantity: str
    rate: float
    standard_error: float
    interval: Interval
    method: str
    sample: Sample
    notes: tuple[str, ...] = field(default=())

    @property
    def value(self) -> float:
        """The rate."""
        return self.rate

    @property
    def _title(self) -> str:
        return "rate"


@dataclass(frozen=True, slots=True, kw_only=True)
class TestResult(Result):
    """A hypothesis test: statistic, its reference distribution and the p-value."""

    __test__ = False  # pytest would otherwise try to collect a class of this name

    name: str
    hypothesis: str  # the null hypothesis in words
    statistic: float
    distribution: str  # "standard normal", "chi-squared, 2 df" …
    p_value: float
    alternative: str = "two-sided"
    estimate: float = dataclasses.field(default_factory=lambda: Undefined("the test estimates no quantity"))
    interval: Interval | None = None
    method: str = ""
    notes: tuple[str, ...] = field(default=())

    def rows(self) -> list[dict[str, Any]]:
        """One row: the test."""
        row: dict[str, Any] = {
            "test": self.name,
            "hypothesis": self.hypothesis,
            "estimate": self.estimate,
            "statistic": self.statistic,
            "p": self.p_value,
            "alternative": self.alternative,
        }
        if self.interval is not None:
            percent = f"{100 * self.interval.level:g}%"
            row |= {f"{percent} low": self.interval.low, f"{percent} high": self.interval.high}
        return [row]
