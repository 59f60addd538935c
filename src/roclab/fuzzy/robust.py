r"""Robust fuzzy c-means: fuzzy clustering of images in which neighbours agree.

.. math:: J = \sum_j \sum_k u_{jk}^q \lVert y_j - v_k \rVert^2
          + \frac\beta2 \sum_j \sum_k u_{jk}^q \sum_{l \in N_j} \sum_{m \ne k} u_{lm}^q,
          \qquad \sum_k u_{jk} = 1

The penalty grows where neighbours belong to other classes. :math:`N_j` is the box of radius L around j without j, cut
at the borders and at the mask. One step takes the centres from the memberships and then the memberships from the
centres,

.. math:: u_{jk} \propto \bigl(d_{jk}^2 + \beta\, p_{jk}\bigr)^{-1/(q-1)}, \qquad
          p_{jk} = \sum_{m \ne k} \sum_{l \in N_j} u_{lm}^q,

where all :math:`p_{jk}` come from one box sum per class. Updating all pixels at once ("synchronous") minimises J for
each pixel given its neighbours as they were, so J may rise, and on thin images it does. Updating pixels of one colour
after the other ("coloured"), no two of a colour being neighbours, minimises J exactly in every part and never raises
it.
"auto" is synchronous until the first rise.

References
----------
Pham DL. Spatial models for fuzzy clustering. Comput Vis Image Underst 2001;84:285-297. doi:10.1006/cviu.2001.0951
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import check_choice, check_count, check_positive, plural
from roclab._core.text import format_number, text_table
from roclab._core.types import Array, Bools, Floats, frozen
from roclab._core.work import Progress
from roclab.errors import InputError, RoclabWarning, Words
from roclab.fuzzy.coloured import coloured_step
from roclab.fuzzy.image_input import beta_of, checked_image, first_memberships, radius_of, seen_pixels
from roclab.fuzzy.synchronous import Step, slabs, sums_of, synchronous_step
from roclab.names import CLUSTER_STARTS, CLUSTER_UPDATES, ClusterStart, ClusterUpdate
from roclab.results.pictured import Pictured

__all__ = ["RobustClusters", "robust_cmeans", "thesis_settings"]

_RISE = 1e-9  # relative: a rise of the objective below it is rounding
_FLOAT32_RISE = 1e-5
_EMPTY = 1e-6  # share of the memberships below which a class is empty


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RobustClusters(Pictured):
    """Classes of an image, and how they were found."""

    centres: Floats  # (c, channels)
    memberships: Array  # (c, *shape); 0 outside the mask
    mask: Bools | None
    objective: Floats  # before each step, at the centres of its memberships
    iterations: int
    converged: bool
    update: str  # what really ran: "synchronous", "coloured", or the first followed by the second
    rises: int  # steps after which the objective was higher
    beta: float
    radius: tuple[int, ...]
    fuzziness: float
    sizes: tuple[int, ...]  # pixels whose largest membership is that of the class
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for one in (self.centres, self.memberships, self.objective):
            frozen(one)

    @property
    def labels(self) -> Array:
        """The class of every pixel, from 0; -1 outside the mask."""
        found = _largest(self.memberships)
        if self.mask is not None:
            found[~self.mask] = -1
        return found

    def rows(self) -> list[dict[str, Any]]:
        """One row per class."""
        return [
            {
                "class": at + 1,
                **{("centre" if len(centre) == 1 else f"centre {k + 1}"): float(v) for k, v in enumerate(centre)},
                "pixels": size,
            }
            for at, (centre, size) in enumerate(zip(self.centres, self.sizes, strict=True))
        ]

    def to_dict(self) -> dict[str, Any]:
        """Everything but the memberships, which are an image."""
        return {
            "centres": self.centres.tolist(),
            "sizes": list(self.sizes),
            "objective": self.objective.tolist(),
            "iterations": self.iterations,
            "converged": self.converged,
            "update": self.update,
            "rises": self.rises,
            "beta": self.beta,
            "radius": list(self.radius),
            "fuzziness": self.fuzziness,
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        run = f"{'converged' if self.converged else 'NOT CONVERGED'} in {plural(self.iterations, 'step')}"
        about = (
            f"beta {self.beta:g}, radius {' x '.join(map(str, self.radius))}, fuzziness {self.fuzziness:g}; "
            f"{self.update}, {run}, objective {format_number(float(self.objective[-1]))}"
        )
        rises = [f"the objective rose after {plural(self.rises, 'step')}"] if self.rises else []
        return "\n".join([text_table(self.rows()), "", about, *rises, *self.notes])


def thesis_settings(seed: int = 0) -> dict[str, Any]:
    """Settings of the Italian thesis: q 2, 100 steps, change of J below 1e-5, random start, beta 100 on 8-bit grey."""
    return {
        "fuzziness": 2.0,
        "max_iterations": 100,
        "stop": 1e-5,
        "start": "random",
        "rng": seed,
        "beta": 100.0,
        "radius": 1,
        "update": "synchronous",
        "dtype": np.float64,
    }


def robust_cmeans(
    image: Any,
    clusters: int,
    *,
    beta: float | str = "auto",
    radius: int | Sequence[int] = 1,
    fuzziness: float = 2.0,
    mask: Any = None,
    channels: bool = False,
    start: ClusterStart = "histogram",
    centres: Any = None,
    fixed_centres: bool = False,
    memberships: Any = None,
    update: ClusterUpdate = "auto",
    max_iterations: int = 100,
    tolerance: float = 1e-6,
    stop: float | None = None,
    held_out: Any = None,
    dtype: Any = np.float32,
    rng: Any = None,
    progress: Progress | None = None,
) -> RobustClusters:
    """Cluster the pixels of an image, 2-D or 3-D, so that neighbours agree.

    Parameters
    ----------
    image : array
        Pixels, or with ``channels`` an array whose last axis holds the channels.
    clusters : int
        Number of classes.
    beta : float or "auto"
        Weight of the penalty, in squared units of the image; 0 is plain fuzzy c-means. "auto" is 2 s² 8 / (number of
        neighbours), with the noise s estimated from the image.
    radius : int, or one per axis
        Of the box of neighbours: slices are often thicker than pixels, so that 0 across them may be right.
    fuzziness : float
        q > 1.
    mask : array of bool, optional
        Pixels that take part; others are no neighbours either.
    start : "histogram", "random"
        Centres from fuzzy c-means of the histogram, the same every time (default); or memberships drawn at random.
    centres : array, optional
        Centres to start from, with ``fixed_centres`` to stay at.
    memberships : array (clusters, *shape), optional
        Memberships to start from.
    update : "auto", "synchronous" or "coloured"
    max_iterations, tolerance, stop
        The search ends when the objective changes by less than ``tolerance`` of itself and no centre moves by more than
        a thousandth of their range; with ``stop`` when the objective changes by less than that, whatever its units.
    held_out : array of bool, optional
        Pixels whose values are not looked at: only their neighbours tell their class.
    dtype : float32 or float64

    Returns
    -------
    RobustClusters

    Notes
    -----
    O(pixels x classes) a step. Memory is one copy of the memberships and slabs of a few planes.

    Examples
    --------
    >>> import numpy as np
    >>> image = np.repeat([[10.0, 10.0, 50.0, 50.0]], 4, axis=0)
    >>> image[1, 0] = 34.0  # noise
    >>> robust_cmeans(image, 2, beta=200).labels.tolist()[1]
    [0, 0, 1, 1]
    """
    pixels, inside, shape = checked_image(image, mask, channels, dtype)
    check_count(clusters, "clusters", least=1, way_out="2 or more make sense")
    check_choice(update, "update", CLUSTER_UPDATES)
    check_choice(start, "start", CLUSTER_STARTS)
    check_count(max_iterations, "max_iterations", least=1, way_out="100 is usual")
    check_positive(tolerance, "tolerance", way_out="1e-6 is usual")
    if not 1 < fuzziness < np.inf:
        raise InputError("fuzziness", "must be a finite number above 1", fuzziness, "2 is usual")
    reach = radius_of(radius, shape)
    weight = beta_of(beta, pixels, inside, reach)
    seen = seen_pixels(held_out, inside, shape)
    u, centre = first_memberships(
        pixels, inside, seen, int(clusters), start, centres, memberships, fuzziness, rng, dtype
    )
    if fixed_centres and centres is None:
        raise InputError("fixed_centres", "needs centres to stay at", Words("none"), "give centres")
    step = Step(
        pixels=pixels, mask=inside, seen=seen, beta=weight, radius=reach, fuzziness=float(fuzziness),
    )  # fmt: skip
    return _search(
        step, u, centre, fixed=fixed_centres, update=update, most=max_iterations, tolerance=tolerance, stop=stop,
        progress=progress,
    )  # fmt: skip


def _search(
    step: Step,
    u: Array,
    centre: Floats | None,
    *,
    fixed: bool,
    update: ClusterUpdate,
    most: int,
    tolerance: float,
    stop: float | None,
    progress: Progress | None,
) -> RobustClusters:
    coloured = update == "coloured"
    slack = _FLOAT32_RISE if u.dtype == np.float32 else _RISE
    objective: list[float] = []
    rises, switched, converged = 0, False, False
    sums = sums_of(step, u)
    before: Floats | None = None
    for at in range(most):
        moved = sums.centres(np.zeros((u.shape[0], step.pixels.shape[-1])) if centre is None else centre)
        before, centre = centre, centre if fixed and centre is not None else moved
        value, sums = (coloured_step if coloured else synchronous_step)(step, u, centre)
        if objective and value > objective[-1] * (1 + slack):
            rises += 1
            if update == "auto" and not coloured:
                coloured = switched = True
        objective.append(value)
        if progress is not None:
            progress(at + 1, most)
        if len(objective) > 1 and _settled(objective, before, centre, tolerance, stop):
            converged = True
            break
    assert centre is not None
    return _result(step, u, centre, objective, converged, coloured, switched, rises)


def _largest(u: Array) -> Array:
    """The class of the largest membership, of equals the first; plane by plane, in few bits."""
    out = np.empty(u.shape[1:], dtype=np.int16)
    for at in range(len(out)):
        out[at] = u[:, at].argmax(axis=0)
    return out


def _settled(
    objective: list[float], before: Floats | None, centre: Floats, tolerance: float, stop: float | None
) -> bool:
    change = abs(objective[-1] - objective[-2])
    if stop is not None:
        return change < stop
    spread = float(np.ptp(centre, axis=0).max())
    still = before is None or float(np.abs(before - centre).max()) <= 1e-3 * max(spread, np.finfo(float).tiny)
    return still and change <= tolerance * abs(objective[-2])


def _result(
    step: Step, u: Array, centre: Floats, objective: list[float], converged: bool, coloured: bool, switched: bool,
    rises: int,
) -> RobustClusters:  # fmt: skip
    sizes = np.zeros(u.shape[0], dtype=np.int64)
    for part in slabs(step):
        largest = u[:, part].argmax(axis=0)
        chosen = largest.ravel() if step.mask is None else largest[step.mask[part]]
        sizes += np.bincount(chosen, minlength=u.shape[0])
    notes = []
    share = np.array([float(one.sum(dtype=np.float64)) for one in u]) / max(1, int(sizes.sum()))
    empty = [str(at + 1) for at in np.flatnonzero((share < _EMPTY) | (sizes == 0))]
    if empty:
        notes.append(f"no pixel belongs most to class {', '.join(empty)}: a large beta empties classes; lower it")
        warnings.warn(notes[-1], RoclabWarning, stacklevel=4)
    if not converged:
        notes.append("the search stopped at its last step before it settled")
    ran = "synchronous, then coloured" if switched else "coloured" if coloured else "synchronous"
    return RobustClusters(
        centres=centre,
        memberships=u,
        mask=step.mask,
        objective=np.array(objective),
        iterations=len(objective),
        converged=converged,
        update=ran,
        rises=rises,
        beta=step.beta,
        radius=step.radius,
        fuzziness=step.fuzziness,
        sizes=tuple(sizes.tolist()),
        notes=tuple(notes),
    )
