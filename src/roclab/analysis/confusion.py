"""How good are hard calls? The confusion matrix of predictions, or of a score at a threshold."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Unpack

from roclab.analysis.calls import refuse_negative
from roclab.analysis.rate_covariates import called_at
from roclab.analysis.support import data_of_follow_up, folding_of, prepared
from roclab.data.arrays import cases_from_arrays
from roclab.data.cases import Cases
from roclab.data.columns import label_column
from roclab.data.groups import has_both_classes
from roclab.data.labels import binary_labels, called_positive, one_class_allowed
from roclab.data.read import asked_label, read_cases
from roclab.data.remote import RemoteCases
from roclab.data.roles import columns_not_named
from roclab.data.table import reading_of, table_of
from roclab.data.verbs import verb
from roclab.decisions.confusion import ConfusionMatrix, confusion_at, confusion_of_calls
from roclab.errors import InputError, Words, named
from roclab.options.conventions import ConventionKeywords
from roclab.options.folds import FoldedKeywords
from roclab.options.follow_up import FollowUpKeywords, FollowUpOptions, is_survival

__all__ = ["confusion"]


class ConfusionKeywords(FollowUpKeywords, FoldedKeywords, ConventionKeywords, total=False):
    """The cases behind a matrix, and whose conventions it follows."""


@verb(ConfusionKeywords)
def confusion(
    y_true: Any,
    y_pred: Any = None,
    *,
    predicted: str | None = None,
    threshold: float | None = None,
    level: float | None = None,
    **asked: Unpack[ConfusionKeywords],
) -> ConfusionMatrix:
    """The confusion matrix of hard predictions, or of a score at a threshold, with its metrics.

    Parameters
    ----------
    y_true, y_pred : arrays, or a table
        Labels and predictions in the same words; or a data frame, mapping or file with ``label=`` and ``predicted=``,
        or with ``score=`` and ``threshold=``; or cases and a threshold.
    predicted : str, optional
        Column of the predictions.
    threshold : float, optional
        Makes calls of a score, which is then ``y_pred`` or the column ``score``.
    level : float, optional
        Of the intervals at a horizon (``time``, ``event``, ``at``), by default 0.95; elsewhere ``.with_intervals`` has
        it.

    Returns
    -------
    ConfusionMatrix
        ``.tp``, ``.fp``, ``.fn``, ``.tn``, ``.metrics()``, and ``.with_intervals()`` for the interval of each metric.
        At a horizon the four numbers are expected ones, and rates stand beside them with their intervals.

    Examples
    --------
    >>> import roclab as rl
    >>> matrix = rl.confusion([1, 1, 0, 0], [1, 0, 0, 0])
    >>> matrix.tp, matrix.fp, matrix.fn, matrix.tn
    (1, 0, 1, 2)
    >>> rl.confusion([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], threshold=0.5).fp
    1
    """
    if FollowUpOptions.of(asked).given or is_survival(y_true):
        return _at_horizon(y_true, y_pred, predicted, threshold, level, asked)  # type: ignore[no-any-return]
    if level is not None:
        raise InputError("level", "belongs to a horizon here", level, "ask the matrix: .with_intervals(level=…)")
    fold_average, data = folding_of(asked)
    if threshold is not None:
        if predicted is not None:
            raise InputError(
                "predicted",
                f"and {named('threshold')} are two ways to call cases",
                Words("both"),
                "leave one of them out",
            )
        with one_class_allowed():
            cases = prepared("confusion", read_cases(y_true, y_pred, **data), fold_average)
        if not isinstance(y_true, Cases) and not isinstance(cases, RemoteCases) and not has_both_classes(cases):
            called = called_at(cases, cases.only_name(), {cases.only_name(): threshold})
            found = confusion_of_calls(cases.label, called, weight=cases.weight, sample=cases.sample(),
                                       ids=cases.ids if cases.clustered else None)  # fmt: skip
            return replace(found, threshold=float(threshold))
        return _counted(cases, threshold) if isinstance(cases, RemoteCases) else confusion_at(cases.tally(), threshold)
    for name, given in (("score", data.get("score")), ("folds", data.get("folds")), ("fold_average", fold_average)):
        if given is not None:
            raise InputError(
                name,
                "has no meaning for predictions",
                Words("no threshold"),
                f"give {named('threshold')} or leave it out",
            )
    if data.get("direction", "higher") != "higher":
        raise InputError("direction", "has no meaning for predictions", way_out="leave it out")
    refuse_negative(data)
    truth, calls, weight, ids, names = _columns(y_true, y_pred, predicted, data)
    column = label_column(truth, names[0])
    known = column.values if column.missing is None else column.values[~column.missing]
    with one_class_allowed():
        labels = binary_labels(known, pos_label=data.get("pos_label"), name=names[0])
        cases = cases_from_arrays(
            truth,
            {names[1]: called_positive(calls, labels, name=names[1], truth=names[0])},
            pos_label=data.get("pos_label"),
            sample_weight=weight,
            ids=ids,
            weights=data.get("weights"),
            missing=data.get("missing", "error"),
            label_name=names[0],
        )
    called = cases.scores[names[1]].astype(bool)
    ids = cases.ids if cases.clustered else None
    return confusion_of_calls(cases.label, called, weight=cases.weight, sample=cases.sample(), ids=ids)


def _at_horizon(
    y_true: Any, y_pred: Any, predicted: str | None, threshold: float | None, level: float | None, asked: Any
) -> Any:
    """Expected numbers and rates of a score at a threshold and a horizon."""
    if predicted is not None:
        raise InputError("predicted", "has no part at a horizon yet", predicted, "give a score and threshold=")
    from roclab.analysis.follow_up.curves import confusion_over_time

    data = data_of_follow_up("confusion", {name: one for name, one in asked.items() if name != "conventions"})
    return confusion_over_time(y_true, y_pred, data, threshold=threshold, level=0.95 if level is None else level)


def _counted(cases: RemoteCases, threshold: float) -> ConfusionMatrix:
    """The matrix of cases that are counted where they lie: any threshold, exactly."""
    if math.isnan(threshold):
        raise InputError("threshold", "must be a number", Words("NaN"), "give a score or +inf to call nothing positive")
    sample = cases.sample()
    tp, fp = cases.counts_at(threshold)
    return ConfusionMatrix(
        tp=tp,
        fp=fp,
        fn=max(sample.n_pos - tp, 0),
        tn=max(sample.n_neg - fp, 0),
        threshold=float(threshold),
        sample=sample,
    )


def _columns(y_true: Any, y_pred: Any, predicted: str | None, data: Any) -> tuple[Any, Any, Any, Any, tuple[str, str]]:
    """Labels, predictions, weights and subjects, and what messages call the first two."""
    weight, ids = data.get("sample_weight"), data.get("ids")
    if y_pred is not None:
        return y_true, y_pred, weight, ids, ("y_true", "y_pred")
    reading = reading_of(data)
    table = table_of(y_true, **reading)
    label = data.get("label")
    if table is not None and predicted is not None and label is None:
        raise columns_not_named(["label"], table.called, table.names())
    if table is None or label is None or predicted is None:
        raise InputError(
            "",
            f"a matrix needs labels and predictions, or a table with {named('label')} and {named('predicted')}, or a "
            f"score with {named('threshold')}",
            Words("none of them"),
            "pass one of these",
        )
    others = [weight] if isinstance(weight, str) else []
    subject = [ids] if isinstance(ids, str) else []
    columns = table.columns(list(dict.fromkeys([label, predicted, *others, *subject])), numeric=others)
    data["pos_label"] = asked_label(table, label, columns[label], data.get("pos_label"))
    own = columns[weight] if others else weight
    return columns[label], columns[predicted], own, columns[ids] if subject else ids, (label, predicted)
