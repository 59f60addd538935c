"""Do the 95% intervals of one AUC hold 95%, over hundreds of designs?

Every cell of a grid is a pair of score distributions, a true area and two class sizes. Samples are drawn in batches;
the areas and DeLong's two spreads of a whole batch come from one sort, and each method is judged by the share of its
intervals that hold the true area. Two grids, the main one and a harsh one with few cases of one class; a third holds
designs whose samples take very few values, where coverage jumps whatever the interval.

    python benchmarks/coverage_intervals.py [--samples 3000] [--grid main harsh discrete] [--worst 10]

Seeded; about three minutes on one core with the default number of samples.
"""

from __future__ import annotations

import argparse
import itertools
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from roclab.inference.one_area.score import fit_score_variance, score_interval, score_test

Z = float(ndtri(0.975))
LENGTHS = 200  # samples of a cell whose interval lengths are averaged
BATCH = 2_000_000  # scores in memory at once
Draw = Callable[[np.random.Generator, tuple[int, int]], np.ndarray]


@dataclass(frozen=True)
class Scores:
    """Continuous scores of either class, by a function that draws them."""

    pos: Draw
    neg: Draw


@dataclass(frozen=True)
class Ratings:
    """Chances of the ordered values of a discrete score, in either class."""

    pos: np.ndarray
    neg: np.ndarray

    @property
    def area(self) -> float:
        """P(X > Y) + P(X = Y) / 2, exactly."""
        return float(np.sum(self.pos * (np.cumsum(self.neg) - self.neg / 2)))


# Continuous designs. Each is solved for its parameter so that the true area is the one asked for.


def binormal(area: float, ratio: float = 1.0) -> Scores:
    shift = math.hypot(1, ratio) * float(ndtri(area))
    return Scores(lambda rng, shape: rng.normal(shift, ratio, shape), lambda rng, shape: rng.normal(0, 1, shape))


def exponential(area: float) -> Scores:
    """Means c and 1: P(X > Y) = c / (1 + c)."""
    mean = area / (1 - area)
    return Scores(lambda rng, shape: rng.exponential(mean, shape), lambda rng, shape: rng.exponential(1, shape))


def negative_exponential(area: float) -> Scores:
    mirrored = exponential(area)
    return Scores(lambda rng, shape: -mirrored.neg(rng, shape), lambda rng, shape: -mirrored.pos(rng, shape))


def student3(area: float) -> Scores:
    """Student's t with 3 degrees of freedom, shifted; the area by Gauss-Legendre quadrature over the quantiles."""
    node, weight = np.polynomial.legendre.leggauss(400)
    start = stdtrit(3, (node + 1) / 2)
    shift = brentq(lambda d: float(np.sum(weight * stdtr(3, start + d))) / 2 - area, -40, 40, xtol=1e-12)
    return Scores(lambda rng, shape: shift + rng.standard_t(3, shape), lambda rng, shape: rng.standard_t(3, shape))


def two_kinds(area: float) -> Scores:
    """Positives of two kinds: 60% far away, 40% a third as far."""
    far = brentq(lambda d: 0.6 * ndtr(d / math.sqrt(2)) + 0.4 * ndtr(d / math.sqrt(18)) - area, -60, 60, xtol=1e-12)
    return Scores(
        lambda rng, shape: rng.normal(0, 1, shape) + np.where(rng.random(shape) < 0.6, far, far / 3),
        lambda rng, shape: rng.normal(0, 1, shape),
    )


def outliers(area: float) -> Scores:
    """15% of the negatives spread five times as wide."""
    shift = brentq(
        lambda d: 0.85 * ndtr(d / math.sqrt(2)) + 0.15 * ndtr(d / math.sqrt(26)) - area, -200, 200, xtol=1e-12
    )
    return Scores(
        lambda rng, shape: rng.normal(shift, 1, shape),
        lambda rng, shape: rng.normal(0, 1, shape) * np.where(rng.random(shape) < 0.15, 5, 1),
    )


def some_useless(area: float) -> Scores:
    """A share of the positives looks like negatives, the others lie above them all."""
    useless = 2 * (1 - area)
    return Scores(
        lambda rng, shape: rng.random(shape) + (rng.random(shape) >= useless), lambda rng, shape: rng.random(shape)
    )


# Discrete designs.


