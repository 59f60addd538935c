"""Formulas that the texts give without data, run on made-up samples; the values beside ours come from other code."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from roclab.areas.empirical import auc
from roclab.averaging.pooled import pooled_average
from roclab.curves.roc import RocCurve, roc_curve
from roclab.data.cases import Cases
from roclab.data.classes import class_scores
from roclab.data.tally import Tally
from roclab.decisions.confusion import ConfusionMatrix
from roclab.decisions.hull_table import hull_table
from roclab.decisions.lc_index import lc_index
from roclab.inference.comparison.covariance import covariance_of_cases
from roclab.inference.comparison.published import hanley_mcneil_1983
from roclab.inference.one_area.area import area_of_method
from roclab.many_classes.averages import multiclass_areas
from roclab.many_classes.result import MulticlassAreas
from roclab.models.logistic import LogisticFit, fit_logistic
from roclab.rank_tests.kruskal_wallis import kruskal_wallis
from roclab.rank_tests.mann_whitney import mann_whitney
from roclab.smooth.box_cox import fit_box_cox
from roclab.smooth.exponential import fit_exponential_points
from roclab.studies.catalogue.shared import printed_json, reference
from roclab.studies.estimators import estimate_one
from roclab.studies.verdicts import PrintedExample

__all__ = ["examples"]


def _given(name: str) -> Any:
    return printed_json("made_up.json")[name]


def _tally(sample: Any) -> Tally:
    return Tally.from_labels(np.array(sample["labels"], bool), np.array(sample["scores"], float))


def _pair() -> Cases:
    given = _given("paired_a")
    names = ("marker1", "marker2")
    return Cases(
        label=np.array(given["labels"], bool),
        scores={name: np.array(given[name], float) for name in names},
        direction=dict.fromkeys(names, "higher"),
    )


def _estimate(name: str, estimator: str) -> float:
    given = _given(name)
    return estimate_one(estimator, np.array(given["x"], float), np.array(given["y"], float))[0]


def _classes() -> MulticlassAreas:
    given = _given("multiclass_3")
    return multiclass_areas(class_scores(given["labels"], np.array(given["probs"], float)))


def _folds() -> list[Tally]:
    return [_tally(fold) for fold in _given("averaging_a")["folds"]]


def _pooled() -> float:
    return pooled_average(_folds(), names=["1", "2", "3", "4"]).area_of_average


def _logistic() -> LogisticFit:
    given = _given("logistic_a")
    return fit_logistic(np.array(given["X"], float)[:, 1:], np.array(given["y"], bool))


def _lc() -> float:
    given = _given("lc_index_a")
    curves: list[RocCurve] = [roc_curve(_tally(given[name])) for name in ("classifier1", "classifier2")]
    return lc_index(
        *curves, prevalence=given["p_pos"], interval=tuple(given["interval"]), mode=given["mode"], names=("1", "2")
    ).index


def _exponential() -> tuple[float, float, float]:
    points = np.array(_given("exponential_points")["points_C"], float)
    fit = fit_exponential_points(points[:, 0], points[:, 1])
    return fit.E, fit.R, fit.area


def _hull() -> str:
    classifiers = {
        name: [tuple(p) for p in points] for name, points in _given("hull_table_4_classifiers")["classifiers"].items()
    }
    rows = hull_table(classifiers).rows()
    return "; ".join(f"{row['method']} {row['min slope']:.4g} to {row['max slope']:.4g}" for row in rows)


def _smooth() -> list[PrintedExample]:
    printed = {
        "smooth_normal": {"MW": 0.741667, "N": 0.754175, "NT": 0.754993, "K1": 0.729047, "K1T": 0.729633}
        | {"K2": 0.732248, "K2T": 0.731885},
        "smooth_lognormal": {"N": 0.861443, "NT": 0.879830, "K2": 0.854327},
        "rc_continuous_a": {"RC": 0.89195},
    }
    where = {
        "smooth_normal": "Greek chapter 3, 20 and 20 normal scores",
        "smooth_lognormal": "Greek chapter 3, log-normal scores",
        "rc_continuous_a": "Greek chapter 3, 14 and 16 scores",
    }
    return [
        reference(where[name], estimator, value, partial(_estimate, name, estimator), 5 if estimator == "RC" else 6)
        for name, values in printed.items()
        for estimator, value in values.items()
    ]


def _lambda() -> float:
    given = _given("smooth_normal")
    return fit_box_cox(Tally.from_samples(np.array(given["x"], float), np.array(given["y"], float))).power


def examples(data: Path | None) -> list[PrintedExample]:
    """All formulas; none needs outside data."""
    x11 = ConfusionMatrix(tp=4231, fp=632, fn=3077, tn=2394)
    paired, classes, folds = (
        "Russian and English texts, paired markers",
        "Greek 2.8.4-2.8.5, 24 cases",
        "Greek 2.7, 4 folds",
    )
    return [
        *(
            reference("Greek 4.3, matrix of X11", words, value, partial(x11.metrics().__getitem__, name), 6)
            for name, words, value in (
                ("tpr", "sensitivity", 0.578955),
                ("fpr", "false positive rate", 0.208857),
                ("accuracy", "accuracy", 0.641088),
                ("f1", "F1", 0.695259),
            )
        ),
        reference("Greek 1.2, no ties", "exact p", 0.082251, lambda: _mann_whitney("wmw_no_ties", "exact"), 6),
        reference("Greek 1.2, with ties", "exact p", 0.077922, lambda: _mann_whitney("wmw_ties", "exact"), 6),
        reference("Greek 1.2, with ties", "tie-corrected p", 0.048120, lambda: _mann_whitney("wmw_ties", "normal"), 6),
        reference(
            "Greek 1.3, three groups",
            "p of Kruskal and Wallis",
            0.019199,
            lambda: kruskal_wallis(_given("kruskal_a")["groups"]).p_value,
            6,
        ),
        reference(
            paired,
            "both areas",
            (0.783279, 0.756494),
            lambda: covariance_of_cases(_pair(), area_of_method("empirical")).areas,
            6,
        ),
        reference(
            paired,
            "correlation of the areas (Hanley and McNeil 1983)",
            0.541935,
            lambda: hanley_mcneil_1983(_pair(), "marker1", "marker2")[1],
            6,
        ),
        reference(
            paired,
            "z (Hanley and McNeil 1983)",
            0.404092,
            lambda: hanley_mcneil_1983(_pair(), "marker1", "marker2")[0].statistic,
            6,
        ),
        reference(
            folds,
            "areas of the folds",
            (0.84375, 0.885417, 0.697917, 0.604167),
            lambda: [auc(one) for one in _folds()],
            6,
        ),
        reference(folds, "pooled area", 0.772135, _pooled, 6),
        reference(
            classes,
            "class areas",
            (0.842593, 0.890625, 0.864286),
            lambda: [one.area for one in _classes().classes.values()],
            6,
        ),
        *(
            reference(classes, words, value, partial(lambda name: _classes().averages[name].area, name), 6)
            for name, words, value in (
                ("weighted", "Provost and Domingos", 0.867642),
                ("macro", "macro average", 0.865834),
                ("micro", "micro average", 0.871962),
                ("hand_till", "Hand and Till's M", 0.869097),
            )
        ),
        reference("Greek 2.9.3, two classifiers", "LC index", -0.459821, _lc, 6),
        reference(
            "Italian 4.3.4, four classifiers",
            "ranges of slopes",
            "AllPos 0 to 0.004; rbnc 0.004 to 0.2975; loglc 0.2975 to 8; ldc 8 to inf",
            _hull,
        ),
        *_smooth(),
        reference("Greek chapter 3, 20 and 20 normal scores", "lambda", 1.328514, _lambda, 6),
        reference("Greek 3.3.4, six points", "E, R and area", (4.240747, 0.490895, 0.809188), _exponential, 6),
        reference(
            "Russian text, 30 cases",
            "logistic coefficients",
            (-0.243228, 0.776923, -0.869251),
            lambda: _logistic().coefficients,
            6,
        ),
        reference(
            "Russian text, 30 cases",
            "their standard errors",
            (0.436279, 0.505468, 0.566741),
            lambda: _logistic().standard_errors,
            6,
        ),
        reference("Russian text, 30 cases", "log-likelihood", -16.259575, lambda: _logistic().log_likelihood, 6),
    ]


def _mann_whitney(name: str, method: Any) -> float:
    given = _given(name)
    return mann_whitney(given["x"], given["y"], method=method).p_value
