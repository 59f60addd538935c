"""``roclab average``: one curve from those of several folds, runs or readers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.data import Data, distinct_names
from roclab.cli.shared.options import data_options, level_option, output_options
from roclab.cli.shared.parsing import refuse
from roclab.cli.shared.points import PointOptions
from roclab.cli.shared.wording import saying
from roclab.errors import InputError, Words
from roclab.names import AVERAGES, SPREADS

if TYPE_CHECKING:
    from roclab import Roc
    from roclab.cli.shared.output import Output


@click.command(cls=Command)
@file_argument("files", metavar="FILE...", nargs=-1, required=True)
@data_options
@option(
    "--how",
    type=click.Choice(AVERAGES),
    default="vertical",
    help="Where curves are averaged, or all cases pooled.",
)
@option("--points", type=int, metavar="N", help="Points of the averaged curve (default 100).")
@option("--fpr-column", metavar="COLUMN", help="FILEs hold points of curves instead of cases: their FPR.")
@option("--tpr-column", metavar="COLUMN", help="FILEs hold points of curves instead of cases: their TPR.")
@option("--in-percent", is_flag=True, heading="Data", help="Points: rates are per cent, 98 for 0.98.")
@level_option
@option(
    "--spread",
    type=click.Choice(SPREADS),
    heading="Uncertainty",
    help="What limits rest on: the spread between curves by t, corrected for folds, by the normal distribution; or "
    "binomial.",
)
@output_options
def average(
    files: tuple[str, ...],
    data: Data,
    how: Any,
    points: int | None,
    fpr_column: str | None,
    tpr_column: str | None,
    in_percent: bool,
    level: float,
    spread: Any,
    output: Output,
) -> None:
    r"""What is the curve over folds, runs or readers? Averages and their spread.

    One FILE with --fold has one curve per fold; several FILEs, or several scores of one FILE, have one curve each.
    Averaging by thresholds and pooling compare scores between curves, so those must mean the same in all of them.

    \b
    Examples:
      roclab average example --label outcome --positive deteriorated --score lactate \
          --fold ward --points 10
      roclab average example --label outcome --positive deteriorated --score lactate \
          --fold ward --how threshold --points 20 --level 0.9
      roclab average example --label outcome --positive deteriorated --score lactate \
          --fold ward --how pooled --json
      roclab average example --label outcome --positive deteriorated \
          --score procalcitonin --score lactate --points 10 --spread binomial
    """
    import roclab as rl

    refuse("an average is one of folds, files or scores", {"--by": data.by})
    output.spare(*files)
    asked: dict[str, Any] = {"how": how, "points": points, "level": level, "spread": spread}
    if fpr_column is not None or tpr_column is not None:
        found = rl.average(_ready_made(files, data, fpr_column, tpr_column, in_percent), **asked)
    elif in_percent:
        raise InputError("--in-percent", "says how rates are written", Words("no --tpr-column"))
    elif len(files) > 1:
        refuse("several files are one curve each", {"--fold": data.folds})
        curves = {name: rl.roc(cases) for name, cases in data.read_each(files, by_file=True).items()}
        found = rl.average(curves, **asked)
    else:
        found = rl.average(data.read(files[0]), **asked)
    output.show(found)


def _ready_made(
    files: tuple[str, ...], data: Data, fpr_column: str | None, tpr_column: str | None, in_percent: bool
) -> dict[str, Roc]:
    """Curves from points, as ``roclab curve --csv`` writes them."""
    points = PointOptions(fpr_column=fpr_column, tpr_column=tpr_column, name_column=None, in_percent=in_percent)
    if len(files) < 2:
        raise InputError("", "an average needs several curves", Words(f"one, in {files[0]}"), "name one file per curve")
    out = {}
    for file, name in zip(files, distinct_names(files, ()), strict=True):
        with saying({"fpr": f"{fpr_column} of {file}", "tpr": f"{tpr_column} of {file}"}):
            (out[name],) = (points.curves(file, data) or {}).values()
    return out
