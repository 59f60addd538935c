"""How often the limits of compared and promised rates hold: exact where tables can be enumerated, else simulated.

``python benchmarks/coverage_rates.py`` prints the tables of docs/coverage.md in half a minute; ``--full`` takes five
times as many samples and larger tables, ``--only paired predictive …`` some of the parts.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Iterator

import numpy as np
from scipy.special import gammaln
from scipy.stats import binom, norm

from roclab.decisions.selective import area_under_risk
from roclab.inference.one_area.intervals import deviate
from roclab.inference.rates.benefit import net_benefit_difference
from roclab.inference.rates.clustered_pairs import CLUSTERED_TESTS, clustered_tango
from roclab.inference.rates.gaps import equal_rates_test, group_gap
from roclab.inference.rates.independent import fisher_p, miettinen_nurminen_limits, miettinen_nurminen_statistic
from roclab.inference.rates.mcnemar import mcnemar_p
from roclab.inference.rates.paired import PairedCounts, tang_limits, tango_limits
from roclab.inference.rates.paired_others import paired_difference
from roclab.inference.rates.predictive import PairedTables, negative_values, positive_values
from roclab.inference.rates.tolerance import bound_kept, misses_allowed
from roclab.names import RATE_INTERVALS

Z = float(norm.ppf(0.975))
SEED = 20261118


def row(name: str, kept: list[float]) -> str:
    """Smallest, 5%, median and the share that reaches .94."""
    values = np.array(kept)
    shown = [values.min(), np.quantile(values, 0.05), np.median(values), np.mean(values >= 0.94)]
    return f"| {name} | {' | '.join(f'{one:.3f}' for one in shown)} |"


HEAD = "| limits | smallest | 5% | median | .94 or more |\n|---|---|---|---|---|"


def joint(one: float, two: float, phi: float) -> tuple[float, float, float, float] | None:
    """Shares of both, first only, second only, neither; None where a correlation is impossible."""
    both = one * two + phi * math.sqrt(one * (1 - one) * two * (1 - two))
    cells = (both, one - both, two - both, 1 - one - two + both)
    return cells if min(cells) >= -1e-12 else None


def paired_designs() -> Iterator[tuple[float, tuple[float, float, float, float]]]:
    for se in (0.5, 0.7, 0.8, 0.9, 0.95, 0.99):
        for apart in (0.0, 0.05, 0.1, 0.2):
            for phi in (0.0, 0.2, 0.4, 0.6, 0.8):
                cells = joint(se, se - apart, phi)
                if cells is not None:
                    yield apart, cells


def paired(full: bool) -> None:
    """Differences of paired rates, every table of b and c enumerated."""
    sizes = (20, 30, 50, 100) if full else (20, 30, 50)
    methods = [name for name in RATE_INTERVALS if name != "newcombe"]  # whose limits need a and d as well
    kept: dict[str, list[float]] = {name: [] for name in methods}
    for n in sizes:
        tables = np.array([(b, c) for b in range(n + 1) for c in range(n - b + 1)])
        rest = n - tables.sum(axis=1)
        log = gammaln(n + 1) - gammaln(tables + 1).sum(axis=1) - gammaln(rest + 1)
        counts = [PairedCounts(0, int(b), int(c), n - int(b) - int(c)) for b, c in tables]
        limits = {name: np.array([paired_difference(one, Z, name) for one in counts]) for name in methods}
        for apart, cells in paired_designs():
            shares = np.array([max(one, 1e-300) for one in (cells[1], cells[2], 1 - cells[1] - cells[2])])
            chance = np.exp(log + tables @ np.log(shares[:2]) + rest * math.log(shares[2]))
            for name in methods:
                low, high = limits[name].T
                kept[name].append(float(chance[(low - 1e-9 <= apart) & (apart <= high + 1e-9)].sum()))
    print(
        f"\n### Differences of paired rates: exact, {len(kept['tango'])} designs of {sizes[0]} to {sizes[-1]} cases\n"
    )
    print(HEAD, *[row(name, kept[name]) for name in methods], sep="\n")


def sizes(full: bool) -> None:
    """Size of McNemar's tests without a difference."""
    print("\n### Size of tests of equal paired rates: exact, by the discordant pairs expected\n")
    expected = (5, 10, 20, 30, 50, 100, 200) if full else (5, 10, 20, 50, 100)
    print("| test |" + "|".join(f" {one} " for one in expected) + "|\n|---|" + "---|" * len(expected))
    found: dict[str, list[float]] = {}
    for test in ("score", "midp", "exact", "corrected"):
        for m in expected:
            n, total = 5 * m, 0.0
            for d in range(int(binom.ppf(1e-7, n, 0.2)), int(binom.ppf(1 - 1e-7, n, 0.2)) + 1):
                b = np.arange(d + 1)
                rejected = np.array([mcnemar_p(PairedCounts(0, int(x), d - int(x), 0), test) <= 0.05 for x in b])
                total += binom.pmf(d, n, 0.2) * float(binom.pmf(b, d, 0.5)[rejected].sum())
            found.setdefault(test, []).append(total)
        print(f"| {test} | " + " | ".join(f"{one:.3f}" for one in found[test]) + " |")


