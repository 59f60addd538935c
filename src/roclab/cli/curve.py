"""``roclab curve``: points of a curve, operating points and confidence bands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.derived import keyword_options
from roclab.cli.shared.follow_up import follow_up_options, followed_table, only_these, show_and_draw
from roclab.cli.shared.groups import notes_of_each, of_each
from roclab.cli.shared.options import Draws, data_options, output_options, resampling_options
from roclab.cli.shared.output import Output, side_by_side
from roclab.cli.shared.parsing import refuse
from roclab.cli.shared.wording import saying
from roclab.errors import InputError, Words
from roclab.names import BANDS, CURVES, SMOOTH_MODELS, WALKS
from roclab.options.conventions import ConventionKeywords
from roclab.options.uncertainty import ProportionKeywords

if TYPE_CHECKING:
    from roclab.cli.shared.data import Data


@click.command(cls=Command)
@file_argument()
@data_options
@option("--curve", type=click.Choice(CURVES), default="roc", help="Which curve.")
@option("--ties", type=click.Choice(WALKS), default="expected", help="How to cross tied scores of both classes.")
@option("--points", type=click.IntRange(min=2), metavar="N", help="At most N points, with the error this makes.")
@option("--at-fpr", type=float, multiple=True, metavar="RATE", help="Operating point at this rate; repeatable.")
@option("--at-tpr", type=float, multiple=True, metavar="RATE", help="Operating point at this rate; repeatable.")
@option("--at-threshold", type=float, multiple=True, metavar="T", help="Operating point at this score; repeatable.")
@option(
    "--at-specificity",
    type=float,
    multiple=True,
    metavar="RATE",
    help="Sensitivity there, with its interval; repeatable.",
)
@option(
    "--at-sensitivity",
    type=float,
    multiple=True,
    metavar="RATE",
    help="Specificity there, with its interval; repeatable.",
)
@option("--calibration", is_flag=True, help="Do predicted probabilities come true? Bins, Brier score, slope, ICI.")
@option("--bins", type=click.IntRange(min=1), metavar="N", help="With --calibration: how many bins (default 10).")
@option("--error-intervals", is_flag=True, help="With --calibration: bootstrap intervals of ICI, E50, E90 and Emax.")
@option(
    "--calibration-band",
    is_flag=True,
    help="With --calibration: test of intercept and slope, and the smooth curve with its bands (points: --json).",
)
@option(
    "--model-based", is_flag=True, help="Case mix or calibration? The ROC curve that right probabilities would give."
)
@option("--recall", type=float, nargs=2, metavar="LOW HIGH", help="With --curve pr: the areas in this range of recall.")
@option("--band", type=click.Choice(BANDS), help="Confidence band of the ROC curve, or with --curve pr of precision.")
@option("--equal-error", is_flag=True, help="The rate at which misses and false alarms are equally frequent.")
@option(
    "--enrichment",
    type=float,
    multiple=True,
    metavar="SHARE",
    help="How many more positives the first share of the list holds, with BEDROC; repeatable.",
)
@option(
    "--alpha", type=float, metavar="A", help="With --enrichment: weight of the first places in BEDROC (default 20)."
)
@option("--estimator", type=click.Choice(SMOOTH_MODELS), help="With --at-specificity: read off this smooth curve.")
@follow_up_options(drawn=True)
@option(
    "--net-benefit", is_flag=True, help="With --horizon: of risks by then, over threshold probabilities, with limits."
)
@keyword_options(ProportionKeywords, interval="Kind of interval in --band thresholds (default wilson)")
@keyword_options(ConventionKeywords, into="theirs")
@resampling_options
@output_options
def curve(
    file: str,
    data: Data,
    curve: Any,
    ties: Any,
    points: int | None,
    at_fpr: tuple[float, ...],
    at_tpr: tuple[float, ...],
    at_threshold: tuple[float, ...],
    at_specificity: tuple[float, ...],
    at_sensitivity: tuple[float, ...],
    calibration: bool,
    bins: int | None,
    error_intervals: bool,
    calibration_band: bool,
    model_based: bool,
    recall: tuple[float, float] | None,
    band: Any,
    equal_error: bool,
    enrichment: tuple[float, ...],
    alpha: float | None,
    estimator: Any,
    followed: dict[str, Any],
    net_benefit: bool,
    asked: dict[str, Any],
    theirs: dict[str, Any],
    draws: Draws,
    output: Output,
) -> None:
    r"""What does the curve look like? Points, operating points and bands.

    FILE holds one case per row; "-" is standard input, "example" the data set that comes with roclab.

    Intervals of --at-specificity, --at-sensitivity and of the pointwise band are score intervals; with any option
    under Resampling they take percentiles of resampled curves instead.

    \b
    Examples:
      roclab curve example --label outcome --positive deteriorated --score concern
      roclab curve example --label outcome --positive deteriorated --score lactate \
          --curve pr --points 12 --csv
      roclab curve example --label outcome --positive deteriorated --score lactate \
          --at-threshold 2 --at-fpr 0.1
      roclab curve example --label outcome --positive deteriorated --score lactate \
          --at-specificity 0.9
      roclab curve example --label outcome --positive deteriorated --score lactate --equal-error
      roclab curve example --label outcome --positive deteriorated --score lactate --enrichment 0.05
      roclab curve example --label outcome --positive deteriorated --score lactate \
          --curve pr --band pointwise --points 11
      roclab curve example --label outcome --positive deteriorated --score lactate \
          --band simultaneous --points 11 --replicates 500 --seed 1
      roclab curve wines --label grape --positive barolo --score barolo \
          --calibration --calibration-band
      roclab curve wines --label grape --positive barolo --score barolo --model-based --seed 1
      roclab curve followed --time days --event ended --cause relapse --competing death \
          --censored lost --score marker --horizon 730 --at-specificity 0.9
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
            "--model-based": model_based,
            "--equal-error": equal_error,
            "--enrichment": bool(enrichment),
            f"--curve {curve}": curve != "roc" and not (curve == "pr" and band is not None),
        }
    )
    if bins is not None and not calibration:
        raise InputError("--bins", "belongs to --calibration", Words("no --calibration"), "add it")
    if error_intervals and not calibration:
        raise InputError("--error-intervals", "belongs to --calibration", Words("no --calibration"), "add it")
    if calibration_band and not calibration:
        raise InputError("--calibration-band", "belongs to --calibration", Words("no --calibration"), "add it")
    if alpha is not None and not enrichment:
        raise InputError("--alpha", "belongs to --enrichment", Words("no --enrichment"), "write --enrichment 0.01")
    if recall is not None and curve != "pr":
        raise InputError("--recall", "is a range of the precision-recall curve", Words(f"--curve {curve}"), "add it")
    if band != "thresholds" and "interval" in asked:
        raise InputError("--ci", "belongs to --band thresholds", Words("no such band"), "leave it out")
    level: dict[str, Any] = {name: value for name, value in asked.items() if name == "level"}
    if followed:
        _show_at_horizon(file, data, followed, net_benefit, rates, at_threshold, calibration, bins, calibration_band,
                         band, points, ties, level, output)  # fmt: skip
        return
    if net_benefit:
        raise InputError("--net-benefit", "belongs to --horizon here", Words("no --horizon"),
                         "write roclab plot … --figure decision")  # fmt: skip
    found = rl.roc(data.as_program(theirs).read_one(file), ties=ties, **theirs)
    if any(places.values()):
        output.show(of_each(found, lambda one: one.points_at(_points_of(one, places))))
    elif any(rates.values()):
        with draws.shown() as resampling:
            drawn = draws.keywords(resampling, always=estimator is not None)
            rate: dict[str, Any] = {**level, "estimator": estimator, **drawn}
            output.show(of_each(found, lambda one: side_by_side(_rates_of(one, rates, rate))))
    elif equal_error or enrichment:
        with draws.shown() as resampling:
            drawn = {**level, **draws.keywords(resampling, always=False)}
            weighed = {} if alpha is None else {"alpha": alpha}
            output.show(
                of_each(found, lambda one: one.equal_error(**drawn))
                if equal_error
                else of_each(found, lambda one: one.enrichment(enrichment, **weighed, **drawn))
            )
    elif calibration:
        with draws.shown() as resampling:
            drawn = draws.keywords(resampling) if error_intervals else {}
            with saying({"band": "--calibration-band"}):
                drawn |= {"bins": bins or 10, "band": calibration_band}
                shown = found.calibration(**level, **drawn)  # of groups with the tests between them
        output.show(shown)
    elif model_based:
        refuse("--model-based has tests in place of intervals", {"--level": "level" in asked})
        with draws.shown() as resampling:
            drawn = draws.keywords(resampling)
            output.show(of_each(found, lambda one: one.model_based(**drawn)))
    elif recall is not None:
        output.show(
            of_each(found, lambda one: one.precision_recall().summary(recall=recall)),
            notes_of_each(found, lambda one: [one.circumstances]),
        )
    elif band is not None:
        with draws.shown() as resampling:
            limits: dict[str, Any] = {
                "points": points,
                **asked,
                **draws.keywords(resampling, always=band != "pointwise"),
            }
            if curve == "pr":
                limits = {name: value for name, value in limits.items() if value is not None}
                shown = of_each(found, lambda one: one.precision_band(kind=band, **limits))
            else:
                shown = of_each(found, lambda one: one.band(kind=band, **limits))
        output.show(shown, notes_of_each(found, lambda one: [one.circumstances]))
    else:
        output.show(
            of_each(found, lambda one: _thinned(one.named_curve(curve), points)),
            notes_of_each(found, lambda one: [*_in_all(one.named_curve(curve), points), one.circumstances]),
        )


