"""``roclab rank-test``: rank and Kolmogorov tests of one, two or many samples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.data import Data, table_of_file
from roclab.cli.shared.discrete import discrete_of
from roclab.cli.shared.options import output_options, sample_options, seed_option
from roclab.cli.shared.parsing import refuse
from roclab.cli.shared.progress import bar_unless_quiet
from roclab.cli.shared.wording import saying
from roclab.errors import InputError, Words
from roclab.names import ALTERNATIVES, RANK_P_VALUES, RANK_TESTS

if TYPE_CHECKING:
    from roclab.cli.shared.output import Output

_TWO_CLASSES = ("mann-whitney", "smirnov")


@click.command(cls=Command)
@file_argument()
@sample_options
@option("--group", metavar="COLUMN", heading="Data", help="Group of each case, for kruskal-wallis and smirnov-groups.")
@option("--test", type=click.Choice(RANK_TESTS), default="mann-whitney", help="Which test, or the band of one column.")
@option(
    "--p-value",
    type=click.Choice(RANK_P_VALUES),
    help="P-value of mann-whitney (default auto, exact up to 60 cases).",
)
@option(
    "--alternative",
    type=click.Choice(ALTERNATIVES),
    help="Of mann-whitney and smirnov (default two-sided); the positive class is the first sample.",
)
@option("--cdf", metavar="NAME:NUMBERS", help="For kolmogorov: uniform:LOW,HIGH, normal:MEAN,SD or exponential:RATE.")
@option("--discrete", metavar="VALUE=P,...", help="For kolmogorov: values and their probabilities, also as 1/5.")
@option(
    "--level",
    type=float,
    metavar="P",
    heading="Uncertainty",
    help="Confidence level of the band, or of kolmogorov's critical values (default 0.95).",
)
@seed_option
@output_options
def rank_test(
    file: str,
    data: Data,
    group: str | None,
    test: str,
    p_value: Any,
    alternative: Any,
    cdf: str | None,
    discrete: str | None,
    level: float | None,
    seed: int,
    output: Output,
) -> None:
    r"""Do samples come from one distribution? Rank and Kolmogorov tests.

    mann-whitney and smirnov compare a score between the two classes, kruskal-wallis and smirnov-groups (the largest gap
    between any two distribution functions, by permutation) between any number of groups.
    kolmogorov compares one column with a distribution; band surrounds its distribution function.
    For mann-whitney, greater says that positive cases have larger values; for smirnov, as usual, that their
    distribution function is the larger one, so that their values are smaller.

    \b
    Examples:
      roclab rank-test example --label outcome --positive deteriorated --score lactate
      roclab rank-test example --label outcome --positive deteriorated --score lactate \
          --p-value continuity --alternative greater --json
      roclab rank-test example --test kruskal-wallis --group ward --score lactate
      roclab rank-test example --test smirnov-groups --group ward --score lactate --seed 1
      roclab rank-test example --test smirnov --label outcome --positive deteriorated \
          --score concern
      roclab rank-test wines --test kolmogorov --score barolo --cdf uniform:0,1
      roclab rank-test wines --test kolmogorov --score oak --discrete "0=1/2,1=1/2"
      roclab rank-test wines --test band --score p_oak --level 0.9 --csv
    """
    import roclab as rl
    from roclab.analysis.rank_test import cdf_of

    output.spare(file)
    _check_question(
        test, data, group=group, p_value=p_value, alternative=alternative, cdf=cdf, discrete=discrete, level=level
    )
    side: Any = alternative or "two-sided"
    found: Any
    if test in _TWO_CLASSES:
        cases = data.read_one(file)
        who = f"{cases.only_name()}: first is {cases.positive}, second is {cases.negative}"
        notes = [who, *_dropped(cases.dropped)]
        if test == "smirnov":
            found = rl.ranks.smirnov(cases, alternative=side)
        else:
            found = rl.ranks.mann_whitney(cases, alternative=side, p_value=p_value or "auto")
            notes.insert(1, f"alternative: {side}")
        output.show(found, notes)
        return
    score = _only_score(file, data)
    reading = data.reading(missing=True)
    if test == "kruskal-wallis":
        table: Any = table_of_file(file)
        dropped = 0
        if group not in (None, score):
            columns = rl.read_columns(table, [str(group), score], numeric=[score], **reading)
            table, dropped, reading = columns.values, columns.dropped, {}
        with saying({"groups": f"--group {group}"}):
            found = rl.ranks.kruskal_wallis(table, score=score, group=group, **reading)
        words = f"{score} in the groups of {group}; H is corrected for ties"
        output.show(found, [words, *_dropped(dropped)])
        return
    if test == "smirnov-groups":
        with bar_unless_quiet("permutations") as bar:
            asked_groups: dict[str, Any] = {"group": group, "rng": seed, "progress": bar}
            found = rl.ranks.smirnov_of_groups(table_of_file(file), score=score, **asked_groups, **reading)
        output.show(found, [f"{score} in the groups of {group}"])
        return
    column = rl.read_columns(table_of_file(file), [score], numeric=[score], **reading)
    notes = [f"{score}: {column[score].size} values", *_dropped(column.dropped)]
    asked: dict[str, Any] = {} if level is None else {"level": level}
    if test == "band":
        found = rl.ranks.cdf_band(column[score], **asked)
        words = f"{100 * found.level:g}% band of the whole distribution function, S plus or minus {found.width:.4f}"
        output.show(found, [words, *notes])
        return
    if cdf is not None:
        with saying({"cdf": "--cdf"}):
            words = cdf_of(cdf)[1]
        found = rl.ranks.kolmogorov(column[score], cdf, **asked)
    else:
        assert discrete is not None
        words = f"discrete, {discrete}"
        support, probabilities = discrete_of(discrete)
        with saying(
            {"probabilities": "probabilities of --discrete", "support": "values of --discrete", "sample": score}
        ):
            found = rl.ranks.kolmogorov(column[score], support=support, probabilities=probabilities)
    fixed = "The p-values hold for a distribution chosen before these data were seen."
    output.show(found, [f"against: {words}", *notes, fixed])


def _check_question(test: str, data: Data, **given: Any) -> None:
    """Refuse what the test has no use for."""
    options = {f"--{name.replace('_', '-')}": value is not None for name, value in given.items()}
    options |= {name: bool(value) for name, value in data.columns.items() if name != "--score"}
    options |= {"--positive": bool(data.pos_label), "--direction": bool(data.direction)}
    classes = ("--label", "--positive", "--id", "--fold", "--by", "--direction")
    used = {
        "mann-whitney": (*classes, "--p-value", "--alternative"),
        "smirnov": (*classes, "--alternative"),
        "kruskal-wallis": ("--group",),
        "smirnov-groups": ("--group",),
        "kolmogorov": ("--cdf", "--discrete", "--level"),
        "band": ("--level",),
    }[test]
    takes = ", ".join(("--score", *used[:2], *used[6:]) if len(used) > 6 else ("--score", *used))
    refuse(f"--test {test} takes {takes} only", {name: yes for name, yes in options.items() if name not in used})
    if test != "kolmogorov":
        return
    if options["--cdf"] == options["--discrete"]:
        got, way_out = ("both", "leave one out") if options["--cdf"] else ("neither", "write --cdf normal:0,1")
        raise InputError("", "--test kolmogorov needs --cdf or --discrete", Words(got), way_out)
    if options["--discrete"]:
        refuse("--discrete has exact p-values instead of critical values", {"--level": options["--level"]})


def _only_score(file: str, data: Data) -> str:
    if not data.score:
        from roclab.analysis.data import columns_not_named, named_table

        raise columns_not_named(["score"], *named_table(table_of_file(file), **data.reading()))
    if len(data.score) > 1:
        raise InputError(
            "--score",
            "must name one column for this command",
            Words(" and ".join(data.score)),
            "run it once for each of them",
        )
    return data.score[0]


def _dropped(count: int) -> list[str]:
    return [f"{count} dropped for missing values"] if count else []
