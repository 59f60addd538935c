"""Distributions as the command line writes them: normal:0,1 or 1=1/5,2=4/5."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from roclab.errors import InputError, Words

__all__ = ["cdf_of", "discrete_of"]

_FORMS = {"uniform": ("LOW", "HIGH"), "normal": ("MEAN", "SD"), "exponential": ("RATE",)}
_FORM = "uniform:LOW,HIGH, normal:MEAN,SD or exponential:RATE"


def cdf_of(text: str) -> tuple[Callable[[Any], Any], str]:
    """The distribution function, and the distribution in words.

    >>> cdf, words = cdf_of("uniform: 0, 4")
    >>> float(cdf(1)), words
    (0.25, 'uniform with low 0, high 4')
    """
    kind, _, written = text.partition(":")
    kind = kind.strip()
    try:
        values = [float(part) for part in written.split(",")]
    except ValueError:
        values = []
    names = _FORMS.get(kind, ())
    if not values or len(values) != len(names) or not all(map(math.isfinite, values)):
        raise InputError("--cdf", f"must be written {_FORM}", text, "for instance normal:0,1")
    if kind == "uniform" and values[0] >= values[1]:
        raise InputError("", "--cdf uniform must have LOW below HIGH", text, "turn them round")
    if kind != "uniform" and values[-1] <= 0:
        raise InputError("", f"--cdf {kind} must have a {names[-1]} above 0", text)

    from scipy.stats import expon, norm, uniform

    words = ", ".join(f"{name.lower()} {value:g}" for name, value in zip(names, values, strict=True))
    cdf: Callable[[Any], Any]
    if kind == "uniform":
        cdf = uniform(loc=values[0], scale=values[1] - values[0]).cdf
    elif kind == "normal":
        cdf = norm(loc=values[0], scale=values[1]).cdf
    else:
        cdf = expon(scale=1 / values[0]).cdf
    return cdf, f"{kind} with {words}"


def discrete_of(text: str) -> tuple[list[float], list[str]]:
    """Values and their probabilities, which stay as they are written: 1/3 is exact.

    >>> discrete_of("1=1/3, 2=2/3")
    ([1.0, 2.0], ['1/3', '2/3'])
    """
    support: list[float] = []
    probabilities: list[str] = []
    for part in text.split(","):
        value, equals, probability = part.partition("=")
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not equals or not probability.strip() or not math.isfinite(number):
            raise InputError(
                "--discrete",
                "must be written VALUE=P,VALUE=P",
                Words(f"{part.strip()!r} in it"),
                "for instance 0=1/2,1=1/2",
            )
        support.append(number)
        probabilities.append(probability.strip())
    return support, probabilities
