r"""Venkatraman's permutation tests: are two ROC curves the same curve, not only equal in area?

For every share u of cases called negative, a score makes some number of errors, e(u): positives among the called
negatives plus negatives among the rest. Two scores have the same curve if they err alike at every u, and

.. math:: E = \sum_u |e_1(u) - e_2(u)|

measures how far they are from that. Under the null hypothesis the ranks of the two scores may be exchanged, case by
case (paired), or the scores, once brought to a common scale, may be dealt anew to the two samples (unpaired).

Ties are where implementations go wrong: breaking them by row order makes the result depend on it. Here a group of
tied cases is crossed at its average rate, as the expected ROC curve does, so that e(u) is the mean over all orders of
the tied cases; exchanged ranks are midranks; and cases are put into an order of their own before random numbers are
drawn. The p-value counts the observed arrangement as one of the permutations and is never 0.

References
----------
Venkatraman ES, Begg CB. Biometrika 1996;83:835-848. doi:10.1093/biomet/83.4.835
Venkatraman ES. Biometrics 2000;56:1134-1138. doi:10.1111/j.0006-341X.2000.01134.x
"""

from __future__ import annotations

from typing import Any

import numpy as np

from roclab._core.ranks import midranks
from roclab._core.types import Bools, Floats
from roclab.data.cases import Cases
from roclab.errors import InputError, Words
from roclab.inference.one_area.bootstrap import run_bootstrap
from roclab.options.uncertainty import Resampling, resampling_of
from roclab.results import TestResult

__all__ = ["venkatraman_paired", "venkatraman_unpaired"]


def venkatraman_paired(
    cases: Cases, first: str, second: str, *, resampling: Resampling | int | None = None, rng: Any = None
) -> TestResult:
    """Permutation test that two scores of the same cases have the same ROC curve, O(B n log n)."""
    cases = cases.repeated()
    label = cases.label
    ranks = np.column_stack([midranks(cases.oriented(name)) for name in (first, second)])
    order = np.lexsort([ranks[:, 1], ranks[:, 0], label])
    label, ranks = label[order], ranks[order]
    observed = _distance(label, ranks)

    def one(rng: np.random.Generator) -> float:
        swap = rng.random(label.size) < 0.5
        mixed = np.where(swap[:, None], ranks[:, ::-1], ranks)
        return _distance(label, np.column_stack([midranks(mixed[:, 0]), midranks(mixed[:, 1])]))

    return _result(observed, one, first, second, "paired", resampling, rng)


def _distance(label: Bools, ranks: Floats) -> float:
    difference = mean_positives_below(ranks[:, 0], label) - mean_positives_below(ranks[:, 1], label)
    # e = positives below + negatives above = 2 (positives below) - u + N, so |e1 - e2| is twice this.
    return 2 * float(np.abs(difference).sum())


def mean_positives_below(rank: Floats, label: Bools) -> Floats:
    """Expected number of positives among the u lowest cases, u = 1..n, over all orders of tied cases."""
    order = np.argsort(rank, kind="stable")
    ordered, positive = rank[order], label[order].astype(np.float64)
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    sizes = np.diff(np.append(starts, rank.size))
    share = np.add.reduceat(positive, starts) / sizes
    return np.cumsum(np.repeat(share, sizes))


def venkatraman_unpaired(
    first: Cases, second: Cases, *, resampling: Resampling | int | None = None, rng: Any = None
) -> TestResult:
    """Permutation test that two scores of different cases have the same ROC curve, O(B n log n).

    Every case is placed on the common scale u = κ F + (1 - κ) G of its own sample, with F and G the distribution
    functions of its positives and negatives (ties one half) and κ the prevalence of both samples together; on that
    scale equal curves mean equal distributions, and positives (negatives) may be dealt anew to the two samples.
    """
    first, second = first.repeated(), second.repeated()
    n_pos = [int(cases.label.sum()) for cases in (first, second)]
    n_neg = [int((~cases.label).sum()) for cases in (first, second)]
    kappa = sum(n_pos) / (sum(n_pos) + sum(n_neg))
    samples = []
    for cases in (first, second):
        score = cases.oriented(cases.names[0]).astype(np.float64)
        samples.append(_standardised(np.sort(score[cases.label]), np.sort(score[~cases.label]), kappa))
    observed = _unpaired_distance(samples, kappa)
    all_pos = np.sort(np.concatenate([pos for pos, _ in samples]))
    all_neg = np.sort(np.concatenate([neg for _, neg in samples]))

    def one(rng: np.random.Generator) -> float:
        pos, neg = rng.permutation(all_pos), rng.permutation(all_neg)
        dealt = [
            (np.sort(pos[: n_pos[0]]), np.sort(neg[: n_neg[0]])),
            (np.sort(pos[n_pos[0] :]), np.sort(neg[n_neg[0] :])),
        ]
        # Ranked anew: the observed samples are on their own scales too, and without this the permuted ones would
        # differ by more than their curves do.
        return _unpaired_distance([_standardised(*sample, kappa) for sample in dealt], kappa)

    return _result(observed, one, first.names[0], second.names[0], "unpaired", resampling, rng)


def _standardised(pos: Floats, neg: Floats, kappa: float) -> tuple[Floats, Floats]:
    """Sorted positives and negatives on the scale u = κ F + (1 - κ) G of their own sample."""
    both = [kappa * _distribution(pos, side) + (1 - kappa) * _distribution(neg, side) for side in (pos, neg)]
    return both[0], both[1]


def _distribution(ordered: Floats, at: Floats) -> Floats:
    """Share of a sorted sample below each value, ties one half."""
    below, up_to = np.searchsorted(ordered, at, side="left"), np.searchsorted(ordered, at, side="right")
    share: Floats = (below + up_to) / (2 * ordered.size)
    return share


_GRID = (np.arange(1000) + 0.5) / 1000


def _unpaired_distance(samples: list[tuple[Floats, Floats]], kappa: float) -> float:
    """Mean over u of the difference in error rates at u, on a fixed grid of the common scale."""
    one, two = (kappa * _distribution(p, _GRID) + (1 - kappa) * (1 - _distribution(q, _GRID)) for p, q in samples)
    return float(np.abs(one - two).mean())


def _result(
    observed: float, one: Any, first: str, second: str, kind: str, resampling: Resampling | int | None, rng: Any
) -> TestResult:
    if first == second:
        raise InputError("", "the two scores must differ", Words(f"{first!r} twice"))
    resampling = resampling_of(resampling)
    permuted = run_bootstrap(one, None, resampling=resampling, rng=rng)
    # Sums of exact fractions can differ in the last digits between arrangements that are equal in truth.
    reached = int(np.count_nonzero(permuted.replicates >= observed * (1 - 1e-12)))
    p = (1 + reached) / (1 + resampling.replicates)
    return TestResult(
        name=f"Venkatraman, {kind}",
        hypothesis=f"{first} and {second} have the same ROC curve",
        statistic=observed,
        distribution=f"{resampling.replicates} permutations, seed {permuted.seed}",
        p_value=p,
        method="permutation, ties at their mean",
    )
