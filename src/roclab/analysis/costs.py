"""Which classifier costs less? Costs and the LC index of pairs, the H-measure and net benefit of scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Literal, Unpack

from roclab._core.text import text_table, with_notes
from roclab.analysis.classifiers import classifiers_of, tallies_of
from roclab.analysis.support import data_of_follow_up, notes_of_subjects
from roclab.curves.cost import cost_curve
from roclab.curves.roc import RocCurve
from roclab.data.verbs import verb
from roclab.decisions.costs import CostComparison, compare_costs
from roclab.decisions.h_measure import HMeasure, h_measure
from roclab.decisions.lc_index import LcIndex
from roclab.decisions.lc_index import lc_index as lc_of_curves
from roclab.decisions.net_benefit import DecisionCurve, decision_curve
from roclab.errors import InputError, Words, named
from roclab.options.data import DataKeywords
from roclab.options.follow_up import FollowUpKeywords, FollowUpOptions, is_survival
from roclab.results import Result
from roclab.results.pictured import Pictured

__all__ = [
    "CostComparisons",
    "HMeasures",
    "LcIndices",
    "compare_classifier_costs",
    "h_measures",
    "lc_index",
    "net_benefit",
]

Rows = list[dict[str, Any]]


class _Pairs(Result):
    """Results about pairs of classifiers, one after the other."""

    __slots__ = ()

    pairs: tuple[Any, ...]
    notes: tuple[str, ...]

    def rows(self) -> Rows:
        """The rows of each pair's own result."""
        return [{"first": pair.first, "second": pair.second, **row} for pair in self.pairs for row in pair.rows()]

    def __str__(self) -> str:
        return with_notes("\n\n\n".join(map(str, self.pairs)), self.notes)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CostComparisons(_Pairs):
    """Over which conditions each of two classifiers is cheaper, for every pair."""

    pairs: tuple[CostComparison, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LcIndices(_Pairs, Pictured):
    """Who loses less when costs are known only roughly, for every pair."""

    pairs: tuple[LcIndex, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HMeasures(Result):
    """The H-measure of each score."""

    measures: tuple[HMeasure, ...]
    notes: tuple[str, ...] = ()

    def rows(self) -> Rows:
        """One row per score."""
        return [row for measure in self.measures for row in measure.rows()]

    def __str__(self) -> str:
        rows = [{name: value for name, value in row.items() if name != "prior"} for row in self.rows()]
        priors = dict.fromkeys(
            f"H with {measure.prior}; prevalence {measure.prevalence:.4g}" for measure in self.measures
        )
        words = "AUCH hull area, KS largest TPR - FPR, MER smallest error rate, MWL smallest weighted loss"
        return with_notes("\n".join([text_table(rows), "", *priors, words]), self.notes)


def _two(found: Mapping[str, RocCurve]) -> list[tuple[str, str]]:
    if len(found) < 2:
        raise InputError("classifiers", "are compared with each other", Words("one only"), "name another one")
    return list(combinations(found, 2))


@verb()
def compare_classifier_costs(classifiers: Any, y_score: Any = None, **data: Unpack[DataKeywords]) -> CostComparisons:
    """Over which conditions (prior times cost) each of two classifiers is cheaper, for every pair.

    >>> import roclab as rl
    >>> found = rl.classifiers.compare_classifier_costs({"a": [(0.1, 0.6)], "b": [(0.4, 0.9)]})
    >>> [(one.first, one.second) for one in found.pairs]
    [('a', 'b')]
    """
    found = classifiers_of(classifiers, y_score, **data)
    drawn = {name: cost_curve(curve) for name, curve in found.items()}
    return CostComparisons(
        pairs=tuple(compare_costs(drawn[one], drawn[two], names=(one, two)) for one, two in _two(found)),
        notes=notes_of_subjects(found.values()),
    )


@verb()
def lc_index(
    classifiers: Any,
    y_score: Any = None,
    *,
    prevalence: float,
    shares: tuple[float, float, float],
    **data: Unpack[DataKeywords],
) -> LcIndices:
    """The LC index of every pair: who loses less when costs are known only roughly.

    Parameters
    ----------
    classifiers, y_score : as in :func:`hull`
    prevalence : float
        Share of positive cases.
    shares : three floats
        Smallest, likeliest and largest share of a false positive in the cost of both errors.

    Examples
    --------
    >>> import roclab as rl
    >>> found = rl.classifiers.lc_index({"a": [(0.1, 0.6)], "b": [(0.4, 0.9)]}, prevalence=0.3, shares=(0.1, 0.2, 0.4))
    >>> len(found.pairs)
    1
    """
    low, mode, high = _three_shares(shares)
    found = classifiers_of(classifiers, y_score, **data)
    return LcIndices(
        pairs=tuple(
            lc_of_curves(
                found[one], found[two], names=(one, two), prevalence=prevalence, interval=(low, high), mode=mode
            )
            for one, two in _two(found)
        ),
        notes=notes_of_subjects(found.values()),
    )


def _three_shares(shares: tuple[float, float, float]) -> tuple[float, float, float]:
    way_out = f"write {named('shares', (0.05, 0.1, 0.3))}"
    try:
        low, mode, high = (float(share) for share in shares)
    except (TypeError, ValueError):
        raise InputError("shares", "must be three numbers (low, mode, high)", shares, way_out) from None
    if not (0 <= low <= mode <= high <= 1 and low < high):
        rule = "must satisfy 0 <= low <= mode <= high <= 1 with low < high"
        raise InputError("shares", rule, Words(f"({low:g}, {mode:g}, {high:g})"), way_out)
    return low, mode, high


@verb()
def h_measures(
    y_true: Any,
    y_score: Any = None,
    *,
    shape: tuple[float, float] | None = None,
    severity_ratio: float | Literal["data"] | None = None,
    prevalence: float | None = None,
    **data: Unpack[DataKeywords],
) -> HMeasures:
    """Hand's H-measure of every score, with the numbers read beside it.

    ``shape`` is a Beta prior of the costs (2, 2 by default); ``severity_ratio`` the cost of a false positive per false
    negative instead, or "data" for that of the class sizes.

    >>> import roclab as rl
    >>> found = rl.classifiers.h_measures([1, 1, 0, 0], {"good": [4, 3, 2, 1], "fair": [4, 2, 3, 1]})
    >>> [round(float(one), 4) for one in found.measures]
    [1.0, 0.5]
    """
    asked: dict[str, Any] = {"shape": shape, "severity_ratio": severity_ratio, "prevalence": prevalence}
    tallies = tallies_of(y_true, y_score, data, "the H-measure").values()
    notes = notes_of_subjects(tally.sample for tally in tallies)
    return HMeasures(measures=tuple(h_measure(tally, **asked) for tally in tallies), notes=notes)


class BenefitKeywords(FollowUpKeywords, DataKeywords, total=False):
    """Predicted probabilities of a class, or risks of an event by a horizon."""


@verb(BenefitKeywords)
def net_benefit(
    y_true: Any,
    y_score: Any = None,
    *,
    probabilities: Any = None,
    prevalence: float | None = None,
    level: float | None = None,
    **asked: Unpack[BenefitKeywords],
) -> DecisionCurve:
    """Decision curves: net benefit of treating the cases whose predicted probability reaches a threshold.

    Parameters
    ----------
    y_true, y_score : data whose scores are predicted probabilities
    probabilities : sequence of float, optional
        Threshold probabilities; by default every percent.
    prevalence : float, optional
        That of the place where decisions will be made; by default that of the data.
    level : float, optional
        Adds limits of every net benefit, at each threshold probability alone: ``.low`` and ``.high``. At a horizon
        (``time``, ``event``, ``at``) they are always there, 0.95 by default, and so are the differences of all pairs.

    Examples
    --------
    >>> import roclab as rl
    >>> found = rl.net_benefit([1, 1, 0, 0], [0.9, 0.6, 0.4, 0.1], probabilities=[0.5])
    >>> found.rows()[0]["score"]
    0.5
    """
    if FollowUpOptions.of(asked).given or is_survival(y_true):
        from roclab.analysis.follow_up.benefit import benefit_over_time

        if prevalence is not None:
            raise InputError("prevalence", "at a horizon is the incidence of the data", prevalence, "leave it out")
        data = data_of_follow_up("net_benefit", asked)
        return benefit_over_time(y_true, y_score, data, probabilities, 0.95 if level is None else level)
    data = {name: one for name, one in asked.items() if name not in FollowUpOptions.__dataclass_fields__}
    tallies = tallies_of(y_true, y_score, data, "net benefit")
    found = decision_curve(tallies, probabilities=probabilities, prevalence=prevalence, level=level)
    if level is not None:
        return found
    return replace(found, notes=(*notes_of_subjects(tally.sample for tally in tallies.values()), *found.notes))
