"""Regions at places that another program marked: its candidates get the features of ours."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from roclab._core.checks import plural
from roclab._core.types import Array, Floats
from roclab.imaging.lungs.candidates import PROBABILITY, Candidate, Candidates

__all__ = ["regions_at"]

_REACH = 5.0  # mm: a mark this far from a region may still mean it


def regions_at(found: Candidates, positions: Floats, scores: Floats) -> Candidates:
    """One region for each mark, with the place and score of the mark and the features of the region it lies in.

    A mark outside every region takes the nearest within 5 mm. Marks outside the volume, and marks near no region, have
    no features; notes count them. O(marks x voxels of a ball of 5 mm).
    """
    labels = found.labels
    known = {region.number: region for region in found.regions}
    regions: list[Candidate] = []
    outside = lost = 0
    for place, score, at in zip(positions, scores, labels.to_index(positions) if len(positions) else [], strict=True):
        index = np.rint(at).astype(int)
        if (index < 0).any() or (index >= labels.shape).any():
            outside += 1
            continue
        number = _region_near(labels.array, index, labels.spacing)
        if number not in known:
            lost += 1
            continue
        one = known[number]
        x, y, z = (float(value) for value in place)
        regions.append(replace(one, position=(x, y, z), features={**one.features, PROBABILITY: float(score)}))
    regions.sort(key=lambda one: (-one.features[PROBABILITY], one.number))
    notes = list(found.notes)
    if outside:
        notes.append(f"{plural(outside, 'mark')} of {len(positions)} outside the volume: no features")
    if lost:
        notes.append(f"{plural(lost, 'mark')} of {len(positions)} without a region within {_REACH:g} mm: no features")
    return replace(found, regions=tuple(regions), score=PROBABILITY, notes=tuple(notes))


def _region_near(labels: Array, index: Array, spacing: tuple[float, ...]) -> int:
    """The region at a voxel, or the one with the nearest voxel within reach; 0 for none."""
    here = int(labels[tuple(index)])
    if here:
        return here
    wide = [int(np.ceil(_REACH / step)) for step in spacing]
    low = [max(0, i - w) for i, w in zip(index, wide, strict=True)]
    box = labels[tuple(slice(a, i + w + 1) for a, i, w in zip(low, index, wide, strict=True))]
    marked = np.argwhere(box > 0)
    if not len(marked):
        return 0
    far = np.sqrt((((marked + low - index) * np.array(spacing)) ** 2).sum(axis=1))
    nearest = int(far.argmin())
    return int(box[tuple(marked[nearest])]) if far[nearest] <= _REACH else 0
