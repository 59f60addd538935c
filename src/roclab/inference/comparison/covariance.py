r"""One covariance matrix of the areas of several scores, from which every comparison follows.

Each case gives each score an influence value (see ``influence``). Centred and scaled by class size these form a
matrix Z with one row per case and one column per score, zero where a case lacks a score, and the covariance of the
areas is :math:`Z^\top Z`. Scores of the same cases, of different cases and of partly the same cases are therefore
one formula; when all cases have all scores it is DeLong's matrix.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import plural
from roclab._core.types import Array, Bools, Counts, Floats, Ints, frozen
from roclab.data.cases import Cases
from roclab.data.tally import Tally
from roclab.errors import InputError, PairingError, Words, named
from roclab.inference.one_area.delong import DelongParts
from roclab.inference.one_area.estimate import Area, variance_title
from roclab.inference.one_area.influence import Influence
from roclab.inference.one_area.variance import effective_sizes
from roclab.names import Pairing
from roclab.results import Sample

__all__ = ["AreaCovariance", "Pairing", "covariance_of_cases", "covariance_of_groups"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AreaCovariance:
    """Areas of k scores with their k x k covariance matrix."""

    names: tuple[str, ...]
    areas: Floats
    matrix: Floats
    area: Area | None  # None when only the numbers are known
    samples: tuple[Sample, ...]
    pairing: Pairing
    method: str
    parts: tuple[DelongParts, ...] | None = None  # what both classes add to each variance, where they add up

    def __post_init__(self) -> None:
        frozen(self.areas)
        frozen(self.matrix)


def influence_of_cases(cases: Cases, name: str, area: Area) -> tuple[Tally, float, Floats]:
    """The tally and the area of one score, and the influence value of every case; O(n log n)."""
    if area.influence is None:
        raise InputError(
            "",
            f"comparing {area.quantity} ({area.method}) needs the bootstrap",
            way_out=f"use {named('method', 'bootstrap')}",
        )
    ranking = cases.ranking(name)
    influence: Influence = area.influence(ranking.tally)
    return ranking.tally, area.estimate(ranking.tally), ranking.spread(influence.pos, influence.neg)


def class_rows(label: Bools) -> tuple[Ints, Ints]:
    """Positions of the positives and of the negatives."""
    return np.flatnonzero(label), np.flatnonzero(~label)


def scaled_influence(values: Floats, rows: tuple[Ints, Ints], weight: Counts | None, weighted: bool) -> Floats:
    """Influence centred within each class and scaled so that column products add up to the covariance."""
    out = np.empty(values.size)
    for one_class in rows:
        share = values[one_class]
        if weight is None:
            n = share.size
            scale: Any = 1 / np.sqrt(n * (n - 1)) if n > 1 else np.nan
            centred = share - share.mean()
        else:
            w = weight[one_class].astype(np.float64)
            total = w.sum()
            centred = share - np.sum(w * share) / total
            if weighted:
                effective = total**2 / np.sum(w * w)
                scale = w / total * np.sqrt(effective / (effective - 1)) if effective > 1 else np.nan
            else:
                # A whole weight w counts as w cases: its square appears w times in the sum.
                scale = np.sqrt(w / (total * (total - 1))) if total > 1 else np.nan
        out[one_class] = centred * scale
    return out


def covariance_of_cases(cases: Cases, area: Area) -> AreaCovariance:
    """Covariance of the areas of all scores of the same cases, O(k n log n + k² n) [1]_.

    References
    ----------
    .. [1] DeLong ER, DeLong DM, Clarke-Pearson DL. Biometrics 1988;44:837-845. doi:10.2307/2531595
    """
    columns, values, parts = [], [], []
    rows = class_rows(cases.label)
    for name in cases.names:
        tally, value, influence = influence_of_cases(cases, name, area)
        values.append(value)
        columns.append(scaled_influence(influence, rows, cases.weight, tally.weighted))
        parts.append(_parts(columns[-1], rows, tally))
    return AreaCovariance(
        names=tuple(cases.names),
        areas=np.array(values),
        matrix=_products(columns),
        area=area,
        samples=tuple(cases.sample(name) for name in cases.names),
        pairing="paired",
        method=variance_title(area),
        parts=tuple(parts),
    )


def _parts(column: Floats, rows: tuple[Ints, Ints], tally: Tally) -> DelongParts:
    """What both classes add to the variance of one area: the squares of their scaled influence."""
    pos, neg = (float(np.sum(column[one_class] ** 2)) for one_class in rows)
    return DelongParts(pos, neg, *effective_sizes(tally))


def _products(columns: Sequence[Floats]) -> Floats:
    """Z'Z by plain sums: BLAS may split long products over threads and change the last digits."""
    k = len(columns)
    out = np.empty((k, k))
    for i in range(k):
        for j in range(i, k):
            out[i, j] = out[j, i] = np.sum(columns[i] * columns[j])
    return out


