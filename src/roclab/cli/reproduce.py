"""``roclab reproduce``: the published tables and worked examples, recomputed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from roclab.cli.shared.command import Command, option
from roclab.cli.shared.options import output_options, workers_option
from roclab.cli.shared.progress import bar_unless_quiet
from roclab.cli.shared.wording import saying
from roclab.cli.simulate import resume_option
from roclab.errors import InputError, Words
from roclab.names import SOURCE_TEXTS

if TYPE_CHECKING:
    from roclab.cli.shared.output import Output


@click.command(cls=Command)
@option("--all", "simulations", is_flag=True, help="Run the simulations too: tables I to X, some minutes.")
@option("--only", "sources", type=click.Choice(SOURCE_TEXTS), multiple=True, help="Only this source text; repeatable")
@option(
    "--data",
    metavar="DIR",
    help="Folder with public data that may not be shipped: phoneme.csv, pima.csv, dmd_carriers.csv (see above).",
)
@option(
    "--page",
    metavar="PATH",
    default="reproduction.html",
    help="Where the page with all comparisons goes, and beside it the same as .json.",
)
@option("--no-page", is_flag=True, help="Write no files.")
@option("--replicates", type=int, default=1000, metavar="N", help="With --all: samples in every situation.")
@option("--seed", type=click.IntRange(min=0), default=1, metavar="N", help="With --all: seed of the simulations.")
@resume_option
@workers_option
@output_options
def reproduce(
    simulations: bool,
    sources: tuple[str, ...],
    data: str | None,
    page: str,
    no_page: bool,
    replicates: int,
    seed: int,
    resume: str | None,
    workers: int,
    output: Output,
) -> int:
    r"""Do the published tables and examples come out? What the texts print or claim, beside ours.

    Four kinds of values are compared and never mixed: printed in the text; printed in a work that the text cites; what
    a printed formula or claim gives on our input; and references of our own, computed apart from roclab. Prints the
    counts and the agreement within each kind, and writes every comparison with its verdict and reason to
    reproduction.html and reproduction.json; --csv and --json print them. The exit code is 1 if a difference is
    unexplained.

    Public data of some tables may not be shipped. --data names a folder with any of: phoneme.csv (ELENA project, or
    OpenML 1489; five features and the class, 0 or 1), pima.csv (Pima Indians Diabetes of the UCI repository, or OpenML
    37; eight features and the class), dmd_carriers.csv (data set dystrophy of the R package ipred). With the first two
    the nine classifiers of the Italian tables are trained again, and the page draws their ROC and tROC curves.

    \b
    Examples:
      roclab reproduce
      roclab reproduce --only greek --page greek.html
      roclab reproduce --only english --no-page --csv
    """
    from roclab._core.whole_file import check_place, write_whole
    from roclab.analysis.study import reproduce as run

    places = [] if no_page else [page, str(Path(page).with_suffix(".json"))]
    for place in places:
        check_place(place, name="--page")
    if len(set(places)) == 1:
        raise InputError(
            "--page", "must not end in .json, which stands beside it", Words(page), "write for instance all.html"
        )
    words = {"replicates": "--replicates", "workers": "--workers", "resume": "--resume", "data": "--data"}
    with saying(words), bar_unless_quiet("running") as bar:
        found = run(
            sources=sources,
            simulations=simulations,
            data=data,
            replicates=replicates,
            rng=seed,
            workers=workers,
            progress=bar,
            resume=resume,
        )
    notes = []
    if places:
        from roclab.report.reproduction import reproduction_page

        for place, text in zip(places, (reproduction_page(found), found.to_json() + "\n"), strict=True):
            write_whole(place, text, name="--page")
        notes = [f"All comparisons: {' and '.join(places)}"]
    output.show(found, notes)
    return 1 if found.unexplained else 0