def predictive(full: bool) -> None:
    """Differences of predictive values, ratios of rates and net benefits of two tests, by simulation."""
    rng, samples = np.random.default_rng(SEED), 2500 if full else 500
    kept: dict[str, list[float]] = {}
    size: dict[str, list[float]] = {}
    for n in (100, 300, 1000):
        for share in (0.1, 0.3, 0.5):
            for (se1, sp1), (se2, sp2) in (
                ((0.9, 0.8), (0.8, 0.9)),
                ((0.95, 0.7), (0.7, 0.95)),
                ((0.8, 0.8), (0.8, 0.8)),
            ):
                for phi in (0.1, 0.4):
                    ill, well = joint(se1, se2, phi), joint(1 - sp1, 1 - sp2, phi)
                    if ill is None or well is None:
                        continue
                    _judge(rng, samples, n, share, ill, well, (se1, sp1, se2, sp2), kept, size)
    print(f"\n### Two tests on the same cases: {len(kept['PPV, MOVER'])} designs, {samples} samples each\n")
    print(HEAD, *[row(name, values) for name, values in kept.items()], sep="\n")
    print("\nLargest size of the weighted generalized score test where values are equal: "
          + ", ".join(f"{name} {max(values):.3f}" for name, values in size.items()))  # fmt: skip


def _judge(rng, samples, n, share, ill, well, rates, kept, size) -> None:  # type: ignore[no-untyped-def]
    se1, sp1, se2, sp2 = rates
    ppv = [share * se / (share * se + (1 - share) * (1 - sp)) for se, sp in ((se1, sp1), (se2, sp2))]
    npv = [(1 - share) * sp / ((1 - share) * sp + share * (1 - se)) for se, sp in ((se1, sp1), (se2, sp2))]
    odds = 0.1 / 0.9
    benefit = share * (se1 - se2) - odds * (1 - share) * (sp2 - sp1)
    held: dict[str, list[bool]] = {}
    rejected: dict[str, list[bool]] = {}
    for _ in range(samples):
        pos = rng.binomial(n, share)
        tables = PairedTables(
            *(PairedCounts(*map(int, rng.multinomial(size_, np.clip(cells, 0, 1) / np.sum(np.clip(cells, 0, 1)))))
              for size_, cells in ((pos, ill), (n - pos, well)))
        )  # fmt: skip
        for name, found, true in (("PPV", positive_values(tables), ppv), ("NPV", negative_values(tables), npv)):
            low, high = found.limits(Z)
            if math.isnan(low):
                continue
            held.setdefault(f"{name}, MOVER", []).append(low <= true[0] - true[1] <= high)
            if abs(true[0] - true[1]) < 1e-12:
                p = found.test()[1]
                rejected.setdefault(name, []).append(p <= 0.05)
        if pos:
            low, high = tang_limits(tables.diseased, Z)
            if not math.isnan(low):
                held.setdefault("ratio of Se, Tang", []).append(low <= se1 / se2 <= high)
        found_benefit, (low, high) = net_benefit_difference(tables, odds, Z)
        held.setdefault("net benefit at .1, MOVER", []).append(low <= benefit <= high)
        d, w = tables.diseased, tables.healthy
        square = (d.first + d.second + odds**2 * (w.first + w.second)) / n - found_benefit**2
        half = Z * math.sqrt(max(square, 0.0) / n)
        held.setdefault("net benefit at .1, mean and z", []).append(abs(found_benefit - benefit) <= half)
    for name, values in held.items():
        kept.setdefault(name, []).append(float(np.mean(values)))
    for name, values in rejected.items():
        size.setdefault(name, []).append(float(np.mean(values)))


