"""``roclab hull``: the joint hull of several classifiers, and their costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.derived import given, keyword_options, priced
from roclab.cli.shared.options import data_options, output_options
from roclab.cli.shared.parsing import point_of, refuse
from roclab.cli.shared.points import PointOptions, point_options
from roclab.cli.shared.wording import saying
from roclab.errors import InputError, Words
from roclab.options.criterion import BenefitKeywords

if TYPE_CHECKING:
    from roclab.cli.shared.data import Data
    from roclab.cli.shared.output import Output


@click.command(cls=Command)
@file_argument("files", metavar="[FILE]...", nargs=-1)
@data_options
@point_options
@option("--point", metavar="NAME:FPR,TPR", multiple=True, help="A classifier known by its rates; repeatable.")
@keyword_options(BenefitKeywords, into="costs")
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
@option("--crossings", is_flag=True, help="Who is highest at which false positive rate, and where curves cross.")
@option("--pareto", is_flag=True, help="The points that no other point beats.")
@output_options
def hull(
    files: tuple[str, ...],
    data: Data,
    point: tuple[str, ...],
    costs: dict[str, Any],
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
    crossings: bool,
    pareto: bool,
    points: PointOptions,
    output: Output,
) -> None:
    r"""Which classifier is best for which prevalence and costs?

    Classifiers are the scores of one FILE, one score of each of several FILEs, and points by --point. A classifier on
    the hull is best between its two slopes, those of the lines of equal cost:
    (1 - prevalence) (cost-fp + benefit-tn) / (prevalence (cost-fn + benefit-tp)).

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
    import roclab as rl
    from roclab.analysis.roc import rocs

    questions = {
        "--prevalences": prevalences is not None,
        "--slopes": slopes is not None,
        "--vertices": vertices,
        "--add": add is not None,
        "--cost-curve": cost_curve,
        "--lc": lc is not None,
        "--h-measure": h_measure,
        "--net-benefit": net_benefit,
        "--crossings": crossings,
        "--pareto": pareto,
    }
    asked = [name for name, given in questions.items() if given]
    _check_question(asked, costs, shape=shape, severity_ratio=severity_ratio, at=at)
    refuse("a hull is one of all cases", {"--by": data.by})
    output.spare(*files)
    if not files:
        refuse("columns need a FILE that holds them", data.columns)
        if not point:
            raise InputError("", "a hull needs a FILE with scores, or classifiers by --point", Words("neither"))
    if h_measure or net_benefit:
        refuse(f"{asked[0]} needs the cases of scores", {"--point": point})
    found: dict[str, Any] = {}
    curves = points.curves(files[0], data) if len(files) == 1 else None
    if curves is not None:
        found = curves
    elif len(files) == 1:
        found = dict(rocs(data.read(files[0])))
    elif files:
        found = {name: rl.roc(cases) for name, cases in data.read_each(files).items()}
    notes = _who(found)
    for name, some in _points(point).items():
        if name in found:
            raise InputError(
                "--point", "must have a name of its own", Words(f"{name!r}, which is a score"), "choose another"
            )
        found[name] = some
    if h_measure:
        ratio = _ratio(severity_ratio)
        asked_h: dict[str, Any] = {"shape": shape, "severity_ratio": ratio, "prevalence": costs.get("prevalence")}
        output.show(rl.classifiers.h_measures(found, **asked_h), notes)
    elif net_benefit:
        curve = rl.net_benefit(found, probabilities=list(at) or None, prevalence=costs.get("prevalence"))
        output.show(curve, notes)
    elif cost_curve:
        words = "conditions: share of the positives in prior times cost, π c_FN / (π c_FN + (1 - π) c_FP)"
        output.show(rl.classifiers.compare_classifier_costs(found), [words, *notes])
    elif lc is not None:
        output.show(rl.classifiers.lc_index(found, shares=lc, prevalence=costs["prevalence"]), notes)
    elif crossings:
        output.show(rl.classifiers.dominance(found), notes)
    elif pareto:
        output.show(rl.classifiers.pareto_front(found), notes)
    elif add is not None:
        output.show(rl.classifiers.hull_contribution(found, add=add), notes)
    elif slopes is not None:
        with saying({"low": "the first slope", "high": "the second"}):
            output.show(rl.classifiers.hull_ranges(found, slopes=slopes), notes)
    elif prevalences is not None:
        with saying({"low": "the first prevalence", "high": "the second"}):
            output.show(rl.classifiers.hull_ranges(found, prevalences=prevalences, **costs), notes)
    elif costs:
        output.show(rl.classifiers.best_classifier(found, **priced(costs)), notes)
    else:
        table = rl.hull(found)
        output.show(table.vertex_table() if vertices else table, notes)


def _who(found: Mapping[str, Any]) -> list[str]:
    """Who was analysed: one line for all scores where it is the same, else one for each; points have nobody."""
    words = {name: one.circumstances for name, one in found.items() if one.tally is not None}
    if len(set(words.values())) > 1:
        return [f"{name}: {text}" for name, text in words.items()]
    return list(words.values())[:1]


def _points(texts: tuple[str, ...]) -> dict[str, list[tuple[float, float]]]:
    """Points of discrete classifiers by name."""
    found: dict[str, list[tuple[float, float]]] = {}
    for text in texts:
        name, colon, rates = text.rpartition(":")
        if not colon or not name.strip():
            raise InputError("--point", "must be written NAME:FPR,TPR", text, "for instance nurse:0.1,0.7")
        found.setdefault(name.strip(), []).append(point_of(rates, "--point", "NAME:FPR,TPR"))
    return found


def _ratio(text: str | None) -> Any:
    if text is None or text == "data":
        return text
    try:
        return float(text)
    except ValueError:
        raise InputError("--severity-ratio", "must be a number or data", text) from None


def _check_question(
    asked: list[str],
    costs: dict[str, Any],
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
    prevalence, both = given(costs, "prevalence"), given(costs, "cost_fp", "cost_fn", "benefit_tp", "benefit_tn")
    if question == "--prevalences":
        refuse("--prevalences is a range of them", prevalence)
    elif question in ("--slopes", "--vertices", "--add", "--cost-curve", "--crossings", "--pareto"):
        refuse(f"{question} holds for all prevalences and costs", prevalence | both)
    elif question in ("--lc", "--h-measure", "--net-benefit"):
        refuse(f"{question} has its own way to weigh costs", both)
    if question == "--lc" and "prevalence" not in costs:
        raise InputError("--lc", "needs the share of positive cases", Words("none"), "write --prevalence 0.1 for 10%")