def rated(area: float, inner: Sequence[float]) -> Ratings:
    """Binormal scores cut half-way between the classes, at the given distances from there."""
    return _cut(area, lambda shift: shift / 2 + np.array(inner))


def rated_by_negatives(area: float, quantiles: Sequence[float]) -> Ratings:
    """Binormal scores cut at quantiles of the negatives: most negatives share the lowest rating."""
    cuts = ndtri(np.array(quantiles))
    return _cut(area, lambda shift: cuts)


def _cut(area: float, cuts: Callable[[float], np.ndarray]) -> Ratings:
    def at(shift: float) -> Ratings:
        edges = np.concatenate([[-np.inf], cuts(shift), [np.inf]])
        return Ratings(np.diff(ndtr(edges - shift)), np.diff(ndtr(edges)))

    return at(brentq(lambda shift: at(shift).area - area, -8, 12, xtol=1e-13))


def binary(area: float) -> Ratings:
    """A test with two answers, more specific than sensitive."""
    specificity = min(0.98, (1 + area) / 2)
    sensitivity = 2 * area - specificity
    return Ratings(np.array([1 - sensitivity, sensitivity]), np.array([specificity, 1 - specificity]))


def all_or_nothing(area: float) -> Ratings:
    """Every positive lies above all negatives or below them all: the largest variance an area can have."""
    return Ratings(np.array([1 - area, 0, area]), np.array([0.0, 1, 0]))


def rare(area: float) -> Ratings:
    """A mark that hardly anyone has: 2% of the negatives, a few more of the positives."""
    share = 0.02 + 2 * (area - 0.5)
    return Ratings(np.array([1 - share, share]), np.array([0.98, 0.02]))


MAIN = (
    (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.97, 0.99),
    ((10, 10), (15, 15), (30, 30), (20, 80), (80, 20), (100, 100), (20, 200), (1000, 1000)),
    {
        "binormal": binormal,
        "binormal, spread 2": lambda area: binormal(area, 2),
        "exponential": exponential,
        "negative exponential": negative_exponential,
        "t3": student3,
        "two kinds": two_kinds,
        "3 ratings": lambda area: rated(area, [-0.7, 0.7]),
        "5 ratings": lambda area: rated(area, [-1.2, -0.4, 0.4, 1.2]),
    },
)
HARSH = (
    (0.6, 0.7, 0.8, 0.9, 0.95, 0.97),
    ((3, 100), (100, 3), (5, 20), (5, 50), (8, 8), (10, 30), (10, 1000), (25, 500)),
    {
        "binormal, spread 3": lambda area: binormal(area, 3),
        "binormal, spread 1/3": lambda area: binormal(area, 1 / 3),
        "exponential": exponential,
        "t3": student3,
        "two kinds": two_kinds,
        "outliers": outliers,
        "3 ratings": lambda area: rated(area, [-0.7, 0.7]),
        "3 ratings, skewed": lambda area: rated_by_negatives(area, [0.75, 0.95]),
        "5 ratings, skewed": lambda area: rated_by_negatives(area, [0.5, 0.75, 0.9, 0.97]),
    },
)
DISCRETE = (
    (0.52, 0.55, 0.65, 0.75, 0.85, 0.92, 0.98),
    ((4, 4), (12, 12), (40, 40), (2, 50), (6, 60), (15, 300), (7, 1000)),
    {"binary": binary, "all or nothing": all_or_nothing, "some useless": some_useless, "rare": rare},
)
GRIDS = {"main": MAIN, "harsh": HARSH, "discrete": DISCRETE}


@dataclass(frozen=True)
class Samples:
    """Area and spreads (denominator n - 1) of many samples of one size."""

    area: np.ndarray
    spread10: np.ndarray
    spread01: np.ndarray
    n_pos: int
    n_neg: int

    @property
    def variance(self) -> np.ndarray:
        """DeLong's; the null variance for constant scores."""
        plain = self.spread10 / self.n_pos + self.spread01 / self.n_neg
        constant = (plain < 1e-28) & (self.area > 0) & (self.area < 1)
        return np.where(constant, (self.n_pos + self.n_neg + 1) / (12 * self.n_pos * self.n_neg), plain)


