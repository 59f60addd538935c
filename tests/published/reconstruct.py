"""Cases that give the published results of data sets whose licence does not let them stand here.

The steps of an empirical ROC curve (``data/curves.json``, counted from the data) fix all that concerns one score: area,
DeLong's variance, partial areas, cut-offs. Comparing two scores needs to know which of their values belong to the same
case; of that only the covariances of the areas are published. So the values of each score are dealt to the cases at
random, and exchanged within a class until the published covariances come out. Scores get values on a scale that goes
through the cut-offs that other tools print, and through the quartiles of the data. No case of the result is a patient,
and what is published of areas, their covariances and cut-offs can be computed from it:

    python -m tests.published.reconstruct
"""

from __future__ import annotations

import csv
import json
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np

DATA = Path(__file__).parent / "data"

# Covariances of the areas and how far they may be off: pROC 1.18 prints ten digits; of the pancreas data Z = 2.7221 is
# printed, and the variances that follow from the curves leave the covariance (V1 + V2 - (A1 - A2)^2 / Z^2) / 2.
COVARIANCES = {
    "asah": {
        ("s100b", "wfns"): (0.001196155674, 5e-13),
        ("s100b", "ndka"): (-0.0007561649381, 5e-14),
        ("wfns", "ndka"): (-0.0005329678568, 5e-14),
    },
    "pancreas": {("ca199", "ca125"): (-7.537e-5, 3e-8)},
}

# Position among the distinct values, counted from the lowest, and the value there, read off the data: both ends and the
# quartiles, cut-offs that other tools print, or the two values with such a cut-off in their middle. All other values
# are made up between them. Wieand's markers keep their ranks.
SCALES = {
    "s100b": {
        0: 0.03,
        6: 0.09,
        11: 0.14,
        12: 0.15,
        13: 0.16,
        16: 0.19,
        17: 0.22,
        26: 0.33,
        28: 0.35,
        39: 0.52,
        49: 2.07,
    },
    "wfns": {0: 1, 1: 2, 2: 3, 3: 4, 4: 5},
    "ndka": {0: 3.01, 28: 9.01, 46: 11.07, 47: 11.09, 54: 12.22, 59: 12.71, 60: 12.75, 80: 17.3, 108: 419.19},
}

HEAT = 30.0  # how much worse an exchange may be and still happen

Steps = list[tuple[int, int]]


def read_steps(text: str) -> Steps:
    """Positives and negatives at each distinct score."""
    return [(int(pos), int(neg)) for pos, neg in (step.split("/") for step in text.split())]


def placements(steps: Steps, side: int) -> list[int]:
    """Twice the number of pairs that each case of one class wins (a tie is half a win), from the lowest score on."""
    out: list[int] = []
    below, above = 0, sum(step[0] for step in steps)
    for pos, neg in steps:
        above -= pos
        out += [2 * below + neg] * pos if side == 0 else [2 * above + pos] * neg
        below += neg
    return out


def split_covariance(first: Steps, second: Steps, covariance: float, tolerance: float) -> list[tuple[int, int]]:
    """The sums of products of placements, of the positives and of the negatives, that give a covariance.

    Both sums are whole numbers, so ten printed digits leave few possibilities. Those come first in which both classes
    have about the same correlation.
    """
    sides = [[placements(steps, side) for steps in (first, second)] for side in (0, 1)]
    (n_pos, n_neg) = (len(sides[0][0]), len(sides[1][0]))
    units, centres, ranges = [], [], []
    for (one, two), n, other in zip(sides, (n_pos, n_neg), (n_neg, n_pos), strict=True):
        units.append(1 / (4 * other**2 * n * (n - 1)))
        centres.append(sum(one) * sum(two) / n)
        most = sum(a * b for a, b in zip(sorted(one), sorted(two), strict=True))
        least = sum(a * b for a, b in zip(sorted(one), sorted(two, reverse=True), strict=True))
        ranges.append((least, most))
    found = []
    for of_pos in range(ranges[0][0], ranges[0][1] + 1):
        rest = (covariance - (of_pos - centres[0]) * units[0]) / units[1] + centres[1]
        of_neg = round(rest)
        if abs(rest - of_neg) * units[1] <= tolerance and ranges[1][0] <= of_neg <= ranges[1][1]:
            both = zip((of_pos, of_neg), centres, ranges, strict=True)
            shares = [(value - centre) / (high - low) for value, centre, (low, high) in both]
            found.append((abs(shares[0] - shares[1]), of_pos, of_neg))
    return [(of_pos, of_neg) for _, of_pos, of_neg in sorted(found)]


