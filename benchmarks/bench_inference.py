"""DeLong, covariances and the bootstrap beside pROC and a scikit-learn loop."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score

import roclab as rl
from measure import best_of_each, seconds_in_r
from roclab.inference.comparison.covariance import class_rows, covariance_of_cases, scaled_influence
from roclab.inference.one_area.area import area_of_method
from roclab.inference.one_area.influence import influence_of_auc

AUC = area_of_method("empirical")


def rows() -> list[dict[str, Any]]:
    return [_delong(), *_compare(), *_covariance(), *_bootstrap(), *_rates()]


def _row(what: str, ours: float, peer: str, theirs: float | None, target: float | None) -> dict[str, Any]:
    ratio = None if theirs is None else theirs / ours
    return {"what": what, "ms": 1e3 * ours, "peer": peer, "peer / ours": ratio, "target": target}


def _delong() -> dict[str, Any]:
    rng = np.random.default_rng(0)
    y = rng.random(10**6) < 0.3
    s = rng.normal(size=10**6) + y
    bare, whole = best_of_each([lambda: rl.auc(y, s, interval=None), lambda: rl.auc(y, s)], seconds=3)
    return _row("AUC with DeLong interval, n = 1e6", whole, "AUC alone (at least 1 / 1.5)", bare, 1 / 1.5)


def _compare() -> list[dict[str, Any]]:
    """Ten scores compared with one sort each, beside the same work with the cases placed by a second sort."""
    rng = np.random.default_rng(0)
    out = []
    for n in (10**5, 10**6):
        y = rng.random(n) < 0.3
        cases = rl.read_cases(y, {f"s{k}": rng.normal(size=n) + y for k in range(10)})
        one, two = best_of_each([lambda c=cases: rl.compare(c), lambda c=cases: _compared_with_two_sorts(c)], seconds=6)
        out.append(_row(f"comparison of 10 scores, n = {n:.0e}", one, "a second sort places the cases", two, 1.4))
    return out


def _compared_with_two_sorts(cases: Any) -> Any:
    """Counting and placing apart, as it was done before one ranking gave both."""
    columns, values = [], []
    rows = class_rows(cases.label)
    for name in cases.names:
        tally = cases.tally(name)
        score = cases.oriented(name)
        order = np.argsort(score)[::-1]
        ordered = score[order]
        step = np.empty(ordered.size, np.int64)
        step[0] = 0
        step[1:] = ordered[1:] != ordered[:-1]
        np.cumsum(step, out=step)
        place = np.empty_like(step)
        place[order] = step
        influence = influence_of_auc(tally)
        spread = np.where(cases.label, influence.pos[place], influence.neg[place])
        columns.append(scaled_influence(spread, rows, None, False))
        values.append(AUC.estimate(tally))
    matrix = [[float(np.sum(a * b)) for b in columns] for a in columns]
    return values, matrix


def _covariance() -> list[dict[str, Any]]:
    rng = np.random.default_rng(0)
    n = 10**5
    y = rng.random(n) < 0.3
    scores = {f"s{k}": rng.normal(size=n) + y for k in range(10)}
    ours = best_of_each([lambda: covariance_of_cases(rl.read_cases(y, scores), AUC)])[0]
    setup = f"""
    set.seed(1); n <- {n}; y <- rbinom(n, 1, 0.3); s <- rnorm(n) + y; t <- rnorm(n) + y
    curve <- function(x) roc(y, x, levels = c(0, 1), direction = "<")
    """
    ready = setup + "a <- curve(s); b <- curve(t)"
    whole = seconds_in_r(setup, "cov(curve(s), curve(t))", repeats=5)
    only = seconds_in_r(ready, "cov(a, b)", repeats=5)
    what = "covariance of 10 scores from arrays, n = 1e5"
    return [
        _row(what, ours, "pROC, one pair from vectors", whole, 1.0),
        _row(what, ours, "pROC, one pair, its roc objects given", only, None),
    ]


def _bootstrap() -> list[dict[str, Any]]:
    rng = np.random.default_rng(0)
    n = 10**4
    y = rng.random(n) < 0.3
    s = rng.normal(size=n) + y
    ours = best_of_each([lambda: rl.auc(y, s, interval="percentile", rng=1)])[0]
    pos, neg = np.flatnonzero(y), np.flatnonzero(~y)

    def one() -> float:
        rows = np.concatenate([rng.choice(pos, pos.size), rng.choice(neg, neg.size)])
        return float(roc_auc_score(y[rows], s[rows]))

    # A hundred replicates are enough to know what two thousand take.
    loop = 20 * best_of_each([lambda: [one() for _ in range(100)]])[0]
    setup = (
        f'set.seed(1); n <- {n}; y <- rbinom(n, 1, 0.3); r <- roc(y, rnorm(n) + y, levels = c(0, 1), direction = "<")'
    )
    call = 'ci.auc(r, method = "bootstrap", boot.n = 200, progress = "none")'
    theirs = seconds_in_r(setup, call, repeats=1)
    what = "2000 bootstrap replicates, n = 1e4"
    return [
        _row(what, ours, "scikit-learn loop", loop, 40.0),
        _row(what, ours, "pROC ci.auc (10 x 200 replicates)", None if theirs is None else 10 * theirs, 40.0),
    ]


def _rates() -> list[dict[str, Any]]:
    """The sensitivity at a specificity and the pointwise band, which pROC resamples."""
    rng = np.random.default_rng(0)
    n = 10**3
    y = rng.random(n) < 0.3
    curve = rl.roc(y, rng.normal(size=n) + y)
    rate, band = best_of_each([lambda: curve.rate_at(specificity=0.9), lambda: curve.band()])
    setup = (
        f'set.seed(1); n <- {n}; y <- rbinom(n, 1, 0.3); r <- roc(y, rnorm(n) + y, levels = c(0, 1), direction = "<")'
    )
    theirs = [
        seconds_in_r(setup, f'ci.se(r, specificities = {places}, boot.n = 2000, progress = "none")', repeats=1)
        for places in ("0.9", "seq(0, 1, 0.01)")
    ]
    return [
        _row(what, ours, "pROC ci.se, 2000 replicates", peer, None)
        for what, ours, peer in (
            ("sensitivity at a specificity, n = 1e3", rate, theirs[0]),
            ("pointwise band of 101 points, n = 1e3", band, theirs[1]),
        )
    ]
