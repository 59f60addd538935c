"""``roclab multiclass``: more than two classes, or several labels per case."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.data import Data, table_of_file
from roclab.cli.shared.options import (
    Draws,
    labels_option,
    level_option,
    output_options,
    resampling_options,
    table_options,
)
from roclab.cli.shared.parsing import names_of, refuse
from roclab.errors import InputError, Words
from roclab.names import ALTERNATIVES, CLASS_AVERAGES

if TYPE_CHECKING:
    from roclab.cli.shared.output import Output


@click.command(cls=Command)
@file_argument()
@labels_option
@table_options
@option("--classes", metavar="A,B,C", help="Classes in the order of the scores (default: by their names, else sorted).")
@option("--weight", metavar="COLUMN", help="Importance of every case, in areas, losses and the matrix of --confusion.")
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
    weight: str | None,
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
    the rest, each pair of classes, and their averages. One --score alone is judged over all pairs of classes in the
    order of --classes, of three classes also by the volume under the ROC surface.

    \b
    Examples, on the wines that come with roclab:
      roclab multiclass wines --label grape --score barbera --score barolo --score gamay
      roclab multiclass wines --label grape --classes barbera,barolo,gamay \
          --score net_1 --score net_2 --score net_3 --bootstrap --replicates 200 --seed 1
      roclab multiclass wines --label grape --score barbera --score barolo --score gamay \
          --against net_1 --against net_2 --against net_3 --average hand_till --names taster,net
      roclab multiclass wines --label grape --score barolo --classes gamay,barbera,barolo
      roclab multiclass wines --label grape --confusion called
      roclab multiclass wines --multilabel --label oak --label fruit \
          --score p_oak --score p_fruit --json
    """
    import roclab as rl

    output.spare(file)
    if confusion is not None:
        given = {"--score": data.score, "--against": against, "--multilabel": multilabel, "--bootstrap": bootstrap}
        refuse("--confusion counts predicted classes", given)
    if multilabel:
        refuse("--multilabel has intervals by closed formulas only", {"--bootstrap": bootstrap})
        refuse("--multilabel shows the areas of one model", {"--against": against})
        refuse("--multilabel names its labels by their columns", {"--classes": classes})
        refuse("--multilabel counts every case once", {"--weight": weight})
    if against:
        refuse("--against counts every case once", {"--weight": weight})
    if not against:
        refuse("two models are compared with --against", {"--average": average, "--alternative": alternative})
        refuse("two models are named with --against", {"--names": names})
    if draws.scheme != "stratified":
        raise InputError("--scheme", "has no part here: classes are resampled one by one", Words(draws.scheme),
                         "leave it out")  # fmt: skip
    order = None if classes is None else names_of(classes, "--classes")
    reading = data.reading(missing=True)
    table = table_of_file(file)
    if not multilabel and len(labels) > 1:
        raise InputError(
            "--label",
            "must name one column",
            Words(" and ".join(labels)),
            "add --multilabel if a case may have several",
        )
    one_label = labels[0] if labels else None
    with draws.shown() as resampling:
        if multilabel:
            output.show(rl.multilabel(table, label=labels, score=data.score, level=level, **reading))
        elif confusion is not None:
            matrix = rl.multiclass_confusion(
                table, label=one_label, predicted=confusion, labels=order, sample_weight=weight, **reading
            )
            output.show(matrix)
        elif against:
            called = _two_names(names)
            output.show(
                rl.compare_multiclass(
                    table,
                    dict(zip(called, (data.score, against), strict=True)),
                    label=one_label,
                    labels=order,
                    average=average or "macro",
                    alternative=alternative or "two-sided",
                    level=level,
                    resampling=resampling if bootstrap or average == "micro" else None,
                    rng=draws.seed,
                    **reading,
                )
            )
        else:
            drawn: dict[str, Any] = {"resampling": resampling if bootstrap else None, "rng": draws.seed}
            score = data.score or None
            output.show(
                rl.multiclass(
                    table,
                    label=one_label,
                    score=score,
                    labels=order,
                    sample_weight=weight,
                    level=level,
                    **drawn,
                    **reading,
                )
            )


def _two_names(text: str | None) -> tuple[str, str]:
    names = ["first", "second"] if text is None else names_of(text, "--names")
    if len(names) != 2 or len(set(names)) != 2:
        raise InputError("--names", "must be two different names", text, "for instance old,new")
    return names[0], names[1]
