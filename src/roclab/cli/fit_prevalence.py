"""``roclab fit prevalence``: predicted probabilities at another prevalence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.data import table_of_file
from roclab.cli.shared.options import level_option, output_options, table_options
from roclab.cli.shared.wording import saying
from roclab.errors import InputError, Words

if TYPE_CHECKING:
    from roclab.cli.shared.data import Data
    from roclab.cli.shared.output import Output


@click.command(cls=Command)
@file_argument()
@table_options
@option("--trained", type=float, metavar="P", required=True, help="Share of positives where the model was trained.")
@option("--prevalence", type=float, metavar="P", help="Share of positives where it is used (default: estimated).")
@option("--threshold", type=float, metavar="P", help="Where does this threshold of the old probabilities go?")
@option("--cases", is_flag=True, help="The probability of every case, before and after.")
@level_option
@output_options
def prevalence(
    file: str,
    data: Data,
    trained: float,
    prevalence: float | None,
    threshold: float | None,
    cases: bool,
    level: float,
    output: Output,
) -> None:
    r"""What do predicted risks mean at another prevalence?

    FILE needs no outcomes, only the column --score of predicted probabilities. Odds move with the prevalence (Elkan);
    without --prevalence it is estimated from the probabilities (Saerens 2002). Both need calibrated
    probabilities, and that nothing but the prevalence changed.

    \b
    Examples:
      roclab fit prevalence wines --score barolo --trained 0.4
      roclab fit prevalence wines --score barolo --trained 0.4 --prevalence 0.1 --threshold 0.5
      roclab fit prevalence wines --score barolo --trained 0.4 --prevalence 0.1 --cases --csv
    """
    import roclab as rl

    output.spare(file)
    if len(data.score) != 1:
        raise InputError("--score", "must name the one column of predicted probabilities",
                         Words(" and ".join(data.score) or "none"), "write --score risk")  # fmt: skip
    (name,) = data.score
    columns = rl.read_columns(table_of_file(file), [name], numeric=[name], **data.reading(missing=True))
    with saying({"probabilities": name, "trained": "--trained", "prevalence": "--prevalence"}):
        found = rl.shift_prevalence(columns[name], trained=trained, prevalence=prevalence, level=level)
    notes = [f"{name}: {columns[name].size} cases"]
    if columns.dropped:
        notes.append(f"{columns.dropped} left out, which lack a value")
    if threshold is not None:
        with saying({"old": "--threshold"}):
            notes.append(f"a threshold of {threshold:g} lies at {found.threshold(threshold):.6g}")
    if not cases:
        output.show(found, notes)
        return
    moved = rl.results.CurvePoints(x=columns[name], y=found.probabilities, thresholds=None, x_name="before",
                                   y_name="after")  # fmt: skip
    output.show(moved, notes)
