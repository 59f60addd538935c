"""How much of a model's AUC is luck: Harrell's bootstrap of the whole fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from roclab._core.types import Array, Bools, Floats, Ints
from roclab.areas.empirical import auc
from roclab.data.tally import Tally
from roclab.errors import InputError
from roclab.inference.one_area.bootstrap import run_bootstrap
from roclab.models.logistic import fit_logistic
from roclab.names import Penalty
from roclab.options.uncertainty import Resampling, refuse_keyed

__all__ = ["AreaOptimism", "area_optimism"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaOptimism:
    """The AUC of a model on its own cases, and what is left of it without the optimism."""

    apparent: float
    optimism: float  # mean over replicates of AUC in the bootstrap sample minus AUC of that model on all cases
    corrected: float
    method: str
    failed: int  # replicates without a fit

    def describe(self) -> str:
        """In one sentence."""
        lost = f"; {self.failed} samples had no fit and are left out" if self.failed else ""
        return (
            f"AUC {self.apparent:.4f}, optimism {self.optimism:.4f}, corrected {self.corrected:.4f} "
            f"({self.method}{lost})"
        )


def area_optimism(
    columns: Mapping[str, Array],
    label: Bools,
    *,
    intercept: bool,
    penalty: Penalty,
    resampling: Resampling,
    rng: object = None,
) -> AreaOptimism:
    """Harrell's optimism [1]_: every sample fits its own model, which is then measured on it and on all cases.

    O(n m²) and one sort a replicate, for m columns.

    References
    ----------
    .. [1] Harrell FE, Lee KL, Mark DB. Multivariable prognostic models. Stat Med 1996;15:361-387.
    """
    refuse_keyed(resampling.scheme)
    names = list(columns)
    table = np.column_stack([np.asarray(columns[name], dtype=np.float64) for name in names])
    groups = (np.flatnonzero(label), np.flatnonzero(~label))

    def area(fit_rows: Ints, scores: Floats) -> float:
        return auc(Tally.from_labels(label[fit_rows], scores))

    def once(generator: np.random.Generator) -> float:
        if resampling.scheme == "stratified":
            rows = np.concatenate([group[generator.integers(0, group.size, group.size)] for group in groups])
        else:
            rows = generator.integers(0, label.size, label.size)
        try:
            fit = fit_logistic(table[rows], label[rows], names=names, intercept=intercept, penalty=penalty)
        except InputError:
            return float("nan")  # separated, dependent, or one class only
        every = np.arange(label.size)
        return area(rows, fit.scores(table[rows])) - area(every, fit.scores(table))

    sampled = run_bootstrap(once, None, resampling=resampling, rng=rng)
    found = sampled.replicates[~np.isnan(sampled.replicates)]
    if found.size < 2:
        raise InputError("", "too few bootstrap samples have a fit to tell the optimism", way_out="use penalty='firth'")
    whole = fit_logistic(table, label, names=names, intercept=intercept, penalty=penalty)
    apparent = auc(Tally.from_labels(label, whole.scores(table)))
    optimism = float(found.mean())
    return AreaOptimism(
        apparent=apparent,
        optimism=optimism,
        corrected=apparent - optimism,
        method=sampled.describe(),
        failed=int(sampled.replicates.size - found.size),
    )
