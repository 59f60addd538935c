"""One synchronous step of robust fuzzy c-means, slab by slab, in place.

All pixels are updated from the memberships that their neighbours had before the step. Slabs of planes are worked on one
after the other; the planes below a slab are already new when it is its turn, so their old weights are kept aside. What
the next centres need is added up on the way: a step reads and writes the memberships once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.types import Array, Bools, Floats
from roclab._core.work import leave_if_stopped
from roclab.fuzzy.steps import CentreSums

__all__ = [
    "Step",
    "add_to_sums",
    "distances",
    "memberships_by_class",
    "penalties",
    "powered",
    "slabs",
    "sum_of_products",
    "sums_of",
    "synchronous_step",
]

_SLAB = 1 << 16  # pixels in a slab: its tables of all classes stay in cache


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Step:
    """What every step knows."""

    pixels: Array  # (*shape, channels); whole numbers of few bits as they are, others in the precision of the work
    mask: Bools | None
    seen: Bools | None  # pixels whose values may be looked at; None for all
    beta: float
    radius: tuple[int, ...]
    fuzziness: float


def powered(u: Array, fuzziness: float) -> Array:
    """Weights u^q."""
    if fuzziness == 2:
        return np.multiply(u, u)
    found: Array = u**fuzziness
    return found


def sum_of_products(first: Array, second: Array) -> float:
    """In double precision whatever the image is kept in; never by BLAS, whose sums depend on the number of threads."""
    return float((first * second).sum(dtype=np.float64))


def slabs(step: Step) -> list[slice]:
    """Runs of planes along the first axis, each at least as thick as the neighbourhood."""
    planes = step.pixels.shape[0]
    each = int(np.prod(step.pixels.shape[1:-1]))
    thick = max(1, _SLAB // max(1, each), step.radius[0])
    return [slice(at, min(at + thick, planes)) for at in range(0, planes, thick)]


def add_to_sums(sums: CentreSums, step: Step, weight: Array, part: slice) -> None:
    """Add weights (c, slab) to what the next centres need."""
    flat = weight.reshape(weight.shape[0], -1)
    if step.seen is not None:
        flat = flat * step.seen[part].ravel()
    sums.weight += flat.sum(axis=1, dtype=np.float64)
    pixels = step.pixels[part].reshape(-1, step.pixels.shape[-1]).astype(weight.dtype, copy=False)
    for channel in range(pixels.shape[1]):
        sums.weighted[:, channel] += (flat * pixels[:, channel]).sum(axis=1, dtype=np.float64)


def sums_of(step: Step, u: Array) -> CentreSums:
    """What the first centres need."""
    sums = CentreSums(u.shape[0], step.pixels.shape[-1])
    for part in slabs(step):
        add_to_sums(sums, step, powered(u[:, part], step.fuzziness), part)
    return sums


def synchronous_step(step: Step, u: Array, centres: Floats) -> tuple[float, CentreSums]:
    """Replace the memberships by those that follow from the centres; the objective before, and the next sums."""
    sums = CentreSums(u.shape[0], step.pixels.shape[-1])
    total = 0.0
    reach = step.radius[0]
    below: Array | None = None  # old weights of the planes before the slab
    for part in slabs(step):
        leave_if_stopped()
        low, high = part.start, part.stop
        weight = powered(u[:, low : min(high + reach, u.shape[1])], step.fuzziness)
        own = weight[:, : high - low]
        distance = distances(step, centres, part, u.dtype)
        if step.beta > 0:
            halo = weight if below is None else np.concatenate([below, weight], axis=1)
            offset = 0 if below is None else below.shape[1]
            penalty = penalties(halo, offset, high - low, own, step.radius)
            total += sum_of_products(own, distance) + step.beta / 2 * sum_of_products(own, penalty)
            penalty *= distance.dtype.type(step.beta)
            distance += penalty
            if reach:
                below = halo[:, max(0, offset + high - low - reach) : offset + high - low].copy()
        else:
            total += sum_of_products(own, distance)
        fresh = memberships_by_class(distance, step.fuzziness)
        if step.mask is not None:
            fresh *= step.mask[part]
        u[:, part] = fresh
        add_to_sums(sums, step, powered(fresh, step.fuzziness), part)
    return total, sums


def distances(step: Step, centres: Floats, part: slice, dtype: Any) -> Array:
    """Squared distances (c, slab) to the centres; 0 where the value may not be looked at."""
    pixels = step.pixels[part].astype(dtype, copy=False)
    out = np.zeros((len(centres), *pixels.shape[:-1]), dtype=pixels.dtype)
    for at, centre in enumerate(centres):
        for channel, value in enumerate(centre):
            gap = pixels[..., channel] - pixels.dtype.type(value)
            gap *= gap
            out[at] += gap
    if step.seen is not None:
        out *= step.seen[part]
    return out


def penalties(halo: Array, offset: int, thick: int, own: Array, radius: tuple[int, ...]) -> Array:
    """Weights of the neighbours in all other classes (c, slab), from one box sum a class.

    ``halo`` holds the weights of the slab and of the planes around it, of which ``offset`` come before.
    """
    box = _along_first(halo, offset, thick, radius[0])
    for axis, reach in enumerate(radius[1:], start=2):
        box = _along(box, axis, reach)
    box -= own
    others: Array = np.subtract(box.sum(axis=0), box)
    return others


def _along_first(halo: Array, offset: int, thick: int, reach: int) -> Array:
    """Sums over up to 2 L + 1 planes, cut at the ends."""
    out = halo[:, offset : offset + thick].copy()
    for shift in range(1, reach + 1):
        first = max(0, shift - offset)  # planes without any plane that far before them
        out[:, first:] += halo[:, offset + first - shift : offset + thick - shift]
        last = min(thick, halo.shape[1] - offset - shift)
        if last > 0:
            out[:, :last] += halo[:, offset + shift : offset + shift + last]
    return out


def _along(values: Array, axis: int, reach: int) -> Array:
    """Sums over 2 L + 1 neighbours along an axis, cut at the borders."""
    if reach == 0:
        return values
    out = values.copy()
    size = values.shape[axis]
    for shift in range(1, min(reach, size - 1) + 1):
        ahead = [slice(None)] * values.ndim
        behind = [slice(None)] * values.ndim
        ahead[axis], behind[axis] = slice(shift, None), slice(None, -shift)
        out[tuple(behind)] += values[tuple(ahead)]
        out[tuple(ahead)] += values[tuple(behind)]
    return out


def memberships_by_class(cost: Array, fuzziness: float) -> Array:
    """Memberships that minimise the cost of every pixel, classes along the first axis; in place of the costs.

    A cost of 0 takes all; several share it equally.
    """
    smallest = cost.min(axis=0)
    exact = smallest <= 0
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        np.divide(smallest, cost, out=cost)
        if fuzziness != 2:
            np.power(cost, cost.dtype.type(1 / (fuzziness - 1)), out=cost)
    if exact.any():  # 0 / 0 of the classes at no cost, 0 of the others
        taken = cost[:, exact]
        cost[:, exact] = np.where(np.isnan(taken), 1, 0)
    cost /= cost.sum(axis=0)
    return cost
