"""A small network as plain arrays: the same numbers before and after a file, and nothing but NumPy to apply it.

Training is left to scikit-learn (:mod:`roclab.benching.curve_classifier`); a logistic regression is a network without
hidden layers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from scipy.special import expit

from roclab._core.products import product
from roclab._core.types import Array, Floats, frozen

__all__ = ["ACTIVATIONS", "Activation", "Network"]

Activation: TypeAlias = Literal["identity", "relu", "tanh", "logistic"]
ACTIVATIONS = ("identity", "relu", "tanh", "logistic")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Network:
    """Weights from layer to layer; inputs are centred and scaled first, the last value goes through a sigmoid."""

    centre: Floats  # (d,)
    scale: Floats  # (d,)
    weights: tuple[Floats, ...]  # (inputs, outputs) each, the last with one output
    offsets: tuple[Floats, ...]
    activation: Activation = "relu"

    def __post_init__(self) -> None:
        for one in (self.centre, self.scale, *self.weights, *self.offsets):
            frozen(one)

    @property
    def hidden(self) -> tuple[int, ...]:
        """Units of every hidden layer."""
        return tuple(int(weight.shape[1]) for weight in self.weights[:-1])

    def confidence(self, points: Array) -> Array:
        """Between 0 and 1, of the kind of the points: O(n weights)."""
        kind = points.dtype if points.dtype.kind == "f" else np.dtype(np.float64)
        layer = (points - self.centre.astype(kind)) / self.scale.astype(kind)
        for at, (weight, offset) in enumerate(zip(self.weights, self.offsets, strict=True)):
            layer = product(layer, weight.astype(kind))
            layer += offset.astype(kind)
            if at + 1 < len(self.weights):
                layer = _activated(layer, self.activation)
        out: Array = _activated(layer[:, 0], "logistic")
        return out


def _activated(values: Array, how: Activation) -> Array:
    if how == "relu":
        return np.maximum(values, 0, out=values)
    if how == "tanh":
        return np.tanh(values, out=values)
    if how == "logistic":
        made: Array = expit(values)
        return made
    return values
