"""What an error proposes to write works: every way out that names an option is taken, and leads out."""

from __future__ import annotations

import re
import shlex

import click
import pytest

from roclab.cli.main import cli
from tests.cli import (
    test_average,
    test_combine,
    test_cutoff,
    test_errors,
    test_fit,
    test_hull,
    test_multiclass,
    test_rank_test,
    test_screen,
    test_ties,
)

TABLES = (
    test_errors,
    test_cutoff,
    test_average,
    test_combine,
    test_fit,
    test_hull,
    test_rank_test,
    test_screen,
    test_ties,
)
# An option and its values, up to the word or sign with which the sentence goes on.
WAY_OUT = re.compile(r"\b(?:write|add|use) (--[a-z-]+(?: (?!(?:if|for|or|as|and|with) )[^\s;]+)*)")


# Where a call has a second fault, that is the next to hear of.
NEXT = {
    "--label must name one column, got grape and oak; add --multilabel if a case may have several.": (
        "--score must name one column per label, got 3 for 2; name them in the same order."
    ),
}


def ways_out(sentence):
    """The options that a sentence proposes, as words of a command line.

    The full stop of the sentence, and a comma after a value, are no part of them; a comma alone is a value.
    """
    return [shlex.split(re.sub(r"(?<=\S)[.,]$", "", found)) for found in WAY_OUT.findall(sentence)]


def option_named(call, name):
    """The option of the command that is called, under any of its names; None where the command has no such option."""
    command, at = cli, 0
    while isinstance(command, click.Group):
        command, at = command.get_command(click.Context(command), call[at]), at + 1
    return next((one for one in command.params if name in one.opts), None)


def corrected(call, words):
    """The call as a reader would write it next: the option in place of what was given for it, or after the rest."""
    option = option_named(call, words[0])
    kept, at = [], 0
    while at < len(call):
        if option is not None and call[at] in option.opts and not option.multiple:
            at += 1 if option.is_flag else 1 + option.nargs
        else:
            kept.append(call[at])
            at += 1
    return [*kept, *words]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("got none; write --null 0.5.", [["--null", "0.5"]]),
        ("write --fpr 0 0.1 for the range 0 to 0.1.", [["--fpr", "0", "0.1"]]),
        ("write --positive 'very ill' if that is the positive one.", [["--positive", "very ill"]]),
        ("write --delimiter , if that is how the file was written.", [["--delimiter", ","]]),
        ("name another one, or write --mirror.", [["--mirror"]]),
        ("use --variance clustered or 'clustered_bootstrap', or leave out --id.", [["--variance", "clustered"]]),
        ("write --cdf normal:0,1.", [["--cdf", "normal:0,1"]]),
        ("leave it out.", []),
    ],
)
def test_ways_out_are_read_from_a_sentence(sentence, expected):
    assert ways_out(sentence) == expected


def test_ways_out_of_every_error_lead_out(shell, wine):
    """The call with the proposed words, in place of what was given for that option, is answered."""
    calls = [call for table in TABLES for call, *_ in table.ERRORS]
    calls += [["multiclass", wine, *options] for options, *_ in test_multiclass.ERRORS]
    followed = 0
    stuck = []
    for call in ([str(word) for word in one] for one in calls):
        sentence = shell.error(*call)
        for words in ways_out(sentence):
            followed += 1
            again = corrected(call, words)
            done = shell.runner.invoke(cli, again, prog_name="roclab")
            if done.exit_code and not (sentence in NEXT and NEXT[sentence] in done.stderr):
                stuck.append((" ".join(again), sentence, done.stderr.strip().splitlines()[-1]))
    assert stuck == []
    assert followed >= 25, "the tables of errors hold this many"
