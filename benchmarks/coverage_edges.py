"""Do the default intervals of average precision, partial areas and tAUC hold 95% where few cases carry them?

Eight shapes (equal and unequal spreads, skewed, heavy-tailed, 5% gross false negatives, a detection limit, seven
categories), areas of .75 and .9, five sizes: 80 designs. The true area is that of 20,000 quantiles a class, at the
prevalence of the samples.

    python benchmarks/coverage_edges.py [--samples 1000] [--worst 3]

Seeded; about three minutes on one core with the default number of samples.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtri
from scipy.stats import gamma, laplace

from roclab.data.tally import Tally
from roclab.inference.one_area.area import area_of_method, area_of_region
from roclab.inference.one_area.estimate import estimate_area

Quantiles = Callable[[np.ndarray], np.ndarray]
SIZES = ((15, 15), (40, 40), (150, 150), (25, 200), (200, 25))
NODES = (np.arange(20_000) + 0.5) / 20_000
LIMIT = float(ndtri(0.7))
AREAS = {
    "average precision": area_of_method("average_precision"),
    "partial area, TPR .9 to 1": area_of_region(tpr=(0.9, 1)),
    "partial area, FPR 0 to .1": area_of_region(fpr=(0, 0.1)),
    "tAUC": area_of_method("tauc"),
}


def _false_negatives(shift: float) -> Quantiles:
    return lambda u: np.where(u < 0.05, -9.0, shift + ndtri(np.clip((u - 0.05) / 0.95, 1e-12, 1)))


def _rated(shift: float) -> Quantiles:
    return lambda u: np.clip(np.round(2 * (shift + ndtri(u))), -2, 4)


# Quantiles of the positives for a shift (of gamma a factor), those of the negatives, and where to look for the shift.
SHAPES: dict[str, tuple[Callable[[float], Quantiles], Quantiles, tuple[float, float]]] = {
    "normal": (lambda d: lambda u: d + ndtri(u), ndtri, (0, 8)),
    "positives spread 2.5": (lambda d: lambda u: d + 2.5 * ndtri(u), ndtri, (0, 12)),
    "positives spread .4": (lambda d: lambda u: d + 0.4 * ndtri(u), ndtri, (0, 8)),
    "gamma 3": (lambda d: lambda u: d * gamma.ppf(u, 3), lambda u: gamma.ppf(u, 3), (1, 40)),
    "Laplace": (lambda d: lambda u: d + laplace.ppf(u), laplace.ppf, (0, 20)),
    "5% gross false negatives": (_false_negatives, ndtri, (0, 9)),
    "detection limit": (
        lambda d: lambda u: np.maximum(d + ndtri(u), LIMIT), lambda u: np.maximum(ndtri(u), LIMIT), (-1, 9),
    ),
    "seven categories": (_rated, _rated(0.0), (0, 4)),
}  # fmt: skip


def solved(shape: str, area: float) -> tuple[Quantiles, Quantiles]:
    """Both quantile functions, with the shift that gives the area."""
    positives, negatives, (low, high) = SHAPES[shape]
    below = np.sort(negatives(NODES))

    def excess(shift: float) -> float:
        at = positives(shift)(NODES)
        wins = np.searchsorted(below, at, "left") + np.searchsorted(below, at, "right")
        return float(np.mean(wins)) / (2 * below.size) - area

    return positives(brentq(excess, low, high, xtol=1e-4)), negatives


def whole(pos: np.ndarray, neg: np.ndarray, sizes: tuple[int, int]) -> Tally:
    """The population at the prevalence of the samples."""
    score = np.concatenate([pos, neg])
    label = np.repeat([True, False], [pos.size, neg.size])
    weight = np.repeat([sizes[0], sizes[1]], [pos.size, neg.size]).astype(np.float64)
    return Tally.from_labels(label, score, weight=weight)


def main() -> None:
    """Print the smallest, the 5% quantile and the median of the shares, and the worst designs."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--worst", type=int, default=3)
    asked = parser.parse_args()
    held: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for seed, (shape, area) in enumerate((shape, area) for shape in SHAPES for area in (0.75, 0.9)):
        pos, neg = solved(shape, area)
        for sizes in SIZES:
            rng = np.random.default_rng([seed, *sizes])
            truth = {name: one.estimate(whole(pos(NODES), neg(NODES), sizes)) for name, one in AREAS.items()}
            hits = dict.fromkeys(AREAS, 0)
            for _ in range(asked.samples):
                tally = Tally.from_samples(pos(rng.random(sizes[0])), neg(rng.random(sizes[1])))
                for name, one in AREAS.items():
                    low, high = estimate_area(tally, one).interval
                    hits[name] += low - 1e-12 <= truth[name] <= high + 1e-12
            for name, hit in hits.items():
                held[name].append((hit / asked.samples, f"{shape}, {area}, {sizes[0]} + {sizes[1]}"))
    print("| interval | smallest | 5% | median | largest |\n|---|---|---|---|---|")
    for name, cells in held.items():
        share = np.array([one for one, _ in cells])
        quantiles = (share.min(), np.quantile(share, 0.05), np.median(share), share.max())
        print(f"| {name} | " + " | ".join(f"{one:.3f}" for one in quantiles) + " |")
        for one, where in sorted(cells)[: asked.worst]:
            print(f"    {one:.3f} {where}")


if __name__ == "__main__":
    main()
