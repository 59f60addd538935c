"""The table of cut-off criteria: every name a user can ask for, and what it makes as large or as small as possible.

A new criterion is one row here. Beside these rows every metric that judges (``metrics.METRICS``) is a criterion by its
own name, and so is any function of the four counts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from roclab._core.checks import check_choice, choices, close_names
from roclab._core.polyline import SAME
from roclab._core.types import Bools, Floats
from roclab.decisions.metrics import METRICS, Counts4, f_beta, metric_named, quotient
from roclab.decisions.stakes import Stakes
from roclab.errors import InputError, Words, named
from roclab.names import Goal
from roclab.options.criterion import Benefits, Conditions

if TYPE_CHECKING:
    from roclab.decisions.coordinates import Coordinates

__all__ = ["CRITERIA", "Criterion", "criterion_named", "criterion_of_function", "stakes_of"]


def stakes_of(conditions: Benefits, c: Counts4) -> Stakes:
    """Prevalence (default: that of the data), both costs (default 1) and both benefits (default 0)."""
    names = ("cost_fp", "cost_fn", "benefit_tp", "benefit_tn")
    given = {name: value for name in names if (value := getattr(conditions, name)) is not None}
    prevalence = float(c.p / c.total) if conditions.prevalence is None else conditions.prevalence
    return Stakes(prevalence=prevalence, **given)


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """What a cut-off should do best."""

    name: str
    formula: str
    goal: Goal
    compute: Callable[[Counts4, Conditions], Floats]  # one value per row; NaN where it does not exist
    allows: Callable[[Counts4, Conditions], Bools] | None = None  # rows that may be chosen; None for all
    near: Callable[[Coordinates, Conditions], Floats] | None = None  # of rules about the cut-off itself, not the counts
    takes: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    called: str = ""  # what is made best, in a word, where the field has one

    def check(self, conditions: Conditions) -> None:
        """Refuse conditions that the criterion ignores, ask for those it cannot do without."""
        for name, value in conditions.given().items():
            if name not in self.takes:
                others = [row.name for row in CRITERIA.values() if name in row.takes]
                raise InputError(
                    "",
                    f"criterion {self.name!r} takes no {named(name)}",
                    value,
                    f"leave it out or use {' or '.join(map(repr, others))}",
                )
        for name in self.needs:
            if getattr(conditions, name) is None:
                raise InputError(
                    "",
                    f"criterion {self.name!r} needs {named(name)}",
                    Words("none"),
                    f"write {named(name, _EXAMPLES[name])}",
                )

    def describe(self) -> str:
        """What is looked for, in words."""
        return f"{'largest' if self.goal == 'max' else 'smallest'} {self.called or self.formula}"


_EXAMPLES = {"alpha": 0.5, "max_fpr": 0.1, "target": {"sensitivity": 0.9}, "beta": 2}


def _rates(c: Counts4) -> tuple[Floats, Floats]:
    """Sensitivity and specificity."""
    return c.tp / c.p, c.tn / c.n


def _predictive(c: Counts4) -> tuple[Floats, Floats]:
    return quotient(c.tp, c.called_pos), quotient(c.tn, c.called_neg)


def _youden(c: Counts4, _: Conditions) -> Floats:
    se, sp = _rates(c)
    return se + sp - 1


def _corner(c: Counts4, _: Conditions) -> Floats:
    return np.hypot(c.fn / c.p, c.fp / c.n)


def _cost(c: Counts4, conditions: Conditions) -> Floats:
    return stakes_of(conditions, c).cost(c.fp / c.n, c.tp / c.p)


def chi_squared_ahead(c: Counts4) -> Floats:
    """Pearson's statistic of the 2 x 2 table, without continuity correction; 0 where nothing is divided.

    Only cut-offs on the right side of chance count (sensitivity + specificity >= 1): the direction of the score is
    the user's choice, and a cut-off that is significantly wrong is no optimum.
    """
    ahead = np.maximum(c.tp * c.tn - c.fp * c.fn, 0.0)
    bottom = c.called_pos * c.called_neg * c.p * c.n
    statistic: Floats = np.divide(ahead**2 * c.total, bottom, out=np.zeros_like(bottom), where=bottom > 0)
    return statistic


def _within_trim(c: Counts4, conditions: Conditions) -> Bools:
    trim = 0.0 if conditions.trim is None else conditions.trim
    share = c.called_pos / c.total
    return np.asarray((share >= trim - SAME) & (share <= 1 - trim + SAME))


def _prevalence_gap(c: Counts4, conditions: Conditions) -> Floats:
    gap: Floats = np.abs(c.called_pos / c.total - stakes_of(conditions, c).prevalence)
    return gap


def _target_gap(c: Counts4, conditions: Conditions) -> Floats:
    if conditions.target is None or len(conditions.target) != 1:
        raise InputError(
            "target",
            "must name one metric and its value",
            conditions.target,
            f'write target={{"sensitivity": 0.9}}, or use {named("require")} for several bounds',
        )
    ((name, value),) = conditions.target.items()
    gap: Floats = np.abs(metric_named(name).compute(c) - float(value))
    return gap


def _below_max_fpr(c: Counts4, conditions: Conditions) -> Bools:
    assert conditions.max_fpr is not None  # the criterion needs it
    return np.asarray(c.fp / c.n <= conditions.max_fpr + SAME)  # levels such as 0.3 and 3/10 differ by rounding only


def _f(c: Counts4, conditions: Conditions) -> Floats:
    assert conditions.beta is not None  # the criterion needs it
    return f_beta(c, conditions.beta)


def _f_alpha(c: Counts4, conditions: Conditions) -> Floats:
    """1 / (alpha / precision + (1 - alpha) / recall), which is the F-measure with beta² = (1 - alpha) / alpha."""
    alpha = conditions.alpha
    assert alpha is not None  # the criterion needs it
    return quotient(c.tp, c.tp + alpha * c.fp + (1 - alpha) * c.fn)


def _weighted_kappa(c: Counts4, conditions: Conditions) -> Floats:
    """1 - cost of the errors made over cost of those that chance would make with the same margins."""
    at = stakes_of(conditions, c)
    chance = (at.cost_fp * c.called_pos * c.n + at.cost_fn * c.called_neg * c.p) / c.total
    return np.asarray(1 - quotient(at.cost_fp * c.fp + at.cost_fn * c.fn, chance))


def _weighted_corner(c: Counts4, conditions: Conditions) -> Floats:
    return np.asarray(np.sqrt((c.fn / c.p) ** 2 + stakes_of(conditions, c).slope * (c.fp / c.n) ** 2))


def _precision_recall(c: Counts4) -> tuple[Floats, Floats]:
    return quotient(c.tp, c.called_pos), quotient(c.tp, c.p)


def _least(pair: Callable[[Counts4], tuple[Floats, Floats]]) -> Callable[[Counts4, Conditions], Floats]:
    return lambda c, _: np.minimum(*pair(c))


def _gap(pair: Callable[[Counts4], tuple[Floats, Floats]]) -> Callable[[Counts4, Conditions], Floats]:
    def gap(c: Counts4, _: Conditions) -> Floats:
        one, two = pair(c)
        return np.abs(one - two)

    return gap


def _product(pair: Callable[[Counts4], tuple[Floats, Floats]]) -> Callable[[Counts4, Conditions], Floats]:
    def product(c: Counts4, _: Conditions) -> Floats:
        one, two = pair(c)
        return one * two

    return product


def _predictive_corner(c: Counts4, _: Conditions) -> Floats:
    ppv, npv = _predictive(c)
    return np.hypot(1 - ppv, 1 - npv)


def _minimax(c: Counts4, conditions: Conditions) -> Floats:
    at = stakes_of(conditions, c)
    return np.maximum(at.prevalence * at.cost_fn * c.fn / c.p, (1 - at.prevalence) * at.cost_fp * c.fp / c.n)


# -- rules about the cut-off itself: for predicted probabilities, where a cut-off has a meaning of its own ----------


def _not_of_counts(c: Counts4, _: Conditions) -> Floats:
    return np.full(c.tp.shape, np.nan)


def _from_prevalence(table: Coordinates, conditions: Conditions) -> Floats:
    return np.abs(table.thresholds - stakes_of(conditions, table.counts(slice(0, 1))).prevalence)


def _from_mean(table: Coordinates, _: Conditions) -> Floats:
    cases = np.diff(table.tp) + np.diff(table.fp)
    scores = table.thresholds[1:] if table.rule == "observed" else table.user_scores()
    if not np.isfinite(scores).all():
        raise InputError("criterion", "'mean_score' needs finite scores", Words("inf"), "drop or rank these scores")
    with np.errstate(over="ignore"):  # of the widest ranges a distance may be beyond all numbers
        return np.abs(table.thresholds - float(np.sum(cases / cases.sum() * scores)))  # shares first: sums overflow


def _above_bayes(table: Coordinates, conditions: Conditions) -> Floats:
    """Distance above r_FP / (r_FP + r_FN), the regrets of both errors: the cost and the benefit forgone.

    The lowest such cut-off calls positive iff (1 - p) r_FP < p r_FN.
    """
    if table.sample.direction != "higher" or not (table.scores[-1] >= 0 and table.scores[0] <= 1):
        raise InputError(
            "",
            "criterion 'bayes' needs predicted probabilities of the positive class",
            Words(f"scores from {table.scores[-1]:g} to {table.scores[0]:g}"),
            "fit a model that predicts them, or use 'cost'",
        )
    at = stakes_of(conditions, table.counts(slice(0, 1)))
    indifferent = at.regret_fp / (at.regret_fp + at.regret_fn)
    highest = np.concatenate([[np.inf], table.scores])  # of the thresholds that decide like a row
    return np.where(highest > indifferent, highest - indifferent, np.nan)


def _row(
    name: str,
    goal: Goal,
    formula: str,
    compute: Callable[[Counts4, Conditions], Floats],
    takes: tuple[str, ...] = (),
    needs: tuple[str, ...] = (),
    allows: Callable[[Counts4, Conditions], Bools] | None = None,
) -> Criterion:
    takes = (*takes, *needs)
    return Criterion(name=name, goal=goal, formula=formula, compute=compute, allows=allows, takes=takes, needs=needs)


def _near(
    name: str, formula: str, near: Callable[[Coordinates, Conditions], Floats], takes: tuple[str, ...] = ()
) -> Criterion:
    return Criterion(name=name, goal="min", formula=formula, compute=_not_of_counts, near=near, takes=takes)


_COSTS = ("prevalence", "cost_fp", "cost_fn")
_BENEFITS = ("benefit_tp", "benefit_tn")

CRITERIA: dict[str, Criterion] = {
    row.name: row
    for row in (
        _row("youden", "max", "sensitivity + specificity - 1", _youden),
        _row("closest_to_corner", "min", "distance sqrt(FPR² + FNR²) from (0, 1)", _corner),
        _row("cost", "min", "expected cost π·c_FN·FNR + (1 - π)·c_FP·FPR, less benefits", _cost,
             takes=(*_COSTS, *_BENEFITS)),
        _row("minimax", "min", "larger part of the expected cost, max(π·c_FN·FNR, (1 - π)·c_FP·FPR)", _minimax,
             takes=_COSTS),
        _row("f_beta", "max", "F-measure, recall weighing beta times as much", _f, needs=("beta",)),
        _row("se_equals_sp", "min", "|sensitivity - specificity|", _gap(_rates)),
        _row("max_min_se_sp", "max", "min(sensitivity, specificity)", _least(_rates)),
        _row("product", "max", "sensitivity · specificity", _product(_rates)),
        _row("ppv_equals_npv", "min", "|PPV - NPV|", _gap(_predictive)),
        _row("max_min_ppv_npv", "max", "min(PPV, NPV)", _least(_predictive)),
        _row("product_ppv_npv", "max", "PPV · NPV", _product(_predictive)),
        _row("closest_to_predictive_corner", "min", "distance sqrt((1 - PPV)² + (1 - NPV)²)", _predictive_corner),
        _row("min_p", "max", "chi-squared statistic of the 2 x 2 table (smallest p)", lambda c, _: chi_squared_ahead(c),
             takes=("trim",), allows=_within_trim),
        _row("neyman_pearson", "max", "sensitivity with FPR <= max_fpr", lambda c, _: c.tp / c.p, needs=("max_fpr",),
             allows=_below_max_fpr),
        _row("prevalence_matching", "min", "|share called positive - prevalence|", _prevalence_gap,
             takes=("prevalence",)),
        _row("f_alpha", "max", "F-measure 1 / (alpha / precision + (1 - alpha) / recall)", _f_alpha, needs=("alpha",)),
        _row("break_even", "min", "|precision - recall|", _gap(_precision_recall)),
        _row("weighted_kappa", "max", "kappa with errors weighed by their costs", _weighted_kappa,
             takes=("cost_fp", "cost_fn")),
        _row("weighted_corner", "min", "distance sqrt(FNR² + r·FPR²) from (0, 1), r = (1 - π)·c_FP / (π·c_FN)",
             _weighted_corner, takes=(*_COSTS, *_BENEFITS)),
        _near("observed_prevalence", "|cut-off - prevalence|", _from_prevalence, ("prevalence",)),
        _near("mean_score", "|cut-off - mean score|", _from_mean),
        _near("bayes", "cut-off above c_FP / (c_FP + c_FN), each with the benefit it forgoes", _above_bayes,
              ("cost_fp", "cost_fn", *_BENEFITS)),
        _row("target", "min", "distance of a metric from its target", _target_gap, needs=("target",)),
    )
}  # fmt: skip


def criterion_named(name: str, goal: Goal | None = None) -> Criterion:
    """The criterion of that name, or the metric of that name as a criterion; the error lists all names.

    ``goal`` turns it around, and makes a criterion of a metric that only describes.

    >>> criterion_named("youden").describe()
    'largest sensitivity + specificity - 1'
    >>> criterion_named("efficiency").formula
    '(TP + TN) / T'
    """
    if goal is not None:
        check_choice(goal, "goal", ("max", "min"))
    if name in CRITERIA:
        return CRITERIA[name] if goal is None else replace(CRITERIA[name], goal=goal)
    judging = [metric.name for metric in METRICS.values() if metric.better is not None]
    try:
        metric = metric_named(name)
    except InputError:
        known = [*CRITERIA, "required", *judging]
        raise InputError(
            "criterion",
            f"must be one of {choices(name, tuple(known))} or a function f(tp, fp, fn, tn)",
            Words(f"{name!r}{close_names(name, known)}"),
        ) from None
    if metric.better is None and goal is None:
        raise InputError(
            "criterion",
            f"must judge, and {metric.name!r} ({metric.formula}) only describes",
            way_out=f"say which end is better with {named('goal')}, or use one of {', '.join(map(repr, judging))}",
        )
    return Criterion(
        name=metric.name,
        formula=metric.formula,
        goal=goal or ("max" if metric.better == "higher" else "min"),
        compute=lambda c, _: metric.compute(c),
        called=metric.synonyms[0] if len(metric.name) < 5 and metric.synonyms else metric.name.replace("_", " "),
    )


def criterion_of_function(function: Callable[..., Any], goal: Goal = "max") -> Criterion:
    """A user's own metric f(tp, fp, fn, tn) as a criterion.

    The function is called with columns of counts; if it cannot take them, once per row. A division by zero and NaN
    mean that it does not exist at that row.

    >>> jaccard = criterion_of_function(lambda tp, fp, fn, tn: tp / (tp + fp + fn))
    >>> jaccard.compute(Counts4.of([2.0, 0.0], [1.0, 0.0], [1.0, 3.0], [6.0, 7.0]), Conditions()).tolist()
    [0.5, 0.0]
    """
    check_choice(goal, "goal", ("max", "min"))
    name = getattr(function, "__name__", type(function).__name__)

    def compute(c: Counts4, _: Conditions) -> Floats:
        tp, fp, fn, tn = np.broadcast_arrays(c.tp, c.fp, c.fn, c.tn)
        try:
            with np.errstate(all="ignore"):
                value = np.asarray(function(tp, fp, fn, tn), dtype=np.float64)
            if value.shape in ((), tp.shape):
                return np.broadcast_to(value, tp.shape)
        except (TypeError, ValueError, ZeroDivisionError):
            pass  # written for single numbers
        rows = zip(*(column.ravel().tolist() for column in (tp, fp, fn, tn)), strict=True)
        return np.array([_one(function, name, row) for row in rows]).reshape(tp.shape)

    shown = "the given function" if name == "<lambda>" else f"{name}(tp, fp, fn, tn)"
    return Criterion(name=name.strip("<>"), formula=shown, goal="max" if goal == "max" else "min", compute=compute)


def _one(function: Callable[..., Any], name: str, row: tuple[float, ...]) -> float:
    try:
        return float(function(*row))
    except ZeroDivisionError:
        return float("nan")
    except TypeError as error:
        raise InputError(
            "criterion",
            "must be a function f(tp, fp, fn, tn) that returns a number",
            Words(f"{name!r} failing with: {error}"),
        ) from error
