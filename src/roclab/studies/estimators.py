"""The estimators of a study by their short names, over many samples at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from roclab._core.types import Bools, Floats, frozen
from roclab.areas.empirical import auc
from roclab.data.tally import Tally
from roclab.errors import InputError
from roclab.names import ESTIMATOR_LETTERS
from roclab.smooth.methods import SMOOTH_METHODS
from roclab.studies import batch
from roclab.studies.designs import ESTIMATOR_NAMES

__all__ = ["LIBRARY_NAMES", "Estimates", "estimate_all", "estimate_one"]

# What each estimator is called in the library; MW is its empirical area.
LIBRARY_NAMES = ESTIMATOR_LETTERS
_PLAIN = {"MW": batch.mann_whitney, "N": batch.normal, "K1": batch.kernel_k1, "K2": batch.kernel_k2}
_TRANSFORMED = {"NT": batch.normal, "K1T": batch.kernel_k1, "K2T": batch.kernel_k2}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Estimates:
    """Areas of one estimator over many samples."""

    area: Floats  # NaN where the estimate does not exist
    converged: Bools  # False where the fit stopped at a bound or found no maximum

    def __post_init__(self) -> None:
        frozen(self.area)
        frozen(self.converged)


def estimate_one(name: str, pos: Floats, neg: Floats) -> tuple[float, bool]:
    """The library's own estimate of one sample, and whether it converged: the definition of every batch.

    >>> estimate_one("MW", np.array([2.0, 3.0]), np.array([1.0, 2.0]))
    (0.875, True)
    """
    tally = Tally.from_samples(pos, neg)
    if name == "MW":
        return auc(tally), True
    try:
        fit = SMOOTH_METHODS[LIBRARY_NAMES[name]].fit(tally)
    except InputError:  # no spread to estimate: drawn data can be so, and the study counts it
        return np.nan, False
    return float(fit.area), fit.converged


def estimate_all(names: Sequence[str], pos: Floats, neg: Floats) -> dict[str, Estimates]:
    """Every named estimator over samples of (samples, m) positives and (samples, n) negatives.

    Samples whose pairs would not fit into a block of :data:`roclab.studies.batch.PAIRS` go one by one, where the
    library has sums in linear time; so does the binormal fit.
    """
    out: dict[str, Estimates] = {}
    small = batch.fitting(pos.shape[1], neg.shape[1])
    powers = batch.to_normality(pos, neg) if small and set(names) & set(_TRANSFORMED) else None
    every = np.ones(pos.shape[0], bool)
    for name in ESTIMATOR_NAMES:
        if name not in names:
            continue
        if small and name in _PLAIN:
            area = _PLAIN[name](pos, neg)
            out[name] = Estimates(area=area, converged=every & np.isfinite(area))
        elif powers is not None and name in _TRANSFORMED:
            area = np.where(powers.defined, _TRANSFORMED[name](powers.pos, powers.neg), np.nan)
            out[name] = Estimates(area=area, converged=~powers.at_bound & np.isfinite(area))
        else:
            pairs = [estimate_one(name, x, y) for x, y in zip(pos, neg, strict=True)]
            out[name] = Estimates(
                area=np.array([area for area, _ in pairs]), converged=np.array([found for _, found in pairs])
            )
    return out
