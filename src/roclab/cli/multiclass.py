"""``roclab multiclass``: more than two classes, or several labels per case."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from roclab.cli.data import Data
from roclab.cli.options import (
    Command,
    Draws,
    file_argument,
    labels_option,
    level_option,
    option,
    output_options,
    resampling_options,
    table_options,
)
from roclab.cli.output import Output
from roclab.cli.parsing import names_of, refuse
from roclab.cli.wording import saying
from roclab.errors import InputError, Words
from roclab.names import ALTERNATIVES, CLASS_AVERAGES

if TYPE_CHECKING:
    from roclab.many_classes.result import MulticlassAreas

# What the library calls y_true and labels has other names here.
_WORDS = {
    "y_true": "--label",
    "labels": "--classes",
    "scores": "--score",
    "y_pred": "--confusion",
}


@click.command(cls=Command)
@file_argument()
@labels_option
@table_options
@option("--classes", metavar="A,B,C", help="Classes in the order of the scores (default: by their names, else sorted).")
@option("--multilabel", is_flag=True, help="A case may have several labels: one --label of 0 and 1 per --score.")
@option("--confusion", metavar="COLUMN", help="The matrix of these predicted classes, instead of scores.")
@option("--against", metavar="COLUMN", multiple=True, help="Score of a second model; repeatable, one per --score.")
@option("--average", type=click.Choice(CLASS_AVERAGES), help="Which average --against compares (default macro).")
@option("--alternative", type=click.Choice(ALTERNATIVES), help="With --against: alternative (default two-sided).")
@option("--names", metavar="A,B", help="With --against: what to call the models (default first,second).")
@level_option
@option("--bootstrap", is_flag=True, heading="Uncertainty", help="Intervals of averages by the bootstrap.")
@resampling_options
@output_options
def multiclass(
    file: str,
    labels: tuple[str, ...],
    data: Data,
    classes: str | None,
    multilabel: bool,
    confusion: str | None,
    against: tuple[str, ...],
    average: Any,
    alternative: Any,
    names: str | None,
    level: float,
    bootstrap: bool,
    draws: Draws,
    output: Output,
) -> None:
    r"""How well are many classes told apart? Areas, averages and calls.

    FILE holds one case per row: its class, and one score per class, best a probability. Shown are each class against
    the rest, each pair of classes, and their averages.

    \b
    Examples, on the wines that come with roclab:
      roclab multiclass wines --label grape --score barbera --score barolo --score gamay
      roclab multiclass wines --label grape --classes barbera,barolo,gamay \
          --score net_1 --score net_2 --score net_3 --bootstrap --replicates 200 --seed 1
      roclab multiclass wines --label grape --score barbera --score barolo --score gamay \
          --against net_1 --against net_2 --against net_3 --average hand_till --names taster,net
      roclab multiclass wines --label grape --confusion called
      roclab multiclass wines --multilabel --label oak --label fruit \
          --score p_oak --score p_fruit --json
    """
    output.spare(file)
    _check_question(confusion=confusion, against=against, multilabel=multilabel, data=data, bootstrap=bootstrap)
    if not against:
        refuse("two models are compared with --against", {"--average": average, "--alternative": alternative})
        refuse("two models are named with --against", {"--names": names})
    if draws.scheme != "stratified":
        raise InputError("", "classes are resampled one by one", Words(f"--scheme {draws.scheme}"), "leave it out")
    order = None if classes is None else names_of(classes, "--classes")
    if multilabel:
        _show_labels(file, labels, data, order, level, output)
        return
    if len(labels) > 1:
        raise InputError(
            "--label",
            "must name one column",
            Words(f"{' and '.join(labels)}"),
            "add --multilabel if a case may have several",
        )
    if confusion is not None:
        _show_confusion(file, labels, data, order, confusion, output)
        return
    data.named(file, label=labels, score=data.score)
    if against and len(against) != len(data.score):
        raise InputError(
            "--against",
            "must name one column per --score",
            Words(f"{len(against)} for {len(data.score)}"),
            "give both models the same classes in the same order",
        )
    columns, dropped = _read(file, data, labels, (*data.score, *against))
    truth = columns[labels[0]]
    order = _order(truth, data.score) if order is None else order
    with saying(_WORDS), draws.shown() as resampling:
        asked: dict[str, Any] = {
            "labels": order,
            "level": level,
            "resampling": resampling if bootstrap else None,
            "rng": draws.seed,
        }
        from roclab.analysis import compare_multiclass
        from roclab.analysis import multiclass as areas_of

        tables = [_table(columns, names) for names in (data.score, against) if names]
        found = [areas_of(truth, table, **asked) for table in tables]
        if not against:
            output.show(found[0], _notes(found[0], data.score, dropped))
            return
        called = _two_names(names)
        which = average or "macro"
        if which == "micro":  # only the bootstrap compares it
            asked["resampling"] = resampling
        difference = compare_multiclass(
            truth, tables[0], tables[1], average=which, names=called, alternative=alternative or "two-sided", **asked
        )
    areas = [f"{name}: {_words(one, which)}" for name, one in zip(called, found, strict=True)]
    output.show(difference, [f"{which} average of each model", *areas, difference.interval.method, *_dropped(dropped)])


def _check_question(
    *, confusion: str | None, against: tuple[str, ...], multilabel: bool, data: Data, bootstrap: bool
) -> None:
    if confusion is not None:
        given = {"--score": data.score, "--against": against, "--multilabel": multilabel, "--bootstrap": bootstrap}
        refuse("--confusion counts predicted classes", given)
    if multilabel:
        refuse("--multilabel has intervals by closed formulas only", {"--bootstrap": bootstrap})
        refuse("--multilabel shows the areas of one model", {"--against": against})


def _read(file: str, data: Data, words: tuple[str, ...], numbers: tuple[str, ...]) -> tuple[dict[str, Any], int]:
    for column in words:
        if column in numbers:
            raise InputError("", "a class and a score must be different columns", Words(f"{column!r} for both"))
    wanted = dict.fromkeys((*words, *numbers))
    return data.complete(data.columns(file, *wanted, numeric=numbers))


def _table(columns: dict[str, Any], names: tuple[str, ...]) -> Any:
    import numpy as np

    return np.column_stack([columns[name] for name in names])


def _order(truth: Any, scores: tuple[str, ...]) -> list[str] | None:
    """The names of the scores, where those are the classes themselves."""
    import numpy as np

    from roclab.data.labels import word_of

    classes = {word_of(value) for value in np.unique(truth).tolist()}
    return list(scores) if classes == set(scores) else None


def _show_labels(
    file: str, labels: tuple[str, ...], data: Data, order: list[str] | None, level: float, output: Output
) -> None:
    from roclab.many_classes.labels import multilabel_areas

    refuse("--multilabel names its labels by their columns", {"--classes": order})
    data.named(file, label=labels, score=data.score)
    if len(labels) != len(data.score):
        raise InputError(
            "--multilabel",
            "needs one --score per --label",
            Words(f"{len(data.score)} for {len(labels)}"),
            "name them in the same order",
        )
    columns, dropped = _read(file, data, labels, data.score)
    with saying(_WORDS):
        found = multilabel_areas(_table(columns, labels), _table(columns, data.score), labels=labels, level=level)
    output.show(found, _notes(found, data.score, dropped))


def _show_confusion(
    file: str, labels: tuple[str, ...], data: Data, order: list[str] | None, predicted: str, output: Output
) -> None:
    from roclab.many_classes.confusion import multiclass_confusion

    data.named(file, label=labels)
    columns, dropped = _read(file, data, (labels[0], predicted), ())
    with saying(_WORDS):
        matrix = multiclass_confusion(columns[labels[0]], columns[predicted], labels=order)
    output.show(matrix, _dropped(dropped))


def _two_names(text: str | None) -> tuple[str, str]:
    names = ["first", "second"] if text is None else names_of(text, "--names")
    if len(names) != 2 or len(set(names)) != 2:
        raise InputError("--names", "must be two different names", text, "for instance old,new")
    return names[0], names[1]


def _notes(found: MulticlassAreas, scores: tuple[str, ...], dropped: int) -> list[str]:
    """Which column was taken for which class."""
    pairs = [f"{score} scores {name}" for name, score in zip(found.classes, scores, strict=True) if name != score]
    return [*(["columns: " + ", ".join(pairs)] if pairs else []), *_dropped(dropped)]


def _dropped(count: int) -> list[str]:
    return [f"{count} dropped for missing values"] if count else []


def _words(found: MulticlassAreas, average: str) -> str:
    one = found.averages[average]
    return f"{one.area:.4f}, {100 * found.level:g}% interval {one.interval}"
