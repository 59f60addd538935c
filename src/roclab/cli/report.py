"""``roclab report``: one page about one or several scores."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.data import Data, place_of
from roclab.cli.shared.derived import keyword_options
from roclab.cli.shared.follow_up import follow_up_options, followed_table, only_these
from roclab.cli.shared.options import (
    Draws,
    data_options,
    level_option,
    quiet_option,
    resampling_options,
    verbose_option,
)
from roclab.cli.shared.wording import saying
from roclab.errors import FileError, InputError, Words
from roclab.names import LANGUAGES, SECTIONS, Language
from roclab.options.conventions import ConventionKeywords
from roclab.options.criterion import CostKeywords, PromiseKeywords, RequirementKeywords
from roclab.options.rates import RateKeywords

if TYPE_CHECKING:
    from roclab.results import Report


@click.command(cls=Command)
@file_argument()
@data_options
@keyword_options(CostKeywords, into="costs")
@keyword_options(ConventionKeywords, into="theirs")
@keyword_options(
    RateKeywords,
    RequirementKeywords,
    PromiseKeywords,
    into="decided",
    only=("threshold", "require", "confidence"),
    threshold="Threshold that was fixed before these cases were seen; NAME=T for each score",
    require='Bounds that a cut-off is to keep in new cases, such as "sensitivity >= 0.9"',
    confidence="With --require: how sure the bounds are to hold in new cases (default 0.95)",
)
@follow_up_options()
@option("--title", metavar="TEXT", help="Heading of the report.")
@option(
    "--only",
    metavar="NAMES",
    help=f"Only these sections, joined by commas: {', '.join(SECTIONS)}.",
)
@option("--band/--no-band", default=True, help="Confidence bands around the curves.")
@level_option
@resampling_options
@option(
    "--out",
    "-o",
    "page",
    metavar="FILE",
    default="report.html",
    heading="Output",
    help="The page; the same name with .json gets every number.",
)
@option("--language", type=click.Choice(LANGUAGES), default="en", heading="Output", help="Language of the page.")
@option("--md", is_flag=True, heading="Output", help="Also write Markdown beside the page.")
@option("--pdf", is_flag=True, heading="Output", help="Also print the page to PDF; needs Chromium or Chrome.")
@quiet_option
@verbose_option
def report(
    file: str,
    data: Data,
    costs: dict[str, Any],
    theirs: dict[str, Any],
    decided: dict[str, Any],
    followed: dict[str, Any],
    title: str | None,
    only: str | None,
    band: bool,
    level: float,
    draws: Draws,
    page: str,
    language: Language,
    md: bool,
    pdf: bool,
) -> None:
    r"""One page with everything: areas, curves, comparisons, cut-offs, explorer.

    Writes one HTML file that works offline, prints well and lets one operating point be dragged over all panels, and
    beside it JSON with every number.

    \b
    Examples:
      roclab report example --label outcome --positive deteriorated \
          --score procalcitonin --score lactate --score concern -o report.html
      roclab report example --label outcome --positive deteriorated --score lactate \
          --prevalence 0.1 --cost-fn 5 --only areas,cutoffs --md -o lactate.html
      roclab report example --label outcome --positive deteriorated \
          --score procalcitonin --score lactate \
          --threshold procalcitonin=1.5 --threshold lactate=2 --by ward \
          --require "sensitivity>=0.9" --confidence 0.95 -o decisions.html
      roclab report followed --time days --event ended --cause relapse --competing death \
          --censored lost --score marker --score grade --horizon 730 --horizon 1460
    """
    from roclab import build_report
    from roclab.report.write import check_places, save_report

    also = tuple(form for form, wanted in (("md", md), ("pdf", pdf)) if wanted)
    places = check_places(page, also, name="--out")
    source = Path(place_of(file))
    for place in places.values():
        if source.exists() and place.exists() and place.samefile(source):
            raise FileError("--out", "must not be the file of the data", Words(place), "name another file")
    sections = None if only is None else [name.strip() for name in only.split(",")]
    if sections is not None and not set(sections) <= set(SECTIONS):
        raise InputError("--only", "must name sections joined by commas", only, f"there are {', '.join(SECTIONS)}")
    about: dict[str, Any] = {"title": title, "source": "standard input" if file == "-" else Path(file).name}
    if followed:
        only_these("threshold", "require", "level", "title", "only", "band")
        table, columns = followed_table(file, data)
        with saying({"at": "--horizon"}):
            made: Report = build_report(
                table, **columns, **followed, **about, **decided, level=level, band=band, only=sections,
                command=_command(None),
            )  # fmt: skip
        _tell(made, save_report(made, page, also, name="--out", language=language))
        return
    cases = data.as_program(theirs).read(file)
    with draws.shown() as resampling:
        made = build_report(
            cases,
            **about,
            level=level,
            **costs,
            **theirs,
            **decided,
            band=band,
            only=sections,
            **draws.keywords(resampling),
            command=_command(draws.seed),
        )
    _tell(made, save_report(made, page, also, name="--out", language=language))


def _tell(made: Report, written: list[Path]) -> None:
    """The answer, what to beware of, and where the page lies."""
    settings = click.get_current_context().obj
    if not getattr(settings, "quiet", False):
        from roclab.report.headline import answer

        click.echo(answer(made))
        for finding in made.findings:
            click.echo(f"{'Note: ' if finding.weight == 'warning' else ''}{finding.text}")
        click.echo(f"written: {', '.join(map(str, written))}")


def _command(seed: int | None) -> str:
    """The command as it was typed, with the seed it drew; of paths from the root only the file stays.

    A page is passed on, and folders of this machine are nobody's business.
    """
    words = ["roclab", *(_without_folder(word) for word in sys.argv[1:])]
    if seed is not None and not any(word == "--seed" or word.startswith("--seed=") for word in words):
        words += ["--seed", str(seed)]
    return shlex.join(words)


def _without_folder(word: str) -> str:
    option, equals, value = word.partition("=") if word.startswith("--") else ("", "", word)
    return f"{option}{equals}{Path(value).name}" if Path(value).is_absolute() else word
