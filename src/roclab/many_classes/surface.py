r"""Three classes in order and one score: the volume under the ROC surface (VUS).

The volume is the chance that a case of each class, drawn at random, come in the order of their classes,

.. math:: V = \frac1{n_1 n_2 n_3} \sum_i \sum_j \sum_k \psi(x_i, y_j, z_k), \qquad
          \psi = \begin{cases} 1 & x < y < z \\ 1/2 & x = y < z \text{ or } x < y = z \\ 1/6 & x = y = z \\
          0 & \text{otherwise:} \end{cases}

tied scores count with the share of the orders in which they may be broken. 1/6 is chance, 1 a perfect order.

The sum over triples is one over the middle class, because given y the other two are free of each other: with A scores x
below y and a equal to it, C scores z above it and c equal,

.. math:: \sum_i \sum_k \psi(x_i, y, z_k) = A C + (a C + A c) / 2 + a c / 6.

Counts A and C are cumulative sums over the distinct scores, so one sort is all it takes. The same sums, carried once
from above and once from below, give the mean of :math:`\psi` for every single case of each class (its *placement*).
Placements are the influence of the cases on V, and the variance is the sum over the classes of their variance divided
by the class size, as DeLong has it for two classes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from roclab._core.types import Array, Floats
from roclab._core.undefined import Undefined
from roclab.inference.one_area.intervals import area_interval
from roclab.many_classes.result import NamedArea
from roclab.results import Interval

__all__ = ["Surface", "surface_of", "volume_of_surface"]


class Surface(NamedTuple):
    """The volume, and the placement of every case of each class: their means are the volume."""

    volume: float
    placements: tuple[Floats, Floats, Floats]


def surface_of(first: Array, second: Array, third: Array) -> Surface:
    """Volume under the ROC surface of three samples in this order, and all placements; O(n log n).

    >>> surface_of(np.array([1, 2]), np.array([2, 3]), np.array([3, 4])).volume
    0.75
    """
    samples = (first, second, third)
    sizes = [sample.size for sample in samples]
    values, where = np.unique(np.concatenate(samples), return_inverse=True)
    own = np.split(where.ravel(), np.cumsum(sizes)[:-1])
    # Counts as floats: products of three of them leave the range of 64-bit whole numbers at two million cases each.
    a, b, c = (np.bincount(one, minlength=values.size).astype(np.float64) for one in own)
    below, above = np.cumsum(a) - a, np.cumsum(c[::-1])[::-1] - c
    middle = below * above + (a * above + below * c) / 2 + a * c / 6
    rising, falling = b * (above + c / 2), b * (below + a / 2)  # pairs with y at a value and z after it; x before it
    later = np.cumsum(rising[::-1])[::-1] - rising
    earlier = np.cumsum(falling) - falling
    lowest, highest = later + b * (above / 2 + c / 6), earlier + b * (below / 2 + a / 6)
    n1, n2, n3 = sizes
    placements = (lowest[own[0]] / (n2 * n3), middle[own[1]] / (n1 * n3), highest[own[2]] / (n1 * n2))
    return Surface(float(np.sum(b * middle) / (n1 * n3) / n2), placements)


def volume_of_surface(first: Array, second: Array, third: Array, *, name: str, level: float) -> NamedArea:
    """The volume with the standard error of its placements and a logit interval.

    At a volume of 0 or 1 every standard error is 0; the interval is then the exact binomial bound on as many
    independent triples as the smallest class has cases.
    """
    surface = surface_of(first, second, third)
    smallest = min(placement.size for placement in surface.placements)
    error: float = Undefined("a class has only one case")
    interval = Interval(low=error, high=error, level=level, method="none")
    if smallest > 1:
        error = float(
            np.sqrt(sum(float(np.var(placement, ddof=1)) / placement.size for placement in surface.placements))
        )
        interval = area_interval(surface.volume, error, level=level, pairs=smallest, name="influence")
        if "bound" in interval.method:
            words = f"exact binomial bound on {smallest} triples, because the volume is {surface.volume:g}"
            interval = replace(interval, method=words)
    return NamedArea(name=name, area=surface.volume, standard_error=error, interval=interval)
