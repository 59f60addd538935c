"""Does a prediction model need an update among these cases, and which? Kept, moved, stretched, or fitted anew."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

import numpy as np
from scipy.special import chdtrc, expit

from roclab._core.checks import check_count, check_level, plural
from roclab._core.text import text_table
from roclab._core.types import Bools, Floats, Ints, frozen
from roclab._core.undefined import Undefined
from roclab._core.work import leave_if_stopped, spawn_generators
from roclab.analysis.support import prepared
from roclab.data.cases import Cases
from roclab.data.columns import score_column
from roclab.data.read import read_cases
from roclab.data.subjects import numbered
from roclab.data.table import table_of
from roclab.data.verbs import verb
from roclab.errors import InputError, RoclabError, Words, named
from roclab.inference.one_area.intervals import deviate
from roclab.inference.subject_sums import error_of_mean
from roclab.models.updating import UPDATES, ModelUpdate, UpdateName, fit_update, is_linear_in, log_losses, log_odds
from roclab.options.data import DataKeywords
from roclab.results import Interval, Result, Sample

__all__ = ["ModelUpdates", "UpdateTest", "UpdatedModel", "update_model"]

_FOLDS = 10
_REPEATS = 5
_NEAREST = 2.0**-53  # the largest number below 1 is 1 minus this


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class UpdatedModel(Result):
    """One update: its coefficients, and what its risks lose on cases that did not make it."""

    update: UpdateName
    parameters: int
    intercept: float
    slope: float  # of the old log odds; undefined for a refitted model
    coefficients: dict[str, float]  # of a refitted model
    intercept_limits: Interval
    slope_limits: Interval
    log_likelihood: float
    log_loss: float  # out of fold
    log_loss_change: float  # from the model as it is: below 0 is better
    log_loss_error: float
    brier: float
    brier_change: float
    brier_error: float

    def rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [{
            "update": self.update, "parameters": self.parameters, "intercept": self.intercept, "slope": self.slope,
            "log loss": self.log_loss, "change": self.log_loss_change, "std. error": self.log_loss_error,
            "Brier": self.brier, "Brier change": self.brier_change, "Brier std. error": self.brier_error,
        }]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateTest:
    """One step of the closed test: an update against the largest one, by the likelihood ratio."""

    update: UpdateName
    against: UpdateName
    statistic: float
    df: int
    p_value: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ModelUpdates(Result):
    """Every update of a prediction model beside the others, and the one the closed test takes."""

    updates: tuple[UpdatedModel, ...]
    tests: tuple[UpdateTest, ...]
    chosen: UpdateName  # by the closed test; undefined where it does not hold
    probabilities: Floats  # of the cases by the chosen update, each from fits that did not see it; else as they were
    level: float
    design: str  # of the folds
    sample: Sample
    columns: tuple[str, ...]  # of a refitted model
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        frozen(self.probabilities)

    def update(self, name: UpdateName) -> UpdatedModel:
        """One update by its name."""
        for one in self.updates:
            if one.update == name:
                return one
        raise InputError("update", "was not fitted", name, f"write one of {', '.join(u.update for u in self.updates)}")

    def apply(self, risks: Any = None, *, predictors: Any = None, update: UpdateName | None = None) -> Floats:
        """Risks of new cases by an update, the chosen one unless said: from old risks, or from columns if refitted."""
        name = self.chosen if update is None else update
        if isinstance(name, Undefined):
            raise InputError("update", "must be said, because no closed test chose one", way_out=f"write "
                             f"{named('update', 'intercept and slope')}")  # fmt: skip
        one = self.update(name)
        if one.update == "refitted":
            if risks is not None or predictors is None:
                raise InputError("predictors", "are what a refitted model needs, and no risks",
                                 way_out=f"write apply({named('predictors', '{…}')})")  # fmt: skip
            return _refitted(one, predictors)
        if risks is None or predictors is not None:
            raise InputError("risks", f"are what the update {one.update!r} moves",
                             way_out="give the risks of the old model alone")  # fmt: skip
        known = _risks(score_column(risks, "risks").values, "risks")[0]
        if one.update == "as it is":
            return known
        odds = log_odds(known)
        return np.asarray(expit(one.intercept + one.slope * odds))

    def rows(self) -> list[dict[str, Any]]:
        """One row per update."""
        return [row for one in self.updates for row in one.rows()]

    def __str__(self) -> str:
        percent = f"{100 * self.level:g}%"
        lines = [
            text_table(self.rows()),
            "",
            f"losses {self.design}; a change below 0 is a gain over the model as it is",
        ]
        for one in self.updates:
            if one.update in ("intercept", "intercept and slope"):
                limits = f"intercept {one.intercept_limits}"
                limits += f", slope {one.slope_limits}" if one.update == "intercept and slope" else ""
                lines.append(f"{one.update}: {percent} limits of {limits}")
            if one.update == "refitted":
                terms = ", ".join(f"{name} {value:.4g}" for name, value in one.coefficients.items())
                lines.append(f"refitted: {terms}")
        if self.tests:
            steps = [{"update": test.update, "against": test.against, "chi-squared": test.statistic, "df": test.df,
                      "p": test.p_value} for test in self.tests]  # fmt: skip
            lines += ["", text_table(steps), f"the closed test takes: {self.chosen}"]
        return "\n".join([*lines, self.sample.describe(), *self.notes])


@verb(columns="score")
def update_model(
    y_true: Any,
    y_score: Any = None,
    *,
    predictors: Any = None,
    repeats: int | None = None,
    level: float = 0.95,
    rng: Any = None,
    **data: Unpack[DataKeywords],
) -> ModelUpdates:
    """Update a prediction model among new cases: its intercept, its slope, or all of it, and what each would lose.

    A model that was made elsewhere may say too high or too low a risk here (the intercept), too extreme ones (the
    slope), or weigh its predictors as no longer fits (refitting). Each update is fitted, judged on cases that did not
    make it, and chosen by a closed test that starts at the model as it is.

    Parameters
    ----------
    y_true, y_score : arrays, or a table, as in :func:`auc`
        The outcome and the risks that the model predicts.
    predictors : mapping of columns, or names of columns of the table, optional
        What the model was made of; with them it is also fitted anew, by logistic regression.
    repeats : int, optional
        Of the ten stratified folds that judge the updates, 5 by default. With ``folds`` (hospitals, years) every
        fold is judged by the updates of the others instead.
    level : float
        Of the limits of intercept and slope; the closed test rejects below ``1 - level``.
    rng : seed or Generator
        Of the folds.

    Examples
    --------
    >>> import roclab as rl, numpy as np
    >>> rng = np.random.default_rng(1)
    >>> odds = rng.normal(-1, 1.5, 400)
    >>> ill = rng.random(400) < 1 / (1 + np.exp(-(odds - 1)))  # here the outcome is rarer than the model says
    >>> found = rl.update_model(ill, 1 / (1 + np.exp(-odds)), rng=1)
    >>> found.chosen
    'intercept'
    """
    check_level(level)
    cases, names = _read(y_true, y_score, predictors, data)
    cases = prepared("update_model", cases)
    risk = cases.names[0]
    if cases.direction_chosen or any(side == "lower" for side in cases.direction.values()):
        raise InputError("direction", "has no part in it: risks are those of the positive class",
                         way_out="leave it out")  # fmt: skip
    again = check_count(_REPEATS if repeats is None else repeats, "repeats", least=1, most=1000, way_out="5 are usual")
    if cases.weights == "importance":
        raise InputError("sample_weight", "has no form in this regression for importance weights",
                         way_out="leave it out, or give whole weights")  # fmt: skip
    cases = cases.repeated()
    inside, notes = _risks(cases.scores[risk], risk)
    given = log_odds(inside)
    columns = np.column_stack([np.asarray(cases.scores[one], np.float64) for one in names]) if names else None
    asked_for = UPDATES if names else UPDATES[:3]
    fits = {one: fit_update(one, given, cases.label, columns) for one in asked_for}
    subject = None if cases.ids is None or not cases.clustered else numbered(cases.ids)[1]
    splits, design = _splits(cases, names, subject, again, rng)
    odds, lacking = _out_of_fold(fits, given, columns, cases.label, splits)
    tests, chosen, why = _closed_test(fits, given, columns, clustered=subject is not None, alpha=1 - level)
    notes += why
    if subject is not None:
        notes.append("Limits of intercept and slope take every case for itself; those of changes count subjects.")
    if cases.folds is not None and (repeats is not None or rng is not None):
        notes.append(f"Folds are given, so that none are drawn: {named('repeats')} and {named('rng')} have no part.")
    notes.append("Standard errors are between cases and take the fits for given.")
    old = odds["as it is"]
    updates = tuple(
        _judged(fit, odds[one], old, cases.label, subject, level, names, lacking.get(one)) for one, fit in fits.items()
    )
    taken = odds["as it is" if isinstance(chosen, Undefined) else chosen]
    return ModelUpdates(
        updates=updates, tests=tuple(tests), chosen=chosen, probabilities=np.mean(expit(taken), axis=0), level=level,
        design=design, sample=replace(cases.sample(risk), score=risk), columns=names, notes=tuple(notes),
    )  # fmt: skip


def _read(y_true: Any, y_score: Any, predictors: Any, data: Any) -> tuple[Cases, tuple[str, ...]]:
    """Cases with the risks as the first score and the columns of the model as the others, without gaps in any."""
    if predictors is None:
        cases = read_cases(y_true, y_score, **data)
        cases.only_name()
        return cases, ()
    if y_score is None:
        asked = data.get("score")
        chosen = [asked] if isinstance(asked, str) else list(asked or ())
        if len(chosen) != 1:
            raise InputError("score", "must name the one column of predicted risks", Words(f"{len(chosen)}"),
                             f"write {named('score', 'risk')}")  # fmt: skip
        if isinstance(predictors, Mapping):
            raise InputError("predictors", "must name columns of the same table", Words("a mapping"),
                             f"write {named('predictors', ['age', 'marker'])}")  # fmt: skip
        names = (predictors,) if isinstance(predictors, str) else tuple(predictors)
        _check_apart(names, chosen[0])
        return read_cases(y_true, **{**data, "score": [chosen[0], *names]}), names
    if not isinstance(predictors, Mapping):
        raise InputError("predictors", "must map names to columns", Words(type(predictors).__name__),
                         f"write {named('predictors', '{…}')}")  # fmt: skip
    names = tuple(str(name) for name in predictors)
    risk = "risk"
    if isinstance(y_score, Mapping):
        if len(y_score) != 1:
            raise InputError("y_score", "must hold the one column of predicted risks", Words(f"{len(y_score)}"))
        ((risk, y_score),) = y_score.items()
    _check_apart(names, risk)
    return read_cases(y_true, {risk: y_score, **dict(zip(names, predictors.values(), strict=True))}, **data), names


def _check_apart(names: Sequence[str], risk: str) -> None:
    if risk in names or not names:
        got = Words(f"{risk!r} among them") if names else Words("none")
        raise InputError("predictors", "must be the columns the model is made of, without its risk", got,
                         f"leave out {named('predictors')} to move and stretch the risks only")  # fmt: skip


def _risks(values: Any, name: str) -> tuple[Floats, list[str]]:
    """Risks strictly inside 0 and 1, and the note where some were not: a sigmoid of large log odds rounds to 1."""
    p = np.asarray(values, dtype=np.float64)
    if p.size == 0 or not ((p >= 0) & (p <= 1)).all():
        got = Words("none" if p.size == 0 else "NaN" if np.isnan(p).any() else f"{p.min():g} to {p.max():g}")
        raise InputError(name, "must hold predicted risks between 0 and 1", got,
                         "make risks of scores by recalibrate()")  # fmt: skip
    edge = int(np.sum((p == 0) | (p == 1)))
    said = f"{plural(edge, 'risk')} of exactly 0 or 1 count as the nearest number inside, log odds of about 37."
    return np.clip(p, _NEAREST, 1 - _NEAREST), [said] if edge else []


def _splits(
    cases: Cases, names: Sequence[str], subject: Ints | None, repeats: int, rng: Any
) -> tuple[list[list[Bools]], str]:
    """Held-out cases of every fold of every repeat, and the design in words."""
    if cases.folds is not None:
        fold = cases.folds.astype(str)
        kinds = np.unique(fold)
        if kinds.size < 2:
            raise InputError("folds", "must be at least two", Words("one"), "leave them out")
        return [[fold == one for one in kinds]], f"of every one of {kinds.size} folds by updates of the others"
    unit = subject
    if unit is None:  # by what is known of the cases, so that no order of rows changes their folds
        unit = np.empty(len(cases), np.int64)
        unit[np.lexsort([*(cases.scores[one] for one in names), cases.scores[cases.names[0]]])] = np.arange(len(cases))
    kinds, first = np.unique(unit, return_index=True)
    ill = np.zeros(kinds.size, bool)
    ill[np.searchsorted(kinds, unit[cases.label])] = True
    count = min(_FOLDS, int(ill.sum()), int((~ill).sum()) if subject is None else kinds.size)
    if count < 2 or first.size < 2:
        raise InputError("y_true", "must hold two cases of each class or more to judge updates",
                         Words(f"{int(cases.label.sum())} positive, {int((~cases.label).sum())} negative"))  # fmt: skip
    generators, seed = spawn_generators(rng, repeats)
    out = []
    for generator in generators:
        number = np.empty(kinds.size, np.int64)
        for of_class in (ill, ~ill):  # dealt out like cards, so that every fold has its share of the class
            places = generator.permutation(np.flatnonzero(of_class))
            number[places] = np.arange(places.size) % count
        fold = number[np.searchsorted(kinds, unit)]
        out.append([fold == one for one in range(count)])
    whole = "" if subject is None else ", subjects kept whole"
    return out, f"out of {count} folds, {plural(repeats, 'time')} anew (seed {seed}){whole}"


def _out_of_fold(
    fits: Mapping[UpdateName, ModelUpdate], given: Floats, columns: Floats | None, label: Bools,
    splits: list[list[Bools]],
) -> tuple[dict[UpdateName, Floats], dict[UpdateName, str]]:  # fmt: skip
    """Log odds of every case in every repeat, by updates that did not see its fold; and why an update has none."""
    odds: dict[UpdateName, Floats] = {}
    lacking: dict[UpdateName, str] = {}
    for update in fits:
        found = np.empty((len(splits), label.size))
        for repeat, folds in enumerate(splits):
            for held in folds:
                leave_if_stopped()
                left = ~held
                part = None if columns is None else columns[left]
                try:
                    fit = fit_update(update, given[left], label[left], part)
                except RoclabError as error:
                    lacking[update] = f"without one fold it could not be fitted: {error}"
                    break
                found[repeat, held] = fit.log_odds(given[held], None if columns is None else columns[held])
            if update in lacking:
                break
        odds[update] = np.full((1, label.size), np.nan) if update in lacking else found
    return odds, lacking


def _closed_test(
    fits: Mapping[UpdateName, ModelUpdate], given: Floats, columns: Floats | None, *, clustered: bool, alpha: float
) -> tuple[list[UpdateTest], UpdateName, list[str]]:
    """From the model as it is upwards, each against the largest: the first that is not rejected is taken."""
    why = ""
    if clustered:
        why = "the likelihood takes every case for itself, and subjects have several"
    elif columns is not None and not is_linear_in(given, columns):
        why = "the log odds of the risks are no linear function of the predictors, so that refitting does not hold them"
    if why:
        nothing: Any = Undefined(why)
        return [], nothing, [f"No closed test: {why}; compare the losses."]
    names = list(fits)
    largest = fits[names[-1]]
    tests: list[UpdateTest] = []
    chosen: UpdateName = largest.update
    for name in names[:-1]:
        df = largest.parameters - fits[name].parameters
        ratio = max(2 * (largest.log_likelihood - fits[name].log_likelihood), 0.0)
        if df <= 0:  # one predictor: refitting is the same as intercept and slope
            continue
        p = float(chdtrc(df, ratio))
        tests.append(UpdateTest(update=name, against=largest.update, statistic=ratio, df=df, p_value=p))
        if p >= alpha:
            chosen = name
            break
    return tests, chosen, []


def _judged(
    fit: ModelUpdate, odds: Floats, old: Floats, label: Bools, subject: Ints | None, level: float,
    names: tuple[str, ...], lacking: str | None,
) -> UpdatedModel:  # fmt: skip
    refitted = fit.update == "refitted"
    none = Undefined("a refitted model has a slope of its own for every predictor")
    z = deviate(level)
    if lacking is None:
        losses, squares = _losses(odds, label)
        before, before_squares = _losses(old, label)
        change, error = _change(losses - before, subject)
        moved, moved_error = _change(squares - before_squares, subject)
        values = (float(losses.mean()), change, error, float(squares.mean()), moved, moved_error)
    else:
        values = (Undefined(lacking),) * 6
    fixed = Undefined("it is not estimated")

    def limits(at: int) -> Interval:
        if fit.errors[at] == 0:
            return Interval(low=fixed, high=fixed, level=level, method="none")
        value, half = float(fit.coefficients[at]), z * float(fit.errors[at])
        return Interval(low=value - half, high=value + half, level=level, method="Wald")

    return UpdatedModel(
        update=fit.update, parameters=fit.parameters, intercept=float(fit.coefficients[0]),
        slope=none if refitted else float(fit.coefficients[1]),
        coefficients=dict(zip(("(intercept)", *names), fit.coefficients.tolist(), strict=True)) if refitted else {},
        intercept_limits=limits(0),
        slope_limits=Interval(low=none, high=none, level=level, method="none") if refitted else limits(1),
        log_likelihood=fit.log_likelihood, log_loss=values[0], log_loss_change=values[1], log_loss_error=values[2],
        brier=values[3], brier_change=values[4], brier_error=values[5],
    )  # fmt: skip


def _losses(odds: Floats, label: Bools) -> tuple[Floats, Floats]:
    """The mean loss of every case over the repeats: -ln of the probability, and the squared error."""
    wide = np.broadcast_to(label, odds.shape)
    return log_losses(odds, wide).mean(axis=0), ((expit(odds) - wide) ** 2).mean(axis=0)


def _change(difference: Floats, subject: Ints | None) -> tuple[float, float]:
    if not difference.any():
        return 0.0, Undefined("it is the model itself")
    if subject is not None:
        return float(difference.mean()), error_of_mean(difference, subject, int(subject.max()) + 1)
    return float(difference.mean()), float(difference.std(ddof=1)) / math.sqrt(difference.size)


def _refitted(one: UpdatedModel, predictors: Any) -> Floats:
    names = [name for name in one.coefficients if name != "(intercept)"]
    table = table_of(predictors)
    if table is None:
        raise InputError("predictors", "must be a table or map names to columns", Words(type(predictors).__name__),
                         f"give {', '.join(names)}")  # fmt: skip
    found = table.columns(names, numeric=names)
    odds = one.intercept + sum(
        one.coefficients[name] * np.asarray(score_column(found[name], name).values, np.float64) for name in names
    )
    return np.asarray(expit(odds))
