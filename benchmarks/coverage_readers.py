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
from reader_calibration import DRAWS, DRAWS_OF_INTERVALS, calibrations, rejected
from roclab.inference.comparison.contrasts import Difference
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

# Five categories instead of continuous ratings, cut about the middle between the classes.
TIED_AREAS = (0.80, 0.93)
TIED_READERS = (3, 6)
CUTS = np.array([-1.2, -0.4, 0.4, 1.2])

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
    name: Any, area: float, r: int, size: tuple[int, int], count: int, covariances: tuple[str, ...], t: int = 2,
    tied: bool = False,
) -> Shares:  # fmt: skip
    """Share of rejections at 5% in a factorial study: Hillis' test by covariance, the score test, and calibrated."""
    key = [round(1000 * area), r, *size, TYPICAL_READERS.index(name), t - 2]
    rng = np.random.default_rng([*key, 5] if tied else key)
    plain, scores = _blank(r, size, t), []
    found = dict.fromkeys((*covariances, "score", "calibrated"), 0)
    cuts = CUTS + TYPICAL[name].shift(area) / 2 if tied else None
    for one in studies(TYPICAL[name], (area,) * t, r, size, count, rng, covariances, cuts):
        for covariance in covariances:
            errors = error_covariances(plain, one.matrices[covariance])
            squares = mean_squares(plain, one.values, errors)
            found[covariance] += equality_of_means(squares, errors, "both")[0].p_value < 0.05
        scores.append(_score(plain, one))
    found["score"] = sum(one.equality("")[0].p_value < 0.05 for one in scores)
    generator = np.random.default_rng([*key, 5, 1] if tied else [*key, 1])
    found["calibrated"] = int(rejected(scores, size, generator).sum())
    return {test: hits / count for test, hits in found.items()}


def _blank(r: int, size: tuple[int, int], t: int = 2) -> Readings:
    """The shape of a study, whose areas are given."""
    return readings(np.zeros((t, r, sum(size))), size[0])


def _score(plain: Readings, one: Drawn, random: RandomEffects = "both") -> ScoreAnalysis:
    return score_analysis(plain, one.values, one.matrices["delong"], one.columns, AUC.bounds, random)


def of_grid(
    areas: Any, readers: Any, cases: Any, count: int, covariances: Any = ("delong",), t: int = 2, tied: bool = False
) -> dict[Key, Shares]:
    """Share of rejections of every factorial design of a grid."""
    grid = itertools.product(TYPICAL_READERS, areas, readers, cases)
    return {key: cell(*key, count, covariances, t, tied) for key in grid}


def summary(found: dict[Key, Shares], count: int) -> dict[str, list[float]]:
    """Mean, smallest and largest share over a grid, and how many are near 5%."""
    out = {}
    for one in next(iter(found.values())):
        shares = np.array([part[one] for part in found.values()])
        near = np.abs(shares - 0.05)
        out[one if one in ("score", "calibrated") else f"Hillis, {one}"] = [
            shares.mean(), shares.min(), shares.max(), np.mean(near < 2 * _error(count)), np.mean(near <= 0.01),
        ]  # fmt: skip
    return out


def by_condition(found: dict[Key, Shares]) -> dict[str, list[str]]:
    """By area, readers and cases, means over the sets of variances: Hillis' test, the score test, and calibrated."""
    out: dict[str, list[str]] = {}
    for _, area, r, size in found:
        row = out.setdefault(f"area {area:.3f}, {r} readers", [])
        own = [found[name, area, r, size] for name in TYPICAL_READERS]
        if len(row) < len({key[3] for key in found}):
            tests = ("delong", "score", "calibrated")
            row.append(" / ".join(f"{np.mean([one[test] for one in own]):.3f}" for test in tests))
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
    """Power, and share of 95% intervals that hold the true difference: Hillis', the score test, the calibrated one."""
    for areas, r, size in itertools.product(DIFFERENT, (3, 5, 10), ((40, 40),)):
        name: Any = "low_reader_high_case"
        key = [round(1000 * areas[0]), r, *size, 7]
        plain, true = _blank(r, size), areas[0] - areas[1]
        hits, scores = np.zeros(9), []
        asked: Any = {"names": ("a", "b"), "level": 0.95}
        for one in studies(TYPICAL[name], areas, r, size, count, np.random.default_rng(key)):
            errors = error_covariances(plain, one.matrices["delong"])
            squares = mean_squares(plain, one.values, errors)
            scores.append(_score(plain, one))
            hits[0::3] += _judged(difference_of_means(squares, errors, "both", (0, 1), **asked), true)
            hits[1::3] += _judged(scores[-1].difference((0, 1), **asked), true)
        for score, drawn in zip(scores, calibrations(scores, size, np.random.default_rng([*key, 1])), strict=True):
            found = score.difference((0, 1), least_p=drawn.least_p(0.95), **asked)
            hits[2::3] += _judged(drawn.compared(found), true)
        yield f"{areas[0]:g} and {areas[1]:g}, {r} readers", list(hits / count)


