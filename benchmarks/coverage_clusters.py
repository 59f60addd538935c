"""Do intervals and tests of subjects with several cases hold their level? Prints tables of what was measured.

Scores of a case are a share of its subject's effect and one of its own, so that the marginal distributions, and with
them areas and rates, are known. Subjects have 1, 2, 4 or 7 cases; classes are mixed within a subject ("both"), rare
among its cases, or one for all of them ("one").

    python benchmarks/coverage_clusters.py [--samples 800] [--only areas]
"""

from __future__ import annotations

import argparse
import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from scipy.special import ndtr, ndtri
from scipy.stats import norm

import roclab as rl
from roclab.data.cases import Cases
from roclab.decisions.subject_calls import effect_on
from roclab.errors import InputError
from roclab.inference.clustered_area import clustered_area_test, clustered_estimate
from roclab.inference.comparison.clustered import covariance_of_clusters
from roclab.inference.one_area.area import area_of_method, area_of_region
from roclab.inference.one_area.intervals import area_interval
from roclab.inference.one_curve.proportions import proportion_interval
from roclab.models.logistic import fit_logistic
from roclab.rank_tests.clustered import clustered_rank_sum

SIZES = (1, 2, 4, 7)
AUC = area_of_method("empirical")
Hits = dict[str, list[float]]


def draw(rng: np.random.Generator, subjects: int, alike: float, area: float, classes: str, scores: int = 1) -> Cases:
    """Cases of a design; further scores share the subject's effect."""
    ids = np.repeat(np.arange(subjects), rng.choice(SIZES, subjects))
    n = ids.size
    one = (np.arange(subjects) % 2 == 0)[ids]
    label = {"both": rng.random(n) < 0.5, "rare": rng.random(n) < 0.2, "one": one}[classes]
    shift = math.sqrt(2) * float(ndtri(area))
    effect = rng.normal(size=subjects)[ids]
    made = {
        f"s{at}": math.sqrt(alike) * effect + math.sqrt(1 - alike) * rng.normal(size=n) + label * shift
        for at in range(scores)
    }
    return Cases(label=label, scores=made, ids=ids, direction=dict.fromkeys(made, "higher"))


def designs(areas: tuple[float, ...]) -> Iterator[tuple[int, str, float, float]]:
    return itertools.product((8, 15, 30, 60), ("both", "rare", "one"), areas, (0.2, 0.6))


def told(title: str, rows: Hits) -> None:
    """Worst, 5th percentile, median and best coverage over all designs, by method."""
    print(f"\n{title}: {len(next(iter(rows.values())))} designs")
    print("method                                     worst   5%     median  best")
    for name, values in rows.items():
        found = [min(values), float(np.quantile(values, 0.05)), float(np.median(values)), max(values)]
        print(f"{name:40s} {'  '.join(f'{one:.3f}' for one in found)}")


def over(count: int, areas: tuple[float, ...], judge: Callable[..., dict[str, bool]], scores: int = 1) -> Hits:
    rows: Hits = defaultdict(list)
    for number, (subjects, classes, area, alike) in enumerate(designs(areas)):
        rng = np.random.default_rng([number, subjects])
        hits: dict[str, list[bool]] = defaultdict(list)
        while len(next(iter(hits.values()), [])) < count:
            cases = draw(rng, subjects, alike, area, classes, scores)
            try:
                found = judge(cases, area, rng)
            except InputError:  # too few subjects of a class
                continue
            for name, held in found.items():
                hits[name].append(held)
        for name, values in hits.items():
            rows[name].append(float(np.mean(values)))
    return rows


def areas(cases: Cases, area: float, _: np.random.Generator) -> dict[str, bool]:
    asked = {"level": 0.95, "side": "two-sided"}
    known = covariance_of_clusters(cases, AUC)
    value, se = float(known.areas[0]), math.sqrt(max(float(known.matrix[0, 0]), 0.0))
    z = area_interval(value, se, level=0.95, pairs=min(known.parts[0][2:]), name="z")
    return {
        "AUC, ignoring subjects": area in rl.auc(replace(cases, ids=None)).interval,
        "AUC, logit, normal": area in z,
        "AUC, logit, t with K - 1 df": area in clustered_estimate(cases, AUC, interval="logit", **asked).interval,
        "AUC, score on effective sizes, t (default)": area
        in clustered_estimate(cases, AUC, interval="auto", **asked).interval,
        "test of the true area at 5% (1 - size)": clustered_area_test(cases, AUC, null=area).p_value >= 0.05,
    }


def partial(cases: Cases, area: float, _: np.random.Generator) -> dict[str, bool]:
    part = area_of_region(fpr=(0.0, 0.3), tpr=None, standardize="none")
    grid = (np.arange(2000) + 0.5) / 2000 * 0.3
    truth = 0.3 * float(np.mean(ndtr(math.sqrt(2) * ndtri(area) + ndtri(grid))))
    found = clustered_estimate(cases, part, level=0.95, interval="auto", side="two-sided")
    return {"partial AUC to FPR 0.3, logit t": truth in found.interval}


