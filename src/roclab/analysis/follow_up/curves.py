"""ROC curves at horizons, and what is read off them: rates at cut-offs, the best cut-off, heights of the curve."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast

from roclab._core.checks import check_choice, check_level
from roclab._core.text import text_table, without_shared
from roclab._core.types import Floats
from roclab._core.undefined import Undefined
from roclab.analysis.follow_up.areas import areas_at, check_horizon, estimate_of, sample_of
from roclab.analysis.follow_up.notes import notes_of_horizons
from roclab.analysis.follow_up.rates import HorizonRates, rates_at_cutoff
from roclab.analysis.follow_up.read import Followed, read_followed
from roclab.analysis.follow_up.results import HorizonArea, moment_words
from roclab.curves.roc import RocCurve, roc_curve
from roclab.data.tally import Tally
from roclab.decisions.cutoffs import Cutoff, CutoffResult, find_cutoff
from roclab.errors import InputError, Words, named
from roclab.inference.follow_up_areas import Horizon
from roclab.inference.one_curve.bands import Band, roc_band
from roclab.inference.one_curve.fixed_rate import rate_at
from roclab.names import WALKS, Walk
from roclab.options.criterion import CriterionOptions
from roclab.options.follow_up import FollowUpOptions
from roclab.results import RateEstimate
from roclab.results.pictured import Pictured

if TYPE_CHECKING:
    from roclab.analysis.follow_up.calibration import HorizonCalibration
    from roclab.analysis.follow_up.incidence import IncidenceByGroup

__all__ = [
    "HorizonCutoff",
    "HorizonRoc",
    "RocsOverTime",
    "confusion_over_time",
    "curves_of_followed",
    "cutoff_over_time",
    "rocs_over_time",
]

_OF_COUNTS = ("min_p", "chi_squared")  # criteria that are tests of counts


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Source:
    """What further questions need: cases, horizon and counts."""

    followed: Followed
    horizon: Horizon
    tally: Tally


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HorizonRoc(Pictured):
    """The ROC curve of one score at one horizon; unpacks as ``fpr, tpr, thresholds``.

    A case that is lost before the horizon has no place on it; those like it that were followed weigh more.
    """

    area: HorizonArea
    curve: RocCurve
    notes: tuple[str, ...] = ()
    _source: Any = field(default=None, repr=False, metadata={"not_in_json": True})

    @property
    def at(self) -> float:
        """The horizon."""
        return self.area.at

    @property
    def fpr(self) -> Floats:
        """False positive rates, ascending from 0 to 1."""
        return self.curve.fpr

    @property
    def tpr(self) -> Floats:
        """True positive rates."""
        return self.curve.tpr

    @property
    def thresholds(self) -> Floats | None:
        """Threshold of each vertex; a case is called positive when its score reaches it."""
        return self.curve.thresholds

    def __iter__(self) -> Iterator[Any]:
        return iter(self.curve)

    def _known(self) -> _Source:
        if self._source is None:
            raise InputError(
                "", "this question needs the cases, which JSON does not hold", way_out="ask for the curve again"
            )
        return cast(_Source, self._source)

    def auc(self) -> HorizonArea:
        """The area with its interval."""
        return self.area

    def rates(self, threshold: float, *, level: float = 0.95) -> HorizonRates:
        """Sensitivity, specificity, predictive values and ratios at a threshold, with their intervals."""
        check_level(level)
        known = self._known()
        name = str(self.area.sample.score)
        return rates_at_cutoff(known.followed, known.horizon, name, threshold, self.area.sample, level=level)

    def rate_at(
        self, *, specificity: float | None = None, sensitivity: float | None = None, level: float = 0.95
    ) -> RateEstimate:
        """Sensitivity at a specificity, or the reverse, on the straight lines of the curve.

        Its limits are the score limits of a height of a curve on Kish's numbers; that the weights were estimated is not
        in them, which changes errors of sensitivities by less than 1 %.
        """
        check_level(level)
        found = rate_at(self._known().tally, specificity=specificity, sensitivity=sensitivity, level=level)
        return replace(found, sample=self.area.sample, notes=(*found.notes, _HEIGHTS))

    def band(self, *, level: float = 0.95) -> Band:
        """Pointwise limits of the curve, by the same score limits as :meth:`rate_at`."""
        check_level(level)
        return roc_band(self._known().tally, kind="pointwise", level=level)

    def cutoff(self, criterion: Any = None, *, level: float = 0.95, **asked: Any) -> HorizonCutoff:
        """The best cut-off by a criterion or under requirements, as in :func:`cutoff`."""
        return _cutoff_of(self, CriterionOptions.of({**asked, "criterion": criterion}), level)

    def calibration(self, **asked: Any) -> HorizonCalibration:
        """Do predicted risks come true? See ``calibration_at``; scores must be risks of the event by the horizon."""
        from roclab.analysis.follow_up.calibration import calibration_at

        known, name = self._known(), str(self.area.sample.score)
        own = replace(known.followed, scores={name: known.followed.scores[name]})  # other scores need not be risks
        return calibration_at(own, known.horizon, self.area.sample, **asked)

    def incidence(self, *, groups: int = 3, level: float = 0.95) -> IncidenceByGroup:
        """The cumulative incidence of the event in groups of the score, up to the horizon."""
        from roclab.analysis.follow_up.incidence import incidence_by_group

        known = self._known()
        return incidence_by_group(known.followed, str(self.area.sample.score), self.at, groups=groups, level=level)

    def rows(self) -> list[dict[str, Any]]:
        """One row per vertex."""
        return self.curve.points().rows()

    def plot(self, to: Any = None, /, *, band: bool = False, level: float = 0.95, **looks: Any) -> Any:
        """Draw the curve with its area, on new axes, on some, or into a file; ``band`` adds pointwise limits."""
        looks.setdefault("area", self.area)
        looks.setdefault("label", f"{self.area.sample.score} {moment_words(self.area)}")
        if band:
            looks["band"] = self.band(level=level)
        return importlib.import_module("roclab.plots.by_result").plot_result(self, to, **looks)

    def __str__(self) -> str:
        return f"ROC curve {moment_words(self.area)} with {len(self.curve)} vertices\n{self.area}"


_HEIGHTS = "Its limits take the weights as known and count Kish's effective numbers."


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RocsOverTime(Pictured):
    """Curves of several scores or horizons."""

    curves: tuple[HorizonRoc, ...]

    def __getitem__(self, key: Any) -> HorizonRoc:
        """The curve of a score, at a horizon, or of a score at a horizon: ``found["bili", 2000]``."""
        wanted = key if isinstance(key, tuple) else (key,)
        fits = [
            one for one in self.curves
            if all(part == (one.area.sample.score if isinstance(part, str) else one.at) for part in wanted)
        ]  # fmt: skip
        if len(fits) != 1:
            raise KeyError(key)
        return fits[0]

    def __iter__(self) -> Iterator[HorizonRoc]:
        return iter(self.curves)

    def __len__(self) -> int:
        return len(self.curves)

    def named(self) -> Mapping[str, HorizonRoc]:
        """The curves by name: the score, the horizon, or both where both differ."""
        scores = len({one.area.sample.score for one in self.curves}) > 1
        horizons = len({one.at for one in self.curves}) > 1
        return {
            " ".join(
                [*([str(one.area.sample.score)] if scores else []), *([f"at {one.at:g}"] if horizons else [])]
            ): one
            for one in self.curves
        }

    def rows(self) -> list[dict[str, Any]]:
        """One row per curve: its area."""
        return [row for one in self.curves for row in one.area.rows()]

    def __str__(self) -> str:
        notes = dict.fromkeys(note for one in self.curves for note in one.notes)
        rows, below = without_shared(self.rows(), ["method", "interval"])
        return "\n".join([text_table(rows), *below, "", *notes])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HorizonCutoff(Pictured):
    """All tied optima at a horizon, and what the best of them does."""

    cutoff: CutoffResult
    rates: HorizonRates
    area: HorizonArea
    error: float  # of the value of the criterion, where its derivative is known
    curve: RocCurve

    @property
    def threshold(self) -> float:
        """Threshold of the best cut-off."""
        return self.cutoff.threshold

    @property
    def best(self) -> Cutoff:
        """Of the tied optima the one with the lowest false positive rate."""
        return self.cutoff.best

    def to_dict(self) -> dict[str, Any]:
        """Every field, with all tied optima."""
        return {**Pictured.to_dict(self), "cutoff": self.cutoff.to_dict()}

    def rows(self) -> list[dict[str, Any]]:
        """The best cut-off and its rates in one row."""
        return [{
            "score": self.area.sample.score, "at": self.area.at, "cut-off": self.threshold,
            "criterion": self.cutoff.criterion, "value": self.cutoff.value, "std. error": self.error,
            "tied": self.cutoff.tied, **self.rates.summary_row(),
        }]  # fmt: skip

    def __str__(self) -> str:
        why = f" (no error: {self.error.reason})" if isinstance(self.error, Undefined) else f", error {self.error:.4f}"
        tied = [] if self.cutoff.tied == 1 else [f"{self.cutoff.tied:,} cut-offs are equally good; the first is shown"]
        return "\n".join([f"{self.cutoff.sought} = {self.cutoff.value:.4f}{why}", *tied, str(self.rates),
                          *self.cutoff.notes])  # fmt: skip


def rocs_over_time(
    y_true: Any, y_score: Any, data: Mapping[str, Any], *, ties: Walk = "expected"
) -> HorizonRoc | RocsOverTime:
    """The curve of one score at one horizon, or those of several."""
    check_choice(ties, "ties", WALKS)
    options = FollowUpOptions.of(data)
    followed = read_followed(y_true, y_score, data, options, verb="curves")
    check_horizon(followed, options)
    curves = curves_of_followed(followed, options, ties)
    return curves[0] if len(curves) == 1 else RocsOverTime(curves=tuple(curves))


def curves_of_followed(followed: Followed, options: FollowUpOptions, ties: Walk = "expected") -> list[HorizonRoc]:
    """The curves of cases that were read."""
    made = []
    for area in areas_at(followed, options):
        name = area.score
        estimate = estimate_of(area, followed, options, level=0.95, interval="auto", side="two-sided")
        only = replace(followed, scores={name: followed.scores[name]})
        notes = notes_of_horizons({area.horizon.at: area.horizon}, only, 0.95)
        tally = tally_at(followed, area.horizon, name, sample_of(area, followed, options))
        made.append(HorizonRoc(
            area=replace(estimate, notes=notes), curve=roc_curve(tally, ties=ties), notes=notes,
            _source=_Source(followed=followed, horizon=area.horizon, tally=tally),
        ))  # fmt: skip
    return made


def tally_at(followed: Followed, horizon: Horizon, name: str, sample: Any) -> Tally:
    """The weighted counts of the known cases, which every curve and cut-off follows from."""
    weights = horizon.cases + horizon.controls
    rows = weights > 0
    return Tally.from_labels(
        horizon.cases[rows] > 0, followed.scores[name][rows], weight=weights[rows],
        sample=replace(sample, weights="importance"),
    )  # fmt: skip


def _one(y_true: Any, y_score: Any, data: Mapping[str, Any], verb: str) -> list[HorizonRoc]:
    options = FollowUpOptions.of(data)
    followed = read_followed(y_true, y_score, data, options, verb=verb)
    check_horizon(followed, options)
    options.one_horizon(verb)
    return curves_of_followed(followed, options)


def confusion_over_time(
    y_true: Any, y_score: Any, data: Mapping[str, Any], *, threshold: float | None, level: float
) -> HorizonRates:
    """The rates of one score at a threshold and a horizon."""
    if threshold is None:
        raise InputError("threshold", "must be given at a horizon", Words("none"), f"write {named('threshold', 2)}")
    curves = _one(y_true, y_score, data, "confusion()")
    if len(curves) > 1:
        shown = " and ".join(str(one.area.sample.score) for one in curves)
        raise InputError("score", "must name one score for this question", Words(shown), "say which one you mean")
    return replace(curves[0].rates(threshold, level=level), notes=curves[0].notes)


def cutoff_over_time(
    y_true: Any, y_score: Any, data: Mapping[str, Any], asked: CriterionOptions, *, level: float
) -> HorizonCutoff:
    """The best cut-off of one score at a horizon."""
    curves = _one(y_true, y_score, data, "cutoff()")
    if len(curves) > 1:
        shown = " and ".join(str(one.area.sample.score) for one in curves)
        raise InputError("score", "must name one score for this question", Words(shown), "say which one you mean")
    return _cutoff_of(curves[0], asked, level)


def _cutoff_of(curve: HorizonRoc, asked: CriterionOptions, level: float) -> HorizonCutoff:
    check_level(level)
    if asked.criterion in _OF_COUNTS:
        raise InputError(
            "criterion", "is a test of counts, and at a horizon numbers are sums of weights", asked.criterion,
            "use 'youden' for instance",
        )  # fmt: skip
    known = curve._known()
    found = find_cutoff(known.tally, asked)
    rates = replace(curve.rates(found.threshold, level=level), notes=(*curve.notes, _CHOSEN))
    value = _CRITERIA_WITH_ERROR.get(found.criterion, found.criterion)
    error: float = (
        rates.rates[value].standard_error
        if value in rates.rates
        else Undefined(f"no derivative by the weights is known for {found.criterion}")
    )
    return HorizonCutoff(cutoff=found, rates=rates, area=curve.area, error=error, curve=curve.curve)


_CHOSEN = "The errors ignore that the cut-off was chosen on these cases, which makes it look better than it is."
_CRITERIA_WITH_ERROR = {"youden": "youden_j", "tpr": "sensitivity", "tnr": "specificity"}
