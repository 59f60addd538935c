"""``roclab hull``: the joint hull of several classifiers, and their costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from roclab.cli.data import Data
from roclab.cli.options import Command, Costs, cost_options, data_options, file_argument, option, output_options
from roclab.cli.output import Output
from roclab.cli.parsing import refuse
from roclab.cli.wording import saying
from roclab.errors import InputError, Words

if TYPE_CHECKING:
    from roclab.data.tally import Tally
    from roclab.results import Result


@click.command(cls=Command)
@file_argument("files", metavar="[FILE]...", nargs=-1)
@data_options
@option("--point", metavar="NAME:FPR,TPR", multiple=True, help="A classifier known by its rates; repeatable.")
@cost_options
@option("--prevalences", type=float, nargs=2, metavar="LOW HIGH", help="Who is best within this range of prevalences.")
@option("--slopes", type=float, nargs=2, metavar="LOW HIGH", help="Who is best within this range of slopes.")
@option("--vertices", is_flag=True, help="Every vertex of the hull, with its threshold.")
@option("--add", metavar="NAME", help="What this classifier changes when it joins the others.")
@option("--cost-curve", is_flag=True, help="Over which conditions each of two classifiers is cheaper.")
@option(
    "--lc",
    type=float,
    nargs=3,
    metavar="LOW MODE HIGH",
    help="LC index of pairs: smallest, likeliest and largest share of a false positive in the cost.",
)
@option("--h-measure", is_flag=True, help="H-measure of each score, with the numbers read beside it.")
@option("--shape", type=float, nargs=2, metavar="A B", help="With --h-measure: a Beta(A, B) prior (default 2 2).")
@option("--severity-ratio", metavar="R", help="With --h-measure: cost of a false positive per false negative, or data.")
@option("--net-benefit", is_flag=True, help="Decision curve; scores must be predicted probabilities.")
@option("--at", type=float, multiple=True, metavar="P", help="With --net-benefit: threshold probability; repeatable.")
@output_options
def hull(
    files: tuple[str, ...],
    data: Data,
    point: tuple[str, ...],
    costs: Costs,
    prevalences: tuple[float, float] | None,
    slopes: tuple[float, float] | None,
    vertices: bool,
    add: str | None,
    cost_curve: bool,
    lc: tuple[float, float, float] | None,
    h_measure: bool,
    shape: tuple[float, float] | None,
    severity_ratio: str | None,
    net_benefit: bool,
    at: tuple[float, ...],
    output: Output,
) -> None:
    r"""Which classifier is best for which prevalence and costs?

    Classifiers are the scores of one FILE, one score of each of several FILEs, and points by --point. A classifier on
    the hull is best between its two slopes, those of the lines of equal cost:
    (1 - prevalence) cost-fp / (prevalence cost-fn).

    \b
    Examples:
      roclab hull example --label outcome --positive deteriorated \
          --score lactate --score procalcitonin --score concern
      roclab hull --point a:0.1,0.5 --point b:0.4,0.8 --point c:0.3,0.4
      roclab hull example --label outcome --positive deteriorated \
          --score lactate --score procalcitonin --prevalence 0.1 --cost-fn 5
      roclab hull example --label outcome --positive deteriorated \
          --score lactate --score procalcitonin --prevalences 0.05 0.3 --cost-fn 5
      roclab hull example --label outcome --positive deteriorated \
          --score lactate --score concern --point nurse:0.1,0.7 --add nurse
      roclab hull example --label outcome --positive deteriorated \
          --score lactate --score concern --lc 0.05 0.1 0.3 --prevalence 0.3
      roclab hull example --label outcome --positive deteriorated \
          --score lactate --score procalcitonin --h-measure
    """
    from roclab.cli import hulling
    from roclab.cli.answers import who
    from roclab.decisions.hull_table import hull_table

    questions = {
        "--prevalences": prevalences is not None,
        "--slopes": slopes is not None,
        "--vertices": vertices,
        "--add": add is not None,
        "--cost-curve": cost_curve,
        "--lc": lc is not None,
        "--h-measure": h_measure,
        "--net-benefit": net_benefit,
    }
    asked = [name for name, given in questions.items() if given]
    _check_question(asked, costs, shape=shape, severity_ratio=severity_ratio, at=at)
    output.spare(*files)
    if not files:
        parts = {"--label": data.label, "--score": data.score, "--weight": data.weight}
        refuse("columns need a FILE that holds them", parts)
        if not point:
            raise InputError("", "a hull needs a FILE with scores, or classifiers by --point", Words("neither"))
    if h_measure or net_benefit:
        refuse(f"{asked[0]} needs the cases of scores", {"--point": point})
    tallies = data.tallies(files) if files else {}
    notes = who({name: tally.sample for name, tally in tallies.items()})
    if h_measure:
        output.show(_h_measures(tallies, shape, severity_ratio, costs), notes)
        return
    if net_benefit:
        _show_net_benefit(tallies, at, costs, notes, output)
        return
    curves = hulling.classifiers(tallies, point)
    if cost_curve:
        words = "conditions: share of the positives in prior times cost, π c_FN / (π c_FN + (1 - π) c_FP)"
        output.show(hulling.cost_pairs(curves), [words, *notes])
    elif lc is not None:
        with saying({"interval": "--lc", "mode": "the middle number of --lc"}):
            output.show(hulling.lc_pairs(curves, lc, costs.conditions()["prevalence"]), notes)
    elif add is not None:
        if add not in curves:
            raise InputError("--add", f"must name one of the classifiers {', '.join(curves)}", add)
        rest = {name: curve for name, curve in curves.items() if name != add}
        if not rest:
            raise InputError(
                "--add", "needs classifiers to join", Words(f"{add} only"), "name another --score or --point"
            )
        output.show(hull_table(rest).adding(add, curves[add]), notes)
    else:
        table = hull_table(curves)
        if vertices:
            output.show(hulling.Vertices(vertices=table.vertices, area=table.area), notes)
        elif slopes is not None:
            with saying({"low": "the first slope", "high": "the second"}):
                output.show(hulling.Ranges(ranges=table.between(*slopes), costs=None), notes)
        elif prevalences is not None:
            with saying({"low": "the first prevalence", "high": "the second"}):
                found = table.for_prevalences(*prevalences, **costs.given)
            output.show(hulling.Ranges(ranges=found, costs=costs.given), notes)
        elif costs.given:
            output.show(hulling.choice(table, curves, costs.conditions()), notes)
        else:
            output.show(table, notes)


def _check_question(
    asked: list[str],
    costs: Costs,
    *,
    shape: tuple[float, float] | None,
    severity_ratio: str | None,
    at: tuple[float, ...],
) -> None:
    if len(asked) > 1:
        raise InputError("", f"{asked[0]} and {asked[1]} are different questions", Words("both"), "ask one at a time")
    question = asked[0] if asked else ""
    if question != "--h-measure":
        refuse("the prior of costs belongs to --h-measure", {"--shape": shape, "--severity-ratio": severity_ratio})
    if question != "--net-benefit":
        refuse("threshold probabilities belong to --net-benefit", {"--at": at})
    prevalence: dict[str, object] = {"--prevalence": costs.prevalence is not None}
    both: dict[str, object] = {"--cost-fp": costs.cost_fp is not None, "--cost-fn": costs.cost_fn is not None}
    if question == "--prevalences":
        refuse("--prevalences is a range of them", prevalence)
    elif question in ("--slopes", "--vertices", "--add", "--cost-curve"):
        refuse(f"{question} holds for all prevalences and costs", prevalence | both)
    elif question in ("--lc", "--h-measure", "--net-benefit"):
        refuse(f"{question} has its own way to weigh costs", both)
    if question == "--lc" and costs.prevalence is None:
        raise InputError("--lc", "needs the share of positive cases", Words("none"), "write --prevalence 0.1 for 10%")


def _h_measures(
    tallies: Mapping[str, Tally], shape: tuple[float, float] | None, severity_ratio: str | None, costs: Costs
) -> Result:
    from roclab.cli import hulling

    ratio: Any = severity_ratio
    if severity_ratio not in (None, "data"):
        try:
            ratio = float(severity_ratio)
        except ValueError:
            raise InputError("--severity-ratio", "must be a number or data", severity_ratio) from None
    with saying({"shape and": "--shape and", "shape or by": "--shape or by", "shape must": "--shape must"}):
        return hulling.h_measures(tallies, shape=shape, ratio=ratio, prevalence=costs.prevalence)


def _show_net_benefit(
    tallies: Mapping[str, Tally], at: tuple[float, ...], costs: Costs, notes: list[str], output: Output
) -> None:
    from roclab.decisions.net_benefit import decision_curve

    with saying({"probabilities must": "--at must"}):
        found = decision_curve(tallies, probabilities=list(at) or None, prevalence=costs.prevalence)
    useful = [f"{name}: {_stretch(found.useful(name))}" for name in tallies]
    said = ["threshold probabilities at which a score beats treating all and treating none:", *useful]
    output.show(found, [*said, f"prevalence {found.prevalence:.4g}", *notes])


def _stretch(values: Any) -> str:
    if values.size == 0:
        return "none of those shown"
    return f"{values.size} of those shown, from {values.min():g} to {values.max():g}"
