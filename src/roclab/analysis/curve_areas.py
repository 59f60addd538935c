"""What can be asked of one curve: areas, tests, bands, and rates with their uncertainty."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

import numpy as np

from roclab._core.checks import check_choice, check_level
from roclab._core.types import Floats
from roclab.data.cases import Cases
from roclab.data.tally import Tally
from roclab.errors import InputError, Words, named
from roclab.names import (
    CLUSTERED_VARIANCES,
    Alternative,
    AreaTest,
    BandKind,
    Estimator,
    ProportionInterval,
    Side,
    SmoothModel,
)
from roclab.options.conventions import ConventionKeywords
from roclab.options.region import Range, Region, RegionKeywords
from roclab.options.uncertainty import (
    AreaUncertainty,
    AreaUncertaintyKeywords,
    Draws,
    DrawsKeywords,
    ProportionKeywords,
    ProportionUncertainty,
    Resampling,
    draws_note,
)
from roclab.options.verb import public
from roclab.results import AreaEstimate, RateEstimate, Several, TestResult

if TYPE_CHECKING:
    from roclab.curves.roc import RocCurve
    from roclab.inference.one_curve.bands import Band, Rectangle
    from roclab.inference.one_curve.thresholds import ThresholdEstimate
    from roclab.smooth.model import SmoothRoc

__all__ = ["CurveAreas"]


class CurveAreaKeywords(RegionKeywords, AreaUncertaintyKeywords, ConventionKeywords, total=False):
    """An area of a part of the curve."""


class BandKeywords(ProportionKeywords, DrawsKeywords, total=False):
    """A band of the curve."""


class CurveAreas:
    """Questions to a curve about areas and uncertainty."""

    __slots__ = ()

    tally: Tally | None
    cases: Cases | None

    @property
    def curve(self) -> RocCurve:
        """The vertices."""
        raise NotImplementedError  # pragma: no cover - of the class that holds the counts

    @public(CurveAreaKeywords)
    def auc(self, estimator: Estimator | None = None, **asked: Unpack[CurveAreaKeywords]) -> AreaEstimate:
        """An area with its interval; ``estimator`` and every option as in :func:`roclab.auc`.

        Ready-made points have no cases and so no uncertainty: their area comes alone, with the reason.
        """
        from roclab.analysis.auc import area_asked
        from roclab.analysis.bare_curves import area_of_points
        from roclab.engines.estimates import area_of_counts
        from roclab.inference.areas_of_cases import areas_of
        from roclab.inference.one_area.estimate import estimate_area

        region, uncertainty = Region.of(asked), AreaUncertainty.of(asked)
        what = area_asked(estimator, region)
        if self.tally is None:
            return area_of_points(self.curve, what, estimator, region, uncertainty.level)
        if self.cases is not None and (self.cases.clustered or uncertainty.variance in CLUSTERED_VARIANCES):
            return areas_of(self.cases, what, uncertainty)[self.cases.only_name()]
        estimate = area_of_counts if self.tally.counted else estimate_area
        found = estimate(self.tally, what, uncertainty)
        return found._noting(*draws_note(asked, drawn="bootstrap" in found.interval.method))

    @public(CurveAreaKeywords)
    def partial_auc(self, **asked: Unpack[CurveAreaKeywords]) -> AreaEstimate:
        """Partial area in a range of FPR, of TPR or both, raw or standardised."""
        if asked.get("fpr") is None and asked.get("tpr") is None:
            raise InputError(
                "fpr",
                f"or {named('tpr')} must say which part of the curve is meant",
                Words("neither"),
                f"write {named('fpr', (0, 0.1))}",
            )
        return self.auc(**asked)

    @public(AreaUncertaintyKeywords)
    def tauc(self, **asked: Unpack[AreaUncertaintyKeywords]) -> AreaEstimate:
        """Area under the tROC curve with its interval."""
        return self.auc("tauc", **asked)

    def area(
        self, *, fpr: Range | None = None, tpr: Range | None = None, weight: Literal["none", "tauc"] | float = "none"
    ) -> float:
        """The bare area of the curve as drawn; also for ready-made points, which have no uncertainty.

        ``weight`` "tauc", or a number k for the weight (1 - FPR)^k: 0 is the AUC, 1 tAUC, 2 rewards early rises more.
        """
        from roclab.areas.empirical import trapezoid
        from roclab.areas.partial import partial_area
        from roclab.areas.tauc import early_area, tauc

        if isinstance(weight, int | float):
            return early_area(self.curve, weight)
        check_choice(weight, "weight", ("none", "tauc"))
        if weight == "tauc":
            return tauc(self.curve)
        return trapezoid(self.curve) if fpr is None and tpr is None else partial_area(self.curve, fpr=fpr, tpr=tpr).area

    @public()
    def smooth(
        self, estimator: SmoothModel = "binormal", *, bandwidths: tuple[float, float] | None = None
    ) -> SmoothRoc:
        """A smooth curve through the data: "binormal", "box_cox", "kernel_k1" and the rest of ``names.SMOOTH_MODELS``.

        ``bandwidths`` of the positives and the negatives replace those of a kernel's rule.

        >>> import roclab as rl
        >>> fit = rl.Roc.from_ratings([1, 2, 3, 4, 5], pos=[3, 2, 2, 11, 33], neg=[33, 6, 6, 11, 2]).smooth()
        >>> round(fit.area, 3), fit.tpr([0.1]).round(3).tolist()
        (0.911, [0.771])
        """
        from roclab.analysis.bare_curves import fit_without_error
        from roclab.smooth.exponential import fit_exponential_curve
        from roclab.smooth.kernel import fit_kernel
        from roclab.smooth.methods import smooth_method

        if bandwidths is not None:
            if not str(estimator).startswith("kernel"):
                raise InputError("bandwidths", "are those of kernels", Words(estimator), "use 'kernel_k1' with them")
            tally = self._counted("a smooth curve")
            return fit_without_error(
                fit_kernel(tally, bandwidths=bandwidths, box_cox=str(estimator).endswith("box_cox")), tally
            )
        if self.tally is None and estimator == "exponential":  # which is fitted to points in any case
            return fit_exponential_curve(self.curve)
        tally = self._counted("a smooth curve")
        return fit_without_error(smooth_method(estimator).fit(tally), tally)

    @public()
    def overlap(self, estimator: SmoothModel = "kernel_k1") -> float:
        """Overlap coefficient of both classes under a smooth model: 1 for the same distribution, 0 for separation.

        >>> import roclab as rl
        >>> round(rl.Roc.from_samples([1.0, 2.0, 3.0], [0.0, 1.0, 2.0]).overlap("normal"), 4)
        0.6171
        """
        from roclab.smooth.region import overlap_of

        return overlap_of(self.smooth(estimator))

    # -- uncertainty of the curve ----------------------------------------------------------------

    @public(RegionKeywords)
    def test(
        self,
        *,
        null: float = 0.5,
        test: AreaTest | None = None,
        alternative: Alternative = "two-sided",
        estimator: Estimator | None = None,
        **asked: Unpack[RegionKeywords],
    ) -> TestResult:
        """Is the AUC, or any other area, different from a null value?

        By default the test agrees with the default interval. Others by name: "wald", "logit", "hanley_mcneil" (the
        error that the null implies), "null" (Mann-Whitney, as SPSS), "tie_corrected" and "gaidyshev"; areas other than
        the AUC know "logit" and "wald".
        """
        from roclab.analysis.auc import area_asked
        from roclab.inference.clustered_area import clustered_area_test
        from roclab.inference.one_area.area_tests import area_test

        what = area_asked(estimator, Region.of(asked))
        if self.cases is not None and self.cases.clustered:
            return clustered_area_test(self.cases, what, null=null, test=test, alternative=alternative)
        return area_test(self._counted("a test"), what, null=null, test=test, alternative=alternative)

    @public(BandKeywords, synonyms={"proportion": "interval"})
    def band(self, *, kind: BandKind = "pointwise", points: int | None = None, **asked: Unpack[BandKeywords]) -> Band:
        """A confidence band of the curve.

        ``kind`` is "pointwise" (the level holds at one rate chosen beforehand), "simultaneous" (for the whole curve),
        "kolmogorov" (for the whole curve without resampling, wide) or "thresholds" (both rates at every threshold, by
        the binomial ``interval``). The pointwise band has score limits, or with ``resampling`` or ``rng`` percentiles
        of resampled curves.
        """
        from roclab.inference.one_curve.bands import roc_band

        tally = self._counted("a band")
        if points is not None and kind == "thresholds":
            raise InputError(
                "points",
                f"has no meaning for {named('kind', 'thresholds')}, which has one point per score",
                points,
                "leave it out",
            )
        shown, drawn = ProportionUncertainty.of(asked), Draws.of(asked)
        if "interval" in asked and kind != "thresholds":
            raise InputError("interval", f"belongs to {named('kind', 'thresholds')}", shown.interval, "leave it out")
        return roc_band(
            tally, kind=kind, level=shown.level, points=points or 101, proportion=shown.interval,
            resampling=drawn.resampling, rng=drawn.rng,
        )  # fmt: skip

    def rectangle(self, threshold: float, *, level: float = 0.95, interval: ProportionInterval = "exact") -> Rectangle:
        """A joint confidence region of both rates at a threshold that was fixed before looking at the data.

        >>> import roclab as rl
        >>> box = rl.roc([1, 1, 1, 0, 0, 0], [6, 5, 3, 4, 2, 1]).rectangle(3.5)
        >>> round(box.tpr.low, 4), round(box.fpr.high, 4)
        (0.0665, 0.9335)
        """
        from roclab.decisions.confusion import confusion_at
        from roclab.decisions.intervals import metric_intervals
        from roclab.inference.one_curve.bands import clustered_rectangle, joint_rectangle

        tally = self._counted("a confidence rectangle")
        counts = confusion_at(tally, threshold)
        if counts.subjects is not None:
            check_level(level)
            each = metric_intervals(counts, level=1 - (1 - level) / 2, interval=interval).intervals
            return clustered_rectangle(each["tpr"], each["fpr"], level=level)
        return joint_rectangle(
            tp=counts.tp, n_pos=tally.n_pos, fp=counts.fp, n_neg=tally.n_neg, level=level, method=interval
        )

    @overload
    def rate_at(
        self, *, specificity: float | None = ..., sensitivity: float | None = ..., level: float = ..., side: Side = ...,
        resampling: Resampling | int | None = ..., rng: Any = ..., estimator: SmoothModel | None = ...,
    ) -> RateEstimate: ...  # fmt: skip
    @overload
    def rate_at(
        self, *, specificity: Sequence[float] | Floats | None = ..., sensitivity: Sequence[float] | Floats | None = ...,
        level: float = ..., side: Side = ..., resampling: Resampling | int | None = ..., rng: Any = ...,
        estimator: SmoothModel | None = ...,
    ) -> Several: ...  # fmt: skip
    @public()
    def rate_at(
        self,
        *,
        specificity: Any = None,
        sensitivity: Any = None,
        level: float = 0.95,
        side: Side = "two-sided",
        resampling: Resampling | int | None = None,
        rng: Any = None,
        estimator: SmoothModel | None = None,
    ) -> RateEstimate | Several:
        """Sensitivity at a specificity, or the reverse, with its interval; for a list of them, all at once.

        The interval is a score interval, which allows for the threshold having been found in the same data and holds
        its level with few cases; with ``resampling`` or ``rng`` it takes percentiles of resampled curves.
        ``estimator`` names a smooth curve to read it off instead of the empirical one; the binormal curve has an
        interval by the delta method.

        Returns
        -------
        RateEstimate, or Several of them where a list was given
        """
        from roclab.engines.estimates import rate_of_counts
        from roclab.inference.one_curve.fixed_rate import rate_statistic, rates_at
        from roclab.inference.one_curve.smooth_rate import smooth_rate_at

        tally = self._counted("an interval")
        asked, name = (specificity, "specificity") if specificity is not None else (sensitivity, "sensitivity")
        given: list[Any] = [asked] if np.ndim(asked) == 0 else list(asked)
        if not given:
            raise InputError(name, "must hold at least one rate", Words("none"))
        both = {"specificity": specificity, "sensitivity": sensitivity} if sensitivity is not None else {}
        if estimator is not None and tally.sample.subjects:
            raise InputError(
                "estimator", "has intervals of rates that take every case for itself",
                Words(f"several cases of {tally.sample.subjects} subjects"), "leave it out, and subjects are resampled",
            )  # fmt: skip
        if estimator is not None:
            options: dict[str, Any] = {"level": level, "side": side, "resampling": resampling, "rng": rng}
            smooth = [smooth_rate_at(tally, estimator, **{**both, name: one}, **options) for one in given]
            return smooth[0] if np.ndim(asked) == 0 else Several(results=tuple(smooth))
        statistics = [rate_statistic(**{**both, name: one}) for one in given]
        found = rates_at(tally, statistics, level=level, side=side, resampling=resampling, rng=rng)
        found = [
            rate_of_counts(tally, one, at=what.at, mirrored=what.mirrored, side=side)
            for one, what in zip(found, statistics, strict=True)
        ]
        return found[0] if np.ndim(asked) == 0 else Several(results=tuple(found))

    @overload
    def threshold_interval(
        self, *, fpr: float | None = ..., tpr: float | None = ..., level: float = ...,
        resampling: Resampling | int | None = ..., rng: Any = ...,
    ) -> ThresholdEstimate: ...  # fmt: skip
    @overload
    def threshold_interval(
        self, *, fpr: Sequence[float] | Floats | None = ..., tpr: Sequence[float] | Floats | None = ...,
        level: float = ..., resampling: Resampling | int | None = ..., rng: Any = ...,
    ) -> Several: ...  # fmt: skip
    @public()
    def threshold_interval(
        self,
        *,
        fpr: Any = None,
        tpr: Any = None,
        level: float = 0.95,
        resampling: Resampling | int | None = None,
        rng: Any = None,
    ) -> ThresholdEstimate | Several:
        """The threshold for a false or true positive rate, with a bootstrap interval; for a list of rates, all at once.

        Returns
        -------
        ThresholdEstimate, or Several of them where a list was given, from the same resampled cases
        """
        from roclab.inference.one_curve.thresholds import threshold_intervals

        tally = self._counted("an interval")
        intervals = threshold_intervals(tally, fpr=fpr, tpr=tpr, level=level, resampling=resampling, rng=rng)
        return intervals[0] if np.ndim(tpr if fpr is None else fpr) == 0 else Several(results=tuple(intervals))

    def _counted(self, what: str) -> Tally:
        from roclab.analysis.bare_curves import needs_cases

        if self.tally is None:
            raise needs_cases(what)
        return self.tally
