"""Which rule of several classifiers is best? Chains and hybrids, chosen on some folds and measured on the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from roclab._core.checks import check_level
from roclab._core.text import text_table
from roclab._core.types import Bools
from roclab.analysis.calls import calls_of
from roclab.analysis.combine import measured_in_words
from roclab.analysis.support import folding_of, prepared
from roclab.combining.chain import Chain, chain_under_cap
from roclab.combining.hybrid import Hybrid, HybridPoint, hybrid_of_curves
from roclab.curves.roc import roc_curve
from roclab.data.cases import Cases
from roclab.data.labels import word_of
from roclab.data.read import read_cases
from roclab.data.verbs import verb
from roclab.decisions.confusion import ConfusionMatrix, confusion_of_calls
from roclab.decisions.iso_performance import equal_cost_slope
from roclab.errors import InputError, OneClassError, Words, named
from roclab.names import ChainOrder
from roclab.options.criterion import check_priced
from roclab.options.folds import FoldedKeywords
from roclab.results import Result

__all__ = ["Selected", "chain", "hybrid"]

SAME_CASES = (
    "Chosen and measured on the same cases, so it looks better than it is; choose on one fold\n"
    "and measure on the others (select_on=, --select-on)."
)


_Folds = tuple[tuple[str, ...], tuple[str, ...]]  # those to choose on, those to measure on


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Selected(Result):
    """A rule that was chosen on data; with ``measured_on``, on some folds, and what it does to the other ones."""

    chosen: Chain | Hybrid | HybridPoint
    chosen_on: tuple[str, ...]
    measured_on: tuple[str, ...]
    measured: tuple[ConfusionMatrix, ...]  # one per row of what was chosen; empty without other folds
    level: float
    words: tuple[str, ...]  # the rule, and who was analysed

    def to_dict(self) -> dict[str, Any]:
        """What was chosen, where, and the matrices on the other folds."""
        if not self.measured:
            return self.chosen.to_dict()
        return {
            "chosen": self.chosen.to_dict(),
            "chosen_on": list(self.chosen_on),
            "measured_on": list(self.measured_on),
            "measured": [one.to_dict() for one in self.measured],
            "level": self.level,
        }

    def rows(self) -> list[dict[str, Any]]:
        """The rows of what was chosen, with the rates on the other folds."""
        rates = [one.metrics() for one in self.measured]
        if not rates:
            return self.chosen.rows()
        return [
            {**row, "measured fpr": rate["fpr"], "measured tpr": rate["tpr"]}
            for row, rate in zip(self.chosen.rows(), rates, strict=True)
        ]

    def __str__(self) -> str:
        lines = [text_table(self.rows()), ""]
        if self.measured:
            lines.append(f"chosen on {', '.join(self.chosen_on)}; measured on {', '.join(self.measured_on)}")
            if not isinstance(self.chosen, Hybrid):
                lines.append(measured_in_words(self.measured[-1], self.level))
            lines.append("")
        lines += self.words
        return "\n".join(lines if self.measured else [*lines, "", SAME_CASES])


def _check_measured(level: float, select_on: Sequence[str]) -> None:
    """Refuse a level of intervals where nothing is measured on other folds."""
    if level != 0.95 and not select_on:
        raise InputError(
            "level", "is that of rates on other folds", level, f"leave it out, or add {named('select_on')}"
        )


@verb(FoldedKeywords)
def chain(
    y_true: Any,
    y_pred: Any = None,
    *,
    max_fpr: float | None = None,
    order: ChainOrder = "gain",
    prevalence: float | None = None,
    cost_fp: float = 1.0,
    cost_fn: float = 1.0,
    predicted: Sequence[str] = (),
    thresholds: Sequence[float] = (),
    select_on: Sequence[str] = (),
    level: float = 0.95,
    **asked: Unpack[FoldedKeywords],
) -> Selected:
    """An OR of classifiers that joins one after the other, as long as it pays or a false positive rate is kept.

    Parameters
    ----------
    y_true, y_pred, predicted, thresholds : data, as in :func:`combine`
    max_fpr : float, optional
        The largest false positive rate you accept; needed unless costs decide.
    order : str
        Who joins next: "gain" (default), who adds most true per false positive; "hull", the order of the convex hull
        from the most careful on; "cost", who lowers the expected cost most, until nobody does.
    prevalence, cost_fp, cost_fn : float
        With "cost": where decisions will be made, and what both errors cost.
    select_on : sequence of str, optional
        Choose on these folds, measure on the others; needs ``folds``.
    level : float
        Confidence level of the measured rates; where ``ids`` give subjects several cases, these count subjects.

    Examples
    --------
    >>> import roclab as rl
    >>> calls = {"careful": [1, 0, 0, 0, 0, 0], "bold": [0, 1, 1, 0, 1, 0]}
    >>> [step.name for step in rl.classifiers.chain([1, 1, 1, 0, 0, 0], calls, max_fpr=0.4).chosen.steps]
    ['careful', 'bold']
    """
    fold_average, data = folding_of(asked)
    check_level(level)
    _check_measured(level, select_on)
    check_priced(prevalence, cost_fp, cost_fn)
    roles = (list(predicted), list(thresholds), data, fold_average)
    found = calls_of("chain", y_true, y_pred, *roles, uses_folds=bool(select_on))
    here, rest = found, None
    folds: _Folds = ((), ())
    if select_on:
        part, folds = _parts(found.folds, found.label, select_on)
        here, rest = found.only(part), found.only(~part)
    if order == "cost" and prevalence is None:
        raise InputError(
            "prevalence", f"must be given for {named('order', 'cost')}", Words("none"), "write 0.1 for 10%"
        )
    if order != "cost" and max_fpr is None:
        raise InputError("max_fpr", "must bound the chain", Words("none"), f"or use {named('order', 'cost')}")
    slope = None
    if prevalence is not None:
        slope = equal_cost_slope(prevalence=prevalence, cost_fp=cost_fp, cost_fn=cost_fn)
    cap = 1.0 if max_fpr is None else max_fpr
    result = chain_under_cap(here.label, here.calls, max_fpr=cap, order=order, slope=slope)
    if not result.steps:
        rates = {name: fpr for name, (fpr, _) in here.points().items()}
        careful = min(rates, key=lambda name: rates[name])
        raise InputError(
            "max_fpr",
            f"{cap:g} leaves no classifier that is worth it",
            Words(f"{rates[careful]:.4g} from the most careful one, {careful}"),
            "raise the cap or name more careful classifiers",
        )
    names = [step.name for step in result.steps]
    matrices = []
    if rest is not None:
        for count in range(1, len(names) + 1):
            united = np.logical_or.reduce([rest.calls[name] for name in names[:count]])
            matrices.append(rest.measured(united))
    words = [f"false positive rate at most {cap:g}"] if max_fpr is not None else []
    words += [f"until the expected cost falls no more (slope {slope:.4g})"] if slope is not None else []
    words += ["in the order of the hull"] if order == "hull" else []
    words += [f"left out: {', '.join(result.left_out)}"] if result.left_out else []
    return Selected(
        chosen=result,
        chosen_on=folds[0],
        measured_on=folds[1],
        measured=tuple(matrices),
        level=level,
        words=(*words, found.words),
    )


@verb(FoldedKeywords)
def hybrid(
    y_true: Any,
    y_score: Any = None,
    *,
    fpr: float | None = None,
    prevalence: float | None = None,
    cost_fp: float = 1.0,
    cost_fn: float = 1.0,
    select_on: Sequence[str] = (),
    level: float = 0.95,
    **asked: Unpack[FoldedKeywords],
) -> Selected:
    """The classifier along the joint hull of several scores: all of it, at a rate, or by prevalence and costs.

    Parameters
    ----------
    y_true, y_score : data with several scores, as in :func:`compare`
    fpr : float, optional
        The false positive rate to meet, flipping coins between two rules where needed.
    prevalence, cost_fp, cost_fn : float, optional
        The point of lowest expected cost instead.
    select_on, level : as in :func:`chain`

    Examples
    --------
    >>> import roclab as rl
    >>> scores = {"a": [4, 3, 2, 1, 0, 0], "b": [4, 1, 3, 2, 1, 0]}
    >>> rl.classifiers.hybrid([1, 1, 1, 0, 0, 0], scores, fpr=0.0).chosen.tpr
    1.0
    """
    fold_average, data = folding_of(asked)
    check_level(level)
    _check_measured(level, select_on)
    check_priced(prevalence, cost_fp, cost_fn)
    if fpr is not None and prevalence is not None:
        raise InputError("fpr", f"fixes the point of the hybrid, and so does {named('prevalence')}", Words("both"),
                         "leave one of them out")  # fmt: skip
    cases = read_cases(y_true, y_score, **data)
    if not select_on:
        cases = prepared("hybrid", cases, fold_average)
    if select_on and cases.weight is not None:
        raise InputError("sample_weight", "has no part here: folds to choose on count every case once",
                         way_out="leave it out")  # fmt: skip
    here, rest = cases, None
    folds: _Folds = ((), ())
    if select_on:
        part, folds = _parts(cases.folds, cases.label, select_on)
        here, rest = cases.only(part), cases.only(~part)
    whole = hybrid_of_curves({name: roc_curve(here.tally(name)) for name in here.names})
    result: Hybrid | HybridPoint = whole
    if fpr is not None:
        result = whole.at_fpr(fpr)
    elif prevalence is not None:
        result = whole.at_slope(equal_cost_slope(prevalence=prevalence, cost_fp=cost_fp, cost_fn=cost_fn))
    matrices: list[ConfusionMatrix] = []
    if rest is not None:
        if isinstance(result, Hybrid):
            matrices = [_measured(rest, rule.call(rest.scores)) for rule in result.rules]
        else:
            matrices = [_expected(rest, result)] * len(result.rows())
    summary = (
        _rule_in_words(result) if isinstance(result, HybridPoint) else f"area under the common hull {whole.area:.4f}"
    )
    samples = list(dict.fromkeys(cases.sample(name).without_name().describe() for name in cases.names))
    return Selected(
        chosen=result,
        chosen_on=folds[0],
        measured_on=folds[1],
        measured=tuple(matrices),
        level=level,
        words=(summary, *samples),
    )


def _expected(cases: Cases, point: HybridPoint) -> ConfusionMatrix:
    """The matrix to expect of a rule that flips coins: each case counts as called, and as not called, by its chance."""
    if point.share == 0:
        return _measured(cases, point.call(cases.scores))
    chance = point.probability(cases.scores)
    label = np.concatenate([cases.label, cases.label])
    called = np.repeat([True, False], chance.size)
    ids = np.concatenate([cases.ids, cases.ids]) if cases.clustered and cases.ids is not None else None
    return confusion_of_calls(label, called, weight=np.concatenate([chance, 1 - chance]), ids=ids)


def _measured(cases: Cases, called: Bools) -> ConfusionMatrix:
    return confusion_of_calls(cases.label, called, ids=cases.ids if cases.clustered else None)


def _rule_in_words(point: HybridPoint) -> str:
    """Whom to ask, and how often."""
    asked = [
        f"{rule.classifier} {'<=' if rule.lower else '>='} {rule.threshold:.10g}"
        for rule in (point.first, point.second)
    ]
    if point.share == 0:
        return f"called positive when {asked[0]}"
    return f"called positive when {asked[1]} with probability {point.share:.4f}, else when {asked[0]}"


def _parts(folds: Any, label: Bools, select_on: Sequence[str]) -> tuple[Bools, _Folds]:
    """Which cases to choose on, and the names of the folds on both sides."""
    if folds is None:
        raise InputError("select_on", f"names {named('folds')}", Words("none"), "give both")
    words = [word_of(value) for value in np.asarray(folds).tolist()]
    known = list(dict.fromkeys(words))
    asked = tuple(map(str, select_on))
    for name in asked:
        if name not in known:
            raise InputError("select_on", f"must be one of the folds {', '.join(known)}", name)
    rest = tuple(name for name in known if name not in asked)
    if not rest:
        raise InputError("select_on", "must leave a fold to measure on", Words("all of them"), "leave one out")
    chosen = np.isin(np.array(words), list(asked))
    for names, mask in ((asked, chosen), (rest, ~chosen)):
        if label[mask].all() or not label[mask].any():
            raise OneClassError(
                "select_on",
                "needs both classes in the folds to choose on and to measure on",
                Words(f"one only in {', '.join(names)}"),
                "choose other folds",
            )
    return chosen, (asked, rest)