def draw(design: Scores | Ratings, n_pos: int, n_neg: int, count: int, rng: np.random.Generator) -> Samples:
    """Areas and spreads of ``count`` samples."""
    if isinstance(design, Ratings):
        parts = [_of_counts(rng.multinomial(n_pos, design.pos, count), rng.multinomial(n_neg, design.neg, count))]
    else:
        rows = max(1, BATCH // (n_pos + n_neg))
        parts = []
        for start in range(0, count, rows):
            some = min(rows, count - start)
            parts.append(_of_scores(design.pos(rng, (some, n_pos)), design.neg(rng, (some, n_neg))))
    area, spread10, spread01 = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Samples(area, spread10, spread01, n_pos, n_neg)


def _of_scores(pos: np.ndarray, neg: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Without ties: a positive's component counts the negatives sorted before it."""
    n_pos, n_neg = pos.shape[1], neg.shape[1]
    positive = np.argsort(np.concatenate([pos, neg], axis=1), axis=1) < n_pos
    v10 = np.cumsum(~positive, axis=1) / n_neg
    v01 = 1 - np.cumsum(positive, axis=1) / n_pos
    area = np.sum(v10 * positive, axis=1) / n_pos
    return (
        area,
        np.sum((v10 - area[:, None]) ** 2 * positive, axis=1) / max(n_pos - 1, 1),
        np.sum((v01 - area[:, None]) ** 2 * ~positive, axis=1) / max(n_neg - 1, 1),
    )


def _of_counts(pos: np.ndarray, neg: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """From counts of the ordered values; ties count one half."""
    n_pos, n_neg = pos[0].sum(), neg[0].sum()
    v10 = (np.cumsum(neg, axis=1) - neg / 2) / n_neg
    v01 = 1 - (np.cumsum(pos, axis=1) - pos / 2) / n_pos
    area = np.sum(pos * v10, axis=1) / n_pos
    return (
        area,
        np.sum(pos * (v10 - area[:, None]) ** 2, axis=1) / max(n_pos - 1, 1),
        np.sum(neg * (v01 - area[:, None]) ** 2, axis=1) / max(n_neg - 1, 1),
    )


@dataclass(frozen=True)
class Found:
    """What one method did in one cell: how often its interval lay too high or too low, and how long it was."""

    too_high: float
    too_low: float
    length: float

    @property
    def coverage(self) -> float:
        """Share of intervals that hold the true area."""
        return 1 - self.too_high - self.too_low


def judged(low: np.ndarray, high: np.ndarray, truth: float) -> Found:
    slack = 1e-12
    length = float(np.mean(high[:LENGTHS] - low[:LENGTHS]))
    return Found(float(np.mean(low > truth + slack)), float(np.mean(high < truth - slack)), length)


def logit_limits(samples: Samples, variance: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """On the logit scale; at 0 and 1 the exact binomial bound on min(P, N) pairs."""
    inside = (samples.area > 0) & (samples.area < 1)
    area = np.where(inside, samples.area, 0.5)
    centre = np.log(area / (1 - area))
    reach = Z * np.sqrt(variance) / (area * (1 - area))
    bound = 0.025 ** (1 / min(samples.n_pos, samples.n_neg))
    low = np.where(inside, 1 / (1 + np.exp(reach - centre)), np.where(samples.area >= 1, bound, 0.0))
    high = np.where(inside, 1 / (1 + np.exp(-reach - centre)), np.where(samples.area >= 1, 1.0, 1 - bound))
    return low, high


def hanley_mcneil(area: np.ndarray | float, n_pos: int, n_neg: int) -> np.ndarray:
    square = area * (1 - area) + (n_pos - 1) * (area / (2 - area) - area**2)
    square = square + (n_neg - 1) * (2 * area**2 / (1 + area) - area**2)
    return np.maximum(square, 0) / (n_pos * n_neg)


def score_found(samples: Samples, truth: float) -> Found:
    """The library's own test at the true area, and its interval's length; equal samples are looked at once."""
    table = np.column_stack([samples.area, samples.spread10, samples.spread01])
    rows, where = np.unique(table, axis=0, return_inverse=True)
    sizes = {"n_pos": samples.n_pos, "n_neg": samples.n_neg}
    fits = [fit_score_variance(*row, **sizes) for row in rows.tolist()]
    deviates = np.array([score_test(fit, null=truth) for fit in fits])[where.ravel()]
    ends = [score_interval(fits[at]) for at in where.ravel()[:LENGTHS]]
    # beyond its limits the score test rejects: that is how the interval is made
    assert all((low <= truth <= high) == (abs(z) <= Z) for (low, high), z in zip(ends, deviates, strict=False))
    length = float(np.mean([high - low for low, high in ends]))
    return Found(float(np.mean(deviates > Z)), float(np.mean(deviates < -Z)), length)


def cell(design: Scores | Ratings, area: float, sizes: tuple[int, int], count: int, seed: int) -> dict[str, Found]:
    """All methods on the same samples."""
    samples = draw(design, *sizes, count, np.random.default_rng(seed))
    plain = Z * np.sqrt(samples.variance)
    return {
        "DeLong, logit": judged(*logit_limits(samples, samples.variance), area),
        "DeLong, plain": judged(samples.area - plain, samples.area + plain, area),
        "Hanley-McNeil, logit": judged(*logit_limits(samples, hanley_mcneil(samples.area, *sizes)), area),
        "score": score_found(samples, area),
    }


def summary(found: dict[str, list[Found]], null: Sequence[bool]) -> str:
    """One line per method over all cells."""
    reference = found["DeLong, logit"]
    holds = np.array([one.coverage >= 0.94 for one in reference])
    lines = [
        "| method | smallest | 5th percentile | median | within .94-.965 | at least .94 | too high | too low | "
        "length ratio, mean | of sums | size at 0.5 |",
        f"|---{'|---' * 10}|",
    ]
    for name, cells in found.items():
        coverage = np.array([one.coverage for one in cells])
        length = np.array([one.length for one in cells])
        against = np.array([one.length for one in reference])
        inside = np.mean((coverage >= 0.94) & (coverage <= 0.965))
        sizes = 1 - coverage[np.array(null)]
        rejected = f"{sizes.min():.3f}-{sizes.max():.3f}" if sizes.size else "-"
        lines.append(
            f"| {name} | {coverage.min():.3f} | {np.quantile(coverage, 0.05):.3f} | {np.median(coverage):.3f} | "
            f"{inside:.2f} | {np.mean(coverage >= 0.94):.3f} | {np.mean([one.too_high for one in cells]):.4f} | "
            f"{np.mean([one.too_low for one in cells]):.4f} | {np.mean(length[holds] / against[holds]):.3f} | "
            f"{length[holds].sum() / against[holds].sum():.3f} | {rejected} |"
        )
    return "\n".join(lines)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--samples", type=int, default=3000, help="samples of every cell")
    options.add_argument("--grid", nargs="+", default=list(GRIDS), choices=list(GRIDS))
    options.add_argument("--worst", type=int, default=10, help="how many of the score interval's worst cells to list")
    chosen = options.parse_args()
    for grid in chosen.grid:
        began = time.perf_counter()
        areas, sizes, designs = GRIDS[grid]
        cells = []
        for (name, design), area in itertools.product(designs.items(), areas):
            try:
                made = design(area)
            except ValueError:  # no such design has this area
                continue
            if isinstance(made, Ratings) and (np.any(made.pos < 0) or abs(made.area - area) > 1e-9):
                continue
            cells += [(name, made, area, size) for size in sizes]
        found: dict[str, list[Found]] = {}
        for at, (_, made, area, size) in enumerate(cells):
            for method, one in cell(
                made, area, size, chosen.samples, 1000 * (list(GRIDS).index(grid) + 1) + at
            ).items():
                found.setdefault(method, []).append(one)
        took = time.perf_counter() - began
        print(f"\n## {grid}: {len(cells)} cells of {chosen.samples} samples, {took:.0f} s\n")
        print(summary(found, [area == 0.5 for _, _, area, _ in cells]))
        print("\nLength ratios and sums are to DeLong's logit interval, over the cells where that holds at least .94.")
        ranked = sorted(zip(found["score"], cells, strict=True), key=lambda pair: pair[0].coverage)
        for one, (name, _, area, (n_pos, n_neg)) in ranked[: chosen.worst]:
            print(
                f"  {one.coverage:.3f} {name}, {area}, {n_pos}+{n_neg}: {one.too_high:.3f} high, {one.too_low:.3f} low"
            )


if __name__ == "__main__":
    main()
