r"""What a region looks like: four features of published nodule detectors, and shape and margin features beside them.

A region has n voxels of size s (mm along z, y, x), the volume V = n s_z s_y s_x and the centre c.

- sphericity: the part of its voxels whose centre lies within r = (3 V / 4 pi)^(1/3) of c.
- mean and sd: of the grey values, over all voxels (divisor n).
- inverse elongation: with d_j the number of erosions by the 3 x 3 cross after which slice j is empty, and A_j its
  pixels, the printed 8 max(d_j)^2 / sum A_j, which depends on the size of the region, and the cubic
  8 (max(d_j) s_xy)^3 / V, which does not.
- roundness and flatness: sqrt(l_3 / l_1) and sqrt(l_2 / l_1) of the eigenvalues of the covariance of the places, each
  voxel being a box and not a point.
- thickness: largest distance of a voxel of the region from the nearest voxel that is not dense, in mm.
- blob: roundness times thickness: large for what is round and thick, as vessels are not.
- contrast: mean grey value minus that of the lung within 3 mm around; margin: sd of the grey values there.
- depth: how far below the surface of the lung the region reaches, in mm.

Regions that were found as dots have three more: the response of the dot in HU, its scale (the sigma that gave it, in
mm), and the diameter of the ball of their solid part.
"""

from __future__ import annotations

import math

import numpy as np
from scipy import ndimage

from roclab._core.types import Array, Bools

__all__ = ["DOT_FEATURES", "FEATURES", "feature_names", "features_of", "inverse_elongation", "sphericity"]

FEATURES = (
    "sphericity", "mean", "sd", "inverse_elongation", "inverse_elongation_cubic", "diameter_mm", "roundness",
    "flatness", "thickness_mm", "blob_mm", "contrast", "margin", "depth_mm",
)  # fmt: skip
DOT_FEATURES = ("response", "scale_mm", "solid_mm")
_AROUND = 3.0  # mm: how far the margin reaches


def feature_names(method: str) -> tuple[str, ...]:
    """The features of regions that a method finds."""
    return (*FEATURES, *DOT_FEATURES) if method == "dots" else FEATURES


def sphericity(region: Bools, spacing: tuple[float, ...]) -> float:
    """The part of a region inside the ball of its volume around its centre. O(voxels).

    >>> sphericity(np.ones((1, 1, 1), dtype=bool), (1.0, 1.0, 1.0))
    1.0
    """
    at = np.argwhere(region) * np.array(spacing)
    radius = (3 * len(at) * math.prod(spacing) / (4 * math.pi)) ** (1 / 3)
    far = np.sqrt(((at - at.mean(axis=0)) ** 2).sum(axis=1))
    return float((far <= radius).mean())


def inverse_elongation(region: Bools, spacing: tuple[float, ...], *, power: int = 2) -> float:
    """Inverse elongation, as printed (``power`` 2) or cubic (3); see the head of this file. O(voxels).

    >>> inverse_elongation(np.ones((1, 1, 8), dtype=bool), (1.0, 1.0, 1.0))
    1.0
    """
    padded = np.pad(region, [(0, 0), (1, 1), (1, 1)])
    deepest = max(int(ndimage.distance_transform_cdt(one, metric="taxicab").max()) for one in padded)
    count = int(region.sum())
    if power == 2:
        return 8 * deepest**2 / count
    return float(8 * (deepest * math.sqrt(spacing[1] * spacing[2])) ** 3 / (count * math.prod(spacing)))


def features_of(
    region: Bools, grey: Array, around: Bools, spacing: tuple[float, ...], thickness: float
) -> dict[str, float]:
    """All features of a region but its depth below the surface.

    ``around`` says which voxels of its box are lung outside any region; without any, contrast and margin are 0.
    """
    values = grey[region].astype(np.float64)
    at = np.argwhere(region) * np.array(spacing)
    spread = np.cov(at.T, bias=True).reshape(3, 3) if len(at) > 1 else np.zeros((3, 3))
    long: Array = np.linalg.eigvalsh(spread + np.diag(np.array(spacing) ** 2 / 12))
    volume = len(at) * math.prod(spacing)
    near = around & (ndimage.distance_transform_edt(~region, sampling=spacing) <= _AROUND)
    rim = grey[near].astype(np.float64)
    roundness = math.sqrt(long[0] / long[2])
    return {
        "sphericity": sphericity(region, spacing),
        "mean": float(values.mean()),
        "sd": float(values.std()),
        "inverse_elongation": inverse_elongation(region, spacing),
        "inverse_elongation_cubic": inverse_elongation(region, spacing, power=3),
        "diameter_mm": (6 * volume / math.pi) ** (1 / 3),
        "roundness": roundness,
        "flatness": math.sqrt(long[1] / long[2]),
        "thickness_mm": thickness,
        "blob_mm": roundness * thickness,
        "contrast": float(values.mean() - rim.mean()) if rim.size else 0.0,
        "margin": float(rim.std()) if rim.size else 0.0,
    }
