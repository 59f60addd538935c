"""Lesions of the breast phantom: smooth benign ones, and malignant ones with a rim, a core and spicules."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from roclab._core.types import Array, Floats
from roclab.imaging.phantoms.canvas import Canvas, cover
from roclab.imaging.phantoms.dynamic import TissueMaps, smooth_field
from roclab.names import LesionKind

__all__ = ["BreastLesion", "Wanted", "paint_lesion"]

Wanted = tuple[LesionKind, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class BreastLesion:
    """Where a lesion is and what it is."""

    kind: LesionKind
    position: tuple[float, ...]  # (x, y, z), mm
    diameter: float  # mm
    ktrans: float  # per minute: of the whole if benign, of the rim if malignant
    voxels: int


def paint_lesion(
    canvas: Canvas, maps: TissueMaps, truth: Array, number: int, centre: Floats, diameter: float, kind: LesionKind,
    rng: np.random.Generator,
) -> float:  # fmt: skip
    """Mix a lesion into the tissue, number its voxels in ``truth``, and return its Ktrans.

    Benign: slow uptake into a wide interstitium, so that the curve still rises at the end. Malignant: a rim that takes
    up fast and washes out, and a core that takes up slowly or, in half of those beyond 12 mm, hardly at all.
    """
    box = canvas.box(centre, 0.75 * diameter)
    if box is None:
        return 0.0
    apart = [p - c for p, c in zip(canvas.place_of(box), centre, strict=True)]
    distance = np.sqrt(sum(one**2 for one in apart))
    rough = 0.08 if kind == "benign" else 0.2
    outline = _outline(apart, distance, rng, waves=4 if kind == "benign" else 9, depth=rough)
    radius = diameter / 2
    inside = distance - radius * outline
    covered = cover(inside, canvas.width).astype(np.float32)
    uneven = np.exp(0.25 * smooth_field(covered.shape, canvas.spacing, max(diameter / 3, 3.0), rng))
    ktrans = float(np.exp(np.log(0.13) + 0.35 * rng.normal()))
    if kind == "benign":
        ve = float(rng.uniform(0.5, 0.7))
        maps.mix(covered, box, s0=0.9, t1=1.2, ktrans=(ktrans * uneven).astype(np.float32), ve=ve, vp=0.02)
    else:
        ktrans = float(np.exp(np.log(0.33) + 0.3 * rng.normal()))
        dead = diameter > 12 and rng.random() < 0.5
        core = ktrans * (0.06 if dead else 0.35)
        share = np.clip((distance / (radius * outline) - 0.35) / 0.3, 0, 1)  # 0 in the core, 1 in the rim
        map_k = (core + (ktrans - core) * share) * uneven
        ve = float(rng.uniform(0.22, 0.38))
        maps.mix(covered, box, s0=0.9, t1=1.3, ktrans=map_k.astype(np.float32), ve=ve + 0.2 * (1 - share), vp=0.06)
    truth[box][covered >= 0.5] = number
    return ktrans


def _outline(apart: list[Array], distance: Array, rng: np.random.Generator, *, waves: int, depth: float) -> Array:
    """Radius in every direction, 1 on average: some cosines over the sphere."""
    unit = [one / np.maximum(distance, 1e-6) for one in apart]
    total = np.zeros_like(distance)
    for _ in range(waves):
        way = rng.normal(size=3)
        way *= rng.uniform(1.5, 5.0) / np.linalg.norm(way)
        total += np.cos(sum(w * u for w, u in zip(way, unit, strict=True)) * 2 + rng.uniform(0, 2 * np.pi))
    found: Array = 1 + depth * total / np.sqrt(waves / 2)
    return np.clip(found, 0.5, 1.5)
