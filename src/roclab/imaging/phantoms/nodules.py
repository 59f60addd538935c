"""Nodules of a phantom: where they may lie, and what they look like."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

import numpy as np

from roclab._core.types import Array, Floats
from roclab.imaging.phantoms.canvas import Canvas, Place, ball, capsule
from roclab.names import NodulePlace, NoduleTexture

__all__ = ["NODULE", "Nodule", "is_malignant", "paint_nodule"]

NODULE = 100  # the first nodule's number among the kinds of tissue
_GREY: dict[str, tuple[float, float]] = {
    "solid": (-20.0, 60.0),
    "part-solid": (-620.0, -480.0),  # of the part that is not solid
    "ground-glass": (-680.0, -480.0),
    "calcified": (180.0, 500.0),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Nodule:
    """What is known of a nodule of a phantom."""

    position: tuple[float, float, float]  # x, y, z of its centre in world mm
    diameter: float  # mm, of the ball that it was made from
    place: NodulePlace
    texture: NoduleTexture
    malignant: bool
    voxels: int  # inside the lung, where it covers most of the voxel


def is_malignant(diameter: float, texture: str, rng: np.random.Generator) -> bool:
    """Drawn by a logistic rule in the logarithm of the diameter, 50 % at 10 mm; calcified nodules are benign."""
    chance = 1 / (1 + math.exp(-3.0 * math.log(diameter / 10.0)))
    drawn = float(rng.uniform())
    return texture != "calcified" and drawn < chance


def paint_nodule(
    canvas: Canvas, centre: Floats, diameter: float, texture: str, malignant: bool, kind: int, lung: Array,
    rng: np.random.Generator,
) -> None:  # fmt: skip
    """A ball with bumps; malignant ones are bumpier and have spikes."""
    radius = diameter / 2
    grey = float(rng.uniform(*_GREY[texture]))
    bumps = rng.normal(size=(4, 3))
    bumps /= np.linalg.norm(bumps, axis=1, keepdims=True)
    height = rng.uniform(0.3, 1.0, size=4) * (0.16 if malignant else 0.07)
    sides = rng.uniform(0.85, 1.18, size=3)

    def shape(place: Place) -> Array:
        apart = [(p - c) / s for p, c, s in zip(place, centre, sides, strict=True)]
        far = np.sqrt(sum(one**2 for one in apart))
        lift: Array = np.zeros_like(far)
        for one, tall in zip(bumps, height, strict=True):
            cosine = sum(a * b for a, b in zip(apart, one, strict=True)) / np.maximum(far, 1e-6)
            lift = lift + tall * (3 * np.clip(cosine, 0, 1) ** 4 - 0.6)
        distance: Array = far - radius * (1 + lift)
        return distance

    # A ball thinner than a voxel fills only part of any.
    strength = min(1.0, (diameter / canvas.width) ** 2)
    reach = 1.7 * radius
    canvas.paint_near(centre[None], reach, shape, grey, kind, strength, lung)
    if texture == "part-solid":
        core = centre + rng.normal(size=3) * 0.1 * radius
        share = float(rng.uniform(0.4, 0.6))
        near = float(rng.uniform(-40, 40))
        canvas.paint_near(
            centre[None], reach, partial(ball, centre=core, radius=share * radius), near, kind, strength, lung
        )
    if malignant and texture != "ground-glass":
        for _ in range(int(rng.integers(3, 8))):
            way = rng.normal(size=3)
            tip = centre + way / np.linalg.norm(way) * radius * float(rng.uniform(1.3, 1.8))
            wide = 0.12 * radius
            canvas.paint_near(
                np.stack([centre, tip]), wide, partial(capsule, start=centre, end=tip, first=wide, last=0.1),
                grey, kind, min(1.0, 2 * wide / canvas.width), lung,
            )  # fmt: skip