def independent(full: bool) -> None:
    """Differences of rates of different cases, every pair of counts enumerated."""
    kept, score, mid = [], [], []
    pairs = ((10, 10), (15, 30), (30, 30), (30, 100)) if full else ((10, 10), (15, 30), (30, 30))
    for n1, n2 in pairs:
        x1, x2 = np.arange(n1 + 1), np.arange(n2 + 1)
        limits = np.array([[miettinen_nurminen_limits(a, n1, b, n2, Z) for b in x2] for a in x1])
        tests = np.array([[abs(miettinen_nurminen_statistic(a, n1, b, n2)) >= Z for b in x2] for a in x1])
        mids = np.array([[fisher_p(int(a), n1, int(b), n2, mid=True) <= 0.05 for b in x2] for a in x1])
        for one in (0.5, 0.7, 0.9, 0.95):
            for apart in (0.0, 0.1, 0.2, 0.4):
                chance = np.outer(binom.pmf(x1, n1, one), binom.pmf(x2, n2, one - apart))
                inside = (limits[..., 0] - 1e-9 <= apart) & (apart <= limits[..., 1] + 1e-9)
                kept.append(float(chance[inside].sum()))
                if apart == 0:
                    score.append(float(chance[tests].sum()))
                    mid.append(float(chance[mids].sum()))
    print(f"\n### Rates of different cases: exact, {len(kept)} designs\n")
    print(HEAD, row("Miettinen and Nurminen", kept), sep="\n")
    print(f"\nLargest size: score test {max(score):.3f}, Fisher's mid-p {max(mid):.3f}")


def clustered(full: bool) -> None:
    """Differences of paired rates of clusters of 1 to 6 cases."""
    rng, samples = np.random.default_rng(SEED + 1), 2500 if full else 500
    kept: dict[str, list[float]] = {"clusters ignored, Tango": [], "Tango over the design effect, t": []}
    levels: dict[str, list[float]] = {}
    for k in (10, 20, 50):
        for spread in (0.3, 1.0):
            for apart in (0.0, 0.4):
                held, rejected = np.zeros((samples, 2), bool), []
                big = rng.normal(size=(200_000, 2)) * spread
                true = float(np.mean(norm.cdf(1 + apart + big[:, 0]) - norm.cdf(1 + big[:, 1])))
                for sample in range(samples):
                    size = rng.integers(1, 7, k)
                    cluster = np.repeat(np.arange(k), size)
                    own = rng.normal(size=(k, 2)) * spread
                    one = rng.normal(size=cluster.size) < 1 + apart + own[cluster, 0]
                    two = rng.normal(size=cluster.size) < 1 + own[cluster, 1]
                    cells = np.stack([one & two, one & ~two, ~one & two, ~one & ~two], axis=1).astype(float)
                    table = np.stack([np.bincount(cluster, cells[:, at], k) for at in range(4)], axis=1)
                    if apart == 0:
                        rejected.append([judge(table)[1] <= 0.05 for _, judge in CLUSTERED_TESTS.values()])
                    for at, (low, high) in enumerate((tango_limits(PairedCounts(*table.sum(axis=0)), Z),
                                                      clustered_tango(table))):  # fmt: skip
                        held[sample, at] = low <= true <= high
                for name, share in zip(kept, held.mean(axis=0), strict=True):
                    kept[name].append(float(share))
                    if apart == 0:  # limits that leave out 0 reject
                        levels.setdefault(name, []).append(1 - float(share))
                for name, share in zip(CLUSTERED_TESTS, np.mean(rejected, axis=0) if rejected else (), strict=False):
                    levels.setdefault(name, []).append(float(share))
    print(f"\n### Paired rates in clusters: {len(kept['clusters ignored, Tango'])} designs, {samples} samples each\n")
    print(HEAD, *[row(name, values) for name, values in kept.items()], sep="\n")
    print("\nSize of the tests that both rates are equal, smallest to largest of the designs in which they are: "
          + ", ".join(f"{name} {min(one):.3f} to {max(one):.3f}" for name, one in levels.items()))  # fmt: skip


