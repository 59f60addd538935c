"""Every verb × every option that is no part of the data: another value changes the answer, is refused, or is told."""

from __future__ import annotations

import inspect
from typing import Literal, get_args, get_origin

import pytest

import roclab as rl
import roclab.names
from roclab.errors import InputError
from roclab.options.data import DataKeywords
from roclab.options.folds import FoldKeywords
from roclab.options.group import members_of, options_of
from tests.every_verb.test_keywords import ASKED, S, Y, ask, words
from tests.public import public

OF_DATA = {*options_of(DataKeywords), *options_of(FoldKeywords), "engine", "by"}
# Values that differ from the default where a type does not say which there are.
NUMBERS = {
    "level": 0.8, "resampling": 30, "rng": 5, "null": 0.6, "margin": 0.07, "at_specificity": 0.7,
    "at_sensitivity": 0.7, "prevalence": 0.15, "cost_fp": 7, "cost_fn": 7, "benefit_tp": 3, "benefit_tn": 0.5,
    "beta": 3, "alpha": 0.2, "max_fpr": 0.2,
    "trim": 0.45, "points": 7, "span": 0.9, "degree": 2, "head": 2, "power": 0.7, "slopes": (0.5, 2.0), "fpr": (0, 0.3),
    "tpr": (0.7, 1), "target": {"sensitivity": 0.7}, "contrast": {"a": 1, "b": -1}, "require": {"sensitivity": 0.5},
    "rule_out": {"sensitivity": 0.9}, "rule_in": {"specificity": 0.9}, "probabilities": [0.3], "threshold": 0.2,
    "thresholds": [0.2, 1.4], "criterion": "product_ppv_npv", "metrics": ["mcc"], "columns": ["mcc"], "sort_by": "fpr",
    "peaks": "youden", "shares": (0.1, 0.4, 0.7), "add": "a", "other": 0.6, "ratio": 3, "n_pos": 40, "n_neg": 40,
    "correlation": 0.3, "margins": 0.1, "title": "another", "only": ["areas"], "exclude": ["b"], "limit": 1,
    "estimator": "tauc", "complete": ["p"], "tolerance": 0.3, "group": "fold", "select_on": ["one"], "predicted": ["c"],
    "bins": 4, "step": 0.1, "shape": 3.0, "prevalences": (0.2, 0.4), "minimum": 50, "readers": "ward", "bench": "none",
    "stage": "fit", "model": "fit", "listwise": True, "control": "a", "probability": 0.2, "confidence": 0.9,
    "ratio_margin": 0.8, "reclassification": [0.3],
    "repeats": 2, "predictors": ["a"], "covariates": ["p"], "interaction": ["p"],
    "time": "weight", "event": "fold", "cause": 1, "competing": 2, "censored": 0, "at": 2, "landmark": 1, "tau": 5,
    "censoring": "fold",
}  # fmt: skip
# What no answer can show, and why.
NO_PART = {
    "progress": "it hears, and says nothing", "workers": "results do not depend on it", "source": "a word for the page",
    "command": "a word for the page", "path": "where the counts are written", "columns": "tested with its table",
}  # fmt: skip
# Values that say what is done anyway on these data.
USUAL = {
    ("average", "spread", "normal"), ("compare_curves", "interval", "score"), ("logistic", "variance", "delong"),
    ("logistic", "test", "score"), ("mann_whitney", "p_value", "normal"), ("screen", "test", "score"),
    ("screen", "variance", "delong"), ("screen", "interval", "score"), ("screen", "order", "file"),
    ("smooth_cutoff", "smoother", "bootstrap"), ("combine", "operation", "and"),
    ("compare_groups", "pairing", "unpaired"), ("auc", "standardize", "none"), ("auc", "interval", "score"),
    ("auc", "variance", "delong"), ("compare", "standardize", "none"), ("compare", "variance", "delong"),
    ("compare", "interval", "score"), ("compare", "test", "score"), ("cutoff", "goal", "max"),
    ("average", "spread", "t"),
    ("cutoff_stability", "goal", "max"), ("smooth_cutoff", "goal", "max"), ("compare_groups", "standardize", "none"),
    ("compare_groups", "variance", "delong"), ("compare_groups", "interval", "score"),
    ("compare_groups", "test", "t"), ("logistic", "complete", "['p']"), ("logistic", "interval", "score"),
    ("concordance", "cause", "1"), ("concordance", "estimator", "harrell"), ("concordance", "censored", "0"),
    ("cutoff_table", "conventions", "SPSS"), ("screen", "listwise", "True"),
}  # fmt: skip


def cells(verb):
    return cells_of(public(verb))


def cells_of(function):
    """Every option of a function with every other value that it may have."""
    for name, one in inspect.signature(function).parameters.items():
        if one.kind is one.KEYWORD_ONLY and name not in OF_DATA and name not in NO_PART:
            for value in values_of(name, hint_of(function, one), one.default):
                yield name, value


def hint_of(function, parameter):
    inner = inspect.unwrap(function)
    inner = getattr(inner, "__func__", inner)
    try:
        return eval(parameter.annotation, {**vars(roclab.names), **inner.__globals__})
    except (NameError, TypeError):  # imported for type checkers only
        return None


def values_of(name, hint, default):
    literals = (
        []
        if hint is None
        else [one for kind in members_of(hint) if get_origin(kind) is Literal for one in get_args(kind)]
    )
    if literals and name != "estimator":
        return [one for one in literals if one != default]
    if isinstance(default, bool):
        return [not default]
    return [NUMBERS[name]]


def said(verb, **options):
    try:
        return words(ask(verb, **options))
    except InputError as error:
        return f"refused: {error}"


@pytest.mark.filterwarnings("ignore::roclab.errors.RoclabWarning")
@pytest.mark.parametrize("verb", ASKED)
def test_every_option_is_heard(verb):
    usual = said(verb)
    silent = [
        (verb, name, value)
        for name, value in cells(verb)
        if (verb, name, str(value)) not in USUAL and said(verb, **{name: value}) == usual
    ]
    assert silent == []


# Of the methods of a curve: what each needs, and values that say what is done anyway.
METHODS = {
    "auc": {}, "tauc": {}, "partial_auc": {"fpr": (0, 0.5)}, "band": {}, "cutoff": {}, "test": {},
    "cutoff_stability": {"resampling": 40, "rng": 1},
}  # fmt: skip
USUAL_OF_METHODS = {
    ("auc", "interval", "score"), ("auc", "variance", "delong"), ("tauc", "variance", "delong"),
    ("partial_auc", "variance", "delong"), ("test", "test", "score"), ("auc", "standardize", "none"),
    ("partial_auc", "standardize", "none"), ("test", "standardize", "none"), ("cutoff", "goal", "max"),
    ("cutoff_stability", "goal", "max"),
}  # fmt: skip


def said_of_curve(method, **options):
    curve = rl.roc(Y, S)
    try:
        return words(getattr(curve, method)(**{**METHODS[method], **options}))
    except InputError as error:
        return f"refused: {error}"


@pytest.mark.parametrize("method", METHODS)
def test_every_option_of_a_method_is_heard(method):
    usual = said_of_curve(method)
    silent = [
        (method, name, value)
        for name, value in cells_of(getattr(rl.roc(Y, S), method))
        if (method, name, str(value)) not in USUAL_OF_METHODS and said_of_curve(method, **{name: value}) == usual
    ]
    assert silent == []
