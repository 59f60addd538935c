r"""A prediction model among new cases: kept, moved, stretched, or fitted anew.

With :math:`l_i = \ln(p_i / (1 - p_i))` of the predicted risks, the updates of a logistic model are, from the least to
the most that is learnt [1]_

===========================  ================================================  ==========
update                       log odds                                          parameters
===========================  ================================================  ==========
as it is                     :math:`l`                                         0
intercept                    :math:`a + l`                                     1
intercept and slope          :math:`a + b\,l`                                  2
refitted                     :math:`\beta_0 + \beta^\top x`                    m + 1
===========================  ================================================  ==========

Fewer parameters need fewer cases; more follow what is different here. The closed test [2]_ goes from the least up: each
update is tested against the largest one by the likelihood ratio, and the first that is not rejected is taken. Only
where the risks are themselves a logistic model of the columns x is it one step within the next.

References
----------
.. [1] Steyerberg EW, Borsboom GJJM, van Houwelingen HC, Eijkemans MJC, Habbema JDF. Validation and updating of
   predictive logistic regression models: a study on sample size and shrinkage. Stat Med 2004;23:2567-2586.
   doi:10.1002/sim.1844
.. [2] Vergouwe Y, Nieboer D, Oostenbrink R, et al. A closed testing procedure to select an appropriate method for
   updating prediction models. Stat Med 2017;36:4529-4539. doi:10.1002/sim.7179
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import expit

from roclab._core.types import Bools, Floats
from roclab.models.logistic import fit_logistic

__all__ = ["UPDATES", "ModelUpdate", "UpdateName", "fit_update", "is_linear_in", "log_losses", "log_odds"]

UpdateName = Literal["as it is", "intercept", "intercept and slope", "refitted"]
UPDATES: tuple[UpdateName, ...] = ("as it is", "intercept", "intercept and slope", "refitted")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ModelUpdate:
    """One update and its maximum of the likelihood."""

    update: UpdateName
    coefficients: Floats  # intercept, then the slope or the slopes of the columns
    errors: Floats  # standard errors; of what is not estimated 0
    parameters: int
    log_likelihood: float

    def log_odds(self, given: Floats, columns: Floats | None) -> Floats:
        """Log odds of cases from those of their old risks, or from their columns."""
        if self.update != "refitted":
            return np.asarray(self.coefficients[0] + self.coefficients[1] * given)
        if columns is None:
            raise ValueError("a refitted model needs the columns")
        return np.asarray(self.coefficients[0] + np.einsum("ij,j->i", columns, self.coefficients[1:]))


def log_odds(risks: Floats) -> Floats:
    """ln(p / (1 - p))."""
    return np.asarray(np.log(risks) - np.log1p(-risks))


def log_losses(odds: Floats, label: Bools) -> Floats:
    """-ln of the probability that was given to what happened, finite for any log odds."""
    return np.asarray(np.logaddexp(0.0, np.where(label, -odds, odds)))


def fit_update(update: UpdateName, given: Floats, label: Bools, columns: Floats | None = None) -> ModelUpdate:
    """The update that is most likely of these cases.

    >>> odds, ill = log_odds(np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])), np.array([0, 1, 0, 1, 1, 1], bool)
    >>> fit_update("intercept", odds, ill).coefficients.round(4).tolist()
    [1.5388, 1.0]
    """
    if update == "as it is":
        value = -float(log_losses(given, label).sum())
        return ModelUpdate(update=update, coefficients=np.array([0.0, 1.0]), errors=np.zeros(2), parameters=0,
                           log_likelihood=value)  # fmt: skip
    if update == "intercept":
        return _moved(given, label)
    fit = fit_logistic(given[:, None] if update == "intercept and slope" or columns is None else columns, label)
    return ModelUpdate(update=update, coefficients=fit.coefficients, errors=fit.standard_errors,
                       parameters=fit.coefficients.size, log_likelihood=fit.log_likelihood)  # fmt: skip


def _moved(given: Floats, label: Bools) -> ModelUpdate:
    """The intercept at which as many events are expected as were seen: a root of a function that falls."""
    from scipy.optimize import brentq

    events = float(label.sum())

    def lacking(a: float) -> float:
        return events - float(expit(a + given).sum())

    low, high = -float(given.max()) - 40.0, 40.0 - float(given.min())
    a = float(brentq(lacking, low, high, xtol=1e-13, rtol=8.9e-16, maxiter=500))
    chance = expit(a + given)
    error = 1 / math.sqrt(float(np.sum(chance * (1 - chance))))
    value = -float(log_losses(a + given, label).sum())
    return ModelUpdate(update="intercept", coefficients=np.array([a, 1.0]), errors=np.array([error, 0.0]), parameters=1,
                       log_likelihood=value)  # fmt: skip


def is_linear_in(given: Floats, columns: Floats) -> bool:
    """Whether the old log odds are a linear function of the columns, as those of a logistic model of them are."""
    exact = np.abs(given) < 25  # nearer to 0 and 1 a risk has lost the digits of its log odds
    given, columns = given[exact], columns[exact]
    if given.size <= columns.shape[1] + 1:
        return False
    design = np.column_stack([np.ones(given.size), columns])
    unit = np.maximum(np.abs(design).max(axis=0), 1e-300)
    fitted = design / unit @ np.linalg.lstsq(design / unit, given, rcond=None)[0]
    spread = float(np.sum((given - given.mean()) ** 2))
    return bool(float(np.sum((given - fitted) ** 2)) <= 1e-6 * spread) if spread > 0 else True
