"""``roclab fit logistic``: a logistic regression and the ROC analysis of its probabilities."""

from __future__ import annotations

import click

from roclab.cli.data import Data
from roclab.cli.options import Command, file_argument, level_option, option, outcome_options, output_options
from roclab.cli.output import Output
from roclab.cli.wording import saying
from roclab.errors import InputError, Words

NEEDING_MORE = ("f_beta", "neyman_pearson", "target")  # criteria that a name does not settle

_WORDS = {"penalty='firth'": "--firth"}


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
@output_options
def logistic(
    file: str,
    data: Data,
    column: tuple[str, ...],
    no_intercept: bool,
    firth: bool,
    criterion: str,
    level: float,
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
      roclab fit logistic wines --label oak --column p_oak --no-intercept --csv
    """
    output.spare(file)
    if criterion in NEEDING_MORE:
        raise InputError("--criterion", "must need no more than its name", Words(criterion), "use youden for instance")
    data.named(file, label=data.label, column=column)
    assert data.label is not None
    table, dropped = data.complete(data.outcome(file, data.label, *column, numeric=column))

    from roclab.analysis import logistic as fitted

    with saying(_WORDS):
        found = fitted(
            table,
            label=data.label,
            columns=list(dict.fromkeys(column)),
            pos_label=data.positive_among(table[data.label]),
            intercept=not no_intercept,
            penalty="firth" if firth else "none",
            criterion=criterion,
            level=level,
        )
    notes = ["coefficients with Firth's penalty"] if firth else []
    output.show(found, notes + ([f"{dropped} dropped for missing values"] if dropped else []))
