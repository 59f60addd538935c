"""``roclab screen``: many markers against one outcome."""

from __future__ import annotations

from typing import Any

import click

from roclab.cli.data import Data
from roclab.cli.options import (
    Command,
    ci_option,
    file_argument,
    level_option,
    option,
    outcome_options,
    output_options,
)
from roclab.cli.output import Output
from roclab.cli.parsing import refuse
from roclab.cli.progress import bar_unless_quiet
from roclab.names import ADJUSTMENTS

DIRECTIONS = ("higher", "lower", "auto")
TALLY_VARIANCES = ("delong", "empirical_q")
SCALES = ("logit", "plain", "clipped", "exact")


@click.command(cls=Command)
@file_argument()
@outcome_options
@option("--marker", metavar="COLUMN", multiple=True, heading="Data", help="Column to screen; repeatable (default all).")
@option(
    "--direction",
    "side",  # of every marker; the direction of Data is that of scores
    type=click.Choice(DIRECTIONS),
    default="higher",
    help="Which side of every marker means positive; auto chooses by the AUC",
)
@option("--adjust", type=click.Choice(ADJUSTMENTS), default="holm", help="Adjustment of p-values for many markers.")
@option("--spss", is_flag=True, help='The table "Area Under the Curve" as SPSS lays it out.')
@level_option
@ci_option(SCALES, default="logit", help="Kind of interval")
@option(
    "--se", type=click.Choice(TALLY_VARIANCES), default="delong", heading="Uncertainty", help="Standard error of areas."
)
@option("--workers", "threads", type=int, metavar="N", help="Threads (default: one per processor).")
@output_options
def screen(
    file: str,
    data: Data,
    marker: tuple[str, ...],
    side: Any,
    adjust: Any,
    spss: bool,
    level: float,
    ci: Any,
    se: Any,
    threads: int | None,
    output: Output,
) -> None:
    r"""Which of many markers tell the classes apart? One row per marker.

    Every numeric column of FILE but the outcome is a marker, unless some are named; other columns are skipped and
    listed. A case that lacks a marker is left out for that marker only; --missing is about the outcome.

    \b
    Examples:
      roclab screen example --label outcome --positive deteriorated
      roclab screen example --label outcome --positive deteriorated --spss
      roclab screen example --label outcome --positive deteriorated \
          --marker lactate --marker concern --se empirical_q --ci plain --adjust bonferroni
      roclab screen wines --label oak --direction auto --adjust fdr --level 0.9 --csv
    """
    output.spare(file)
    if spss:
        refuse("--spss is a layout of the text", {"--json": output.as_json, "--csv": output.as_csv})
    data.named(file, label=data.label)
    assert data.label is not None
    columns, dropped = data.complete(data.outcome(file, data.label, *marker), data.label)

    from roclab.analysis import screen as screened

    with bar_unless_quiet("screening") as bar:
        found = screened(
            columns,
            label=data.label,
            markers=list(dict.fromkeys(marker)) or None,
            pos_label=data.positive_among(columns[data.label]),
            direction=side,
            standard_error=se,
            interval=ci,
            level=level,
            adjust=adjust,
            workers=threads,
            progress=bar,
        )
    notes = [f"{dropped} dropped for a missing outcome"] if dropped else []
    if not spss:
        output.show(found, notes)
        return
    below = [f"positive is {found.positive}, negative is {found.negative}; {found.method}"]
    below += [f"skipped {name}: {reason}" for name, reason in found.skipped.items()]
    output.show(found, below + notes, layout=found.spss())
