r"""Studies as they would be if modalities were equal: Roe and Metz's model fitted to a study, drawn from, and tested.

**Fit.** The model is that of ``roe_metz`` [1]_ with one area in all modalities, the mean of their means. Its variances
follow from what the score test knows of a study (see ``score``), by moments: with MS the mean squares of the scaled
areas and Var, Cov1, Cov2, Cov3 the error covariances,

.. math:: \sigma^2_{TR} = MS(TR) - \mathrm{Var} + \mathrm{Cov}_1 + \max(\mathrm{Cov}_2 - \mathrm{Cov}_3, 0), \qquad
          \sigma^2_R = \frac{MS(R) - MS(TR)}{t} - \mathrm{Cov}_1 + \mathrm{Cov}_3,

and what is below 0 counts as 0. The model knows ratings, not areas, so every moment is divided by Var and multiplied by
the Var that the model has at this area and number of cases, and the correlation :math:`\rho` of two differences of
ratings is sought that gives it: a variance of readers is :math:`P_2(\rho) - A^2`, with

.. math:: P_2(\rho) = \Pr(Z_1 < \Phi^{-1}(A), \; Z_2 < \Phi^{-1}(A)), \qquad \mathrm{corr}(Z_1, Z_2) = \rho,

and error covariances are the sums of such probabilities that ``components_of_model`` has. Ratios rather than variances,
because the share that readers have in the spread decides how a test with few of them behaves.

**Draw and test.** Many studies at once, each with a model of its own: O(S t r n log n) for S studies of t modalities, r
readers and n cases, some 30 to 120 microseconds a study of 60 to 120 cases. Ratings are continuous: there are no ties.

References
----------
.. [1] Roe CA, Metz CE. Dorfman-Berbaum-Metz method for statistical analysis of multireader, multimodality receiver
   operating characteristic data: validation with computer simulation. Acad Radiol 1997;4:298-303.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.special import fdtrc, ndtr, ndtri, owens_t

from roclab._core.types import Floats

__all__ = ["Moments", "NullModels", "ScoreTests", "fit_null", "score_tests", "simulate_null"]

_MOST_READERS = 0.9  # share of readers in the spread of ratings: with more there is nothing to read
_ROUNDS = 6  # of the search for correlations, each eight times as fine
_MANY = 1e7  # degrees of freedom that are as good as infinite
_NO_SPREAD = 1e-14  # of a variance, beside the variance of an area: what rounding leaves of 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Moments:
    """What the score test knows of one study or many: one number for each."""

    mean: Floats  # of the modality means
    error: Floats  # mean square modality x reader
    reader: Floats  # mean square of readers
    variance: Floats  # of errors, then their covariances
    cov1: Floats
    cov2: Floats
    cov3: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NullModels:
    """Roe and Metz's model with one area in all modalities, for one study or many."""

    shift: Floats  # distance of the class means
    reader: Floats
    modality_reader: Floats
    case: Floats
    modality_case: Floats
    reader_case: Floats
    error: Floats

    def repeated(self, count: int) -> NullModels:
        """Every model ``count`` times, one after the other."""
        return NullModels(**{name: np.repeat(getattr(self, name), count) for name in self.__slots__})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoreTests:
    """Score tests of many studies: p-values, and what a model is fitted to."""

    equality: Floats  # p-value of F, one for each study; NaN without any spread
    pairs: Floats  # of t, studies x pairs of modalities
    moments: Moments


