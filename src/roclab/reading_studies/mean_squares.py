r"""Mean squares of the areas of a reader study, in each design, and what they are expected to be.

Write :math:`r_i` for the readers of modality i. The variance of a difference of two modality means is in all designs

.. math:: \Bigl(\frac1{r_i} + \frac1{r_{i'}}\Bigr) M + 2 \kappa\, \max(\mathrm{Cov}_2 - \mathrm{Cov}_3, 0)

with M the error mean square of the design: modality x reader, or readers within modality where they are nested, or
modality x reader within groups for a split plot. :math:`\kappa` is 1, and :math:`\sum_g r_g^2 / r^2` for groups of
:math:`r_g` readers. Where every group is one reader, errors of readers are independent and :math:`\kappa` has no part.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from roclab._core.types import Floats
from roclab.reading_studies.components import ErrorCovariances, or_zero
from roclab.reading_studies.readings import Readings

__all__ = ["MeanSquares", "OneModality", "mean_squares", "one_modality"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MeanSquares:
    """The two-way table of areas in numbers."""

    means: Floats  # of every modality over its readers
    readers: Floats  # how many each has
    error: float  # M
    error_df: float
    error_name: str
    reader: float  # mean square of readers, NaN where they are nested
    kappa: float  # Σ r_g² / r², what groups of a split plot leave of Cov2 − Cov3
    within: float  # what M would be without variance of readers

    @property
    def usual_readers(self) -> float:
        """Readers per modality; the harmonic mean where modalities have different numbers."""
        return float(self.readers.size / np.sum(1 / self.readers))

    @property
    def modality(self) -> float:
        """Mean square of modalities, by unweighted means."""
        apart = self.means - self.means.mean()
        return self.usual_readers * float(np.sum(apart**2)) / (self.means.size - 1)


def mean_squares(readings: Readings, values: Floats, errors: ErrorCovariances) -> MeanSquares:
    """Means, mean squares and degrees of freedom of the design; O(cells)."""
    t = len(readings.modalities)
    own = [readings.cells_of(one) for one in range(t)]
    means = np.array([values[cells].mean() for cells in own])
    counts = np.array([float(len(cells)) for cells in own])
    variance, cov1, cov2 = errors.variance, or_zero(errors.same_reader), or_zero(errors.same_modality)
    if readings.design == "nested_readers":
        squares = sum(float(np.sum((values[cells] - mean) ** 2)) for cells, mean in zip(own, means, strict=True))
        df = float(counts.sum() - t)
        return MeanSquares(
            means=means,
            readers=counts,
            error=squares / df if df else np.nan,
            error_df=df,
            error_name="reader within modality",
            reader=np.nan,
            kappa=1.0,
            within=variance - cov2,
        )
    table = values.reshape(t, -1)  # cells are sorted by modality, then reader
    reader_means = table.mean(axis=0)
    group = readings.group if readings.design == "split_plot" else np.zeros(table.shape[1], np.int64)
    sizes = np.bincount(group).astype(np.float64)
    lonely = readings.design == "split_plot" and sizes.max() == 1
    if lonely:  # every reader has cases of his own: all readers are one sample again
        group = np.zeros_like(group)
    r = float(table.shape[1])
    squares = 0.0
    for number in range(int(group.max()) + 1):
        part = table[:, group == number]
        rest = part - part.mean(axis=1, keepdims=True) - part.mean(axis=0) + part.mean()
        squares += float(np.sum(rest**2))
    df = (t - 1) * (r - float(group.max()) - 1)
    return MeanSquares(
        means=means,
        readers=counts,
        error=squares / df if df else np.nan,
        error_df=df,
        error_name="modality x reader" if group.max() == 0 else "modality x reader within group",
        reader=t * float(np.sum((reader_means - reader_means.mean()) ** 2)) / (r - 1) if r > 1 else np.nan,
        kappa=0.0 if lonely else float(np.sum(sizes**2)) / r**2,
        within=variance - cov1 - (0.0 if lonely else errors.apart),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class OneModality:
    """The readers of one modality: their mean, and what its variance is made of."""

    mean: float
    readers: float
    reader: float  # mean square of readers
    reader_df: float
    kappa: float


def one_modality(readings: Readings, values: Floats, cells: list[int]) -> OneModality:
    """Mean area of the readers of one modality, or of differences to an algorithm; within groups for a split plot."""
    own = values
    group = np.array([readings.group[readings.cells[at][1]] for at in cells])
    _, group, sizes = np.unique(group, return_inverse=True, return_counts=True)
    lonely = sizes.max() == 1 and len(cells) > 1
    if lonely:
        group = np.zeros_like(group)
    df = float(own.size - group.max() - 1)
    squares = sum(float(np.sum((own[group == one] - own[group == one].mean()) ** 2)) for one in np.unique(group))
    kappa = 0.0 if lonely else float(np.sum(sizes.astype(float) ** 2)) / own.size**2
    return OneModality(
        mean=float(own.mean()), readers=float(own.size), reader=squares / df if df else np.nan, reader_df=df,
        kappa=kappa,
    )  # fmt: skip
