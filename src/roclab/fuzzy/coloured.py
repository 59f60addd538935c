"""One coloured step of robust fuzzy c-means: pixels that are no neighbours are updated together, colour after colour.

With a box of radius L along an axis, pixels L + 1 apart are no neighbours; a colour is one offset of such a grid, and
there are (L_1 + 1) (L_2 + 1) … of them. Given all other pixels, those of a colour are minimised exactly, so that the
objective never rises.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from roclab._core.types import Array, Floats
from roclab._core.work import leave_if_stopped
from roclab.fuzzy.steps import CentreSums
from roclab.fuzzy.synchronous import (
    Step,
    add_to_sums,
    distances,
    memberships_by_class,
    penalties,
    powered,
    slabs,
    sum_of_products,
)

__all__ = ["coloured_step"]


def coloured_step(step: Step, u: Array, centres: Floats) -> tuple[float, CentreSums]:
    """Replace the memberships colour by colour; the objective before, and the sums for the next centres.

    O(pixels x classes x (2 L + 1) a dimension); beside the memberships it keeps their weights.
    """
    weight = powered(u, step.fuzziness)
    total = _objective(step, weight, centres)
    for first in product(*(range(one + 1) for one in step.radius)):
        leave_if_stopped()
        _update(step, weight, centres, first)
    np.power(weight, weight.dtype.type(1 / step.fuzziness), out=u)
    sums = CentreSums(u.shape[0], step.pixels.shape[-1])
    for part in slabs(step):
        add_to_sums(sums, step, weight[:, part], part)
    return total, sums


def _objective(step: Step, weight: Array, centres: Floats) -> float:
    total = 0.0
    reach = step.radius[0]
    for part in slabs(step):
        low, high = part.start, part.stop
        own = weight[:, part]
        total += sum_of_products(own, distances(step, centres, part, weight.dtype))
        if step.beta > 0:
            start = max(0, low - reach)
            halo = weight[:, start : min(high + reach, weight.shape[1])]
            penalty = penalties(halo, low - start, high - low, own, step.radius)
            total += step.beta / 2 * sum_of_products(own, penalty)
    return total


def _update(step: Step, weight: Array, centres: Floats, first: tuple[int, ...]) -> None:
    """Minimise over the pixels of one colour, given all others."""
    grid = tuple(slice(at, None, reach + 1) for at, reach in zip(first, step.radius, strict=True))
    own = weight[(slice(None), *grid)]
    if own.size == 0:
        return
    pixels = step.pixels[grid].astype(own.dtype, copy=False)
    cost = np.zeros(own.shape, dtype=own.dtype)
    for at, centre in enumerate(centres):
        for channel, value in enumerate(centre):
            cost[at] += (pixels[..., channel] - pixels.dtype.type(value)) ** 2
    if step.seen is not None:
        cost *= step.seen[grid]
    if step.beta > 0:
        box = weight
        for axis, (at, reach) in enumerate(zip(first, step.radius, strict=True), start=1):
            box = _strided(box, axis, at, reach)
        box = box - own
        cost += own.dtype.type(step.beta) * np.subtract(box.sum(axis=0), box)
    fresh = memberships_by_class(cost, step.fuzziness)
    if step.mask is not None:
        fresh *= step.mask[grid]
    weight[(slice(None), *grid)] = powered(fresh, step.fuzziness)


def _strided(values: Array, axis: int, first: int, reach: int) -> Array:
    """Box sums of radius ``reach`` along an axis, at every (reach + 1)-th place from ``first``."""
    size = values.shape[axis]
    places = np.arange(first, size, reach + 1)
    shape = list(values.shape)
    shape[axis] = places.size
    out = np.zeros(shape, dtype=values.dtype)
    for shift in range(-reach, reach + 1):
        start = first + shift
        skipped = 0 if start >= 0 else -(start // (reach + 1))  # places whose neighbour lies before the image
        source = slice(start + skipped * (reach + 1), size, reach + 1)
        picked = values[(slice(None),) * axis + (source,)]
        count = min(picked.shape[axis], places.size - skipped)
        into = (slice(None),) * axis + (slice(skipped, skipped + count),)
        out[into] += picked[(slice(None),) * axis + (slice(0, count),)]
    return out