def _show_at_horizon(
    file: str, data: Data, followed: dict[str, Any], net_benefit: bool, rates: dict[str, Any],
    at_threshold: tuple[float, ...], calibration: bool, bins: int | None, smooth: bool, band: Any, points: int | None,
    ties: Any, level: dict[str, Any], output: Output,
) -> None:  # fmt: skip
    """The curve at a horizon, and what is read off it."""
    import roclab as rl

    only_these("at_threshold", "at_specificity", "at_sensitivity", "calibration", "bins", "calibration_band", "band",
               "points", "ties", "level", "net_benefit")  # fmt: skip
    table, columns = followed_table(file, data)
    with saying({"at": "--horizon", "band": "--calibration-band"}):
        if net_benefit:
            show_and_draw(output, rl.net_benefit(table, **level, **columns, **followed))
            return
        found: Any = rl.roc(table, ties=ties, **columns, **followed)
        if calibration:
            show_and_draw(output, of_each(found, lambda one: one.calibration(bins=bins or 5, band=smooth, **level)))
        elif any(rates.values()):
            show_and_draw(output, of_each(found, lambda one: side_by_side(_rates_of(one, rates, level))), drawn=found)
        elif at_threshold:
            if len(at_threshold) > 1:
                raise InputError("--at-threshold", "must be one at a horizon", Words("several"), "ask for each alone")
            show_and_draw(output, of_each(found, lambda one: one.rates(at_threshold[0], **level)), drawn=found)
        elif band is not None:
            if band != "pointwise":
                raise InputError("--band", "must be pointwise at a horizon", band)
            show_and_draw(output, of_each(found, lambda one: one.band(**level)), drawn=found)
        else:
            show_and_draw(output, of_each(found, lambda one: _thinned(one.curve.points(), None) if points is None
                                else one.curve.simplified(points)), drawn=found)  # fmt: skip


def _points_of(one: Any, places: dict[str, tuple[float, ...]]) -> list[Any]:
    return [one.at(**{name: value}) for name, values in places.items() for value in values]


def _rates_of(one: Any, rates: dict[str, Any], asked: dict[str, Any]) -> list[Any]:
    return [one.rate_at(**asked, **{name: value}) for name, values in rates.items() for value in values]


def _thinned(curve: Any, points: int | None) -> Any:
    return curve if points is None else curve.simplified(points)


def _in_all(curve: Any, points: int | None) -> list[str]:
    return [] if points is None else [f"{len(curve)} points in all"]


def _one_question(**asked: bool) -> None:
    given = [name for name, yes in asked.items() if yes]
    if len(given) > 1:
        raise InputError("", f"{given[0]} and {given[1]} are different questions", Words("both"), "ask one at a time")
