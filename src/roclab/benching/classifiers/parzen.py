"""Parzen's classifier: the density of each class as a sum of Gaussian bumps around its training cases."""

from __future__ import annotations

from typing import Literal

import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import log_softmax

from roclab._core.checks import check_choice, check_positive
from roclab._core.types import Floats, Ints
from roclab.benching.classifiers.shared import PosteriorClassifier, pair_blocks

__all__ = ["Parzen"]

_STEPS = 20  # widths of each of the two series: down to less than a thousandth of the largest


class Parzen(PosteriorClassifier):
    r"""Gaussian kernel densities of the classes, times their shares.

    .. math:: s_k(x) = \log \sum_{i \in k} e^{-\lVert x - x_i \rVert^2 / 2 h_k^2} - p \log h_k

    up to a constant. Sums are taken in logarithms around the nearest case of each class, so that no score underflows
    far from the data. Distances are Euclidean: scale the features unless they share a unit.

    Parameters
    ----------
    width : float, optional
        Standard deviation h of the kernel; chosen by leaving one case out by default.
    choice : "likelihood" or "posterior"
        What a width is chosen by: the density of each case among the others of its class, a width for each class
        (the usual choice for densities), or the posterior of the true class [1]_, one width for all. Logarithms of both
        are averaged: means of the posteriors themselves would favour widths that leave no doubt about any case.

    Attributes
    ----------
    widths_ : array of shape (k,)
    tried_ : array, the widths that were tried, in falling order
    criterion_ : array, mean criterion at each of them, one column for each class or a single one

    Notes
    -----
    All widths are tried in one pass over the distances, O(n²) time in blocks of bounded memory. They fall by factors of
    :math:`2^{-1/4}`, and narrowing a kernel by :math:`\sqrt 2` squares it, so that one exponential serves half of
    them. A parabola through the best and its neighbours gives the width between them.

    That the posteriors enter by their logarithms was settled by the published areas, not by [1]_: of six readings of
    the search tried on half splits it came nearest to them (phoneme .929, pima .778; printed .933, .792); the largest
    mean posterior gave .921 and .711. Agreement of this classifier with the tables is therefore no independent check.

    References
    ----------
    .. [1] Lissack T, Fu KS. Error estimation in pattern recognition via Lα-distance between posterior density
       functions. IEEE Trans Inf Theory 1976;22:34-45. doi:10.1109/TIT.1976.1055512
    """

    def __init__(
        self, width: float | None = None, *, choice: Literal["likelihood", "posterior"] = "likelihood"
    ) -> None:
        self.width = width
        self.choice = choice

    def _learn(self, x: Floats, code: Ints, counts: Ints) -> None:
        check_choice(self.choice, "choice", ("likelihood", "posterior"))
        self.cases_: list[Floats] = [x[code == one] for one in range(counts.size)]
        self.log_prior_: Floats = np.log(counts / counts.sum())
        if self.width is not None:
            width = check_positive(self.width, "width", way_out="leave it out to have it chosen")
            self.widths_: Floats = np.full(counts.size, width)
            return
        largest = float(x.std(axis=0).max())
        if largest == 0:  # all cases are equal: every width says the same
            self.widths_ = np.ones(counts.size)
            return
        self.tried_: Floats = largest * 2.0 ** (-np.arange(2 * _STEPS) / 4)
        self.criterion_: Floats = self._likelihood() if self.choice == "likelihood" else self._posterior()
        defined = np.isfinite(self.criterion_).all(axis=0)
        if not defined.any():  # every class is a single case, or copies of one
            self.widths_ = np.full(counts.size, largest)
            return
        best = np.full(defined.size, np.nan)
        best[defined] = [_peak(self.tried_, column) for column in self.criterion_.T[defined]]
        # a class without a neighbour to learn its width from takes that of the others
        best[~defined] = np.exp(np.log(best[defined]).mean())
        self.widths_ = np.broadcast_to(best, counts.size).copy()

    def _likelihood(self) -> Floats:
        """Mean log density of the cases of each class among the others of that class."""
        columns = []
        features = self.cases_[0].shape[1]
        for own, cases in enumerate(self.cases_):
            total = np.zeros(self.tried_.size)
            for part in pair_blocks(len(cases), len(cases)):
                # Copies are left out with the case: they would draw the width to nothing.
                total += _log_sums(self._distances(part, own, own, copies=True), self.tried_).sum(axis=1)
            columns.append(total / len(cases) - features * np.log(self.tried_))
        return np.array(columns).T

    def _posterior(self) -> Floats:
        """Mean log posterior of the true class of each case among all others."""
        total = np.zeros(self.tried_.size)
        several = [own for own, cases in enumerate(self.cases_) if len(cases) > 1]  # without itself one has no density
        for own in several:
            cases = self.cases_[own]
            for part in pair_blocks(len(cases), max(map(len, self.cases_))):
                joint = np.stack(
                    [_log_sums(self._distances(part, own, k), self.tried_) for k in range(len(self.cases_))]
                )
                # every class counts n_k cases, so the sums are posteriors up to a factor
                total += log_softmax(joint, axis=0)[own].sum(axis=1)
        cases_used = sum(len(self.cases_[own]) for own in several)
        return (total / cases_used if several else np.full(total.size, -np.inf))[:, None]

    def _distances(self, part: slice, own: int, other: int, *, copies: bool = False) -> Floats:
        """Squared distances of some cases of a class to those of another; to itself, or its copies, infinite."""
        distance: Floats = cdist(self.cases_[own][part], self.cases_[other], "sqeuclidean")
        if own == other:
            if copies:
                distance[distance == 0] = np.inf
            else:
                distance[np.arange(len(distance)), np.arange(part.start, part.stop)] = np.inf
        return distance

    def _class_scores(self, x: Floats) -> Floats:
        scores = np.empty((len(x), len(self.cases_)))
        for k, cases in enumerate(self.cases_):
            start = self.log_prior_[k] - np.log(len(cases)) - x.shape[1] * np.log(self.widths_[k])
            for part in pair_blocks(len(x), len(cases)):
                distance = cdist(x[part], cases, "sqeuclidean")
                scores[part, k] = start + _log_sums(distance, self.widths_[k : k + 1], steps=1)[0]
        return scores


