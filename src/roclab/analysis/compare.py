"""Comparing the areas of several scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from roclab._core.checks import check_choice
from roclab.analysis.data import read_cases
from roclab.areas.partial import Range
from roclab.data.cases import Cases
from roclab.inference.comparison.clustered import covariance_of_clusters
from roclab.inference.comparison.compare import Comparison, compare_areas, compare_by_bootstrap
from roclab.inference.comparison.covariance import covariance_of_cases, covariance_of_groups
from roclab.inference.one_area.bootstrap import Resampling
from roclab.inference.one_area.estimate import area_of_method, area_of_region
from roclab.names import Adjustment, Alternative, Pairing, Standard

__all__ = ["compare", "compare_groups"]


def compare(
    y_true: Any,
    y_score: Any = None,
    *,
    method: str = "delong",
    area: str = "empirical",
    fpr: Range | None = None,
    tpr: Range | None = None,
    standard: Standard = "none",
    level: float = 0.95,
    adjust: Adjustment = "holm",
    alternative: Alternative = "two-sided",
    resampling: Resampling | None = None,
    rng: Any = None,
    **data: Any,
) -> Comparison:
    """Compare the areas of several scores measured on the same cases.

    Parameters
    ----------
    y_true, y_score : arrays
        Labels and a mapping of names to scores; or a data frame or file with ``label=`` and ``score=[…]``.
    method : str
        "delong" (default), "bootstrap", "clustered" (several cases per subject, needs ``ids``) or
        "clustered_bootstrap".
    area : str
        Which area to compare: a name of ``areas.methods``; or give a region by ``fpr`` and ``tpr`` for partial areas.
    adjust : str
        "holm" (default), "bonferroni", "fdr" or "none", over all pairs.

    Examples
    --------
    >>> import roclab as rl
    >>> y = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> result = rl.compare(y, {"a": [8, 7, 6, 3, 5, 4, 2, 1], "b": [8, 3, 6, 2, 7, 5, 4, 1]})
    >>> pair = result.pairs[0]
    >>> round(pair.difference, 4), round(pair.p_value, 4)
    (0.3125, 0.1138)
    """
    check_choice(method, "method", ("delong", "bootstrap", "clustered", "clustered_bootstrap"))
    cases = read_cases(y_true, y_score, **data)
    what = area_of_method(area) if fpr is None and tpr is None else area_of_region(fpr=fpr, tpr=tpr, standard=standard)
    common: dict[str, Any] = {"level": level, "adjust": adjust, "alternative": alternative}
    if method in ("bootstrap", "clustered_bootstrap"):
        clustered = method == "clustered_bootstrap"
        return compare_by_bootstrap(cases, what, resampling=resampling, rng=rng, clustered=clustered, **common)
    covariance = covariance_of_clusters(cases, what) if method == "clustered" else covariance_of_cases(cases, what)
    return compare_areas(covariance, **common)


def compare_groups(
    groups: Mapping[str, Cases],
    *,
    pairing: Pairing,
    area: str = "empirical",
    fpr: Range | None = None,
    tpr: Range | None = None,
    standard: Standard = "none",
    level: float = 0.95,
    adjust: Adjustment = "holm",
    alternative: Alternative = "two-sided",
    reference: Literal["normal", "t"] = "normal",
) -> Comparison:
    """Compare areas measured on separate sets of cases, one score each (see :func:`read_cases`).

    ``pairing`` is "unpaired" for different cases, "paired" when every id is in every group, "mixed" when some are.
    """
    check_choice(pairing, "pairing", ("paired", "unpaired", "mixed"))
    what = area_of_method(area) if fpr is None and tpr is None else area_of_region(fpr=fpr, tpr=tpr, standard=standard)
    covariance = covariance_of_groups(groups, what, pairing=pairing)
    return compare_areas(covariance, level=level, adjust=adjust, alternative=alternative, reference=reference)
