"""How well are many classes told apart? Areas of classes and pairs, their averages, labels and calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Unpack

import numpy as np

from roclab._core.checks import check_choice
from roclab.averaging.vertical import mean_curve
from roclab.curves.roc import RocCurve, roc_curve
from roclab.data.classes import ClassScores
from roclab.data.columns import is_frame
from roclab.data.read import Columns, read_classes, read_columns
from roclab.data.roles import columns_not_named
from roclab.data.table import FrameTable, named_table, refuse_reading
from roclab.data.tally import Tally
from roclab.data.verbs import reader
from roclab.errors import InputError, Words, named
from roclab.inference.comparison.compare import Comparison, with_adjusted
from roclab.many_classes.averages import compare_models, multiclass_areas
from roclab.many_classes.confusion import MulticlassConfusion, confusion_of_classes
from roclab.many_classes.labels import multilabel_areas
from roclab.many_classes.one_score import areas_of_one_score
from roclab.many_classes.result import MulticlassAreas
from roclab.names import CLASS_AVERAGES, Adjustment, Alternative, ClassAverage, Missing
from roclab.options.data import ReadingKeywords
from roclab.options.uncertainty import Resampling

__all__ = [
    "average_curves",
    "class_curves",
    "compare_multiclass",
    "multiclass",
    "multiclass_confusion",
    "multilabel",
]


@reader(classes="labels")
def multiclass(
    y_true: Any,
    scores: Any = None,
    *,
    label: str | None = None,
    score: str | Sequence[str] | None = None,
    labels: Sequence[Any] | None = None,
    sample_weight: Any = None,
    missing: Missing = "error",
    level: float = 0.95,
    resampling: Resampling | int | None = None,
    rng: Any = None,
    **reading: Unpack[ReadingKeywords],
) -> MulticlassAreas:
    """Areas of a multi-class score: every class against the rest, every pair of classes, and their averages.

    Parameters
    ----------
    y_true, scores : labels and an n x k table, or a table
        Class of every case, and one column per class: probabilities, or scores that are comparable between classes. Or
        a data frame, mapping or file with ``label=`` and one column per class as ``score=[…]``. One score alone (a
        vector, or one column) is judged over all pairs of classes in their order: a later class should score higher;
        of three classes with ``labels`` also by the volume under the ROC surface.
    labels : sequence, optional
        Classes in the order of the columns. Without it columns go by their names where those are the classes, else by
        the sorted labels, as scikit-learn's ``classes_``.
    sample_weight : sequence or name of a column, optional
        Importance of every case, at least 0: in areas, shares of classes, losses and their intervals.
    missing : as in :func:`roclab.read_cases`
    level : float
        Confidence level.
    resampling, rng : optional
        Bootstrap intervals of the averages instead of closed-form ones, and their seed.

    Returns
    -------
    MulticlassAreas
        ``.classes`` (each against the rest), ``.pairs`` and ``.averages``: "macro", "weighted" (Provost and Domingos),
        "micro", "hand_till" and "pairs_weighted"; of one score ``.volume``, under the ROC surface of three classes in
        the order of ``labels``; of probabilities ``.losses``: "log loss" and "Brier", summed over the classes, with
        their intervals.

    References
    ----------
    Hand DJ, Till RJ. Machine Learning 2001;45:171-186. doi:10.1023/A:1010920819831
    Nakas CT, Yiannoutsos CT. Stat Med 2004;23:3437-3449. doi:10.1002/sim.1917

    Examples
    --------
    >>> import roclab as rl
    >>> p = [[0.8, 0.1, 0.1], [0.3, 0.4, 0.3], [0.1, 0.6, 0.3], [0.5, 0.3, 0.2], [0.1, 0.2, 0.7], [0.2, 0.5, 0.3]]
    >>> result = rl.multiclass(["a", "a", "b", "b", "c", "c"], p)
    >>> round(result.averages["hand_till"].area, 4), round(result.classes["a"].area, 4)
    (0.8333, 0.875)

    A marker and three grades, in the order that is said: 1/6 would be chance.

    >>> grade = ["none", "none", "mild", "mild", "mild", "severe", "severe", "severe"]
    >>> found = rl.multiclass(grade, [1, 3, 2, 4, 6, 5, 7, 8], labels=["none", "mild", "severe"])
    >>> round(found.volume.area, 4)
    0.7222
    """
    one = _one_score(y_true, scores, label, score, missing, reading)
    if one is not None:
        if resampling is not None:
            raise InputError(
                "resampling", "has no part for one score, whose interval has a formula", way_out="leave it out"
            )
        if sample_weight is not None:
            raise InputError(
                "sample_weight", "has no part for one score, whose pairs count every case once",
                way_out="leave it out, or give one column per class",
            )  # fmt: skip
        found_label, found_score = one.values
        return areas_of_one_score(
            one[found_label], one[found_score], labels=labels, level=level, label_name=found_label, dropped=one.dropped
        )
    classes = read_classes(
        y_true, scores, label=label, score=score, labels=labels, sample_weight=sample_weight, missing=missing, **reading
    )
    return replace(multiclass_areas(classes, level=level, resampling=resampling, rng=rng), _source=classes)


def _one_score(
    y_true: Any, scores: Any, label: str | None, score: Any, missing: Missing, reading: Mapping[str, Any]
) -> Columns | None:
    """Labels and the values of a single score, in this order, or None where there is a column per class."""
    if scores is not None:
        if isinstance(scores, Mapping) or is_frame(scores) or np.ndim(scores) != 1:
            return None
        refuse_reading(reading)
        return read_columns({"y_true": y_true, "score": scores}, numeric=["score"], missing=missing)
    name = score if isinstance(score, str) else score[0] if score is not None and len(score) == 1 else None
    if label is None or name is None:
        return None
    return read_columns(y_true, [label, name], numeric=[name], missing=missing, **reading)


@reader(classes="labels")
def compare_multiclass(
    y_true: Any,
    models: Mapping[str, Any],
    *,
    label: str | None = None,
    labels: Sequence[Any] | None = None,
    average: ClassAverage = "macro",
    missing: Missing = "error",
    level: float = 0.95,
    adjust: Adjustment = "holm",
    alternative: Alternative = "two-sided",
    resampling: Resampling | int | None = None,
    rng: Any = None,
    **reading: Unpack[ReadingKeywords],
) -> Comparison:
    """Compare multi-class models on the same cases by one of their averages.

    Parameters
    ----------
    y_true, models : labels and a mapping of names to n x k tables; or a table and names of columns
        With ``label`` the first argument is a data frame, mapping or file, and each model a list of its columns, one
        per class.
    average : str
        "macro" (default), "weighted", "hand_till", "pairs_weighted", or "micro", which only the bootstrap compares.
    labels, missing, level, resampling, rng : as in :func:`multiclass`
    adjust, alternative : as in :func:`compare`

    Examples
    --------
    >>> import roclab as rl
    >>> p = [[0.8, 0.1, 0.1], [0.3, 0.4, 0.3], [0.1, 0.6, 0.3], [0.5, 0.3, 0.2], [0.1, 0.2, 0.7], [0.2, 0.5, 0.3]]
    >>> q = [[0.6, 0.2, 0.2], [0.4, 0.3, 0.3], [0.3, 0.4, 0.3], [0.2, 0.5, 0.3], [0.3, 0.4, 0.3], [0.2, 0.2, 0.6]]
    >>> found = rl.compare_multiclass(["a", "a", "b", "b", "c", "c"], {"p": p, "q": q})
    >>> (found.pairs[0].first, found.pairs[0].second), round(found.pairs[0].difference, 4)
    (('p', 'q'), -0.0833)
    """
    check_choice(average, "average", CLASS_AVERAGES)
    if not isinstance(models, Mapping) or len(models) < 2:
        raise InputError(
            "models", "must map two or more names to tables of scores", Words(type(models).__name__),
            f"write {named('models', {'old': 'p', 'new': 'q'})} with your tables",
        )  # fmt: skip
    tables: dict[str, ClassScores] = {}
    if label is None:
        for name, one in models.items():
            tables[str(name)] = read_classes(y_true, one, labels=labels, missing=missing, **reading)
    else:
        tables = _models_of_table(y_true, models, label, labels, missing, reading)
    pairs = []
    names = list(tables)
    drawn = resampling if average != "micro" or resampling is not None else Resampling()
    for at, first in enumerate(names):
        for second in names[at + 1 :]:
            pairs.append(
                compare_models(
                    tables[first], tables[second], names=(first, second), average=average, level=level,
                    alternative=alternative, resampling=drawn, rng=rng,
                )
            )  # fmt: skip
    single = {name: multiclass_areas(one, level=level).averages[average] for name, one in tables.items()}
    dropped = next(iter(tables.values())).dropped
    return Comparison(
        quantity=f"{average} average",
        areas=(),
        covariance=None,
        pairs=with_adjusted(pairs, adjust),
        equality=None,
        pairing="paired",
        method=pairs[0].interval.method,
        adjustment=adjust,
        level=level,
        notes=(
            f"{average} average of each model",
            *(f"{name}: {one.area:.4f}, {100 * level:g}% interval {one.interval}" for name, one in single.items()),
            *([f"{dropped} dropped for missing values"] if dropped else []),
        ),
    )


def _models_of_table(
    data: Any, models: Mapping[str, Any], label: str, labels: Any, missing: Missing, reading: Mapping[str, Any]
) -> dict[str, ClassScores]:
    """Models whose scores are columns of one table; a case that lacks a value in one of them is left out of all."""
    columns = {str(name): list(one) for name, one in models.items()}
    sizes = {name: len(one) for name, one in columns.items()}
    if len(set(sizes.values())) > 1:
        words = ", ".join(f"{size} for {name}" for name, size in sizes.items())
        raise InputError(
            "models", "must name one column per class each", Words(words),
            "give all models the same classes in the same order",
        )  # fmt: skip
    every = list(dict.fromkeys(column for one in columns.values() for column in one))
    found = read_columns(data, [label, *every], numeric=every, missing=missing, **reading)
    first = next(iter(columns.values()))
    out: dict[str, ClassScores] = {}
    order = labels
    for name, own in columns.items():
        table = {column: found[column] for column in own}
        one = read_classes({label: found[label], **table}, label=label, score=own, labels=order)
        order = order or (one.classes if own is first else None)
        out[name] = ClassScores(
            classes=one.classes, actual=one.actual, scores=one.scores, dropped=found.dropped, columns=one.columns
        )
    return out


@reader(labels="names")
def multilabel(
    y_true: Any,
    scores: Any = None,
    *,
    label: Sequence[str] | None = None,
    score: Sequence[str] | None = None,
    names: Sequence[str] | None = None,
    missing: Missing = "error",
    level: float = 0.95,
    **reading: Unpack[ReadingKeywords],
) -> MulticlassAreas:
    """Areas where a case may have several labels: every label, and their macro, weighted and micro averages.

    Parameters
    ----------
    y_true, scores : two n x k tables, or a table
        0 and 1 for every label, and one score each; or a data frame, mapping or file with one column of 0 and 1 per
        label as ``label=[…]`` and one score each as ``score=[…]``, in the same order.
    names : sequence of str, optional
        What to call the labels; those of a data frame are called as its columns are.

    Examples
    --------
    >>> import roclab as rl
    >>> truth, scores = [[1, 0], [1, 1], [0, 1], [0, 0]], [[0.9, 0.2], [0.7, 0.6], [0.4, 0.9], [0.1, 0.3]]
    >>> found = rl.multilabel(truth, scores, names=["oak", "fruit"])
    >>> found.classes["oak"].area, found.averages["macro"].area
    (1.0, 1.0)
    """
    if label is None:
        refuse_reading(reading)
        if names is None and is_frame(y_true):
            names = FrameTable(y_true).names()
        return multilabel_areas(y_true, scores, labels=names, level=level)
    wanted, columns = list(label), list(score or ())
    if len(wanted) != len(columns):
        raise InputError(
            "score", "must name one column per label", Words(f"{len(columns)} for {len(wanted)}"),
            "name them in the same order",
        )  # fmt: skip
    found = read_columns(y_true, [*wanted, *columns], numeric=columns, missing=missing, **reading)
    return multilabel_areas(
        _stacked(found, wanted),
        _stacked(found, columns),
        labels=names or wanted,
        columns=columns,
        level=level,
        dropped=found.dropped,
    )


def _stacked(found: Any, names: Sequence[str]) -> Any:
    import numpy as np

    return np.column_stack([found[name] for name in names])


@reader(classes="labels")
def multiclass_confusion(
    y_true: Any,
    y_pred: Any = None,
    *,
    label: str | None = None,
    predicted: str | None = None,
    labels: Sequence[Any] | None = None,
    sample_weight: Any = None,
    missing: Missing = "error",
    **reading: Unpack[ReadingKeywords],
) -> MulticlassConfusion:
    """The n x n confusion matrix of predicted classes, with accuracy, kappas, MCC and averages.

    ``y_true`` and ``y_pred`` are sequences of classes; or a data frame, mapping or file with ``label=`` and
    ``predicted=``. ``labels`` gives the order of the classes, on which weighted kappas (linear and quadratic) rest;
    ``sample_weight``, a sequence or the name of a column, how much every case counts.

    >>> import roclab as rl
    >>> rl.multiclass_confusion(["a", "b", "c", "a"], ["a", "b", "a", "a"]).metrics()["accuracy"]
    0.75
    """
    if y_pred is not None:
        refuse_reading(reading)
        return confusion_of_classes(y_true, y_pred, labels=labels, sample_weight=sample_weight)
    if label is None or predicted is None:
        lacking = [name for name, given in (("label", label), ("predicted", predicted)) if given is None]
        raise columns_not_named(lacking, *named_table(y_true, **reading))
    by_name = [sample_weight] if isinstance(sample_weight, str) else []
    wanted = list(dict.fromkeys([label, predicted, *by_name]))
    columns = read_columns(y_true, wanted, numeric=by_name, missing=missing, **reading)
    if sample_weight is not None and not by_name and columns.dropped:
        raise InputError(
            "sample_weight", "must be a column of the table where cases are dropped", Words("a sequence"),
            "name the column",
        )  # fmt: skip
    weight = columns[sample_weight] if by_name else sample_weight
    matrix = confusion_of_classes(columns[label], columns[predicted], labels=labels, sample_weight=weight)
    return replace(matrix, dropped=columns.dropped)


def class_curves(data: ClassScores) -> dict[str, RocCurve]:
    """The curve of every class against the rest, by the name of the class."""
    return {
        name: roc_curve(Tally.from_labels(data.actual == at, data.scores[:, at]))
        for at, name in enumerate(data.classes)
    }


def average_curves(data: ClassScores) -> dict[str, RocCurve]:
    """The micro average, one curve of all entries together, and the macro average, the mean of the classes' curves.

    The macro curve is the mean height at every false positive rate that some class has, so that its area is the mean of
    the areas exactly; O(k n log n) for n cases and k classes.
    """
    truth = data.actual[:, None] == np.arange(len(data.classes))
    singles = list(class_curves(data).values())
    return {
        "micro": roc_curve(Tally.from_labels(truth.ravel(), data.scores.ravel())),
        "macro": mean_curve(singles),
    }
