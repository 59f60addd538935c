"""Does a plane separate the classes? Then the likelihood has no maximum, and coefficients would only grow."""

from __future__ import annotations

from typing import Literal

import numpy as np

from roclab._core.types import Bools, Floats

__all__ = ["Separation", "separation_of"]

Separation = Literal["none", "complete", "quasi-complete"]


def separation_of(x: Floats, label: Bools) -> Separation:
    r"""Complete, quasi-complete or no separation, by one linear program [1]_.

    Maximise :math:`\sum_j s_j x_j^\top \beta` with :math:`s_j = \pm 1` for the classes, subject to
    :math:`s_j x_j^\top \beta \ge 0` and :math:`-1 \le \beta \le 1`. The optimum is 0 when the classes overlap;
    otherwise some :math:`\beta` puts no case on the wrong side: complete separation if it puts every case strictly on
    the right one, else quasi-complete.

    References
    ----------
    .. [1] Konis K. Linear programming algorithms for detecting separated data in binary logistic regression models.
       DPhil thesis, University of Oxford, 2007.
    """
    from scipy.optimize import linprog

    scale = np.abs(x).max(axis=0)
    scale[scale == 0] = 1.0
    signed = np.where(label, 1.0, -1.0)[:, None] * (x / scale)
    found = linprog(-signed.sum(axis=0), A_ub=-signed, b_ub=np.zeros(len(signed)), bounds=(-1, 1), method="highs")
    if found.fun is None or found.fun >= -1e-9 * len(signed):
        return "none"
    # Is there a direction with every case strictly on its side? Ask for the largest common margin.
    columns = np.column_stack([-signed, np.ones(len(signed))])
    cost = np.zeros(signed.shape[1] + 1)
    cost[-1] = -1.0
    bounds = [(-1.0, 1.0)] * signed.shape[1] + [(0.0, 1.0)]
    margin = linprog(cost, A_ub=columns, b_ub=np.zeros(len(signed)), bounds=bounds, method="highs")
    return "complete" if margin.fun is not None and margin.fun < -1e-9 else "quasi-complete"
