"""Areas of one or several scores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from roclab._core.text import text_table, without_shared
from roclab.analysis.data import read_cases
from roclab.areas.partial import Range
from roclab.inference.areas_of_cases import estimate_area_of_cases
from roclab.inference.one_area.bootstrap import Resampling
from roclab.inference.one_area.estimate import StandardError, area_of_method, area_of_region
from roclab.names import Side, Standard
from roclab.results import AreaEstimate, Result

__all__ = ["AreaTable", "area_table", "auc"]


def auc(
    y_true: Any,
    y_score: Any = None,
    *,
    method: str = "empirical",
    level: float = 0.95,
    interval: str | None = "logit",
    standard_error: StandardError | None = None,
    side: Side = "two-sided",
    resampling: Resampling | None = None,
    rng: Any = None,
    **data: Any,
) -> AreaEstimate:
    """Area under the ROC curve with its confidence interval.

    Parameters
    ----------
    y_true, y_score : arrays
        Labels and scores; or a data frame or file with ``label=`` and ``score=``. See :func:`read_cases` for all
        forms and for ``pos_label``, ``sample_weight``, ``direction`` and ``missing``.
    method : str
        A name of ``areas.methods``: "empirical" (Mann-Whitney), "gini", "tauc", "average_precision" …
    level : float
        Confidence level.
    interval : str
        "logit" (default), "plain", "clipped", "exact", "percentile", "bca", or None for the bare area.
    standard_error : str, optional
        "delong" (default), "hanley_mcneil", "empirical_q", "bamber", "bootstrap"; with ``ids`` also "clustered" and
        "clustered_bootstrap", for several cases per subject.
    side : str
        "two-sided", or "lower" / "upper" for a one-sided bound.
    resampling : Resampling, optional
        Number of bootstrap replicates, scheme, workers, progress.
    rng : int or numpy Generator, optional
        Seed of the bootstrap.

    Examples
    --------
    >>> import roclab as rl
    >>> estimate = rl.auc([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.4, 0.2])
    >>> print(estimate)
    AUC 0.8889, 95% interval 0.2614 to 0.9945 (DeLong, logit)
    standard error 0.1571; empirical
    3 positive (1), 3 negative (0); a higher score means positive
    """
    cases = read_cases(y_true, y_score, **data)
    return estimate_area_of_cases(
        cases,
        cases.only_name(),
        area_of_method(method),
        level=level,
        interval=interval,
        standard_error=standard_error,
        side=side,
        resampling=resampling,
        rng=rng,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaTable(Result):
    """Areas of several scores, one row each."""

    estimates: tuple[AreaEstimate, ...]

    def __iter__(self) -> Iterator[AreaEstimate]:
        return iter(self.estimates)

    def __len__(self) -> int:
        return len(self.estimates)

    def rows(self) -> list[dict[str, Any]]:
        """One row per score."""
        return [row for estimate in self.estimates for row in estimate.rows()]

    def __str__(self) -> str:
        samples = list(dict.fromkeys(replace(one.sample, score=None).describe() for one in self.estimates))
        notes = [f"{one.sample.score}: {note}" for one in self.estimates for note in one.notes]
        rows, below = without_shared(self.rows(), ["method", "interval"])
        return "\n".join([text_table(rows), *below, "", *samples, *notes])


def area_table(
    y_true: Any,
    y_score: Any = None,
    *,
    method: str = "empirical",
    fpr: Range | None = None,
    tpr: Range | None = None,
    standard: Standard = "none",
    **options: Any,
) -> AreaTable:
    """Areas of one or several scores of the same cases: options as in :func:`auc`, and a region for partial areas.

    >>> import roclab as rl
    >>> table = rl.area_table([1, 1, 0, 0], {"good": [4, 3, 2, 1], "fair": [4, 2, 3, 1]})
    >>> [round(one.area, 2) for one in table]
    [1.0, 0.75]
    """
    estimating = {name: options.pop(name) for name in _ESTIMATING & options.keys()}
    cases = read_cases(y_true, y_score, **options)
    what = (
        area_of_method(method) if fpr is None and tpr is None else area_of_region(fpr=fpr, tpr=tpr, standard=standard)
    )
    return AreaTable(estimates=tuple(estimate_area_of_cases(cases, name, what, **estimating) for name in cases.names))


_ESTIMATING = {"level", "interval", "standard_error", "side", "resampling", "rng"}
