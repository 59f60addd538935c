"""What can be asked of one curve: operating points, cut-offs, costs and calibration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

import numpy as np

from roclab._core.checks import check_fraction
from roclab._core.types import Floats
from roclab.data.cases import Cases
from roclab.data.tally import Tally
from roclab.errors import InputError, Words
from roclab.names import (
    Binning,
    ProportionInterval,
    RatioInterval,
    ThresholdRule,
)
from roclab.options.criterion import (
    Bounds,
    CriterionAsked,
    CriterionOptions,
    PromiseKeywords,
    PromiseOptions,
    RequirementKeywords,
)
from roclab.options.uncertainty import Draws, DrawsKeywords, Level, LevelKeywords, Resampling
from roclab.options.verb import public

if TYPE_CHECKING:
    from roclab.curves.roc import RocCurve
    from roclab.decisions.calibration import Calibration
    from roclab.decisions.confusion import ConfusionMatrix
    from roclab.decisions.coordinates import Coordinates
    from roclab.decisions.cutoff_bootstrap import CutoffBootstrap
    from roclab.decisions.cutoffs import CutoffResult
    from roclab.decisions.grey_zone import GreyZone
    from roclab.decisions.group_calibration import GroupCalibrations
    from roclab.decisions.h_measure import HMeasure
    from roclab.decisions.interval_ratios import IntervalRatios
    from roclab.decisions.intervals import MetricIntervals
    from roclab.decisions.model_based import ModelBasedCurve
    from roclab.decisions.operating_point import OperatingPoint, OperatingPoints

__all__ = ["CurveDecisions", "StabilityKeywords"]


class BoundedKeywords(RequirementKeywords, PromiseKeywords, total=False):
    """A cut-off under bounds, which may be promised."""


class StabilityKeywords(RequirementKeywords, LevelKeywords, DrawsKeywords, total=False):
    """A cut-off whose stability is asked for."""


class CurveDecisions:
    """Questions to a curve about decisions."""

    __slots__ = ()

    tally: Tally | None
    _tables: dict[str, Coordinates]
    cases: Cases | None

    @property
    def curve(self) -> RocCurve:
        """The vertices."""
        raise NotImplementedError  # pragma: no cover - of the class that holds the counts

    def _counted(self, what: str) -> Tally:
        raise NotImplementedError  # pragma: no cover - of the class that holds the counts

    @overload
    def at(
        self, *, threshold: float | None = ..., fpr: float | None = ..., tpr: float | None = ...,
        sensitivity: float | None = ..., specificity: float | None = ...,
    ) -> OperatingPoint: ...  # fmt: skip
    @overload
    def at(
        self, *, threshold: Sequence[float] | Floats | None = ..., fpr: Sequence[float] | Floats | None = ...,
        tpr: Sequence[float] | Floats | None = ..., sensitivity: Sequence[float] | Floats | None = ...,
        specificity: Sequence[float] | Floats | None = ...,
    ) -> OperatingPoints: ...  # fmt: skip
    def at(
        self,
        *,
        threshold: Any = None,
        fpr: Any = None,
        tpr: Any = None,
        sensitivity: Any = None,
        specificity: Any = None,
    ) -> OperatingPoint | OperatingPoints:
        """The operating point at a threshold or at a rate; for a list of them, the points as one table.

        ``sensitivity`` is another word for ``tpr``, ``specificity`` stands for 1 - ``fpr``.

        Returns
        -------
        OperatingPoint, or OperatingPoints where a list was given

        >>> import roclab as rl
        >>> round(rl.roc([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.4, 0.2]).at(sensitivity=1).specificity, 4)
        0.6667
        """
        from roclab.decisions.operating_point import OperatingPoints, point_at_fpr, point_at_threshold, point_at_tpr

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
        ((name, values),) = asked.items()
        if np.ndim(values):
            points = [self.at(**{name: value}) for value in values]
            return OperatingPoints(points=tuple(points), sample=None if self.tally is None else self.tally.sample)
        if threshold is not None:
            return point_at_threshold(self._counted("a threshold"), threshold)
        if specificity is not None:
            fpr = 1 - check_fraction(specificity, "specificity", way_out="write 0.9 for 90%")
        if fpr is not None:
            return point_at_fpr(self.curve, self.tally, fpr)
        return point_at_tpr(self.curve, self.tally, tpr if tpr is not None else asked["sensitivity"])

    @public(synonyms={"thresholds": "rule"})
    def coordinates(self, rule: ThresholdRule = "observed") -> Coordinates:
        """The whole cut-off table: counts and metrics at every threshold."""
        from roclab.decisions.coordinates import coordinates

        if rule not in self._tables:
            self._tables[rule] = coordinates(self._counted("a cut-off table"), rule=rule)
        return self._tables[rule]

    @public(BoundedKeywords, synonyms={"thresholds": "rule"})
    def cutoff(self, criterion: CriterionAsked = None, **asked: Unpack[BoundedKeywords]) -> CutoffResult:
        """The best cut-off by a criterion or under requirements, with all that are tied with it.

        ``rl.cutoff(…, confidence=)`` says more about a promise: how many cases may be missed, and how often it is kept.

        >>> import roclab as rl
        >>> r = rl.roc([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.4, 0.2])
        >>> r.cutoff("youden").threshold, r.cutoff(require={"specificity": 1.0}).threshold
        (0.8, 0.8)
        """
        from roclab.decisions.cutoffs import find_cutoff
        from roclab.decisions.kept_bounds import notes_of_bounds
        from roclab.decisions.promise import promised_cutoff, with_promises

        wanted, tally = CriterionOptions.of({**asked, "criterion": criterion}), self._counted("a cut-off")
        confidence = PromiseOptions.of(asked).confidence
        if confidence is not None:
            return with_promises(*promised_cutoff(tally, wanted, confidence)[:2])
        found = find_cutoff(tally, wanted, table=self.coordinates(wanted.rule))
        return found if wanted.require is None else found._noting(
            *notes_of_bounds(tally, found.best.matrix, wanted.require)
        )  # fmt: skip

    @public(StabilityKeywords, synonyms={"thresholds": "rule"})
    def cutoff_stability(
        self,
        criterion: CriterionAsked = None,
        *,
        metrics: Sequence[str] = (),
        **asked: Unpack[StabilityKeywords],
    ) -> CutoffBootstrap:
        """How stable the best cut-off is, and how much of its quality is luck: bootstrap interval and optimism."""
        from roclab.decisions.cutoff_bootstrap import bootstrap_cutoff

        return bootstrap_cutoff(
            self._counted("a bootstrap"),
            CriterionOptions.of({**asked, "criterion": criterion}),
            metrics=metrics,
            level=Level.of(asked).level,
            drawn=Draws.of(asked),
        )

    def grey_zone(
        self,
        *,
        rule_out: Bounds | None = None,
        rule_in: Bounds | None = None,
        rule: ThresholdRule = "observed",
        confidence: float | None = None,
    ) -> GreyZone:
        """Two cut-offs: below one the condition is ruled out, above the other ruled in, between them unknown.

        ``rule_out`` and ``rule_in`` are bounds such as ``{"sensitivity": 0.95}`` and ``{"specificity": 0.95}``;
        ``confidence`` promises that they hold in new cases.
        """
        from roclab.decisions.grey_zone import grey_zone

        tally = self._counted("a grey zone")
        return grey_zone(tally, rule_out=rule_out, rule_in=rule_in, rule=rule, confidence=confidence)

    def likelihood_ratios(
        self, cuts: Sequence[float] | None = None, *, bins: int | None = None, level: float = 0.95
    ) -> IntervalRatios:
        """Likelihood ratios of score intervals between ``cuts``, or of ``bins`` intervals of about equal numbers.

        >>> import roclab as rl
        >>> found = rl.roc([1, 1, 1, 0, 0, 0], [3, 3, 2, 2, 1, 1]).likelihood_ratios()
        >>> [float(one.ratio) for one in found.ratios]
        [0.0, 1.0, inf]
        """
        from roclab.decisions.interval_ratios import interval_ratios

        return interval_ratios(self._counted("a likelihood ratio"), cuts=cuts, bins=bins, level=level)

    def h_measure(
        self,
        *,
        shape: tuple[float, float] | None = None,
        severity_ratio: float | Literal["data"] | None = None,
        prevalence: float | None = None,
    ) -> HMeasure:
        """Hand's H-measure, with a Beta prior of the costs (2, 2 by default) or a severity ratio."""
        from roclab.decisions.h_measure import h_measure

        tally = self._counted("the H-measure")
        return h_measure(tally, shape=shape, severity_ratio=severity_ratio, prevalence=prevalence)

    @public()
    def calibration(
        self,
        *,
        bins: int = 10,
        binning: Binning = "width",
        level: float = 0.95,
        resampling: Resampling | int | None = None,
        rng: Any = None,
        band: bool = False,
    ) -> Calibration:
        """Do predicted probabilities come true? Reliability bins and the Brier score with its parts.

        ``resampling=1000`` adds bootstrap intervals of ICI, E50, E90 and Emax, which cost a curve a replicate.
        ``band=True`` adds the smooth curve with a pointwise and a simultaneous band (``.curve``) and the test of
        intercept 0 and slope 1 together (``.joint_test``).
        """
        from roclab.decisions.calibration import calibration

        asked: dict[str, Any] = {"bins": bins, "binning": binning, "level": level, "resampling": resampling, "rng": rng}
        asked["band"] = band
        return calibration(self._counted("calibration"), **asked)

    @classmethod
    def _calibrations_between(
        cls,
        by: str,
        curves: Mapping[str, Any],
        *,
        bins: int = 10,
        binning: Binning = "width",
        level: float = 0.95,
        resampling: Resampling | int | None = None,
        rng: Any = None,
        band: bool = False,
    ) -> GroupCalibrations:
        """Calibration in every group, and whether groups differ in it."""
        from roclab.decisions.group_calibration import calibrations_of

        asked: dict[str, Any] = {"bins": bins, "binning": binning, "resampling": resampling, "rng": rng, "band": band}
        return calibrations_of(
            by, {name: one._counted("calibration") for name, one in curves.items()}, level=level, **asked
        )

    @public()
    def model_based(self, *, resampling: Resampling | int | None = None, rng: Any = None) -> ModelBasedCurve:
        """Is it the mix of cases or the calibration? The ROC curve that right probabilities would give (mROC).

        ``resampling`` is the number of sets of outcomes that are simulated for the tests (2000).

        >>> import roclab as rl
        >>> found = rl.roc([1, 1, 0, 0], [0.8, 0.4, 0.6, 0.2]).model_based(resampling=200, rng=1)
        >>> found.auc, round(found.concordance, 4)
        (0.75, 0.8125)
        """
        from roclab.decisions.model_based import model_based

        return model_based(self._counted("a model-based curve"), resampling=resampling, rng=rng)

    @public()
    def metrics(
        self,
        threshold: float,
        *,
        level: float = 0.95,
        interval: ProportionInterval = "wilson",
        ratio_interval: RatioInterval = "score",
        prevalence: float | None = None,
        beta: float | None = None,
    ) -> MetricIntervals:
        """All metrics at a threshold with their intervals; ``prevalence`` and ``beta`` add some of their own.

        ``interval`` is that of proportions, ``ratio_interval`` "score" (Koopman) or "log" (Simel) that of likelihood
        ratios and of predictive values at a prevalence, which follow from them.
        """
        from roclab.decisions.intervals import metric_intervals

        return metric_intervals(
            self.confusion(threshold),
            level=level,
            interval=interval,
            ratio_interval=ratio_interval,
            prevalence=prevalence,
            beta=beta,
        )

    def confusion(self, threshold: float) -> ConfusionMatrix:
        """The confusion matrix at a threshold."""
        from roclab.decisions.confusion import confusion_at

        return confusion_at(self._counted("a confusion matrix"), threshold)
