"""``roclab fit logistic``: a logistic regression and the ROC analysis of its probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from roclab.cli.shared.options import (
    Command,
    Draws,
    file_argument,
    level_option,
    option,
    outcome_options,
    output_options,
    resampling_options,
)
from roclab.cli.shared.wording import saying
from roclab.errors import InputError, Words

if TYPE_CHECKING:
    from roclab.cli.shared.data import Data
    from roclab.cli.shared.output import Output

NEEDING_MORE = ("f_beta", "f_alpha", "neyman_pearson", "target")  # criteria that a name does not settle


@click.command(cls=Command)
@file_argument()
@outcome_options
@option("--column", metavar="COLUMN", multiple=True, heading="Data", help="Column of the model; repeatable.")
@option("--no-intercept", is_flag=True, help="Leave out the constant.")
@option("--firth", is_flag=True, help="Firth's penalty: finite coefficients even if the columns separate the classes.")
@option(
    "--criterion",
    metavar="NAME",
    default="youden",
    help="What the cut-off of the probability does best; any criterion or metric of roclab cutoff that needs no more.",
)
@level_option
@option("--optimism", is_flag=True, heading="Uncertainty", help="How much better the AUC looks than on new cases.")
@resampling_options
@output_options
def logistic(
    file: str,
    data: Data,
    column: tuple[str, ...],
    no_intercept: bool,
    firth: bool,
    criterion: str,
    level: float,
    optimism: bool,
    draws: Draws,
    output: Output,
) -> None:
    r"""What does logistic regression tell? Coefficients, AUC, cut-off.

    The columns of FILE must be numbers. The area is measured on the cases the model was fitted to.

    \b
    Examples:
      roclab fit logistic example --label outcome --positive deteriorated \
          --column procalcitonin --column lactate --column concern
      roclab fit logistic example --label outcome --positive deteriorated \
          --column lactate --firth --criterion accuracy --level 0.9
      roclab fit logistic example --label outcome --positive deteriorated \
          --column procalcitonin --column lactate --optimism --replicates 200 --seed 1
      roclab fit logistic wines --label oak --column p_oak --no-intercept --csv
    """
    import roclab as rl

    output.spare(file)
    if criterion in NEEDING_MORE:
        raise InputError("--criterion", "must need no more than its name", Words(criterion), "use youden for instance")
    with saying({"score": "--column", "penalty='firth'": "--firth"}), draws.shown() as resampling:
        found = rl.logistic(
            data.read(file, tuple(dict.fromkeys(column))),
            intercept=not no_intercept,
            penalty="firth" if firth else "none",
            criterion=criterion,
            level=level,
            optimism=optimism,
            resampling=resampling,
            rng=draws.seed,
        )
    output.show(found, ["coefficients with Firth's penalty"] if firth else [])
