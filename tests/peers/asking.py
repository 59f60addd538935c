"""How questions are put to roclab with data of other projects: what all kinds of them share."""

from __future__ import annotations

import math

import numpy as np

import roclab as rl

ASKS = {}  # every kind of question by its name


def ask(function):
    ASKS[function.__name__] = function
    return function


def number(value):
    if value is None:
        return math.nan
    if isinstance(value, str):
        return {
            "NaN": math.nan,
            "NA": math.nan,
            "Inf": math.inf,
            "-Inf": -math.inf,
            "inf": math.inf,
            "-inf": -math.inf,
        }.get(value, math.nan)
    if isinstance(value, bool):
        return float(value)
    return float(value)


def vector(values):
    return np.array([number(v) for v in values], dtype=float)


def plain(value):
    """A float of whatever roclab gives; Undefined becomes nan."""
    if isinstance(value, rl.results.Undefined) or value is None:
        return math.nan
    return float(value)


def binary(data, score=None, **options):
    """y, s of a data set {y: [0/1], s: [...]} or {y:…, scores: {name: […]}}."""
    y = np.array(data["y"])
    s = vector(data["s"] if score is None else data["scores"][score])
    return y, s


def curve(data, score=None, lower=False, swap=False, weights=None):
    y, s = binary(data, score)
    if swap:
        y = 1 - y
    more = {}
    if lower:
        more["direction"] = "lower"
    if weights:
        more["sample_weight"] = vector(data[weights])
    return rl.roc(y, s, **more)
