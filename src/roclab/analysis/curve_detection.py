"""What can be asked of one curve where few positives are sought: early recognition, detection, precision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Unpack

from roclab.areas.early_recognition import BEDROC_ALPHA
from roclab.data.cases import Cases
from roclab.data.tally import Tally
from roclab.names import BandKind
from roclab.options.criterion import BenefitKeywords
from roclab.options.uncertainty import AreaUncertainty, Draws, DrawsKeywords, Level, LevelKeywords
from roclab.options.verb import public

if TYPE_CHECKING:
    from roclab.curves.hull import RocHull
    from roclab.decisions.costs import LowestCost
    from roclab.inference.one_curve.enrichment import Enrichment
    from roclab.inference.one_curve.equal_error import EqualErrorRate
    from roclab.inference.one_curve.precision_band import PrecisionBand

__all__ = ["CurveDetection"]


class DrawnKeywords(LevelKeywords, DrawsKeywords, total=False):
    """A level, and resampling where it is wanted."""


class CurveDetection:
    """Questions to a curve about rare positives."""

    __slots__ = ()

    tally: Tally | None
    cases: Cases | None

    def hull(self) -> RocHull:
        """The convex hull."""
        raise NotImplementedError  # pragma: no cover - of the class that holds the counts

    def _counted(self, what: str) -> Tally:
        raise NotImplementedError  # pragma: no cover - of the class that holds the counts

    @public(DrawnKeywords)
    def equal_error(self, **asked: Unpack[DrawnKeywords]) -> EqualErrorRate:
        """The rate at which misses and false alarms are equally frequent, with its interval.

        With ``resampling`` or ``rng``, and for subjects with several cases, the interval takes percentiles of resampled
        curves.

        >>> import roclab as rl
        >>> float(rl.roc([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.4, 0.2]).equal_error()).__round__(4)
        0.3333
        """
        from roclab.inference.one_curve.equal_error import equal_error_rate

        drawn = Draws.of(asked)
        return equal_error_rate(
            self._counted("an equal error rate"),
            level=Level.of(asked).level,
            resampling=drawn.resampling,
            rng=drawn.rng,
        )

    @public(BenefitKeywords)
    def lowest_cost(self, **asked: Unpack[BenefitKeywords]) -> LowestCost:
        """The lowest expected cost of any threshold; ``.relative`` is minDCF, the cost over that without the score.

        >>> import roclab as rl
        >>> r = rl.roc([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.4, 0.2])
        >>> round(r.lowest_cost(prevalence=0.01, cost_fn=10).relative, 4)
        0.3333
        """
        from roclab.decisions.costs import lowest_cost

        given: Any = {name: value for name, value in asked.items() if value is not None}
        if "prevalence" not in given:
            tally = self._counted("a prevalence")
            given["prevalence"] = tally.n_pos / (tally.n_pos + tally.n_neg)
        return lowest_cost(self.hull(), **given)

    @public(DrawnKeywords)
    def enrichment(
        self,
        fractions: Sequence[float] = (0.01, 0.05, 0.1),
        *,
        alpha: float = BEDROC_ALPHA,
        **asked: Unpack[DrawnKeywords],
    ) -> Enrichment:
        """How many more positives stand among the first cases than in a random choice; with RIE and BEDROC.

        ``fractions`` are shares of the ranked list, ``alpha`` weighs its first places: with 20 the first 8% decide 80%
        of BEDROC, with 160.9 the first 1%.

        >>> import roclab as rl
        >>> found = rl.Roc.from_ratings([3, 2, 1], pos=[4, 1, 0], neg=[1, 4, 90]).enrichment([0.05])
        >>> round(found.factors[0].factor, 3), round(float(found.bedroc), 4)
        (16.0, 0.8736)
        """
        from roclab.areas.early_recognition import rie
        from roclab.inference.areas_of_cases import areas_of
        from roclab.inference.one_area.estimate import estimate_area
        from roclab.inference.one_curve.enrichment import Enrichment, bedroc_area, enrichment_factors

        tally, level, drawn = self._counted("an enrichment"), Level.of(asked).level, Draws.of(asked)
        area = bedroc_area(alpha)
        uncertainty = AreaUncertainty(level=level)
        if self.cases is not None and self.cases.clustered:
            bedroc = areas_of(self.cases, area, uncertainty)[self.cases.only_name()]
        else:
            bedroc = estimate_area(tally, area, uncertainty)
        factors = enrichment_factors(tally, fractions, level=level, resampling=drawn.resampling, rng=drawn.rng)
        return Enrichment(
            factors=factors, bedroc=bedroc, rie=rie(tally, alpha), alpha=float(alpha), sample=tally.sample
        )

    @public(DrawnKeywords)
    def precision_band(
        self,
        *,
        kind: BandKind = "pointwise",
        points: int = 101,
        skew: float | None = None,
        **asked: Unpack[DrawnKeywords],
    ) -> PrecisionBand:
        """A confidence band of the precision-recall curve at the prevalence of the data, or at another ``skew``, N/P.

        ``kind`` is "pointwise" (the level holds at one recall chosen beforehand), "simultaneous" (for the whole curve)
        or "kolmogorov" (the same without resampling, wide).

        >>> import roclab as rl
        >>> band = rl.roc([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.4, 0.2]).precision_band(points=3)
        >>> band.recall.tolist(), band.precision.round(4).tolist()
        ([0.5, 1.0], [1.0, 0.75])
        """
        from roclab.inference.one_curve.precision_band import precision_band

        drawn: Any = Draws.of(asked)
        return precision_band(
            self._counted("a band"),
            kind=kind,
            level=Level.of(asked).level,
            points=points,
            skew=skew,
            resampling=drawn.resampling,
            rng=drawn.rng,
        )
