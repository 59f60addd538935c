"""``roclab selective``: errors of a rule that answers only where it is sure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.options import data_options, level_option, output_options
from roclab.errors import InputError, Words

if TYPE_CHECKING:
    from roclab.cli.shared.data import Data
    from roclab.cli.shared.output import Output


@click.command(cls=Command)
@file_argument()
@data_options
@option("--threshold", type=float, metavar="T", help="Calls a case positive; 0.5 of probabilities where left out.")
@option("--coverage", type=float, metavar="SHARE", help="Only the error when this share of the surest is answered.")
@option("--error", type=float, metavar="RATE", help="Only the share to refer for an error of at most RATE.")
@level_option
@output_options
def selective(
    file: str,
    data: Data,
    threshold: float | None,
    coverage: float | None,
    error: float | None,
    level: float,
    output: Output,
) -> None:
    r"""What if only the sure cases were answered? Errors against coverage, and referral.

    A case is the surer, the farther its score lies from the threshold.

    \b
    Examples:
      roclab selective example --label outcome --positive deteriorated \
          --score lactate --threshold 2
      roclab selective example --label outcome --positive deteriorated \
          --score procalcitonin --threshold 1 --error 0.15
    """
    import roclab as rl

    output.spare(file)
    if coverage is not None and error is not None:
        raise InputError("", "--coverage and --error are two questions", Words("both"), "ask one at a time")

    def asked(found: rl.results.RiskCoverage) -> rl.results.Result:
        if coverage is not None:
            return found.at(coverage)
        return found if error is None else found.referral(error)

    from roclab.cli.shared.groups import of_each

    output.show(of_each(rl.selective(data.read_one(file), threshold=threshold, level=level), asked))
