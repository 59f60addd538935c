"""Time to event: areas, comparisons and concordance with their errors, beside scikit-survival's and riskRegression's.

Seconds of processor time, the best of several runs in turn. scikit-survival is there in the environment of
``make bench-peers`` and gives values without errors; riskRegression where R has it, with its errors.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

import roclab as rl
from measure import best_of_each, seconds_in_r

AT = 0.5
SEVERAL = (0.25, 0.5, 0.75)
LIMITS = {1_000: 0.005, 100_000: 0.10, 1_000_000: 1.5}


def followed(n: int) -> dict[str, Any]:
    """Two related scores, an event that depends on them, another one that does not, and half of the losses."""
    rng = np.random.default_rng(1)
    first = rng.normal(size=n)
    second = first / 2 + rng.normal(size=n)
    events = np.array([rng.exponential(np.exp(-0.7 * first)), rng.exponential(2, n), rng.exponential(1.5, n)])
    return {"time": events.min(axis=0), "event": np.array([1, 2, 0])[events.argmin(axis=0)], "a": first, "b": second}


def rows() -> list[dict[str, Any]]:
    return [*_areas(), _several(), _risks(), _concordance()]


def _row(
    what: str, n: int, seconds: float, limit: float, peer: str = "", theirs: float | None = None
) -> dict[str, Any]:
    return {
        "what": what, "cases": n, "seconds": seconds, "limit, s": limit, "peer": peer if theirs is not None else "",
        "peer / ours": None if theirs is None else theirs / seconds,
    }  # fmt: skip


def _best(ours: Callable[[], Any], theirs: Callable[[], Any] | None, seconds: float) -> tuple[float, float | None]:
    calls = [ours] if theirs is None else [ours, theirs]
    found = best_of_each(calls, seconds=seconds, clock=time.process_time)
    return found[0], found[1] if theirs is not None else None


def _areas() -> list[dict[str, Any]]:
    """One score at one horizon."""
    out = []
    for n, limit in LIMITS.items():
        table = followed(n)
        given = {"time": table["time"], "event": table["event"]}
        one = {**given, "event": (table["event"] == 1).astype(int)}
        seconds = 3.0 if n > 1_000 else 1.0
        ours, theirs = _best(lambda t=table, g=one: rl.auc(t["a"], **g, at=AT), _survival_area(table), seconds)
        out.append(_row("area, error and interval", n, ours, limit, "scikit-survival, value alone", theirs))
        ours, _ = _best(lambda t=table, g=given: rl.auc(t["a"], **g, competing=2, at=AT), None, seconds)
        theirs = None if n > 100_000 else _risk_regression(n)
        out.append(_row("the same with another event", n, ours, limit, "riskRegression, with error", theirs))
    return out


def _several() -> dict[str, Any]:
    """Two scores, three horizons, one matrix."""
    table = followed(100_000)
    scores = {name: table[name] for name in ("a", "b")}
    given = {"time": table["time"], "event": table["event"], "competing": 2, "at": SEVERAL}
    ours, _ = _best(lambda: rl.compare(scores, **given), None, 3.0)
    return _row("2 scores compared at 3 horizons", 100_000, ours, 0.3)


def _risks() -> dict[str, Any]:
    """Brier scores, accuracy and net benefit of two models, with all differences."""
    table = followed(100_000)
    risks = {name: 1 / (1 + np.exp(-table[name])) for name in ("a", "b")}
    given = {"time": table["time"], "event": table["event"], "competing": 2, "at": AT, "probabilities": [0.2]}
    ours, _ = _best(lambda: rl.compare_predictions(risks, **given), None, 3.0)
    return _row("2 models: Brier, IPA, net benefit, differences", 100_000, ours, 0.5)


def _concordance() -> dict[str, Any]:
    """Uno's, with its error."""
    table = followed(100_000)
    one = {"time": table["time"], "event": (table["event"] == 1).astype(int)}
    ours, _ = _best(lambda: rl.concordance(table["a"], **one, tau=1.0), None, 3.0)
    return _row("Uno's concordance with error", 100_000, ours, 0.4)


def _survival_area(table: dict[str, Any]) -> Callable[[], Any] | None:
    """scikit-survival's area at the same horizon, where it is installed."""
    try:
        from sksurv.metrics import cumulative_dynamic_auc
        from sksurv.util import Surv
    except ImportError:
        return None
    y = Surv.from_arrays(table["event"] == 1, table["time"])
    return lambda: cumulative_dynamic_auc(y, y, table["a"], [AT])


def _risk_regression(n: int) -> float | None:
    setup = f"""
    set.seed(1); n <- {n}; x <- rnorm(n)
    t1 <- rexp(n) * exp(-.7 * x); t2 <- 2 * rexp(n); c <- 1.5 * rexp(n)
    d <- data.frame(time = pmin(t1, t2, c), event = ifelse(t1 < pmin(t2, c), 1, ifelse(t2 < c, 2, 0)), x = x)
    """
    asked = f'Score(list(a = d$x), Hist(time, event) ~ 1, data = d, times = {AT}, metrics = "auc", null.model = FALSE)'
    return seconds_in_r(setup, asked, package="riskRegression")
