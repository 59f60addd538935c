"""``roclab curve``: points of a curve, operating points and confidence bands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from roclab.cli.shared.options import (
    Command,
    Draws,
    ci_option,
    data_options,
    file_argument,
    level_option,
    option,
    output_options,
    resampling_options,
)
from roclab.cli.shared.output import Output, side_by_side
from roclab.errors import InputError, Words
from roclab.names import BANDS, CURVES, PROPORTION_INTERVALS, WALKS

if TYPE_CHECKING:
    from roclab.cli.shared.data import Data


@click.command(cls=Command)
@file_argument()
@data_options
@option("--curve", type=click.Choice(CURVES), default="roc", help="Which curve.")
@option("--walk", type=click.Choice(WALKS), default="expected", help="How to cross tied scores of both classes.")
@option("--points", type=click.IntRange(min=2), metavar="N", help="At most N points, with the error this makes.")
@option("--at-fpr", type=float, multiple=True, metavar="RATE", help="Operating point at this rate; repeatable.")
@option("--at-tpr", type=float, multiple=True, metavar="RATE", help="Operating point at this rate; repeatable.")
@option("--at-threshold", type=float, multiple=True, metavar="T", help="Operating point at this score; repeatable.")
@option(
    "--at-specificity",
    type=float,
    multiple=True,
    metavar="RATE",
    help="Sensitivity there, with a bootstrap interval; repeatable.",
)
@option(
    "--at-sensitivity",
    type=float,
    multiple=True,
    metavar="RATE",
    help="Specificity there, with a bootstrap interval; repeatable.",
)
@option("--calibration", is_flag=True, help="Do predicted probabilities come true? Bins, Brier score, slope, ICI.")
@option("--bins", type=click.IntRange(min=1), metavar="N", help="With --calibration: how many bins (default 10).")
@option("--recall", type=float, nargs=2, metavar="LOW HIGH", help="With --curve pr: the areas in this range of recall.")
@option("--band", type=click.Choice(BANDS), help="Confidence band of the ROC curve.")
@level_option
@ci_option(PROPORTION_INTERVALS, default="wilson", help="Kind of interval in --band thresholds", also=["--proportion"])
@resampling_options
@output_options
def curve(
    file: str,
    data: Data,
    curve: Any,
    walk: Any,
    points: int | None,
    at_fpr: tuple[float, ...],
    at_tpr: tuple[float, ...],
    at_threshold: tuple[float, ...],
    at_specificity: tuple[float, ...],
    at_sensitivity: tuple[float, ...],
    calibration: bool,
    bins: int | None,
    recall: tuple[float, float] | None,
    band: Any,
    level: float,
    ci: Any,
    draws: Draws,
    output: Output,
) -> None:
    r"""What does the curve look like? Points, operating points and bands.

    FILE holds one case per row; "-" is standard input, "example" the data set that comes with roclab.

    \b
    Examples:
      roclab curve example --label outcome --positive deteriorated --score concern
      roclab curve example --label outcome --positive deteriorated --score lactate \
          --curve pr --points 12 --csv
      roclab curve example --label outcome --positive deteriorated --score lactate \
          --at-threshold 2 --at-fpr 0.1
      roclab curve example --label outcome --positive deteriorated --score lactate \
          --at-specificity 0.9 --replicates 500 --seed 1
      roclab curve example --label outcome --positive deteriorated --score lactate \
          --band simultaneous --points 11 --replicates 500 --seed 1
    """
    import roclab as rl

    output.spare(file)
    places = {"threshold": at_threshold, "fpr": at_fpr, "tpr": at_tpr}
    rates: dict[str, Any] = {"specificity": at_specificity, "sensitivity": at_sensitivity}
    _one_question(
        **{
            "--at-threshold, --at-fpr and --at-tpr": any(places.values()),
            "--at-specificity and --at-sensitivity": any(rates.values()),
            "--band": band is not None,
            "--calibration": calibration,
            f"--curve {curve}": curve != "roc",
        }
    )
    if bins is not None and not calibration:
        raise InputError("--bins", "belongs to --calibration", Words("no --calibration"), "add it")
    if recall is not None and curve != "pr":
        raise InputError("--recall", "is a range of the precision-recall curve", Words(f"--curve {curve}"), "add it")
    found = rl.roc(data.read_one(file), walk=walk)
    if any(places.values()):
        at = [found.at(**{name: value}) for name, values in places.items() for value in values]
        output.show(found.points_at(at))
    elif any(rates.values()):
        with draws.shown() as resampling:
            asked: dict[str, Any] = {"level": level, "resampling": resampling, "rng": draws.seed}
            rate = [found.rate_at(**asked, **{name: value}) for name, values in rates.items() for value in values]
        output.show(side_by_side(rate))
    elif calibration:
        output.show(found.calibration(bins=bins or 10, level=level))
    elif recall is not None:
        output.show(found.precision_recall().summary(recall=recall), [found.circumstances])
    elif band is not None:
        with draws.shown() as resampling:
            limits = found.band(
                kind=band, level=level, points=points, interval=ci, resampling=resampling, rng=draws.seed
            )
        output.show(limits, [found.circumstances])
    else:
        every = found.named_curve(curve)
        some = every if points is None else every.simplified(points)
        output.show(some, [*([f"{len(every)} points in all"] if points is not None else []), found.circumstances])


def _one_question(**asked: bool) -> None:
    given = [name for name, yes in asked.items() if yes]
    if len(given) > 1:
        raise InputError("", f"{given[0]} and {given[1]} are different questions", Words("both"), "ask one at a time")
