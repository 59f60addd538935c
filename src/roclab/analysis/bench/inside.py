"""What a model of the bench says: a tree as its questions, a logistic model as a nomogram."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from roclab.benching.classifiers.logistic import LogisticRegression
from roclab.benching.detectors import COMBINATION, MAJORITY, SAVED, fresh
from roclab.benching.model_tree import ModelTree, tree_of
from roclab.benching.nomogram import Nomogram, nomogram_of
from roclab.benching.table import Encoder
from roclab.errors import InputError, Words

if TYPE_CHECKING:
    from roclab.analysis.bench.result import Bench

__all__ = ["can_be_read", "model_inside"]

_READABLE = "a decision tree or a logistic model"
_UNBALANCED = "The training parts of the bench were balanced ({}); this fit takes all cases as they are."
_SPAN = "Scales span the middle 95% of the values; those beyond an end have more points than it, or fewer."
_FITTED = "Fitted to all cases of the bench, which tested models of its training parts; for looking, not for judging."


def can_be_read(bench: Bench, model: str) -> bool:
    """Whether there is something to see inside a model."""
    name = str(next((one.classifier for one in bench.detectors if one.name == model), ""))
    return name == "tree" or (name == "logistic" and not bench.multiclass)


def model_inside(bench: Bench, model: str) -> ModelTree | Nomogram:
    """The model of this name, fitted to all cases as they are, without balance."""
    bench.known(model)
    detector = next((one for one in bench.detectors if one.name == model), None)
    if detector is None or detector.classifier in (MAJORITY, COMBINATION, SAVED) or detector.fitted is not None:
        raise InputError("model", f"must be {_READABLE} that the bench trains", Words(repr(model)), "name that")
    table, codes = bench.data.task.table, bench.data.task.codes
    places, rows = table.places(detector.features), np.arange(len(table))
    encoder = Encoder(table, places, rows)
    values, names, words = encoder(rows), *encoder.columns()
    estimator: Any = fresh(detector.made(), 0)
    estimator.fit(values, codes)
    notes = [_FITTED]
    balanced = [one for one in bench.balances if one != "none"]
    if balanced:
        notes.append(_UNBALANCED.format(", ".join(balanced)))
    *steps, last = [step for _, step in getattr(estimator, "steps", [("", estimator)])]
    if hasattr(last, "tree_") and not steps:
        return tree_of(last, names, words, bench.data.task.classes, model=model, notes=notes)
    if isinstance(last, LogisticRegression) and not bench.multiclass:
        slopes, intercept = last.coef_[0], float(last.intercept_[0])
        for step in reversed(steps):  # scaled features: back to the units of the table
            slopes, intercept = slopes / step.scale_, intercept - float(slopes @ (step.mean_ / step.scale_))
        positive = bench.data.task.positive
        if positive == 0:  # the second class is the one that scikit-learn's scores mean
            slopes, intercept = -slopes, -intercept
        shown = [name if word is None else f"{name} is {word}" for name, word in zip(names, words, strict=True)]
        assert positive is not None
        return nomogram_of(slopes, intercept, values, shown, model=model,
                           positive=str(bench.data.task.classes[positive]), notes=[_SPAN, *notes])  # fmt: skip
    raise InputError(
        "model", f"must be {_READABLE} to be looked into", Words(repr(model)), "the others have no picture"
    )
