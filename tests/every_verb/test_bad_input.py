"""Every verb meets bad input: one sentence that ends in a full stop, and never another exception."""

from __future__ import annotations

import inspect
import warnings

import numpy as np
import pytest

from roclab.errors import InputError, MissingValuesError, OneClassError, UnknownKeywordError
from tests.every_verb.verbs import ELSEWHERE, OF_SCORES, OTHERS, S, Y, call, every_call
from tests.public import public, public_names

EVERY = {name: (function, arguments, options) for name, function, arguments, options in every_call()}


def refused(function, *arguments, kind=InputError, **options):
    """The sentence with which a call is refused; warnings on the way are errors."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(InputError) as error:
            function(*arguments, **options)
    said = str(error.value)
    assert said.endswith("."), said
    assert "\n" not in said
    assert len(said) < 800, said  # the names of all estimators are the longest list
    assert isinstance(error.value, kind), said
    return said


def test_the_table_has_every_verb():
    verbs = {name for name, one in public_names().items() if callable(one) and not isinstance(one, type)}
    assert {*OF_SCORES, *OTHERS, *ELSEWHERE} == verbs
    assert not {*OF_SCORES} & {*OTHERS}


@pytest.mark.parametrize("name", EVERY)
def test_the_smallest_call_works(name):
    function, arguments, options = EVERY[name]
    assert str(function(*arguments, **options))


def everywhere(name, values):
    """The same bad score in place of each score of a verb."""
    scores = OF_SCORES[name].scores
    return dict.fromkeys(scores, values) if isinstance(scores, dict) else values


BAD_SCORES = {
    "none": None,
    "text": ["low", "high"] * 20,
    "table": np.zeros((40, 3, 2)),
    "short": [0.2, 0.4, 0.6],
    "empty": [],
    "complex": S + 1j,
    "dates": np.full(40, np.datetime64("2020-01-01")),
    "nested": [[1, 2], [3]] * 20,
    "number": 3,
    "objects": [object()] * 40,
    "sets": [{1}, {2}] * 20,
}


@pytest.mark.parametrize("bad", BAD_SCORES)
@pytest.mark.parametrize("name", OF_SCORES)
def test_bad_scores(name, bad):
    refused(call, name, columns=everywhere(name, BAD_SCORES[bad]))


@pytest.mark.parametrize("name", OF_SCORES)
def test_missing_scores(name):
    gaps = np.where(np.arange(40) == 3, np.nan, np.clip(S, 0, 1))
    if name == "screen":  # leaves a case out for the marker that lacks it
        assert call(name, columns=everywhere(name, gaps)).markers[0].dropped == 1
    else:
        said = refused(call, name, columns=everywhere(name, gaps), kind=MissingValuesError)
        assert "missing='drop'" in said


BAD_LABELS = {
    "one class": [1] * 40,
    "three classes": [0, 1, 2, 1] * 10,
    "empty": [],
    "short": [0, 1],
    "none": None,
    "words without a positive": ["ill", "well"] * 20,
    "number": 1,
    "tables": np.zeros((40, 2)),
    "gaps": [0, 1, None, 1] * 10,
    "objects": [object(), object()] * 20,
}


@pytest.mark.parametrize("bad", BAD_LABELS)
@pytest.mark.parametrize("name", OF_SCORES)
def test_bad_labels(name, bad):
    refused(call, name, y=BAD_LABELS[bad])


@pytest.mark.parametrize("name", sorted({*OF_SCORES} - {"logistic", "read_cases"}))
def test_one_class_has_its_own_error(name):
    refused(call, name, y=[1] * 40, kind=OneClassError)


@pytest.mark.parametrize("name", OF_SCORES)
def test_unknown_columns_and_files(name):
    table = {"y": Y, **OF_SCORES[name].columns}
    options = OF_SCORES[name].options
    function = public(name)
    refused(function, table, label="z", score=list(OF_SCORES[name].columns), **options)
    refused(function, table, label="y", score=["none of them"], **options)
    refused(function, "no such file.csv", label="y", score=["a"], **options)
    refused(function, table, label=3, score=4, **options)
    refused(function, object(), **options)
    refused(function, 3, **options)


@pytest.mark.parametrize("name", EVERY)
def test_misspelt_keywords(name):
    function, arguments, options = EVERY[name]
    said = refused(function, *arguments, **options, levvel=0.9, kind=UnknownKeywordError)
    assert "has no argument 'levvel'" in said


@pytest.mark.parametrize("name", EVERY)
def test_arguments_that_lack_or_abound(name):
    function, arguments, options = EVERY[name]
    places = [one for one in inspect.signature(function).parameters.values() if one.kind is not one.KEYWORD_ONLY]
    required = [one for one in places if one.default is one.empty and one.kind is not one.VAR_POSITIONAL]
    if required:
        refused(function, **options)
    if not any(one.kind is one.VAR_POSITIONAL for one in places):
        refused(function, *arguments, *[None] * 9, **options)


def keywords_of(name, *, among=None):
    function, _, _ = EVERY[name]
    found = [one.name for one in inspect.signature(function).parameters.values() if one.kind is one.KEYWORD_ONLY]
    return [one for one in found if among is None or one in among]


# Of these any value may be meant: names of columns, classes, words that are printed.
ANYTHING = {"na", "neg_label", "pos_label", "title", "source", "command", "rng", "progress"}
KEYWORDS = [(name, word) for name in EVERY for word in keywords_of(name) if word not in ANYTHING]
NUMBERS = {"level", "prevalence", "cost_fp", "cost_fn", "null", "margin", "beta", "alpha", "tolerance", "points",
           "power", "area", "other", "correlation", "ratio", "span", "severity_ratio", "head", "trim", "workers", "b",
           "n_pos", "n_neg", "max_fpr", "degree", "threshold", "at_specificity", "at_sensitivity", "fpr",
           "tpr"}  # fmt: skip


@pytest.mark.parametrize(("name", "word"), KEYWORDS)
def test_wrong_kinds_for_every_keyword(name, word):
    """A word where a number is expected, a number where a word is, and what fits nowhere."""
    function, arguments, options = EVERY[name]
    wrong = [object(), {1, 2}, b"bytes", 1j]
    wrong += ["nonsense"] if word in NUMBERS else [-7.5]
    for value in wrong:
        refused(function, *arguments, **{**options, word: value})


@pytest.mark.parametrize(("name", "word"), [(n, w) for n, w in KEYWORDS if w in NUMBERS])
def test_numbers_that_are_none(name, word):
    function, arguments, options = EVERY[name]
    for value in (float("nan"), [], True):
        refused(function, *arguments, **{**options, word: value})


LEVELS = [
    (name, level)
    for name in EVERY
    if "level" in keywords_of(name)
    for level in (-0.95, 0, 1, 95, float("nan"), "0.95", None, True)
    if (name, level) not in (("net_benefit", None), ("confusion", None))  # which ask for no limits
]


@pytest.mark.parametrize(("name", "level"), LEVELS)
def test_levels(name, level):
    function, arguments, options = EVERY[name]
    assert "level" in refused(function, *arguments, **{**options, "level": level})


@pytest.mark.parametrize("name", [name for name in EVERY if "rng" in keywords_of(name)])
@pytest.mark.parametrize("seed", [-1, 1.5, "x", object()])
def test_seeds(name, seed):
    function, arguments, options = EVERY[name]
    if "resampling" in options:  # elsewhere a seed is not used
        assert refused(function, *arguments, **{**options, "rng": seed}).startswith("rng must be a whole number >= 0")
