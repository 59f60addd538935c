"""Newton's method for a log likelihood, whose steps are halved while they lower it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np

from roclab._core.types import Floats
from roclab.models.likelihood import is_flat

__all__ = ["Maximum", "Problem", "maximum"]


class Problem(Protocol):
    """A log likelihood with its first two derivatives."""

    log_likelihood: float

    def at(self, beta: Floats) -> tuple[float, Floats, Floats]:
        """Value, gradient and information at these coefficients."""
        ...


class Maximum(NamedTuple):
    """Where Newton's steps have led."""

    beta: Floats
    gradient: Floats
    information: Floats
    path: list[Floats]
    converged: bool


def maximum(
    problem: Problem, size: Floats, refuse: Callable[[], None], *, tolerance: float = 1e-10, max_iterations: int = 100
) -> Maximum:
    """Newton's method from nothing; ``refuse`` looks for separated classes where the likelihood is flat."""
    beta = np.zeros(size.size)
    value, gradient, information = problem.at(beta)
    path: list[Floats] = []
    suspicious = True  # until no separation was found
    for _ in range(max_iterations):
        step: Floats = np.asarray(np.linalg.solve(information, gradient), dtype=np.float64)
        beta, value, gradient, information, moved = _step(problem, beta, value, step)
        path.append(beta.copy())
        if suspicious and is_flat(information, size):
            refuse()
            suspicious = False
        if moved < tolerance:
            return Maximum(beta, gradient, information, path, True)
    if suspicious:
        refuse()
    return Maximum(beta, gradient, information, path, False)


def _step(problem: Problem, beta: Floats, value: float, step: Floats) -> tuple[Floats, float, Floats, Floats, float]:
    """The Newton step, halved while it lowers the objective."""
    for _ in range(40):
        new_value, gradient, information = problem.at(beta + step)
        if new_value >= value - 1e-12 * abs(value):
            break
        step = step / 2
    return beta + step, new_value, gradient, information, float(np.max(np.abs(step)))