def _judged(found: Difference, true: float) -> list[float]:
    return [found.p_value < 0.05, true in found.interval, found.interval.high - found.interval.low]


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
    other = of_grid(OTHER_AREAS, OTHER_READERS, OTHER_CASES, count)
    three = of_grid((0.80, 0.90), (4, 8), ((40, 40),), count, t=3)
    tied = of_grid(TIED_AREAS, TIED_READERS, ((30, 30),), count, tied=True)
    near = ["mean", "smallest", "largest", "within 2 errors", ".04 to .06"]
    sets = [name.replace("_", " ") for name in TYPICAL_READERS]
    few = max(count // 2, 1)
    power = [f"{what}, {test}" for what in ("power", "coverage", "width") for test in ("Hillis", "score", "calibrated")]
    return f"""## Reader studies

Share of true null hypotheses that are rejected at 5%, in {count} simulated studies (Monte-Carlo error
{_error(count):.3f}) of each design: two modalities, small and large variances of readers and cases after Roe and Metz.
Hillis' is the F test of Obuchowski and Rockette with his degrees of freedom (the default), score and calibrated are
those of `inference="score"` and `inference="calibrated"`, with DeLong's covariances, all on the same studies. The
calibrated test is run in full, every study with a model of its own and {DRAWS} draws from it (2 of {DRAWS + 1} ranks
are 5%). "Within 2 errors" is the share of designs within two Monte-Carlo errors of 5%, where 95% would be chance alone.

**Designs that were looked at when the score test was chosen** ({len(seen)}: 3 to 10 readers, areas .702 to .962,
25 + 25 to 20 + 100 cases), on other seeds:

{_table("test", near, summary(seen, count))}

**Designs that were not** ({len(other)}: 3 to 8 readers, areas .75 to .93, 30 + 30 and 40 + 80 cases):

{_table("test", near, summary(other, count))}

Three modalities ({len(three)} designs: 4 and 8 readers, areas .80 and .90, 40 + 40 cases), not looked at either:

{_table("test", near, summary(three, count))}

Ratings of five categories ({len(tied)} designs of two modalities: 3 and 6 readers, areas .80 and .93 before ratings are
cut, 30 + 30 cases), while the studies drawn have no ties:

{_table("test", near, summary(tied, count))}

Hillis' / score / calibrated by area and readers, means over {len(sets)} sets of variances, whose error is
{_error(count * len(sets)):.4f}:

{_table("study", _cases(CASES), by_condition(seen))}

{_table("study", _cases(OTHER_CASES), by_condition(other))}

Hillis' / score for every design, area .855, five readers (in each modality or group), 25 + 25 cases, {few} studies:

{_table("design", sets, of_designs(few))}

Two modalities that differ, 40 + 40 cases, low variance of readers and high of cases, {few} studies: power, share of 95%
intervals that hold the true difference, and their mean width ({DRAWS_OF_INTERVALS} draws for the calibrated test).

{_table("areas", power, of_differences(few))}

Hillis' test rejects too often with three readers (6% on average up to an area of .93, 8% at most), whose variance is
known with two degrees of freedom, a little too often with four at areas up to .80, and too seldom at .962 (4% on
average, 2% at least), where areas are skewed: there the squared difference and its variance are correlated (.4 to .5 at
25 + 25, large variance of cases), while the variance itself is right on average. All three covariances do the same.

The score test errs on the careful side: shares below .04 are most frequent with three to five readers and 25 + 25 or
30 + 30 cases, with three modalities and with cases nested in modalities. In designs that were not looked at 91% of its
shares lie within two errors here and 87% on the fresh seeds of the table below, where they go from .0325 to .0645. That
care costs power: 1 to 4 points with five readers or more, 7 to 14 points with three. Its intervals are longer towards
the side on which an area has room; at areas of .92 and .97, where Hillis' hold the difference in 93% of studies, they
hold it in 96 to 98%.

With {count} studies a design, the calibrated test is as near to 5% as chance allows in designs that were not looked at:
95% of its shares lie within two errors, from .038 to .062, and 95% on the fresh seeds of the table below, from .037 to
.0675. So do all of three modalities and all with five categories, and 94% of the designs that were looked at. Its power
is that of the score test, within a point, or up to 4 points more, most of it with three readers, where Hillis' has 6 to
11 points more and does not hold 5%. Fewer draws cost power: with 100 it was up to 2 points less. Its intervals hold the
difference in 95 to 98% of studies.

**What was chosen by looking.** The weight A (1 - A) and its exponent (of three), the mean at which it is taken (of
three), the correction for few readers (of nine, after quadrature for a known part of the cases) and the degrees of
freedom of the cases (of six) were chosen on the {len(seen)} designs above, with 3000 to 6000 studies each. That t
modalities know the part of the cases t - 1 times as well was seen on 16 designs of three (3 and 6 readers, areas .75
and .93).

**How the calibrated test was judged.** Before it was built, a program of its own ran it on other seeds: 199 draws for
each of 2000 studies, 99 for designs that had been looked at.

| designs, test | mean | smallest | largest | within 2 errors |
|---|---|---|---|---|
| 108 looked at, score | 0.0489 | 0.0345 | 0.0675 | 0.917 |
| 108 looked at, calibrated | 0.0497 | 0.0350 | 0.0665 | 0.917 |
| 128 others, Hillis | 0.0521 | 0.0305 | 0.0770 | 0.672 |
| 128 others, score | 0.0475 | 0.0325 | 0.0645 | 0.867 |
| 128 others, calibrated | 0.0495 | 0.0370 | 0.0675 | 0.953 |
| 16 of three modalities, score | 0.0455 | 0.0375 | 0.0610 | 0.750 |
| 16 of three modalities, calibrated | 0.0480 | 0.0385 | 0.0575 | 0.938 |

The rule set beforehand, for the 128 others: 94% of shares within two errors, and none beyond .035 to .066. The first
was reached, the second missed by one design: .0675 with four readers, an area of .75, 30 + 30 cases and small
variances. With 20000 new studies (error .0015) that design had .0510, and the five others outside two errors had .046
to .050; a test that holds 5% everywhere would go beyond these bounds in one of seven such grids. The rule was missed
all the same, and the test is offered because the miss did not come back. More studies show what is left: of 24 designs
with three readers that had been looked at, 6000 studies each, 75% lie within two errors of .0028 (score 58%), and it is
careful at areas near 1, .041 to .044 at .962 with 25 + 25 cases.

What else was tried: a bootstrap of Hillis' F (86% of the 128 within two errors), and, on those 24 designs, other values
for the variance of reader x modality than its estimate: its mean square times .75 83%, times 1.5 75%, drawn from its
fiducial distribution 79%, none at all 79%. A second bootstrap within the first rejected 5.75% there, where 5.5% would
be due to the 199 draws alone, and was no nearer. Nested and split-plot designs were not tried, and are refused.

Plans: ten readers, mean area .885, the fewest cases that [the formula](guide/readers.md) gives for a power of 80%, and
the power that {few} simulated studies of that size have (error {np.sqrt(0.16 / few):.3f}).

{_table("variances, readers, difference", ["cases", "planned", "simulated"], of_plans(few))}
"""


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=2000)
    print(section(parser.parse_args().samples))
