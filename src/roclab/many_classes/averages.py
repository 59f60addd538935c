"""Multi-class areas and their averages, each with its uncertainty."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Any

import numpy as np

from roclab._core.checks import check_choice, check_level
from roclab._core.types import Bools, Floats, Ints
from roclab.areas.empirical import auc
from roclab.data.classes import ClassScores
from roclab.data.tally import Tally
from roclab.errors import PairingError
from roclab.inference.comparison.contrasts import Difference, contrast
from roclab.inference.comparison.paired_bootstrap import bootstrap_difference
from roclab.inference.one_area.bootstrap import bootstrap_interval, run_bootstrap
from roclab.inference.one_area.intervals import area_interval
from roclab.inference.welch import contrast_variance, stratum_of
from roclab.many_classes.influence import GroupArea, group_area
from roclab.many_classes.losses import class_losses
from roclab.many_classes.micro import micro_area
from roclab.many_classes.result import AVERAGES, MulticlassAreas, NamedArea
from roclab.names import Alternative
from roclab.options.uncertainty import Resampling, resampling_of

__all__ = ["compare_models", "multiclass_areas"]


def multiclass_areas(
    data: ClassScores, *, level: float = 0.95, resampling: Resampling | int | None = None, rng: Any = None
) -> MulticlassAreas:
    r"""All areas of a multi-class score, O(k² n log n) for k classes.

    - class c: column c, class c against the rest;
    - "weighted": :math:`\sum_c p_c A_c` [1]_; "macro": their mean;
    - "micro": the AUC of all (case, class) scores together;
    - "hand_till": :math:`M = \frac{2}{k(k-1)} \sum_{i<j} \tfrac12 (A(i|j) + A(j|i))`, with A(i|j) the AUC of column i
      between classes i and j only [2]_; "pairs_weighted" weighs the pairs by :math:`p_i + p_j`.

    Intervals rest on influence functions for fixed class sizes (micro: on clusters of k scores per case), on the logit
    scale; with ``resampling`` they are bootstrap percentiles, stratified by class.

    References
    ----------
    .. [1] Provost F, Domingos P. Well-trained PETs. CeDER Working Paper IS-00-04, 2001.
    .. [2] Hand DJ, Till RJ. Machine Learning 2001;45:171-186. doi:10.1023/A:1010920819831
    """
    check_level(level)
    one_vs_rest, one_vs_one = _class_areas(data), _pair_areas(data)
    averages = _averages(data, one_vs_rest, one_vs_one)
    smallest = float(data.counts.min())

    def named(name: str, found: GroupArea) -> NamedArea:
        se = math.sqrt(float(np.sum(found.influence**2)))
        interval = area_interval(found.area, se, level=level, pairs=smallest, name="influence")
        return NamedArea(name=name, area=found.area, standard_error=se, interval=interval)

    shown = {name: named(name, found) for name, found in averages.items()}
    shown["micro"] = micro_area(_onehot(data), data.scores, level=level, weight=data.weight)
    shown = {name: shown[name] for name in AVERAGES}
    method = "influence functions, logit"
    if resampling is not None:
        shown, method = _bootstrapped(data, shown, level, resampling_of(resampling), rng)
    return MulticlassAreas(
        classes={name: named(name, found) for name, found in one_vs_rest.items()},
        pairs={name: named(name, found) for name, found in one_vs_one.items()},
        averages=shown,
        counts=dict(zip(data.classes, data.counts.tolist(), strict=True)),
        level=level,
        method=method,
        dropped=data.dropped,
        losses=class_losses(data.scores, data.actual, level=level, weight=data.weight),
        weighted=data.weight is not None,
        columns={name: score for name, score in zip(data.classes, data.columns, strict=False) if name != score},
    )


def _class_areas(data: ClassScores) -> dict[str, GroupArea]:
    everyone = np.ones(data.actual.size, np.bool_)
    return {
        name: group_area(data.scores[:, c], data.actual == c, everyone, data.weight)
        for c, name in enumerate(data.classes)
    }


def _ordered_pairs(k: int) -> list[tuple[int, int]]:
    """Both orders of every pair of classes: the column of the first one scores both."""
    return [pair for i, j in combinations(range(k), 2) for pair in ((i, j), (j, i))]


def _pair_areas(data: ClassScores) -> dict[str, GroupArea]:
    # Names of classes that hold the bar are quoted, so that no two pairs share a name.
    quoted = any("|" in name for name in data.classes)
    names = [repr(name) if quoted else name for name in data.classes]
    out = {}
    for a, b in _ordered_pairs(len(names)):
        member = (data.actual == a) | (data.actual == b)
        out[f"{names[a]}|{names[b]}"] = group_area(data.scores[:, a], data.actual == a, member, data.weight)
    return out


def _averages(
    data: ClassScores, classes: Mapping[str, GroupArea], pairs: Mapping[str, GroupArea]
) -> dict[str, GroupArea]:
    share = data.shares
    of = dict(zip(data.classes, share, strict=True))
    k = len(data.classes)
    pair_share = {name: share[a] + share[b] for name, (a, b) in zip(pairs, _ordered_pairs(k), strict=True)}
    total = sum(pair_share.values())
    return {
        "macro": _weighted(classes, dict.fromkeys(classes, 1 / k)),
        "weighted": _weighted(classes, of),
        "hand_till": _weighted(pairs, dict.fromkeys(pairs, 1 / len(pairs))),
        "pairs_weighted": _weighted(pairs, {name: value / total for name, value in pair_share.items()}),
    }


def _weighted(areas: Mapping[str, GroupArea], weights: Mapping[str, float]) -> GroupArea:
    area = sum(weights[name] * one.area for name, one in areas.items())
    influence = np.sum([weights[name] * one.influence for name, one in areas.items()], axis=0)
    return GroupArea(float(area), influence)


def _onehot(data: ClassScores) -> Bools:
    return np.asarray(data.actual[:, None] == np.arange(len(data.classes)))


# -- bootstrap ---------------------------------------------------------------------------------------


def average_values(data: ClassScores, rows: Ints) -> Floats:
    """All averages on a resampled set of cases, in the order of ``AVERAGES``."""
    weight = None if data.weight is None else data.weight[rows]
    drawn = ClassScores(classes=data.classes, actual=data.actual[rows], scores=data.scores[rows], weight=weight)
    k = len(data.classes)
    counts = drawn.shares
    single = np.array([_auc(drawn.scores[:, c], drawn.actual == c, weight) for c in range(k)])
    pair, pair_share = [], []
    for i, j in combinations(range(k), 2):
        member = np.flatnonzero((drawn.actual == i) | (drawn.actual == j))
        actual = drawn.actual[member]
        own = None if weight is None else weight[member]
        both = (_auc(drawn.scores[member, i], actual == i, own) + _auc(drawn.scores[member, j], actual == j, own)) / 2
        pair.append(both)
        pair_share.append(counts[i] + counts[j])
    found = {
        "macro": single.mean(),
        "weighted": np.sum(single * counts),
        "micro": _auc(drawn.scores.ravel(), _onehot(drawn).ravel(), None if weight is None else np.repeat(weight, k)),
        "hand_till": np.mean(pair),
        "pairs_weighted": np.average(pair, weights=pair_share),
    }
    return np.array([found[name] for name in AVERAGES])


def _auc(score: Floats, positive: Any, weight: Floats | None = None) -> float:
    return auc(Tally.from_labels(positive, score, weight=weight))


def _stratified_rows(data: ClassScores) -> Callable[[np.random.Generator], Ints]:
    """Draws as many cases of every class as there are; the order of the rows does not matter."""
    order = np.lexsort([*data.scores.T[::-1], data.actual])
    groups = [order[data.actual[order] == c] for c in range(len(data.classes))]
    return lambda rng: np.concatenate([group[rng.integers(0, group.size, group.size)] for group in groups])


def _bootstrapped(
    data: ClassScores, closed: Mapping[str, NamedArea], level: float, resampling: Resampling, rng: Any
) -> tuple[dict[str, NamedArea], str]:
    draw = _stratified_rows(data)
    sampled = run_bootstrap(
        lambda generator: average_values(data, draw(generator)), len(AVERAGES), resampling=resampling, rng=rng
    )
    out = {}
    for at, name in enumerate(AVERAGES):
        replicates = sampled.replicates[:, at]
        interval = bootstrap_interval(replicates, closed[name].area, level=level, name=sampled.describe())
        out[name] = NamedArea(
            name=name, area=closed[name].area, standard_error=float(np.std(replicates, ddof=1)), interval=interval
        )
    return out, f"averages by {sampled.describe()}, percentile; classes and pairs by influence functions, logit"


# -- two models --------------------------------------------------------------------------------------


def compare_models(
    first: ClassScores,
    second: ClassScores,
    *,
    names: tuple[str, str] = ("first", "second"),
    average: str = "macro",
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    resampling: Resampling | int | None = None,
    rng: Any = None,
) -> Difference:
    """Difference of two models' averages on the same cases: by influence functions, or the paired bootstrap."""
    check_choice(average, "average", AVERAGES)
    if first.classes != second.classes or not np.array_equal(first.actual, second.actual):
        raise PairingError(
            "", ("two models are compared on the same cases: y_true and the classes must be the same for both")
        )
    if resampling is None and average != "micro":
        found = [_averages(one, _class_areas(one), _pair_areas(one))[average] for one in (first, second)]
        z = np.column_stack([one.influence for one in found])
        of_class = [np.flatnonzero(first.actual == at) for at in range(len(first.classes))]
        strata = [stratum_of(list(z[rows].T), rows.size) for rows in of_class if rows.size]
        matrix = np.sum([stratum.matrix for stratum in strata], axis=0)
        weights = np.array([1.0, -1.0])
        return contrast(
            np.array([one.area for one in found]),
            matrix,
            weights,
            names=names,
            level=level,
            alternative=alternative,
            estimated=contrast_variance(strata, matrix, weights),
            method="influence functions",
        )
    resampling = resampling_of(resampling)
    both = ClassScores(classes=first.classes, actual=first.actual, scores=np.hstack([first.scores, second.scores]))
    draw = _stratified_rows(both)
    at = AVERAGES.index(average)
    everyone = np.arange(first.actual.size)

    def difference(rows: Ints) -> float:
        return float(average_values(first, rows)[at] - average_values(second, rows)[at])

    sampled = run_bootstrap(lambda generator: difference(draw(generator)), None, resampling=resampling, rng=rng)
    return bootstrap_difference(
        sampled.replicates,
        difference(everyone),
        first=names[0],
        second=names[1],
        level=level,
        alternative=alternative,
        name=sampled.describe(),
    )
