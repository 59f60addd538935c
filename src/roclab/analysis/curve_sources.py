"""Ways to a ROC curve besides labels and scores: two samples, a table of ratings, ready-made points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from roclab.data.arrays import rating_counts, sample_arrays
from roclab.data.rates import check_rising, counts_of_rates
from roclab.data.tally import Tally
from roclab.results import Sample

if TYPE_CHECKING:
    from roclab.curves.roc import RocCurve
    from roclab.names import Walk

__all__ = ["CurveSources"]


class CurveSources:
    """Constructors of :class:`roclab.Roc`."""

    __slots__ = ()

    if TYPE_CHECKING:

        def __init__(
            self, *, tally: Tally | None, ties: Walk = "expected", ready_made: RocCurve | None = None
        ) -> None: ...

    @classmethod
    def from_samples(cls, positives: Any, negatives: Any) -> Self:
        """From two samples: the scores of the positives (diseased) and of the negatives (healthy).

        >>> import roclab as rl
        >>> float(rl.Roc.from_samples([3, 4], [1, 2]).auc())
        1.0
        """
        tally = Tally.from_samples(*sample_arrays(positives, negatives))
        return cls(tally=tally)

    @classmethod
    def from_ratings(cls, ratings: Any, pos: Any, neg: Any) -> Self:
        """From a frequency table: rating categories with the positives and negatives in each.

        >>> import roclab as rl
        >>> r = rl.Roc.from_ratings([1, 2, 3, 4, 5], pos=[3, 2, 2, 11, 33], neg=[33, 6, 6, 11, 2])
        >>> round(r.auc().area, 3)
        0.893
        """
        return cls(tally=Tally.from_counts(*rating_counts(ratings, pos, neg)))

    @classmethod
    def from_points(cls, fpr: Any, tpr: Any, *, n_pos: float | None = None, n_neg: float | None = None) -> Self:
        """From ready-made operating points of discrete classifiers, one or many.

        With ``n_pos`` and ``n_neg``, the cases behind the rates, the counts are known: intervals, tests and cut-offs
        then answer as for cases, the points being numbered as thresholds from the strictest, the highest number.

        >>> import roclab as rl
        >>> rl.Roc.from_points([0.1, 0.3], [0.5, 0.8], n_pos=20, n_neg=40).auc().n_neg
        40
        """
        from roclab.curves.roc import curve_from_points

        curve = curve_from_points(fpr, tpr)
        if n_pos is None and n_neg is None:
            return cls(tally=None, ties=curve.ties, ready_made=curve)
        found = counts_of_rates(curve.tpr, n_pos, "n_pos", "tpr"), counts_of_rates(curve.fpr, n_neg, "n_neg", "fpr")
        for one, rates, what in zip(found, (curve.tpr, curve.fpr), ("tpr", "fpr"), strict=True):
            check_rising(one.counts, rates, what)
        pos, neg = (np.diff(one.counts, prepend=0) for one in found)
        notes = "; ".join(one.note for one in found if one.note)
        sample = Sample(n_pos=int(pos.sum()), n_neg=int(neg.sum()), outcome=notes)
        return cls(tally=Tally.from_counts(np.arange(pos.size, 0, -1), pos, neg, sample=sample))
