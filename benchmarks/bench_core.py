"""AUC and ROC curve from arrays beside scikit-learn and np.sort."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score, roc_curve

import roclab as rl
from measure import best_of_each, peak_extra_memory, seconds_in_r

R_DATA = """
set.seed(1); n <- {n}; y <- rbinom(n, 1, 0.3); s <- rnorm(n) + y
"""


def rows() -> list[dict[str, Any]]:
    rng = np.random.default_rng(0)
    table = []
    for n in (10**4, 10**6, 10**7):
        y = (rng.random(n) < 0.3).astype(np.int64)
        s = rng.normal(size=n) + y
        calls = {
            "AUC": lambda y=y, s=s: rl.auc(y, s, interval=None),
            "AUC + DeLong interval": lambda y=y, s=s: rl.auc(y, s),
            "ROC curve": lambda y=y, s=s: rl.roc(y, s),
        }
        peers = {"AUC": lambda y=y, s=s: roc_auc_score(y, s), "ROC curve": lambda y=y, s=s: roc_curve(y, s)}
        peers["AUC + DeLong interval"] = peers["AUC"]
        sort = best_of_each([lambda s=s: np.sort(s)])[0]  # alone, in a warm cache: the hardest comparison
        proc = seconds_in_r(R_DATA.format(n=n), "auc(y, s, levels = c(0, 1), direction = '<')") if n <= 10**6 else None
        for name, call in calls.items():
            ours, theirs = best_of_each([call, peers[name]])
            table.append(
                {
                    "what": name,
                    "n": n,
                    "ms": 1e3 * ours,
                    "scikit-learn / ours": theirs / ours,
                    "target": {"AUC": 8.0, "AUC + DeLong interval": None, "ROC curve": 4.0}[name],
                    "ours / np.sort": ours / sort,
                    "at most": 5.0 if name == "AUC" else None,
                    "pROC / ours": proc / ours if proc and name == "AUC" else None,
                    "extra memory / scores": peak_extra_memory(call) / s.nbytes,
                    "limit": 4.0 if name == "AUC" else None,
                }
            )
    return table
