r"""One covariance matrix of the areas of several scores, from which every comparison follows.

Each case gives each score an influence value (see ``influence``). Centred and scaled by class size these form a
matrix Z with one row per case and one column per score, zero where a case lacks a score, and the covariance of the
areas is :math:`Z^\top Z`. Scores of the same cases, of different cases and of partly the same cases are therefore
one formula; when all cases have all scores it is DeLong's matrix.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from roclab._core.checks import plural
from roclab._core.types import Array, Bools, Counts, Floats, Ints, frozen
from roclab.data.cases import Cases
from roclab.data.remote import RemoteCases
from roclab.data.tally import Known, Tally
from roclab.errors import InputError, PairingError, Words, named
from roclab.inference.comparison.permutation import MOST_PAIRS, NullVariance, null_variance, permutation_of
from roclab.inference.one_area.area import Area
from roclab.inference.one_area.delong import DelongParts
from roclab.inference.one_area.estimate import variance_title
from roclab.inference.one_area.influence import Influence
from roclab.inference.one_area.variance import centred, effective_sizes
from roclab.inference.welch import EstimatedVariance, Stratum, corrected_area_variance, stratum_of
from roclab.names import Pairing
from roclab.results import Sample

__all__ = ["AreaCovariance", "Pairing", "covariance_of_cases", "covariance_of_groups", "covariance_of_tallies"]


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
    variances: tuple[EstimatedVariance, ...] | None = (
        None  # variance of each area with a small-sample correction, where its interval rests on that
    )
    strata: tuple[Stratum, ...] = ()  # what independent sets of cases add to the matrix; none for resampled ones
    units: float = inf  # number of independent subjects, where the classes share some
    null_variance: NullVariance | None = (
        None  # variances of differences if areas are equal, where the score test knows them
    )

    def __post_init__(self) -> None:
        frozen(self.areas)
        frozen(self.matrix)


def influence_of_cases(cases: Cases, name: str, area: Area) -> tuple[Tally, float, Floats]:
    """The tally and the area of one score, and the influence value of every case; O(n log n)."""
    if area.influence is None:
        raise InputError(
            "",
            f"comparing {area.quantity} ({area.method}) needs the bootstrap",
            way_out=f"use {named('variance', 'bootstrap')}",
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
            apart = share - share.mean()
        else:
            w = weight[one_class].astype(np.float64)
            total = w.sum()
            apart = centred(share, w)
            if weighted:
                effective = total**2 / np.sum(w * w)
                scale = w / total * np.sqrt(effective / (effective - 1)) if effective > 1 else np.nan
            else:
                # A whole weight w counts as w cases: its square appears w times in the sum.
                scale = np.sqrt(w / (total * (total - 1))) if total > 1 else np.nan
        out[one_class] = apart * scale
    return out


def covariance_of_cases(cases: Cases, area: Area, *, score: bool = True) -> AreaCovariance:
    """Covariance of the areas of all scores of the same cases, O(k n log n + k² n) [1]_.

    With ``score`` it also has what the score test needs, where cases are few enough.

    References
    ----------
    .. [1] DeLong ER, DeLong DM, Clarke-Pearson DL. Biometrics 1988;44:837-845. doi:10.2307/2531595
    """
    if isinstance(cases, RemoteCases):
        counted: AreaCovariance = cases.covariance(area, clustered=False, score=score)
        return counted
    columns, values, parts, variances = [], [], [], []
    rows = class_rows(cases.label)
    for name in cases.names:
        tally, value, influence = influence_of_cases(cases, name, area)
        values.append(value)
        columns.append(scaled_influence(influence, rows, cases.weight, tally.weighted))
        parts.append(_parts((columns[-1][row] for row in rows), effective_sizes(tally), area))
        variances.append(_spread(columns[-1], rows, cases, tally, area))
    strata = _strata(columns, cases, rows, area)
    areas, matrix = np.array(values), strata[0].matrix + strata[1].matrix
    return AreaCovariance(
        names=tuple(cases.names),
        areas=areas,
        matrix=matrix,
        area=area,
        samples=tuple(cases.sample(name) for name in cases.names),
        pairing="paired",
        method=variance_title(area),
        parts=tuple(parts),
        variances=None if area.of_auc else tuple(variances),
        strata=strata,
        null_variance=_null_variance(cases, areas, matrix, strata, area) if score else None,
    )


def _null_variance(
    cases: Cases, areas: Floats, matrix: Floats, strata: Sequence[Stratum], area: Area
) -> NullVariance | None:
    """What the score test needs, where it is known: of AUCs of few cases that count once, or several times."""
    if not area.of_auc or cases.weights == "importance" or strata[0].size * strata[1].size > MOST_PAIRS:
        return None
    few = cases.repeated()
    permutation = permutation_of(few.label, [few.oriented(name) for name in few.names])
    return None if permutation is None else null_variance(areas, matrix, strata, permutation, width=_width(area))


def _width(area: Area) -> float:
    return area.bounds[1] - area.bounds[0]


def _parts(classes: Iterable[Floats], sizes: tuple[float, float], area: Area) -> DelongParts:
    """What both classes add to the variance: the squares of their scaled influence; of the AUC where Gini is asked."""
    width = _width(area) if area.of_auc else 1.0
    pos, neg = (float(np.sum(column**2)) / width**2 for column in classes)
    return DelongParts(pos, neg, *sizes)


def _spread(column: Floats, rows: tuple[Ints, Ints], cases: Cases, tally: Tally, area: Area) -> EstimatedVariance:
    """Variance of one area with a small-sample correction, as its own interval has it."""
    times = _repetitions(cases)
    classes = [(column[one_class], None if times is None else times[one_class]) for one_class in rows]
    return corrected_area_variance(
        classes, effective_sizes(tally), widths=area.correction_widths(tally), shares=area.shares
    )


def _repetitions(cases: Cases) -> Floats | None:
    """How many cases each row stands for; a row that stands for none has no variance either."""
    if cases.weight is None or cases.weights == "importance":
        return None
    times: Floats = np.maximum(cases.weight, 1).astype(np.float64)
    return times


def _class_sizes(cases: Cases, rows: tuple[Ints, Ints]) -> tuple[float, float]:
    """Numbers of positives and negatives, effective ones for importance weights."""
    if cases.weight is None:
        return float(rows[0].size), float(rows[1].size)
    weights = [cases.weight[one_class].astype(np.float64) for one_class in rows]
    if cases.weights == "importance":
        return tuple(float(w.sum() ** 2 / np.sum(w * w)) for w in weights)  # type: ignore[return-value]
    return float(weights[0].sum()), float(weights[1].sum())


def _strata(columns: Sequence[Floats], cases: Cases, rows: tuple[Ints, Ints], area: Area) -> tuple[Stratum, Stratum]:
    """Positives and negatives of cases that have all scores."""
    width = _width(area)
    times = _repetitions(cases)
    pos, neg = (
        stratum_of(
            [column[one_class] for column in columns],
            size,
            times=None if times is None else times[one_class],
            width=width,
            share=share,
        )
        for one_class, size, share in zip(rows, _class_sizes(cases, rows), area.shares, strict=True)
    )
    return pos, neg


def covariance_of_groups(groups: Mapping[str, Cases], area: Area, *, pairing: Pairing) -> AreaCovariance:
    """Covariance of areas measured on separate sets of cases, each with one score.

    "unpaired": different cases, covariances are 0. "paired": the ids must be the same in all groups. "mixed": cases
    that share an id are the same case, others are not. Labels of the same id must agree.
    """
    values, pieces, samples, parts, variances, strata = [], [], [], [], [], []
    permutation, width = None, _width(area)
    weighted = any(cases.weights == "importance" for cases in groups.values())
    for cases in groups.values():
        name = cases.names[0]
        tally, value, influence = influence_of_cases(cases, name, area)
        values.append(value)
        samples.append(tally.sample)
        rows_of = class_rows(cases.label)
        pieces.append(scaled_influence(influence, rows_of, cases.weight, tally.weighted))
        parts.append(_parts((pieces[-1][one] for one in rows_of), effective_sizes(tally), area))
        variances.append(_spread(pieces[-1], rows_of, cases, tally, area))
    if pairing == "unpaired":
        for at, (cases, piece) in enumerate(zip(groups.values(), pieces, strict=True)):
            rows_of = class_rows(cases.label)
            for one_class, size, share in zip(rows_of, _class_sizes(cases, rows_of), area.shares, strict=True):
                own: list[Floats | None] = [None] * len(pieces)
                own[at] = piece[one_class]
                strata.append(stratum_of(own, size, width=width, share=share))
    else:
        rows = matched_rows(groups, whole=pairing == "paired")
        size = int(max(row.max() for row in rows)) + 1
        columns, positive = [np.zeros(size) for _ in pieces], np.zeros(size, bool)
        for column, row, piece, cases in zip(columns, rows, pieces, groups.values(), strict=True):
            column[row] = piece
            positive[row] = cases.label
        if area.of_auc and all(group.weight is None and len(group) == size for group in groups.values()):
            ordered = [cases.oriented()[np.argsort(row)] for row, cases in zip(rows, groups.values(), strict=True)]
            permutation = permutation_of(positive, ordered)
        for one_class, share in zip(class_rows(positive), area.shares, strict=True):
            both = [column[one_class] for column in columns]
            strata.append(stratum_of(both, one_class.size, width=width, share=share))
    areas, matrix = np.array(values), np.sum([stratum.matrix for stratum in strata], axis=0)
    return AreaCovariance(
        names=tuple(groups),
        areas=areas,
        matrix=matrix,
        area=area,
        samples=tuple(samples),
        pairing=pairing,
        method=f"weighted {variance_title(area)}" if weighted else variance_title(area),
        parts=tuple(parts),
        variances=None if area.of_auc else tuple(variances),
        strata=tuple(strata),
        null_variance=None if permutation is None else null_variance(areas, matrix, strata, permutation, width=width),
    )


def covariance_of_tallies(tallies: Mapping[str, Tally], area: Area, *, single: bool = False) -> AreaCovariance:
    """Covariance of areas of samples that share no case, from their tallies alone: 0 between them, O(n).

    With ``single`` it also has what the interval of each area rests on, as that of the cases themselves has. Tallies of
    an engine give what was counted before scores were joined in cells; where fourth powers were not, the correction of
    a difference comes from the cells.
    """
    if area.influence is None:
        raise InputError("", f"comparing {area.quantity} ({area.method}) needs its influence function")
    strata, parts, variances = [], [], []
    for at, tally in enumerate(tallies.values()):
        influence = area.influence(tally)
        sizes = effective_sizes(tally)
        classes = ((influence.pos, tally.pos, tally.pos_squares), (influence.neg, tally.neg, tally.neg_squares))
        columns: list[tuple[Floats, Floats | None]] = []
        for (values, counts, squares), size, spanned in zip(classes, sizes, area.shares, strict=True):
            held = counts > 0
            share = counts[held] / counts.sum()
            apart = centred(values[held], counts[held])
            estimated = np.sqrt(share / counts.sum() if squares is None else squares[held] / float(counts.sum()) ** 2)
            column = apart * estimated * (np.sqrt(size / (size - 1)) if size > 1 else np.nan)
            own: list[Floats | None] = [None] * len(tallies)
            own[at] = column
            times = counts[held].astype(np.float64) if squares is None else None
            strata.append(stratum_of(own, size, times=times, width=_width(area), share=spanned))
            columns.append((column, times))
        parts.append(_parts((column for column, _ in columns), sizes, area))
        if tally.known is not None and area.of_auc:
            parts[-1] = DelongParts(*tally.known.parts, *sizes)
            strata[-2:] = _strata_of_known(tally.known, strata[-2:], at, _width(area))
        if single:
            variances.append(
                corrected_area_variance(columns, sizes, widths=area.correction_widths(tally), shares=area.shares)
            )
    return AreaCovariance(
        names=tuple(tallies),
        areas=np.array([area.estimate(tally) for tally in tallies.values()]),
        matrix=np.sum([stratum.matrix for stratum in strata], axis=0),
        area=area,
        samples=tuple(tally.sample for tally in tallies.values()),
        pairing="unpaired",
        method=variance_title(area),
        parts=tuple(parts) if single else None,
        variances=tuple(variances) if single and not area.of_auc else None,
        strata=tuple(strata),
    )


def _strata_of_known(known: Known, strata: Sequence[Stratum], at: int, width: float) -> list[Stratum]:
    """Strata of one AUC of several by what was counted before scores were joined in cells."""
    found = []
    for stratum, part, fourth in zip(strata, known.parts, known.fourth or (None, None), strict=True):
        matrix, correction = np.zeros_like(stratum.matrix), stratum.correction
        matrix[at, at] = width**2 * part
        if fourth is not None:
            square = part * stratum.size * (stratum.size - 1)
            effective = max(square**2 / fourth, 1.0) if fourth > 0 and square > 0 else 1.0
            correction = np.zeros_like(matrix)
            correction[at] = correction[:, at] = width**2 / (4 * stratum.size**2 * effective)
            correction[at, at] = 0.0
        found.append(Stratum(matrix=matrix, correction=correction, size=stratum.size))
    return found


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
