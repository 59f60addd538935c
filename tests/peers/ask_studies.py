"""Reader studies, rank tests, detectors and clusters, asked for as other projects print them."""

from __future__ import annotations

import math

import numpy as np

import roclab as rl
from tests.peers.asking import ask, number, plain, vector


def study(data, keep=None, **options):
    table = {k: list(v) for k, v in data.items()}
    if keep is not None:  # {"reader": "1"}
        rows = [i for i in range(len(table["reader"])) if all(str(table[k][i]) == str(v) for k, v in keep.items())]
        table = {k: [v[i] for i in rows] for k, v in table.items()}
    case = options.pop("case", "case")
    names = {
        "reader": table["reader"],
        "modality": table["modality"],
        "case": table[case],
        "truth": table["truth"],
        "rating": [number(v) for v in table["rating"]],
    }
    return rl.readers.mrmc(
        names,
        label="truth",
        rating="rating",
        reader="reader",
        modality="modality",
        case="case",
        pos_label=1,
        neg_label=0,
        **options,
    )


@ask
def readers(data, want=None, **options):
    """Every number of a reader study under a plain name."""
    s = study(data, **options)
    out = {}
    for one in s.areas:
        out[f"area {one.modality} {one.reader}"] = one.estimate.value
        out[f"se {one.modality} {one.reader}"] = one.estimate.standard_error
    for name, one in zip(s.modalities, s.means, strict=True):
        out[f"mean {name}"] = one.value
        out[f"mean se {name}"] = one.standard_error
        out[f"mean low {name}"], out[f"mean high {name}"] = one.interval.low, one.interval.high
    for d in s.pairs:
        p = f"{d.first}-{d.second} "
        out[p + "difference"], out[p + "se"], out[p + "df"] = d.difference, d.standard_error, d.df
        out[p + "t"], out[p + "p"], out[p + "low"], out[p + "high"] = (
            d.statistic,
            d.p_value,
            d.interval.low,
            d.interval.high,
        )
    if s.equality is not None and not isinstance(s.equality, rl.results.Undefined):
        out["F"], out["p"] = s.equality.statistic, s.equality.p_value
        out["df1"], out["df2"] = s.df
    for name, (df, ms) in s.table.items():
        out[f"MS {name}"], out[f"DF {name}"] = ms, df
    c = s.components
    if c is not None and not isinstance(c, rl.results.Undefined):
        for name in ("reader", "modality_reader", "error", "cov1", "cov2", "cov3"):
            out[name] = plain(getattr(c, name))
    cov = np.asarray(s.covariance, dtype=float)
    order = [(one.modality, one.reader) for one in s.areas]
    for i, a in enumerate(order):
        out[f"var {a[0]} {a[1]}"] = cov[i, i]
    for m in s.modalities:
        at = [i for i, a in enumerate(order) if a[0] == m]
        out[f"var {m}"] = float(np.mean([cov[i, i] for i in at]))
        off = [cov[i, j] for i in at for j in at if i != j]
        out[f"cov2 {m}"] = float(np.mean(off)) if off else math.nan
    for r in s.readers:
        at = [i for i, a in enumerate(order) if a[1] == r]
        out[f"var reader {r}"] = float(np.mean([cov[i, i] for i in at]))
        off = [cov[i, j] for i in at for j in at if i != j]
        out[f"cov1 reader {r}"] = float(np.mean(off)) if off else math.nan
    return out if want is None else {w: out[w] for w in want}


@ask
def one_reader(data, reader, want, **options):
    """One reader alone: the cases are random."""
    return readers(data, want=want, keep={"reader": reader}, random="cases", **options)


@ask
def reader_power(data, readers, cases, difference, random="both", covariance="jackknife", want="power"):
    s = study(data, covariance=covariance, random=random)
    p = rl.readers.sample_size(s, difference=difference, readers=[readers], cases=[cases], random=random)
    return p.power_at(readers, cases)


@ask
def reader_cases(data, readers, difference, power=0.8, random="both", covariance="jackknife"):
    s = study(data, covariance=covariance, random=random)
    p = rl.readers.sample_size(s, difference=difference, readers=[readers], power=power, random=random)
    return p.smallest[0].cases


@ask
def mann_whitney(data=None, x=None, y=None, alternative="two-sided", p_value="exact", want=("u", "p")):
    x, y = vector(x if x is not None else data["x"]), vector(y if y is not None else data["y"])
    m = rl.ranks.mann_whitney(
        np.repeat([1, 0], [x.size, y.size]), np.concatenate([x, y]), alternative=alternative, p_value=p_value
    )
    return {k: {"u": m.u1, "p": m.p_value}[k] for k in want}


@ask
def kruskal(groups):
    k = rl.ranks.kruskal_wallis([vector(g) for g in groups])
    return {"h": k.h_tie_corrected, "p": k.p_value}


@ask
def smirnov(data=None, x=None, y=None, alternative="two-sided"):
    x, y = vector(x if x is not None else data["x"]), vector(y if y is not None else data["y"])
    s = rl.ranks.smirnov(np.repeat([1, 0], [x.size, y.size]), np.concatenate([x, y]), alternative=alternative)
    return {"d": s.statistic, "p": s.p_value}


@ask
def kolmogorov_normal(data=None, x=None):
    """One sample against the standard normal; T+ is the largest F - S, T- the largest S - F (Conover)."""
    k = rl.ranks.kolmogorov(
        vector(x if x is not None else data["x"]),
        lambda v: 0.5 * np.vectorize(math.erfc)(-np.asarray(v, dtype=float) / math.sqrt(2)),
    )
    return {"d": k.t, "p": k.p_value, "plus": k.t_plus, "p_plus": k.p_plus, "minus": k.t_minus, "p_minus": k.p_minus}


