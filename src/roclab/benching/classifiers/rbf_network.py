"""A network of Gaussian units around training cases, chosen one after another by orthogonal least squares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import solve_triangular
from scipy.spatial.distance import cdist

from roclab._core.checks import check_count, check_positive
from roclab._core.types import Floats, Ints
from roclab.benching.classifiers.shared import ScoredClassifier, pair_blocks
from roclab.errors import InputError

__all__ = ["ForwardSelection", "RbfNetwork", "select_forward"]

_MOST_NUMBERS = 1 << 25  # of the table of all units at all cases: 256 megabytes
_DEPENDENT = 1e-10  # of a unit's square sum left over by the units before it: less is rounding


class RbfNetwork(ScoredClassifier):
    r"""Gaussian units around training cases, with a linear output for each class.

    .. math:: s_k(x) = b_k + \sum_u w_{ku} \, 2^{-\lVert x - c_u \rVert^2 / r^2}

    A unit has half its height at the distance r. Centres are training cases, chosen greedily: each step adds
    the unit that lowers the squared error of the targets most once everything before it is fitted (forward orthogonal
    least squares [1]_). Targets are .9 in a class and .1 elsewhere. Distances are Euclidean: scale the features.

    Parameters
    ----------
    units : int
        The most units.
    width : float or several
        Distance r of the half height; of several the one with the smallest leave-one-out error is taken.
    stop_early : bool
        Keep as many units as give the smallest leave-one-out error instead of all.
    candidates : int, optional
        Training cases that may become centres, evenly spaced over the rows; by default all, or as many as keep the
        table of units within 256 MB (all up to 5792 cases).

    Attributes
    ----------
    centres_ : array of shape (units, p)
    width_ : float
    weights_ : array of shape (units, k)
    constant_ : array of shape (k,)

    Notes
    -----
    O(n m) for each unit, n cases and m candidates: see :func:`select_forward`.

    References
    ----------
    .. [1] Chen S, Cowan CFN, Grant PM. Orthogonal least squares learning algorithm for radial basis function networks.
       IEEE Trans Neural Netw 1991;2:302-309. doi:10.1109/72.80341
    """

    def __init__(
        self,
        units: int = 100,
        *,
        width: float | Sequence[float] = 0.5,
        stop_early: bool = False,
        candidates: int | None = None,
    ) -> None:
        self.units = units
        self.width = width
        self.stop_early = stop_early
        self.candidates = candidates

    def _learn(self, x: Floats, code: Ints, counts: Ints) -> None:
        check_count(self.units, "units", least=1, way_out="100 is usual")
        widths = _widths(self.width)
        target = np.where(code[:, None] == np.arange(counts.size), 0.9, 0.1)
        at = self._candidate_rows(len(x))
        best: ForwardSelection | None = None
        table = np.empty((at.size, len(x)))
        for width in widths:
            for part in pair_blocks(at.size, len(x)):
                table[part] = _units(x[at[part]], x, width)
            selection = select_forward(table, target, self.units, stop_early=self.stop_early)
            if best is None or selection.leave_one_out < best.leave_one_out:
                best, self.width_ = selection, width
        assert best is not None
        self.centres_: Floats = x[at[best.chosen]]
        self.weights_: Floats = best.weights
        self.constant_: Floats = best.constant

    def _candidate_rows(self, n: int) -> Ints:
        most = max(1, _MOST_NUMBERS // n)
        if self.candidates is not None:
            most = check_count(self.candidates, "candidates", least=1, way_out="leave it out for all training cases")
        return np.arange(n) if most >= n else np.linspace(0, n - 1, most).round().astype(np.intp)

    def _class_scores(self, x: Floats) -> Floats:
        scores = np.empty((len(x), self.constant_.size))
        for part in pair_blocks(len(x), len(self.centres_)):
            scores[part] = np.einsum("ij,jk->ik", _units(x[part], self.centres_, self.width_), self.weights_)
        return scores + self.constant_


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ForwardSelection:
    """Columns chosen one after another, and the least-squares fit of the targets on them and a constant."""

    chosen: Ints
    weights: Floats  # (units, targets)
    constant: Floats  # (targets,)
    leave_one_out: float  # mean squared error of predictions of each case by the others, with the same columns
    path: Floats  # leave-one-out error after each step, from the constant alone


def select_forward(table: Floats, target: Floats, most: int, *, stop_early: bool = False) -> ForwardSelection:
    r"""Forward orthogonal least squares: rows of ``table`` are candidate regressors, ``target`` (n, k).

    With an orthonormal basis Q of the chosen columns and the constant, the part of candidate :math:`\varphi_j` that is
    new is :math:`w_j = \varphi_j - Q Q^\top \varphi_j`, and adding it lowers the squared error by
    :math:`\lVert w_j^\top y \rVert^2 / \lVert w_j \rVert^2`. No :math:`w_j` is ever made: after each new basis
    vector q, one product :math:`v = \Phi^\top q` updates all of them,

    .. math:: \lVert w_j \rVert^2 \mathrel{-}= v_j^2, \qquad w_j^\top y \mathrel{-}= v_j \, q^\top y

    so that a step costs one pass over the table, O(n m), and the state is O(n units + m). Leave-one-out residuals
    follow from the leverages, the row sums of squares of Q.
    """
    candidates, n = table.shape
    most = min(most, candidates, n - 1)
    left = np.einsum("ij,ij->i", table, table)
    smallest = _DEPENDENT * left
    basis = np.empty((most + 1, n))
    basis[0] = 1 / np.sqrt(n)
    corner = np.zeros((most + 1, most + 1))  # R of the constant and the chosen units, which are Q R
    corner[0, 0] = np.sqrt(n)
    residual = target - target.mean(axis=0)
    gain = table @ residual  # w_j'y, because the residual is orthogonal to the basis
    # vecdot, not BLAS over the whole table: its threads wait for each other when folds run side by side
    along = np.vecdot(table, basis[0])
    left -= along**2
    leverage = np.full(n, 1 / n)
    fitted = [basis[0] @ target]
    path = [_leave_one_out(residual, leverage)]
    chosen: list[int] = []
    taken = np.zeros(candidates, dtype=np.bool_)
    while len(chosen) < most:
        open_ = ~taken & (left > smallest)
        if not open_.any():
            break
        lowering = np.where(open_, np.sum(gain**2, axis=1) / np.where(open_, left, 1.0), -1.0)
        at = int(np.argmax(lowering))
        taken[at] = True
        used = len(chosen) + 1
        new, parts = _orthogonal_part(table[at], basis[:used])
        size = float(np.sqrt(new @ new))
        if size**2 <= smallest[at]:
            continue
        corner[:used, used] = parts
        corner[used, used] = size
        q = np.divide(new, size, out=basis[used])
        share = q @ target
        fitted.append(share)
        residual -= np.outer(q, share)
        along = np.vecdot(table, q)
        left -= along**2
        gain -= np.outer(along, share)
        leverage += q**2
        chosen.append(at)
        path.append(_leave_one_out(residual, leverage))
    kept = int(np.argmin(path)) if stop_early else len(chosen)
    solved = solve_triangular(corner[: kept + 1, : kept + 1], np.array(fitted[: kept + 1]))
    return ForwardSelection(
        chosen=np.array(chosen[:kept], dtype=np.intp),
        weights=solved[1:],
        constant=solved[0],
        leave_one_out=path[kept],
        path=np.array(path),
    )


def _orthogonal_part(column: Floats, basis: Floats) -> tuple[Floats, Floats]:
    """What of a column is orthogonal to the basis, and its parts along it; twice, because once leaves rounding."""
    parts = np.vecdot(basis, column)
    new = column - np.einsum("i,ij->j", parts, basis)
    again = np.vecdot(basis, new)
    return new - np.einsum("i,ij->j", again, basis), parts + again


def _leave_one_out(residual: Floats, leverage: Floats) -> float:
    room = 1 - leverage
    if room.min() < 1e-8:  # some case is fitted by itself alone: without it nothing is known there
        return np.inf
    return float(np.mean(np.sum(residual**2, axis=1) / room**2))


def _units(x: Floats, centres: Floats, width: float) -> Floats:
    """Height of every unit at every case: 1 at its centre, one half at the distance ``width``."""
    height = cdist(x, centres, "sqeuclidean")
    height *= -1 / width**2
    return np.asarray(np.exp2(height, out=height))


def _widths(width: Any) -> list[float]:
    several: list[Any] = list(width) if np.ndim(width) else [width]
    if not several:
        raise InputError("width", "must be a number or several", width, "0.5 is usual for scaled features")
    return [check_positive(one, "width", way_out="0.5 is usual for scaled features") for one in several]