def covariance_of_groups(groups: Mapping[str, Cases], area: Area, *, pairing: Pairing) -> AreaCovariance:
    """Covariance of areas measured on separate sets of cases, each with one score.

    "unpaired": different cases, covariances are 0. "paired": the ids must be the same in all groups. "mixed": cases
    that share an id are the same case, others are not. Labels of the same id must agree.
    """
    values, pieces, samples, parts = [], [], [], []
    weighted = any(cases.weights == "importance" for cases in groups.values())
    for cases in groups.values():
        name = cases.names[0]
        tally, value, influence = influence_of_cases(cases, name, area)
        values.append(value)
        samples.append(tally.sample)
        rows_of = class_rows(cases.label)
        pieces.append(scaled_influence(influence, rows_of, cases.weight, tally.weighted))
        parts.append(_parts(pieces[-1], rows_of, tally))
    if pairing == "unpaired":
        matrix = np.diag([float(np.sum(piece * piece)) for piece in pieces])
    else:
        rows = matched_rows(groups, whole=pairing == "paired")
        size = int(max(row.max() for row in rows)) + 1
        columns = [np.zeros(size) for _ in pieces]
        for column, row, piece in zip(columns, rows, pieces, strict=True):
            column[row] = piece
        matrix = _products(columns)
    return AreaCovariance(
        names=tuple(groups),
        areas=np.array(values),
        matrix=matrix,
        area=area,
        samples=tuple(samples),
        pairing=pairing,
        method=f"weighted {variance_title(area)}" if weighted else variance_title(area),
        parts=tuple(parts),
    )


def matched_rows(groups: Mapping[str, Cases], *, whole: bool) -> list[Array]:
    """Row of every case in the union of all ids; checks ids and labels."""
    for name, cases in groups.items():
        if cases.ids is None:
            raise PairingError(
                "",
                "pairing by id needs ids in every group",
                Words(f"none for {name!r}"),
                f"give {named('ids')} or say {named('pairing', 'unpaired')}",
            )
        ids, counts = np.unique(cases.ids.astype(str), return_counts=True)
        if counts.max() > 1:
            raise PairingError(
                "ids",
                f"must be unique within {name!r}",
                Words(f"{str(ids[counts.argmax()])!r} {counts.max()} times"),
                "use the clustered comparison for several cases per subject",
            )
    text = [np.asarray(cases.ids).astype(str) for cases in groups.values()]
    union = np.unique(np.concatenate(text))
    rows = [np.searchsorted(union, ids) for ids in text]
    names = list(groups)
    if whole:
        for name, ids in zip(names[1:], text[1:], strict=True):
            _check_same_ids(text[0], ids, names[0], name)
    outcome = np.full(union.size, -1)
    for name, row, cases in zip(names, rows, groups.values(), strict=True):
        seen = outcome[row]
        clash = np.flatnonzero((seen >= 0) & (seen != cases.label))
        if clash.size:
            some = ", ".join(map(str, union[row[clash[:3]]]))
            raise PairingError(
                "",
                "a case must have one outcome",
                Words(f"different outcomes for {plural(clash.size, 'id')} in {name!r} and an earlier group ({some})"),
                "correct the labels",
            )
        outcome[row] = cases.label
    return rows


def _check_same_ids(one: Array, two: Array, name_one: str, name_two: str) -> None:
    missing, extra = np.setdiff1d(one, two), np.setdiff1d(two, one)
    if not missing.size and not extra.size:
        return
    parts: list[str] = []
    for ids, name in ((missing, name_two), (extra, name_one)):
        if ids.size:
            some: Sequence[str] = [str(value) for value in ids[:3]]
            parts.append(
                f"{plural(ids.size, 'id')} missing from {name!r} ({', '.join(some)}{', …' if ids.size > 3 else ''})"
            )
    raise PairingError(
        "",
        "paired scores need the same ids",
        Words(f"{' and '.join(parts)}"),
        f"correct the files, or say {named('pairing', 'mixed')} to use every case",
    )
