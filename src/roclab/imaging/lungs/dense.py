"""What is denser than lung, cut where it hangs on a vessel by a neck.

A threshold, or robust fuzzy c-means of two classes, tells dense tissue from lung; the watershed of the distance map
(:mod:`roclab.imaging.lungs.watershed`) separates nodules from the vessels they sit on. Ground glass is too thin for the
threshold: a second, lower one finds it in the smoothed scan, away from the edges of what is dense.
"""

from __future__ import annotations

import numpy as np
from scipy import ndimage

from roclab._core.types import Array, Bools
from roclab._core.work import Progress
from roclab.fuzzy.robust import robust_cmeans
from roclab.imaging.distances import further_than
from roclab.imaging.lungs.watershed import cut_tails, split_at_necks
from roclab.imaging.volumes import Volume

__all__ = ["dense_parts", "voxels_of"]

_TAIL = 0.5  # of the depth of a region: what is thinner hangs on it
_FEWEST = 4  # voxels: a shape of fewer tells nothing
_HAZE = 5.0  # mm: smaller patches of ground glass are noise
_SMOOTH = 1.5  # mm: by which noise is smoothed before haze is looked for
_EDGE = 2.0  # mm: width of blurred edges


def voxels_of(diameter: float, volume: Volume) -> int:
    """Of a ball, and no fewer than have a shape."""
    return max(_FEWEST, int(np.ceil(np.pi / 6 * diameter**3 / volume.voxel_mm3)))


def dense_parts(
    grey: Array, inside: Bools, volume: Volume, *, method: str, threshold: float, ground_glass: float | None,
    beta: float | str, necks: float, smallest: float, progress: Progress | None,
) -> tuple[Array, Array, Bools, float, list[str]]:  # fmt: skip
    """Numbered parts, distances in mm within what is dense, what is dense, the threshold, and notes."""
    dense, cut, notes = _dense(grey, inside, method, threshold, beta, progress)
    parts, depth = split_at_necks(dense, volume.spacing, necks)
    parts = cut_tails(parts, depth, volume.spacing, share=_TAIL, least=voxels_of(smallest, volume))
    if ground_glass is not None:
        parts, depth = _with_haze(grey, inside, parts, depth, ground_glass, necks, smallest, volume)
        dense = dense | (parts > 0)
    return parts, depth, dense, cut, notes


def _dense(
    grey: Array, inside: Bools, method: str, threshold: float, beta: float | str, progress: Progress | None
) -> tuple[Bools, float, list[str]]:
    if method == "threshold":
        return inside & (grey > threshold), float(threshold), []
    clusters = robust_cmeans(grey, 2, beta=beta, mask=inside, progress=progress)
    upper = int(clusters.centres[:, 0].argmax())
    return inside & (clusters.labels == upper), float(clusters.centres.mean()), list(clusters.notes)


def _with_haze(
    grey: Array, inside: Bools, parts: Array, depth: Array, cut: float, necks: float, smallest: float, volume: Volume
) -> tuple[Array, Array]:  # fmt: skip
    """The parts, and patches of ground glass as further parts.

    Ground glass is what is hazy after smoothing, apart from the blurred edges of dense parts and of the lung. Dense
    specks too small to be a part are noise of the haze, and belong to it.
    """
    least = voxels_of(smallest, volume)
    whole = (np.bincount(parts.ravel()) >= least)[parts] & (parts > 0)
    smooth = ndimage.gaussian_filter(grey.astype(np.float32), [_SMOOTH / step for step in volume.spacing])
    hazy = inside & (smooth > cut)
    del smooth
    hazy &= further_than(inside & ~whole, _EDGE, volume.spacing)
    more, depths = split_at_necks(hazy, volume.spacing, necks)
    more = cut_tails(more, depths, volume.spacing, share=_TAIL, least=least)
    more[(np.bincount(more.ravel()) < voxels_of(max(smallest, _HAZE), volume))[more]] = 0
    found = more > 0
    parts[found] = more[found] + parts.max(initial=0)
    depth[found] = depths[found]
    return parts, depth
