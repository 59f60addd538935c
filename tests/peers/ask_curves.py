"""Areas, curves and classes, asked for as other projects print them."""

from __future__ import annotations

import numpy as np

import roclab as rl
from tests.peers.asking import ask, curve, number, plain, vector


@ask
def auc(data, score=None, lower=False, swap=False, estimator=None, fpr=None, tpr=None, standard=None, weights=None):
    r = curve(data, score, lower, swap, weights)
    kind = {} if standard is None else {"standardize": standard}
    if fpr is None and tpr is None:
        return r.auc(estimator, interval=None).area
    return r.partial_auc(
        fpr=None if fpr is None else tuple(fpr), tpr=None if tpr is None else tuple(tpr), interval=None, **kind
    ).area


@ask
def auc_variance(data, score=None, lower=False, variance=None):
    return curve(data, score, lower).auc(variance=variance).standard_error ** 2


@ask
def auc_interval(data, score=None, lower=False, interval="clipped", variance=None, level=0.95):
    a = curve(data, score, lower).auc(interval=interval, variance=variance, level=level)
    return {"low": a.interval.low, "area": a.area, "high": a.interval.high, "se": a.standard_error}


@ask
def covariance(data, first, second):
    y = np.array(data["y"])
    c = rl.compare(y, {n: vector(data["scores"][n]) for n in (first, second)}, test="normal")
    return np.asarray(c.covariance)[0][1]


@ask
def paired(data, first, second, alternative="two-sided", lower=False, reference="normal"):
    y = np.array(data["y"])
    more = {"direction": "lower"} if lower else {}
    c = rl.compare(
        y, {n: vector(data["scores"][n]) for n in (first, second)}, test=reference, alternative=alternative, **more
    )
    d = c.pairs[0]
    return {
        "statistic": d.statistic,
        "p": d.p_value,
        "low": d.interval.low,
        "high": d.interval.high,
        "difference": d.difference,
    }


@ask
def unpaired(data, first, second, alternative="two-sided", reference="t_proc"):
    y = np.array(data["y"])
    groups = {n: (y, vector(data["scores"][n])) for n in (first, second)}
    c = rl.compare_groups(groups, pairing="unpaired", test=reference, alternative=alternative)
    d = c.pairs[0]
    return {"statistic": d.statistic, "p": d.p_value, "df": d.df}


@ask
def vertices(data, score=None, lower=False, swap=False):
    """All vertices from (1, 1) to (0, 0), thresholds half-way as pROC has them."""
    r = curve(data, score, lower, swap)
    se, sp = np.asarray(r.tpr)[::-1], 1 - np.asarray(r.fpr)[::-1]
    t = np.asarray(r.thresholds)
    observed = t[np.isfinite(t)]
    order = np.sort(np.unique(observed))
    mids = np.concatenate([[-np.inf], (order[:-1] + order[1:]) / 2, [np.inf]])
    return {"sensitivities": se, "specificities": sp, "thresholds": mids if not lower else mids[::-1]}


@ask
def tpr_fpr(data, score=None, simplified=False):
    r = curve(data, score)
    return {"tpr": list(r.tpr), "fpr": list(r.fpr)}


@ask
def falling_curve(data, score=None, weights=None):
    """Vertices by rising threshold from (1, 1), as yardstick orders them: -inf, every score, inf."""
    r = curve(data, score, weights=weights)
    se, sp = np.asarray(r.tpr)[::-1], 1 - np.asarray(r.fpr)[::-1]
    return {"sensitivity": np.concatenate([[1.0], se]), "specificity": np.concatenate([[0.0], sp])}


@ask
def rate_read_off(data, score=None, sensitivity=None, specificity=None):
    r = curve(data, score)
    if sensitivity is not None:
        return [plain(r.at(sensitivity=v).specificity) for v in sensitivity]
    return [plain(r.at(specificity=v).tpr) for v in specificity]


@ask
def smooth_area(data, estimator, score=None, lower=False, swap=False):
    return curve(data, score, lower, swap).smooth(estimator).area


@ask
def smooth_tpr(data, estimator, fpr, score=None):
    return [float(v) for v in curve(data, score).smooth(estimator).tpr(fpr)]


@ask
def smooth_curve(data, estimator, fpr, score=None):
    return {"tpr": [float(v) for v in curve(data, score).smooth(estimator).tpr(fpr)]}


@ask
def binormal_parameters(data, reader, modality):
    rows = [i for i in range(len(data["reader"])) if data["reader"][i] == reader and data["modality"][i] == modality]
    y, s = np.array([data["truth"][i] for i in rows]), np.array([number(data["rating"][i]) for i in rows])
    f = rl.roc(y, s).smooth("binormal")
    p = f.parameters()
    return {"a": plain(p["a"]), "b": plain(p["b"]), "area": f.area}


