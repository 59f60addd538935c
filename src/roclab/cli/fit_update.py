"""``roclab fit update``: a prediction model among new cases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.data import table_of_file
from roclab.cli.shared.options import data_options, level_option, output_options, seed_option, typed
from roclab.cli.shared.parsing import refuse
from roclab.cli.shared.wording import saying
from roclab.errors import InputError, Words

if TYPE_CHECKING:
    from roclab.cli.shared.data import Data
    from roclab.cli.shared.output import Output


@click.command(cls=Command)
@file_argument()
@data_options
@option("--column", metavar="COLUMN", multiple=True, help="Column of the model, to refit; repeatable.")
@option("--repeats", type=click.IntRange(min=1), metavar="N", help="Of ten folds that judge updates (default 5).")
@option("--apply", metavar="FILE", help="Updated risks of the cases of another file; its columns as here.")
@seed_option
@level_option
@output_options
def update(
    file: str,
    data: Data,
    column: tuple[str, ...],
    repeats: int | None,
    apply: str | None,
    seed: int,
    level: float,
    output: Output,
) -> None:
    r"""Does a model from elsewhere need an update here, and which?

    --score names the risks that the model predicts. They are kept as they are, moved (intercept), moved and stretched
    (slope), or the model is fitted anew to its columns; each is judged on cases that did not make it, and a closed test
    chooses. With --fold every fold, such as a hospital, is judged by the updates of the others.

    \b
    Examples:
      roclab fit update wines --label grape --positive barolo --score barolo
      roclab fit update wines --label grape --positive barolo --score barolo \
          --column oak --column fruit
      roclab fit update wines --label grape --positive barolo --score barolo --fold called
      roclab fit update wines --label grape --positive barolo --score barolo --apply wines --csv
    """
    import roclab as rl

    output.spare(file)
    if data.by:
        refuse("--by updates the model in every group", {"--apply": apply})
    if len(data.score) != 1:
        raise InputError("--score", "must name the one column of predicted risks",
                         Words(" and ".join(data.score) or "none"), "write --score risk")  # fmt: skip
    with saying({"predictors": "--column", "repeats": "--repeats", "rng": "--seed"}):
        drawn: dict[str, Any] = {} if data.folds and not typed("seed") else {"rng": seed}
        found = rl.update_model(
            table_of_file(file),
            **data.keywords(),
            **drawn,
            predictors=list(column) or None,
            repeats=repeats,
            level=level,
        )
    if apply is None:
        output.show(found)
        return
    (name,) = data.score
    refitted = found.chosen == "refitted"
    names = list(found.columns) if refitted else [name]
    columns = rl.read_columns(table_of_file(apply), names, numeric=names, **data.reading(missing=True))
    new = found.apply(predictors={one: columns[one] for one in names}) if refitted else found.apply(columns[name])
    first = names[0]
    output.show(rl.results.CurvePoints(x=columns[first], y=new, thresholds=None, x_name=first, y_name="updated"),
                [f"updated by: {found.chosen}"])  # fmt: skip
