"""Cut-offs, measures of calls, intervals of rates and plans, asked for as other projects print them."""

from __future__ import annotations

import math

import numpy as np

import roclab as rl
from tests.peers.asking import ask, binary, curve, number, plain, vector


def _coord(f, name):
    """pROC's names from roclab's metrics."""
    same = {
        "sensitivity": "tpr",
        "recall": "tpr",
        "specificity": "tnr",
        "precision": "ppv",
        "lr_pos": "lr_plus",
        "lr_neg": "lr_minus",
    }
    if name == "threshold":
        return f["threshold"]
    if name.startswith("1-"):
        return 1 - plain(_coord(f, name[2:]))
    if name == "youden":
        return plain(f["youden_j"]) + 1
    if name == "closest.topleft":
        return (1 - plain(f["tpr"])) ** 2 + (1 - plain(f["tnr"])) ** 2
    return plain(f[same.get(name, name)])


def _facts(m, want):
    f = {**m.metrics(), "tp": m.tp, "fp": m.fp, "fn": m.fn, "tn": m.tn}
    f["precision"], f["recall"], f["sensitivity"], f["specificity"] = f["ppv"], f["tpr"], f["tpr"], f["tnr"]
    out = {}
    for w in want:
        out[w] = plain(m.f_beta(float(w[2:]))) if w.startswith("f_") else plain(f[w])
    return out


@ask
def table_at_midpoints(data, columns, score=None):
    """roclab's table of all cut-offs at the midpoints, in rising order with both ends."""
    y, s = binary(data, score)
    values = np.unique(s)
    cuts = np.concatenate([[-np.inf], (values[:-1] + values[1:]) / 2, [np.inf]])
    r = rl.roc(y, s)
    out = {c: [] for c in columns}
    for cut in cuts:
        m = r.confusion(cut)
        facts = {**m.metrics(), "tp": m.tp, "fp": m.fp, "fn": m.fn, "tn": m.tn, "threshold": cut}
        facts["sensitivity"], facts["specificity"] = facts["tpr"], facts["tnr"]
        for c in columns:
            out[c].append(_coord(facts, c))
    return out


@ask
def metrics_at(data, threshold, columns, score=None, lower=False):
    y, s = binary(data, score)
    r = rl.roc(y, s, **({"direction": "lower"} if lower else {}))
    m = r.confusion(number(threshold))
    facts = {**m.metrics(), "tp": m.tp, "fp": m.fp, "fn": m.fn, "tn": m.tn, "threshold": number(threshold)}
    return {c: _coord(facts, c) for c in columns}


@ask
def cutoff(data, criterion=None, score=None, rule="observed", want=("threshold",), lower=False, **options):
    r = curve(data, score, lower)
    c = r.cutoff(criterion, rule=rule, **options)
    out = {
        "threshold": c.threshold,
        "value": c.value,
        "tpr": c.best.tpr,
        "fpr": c.best.fpr,
        "all": sorted(o.threshold for o in c.optima),
    }
    out["specificity"] = 1 - out["fpr"]
    return {w: out[w] for w in want}


@ask
def peaks(data, score=None):
    y, s = binary(data, score)
    t = rl.cutoff_table(y, s, peaks="youden")
    return [float(v) for v in t.thresholds]


@ask
def calls(data, want, weights=None):
    """A 2 x 2 matrix of hard calls; data {y: […], call: […]} in 0/1."""
    more = {"sample_weight": vector(data[weights]), "weights": "importance"} if weights else {}
    m = rl.confusion(np.array(data["y"]), np.array(data["call"]), pos_label=1, **more)
    return _facts(m, want)


@ask
def counts(tp, fp, fn, tn, want):
    return _facts(rl.results.ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn), want)


@ask
def class_calls(data, want):
    m = rl.multiclass_confusion(data["y"], data["call"])
    got = m.metrics()
    return {w: plain(got[w]) for w in want}


@ask
def losses(data, want, score=None):
    c = curve(data, score).calibration()
    out = {
        "brier": c.brier,
        "cross_entropy": c.losses.cross_entropy,
        "rmse": c.losses.rmse,
        "sar": c.losses.sar,
        "sar_largest": c.losses.sar_largest,
        "cal": c.losses.sliding_error,
    }
    return {w: plain(out[w]) for w in want}


@ask
def measures_at_every_cut(data, columns, score=None, **options):
    """Columns of the table of all cut-offs, from the strictest cut-off (nobody positive) to the mildest."""
    y, s = binary(data, score)
    t = rl.cutoff_table(y, s, columns=list(columns), **options)
    order = np.argsort(-np.asarray(t.thresholds, dtype=float))
    out = {}
    for c in columns:
        out[c] = [plain(t.columns[c][k]) for k in order]
    return out


@ask
def metric_list(data, columns, score=None):
    """Confusion metrics at every cut, nobody positive first."""
    y, s = binary(data, score)
    r = rl.roc(y, s)
    out = {c: [] for c in columns}
    for cut in [np.inf, *np.unique(s)[::-1]]:
        f = _facts(r.confusion(cut), columns)
        for c in columns:
            out[c].append(f[c])
    return out