def metrics(cases: Cases, area: float, _: np.random.Generator) -> dict[str, bool]:
    cut = 0.7
    tpr, fpr = float(ndtr(math.sqrt(2) * ndtri(area) - cut)), float(ndtr(-cut))
    truth = {"tpr": tpr, "tnr": 1 - fpr, "lr_plus": tpr / fpr, "lr_minus": (1 - tpr) / (1 - fpr),
             "dor": tpr / (1 - tpr) * (1 - fpr) / fpr, "youden_j": tpr - fpr}  # fmt: skip
    out = {}
    for name, one in (("", rl.roc(cases)), (", ignoring subjects", rl.roc(replace(cases, ids=None)))):
        found = one.metrics(cut).intervals
        out |= {f"{metric}{name}": value in found[metric] for metric, value in truth.items()}
    matrix = rl.roc(cases).confusion(cut)
    worth = effect_on(matrix.subjects.table(), "tnr", lambda c: c[..., 3] / (c[..., 1] + c[..., 3]))
    n, share = worth.cases / worth.effect, matrix.tn / worth.cases
    out["tnr, effective counts, normal"] = truth["tnr"] in proportion_interval(share * n, n)
    se = math.sqrt(share * (1 - share) / n)
    logit = area_interval(share, se, level=0.95, pairs=worth.subjects, name="", df=worth.df)
    out["tnr, logit t"] = truth["tnr"] in logit
    return out


def rates(cases: Cases, area: float, rng: np.random.Generator) -> dict[str, bool]:
    truth = float(ndtr(math.sqrt(2) * ndtri(area) - ndtri(0.8)))
    drawn = {"resampling": 300, "rng": rng}
    r, alone = rl.roc(cases), rl.roc(replace(cases, ids=None))
    whole = r.band(kind="simultaneous", points=51, **drawn)
    height = ndtr(math.sqrt(2) * ndtri(area) + ndtri(np.clip(whole.fpr, 1e-12, 1 - 1e-12)))
    inner = slice(1, -1)
    return {
        "sensitivity at specificity 0.8, subjects drawn": truth in r.rate_at(specificity=0.8, **drawn).interval,
        "sensitivity at specificity 0.8, ignoring": truth in alone.rate_at(specificity=0.8).interval,
        "threshold for FPR 0.2, subjects drawn": float(ndtri(0.8)) in r.threshold_interval(fpr=0.2, **drawn).interval,
        "simultaneous band, subjects drawn": bool(
            np.all((whole.low[inner] <= height[inner]) & (height[inner] <= whole.high[inner]))
        ),
    }  # fmt: skip


def differences(cases: Cases, _: float, __: np.random.Generator) -> dict[str, bool]:
    found = rl.compare(cases)
    folded = rl.compare(replace(cases, folds=np.arange(len(cases)) % 2)) if len(cases) > 60 else found
    return {
        "difference of AUCs": 0.0 in found.pairs[0].interval,
        "difference of AUCs, mean of 2 folds": 0.0 in folded.pairs[0].interval,
    }


def ranks(cases: Cases, _: float, __: np.random.Generator) -> dict[str, bool]:
    score = cases.scores["s0"]
    number = np.unique(cases.ids, return_inverse=True)[1]
    alone = rl.ranks.mann_whitney(replace(cases, ids=None), p_value="normal")
    t, p = clustered_rank_sum(score, cases.label, number, int(number.max()) + 1)
    return {
        "Datta-Satten, t, 5% (1 - size)": p >= 0.05,
        "Datta-Satten, normal (1 - size)": 2 * norm.sf(abs(t)) >= 0.05,
        "Mann-Whitney, ignoring (1 - size)": alone.p_value >= 0.05,
    }  # fmt: skip


def predictions(cases: Cases, area: float, _: np.random.Generator) -> dict[str, bool]:
    """Slope of a logistic regression on one score whose true log odds are linear in it, and of calibration."""
    shift = math.sqrt(2) * float(ndtri(area))
    number = np.unique(cases.ids, return_inverse=True)[1]
    count = int(number.max()) + 1
    out = {}
    for name, subject in (("", (number, count)), (", ignoring subjects", None)):
        fit = fit_logistic({"s": cases.scores["s0"]}, cases.label, subject=subject)
        row = fit.rows()[1]
        out[f"logistic slope{name}"] = row["95% low"] <= math.exp(shift) <= row["95% high"]
    return out


PARTS: dict[str, tuple[Callable[..., dict[str, bool]], tuple[float, ...], int, int]] = {
    "areas": (areas, (0.7, 0.9, 0.97), 1, 1),
    "partial": (partial, (0.7, 0.9), 1, 1),
    "metrics": (metrics, (0.7, 0.9), 1, 1),
    "differences": (differences, (0.7, 0.9), 2, 1),
    "ranks": (ranks, (0.5,), 1, 1),
    "predictions": (predictions, (0.7, 0.85), 1, 1),
    "rates": (rates, (0.75, 0.92), 1, 4),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=800)
    parser.add_argument("--only", choices=tuple(PARTS))
    asked = parser.parse_args()
    for name, (judge, truths, scores, slower) in PARTS.items():
        if asked.only in (None, name):
            told(name, over(max(asked.samples // slower, 50), truths, judge, scores))


if __name__ == "__main__":
    main()
