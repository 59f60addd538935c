"""``roclab auc``: areas of one or several scores."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from roclab.cli.data import Data
from roclab.cli.options import (
    Command,
    Draws,
    Region,
    ci_option,
    data_options,
    file_argument,
    fold_option,
    id_option,
    level_option,
    option,
    output_options,
    region_options,
    resampling_options,
)
from roclab.cli.output import Output
from roclab.cli.wording import saying
from roclab.errors import InputError, Words
from roclab.names import (
    ALTERNATIVES,
    AREA_INTERVALS,
    AREA_TESTS,
    EMPIRICAL_AREAS,
    SIDES,
    SMOOTH_MODELS,
    TALLY_VARIANCES,
)

if TYPE_CHECKING:
    from roclab.data.cases import Cases

CLUSTERED = ("clustered", "clustered_bootstrap")


@click.command(cls=Command)
@file_argument()
@data_options
@fold_option
@id_option
@option(
    "--method", type=click.Choice((*EMPIRICAL_AREAS, *SMOOTH_MODELS)), help="Which area (default empirical, the AUC)."
)
@region_options
@option("--null", type=float, metavar="AREA", help="Test each AUC against this value, for instance 0.5.")
@option("--test", type=click.Choice(AREA_TESTS), help="Which test (default wald).")
@option("--alternative", type=click.Choice(ALTERNATIVES), help="Alternative hypothesis (default two-sided).")
@level_option
@ci_option((*AREA_INTERVALS, "none"), default="logit", help="Kind of interval")
@option(
    "--se",
    type=click.Choice((*TALLY_VARIANCES, *CLUSTERED)),
    heading="Uncertainty",
    help="Standard error (default delong, or bootstrap where that has no formula; clustered ones need --id).",
)
@option(
    "--side",
    type=click.Choice(SIDES),
    default="two-sided",
    heading="Uncertainty",
    help="Interval, or one bound only.",
)
@resampling_options
@output_options
def auc(
    file: str,
    data: Data,
    method: str | None,
    region: Region,
    null: float | None,
    test: str | None,
    alternative: str | None,
    level: float,
    ci: str,
    se: Any,
    side: Any,
    draws: Draws,
    output: Output,
) -> None:
    r"""How well does each score tell the classes apart? Areas, intervals and tests.

    FILE holds one case per row; "-" is standard input, "example" the data set that comes with roclab.

    \b
    Examples:
      roclab auc example --label outcome --positive deteriorated \
          --score procalcitonin --score lactate --score concern
      roclab auc example --label outcome --positive deteriorated --score lactate \
          --null 0.5 --test tie_corrected
      roclab auc example --label outcome --positive deteriorated --score lactate \
          --ci bca --replicates 500 --seed 1
      roclab auc example --label outcome --positive deteriorated --score lactate \
          --fpr 0 0.2 --standard mcclish --json
      roclab auc example --label outcome --positive deteriorated --score lactate \
          --fold ward
      roclab auc example --label outcome --positive deteriorated --score lactate \
          --method box_cox
      roclab auc example --label outcome --positive deteriorated --score lactate \
          --id ward --se clustered
    """
    from roclab.analysis import AreaTable
    from roclab.cli.answers import TestedAreas
    from roclab.inference.areas_of_cases import estimate_area_of_cases
    from roclab.inference.one_area.area_tests import auc_test

    output.spare(file)
    if null is None and (test is not None or alternative is not None):
        raise InputError(
            "", "--test and --alternative need a value to test against", Words("no --null"), "write --null 0.5"
        )
    if null is not None and (region.given or method not in (None, "empirical")):
        raise InputError(
            "", "--null tests the empirical AUC", Words("another area"), "leave out --method, --fpr and --tpr"
        )
    if (data.id is not None) != (se in CLUSTERED):
        raise InputError(
            "",
            "--id and the clustered standard errors belong together",
            Words("one of them"),
            "write --id COLUMN --se clustered for several cases per subject",
        )
    what = region.area(method, "--method")
    parts = _parts(data.read(file))
    with draws.shown() as resampling:
        found = [
            estimate_area_of_cases(
                cases,
                name,
                what,
                level=level,
                interval=None if ci == "none" else ci,
                standard_error=se,
                side=side,
                resampling=resampling,
                rng=draws.seed,
            )
            for cases, name, _ in parts
        ]
    estimates = tuple(
        replace(one, sample=replace(one.sample, score=title)) for one, (_, _, title) in zip(found, parts, strict=True)
    )
    if null is None:
        output.show(AreaTable(estimates=estimates))
        return
    asked: dict[str, Any] = {"null": null, "method": test or "wald", "alternative": alternative or "two-sided"}
    with saying({"method": "--test"}):
        tests = tuple(auc_test(cases.tally(name), **asked) for cases, name, _ in parts)
    output.show(TestedAreas(estimates=estimates, tests=tests))


def _parts(cases: Cases) -> list[tuple[Cases, str, str]]:
    """Cases, score and title of every row: one per score, or per score and fold."""
    if cases.folds is None:
        return [(cases, name, name) for name in cases.names]
    out = []
    for fold, part in cases.by_fold().items():
        if part.label.all() or not part.label.any():
            only = part.positive if part.label.any() else part.negative
            raise InputError(
                "", "every fold must hold both classes", Words(f"fold {fold} with {only} only"), "join it with another"
            )
        out += [(part, name, f"{name}, {fold}") for name in part.names]
    return out
