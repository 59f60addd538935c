"""The frozen grid: designs on which nothing of the score interval or the score test was chosen, but one thing.

One area: sixteen shapes, seven areas, eleven class sizes. Two areas of the same cases: seven pairs of shapes, three
equal areas (size of the tests) and two unequal pairs (power, coverage), three correlations, six class sizes. The weight
by which the test passes over into Welch's t was chosen on the 378 designs of equal areas; ``--other`` runs designs with
shapes and class sizes that were not looked at then.

    python benchmarks/held_out.py [one] [two] [--samples 1000] [--other] [--seed 1] [--worst 10]

Seeded; with 1000 samples about five minutes for one area and ten for two, on one core.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.optimize import brentq
from scipy.special import betaincinv, gammaincinv, ndtr, ndtri
from scipy.stats import poisson, rankdata

import roclab as rl
from roclab.data.cases import Cases
from roclab.inference.comparison.contrasts import contrast_of
from roclab.inference.comparison.covariance import covariance_of_cases
from roclab.inference.one_area.area import area_of_method
from roclab.inference.one_area.score_many import score_intervals

Quantile = Callable[[np.ndarray], np.ndarray]
LATTICE = (np.arange(40_000) + 0.5) / 40_000  # on which true areas are counted


def laplace(u: np.ndarray) -> np.ndarray:
    return np.where(u < 0.5, np.log(2 * np.minimum(u, 0.5)), -np.log(2 * np.minimum(1 - u, 0.5)))


def rated(cuts: list[float]) -> Callable[[float], tuple[Quantile, Quantile]]:
    at = np.array(cuts)
    return lambda s: (lambda u: np.searchsorted(at, s + ndtri(u)) * 1.0, lambda u: np.searchsorted(at, ndtri(u)) * 1.0)


def above_limit(share: float) -> Callable[[float], tuple[Quantile, Quantile]]:
    """Values below a detection limit are 0: so many of the negatives."""
    limit = float(ndtri(share))
    return lambda s: (lambda u: np.maximum(s + ndtri(u) - limit, 0), lambda u: np.maximum(ndtri(u) - limit, 0))


def shifted(quantile: Quantile) -> Callable[[float], tuple[Quantile, Quantile]]:
    return lambda s: (lambda u: s + quantile(u), quantile)


def spread(ratio: float) -> Callable[[float], tuple[Quantile, Quantile]]:
    return lambda s: (lambda u: s + ratio * ndtri(u), ndtri)


def scaled(quantile: Quantile) -> Callable[[float], tuple[Quantile, Quantile]]:
    return lambda s: (lambda u: np.exp(s) * quantile(u), quantile)


def gross_errors(s: float) -> tuple[Quantile, Quantile]:
    """One positive of twenty lies far below all negatives."""
    return (lambda u: np.where(u < 0.05, -9.0, s + ndtri(np.clip((u - 0.05) / 0.95, 1e-12, 1 - 1e-12)))), ndtri


def mixture(s: float) -> tuple[Quantile, Quantile]:
    """Three positives of ten look like negatives."""
    return (
        lambda u: np.where(
            u < 0.3, ndtri(np.clip(u / 0.3, 1e-12, 1 - 1e-12)), s + ndtri(np.clip((u - 0.3) / 0.7, 1e-12, 1 - 1e-12))
        ),
        ndtri,
    )


# Quantile functions of the positives and the negatives, by the parameter that is solved for the area.
SHAPES: dict[str, Callable[[float], tuple[Quantile, Quantile]]] = {
    "gamma .5": scaled(lambda u: gammaincinv(0.5, u)),
    "gamma 3": scaled(lambda u: gammaincinv(3.0, u)),
    "Weibull .7 / 3": lambda s: (
        lambda u: np.exp(s) * (-np.log1p(-u)) ** (1 / 0.7), lambda u: (-np.log1p(-u)) ** (1 / 3)
    ),
    "Weibull 3 / .7": lambda s: (
        lambda u: np.exp(s) * (-np.log1p(-u)) ** (1 / 3), lambda u: (-np.log1p(-u)) ** (1 / 0.7)
    ),
    "Laplace": shifted(laplace),
    "Cauchy": shifted(lambda u: np.tan(np.pi * (u - 0.5))),
    "uniform": shifted(lambda u: u),
    "beta": lambda s: (lambda u: betaincinv(0.4, 0.4, u) ** np.exp(-s), lambda u: betaincinv(0.4, 0.4, u)),
    "mixture": mixture,
    "gross errors": gross_errors,
    "sd 2.5": spread(2.5),
    "sd 2": spread(2.0),
    "sd 1": spread(1.0),
    "sd .7": spread(0.7),
    "sd .4": spread(0.4),
    "limit 70%": above_limit(0.7),
    "limit 93%": above_limit(0.93),
    "7 categories": rated([-1, -0.36, 0.28, 0.92, 1.56, 2.2]),
    "3 categories": rated([0.5, 1.5]),
    "counts": lambda s: (lambda u: poisson.ppf(u, 2 * np.exp(s)), lambda u: poisson.ppf(u, 2.0)),
}  # fmt: skip

ONE_SHAPES = [name for name in SHAPES if name not in ("sd 2", "sd 1", "sd .7", "Weibull 3 / .7")]
ONE_AREAS = (0.5, 0.65, 0.75, 0.85, 0.9, 0.95, 0.98)
ONE_SIZES = (
    (8, 8), (15, 15), (30, 30), (60, 60), (150, 150), (500, 500), (30, 120), (10, 200), (200, 10), (10, 500), (500, 10)
)  # fmt: skip

PAIRS = [
    ("gamma 3", "gamma 3"), ("7 categories", "7 categories"), ("limit 70%", "Laplace"), ("3 categories", "gamma 3"),
    ("gross errors", "Laplace"), ("Weibull .7 / 3", "Laplace"), ("sd 2.5", "sd .4"),
]  # fmt: skip
SIZES = ((12, 12), (25, 25), (60, 60), (15, 150), (150, 15), (10, 300))
OTHER_PAIRS = [
    ("sd 2.5", "sd .4"), ("Weibull 3 / .7", "gamma 3"), ("limit 93%", "sd 1"), ("gross errors", "gross errors"),
    ("sd 2", "sd .7"), ("3 categories", "sd 1"), ("gamma .5", "Cauchy"), ("counts", "gamma 3"),
]  # fmt: skip
OTHER_SIZES = ((10, 10), (15, 30), (12, 36), (40, 15), (30, 100), (200, 20), (20, 400))
EQUAL = ((0.65, 0.65), (0.8, 0.8), (0.93, 0.93))
UNEQUAL = ((0.75, 0.88), (0.88, 0.97))
CORRELATIONS = (0.0, 0.6, 0.9)


def true_area(pos: Quantile, neg: Quantile) -> float:
    below = np.sort(neg(LATTICE))
    x = pos(LATTICE)
    return float(np.mean(np.searchsorted(below, x, "left") + np.searchsorted(below, x, "right"))) / 2 / LATTICE.size


@cache
def solved(shape: str, area: float) -> tuple[Quantile, Quantile] | None:
    """The design of this area, or None where the shape has none."""
    try:
        at = brentq(lambda s: true_area(*SHAPES[shape](s)) - area, -6, 8, xtol=1e-5)
    except ValueError:
        return None
    return SHAPES[shape](at)


# -- one area ----------------------------------------------------------------------------------------


def components(pos: np.ndarray, neg: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Areas and both spreads of many samples, by ranks."""
    together = rankdata(np.concatenate([pos, neg], axis=1), axis=1)
    v10 = (together[:, : pos.shape[1]] - rankdata(pos, axis=1)) / neg.shape[1]
    v01 = 1 - (together[:, pos.shape[1] :] - rankdata(neg, axis=1)) / pos.shape[1]
    return v10.mean(axis=1), v10.var(axis=1, ddof=1), v01.var(axis=1, ddof=1)


