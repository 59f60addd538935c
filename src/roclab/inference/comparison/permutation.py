r"""What exchanging two scores case by case says about DeLong's variance of the difference of their areas.

If two scores are equally good, nobody can tell whose rank of a case is whose: exchanging the ranks of every case by a
coin leads to samples that were as likely as the one at hand. In them the difference of the areas has a distribution of
mean 0 that is known exactly, and DeLong's variance can be compared with what it is meant to estimate.

Let :math:`\psi^{ab}_{ij}` be 1, ½ or 0 as positive i by the ranks of score a lies above, level with or below negative j
by those of score b. With a coin :math:`e = \pm 1` for every case, the difference of the areas is linear in the coins,

.. math:: d(e) = \frac{1}{PN} \sum_{ij} (e_i u_{ij} + e_j w_{ij}), \qquad
          \left.\begin{matrix} u_{ij} \\ w_{ij} \end{matrix}\right\} =
          \tfrac12 \bigl(\psi^{11} - \psi^{22}\bigr)_{ij} \pm \tfrac12 \bigl(\psi^{12} - \psi^{21}\bigr)_{ij}

because a pair whose coins agree adds :math:`e_i (\psi^{11} - \psi^{22})`, any other one
:math:`e_i (\psi^{12} - \psi^{21})`. So d is a sum of independent terms :math:`\alpha_c e_c` over the cases, and
DeLong's variance, made of the means of such terms over either class, is a quadratic form :math:`v(e) = e^\top M e`.
Then

.. math:: \operatorname{E} d^2 = \sum \alpha^2, \qquad \operatorname{E} v = \operatorname{tr} M, \qquad
          \operatorname{Var} d^2 = 2 \Bigl(\sum \alpha^2\Bigr)^2 - 2 \sum \alpha^4, \qquad
          \operatorname{Cov}(d^2, v) = 2 \bigl(\alpha^\top M \alpha - \sum \alpha_c^2 M_{cc}\bigr)

and two numbers tell how v errs:

- the *bias* :math:`\rho = \operatorname{E} v / \operatorname{E} d^2`: above 1 where the scores agree within pairs of
  cases, which DeLong's terms take for chance;
- the *drift* :math:`\kappa = \operatorname{Cov}(d^2, v) / \operatorname{Var} d^2`, by which v moves with the difference
  itself: up where the better of two scores has less to spread, down as any variance taken about a mean does.

Both come from the exchanged samples alone, need no random number, and tend to 1 and 0 with growing classes whatever the
curves look like, so that what is corrected by them stays right where scores cannot be exchanged. A variance that falls
as :math:`v = \rho \operatorname{E} d^2 - |\kappa| (d^2 - \operatorname{E} d^2)` is what Student's t is made for, with
:math:`\rho / |\kappa|` degrees of freedom; one that rises is led back to where it would be without a difference. So the
variance of a difference if the areas are equal is

.. math:: v_0 = \sum_i \frac{1}{4 n_i^2 k_i^2} + \begin{cases}
          v / \rho & \kappa \le 0, \text{ by } t \text{ with } \rho / |\kappa| \text{ degrees of freedom} \\[1ex]
          \dfrac{v}{\rho - \kappa} \Big/ \Bigl(1 + \kappa \dfrac{d^2}{v}\Bigr) & \kappa > 0, \text{ by the normal
          distribution.} \end{cases}

The sum over both classes is the correction of ``welch`` divided once more by :math:`k_i`, the effective number of cases
placed differently: where one or two cases make all of the difference, and only there, exchanged samples know less than
they seem to. The exponent was chosen of two.

**Where scores cannot be exchanged.** Curves of other shapes have other spreads in either class, and where one class is
much smaller than the other, exchanging hides it: a score with a few gross false negatives looks better than it is in
every sample that has none of them, and exchanged samples have no more of them. So variance and degrees of freedom pass
over into those of Welch's t, by the weight

.. math:: w = \min\Bigl(1, \max\Bigl(0, \frac{\log (n_{max} / 1.5\, n_{min})}{\log (4 / 1.5)}\Bigr)\Bigr) \cdot
          \min\Bigl(1, \max\Bigl(0, \frac{a - 0.3}{0.4}\Bigr)\Bigr), \qquad
          a = \max_i \frac{|s_{i1} - s_{i2}|}{s_{i1} + s_{i2}}

with :math:`s_{i1}, s_{i2}` the spreads of both scores in class i. Over 378 designs of equal areas (seven pairs of
shapes, 12 + 12 to 10 + 300 cases) the test without w rejects 21.7% at worst where t rejects 4.1%; with it 11.2% where
t has 11.2%, and nowhere more than 7.5% unless t does. The numbers 1.5, 4, 0.3 and 0.7 are one of about twenty sets
tried on these designs; 483 other ones, with shapes and sizes not looked at before, agree
(``benchmarks/held_out.py``).

**Many cases.** Bias and drift fade with :math:`1/n` and cost O(PN): from 20,000 to 40,000 pairs of a positive and a
negative case w rises to 1 in a straight line, and beyond them the test is Welch's t.

References
----------
The exchange: Bandos AI, Rockette HE, Gur D. A permutation test sensitive to differences in areas for comparing ROC
curves from a paired design. Stat Med 2005;24:2873-2893. doi:10.1002/sim.2149

Why a statistic divided by its own error may be permuted where scores differ in more than their areas: Konietschke F,
Pauly M. A studentized permutation test for the nonparametric Behrens-Fisher problem in paired data. Electron J Stat
2012;6:1358-1372. doi:10.1214/12-EJS714
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from roclab._core.ranks import midranks
from roclab._core.types import Array, Bools, Floats, frozen
from roclab.inference.welch import Stratum

__all__ = ["MOST_PAIRS", "Permutation", "NullVariance", "null_variance", "permutation_of"]

# Of a positive and a negative case: beyond them, such as 200 + 200, bias and drift change the error of a difference by
# a hundredth or two, and cost more than all the rest of a comparison. From half as many on they fade.
MOST_PAIRS = 40_000
_FADING = 20_000
_BALANCED, _UNEQUAL = 1.5, 4.0  # ratios of class sizes up to which scores are exchanged, and from which on by shape
_ALIKE, _UNLIKE = 0.3, 0.7  # relative differences of two spreads up to which shapes are alike, and from which on not
_LEAST, _MOST = 0.5, 3.0  # what samples of a handful of cases may say about the bias
_NOTHING = 1e-18  # a variance that is rounding: areas of so few cases are multiples of 1e-5
_ROUNDING = 1e-14  # share of its terms by which a variance of scores that place every case alike is not 0
_ALONE = 1e-12  # share of its square by which a variance of d² is rounding


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Permutation:
    """Bias and drift of DeLong's variance of the difference of every pair of k scores; 1 and 0 on the diagonal."""

    bias: Floats  # k x k
    drift: Floats  # k x k
    weight: float = 1.0  # of what they say beside Welch's t: fades with many cases

    def __post_init__(self) -> None:
        frozen(self.bias)
        frozen(self.drift)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NullVariance:
    """What the differences of k areas vary by if all areas are equal.

    Attributes
    ----------
    variances : array
        Of the difference of every pair, k x k with 0 on the diagonal.
    inverse_df : array
        One over the degrees of freedom of each; 0 for the normal distribution.
    """

    variances: Floats
    inverse_df: Floats

    def __post_init__(self) -> None:
        frozen(self.variances)
        frozen(self.inverse_df)


