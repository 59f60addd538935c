r"""A score and its mirror image: the same cases with both classes exchanged and the score reversed.

The ROC curve of the image is that of the score mirrored about tpr = 1 - fpr. Its AUC is the same by definition; other
areas differ, and both are functions of the same cases. A positive case of the score is a negative one of the image, so
with :math:`\varphi` the influence on an area of the score and :math:`\psi` that on the same area of the image, the
difference has

.. math:: \operatorname{Var} \approx \frac{s^2(\varphi^+ - \psi^-)}{P} + \frac{s^2(\varphi^- - \psi^+)}{N},

each pair taken at the same case: DeLong's variance of a paired difference. The tally is enough for it, O(n).
"""

from __future__ import annotations

import numpy as np

from roclab._core.types import Counts, Floats
from roclab.data.tally import Tally
from roclab.errors import InputError, named
from roclab.inference.comparison.covariance import AreaCovariance
from roclab.inference.one_area.area import Area
from roclab.inference.one_area.estimate import variance_title
from roclab.inference.one_area.variance import centred, effective_sizes
from roclab.inference.welch import stratum_of

__all__ = ["covariance_with_mirror"]


def covariance_with_mirror(tally: Tally, area: Area, *, names: tuple[str, str]) -> AreaCovariance:
    """Covariance of an area of a score and of its mirror image, O(n).

    >>> from roclab.inference.one_area.area import area_of_method
    >>> tally = Tally.from_samples(np.array([6.0, 5.0, 1.5]), np.array([4.0, 3.0, 1.0]))
    >>> found = covariance_with_mirror(tally, area_of_method("tauc"), names=("early", "late"))
    >>> found.areas.round(4).tolist(), bool(found.matrix[0, 1] > 0)
    ([0.3519, 0.3148], True)
    """
    if area.influence is None:
        raise InputError(
            "",
            f"comparing {area.quantity} ({area.method}) needs its influence function",
            way_out=f"give {named('fpr')}",
        )
    image = tally.mirrored()
    own, mirrored = area.influence(tally), area.influence(image)
    width, share = area.bounds[1] - area.bounds[0], min(area.shares)  # each class is the bounded one of either curve
    rows = (
        (own.pos, mirrored.neg[::-1], tally.pos, tally.pos_squares),
        (own.neg, mirrored.pos[::-1], tally.neg, tally.neg_squares),
    )
    strata = []
    for (one, two, counts, squares), size in zip(rows, effective_sizes(tally), strict=True):
        held = counts > 0
        columns = [_scaled(values[held], counts[held], None if squares is None else squares[held], size)
                   for values in (one, two)]  # fmt: skip
        times = counts[held].astype(np.float64) if squares is None else None
        strata.append(stratum_of(columns, size, times=times, width=width, share=share))
    return AreaCovariance(
        names=names,
        areas=np.array([area.estimate(one) for one in (tally, image)]),
        matrix=strata[0].matrix + strata[1].matrix,
        area=area,
        samples=(tally.sample, image.sample),
        pairing="paired",
        method=variance_title(area),
        strata=tuple(strata),
    )


def _scaled(values: Floats, counts: Counts, squares: Floats | None, size: float) -> Floats:
    """Influence of the cases at each score, so that products add up to the covariance."""
    total = float(counts.sum())
    spread = counts / total**2 if squares is None else squares / total**2
    factor = np.sqrt(size / (size - 1)) if size > 1 else np.nan
    out: Floats = centred(values, counts) * np.sqrt(spread) * factor
    return out