def run_one(samples: int, seed: int, worst: int) -> None:
    """Coverage of the default interval of one area."""
    rows = []
    for shape, area in itertools.product(ONE_SHAPES, ONE_AREAS):
        made = solved(shape, area)
        if made is None:
            continue
        truth = true_area(*made)
        for at, (n_pos, n_neg) in enumerate(ONE_SIZES):
            rng = np.random.default_rng([seed, ONE_SHAPES.index(shape), int(100 * area), at])
            found = components(made[0](rng.random((samples, n_pos))), made[1](rng.random((samples, n_neg))))
            sizes = {"n_pos": np.full(samples, float(n_pos)), "n_neg": np.full(samples, float(n_neg))}
            low, high = score_intervals(*found, **sizes, level=0.95)
            rows.append((f"{shape}, {area}, {n_pos}+{n_neg}", area, np.mean(low > truth), np.mean(high < truth)))
    held = np.array([1 - row[2] - row[3] for row in rows])
    near = np.array([row[1] >= 0.95 for row in rows])
    too_high, too_low = (np.array([row[at] for row in rows]) for at in (2, 3))
    print(f"\n{len(rows)} cells of {samples} samples: 95% intervals of one area")
    print(f"smallest {held.min():.3f}, 5% {np.quantile(held, 0.05):.3f}, median {np.median(held):.3f}, "
          f".94 or more {np.mean(held >= 0.94):.3f}")  # fmt: skip
    print(f"truth below the interval {too_high.mean():.4f}, above it {too_low.mean():.4f}; for areas of .95 and more "
          f"{too_high[near].mean():.4f}, {too_low[near].mean():.4f}")  # fmt: skip
    for at in np.argsort(held)[:worst]:
        print(f"  {held[at]:.3f} {rows[at][0]}: {too_high[at]:.3f} below, {too_low[at]:.3f} above")


