"""Figures of formulas: curves and surfaces of which the parameters are given, and no data are needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from roclab.errors import InputError
from roclab.fuzzy.matching import PenaltySurface, penalty_surface
from roclab.smooth.exponential import ExponentialCurve, exponential_curve

__all__ = ["ExponentialCurve", "PenaltySurface", "exponential_family", "penalty_surface"]


def exponential_family(parameters: Any) -> dict[str, ExponentialCurve]:
    """England's curves for several pairs (E, R), by the names that a mapping gives them, or by their parameters.

    >>> [(name, round(one.area, 4)) for name, one in exponential_family([(2, 0.5), (4, 0.5)]).items()]
    [('E 2, R 0.5', 0.6667), ('E 4, R 0.5', 0.8)]
    """
    pairs = list(parameters.values()) if isinstance(parameters, Mapping) else parameters
    if isinstance(pairs, str) or not isinstance(pairs, Sequence) or not pairs or any(map(_is_no_pair, pairs)):
        rule = "are pairs of numbers (E, R)"
        raise InputError("", f"England's curves {rule}", parameters, "write [(2, 0.5), (4, 0.5)] for two of them")
    curves = [exponential_curve(*pair) for pair in pairs]
    names = (
        list(parameters) if isinstance(parameters, Mapping) else [f"E {curve.E:g}, R {curve.R:g}" for curve in curves]
    )
    return dict(zip(map(str, names), curves, strict=True))


def _is_no_pair(pair: Any) -> bool:
    return isinstance(pair, str) or not hasattr(pair, "__len__") or len(pair) != 2
