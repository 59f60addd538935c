"""Errors of the library in the words of the command line: ``pos_label='ill'`` becomes ``--positive ill``."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from roclab.errors import InputError

__all__ = ["in_options", "saying"]

# Arguments of the library whose option has another name; these words stand for nothing else.
_RENAMED = {
    "pos_label": "positive",
    "sample_weight": "weight",
    "standard_error": "se",
    "n_pos": "positives",
    "n_neg": "negatives",
    "ids": "id",
    "folds": "fold",
    "rng": "seed",
    "interval": "ci",
    "alpha": "max-fpr",
    "cost_fp": "cost-fp",
    "cost_fn": "cost-fn",
    "max_fpr": "max-fpr",
    "labels": "classes",
    "severity_ratio": "severity-ratio",
}
_SAME = (
    "area",
    "beta",
    "decimal",
    "delimiter",
    "direction",
    "fold",
    "fpr",
    "label",
    "method",
    "missing",
    "null",
    "pairing",
    "power",
    "prevalence",
    "ratio",
    "scheme",
    "score",
    "shape",
    "sheet",
    "standard",
    "test",
    "tpr",
    "weights",
)
_OPTIONS = {**{name: name for name in _SAME}, **_RENAMED}

_ASSIGNED = re.compile(rf"(?<![\w-])({'|'.join(_OPTIONS)})=('[^']*'|\"[^\"]*\"|\([^)]*\)|[\w.+-]*[\w])?")
_WORD = re.compile(rf"\b({'|'.join(name for name in _RENAMED if '_' in name)})\b")


def in_options(sentence: str) -> str:
    """The sentence with arguments of functions written as options.

    >>> in_options("outcome has two labels; write pos_label='very ill' if that is the positive one.")
    "outcome has two labels; write --positive 'very ill' if that is the positive one."
    >>> in_options("write fpr=(0, 0.1) for the range 0 to 0.1.")
    'write --fpr 0 0.1 for the range 0 to 0.1.'
    """
    sentence = _ASSIGNED.sub(_option, sentence)
    sentence = _WORD.sub(lambda found: f"--{_RENAMED[found[1]]}", sentence)
    return sentence.replace("--id (or --id)", "--id").replace("give ids ", "give --id ")


@contextmanager
def saying(words: Mapping[str, str]) -> Iterator[None]:
    """Errors raised inside use other words: for what a command calls differently than the function it asks.

    >>> with saying({"alpha": "--max-fpr"}):
    ...     raise InputError("alpha must lie between 0 and 1, got 2.")
    Traceback (most recent call last):
    roclab.errors.InputError: --max-fpr must lie between 0 and 1, got 2.
    """
    try:
        yield
    except InputError as error:
        known = "|".join(map(re.escape, words))
        text = re.sub(rf"(?<![\w-])({known})(?![\w=])", lambda found: words[found[0]], str(error))
        error.args = (text,)  # the same error: some know more than their words
        raise error from None


def _option(found: re.Match[str]) -> str:
    name, value = f"--{_OPTIONS[found[1]]}", found[2]
    if value is None:
        return name
    if value == "None":
        return f"no {name}"
    if value.startswith("("):
        return f"{name} {value[1:-1].replace(',', '')}"
    if value[0] in "'\"":
        return f"{name} {shlex.quote(value[1:-1])}"
    return f"{name} {value}"
