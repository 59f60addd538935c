"""``roclab compare``: scores against each other, on the same cases, on different ones, or from papers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.options import (
    Draws,
    RegionOptions,
    ci_option,
    data_options,
    id_option,
    level_option,
    output_options,
    region_options,
    resampling_options,
)
from roclab.cli.shared.parsing import published_area, refuse, weights_of
from roclab.cli.shared.wording import saying
from roclab.errors import InputError, Words
from roclab.names import (
    ADJUSTMENTS,
    ALTERNATIVES,
    CLAIMS,
    CURVE_STATISTICS,
    EMPIRICAL_AREAS,
    ERROR_INTERVALS,
    PAIRED_VARIANCES,
    PAIRINGS,
    REFERENCES,
    SCORE_CORRELATIONS,
    CurveStatistic,
)

if TYPE_CHECKING:
    from roclab.cli.shared.data import Data
    from roclab.cli.shared.output import Output


@click.command(cls=Command)
@file_argument("files", metavar="[FILE]...", nargs=-1)
@data_options
@id_option
@option("--pairing", type=click.Choice(PAIRINGS), help="How the cases of several files belong together.")
@option(
    "--variance",
    "--method",
    type=click.Choice(PAIRED_VARIANCES),
    help="How to compare (default delong; by --id clustered).",
)
@option("--curves", is_flag=True, help="Do whole curves differ, not only areas? Venkatraman's permutation test.")
@option(
    "--curve-statistic",
    type=click.Choice(CURVE_STATISTICS),
    help="What --curves looks at: errors everywhere (default), or areas, for few cases.",
)
@option(
    "--correlation",
    type=click.Choice(SCORE_CORRELATIONS),
    default="pearson",
    help="Of the scores, with --variance hanley_mcneil.",
)
@option("--estimator", "--area", type=click.Choice(EMPIRICAL_AREAS), help="Which area (default empirical, the AUC).")
@region_options
@option("--adjust", type=click.Choice(ADJUSTMENTS), default="holm", help="Adjustment of p-values for many pairs.")
@option("--alternative", type=click.Choice(ALTERNATIVES), default="two-sided", help="Alternative hypothesis.")
@option(
    "--reference",
    type=click.Choice(REFERENCES),
    help="Test of differences (default score or t; normal: DeLong's z).",
)
@option("--margin", type=float, metavar="D", help="Is the first score not worse than the others by more than D?")
@option("--claim", type=click.Choice(CLAIMS), help="What --margin is to show (default non-inferiority).")
@option("--contrast", metavar="A=1,B=-1", help="A weighted sum of areas against 0; weights add up to 0.")
@option("--predictions", is_flag=True, help="Whose probabilities are better? Brier scores, and net benefits by --at.")
@option("--at", type=float, multiple=True, metavar="P", help="With --predictions: threshold probability; repeatable.")
@option("--at-specificity", type=float, metavar="RATE", help="Compare sensitivities there, by the bootstrap.")
@option("--at-sensitivity", type=float, metavar="RATE", help="Compare specificities there, by the bootstrap.")
@option("--published", metavar="AREA", multiple=True, help="NAME:AREA:n=POS+NEG or NAME:AREA:se=SE, instead of files.")
@option("--r", type=float, metavar="R", help="With --published: correlation of the areas (default 0, different cases).")
@level_option
@ci_option(ERROR_INTERVALS, default=None, help="Kind of interval of each area (default auto)")
@resampling_options
@output_options
def compare(
    files: tuple[str, ...],
    data: Data,
    pairing: Any,
    variance: Any,
    curves: bool,
    curve_statistic: CurveStatistic | None,
    correlation: Any,
    estimator: Any,
    region: RegionOptions,
    adjust: Any,
    alternative: Any,
    reference: Any,
    margin: float | None,
    claim: Any,
    contrast: str | None,
    predictions: bool,
    at: tuple[float, ...],
    at_specificity: float | None,
    at_sensitivity: float | None,
    published: tuple[str, ...],
    r: float | None,
    level: float,
    ci: Any,
    draws: Draws,
    output: Output,
) -> None:
    r"""Do scores differ in how well they tell the classes apart?

    One FILE with several scores compares them on the same cases. Several FILEs with one score each need --pairing,
    and --id unless it is unpaired. Without a FILE, areas from papers are compared.

    \b
    Examples:
      roclab compare example --label outcome --positive deteriorated \
          --score procalcitonin --score lactate --score concern
      roclab compare example --label outcome --positive deteriorated \
          --score procalcitonin --score lactate --margin 0.05
      roclab compare example --label outcome --positive deteriorated \
          --score procalcitonin --score lactate --score concern \
          --contrast "procalcitonin=1,lactate=-0.5,concern=-0.5"
      roclab compare example --label outcome --positive deteriorated \
          --score procalcitonin --score lactate --at-specificity 0.9 --replicates 500 --seed 1
      roclab compare example --label outcome --positive deteriorated \
          --score procalcitonin --score lactate --curves --replicates 200 --seed 1
      roclab compare example --label outcome --positive deteriorated \
          --score procalcitonin --score lactate --score concern \
          --curves --curve-statistic areas --replicates 200 --seed 1
      roclab compare example --label outcome --positive deteriorated \
          --score procalcitonin --score lactate --id ward
      roclab compare --published "CT:0.893:n=51+58" --published "MR:0.85:se=0.03" --r 0.5
    """
    import roclab as rl

    output.spare(*files)
    if at and not predictions:
        raise InputError("--at", "belongs to --predictions", Words("no --predictions"), "add it")
    if curve_statistic and not curves:
        raise InputError("--curve-statistic", "belongs to --curves", Words("no --curves"), "add it")
    if predictions:
        others = {"--estimator": estimator, "--fpr or --tpr": region.given, "--margin": margin is not None,
                  "--contrast": contrast, "--curves": curves, "--published": published, "--id": data.id,
                  "--variance": variance, "--ci": ci}  # fmt: skip
        refuse("--predictions compares Brier scores and net benefits", others)
        if len(files) != 1:
            raise InputError("", "--predictions compares columns of one FILE", Words(f"{len(files)} files"))
        with saying({"probabilities": "--at"}):
            output.show(rl.compare_predictions(data.read(files[0]), probabilities=list(at), level=level))
        return
    if published:
        parts = {"data": files, "--label": data.label, "--score": data.score, "--estimator": estimator}
        others = {"--fpr": region.given, "--margin": margin is not None, "--contrast": contrast, "--curves": curves}
        asked_too = {"--at-specificity": at_specificity is not None, "--at-sensitivity": at_sensitivity is not None,
                     f"--variance {variance}": variance, "--reference": reference, "--ci": ci}  # fmt: skip
        refuse(
            "--published stands alone: areas with their standard errors are all there is",
            {**parts, **others, **asked_too},
        )
        areas = [published_area(text) for text in published]
        with saying({"areas": "--published", "correlation": "--r"}):
            found = rl.compare_published(
                *areas, correlation=r or 0.0, level=level, adjust=adjust, alternative=alternative
            )
        output.show(found)
        return
    if r is not None:
        raise InputError("--r", "belongs to --published", Words("data"), "their correlation is found from the cases")
    if not files:
        raise InputError("", "a comparison needs a FILE with scores, or areas by --published", Words("neither"))
    if claim is not None and margin is None:
        raise InputError(
            "--claim", "needs the largest difference you would accept", Words("no --margin"), "write --margin 0.05"
        )
    with draws.shown() as resampling:
        drawn: dict[str, Any] = {"resampling": resampling, "rng": draws.seed}
        shown: dict[str, Any] = {"level": level, "interval": ci or "auto", "adjust": adjust}
        if curves:
            others = {"--estimator": estimator not in (None, "empirical"), "--fpr or --tpr": region.given,
                      "--margin": margin is not None, "--contrast": contrast, "--variance": variance,
                      "--reference": reference}  # fmt: skip
            rates_too = {"--at-specificity": at_specificity is not None, "--at-sensitivity": at_sensitivity is not None}
            refuse("--curves compares whole ROC curves", {**others, **rates_too})
            refuse("--curves has no direction", {f"--alternative {alternative}": alternative != "two-sided"})
            how, cases = ("paired", "scores of one file") if len(files) == 1 else ("unpaired", "different files")
            paired = {f"--pairing {pairing}": pairing not in (None, how), "--id": data.id}
            refuse(f"--curves compares {cases} as {how}", paired)
            given: Any = data.read(files[0]) if len(files) == 1 else data.read_each(files)
            output.show(rl.compare_curves(given, statistic=curve_statistic or "errors", **shown, **drawn))
            return
        asked: dict[str, Any] = {
            "variance": variance,
            "estimator": estimator,
            **region.keywords,
            "margin": margin,
            "claim": claim or "non-inferiority",
            "contrast": None if contrast is None else weights_of(contrast, "--contrast"),
            "alternative": alternative,
            "reference": reference,
            **shown,
        }
        if len(files) == 1:
            refuse("scores of one file are paired", {f"--pairing {pairing}": pairing not in (None, "paired")})
            rates: dict[str, Any] = {"at_specificity": at_specificity, "at_sensitivity": at_sensitivity}
            data.say_plan(files[0], paired=True)
            found = rl.compare(data.read(files[0]), correlation=correlation, **rates, **asked, **drawn)
        else:
            asked["variance"] = variance or "delong"
            rates = {"at_specificity": at_specificity, "at_sensitivity": at_sensitivity}
            found = rl.compare_groups(data.read_each(files), pairing=pairing, **rates, **asked, **drawn)
    output.show(found)
