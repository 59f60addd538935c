"""``roclab average``: one curve from those of several folds, runs or readers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from roclab.cli.data import Data, distinct_names
from roclab.cli.options import Command, data_options, file_argument, fold_option, level_option, option, output_options
from roclab.cli.output import Output
from roclab.cli.parsing import refuse
from roclab.cli.wording import saying
from roclab.errors import InputError, OneClassError, Words

if TYPE_CHECKING:
    from roclab.analysis import Roc
    from roclab.averaging.result import AverageCurve
    from roclab.data.cases import Cases

WAYS = ("vertical", "threshold", "pooled")
SPREADS = ("normal", "binomial")


@click.command(cls=Command)
@file_argument("files", metavar="FILE...", nargs=-1, required=True)
@data_options
@fold_option
@option("--how", type=click.Choice(WAYS), default="vertical", help="At fixed FPR, at fixed thresholds, or all cases.")
@option("--points", type=int, metavar="N", help="Points of the averaged curve (default 100).")
@option("--fpr-column", metavar="COLUMN", help="FILEs hold points of curves instead of cases: their FPR.")
@option("--tpr-column", metavar="COLUMN", help="FILEs hold points of curves instead of cases: their TPR.")
@level_option
@option(
    "--spread",
    type=click.Choice(SPREADS),
    heading="Uncertainty",
    help="Limits of --how vertical: from the spread between curves (default), or binomial.",
)
@output_options
def average(
    files: tuple[str, ...],
    data: Data,
    how: Any,
    points: int | None,
    fpr_column: str | None,
    tpr_column: str | None,
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
    from roclab.analysis import average as average_of

    output.spare(*files)
    if how != "vertical":
        refuse(f"--how {how} has limits of its own kind", {f"--spread {spread}": spread})
    if how == "pooled":
        refuse("--how pooled has one point per score", {"--points": points is not None})
    curves = _curves(files, data, fpr_column, tpr_column)
    with saying({"spread='binomial'": "--spread binomial", "use 'normal'": "leave it out"}):
        found = average_of(
            curves,
            how=how,
            points=100 if points is None else points,
            level=level,
            spread=spread or "normal",
        )
    output.show(found, [*_limits(found), *_who(curves)])


def _curves(files: tuple[str, ...], data: Data, fpr_column: str | None, tpr_column: str | None) -> Any:
    """Cases with folds, or curves by name."""
    if fpr_column is not None or tpr_column is not None:
        return _ready_made(files, data, fpr_column, tpr_column)
    if len(files) > 1:
        refuse("several files are one curve each", {"--fold": data.fold})
        return _of_files(files, data)
    if data.fold is not None:
        return data.read_one(files[0])
    from roclab.analysis import roc

    cases = data.read(files[0])
    if len(cases.names) < 2:
        raise InputError(
            "",
            "an average needs several curves",
            Words(f"one, of {cases.names[0]} in {files[0]}"),
            "split it with --fold, or name more files or scores",
        )
    return {name: roc(_single(cases, name)) for name in cases.names}


def _of_files(files: tuple[str, ...], data: Data) -> dict[str, Roc]:
    from roclab.analysis import roc

    columns = data.column_of_each(files)
    out = {}
    for file, column, name in zip(files, columns, distinct_names(files, ()), strict=True):
        try:
            out[name] = roc(data.read_one(file, column))
        except OneClassError as error:
            raise error.inside(f"{file} holds one class only") from None
    return out


def _single(cases: Cases, name: str) -> Cases:
    return replace(cases, scores={name: cases.scores[name]}, direction={name: cases.direction[name]})


def _ready_made(files: tuple[str, ...], data: Data, fpr_column: str | None, tpr_column: str | None) -> dict[str, Roc]:
    """Curves from points, as ``roclab curve --csv`` writes them."""
    from roclab.analysis import Roc

    if fpr_column is None or tpr_column is None:
        raise InputError("", "--fpr-column and --tpr-column belong together", Words("one of them"), "give both")
    others = {"--label": data.label, "--score": data.score, "--fold": data.fold, "--weight": data.weight}
    refuse("--fpr-column and --tpr-column read points instead of cases", others)
    if len(files) < 2:
        raise InputError("", "an average needs several curves", Words(f"one, in {files[0]}"), "name one file per curve")
    out = {}
    for file, name in zip(files, distinct_names(files, ()), strict=True):
        columns = data.columns(file, fpr_column, tpr_column, numeric=(fpr_column, tpr_column))
        with saying({"fpr": f"{fpr_column} of {file}", "tpr": f"{tpr_column} of {file}"}):
            out[name] = Roc.from_points(columns[fpr_column], columns[tpr_column])
    return out


def _who(curves: Any) -> list[str]:
    from roclab.cli.answers import who
    from roclab.data.cases import Cases

    if isinstance(curves, Cases):
        return [curves.sample().describe()]
    return who({name: one.tally.sample for name, one in curves.items() if one.tally is not None})


def _limits(found: AverageCurve) -> list[str]:
    if found.tpr_spread is None:
        return []
    kind = "between curves" if found.spread == "normal" else "of a proportion"
    return [
        f"sd: standard deviation over the curves; low and high: {100 * found.level:g}% limits from the spread {kind}"
    ]