def gaps(full: bool) -> None:
    """The largest gap of G groups."""
    rng, samples = np.random.default_rng(SEED + 2), 5000 if full else 1000
    print(f"\n### Largest gap of groups: {samples} samples a design, 2 to 10 groups of 40 and 100\n")
    print(
        "| true gap | limits: smallest | median | difference alone averages | chi-squared rejects |\n"
        "|---|---|---|---|---|"
    )
    for true in (0.0, 0.1, 0.3):
        kept, plain, size = [], [], []
        for count in (2, 4, 10):
            for n in (40, 100):
                for top in (0.7, 0.9):
                    rates = np.linspace(top - true, top, count)
                    held, tested = [], []
                    for _ in range(samples):
                        x = rng.binomial(n, rates)
                        found = group_gap(x / n, np.full(count, float(n)))
                        held.append(found.limits[0] <= true <= found.limits[1])
                        plain.append(found.gap)
                        tested.append(equal_rates_test(x, np.full(count, n))[2] <= 0.05)
                    kept.append(float(np.mean(held)))
                    size.append(float(np.mean(tested)))
        print(f"| {true:g} | {min(kept):.3f} | {np.median(kept):.3f} | {np.mean(plain):.3f} | "
              f"{min(size):.3f} to {max(size):.3f} |")  # fmt: skip


def promises(full: bool) -> None:
    """How often a promised and an ordinary bound on the sensitivity hold: exact for continuous scores."""
    print("\n### Bounds on the sensitivity in new cases: exact\n")
    cases = (30, 60, 100, 300, 1000)
    print("| bound .9 |" + "|".join(f" {one} positives " for one in cases) + "|\n|---|" + "---|" * len(cases))
    for confidence in (0.9, 0.95):
        found = [misses_allowed(n, 0.9, confidence) for n in cases]
        words = [f"{bound_kept(k, n, 0.9):.3f} ({k} misses)" for k, n in zip(found, cases, strict=True)]
        print(f"| promised with {confidence:g} | {' | '.join(words)} |")
    print(f"| ordinary | {' | '.join(f'{bound_kept(n // 10, n, 0.9):.3f}' for n in cases)} |")


_SHAPES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "continuous": lambda s: s, "tied, one decimal": lambda s: np.round(s, 1), "five categories": lambda s: np.clip(
        np.round(s) + 1, 0, 4),
}  # fmt: skip


def kept(full: bool) -> None:
    """How often promises of ``rl.cutoff`` hold in new cases: one bound, two bounds, tied and few scores."""
    import roclab as rl

    rng, samples = np.random.default_rng(SEED + 4), 4000 if full else 600
    print(f"\n### Promised bounds in new cases, by simulation: {samples} samples a cell, confidence .90\n")
    sizes = ((25, 25), (40, 80), (100, 200))
    print("| promise, scores |" + "|".join(f" {p} + {n} " for p, n in sizes) + "|\n|---|" + "---|" * len(sizes))
    for words, require in (
        ("sensitivity .9", {"sensitivity": 0.9}),
        ("specificity .8", {"specificity": 0.8}),
        ("sensitivity .8 and specificity .6", {"sensitivity": 0.8, "specificity": 0.6}),
    ):
        for name, shape in _SHAPES.items():
            cells = []
            for n_pos, n_neg in sizes:
                y, held, made = np.r_[np.ones(n_pos, int), np.zeros(n_neg, int)], 0, 0
                for _ in range(samples):
                    s = shape(rng.normal(size=y.size) + 1.8 * y)
                    try:
                        cut = rl.cutoff(y, s, require=require, confidence=0.9).threshold
                    except rl.errors.InputError:
                        continue
                    made += 1
                    if name == "continuous":
                        se, sp = norm.sf(cut - 1.8), norm.cdf(cut)
                    else:
                        below = {"tied, one decimal": (cut - 0.05), "five categories": (cut - 1.5)}[name]
                        se, sp = norm.sf(below - 1.8), norm.cdf(below)
                        if name == "five categories" and cut <= 0:
                            se, sp = 1.0, 0.0
                    held += se >= require.get("sensitivity", 0) and sp >= require.get("specificity", 0)
                cells.append(f"{1 - (made - held) / samples:.3f} ({made / samples:.2f})")
            print(f"| {words}, {name} | {' | '.join(cells)} |")
    print("\nShare of samples without a false promise; in brackets that in which a cut-off could be promised.")


