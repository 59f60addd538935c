"""What a chosen cut-off is worth in new cases, and four ways to say so from the cases that chose it.

``python benchmarks/left_out.py`` prints the table of docs/coverage.md in two minutes on one core: Youden's cut-off of
20 binormal designs, 150 samples each.
"""

from __future__ import annotations

import argparse
import math

import numpy as np
from scipy.stats import norm

SIZES = ((15, 15), (30, 30), (20, 60), (60, 60), (100, 100))
SHAPES = ((0.65, 1.0), (0.8, 1.0), (0.9, 1.0), (0.8, 2.0))  # area, spread of the positives
SEED, BAGS, FOLDS, TIMES = 1, 100, 10, 5
WAYS = (
    "the cases that chose it",
    "leaving out one case at a time",
    "ten-fold cross-validation, five times",
    "out of bag",
)


def chosen(pos: np.ndarray, neg: np.ndarray) -> tuple[float, float]:
    """Youden's cut-off, of equals that with the fewest false positives, and its index; both samples ascend."""
    scores = np.unique(np.concatenate([pos, neg]))
    tp, fp = (one.size - np.searchsorted(one, scores) for one in (pos, neg))
    index = tp / pos.size - fp / neg.size
    at = int(np.flatnonzero(index >= index.max() - 1e-12)[-1])
    return float(scores[at]), float(index[at])


def one_out(pos: np.ndarray, neg: np.ndarray) -> float:
    hit = np.mean([pos[at] >= chosen(np.delete(pos, at), neg)[0] for at in range(pos.size)])
    clear = np.mean([neg[at] < chosen(pos, np.delete(neg, at))[0] for at in range(neg.size)])
    return float(hit + clear - 1)


def folds(pos: np.ndarray, neg: np.ndarray, rng: np.random.Generator) -> float:
    found = []
    for _ in range(TIMES):
        own, other = rng.permutation(pos.size) % FOLDS, rng.permutation(neg.size) % FOLDS
        hit = clear = 0
        for fold in range(min(FOLDS, pos.size, neg.size)):
            cut = chosen(pos[own != fold], neg[other != fold])[0]
            hit += int((pos[own == fold] >= cut).sum())
            clear += int((neg[other == fold] < cut).sum())
        found.append(hit / pos.size + clear / neg.size - 1)
    return float(np.mean(found))


def out_of_bag(pos: np.ndarray, neg: np.ndarray, rng: np.random.Generator) -> float:
    found = []
    for _ in range(BAGS):
        own, other = (rng.integers(0, one.size, one.size) for one in (pos, neg))
        cut = chosen(np.sort(pos[own]), np.sort(neg[other]))[0]
        left = [one[np.setdiff1d(np.arange(one.size), drawn)] for one, drawn in ((pos, own), (neg, other))]
        if left[0].size and left[1].size:
            found.append((left[0] >= cut).mean() - (left[1] >= cut).mean())
    return float(np.mean(found))


def main() -> None:
    """Print the table."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--samples", type=int, default=150)
    samples = asked.parse_args().samples
    rng = np.random.default_rng(SEED)
    bias, square = [], []
    for n_pos, n_neg in SIZES:
        for area, spread in SHAPES:
            shift = float(norm.ppf(area)) * math.sqrt(1 + spread * spread)
            errors = []
            for _ in range(samples):
                pos, neg = np.sort(shift + spread * rng.normal(size=n_pos)), np.sort(rng.normal(size=n_neg))
                cut, apparent = chosen(pos, neg)
                true = float(norm.sf((cut - shift) / spread) - norm.sf(cut))
                said = (apparent, one_out(pos, neg), folds(pos, neg, rng), out_of_bag(pos, neg, rng))
                errors.append([one - true for one in said])
            bias.append(np.mean(errors, axis=0))
            square.append(np.mean(np.square(errors), axis=0))
    print("| judged by | mean bias | mean of absolute biases | root mean square error |\n|---|---|---|---|")
    for at, way in enumerate(WAYS):
        own = np.array(bias)[:, at]
        print(
            f"| {way} | {own.mean():+.3f} | {np.abs(own).mean():.3f} | {np.mean(np.array(square)[:, at]) ** 0.5:.3f} |"
        )


if __name__ == "__main__":
    main()
