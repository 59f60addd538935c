"""The ROC curve of one score, and what can be asked of it."""

from __future__ import annotations

import html
import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, Unpack

from roclab._core.checks import check_choice, check_fraction
from roclab._core.door import door
from roclab._core.types import Floats
from roclab.analysis.auc import area_asked, parts_by_fold
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
from roclab.data.cases import Cases
from roclab.data.keywords import DataKeywords, data_door
from roclab.data.read import read_cases
from roclab.data.tally import Tally
from roclab.decisions.calibration import Calibration, calibration
from roclab.decisions.confusion import ConfusionMatrix, confusion_at
from roclab.decisions.coordinates import Coordinates, coordinates
from roclab.decisions.cutoff_bootstrap import CutoffBootstrap, bootstrap_cutoff
from roclab.decisions.cutoffs import CutoffResult, find_cutoff
from roclab.decisions.grey_zone import GreyZone, grey_zone
from roclab.decisions.h_measure import HMeasure, h_measure
from roclab.decisions.intervals import MetricIntervals, metric_intervals
from roclab.decisions.operating_point import (
    OperatingPoint,
    OperatingPoints,
    point_at_fpr,
    point_at_threshold,
    point_at_tpr,
)
from roclab.errors import InputError, Words, named
from roclab.inference.one_area.area_tests import area_test
from roclab.inference.one_area.bootstrap import Resampling
from roclab.inference.one_area.estimate import estimate_area
from roclab.inference.one_curve.bands import Band, Rectangle, joint_rectangle, roc_band
from roclab.inference.one_curve.fixed_rate import rate_at
from roclab.inference.one_curve.thresholds import ThresholdEstimate, threshold_interval
from roclab.names import (
    CURVES,
    Alternative,
    AreaInterval,
    AreaTest,
    BandKind,
    Binning,
    CurveName,
    Estimator,
    Goal,
    ProportionInterval,
    Side,
    SmoothModel,
    Standard,
    ThresholdRule,
    Variance,
    Walk,
)
from roclab.results import AreaEstimate, RateEstimate, Result, TestResult
from roclab.smooth.methods import smooth_method
from roclab.smooth.model import SmoothRoc

__all__ = ["CriterionAsked", "Roc", "curve_of", "roc", "rocs", "troc_curve"]

CriterionAsked: TypeAlias = str | Callable[..., Any] | None


@data_door
def roc(y_true: Any, y_score: Any = None, *, walk: Walk = "expected", **data: Unpack[DataKeywords]) -> Roc:
    """The ROC curve of one score, ready for every further question.

    Parameters
    ----------
    y_true, y_score : arrays, or a table
        Labels and scores; or a data frame, mapping or file with ``label=`` and ``score=``; or cases.
    walk : str
        How tied scores of both classes are crossed: "expected" (default, straight, as chance would), "optimistic" (up
        first) or "pessimistic" (right first).

    Returns
    -------
    Roc
        Unpacks as ``fpr, tpr, thresholds``, like scikit-learn's ``roc_curve``.

    See Also
    --------
    auc : the area alone, faster.
    rocs : the curves of several scores.

    Examples
    --------
    The ten cases of a textbook table with tied scores (areas .86, optimistic .92, pessimistic .80):

    >>> import roclab as rl
    >>> y = [1, 1, 1, 0, 1, 1, 0, 0, 0, 0]
    >>> s = [0.89, 0.80, 0.80, 0.80, 0.63, 0.33, 0.33, 0.10, 0.10, 0.10]
    >>> r = rl.roc(y, s)
    >>> round(r.auc(), 4), r.at(threshold=0.63).matrix.fp
    (0.86, 1)
    >>> best = r.cutoff("youden")
    >>> best.threshold, best.tied
    (0.63, 2)
    """
    return curve_of(read_cases(y_true, y_score, **data), walk=walk)