# -- two areas of the same cases ---------------------------------------------------------------------


@dataclass(frozen=True)
class Design:
    """Two scores of the same cases that share a normal factor."""

    shapes: tuple[str, str]
    areas: tuple[float, float]
    correlation: float
    sizes: tuple[int, int]

    @property
    def like(self) -> bool:
        """Whether both scores have the same shape."""
        return self.shapes[0] == self.shapes[1]

    def draw(self, rng: np.random.Generator) -> Cases | None:
        """One sample."""
        made = [solved(shape, area) for shape, area in zip(self.shapes, self.areas, strict=True)]
        columns: list[list[np.ndarray]] = [[], []]
        for of_class, size in enumerate(self.sizes):
            common, own = rng.standard_normal(size), rng.standard_normal((2, size))
            for at, quantiles in enumerate(made):
                if quantiles is None:
                    return None
                latent = np.sqrt(self.correlation) * common + np.sqrt(1 - self.correlation) * own[at]
                columns[at].append(quantiles[of_class](np.clip(ndtr(latent), 1e-15, 1 - 1e-15)))
        label = np.repeat([True, False], self.sizes)
        return rl.read_cases(label, {name: np.concatenate(one) for name, one in zip("ab", columns, strict=True)})


def designs(areas: tuple[tuple[float, float], ...], *, other: bool) -> Iterator[Design]:
    pairs, sizes = (OTHER_PAIRS, OTHER_SIZES) if other else (PAIRS, SIZES)
    for shapes, both, correlation, size in itertools.product(pairs, areas, CORRELATIONS, sizes):
        yield Design(shapes, both, correlation, size)


TESTS = ("score", "t", "normal")


def run_two(samples: int, seed: int, worst: int, *, other: bool) -> None:
    """Size, power and coverage of the tests of two areas."""
    area, weights = area_of_method("empirical"), np.array([1.0, -1.0])
    for title, areas in (("equal areas", EQUAL), ("unequal areas", UNEQUAL)):
        kept, rejected, held = [], [], []
        for at, design in enumerate(designs(areas, other=other)):
            rng = np.random.default_rng([seed, at])
            found = np.zeros((samples, 3, 2), dtype=bool)
            truth = design.areas[0] - design.areas[1]
            for row in found:
                cases = design.draw(rng)
                if cases is None:
                    break
                covariance = covariance_of_cases(cases, area)
                for test, cell in zip(TESTS, row, strict=True):
                    one = contrast_of(covariance, weights, names=("a", "b"), level=0.95, test=test)
                    cell[:] = one.p_value < 0.05, one.interval.low <= truth <= one.interval.high
            else:
                kept.append(design)
                rejected.append(found[:, :, 0].mean(axis=0))
                held.append(found[:, :, 1].mean(axis=0))
        told(title, kept, np.array(rejected), np.array(held), samples, worst)


def told(title: str, kept: list[Design], rejected: np.ndarray, held: np.ndarray, samples: int, worst: int) -> None:
    print(f"\n{len(kept)} designs of {samples} samples, {title}: rejected at 5% and 95% intervals of the difference")
    balanced = np.array([one.sizes[0] == one.sizes[1] for one in kept])
    like = np.array([one.like for one in kept])
    allowed = np.maximum(0.075, rejected[:, 1] + 0.01)
    for at, test in enumerate(TESTS):
        one, inside = rejected[:, at], held[:, at]
        print(
            f"| {test} | mean {one.mean():.3f} | balanced {one[balanced].mean():.3f} "
            f"| like shapes {one[like].mean():.3f} "
            f"| smallest {one.min():.3f} | median {np.median(one):.3f} | largest {one.max():.3f} "
            f"| above .06 {np.mean(one > 0.06):.3f} | above .075 {np.mean(one > 0.075):.3f} "
            f"| above .075 and t + .01: {np.sum(one > allowed)} "
            f"| coverage {inside.min():.3f} / {np.quantile(inside, 0.05):.3f} / {np.median(inside):.3f} |"
        )
    for at in np.argsort(-rejected[:, 0])[:worst]:
        print(f"  {np.round(rejected[at], 3)} {kept[at]}")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("grid", nargs="*", default=["one", "two"], choices=["one", "two"])
    options.add_argument("--samples", type=int, default=1000, help="samples of every cell")
    options.add_argument("--other", action="store_true", help="two areas: shapes and sizes of the second grid")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--worst", type=int, default=10, help="how many of the worst cells to list")
    chosen = options.parse_args()
    if "one" in chosen.grid:
        run_one(chosen.samples, chosen.seed, chosen.worst)
    if "two" in chosen.grid:
        run_two(chosen.samples, chosen.seed, chosen.worst, other=chosen.other)


if __name__ == "__main__":
    main()
