r"""Bootstrap of AUCs in which every case, or subject, draws its own weight from its name.

In replicate b the case with key h counts as often as a Poisson variable of mean 1 says, which is computed from (h, b,
seed) by a hash instead of being drawn one after another: the same case has the same weights whatever the order of rows,
their partitions, and the machine they lie on. Poisson weights are those of the multinomial bootstrap but for their
total, which varies too; the AUC does not depend on it [1]_. All cases of a subject share its weights, so that whole
subjects are resampled, and scores of the same cases are resampled together although each score is sorted alone.

A replicate adds up, over the scores in ascending order, the weight of positives times that of the negatives below, ties
one half, in whole numbers: O(n) a replicate, in pieces, with the replicates beside each other.

References
----------
.. [1] Hanley JA, MacGibbon B. Creating non-parametric bootstrap samples using Poisson frequencies. Comput Methods
   Programs Biomed 2006;83:57-62. doi:10.1016/j.cmpb.2006.04.006
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator
from typing import Any

import numpy as np

from roclab._core.types import Array, Bools, Floats, Ints
from roclab.data.cases import Cases
from roclab.data.remote import RemoteCases
from roclab.errors import InputError, Words, named
from roclab.inference.one_area.area import Area
from roclab.inference.one_area.bootstrap import Bootstrap
from roclab.options.uncertainty import Resampling

__all__ = ["KeyedWins", "bootstrap_by_key", "check_kind_of_ids", "key_of_text", "keys_of", "seed_number"]

_LANES = 4  # draws of 16 bits from one hash of 64
_ROOM = 1 << 22  # numbers of a piece
_MIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
_STEP = 0x9E3779B97F4A7C15


def _poisson_table() -> Array:
    """The value of each of 65,536 equally likely draws; of mean exactly 1, and within 2e-5 of every probability."""
    counts = []
    chance = np.exp(-1.0)
    for value in range(9):
        counts.append(round(chance * 65536))
        chance /= value + 1
    counts[0] += 65536 - sum(counts)
    surplus = sum(value * often for value, often in enumerate(counts)) - 65536
    counts[1] -= surplus  # a one less and a nought more lower the mean by one draw
    counts[0] += surplus
    return np.repeat(np.arange(9, dtype=np.uint8), counts)


_POISSON = _poisson_table()


def key_of_text(text: str) -> int:
    """The key of a name: the lower 64 bits of its MD5, which databases compute too.

    >>> key_of_text("patient 7")
    1911358331552272467
    """
    return int.from_bytes(hashlib.md5(text.encode(), usedforsecurity=False).digest()[8:], "little")


def keys_of(ids: Array) -> Array:
    """Keys of cases by their subjects, which are whole numbers or words: a number has the key of its digits."""
    words = ids.dtype.kind == "O" and all(isinstance(one, str) for one in ids.tolist())
    names, at = np.unique(ids.astype(np.str_) if words else ids, return_inverse=True)
    if names.dtype.kind not in "iuU":
        raise InputError(
            "ids", "must be whole numbers or words, from which weights are drawn", Words(f"{names.dtype.name}"),
            "name the subjects by one of these",
        )  # fmt: skip
    return np.array([key_of_text(str(one)) for one in names.tolist()], np.uint64)[at]


_KINDS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "VARCHAR")


def check_kind_of_ids(kind: str, name: str) -> None:
    """Refuse columns of a database whose values are written otherwise elsewhere."""
    if kind not in _KINDS:
        raise InputError(
            name, "must hold whole numbers or words, from which weights are drawn", Words(f"a column of {kind}"),
            "name the subjects by one of these",
        )  # fmt: skip


def seed_number(rng: Any) -> int:
    """The seed as a whole number that is printed; a new one where none was given."""
    if rng is None:
        return secrets.randbits(48)
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(1 << 48))
    if isinstance(rng, bool) or not isinstance(rng, int | np.integer) or rng < 0:
        raise InputError("rng", "must be a whole number >= 0 where weights are drawn by ids", rng,
                         f"write {named('rng', 1)}")  # fmt: skip
    return int(rng)


def _weights(keys: Array, seed: int, replicates: int) -> Array:
    """Poisson weights, replicates x cases."""
    drawn = []
    with np.errstate(over="ignore"):
        for at in range(-(-replicates // _LANES)):
            start = key_of_text(f"{seed}/{at}")
            mixed = keys + np.uint64(start ^ _STEP)
            mixed = (mixed ^ (mixed >> np.uint64(30))) * _MIX[0]
            mixed = (mixed ^ (mixed >> np.uint64(27))) * _MIX[1]
            mixed ^= mixed >> np.uint64(31)
            lanes = mixed.astype("<u8", copy=False).view("<u2").reshape(-1, _LANES)
            drawn.append(_POISSON[lanes.T])
    found: Array = np.concatenate(drawn)[:replicates]
    return found


class KeyedWins:
    """Feed it cases of one score in ascending order, then ask for the AUC of every replicate.

    >>> wins = KeyedWins(seed=1, replicates=100)
    >>> wins.add(np.arange(60.0), np.arange(60) % 3 > 0, keys_of(np.arange(60)))
    >>> bool(np.all((wins.areas() >= 0) & (wins.areas() <= 1)))
    True
    """

    def __init__(self, *, seed: int, replicates: int) -> None:
        self.seed, self.replicates = seed, replicates
        self._wins, self._pos, self._neg = (np.zeros(replicates, np.int64) for _ in range(3))
        self._tie: tuple[float, Ints, Ints] | None = None  # the last score, and the weights of its cases so far

    def add(self, score: Floats, positive: Bools, keys: Array) -> None:
        """Cases in ascending order that begin where the last ones ended, perhaps in a tie."""
        size = max(_ROOM // self.replicates, 64)
        for start in range(0, score.size, size):
            part = slice(start, start + size)
            self._add(score[part], positive[part], keys[part])

    def _add(self, score: Floats, positive: Bools, keys: Array) -> None:
        weight = _weights(keys, self.seed, self.replicates)
        starts = np.flatnonzero(np.concatenate([[True], score[1:] != score[:-1]]))
        pos = np.where(positive, weight, np.uint8(0))
        neg = np.where(positive, np.uint8(0), weight)
        if starts.size < score.size:
            pos, neg = (np.add.reduceat(one, starts, axis=1, dtype=np.int32) for one in (pos, neg))
        first_pos, first_neg = pos[:, 0].astype(np.int64), neg[:, 0].astype(np.int64)
        if self._tie is not None:
            if self._tie[0] == score[0]:
                first_pos, first_neg = first_pos + self._tie[1], first_neg + self._tie[2]
            else:
                self._count(self._tie[1][:, None], self._tie[2][:, None])
        if starts.size > 1:
            self._count(first_pos[:, None], first_neg[:, None])
            self._count(pos[:, 1:-1], neg[:, 1:-1])
            first_pos, first_neg = pos[:, -1].astype(np.int64), neg[:, -1].astype(np.int64)
        self._tie = float(score[-1]), first_pos, first_neg

    def _count(self, pos: Array, neg: Array) -> None:
        """Distinct scores above all others so far."""
        if not pos.shape[1]:
            return
        twice = 2 * np.cumsum(neg, axis=1, dtype=np.int64)
        total = pos.sum(axis=1, dtype=np.int64)
        self._wins += np.einsum("ij,ij->i", pos.astype(np.int64, copy=False), twice - neg) + 2 * self._neg * total
        self._pos += total
        self._neg += twice[:, -1] // 2

    def areas(self) -> Floats:
        """The AUC of every replicate; refused where one has drawn no case of a class."""
        if self._tie is not None:
            self._count(self._tie[1][:, None], self._tie[2][:, None])
            self._tie = None
        empty = int(np.count_nonzero((self._pos == 0) | (self._neg == 0)))
        if empty:
            raise InputError(
                "resampling", "draws every case by its id, and a class must be large enough to be drawn at all",
                Words(f"{empty} of {self.replicates} replicates without one"), "use the default scheme",
            )  # fmt: skip
        found: Floats = self._wins / (2.0 * self._pos * self._neg)
        return found


def bootstrap_by_key(cases: Cases, area: Area, how: Resampling, rng: Any) -> Bootstrap:
    """Replicates of the AUC, or Gini, of every score, one column each; cases are named by their ids."""
    if not area.of_auc:
        raise InputError("scheme", "'poisson' resamples AUCs", Words(area.method), "use 'stratified'")
    if cases.weights != "none":
        raise InputError("sample_weight", "has no part where ids give the weights", way_out="leave it out")
    known = cases.has_subjects if isinstance(cases, RemoteCases) else cases.ids is not None
    if not known:
        raise InputError(
            "ids", "must name every case, or subject, where weights are drawn by them", Words("none"),
            f"give {named('ids')}, or use the scheme 'stratified'",
        )  # fmt: skip
    seed, columns = seed_number(rng), []
    for at, name in enumerate(cases.names):
        wins = KeyedWins(seed=seed, replicates=how.replicates)
        for batch in cases.keyed_rows(name) if isinstance(cases, RemoteCases) else _in_memory(cases, name):
            wins.add(*batch)
        columns.append(wins.areas() if area.method != "gini" else 2 * wins.areas() - 1)
        if how.progress is not None:
            how.progress(how.replicates * (at + 1) // len(cases.names), how.replicates)
    return Bootstrap(replicates=np.column_stack(columns), scheme="poisson by id", seed=str(seed))


def _in_memory(cases: Cases, name: str) -> Iterator[tuple[Floats, Bools, Array]]:
    score = cases.oriented(name).astype(np.float64)
    order = np.argsort(score)
    assert cases.ids is not None
    yield score[order] + 0.0, cases.label[order], keys_of(cases.ids)[order]
