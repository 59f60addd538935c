"""Logistic regression beside statsmodels: time and peak memory at 10^6 x 20."""

from __future__ import annotations

from typing import Any

import numpy as np

from measure import best_of_each, peak_extra_memory
from roclab.models.logistic import fit_logistic


def rows() -> list[dict[str, Any]]:
    import statsmodels.api as sm

    rng = np.random.default_rng(0)
    table = []
    for n, m in ((10**4, 10), (10**6, 20)):
        x = rng.normal(size=(n, m))
        label = rng.random(n) < 1 / (1 + np.exp(-(x @ rng.normal(size=m) * 0.3)))
        y = label.astype(float)

        def ours(x: Any = x, label: Any = label) -> Any:
            return fit_logistic(x, label)

        def theirs(x: Any = x, y: Any = y) -> Any:
            return sm.Logit(y, sm.add_constant(x)).fit(disp=0)

        fast, slow = best_of_each([ours, theirs], seconds=2)
        table.append(
            {
                "rows": n,
                "columns": m,
                "seconds": fast,
                "statsmodels / ours": slow / fast,
                "target": 1.0,
                "extra memory / design": peak_extra_memory(ours) / x.nbytes,
                "statsmodels memory / design": peak_extra_memory(theirs) / x.nbytes,
            }
        )
    return table
