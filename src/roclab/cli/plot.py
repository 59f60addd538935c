"""``roclab plot``: every figure, as a file."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.data import table_of_file
from roclab.cli.shared.distributions import cdf_of, discrete_of
from roclab.cli.shared.options import (
    cost_options,
    data_options,
    fold_option,
    level_option,
    output_options,
    region_options,
    resampling_options,
)
from roclab.cli.shared.points import point_options
from roclab.cli.shared.wording import saying
from roclab.errors import InputError
from roclab.names import (
    BANDS,
    CURVE_AVERAGES,
    DISTRIBUTIONS,
    FIGURE_SIZES,
    FIGURES,
    ISO_METRICS,
    PLAIN_CRITERIA,
    READER_FIGURES,
    SMOOTH_MODELS,
    SPREADS_SHOWN,
)

if TYPE_CHECKING:
    from roclab.cli.shared.output import Output

__all__ = ["plot"]

_WORDS = {
    name: f"--{name.replace('_', '-')}"
    for name in (
        "at_threshold",
        "band",
        "bins",
        "cutoff",
        "estimator",
        "figure",
        "iso",
        "kind",
        "labels",
        "metric",
        "x",
        "y",
        "alpha",
        "at_fpr",
        "beta",
        "cdf",
        "digits",
        "how",
        "mirror",
        "shares",
        "spread_as",
        "specificity_axis",
    )
} | {"names": "--rename", "scenarios": "--scenario", "folds": "--fold"}


class _Labels(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """A number of thresholds, or all points."""

    name = "N|all"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | bool:
        """All as True."""
        if value == "all":
            return True
        count: int = click.IntRange(min=1).convert(value, param, ctx)
        return count


def _renaming(pairs: tuple[str, ...]) -> dict[str, str] | None:
    """Old to new names from OLD=NEW."""
    for pair in pairs:
        if "=" not in pair:
            raise InputError("--rename", "must say OLD=NEW", pair, "write --rename crp=CRP for instance")
    return dict(pair.split("=", 1) for pair in pairs) or None


@click.command(cls=Command)
@file_argument()
@data_options
@fold_option
@option("--figure", type=click.Choice(FIGURES), default="roc", help="Which figure.")
@option("--band", type=click.Choice(BANDS), help="roc: confidence band of the curve.")
@option("--staircase", is_flag=True, help="roc: keep every step of a long curve, which is thinned out otherwise.")
@option(
    "--labels",
    type=_Labels(),
    metavar="N|all",
    help="roc: write N thresholds along the curve; all: the coordinates of ready-made points.",
)
@option(
    "--at-threshold",
    type=float,
    multiple=True,
    metavar="T",
    help="roc: mark this threshold and its confidence box; combination: one per score; likelihood: cuts.",
)
@option(
    "--cutoff",
    type=click.Choice(PLAIN_CRITERIA),
    help="roc, distribution, metrics: mark the best cut-off; stability: its criterion.",
)
@region_options
@option("--kind", type=click.Choice(DISTRIBUTIONS), help="distribution: how to show it (default histogram).")
@option("--log", is_flag=True, help="distribution, metrics, stability: a logarithmic axis of scores.")
@option(
    "--bins",
    type=click.IntRange(min=1),
    metavar="N",
    help="distribution, calibration, likelihood, box_cox: how many bins.",
)
@option("--metric", metavar="NAME", multiple=True, help="metrics: which metric; repeatable.")
@option("--x", metavar="NAME", help="metrics: this measure against --y, coloured by the threshold.")
@option("--y", metavar="NAME", help="metrics: any metric or criterion, as ppv, cost, f_alpha.")
@option("--alpha", type=float, metavar="A", help="metrics: weight of the precision in f_alpha.")
@option("--beta", type=float, metavar="B", help="metrics: weight of the recall in f_beta.")
@option("--iso", type=click.Choice(ISO_METRICS), help="iso: lines of which metric (default accuracy).")
@option("--troc-space", is_flag=True, help="iso: in tROC space, where the lines are parabolas.")
@option(
    "--estimator",
    "--method",
    type=click.Choice(SMOOTH_MODELS),
    multiple=True,
    help="smooth: curve to fit; distribution: densities; repeatable.",
)
@option("--how", type=click.Choice(CURVE_AVERAGES), help="average: over what (default vertical).")
@option("--spread-as", type=click.Choice(SPREADS_SHOWN), help="average: how to show its spread (default bars).")
@option("--mirror", is_flag=True, help="troc, roc: the mirror image of each curve too.")
@option(
    "--scenario",
    type=(str, float, float, float),
    multiple=True,
    metavar="NAME P C_FP C_FN",
    help="hull: a line of equal cost for this prevalence and these costs; repeatable.",
)
@option(
    "--shares",
    type=float,
    nargs=3,
    metavar="LOW MODE HIGH",
    help="lc: plausible shares of a false positive in the cost of both errors.",
)
@option("--at-fpr", type=float, metavar="F", help="combination: the classifier between two with this rate.")
@option("--cdf", metavar="NAME:NUMBERS", help="cdf: uniform:LOW,HIGH, normal:MEAN,SD or exponential:RATE.")
@option("--discrete", metavar="VALUE=P,...", help="cdf: values and their probabilities, also as 1/5.")
@cost_options
@option("--percent", is_flag=True, help="Axes in percent instead of fractions.")
@option("--size", type=click.Choice(FIGURE_SIZES), default="single", help="Width: one column (85 mm) or two (180 mm).")
@option("--specificity-axis", is_flag=True, help="Specificity from 1 to 0 instead of the false positive rate.")
@option("--digits", type=click.IntRange(min=1), metavar="N", help="Decimals of the numbers in the legend (default 4).")
@option("--title", metavar="TEXT", help="A title above the figure.")
@option("--rename", metavar="OLD=NEW", multiple=True, help="Another name of a score, group or class; repeatable.")
@option("--x-label", metavar="TEXT", help="Name of the horizontal axis.")
@option("--y-label", metavar="TEXT", help="Name of the vertical axis.")
@point_options
@level_option
@resampling_options
@output_options
def plot(file: str, output: Output, **asked: Any) -> None:
    r"""What does it look like? Every figure as SVG, PDF or PNG.

    The ending of --out says which: .svg, .pdf or .png; without --out the figure goes to FIGURE.svg in this folder.
    Several scores are drawn together where that makes sense. The numbers that the figure shows are printed, with --json
    and --csv in every digit.

    \b
    Examples:
      roclab plot example --label outcome --positive deteriorated \
          --score procalcitonin --score lactate
      roclab plot example --label outcome --positive deteriorated --score lactate \
          --band pointwise --cutoff youden --out lactate.pdf
      roclab plot example --label outcome --positive deteriorated --score lactate \
          --fpr 0 0.2 --percent --title Lactate
      roclab plot example --label outcome --positive deteriorated --score procalcitonin \
          --figure distribution --log --cutoff youden
      roclab plot example --label outcome --positive deteriorated --score lactate \
          --figure metrics --x recall --y precision --cutoff youden
      roclab plot example --label outcome --positive deteriorated --score lactate \
          --figure smooth --estimator binormal --estimator kernel_k1
      roclab plot example --label outcome --positive deteriorated --score lactate \
          --figure average --fold ward
      roclab plot example --label outcome --positive deteriorated \
          --score procalcitonin --score lactate --score concern --figure forest --size double
      roclab plot example --label outcome --positive deteriorated --score lactate \
          --specificity-axis --digits 2 --rename lactate=Lactate
      roclab plot example --label outcome --positive deteriorated --score lactate --score concern \
          --figure hull --scenario ward 0.3 1 2 --scenario screening 0.02 1 20
      roclab plot example --label outcome --positive deteriorated --score lactate \
          --figure likelihood --at-threshold 1 --at-threshold 2 --at-threshold 4
      roclab plot wines --label grape --score barbera --score barolo --score gamay \
          --figure multiclass --out grapes.png
    """
    out = f"{asked['figure']}.svg" if output.out is None else output.out
    replace(output, out=out).spare(file)

    from roclab.plots.by_name import figure
    from roclab.plots.canvas import check_figure_place

    check_figure_place(out, name="--out")
    data, draws = asked.pop("data"), asked.pop("draws")
    keywords = asked.pop("region").keywords | asked.pop("costs").given
    asked.pop("fold", None)
    asked["names"] = _renaming(asked.pop("rename"))
    asked["scenarios"] = {name: tuple(values) for name, *values in asked.pop("scenario")} or None
    given: Any = None if asked["figure"] == "design" else table_of_file(file)
    if asked["cdf"] is not None:
        asked["cdf"] = cdf_of(asked["cdf"])[0]
    discrete = asked.pop("discrete")
    if discrete is not None:
        asked["support"], asked["probabilities"] = discrete_of(discrete)
    curves = asked.pop("points").curves(file, data)
    if curves is not None:
        given = curves
    elif asked["figure"] in ("multiclass", "combination", "cdf", *READER_FIGURES):  # which read other things than cases
        keywords |= data.keywords()
    elif asked["figure"] == "design":
        given = file
    else:
        given = data.read(file)
    with saying(_WORDS), draws.shown() as resampling:
        # A pointwise band needs no resampling, but takes it where something is said about it.
        drawn: dict[str, Any] = {"resampling": resampling, "rng": draws.seed}
        if asked["band"] == "pointwise" and not draws.asked:
            drawn = {}
        shown = figure(asked.pop("figure"), given, **drawn, **asked, **keywords)
    shown.save(out, name="--out")
    replace(output, out=None).show(replace(shown, file=out))
