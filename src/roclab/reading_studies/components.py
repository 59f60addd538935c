r"""Variance components of a reader study: what readers, their taste for a modality, and cases add to the spread.

The model of Obuchowski and Rockette for the area of modality i and reader j is

.. math:: \theta_{ij} = \mu + \tau_i + R_j + (\tau R)_{ij} + \varepsilon_{ij}

where the errors come from the cases and are correlated, because readers share them: Var is their variance, Cov1 the
covariance of one reader in two modalities, Cov2 of two readers in one modality, Cov3 of two readers in two modalities.
All four are means over the cells of the covariance matrix.

References
----------
Obuchowski NA, Rockette HE. Hypothesis testing of diagnostic accuracy for multiple readers and multiple tests: an ANOVA
approach with dependent observations. Commun Stat Simul Comput 1995;24:285-308. doi:10.1080/03610919508813243
Hillis SL. A marginal-mean ANOVA approach for analyzing multireader multicase radiological imaging data. Stat Med
2014;33:330-360. doi:10.1002/sim.5926
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.types import Floats
from roclab._core.undefined import Undefined
from roclab.reading_studies.readings import Readings
from roclab.results.pictured import Pictured

__all__ = ["ErrorCovariances", "VarianceComponents", "error_covariances", "or_zero"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorCovariances:
    """What cases add: variance and covariances of the errors; undefined where the design has no such pair of cells."""

    variance: float
    same_reader: float  # Cov1
    same_modality: float  # Cov2
    different: float  # Cov3

    @property
    def apart(self) -> float:
        """Cov2 - Cov3: what two readers share within a modality beyond what they share between modalities."""
        return or_zero(self.same_modality) - or_zero(self.different)

    def scaled(self, factor: float) -> ErrorCovariances:
        """The same with all of them multiplied, as with another number of cases."""
        return ErrorCovariances(
            variance=self.variance * factor,
            same_reader=self.same_reader * factor,
            same_modality=self.same_modality * factor,
            different=self.different * factor,
        )


def or_zero(value: float) -> float:
    """A covariance, or 0 where there is no such pair of cells."""
    return 0.0 if math.isnan(value) else value


def error_covariances(readings: Readings, matrix: Floats, cells: list[int] | None = None) -> ErrorCovariances:
    """Means of the covariance matrix over the pairs of cells of each kind; cells of readers of one group only."""
    own = list(range(len(readings.cells))) if cells is None else cells

    def mean(kind: Callable[[tuple[int, int], tuple[int, int]], bool], why: str) -> float:
        pairs = [
            matrix[a, b]
            for at, a in enumerate(own)
            for b in own[:at]
            if _one_group(readings, a, b) and kind(readings.cells[a], readings.cells[b])
        ]
        return float(np.mean(pairs)) if pairs else Undefined(why)

    return ErrorCovariances(
        variance=float(np.mean(np.diag(matrix)[own])),
        same_reader=mean(lambda a, b: a[1] == b[1] and a[0] != b[0], "no reader reads two modalities"),
        same_modality=mean(lambda a, b: a[0] == b[0] and a[1] != b[1], "no two readers read the same cases"),
        different=mean(lambda a, b: a[0] != b[0] and a[1] != b[1], "no two readers read the same cases"),
    )


def _one_group(readings: Readings, a: int, b: int) -> bool:
    group = readings.group
    return bool(group[readings.cells[a][1]] == group[readings.cells[b][1]])


@dataclass(frozen=True, slots=True, kw_only=True)
class VarianceComponents(Pictured):
    """Variances of readers and of readers by modality, and the covariances of errors that the cases leave.

    Estimates are moments and may come out below 0, where they say that there is none.
    """

    reader: float
    modality_reader: float
    error: float
    cov1: float
    cov2: float
    cov3: float
    n_pos: float
    n_neg: float

    @property
    def errors(self) -> ErrorCovariances:
        """The part of the cases."""
        return ErrorCovariances(
            variance=self.error, same_reader=self.cov1, same_modality=self.cov2, different=self.cov3
        )

    def rows(self) -> list[dict[str, Any]]:
        """One row per component, with the correlation of errors."""
        values = {
            "reader": (self.reader, None),
            "modality x reader": (self.modality_reader, None),
            "error": (self.error, None),
            "cov1 (same reader, two modalities)": (self.cov1, self.cov1 / self.error if self.error else None),
            "cov2 (two readers, same modality)": (self.cov2, self.cov2 / self.error if self.error else None),
            "cov3 (two readers, two modalities)": (self.cov3, self.cov3 / self.error if self.error else None),
        }
        return [{"component": name, "variance": one, "correlation": two} for name, (one, two) in values.items()]
