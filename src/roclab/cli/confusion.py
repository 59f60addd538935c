"""``roclab confusion``: the confusion matrix at a threshold or of hard predictions, and its metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from roclab.cli.shared.data import Data, table_of_file
from roclab.cli.shared.groups import of_each
from roclab.cli.shared.options import (
    Command,
    ci_option,
    data_options,
    file_argument,
    level_option,
    option,
    output_options,
)
from roclab.errors import InputError, Words
from roclab.names import PROPORTION_INTERVALS

if TYPE_CHECKING:
    from roclab.cli.shared.output import Output


@click.command(cls=Command)
@file_argument()
@data_options
@option("--threshold", type=float, metavar="T", help="Call a case positive when its score reaches T.")
@option("--predicted", metavar="COLUMN", help="Column with hard predictions, instead of a score and a threshold.")
@option("--prevalence", type=float, metavar="SHARE", help="Add the predictive values at this prevalence.")
@option("--beta", type=float, metavar="B", help="Add the F-measure in which recall weighs B times as much.")
@level_option
@ci_option(PROPORTION_INTERVALS, default="wilson", help="Kind of interval of proportions", also=["--proportion"])
@output_options
def confusion(
    file: str,
    data: Data,
    threshold: float | None,
    predicted: str | None,
    prevalence: float | None,
    beta: float | None,
    level: float,
    ci: Any,
    output: Output,
) -> None:
    r"""How good are the calls at one threshold? The matrix and its metrics.

    FILE holds one case per row; "-" is standard input, "example" the data set that comes with roclab.

    \b
    Examples:
      roclab confusion example --label outcome --positive deteriorated \
          --score lactate --threshold 2
      roclab confusion example --label outcome --positive deteriorated \
          --score procalcitonin --threshold 1.5 --prevalence 0.05 --beta 2 --ci exact
      roclab confusion example --label outcome --positive deteriorated \
          --score concern --threshold 4 --json
    """
    import roclab as rl

    output.spare(file)
    if (threshold is None) == (predicted is None):
        got = "neither" if threshold is None else "both"
        raise InputError(
            "",
            "a matrix needs --threshold or --predicted",
            Words(got),
            "give a score and a threshold, or the column of the predictions",
        )
    given: Any = table_of_file(file) if predicted is not None else data.read_one(file)
    keywords = data.keywords() if predicted is not None else {}
    matrix = rl.confusion(given, predicted=predicted, threshold=threshold, **keywords)
    asked: dict[str, Any] = {"level": level, "interval": ci, "prevalence": prevalence, "beta": beta}
    output.show(of_each(matrix, lambda one: one.with_intervals(**asked)))