def deal(
    values: dict[str, list[int]], sums: dict[tuple[str, str], int], rng: np.random.Generator
) -> dict[str, list[int]]:
    """Orders of the placements in which the products of every two scores have the given sums.

    The first score stays as it is. Of another one two values change places, again and again: of all exchanges those
    that bring the sums closer are likely, the others not impossible, so that the search does not get stuck.
    """
    others = list(values)[1:]
    n = len(values[others[0]])
    orders = {name: rng.permutation(n) if name in others else np.arange(n) for name in values}
    columns = {name: np.array(values[name])[order] for name, order in orders.items()}
    missing = {pair: want - int(columns[pair[0]] @ columns[pair[1]]) for pair, want in sums.items()}
    while any(missing.values()):
        name = str(rng.choice(others))
        rise = np.subtract.outer(columns[name], columns[name])
        after = {}  # what every exchange would leave missing
        for pair, gap in missing.items():
            mate = columns[pair[0] if pair[1] == name else pair[1]]
            after[pair] = gap + rise * np.subtract.outer(mate, mate) if name in pair else np.full((n, n), gap)
        total = sum(np.abs(table) for table in after.values())
        weight = np.where(rise == 0, 0.0, np.exp((total.min() - total) / HEAT)).ravel()
        at = int(total.argmin() if total.min() == 0 else rng.choice(n * n, p=weight / weight.sum()))
        i, j = divmod(at, n)
        for table in (columns, orders):
            table[name][[i, j]] = table[name][[j, i]]
        missing = {pair: int(table[i, j]) for pair, table in after.items()}
    return {name: order.tolist() for name, order in orders.items()}


def scale(steps: Steps, anchors: dict[int, float]) -> list[float]:
    """A rising value for every distinct score: the anchors, and equal ratios between them."""
    if not anchors:
        return [float(at + 1) for at in range(len(steps))]
    places = sorted(anchors)
    out = [float(anchors[places[0]])]
    for low, high in pairwise(places):
        ratio = anchors[high] / anchors[low]
        out += [round(anchors[low] * ratio ** (k / (high - low)), 4) for k in range(1, high - low)] + [anchors[high]]
    return out


def reconstruct(name: str, seed: int) -> list[dict[str, float]]:
    """One row per case."""
    curves = {score: read_steps(text) for score, text in json.loads((DATA / "curves.json").read_text())[name].items()}
    rng = np.random.default_rng(seed)
    wanted = {pair: split_covariance(curves[pair[0]], curves[pair[1]], *COVARIANCES[name][pair])[0]
              for pair in combinations(curves, 2)}  # fmt: skip
    rows: list[dict[str, float]] = []
    for side in (0, 1):
        ranks = {score: [at for at, step in enumerate(steps) for _ in range(step[side])]
                 for score, steps in curves.items()}  # fmt: skip
        orders = deal(
            {score: placements(steps, side) for score, steps in curves.items()},
            {pair: both[side] for pair, both in wanted.items()},
            rng,
        )
        values = {score: scale(steps, SCALES.get(score, {})) for score, steps in curves.items()}
        for case in range(len(orders[next(iter(orders))])):
            row = {score: values[score][ranks[score][order[case]]] for score, order in orders.items()}
            rows.append({"positive": 1 - side, **row})
    return rows


def main() -> None:
    for name, seed in (("asah", 1), ("pancreas", 1)):
        rows = reconstruct(name, seed)
        with (DATA / f"{name}_reconstructed.csv").open("w", newline="") as lines:
            table = csv.DictWriter(lines, list(rows[0]), lineterminator="\n")
            table.writeheader()
            table.writerows({name: f"{value:g}" for name, value in row.items()} for row in rows)


if __name__ == "__main__":
    main()
