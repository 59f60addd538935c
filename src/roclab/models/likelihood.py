"""The log likelihood of a logistic model, plain or with Firth's penalty, and its first two derivatives."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import expit

from roclab._core.blocks import blocks
from roclab._core.types import Bools, Floats

__all__ = ["Design", "Likelihood", "is_flat", "row_sums"]

_ROWS = 1 << 12  # rows at a time: a few dozen columns of them stay in cache


class Design:
    """The columns, with one of ones for the intercept added as the rows are walked over: no copy of the data."""

    def __init__(self, columns: Floats, *, intercept: bool) -> None:
        self.columns, self.intercept = columns, intercept
        self.shape = (columns.shape[0], columns.shape[1] + intercept)

    def rows(self) -> Iterator[tuple[slice, Floats]]:
        """Slices of the rows that fit into the cache."""
        for part in blocks(self.shape[0], _ROWS):
            piece = self.columns[part]
            yield part, np.column_stack([np.ones(len(piece)), piece]) if self.intercept else piece

    def gram(self) -> Floats:
        """X'X."""
        total = np.zeros((self.shape[1], self.shape[1]))
        for _, rows in self.rows():
            total += rows.T @ rows
        return total

    def whole(self) -> Floats:
        """The full table, for the rare questions that need it."""
        return np.concatenate([rows for _, rows in self.rows()])


def row_sums(rows: Floats, weights: Floats) -> Floats:
    """The sum of weighted columns in every row, the same for equal rows to the last bit.

    A product with BLAS rounds rows at the end of a block otherwise than the rest, and differently on each processor;
    cases with equal columns would then no longer be tied.
    """
    sums: Floats = np.einsum("ij,j->i", rows, weights)
    return sums


class Likelihood:
    """The log likelihood, penalised or not, its gradient and the information at a point, in one walk over the rows."""

    def __init__(self, design: Design, label: Bools, *, firth: bool) -> None:
        self.design, self.label, self.firth = design, label, firth
        self.eta: Floats = np.zeros(label.size)
        self.log_likelihood = 0.0

    def at(self, beta: Floats) -> tuple[float, Floats, Floats]:
        """Value, gradient and information at these coefficients."""
        m = beta.size
        gradient, information = np.zeros(m), np.zeros((m, m))
        total = 0.0
        for part, rows in self.design.rows():
            eta = row_sums(rows, beta)
            self.eta[part] = eta
            p = expit(eta)
            y = self.label[part]
            # log P or log(1 - P) as -log(1 + e^-s) for signed s: never -inf
            total -= float(np.logaddexp(0.0, np.where(y, -eta, eta)).sum())
            gradient += (y - p) @ rows
            half = rows * np.sqrt(p * (1 - p))[:, None]
            information += half.T @ half
        self.log_likelihood = total
        value = total
        if self.firth:
            value += 0.5 * float(np.linalg.slogdet(information)[1])
            gradient = gradient + self._firth_score(information)
        return value, gradient, information

    def _firth_score(self, information: Floats) -> Floats:
        """Sum of h (1/2 - p) x with h the leverages: the derivative of half the log determinant."""
        inverse = np.linalg.inv(information)
        score = np.zeros(information.shape[0])
        for part, rows in self.design.rows():
            p = expit(self.eta[part])
            leverage = p * (1 - p) * np.sum((rows @ inverse) * rows, axis=1)
            score += (leverage * (0.5 - p)) @ rows
        return score


def is_flat(information: Floats, size: Floats) -> bool:
    """True when the likelihood hardly bends in some direction: a standard error above 1000 in units of its column.

    Under separation it flattens out exponentially as the coefficients grow; the linear program then decides.
    """
    scaled = information / np.outer(size, size)
    return bool(np.linalg.eigvalsh(scaled)[0] < 1e-6)
