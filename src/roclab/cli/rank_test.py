"""``roclab rank-test``: rank and Kolmogorov tests of one, two or many samples."""

from __future__ import annotations

from typing import Any

import click

from roclab.cli.data import Data
from roclab.cli.options import Command, file_argument, option, output_options, sample_options
from roclab.cli.output import Output
from roclab.cli.parsing import refuse
from roclab.cli.wording import saying
from roclab.errors import InputError, Words
from roclab.names import ALTERNATIVES

TESTS = ("mann-whitney", "kruskal-wallis", "smirnov", "kolmogorov", "band")
METHODS = ("auto", "exact", "normal", "uncorrected", "continuity")

_TWO_CLASSES = ("mann-whitney", "smirnov")


@click.command(cls=Command)
@file_argument()
@sample_options
@option("--group", metavar="COLUMN", heading="Data", help="Column with the group of each case, for kruskal-wallis.")
@option("--test", type=click.Choice(TESTS), default="mann-whitney", help="Which test, or the band of one column.")
@option("--method", type=click.Choice(METHODS), help="P-value of mann-whitney (default auto, exact up to 60 cases).")
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
@output_options
def rank_test(
    file: str,
    data: Data,
    group: str | None,
    test: str,
    method: Any,
    alternative: Any,
    cdf: str | None,
    discrete: str | None,
    level: float | None,
    output: Output,
) -> None:
    r"""Do samples come from one distribution? Rank and Kolmogorov tests.

    mann-whitney and smirnov compare a score between the two classes, kruskal-wallis between any number of groups.
    kolmogorov compares one column with a distribution; band surrounds its distribution function.
    For mann-whitney, greater says that positive cases have larger values; for smirnov, as usual, that their
    distribution function is the larger one, so that their values are smaller.

    \b
    Examples:
      roclab rank-test example --label outcome --positive deteriorated --score lactate
      roclab rank-test example --label outcome --positive deteriorated --score lactate \
          --method continuity --alternative greater --json
      roclab rank-test example --test kruskal-wallis --group ward --score lactate
      roclab rank-test example --test smirnov --label outcome --positive deteriorated \
          --score concern
      roclab rank-test wines --test kolmogorov --score barolo --cdf uniform:0,1
      roclab rank-test wines --test kolmogorov --score oak --discrete "0=1/2,1=1/2"
      roclab rank-test wines --test band --score p_oak --level 0.9 --csv
    """
    output.spare(file)
    _check_question(
        test, data, group=group, method=method, alternative=alternative, cdf=cdf, discrete=discrete, level=level
    )
    if test in _TWO_CLASSES:
        _show_two_classes(file, data, test, method, alternative or "two-sided", output)
    elif test == "kruskal-wallis":
        _show_groups(file, data, group, output)
    else:
        values, notes = _one_column(file, data)
        asked: dict[str, Any] = {} if level is None else {"level": level}
        if test == "band":
            _show_band(values, asked, notes, output)
        else:
            _show_kolmogorov(values, cdf, discrete, asked, notes, output)


def _check_question(test: str, data: Data, **given: Any) -> None:
    """Refuse what the test has no use for."""
    options = {f"--{name}": value is not None for name, value in given.items()}
    options |= {"--label": data.label is not None, "--positive": data.positive is not None}
    used = {
        "mann-whitney": ("--label", "--positive", "--method", "--alternative"),
        "smirnov": ("--label", "--positive", "--alternative"),
        "kruskal-wallis": ("--group",),
        "kolmogorov": ("--cdf", "--discrete", "--level"),
        "band": ("--level",),
    }[test]
    takes = ", ".join(("--score", *used))
    refuse(f"--test {test} takes {takes} only", {name: yes for name, yes in options.items() if name not in used})
    if test != "kolmogorov":
        return
    if options["--cdf"] == options["--discrete"]:
        got = "both" if options["--cdf"] else "neither"
        raise InputError("", "--test kolmogorov needs --cdf or --discrete", Words(got), "write --cdf normal:0,1")
    if options["--discrete"]:
        refuse("--discrete has exact p-values instead of critical values", {"--level": options["--level"]})


def _show_two_classes(file: str, data: Data, test: str, method: Any, alternative: Any, output: Output) -> None:
    cases = data.read_one(file)
    score = cases.scores[cases.only_name()]
    first, second = score[cases.label], score[~cases.label]
    found: Any
    if test == "smirnov":
        from roclab.ranks.kolmogorov import smirnov

        found = smirnov(first, second, alternative=alternative)
        notes = []
    else:
        from roclab.ranks.mann_whitney import mann_whitney

        found = mann_whitney(first, second, alternative=alternative, method=method or "auto")
        notes = [f"alternative: {alternative}"]
    who = f"{cases.only_name()}: first is {cases.positive}, second is {cases.negative}"
    output.show(found, [who, *notes, *_dropped(cases.dropped)])


def _show_groups(file: str, data: Data, group: str | None, output: Output) -> None:
    import numpy as np

    from roclab.data.labels import word_of
    from roclab.ranks.kruskal_wallis import kruskal_wallis

    data.named(file, group=group, score=data.score)
    score = _only_score(data)
    assert group is not None
    if group == score:
        raise InputError("", "--group and --score must be different columns", Words(f"{group!r} for both"))
    columns, dropped = data.complete(data.columns(file, group, score, numeric=(score,)))
    names = np.unique(columns[group])
    with saying({"groups": f"--group {group}"}):
        found = kruskal_wallis({word_of(name): columns[score][columns[group] == name] for name in names.tolist()})
    output.show(found, [f"{score} in the groups of {group}; H is corrected for ties", *_dropped(dropped)])


def _one_column(file: str, data: Data) -> tuple[Any, list[str]]:
    data.named(file, score=data.score)
    score = _only_score(data)
    columns, dropped = data.complete(data.columns(file, score, numeric=(score,)))
    return columns[score], [f"{score}: {len(columns[score])} values", *_dropped(dropped)]


def _show_band(values: Any, asked: dict[str, Any], notes: list[str], output: Output) -> None:
    from roclab.ranks.kolmogorov import cdf_band

    found = cdf_band(values, **asked)
    words = f"{100 * found.level:g}% band of the whole distribution function, S plus or minus {found.width:.4f}"
    output.show(found, [words, *notes])


def _show_kolmogorov(
    values: Any, cdf: str | None, discrete: str | None, asked: dict[str, Any], notes: list[str], output: Output
) -> None:
    from roclab.cli.distributions import cdf_of, discrete_of
    from roclab.ranks.discrete import discrete_kolmogorov
    from roclab.ranks.kolmogorov import kolmogorov

    found: Any
    if cdf is not None:
        function, words = cdf_of(cdf)
        found = kolmogorov(values, function, **asked)
    else:
        assert discrete is not None
        words = f"discrete, {discrete}"
        with saying({"probabilities": "probabilities of --discrete", "support": "values of --discrete"}):
            found = discrete_kolmogorov(values, *discrete_of(discrete))
    fixed = "The p-values hold for a distribution chosen before these data were seen."
    output.show(found, [f"against: {words}", *notes, fixed])


def _only_score(data: Data) -> str:
    if len(data.score) > 1:
        raise InputError(
            "--score",
            "must name one column for this command",
            Words(f"{' and '.join(data.score)}"),
            "run it once for each of them",
        )
    return data.score[0]


def _dropped(count: int) -> list[str]:
    return [f"{count} dropped for missing values"] if count else []
