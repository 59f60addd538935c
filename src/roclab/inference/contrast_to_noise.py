r"""Contrast-to-noise of images, with the uncertainty from case to case.

.. math:: CNR = \frac{\bar x_+ - \bar x_-}{s_-}

with the mean over lesion voxels, and mean and standard deviation over normal ones. Voxels of one case are alike, so
that cases are what varies: the influence of every voxel,
:math:`(x - \bar x_+)/s_-` of a positive and :math:`-(x - \bar x_-)/s_- - \tfrac12 CNR\,((x - \bar x_-)^2/s_-^2 - 1)` of
a negative one, is divided by the size of its class and added up within cases, :math:`w_i`, and

.. math:: \operatorname{Cov}(CNR_a, CNR_b) = \frac{I}{I - 1} \sum_i w_{ai} w_{bi}, \qquad t \text{ with } I - 1
          \text{ degrees of freedom.}
"""

from __future__ import annotations

import numpy as np

from roclab._core.types import Array, Bools, Ints
from roclab.inference.clustered_values import ClusteredValues

__all__ = ["contrast_to_noise"]


def contrast_to_noise(label: Bools, scores: dict[str, Array], cluster: Ints, cases: int) -> ClusteredValues:
    """CNR of every image, clusters numbered from 0; O(images voxels). NaN where normal voxels all have one value."""
    values, sums = [], []
    for score in scores.values():
        pos, neg = score[label].astype(np.float64), score[~label].astype(np.float64)
        middle, sd = float(neg.mean()), float(neg.std())
        if sd == 0:
            values.append(np.nan)
            sums.append(np.full(cases, np.nan))
            continue
        value = (float(pos.mean()) - middle) / sd
        high = (pos - pos.mean()) / sd / pos.size
        scaled = (neg - middle) / sd
        low = -(scaled + value / 2 * (scaled**2 - 1)) / neg.size
        sums.append(
            np.bincount(cluster[label], weights=high, minlength=cases)
            + np.bincount(cluster[~label], weights=low, minlength=cases)
        )
        values.append(value)
    w = np.array(sums)
    matrix = np.sum(w[:, None, :] * w[None, :, :], axis=2) * (cases / (cases - 1) if cases > 1 else np.nan)
    return ClusteredValues(
        quantity="CNR", names=tuple(scores), values=np.array(values), matrix=matrix, cases=cases,
        method=f"influence, {cases} clusters",
    )  # fmt: skip
