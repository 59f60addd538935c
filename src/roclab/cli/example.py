"""``roclab example``: data to try things on, and what to try."""

from __future__ import annotations

import os
from pathlib import Path

import click

from roclab.cli.shared.command import Command, option
from roclab.cli.shared.data import BUNDLED, EXAMPLE, READINGS, WINES, place_of
from roclab.cli.shared.options import quiet_option, verbose_option
from roclab.errors import FileError, Words

__all__ = ["TRY", "example"]

# What can be tried on each data set; a test runs every line.
TRY = {
    EXAMPLE: (
        "roclab auc FILE --label outcome --positive deteriorated --score procalcitonin --score lactate",
        "roclab compare FILE --label outcome --positive deteriorated --score procalcitonin --score lactate",
        "roclab cutoff FILE --label outcome --positive deteriorated --score lactate",
        "roclab screen FILE --label outcome --positive deteriorated",
        "roclab report FILE --label outcome --positive deteriorated --score procalcitonin --score lactate "
        "--score concern -o report.html",
    ),
    WINES: (
        "roclab multiclass FILE --label grape --score barbera --score barolo --score gamay",
        "roclab auc FILE --label oak --score p_oak",
    ),
    READINGS: (
        "roclab readers FILE",
        "roclab readers-size FILE --difference 0.06",
        "roclab plot FILE --figure readers",
    ),
    "lesions": ("roclab froc FILE marks_a marks_b",),
    "marks_a": ("roclab froc lesions FILE",),
    "marks_b": ("roclab froc lesions marks_a FILE",),
}


@click.command(cls=Command)
@click.argument("name", type=click.Choice(BUNDLED), default=EXAMPLE)
@option("--out", "-o", "place", metavar="PATH", heading="Output", help="Where to write it (default: its own name).")
@option("--force", is_flag=True, heading="Output", help="Write over a file that exists.")
@quiet_option
@verbose_option
def example(name: str, place: str | None, force: bool) -> None:
    r"""Write a data set to try things on, and say what to try.

    example: 300 invented patients, two outcomes, three markers. wines: 180 invented wines, three grapes. readings: five
    invented readers rate 80 cases in two modalities. lesions, marks_a, marks_b: invented lesions in 60 scans, and the
    marks of two detectors.

    \b
    Examples:
      roclab example
      roclab example wines -o wines.csv --force
    """
    from roclab._core.whole_file import check_place, write_whole

    source = Path(place_of(name))
    target = Path(place) if place is not None else Path(source.name)
    check_place(target, name="--out")
    if target.exists() and not force:
        raise FileError("--out", "must not exist yet", Words(target), "write --force to write over it")
    write_whole(target, source.read_bytes(), name="--out")
    settings = click.get_current_context().obj
    if getattr(settings, "quiet", False):
        return
    click.echo(f"written: {target} ({len(source.read_text(encoding='utf-8').splitlines()) - 1} rows). Try:\n")
    for line in TRY[name]:
        click.echo("  " + line.replace("FILE", os.fspath(target)))
