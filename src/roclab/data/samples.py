"""Two samples: the scores of the positive cases and those of the negative cases, each in a place of its own.

Data of two groups often come without a column of labels: a column for each class, side by side and of unequal length,
or a file for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Unpack

import numpy as np

from roclab._core.checks import check_choice, plural
from roclab._core.types import Array
from roclab.data.arrays import sample_arrays
from roclab.data.cases import Cases
from roclab.data.columns import as_array, label_column
from roclab.data.read import read_cases, read_columns
from roclab.data.roles import check_columns
from roclab.data.table import FileTable, refuse_reading, table_of
from roclab.data.verbs import reader
from roclab.errors import InputError, MissingValuesError, Words, named
from roclab.names import MISSING, Missing
from roclab.options.data import AskedDirection, ReadingKeywords

__all__ = ["read_samples"]

_CLASS = "class"  # of the table that both samples make together


@reader()
def read_samples(
    positives: Any,
    negatives: Any = None,
    *,
    columns: Sequence[str] | None = None,
    score: str | Sequence[str] | None = None,
    direction: AskedDirection = "higher",
    missing: Missing = "error",
    **reading: Unpack[ReadingKeywords],
) -> Cases:
    """Cases from two samples, the scores of the positives and those of the negatives, for every verb.

    - ``read_samples(ill, well)``: two arrays of one score.
    - ``read_samples(table, columns=("ill", "well"))``: two columns of a table, first that of the positives. The shorter
      one may end in empty cells, which are no cases; empty cells before its last value are missing values.
    - ``read_samples("ill.csv", "well.csv", score="marker")``: two tables or files, one for each class, with the same
      columns of scores.

    Parameters
    ----------
    positives, negatives : see above
    columns : two str, optional
        Columns with the scores of the positives and of the negatives.
    score : str or sequence of str, optional
        Columns of both tables.
    direction, missing : as in :func:`read_cases`

    Examples
    --------
    >>> import roclab as rl
    >>> round(rl.auc(rl.read_samples([3, 4, 5], [1, 2, 3])).area, 4)
    0.9444
    >>> table = {"ill": [3, 4, 5, None], "well": [1, 2, 3, 2]}
    >>> rl.read_samples(table, columns=("ill", "well")).sample().describe()
    '3 positive (ill), 4 negative (well); a higher score means positive'
    """
    check_choice(missing, "missing", MISSING)
    if columns is not None:
        if negatives is not None or score is not None:
            name = "negatives" if negatives is not None else "score"
            raise InputError(name, f"has no part beside {named('columns')}, which name both samples", Words("both"),
                             "leave one of them out")  # fmt: skip
        return _of_columns(positives, list(columns), direction, missing, reading)
    if negatives is None:
        raise InputError(
            "negatives", "must be given", Words("none"), f"or name two columns with {named('columns', ('ill', 'well'))}"
        )
    if score is None:
        refuse_reading(reading)
        if missing != "error":
            raise InputError("missing", "has no part in two arrays, which have no gaps", missing, "leave it out")
        samples = sample_arrays(positives, negatives)
        return _joined({"score": samples}, ("positive", "negative"), direction, 0)
    names = [score] if isinstance(score, str) else list(score)
    tables = [read_columns(one, names, numeric=names, missing=missing, **reading) for one in (positives, negatives)]
    both = {name: (np.asarray(tables[0][name]), np.asarray(tables[1][name])) for name in names}
    dropped = sum(table.dropped for table in tables)
    return _joined(both, _called(positives, negatives), direction, dropped)


def _of_columns(table: Any, names: list[str], direction: Any, missing: Missing, reading: Any) -> Cases:
    if len(names) != 2 or names[0] == names[1]:
        raise InputError("columns", "must be two columns, first that of the positives", Words(", ".join(names)))
    source = table_of(table, **reading)
    if source is None:
        raise InputError("columns", "name columns of a table", Words(type(table).__name__), "pass a table or a file")
    check_columns(names, source.names(), source.called)
    samples, dropped = [], 0
    read = source.columns(names, numeric=names)
    for name in names:
        values = as_array(read[name], name)
        gaps = label_column(values, name).missing
        if gaps is not None:
            last = np.flatnonzero(~gaps)
            values, gaps = values[: last[-1] + 1 if last.size else 0], gaps[: last[-1] + 1 if last.size else 0]
            if gaps.any() and missing == "error":
                raise MissingValuesError(
                    name, "must not be missing before its last score", Words(plural(int(gaps.sum()), "gap")),
                    f"write {named('missing', 'drop')} to leave those cases out",
                )  # fmt: skip
            values, dropped = values[~gaps], dropped + int(gaps.sum())
        samples.append(values)
    return _joined({"score": sample_arrays(*samples)}, (names[0], names[1]), direction, dropped)


def _joined(samples: dict[str, tuple[Array, Array]], called: tuple[str, str], direction: Any, dropped: int) -> Cases:
    """One table of both samples with the class of every case, read like any other."""
    first = next(iter(samples.values()))
    label = np.repeat(np.array(called, dtype=object), [one.size for one in first])
    table = {name: np.concatenate(both) for name, both in samples.items()}
    title = _CLASS
    while title in table:
        title += "_"
    cases = read_cases({title: label, **table}, label=title, score=list(table), pos_label=called[0],
                       direction=direction)  # fmt: skip
    return replace(cases, dropped=dropped)


def _called(positives: Any, negatives: Any) -> tuple[str, str]:
    """Names of the classes: of two files theirs, without folder and ending."""
    words = []
    for one in (positives, negatives):
        source = one if isinstance(one, FileTable) else table_of(one)
        path = getattr(source, "path", None) if source is not None else None
        words.append("" if path is None else str(path).replace("\\", "/").rpartition("/")[2].partition(".")[0])
    return (words[0], words[1]) if all(words) and words[0] != words[1] else ("positive", "negative")
