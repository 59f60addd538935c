"""Do the tests of reader studies reject 5% of true null hypotheses? Grids of Roe and Metz's model, every design.

python benchmarks/coverage_readers.py [--samples 2000]
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from reader_batches import Drawn, readings, studies
from roclab.inference.one_area.area import area_of_method
from roclab.names import TYPICAL_READERS, RandomEffects, ReaderDesign
from roclab.reading_studies.components import error_covariances
from roclab.reading_studies.covariance import areas_of_cells, influence_columns
from roclab.reading_studies.design import with_design
from roclab.reading_studies.mean_squares import mean_squares
from roclab.reading_studies.obuchowski_rockette import difference_of_means, equality_of_means
from roclab.reading_studies.readings import Readings
from roclab.reading_studies.roe_metz import TYPICAL, components_of_model, simulate_ratings
from roclab.reading_studies.score import ScoreAnalysis, score_analysis
from roclab.reading_studies.sizing import plan_of_components

AUC = area_of_method("empirical")
AREAS = (0.702, 0.855, 0.962)
READERS = (3, 5, 10)
CASES = ((25, 25), (50, 50), (20, 100))
COVARIANCES = ("delong", "jackknife", "unbiased")
DESIGNS: tuple[ReaderDesign, ...] = ("factorial", "nested_readers", "nested_cases", "split_plot")
GROUPS = 2  # of a split plot

# Designs that nobody looked at while the score test was chosen.
OTHER_AREAS = (0.75, 0.80, 0.90, 0.93)
OTHER_READERS = (3, 4, 6, 8)
OTHER_CASES = ((30, 30), (40, 80))

# Two modalities that differ, for power and for intervals of a difference that is not 0.
DIFFERENT = ((0.6, 0.75), (0.8, 0.9), (0.88, 0.94), (0.92, 0.97))

Key = tuple[Any, float, int, tuple[int, int]]
Shares = dict[str, float]


def designed(design: ReaderDesign, drawn: Any, r: int, n_pos: int, n_neg: int) -> Readings:
    """One simulated study of a design, with two modalities."""
    if design == "factorial":
        return readings(drawn(2, r, n_pos, n_neg), n_pos)
    if design == "nested_readers":  # 2 r readers, of whom each reads one modality
        whole = drawn(2, 2 * r, n_pos, n_neg)
        own = np.concatenate([whole[0, :r], whole[1, r:]])
        base = readings(own[None], n_pos)
        cells = tuple((int(j >= r), j) for j in range(2 * r))
        return with_design(replace(base, modalities=("m0", "m1"), cells=cells), design)
    if design == "nested_cases":
        n = n_pos + n_neg
        whole = drawn(2, r, 2 * n_pos, 2 * n_neg)
        gap = whole.copy()
        first = np.concatenate([np.arange(n_pos), 2 * n_pos + np.arange(n_neg)])
        mine = np.zeros(2 * n, bool)
        mine[first] = True
        gap[0][:, ~mine] = np.nan
        gap[1][:, mine] = np.nan
        return with_design(readings(gap, 2 * n_pos), design)
    parts = [drawn(2, r, n_pos, n_neg) for _ in range(GROUPS)]
    n = n_pos + n_neg
    gap = np.full((2, GROUPS * r, GROUPS * n), np.nan)
    pos = [g * n_pos + np.arange(n_pos) for g in range(GROUPS)]
    neg = [GROUPS * n_pos + g * n_neg + np.arange(n_neg) for g in range(GROUPS)]
    for g, part in enumerate(parts):
        gap[:, g * r : (g + 1) * r, np.concatenate([pos[g], neg[g]])] = part
    return with_design(readings(gap, GROUPS * n_pos), design)


def cell(
    name: Any, area: float, r: int, size: tuple[int, int], count: int, covariances: tuple[str, ...], t: int = 2
) -> Shares:
    """Share of rejections at 5% in a factorial study: Hillis' test by covariance, and the score test."""
    rng = np.random.default_rng([round(1000 * area), r, *size, TYPICAL_READERS.index(name), t - 2])
    plain = _blank(r, size, t)
    found = dict.fromkeys((*covariances, "score"), 0)
    for one in studies(TYPICAL[name], (area,) * t, r, size, count, rng, covariances):
        for covariance in covariances:
            errors = error_covariances(plain, one.matrices[covariance])
            squares = mean_squares(plain, one.values, errors)
            found[covariance] += equality_of_means(squares, errors, "both")[0].p_value < 0.05
        found["score"] += _score(plain, one).equality("")[0].p_value < 0.05
    return {covariance: hits / count for covariance, hits in found.items()}


