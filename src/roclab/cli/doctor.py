"""``roclab doctor``: what a file holds, before the first question."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from roclab.cli.shared.command import Command, file_argument
from roclab.cli.shared.data import Data, table_of_file
from roclab.cli.shared.options import doctor_options, output_options
from roclab.cli.shared.parsing import refuse
from roclab.cli.shared.wording import in_words
from roclab.errors import InputError, Words

if TYPE_CHECKING:
    from roclab.cli.shared.output import Output


@click.command(cls=Command)
@file_argument()
@doctor_options
@output_options
def doctor(file: str, data: Data, output: Output) -> None:
    r"""What does a file hold, what should one beware of, and what to type next?

    Every column with what it could be and why, one guess of label, scores, id and fold, and lines to type. Nothing of
    it is used by another command: those use the columns that are named.

    \b
    Examples:
      roclab doctor example
      roclab doctor example --label outcome --positive deteriorated
      roclab doctor wines --json
    """
    import roclab as rl

    output.spare(file)
    refuse("doctor leaves no case out and counts no rows", {"--missing": data.missing, "--explain": data.explain})
    if len(data.pos_label) > 1:
        raise InputError("--positive", "must name one class here", Words(" and ".join(data.pos_label)))
    positive = data.pos_label[0] if data.pos_label else None
    report = rl.doctor(table_of_file(file), label=data.label, pos_label=positive, **data.reading())
    output.show(report, layout=in_words(report.text("command line")))