def selective(full: bool) -> None:
    """AURC with its limits."""
    rng, samples = np.random.default_rng(SEED + 3), 3000 if full else 600
    kept: dict[str, list[float]] = {"plain": [], "log, t": []}
    for n in (50, 100, 200, 500):
        for base in (0.2, 0.45):
            big = rng.random(400_000)
            true = area_under_risk(big, (rng.random(big.size) < base * (1 - 0.9 * big)).astype(float))[0]
            held: dict[str, list[bool]] = {name: [] for name in kept}
            for _ in range(samples):
                confidence = rng.random(n)
                loss = (rng.random(n) < base * (1 - 0.9 * confidence)).astype(float)
                area, error, *_ = area_under_risk(confidence, loss)
                if area <= 0:
                    continue
                held["plain"].append(abs(area - true) <= Z * error)
                half = deviate(0.95, df=max(loss.sum() - 1, 1)) * error / area
                held["log, t"].append(area * math.exp(-min(half, 50)) <= true <= area * math.exp(min(half, 50)))
            for name in kept:
                kept[name].append(float(np.mean(held[name])))
    print(f"\n### Area under risk and coverage: {len(kept['plain'])} designs, {samples} samples each\n")
    print(HEAD, *[row(name, values) for name, values in kept.items()], sep="\n")


def speed(_: bool) -> None:
    """Seconds of comparisons at a threshold."""
    import roclab as rl

    rng = np.random.default_rng(SEED)
    print("\n### Seconds, the best of five\n\n| question | seconds |\n|---|---|")
    for words, n, k in (("two tests on 700 cases", 700, 2), ("five tests on 100,000 cases", 100_000, 5)):
        y = rng.integers(0, 2, n)
        scores = {f"t{at}": y + rng.normal(size=n) for at in range(k)}
        times = []
        for _ in range(5):
            begun = time.perf_counter()
            rl.compare(y, scores, threshold=0.5)
            times.append(time.perf_counter() - begun)
        print(f"| {words} | {min(times):.4f} |")
        if k == 2:
            print(f"| statsmodels, McNemar's test of both classes alone | {_peer(y, scores)} |")


def _peer(y: np.ndarray, scores: dict[str, np.ndarray]) -> str:
    try:
        from statsmodels.stats.contingency_tables import mcnemar  # type: ignore[import-not-found]
    except ImportError:
        return "not installed"
    times = []
    for _ in range(5):
        begun = time.perf_counter()
        one, two = (score >= 0.5 for score in scores.values())
        for side in (y == 1, y == 0):
            cells = np.bincount(2 * one[side] + two[side], minlength=4)
            mcnemar(cells[::-1].reshape(2, 2), exact=False, correction=False)
        times.append(time.perf_counter() - begun)
    return f"{min(times):.4f}"


PARTS: dict[str, Callable[[bool], None]] = {
    "paired": paired, "sizes": sizes, "predictive": predictive, "independent": independent, "clustered": clustered,
    "gaps": gaps, "promises": promises, "kept": kept, "selective": selective, "speed": speed,
}  # fmt: skip


def main() -> None:
    """Print the tables that were asked for."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--full", action="store_true", help="five times as many samples, larger tables")
    asked.add_argument("--only", nargs="+", default=list(PARTS), choices=list(PARTS), metavar="PART")
    given = asked.parse_args()
    for name in given.only:
        PARTS[name](given.full)


if __name__ == "__main__":
    main()
