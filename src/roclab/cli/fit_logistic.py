"""``roclab fit logistic``: a logistic regression and the ROC analysis of its probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from roclab._core.whole_file import write_whole
from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.data import table_of_file
from roclab.cli.shared.groups import of_each
from roclab.cli.shared.options import Draws, level_option, outcome_options, output_options, resampling_options
from roclab.cli.shared.parsing import refuse
from roclab.errors import InputError, Words
from roclab.names import AREA_TESTS, TALLY_VARIANCES

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
@option(
    "--variance", "--se", type=click.Choice(TALLY_VARIANCES), heading="Uncertainty", help="Standard error of the AUC."
)
@option("--test", type=click.Choice(AREA_TESTS), heading="Uncertainty", help="Test of AUC = 0.5, as gaidyshev.")
@option("--complete", metavar="COLUMN", multiple=True, heading="Data", help="Further column without gaps; repeatable.")
@option("--scores-out", metavar="PATH", heading="Output", help="Write id, class and scores of every case as CSV.")
@option("--apply", metavar="FILE", heading="Data", help="New cases: write their probabilities (see --apply-out).")
@option("--apply-out", metavar="PATH", heading="Output", help="Where probabilities of new cases go (default: printed).")
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
    variance: Any,
    test: Any,
    complete: tuple[str, ...],
    scores_out: str | None,
    apply: str | None,
    apply_out: str | None,
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
      roclab fit logistic example --label outcome --positive deteriorated \
          --column lactate --complete procalcitonin --se hanley_mcneil --test gaidyshev \
          --apply example
      roclab fit logistic wines --label oak --column p_oak --no-intercept --csv
    """
    import roclab as rl

    output.spare(file)
    if data.by:
        refuse("--by fits a model for every group, and new cases have none", {"--apply": apply})
        if scores_out is not None and data.ids is None:
            raise InputError("--scores-out", "needs --id beside --by, to tell the rows of the file", Words("none"))
    if criterion in NEEDING_MORE:
        raise InputError("--criterion", "must need no more than its name", Words(criterion), "use youden for instance")
    with draws.shown() as resampling:
        found = rl.logistic(
            table_of_file(file),
            **data.keywords(tuple(dict.fromkeys(column))),
            variance=variance,
            test=test,
            complete=complete,
            intercept=not no_intercept,
            penalty="firth" if firth else "none",
            criterion=criterion,
            level=level,
            optimism=optimism,
            **draws.keywords(resampling),
        )
    if apply is None and apply_out is not None:
        raise InputError("--apply-out", "is where probabilities of new cases go", Words("no --apply"), "add it")
    new = None if apply is None else found.apply(table_of_file(apply), **data.reading())
    notes = ["coefficients with Firth's penalty"] if firth else []
    if scores_out is not None:
        write_whole(scores_out, of_each(found, lambda one: one.scored()).to_csv(), name="--scores-out")
        notes.append(f"probabilities of all cases written to {scores_out}")
    if new is not None and apply_out is not None:
        write_whole(apply_out, new.to_csv(), name="--apply-out")
        notes.append(f"probabilities of new cases written to {apply_out}")
    elif new is not None:
        notes += ["", str(new)]
    output.show(found, notes)