@ask
def hull_points(data, score=None):
    h = curve(data, score).hull()
    return {"fpr": list(h.fpr), "tpr": list(h.tpr)}


@ask
def cost_curve(data, at):
    """Expected cost of the lower envelope, Drummond and Holte, at probability costs."""
    c = curve(data).cost()
    return [float(v) for v in np.atleast_1d(c.at(at))]


@ask
def pr_points(data, score=None, weights=None):
    p = curve(data, score, weights=weights).precision_recall()
    return {"recall": list(p.recall), "precision": list(p.precision)}


@ask
def pr_area(data, interpolation, score=None, recall=None, weights=None):
    r = curve(data, score, weights=weights)
    if recall is not None:
        return r.precision_recall().area(tuple(recall))
    return r.auc(interpolation, interval=None).area


@ask
def macro_ap(data):
    """Average precision of every class against the rest, and their averages."""
    y = np.array(data["y"])
    got, share = [], []
    for c in data["classes"]:
        got.append(
            rl.auc((y == c).astype(int), vector(data["scores"][c]), estimator="average_precision", interval=None).area
        )
        share.append(float(np.mean(y == c)))
    return {"macro": float(np.mean(got)), "weighted": float(np.average(got, weights=share))}


@ask
def break_even(data):
    b = curve(data).precision_recall().break_even()
    return b if isinstance(b, float) else b.precision


@ask
def soft_labels(data, what):
    """Every case is positive with weight w and negative with weight 1 - w."""
    s, w = vector(data["s"]), vector(data["w"])
    y = np.repeat([1, 0], s.size)
    r = rl.roc(y, np.concatenate([s, s]), sample_weight=np.concatenate([w, 1 - w]), weights="importance")
    return r.auc(None if what == "auc" else what, interval=None).area


@ask
def pr_summary(data, want):
    p = curve(data).precision_recall()
    out = {"random": p.random, "smallest": p.smallest}
    return {w: plain(out[w]() if callable(out[w]) else out[w]) for w in want}


@ask
def pr_at(data, recall):
    p = curve(data).precision_recall()
    return [plain(v) for v in np.atleast_1d(p.at(recall))]


@ask
def folds_area(data, ids=False, variance=None, want=("area", "se", "low", "high")):
    more = {"ids": data["ids"]} if ids else {}
    a = rl.auc(np.array(data["y"]), vector(data["s"]), folds=data["folds"], interval="plain", **more)
    out = {"area": a.area, "se": a.standard_error, "low": a.interval.low, "high": a.interval.high}
    return {w: plain(out[w]) for w in want}


@ask
def hand_till(data, average="hand_till", table="scores"):
    labels = data["classes"]
    got = rl.multiclass(np.array(data["y"]), np.column_stack([vector(data[table][c]) for c in labels]), labels=labels)
    return got.averages[average].area


@ask
def multiclass_one_score(data, negate=False):
    s = vector(data["s"])
    return rl.multiclass(np.array(data["y"]), -s if negate else s).averages["hand_till"].area


@ask
def class_areas(data, want):
    labels = data["classes"]
    got = rl.multiclass(
        np.array(data["y"]), np.column_stack([vector(data["scores"][c]) for c in labels]), labels=labels
    )
    out = {k: v.area for k, v in got.averages.items()}
    out |= {f"class {k}": v.area for k, v in got.classes.items()}
    return {w: out[w] for w in want}


@ask
def each_class(data, estimator=None):
    y = np.array(data["y"])
    P = np.array([[number(v) for v in row] for row in data["table"]], dtype=float)
    out = []
    for k in range(P.shape[1]):
        truth = (y == k).astype(int) if y.ndim == 1 else y[:, k]
        out.append(rl.auc(truth, P[:, k], estimator=estimator, interval=None).area)
    return out


@ask
def pooled_readings(data, want):
    y, s = np.array(data["truth"]), vector(data["rating"])
    r = rl.roc(y, s)
    m = r.confusion(3).metrics()
    out = {
        "auc": r.auc(interval=None).area,
        "pauc_sp": r.partial_auc(fpr=(0, 0.3), interval=None).area,
        "pauc_se": r.partial_auc(tpr=(0.7, 1), interval=None).area,
        "se_at_sp": r.at(specificity=0.8).tpr,
        "sp_at_se": r.at(sensitivity=0.8).specificity,
        "se": m["tpr"],
        "sp": m["tnr"],
    }
    return {w: plain(out[w]) for w in want}
