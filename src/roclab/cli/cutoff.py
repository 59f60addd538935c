"""``roclab cutoff``: where to cut a score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from roclab.cli.data import Data
from roclab.cli.options import (
    Command,
    Costs,
    Draws,
    ci_option,
    cost_options,
    data_options,
    file_argument,
    level_option,
    option,
    output_options,
    resampling_options,
)
from roclab.cli.output import Output
from roclab.cli.parsing import bounds_of, names_of, refuse
from roclab.cli.wording import saying
from roclab.errors import InputError, Words
from roclab.names import CRITERIA, PROPORTION_INTERVALS, THRESHOLD_RULES

if TYPE_CHECKING:
    from roclab.cli.cutting import Asked

SMOOTHERS = ("kernel", "normal", "loess")

# Bounds by the names of the library; those of the left column say when a negative call is safe.
_RULE_OUT = {"min_se": "sensitivity", "min_npv": "npv", "max_lr_minus": "lr_minus"}
_RULE_IN = {"min_sp": "specificity", "min_ppv": "ppv", "min_lr": "lr_plus", "max_fpr": "fpr"}
_WORDS = {
    "alpha": "--max-fpr",
    "require holds": "the --min and --max options hold",
    "relax require=": "relax them",
    "rule='observed'": "--thresholds observed",
}


@click.command(cls=Command)
@file_argument()
@data_options
@option(
    "--criterion",
    metavar="NAME",
    help=f"What to do best (default youden): {', '.join(CRITERIA)}; any metric, as accuracy, f1, mcc, kappa, dor; "
    "or required, the rate that the bounds leave open.",
)
@cost_options
@option("--beta", type=float, metavar="B", help="For f_beta: recall weighs B times as much.")
@option("--target", metavar="METRIC=VALUE", help="For target: come closest to this value of a metric.")
@option("--trim", type=float, metavar="SHARE", help="For min_p: least share of cases on each side.")
@option("--min-se", type=float, metavar="RATE", help="Least sensitivity.")
@option("--min-sp", type=float, metavar="RATE", help="Least specificity.")
@option("--min-ppv", type=float, metavar="RATE", help="Least positive predictive value.")
@option("--min-npv", type=float, metavar="RATE", help="Least negative predictive value.")
@option("--min-lr", type=float, metavar="RATIO", help="Least positive likelihood ratio.")
@option("--max-lr-minus", type=float, metavar="RATIO", help="Largest negative likelihood ratio.")
@option("--max-fpr", type=float, metavar="RATE", help="Largest false positive rate; alone it asks for neyman_pearson.")
@option("--require", metavar="METRIC=BOUND", multiple=True, help="A bound on any other metric; repeatable.")
@option(
    "--thresholds",
    type=click.Choice(THRESHOLD_RULES),
    help="Which of the thresholds that decide alike is shown (default observed, with --table spss).",
)
@option("--table", is_flag=True, help="Every cut-off, as SPSS lists them.")
@option("--sort", metavar="COLUMN", help="With --table: sort by this column, the largest first; sum or a metric.")
@option("--ascending", is_flag=True, help="With --sort: the smallest first.")
@option("--columns", metavar="A,B", help="With --table: these metrics instead (also tp, fp, fn, tn, sum).")
@option("--rows", type=int, metavar="N", help="With --table: the first N rows only.")
@option("--grey-zone", is_flag=True, help="Two cut-offs: rule out below one, rule in from the other (default 0.95).")
@option("--smooth", type=click.Choice(SMOOTHERS), help="Smooth the scores, or the criterion, first.")
@option("--span", type=float, metavar="SHARE", help="With --smooth loess: thresholds in each window (default 0.5).")
@level_option
@ci_option(PROPORTION_INTERVALS, default="wilson", help="Kind of interval of proportions")
@option("--bootstrap", is_flag=True, heading="Uncertainty", help="Interval of the cut-off, and its optimism.")
@resampling_options
@output_options
def cutoff(
    file: str,
    data: Data,
    criterion: str | None,
    costs: Costs,
    beta: float | None,
    target: str | None,
    trim: float | None,
    require: tuple[str, ...],
    thresholds: Any,
    table: bool,
    sort: str | None,
    ascending: bool,
    columns: str | None,
    rows: int | None,
    grey_zone: bool,
    smooth: str | None,
    span: float | None,
    level: float,
    ci: Any,
    bootstrap: bool,
    draws: Draws,
    output: Output,
    **limits: float | None,
) -> None:
    r"""Where to cut a score? The best cut-offs, their table and their uncertainty.

    One score is shown with all its tied optima, its confusion matrix and all metrics; several scores get one row each.

    \b
    Examples:
      roclab cutoff example --label outcome --positive deteriorated --score lactate
      roclab cutoff example --label outcome --positive deteriorated --score lactate \
          --score procalcitonin --score concern --thresholds spss
      roclab cutoff example --label outcome --positive deteriorated --score lactate \
          --table --sort sum --rows 10
      roclab cutoff example --label outcome --positive deteriorated --score lactate \
          --criterion cost --prevalence 0.1 --cost-fn 10
      roclab cutoff example --label outcome --positive deteriorated --score procalcitonin \
          --min-se 0.9 --min-npv 0.9
      roclab cutoff example --label outcome --positive deteriorated --score lactate --max-fpr 0.1
      roclab cutoff example --label outcome --positive deteriorated --score procalcitonin \
          --grey-zone --min-se 0.95 --min-sp 0.9
      roclab cutoff example --label outcome --positive deteriorated --score lactate \
          --bootstrap --replicates 200 --seed 1
      roclab cutoff example --label outcome --positive deteriorated --score lactate --smooth kernel
    """
    from roclab.cli import cutting

    output.spare(file)
    bounds = {name: value for name, value in limits.items() if value is not None}
    criteria: dict[str, object] = {
        "--criterion": criterion,
        "--beta": beta is not None,
        "--target": target,
        "--trim": trim is not None,
        "--require": require,
    }
    priced: dict[str, object] = dict.fromkeys(costs.option_names, True)
    bounded: dict[str, object] = {f"--{name.replace('_', '-')}": True for name in bounds}
    _check_question(
        {"--table": table, "--grey-zone": grey_zone, "--bootstrap": bootstrap, f"--smooth {smooth}": smooth is not None}
    )
    if not table:
        listing = {"--sort": sort, "--ascending": ascending, "--columns": columns, "--rows": rows is not None}
        for name, given in listing.items():
            if given:
                raise InputError("", f"{name} belongs to the whole table", Words("no --table"), "add it")
    if smooth != "loess" and span is not None:
        raise InputError("", "--span belongs to local regression", Words("no --smooth loess"), "add it")
    rule = thresholds or ("spss" if table else "observed")
    if table:
        refuse("--table lists every cut-off", criteria | priced | bounded)
        if ascending and sort is None:
            raise InputError("", "--ascending turns --sort around", Words("no --sort"), "cut-offs ascend without it")
        names = None if columns is None else names_of(columns, "--columns")
        cases = data.read(file)
        with saying(_WORDS):
            found = cutting.each(
                cases,
                lambda tally: cutting.table(tally, rule=rule, columns=names, sort=sort, ascending=ascending, head=rows),
            )
        output.show(found)
        return
    if grey_zone:
        refuse("--grey-zone has its two cut-offs from bounds such as --min-se and --min-sp", criteria | priced)
        out = {title: bounds[name] for name, title in _RULE_OUT.items() if name in bounds}
        into = {title: bounds[name] for name, title in _RULE_IN.items() if name in bounds}
        cases = data.read(file)
        with saying(_WORDS):
            output.show(cutting.each(cases, lambda tally: cutting.grey(tally, rule_out=out, rule_in=into, rule=rule)))
        return
    if smooth is not None:
        refuse("--smooth looks at every threshold", {**bounded, "--require": require, "--thresholds": thresholds})
    asked = _asked(
        criterion,
        costs,
        bounds,
        require,
        beta=beta,
        target=target,
        trim=trim,
        rule=rule,
        shows_metrics=len(data.score) == 1,
        level=level,
        ci=ci,
    )
    cases = data.read(file)
    with saying(_WORDS):
        if smooth is not None:
            found = cutting.each(cases, lambda tally: asked.smoothed(tally, smooth, span))
            output.show(found, _matrix(asked, found))
        elif bootstrap:
            with draws.shown() as resampling:
                found = cutting.each(cases, lambda tally: asked.bootstrapped(tally, resampling, draws.seed))
            output.show(found, _matrix(asked, found))
        elif len(cases.names) == 1:
            output.show(asked.one(cases.tally()))
        else:
            each = tuple(asked.best(cases.tally(name)) for name in cases.names)
            output.show(cutting.CutoffTable(cutoffs=each))


def _check_question(asked: dict[str, bool]) -> None:
    given = [name for name, yes in asked.items() if yes]
    if len(given) > 1:
        raise InputError("", f"{given[0]} and {given[1]} are different questions", Words("both"), "ask one at a time")


def _asked(
    criterion: str | None,
    costs: Costs,
    limits: dict[str, float],
    require: tuple[str, ...],
    *,
    beta: float | None,
    target: str | None,
    trim: float | None,
    **shown: Any,
) -> Asked:
    """The question in the library's words."""
    from roclab.cli.cutting import Asked

    conditions: dict[str, Any] = {name: value for name, value in costs.given.items() if name != "prevalence"}
    conditions |= {name: value for name, value in (("beta", beta), ("trim", trim)) if value is not None}
    if target is not None:
        conditions["target"] = bounds_of([target], "--target")
        criterion = criterion or "target"
    elif criterion == "target":
        raise InputError(
            "", "--criterion target needs a metric and its value", Words("none"), "write --target sensitivity=0.9"
        )
    bounds = {title: limits[name] for name, title in (_RULE_OUT | _RULE_IN).items() if name in limits}
    bounds |= bounds_of(require, "--require")
    if criterion is None and set(bounds) == {"fpr"}:
        criterion = "neyman_pearson"
    if criterion == "neyman_pearson" and "fpr" in bounds:
        conditions["alpha"] = bounds.pop("fpr")
    if criterion == "required" and not bounds:
        raise InputError("", "--criterion required needs bounds", Words("none"), "write --min-se 0.9 for instance")
    return Asked(
        criterion=criterion,
        conditions=conditions,
        bounds=bounds,
        prevalence=costs.prevalence,
        **shown,
    )


def _matrix(asked: Asked, found: Any) -> list[str]:
    """What the cut-off of one score does to the cases."""
    from roclab.cli import cutting
    from roclab.decisions.cutoff_bootstrap import CutoffBootstrap
    from roclab.decisions.smooth_cutoffs import SmoothCutoff

    if isinstance(found, SmoothCutoff) and found.point.matrix is not None:
        return [asked.decision(found.point.matrix).tables(), "", cutting.SAME_CASES]
    if isinstance(found, CutoffBootstrap):
        return [asked.decision(found.cutoff.best.matrix).tables(), "", found.cutoff.sample.describe()]
    return []