def permutation_of(label: Bools, scores: Sequence[Array]) -> Permutation | None:
    """Bias and drift of all pairs of scores, O(k² P N); None for a single case in a class, or too many of both.

    >>> label = np.array([True] * 4 + [False] * 4)
    >>> found = permutation_of(label, [np.array([8, 7, 6, 3, 5, 4, 2, 1]), np.array([8, 3, 6, 2, 7, 5, 4, 1])])
    >>> print(found.bias[0, 1].round(4), found.drift[0, 1].round(4))
    1.2727 0.0125
    """
    n_pos = int(np.count_nonzero(label))
    n_neg = label.size - n_pos
    if min(n_pos, n_neg) < 2 or n_pos * n_neg > MOST_PAIRS:
        return None
    ranks = [midranks(score) for score in scores]
    k = len(scores)
    bias, drift = np.ones((k, k)), np.zeros((k, k))
    for i, j in combinations(range(k), 2):
        # Cases in an order of their own, so that sums do not depend on that of the rows to the last digit.
        pos, neg = (_in_order(ranks[i][one], ranks[j][one]) for one in (label, ~label))
        alike = _order(pos[0], neg[0]) - _order(pos[1], neg[1])
        crossed = _order(pos[0], neg[1]) - _order(pos[1], neg[0])
        bias[i, j], drift[i, j] = _bias_and_drift((alike + crossed).astype(float), (alike - crossed).astype(float))
        bias[j, i], drift[j, i] = bias[i, j], drift[i, j]
    weight = min(1.0, (MOST_PAIRS - n_pos * n_neg) / (MOST_PAIRS - _FADING))
    return Permutation(bias=bias, drift=drift, weight=weight)


def _in_order(one: Floats, two: Floats) -> tuple[Floats, Floats]:
    order = np.lexsort((two, one))
    return one[order], two[order]


def _order(pos: Floats, neg: Floats) -> Array:
    """For every positive (rows) and negative (columns) 1, 0 or -1: above, level or below; small, to be fast."""
    above, below = pos[:, None] > neg, pos[:, None] < neg
    order: Array = above.view(np.int8) - below.view(np.int8)
    return order