def fit_null(found: Moments, *, modalities: int, n_pos: int, n_neg: int) -> NullModels:
    """The model of equal modalities whose moments are those of each study."""
    edge = 0.5 / (n_pos * n_neg)  # a mean area of 1 stands for one that no study of this size tells from 1
    area = np.clip(found.mean, edge, 1 - edge)
    height = ndtri(area)[:, None]
    variance = np.maximum(found.variance, 1e-9)  # areas of 0 and 1 alone leave nothing to divide by
    within = np.maximum(variance - found.cov1 - np.maximum(found.cov2 - found.cov3, 0), 0)
    taste = np.maximum(found.error - within, 0)
    skill = np.maximum((found.reader - found.error) / modalities - found.cov1 + found.cov3, 0)

    def of_readers(correlation: Floats) -> Floats:
        out: Floats = _both_positive(height, correlation) - area[:, None] ** 2
        return out

    def of_errors(readers: Floats, whole: Floats, shared: Floats) -> Floats:
        """Of errors of two cells, by the share of readers in common, of all that readers have, and of cases."""
        cases = (1 - whole) * shared
        both = _both_positive(height, readers + cases)
        either = (n_pos + n_neg - 2) * _both_positive(height, readers + cases / 2)
        none = (n_pos + n_neg - 1) * _both_positive(height, readers)
        out: Floats = (both + either - none) / (n_pos * n_neg)
        return out

    whole, none = np.zeros((area.size, 1)), np.zeros((area.size, 1))
    for _ in range(4):  # the variance of errors hardly depends on readers, so few rounds are enough
        ratio = of_errors(whole, whole, np.ones((1, 1)))[:, 0] / variance
        whole = _solved(of_readers, (taste + skill) * ratio, _MOST_READERS)[:, None]
    own = _solved(of_readers, skill * ratio, _MOST_READERS)[:, None]
    one_reader = _solved(lambda shared: of_errors(own, whole, shared), found.cov1 * ratio, 1)
    one_modality, neither = (
        _solved(lambda shared: of_errors(none, whole, shared), one * ratio, 1) for one in (found.cov2, found.cov3)
    )
    case = np.minimum(neither, np.minimum(one_reader, one_modality))
    reader_case, modality_case = one_reader - case, one_modality - case
    # Both interactions together cannot be more than what cases leave.
    fits = np.minimum((1 - case) / np.maximum(reader_case + modality_case, 1e-12), 1)
    reader_case, modality_case = reader_case * fits, modality_case * fits
    total = 1 / (1 - whole[:, 0])
    return NullModels(
        shift=height[:, 0] * np.sqrt(2 * total),
        reader=own[:, 0] * total,
        modality_reader=np.maximum(whole - own, 0)[:, 0] * total,
        case=case,
        modality_case=modality_case,
        reader_case=reader_case,
        error=np.maximum(1 - case - reader_case - modality_case, 0),
    )


def simulate_null(
    models: NullModels, *, modalities: int, readers: int, n_pos: int, n_neg: int, generator: np.random.Generator
) -> Floats:
    """Ratings of one study from each model: studies x modalities x readers x cases, positives first."""
    s, t = models.shift.size, modalities
    out = np.empty((s, t, readers, n_pos + n_neg))
    for part, n, shift in ((out[..., :n_pos], n_pos, models.shift), (out[..., n_pos:], n_neg, 0 * models.shift)):
        part[...] = shift[:, None, None, None]
        for variance, shape in (
            (models.reader, (s, 1, readers, 1)),
            (models.modality_reader, (s, t, readers, 1)),
            (models.case, (s, 1, 1, n)),
            (models.modality_case, (s, t, 1, n)),
            (models.reader_case, (s, 1, readers, n)),
            (models.error, (s, t, readers, n)),
        ):
            part += np.sqrt(variance)[:, None, None, None] * generator.standard_normal(shape)
    return out


