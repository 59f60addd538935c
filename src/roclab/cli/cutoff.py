"""``roclab cutoff``: where to cut a score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.data import table_of_file
from roclab.cli.shared.options import (
    Costs,
    Draws,
    ci_option,
    cost_options,
    data_options,
    level_option,
    output_options,
    resampling_options,
)
from roclab.cli.shared.output import Output, each_score
from roclab.cli.shared.parsing import bounds_of, names_of, refuse, requirements_of
from roclab.cli.shared.wording import saying
from roclab.errors import InputError, Words
from roclab.names import CRITERIA, CUTOFF_SMOOTHERS, GOALS, PROPORTION_INTERVALS, THRESHOLD_RULES

if TYPE_CHECKING:
    from roclab.cli.shared.data import Data

# Bounds by the names of the library; those of the left column say when a negative call is safe.
_RULE_OUT = {"min_se": "sensitivity", "min_npv": "npv", "max_lr_minus": "lr_minus"}
_RULE_IN = {"min_sp": "specificity", "min_ppv": "ppv", "min_lr": "lr_plus", "max_fpr": "fpr"}
_WORDS = {"alpha": "--max-fpr", "rule": "--thresholds"}


@click.command(cls=Command)
@file_argument()
@data_options
@option(
    "--criterion",
    metavar="NAME",
    help=f"What to do best (default youden): {', '.join(CRITERIA)}; any metric, as accuracy, f1, mcc, jaccard; "
    "or required, the rate that the bounds leave open.",
)
@cost_options
@option("--beta", type=float, metavar="B", help="For f_beta: recall weighs B times as much.")
@option("--alpha", type=float, metavar="A", help="For f_alpha: weight of the precision, 0 to 1.")
@option("--target", metavar="METRIC=VALUE", help="For target: come closest to this value of a metric.")
@option("--trim", type=float, metavar="SHARE", help="For min_p: least share of cases on each side.")
@option("--min-se", type=float, metavar="RATE", help="Least sensitivity.")
@option("--min-sp", type=float, metavar="RATE", help="Least specificity.")
@option("--min-ppv", type=float, metavar="RATE", help="Least positive predictive value.")
@option("--min-npv", type=float, metavar="RATE", help="Least negative predictive value.")
@option("--min-lr", type=float, metavar="RATIO", help="Least positive likelihood ratio.")
@option("--max-lr-minus", type=float, metavar="RATIO", help="Largest negative likelihood ratio.")
@option("--max-fpr", type=float, metavar="RATE", help="Largest false positive rate; alone it asks for neyman_pearson.")
@option(
    "--require",
    metavar="METRIC=BOUND",
    multiple=True,
    help="A bound on any metric, lower where higher is better; METRIC>=BOUND or METRIC<=BOUND says which; repeatable.",
)
@option("--goal", type=click.Choice(GOALS), help="Which end of the criterion is better, where that is not its own.")
@option(
    "--thresholds",
    type=click.Choice(THRESHOLD_RULES),
    help="Which of the thresholds that decide alike is shown (default observed, with --table spss).",
)
@option("--table", is_flag=True, help="Every cut-off, as SPSS lists them.")
@option("--sort", metavar="COLUMN", help="With --table: sort by this column, the largest first; sum or a metric.")
@option("--ascending", is_flag=True, help="With --sort: the smallest first.")
@option(
    "--columns",
    metavar="A,B",
    help="With --table: these metrics instead (also tp, fp, fn, tn, sum, and criteria such as cost).",
)
@option("--peaks", metavar="NAME", help="With --table: only where this metric or criterion beats its neighbours.")
@option("--rows", type=int, metavar="N", help="With --table: the first N rows only.")
@option("--apply", metavar="FILE", help="Call the cases of another file by the best cut-off; its score column as here.")
@option("--grey-zone", is_flag=True, help="Two cut-offs: rule out below one, rule in from the other (default 0.95).")
@option("--smooth", type=click.Choice(CUTOFF_SMOOTHERS), help="Smooth the scores, or the criterion, first.")
@option("--span", type=float, metavar="SHARE", help="With --smooth loess: thresholds in each window (default 0.5).")
@level_option
@ci_option(PROPORTION_INTERVALS, default="wilson", help="Kind of interval of proportions")
@option("--bootstrap", is_flag=True, heading="Uncertainty", help="Interval of the cut-off, and its optimism.")
@option("--follow", metavar="A,B", heading="Uncertainty", help="With --bootstrap: intervals of these metrics too.")
@option("--null", type=float, metavar="T", heading="Uncertainty", help="With --bootstrap: could the cut-off be T?")
@resampling_options
@output_options
def cutoff(
    file: str,
    data: Data,
    criterion: str | None,
    costs: Costs,
    beta: float | None,
    alpha: float | None,
    target: str | None,
    trim: float | None,
    require: tuple[str, ...],
    goal: Any,
    thresholds: Any,
    table: bool,
    sort: str | None,
    ascending: bool,
    columns: str | None,
    peaks: str | None,
    rows: int | None,
    apply: str | None,
    grey_zone: bool,
    smooth: Any,
    span: float | None,
    level: float,
    ci: Any,
    bootstrap: bool,
    follow: str | None,
    null: float | None,
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
    import roclab as rl

    output.spare(file)
    bounds = {name: value for name, value in limits.items() if value is not None}
    criteria: dict[str, object] = {
        "--criterion": criterion,
        "--target": target,
        "--trim": trim is not None,
        "--require": require,
        "--goal": goal,
    }
    weighed: dict[str, object] = {"--beta": beta is not None, "--alpha": alpha is not None}
    priced: dict[str, object] = dict.fromkeys(costs.option_names, True)
    bounded: dict[str, object] = {f"--{name.replace('_', '-')}": True for name in bounds}
    _check_question(
        {
            "--table": table,
            "--grey-zone": grey_zone,
            "--bootstrap": bootstrap,
            f"--smooth {smooth}": smooth is not None,
            "--apply": apply is not None,
        }
    )
    if not table:
        listing = {"--sort": sort, "--ascending": ascending, "--columns": columns, "--peaks": peaks}
        listing["--rows"] = rows is not None
        for name, given in listing.items():
            if given:
                raise InputError(name, "belongs to the whole table", Words("no --table"), "add it")
    if smooth != "loess" and span is not None:
        raise InputError("--span", "belongs to local regression", Words("no --smooth loess"), "add it")
    if not bootstrap:
        for name, given in {"--follow": follow is not None, "--null": null is not None}.items():
            if given:
                raise InputError(name, "belongs to the bootstrap", Words("no --bootstrap"), "add it")
    rule = thresholds or ("spss" if table else "observed")
    if table:
        refuse("--table lists every cut-off", criteria | bounded)
        if columns is None and peaks is None and sort is None:
            refuse("the usual columns of --table take no conditions", weighed | priced)
        if ascending and sort is None:
            raise InputError("--ascending", "turns --sort around", Words("no --sort"), "cut-offs ascend without it")
        listed: dict[str, Any] = {
            "rule": rule,
            "columns": None if columns is None else names_of(columns, "--columns"),
            "sort_by": sort,
            "descending": not ascending,
            "head": rows,
            "peaks": peaks,
            "beta": beta,
            "alpha": alpha,
            **costs.given,
        }
        cases = data.read(file)
        with saying(_WORDS):
            found = each_score(cases, lambda one: rl.cutoff_table(one, **listed))
        output.show(found, layout=_to_the_last_row(found))
        return
    if grey_zone:
        refuse(
            "--grey-zone has its two cut-offs from bounds such as --min-se and --min-sp", criteria | weighed | priced
        )
        zone: dict[str, Any] = {
            "rule_out": {title: bounds[name] for name, title in _RULE_OUT.items() if name in bounds} or None,
            "rule_in": {title: bounds[name] for name, title in _RULE_IN.items() if name in bounds} or None,
            "rule": rule,
        }
        output.show(each_score(data.read(file), lambda cases: rl.grey_zone(cases, **zone)))
        return
    conditions = {"beta": beta, "alpha": alpha, "trim": trim, "goal": goal}
    asked = _asked(criterion, bounds, require, target=target, conditions=conditions) | costs.given
    cases = data.read(file)
    with saying(_WORDS):
        if smooth is not None:
            refuse("--smooth looks at every threshold", {**bounded, "--require": require, "--thresholds": thresholds})
            asked.pop("require")
            with draws.shown() as resampling:
                shape: dict[str, Any] = {} if span is None else {"span": span}
                shape |= {"resampling": resampling, "rng": draws.seed} if smooth == "bootstrap" else {}
                found = each_score(cases, lambda one: rl.smooth_cutoff(one, smoother=smooth, **shape, **asked))
            output.show(found)
            return
        asked["rule"] = rule
        if bootstrap:
            with draws.shown() as resampling:
                drawn: dict[str, Any] = {"level": level, "resampling": resampling, "rng": draws.seed}
                drawn["metrics"] = () if follow is None else names_of(follow, "--follow")
                found = each_score(cases, lambda one: _tested(rl.cutoff_stability(one, **asked, **drawn), null))
            output.show(found)
        elif apply is not None:
            output.show(_calls(rl.cutoff(data.read_one(file), **asked), apply, data))
        elif len(cases.names) == 1:
            output.show(rl.cutoff(cases, **asked, level=level, interval=ci))
        else:
            output.show(rl.cutoffs(cases, **asked))


def _to_the_last_row(found: Any) -> str:
    """Tables as text with every row, which a Python session would cut short."""
    if hasattr(found, "results"):
        return "\n\n\n".join(
            f"{name}\n{'-' * len(name)}\n{_to_the_last_row(one)}" for name, one in found.results.items()
        )
    return f"{found.text()}\n\n{found.sample.without_name().describe()}"


def _check_question(asked: dict[str, bool]) -> None:
    given = [name for name, yes in asked.items() if yes]
    if len(given) > 1:
        raise InputError("", f"{given[0]} and {given[1]} are different questions", Words("both"), "ask one at a time")


def _asked(
    criterion: str | None,
    limits: dict[str, float],
    require: tuple[str, ...],
    *,
    target: str | None,
    conditions: dict[str, Any],
) -> dict[str, Any]:
    """The question in the library's words."""
    asked: dict[str, Any] = {name: value for name, value in conditions.items() if value is not None}
    if target is not None:
        asked["target"] = bounds_of([target], "--target")
        criterion = criterion or "target"
    elif criterion == "target":
        raise InputError(
            "--criterion", "target needs a metric and its value", Words("none"), "write --target sensitivity=0.9"
        )
    bounds = {title: limits[name] for name, title in (_RULE_OUT | _RULE_IN).items() if name in limits}
    more = requirements_of(require, "--require")
    if criterion is None and set(bounds) == {"fpr"} and not more:
        criterion = "neyman_pearson"
    if criterion == "neyman_pearson" and "fpr" in bounds:
        asked["alpha"] = bounds.pop("fpr")
    if criterion == "required" and not bounds and not more:
        raise InputError("--criterion", "required needs bounds", Words("none"), "write --min-se 0.9 for instance")
    together = [*(f"{name} = {bound!r}" for name, bound in bounds.items()), *more] if more else bounds
    return asked | {"criterion": criterion, "require": together or None}


def _tested(found: Any, null: float | None) -> Any:
    return found if null is None else found.test(null)


def _calls(best: Any, other: str, data: Data) -> Any:
    """The cases of another file, called by the cut-off that was found in the first."""
    import roclab as rl

    name = best.cutoff.sample.score
    reading: dict[str, Any] = {"missing": data.missing, **data.reading()}
    found = rl.read_columns(table_of_file(other), [name], numeric=[name], **reading)
    return best.call(found[name])