def _blank(r: int, size: tuple[int, int], t: int = 2) -> Readings:
    """The shape of a study, whose areas are given."""
    return readings(np.zeros((t, r, sum(size))), size[0])


def _score(plain: Readings, one: Drawn, random: RandomEffects = "both") -> ScoreAnalysis:
    return score_analysis(plain, one.values, one.matrices["delong"], one.columns, AUC.bounds, random)


def of_grid(areas: Any, readers: Any, cases: Any, count: int, covariances: Any, t: int = 2) -> dict[Key, Shares]:
    """Share of rejections of every factorial design of a grid."""
    grid = itertools.product(TYPICAL_READERS, areas, readers, cases)
    return {key: cell(*key, count, covariances, t) for key in grid}


def summary(found: dict[Key, Shares], count: int) -> dict[str, list[float]]:
    """Mean, smallest and largest share over a grid, and how many are near 5%."""
    out = {}
    for one in next(iter(found.values())):
        shares = np.array([part[one] for part in found.values()])
        near = np.abs(shares - 0.05)
        out["score" if one == "score" else f"Hillis, {one}"] = [
            shares.mean(), shares.min(), shares.max(), np.mean(near < 2 * _error(count)), np.mean(near <= 0.01),
        ]  # fmt: skip
    return out


def by_condition(found: dict[Key, Shares]) -> dict[str, list[str]]:
    """By area, readers and cases, means over the sets of variances: Hillis' test and the score test."""
    out: dict[str, list[str]] = {}
    for _, area, r, size in found:
        row = out.setdefault(f"area {area:.3f}, {r} readers", [])
        own = [found[name, area, r, size] for name in TYPICAL_READERS]
        if len(row) < len({key[3] for key in found}):
            row.append(" / ".join(f"{np.mean([one[test] for one in own]):.3f}" for test in ("delong", "score")))
    return out


def of_designs(count: int) -> dict[str, list[str]]:
    """Share of rejections of every design, area 0.855, five readers (in each modality or group)."""
    return {
        design.replace("_", " "): [" / ".join(f"{one:.3f}" for one in _designed(name, design, count))
                                   for name in TYPICAL_READERS]
        for design in DESIGNS
    }  # fmt: skip


def _designed(name: Any, design: ReaderDesign, count: int) -> tuple[float, float]:
    model, r, size = TYPICAL[name], 5, (25, 25)
    rng = np.random.default_rng([855, r, *size, TYPICAL_READERS.index(name), DESIGNS.index(design)])

    def drawn(t: int, readers: int, n_pos: int, n_neg: int) -> np.ndarray:
        shifts = np.full(t, model.shift(0.855))
        return simulate_ratings(model, shifts, readers=readers, n_pos=n_pos, n_neg=n_neg, generator=rng)

    hits = [0, 0]
    for _ in range(count):
        study = designed(design, drawn, r, *size)
        cells = areas_of_cells(study, AUC, "delong")
        errors = error_covariances(study, cells.matrix)
        squares = mean_squares(study, cells.values, errors)
        score = score_analysis(
            study, cells.values, cells.matrix, influence_columns(study, AUC), AUC.bounds, "both"
        )  # fmt: skip
        hits[0] += equality_of_means(squares, errors, "both")[0].p_value < 0.05
        hits[1] += score.equality("")[0].p_value < 0.05
    return hits[0] / count, hits[1] / count


def of_differences(count: int) -> Iterator[tuple[str, list[float]]]:
    """Power, and share of 95% intervals that hold the true difference: Hillis' and the score test."""
    for areas, r, size in itertools.product(DIFFERENT, (3, 5, 10), ((40, 40),)):
        name: Any = "low_reader_high_case"
        rng = np.random.default_rng([round(1000 * areas[0]), r, *size, 7])
        plain, true = _blank(r, size), areas[0] - areas[1]
        hits = np.zeros(6)
        for one in studies(TYPICAL[name], areas, r, size, count, rng):
            errors = error_covariances(plain, one.matrices["delong"])
            squares = mean_squares(plain, one.values, errors)
            both = (
                difference_of_means(squares, errors, "both", (0, 1), names=("a", "b"), level=0.95),
                _score(plain, one).difference((0, 1), names=("a", "b"), level=0.95),
            )
            hits += [found.p_value < 0.05 for found in both] + [true in found.interval for found in both] + [
                found.interval.high - found.interval.low for found in both
            ]  # fmt: skip
        yield f"{areas[0]:g} and {areas[1]:g}, {r} readers", list(hits / count)


