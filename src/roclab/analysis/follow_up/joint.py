"""Tests over several horizons or landmarks at once, from one covariance matrix of all areas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from scipy.special import chdtrc

from roclab._core.types import Floats
from roclab.inference.comparison.simultaneous import JointPairs
from roclab.inference.follow_up_areas import AreaAtHorizon
from roclab.results import TestResult

__all__ = ["JOINT", "constant_areas", "joint_test"]

Joint = Literal["joint", "changing", "largest"]
JOINT: tuple[Joint, ...] = ("joint", "changing", "largest")


def joint_test(
    areas: Floats, matrix: Floats, names: Sequence[str], pair: tuple[int, int], many: int, kind: Joint
) -> TestResult:
    """Are all differences of two scores 0, or the same; how far is the largest? Rows are horizons within each score."""
    first, second = pair
    called = f"{names[first]} - {names[second]}"
    places = [(first * many + at, second * many + at) for at in range(many)]
    sums = np.zeros((many, areas.size))
    for at, (i, j) in enumerate(places):
        sums[at, i], sums[at, j] = 1, -1
    if kind == "largest":
        error = np.sqrt(np.diag(sums @ matrix @ sums.T))
        z = np.abs(np.divide(sums @ areas, error, out=np.zeros(many), where=error > 0))
        largest = float(z.max())
        return TestResult(
            name=called, hypothesis=f"no difference {called} at any horizon", statistic=largest,
            distribution=f"largest |z| of {many}, multivariate normal",
            p_value=JointPairs(matrix, places).error(largest),
        )  # fmt: skip
    if kind == "changing":
        sums = sums[1:] - sums[0]
    words = "the same at all horizons" if kind == "changing" else "0 at all horizons"
    return _chi_squared(areas, matrix, sums, called, f"the difference {called} is {words}")


def constant_areas(found: Sequence[AreaAtHorizon], matrix: Floats) -> list[TestResult]:
    """Of every score with several areas: is its area the same at all horizons and landmarks?"""
    areas = np.array([area.area for area in found])
    tests = []
    for name in dict.fromkeys(area.score for area in found):
        rows = [at for at, area in enumerate(found) if area.score == name]
        if len(rows) < 2:
            continue
        sums = np.zeros((len(rows) - 1, areas.size))
        sums[:, rows[0]] = -1
        sums[np.arange(len(rows) - 1), rows[1:]] = 1
        tests.append(_chi_squared(areas, matrix, sums, name, f"the area of {name} is the same at all horizons"))
    return tests


def _chi_squared(areas: Floats, matrix: Floats, sums: Floats, name: str, hypothesis: str) -> TestResult:
    value, spanned = sums @ areas, sums @ matrix @ sums.T
    rank = int(np.linalg.matrix_rank(spanned, tol=1e-12 * max(float(np.trace(spanned)), 1e-300)))
    statistic = float(value @ np.linalg.pinv(spanned, rcond=1e-12) @ value)
    return TestResult(
        name=name, hypothesis=hypothesis, statistic=statistic, distribution=f"chi-squared, {rank} df",
        p_value=float(chdtrc(rank, statistic)),
    )  # fmt: skip
