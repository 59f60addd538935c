"""Continuous distributions as people write them: normal:0,1 or exponential:0.5."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

from roclab.errors import InputError, named

__all__ = ["Cdf", "cdf_of"]

Cdf: TypeAlias = Callable[[Any], Any]

_FORMS = {"uniform": ("LOW", "HIGH"), "normal": ("MEAN", "SD"), "exponential": ("RATE",)}
_FORM = "uniform:LOW,HIGH, normal:MEAN,SD or exponential:RATE"


def cdf_of(text: str) -> tuple[Cdf, str]:
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
        raise InputError("cdf", f"must be written {_FORM}", text, "for instance normal:0,1")
    if kind == "uniform" and values[0] >= values[1]:
        raise InputError("", f"{named('cdf')} uniform must have LOW below HIGH", text, "turn them round")
    if kind != "uniform" and values[-1] <= 0:
        raise InputError("", f"{named('cdf')} {kind} must have a {names[-1]} above 0", text)

    from scipy.stats import expon, norm, uniform

    words = ", ".join(f"{name.lower()} {value:g}" for name, value in zip(names, values, strict=True))
    if kind == "uniform":
        return uniform(loc=values[0], scale=values[1] - values[0]).cdf, f"{kind} with {words}"
    if kind == "normal":
        return norm(loc=values[0], scale=values[1]).cdf, f"{kind} with {words}"
    return expon(scale=1 / values[0]).cdf, f"{kind} with {words}"
