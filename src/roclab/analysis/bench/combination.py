"""Combinations of the models of a bench as further models: fixed rules, and second-level classifiers.

Nothing of the first level is fitted again. Fixed rules need no training. A second-level classifier learns, for every
split, from the out-of-fold scores of the cases outside it and is tested on those inside. The first-level models of
those other cases have seen some cases of the split, so a little of it leaks in; ``SecondLevel`` as a model of its own
is free of that and costs as many fits as it has inner folds.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import expit

from roclab._core.checks import check_choice
from roclab._core.types import Floats
from roclab.analysis.bench.choice import rows_outside
from roclab.benching.combiners import combine_scores
from roclab.benching.detectors import COMBINATION, Detector, detectors_of, fresh
from roclab.benching.run import Piece
from roclab.benching.scores import as_score
from roclab.errors import InputError, Words
from roclab.names import FIXED_RULES, BenchBalance

if TYPE_CHECKING:
    from roclab.analysis.bench.result import Bench

__all__ = ["with_combinations"]


def with_combinations(bench: Bench, rules: Sequence[str], *, second_level: Any, models: Sequence[str] | None) -> Bench:
    """The bench with its combinations; O(k n) a rule, and one fit a split for each second-level classifier."""
    from roclab.analysis.bench.result import with_pieces

    if bench.multiclass:
        raise InputError("", "combinations are for two classes", Words(f"{len(bench.data.task.classes)} classes"))
    asked = [rules] if isinstance(rules, str) else list(rules)
    for rule in asked:
        check_choice(rule, "rules", FIXED_RULES)
    detectors = () if second_level is None else _second_level(second_level)
    more: dict[tuple[BenchBalance, str], tuple[Piece, ...]] = {}
    together = _together(bench, models)
    for balance, chosen in together.items():
        for rule in asked:
            more[balance, f"{rule} of {len(chosen)}"] = _fixed(bench, chosen, rule)
        for detector in detectors:
            more[balance, f"{detector.name} on {len(chosen)} scores"] = _trained(bench, chosen, detector)
    taken = next((name for balance, name in more if bench.model_name(name, balance) in bench.pieces), None)
    if taken is not None:
        raise InputError("rules", "must not repeat a model", Words(repr(taken)), "leave it out")
    names = dict.fromkeys(name for _, name in more)
    return with_pieces(bench, more, [Detector(name=name, classifier=COMBINATION) for name in names])


def _together(bench: Bench, models: Sequence[str] | None) -> dict[BenchBalance, list[str]]:
    """The models that are combined, by balance: what was trained on different cases is not mixed."""
    if len(bench.balances) == 1:
        chosen = list(bench.complete) if models is None else [bench.known(name) for name in models]
        together = {bench.balances[0]: chosen}
    else:
        together = {balance: list(bench.chosen(models, balance)) for balance in bench.balances}
    for balance, chosen in together.items():
        if len(chosen) < 2:
            under = "" if len(together) == 1 else f" under balance {balance!r}"
            raise InputError("models", f"must be two or more to combine{under}", Words(", ".join(chosen) or "none"))
    if len({len(chosen) for chosen in together.values()}) > 1:
        words = " and ".join(f"{len(chosen)} under {balance!r}" for balance, chosen in together.items())
        raise InputError("models", "must be complete under every balance", Words(words), "name those that are")
    return together


def _second_level(given: Any) -> tuple[Detector, ...]:
    if isinstance(given, Mapping) or (isinstance(given, Sequence) and not isinstance(given, str)):
        return detectors_of(given, "modern")
    return detectors_of([given], "modern")


def _posterior(bench: Bench, model: str, at: int) -> Floats:
    """Probability of the positive class; where a model has none, the logistic function of its score."""
    piece = bench.pieces[model][at]
    if piece.probability is None:
        return np.asarray(expit(piece.score))
    return piece.probability[:, bench.data.task.positive]


def _fixed(bench: Bench, models: Sequence[str], rule: Any) -> tuple[Piece, ...]:
    out = []
    for at, _ in enumerate(bench.design):
        begun = time.perf_counter()
        table = np.column_stack([_posterior(bench, name, at) for name in models])
        score = combine_scores(table, rule)
        against = combine_scores(1 - table, rule) if rule in ("product", "max", "min") else 1 - score
        joined = np.column_stack([1 - score, score]) if rule == "mean" else None
        out.append(
            Piece(
                score=score,
                called=(score > against).astype(np.int64),
                probability=joined,
                fit_seconds=0.0,
                score_seconds=time.perf_counter() - begun,
                n_train=bench.pieces[models[0]][at].n_train,
            )
        )
    return tuple(out)


def _trained(bench: Bench, models: Sequence[str], detector: Detector) -> tuple[Piece, ...]:
    task = bench.data.task
    parts = rows_outside(bench)
    table = np.column_stack([bench.joined(name, "score") for name in models])
    actual = task.codes[bench.where]
    out = []
    for inside, outside in parts:
        begun = time.perf_counter()
        fitted = fresh(detector.made(), 0).fit(table[outside], actual[outside])
        between = time.perf_counter()
        score = as_score(fitted, table[inside], task.positive)
        out.append(
            Piece(
                score=score,
                called=np.asarray(fitted.predict(table[inside]), dtype=np.int64),
                probability=np.asarray(fitted.predict_proba(table[inside]))
                if hasattr(fitted, "predict_proba")
                else None,
                fit_seconds=between - begun,
                score_seconds=time.perf_counter() - between,
                n_train=int(outside.size),
            )
        )
    if len(bench.design) > len(bench.tested):
        raise InputError(
            "second_level", "needs folds or splits", Words(bench.design.words), "use k-fold cross-validation"
        )
    return tuple(out)
