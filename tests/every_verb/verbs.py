"""Every verb with the smallest call that works: the table behind the batteries of this folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import roclab as rl
from tests.public import public

rng = np.random.default_rng(7)
Y = np.tile([0, 1, 1, 0], 10)
S = np.round(rng.normal(size=40) + Y, 2)
T = np.round(rng.normal(size=40) + 0.5 * Y, 2)
P = np.round(1 / (1 + np.exp(-S)), 3)  # predicted probabilities
FOLD = np.repeat(["one", "two"], 20)
CALLED = (S > 0.5).astype(int)
CALLED_TOO = (T > 0.3).astype(int)
CLASSES = np.tile(["x", "y", "z", "x"], 10)
CHANCES = rng.dirichlet([1, 1, 1], 40)


@dataclass(frozen=True)
class Verb:
    """A verb that takes labels and scores: how they are given, and what else it needs."""

    scores: Any = field(default_factory=lambda: S)  # an array, or a mapping of names to arrays
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def columns(self):
        """The scores by name."""
        return self.scores if isinstance(self.scores, dict) else {"score": self.scores}


TABLE = {"y": Y, "s": S, "fold": FOLD}
PUBLISHED = tuple(
    rl.PublishedArea(name=name, area=area, standard_error=0.05) for name, area in (("a", 0.8), ("b", 0.7))
)
BOTH = {"a": S, "b": T}
_PLACES = {name: np.arange(8.0) * 20 for name in ("coordX", "coordY", "coordZ")}
MARKS = {"seriesuid": np.repeat(["p", "q"], 4), **_PLACES, "probability": S[:8]}
LESIONS = {"seriesuid": ["p", "q"], "coordX": [1.0, 81.0], "coordY": [0.0, 80.0], "coordZ": [0.0, 80.0],
           "diameter_mm": [8.0, 8.0]}  # fmt: skip
QUICK = {"resampling": 20, "rng": 1}

# Verbs that take labels and scores of cases, in any shape.
OF_SCORES = {
    "auc": Verb(),
    "bench_of_scores": Verb(BOTH),
    "best_classifier": Verb(BOTH, {"prevalence": 0.3}),
    "build_report": Verb(S, QUICK),
    "compare": Verb(BOTH),
    "compare_classifier_costs": Verb(BOTH),
    "compare_curves": Verb(BOTH, QUICK),
    "cutoff": Verb(),
    "cutoff_stability": Verb(S, QUICK),
    "cutoff_table": Verb(),
    "grey_zone": Verb(S, {"rule_out": {"sensitivity": 0.8}, "rule_in": {"specificity": 0.8}}),
    "h_measures": Verb(BOTH),
    "hull": Verb(BOTH),
    "hull_ranges": Verb(BOTH, {"slopes": (0.5, 2.0)}),
    "hybrid": Verb(BOTH, {"fpr": 0.2}),
    "lc_index": Verb(BOTH, {"prevalence": 0.3, "shares": (0.2, 0.5, 0.8)}),
    "logistic": Verb(BOTH),
    "recalibrate": Verb(),
    "update_model": Verb({"p": np.clip(P, 0.01, 0.99)}, {"rng": 1}),
    "mann_whitney": Verb(),
    "net_benefit": Verb({"p": P}),
    "compare_predictions": Verb({"p": P, "q": P**2}, {"probabilities": [0.2]}),
    "read_cases": Verb(BOTH),
    "roc": Verb(),
    "screen": Verb(BOTH, {"workers": 1}),
    "smirnov": Verb(),
    "smooth_cutoff": Verb(),
    "tally": Verb(BOTH),
    "selective": Verb(S, {"threshold": 0.5}),
    "ties": Verb(BOTH),
    "dominance": Verb(BOTH),
    "pareto_front": Verb(BOTH),
    "plan_from_pilot": Verb(options={"power": 0.9}),
    "hull_contribution": Verb(BOTH, {"add": "b"}),
}

# The others: a call without arguments, and which of its keywords may be changed.
OTHERS: dict[str, tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = {
    "average": (rl.average, (Y, S), {"folds": FOLD}),
    "bench": (rl.bench, (Y, BOTH), {"models": ["ldc"], "folds": 2, "rng": 1, "workers": 1}),
    "cdf_band": (rl.ranks.cdf_band, (S,), {}),
    "chain": (rl.classifiers.chain, (Y, {"a": CALLED, "b": CALLED_TOO}), {"max_fpr": 0.5}),
    "combine": (rl.classifiers.combine, (Y, {"a": CALLED, "b": CALLED_TOO}), {"operation": "and"}),
    "compare_groups": (rl.compare_groups, (TABLE,), {"label": "y", "score": "s", "group": "fold"}),
    "compare_multiclass": (rl.compare_multiclass, (CLASSES, {"a": CHANCES, "b": CHANCES[::-1]}), QUICK),
    "compare_published": (rl.compare_published, PUBLISHED, {}),
    "concordance": (rl.concordance, (S,), {"time": np.arange(len(S)) % 7 + 1, "event": Y, "estimator": "harrell"}),
    "confusion": (rl.confusion, (Y, S), {"threshold": 0.5}),
    "froc": (rl.imaging.froc, (MARKS, LESIONS), {"resampling": 20, "rng": 1}),
    "interpolate": (rl.classifiers.interpolate, ((0.1, 0.4), (0.5, 0.8)), {"fpr": 0.3}),
    "kolmogorov": (rl.ranks.kolmogorov, (P, lambda x: x), {}),
    "kruskal_wallis": (rl.ranks.kruskal_wallis, ([S, T],), {}),
    "smirnov_of_groups": (rl.ranks.smirnov_of_groups, ([S, T],), {"permutations": 19, "rng": 1}),
    "multiclass": (rl.multiclass, (CLASSES, CHANCES), QUICK),
    "multiclass_confusion": (rl.multiclass_confusion, (CLASSES, CLASSES[::-1]), {}),
    "multilabel": (rl.multilabel, (np.column_stack([Y, 1 - Y]), np.column_stack([S, T])), {}),
    "plan_area_width": (rl.planning.plan_area_width, (), {"area": 0.8, "width": 0.1}),
    "shift_prevalence": (rl.shift_prevalence, ([0.1, 0.4, 0.7],), {"trained": 0.3, "prevalence": 0.1}),
    "plan_validation": (rl.planning.plan_validation, (), {"prevalence": 0.2, "c": 0.8}),
    "plan_rate_widths": (rl.planning.plan_rate_widths, (), {"sensitivity": 0.9, "width": 0.1}),
    "plan_one_area": (rl.planning.plan_one_area, (), {"area": 0.8, "power": 0.9}),
    "plan_two_areas": (rl.planning.plan_two_areas, (), {"area": 0.8, "other": 0.7, "power": 0.9}),
    "curve_of_densities": (rl.curve_of_densities, (([0, 1, 2], [0, 1, 0]), ([-1, 0, 1], [0, 1, 0])), {}),
    "exponential_curve": (rl.exponential_curve, (3, 0.5), {}),
    "mrmc": (rl.readers.mrmc, ("readings",), {}),
    "sample_size": (rl.readers.sample_size, ("low_reader_high_case",), {"difference": 0.05, "auc": 0.8}),
    "simulate": (rl.readers.simulate, (), {"rng": 1}),
    "read_classes": (rl.read_classes, (CLASSES, CHANCES), {}),
    "read_samples": (rl.read_samples, (P, S), {}),
    "doctor": (rl.doctor, ({"y": Y, "a": S},), {}),
    "read_columns": (rl.read_columns, ({"a": S, "b": T},), {}),
    "read_points": (rl.read_points, ({"f": [0.1, 0.4], "t": [0.3, 0.8]},), {"fpr": "f", "tpr": "t"}),
}
# write_report is build_report with a file, explore with a widget, and both are tested with it; what takes images is
# tested in tests/imaging.
ELSEWHERE = {
    "cad_apply", "cad_stages", "cad_train", "choose_beta", "dce_apply", "dce_cases", "dce_evaluate", "dce_figure",
    "dce_learning_curve", "dce_leave_one_out", "dce_mask", "dce_montage", "dce_motion", "dce_series",
    "dce_subtraction", "dce_train", "explore", "fuzzy_cmeans", "iso_lines", "match_clusters", "merge", "nodules",
    "penalty_surface", "phantom", "phantom_breast", "phantom_chest", "read_annotations", "read_cad_model",
    "read_clusters",
    "read_dce_model", "read_lungs", "read_marks",
    "read_design", "read_volume", "reproduce", "robust_cmeans", "run_study", "segment", "segment_lungs",
    "table_design", "write_cad_model", "write_clusters", "write_dce_model", "write_dicom", "write_dicom_rtstruct",
    "write_dicom_seg", "write_dicom_sr", "write_report", "write_viewer", "write_volume",
}  # fmt: skip


def call(name, y=Y, columns=..., **changed):
    """The smallest call of a verb of scores, with some of it changed."""
    verb = OF_SCORES[name]
    scores = verb.scores if columns is ... else columns
    return public(name)(y, scores, **{**verb.options, **changed})


def every_call():
    """Name, function, arguments and keywords of every verb."""
    for name, verb in OF_SCORES.items():
        yield name, public(name), (Y, verb.scores), verb.options
    for name, (function, arguments, options) in OTHERS.items():
        yield name, function, arguments, options
