"""``roclab screen``: many markers against one outcome."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.data import Data, table_of_file, watch_engines
from roclab.cli.shared.derived import given, keyword_options
from roclab.cli.shared.follow_up import follow_up_options, followed_table, only_these
from roclab.cli.shared.options import bootstrap_options, outcome_options, output_options, seed_of, typed
from roclab.cli.shared.parsing import refuse
from roclab.cli.shared.progress import bar_unless_quiet
from roclab.cli.shared.wording import saying
from roclab.names import ADJUSTMENTS, AREA_TESTS, ASKED_SIDES, MARKER_ORDERS
from roclab.options.conventions import ConventionKeywords
from roclab.options.uncertainty import AreaUncertaintyKeywords

if TYPE_CHECKING:
    from roclab.cli.shared.output import Output


@click.command(cls=Command)
@file_argument()
@outcome_options
@option("--marker", metavar="COLUMN", multiple=True, heading="Data", help="Column to screen; repeatable (default all).")
@option("--exclude", metavar="COLUMN", multiple=True, heading="Data", help="Column to leave out; repeatable.")
@option(
    "--direction",
    "side",  # of every marker; the direction of Data is that of scores
    type=click.Choice(ASKED_SIDES),
    default="higher",
    help="Which side of every marker means positive; auto chooses by the AUC",
)
@option("--adjust", type=click.Choice(ADJUSTMENTS), help="Adjustment of p-values for many markers (default holm).")
@option("--spss", is_flag=True, help='The table "Area Under the Curve" as SPSS prints it: its numbers, its layout.')
@option(
    "--test", type=click.Choice(AREA_TESTS), help="Test of AUC = 0.5 (default: the one that agrees with the interval)."
)
@keyword_options(AreaUncertaintyKeywords, ConventionKeywords, only=("level", "interval", "variance", "conventions"))
@follow_up_options()
@option("--order", type=click.Choice(MARKER_ORDERS), help="Largest area first (default), or as in the file.")
@option("--listwise", is_flag=True, help="Leave a case out for all markers if it lacks one of them.")
@bootstrap_options
@option("--workers", "threads", type=int, metavar="N", help="Threads (default: one per processor).")
@output_options
def screen(
    file: str,
    data: Data,
    marker: tuple[str, ...],
    side: Any,
    adjust: Any,
    spss: bool,
    test: Any,
    asked: dict[str, Any],
    exclude: tuple[str, ...],
    followed: dict[str, Any],
    order: Any,
    listwise: bool,
    seed: int,
    replicates: int,
    threads: int | None,
    output: Output,
) -> None:
    r"""Which of many markers tell the classes apart? One row per marker.

    Every numeric column of FILE but the outcome is a marker, unless some are named; other columns are skipped and
    listed. A case that lacks a marker is left out for that marker only; --missing is about the outcome.

    \b
    Examples:
      roclab screen example --label outcome --positive deteriorated
      roclab screen example --label outcome --positive deteriorated --spss
      roclab screen example --label outcome --positive deteriorated \
          --marker lactate --marker concern --variance empirical_q --ci plain --adjust bonferroni
      roclab screen example --label outcome --positive deteriorated --id ward --order file
      roclab screen followed --time days --event ended --cause relapse --competing death \
          --censored lost --horizon 730 --exclude patient
      roclab screen wines --label oak --exclude fruit --direction auto --adjust fdr --level 0.9 --csv
    """
    import roclab as rl

    output.spare(file)
    if followed:
        only_these("side", "adjust", "level", "interval", "order")
        table, columns = followed_table(file, data)
        columns |= {"score": list(dict.fromkeys(marker))} if marker else {}
        chosen = {name: value for name, value in (("adjust", adjust), ("order", order)) if value is not None}
        with saying({"at": "--horizon"}):
            output.show(rl.screen(table, exclude=exclude, direction=side, **chosen, **columns, **followed, **asked))
        return
    if spss:
        refuse("--spss prints what SPSS does", {"--test": test, **given(asked, "variance", "interval", "conventions")})
        asked["conventions"] = "SPSS"
    given_ones = {"test": test, "adjust": adjust, "order": order, "listwise": listwise or None}
    chosen = {name: value for name, value in given_ones.items() if value is not None}
    data.say_plan(file, tuple(dict.fromkeys(marker)), screened=True, exclude=exclude)
    watch_engines()
    keywords = data.keywords(tuple(dict.fromkeys(marker))) | {"direction": side}
    with bar_unless_quiet("screening") as bar:
        screening = rl.screen(
            table_of_file(file),
            exclude=exclude,
            **chosen,
            resampling=replicates,
            rng=seed_of(seed, typed("seed", "replicates")),
            workers=threads,
            progress=bar,
            **asked,
            **keywords,
        )
    if not spss:
        output.show(screening)
        return
    output.show(screening.spss())
