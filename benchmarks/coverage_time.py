"""How often limits at a horizon hold the true area, and how often equal scores are called different, by simulation.

``python benchmarks/coverage_time.py`` prints the tables of docs/coverage.md in some minutes; ``--full`` takes four
times as many samples, ``--only independent dependent size`` some of the parts.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

import roclab as rl
from roclab.errors import InputError

SEED = 20261119
AT = 1.0
CASES, OTHERS = 0.3, 0.2  # have the event, or another one, by the horizon
INTERVALS = {"Wald": "plain", "logit": "logit", "score": "score"}
BIG = 200_000  # draws from which the rate of the losses is found
SLOPE = 0.8  # of the log hazard of a loss on the score, where it depends on it


def shift_of(area: float, controls: str) -> float:
    """How far the scores of cases lie above those of the event-free; of those with another event a third as far."""
    if controls == "event-free":
        return float(np.sqrt(2) * ndtri(area))

    def apart(shift: float) -> float:
        free = 1 - CASES - OTHERS
        return (OTHERS * ndtr(shift * 2 / 3 / np.sqrt(2)) + free * ndtr(shift / np.sqrt(2))) / (1 - CASES) - area

    return float(brentq(apart, 0, 8))


def draw(rng: np.random.Generator, n: int, shift: float, rate: float, *, competing: bool, slope: float) -> Any:
    """Times, events and scores: binormal at the horizon, events spread evenly before it, exponential losses."""
    u = rng.random(n)
    case = u < CASES
    other = competing & ~case & (u < CASES + OTHERS)
    score = rng.normal(size=n) + np.where(case, shift, np.where(other, shift / 3, 0.0))
    ends = np.where(case | other, rng.random(n) * AT, AT * (1 + rng.exponential(size=n)))
    lost = rng.exponential(size=n) / (rate * np.exp(slope * score))
    event = np.where(lost < ends, 0, np.where(other, 2, 1))
    return np.minimum(ends, lost), event, score


def rate_of(unknown: float, shift: float, *, competing: bool, slope: float) -> float:
    """The rate of the losses with which a share is unknown at the horizon."""
    rng = np.random.default_rng(SEED)
    ends, _, score = draw(rng, BIG, shift, 1e-12, competing=competing, slope=0)
    until = np.minimum(ends, AT) * np.exp(slope * score)
    return float(brentq(lambda rate: np.mean(1 - np.exp(-rate * until)) - unknown, 1e-3, 200))


def independent_cells() -> Iterator[tuple[str, float, float, int, str, bool]]:
    """The 26 cells: area, share unknown, cases, who is a control, other events."""
    for area in (0.75, 0.9):
        for unknown in (0.2, 0.4, 0.6):
            for n in (100, 200, 500):
                yield f"{area:g}, {100 * unknown:g}% unknown", area, unknown, n, "event-free", False
    for area in (0.75, 0.9):
        for controls in ("not a case", "event-free"):
            for n in (100, 200):
                yield f"{area:g}, 40%, other events, {controls}", area, 0.4, n, controls, True


def held(
    samples: int, seed: int, n: int, area: float, unknown: float, controls: str, *, competing: bool = False,
    slope: float = 0.0, cox: bool = False,
) -> tuple[dict[str, float], float, float, int]:  # fmt: skip
    """Shares of limits that hold the area, the mean error of the estimate, the share warned, and samples refused."""
    shift = shift_of(area, controls)
    rate = rate_of(unknown, shift, competing=competing, slope=slope)
    rng = np.random.default_rng([SEED, seed])
    kept = dict.fromkeys(INTERVALS, 0)
    away, warned, refused = 0.0, 0, 0
    for _ in range(samples):
        time, event, score = draw(rng, n, shift, rate, competing=competing, slope=slope)
        given: dict[str, Any] = {"time": time, "event": event, "at": AT, "controls": controls}
        given |= {"competing": 2} if competing else {}
        given |= {"censoring": {"cox": {"score": score}}} if cox else {}
        try:
            found = {name: rl.auc({"score": score}, **given, interval=one) for name, one in INTERVALS.items()}
        except InputError:  # nobody is left
            refused += 1
            continue
        for name, one in found.items():
            kept[name] += one.interval.low <= area <= one.interval.high
        away += found["score"].area - area
        warned += any(note.startswith("Censoring depends") for note in found["score"].notes)
    many = samples - refused
    return {name: count / many for name, count in kept.items()}, away / many, warned / many, refused


def independent(samples: int) -> None:
    """The 26 cells where losses depend on nothing."""
    rows: dict[str, dict[int, tuple[dict[str, float], float]]] = {}
    left = 0
    for at, (name, area, unknown, n, controls, competing) in enumerate(independent_cells()):
        kept, _, warned, refused = held(samples, at, n, area, unknown, controls, competing=competing)
        rows.setdefault(name, {})[n] = (kept, warned)
        left += refused
    print(f"\n### Losses that depend on nothing: 26 cells, {samples} samples each\n")
    print(f"| area, n = 100 / 200 / 500 | {' | '.join(INTERVALS)} | warned |\n|---|" + "---|" * (len(INTERVALS) + 1))
    for name, found in rows.items():
        shown = [" ".join(f"{one[0][interval]:.3f}" for one in found.values()) for interval in INTERVALS]
        print(f"| {name} | {' | '.join(shown)} | {' '.join(f'{one[1]:.3f}' for one in found.values())} |")
    every = {name: [one[0][name] for found in rows.values() for one in found.values()] for name in INTERVALS}
    ends = [f"{name} {min(values):.3f} to {max(values):.3f}" for name, values in every.items()]
    print(f"\nSmallest and largest: {', '.join(ends)}." + (f" {left} samples had nobody left." if left else ""))


def dependent(samples: int) -> None:
    """Losses whose hazard rises with the score: marginal weights and those of Cox's model, 500 cases."""
    print(f"\n### Losses with hazards as exp(.8 score): 500 cases, {samples} samples each\n")
    print(f"| weights, area, unknown | bias | {' | '.join(INTERVALS)} | warned |")
    print("|---|---|" + "---|" * (len(INTERVALS) + 1))
    seed = 100
    for words, cox in (("marginal", False), ("Cox", True)):
        for area in (0.75, 0.9):
            for unknown in (0.2, 0.4, 0.6):
                seed += 1
                kept, away, warned, _ = held(samples, seed, 500, area, unknown, "event-free", slope=SLOPE, cox=cox)
                shown = " | ".join(f"{value:.3f}" for value in kept.values())
                print(f"| {words}, {area:g}, {100 * unknown:g}% | {away:+.3f} | {shown} | "
                      f"{'–' if cox else f'{warned:.3f}'} |")  # fmt: skip


