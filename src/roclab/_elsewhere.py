"""Where a name is that is not in ``roclab`` itself: in a sub-module, or under the word of another program.

Looked up only when a name is missing; the text becomes the end of the AttributeError.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping

__all__ = ["elsewhere"]

_ROOMS = ("classifiers", "imaging", "planning", "ranks", "readers", "results", "studies")

_WORDS: Mapping[str, str] = {
    # scikit-learn
    "roc_auc_score": "write rl.auc(y_true, y_score), or import it from roclab.compat.sklearn",
    "roc_curve": "write rl.roc(y_true, y_score), which unpacks as fpr, tpr, thresholds",
    "precision_recall_curve": "write rl.roc(y_true, y_score).precision_recall()",
    "average_precision_score": 'write rl.auc(y_true, y_score, estimator="average_precision")',
    "average_precision": 'write rl.auc(y_true, y_score, estimator="average_precision")',
    "det_curve": "write rl.roc(y_true, y_score).det()",
    "confusion_matrix": "write rl.confusion(y_true, y_pred), or rl.confusion(y_true, y_score, threshold=…)",
    "classification_report": "write rl.confusion(y_true, y_pred).with_intervals()",
    "calibration_curve": "write rl.roc(y_true, y_prob).calibration()",
    "brier_score": "write rl.roc(y_true, y_prob).calibration().brier",
    "brier_score_loss": "write rl.roc(y_true, y_prob).calibration().brier",
    "accuracy_score": "write rl.confusion(y_true, y_pred).metrics()",
    "f1_score": "write rl.confusion(y_true, y_pred).metrics()",
    "matthews_corrcoef": "write rl.confusion(y_true, y_pred).metrics()",
    "cohen_kappa_score": "write rl.confusion(y_true, y_pred).metrics()",
    "RocCurveDisplay": "write rl.roc(y_true, y_score).plot(), or import it from roclab.compat.sklearn",
    "cross_val_score": "write rl.bench(X and y, models=[…]), which compares models on unseen cases",
    # pROC, ROCR and their like
    "roc_test": "write rl.compare(y_true, {'a': a, 'b': b})",
    "delong_test": "write rl.compare(y_true, {'a': a, 'b': b}, test='normal')",
    "delong": "write rl.compare(y_true, {'a': a, 'b': b}, test='normal')",
    "delong_roc_test": "write rl.compare(y_true, {'a': a, 'b': b}, test='normal')",
    "delong_roc_variance": "write rl.auc(y_true, y_score).standard_error",
    "ci": "write rl.auc(y_true, y_score).interval",
    "ci_auc": "write rl.auc(y_true, y_score).interval",
    "ci_se": "write rl.roc(y_true, y_score).rate_at(specificity=…)",
    "ci_sp": "write rl.roc(y_true, y_score).rate_at(sensitivity=…)",
    "ci_thresholds": 'write rl.roc(y_true, y_score).band(kind="thresholds")',
    "coords": "write rl.roc(y_true, y_score).at(…), or .coordinates() for all of them",
    "power_roc_test": "write rl.planning.plan_two_areas(…), or plan_one_area(…)",
    "smooth": "write rl.roc(y_true, y_score).smooth()",
    "prediction": "write rl.read_cases(y_true, y_score)",
    "performance": "write rl.roc(y_true, y_score), and ask it",
    "multiclass_roc": "write rl.multiclass(y_true, scores)",
    "partial_auc": "write rl.auc(y_true, y_score, fpr=(0, 0.1))",
    "pauc": "write rl.auc(y_true, y_score, fpr=(0, 0.1))",
    "youden": 'write rl.cutoff(y_true, y_score, criterion="youden")',
    "optimal_cutpoint": "write rl.cutoff(y_true, y_score, criterion=…)",
    "cutpointr": "write rl.cutoff(y_true, y_score, criterion=…)",
    "optimal_threshold": "write rl.cutoff(y_true, y_score, criterion=…)",
    "threshold": "write rl.cutoff(y_true, y_score, criterion=…)",
    "bootstrap": 'write rl.auc(y_true, y_score, interval="bca", rng=1)',
    "sensitivity": "write rl.confusion(y_true, y_score, threshold=…).metrics()",
    "specificity": "write rl.confusion(y_true, y_score, threshold=…).metrics()",
    # decisions, readers, planning
    "decision_curve": "write rl.net_benefit(y_true, {'model': y_prob})",
    "dca": "write rl.net_benefit(y_true, {'model': y_prob})",
    "sample_size": "write rl.planning.plan_one_area(…), or rl.readers.sample_size(…) for reader studies",
    "power": "write rl.planning.plan_one_area(…), or plan_two_areas(…)",
    "mrmc": "write rl.readers.mrmc(data)",
    "mann_whitney_u": "write rl.ranks.mann_whitney(y_true, y_score)",
    "mannwhitneyu": "write rl.ranks.mann_whitney(y_true, y_score)",
    "plot_roc": "write rl.roc(y_true, y_score).plot()",
    "plot": "write rl.plots.figure('roc', y_true, y_score)",
    "figure": "write rl.plots.figure('roc', y_true, y_score)",
    "report": "write rl.write_report('report.html', y_true, y_score)",
    "read_csv": "give the path itself: rl.auc('data.csv', label=…, score=…)",
    # what one verb answers now
    "area_table": "write rl.auc(y_true, scores), which gives a table of several",
    "cutoffs": "write rl.cutoff(y_true, scores), which gives a row for each",
    "rocs": "write rl.roc(y_true, scores), which gives the curves by name",
    "readers_size": "write rl.readers.sample_size(…)",
    "simulate_readers": "write rl.readers.simulate(…)",
    "what_joins": "write rl.classifiers.hull_contribution(…)",
}


def elsewhere(name: str) -> str:
    """What to write instead of a name that is not here; empty where nobody knows."""
    if name in _WORDS:
        return _WORDS[name]
    for room in _ROOMS:
        if name in importlib.import_module(f"roclab.{room}").__all__:
            return f"it is rl.{room}.{name}"
    return ""
