r"""Early recognition: are the positives among the first cases of the ranked list?

Both measures weigh a positive at the share x of all cases ranked before it by :math:`e^{-\alpha x}`. Large α look at
the first cases only: with α = 20 the first 8% of the list decide 80% of the value.

- RIE, robust initial enhancement: the mean weight of the positives over that of a random order; useless 1.
- BEDROC: RIE between its smallest and its largest value, so that a perfect order has 1 and the worst 0.

With :math:`h_g` the mean of :math:`e^{-\alpha x}` over the places of a group of tied scores, which are crossed
together, and :math:`a_g` the share of the positives in it, :math:`RIE = \frac{\alpha}{1 - e^{-\alpha}} \sum_g a_g h_g`:
exactly the published sum over ranks, whose steps cancel out. Both depend on the share of positives, as precision does.

References
----------
Sheridan RP, Singh SB, Fluder EM, Kearsley SK. Protocols for bridging the peptide to nonpeptide gap in topological
similarity searches. J Chem Inf Comput Sci 2001;41:1395-1406. doi:10.1021/ci0100144
Truchon JF, Bayly CI. Evaluating virtual screening methods: good and bad metrics for the "early recognition" problem.
J Chem Inf Model 2007;47:488-508. doi:10.1021/ci600426e
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from roclab._core.checks import check_positive
from roclab._core.types import Floats
from roclab.data.tally import Tally
from roclab.errors import InputError

__all__ = ["BEDROC_ALPHA", "bedroc_of", "bedroc_range", "check_alpha", "mean_weights", "rie"]

BEDROC_ALPHA = 20.0  # the authors' own choice
_LARGEST = 700.0  # beyond it the weight of the last place is no number above 0


def check_alpha(alpha: float) -> float:
    """A usable weight of the first places."""
    if check_positive(alpha, "alpha", way_out="20 is usual: the first 8% decide") > _LARGEST:
        raise InputError("alpha", f"must be at most {_LARGEST:g}", alpha, "20 is usual: the first 8% decide")
    return float(alpha)


def mean_weights(tally: Tally, alpha: float) -> Floats:
    """The mean of exp(-alpha x) over the places of each group of tied scores, O(n)."""
    size = (tally.pos + tally.neg) / (tally.n_pos + tally.n_neg)
    before = np.cumsum(size) - size
    width = alpha * size
    mean = np.divide(-np.expm1(-width), width, out=np.ones_like(width), where=width > 0)
    return np.asarray(np.exp(-alpha * before) * mean)


def rie(tally: Tally, alpha: float = BEDROC_ALPHA) -> float:
    """Robust initial enhancement, O(n); 1 for a random order.

    >>> round(rie(Tally.from_samples(np.array([3.0, 2.0]), np.array([1.0, 0.0])), 1.0), 4)
    1.2449
    """
    alpha = check_alpha(alpha)
    share = float(np.sum(tally.pos * mean_weights(tally, alpha))) / tally.n_pos
    return alpha * share / -math.expm1(-alpha)


def bedroc_range(tally: Tally, alpha: float) -> tuple[float, float]:
    """The smallest and the largest RIE that any order of these cases has."""
    share = tally.n_pos / (tally.n_pos + tally.n_neg)
    largest = math.expm1(-alpha * share) / (share * math.expm1(-alpha))
    return largest * math.exp(-alpha * (1 - share)), largest


def bedroc_of(alpha: float = BEDROC_ALPHA) -> Callable[[Tally], float]:
    """BEDROC with a weight of the first places: perfect 1, worst 0, O(n)."""
    alpha = check_alpha(alpha)

    def bedroc(tally: Tally) -> float:
        low, high = bedroc_range(tally, alpha)
        return min(max((rie(tally, alpha) - low) / (high - low), 0.0), 1.0)

    return bedroc
