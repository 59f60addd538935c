"""The confusion matrix, at a threshold or of hard predictions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from roclab._core.checks import check_fraction
from roclab._core.text import format_number, text_table
from roclab._core.types import Array, Bools, Counts
from roclab.data.rates import count_of_rate
from roclab.data.tally import Tally
from roclab.decisions.metrics import Counts4, all_metrics, f_beta, predictive_values
from roclab.decisions.subject_calls import SubjectCalls, calls_by_subject
from roclab.errors import InputError, Words
from roclab.names import Program, ProportionInterval, RateCorrection, RatioInterval
from roclab.options.conventions import ConventionKeywords
from roclab.options.verb import public
from roclab.results import Result, Sample

if TYPE_CHECKING:
    from roclab.decisions.intervals import MetricIntervals
    from roclab.decisions.predictive_values import PredictiveValues
    from roclab.decisions.rate_gaps import RateGaps
    from roclab.decisions.signal_detection import SignalDetection
    from roclab.options.uncertainty import Resampling

__all__ = ["ConfusionMatrix", "confusion_at", "confusion_of_calls"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfusionMatrix(Result):
    """Counts (or total weights) of the four outcomes.

    >>> matrix = ConfusionMatrix(tp=3, fp=1, fn=2, tn=4)
    >>> matrix.metrics()["tpr"], round(matrix.metrics()["mcc"], 4)
    (0.6, 0.4082)
    """

    tp: float
    fp: float
    fn: float
    tn: float
    threshold: float | None = None
    sample: Sample | None = None
    subjects: SubjectCalls | None = field(default=None, repr=False, compare=False)  # where some have several cases
    notes: tuple[str, ...] = field(default=(), compare=False)
    conventions: Program | None = field(default=None, compare=False)  # whose intervals these metrics get

    @classmethod
    def from_rates(
        cls,
        *,
        tpr: float,
        fpr: float | None = None,
        specificity: float | None = None,
        n_pos: float | None = None,
        n_neg: float | None = None,
        prevalence: float | None = None,
        total: float | None = None,
    ) -> ConfusionMatrix:
        """The matrix of published rates: TPR and FPR (or specificity), with both class sizes or prevalence and total.

        Counts are whole: those whose rates round to the printed ones, and a note says where that was needed.

        >>> ConfusionMatrix.from_rates(tpr=0.9, specificity=0.8, n_pos=50, n_neg=150).tn
        120
        >>> found = ConfusionMatrix.from_rates(tpr=0.98, specificity=0.8, n_pos=120, n_neg=150)
        >>> found.tp, found.notes
        (118, ('tpr printed to 2 digits: 0.98 of 120 is taken for 118 cases',))
        """
        made = ""
        if (fpr is None) == (specificity is None):
            got = Words("neither" if fpr is None else "both")
            raise InputError("fpr", "or specificity must be given, one of them", got)
        if prevalence is not None and total is not None and n_pos is None and n_neg is None:
            share = check_fraction(prevalence, "prevalence", way_out="write 0.1 for 10%")
            n_pos, made = count_of_rate(share, total, "total", "prevalence")
            n_neg = total - n_pos
        if n_pos is None or n_neg is None or (prevalence is None) != (total is None):
            raise InputError(
                "n_pos",
                "and n_neg must be given, or prevalence and total",
                Words("other totals"),
                "write n_pos=50, n_neg=150",
            )
        true = check_fraction(tpr, "tpr", way_out="write 0.9 for 90%")
        if fpr is None:
            assert specificity is not None
            true_neg = check_fraction(specificity, "specificity", way_out="write 0.9 for 90%")
            tn, of_neg = count_of_rate(true_neg, n_neg, "n_neg", "specificity")
            fp = int(n_neg) - tn
        else:
            fp, of_neg = count_of_rate(check_fraction(fpr, "fpr", way_out="write 0.1 for 10%"), n_neg, "n_neg", "fpr")
        tp, of_pos = count_of_rate(true, n_pos, "n_pos", "tpr")
        notes = tuple(note for note in (made, of_pos, of_neg) if note)
        return cls(tp=tp, fp=fp, fn=int(n_pos) - tp, tn=int(n_neg) - fp, notes=notes)

    def __add__(self, other: ConfusionMatrix) -> ConfusionMatrix:
        """Both sets of cases together; a threshold stays only where it is the same."""
        if not isinstance(other, ConfusionMatrix):
            return NotImplemented
        mine, theirs = self.sample, other.sample
        if mine and theirs and (mine.positive, mine.negative) != (theirs.positive, theirs.negative):
            raise InputError(
                "",
                "matrices add only when they have the same classes",
                Words(f"{mine.positive}/{mine.negative} and {theirs.positive}/{theirs.negative}"),
                "rename the classes first",
            )
        together = None
        if mine and theirs:
            sizes: Any = {"n_pos": mine.n_pos + theirs.n_pos, "n_neg": mine.n_neg + theirs.n_neg}
            together = replace(mine, **sizes, dropped=mine.dropped + theirs.dropped)
        return ConfusionMatrix(
            tp=self.tp + other.tp,
            fp=self.fp + other.fp,
            fn=self.fn + other.fn,
            tn=self.tn + other.tn,
            threshold=self.threshold if self.threshold == other.threshold else None,
            sample=together,
            subjects=_both(self, other),
        )

    def __radd__(self, other: Any) -> ConfusionMatrix:
        """``sum`` starts at 0."""
        return self if isinstance(other, int) and other == 0 else NotImplemented

    @property
    def margins(self) -> dict[str, float]:
        """Actual positives P and negatives N, and those called so, P' and N'."""
        return {"P": self.tp + self.fn, "N": self.fp + self.tn, "P'": self.tp + self.fp, "N'": self.fn + self.tn}

    def __post_init__(self) -> None:
        for name in ("tp", "fp", "fn", "tn"):
            value = getattr(self, name)
            if isinstance(value, int | float) and 0 <= value < np.inf:
                continue
            if not (np.isreal(value) and np.isfinite(value) and value >= 0):
                raise InputError(name, "must be a finite count >= 0", value, "count the cases again")

    def metrics(self, *, prevalence: float | None = None) -> Mapping[str, float]:
        """Every metric by name; with ``prevalence`` the predictive values at that prevalence beside them."""
        values = dict(all_metrics(tp=self.tp, fp=self.fp, fn=self.fn, tn=self.tn))
        if prevalence is not None:
            values["ppv_at_prevalence"], values["npv_at_prevalence"] = predictive_values(
                tpr=values["tpr"], fpr=values["fpr"], prevalence=prevalence
            )
        return values

    @public(ConventionKeywords)
    def with_intervals(
        self,
        *,
        level: float = 0.95,
        interval: ProportionInterval = "wilson",
        ratio_interval: RatioInterval = "score",
        prevalence: float | None = None,
        beta: float | None = None,
        resampling: Resampling | int | None = None,
        rng: Any = None,
        **asked: Unpack[ConventionKeywords],
    ) -> MetricIntervals:
        """Every metric with its interval; ``prevalence`` and ``beta`` add some of their own.

        ``ratio_interval`` is "score" (Koopman) or "log" (Simel) for likelihood ratios and what follows from them. With
        ``resampling`` or ``rng`` metrics without a formula of their own, such as MCC, kappa and F, get the
        interval of the bootstrap: for a threshold that was fixed before, as all intervals here.
        """
        from roclab.decisions.intervals import metric_intervals

        drawn: Any = {"resampling": resampling, "rng": rng}
        kinds: Any = {"interval": interval, "ratio_interval": ratio_interval}
        return metric_intervals(self, level=level, prevalence=prevalence, beta=beta, **kinds, **drawn)

    @public()
    def predictive_values(
        self, prevalence: float | None = None, *, level: float = 0.95, ratio_interval: RatioInterval = "score"
    ) -> PredictiveValues:
        """What an answer says about a patient at any prevalence; ``.plot()`` and ``.plot(kind="fagan")`` draw it.

        Without ``prevalence`` the one of the matrix is marked, which means something only where the cases were not
        chosen by their class.

        >>> found = ConfusionMatrix(tp=90, fp=40, fn=10, tn=160).predictive_values(0.05)
        >>> round(float(found.ppv(0.05)), 4), round(float(found.npv(0.05)), 4)
        (0.1915, 0.9935)
        """
        from roclab.decisions.predictive_values import predictive_values_of

        return predictive_values_of(self, prevalence, level=level, ratio_interval=ratio_interval)

    @public()
    def signal_detection(self, *, correction: RateCorrection = "loglinear", level: float = 0.95) -> SignalDetection:
        """How far apart signal and noise lie (d'), and where the line is drawn (c, beta), with intervals.

        ``correction`` "loglinear" adds one half to hits and false alarms, so that rates of 0 and 1 have a deviate;
        "none" takes the rates as counted.

        >>> round(ConfusionMatrix(tp=80, fp=20, fn=20, tn=80).signal_detection().d_prime, 4)
        1.6621
        """
        from roclab.decisions.signal_detection import signal_detection

        if self.subjects is not None:
            raise InputError(
                "", "d' has an error that takes every case for itself", Words("several cases of a subject"),
                "leave out ids, or ask with_intervals() for the rates themselves",
            )  # fmt: skip
        return signal_detection(tp=self.tp, fp=self.fp, fn=self.fn, tn=self.tn, correction=correction, level=level)

    @classmethod
    def _gaps_between(cls, by: str, matrices: Mapping[str, ConfusionMatrix], *, level: float) -> RateGaps:
        """How far the rates of groups lie apart."""
        from roclab.decisions.rate_gaps import gaps_of

        return gaps_of(by, matrices, level=level)

    def f_beta(self, beta: float) -> float:
        """F-measure in which recall weighs ``beta`` times as much as precision."""
        return float(f_beta(Counts4.of(self.tp, self.fp, self.fn, self.tn), beta))

    def to_dict(self) -> dict[str, Any]:
        """Counts, metrics and circumstances."""
        from roclab._core.plain import plain

        out: dict[str, Any] = plain(
            {
                "tp": self.tp,
                "fp": self.fp,
                "fn": self.fn,
                "tn": self.tn,
                "threshold": self.threshold,
                "metrics": self.metrics(),
                "sample": self.sample,
                **({"notes": self.notes} if self.notes else {}),
            }
        )
        return out

    def rows(self) -> list[dict[str, Any]]:
        """One row per metric, after the four counts."""
        counts = [{"metric": name.upper(), "value": getattr(self, name)} for name in ("tp", "fp", "fn", "tn")]
        return counts + [{"metric": name, "value": value} for name, value in self.metrics().items()]

    def summary_row(self) -> dict[str, Any]:
        """Counts and the rates that are asked for most, in one row."""
        found = self.metrics()
        rates = {"sensitivity": "tpr", "specificity": "tnr", "ppv": "ppv", "npv": "npv", "accuracy": "accuracy"}
        counts = {name: getattr(self, name) for name in ("tp", "fp", "fn", "tn")}
        return counts | {name: found[metric] for name, metric in rates.items()}

    def table_text(self) -> str:
        """The 2 x 2 table, and the rule that made it."""
        positive = self.sample.positive if self.sample else "positive"
        negative = self.sample.negative if self.sample else "negative"
        p, n, called, cleared = self.margins.values()
        one, two = f"actual {positive}", f"actual {negative}"
        table = text_table(
            [
                {"": f"called {positive}", one: self.tp, two: self.fp, "all (P', N')": called},
                {"": f"called {negative}", one: self.fn, two: self.tn, "all (P', N')": cleared},
                {"": "all (P, N)", one: p, two: n, "all (P', N')": p + n},
            ]
        )
        rule = ""
        if self.threshold is not None:
            side = "<=" if self.sample and self.sample.direction == "lower" else ">="
            rule = f"called {positive} when score {side} {format_number(self.threshold)}\n"
        return "\n".join([rule + table, *(["", *self.notes] if self.notes else [])])

    def __str__(self) -> str:
        metrics = text_table([{"metric": name, "value": value} for name, value in self.metrics().items()])
        below = "" if self.subjects is None else f"\n\n{self.subjects.describe()}"
        return f"{self.table_text()}\n\n{metrics}{below}"


def _both(one: ConfusionMatrix, two: ConfusionMatrix) -> SubjectCalls | None:
    """Subjects of both matrices together; the same id is the same subject."""
    if one.subjects is None and two.subjects is None:
        return None
    if one.subjects is None or two.subjects is None:
        raise InputError(
            "", "matrices add only when the subjects of both are known, or of neither", Words("those of one"),
            "count both with ids, or both without",
        )  # fmt: skip
    return one.subjects.with_those_of(two.subjects)


def confusion_at(tally: Tally, threshold: float) -> ConfusionMatrix:
    """The matrix when cases that reach the threshold are called positive: O(log n) and one sum over half of them.

    ``threshold`` is in the user's units; it need not be an observed score and may be infinite.

    >>> tally = Tally.from_samples(np.array([3.0, 2.0]), np.array([2.0, 1.0]))
    >>> matrix = confusion_at(tally, 2.0)
    >>> matrix.tp, matrix.fp, matrix.fn, matrix.tn
    (2, 1, 0, 1)
    """
    if np.isnan(threshold):
        raise InputError("threshold", "must be a number", Words("NaN"), "give a score or +inf to call nothing positive")
    oriented = threshold if tally.sample.direction == "higher" else -threshold
    reached = tally.score.size - int(np.searchsorted(tally.score[::-1], oriented, side="left"))
    if tally.top is not None and reached < tally.score.size and tally.top[reached] >= oriented:
        ends = [tally.shown(tally.score[at : at + 1])[0] for at in (reached - 1, reached) if at >= 0]
        raise InputError(
            "threshold",
            "must not lie among scores that an engine counted together",
            threshold,
            f"take {' or '.join(f'{end!r}' for end in map(float, ends))}, or ask confusion of the source itself",
        )
    tp, fp = _first(tally.pos, reached, tally.n_pos), _first(tally.neg, reached, tally.n_neg)
    return ConfusionMatrix(
        tp=tp,
        fp=fp,
        fn=max(tally.n_pos - tp, 0),  # sums of real weights may pass their total by a rounding error
        tn=max(tally.n_neg - fp, 0),
        threshold=float(threshold),
        sample=tally.sample,
        subjects=None if tally.subjects is None else SubjectCalls(subjects=tally.subjects, threshold=oriented),
    )


def _first(counts: Counts, reached: int, total: float) -> float:
    """Sum of the first counts; of whole counts the shorter side is added up."""
    if counts.dtype.kind != "f" and reached > counts.size // 2:
        rest: float = counts[reached:].sum().item()
        return total - rest
    first: float = counts[:reached].sum().item()
    return first


def confusion_of_calls(
    label: Bools, called: Bools, *, weight: Any = None, sample: Sample | None = None, ids: Array | None = None
) -> ConfusionMatrix:
    """The matrix of hard predictions; with ``ids``, whose cases they are."""
    cell = label * 2 + called
    counts = np.bincount(cell, weights=weight, minlength=4)
    tn, fp, fn, tp = (value.item() for value in counts)
    subjects = None if ids is None else calls_by_subject(label, called, ids, weight=weight)
    return ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn, sample=sample, subjects=subjects)
