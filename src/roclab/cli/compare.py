"""``roclab compare``: scores against each other, on the same cases, on different ones, or from papers."""

from __future__ import annotations

import math
from typing import Any

import click

from roclab.cli.data import Data, distinct_names
from roclab.cli.options import (
    Command,
    Draws,
    Region,
    ci_option,
    data_options,
    file_argument,
    id_option,
    level_option,
    option,
    output_options,
    region_options,
    resampling_options,
)
from roclab.cli.output import Output
from roclab.cli.parsing import refuse
from roclab.errors import InputError, Words
from roclab.names import ADJUSTMENTS, ALTERNATIVES, AREA_INTERVALS, EMPIRICAL_AREAS, PAIRINGS

METHODS = ("delong", "bootstrap", "clustered", "clustered_bootstrap", "hanley_mcneil", "venkatraman")
CLAIMS = ("non-inferiority", "equivalence")


@click.command(cls=Command)
@file_argument("files", metavar="[FILE]...", nargs=-1)
@data_options
@id_option
@option("--pairing", type=click.Choice(PAIRINGS), help="How the cases of several files belong together.")
@option("--method", type=click.Choice(METHODS), default="delong", help="How to compare.")
@option("--area", type=click.Choice(EMPIRICAL_AREAS), help="Which area (default empirical, the AUC).")
@region_options
@option("--adjust", type=click.Choice(ADJUSTMENTS), default="holm", help="Adjustment of p-values for many pairs.")
@option("--alternative", type=click.Choice(ALTERNATIVES), default="two-sided", help="Alternative hypothesis.")
@option("--margin", type=float, metavar="D", help="Is the first score not worse than the others by more than D?")
@option("--claim", type=click.Choice(CLAIMS), help="What --margin is to show (default non-inferiority).")
@option("--contrast", metavar="A=1,B=-1", help="A weighted sum of areas against 0; weights add up to 0.")
@option("--at-specificity", type=float, metavar="RATE", help="Compare sensitivities there, by the bootstrap.")
@option("--at-sensitivity", type=float, metavar="RATE", help="Compare specificities there, by the bootstrap.")
@option("--published", metavar="AREA", multiple=True, help="NAME:AREA:n=POS+NEG or NAME:AREA:se=SE, instead of files.")
@option("--r", type=float, metavar="R", help="With --published: correlation of the areas (default 0, different cases).")
@level_option
@ci_option(AREA_INTERVALS, default=None, help="Kind of interval of each area (default logit)")
@resampling_options
@output_options
def compare(
    files: tuple[str, ...],
    data: Data,
    pairing: str | None,
    method: str,
    area: str | None,
    region: Region,
    adjust: Any,
    alternative: Any,
    margin: float | None,
    claim: Any,
    contrast: str | None,
    at_specificity: float | None,
    at_sensitivity: float | None,
    published: tuple[str, ...],
    r: float | None,
    level: float,
    ci: str | None,
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
          --score procalcitonin --score lactate --method venkatraman --replicates 200 --seed 1
      roclab compare example --label outcome --positive deteriorated \
          --score procalcitonin --score lactate --method clustered --id ward
      roclab compare --published "CT:0.893:n=51+58" --published "MR:0.85:se=0.03" --r 0.5
    """
    from roclab.cli import comparing

    output.spare(*files)
    rates = {"specificity": at_specificity, "sensitivity": at_sensitivity}
    rate = {name: value for name, value in rates.items() if value is not None}
    asks = {"--margin": margin, "--contrast": contrast, **{f"--at-{name}": value for name, value in rate.items()}}
    questions = [name for name, value in asks.items() if value is not None]
    _check_question(questions, claim=claim, method=method, ci=ci)
    if method in ("hanley_mcneil", "venkatraman"):
        refuse(
            f"--method {method} compares whole ROC curves or their AUCs, each case counting once",
            {"--area": area not in (None, "empirical"), "--fpr or --tpr": region.given, "--weight": data.weight},
        )
    if published:
        parts = {"data": files, "--label": data.label, "--score": data.score, "--area": area, "--fpr": region.given}
        asked_too = {**dict.fromkeys(questions, True), f"--method {method}": method != "delong", "--ci": ci}
        refuse("--published stands alone: areas with their standard errors are all there is", {**parts, **asked_too})
        output.show(comparing.papers(published, r, level=level, adjust=adjust, alternative=alternative))
        return
    if r is not None:
        raise InputError(
            "", "--r belongs to --published", Words("data instead"), "their correlation is found from the cases"
        )
    if not files:
        raise InputError("", "a comparison needs a FILE with scores, or areas by --published", Words("neither"))
    if len(files) == 1:
        refuse("scores of one file are paired", {f"--pairing {pairing}": pairing not in (None, "paired")})
        if data.id is not None and not method.startswith("clustered"):
            raise InputError(
                "",
                "--id joins the cases of one subject",
                Words(f"--method {method}, which takes every case for itself"),
                "use --method clustered or clustered_bootstrap, or leave out --id",
            )
    with draws.shown() as resampling:
        asked = comparing.Asked(
            method=method,
            what=region.area(area, "--area"),
            level=level,
            ci=ci,
            adjust=adjust,
            alternative=alternative,
            resampling=resampling,
            seed=draws.seed,
            margin=margin,
            claim=claim or "non-inferiority",
            contrast=None if contrast is None else _weights(contrast),
            rate=rate,
        )
        if len(files) == 1:
            answer = comparing.same_cases(data.read(files[0]), asked)
        else:
            answer = comparing.groups(_groups(files, data), pairing, asked)
    output.show(answer)


def _check_question(questions: list[str], *, claim: str | None, method: str, ci: str | None) -> None:
    if len(questions) > 1:
        raise InputError(
            "", f"{questions[0]} and {questions[1]} are different questions", Words("both"), "ask one at a time"
        )
    if claim is not None and "--margin" not in questions:
        raise InputError("", f"--claim {claim} needs the largest difference you would accept", Words("no --margin"))
    if questions and method in ("hanley_mcneil", "venkatraman"):
        raise InputError(
            "", f"{questions[0]} is not answered by --method {method}", way_out="use delong, bootstrap or clustered"
        )
    if questions and questions[0].startswith("--at-") and method not in ("delong", "bootstrap"):
        raise InputError(
            "", f"{questions[0]} is compared by the bootstrap", Words(f"--method {method}"), "leave out --method"
        )
    if ci is not None and method not in ("delong", "bootstrap"):
        raise InputError(
            "", "--ci chooses the interval of DeLong and bootstrap areas", Words(f"--method {method}"), "leave it out"
        )


def _weights(text: str) -> dict[str, float]:
    """Weights by name from the text A=1,B=-1."""
    out: dict[str, float] = {}
    for part in text.split(","):
        name, _, weight = part.strip().rpartition("=")
        try:
            out[name.strip()] = float(weight)
        except ValueError:
            name = ""
        if not name or not math.isfinite(out[name.strip()]):
            raise InputError("--contrast", "must be written A=1,B=-0.5,C=-0.5", Words(f"{part.strip()!r} in it"))
    return out


def _groups(files: tuple[str, ...], data: Data) -> dict[str, Any]:
    """One score of each file, under a name of its own."""
    from dataclasses import replace

    columns = data.column_of_each(files)
    out = {}
    for file, column, name in zip(files, columns, distinct_names(files, columns), strict=True):
        cases = data.read_one(file, column)
        out[name] = replace(cases, scores={name: cases.scores[column]}, direction={name: cases.direction[column]})
    return out
