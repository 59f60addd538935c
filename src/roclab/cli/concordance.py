"""``roclab concordance``: of two cases, does the one with the higher score have the event first?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.follow_up import follow_up_options, followed_table
from roclab.cli.shared.options import data_options, level_option, output_options
from roclab.names import CONCORDANCES

if TYPE_CHECKING:
    from roclab.cli.shared.data import Data
    from roclab.cli.shared.output import Output


@click.command(cls=Command)
@file_argument()
@data_options
@follow_up_options(without=("at", "controls"))
@option("--estimator", type=click.Choice(CONCORDANCES), default="uno", help="Uno's does not depend on who is lost")
@option("--tau", type=float, metavar="T", help="Events beyond it do not count; Uno's needs it.")
@level_option
@output_options
def concordance(
    file: str, data: Data, followed: dict[str, Any], estimator: Any, tau: float | None, level: float, output: Output
) -> None:
    r"""Of two cases, does the one with the higher score have the event first?

    FILE holds one case per row, with the time it was followed, what ended that, and scores. Other events end the
    follow-up as a loss does.

    \b
    Examples:
      roclab concordance followed --time days --event ended --cause relapse --competing death \
          --censored lost --score marker --score grade --tau 1460
      roclab concordance followed --time days --event ended --cause relapse --competing death \
          --censored lost --score marker --estimator harrell --json
    """
    import roclab as rl

    output.spare(file)
    table, asked = followed_table(file, data)
    output.show(rl.concordance(table, estimator=estimator, tau=tau, level=level, **asked, **followed))
