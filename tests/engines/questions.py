"""Every question of the table of engines, asked of any data: numbers to compare, and what the answer says."""

from __future__ import annotations

import numpy as np
import polars as pl

import roclab as rl
from roclab.errors import InputError, UnknownKeywordError

__all__ = ["ASK", "asked_of", "cases", "numbers"]

LABEL = {"label": "y"}


def cases(n=400, seed=11):
    """Cases with two scores and two probabilities that never repeat, weights, subjects and groups."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.4).astype(int)
    fine = rng.normal(size=n) + y
    return pl.DataFrame(
        {
            "y": y,
            "s": fine,
            "t": rng.normal(size=n) + 0.7 * y,
            "p": 1 / (1 + np.exp(0.5 - fine)),
            "w": rng.integers(1, 4, n),
            "v": rng.gamma(2, size=n),
            "id": np.arange(n) // 2,
            "m": np.arange(n) // 8 % 50,
            "g": rng.choice(["north", "south"], n),
            "k": rng.choice(["k1", "k2", "k3"], n),
            **dict(zip(("k1", "k2", "k3"), rng.dirichlet([1, 1, 1], n).T, strict=True)),
        }
    )


def _area(**more):
    def ask(data, **engine):
        found = rl.auc(data, score="s", **LABEL, **more, **engine)
        return found, [found.area, found.standard_error, *found.interval]

    return ask


def _pairs(**more):
    def ask(data, **engine):
        found = rl.compare(data, score=["s", "t"], **LABEL, **more, **engine)
        return found, [found.pairs[0].difference, found.pairs[0].p_value]

    return ask


def _roc(data, **engine):
    found = rl.roc(data, score="s", **LABEL, **engine)
    area = found.auc()
    return found, [area.area, area.standard_error, *area.interval]


def _rate_at(data, **engine):
    found = rl.roc(data, score="s", **LABEL, **engine).rate_at(specificity=0.8)
    return found, [found.rate, *found.interval]


def _average_precision(data, **engine):
    found = rl.auc(data, score="s", estimator="average_precision", **LABEL, **engine)
    return found, [found.area]


def _bootstrap(data, **engine):
    found = rl.auc(data, score="s", variance="bootstrap", resampling=200, rng=1, **LABEL, **engine)
    return found, [found.area, *found.interval]


def _weighted(weight):
    def ask(data, **engine):
        asked = {"score": "s", "sample_weight": weight, **LABEL, **engine}
        found, matrix = rl.auc(data, **asked), rl.confusion(data, threshold=0.25, **asked)
        return found, [found.area, found.standard_error, *found.interval, matrix.tp, matrix.fp]

    return ask


def _by_id(data, **engine):
    drawn = {"resampling": rl.Resampling(replicates=100, scheme="poisson"), "rng": 1, "score": ["s", "t"], **LABEL}
    found = rl.compare(data, variance="clustered_bootstrap", ids="id", **drawn, **engine)
    return found, [found.pairs[0].difference, found.pairs[0].standard_error, *found.pairs[0].interval]


def _cutoff(data, **engine):
    found = rl.cutoff(data, score="s", **LABEL, **engine)
    return found, [found.threshold, found.best.value]


def _confusion(data, **engine):
    found = rl.confusion(data, score="s", threshold=0.25, **LABEL, **engine)
    return found, [found.tp, found.fp, found.fn, found.tn]


def _screen(data, **engine):
    found = rl.screen(data, score=["s", "t"], **LABEL, **engine)
    return found, [value for one in found.markers for value in (one.area, one.p_value)]


def _by(data, **engine):
    found = rl.auc(data, score="s", by="g", **LABEL, **engine)
    compared = rl.compare(data, score=["s", "t"], by="g", **LABEL, **engine)
    return found, [found["north"].area, found["south"].standard_error, compared["north"].pairs[0].p_value]


def _many_groups(data, **engine):
    found = rl.auc(data, score="s", by="m", **LABEL, **engine)
    return found, [found.heterogeneity.p_value, *np.nan_to_num(found.area), *np.nan_to_num(found.standard_error)]


def _ids(data, **engine):
    found = rl.auc(data, score="s", ids="id", **LABEL, **engine)
    pair = rl.compare(data, score=["s", "t"], ids="id", **LABEL, **engine).pairs[0]
    return found, [found.area, found.standard_error, pair.p_value]


def _net_benefit(data, **engine):
    found = rl.net_benefit(data, score="p", probabilities=[0.1, 0.3, 0.5], **LABEL, **engine)
    return found, [float(one) for one in found.net_benefit["p"]]


def _calibration(data, **engine):
    found = rl.roc(data, score="p", **LABEL, **engine).calibration()
    return found, [found.brier, found.predicted, found.line.slope]


def _report(data, **engine):
    found = rl.build_report(data, score=["s", "t"], **LABEL, **engine)
    return found, [found.comparison.pairs[0].p_value] if found.comparison is not None else []


def _recalibrate(data, **engine):
    found = rl.recalibrate(data, score="p", **LABEL, **engine)
    return found, [*found.rows()[0].values(), found.calibration.brier]


def _logistic(data, **engine):
    found = rl.logistic(data, score=["s", "t"], **LABEL, **engine)
    return found, [*found.fit.coefficients, *found.fit.standard_errors, found.area.area, found.fit.log_likelihood]


def _whole(verb, **more):
    def ask(data, **engine):
        found = verb(data, **{**LABEL, **more, **engine})
        return found, []

    return ask


ASK = {
    "auc": _area(),
    "roc": _roc,
    "rate_at": _rate_at,
    "partial": _area(fpr=(0, 0.3)),
    "tauc": _area(estimator="tauc"),
    "average_precision": _average_precision,
    "bootstrap": _bootstrap,
    "compare": _pairs(),
    "compare_rates": _pairs(threshold={"s": 0.4, "t": 0.4}),
    "compare_at_rate": _pairs(at_specificity=0.8, resampling=200, rng=1),
    "compare_partial": _pairs(fpr=(0, 0.3)),
    "compare_bootstrap": _pairs(variance="bootstrap", resampling=200, rng=1),
    "compare_by_id": _by_id,
    "cutoff": _cutoff,
    "confusion": _confusion,
    "screen": _screen,
    "by": _by,
    "many_groups": _many_groups,
    "ids": _ids,
    "frequency": _weighted("w"),
    "importance": _weighted("v"),
    "compare_weighted": _pairs(sample_weight="w"),
    "net_benefit": _net_benefit,
    "calibration": _calibration,
    "multiclass": _whole(rl.multiclass, label="k", score=["k1", "k2", "k3"]),
    "report": _report,
    "recalibrate": _recalibrate,
    "logistic": _logistic,
    "ranks": _whole(rl.ranks.mann_whitney, score="s"),
    "selective": _whole(rl.selective, score="p"),
}


def numbers(question, data, **engine):
    """The numbers of an answer, and all that it says."""
    found, values = ASK[question](data, **engine)
    return [float(one) for one in values], str(found)


def asked_of(data, questions, **engine):
    """Answers by question: numbers and words, or the sentence that refuses."""
    out = {}
    for question in questions:
        try:
            values, words = numbers(question, data, **engine)
        except UnknownKeywordError:
            raise
        except InputError as error:
            values, words = None, str(error)
        out[question] = (values, words)
    return out
