"""Peers from PyPI, in an environment of their own: ``make bench-peers`` sets it up and prints ratios.

Nothing here is a dependency of roclab or of its tests. A ratio says how many times longer the peer takes than the call
of roclab named beside it; the numba loop is the usual one-sort AUC, compiled, as fast AUC packages have it.
"""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
HOME = ROOT / ".venv-peers"
PEERS = ("numba", "polars-ds", "rocci", "MLstatkit", "confidenceinterval", "scikit-learn", "scikit-survival")


def main() -> None:
    """Make the environment if there is none, then run inside it."""
    python = HOME / "bin" / "python"
    if Path(sys.prefix) != HOME:
        if not python.exists():
            venv.create(HOME, with_pip=True)
            install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            subprocess.run([*install, "-e", str(ROOT), *PEERS], check=True)
        sys.exit(subprocess.run([str(python), __file__, *sys.argv[1:]], check=False).returncode)
    here = str(Path(__file__).parent)
    sys.path = [place for place in sys.path if place != here]
    import numba  # noqa: F401 - it looks for a package called coverage, and must not find ours

    sys.path.append(here)
    from roclab._core.text import text_table

    tables = {
        "one area": areas, "areas by group": groups, "uncertainty": uncertainty, "area of bands": band_areas,
        "time to event": follow_up,
    }  # fmt: skip
    chosen = [name for name in tables if not sys.argv[1:] or name in sys.argv[1:]]
    for title, table in ((name, tables[name]()) for name in chosen):
        print(f"\n{title}\n{text_table(table, digits=2)}", flush=True)


def areas() -> list[dict[str, Any]]:
    """AUC of one score, from small to large."""
    import numpy as np
    import polars as pl
    import polars_ds
    from numba import njit
    from sklearn.metrics import roc_auc_score

    import roclab as rl
    from measure import best_of_each
    from roclab.compat.sklearn import roc_auc_score as ours

    @njit(cache=False)
    def ranked(order, y, s):  # pragma: no cover - compiled
        n_pos = n_neg = 0
        area = 0.0
        tp = fp = last_tp = last_fp = 0
        for k in range(order.size):
            i = order[k]
            if k > 0 and s[i] != s[order[k - 1]]:
                area += (fp - last_fp) * (tp + last_tp) / 2
                last_tp, last_fp = tp, fp
            if y[i]:
                tp += 1
                n_pos += 1
            else:
                fp += 1
                n_neg += 1
        area += (fp - last_fp) * (tp + last_tp) / 2
        return area / (n_pos * n_neg)

    def numba_auc(y, s):
        return ranked(np.argsort(s)[::-1], y, s)

    rows = []
    rng = np.random.default_rng(1)
    for n in (100, 1_000, 10_000, 100_000, 1_000_000):
        y = rng.random(n) < 0.3
        s, w = rng.normal(size=n) + y, rng.random(n)
        frame = pl.DataFrame({"y": y, "s": s})
        numba_auc(y, s)
        calls = [
            lambda y=y, s=s: rl.auc(y, s),
            lambda y=y, s=s: ours(y, s),
            lambda y=y, s=s: numba_auc(y, s),
            lambda f=frame: f.select(polars_ds.query_roc_auc("y", "s")),
            lambda y=y, s=s: roc_auc_score(y, s),
            lambda y=y, s=s, w=w: ours(y, s, sample_weight=w),
            lambda y=y, s=s, w=w: roc_auc_score(y, s, sample_weight=w),
        ]
        full, bare, loop, ds, sk, weighted, sk_weighted = best_of_each(calls)
        rows.append({
            "cases": n, "rl.auc with interval, ms": 1e3 * full, "compat, ms": 1e3 * bare, "numba / compat": loop / bare,
            "rl.auc / numba": full / loop, "polars-ds / compat": ds / bare, "sklearn / compat": sk / bare,
            "sklearn / compat, weighted": sk_weighted / weighted,
        })  # fmt: skip
    return rows


