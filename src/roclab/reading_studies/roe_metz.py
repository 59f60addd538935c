r"""Roe and Metz's model of ratings, its simulator, and what it implies for the areas of a study.

The rating of case k of class c by reader j in modality i is

.. math:: X_{ijkc} = \mu_{ic} + R_{jc} + (\tau R)_{ijc} + C_{kc} + (\tau C)_{ikc} + (RC)_{jkc} + E_{ijkc}

with independent normal terms, of which the last four have variances that add up to 1, :math:`\mu_{i0} = 0`. A reader's
area is then :math:`\Phi(\delta / \sqrt 2)` with :math:`\delta` normal of mean :math:`\mu_i` and variance
:math:`2 (\sigma_R^2 + \sigma_{\tau R}^2)`, and the expected area of a modality

.. math:: A_i = \Phi\Bigl(\mu_i / \sqrt{2 + 2 \sigma_R^2 + 2 \sigma_{\tau R}^2}\Bigr).

Every moment of the empirical areas is a probability that two normal differences are both positive, with a correlation
that counts the terms they share; :func:`components_of_model` turns those into variance components [1]_.

References
----------
.. [1] Gallas BD, Hillis SL. Generalized Roe and Metz receiver operating characteristic model: analytic link between
   simulated decision scores and empirical AUC variances and covariances. J Med Imaging 2014;1:031006.
   doi:10.1117/1.JMI.1.3.031006
.. [2] Roe CA, Metz CE. Dorfman-Berbaum-Metz method for statistical analysis of multireader, multimodality receiver
   operating characteristic data: validation with computer simulation. Acad Radiol 1997;4:298-303.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri, owens_t

from roclab._core.types import Floats
from roclab.errors import InputError
from roclab.names import TypicalReaders
from roclab.reading_studies.components import VarianceComponents

__all__ = ["TYPICAL", "RoeMetz", "components_of_model", "simulate_ratings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoeMetz:
    """Variances of the model: of readers, and of cases, which add up to 1.

    Attributes
    ----------
    reader, modality_reader : float
        Of readers, and of readers by modality.
    case, modality_case, reader_case, error : float
        Of cases, and of their interactions.
    """

    reader: float
    modality_reader: float
    case: float
    modality_case: float
    reader_case: float
    error: float

    def __post_init__(self) -> None:
        values = [self.reader, self.modality_reader, self.case, self.modality_case, self.reader_case, self.error]
        if not all(math.isfinite(value) and value >= 0 for value in values):
            raise InputError("model", "must hold variances, finite and not below 0", values)
        if abs(sum(values[2:]) - 1) > 1e-9:
            raise InputError("model", "must hold case, modality_case, reader_case and error that add up to 1",
                             sum(values[2:]))  # fmt: skip

    @property
    def spread(self) -> float:
        """Variance of the difference of a positive and a negative rating, readers included."""
        return 2 * (1 + self.reader + self.modality_reader)

    def shift(self, area: float) -> float:
        """Distance of the class means at which the expected area is ``area``."""
        return float(ndtri(area)) * math.sqrt(self.spread)


def _typical(reader: float, case: float) -> RoeMetz:
    return RoeMetz(
        reader=reader, modality_reader=reader, case=case, modality_case=case, reader_case=0.2, error=0.8 - 2 * case
    )


# Small and large variances of readers and of cases in the simulations that validated the analysis, at an area of 0.855.
TYPICAL: dict[TypicalReaders, RoeMetz] = {
    "low_reader_low_case": _typical(0.0055, 0.1),
    "low_reader_high_case": _typical(0.0055, 0.3),
    "high_reader_low_case": _typical(0.03, 0.1),
    "high_reader_high_case": _typical(0.03, 0.3),
}


def simulate_ratings(
    model: RoeMetz, shifts: Floats, *, readers: int, n_pos: int, n_neg: int, generator: np.random.Generator
) -> Floats:
    """Ratings of one study, modalities x readers x cases, positives first; O(t r n)."""
    t = len(shifts)
    parts = []
    for n, shift in ((n_pos, shifts), (n_neg, np.zeros(t))):
        draw = generator.standard_normal
        parts.append(
            shift[:, None, None]
            + math.sqrt(model.reader) * draw((1, readers, 1))
            + math.sqrt(model.modality_reader) * draw((t, readers, 1))
            + math.sqrt(model.case) * draw((1, 1, n))
            + math.sqrt(model.modality_case) * draw((t, 1, n))
            + math.sqrt(model.reader_case) * draw((1, readers, n))
            + math.sqrt(model.error) * draw((t, readers, n))
        )
    return np.concatenate(parts, axis=2)


def components_of_model(model: RoeMetz, area: float, *, n_pos: int, n_neg: int) -> VarianceComponents:
    r"""Variance components of empirical areas of the model, for one expected area in all modalities.

    With :math:`P_2(\rho)` the probability that both of two differences are positive, the error covariance of two cells
    is :math:`[m_1 + (N - 1) m_2 + (P - 1) m_3 - (P + N - 1) m_4] / PN` with m for pairs that share both cases, the
    positive, the negative, or none; readers are shared or not as the cells share them.
    """
    height = float(ndtri(area))
    share: dict[tuple[bool, bool], tuple[float, float]] = {}  # (same reader, same modality): of readers, of cases
    for same_reader in (True, False):
        for same_modality in (True, False):
            reader = (model.reader if same_reader else 0.0) + (
                model.modality_reader if same_reader and same_modality else 0.0
            )
            case = model.case
            case += model.modality_case if same_modality else 0.0
            case += model.reader_case if same_reader else 0.0
            case += model.error if same_reader and same_modality else 0.0
            share[same_reader, same_modality] = (reader, case)

    def covariance(same_reader: bool, same_modality: bool) -> float:
        reader, case = share[same_reader, same_modality]
        readers_only = 2 * reader / model.spread
        m4 = _both_positive(height, readers_only)
        m1 = _both_positive(height, (2 * reader + 2 * case) / model.spread)
        m2 = m3 = _both_positive(height, (2 * reader + case) / model.spread)
        weighted = m1 + (n_neg - 1) * m2 + (n_pos - 1) * m3 - (n_pos + n_neg - 1) * m4
        return weighted / (n_pos * n_neg)

    between = _both_positive(height, 2 * model.reader / model.spread) - area**2
    whole = _both_positive(height, 2 * (model.reader + model.modality_reader) / model.spread) - area**2
    return VarianceComponents(
        reader=between,
        modality_reader=whole - between,
        error=covariance(True, True),
        cov1=covariance(True, False),
        cov2=covariance(False, True),
        cov3=covariance(False, False),
        n_pos=n_pos,
        n_neg=n_neg,
    )


def _both_positive(height: float, correlation: float) -> float:
    """Probability that two standard normals of a correlation both lie below ``height``, by Owen's T."""
    if correlation >= 1:
        return float(ndtr(height))
    slope = math.sqrt((1 - correlation) / (1 + correlation))
    return float(ndtr(height) - 2 * owens_t(height, slope))
