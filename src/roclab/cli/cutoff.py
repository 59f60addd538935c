"""``roclab cutoff``: where to cut a score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.data import table_of_file
from roclab.cli.shared.derived import given, keyword_options
from roclab.cli.shared.follow_up import follow_up_options, followed_table, only_these, show_and_draw
from roclab.cli.shared.options import Draws, data_options, output_options, resampling_options
from roclab.cli.shared.output import Output, each_score
from roclab.cli.shared.parsing import names_of, refuse
from roclab.cli.shared.wording import saying
from roclab.errors import InputError, Words
from roclab.names import CUTOFF_SMOOTHERS
from roclab.options.conventions import ConventionKeywords
from roclab.options.criterion import CriterionKeywords, PromiseKeywords
from roclab.options.group import options_of
from roclab.options.uncertainty import ProportionKeywords

if TYPE_CHECKING:
    from roclab.cli.shared.data import Data

# Bounds by the names of the library; those of the left column say when a negative call is safe.
_RULE_OUT = {"min_se": "sensitivity", "min_npv": "npv", "max_lr_minus": "lr_minus"}
_RULE_IN = {"min_sp": "specificity", "min_ppv": "ppv", "min_lr": "lr_plus"}
_WEIGHED = ("beta", "alpha", "prevalence", "cost_fp", "cost_fn", "benefit_tp", "benefit_tn")


@click.command(cls=Command)
@file_argument()
@data_options
@keyword_options(PromiseKeywords, into="promise")
@keyword_options(CriterionKeywords, max_fpr="Largest false positive rate; alone it asks for neyman_pearson")
@option("--min-se", type=float, metavar="RATE", help="Least sensitivity.")
@option("--min-sp", type=float, metavar="RATE", help="Least specificity.")
@option("--min-ppv", type=float, metavar="RATE", help="Least positive predictive value.")
@option("--min-npv", type=float, metavar="RATE", help="Least negative predictive value.")
@option("--min-lr", type=float, metavar="RATIO", help="Least positive likelihood ratio.")
@option("--max-lr-minus", type=float, metavar="RATIO", help="Largest negative likelihood ratio.")
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
@keyword_options(ProportionKeywords, into="uncertainty")
@keyword_options(ConventionKeywords, into="theirs")
@follow_up_options(drawn=True)
@option("--bootstrap", is_flag=True, heading="Uncertainty", help="Interval of the cut-off, and its optimism.")
@option("--follow", metavar="A,B", heading="Uncertainty", help="With --bootstrap: intervals of these metrics too.")
@option("--null", type=float, metavar="T", heading="Uncertainty", help="With --bootstrap: could the cut-off be T?")
@resampling_options
@output_options
def cutoff(
    file: str,
    data: Data,
    asked: dict[str, Any],
    promise: dict[str, Any],
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
    uncertainty: dict[str, Any],
    theirs: dict[str, Any],
    followed: dict[str, Any],
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
      roclab cutoff example --label outcome --positive deteriorated --score procalcitonin \
          --min-se 0.8 --confidence 0.95
      roclab cutoff example --label outcome --positive deteriorated --score lactate --max-fpr 0.1
      roclab cutoff example --label outcome --positive deteriorated --score procalcitonin \
          --grey-zone --min-se 0.95 --min-sp 0.9
      roclab cutoff example --label outcome --positive deteriorated --score lactate \
          --bootstrap --replicates 200 --seed 1
      roclab cutoff followed --time days --event ended --cause relapse --competing death \
          --censored lost --score marker --horizon 730 --min-se 0.9
      roclab cutoff example --label outcome --positive deteriorated --score lactate --smooth kernel
    """
    import roclab as rl

    output.spare(file)
    bounds = {name: value for name, value in limits.items() if value is not None}
    if followed:
        only_these(*options_of(CriterionKeywords), *_RULE_OUT, *_RULE_IN, "level")
        table_columns = followed_table(file, data)
        with saying({"at": "--horizon"}):
            wanted = {**_with_bounds(asked, bounds), **followed, **uncertainty}
            show_and_draw(output, rl.cutoff(table_columns[0], **table_columns[1], **wanted))
        return
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
    _check_parts("--table", table, {
        "--sort": sort, "--ascending": ascending, "--columns": columns, "--peaks": peaks, "--rows": rows is not None,
    })  # fmt: skip
    _check_parts("--smooth loess", smooth == "loess", {"--span": span is not None})
    _check_parts("--bootstrap", bootstrap, {"--follow": follow, "--null": null is not None})
    for name, other in (("--smooth", smooth is not None), ("--bootstrap", bootstrap)):
        if promise and other:
            raise InputError(
                "--confidence", "promises the bounds of one cut-off", Words(f"{name} as well"), "leave it out"
            )
    data = data.as_program(theirs)
    if table:
        others = [name for name in asked if name not in (*_WEIGHED, "rule")]
        refuse("--table lists every cut-off", given(asked, *others) | bounded if others else bounded)
        if columns is None and peaks is None and sort is None:
            refuse("the usual columns of --table take no conditions", given(asked, *_WEIGHED))
        if ascending and sort is None:
            raise InputError("--ascending", "turns --sort around", Words("no --sort"), "cut-offs ascend without it")
        listed: dict[str, Any] = {
            "columns": None if columns is None else names_of(columns, "--columns"),
            "sort_by": sort,
            "descending": not ascending,
            "head": rows,
            "peaks": peaks,
        }
        found = each_score(data.read(file), lambda one: rl.cutoff_table(one, **asked, **promise, **theirs, **listed))
        output.show(found, layout=_to_the_last_row(found))
        return
    if grey_zone:
        refuse("--grey-zone has no conventions of other programs", given(theirs))
        others = [name for name in asked if name not in ("rule", "max_fpr")]
        refuse("--grey-zone has its two cut-offs from bounds such as --min-se and --min-sp",
               given(asked, *others) if others else {})  # fmt: skip
        ruling_in = _RULE_IN | {"max_fpr": "fpr"}
        edges = bounds | {name: value for name, value in asked.items() if name == "max_fpr"}
        zone: dict[str, Any] = {
            "rule_out": {title: edges[name] for name, title in _RULE_OUT.items() if name in edges} or None,
            "rule_in": {title: edges[name] for name, title in ruling_in.items() if name in edges} or None,
            **{name: value for name, value in asked.items() if name == "rule"},
            **promise,
        }
        output.show(each_score(data.read(file), lambda cases: rl.grey_zone(cases, **zone)))
        return
    asked = _with_bounds(asked, bounds)
    cases = data.read(file)
    if smooth is not None:
        refuse("--smooth looks at every threshold", {**bounded, **given(asked, "require", "rule"), **given(theirs)})
        with draws.shown() as resampling:
            shape: dict[str, Any] = {} if span is None else {"span": span}
            shape |= draws.keywords(resampling, always=smooth == "bootstrap")
            output.show(each_score(cases, lambda one: rl.smooth_cutoff(one, smoother=smooth, **shape, **asked)))
    elif bootstrap:
        with draws.shown() as resampling:
            drawn = draws.keywords(resampling) | {name: one for name, one in uncertainty.items() if name == "level"}
            drawn["metrics"] = () if follow is None else names_of(follow, "--follow")
            every = {**asked, **theirs, **drawn}
            output.show(each_score(cases, lambda one: _tested(rl.cutoff_stability(one, **every), null)))
    elif apply is not None:
        output.show(_calls(rl.cutoff(data.read_one(file), **asked, **promise, **theirs), apply, data))
    elif len(cases.names) == 1:
        output.show(rl.cutoff(cases, **asked, **promise, **theirs, **uncertainty))
    else:
        refuse("several scores get one row each, without intervals", given(uncertainty) if uncertainty else {})
        output.show(rl.cutoff(cases, **asked, **promise, **theirs))


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