def groups() -> list[dict[str, Any]]:
    """20,000 groups of 50 cases."""
    import numpy as np
    import polars as pl
    import polars_ds

    import roclab as rl
    from measure import best_of_each

    rng = np.random.default_rng(1)
    n = 1_000_000
    g, y = rng.integers(0, 20_000, n), rng.random(n) < 0.3
    s = rng.normal(size=n) + y
    frame = pl.DataFrame({"g": g, "y": y, "s": s})
    ours, theirs = best_of_each([
        lambda: rl.auc(y, s, by=g),
        lambda: frame.group_by("g").agg(polars_ds.query_roc_auc("y", "s")),
    ])  # fmt: skip
    return [{"areas, intervals, counts and test, s": ours, "polars-ds, areas only, s": theirs, "ratio": theirs / ours}]


def uncertainty() -> list[dict[str, Any]]:
    """Intervals, paired tests and bands."""
    import numpy as np
    from confidenceinterval import roc_auc_score as with_interval
    from MLstatkit import Delong_test

    import roclab as rl
    from measure import best_of_each

    rows = []
    rng = np.random.default_rng(1)
    for n in (100, 1_000, 10_000):
        y = (rng.random(n) < 0.3).astype(int)
        p = 1 / (1 + np.exp(-(rng.normal(size=n) + y)))
        q = 1 / (1 + np.exp(-(rng.normal(size=n) + y / 2)))
        one, peer, pair, peer_pair, band = best_of_each([
            lambda y=y, p=p: rl.auc(y, p),
            lambda y=y, p=p: with_interval(y, p),
            lambda y=y, p=p, q=q: rl.compare(y, {"a": p, "b": q}),
            lambda y=y, p=p, q=q: Delong_test(y, p, q),
            lambda y=y, p=p: rl.roc(y, p).band(kind="simultaneous", resampling=500, rng=1),
        ])  # fmt: skip
        rows.append({
            "cases": n, "confidenceinterval / rl.auc": peer / one, "MLstatkit / rl.compare": peer_pair / pair,
            "simultaneous band, ms": 1e3 * band,
        })  # fmt: skip
    return rows


def band_areas() -> list[dict[str, Any]]:
    """Area of the simultaneous band over that of rocci's, in the designs of docs/coverage.md; means of 20 samples."""
    import math
    import warnings

    import numpy as np
    import rocci
    from scipy.special import ndtri

    import roclab as rl
    from coverage import BAND_DESIGNS, BAND_SIZES

    warnings.simplefilter("ignore")  # rocci remarks on small samples
    grid = np.linspace(0, 1, 101)
    rows, ratios = [], []
    for area, ratio in BAND_DESIGNS:
        shift = math.hypot(1, ratio) * float(ndtri(area))
        row: dict[str, Any] = {"curve": f"{area}, spread {ratio:.2g}"}
        for n_pos, n_neg in BAND_SIZES:
            rng = np.random.default_rng([round(1000 * area), round(10 * ratio), n_pos, n_neg, 7])
            y = np.repeat([1, 0], [n_pos, n_neg])
            ours = theirs = 0.0
            for _ in range(20):
                s = np.concatenate([rng.normal(shift, ratio, n_pos), rng.normal(0, 1, n_neg)])
                band = rl.roc(y, s).band(kind="simultaneous", resampling=500, rng=1)
                peer = rocci.roc_band(y, s, n_boot=500, random_state=1, grid_size=101)
                ours += float(np.mean(band.high - band.low))
                theirs += float(np.mean(np.interp(grid, peer.fpr, peer.upper) - np.interp(grid, peer.fpr, peer.lower)))
            row[f"{n_pos}+{n_neg}"] = ours / theirs
            ratios.append(ours / theirs)
        rows.append(row)
    return [*rows, {"curve": "mean of all", f"{BAND_SIZES[0][0]}+{BAND_SIZES[0][1]}": float(np.mean(ratios))}]


def follow_up() -> list[dict[str, Any]]:
    """The benchmarks of time to event, with scikit-survival beside them."""
    from bench_time import rows

    return rows()


if __name__ == "__main__":
    main()