@ask
def net_benefit(data, probability, score=None, prevalence=None, want=("all", "none", "model"), logistic=False):
    y, s = binary(data, score)
    if logistic:
        fit = rl.logistic(y, {"x": s})
        s = np.asarray(fit.predict_proba({"x": s}), dtype=float).reshape(-1)
    more = {} if prevalence is None else {"prevalence": prevalence}
    n = rl.net_benefit(y, {"model": s}, probabilities=[probability], **more)
    out = {"all": float(np.asarray(n.treat_all)[0]), "none": 0.0, "model": float(np.asarray(n.net_benefit["model"])[0])}
    if "avoided" in want:
        out["avoided"] = float(np.asarray(n.avoided("model"))[0])
    return {w: out[w] for w in want}


@ask
def group_cutoffs(data, criterion, by, rule="observed", score=None, lower=False, **options):
    """The best cut-off of every group, in the order of the groups' names."""
    y, s = binary(data, score)
    groups = np.array(data[by])
    found = rl.cutoff(y, s, criterion=criterion, by=groups, rule=rule, **options)
    return [found[g].threshold for g in sorted(set(groups.tolist()))]


@ask
def smooth_cut(data, smoother, score=None, **options):
    y, s = binary(data, score)
    return rl.smooth_cutoff(y, s, smoother=smoother, **options).threshold


@ask
def h_measure(data, want, score=None, **options):
    h = curve(data, score).h_measure(**options)
    out = {
        "H": h.h,
        "AUCH": h.hull_area,
        "KS": h.ks,
        "MER": h.minimum_error_rate,
        "MWL": h.minimum_weighted_loss,
        "AUC": curve(data, score).auc(interval=None).area,
    }
    return {w: plain(out[w]) for w in want}


@ask
def metrics_at_best(data, criterion, want, score=None):
    r = curve(data, score)
    f = _facts(r.cutoff(criterion).best.matrix, ["ppv", "npv", "f1", "precision", "tpr", "tnr"])
    f["ppv-npv"], f["se-sp"] = abs(f["ppv"] - f["npv"]), abs(f["tpr"] - f["tnr"])
    return {w: f[w] for w in want}


@ask
def proportion(count, size, interval):
    m = rl.results.ConfusionMatrix(tp=count, fn=size - count, fp=1, tn=1).with_intervals(interval=interval)
    i = m.intervals["tpr"]
    return {"low": i.low, "high": i.high}


@ask
def equal_error(data):
    y, s = binary(data)
    c = rl.roc(y, s).cutoff("se_equals_sp").best  # no measure of that name: half the sum of both error rates there
    return (c.fpr + 1 - c.tpr) / 2


@ask
def best_rate(data, criterion, require):
    y, s = binary(data)
    c = rl.roc(y, s).cutoff(criterion, require=require)
    return {"value": c.value, "threshold": c.threshold}


@ask
def calibration_error(data, bins):
    y, s = binary(data)
    return plain(rl.roc(y, s).calibration(bins=bins).expected_error)


@ask
def diagnostic_table(tp, fp, fn, tn, want, interval="exact", ratio_interval="log"):
    m = rl.results.ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn).with_intervals(
        interval=interval, ratio_interval=ratio_interval
    )
    out = {}
    for w in want:
        i = m.intervals[w]
        out[w] = [plain(m.metrics[w] if not callable(m.metrics) else m.metrics()[w]), i.low, i.high]
    return out


@ask
def two_proportions(count1, size1, count2, size2, what, ratio_interval="score"):
    m = rl.results.ConfusionMatrix(tp=count1, fn=size1 - count1, fp=count2, tn=size2 - count2).with_intervals(
        ratio_interval=ratio_interval
    )
    i = m.intervals[what]
    return {"low": i.low, "high": i.high}


@ask
def plan_one(want, **options):
    p = rl.planning.plan_one_area(**options)
    return {w: (1 - p.level if w == "alpha" else getattr(p, w)) for w in want}


@ask
def plan_pilot(data, scores, want, **options):
    y = np.array(data["y"])
    s = vector(data["scores"][scores[0]]) if len(scores) == 1 else {n: vector(data["scores"][n]) for n in scores}
    p = rl.planning.plan_from_pilot(y, s, **options)
    return {w: (1 - p.level if w == "alpha" else getattr(p, w)) for w in want}


@ask
def plan_table4(area, kappa):
    """Obuchowski 2004, table 4: at least ten of each class, the other by the ratio; one-sided 5 %, power 90 %."""
    p = rl.planning.plan_one_area(area=area, power=0.9, ratio=kappa, alternative="one-sided")
    n_pos, n_neg = p.n_pos, p.n_neg
    return {
        "n_neg": max(10, (10 if math.ceil(n_pos) < 10 else 0) * kappa, math.ceil(n_neg)),
        "n_pos": max(10, (10 if math.ceil(n_neg) < 10 else 0) / kappa, math.ceil(n_pos)),
    }
