"""Which cases train and which are tested: the splits of a bench, the same for all of its models.

Every design is a list of splits. What the scores of a design may be used for differs, and each design says so in words
that tables and reports repeat: cross-validation tests every case once a repeat on models that have not seen it; random
splits test a case as often as it is drawn; a bootstrap tests the cases left out of a sample, and the .632 rule mixes
that with the apparent performance; testing on the training cases is no test at all.

References
----------
Efron B, Tibshirani R. Improvements on cross-validation: the .632+ bootstrap method. J Am Stat Assoc 1997;92:548-560.
doi:10.2307/2965703
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import check_choice, check_count, check_fraction, plural
from roclab._core.types import Array, Ints, frozen
from roclab._core.work import spawn_generators
from roclab.errors import InputError, MissingExtraError, Words, named
from roclab.names import BENCH_SAMPLINGS, BenchSampling

try:
    from sklearn.model_selection import (
        GroupShuffleSplit,
        LeaveOneGroupOut,
        StratifiedGroupKFold,
        StratifiedKFold,
        StratifiedShuffleSplit,
    )
except ImportError as error:
    raise MissingExtraError(library="scikit-learn", extra="sklearn", purpose="the classifier bench") from error

__all__ = ["Design", "Split", "design_of", "given_splits", "separate_test"]

_TRIES = 100  # draws of groups until both sides hold every class


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Split:
    """Rows to train on and rows to test on."""

    repeat: int
    fold: int
    train: Ints
    test: Ints
    apparent: bool = False  # tested on what it was trained on, beside the splits of a bootstrap

    def __post_init__(self) -> None:
        frozen(self.train)
        frozen(self.test)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Design:
    """All splits of a bench, and what they are in words."""

    sampling: BenchSampling
    splits: tuple[Split, ...]
    words: str
    repeats: int
    folds: int  # in a repeat
    names: tuple[str, ...] = ()  # of the splits, where the data name them

    def __iter__(self) -> Iterator[Split]:
        return iter(self.splits)

    def __len__(self) -> int:
        return len(self.splits)

    def name_of(self, split: Split) -> str:
        """What a table calls one split."""
        if split.apparent:
            return "apparent"
        if self.names:
            return self.names[split.fold - 1]
        if self.repeats == 1:
            return str(split.fold)
        return str(split.repeat) if self.folds == 1 else f"{split.repeat}.{split.fold}"

    @property
    def honest(self) -> bool:
        """True when no case is tested by a model that it trained."""
        return self.sampling != "train"


def design_of(
    codes: Ints,
    classes: Sequence[str],
    *,
    sampling: BenchSampling,
    folds: int = 10,
    repeats: int = 1,
    test_share: float = 0.5,
    groups: Array | None = None,
    rng: Any = None,
) -> Design:
    """Splits of cases with class numbers ``codes``; all cases of a group stay on one side.

    k-fold and random splits keep the shares of the classes. O(repeats x folds x n).
    """
    check_choice(sampling, "sampling", BENCH_SAMPLINGS)
    repeats = check_count(repeats, "repeats", least=1, most=100_000, way_out="1 runs the design once")
    everyone = np.arange(codes.size)
    apart = "" if groups is None else f", {np.unique(groups.astype(str)).size} groups kept whole"
    if sampling == "train":
        once = Split(repeat=1, fold=1, train=everyone, test=everyone)
        words = "test on the training cases: looks better than on new cases"
        return Design(sampling=sampling, splits=(once,), words=words, repeats=1, folds=1)
    if sampling == "k_fold":
        folds = check_count(folds, "folds", least=2, most=codes.size, way_out="5 or 10 are usual")
        _check_smallest_class(codes, classes, folds, groups)
        splits = _k_fold(codes, folds, repeats, groups, rng)
        kind = f"{folds}-fold cross-validation, stratified{apart}"
        words = kind if repeats == 1 else f"{kind}, repeated {repeats} times"
        return Design(sampling=sampling, splits=splits, words=words, repeats=repeats, folds=folds)
    if sampling == "leave_one_out":
        splits = _leave_one_out(codes, classes, groups)
        words = "leave-one-out" if groups is None else f"leave one group out, {len(splits)} groups"
        return Design(sampling=sampling, splits=splits, words=words, repeats=1, folds=len(splits))
    if sampling == "splits":
        share = check_fraction(test_share, "test_share", open_ends=True, way_out="0.5 tests on half of the cases")
        splits = _random_splits(codes, share, repeats, groups, rng)
        words = f"{plural(repeats, 'random split')}, {share:.0%} of the cases tested, stratified{apart}"
        return Design(sampling=sampling, splits=splits, words=words, repeats=repeats, folds=1)
    if sampling == "bootstrap":
        if repeats < 2:
            raise InputError("repeats", "must be at least 2 for a bootstrap", repeats, "100 samples are usual")
        splits = (*_bootstrap(codes, repeats, groups, rng), _apparent(everyone))
        words = f".632 bootstrap, {repeats} samples{apart}"
        return Design(sampling=sampling, splits=splits, words=words, repeats=repeats, folds=1)
    raise InputError("sampling", "'test' needs cases to test", way_out=f"pass them as {named('test')}")


def separate_test(n_train: int, n_test: int) -> Design:
    """One split: the first cases train, the others come from test data of their own."""
    once = Split(repeat=1, fold=1, train=np.arange(n_train), test=np.arange(n_train, n_train + n_test))
    words = f"separate test data: {n_train} cases train, {n_test} are tested"
    return Design(sampling="test", splits=(once,), words=words, repeats=1, folds=1)


def given_splits(folds: Array, groups: Array | None, codes: Ints, classes: Sequence[str]) -> Design:
    """Cross-validation along folds that the data bring with them."""
    words = folds.astype(str)
    names = list(dict.fromkeys(words.tolist()))
    if len(names) < 2:
        raise InputError("folds", "must name at least two folds", Words(f"only {names[0]!r}"))
    if groups is not None:
        _check_groups_in_folds(groups.astype(str), words)
    splits = []
    for at, name in enumerate(names):
        test = np.flatnonzero(words == name)
        train = np.flatnonzero(words != name)
        lacking = np.setdiff1d(np.arange(len(classes)), codes[train])
        if lacking.size:
            raise InputError(
                "folds",
                "must leave every class to train on",
                Words(f"no case of {classes[int(lacking[0])]} outside fold {name!r}"),
                "choose other folds",
            )
        splits.append(Split(repeat=1, fold=at + 1, train=train, test=test))
    text = f"cross-validation along the {len(names)} given folds"
    return Design(sampling="k_fold", splits=tuple(splits), words=text, repeats=1, folds=len(names), names=tuple(names))


def _check_groups_in_folds(groups: Array, folds: Array) -> None:
    pairs = np.unique(np.column_stack([groups, folds]), axis=0)
    names, count = np.unique(pairs[:, 0], return_counts=True)
    if (count > 1).any():
        spans = str(names[int(np.argmax(count > 1))])
        where = pairs[pairs[:, 0] == spans, 1].tolist()
        raise InputError(
            "folds",
            "must keep all cases of a group in one fold",
            Words(f"group {spans!r} in folds {' and '.join(map(repr, where[:2]))}"),
            f"leave out {named('folds')} to have groups kept whole, or {named('ids')} if cases are independent",
        )


def _check_smallest_class(codes: Ints, classes: Sequence[str], folds: int, groups: Array | None) -> None:
    sizes = np.bincount(codes, minlength=len(classes))
    what = "cases"
    if groups is not None:
        sizes = np.array([np.unique(groups[codes == at].astype(str)).size for at in range(len(classes))])
        what = "groups"
    least = int(np.argmin(sizes))
    if sizes[least] < folds:
        raise InputError(
            "folds",
            f"must be at most the number of {what} of the smallest class, {int(sizes[least])} of {classes[least]}",
            folds,
            f"use {named('sampling', 'leave_one_out')}, or fewer folds",
        )


def _state(generator: np.random.Generator) -> int:
    return int(generator.integers(2**31 - 1))


def _k_fold(codes: Ints, folds: int, repeats: int, groups: Array | None, rng: Any) -> tuple[Split, ...]:
    generators, _ = spawn_generators(rng, repeats)
    blank = np.zeros(codes.size)
    out = []
    for repeat, generator in enumerate(generators, start=1):
        kind = StratifiedKFold if groups is None else StratifiedGroupKFold
        maker = kind(n_splits=folds, shuffle=True, random_state=_state(generator))
        for fold, (train, test) in enumerate(maker.split(blank, codes, groups), start=1):
            out.append(Split(repeat=repeat, fold=fold, train=train, test=test))
    return tuple(out)


def _leave_one_out(codes: Ints, classes: Sequence[str], groups: Array | None) -> tuple[Split, ...]:
    everyone = np.arange(codes.size)
    if groups is None:
        sizes = np.bincount(codes, minlength=len(classes))
        if sizes.min() < 2:
            alone = classes[int(np.argmin(sizes))]
            raise InputError("", "leave-one-out needs two cases of every class", Words(f"one of {alone}"))
        return tuple(
            Split(repeat=1, fold=at + 1, train=np.delete(everyone, at), test=everyone[at : at + 1])
            for at in range(codes.size)
        )
    parts = LeaveOneGroupOut().split(everyone, codes, groups.astype(str))
    return tuple(Split(repeat=1, fold=at, train=train, test=test) for at, (train, test) in enumerate(parts, start=1))


def _random_splits(codes: Ints, share: float, repeats: int, groups: Array | None, rng: Any) -> tuple[Split, ...]:
    generators, _ = spawn_generators(rng, repeats)
    if groups is None:
        _check_share(codes, share)
    out = []
    for repeat, generator in enumerate(generators, start=1):
        if groups is None:
            maker = StratifiedShuffleSplit(n_splits=1, test_size=share, random_state=_state(generator))
            train, test = next(maker.split(codes, codes))
        else:
            train, test = _group_split(codes, share, groups, generator)
        out.append(Split(repeat=repeat, fold=1, train=np.sort(train), test=np.sort(test)))
    return tuple(out)


def _check_share(codes: Ints, share: float) -> None:
    tested, sizes = int(np.ceil(share * codes.size)), np.bincount(codes)
    if sizes[sizes > 0].min() < 2:
        raise InputError("", "a split needs two cases of every class", Words("one case of a class"), "add cases")
    least = int(np.count_nonzero(sizes))
    if tested < least or codes.size - tested < least:
        raise InputError("test_share", "must leave cases of every class on both sides", share, "0.5 halves the cases")


def _group_split(codes: Ints, share: float, groups: Array, generator: np.random.Generator) -> tuple[Ints, Ints]:
    whole = np.unique(codes).size
    for _ in range(_TRIES):
        maker = GroupShuffleSplit(n_splits=1, test_size=share, random_state=_state(generator))
        train, test = next(maker.split(codes, codes, groups.astype(str)))
        if np.unique(codes[train]).size == whole == np.unique(codes[test]).size:
            return train, test
    raise InputError(
        "ids", "must leave every class on both sides of a split", Words("groups that never did in 100 draws"),
        "use more groups, or splits by case",
    )  # fmt: skip


def _bootstrap(codes: Ints, repeats: int, groups: Array | None, rng: Any) -> list[Split]:
    generators, _ = spawn_generators(rng, repeats)
    names, member = np.unique(np.arange(codes.size) if groups is None else groups.astype(str), return_inverse=True)
    rows = np.split(np.argsort(member, kind="stable"), np.cumsum(np.bincount(member))[:-1])
    whole = np.unique(codes).size
    out = []
    for repeat, generator in enumerate(generators, start=1):
        for _ in range(_TRIES):
            drawn = generator.integers(names.size, size=names.size)
            train = np.concatenate([rows[at] for at in drawn])
            test = np.setdiff1d(np.arange(codes.size), train)
            if np.unique(codes[train]).size == whole == np.unique(codes[test]).size:
                break
        else:
            raise InputError(
                "", "a bootstrap must leave cases of every class inside and outside its samples",
                Words("too few cases of a class"), f"use {named('sampling', 'k_fold')}",
            )  # fmt: skip
        out.append(Split(repeat=repeat, fold=1, train=train, test=test))
    return out


def _apparent(everyone: Ints) -> Split:
    return Split(repeat=0, fold=0, train=everyone, test=everyone, apparent=True)