def of_plans(count: int) -> dict[str, list[str]]:
    """Power of the studies that a plan of 80% asks for, simulated from the model planned with."""
    out = {}
    plans: tuple[tuple[Any, RandomEffects, float], ...] = (
        ("low_reader_high_case", "both", 0.06), ("low_reader_high_case", "cases", 0.06),
        ("high_reader_low_case", "both", 0.06), ("high_reader_low_case", "cases", 0.06),
        ("low_reader_low_case", "both", 0.06), ("high_reader_high_case", "both", 0.08),
    )  # fmt: skip
    for name, random, difference in plans:
        model, r, area = TYPICAL[name], 10, 0.885
        if random == "cases":  # the plan is for the readers that there are, so no new ones may be drawn
            model = replace(model, reader=0.0, modality_reader=0.0)
        parts = components_of_model(model, area, n_pos=50, n_neg=50)
        plan = plan_of_components(
            parts, difference=difference, readers=[r], cases=[100], random=random, source="model"
        ).smallest[0]  # fmt: skip
        areas, size = (area - difference / 2, area + difference / 2), (plan.n_pos, plan.n_neg)
        rng = np.random.default_rng([*size, TYPICAL_READERS.index(name), 9])
        plain, hits = _blank(r, size), 0
        for one in studies(model, areas, r, size, count, rng):
            errors = error_covariances(plain, one.matrices["delong"])
            hits += equality_of_means(mean_squares(plain, one.values, errors), errors, random)[0].p_value < 0.05
        what = f"{name.replace('_', ' ')}, {'random' if random == 'both' else 'fixed'} readers, {difference:g}"
        out[what] = [str(plan.cases), f"{plan.power:.3f}", f"{hits / count:.3f}"]
    return out


def _error(count: int) -> float:
    return float(np.sqrt(0.05 * 0.95 / count))


def _table(title: str, columns: list[str], rows: Any) -> str:
    lines = [f"| {title} | {' | '.join(columns)} |", f"|---|{'---|' * len(columns)}"]
    for name, values in dict(rows).items():
        lines.append(f"| {name} | {' | '.join(v if isinstance(v, str) else f'{v:.3f}' for v in values)} |")
    return "\n".join(lines)


def _cases(sizes: Any) -> list[str]:
    return [f"{p}+{n}" for p, n in sizes]


