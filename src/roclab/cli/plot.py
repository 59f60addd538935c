"""``roclab plot``: every figure, as a file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import click

from roclab.cli.data import Data
from roclab.cli.options import (
    Command,
    Costs,
    Draws,
    Region,
    cost_options,
    data_options,
    file_argument,
    fold_option,
    level_option,
    option,
    output_options,
    region_options,
    resampling_options,
)
from roclab.cli.output import Output
from roclab.cli.parsing import refuse
from roclab.errors import InputError, Words
from roclab.names import BANDS, DISTRIBUTIONS, FIGURE_SIZES, FIGURES, ISO_METRICS, PLAIN_CRITERIA, SMOOTH_MODELS

__all__ = ["Request", "plot"]

# Options that mean something for some figures only; with others they are refused, not ignored.
_ONLY_FOR = {
    "band": ("roc",),
    "staircase": ("roc",),
    "labels": ("roc",),
    "at_threshold": ("roc",),
    "cutoff": ("roc", "distribution", "metrics"),
    "fold": ("average",),
    "kind": ("distribution",),
    "log": ("distribution", "metrics"),
    "bins": ("distribution", "calibration"),
    "metric": ("metrics",),
    "iso": ("iso",),
    "troc_space": ("iso",),
    "method": ("smooth",),
    "percent": ("roc", "troc", "pr", "gain", "lift", "hull", "iso", "smooth", "average", "calibration", "decision",
                "multiclass"),
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is to be drawn, and how."""

    file: str
    data: Data
    figure: str
    region: Region
    costs: Costs
    draws: Draws
    level: float
    band: str | None
    staircase: bool
    labels: int | None
    at_threshold: tuple[float, ...]
    cutoff: str | None
    kind: str | None
    log: bool
    bins: int | None
    metric: tuple[str, ...]
    iso: str | None
    troc_space: bool
    method: tuple[str, ...]
    percent: bool
    size: Any


@click.command(cls=Command)
@file_argument()
@data_options
@fold_option
@option("--figure", type=click.Choice(FIGURES), default="roc", help="Which figure.")
@option("--band", type=click.Choice(BANDS), help="roc: confidence band of the curve.")
@option("--staircase", is_flag=True, help="roc: cross tied scores to the right, then up, not diagonally.")
@option("--labels", type=click.IntRange(min=1), metavar="N", help="roc: write N thresholds along the curve.")
@option(
    "--at-threshold", type=float, multiple=True, metavar="T", help="roc: mark this threshold and its confidence box."
)
@option("--cutoff", type=click.Choice(PLAIN_CRITERIA), help="roc, distribution, metrics: mark the best cut-off.")
@region_options
@option("--kind", type=click.Choice(DISTRIBUTIONS), help="distribution: how to show it (default histogram).")
@option("--log", is_flag=True, help="distribution, metrics: a logarithmic axis of scores.")
@option("--bins", type=click.IntRange(min=1), metavar="N", help="distribution, calibration: how many bins.")
@option("--metric", metavar="NAME", multiple=True, help="metrics: which metric; repeatable.")
@option("--iso", type=click.Choice(ISO_METRICS), help="iso: lines of which metric (default accuracy).")
@option("--troc-space", is_flag=True, help="iso: in tROC space, where the lines are parabolas.")
@option("--method", type=click.Choice(SMOOTH_MODELS), multiple=True, help="smooth: curve to fit; repeatable.")
@cost_options
@option("--percent", is_flag=True, help="Axes in percent instead of fractions.")
@option("--size", type=click.Choice(FIGURE_SIZES), default="single", help="Width: one column (85 mm) or two (180 mm).")
@option("--title", metavar="TEXT", help="A title above the figure.")
@level_option
@resampling_options
@output_options
def plot(file: str, title: str | None, output: Output, **asked: Any) -> None:
    r"""What does it look like? Every figure as SVG, PDF or PNG.

    The ending of --out says which: .svg, .pdf or .png; without --out the figure goes to FIGURE.svg in this folder.
    Several scores are drawn together where that makes sense. The numbers that the figure shows are printed, with --json
    and --csv in every digit.

    \b
    Examples:
      roclab plot example --label outcome --positive deteriorated \
          --score procalcitonin --score lactate
      roclab plot example --label outcome --positive deteriorated --score lactate \
          --band pointwise --cutoff youden --replicates 200 --seed 1 --out lactate.pdf
      roclab plot example --label outcome --positive deteriorated --score lactate \
          --fpr 0 0.2 --percent --title Lactate
      roclab plot example --label outcome --positive deteriorated --score procalcitonin \
          --figure distribution --log --cutoff youden
      roclab plot example --label outcome --positive deteriorated --score lactate \
          --figure smooth --method binormal --method kernel_k1
      roclab plot example --label outcome --positive deteriorated --score lactate \
          --figure average --fold ward
      roclab plot example --label outcome --positive deteriorated \
          --score procalcitonin --score lactate --score concern --figure forest --size double
      roclab plot wines --label grape --score barbera --score barolo --score gamay \
          --figure multiclass --out grapes.png
    """
    request = Request(file=file, **{name: value for name, value in asked.items() if name != "fold"})
    out = f"{request.figure}.svg" if output.out is None else output.out
    replace(output, out=out).spare(file)
    _check_options(request)

    from roclab._core.whole_file import write_whole
    from roclab.cli.plotting import Picture, draw
    from roclab.plots.figure import check_figure_place, figure_bytes, set_title

    check_figure_place(out, name="--out")
    ax, numbers = draw(request)
    if title is not None:
        set_title(ax, title)
    write_whole(out, figure_bytes(ax, out.rpartition(".")[2].lower()), name="--out")
    figure: Any = ax.get_figure(root=True)
    width, height = (round(25.4 * float(side), 1) for side in figure.get_size_inches())
    shown = Picture(figure=request.figure, file=out, width_mm=width, height_mm=height, numbers=numbers)
    replace(output, out=None).show(shown)


def _check_options(request: Request) -> None:
    for name, figures in _ONLY_FOR.items():
        value = request.data.fold if name == "fold" else getattr(request, name)
        if value and request.figure not in figures:
            word = f"--{name.replace('_', '-')}"
            raise InputError(
                "", f"{word} is for --figure {' or '.join(figures)}", Words(f"it with {request.figure}"), "leave it out"
            )
    figure, costs, region = request.figure, request.costs, request.region
    if figure not in ("iso", "gain", "lift", "pr", "decision"):
        refuse(f"--figure {figure} needs no prevalence", {"--prevalence": costs.prevalence})
    if figure != "iso":
        refuse(f"--figure {figure} needs no costs", {"--cost-fp": costs.cost_fp, "--cost-fn": costs.cost_fn})
    if figure not in ("roc", "forest", "comparison", "differences"):
        refuse(f"--figure {figure} shows whole curves", {"--fpr": region.fpr, "--tpr": region.tpr})