def _bias_and_drift(u: Floats, w: Floats) -> tuple[float, float]:
    """ρ and κ of one pair of scores, O(PN); neither depends on the unit of u and w, which is a quarter here."""
    n_pos, n_neg = u.shape
    pairs = n_pos * (n_pos - 1), n_neg * (n_neg - 1)
    mean_pos, mean_neg = u.mean(axis=1), w.mean(axis=0)
    alpha, beta = mean_pos / n_pos, mean_neg / n_neg  # of the positives and of the negatives
    square = _sum(alpha**2) + _sum(beta**2)
    if square <= _NOTHING:
        return 1.0, 0.0  # both scores place every case alike
    centring = 1 / (n_pos - 1) + 1 / (n_neg - 1)
    # M = C'C / P(P-1) + G'G / N(N-1) - centring αα', where C and G take coins to the terms of positives and negatives.
    of_pos, of_neg = mean_pos * alpha + w @ beta / n_neg, alpha @ u / n_pos + mean_neg * beta  # Cα and Gα
    form = _sum(of_pos**2) / pairs[0] + _sum(of_neg**2) / pairs[1] - centring * square**2
    squares = np.einsum("ij,ij->i", u, u) / n_pos**2, np.einsum("ij,ij->j", w, w) / n_neg**2
    trace_pos = mean_pos**2 / pairs[0] + squares[0] / pairs[1] - centring * alpha**2
    trace_neg = squares[1] / pairs[0] + mean_neg**2 / pairs[1] - centring * beta**2
    together = 2 * (form - _sum(alpha**2 * trace_pos) - _sum(beta**2 * trace_neg))
    spread = 2 * square**2 - 2 * (_sum(alpha**4) + _sum(beta**4))
    drift = together / spread if spread > _ALONE * square**2 else 0.0  # a single case that differs never moves d²
    bias = (_sum(trace_pos) + _sum(trace_neg)) / square
    return min(max(bias, _LEAST), _MOST), drift


def _sum(values: Floats) -> float:
    return float(values.sum())


def null_variance(
    areas: Floats, matrix: Floats, strata: Sequence[Stratum], permutation: Permutation, *, width: float = 1.0
) -> NullVariance:
    """Variances of the differences of all pairs of areas, if these are equal.

    ``matrix`` is DeLong's, ``strata`` are what both classes add to it, ``width`` is the range of the areas.
    """
    own = np.diag(matrix)
    both = own[:, None] + own[None, :]
    v = both - 2 * matrix
    v[v <= _ROUNDING * both] = 0.0
    square = (areas[:, None] - areas[None, :]) ** 2
    rising, falling = np.maximum(permutation.drift, 0.0), np.maximum(-permutation.drift, 0.0)
    moved = np.divide(rising * square, v, out=np.zeros_like(v), where=v > 0)
    variances: Floats = v / np.maximum(permutation.bias - rising, _LEAST) / (1 + moved)
    for stratum in strata:  # whose correction is width² / 4n²k
        variances += stratum.correction**2 * (4 * stratum.size**2 / width**2)
    inverse_df: Floats = falling / permutation.bias
    weight = 1 - permutation.weight * (1 - _unlike(strata))
    if np.any(weight > 0):
        welch, welch_inverse = _welch(strata)
        variances = variances + weight * (welch - variances)
        inverse_df = inverse_df + weight * (welch_inverse - inverse_df)
    np.fill_diagonal(variances, 0.0)
    return NullVariance(variances=variances, inverse_df=inverse_df)


def _unlike(strata: Sequence[Stratum]) -> Floats:
    """How far every pair of scores is from being exchangeable, 0 to 1: classes unequal, and curves of other shapes."""
    sizes = [one.size for one in strata]
    unequal = _ramp(math.log(max(sizes) / min(sizes)), math.log(_BALANCED), math.log(_UNEQUAL))
    apart = np.zeros_like(strata[0].matrix)
    for stratum in strata:
        spread = np.diag(stratum.matrix)
        total = spread[:, None] + spread[None, :]
        ratio = np.divide(np.abs(spread[:, None] - spread[None, :]), total, out=np.zeros_like(total), where=total > 0)
        apart = np.maximum(apart, ratio)
    return unequal * np.clip((apart - _ALIKE) / (_UNLIKE - _ALIKE), 0.0, 1.0)


def _ramp(value: float, low: float, high: float) -> float:
    return min(1.0, max(0.0, (value - low) / (high - low)))


def _welch(strata: Sequence[Stratum]) -> tuple[Floats, Floats]:
    """Variance of the difference of every pair with its correction, and one over its degrees of freedom."""
    variances, fewest = np.zeros_like(strata[0].matrix), np.zeros_like(strata[0].matrix)
    for stratum in strata:
        own = np.diag(stratum.matrix)
        part = np.maximum(own[:, None] + own[None, :] - 2 * stratum.matrix, 0.0) + stratum.correction
        variances += part
        fewest += part**2 / stratum.df
    return variances, np.divide(fewest, variances**2, out=np.zeros_like(fewest), where=variances > 0)
