"""Errors of the library in the words of the command line: ``pos_label='ill'`` becomes ``--positive ill``."""

from __future__ import annotations

import re
import shlex

__all__ = ["in_options"]

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
}
_SAME = (
    "area",
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
    "ratio",
    "scheme",
    "score",
    "sheet",
    "standard",
    "test",
    "tpr",
    "weights",
)
_OPTIONS = {**{name: name for name in _SAME}, **_RENAMED}

_ASSIGNED = re.compile(rf"\b({'|'.join(_OPTIONS)})=('[^']*'|\"[^\"]*\"|\([^)]*\)|[\w.+-]*[\w])?")
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
