r"""Predicted probabilities where the outcome is rarer or more common than where the model was trained.

If only the prevalence changes, from :math:`\pi` to :math:`\pi'`, and not what positives and negatives look like, odds
are multiplied [1]_:

.. math:: \frac{p'}{1 - p'} = \frac{p}{1 - p} \cdot \frac{\pi' (1 - \pi)}{\pi (1 - \pi')}

An unknown :math:`\pi'` is estimated from the probabilities of new cases without their outcomes: it maximises

.. math:: \sum_i \ln\left(\pi' \frac{p_i}{\pi} + (1 - \pi') \frac{1 - p_i}{1 - \pi}\right),

which is what the EM steps of Saerens, Latinne and Decaestecker climb [2]_; the function is concave, so that its maximum
is found directly. Both need calibrated probabilities.

References
----------
.. [1] Elkan C. The foundations of cost-sensitive learning. IJCAI 2001:973-978, theorem 2.
.. [2] Saerens M, Latinne P, Decaestecker C. Adjusting the outputs of a classifier to new a priori probabilities: a
   simple procedure. Neural Comput 2002;14:21-41.
"""

from __future__ import annotations

import math

import numpy as np

from roclab._core.types import Floats

__all__ = ["likeliest_prevalence", "shifted_probabilities"]


def shifted_probabilities(p: Floats, trained: float, prevalence: float) -> Floats:
    """Probabilities at another prevalence; 0 and 1 stay.

    >>> shifted_probabilities(np.array([0.05, 0.5]), 0.3, 0.5).round(4).tolist()
    [0.1094, 0.7]
    """
    up, down = prevalence / trained, (1 - prevalence) / (1 - trained)
    moved: Floats = p * up / (p * up + (1 - p) * down)
    return moved


def likeliest_prevalence(p: Floats, trained: float) -> tuple[float, float]:
    """The prevalence of cases without outcomes, and its standard error; the bounds where the likelihood has no inside.

    >>> value, error = likeliest_prevalence(np.array([0.9, 0.2, 0.1, 0.3, 0.05, 0.6]), 0.4)
    >>> round(value, 4)
    0.2989
    """
    apart = p / trained - (1 - p) / (1 - trained)
    base = (1 - p) / (1 - trained)

    def slope(share: float) -> float:
        return float(np.sum(apart / (base + share * apart)))

    if np.all(apart == 0):
        return trained, math.inf
    ends = (1e-12, 1 - 1e-12)
    found = ends[0] if slope(ends[0]) <= 0 else ends[1] if slope(ends[1]) >= 0 else math.nan
    if math.isnan(found):
        from scipy.optimize import brentq

        found = float(brentq(slope, *ends, xtol=1e-15, rtol=8.9e-16, maxiter=300))
        information = float(np.sum((apart / (base + found * apart)) ** 2))
        return found, 1 / math.sqrt(information)
    return round(found), math.nan
