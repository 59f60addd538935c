"""``roclab readers``: multi-reader multi-case studies."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.data import Data, table_of_file
from roclab.cli.shared.derived import keyword_options
from roclab.cli.shared.options import (
    Draws,
    level_option,
    output_options,
    resampling_options,
    truth_options,
)
from roclab.cli.shared.parsing import names_of
from roclab.errors import InputError, Words
from roclab.names import (
    ADJUSTMENTS,
    ALTERNATIVES,
    ASKED_SIDES,
    CLAIMS,
    ESTIMATORS,
    MARK_FIGURES,
    RANDOM_EFFECTS,
    READER_COVARIANCES,
    READER_DESIGNS,
    READER_FIGURES,
    READER_INFERENCES,
    READER_METHODS,
    READER_RATES,
)
from roclab.options.region import RegionKeywords

if TYPE_CHECKING:
    from roclab.cli.shared.output import Output

__all__ = ["readers", "rating_of", "study_options"]

_COLUMNS = [
    option("--rating", metavar="COLUMN", multiple=True, heading="Data",
           help="Column with the rating; in a wide file COLUMN=READER:MODALITY, repeatable."),
    option("--reader", metavar="COLUMN", heading="Data", help="Column with the reader of each rating."),
    option("--modality", metavar="COLUMN", heading="Data", help="Column with the modality; none where there is one."),
    option("--case", metavar="COLUMN", heading="Data", help="Column with the case of each rating."),
    option("--subject", metavar="COLUMN", heading="Data", help="Column with the subject, if some have several cases."),
    option("--lesions", metavar="FILE", heading="Data",
           help="Of marks: a file with the lesions of every case; FILE then has one row per mark."),
    option("--lesion", metavar="COLUMN", heading="Data", help="Column with the lesion, in both (default lesion)."),
    option("--lesion-weight", metavar="COLUMN", heading="Data", help="Column with the weight of each lesion."),
    option("--direction", "side", type=click.Choice(ASKED_SIDES), default="higher", heading="Data",
           help="Which side of a rating means positive."),
    option("--modalities", metavar="A,B,…", help="Which modalities, in this order (default all)."),
    option("--estimator", type=click.Choice((*READER_RATES, *ESTIMATORS, *MARK_FIGURES)),
           help="Area or rate of each reader (default empirical; of marks wAFROC)."),
    option("--threshold", type=float, metavar="T", help="Sensitivity, specificity: ratings from T on are calls."),
    option("--covariance", type=click.Choice(READER_COVARIANCES), heading="Uncertainty",
           help="Covariances of the areas (default delong)."),
]  # fmt: skip


def study_options(command: Any) -> Any:
    """Columns and areas of a reader study, for both commands that read one."""
    for add in reversed(_COLUMNS):
        command = add(command)
    return truth_options(command)


def study_keywords(data: Data, asked: dict[str, Any]) -> dict[str, Any]:
    """What both commands ask of a study, by the names of the library."""
    keywords = {name: value for name, value in data.keywords(()).items() if name not in ("score", "direction")}
    chosen, lesions = asked.pop("modalities"), asked.pop("lesions")
    return keywords | {
        "direction": asked.pop("side"),
        "rating": rating_of(asked.pop("rating")),
        "lesions": None if lesions is None else table_of_file(lesions),
        "modalities": None if chosen is None else names_of(chosen, "--modalities"),
        **{
            name: asked.pop(name)
            for name in (
                "reader", "modality", "case", "subject", "lesion", "lesion_weight", "estimator", "threshold",
                "covariance",
            )
        },
    }  # fmt: skip


def rating_of(given: tuple[str, ...]) -> Any:
    """One column, or of a wide file the reader and modality of each."""
    if not given:
        return None
    if len(given) == 1 and "=" not in given[0]:
        return given[0]
    out: dict[str, tuple[str, ...]] = {}
    for text in given:
        column, equals, who = text.partition("=")
        parts = tuple(part.strip() for part in who.split(":"))
        if not equals or not all(parts) or len(parts) > 2 or column in out:
            raise InputError(
                "--rating",
                "must be one COLUMN, or COLUMN=READER:MODALITY once for each",
                text,
                "for instance ct_1=Adams:CT",
            )
        out[column] = parts
    return out


@click.command(cls=Command)
@file_argument()
@study_options
@keyword_options(RegionKeywords, into="region")
@option("--algorithm", metavar="NAME", help="The reader that is an algorithm: it stands against all others.")
@option(
    "--inference",
    type=click.Choice(READER_INFERENCES),
    default="hillis",
    heading="Uncertainty",
    help="Of differences: Hillis' degrees of freedom; for few readers and areas near 1 the score test, or the same "
    "calibrated by simulated studies.",
)
@option("--method", type=click.Choice(READER_METHODS), default="or", help="Obuchowski-Rockette, or pseudovalues.")
@option("--random", type=click.Choice(RANDOM_EFFECTS), default="both", help="What the conclusion is to hold for.")
@option("--design", type=click.Choice(READER_DESIGNS), help="Who reads what, if not everybody everything.")
@option("--margin", type=float, metavar="D", help="Largest difference you would accept: first modality against others.")
@option("--claim", type=click.Choice(CLAIMS), help="With --margin (default non-inferiority).")
@option("--adjust", type=click.Choice(ADJUSTMENTS), default="holm", heading="Uncertainty", help="p-values of pairs.")
@option(
    "--alternative", type=click.Choice(ALTERNATIVES), default="two-sided", heading="Uncertainty", help="Of the tests."
)
@option(
    "--figure", "drawn", metavar="KIND=PATH", multiple=True, heading="Output",
    help=f"Draw {', '.join(READER_FIGURES)}; repeatable.",
)  # fmt: skip
@option("--report", metavar="PATH", heading="Question", help="Write one page about the study, with every curve.")
@level_option
@resampling_options
@output_options
def readers(file: str, data: Data, region: dict[str, Any], draws: Draws, output: Output, **asked: Any) -> None:
    r"""Do modalities differ when several readers read the same cases?

    Areas of every reader, means of modalities, their differences, the F test of Obuchowski and Rockette with Hillis'
    degrees of freedom, and variance components. Files with the columns reader, modality (or treatment), case, truth and
    rating, and those of iMRMC, need no names; nor do .imrmc and .lrc files and workbooks of RJafroc. With --lesions the
    file has one row per mark of a free-response study.

    \b
    Examples:
      roclab readers readings
      roclab readers readings --random cases --covariance unbiased
      roclab readers readings --inference calibrated --seed 1
      roclab readers readings --modalities digital,film --margin 0.05
      roclab readers readings --estimator sensitivity --threshold 60
      roclab readers readings --label truth --rating rating --reader reader \
          --modality modality --case case --method dbm
      roclab readers readings --figure readers=curves.svg --figure interaction=lines.svg
      roclab readers readings --report study.html --seed 1
    """
    import roclab as rl

    output.spare(file)
    figures = [_figure(one) for one in asked.pop("drawn")]
    claim, page = asked.pop("claim"), asked.pop("report")
    if claim is not None and asked["margin"] is None:
        raise InputError(
            "--claim", "needs the largest difference you would accept", Words("no --margin"), "write --margin 0.05"
        )
    keywords = study_keywords(data, asked)
    with draws.shown() as resampling:
        study = rl.readers.mrmc(
            table_of_file(file), claim=claim or "non-inferiority", resampling=resampling, rng=draws.seed,
            **region, **keywords, **asked,
        )  # fmt: skip
    notes = []
    for kind, path in figures:
        study.plot(kind).save(path, name="--figure")
        notes.append(f"figure {kind} written to {path}")
    if page is not None:
        study.write_report(page, rng=draws.seed, source=Path(file).name)
        notes.append(f"report written to {page}")
    output.show(study, notes)


def _figure(text: str) -> tuple[Any, str]:
    kind, equals, path = text.partition("=")
    if not equals or kind not in READER_FIGURES:
        raise InputError("--figure", f"must be KIND=PATH with a kind of {', '.join(READER_FIGURES)}", text)
    from roclab._core.figure_file import check_figure_place

    check_figure_place(path, name="--figure")
    return kind, path
