"""Do 95% bands of the curve hold it, with and without their binomial floor?

Binormal scores; "separated" samples come from a population whose classes do not overlap. For the simultaneous band the
share of samples whose whole curve lies inside; for the pointwise band the same at each of several rates. Joining a band
that has its floor already with the floor once more changes nothing.

    python benchmarks/coverage_bands.py [--samples 500]

Seeded; about seven minutes on one core with the default number of samples.
"""

from __future__ import annotations

import argparse
import math

import numpy as np
from scipy.special import ndtr, ndtri

from roclab.curves.roc import roc_curve
from roclab.data.tally import Tally
from roclab.inference.one_curve.band_floor import binomial_floor
from roclab.inference.one_curve.bands import roc_band
from roclab.options.uncertainty import Resampling

GRID = np.linspace(0, 1, 101)
RATES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8)
AT = [round(100 * rate) for rate in RATES]
SIZES = ((15, 15), (20, 20), (50, 50), (20, 200), (50, 500))
DESIGNS = ((0.8, 1.0), (0.9, 1.0), (0.97, 1.0), (0.97, 0.5), (0.97, 2.0), (1.0, 1.0))  # area, ratio of spreads
FEW = Resampling(replicates=500)


def bands(tally: Tally, kind: str, rng: np.random.Generator) -> list[tuple[np.ndarray, np.ndarray]]:
    """Limits without and with the floor."""
    band = roc_band(tally, kind=kind, resampling=FEW, rng=rng)
    low, high = binomial_floor(
        roc_curve(tally),
        GRID,
        n_pos=tally.n_pos,
        n_neg=tally.n_neg,
        level=0.95,
        whole=kind == "simultaneous",
    )
    return [(band.low, band.high), (np.minimum(band.low, low), np.maximum(band.high, high))]


def cell(area: float, ratio: float, sizes: tuple[int, int], count: int) -> dict[str, list[np.ndarray]]:
    """Per kind and with or without floor: coverage of the whole curve or of each rate, and the mean width."""
    rng = np.random.default_rng([round(1000 * area), round(10 * ratio), *sizes])
    if area == 1:
        shift, truth = 100.0, np.ones(GRID.size)
        truth[0] = 0.0
    else:
        shift = math.hypot(1, ratio) * float(ndtri(area))
        truth = np.concatenate([[0.0], ndtr((shift + ndtri(GRID[1:-1])) / ratio), [1.0]])
    held = {kind: [np.zeros(GRID.size + 2) for _ in range(2)] for kind in ("simultaneous", "pointwise")}
    for _ in range(count):
        tally = Tally.from_samples(rng.normal(shift, ratio, sizes[0]), rng.normal(0, 1, sizes[1]))
        for kind, sums in held.items():
            for total, (low, high) in zip(sums, bands(tally, kind, rng), strict=True):
                inside = (low <= truth + 1e-12) & (truth <= high + 1e-12)
                total += [*inside, inside.all(), np.mean(high - low)]
    return {kind: [total / count for total in sums] for kind, sums in held.items()}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--samples", type=int, default=500, help="samples of every cell")
    chosen = options.parse_args()
    shown = " | ".join(f"{rate:g}" for rate in RATES)
    print(f"| area | ratio | sizes | floor | whole curve | mean width | pointwise at {shown} | mean width |")
    print("|---" * (len(RATES) + 7) + "|")
    for area, ratio in DESIGNS:
        for sizes in SIZES:
            found = cell(area, ratio, sizes, chosen.samples)
            for at, floor in enumerate(("without", "with")):
                whole, each = found["simultaneous"][at], found["pointwise"][at]
                print(
                    f"| {area:g} | {ratio:g} | {sizes[0]}+{sizes[1]} | {floor} | {whole[-2]:.3f} | {whole[-1]:.3f} | "
                    + " | ".join(f"{value:.3f}" for value in each[AT])
                    + f" | {each[-1]:.3f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
