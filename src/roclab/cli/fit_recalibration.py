"""``roclab fit recalibration``: probabilities from a score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from roclab._core.figure_file import check_figure_place
from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.data import table_of_file
from roclab.cli.shared.options import data_options, level_option, output_options
from roclab.cli.shared.parsing import refuse
from roclab.names import RECALIBRATIONS

if TYPE_CHECKING:
    from roclab.cli.shared.data import Data
    from roclab.cli.shared.output import Output


@click.command(cls=Command)
@file_argument()
@data_options
@option("--method", type=click.Choice(RECALIBRATIONS), default="platt", help="Sigmoid or staircase")
@option("--bins", type=click.IntRange(min=1), default=10, metavar="N", help="Bins of the calibration.")
@option("--apply", metavar="FILE", help="Probabilities of the cases of another file; its score column as here.")
@option("--figure", "picture", metavar="PATH", heading="Output", help="Draw the figure: .svg, .pdf or .png.")
@level_option
@output_options
def recalibration(
    file: str, data: Data, method: Any, bins: int, level: float, apply: str | None, picture: str | None, output: Output
) -> None:
    r"""Which probability does a score mean? Sigmoid or staircase.

    Platt's sigmoid, or the isotonic staircase that never falls.

    With --fold the calibration shown is honest: every fold is judged by a map of the others.

    \b
    Examples:
      roclab fit recalibration example --label outcome --positive deteriorated --score lactate
      roclab fit recalibration example --label outcome --positive deteriorated --score lactate \
          --method isotonic --fold ward
      roclab fit recalibration example --label outcome --positive deteriorated --score lactate \
          --apply example --csv
      roclab fit recalibration example --label outcome --positive deteriorated --score lactate \
          --fold ward --figure calibration.svg
    """
    import roclab as rl

    output.spare(file)
    if data.by:
        refuse("--by fits a map for every group", {"--figure": picture})
    if picture is not None:
        check_figure_place(picture, name="--figure")
    found = rl.recalibrate(data.read_one(file), method=method, bins=bins, level=level)
    notes = []
    if picture is not None:
        found.plot().save(picture, name="--figure")
        notes.append(f"figure written to {picture}")
    if apply is None:
        output.show(found, notes)
        return
    name = str(found.sample.score)
    scores = rl.read_columns(table_of_file(apply), [name], numeric=[name], **data.reading(missing=True))[name]
    new = rl.results.CurvePoints(x=scores, y=found.apply(scores), thresholds=None, x_name="score", y_name="probability")
    output.show(new, notes)
