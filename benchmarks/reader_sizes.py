"""Cases that simulated reader studies needed for a power of 0.8, published, beside the plan: why they differ.

Chakraborty DP. Prediction accuracy of a sample-size estimation method for ROC studies. Acad Radiol 2010;17:628-638,
table 2: ten readers, areas .855 and .915, 2000 studies per point, fitted areas.

python benchmarks/reader_sizes.py [--samples 4000]
"""

from __future__ import annotations

import argparse
import math
from typing import Any

import numpy as np
from scipy.special import fdtri, ncfdtr, ndtr, ndtri, stdtr

from roclab.names import RandomEffects
from roclab.reading_studies.components import VarianceComponents
from roclab.reading_studies.roe_metz import TYPICAL, components_of_model, simulate_ratings
from roclab.reading_studies.sizing import plan_of_components, power_of

READERS, AREAS, STUDIES = 10, (0.855, 0.915), 2000
DIFFERENCE = AREAS[1] - AREAS[0]
PUBLISHED: dict[tuple[Any, RandomEffects], int] = {
    ("low_reader_high_case", "both"): 162, ("low_reader_high_case", "cases"): 149,
    ("low_reader_high_case", "readers"): 41, ("high_reader_low_case", "both"): 190,
    ("high_reader_low_case", "cases"): 69, ("high_reader_low_case", "readers"): 138,
}  # fmt: skip


def drawn_anew(parts: VarianceComponents, random: RandomEffects, cases: float) -> float:
    """Power of each test when readers and cases are both drawn anew in every study, as a simulator draws them.

    The denominator of F is that of the test, the spread of the difference that of new readers and new cases.
    """
    if random == "both":
        return power_of(parts, difference=DIFFERENCE, readers=READERS, cases=cases)[0]
    scale, apart = (parts.n_pos + parts.n_neg) / cases, parts.cov2 - parts.cov3
    own = parts.modality_reader + scale * (parts.error - parts.cov1 - apart)
    whole = own + scale * READERS * apart
    centre = READERS * DIFFERENCE**2 / 2
    if random == "readers":
        edge = float(fdtri(1, READERS - 1, 0.95)) * own / whole
        return float(1 - ncfdtr(1, READERS - 1, centre / whole, edge))
    edge = float(ndtri(0.975)) * math.sqrt(whole - parts.modality_reader)
    shift = math.sqrt(centre)
    return float(ndtr((shift - edge) / math.sqrt(whole)) + ndtr((-shift - edge) / math.sqrt(whole)))


def fitted_power(name: Any, random: RandomEffects, cases: int, count: int) -> float:
    """Share of simulated studies that reject, with areas (and jackknife) of normal distributions fitted to ratings."""
    model, n_pos = TYPICAL[name], cases // 2
    shifts = np.array([model.shift(one) for one in AREAS])
    rng = np.random.default_rng([cases, 5])
    hits = 0
    for _ in range(count):
        ratings = simulate_ratings(model, shifts, readers=READERS, n_pos=n_pos, n_neg=cases - n_pos, generator=rng)
        pos, neg = ratings[..., :n_pos], ratings[..., n_pos:]
        apart = np.subtract(*_area(*_whole(pos), *_whole(neg))[..., 0])
        left = [_area(*_left_out(pos), *_whole(neg)), _area(*_whole(pos), *_left_out(neg))]
        influence = np.subtract(*np.concatenate(left, axis=2))
        influence -= influence.mean(axis=1, keepdims=True)
        matrix = influence @ influence.T * (cases - 1) / cases
        shared = (matrix.sum() - np.trace(matrix)) / (READERS * (READERS - 1))
        own, df = apart.var(ddof=1) / READERS, READERS - 1.0
        variance = own
        if random == "cases":
            variance, df = matrix.sum() / READERS**2, 1e9
        elif random == "both":
            variance = own + max(shared, 0.0)
            df *= (variance / own) ** 2
        hits += 2 * stdtr(df, -abs(apart.mean()) / math.sqrt(variance)) < 0.05
    return hits / count


def _whole(ratings: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return ratings.mean(axis=2, keepdims=True), ratings.var(axis=2, ddof=1, keepdims=True)


def _left_out(ratings: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and variance without each case."""
    n = ratings.shape[2]
    mean = (ratings.sum(axis=2, keepdims=True) - ratings) / (n - 1)
    squares = (ratings**2).sum(axis=2, keepdims=True) - ratings**2
    return mean, (squares - (n - 1) * mean**2) / (n - 2)


def _area(mean_pos: np.ndarray, var_pos: np.ndarray, mean_neg: np.ndarray, var_neg: np.ndarray) -> np.ndarray:
    return np.asarray(ndtr((mean_pos - mean_neg) / np.sqrt(var_pos + var_neg)))


def main(count: int) -> str:
    """The table of docs/guide/readers.md."""
    lines = [
        "| variances | random | published | plan | all drawn anew | their error | power at theirs, fitted |",
        "|---|---|---|---|---|---|---|",
    ]
    for (name, random), printed in PUBLISHED.items():
        parts = components_of_model(TYPICAL[name], sum(AREAS) / 2, n_pos=50, n_neg=50)
        plan = plan_of_components(
            parts, difference=DIFFERENCE, readers=[READERS], cases=[100], random=random, source="model"
        ).smallest[0]  # fmt: skip
        anew = next(cases for cases in range(8, 1000) if drawn_anew(parts, random, cases) >= 0.8)
        slope = (drawn_anew(parts, random, 1.05 * anew) - drawn_anew(parts, random, 0.95 * anew)) / (0.1 * anew)
        error = math.sqrt(0.16 / STUDIES) / slope
        power = fitted_power(name, random, printed, count)
        lines.append(
            f"| {name.replace('_', ' ')} | {random} | {printed} | {plan.cases} | {anew} | {error:.0f} | {power:.2f} |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=4000)
    print(main(parser.parse_args().samples))
