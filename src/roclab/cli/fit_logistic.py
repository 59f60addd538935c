"""``roclab fit logistic``: a logistic regression and the ROC analysis of its probabilities."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from roclab._core.figure_file import check_figure_place
from roclab._core.whole_file import write_whole
from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.data import table_of_file
from roclab.cli.shared.groups import of_each
from roclab.cli.shared.options import Draws, level_option, outcome_options, output_options, resampling_options
from roclab.cli.shared.parsing import names_of, refuse
from roclab.errors import InputError, Words
from roclab.names import AREA_TESTS, ERROR_INTERVALS, TALLY_VARIANCES

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
@option(
    "--ci",
    "--interval",
    "interval",
    type=click.Choice(ERROR_INTERVALS),
    default="auto",
    heading="Uncertainty",
    help="Interval of the AUC",
)
@option("--test", type=click.Choice(AREA_TESTS), heading="Uncertainty", help="Test of AUC = 0.5, as gaidyshev.")
@option("--against", metavar="COLUMN", multiple=True, help="Column of a second model, compared with it; repeatable.")
@option("--names", metavar="A,B", help="With --against: what to call the models (default first,second).")
@option("--complete", metavar="COLUMN", multiple=True, heading="Data", help="Further column without gaps; repeatable.")
@option("--scores-out", metavar="PATH", heading="Output", help="Write id, class and scores of every case as CSV.")
@option("--curve-out", metavar="PATH", heading="Output", help="Write thresholds and rates of the ROC curve as CSV.")
@option("--figure", "picture", metavar="PATH", heading="Output", help="Draw the figure: .svg, .pdf or .png.")
@option("--report", metavar="PATH", heading="Output", help="Write the one-page report.")
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
    interval: Any,
    test: Any,
    against: tuple[str, ...],
    names: str | None,
    complete: tuple[str, ...],
    scores_out: str | None,
    curve_out: str | None,
    picture: str | None,
    report: str | None,
    apply: str | None,
    apply_out: str | None,
    level: float,
    optimism: bool,
    draws: Draws,
    output: Output,
) -> None:
    r"""What does logistic regression tell? Coefficients, AUC, cut-off.

    The columns of FILE must be numbers. The area is measured on the cases the model was fitted to. Printed are
    coefficients, AUC with standard error, interval and Z, and the best cut-off; --curve-out has every threshold,
    --report all of it on one page. With --against two models of the same cases are compared.

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
      roclab fit logistic example --label outcome --positive deteriorated \
          --column procalcitonin --column lactate --se hanley_mcneil --ci plain --test gaidyshev \
          --curve-out curve.csv --figure curve.svg --report logistic.html
      roclab fit logistic example --label outcome --positive deteriorated --column procalcitonin \
          --against procalcitonin --against lactate --names one,two
      roclab fit logistic wines --label oak --column p_oak --no-intercept --csv
    """
    import roclab as rl

    output.spare(file)
    if data.by:
        refuse("--by fits a model for every group, and new cases have none", {"--apply": apply})
        if scores_out is not None and data.ids is None:
            raise InputError("--scores-out", "needs --id beside --by, to tell the rows of the file", Words("none"))
        several = {"--report": report, "--figure": picture, "--curve-out": curve_out, "--against": against}
        refuse("--by fits a model for every group", several)
    if names is not None and not against:
        raise InputError("--names", "are those of two models", Words("no --against"), "add it")
    if against:
        one = {"--apply": apply, "--scores-out": scores_out, "--curve-out": curve_out}
        refuse("--against compares two models, and this is about one", one)
    if picture is not None:
        check_figure_place(picture, name="--figure")
    if report is not None:
        from roclab.report.write import check_places

        check_places(report, name="--report")
    if criterion in NEEDING_MORE:
        raise InputError("--criterion", "must need no more than its name", Words(criterion), "use youden for instance")
    asked: dict[str, Any] = {
        "variance": variance, "interval": interval, "test": test, "intercept": not no_intercept,
        "penalty": "firth" if firth else "none", "criterion": criterion, "level": level, "optimism": optimism,
    }  # fmt: skip
    every = tuple(dict.fromkeys((*complete, *column, *against))) if against else complete
    with draws.shown() as resampling:
        asked |= draws.keywords(resampling)

        def fitted(columns: tuple[str, ...]) -> Any:
            own = data.keywords(tuple(dict.fromkeys(columns)))
            return rl.logistic(table_of_file(file), **own, complete=every, **asked)

        found: Any = fitted(column)
        if against:
            found = found.compare(fitted(against), names=_two_names(names), level=level)
    if apply is None and apply_out is not None:
        raise InputError("--apply-out", "is where probabilities of new cases go", Words("no --apply"), "add it")
    new = None if apply is None else found.apply(table_of_file(apply), **data.reading())
    notes = ["coefficients with Firth's penalty"] if firth else []
    if picture is not None:
        found.plot().save(picture, name="--figure")
        notes.append(f"figure written to {picture}")
    if report is not None:
        found.write_report(report, rng=draws.seed, source=Path(file).name)
        notes.append(f"report written to {report}")
    if curve_out is not None:
        write_whole(curve_out, found.roc.points().to_csv(), name="--curve-out")
        notes.append(f"thresholds and rates written to {curve_out}")
    if scores_out is not None:
        write_whole(scores_out, of_each(found, lambda one: one.scored()).to_csv(), name="--scores-out")
        notes.append(f"probabilities of all cases written to {scores_out}")
    if new is not None and apply_out is not None:
        write_whole(apply_out, new.to_csv(), name="--apply-out")
        notes.append(f"probabilities of new cases written to {apply_out}")
    elif new is not None:
        notes += ["", str(new)]
    output.show(found, notes)


def _two_names(text: str | None) -> tuple[str, str]:
    called = ["first", "second"] if text is None else names_of(text, "--names")
    if len(called) != 2 or len(set(called)) != 2:
        raise InputError("--names", "must be two different names", text, "for instance small,large")
    return called[0], called[1]
