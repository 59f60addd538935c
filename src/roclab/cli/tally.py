"""``roclab tally``: counts that travel instead of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.data import table_of_file
from roclab.cli.shared.options import data_options, quiet_option, verbose_option

if TYPE_CHECKING:
    from roclab.cli.shared.data import Data


@click.command(cls=Command)
@file_argument("files", metavar="FILE...", nargs=-1, required=True)
@data_options
@option("--step", type=float, metavar="WIDTH", help="Count in cells of about this width (default: every score apart).")
@option("--minimum", type=int, default=1, metavar="N", help="Privacy: cases of a class in a cell, none or at least N.")
@option("--out", "-o", metavar="PATH", required=True, heading="Output", help="Write to a file, whole or not at all.")
@quiet_option
@verbose_option
def tally(files: tuple[str, ...], data: Data, step: float | None, minimum: int, out: str) -> None:
    r"""Count scores where the rows are, and pool the counts: a curve without sharing cases.

    FILEs hold one case per row, or are .tally files that were made before; all of them are merged, exactly. Commands
    for one score take .tally files instead of a FILE.

    \b
    Examples:
      roclab tally example --label outcome --positive deteriorated \
          --score lactate -o north.tally
      roclab tally example --label outcome --positive deteriorated \
          --score lactate --step 0.25 --minimum 5 -o south.tally
      roclab tally example example --label outcome --positive deteriorated \
          --score lactate --score concern --minimum 3 -o both.tally
    """
    import roclab as rl
    from roclab._core.whole_file import check_place
    from roclab.analysis.tally import write_portable
    from roclab.cli.shared.data import watch_engines
    from roclab.errors import InputError

    check_place(out, name="--out")
    watch_engines()
    parts: list[Any] = []
    for file in files:
        try:
            if file.lower().endswith(".tally"):
                parts.append(rl.merge(file))
                continue
            data.say_plan(file)
            parts.append(rl.tally(table_of_file(file), step=step, minimum=minimum, **data.keywords()))
        except InputError as error:
            raise (error.inside(file) if len(files) > 1 else error) from None
    found = rl.merge(*parts)
    write_portable(found, out, name="--out")
    click.echo(str(found))
