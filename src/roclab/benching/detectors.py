"""Detectors: a classifier, the features it sees and its settings, under one name.

Diversity has three sources: other features, other classifiers, or both. A bench takes any of them, by the name of a
known classifier, as a scikit-learn estimator or pipeline, or as a detector that says all of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from roclab._core.checks import check_choice
from roclab.benching.catalogue import make_classifier
from roclab.errors import InputError, MissingExtraError, Words
from roclab.names import BENCH_CLASSIFIERS, BENCH_SETTINGS, BenchSettings

try:
    from sklearn.base import clone, is_classifier
    from sklearn.dummy import DummyClassifier
except ImportError as error:
    raise MissingExtraError(library="scikit-learn", extra="sklearn", purpose="the classifier bench") from error

__all__ = ["COMBINATION", "MAJORITY", "NOT_FITTED", "SAVED", "Detector", "detectors_of", "fresh"]

COMBINATION, SAVED = NOT_FITTED = ("combination", "saved score")  # models that are made of scores, not trained
MAJORITY = "majority"  # the baseline that calls every case by the larger class


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Detector:
    """One contestant of a bench.

    Parameters
    ----------
    name : str
        What tables call it.
    classifier : str or estimator
        Name of a known classifier, or any object with ``fit`` and ``predict_proba`` or ``decision_function``.
    features : sequence of str, optional
        The columns it sees; all by default.
    settings : "modern" or "published"
        Of a known classifier.
    """

    name: str
    classifier: Any
    features: tuple[str, ...] | None = None
    settings: BenchSettings = "modern"
    fitted: tuple[Any, ...] | None = None  # one estimator per split, where another tool has trained them

    def made(self) -> Any:
        """The estimator, not fitted."""
        if not isinstance(self.classifier, str):
            return self.classifier
        if self.classifier == MAJORITY:  # the larger class for every case, and its share as the probability
            return DummyClassifier(strategy="prior")
        name: Any = check_choice(self.classifier, "models", BENCH_CLASSIFIERS)
        return make_classifier(name, self.settings)


def detectors_of(models: Any, settings: BenchSettings) -> tuple[Detector, ...]:
    """Detectors from all that may be said for them, with names of their own."""
    check_choice(settings, "settings", BENCH_SETTINGS)
    given: Iterable[Any] = [models] if isinstance(models, str | Detector) or hasattr(models, "fit") else models
    if isinstance(models, Mapping):
        given = list(models.items())
    if not isinstance(given, Iterable):
        raise InputError("models", "must be names, classifiers or a mapping of names to them", models)
    found = [_detector(one, settings) for one in given]
    if not found:
        raise InputError("models", "must name at least one classifier", Words("none"), "'logistic' is a start")
    return _distinct(found)


def _detector(given: Any, settings: BenchSettings) -> Detector:
    if isinstance(given, Detector):
        _check(given.made(), given.name)
        return given
    if isinstance(given, str):
        return Detector(name=given, classifier=_known(given), settings=settings)
    if isinstance(given, tuple | list) and len(given) == 2 and isinstance(given[0], str):
        name, one = given
        if isinstance(one, Detector):
            return replace(one, name=name)
        if isinstance(one, str):
            return Detector(name=name, classifier=_known(one), settings=settings)
        if isinstance(one, Mapping):
            return _cross_validated(name, one)
        _check(one, name)
        return Detector(name=name, classifier=one)
    _check(given, type(given).__name__)
    return Detector(name=_named(given), classifier=given)


def _cross_validated(name: str, result: Mapping[str, Any]) -> Detector:
    """What scikit-learn's cross_validate returned, with its estimators and where they were trained."""
    lacking = [key for key in ("estimator", "indices") if key not in result]
    if lacking:
        raise InputError(
            "models",
            "of cross_validate must keep their estimators and indices",
            Words(f"{name!r} without {' and '.join(lacking)}"),
            "run it with return_estimator=True and return_indices=True",
        )
    return Detector(name=name, classifier=result["estimator"][0], fitted=tuple(result["estimator"]))


def _known(name: str) -> str:
    return name if name == MAJORITY else str(check_choice(name, "models", BENCH_CLASSIFIERS))


def _named(estimator: Any) -> str:
    """The last step of a pipeline says what it is."""
    last = getattr(estimator, "steps", [(None, estimator)])[-1][1]
    return type(last).__name__


def _check(estimator: Any, name: str) -> None:
    scores = hasattr(estimator, "predict_proba") or hasattr(estimator, "decision_function")
    if isinstance(estimator, type) or not hasattr(estimator, "fit") or not scores:
        kind = f"the class {name}" if isinstance(estimator, type) else f"{type(estimator).__name__} {name!r}"
        raise InputError(
            "models",
            "must be names of classifiers, or objects with fit and predict_proba or decision_function",
            Words(kind),
            f"the known names are {', '.join(BENCH_CLASSIFIERS)}",
        )
    if hasattr(estimator, "_estimator_type") and not is_classifier(estimator):
        raise InputError("models", "must be classifiers", Words(f"{type(estimator).__name__} {name!r}"))


def _distinct(found: Sequence[Detector]) -> tuple[Detector, ...]:
    """Names that tell detectors apart: numbered where objects share one, refused where a user gave it twice."""
    taken: dict[str, int] = {}
    out = []
    for one in found:
        taken[one.name] = taken.get(one.name, 0) + 1
        if taken[one.name] > 1 and isinstance(one.classifier, str):
            raise InputError("models", "must have different names", Words(f"{one.name!r} twice"), "name each once")
        name = one.name if taken[one.name] == 1 else f"{one.name} {taken[one.name]}"
        out.append(replace(one, name=name))
    return tuple(out)


def fresh(estimator: Any, seed: int) -> Any:
    """A clone whose random parts, those that nobody seeded, are seeded."""
    try:
        made = clone(estimator)
    except TypeError:  # not scikit-learn's: the object itself is all there is
        import copy

        return copy.deepcopy(estimator)
    unset = [name for name, value in made.get_params(deep=True).items() if _is_seed(name) and value is None]
    return made.set_params(**dict.fromkeys(unset, seed)) if unset else made


def _is_seed(name: str) -> bool:
    return name == "random_state" or name.endswith("__random_state")