def section(count: int) -> str:
    """The part of docs/coverage.md about reader studies."""
    seen = of_grid(AREAS, READERS, CASES, count, COVARIANCES)
    other = of_grid(OTHER_AREAS, OTHER_READERS, OTHER_CASES, count, ("delong",))
    three = of_grid((0.80, 0.90), (4, 8), ((40, 40),), count, ("delong",), 3)
    near = ["mean", "smallest", "largest", "within 2 errors", ".04 to .06"]
    sets = [name.replace("_", " ") for name in TYPICAL_READERS]
    few = max(count // 2, 1)
    power = ["power, Hillis", "power, score", "coverage, Hillis", "coverage, score", "width, Hillis", "width, score"]
    return f"""## Reader studies

Share of true null hypotheses that are rejected at 5%, in {count} simulated studies (Monte-Carlo error
{_error(count):.3f}) of each design: two modalities, small and large variances of readers and cases after Roe and Metz.
Hillis' is the F test of Obuchowski and Rockette with his degrees of freedom (the default), score that of
`inference="score"`, with DeLong's covariances. "Within 2 errors" is the share of designs within two Monte-Carlo errors
of 5%, where 95% would be chance alone.

**Designs that were looked at when the score test was chosen** ({len(seen)}: 3 to 10 readers, areas .702 to .962,
25 + 25 to 20 + 100 cases), on other seeds:

{_table("test", near, summary(seen, count))}

**Designs that were not** ({len(other)}: 3 to 8 readers, areas .75 to .93, 30 + 30 and 40 + 80 cases):

{_table("test", near, summary(other, count))}

Three modalities ({len(three)} designs: 4 and 8 readers, areas .80 and .90, 40 + 40 cases), not looked at either:

{_table("test", near, summary(three, count))}

Hillis' / score by area and readers, means over {len(sets)} sets of variances (error {_error(count * len(sets)):.4f}):

{_table("study", _cases(CASES), by_condition(seen))}

{_table("study", _cases(OTHER_CASES), by_condition(other))}

Hillis' / score for every design, area .855, five readers (in each modality or group), 25 + 25 cases, {few} studies:

{_table("design", sets, of_designs(few))}

Two modalities that differ, 40 + 40 cases, low variance of readers and high of cases, {few} studies: power, share of 95%
intervals that hold the true difference, and their mean width.

{_table("areas", power, of_differences(few))}

Hillis' test rejects too often with three readers (6% on average up to an area of .93, 8% at most), whose variance is
known with two degrees of freedom, a little too often with four at areas up to .80, and too seldom at .962 (4% on
average, 2% at least), where areas are skewed: there the squared difference and its variance are correlated (.4 to .5 at
25 + 25, large variance of cases), while the variance itself is right on average. All three covariances do the same. The
largest share of the score test is .065, and in designs that were not looked at 91% of its shares lie within two errors.
It errs on the careful side: shares below .04 are most frequent with three to five readers and 25 + 25 or 30 + 30 cases,
with three modalities and with cases nested in modalities. That care costs power: 1 to 4 points with five readers or
more, 7 to 14 points with three. Its intervals are longer towards the side on which an area has room; at areas of .92
and .97, where Hillis' hold the difference in 93% of studies, they hold it in 96 to 98%.

**What was chosen by looking.** The weight A (1 - A) and its exponent (of three), the mean at which it is taken (of
three), the correction for few readers (of nine, after quadrature for a known part of the cases) and the degrees of
freedom of the cases (of six) were chosen on the {len(seen)} designs above, with 3000 to 6000 studies each. That t
modalities know the part of the cases t - 1 times as well was seen on 16 designs of three (3 and 6 readers, areas .75
and .93).

**What was tried and left out.** A parametric bootstrap of the score test: Roe and Metz's model is fitted to the study
with equal modalities (its mean area, its variance components by moments, those below 0 as 0), studies of the same size
are drawn from it, and the p-value of the score test is ranked among theirs. All was simulated in full: 199 studies
drawn for each of 2000 (99 for designs that had been looked at). Asked beforehand, of designs that were not looked at:
94% of shares within two errors, and none beyond .035 to .066. It reached the first and missed the second by one design,
so it is not offered.

| designs, test | mean | smallest | largest | within 2 errors |
|---|---|---|---|---|
| 108 looked at, score | 0.0489 | 0.0345 | 0.0675 | 0.917 |
| 108 looked at, bootstrap of Hillis' | 0.0508 | 0.0330 | 0.0690 | 0.889 |
| 108 looked at, bootstrap of score | 0.0497 | 0.0350 | 0.0665 | 0.917 |
| 128 others, score | 0.0475 | 0.0325 | 0.0645 | 0.867 |
| 128 others, bootstrap of Hillis' | 0.0507 | 0.0365 | 0.0645 | 0.859 |
| 128 others, bootstrap of score | 0.0495 | 0.0370 | 0.0675 | 0.953 |
| 16 of three modalities, score | 0.0455 | 0.0375 | 0.0610 | 0.750 |
| 16 of three modalities, bootstrap of score | 0.0480 | 0.0385 | 0.0575 | 0.938 |

The largest share belongs to four readers, an area of .75, 30 + 30 cases and small variances. Looked at again
afterwards, with 20000 new studies each (error .0015), that design had .051 and the five others outside two errors had
.046 to .050, so the miss looks like chance; a test that holds 5% everywhere would go beyond these bounds in one of
seven such grids. What is left is care at areas near 1: .041 to .044 at .962 with three readers and 25 + 25 cases. The
power was that of the score test or up to 3 points more. With three readers (24 designs that had been looked at, 6000
studies each, where the score test has 58% within two errors of .0028) it mattered little what became of the variance
of reader x modality: as estimated 75%, its mean square times .75 83%, times 1.5 75%, drawn from its fiducial
distribution 79%, none at all 79%. A second bootstrap within the first (one study drawn from each that was drawn)
rejected 5.75% in these designs, where 5.5% would be due to the 199 draws alone, and was no nearer. Nested and
split-plot designs and tied ratings were not tried.

Plans: ten readers, mean area .885, the fewest cases that [the formula](guide/readers.md) gives for a power of 80%, and
the power that {few} simulated studies of that size have (error {np.sqrt(0.16 / few):.3f}).

{_table("variances, readers, difference", ["cases", "planned", "simulated"], of_plans(few))}
"""


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=2000)
    print(section(parser.parse_args().samples))