@data_door
def rocs(y_true: Any, y_score: Any = None, *, walk: Walk = "expected", **data: Unpack[DataKeywords]) -> dict[str, Roc]:
    """The ROC curve of every score, by name; with ``folds``, of every fold of one score.

    >>> import roclab as rl
    >>> found = rl.rocs([1, 1, 0, 0], {"good": [4, 3, 2, 1], "fair": [4, 2, 3, 1]})
    >>> {name: float(r.auc(interval=None)) for name, r in found.items()}
    {'good': 1.0, 'fair': 0.75}
    """
    cases = read_cases(y_true, y_score, **data)
    if cases.folds is None:
        return {name: curve_of(cases, name, walk=walk) for name in cases.names}
    name = cases.only_name()
    return {str(fold): curve_of(part, name, walk=walk) for fold, part in parts_by_fold(cases).items()}


def curve_of(cases: Cases, name: str | None = None, *, walk: Walk = "expected") -> Roc:
    """The curve of one score of the cases."""
    tally = cases.tally(name)
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

    @property
    def circumstances(self) -> str:
        """Who was analysed, in one line."""
        return "ready-made points" if self.tally is None else self.tally.sample.describe()

    def named_curve(self, curve: CurveName) -> CurvePoints:
        """Points of any curve by name: "roc", "troc", "pr", "det", "cost", "gain", "lift" or "hull"."""
        check_choice(curve, "curve", CURVES)
        if curve in ("gain", "lift"):
            return self.gain().points("gain" if curve == "gain" else "lift")
        shown: dict[str, Callable[[], Any]] = {
            "troc": self.troc, "pr": self.precision_recall, "det": self.det, "cost": self.cost, "hull": self.hull,
        }  # fmt: skip
        points: CurvePoints = self.points() if curve == "roc" else shown[curve]().points()
        return points

    def points_at(self, points: Sequence[OperatingPoint]) -> OperatingPoints:
        """Several operating points of this curve as one table."""
        sample = None if self.tally is None else self.tally.sample
        return OperatingPoints(points=tuple(points), sample=sample)

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

    @door()
    def auc(
        self,
        estimator: Estimator | None = None,
        *,
        fpr: Range | None = None,
        tpr: Range | None = None,
        standard: Standard | None = None,
        level: float = 0.95,
        interval: AreaInterval | None = "logit",
        variance: Variance | None = None,
        side: Side = "two-sided",
        resampling: Resampling | None = None,
        rng: Any = None,
    ) -> AreaEstimate:
        """An area with its interval; every option as in :func:`roclab.auc`."""
        return estimate_area(
            self._counted("an area with its uncertainty"),
            area_asked(estimator, fpr=fpr, tpr=tpr, standard=standard),
            level=level,
            interval=interval,
            variance=variance,
            side=side,
            resampling=resampling,
            rng=rng,
        )

    @door()
    def partial_auc(
        self,
        *,
        fpr: Range | None = None,
        tpr: Range | None = None,
        standard: Standard = "none",
        level: float = 0.95,
        interval: AreaInterval | None = "logit",
        variance: Variance | None = None,
        side: Side = "two-sided",
        resampling: Resampling | None = None,
        rng: Any = None,
    ) -> AreaEstimate:
        """Partial area in a range of FPR, of TPR or both, raw or standardised ("width", "jiang", "mcclish")."""
        if fpr is None and tpr is None:
            raise InputError(
                "fpr",
                f"or {named('tpr')} must say which part of the curve is meant",
                Words("neither"),
                f"write {named('fpr', (0, 0.1))}",
            )
        return estimate_area(
            self._counted("an area with its uncertainty"),
            area_asked(fpr=fpr, tpr=tpr, standard=standard),
            level=level,
            interval=interval,
            variance=variance,
            side=side,
            resampling=resampling,
            rng=rng,
        )

    @door()
    def tauc(
        self,
        *,
        level: float = 0.95,
        interval: AreaInterval | None = "logit",
        variance: Variance | None = None,
        side: Side = "two-sided",
        resampling: Resampling | None = None,
        rng: Any = None,
    ) -> AreaEstimate:
        """Area under the tROC curve with its interval; of ready-made points :meth:`area` gives the bare value."""
        return self.auc(
            "tauc", level=level, interval=interval, variance=variance, side=side, resampling=resampling, rng=rng
        )

    def area(
        self, *, fpr: Range | None = None, tpr: Range | None = None, weight: Literal["none", "tauc"] = "none"
    ) -> float:
        """The bare area of the curve as drawn; also for ready-made points, which have no uncertainty."""
        check_choice(weight, "weight", ("none", "tauc"))
        if weight == "tauc":
            return tauc(self.curve)
        return trapezoid(self.curve) if fpr is None and tpr is None else partial_area(self.curve, fpr=fpr, tpr=tpr).area

    @door()
    def smooth(self, estimator: SmoothModel = "binormal") -> SmoothRoc:
        """A smooth curve through the data: "binormal", "box_cox", "kernel_k1" and the rest of ``names.SMOOTH_MODELS``.

        >>> fit = Roc.from_ratings([1, 2, 3, 4, 5], pos=[3, 2, 2, 11, 33], neg=[33, 6, 6, 11, 2]).smooth()
        >>> round(fit.area, 3), fit.tpr([0.1]).round(3).tolist()
        (0.911, [0.771])
        """
        return smooth_method(estimator).fit(self._counted("a smooth curve"))

    # -- uncertainty of the curve ----------------------------------------------------------------

    @door()
    def test(
        self,
        *,
        null: float = 0.5,
        test: AreaTest | None = None,
        alternative: Alternative = "two-sided",
        estimator: Estimator | None = None,
        fpr: Range | None = None,
        tpr: Range | None = None,
        standard: Standard | None = None,
    ) -> TestResult:
        """Is the AUC, or any other area, different from a null value?

        By default the test agrees with the default interval. Others by name: "wald", "logit", "hanley_mcneil" (the
        error that the null implies), "null" (Mann-Whitney, as SPSS), "tie_corrected" and "gaidyshev"; areas other than
        the AUC know "logit" and "wald".
        """
        what = area_asked(estimator, fpr=fpr, tpr=tpr, standard=standard)
        return area_test(self._counted("a test"), what, null=null, test=test, alternative=alternative)

    @door(synonyms={"proportion": "interval"})
    def band(
        self,
        *,
        kind: BandKind = "pointwise",
        level: float = 0.95,
        points: int | None = None,
        interval: ProportionInterval = "wilson",
        resampling: Resampling | None = None,
        rng: Any = None,
    ) -> Band:
        """A confidence band of the curve.

        ``kind`` is "pointwise" (the level holds at one rate chosen beforehand), "simultaneous" (for the whole curve),
        "kolmogorov" (for the whole curve without resampling, wide) or "thresholds" (both rates at every threshold, by
        the binomial ``interval``).
        """
        tally = self._counted("a band")
        if points is not None and kind == "thresholds":
            raise InputError(
                "points",
                f"has no meaning for {named('kind', 'thresholds')}, which has one point per score",
                points,
                "leave it out",
            )
        return roc_band(
            tally, kind=kind, level=level, points=points or 101, proportion=interval, resampling=resampling, rng=rng
        )

    def rectangle(self, threshold: float, *, level: float = 0.95, interval: ProportionInterval = "exact") -> Rectangle:
        """A joint confidence region of both rates at a threshold that was fixed before looking at the data.

        >>> import roclab as rl
        >>> box = rl.roc([1, 1, 1, 0, 0, 0], [6, 5, 3, 4, 2, 1]).rectangle(3.5)
        >>> round(box.tpr.low, 4), round(box.fpr.high, 4)
        (0.0665, 0.9335)
        """
        tally = self._counted("a confidence rectangle")
        counts = confusion_at(tally, threshold)
        return joint_rectangle(
            tp=counts.tp, n_pos=tally.n_pos, fp=counts.fp, n_neg=tally.n_neg, level=level, method=interval
        )

    @door()
    def rate_at(
        self,
        *,
        specificity: float | None = None,
        sensitivity: float | None = None,
        level: float = 0.95,
        side: Side = "two-sided",
        resampling: Resampling | None = None,
        rng: Any = None,
    ) -> RateEstimate:
        """Sensitivity at a specificity, or the reverse, with a bootstrap interval."""
        return rate_at(
            self._counted("an interval"),
            specificity=specificity,
            sensitivity=sensitivity,
            level=level,
            side=side,
            resampling=resampling,
            rng=rng,
        )

    @door()
    def threshold_interval(
        self,
        *,
        fpr: float | None = None,
        tpr: float | None = None,
        level: float = 0.95,
        resampling: Resampling | None = None,
        rng: Any = None,
    ) -> ThresholdEstimate:
        """The threshold for a false or true positive rate, with a bootstrap interval."""
        tally = self._counted("an interval")
        return threshold_interval(tally, fpr=fpr, tpr=tpr, level=level, resampling=resampling, rng=rng)

    # -- decisions -------------------------------------------------------------------------------

    def at(
        self,
        *,
        threshold: float | None = None,
        fpr: float | None = None,
        tpr: float | None = None,
        sensitivity: float | None = None,
        specificity: float | None = None,
    ) -> OperatingPoint:
        """The operating point at a threshold or at a rate.

        ``sensitivity`` is another word for ``tpr``, ``specificity`` stands for 1 - ``fpr``.

        >>> import roclab as rl
        >>> rl.roc([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.4, 0.2]).at(sensitivity=1).specificity
        0.6666666666666667
        """
        given = {
            "threshold": threshold, "fpr": fpr, "tpr": tpr, "sensitivity": sensitivity, "specificity": specificity,
        }  # fmt: skip
        asked = {name: value for name, value in given.items() if value is not None}
        if len(asked) != 1:
            raise InputError(
                "",
                f"at() takes exactly one of {', '.join(given)}",
                Words(" and ".join(asked) or "none"),
                "name one of them",
            )
        if threshold is not None:
            return point_at_threshold(self._counted("a threshold"), threshold)
        if specificity is not None:
            fpr = 1 - check_fraction(specificity, "specificity", way_out="write 0.9 for 90%")
        if fpr is not None:
            return point_at_fpr(self.curve, self.tally, fpr)
        return point_at_tpr(self.curve, self.tally, tpr if tpr is not None else asked["sensitivity"])

    @door(synonyms={"thresholds": "rule"})
    def coordinates(self, rule: ThresholdRule = "observed") -> Coordinates:
        """The whole cut-off table: counts and metrics at every threshold."""
        return coordinates(self._counted("a cut-off table"), rule=rule)

    @door(synonyms={"thresholds": "rule", "max_fpr": "alpha"})
    def cutoff(
        self,
        criterion: CriterionAsked = None,
        *,
        require: Mapping[str, float] | None = None,
        prevalence: float | None = None,
        cost_fp: float | None = None,
        cost_fn: float | None = None,
        beta: float | None = None,
        alpha: float | None = None,
        target: Mapping[str, float] | None = None,
        trim: float | None = None,
        goal: Goal = "max",
        rule: ThresholdRule = "observed",
    ) -> CutoffResult:
        """The best cut-off by a criterion or under requirements, with all that are tied with it.

        Every option as in :func:`roclab.cutoff`.

        >>> r = roc([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.4, 0.2])
        >>> r.cutoff("youden").threshold, r.cutoff(require={"specificity": 1.0}).threshold
        (0.8, 0.8)
        """
        return find_cutoff(
            self._counted("a cut-off"),
            criterion,
            rule=rule,
            require=require,
            goal=goal,
            prevalence=prevalence,
            cost_fp=cost_fp,
            cost_fn=cost_fn,
            beta=beta,
            alpha=alpha,
            target=target,
            trim=trim,
        )

    @door(synonyms={"thresholds": "rule", "max_fpr": "alpha"})
    def cutoff_stability(
        self,
        criterion: CriterionAsked = None,
        *,
        require: Mapping[str, float] | None = None,
        prevalence: float | None = None,
        cost_fp: float | None = None,
        cost_fn: float | None = None,
        beta: float | None = None,
        alpha: float | None = None,
        target: Mapping[str, float] | None = None,
        trim: float | None = None,
        goal: Goal = "max",
        rule: ThresholdRule = "observed",
        level: float = 0.95,
        resampling: Resampling | None = None,
        rng: Any = None,
    ) -> CutoffBootstrap:
        """How stable the best cut-off is, and how much of its quality is luck: bootstrap interval and optimism."""
        conditions = {"prevalence": prevalence, "cost_fp": cost_fp, "cost_fn": cost_fn, "beta": beta, "alpha": alpha}
        return bootstrap_cutoff(
            self._counted("a bootstrap"),
            criterion,
            rule=rule,
            require=require,
            goal=goal,
            level=level,
            resampling=resampling,
            rng=rng,
            target=target,
            trim=trim,
            **conditions,
        )

    def grey_zone(
        self,
        *,
        rule_out: Mapping[str, float] | None = None,
        rule_in: Mapping[str, float] | None = None,
        rule: ThresholdRule = "observed",
    ) -> GreyZone:
        """Two cut-offs: below one the condition is ruled out, above the other ruled in, between them unknown.

        ``rule_out`` and ``rule_in`` are bounds such as ``{"sensitivity": 0.95}`` and ``{"specificity": 0.95}``.
        """
        return grey_zone(self._counted("a grey zone"), rule_out=rule_out, rule_in=rule_in, rule=rule)

    def h_measure(
        self,
        *,
        shape: tuple[float, float] | None = None,
        severity_ratio: float | Literal["data"] | None = None,
        prevalence: float | None = None,
    ) -> HMeasure:
        """Hand's H-measure, with a Beta prior of the costs (2, 2 by default) or a severity ratio."""
        tally = self._counted("the H-measure")
        return h_measure(tally, shape=shape, severity_ratio=severity_ratio, prevalence=prevalence)

    def calibration(self, *, bins: int = 10, binning: Binning = "width", level: float = 0.95) -> Calibration:
        """Do predicted probabilities come true? Reliability bins and the Brier score with its parts."""
        return calibration(self._counted("calibration"), bins=bins, binning=binning, level=level)

    @door()
    def metrics(
        self,
        threshold: float,
        *,
        level: float = 0.95,
        interval: ProportionInterval = "wilson",
        prevalence: float | None = None,
        beta: float | None = None,
    ) -> MetricIntervals:
        """All metrics at a threshold with their intervals; ``prevalence`` and ``beta`` add some of their own."""
        return metric_intervals(
            self.confusion(threshold), level=level, interval=interval, prevalence=prevalence, beta=beta
        )

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
        **looks: Any,
    ) -> Any:
        """Draw the curve with its area, on ``ax`` or on new axes, which are returned; needs matplotlib.

        ``band`` adds a confidence band, ``cutoff`` the best cut-off by a criterion; ``looks`` as in
        ``roclab.plots.draw_roc``. Every other curve and result has its own ``roclab.plots.draw_*``.

        >>> ax = roc([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.4, 0.2]).plot(cutoff="youden", label="marker")
        >>> [text.get_text() for text in ax.get_legend().get_texts()][1]
        'youden (1 of 2) at 0.8: Se 0.6667, Sp 1.0000'
        """
        # Looked up by name: figures know results, results do not know figures; a curve only offers the way there.
        plots = importlib.import_module("roclab.plots")
        if self.tally is not None:
            looks.setdefault("area", self.auc(level=level))
        if band is not None:
            drawn = {"resampling": resampling, "rng": rng}
            looks["band"] = self.band(kind=band, level=level, **drawn)
        if cutoff is not None:
            best = self.cutoff(cutoff).optima
            ties = [f" ({at + 1} of {len(best)})" for at in range(len(best))] if len(best) > 1 else [""]
            names = [f"{cutoff}{tie}" for tie in ties]
            looks["operating_points"] = dict(zip(names, best, strict=True))
        return plots.draw_roc(self.curve, plots.new_axes() if ax is None else ax, **looks)

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
