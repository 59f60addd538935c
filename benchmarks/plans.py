"""Does a study of the planned size have the planned power? Pilots, plans, and the test that will be used.

A pilot is taken for the population: cases are drawn from it with replacement, as many as its plan asks for, and tested
as `rl.auc` and `rl.compare` test by default. Beside it stands the plan by the pilot's variance alone.

    python benchmarks/plans.py [--samples 1000] [--power 0.9]

Seeded; two minutes on one core.
"""

from __future__ import annotations

import argparse
import math

import numpy as np
from scipy.special import ndtri

import roclab as rl
from roclab.areas.empirical import auc
from roclab.data.tally import Tally
from roclab.inference.one_area.delong import delong_parts
from roclab.inference.one_area.score import score_test
from roclab.inference.planning.solving import Study

Z = float(ndtri(0.975))
PILOTS = ((0.65, 1.0), (0.75, 1.0), (0.85, 1.0), (0.92, 1.0), (0.8, 2.0), (0.8, 0.5))


def deviate(pos: np.ndarray, neg: np.ndarray, null: float) -> float:
    """Of the score test."""
    tally = Tally.from_samples(pos, neg)
    area = auc(tally)
    return score_test(delong_parts(tally, area).score_variance(area), null=null)


def rejected(pos: np.ndarray, neg: np.ndarray, sizes: tuple[int, int], null: float, count: int) -> float:
    """Share of samples of a pilot that the score test rejects at 5%."""
    rng = np.random.default_rng(sizes)
    tests = (deviate(rng.choice(pos, sizes[0]), rng.choice(neg, sizes[1]), null) for _ in range(count))
    return sum(abs(one) > Z for one in tests) / count


def by_one_variance(pos: np.ndarray, neg: np.ndarray, null: float, power: float, ratio: float) -> tuple[int, int]:
    """The sizes that the pilot's variance under both hypotheses would ask for."""
    tally = Tally.from_samples(pos, neg)
    area = auc(tally)
    parts = delong_parts(tally, area)
    spread = parts.pos * pos.size + parts.neg * neg.size / ratio
    n = Study(lambda _: spread, lambda _: spread, abs(area - null)).positives(power, Z)
    return math.ceil(n), math.ceil(n * ratio)


def main() -> None:
    """One row per pilot, null area and ratio."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--power", type=float, default=0.9)
    asked = parser.parse_args()
    print(f"{'pilot':>22}  null  ratio  {'both variances':>16}  power  {'one variance':>14}  power")
    for area, ratio_of_spreads in PILOTS:
        rng = np.random.default_rng([round(100 * area), round(10 * ratio_of_spreads)])
        shift = math.hypot(1, ratio_of_spreads) * float(ndtri(area))
        pos, neg = shift + ratio_of_spreads * rng.normal(size=150), rng.normal(size=150)
        label, score = np.repeat([1, 0], 150), np.concatenate([pos, neg])
        for null in (0.5, 0.7):
            if abs(auc(Tally.from_samples(pos, neg)) - null) < 0.04:
                continue
            for ratio in (1.0, 3.0):
                plan = rl.planning.plan_from_pilot(label, score, null=null, power=asked.power, ratio=ratio)
                both = plan.cases_pos, plan.cases_neg
                one = by_one_variance(pos, neg, null, asked.power, ratio)
                powers = [rejected(pos, neg, sizes, null, asked.samples) for sizes in (both, one)]
                print(
                    f"{f'{plan.area:.3f}, spread {ratio_of_spreads:g}':>22}  {null:4.2f}  {ratio:5.1f}  "
                    f"{f'{both[0]} + {both[1]}':>16}  {powers[0]:.3f}  {f'{one[0]} + {one[1]}':>14}  {powers[1]:.3f}"
                )
    two_scores(asked.samples // 4, asked.power)


def two_scores(count: int, power: float) -> None:
    """Two scores on the same cases, by the default comparison."""
    for areas, shared in (((0.75, 0.85), 0.5), ((0.8, 0.92), 0.7)):
        rng = np.random.default_rng([round(100 * one) for one in areas])
        label = np.repeat([1, 0], 150)
        common = rng.normal(size=300)
        score = [
            label * math.sqrt(2) * float(ndtri(one)) + shared**0.5 * common + (1 - shared) ** 0.5 * rng.normal(size=300)
            for one in areas
        ]
        plan = rl.planning.plan_from_pilot(label, dict(zip("ab", score, strict=True)), power=power)
        hits = 0
        for _ in range(count):
            rows = np.concatenate([rng.integers(0, 150, plan.cases_pos), rng.integers(150, 300, plan.cases_neg)])
            found = rl.compare(label[rows], {name: one[rows] for name, one in zip("ab", score, strict=True)})
            hits += found.pairs[0].p_value < 0.05
        print(f"two scores, {plan.question}: {plan.cases_pos} + {plan.cases_neg}, power {hits / count:.3f}")


if __name__ == "__main__":
    main()