def _check_parts(question: str, asked: bool, parts: dict[str, object]) -> None:
    """Refuse the options of a question that was not asked."""
    for name, part in parts.items():
        if part and not asked:
            raise InputError(name, f"belongs to {question}", Words(f"no {question}"), "add it")


def _with_bounds(asked: dict[str, Any], limits: dict[str, float]) -> dict[str, Any]:
    """The question with its bounds; --max-fpr is one, unless Neyman and Pearson's criterion is meant."""
    bounds = {title: limits[name] for name, title in (_RULE_OUT | _RULE_IN).items() if name in limits}
    criterion, more = asked.get("criterion"), asked.get("require")
    if criterion is None and "target" in asked:
        criterion = "target"
    if "max_fpr" in asked and (criterion not in (None, "neyman_pearson") or bounds or more):
        bounds["fpr"] = asked["max_fpr"]
        asked = {name: value for name, value in asked.items() if name != "max_fpr"}
    elif criterion is None and "max_fpr" in asked:
        criterion = "neyman_pearson"
    if criterion == "required" and not bounds and not more:
        raise InputError("--criterion", "required needs bounds", Words("none"), "write --min-se 0.9 for instance")
    together = [*(f"{name} = {bound!r}" for name, bound in bounds.items()), *more] if more else bounds
    asked = asked | ({"require": together} if together else {})
    return asked | ({} if criterion is None else {"criterion": criterion})


def _tested(found: Any, null: float | None) -> Any:
    return found if null is None else found.test(null)


def _calls(best: Any, other: str, data: Data) -> Any:
    """The cases of another file, called by the cut-off that was found in the first."""
    import roclab as rl

    name = best.cutoff.sample.score
    columns = rl.read_columns(table_of_file(other), [name], numeric=[name], **data.reading(missing=True))
    return best.call(columns[name])