@ask
def luna(data, at):
    """Marks and lesions from a list of hits and scores: every lesion has its own place, every false mark another."""
    scans = int(data["scans"])
    hit = list(data["hits"])
    lesions = {"seriesuid": [], "coordX": [], "coordY": [], "coordZ": [], "diameter_mm": []}
    marks = {"seriesuid": [], "coordX": [], "coordY": [], "coordZ": [], "probability": []}
    for k, p in enumerate(hit):
        scan, x = f"s{k % scans}", 100.0 * (k // scans)
        for name, v in zip(lesions, (scan, x, 0.0, 0.0, 8.0), strict=True):
            lesions[name].append(v)
        if p is not None:
            for name, v in zip(marks, (scan, x, 0.0, 0.0, p), strict=True):
                marks[name].append(v)
    for k, p in enumerate(data["false"]):
        for name, v in zip(marks, (f"s{k % scans}", 50.0 * (k // scans), 1000.0, 0.0, p), strict=True):
            marks[name].append(v)
    f = rl.imaging.froc(marks, lesions, scans=[f"s{k}" for k in range(scans)], resampling=None)
    out = {"cpm": f.cpm, "lesions": f.lesions, "missed": f.missed, "false": f.false_positives}
    rates, sens = np.asarray(f.curve.rate, dtype=float), np.asarray(f.curve.sensitivity, dtype=float)
    out["sensitivity"] = [float(v) for v in np.interp(at, rates, sens)]
    out["points"] = [float(p.sensitivity if hasattr(p, "sensitivity") else p) for p in f.points]
    return out


@ask
def cmeans(data, clusters):
    x = np.column_stack([vector(data["x"]), vector(data["y"])])
    f = rl.imaging.fuzzy_cmeans(x, clusters, rng=0)
    c = np.asarray(f.centres if hasattr(f, "centres") else f.centers, dtype=float)
    return c[np.argsort(c[:, 0])].tolist()


def _reader_marks(one, scans, normal):
    """Marks of one reader without positions: every lesion has a place, every other mark another."""
    lesions = {"seriesuid": [], "coordX": [], "coordY": [], "coordZ": [], "diameter_mm": []}
    marks = {"seriesuid": [], "coordX": [], "coordY": [], "coordZ": [], "probability": []}
    for n, (k, v) in enumerate(one["ll"]):
        for name, x in zip(lesions, (f"s{k}", 100.0 * n, 0.0, 0.0, 8.0), strict=True):
            lesions[name].append(x)
        if isinstance(v, int | float):
            for name, x in zip(marks, (f"s{k}", 100.0 * n, 0.0, 0.0, float(v)), strict=True):
                marks[name].append(x)
    for n, (k, v) in enumerate(one["nl"]):
        for name, x in zip(marks, (f"s{int(k)}", 100.0 * n, 5000.0, 0.0, float(v)), strict=True):
            marks[name].append(x)
    return rl.imaging.froc(marks, lesions, scans=[f"s{k}" for k in range(1, scans + 1)], resampling=None)


def marks_of(data):
    """Marks and lesions of a data set {K, sets: [{i, j, ll: [case, rating], nl: [case, rating]}]} as two tables."""
    marks = {name: [] for name in ("reader", "modality", "case", "lesion", "rating")}
    for one in data["sets"]:
        rows = [(k, n + 1, v) for n, (k, v) in enumerate(one["ll"]) if isinstance(v, int | float)]
        rows += [(int(k), 0, float(v)) for k, v in one["nl"]]
        for row in rows:
            for name, value in zip(marks, (one["j"], one["i"], *row), strict=True):
                marks[name].append(value)
    held = [(k, n + 1) for n, (k, _) in enumerate(data["sets"][0]["ll"])]
    empty = sorted(set(range(1, data["K"] + 1)) - {k for k, _ in held})
    return marks, {
        "case": [k for k, _ in held] + empty,
        "lesion": [n for _, n in held] + [0] * len(empty),
    }


@ask
def marked_study(data, estimator, want, **options):
    """Every number of a reader study of marks under a plain name."""
    marks, lesions = marks_of(data)
    s = rl.readers.mrmc(marks, lesions=lesions, estimator=estimator, **options)
    out = {"areas": [one.area for one in s.areas], "MS": [ms for _, ms in s.table.values()]}
    out["F"] = s.equality.statistic
    return {w: out[w] for w in want}


@ask
def reader_marks(data, want):
    figures = {"afroc1": "AFROC1", "wafroc": "wAFROC", "wafroc1": "wAFROC1"}
    out = {"afroc": [], "max_llf": [], "nl_per_case": []} | {name: [] for name in figures}
    for one in data["sets"]:
        f = _reader_marks(one, data["K"], data["K1"])
        out["afroc"].append(f.afroc)
        for name, figure in figures.items():
            out[name].append(f.areas[figure].area)
        out["max_llf"].append(1 - f.missed / f.lesions)
        out["nl_per_case"].append(f.false_positives / data["K"])
    shape = (max(s["i"] for s in data["sets"]), max(s["j"] for s in data["sets"]))
    a = np.array(out["afroc"]).reshape(shape)
    t, r, g = a.mean(1), a.mean(0), a.mean()
    i, j = shape
    out["MS"] = [
        j * ((t - g) ** 2).sum() / (i - 1),
        i * ((r - g) ** 2).sum() / (j - 1),
        ((a - t[:, None] - r[None, :] + g) ** 2).sum() / ((i - 1) * (j - 1)),
    ]
    return {w: out[w] for w in want}
