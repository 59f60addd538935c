"""``roclab power``: planning a study of one area or of two, or for the width of an interval."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from roclab.cli.shared.command import Command, option
from roclab.cli.shared.options import output_options, sample_options
from roclab.cli.shared.parsing import refuse
from roclab.errors import InputError, Words
from roclab.names import PLAN_VARIANCES, PROPORTION_INTERVALS

if TYPE_CHECKING:
    from roclab.cli.shared.data import Data
    from roclab.cli.shared.output import Output


@click.command(cls=Command)
@option(
    "--pilot", metavar="FILE", heading="Data", help="Pilot data: one score against --null, or two on the same cases."
)
@sample_options
@option("--area", type=float, metavar="AREA", help="The area you expect.")
@option("--null", type=float, metavar="AREA", help="One area: the value to test it against (default 0.5).")
@option("--other", type=float, metavar="AREA", help="Two areas: the one to compare with.")
@option("--correlation", type=float, metavar="R", help="Two areas: their correlation; 0 (default) for different cases.")
@option("--margin", type=float, metavar="D", help="Two areas: plan for non-inferiority within this margin.")
@option("--width", type=float, metavar="W", help="Cases until the interval is no wider: of --area, or of these rates:")
@option("--sensitivity", type=float, metavar="RATE", help="With --width: the sensitivity you expect.")
@option("--specificity", type=float, metavar="RATE", help="With --width: the specificity you expect.")
@option("--prevalence", type=float, metavar="P", help="With --sensitivity, --specificity: size of one whole sample.")
@option("--interval", "--ci", type=click.Choice(PROPORTION_INTERVALS), help="With these rates: kind (default wilson).")
@option("--validation", is_flag=True, help="Size of the external validation of a risk model of C --area.")
@option(
    "--linear-predictor", type=float, nargs=2, metavar="MEAN SD", help="With --validation: of the model, for its slope."
)
@option("--probability", type=float, metavar="P", help="With --validation and both rates: for the net benefit there.")
@option("--positives", type=int, metavar="N", help="Positive cases.")
@option("--negatives", type=int, metavar="N", help="Negative cases.")
@option("--power", type=float, metavar="P", help="Chance to see the difference if it is there.")
@option("--ratio", type=float, metavar="R", help="Negative cases per positive case (default 1).")
@option("--incidence", type=float, metavar="P", help="At a horizon: share with the event by then, in place of --ratio.")
@option("--unknown", type=float, metavar="P", help="With --incidence: share that is lost before.")
@option("--followed", type=int, metavar="N", help="With --incidence: patients to follow, in place of class sizes.")
@option("--level", type=float, default=0.95, metavar="P", help="One minus the chance of a false alarm.")
@option("--find-level", is_flag=True, help="Find the level from the area, the class sizes and the power.")
@option(
    "--one-sided/--two-sided",
    default=None,
    help="The test (default two-sided; with --margin one-sided at half its error).",
)
@option("--variance", type=click.Choice(PLAN_VARIANCES), default="obuchowski", help="Model of the scores.")
@option(
    "--b", type=float, default=1.0, metavar="B", help="With --variance binormal: spread of negatives over positives."
)
@output_options
def power(
    pilot: str | None,
    data: Data,
    area: float | None,
    null: float | None,
    other: float | None,
    correlation: float | None,
    margin: float | None,
    width: float | None,
    sensitivity: float | None,
    specificity: float | None,
    prevalence: float | None,
    interval: Any,
    validation: bool,
    linear_predictor: tuple[float, float] | None,
    probability: float | None,
    positives: int | None,
    negatives: int | None,
    power: float | None,
    ratio: float | None,
    incidence: float | None,
    unknown: float | None,
    followed: int | None,
    level: float,
    find_level: bool,
    one_sided: bool | None,
    variance: Any,
    b: float,
    output: Output,
) -> None:
    r"""How many cases does a study need, or what can it show?

    Give two of the area, the class sizes and the power; the third is found.

    \b
    Examples:
      roclab power --area 0.8 --power 0.9
      roclab power --area 0.8 --null 0.7 --positives 60 --negatives 120
      roclab power --positives 50 --negatives 50 --power 0.8
      roclab power --area 0.75 --null 0.65 --power 0.8 --incidence 0.2 --unknown 0.3
      roclab power --area 0.85 --other 0.8 --correlation 0.5 --power 0.8 --ratio 2
      roclab power --area 0.8 --positives 20 --negatives 20 --power 0.9 --find-level
      roclab power --pilot example --label outcome --positive deteriorated \
          --score procalcitonin --score lactate --power 0.9
      roclab power --area 0.85 --other 0.85 --margin 0.05 --power 0.8 --json
      roclab power --validation --area 0.8 --prevalence 0.1 --linear-predictor -2.5 1.2
      roclab power --area 0.8 --width 0.1
      roclab power --sensitivity 0.9 --specificity 0.8 --width 0.1 --prevalence 0.2
    """
    horizon: dict[str, Any] = {"incidence": incidence, "unknown": unknown, "followed": followed}
    horizon = {name: value for name, value in horizon.items() if value is not None}
    if horizon and (validation or width is not None):
        refuse("--incidence belongs to plans with power", {f"--{name}": True for name in horizon})
    from roclab.planning import (
        plan_area_width,
        plan_from_pilot,
        plan_one_area,
        plan_rate_widths,
        plan_two_areas,
        plan_validation,
    )

    rates = {"--sensitivity": sensitivity, "--specificity": specificity, "--prevalence": prevalence, "--ci": interval}
    of_risks = {"--linear-predictor": linear_predictor, "--probability": probability}
    if validation:
        refuse("--validation plans by prevalence, area, rates and the linear predictor", {
            "--pilot": pilot, "--null": null, "--other": other, "--correlation": correlation, "--margin": margin,
            "--width": width, "--ci": interval, "--positives": positives, "--negatives": negatives, "--power": power,
            "--ratio": ratio, "--find-level": find_level, "--one-sided": one_sided is not None,
            "--variance": variance != "obuchowski", "--b": b != 1.0, **data.columns,
        })  # fmt: skip
        if prevalence is None:
            raise InputError("--validation", "needs the share of positives", Words("none"), "write --prevalence 0.1")
        output.show(plan_validation(
            prevalence=prevalence, c=area, linear_predictor=linear_predictor, sensitivity=sensitivity,
            specificity=specificity, probability=probability, level=level,
        ))  # fmt: skip
        return
    refuse("the linear predictor and its threshold belong to --validation", of_risks)
    if width is None:
        refuse("rates belong to --width", rates)
    else:
        refuse("--width plans an interval, not a test", {
            "--pilot": pilot, "--null": null, "--other": other, "--correlation": correlation, "--margin": margin,
            "--positives": positives, "--negatives": negatives, "--power": power, "--find-level": find_level,
            "--one-sided": one_sided is not None, **data.columns,
        })  # fmt: skip
        sizes: dict[str, Any] = {"width": width, "level": level}
        if area is not None:
            refuse("--area has an interval of its own", rates)
            sizes |= {} if ratio is None else {"ratio": ratio}
            output.show(plan_area_width(area=area, variance=variance, b=b, **sizes))
            return
        refuse("--ratio belongs to areas", {"--ratio": ratio})
        sizes |= {} if interval is None else {"interval": interval}
        output.show(plan_rate_widths(sensitivity=sensitivity, specificity=specificity, prevalence=prevalence, **sizes))
        return
    plan: dict[str, Any] = {
        "area": area,
        "n_pos": positives,
        "n_neg": negatives,
        "power": power,
        "ratio": ratio,
        "level": None if find_level else level,
        "variance": variance,
        "b": b,
    }
    if one_sided is not None:
        plan["alternative"] = "one-sided" if one_sided else "two-sided"
    if pilot is not None:
        refuse("a pilot has areas and spreads of its own", {
            "--area": area, "--other": other, "--correlation": correlation, "--margin": margin,
            **{f"--{name}": value for name, value in horizon.items()},
        })  # fmt: skip
        asked = {name: value for name, value in plan.items() if name not in ("area", "variance", "b")}
        output.show(plan_from_pilot(data.read(pilot), null=0.5 if null is None else null, **asked))
        return
    refuse("columns belong to --pilot", data.columns)
    if other is None:
        for name, given in (("--correlation", correlation), ("--margin", margin)):
            if given is not None:
                raise InputError(
                    "", f"{name} belongs to a plan for two areas", Words("no --other"), "give the other area"
                )
        output.show(plan_one_area(null=0.5 if null is None else null, **plan, **horizon))
        return
    if null is not None:
        raise InputError("", "--null belongs to a plan for one area", Words("--other as well"), "leave one of them out")
    output.show(plan_two_areas(other=other, correlation=correlation or 0.0, margin=margin or 0.0, **plan, **horizon))
