"""Decision curves: what treating by a predicted probability is worth, against treating all and treating none."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from roclab._core.checks import check_fraction, check_level
from roclab._core.thinning import thinned_table
from roclab._core.types import Floats, frozen
from roclab.data.tally import Tally, subjects_at_hand
from roclab.decisions.coordinates import coordinates
from roclab.errors import InputError, Words, named
from roclab.inference.one_area.design_effect import LEAST_EFFECT
from roclab.inference.one_area.intervals import deviate
from roclab.inference.rates.benefit import net_benefit_limits
from roclab.inference.rates.mover import mover_difference, wilson
from roclab.results import Result
from roclab.results.pictured import Pictured

__all__ = ["BenefitDifference", "DecisionCurve", "check_threshold_probabilities", "decision_curve"]

_USUAL = np.arange(1, 100) / 100  # threshold probabilities where none are named


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BenefitDifference(Result):
    """Net benefit of one model, or of treating all, minus that of another at the same threshold probabilities."""

    first: str
    second: str
    probabilities: Floats
    difference: Floats
    low: Floats
    high: Floats

    def __post_init__(self) -> None:
        for array in (self.probabilities, self.difference, self.low, self.high):
            frozen(array)

    def rows(self) -> list[dict[str, Any]]:
        """One row per threshold probability."""
        columns = (self.probabilities, self.difference, self.low, self.high)
        names = ("threshold probability", "difference", "low", "high")
        return [
            {"first": self.first, "second": self.second, **dict(zip(names, values, strict=True))}
            for values in zip(*(column.tolist() for column in columns), strict=True)
        ]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DecisionCurve(Pictured):
    """Net benefit of one or several models at threshold probabilities."""

    probabilities: Floats
    net_benefit: Mapping[str, Floats]  # by model
    treat_all: Floats
    prevalence: float
    notes: tuple[str, ...] = ()
    level: float | None = None  # of the limits, where they were asked for
    low: Mapping[str, Floats] = field(default_factory=dict)
    high: Mapping[str, Floats] = field(default_factory=dict)
    differences: tuple[BenefitDifference, ...] = ()  # of all pairs, at a horizon
    at: float | None = None  # the horizon, where it is about one

    def __post_init__(self) -> None:
        limits = (*self.low.values(), *self.high.values())
        for array in (self.probabilities, self.treat_all, *self.net_benefit.values(), *limits):
            frozen(array)

    @property
    def treat_none(self) -> Floats:
        """Net benefit of treating nobody: 0."""
        return np.zeros(self.probabilities.size)

    def standardised(self, model: str) -> Floats:
        """Net benefit as a share of the largest possible one, the prevalence."""
        share: Floats = self.net_benefit[model] / self.prevalence
        return share

    def avoided(self, model: str) -> Floats:
        """Treatments avoided per case against treating all, at the same number of treated positives."""
        odds = self.probabilities / (1 - self.probabilities)
        saved: Floats = (self.net_benefit[model] - self.treat_all) / odds
        return saved

    def useful_words(self) -> list[str]:
        """Where each model is of use, in words."""
        lines = ["threshold probabilities at which a score beats treating all and treating none:"]
        of = self.probabilities.size
        for name in self.net_benefit:
            where = self.useful(name)
            stretch = (
                f"{where.size} of {of}, from {where.min():g} to {where.max():g}" if where.size else f"none of {of}"
            )
            lines.append(f"{name}: {stretch}")
        if self.at is not None:
            return [*lines, f"incidence by {self.at:g} {self.prevalence:.4g}"]
        return [*lines, f"prevalence {self.prevalence:.4g}"]

    def useful(self, model: str) -> Floats:
        """Threshold probabilities at which the model beats both treating all and treating none."""
        beaten = np.maximum(self.treat_all, 0.0)
        return self.probabilities[self.net_benefit[model] > beaten + 1e-12]

    def rows(self) -> list[dict[str, Any]]:
        """One row per threshold probability."""
        columns: dict[str, Floats] = {"threshold probability": self.probabilities}
        for name, benefit in self.net_benefit.items():
            columns[name] = benefit
            if self.level is not None:
                percent = f"{100 * self.level:g}%"
                columns |= {f"{name} {percent} low": self.low[name], f"{name} {percent} high": self.high[name]}
        columns |= {"treat all": self.treat_all, "treat none": self.treat_none}
        lists = [values.tolist() for values in columns.values()]
        return [dict(zip(columns, values, strict=True)) for values in zip(*lists, strict=True)]

    def __str__(self) -> str:
        usual = self.probabilities.size == _USUAL.size and np.array_equal(self.probabilities, _USUAL)
        table = thinned_table(self.rows(), start=4 if usual else 0)  # .05, .10 … of the usual .01 to .99
        return "\n".join([*self.useful_words(), "", *table, *([""] if self.notes else []), *self.notes])


def decision_curve(
    models: Tally | Mapping[str, Tally],
    *,
    probabilities: Any = None,
    prevalence: float | None = None,
    level: float | None = None,
) -> DecisionCurve:
    r"""Net benefit of treating the cases whose predicted probability reaches a threshold [1]_.

    .. math:: NB(p) = \frac{TP}{T} - \frac{FP}{T} \cdot \frac{p}{1 - p}

    for threshold probability p: whoever treats from p on holds a missed case to be (1 - p)/p times as bad as an
    unnecessary treatment. Treating all has :math:`\pi - (1 - \pi)\, p/(1-p)`, treating none 0.

    Parameters
    ----------
    models : Tally or mapping of names to tallies
        Scores must be predicted probabilities of the positive class, in [0, 1].
    probabilities : array, optional
        Threshold probabilities strictly between 0 and 1; 0.01 to 0.99 by default.
    prevalence : float, optional
        Where the model will be used; by default that of the data. Net benefit is then
        :math:`\pi\, TPR - (1 - \pi)\, FPR\, p/(1-p)`. The tallies must agree on it if it is left out.
    level : float, optional
        Adds pointwise limits of this level, put together from those of TP/T and FP/T
        (``inference/rates/benefit.py``), or of TPR and FPR where a prevalence is given, which is taken as known.
        They hold at every single threshold probability, not for the whole curve.

    Notes
    -----
    O(m log n) for m thresholds after one O(n) pass.

    References
    ----------
    .. [1] Vickers AJ, Elkin EB. Decision curve analysis: a novel method for evaluating prediction models. Med Decis
       Making 2006;26:565-574. doi:10.1177/0272989X06295361

    Examples
    --------
    >>> tally = Tally.from_samples(np.array([0.9, 0.4]), np.array([0.6, 0.1]))
    >>> curve = decision_curve(tally, probabilities=[0.2, 0.5])
    >>> curve.net_benefit["model"].round(4).tolist(), curve.treat_all.round(4).tolist()
    ([0.4375, 0.0], [0.375, 0.0])
    """
    named = {(models.sample.score or "model"): models} if isinstance(models, Tally) else dict(models)
    if not named:
        raise InputError("models", "must hold at least one tally", Words("none"), "give predicted probabilities")
    levels = check_threshold_probabilities(probabilities)
    for name, tally in named.items():
        _check_probabilities(name, tally)
    pi = _prevalence(named, prevalence)
    odds = levels / (1 - levels)
    benefit: dict[str, Floats] = {}
    limits: dict[str, list[tuple[float, float]]] = {}
    if level is not None:
        check_level(level)
    for name, tally in named.items():
        table = coordinates(tally)
        rows = table.scores.size - np.searchsorted(table.scores[::-1], levels, side="left")
        tpr, fpr = table.tp[rows] / table.n_pos, table.fp[rows] / table.n_neg
        benefit[name] = pi * tpr - (1 - pi) * fpr * odds
        if level is not None:
            limits[name] = [
                benefit_limits(tally, float(table.tp[row]), float(table.fp[row]), at, w, level, prevalence)
                for row, at, w in zip(rows.tolist(), levels.tolist(), odds.tolist(), strict=True)
            ]
    return DecisionCurve(
        probabilities=levels.copy(), net_benefit=benefit, treat_all=pi - (1 - pi) * odds, prevalence=pi, level=level,
        low={name: np.array([low for low, _ in ends]) for name, ends in limits.items()},
        high={name: np.array([high for _, high in ends]) for name, ends in limits.items()},
        notes=(
            *(() if level is None else ("Limits hold at each threshold probability alone.",)),
            *(note for tally in named.values() for note in tally.joined_notes()),
        ),
    )  # fmt: skip


def check_threshold_probabilities(probabilities: Any) -> Floats:
    """Threshold probabilities as numbers; every percent where none are named."""
    try:
        given = _USUAL if probabilities is None else np.asarray(probabilities, np.float64)
    except (TypeError, ValueError):
        raise InputError(
            "probabilities", "must be numbers", Words(f"a {type(probabilities).__name__}"), "write [0.1, 0.2]"
        ) from None
    levels = np.atleast_1d(given)
    if levels.ndim != 1 or not np.all((levels > 0) & (levels < 1)):
        bad = levels[~((levels > 0) & (levels < 1))]
        raise InputError(
            "probabilities",
            "must lie strictly between 0 and 1",
            Words(f"{bad.ravel()[0] if bad.size else levels.shape}"),
            "write 0.2 for 20%",
        )
    return np.array(levels)


def benefit_limits(
    tally: Tally, tp: float, fp: float, at: float, odds: float, level: float, prevalence: float | None
) -> tuple[float, float]:
    """Limits of one net benefit of a tally; subjects and importance weights by what their counts are worth."""
    n = tally.n_pos + tally.n_neg
    effect, df = 1.0, math.inf
    subjects = subjects_at_hand(tally)
    if subjects is not None:
        table = subjects.counts_at(at)
        found = (tp - odds * fp) / n
        sums = table[:, 0] - odds * table[:, 1] - table.sum(axis=1) * found
        alone = tp * (1 - found) ** 2 + fp * (odds + found) ** 2 + (n - tp - fp) * found**2
        count = len(table)
        effect = max(float(sums @ sums) * count / max(count - 1, 1) / alone, LEAST_EFFECT) if alone > 0 else n / count
        df = float(max(count - 1, 1))
    elif tally.pos_squares is not None and tally.neg_squares is not None:
        effect = float(tally.pos_squares.sum() + tally.neg_squares.sum()) / n
    z = deviate(level, df=df)
    if prevalence is None:
        return net_benefit_limits(tp, fp, n, odds, z, effect=effect)
    tpr, fpr = tp / tally.n_pos, fp / tally.n_neg
    (low, high), (least, most) = wilson(tpr, tally.n_pos / effect, z), wilson(fpr, tally.n_neg / effect, z)
    lost = (1 - prevalence) * odds
    return mover_difference(
        prevalence * tpr, (prevalence * low, prevalence * high), lost * fpr, (lost * least, lost * most)
    )


def _check_probabilities(name: str, tally: Tally) -> None:
    if tally.sample.direction != "higher":
        raise InputError(
            "",
            "decision curves need probabilities of the positive class",
            Words(f"{name!r} with {named('direction', 'lower')}"),
            "use 1 - score",
        )
    for score in (float(tally.score[0]), float(tally.score[-1])):
        if not 0 <= score <= 1:
            raise InputError(
                "",
                "decision curves need predicted probabilities between 0 and 1",
                Words(f"the score {score:g} in {name!r}"),
                "calibrate the score first",
            )


def _prevalence(tallies: Mapping[str, Tally], prevalence: float | None) -> float:
    if prevalence is not None:
        return check_fraction(prevalence, "prevalence", way_out="write 0.1 for 10%", open_ends=True)
    shares = {name: tally.n_pos / (tally.n_pos + tally.n_neg) for name, tally in tallies.items()}
    if max(shares.values()) - min(shares.values()) > 1e-12:
        words = ", ".join(f"{name} {share:.4g}" for name, share in shares.items())
        raise InputError(
            "models",
            "must come from cases of the same prevalence",
            Words(words),
            f"give {named('prevalence')} to compare them",
        )
    return next(iter(shares.values()))