def size(samples: int) -> None:
    """Two scores that are equally good: how often tests at 5% say they differ."""
    horizons = [0.15, 0.3, 0.5]
    print(f"\n### Two equally good scores, rejected at 5%: {samples} samples each\n")
    print("| cases | one horizon | three together | largest of three | difference changes | Uno's concordance |")
    print("|---|---|---|---|---|---|")
    for competing in (False, True):
        for n in (100, 200, 500):
            rng = np.random.default_rng([SEED, 200 + competing, n])
            rejected = np.zeros(5)
            for _ in range(samples):
                time, event, scores = _exchangeable(rng, n, competing=competing)
                given: dict[str, Any] = {"time": time, "event": event, **({"competing": 2} if competing else {})}
                found = rl.compare(scores, **given, at=horizons)
                (uno,) = rl.concordance(scores, **given, tau=horizons[-1]).pairs
                tests = (found.joint[0], found.largest[0], found.changing[0], uno)
                values = [found[horizons[-1]].pairs[0].p_value, *(one.p_value for one in tests)]
                rejected += np.array(values) < 0.05
            shown = " | ".join(f"{value:.3f}" for value in rejected / samples)
            print(f"| {n}{', other events' if competing else ''} | {shown} |")


def _exchangeable(rng: np.random.Generator, n: int, *, competing: bool) -> Any:
    common = rng.normal(size=n)
    scores = {name: common + rng.normal(size=n) for name in ("a", "b")}
    ends = rng.exponential(size=n) * np.exp(-0.5 * (scores["a"] + scores["b"]) / 2)
    other = rng.exponential(scale=2, size=n) if competing else np.full(n, np.inf)
    lost = rng.exponential(scale=1.35, size=n)  # about 27 % unknown at the last horizon
    time = np.minimum(np.minimum(ends, other), lost)
    return time, np.where(time == ends, 1, np.where(time == other, 2, 0)), scores


PARTS: dict[str, Callable[[int], None]] = {"independent": independent, "dependent": dependent, "size": size}


def main() -> None:
    """Print the tables that were asked for."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--full", action="store_true", help="four times as many samples")
    asked.add_argument("--samples", type=int, default=2000, help="samples of a cell (default 2000)")
    asked.add_argument("--only", nargs="+", default=list(PARTS), choices=list(PARTS), metavar="PART")
    given = asked.parse_args()
    warnings.simplefilter("ignore")
    for name in given.only:
        PARTS[name](given.samples * (4 if given.full else 1))


if __name__ == "__main__":
    main()
