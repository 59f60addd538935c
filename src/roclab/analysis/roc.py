"""The ROC curve of one score, and what can be asked of it."""

from __future__ import annotations

import html
import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from roclab._core.checks import check_choice
from roclab._core.types import Floats
from roclab.analysis.data import read_cases
from roclab.areas.empirical import trapezoid
from roclab.areas.partial import Range, partial_area
from roclab.areas.tauc import tauc
from roclab.curves.cost import CostCurve, cost_curve
from roclab.curves.det import DetCurve, Ends, det_curve
from roclab.curves.gain import GainCurve, gain_curve
from roclab.curves.hull import RocHull, hull_of_curve, hull_of_tally
from roclab.curves.points import CurvePoints
from roclab.curves.precision_recall import PrecisionRecallCurve, precision_recall_curve
from roclab.curves.roc import RocCurve, curve_from_points, roc_curve
from roclab.curves.troc import TrocCurve, troc_curve
from roclab.data.arrays import rating_counts, sample_arrays
from roclab.data.tally import Tally
from roclab.decisions.calibration import Calibration, calibration
from roclab.decisions.confusion import ConfusionMatrix, confusion_at
from roclab.decisions.coordinates import Coordinates, coordinates
from roclab.decisions.cutoff_bootstrap import CutoffBootstrap, bootstrap_cutoff
from roclab.decisions.cutoffs import CutoffResult, find_cutoff
from roclab.decisions.grey_zone import GreyZone, grey_zone
from roclab.decisions.h_measure import HMeasure, h_measure
from roclab.decisions.intervals import MetricIntervals, metric_intervals
from roclab.decisions.operating_point import OperatingPoint, point_at_fpr, point_at_threshold, point_at_tpr
from roclab.errors import InputError, Words
from roclab.inference.one_area.area_tests import any_area_test, auc_test
from roclab.inference.one_area.bootstrap import Resampling
from roclab.inference.one_area.estimate import Area, area_of_method, area_of_region, estimate_area
from roclab.inference.one_curve.bands import Band, Rectangle, joint_rectangle, roc_band
from roclab.inference.one_curve.fixed_rate import rate_at
from roclab.inference.one_curve.thresholds import ThresholdEstimate, threshold_interval
from roclab.names import Alternative, AreaTest, BandKind, Binning, ProportionInterval, Standard, ThresholdRule, Walk
from roclab.results import AreaEstimate, Result, TestResult
from roclab.smooth.methods import smooth_method
from roclab.smooth.model import SmoothRoc

__all__ = ["Roc", "roc"]


