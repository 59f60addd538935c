"""The table of a bench: features of every case, numbers or words, with their gaps, and how models get to see them.

A model sees a matrix of numbers. Gaps are filled and words become columns of 0 and 1, learnt from the training cases of
each split alone: medians, commonest words and known words are part of the model, and taking them from all cases would
let the test cases speak.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import close_names
from roclab._core.types import Array, Bools, Floats, Ints, frozen
from roclab.data.columns import as_array, label_column, score_column
from roclab.data.labels import word_of
from roclab.errors import InputError, MissingExtraError, Words

try:
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder
except ImportError as error:
    raise MissingExtraError(library="scikit-learn", extra="sklearn", purpose="the classifier bench") from error

__all__ = ["Encoder", "FeatureTable", "feature_table"]

_MANY = 50  # words in a column beyond which it names cases rather than describes them


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FeatureTable:
    """Features by name: numbers with NaN for gaps; words as numbers of their levels, with NaN for gaps too."""

    names: tuple[str, ...]
    values: Floats  # cases x features
    levels: Mapping[str, tuple[str, ...]]  # of features that are words
    left_out: Mapping[str, str]  # columns that are no features, and why

    def __post_init__(self) -> None:
        frozen(self.values)

    def __len__(self) -> int:
        return int(self.values.shape[0])

    @property
    def gaps(self) -> int:
        """Missing values among all features."""
        return int(np.isnan(self.values).sum())

    def places(self, features: Sequence[str] | None) -> Ints:
        """Where some features stand; all of them by default."""
        if features is None:
            return np.arange(len(self.names))
        for name in features:
            if name not in self.names:
                known = ", ".join(map(repr, self.names))
                raise InputError(
                    "features", f"must name features among {known}", Words(f"{name!r}{close_names(name, self.names)}")
                )
        return np.array([self.names.index(name) for name in features])

    def describe(self) -> list[str]:
        """What models see, in words, where it is not simply the numbers of the table."""
        notes = []
        if self.levels:
            notes.append(
                f"words became columns of 0 and 1 inside every training part: {', '.join(self.levels)}"
                if len(self.levels) < 8
                else f"{len(self.levels)} features of words became columns of 0 and 1 inside every training part"
            )
        if self.gaps:
            share = float(np.isnan(self.values).any(axis=1).mean())
            notes.append(
                f"{self.gaps} missing values ({share:.1%} of the cases have one) were filled inside every training "
                "part: by the median of numbers, by the commonest word"
            )
        notes += [f"{name} is no feature: {reason}" for name, reason in self.left_out.items()]
        return notes


class Encoder:
    """Fills gaps and spreads words, as learnt from training rows; numbers without gaps pass as they are.

    A word that the training rows lack is a row of zeros; of two words one column is enough.
    """

    def __init__(self, table: FeatureTable, places: Ints, train: Ints) -> None:
        self._table, self._places = table, places
        chosen = [table.names[at] for at in places]
        words = [at for at, name in enumerate(chosen) if name in table.levels]
        numbers = [at for at, name in enumerate(chosen) if name not in table.levels]
        self._steps: Any = None
        if not words and not np.isnan(table.values[:, places]).any():
            return
        self._kept: Bools
        fill = SimpleImputer(strategy="median", keep_empty_features=True)
        spread = make_pipeline(
            SimpleImputer(strategy="most_frequent", keep_empty_features=True),
            OneHotEncoder(handle_unknown="ignore", sparse_output=False),
        )
        self._steps = ColumnTransformer([("numbers", fill, numbers), ("words", spread, words)])
        self._steps.fit(table.values[np.ix_(train, places)])
        kept = [True] * len(numbers)
        if words:
            for known in self._steps.named_transformers_["words"][-1].categories_:
                kept += [len(known) != 2, *[True] * (len(known) - 1)]
        self._kept = np.array(kept)

    def of(self, table: FeatureTable) -> Encoder:
        """The same lessons applied to another table of the same features."""
        other = copy(self)
        other._table = table
        return other

    def columns(self) -> tuple[tuple[str, ...], tuple[str | None, ...]]:
        """Of every column of the matrix its feature, and the word that it stands for where it is 0 or 1."""
        chosen = [self._table.names[at] for at in self._places]
        numbers = [name for name in chosen if name not in self._table.levels]
        names: list[str] = [*numbers]
        words: list[str | None] = [None] * len(numbers)
        spread = [name for name in chosen if name in self._table.levels]
        if not spread:
            return tuple(chosen), (None,) * len(chosen)
        for name, known in zip(spread, self._steps.named_transformers_["words"][-1].categories_, strict=True):
            kept = known[1:] if len(known) == 2 else known
            names += [name] * len(kept)
            words += [self._table.levels[name][int(at)] for at in kept]
        return tuple(names), tuple(words)

    def __call__(self, rows: Ints) -> Floats:
        """The matrix of some rows."""
        values = self._table.values[np.ix_(rows, self._places)]
        if self._steps is None:
            return values
        return np.asarray(self._steps.transform(values), dtype=np.float64)[:, self._kept]


def feature_table(
    columns: Mapping[str, Any], *, rows: Ints | None = None, categorical: Sequence[str] = (), asked: bool = False
) -> FeatureTable:
    """Features from columns of any kind; ``asked`` ones are refused where others are left out.

    Text, and what ``categorical`` names, is words; booleans and numbers are numbers. A column of nearly as many words
    as cases, such as a name, and one without any value say nothing about new cases.
    """
    for name in categorical:
        if name not in columns:
            raise InputError("categorical", "must name features", Words(f"{name!r}{close_names(name, columns)}"))
    names, parts = [], []
    levels: dict[str, tuple[str, ...]] = {}
    left_out: dict[str, str] = {}
    for name, given in columns.items():
        array = as_array(given, name)
        if rows is not None:
            array = array[rows]
        if array.dtype.kind in "mM":
            reason = "it holds dates or times; turn them into numbers first"
        elif name in categorical or _is_words(array):
            known, values = _numbered(array, name)
            reason = _unfit(known, array.size) if name not in categorical else ""
            levels |= {} if reason else {name: known}
        else:
            values = np.asarray(score_column(array, name).values, dtype=np.float64)
            reason = "it has no values" if np.isnan(values).all() else ""
        if reason and asked:
            raise InputError("features", f"must be usable, and {name!r} is not", Words(reason), "leave it out")
        if reason:
            left_out[name] = reason
            continue
        if np.isinf(values).any():
            raise InputError(name, "must be finite", Words("inf"), "drop or correct those cases")
        names.append(name)
        parts.append(values)
    if not names:
        why = "; ".join(f"{name}: {reason}" for name, reason in left_out.items())
        raise InputError("features", "must leave at least one column", Words("none"), why)
    return FeatureTable(names=tuple(names), values=np.column_stack(parts), levels=levels, left_out=left_out)


def _is_words(array: Array) -> bool:
    return array.dtype.kind in "US" or (array.dtype.kind == "O" and any(isinstance(v, str | bytes) for v in array))


def _numbered(array: Array, name: str) -> tuple[tuple[str, ...], Floats]:
    column = label_column(array, name)
    gap: Bools = np.zeros(array.size, np.bool_) if column.missing is None else column.missing
    words = np.array([word_of(value) for value in column.values[~gap].tolist()], dtype=np.str_)
    blank = words == ""
    known, place = np.unique(words[~blank], return_inverse=True)
    numbers = np.full(words.size, np.nan)
    numbers[~blank] = place
    values = np.full(array.size, np.nan)
    values[~gap] = numbers
    return tuple(known.tolist()), values


def _unfit(known: Sequence[str], size: int) -> str:
    if not known:
        return "it has no values"
    if len(known) > max(_MANY, 2) or (len(known) > 10 and len(known) > size / 2):
        return f"it has {len(known)} different words; name it in categorical= if it is a feature all the same"
    return ""