def _log_sums(distance: Floats, widths: Floats, *, steps: int = _STEPS) -> Floats:
    """Log of the sum of kernels over each row of squared distances, for every width: shape (widths, rows).

    Widths are ``len(widths) / steps`` interleaved series, in each of which one is the one before over the root of two.
    """
    nearest = distance.min(axis=1)
    alone = np.isinf(nearest)  # no other case: the sum is 0
    nearest[alone] = 0.0
    series = widths.size // steps
    sums = np.empty((widths.size, len(distance)))
    ones = np.ones(distance.shape[1])
    distance -= nearest[:, None]
    for start in range(series):
        kernel = np.exp(distance * (-0.5 / widths[start] ** 2))
        for at in range(start, widths.size, series):
            sums[at] = np.vecdot(kernel, ones)
            if at + series < widths.size:
                np.multiply(kernel, kernel, out=kernel)
    with np.errstate(divide="ignore"):
        np.log(sums, out=sums)
    sums -= 0.5 * nearest / widths[:, None] ** 2
    return sums


def _peak(widths: Floats, criterion: Floats) -> float:
    """The best width, by a parabola in its logarithm through the best one tried and its neighbours."""
    at = int(np.argmax(criterion))
    if at in (0, widths.size - 1):
        return float(widths[at])
    before, top, after = criterion[at - 1 : at + 2]
    bend = before - 2 * top + after
    shift = 0.5 * (before - after) / bend if bend < 0 else 0.0
    return float(widths[at] * 2.0 ** (-shift / 4))