def roc(y_true: Any, y_score: Any = None, *, walk: Walk = "expected", **data: Any) -> Roc:
    """The ROC curve of one score, ready for every further question.

    Takes data as :func:`read_cases` does. The result unpacks as ``fpr, tpr, thresholds``.

    >>> import roclab as rl
    >>> r = rl.roc([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.4, 0.2])
    >>> round(r.auc().area, 4), r.at(threshold=0.6).matrix.fp
    (0.8889, 1)
    """
    tally = read_cases(y_true, y_score, **data).tally()
    return Roc(curve=roc_curve(tally, walk=walk), tally=tally)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Roc(Result):
    """A ROC curve and what can be asked of it.

    Built by :func:`roc`, or from the other shapes that data come in: :meth:`from_samples`, :meth:`from_ratings`,
    :meth:`from_points`. ``tally`` is None for ready-made points, which have no counts and so no uncertainty.
    """

    curve: RocCurve
    tally: Tally | None

    # -- other ways in ---------------------------------------------------------------------------

    @classmethod
    def from_samples(cls, positives: Any, negatives: Any) -> Roc:
        """From two samples: the scores of the positives (diseased) and of the negatives (healthy).

        >>> float(Roc.from_samples([3, 4], [1, 2]).auc())
        1.0
        """
        tally = Tally.from_samples(*sample_arrays(positives, negatives))
        return cls(curve=roc_curve(tally), tally=tally)

    @classmethod
    def from_ratings(cls, ratings: Any, pos: Any, neg: Any) -> Roc:
        """From a frequency table: rating categories with the positives and negatives in each.

        >>> r = Roc.from_ratings([1, 2, 3, 4, 5], pos=[3, 2, 2, 11, 33], neg=[33, 6, 6, 11, 2])
        >>> round(r.auc().area, 3)
        0.893
        """
        tally = Tally.from_counts(*rating_counts(ratings, pos, neg))
        return cls(curve=roc_curve(tally), tally=tally)

    @classmethod
    def from_points(cls, fpr: Any, tpr: Any) -> Roc:
        """From ready-made operating points of discrete classifiers, one or many."""
        return cls(curve=curve_from_points(fpr, tpr), tally=None)

    # -- the curve -------------------------------------------------------------------------------

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

    def __len__(self) -> int:
        return len(self.curve)

    def points(self) -> CurvePoints:
        """All vertices as a table."""
        return self.curve.points()

    def simplified(self, count: int) -> CurvePoints:
        """At most ``count`` vertices, with the largest error."""
        return self.curve.simplified(count)

    def walked(self, walk: Walk, *, drop_collinear: bool = False) -> RocCurve:
        """The curve with ties crossed straight, up first or right first."""
        return roc_curve(self._counted("another walk"), walk=walk, drop_collinear=drop_collinear)

    def hull(self) -> RocHull:
        """The convex hull, with its area."""
        if self.tally is None or self.curve.walk != "expected":  # walks have corners that the tally does not
            return hull_of_curve(self.curve)
        return hull_of_tally(self.tally, self.curve)

    def troc(self) -> TrocCurve:
        """The tROC curve."""
        return troc_curve(self.curve)

    def precision_recall(self, *, skew: float | None = None) -> PrecisionRecallCurve:
        """The precision-recall curve, at the skew N/P of the data or another one."""
        return precision_recall_curve(self.curve, skew=skew)

    def det(self, *, ends: Ends = "drop") -> DetCurve:
        """The detection error trade-off curve."""
        return det_curve(self.curve, ends=ends)

    def cost(self) -> CostCurve:
        """The cost curve with its lower envelope."""
        return cost_curve(self.curve, self.hull())

    def gain(self, *, prevalence: float | None = None) -> GainCurve:
        """The cumulative gain and lift curve."""
        return gain_curve(self.curve, prevalence=prevalence)

    # -- areas -----------------------------------------------------------------------------------

    def auc(self, method: str = "empirical", **options: Any) -> AreaEstimate:
        """An area with its interval; options as in :func:`auc`."""
        return self._estimate(area_of_method(method), **options)

    def partial_auc(
        self, *, fpr: Range | None = None, tpr: Range | None = None, standard: Standard = "none", **options: Any
    ) -> AreaEstimate:
        """Partial area in a range of FPR, of TPR or both, raw or standardised ("width", "jiang", "mcclish")."""
        return self._estimate(area_of_region(fpr=fpr, tpr=tpr, standard=standard), **options)

    def tauc(self, **options: Any) -> AreaEstimate:
        """Area under the tROC curve with its interval."""
        return self.auc("tauc", **options)

    def area(
        self, *, fpr: Range | None = None, tpr: Range | None = None, weight: Literal["none", "tauc"] = "none"
    ) -> float:
        """The bare area of the curve as drawn; also for ready-made points, which have no uncertainty."""
        check_choice(weight, "weight", ("none", "tauc"))
        if weight == "tauc":
            return tauc(self.curve)
        return trapezoid(self.curve) if fpr is None and tpr is None else partial_area(self.curve, fpr=fpr, tpr=tpr).area

    def _estimate(self, area: Area, **options: Any) -> AreaEstimate:
        return estimate_area(self._counted("an area with its uncertainty"), area, **options)

    def smooth(self, method: str = "binormal") -> SmoothRoc:
        """A smooth curve through the data: a name of ``smooth.methods`` such as "binormal", "box_cox", "kernel_k1".

        >>> fit = Roc.from_ratings([1, 2, 3, 4, 5], pos=[3, 2, 2, 11, 33], neg=[33, 6, 6, 11, 2]).smooth()
        >>> round(fit.area, 3), fit.tpr([0.1]).round(3).tolist()
        (0.911, [0.771])
        """
        return smooth_method(method).fit(self._counted("a smooth curve"))

    # -- uncertainty of the curve ----------------------------------------------------------------

    def test(
        self, *, null: float = 0.5, method: AreaTest = "wald", alternative: Alternative = "two-sided"
    ) -> TestResult:
        """Is the AUC different from a null value?"""
        return auc_test(self._counted("a test"), null=null, method=method, alternative=alternative)

    def area_test(
        self,
        method: str = "empirical",
        *,
        null: float,
        fpr: Range | None = None,
        tpr: Range | None = None,
        standard: Standard = "none",
        scale: Literal["plain", "logit"] = "logit",
        alternative: Alternative = "two-sided",
    ) -> TestResult:
        """Is any area, or the partial area of a region, different from a null value?"""
        whole = fpr is None and tpr is None
        area = area_of_method(method) if whole else area_of_region(fpr=fpr, tpr=tpr, standard=standard)
        return any_area_test(self._counted("a test"), area, null=null, scale=scale, alternative=alternative)

    def band(self, *, kind: BandKind = "pointwise", **options: Any) -> Band:
        """A confidence band of the curve: "pointwise", "simultaneous", "kolmogorov" or "thresholds"."""
        return roc_band(self._counted("a band"), kind=kind, **options)

    def rectangle(self, threshold: float, *, level: float = 0.95, method: ProportionInterval = "exact") -> Rectangle:
        """A joint confidence region of both rates at a threshold that was fixed before looking at the data.

        >>> import roclab as rl
        >>> box = rl.roc([1, 1, 1, 0, 0, 0], [6, 5, 3, 4, 2, 1]).rectangle(3.5)
        >>> round(box.tpr.low, 4), round(box.fpr.high, 4)
        (0.0665, 0.9335)
        """
        tally = self._counted("a confidence rectangle")
        counts = confusion_at(tally, threshold)
        return joint_rectangle(
            tp=counts.tp, n_pos=tally.n_pos, fp=counts.fp, n_neg=tally.n_neg, level=level, method=method
        )

    def rate_at(
        self, *, specificity: float | None = None, sensitivity: float | None = None, **options: Any
    ) -> AreaEstimate:
        """Sensitivity at a specificity, or the reverse, with a bootstrap interval."""
        return rate_at(self._counted("an interval"), specificity=specificity, sensitivity=sensitivity, **options)

    def threshold_interval(
        self, *, fpr: float | None = None, tpr: float | None = None, **options: Any
    ) -> ThresholdEstimate:
        """The threshold for a false or true positive rate, with a bootstrap interval."""
        return threshold_interval(self._counted("an interval"), fpr=fpr, tpr=tpr, **options)

    # -- decisions -------------------------------------------------------------------------------

    def at(
        self, *, threshold: float | None = None, fpr: float | None = None, tpr: float | None = None
    ) -> OperatingPoint:
        """The operating point at a threshold, at a false positive rate, or at a true positive rate."""
        given = {"threshold": threshold, "fpr": fpr, "tpr": tpr}
        asked = {name: value for name, value in given.items() if value is not None}
        if len(asked) != 1:
            raise InputError(
                "", "at() takes exactly one of threshold, fpr and tpr", Words(f"{len(asked)}"), "name one of them"
            )
        if threshold is not None:
            return point_at_threshold(self._counted("a threshold"), threshold)
        if fpr is not None:
            return point_at_fpr(self.curve, self.tally, fpr)
        return point_at_tpr(self.curve, self.tally, asked["tpr"])

    def coordinates(self, rule: ThresholdRule = "observed") -> Coordinates:
        """The whole cut-off table: counts and metrics at every threshold."""
        return coordinates(self._counted("a cut-off table"), rule=rule)

    def cutoff(self, criterion: Any = None, **conditions: Any) -> CutoffResult:
        """The best cut-off by a criterion or under requirements; all tied optima. See ``decisions.cutoffs``.

        >>> r = roc([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.4, 0.2])
        >>> r.cutoff("youden").threshold, r.cutoff(require={"specificity": 1.0}).threshold
        (0.8, 0.8)
        """
        return find_cutoff(self._counted("a cut-off"), criterion, **conditions)

    def cutoff_stability(self, criterion: Any = None, **options: Any) -> CutoffBootstrap:
        """How stable the best cut-off is, and how much of its quality is luck: bootstrap interval and optimism."""
        return bootstrap_cutoff(self._counted("a bootstrap"), criterion, **options)

    def grey_zone(self, **options: Any) -> GreyZone:
        """Two cut-offs: below one the condition is ruled out, above the other ruled in, between them unknown."""
        return grey_zone(self._counted("a grey zone"), **options)

    def h_measure(self, **options: Any) -> HMeasure:
        """Hand's H-measure."""
        return h_measure(self._counted("the H-measure"), **options)

    def calibration(self, *, bins: int = 10, binning: Binning = "width", level: float = 0.95) -> Calibration:
        """Do predicted probabilities come true? Reliability bins and the Brier score with its parts."""
        return calibration(self._counted("calibration"), bins=bins, binning=binning, level=level)

    def metrics(
        self, threshold: float, *, level: float = 0.95, method: ProportionInterval = "wilson"
    ) -> MetricIntervals:
        """All metrics at a threshold with their intervals."""
        return metric_intervals(self.confusion(threshold), level=level, method=method)

    def confusion(self, threshold: float) -> ConfusionMatrix:
        """The confusion matrix at a threshold."""
        return confusion_at(self._counted("a confusion matrix"), threshold)

    # -- figures ---------------------------------------------------------------------------------

    def plot(
        self,
        ax: Any = None,
        *,
        band: BandKind | None = None,
        cutoff: str | None = None,
        level: float = 0.95,
        resampling: Resampling | None = None,
        rng: Any = None,
        **options: Any,
    ) -> Any:
        """Draw the curve with its area, on ``ax`` or on new axes, which are returned; needs matplotlib.

        ``band`` adds a confidence band, ``cutoff`` the best cut-off by a criterion; ``options`` as in
        ``roclab.plots.draw_roc``. Every other curve and result has its own ``roclab.plots.draw_*``.

        >>> ax = roc([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.4, 0.2]).plot(cutoff="youden", label="marker")
        >>> [text.get_text() for text in ax.get_legend().get_texts()][1]
        'youden (1 of 2) at 0.8: Se 0.6667, Sp 1.0000'
        """
        # Looked up by name: figures know results, results do not know figures; a curve only offers the way there.
        plots = importlib.import_module("roclab.plots")
        if self.tally is not None:
            options.setdefault("area", self.auc(level=level))
        if band is not None:
            drawn = {"resampling": resampling, "rng": rng}
            options["band"] = self.band(kind=band, level=level, **drawn)
        if cutoff is not None:
            best = self.cutoff(cutoff).optima
            ties = [f" ({at + 1} of {len(best)})" for at in range(len(best))] if len(best) > 1 else [""]
            names = [f"{cutoff}{tie}" for tie in ties]
            options["operating_points"] = dict(zip(names, best, strict=True))
        return plots.draw_roc(self.curve, plots.new_axes() if ax is None else ax, **options)

    # -- as a result -----------------------------------------------------------------------------

    def rows(self) -> list[dict[str, Any]]:
        """One row per vertex."""
        return self.points().rows()

    def _repr_html_(self) -> str:
        said = "" if self.tally is None else f"<p>{html.escape(str(self.auc()))}</p>".replace("\n", "<br>")
        return f'<div style="max-width: 380px">{self.curve._repr_html_()}{said}</div>'

    def __str__(self) -> str:
        if self.tally is None:
            return f"ROC curve through {len(self) - 2} ready-made points, trapezoid area {self.area():.4f}"
        return f"ROC curve with {len(self)} vertices\n{self.auc()}"

    def __repr__(self) -> str:
        return str(self)

    def _counted(self, what: str) -> Tally:
        if self.tally is None:
            raise InputError(
                what, "needs the cases, and ready-made points have none", way_out="use roc() or from_ratings()"
            )
        return self.tally