def score_tests(ratings: Floats, n_pos: int) -> ScoreTests:
    """The score test of equality and of every pair, for many complete studies without ties at once.

    It is ``score_analysis`` of the empirical areas with DeLong's covariances and random readers and cases.
    """
    _, t, r, _ = ratings.shape
    values, columns = _areas(ratings, n_pos)
    means = values.mean(axis=2)
    middle = means.mean(axis=1)
    weight = means * (1 - means)
    scalable = np.all(weight > 1e-12, axis=1, keepdims=True)
    scale = np.where(scalable, (middle * (1 - middle))[:, None] / np.where(scalable, weight, 1), 1.0)
    columns *= scale[:, :, None, None]
    apart = scale[:, :, None] * (values - means[:, :, None])
    shared = apart.mean(axis=1)
    error_df = (t - 1) * (r - 1)
    error = np.sum((apart - shared[:, None]) ** 2, axis=(1, 2)) / error_df

    sums = columns.sum(axis=2)
    squares = np.einsum("stjk,stjk->st", columns, columns)
    variance = squares.mean(axis=1) / r
    cov2 = (np.einsum("stk,stk->st", sums, sums) - squares).mean(axis=1) / (r * (r - 1))
    pairs = list(combinations(range(t), 2))
    cov1, cov3, inverse = (np.zeros(len(values)) for _ in range(3))
    for one, two in pairs:
        same = np.einsum("sjk,sjk->s", columns[:, one], columns[:, two])
        cov1 += same / r / len(pairs)
        cov3 += (np.einsum("sk,sk->s", sums[:, one], sums[:, two]) - same) / (r * (r - 1)) / len(pairs)
        inverse += _inverse_case_df((sums[:, one] - sums[:, two]) / r, n_pos)
    known = inverse / ((t - 1) * len(pairs))
    cases = r * np.maximum(cov2 - cov3, 0)
    below = error + cases
    some = below > _NO_SPREAD * variance
    u = error / np.where(some, below, 1)
    known = known * (1 - u) ** 2 + u**2 / error_df * (1 + 8 * u * (1 - u) / error_df)
    df = np.minimum(1 / np.maximum(known, 1 / _MANY), _MANY)
    below = np.where(some, below, math.nan)  # without any spread there is no test
    of_modalities = r * np.sum((means - middle[:, None]) ** 2, axis=1) / (t - 1)
    first, second = (means[:, [pair[side] for pair in pairs]] for side in (0, 1))
    between = (first + second) / 2  # the mean that equality of two allows, where there are more
    common = np.where(scalable, (middle * (1 - middle))[:, None], 1)
    moved = np.where(scalable, between * (1 - between), 1) / common
    return ScoreTests(
        equality=fdtrc(t - 1, df, of_modalities / below),
        pairs=fdtrc(1, df[:, None], (first - second) ** 2 * r / (2 * below[:, None] * moved**2)),
        moments=Moments(
            mean=middle, error=error, reader=t * np.sum(shared**2, axis=1) / (r - 1), variance=variance, cov1=cov1,
            cov2=cov2, cov3=cov3,
        ),
    )  # fmt: skip


def _areas(ratings: Floats, n_pos: int) -> tuple[Floats, Floats]:
    """Areas, and the influence of cases scaled so that sums of products are DeLong's covariances."""
    n_neg = ratings.shape[-1] - n_pos
    order = np.argsort(ratings, axis=-1)
    positive = order < n_pos
    below = np.cumsum(~positive, axis=-1)
    above = n_pos - np.cumsum(positive, axis=-1)
    place = np.empty(ratings.shape)
    np.put_along_axis(place, order, np.where(positive, below / n_neg, above / n_pos), axis=-1)
    values = place[..., :n_pos].mean(axis=-1)
    place -= values[..., None]
    place[..., :n_pos] /= math.sqrt(n_pos * (n_pos - 1))
    place[..., n_pos:] /= math.sqrt(n_neg * (n_neg - 1))
    return values, place


def _inverse_case_df(influence: Floats, n_pos: int) -> Floats:
    """One over the degrees of freedom with which cases know their part in a difference."""
    total, fewest = np.zeros(len(influence)), np.zeros(len(influence))
    for side in (influence[:, :n_pos], influence[:, n_pos:]):
        n = side.shape[1]
        square = side**2
        part = square.sum(axis=1)
        total += part
        fewest += np.maximum((np.sum(square**2, axis=1) - part**2 / n) / 2, part**2 / (n - 1))
    found: Floats = fewest / np.where(total > 0, total, 1) ** 2
    return found


def _both_positive(height: Floats, correlation: Floats) -> Floats:
    """Probability that two standard normals of a correlation both lie below ``height``, by Owen's T."""
    correlation = np.minimum(correlation, 1)
    found: Floats = ndtr(height) - 2 * owens_t(height, np.sqrt((1 - correlation) / (1 + correlation)))
    return found


def _solved(rising: Callable[[Floats], Floats], wanted: Floats, most: float) -> Floats:
    """Where a rising function reaches what is wanted, for every row; 0 or ``most`` where it does not.

    The interval that holds the place is cut into eight, again and again; the last one counts as straight.
    """
    row, cuts = np.arange(wanted.size), np.linspace(0, 1, 9)
    start, width = np.zeros(wanted.size), float(most)
    for at in range(_ROUNDS):
        values = rising(start[:, None] + width * cuts)
        left = np.clip(np.sum(values < wanted[:, None], axis=1) - 1, 0, cuts.size - 2)
        if at < _ROUNDS - 1:
            start, width = start + width * cuts[left], width / (cuts.size - 1)
    low, high = values[row, left], values[row, left + 1]
    share = np.clip((wanted - low) / np.where(high > low, high - low, 1), 0, 1)
    found: Floats = start + width * (cuts[left] + share * cuts[1])
    return found
