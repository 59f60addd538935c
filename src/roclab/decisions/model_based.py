r"""The model-based ROC curve: what curve would the probabilities give if they were right?

With probabilities :math:`p_i` that are right, n cases with them have on average [1]_

.. math:: \text{mTPR}(t) = \frac{\sum_i p_i 1\{p_i \ge t\}}{\sum_i p_i}, \qquad
          \text{mFPR}(t) = \frac{\sum_i (1 - p_i) 1\{p_i \ge t\}}{\sum_i (1 - p_i)}

No outcome enters: the curve belongs to the mix of cases. A model that tells the classes apart less well than where it
was made may have met cases that are more alike, and then the model-based curve is lower too; or its probabilities are
wrong here, and then the observed curve leaves the model-based one. The area under the curve counts each case as its own
partner; without these pairs, which no set of cases has, it is the model-based concordance [2]_

.. math:: \text{mbc} = \frac{\sum_{i \ne j} p_i (1 - p_j) \, (1\{p_i > p_j\} + \tfrac12 1\{p_i = p_j\})}
                            {\sum_{i \ne j} p_i (1 - p_j)}

Two statistics ask whether the probabilities are right: :math:`A = |\bar y - \bar p|`, and
:math:`B = \int_0^1 |\text{ROC}(x) - \text{mROC}(x)| dx`, both curves with straight lines across ties. Right
probabilities have A = 0 and equal curves on the long run, and only together do the two exclude a wrong mean and a wrong
shape. Outcomes are simulated from the probabilities, :math:`y_i^* \sim \text{Bernoulli}(p_i)`, drawn anew where all
are of one class, and the p-value is :math:`(1 + \#\{T^* \ge T\}) / (1 + R)`. Together, the two p-values of every set,
its rank among all R + 1 sets, are joined by Fisher's :math:`-2 (\ln p_A + \ln p_B)`, whose p-value is again a rank:
[1]_ approximates the distribution by a scaled chi-squared one instead.

References
----------
.. [1] Sadatsafavi M, Saha-Chaudhuri P, Petkau J. Model-based ROC curve: examining the effect of case mix and model
   calibration on the ROC plot. Med Decis Making 2022;42:487-499. doi:10.1177/0272989X211050909
.. [2] van Klaveren D, Gönen M, Steyerberg EW, Vergouwe Y. A new concordance measure for risk prediction models in
   external validation settings. Stat Med 2016;35:4136-4152. doi:10.1002/sim.6997
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.text import format_number, text_table
from roclab._core.types import Floats, Ints
from roclab._core.undefined import Undefined
from roclab._core.work.replicates import repeat
from roclab.areas.empirical import auc
from roclab.curves.roc import RocCurve, roc_curve
from roclab.data.tally import Tally
from roclab.decisions.calibration import check_probabilities
from roclab.errors import InputError, Words
from roclab.options.uncertainty import Resampling, resampling_of
from roclab.results import Sample, TestResult
from roclab.results.pictured import Pictured

__all__ = ["ModelBasedCurve", "model_based"]

_RARE = 0.9  # of sets that would have to be drawn anew
_NOISE = 1e-12  # of sums: what is less apart is equal


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ModelBasedCurve(Pictured):
    """The ROC curve and its area that right probabilities would give, and how far the observed curve lies from it."""

    curve: RocCurve
    observed: RocCurve  # of the outcomes, with straight lines across ties
    area: float  # under the model-based curve
    concordance: float  # model-based: without pairs of a case with itself
    auc: float  # observed
    mean_difference: float  # prevalence minus mean probability
    distance: float  # between both curves
    mean_test: TestResult
    distance_test: TestResult
    joint_test: TestResult
    sample: Sample

    def rows(self) -> list[dict[str, Any]]:
        """One row per test."""
        tests = (self.mean_test, self.distance_test, self.joint_test)
        return [{"test": one.name, "statistic": one.statistic, "p": one.p_value} for one in tests]

    def __str__(self) -> str:
        why = self.joint_test.p_value.reason if isinstance(self.joint_test.p_value, Undefined) else ""
        return "\n".join([
            text_table(self.rows()), "",
            f"AUC {format_number(self.auc)}; if the probabilities were right, these cases would give "
            f"{format_number(self.concordance)} (model-based concordance)",
            f"area under the model-based curve {format_number(self.area)}; "
            f"prevalence minus mean probability {format_number(self.mean_difference)}",
            f"p undefined: {why}" if why else self.joint_test.method, self.sample.describe(),
        ])  # fmt: skip


def model_based(tally: Tally, *, resampling: Resampling | int | None = None, rng: Any = None) -> ModelBasedCurve:
    """The model-based curve of predicted probabilities, and its tests; O(m log m) a simulation of m distinct ones.

    >>> tally = Tally.from_samples(np.array([0.8, 0.4]), np.array([0.6, 0.2]))
    >>> found = model_based(tally, resampling=200, rng=1)
    >>> found.curve.tpr.round(4).tolist(), round(found.area, 4), round(found.concordance, 4)
    ([0.0, 0.4, 0.7, 0.9, 1.0], 0.75, 0.8125)
    """
    how = resampling_of(resampling)
    if how.scheme != "stratified":
        raise InputError("scheme", "has no part where outcomes of all cases are simulated", how.scheme, "leave it out")
    check_probabilities(tally, "the model-based curve")
    p, pos, neg = tally.score.astype(np.float64), tally.pos.astype(np.float64), tally.neg.astype(np.float64)
    cases = pos + neg
    up, right = cases * p, cases * (1 - p)
    if not (up.sum() > 0 and right.sum() > 0):
        raise InputError("the model-based curve", "needs probabilities that are not all 0 or all 1",
                         Words(f"{p[0]:g} for every case"), "fit a model that predicts them first")  # fmt: skip
    fpr, tpr = _rates(right), _rates(up)
    area = _area(fpr, tpr)
    pairs, own = float(up.sum() * right.sum()), _own_pairs(tally, p, cases)
    mean = float(pos.sum() - up.sum()) / float(cases.sum())
    apart = _distance(_rates(neg), _rates(pos), fpr, tpr)
    tests = _tests(tally, (abs(mean), apart), (fpr, tpr), how, rng)
    return ModelBasedCurve(
        curve=RocCurve(fpr=fpr, tpr=tpr, thresholds=np.concatenate([[np.inf], p]), sample=tally.sample), area=area,
        observed=roc_curve(tally),
        concordance=(area * pairs - own / 2) / (pairs - own), auc=float(auc(tally)), mean_difference=mean,
        distance=apart, mean_test=tests[0], distance_test=tests[1], joint_test=tests[2], sample=tally.sample,
    )  # fmt: skip


def _rates(steps: Floats) -> Floats:
    reached = np.concatenate([[0.0], np.cumsum(steps)])
    rates: Floats = reached / reached[-1]
    return rates


def _area(x: Floats, y: Floats) -> float:
    return float(np.sum(np.diff(x) * (y[1:] + y[:-1])) / 2)


def _own_pairs(tally: Tally, p: Floats, cases: Floats) -> float:
    """What the pairs of a case with itself weigh."""
    squares = cases
    if tally.weighted and tally.pos_squares is not None and tally.neg_squares is not None:
        squares = tally.pos_squares + tally.neg_squares
    return float(np.sum(squares * p * (1 - p)))


def _distance(x: Floats, y: Floats, fpr: Floats, tpr: Floats) -> float:
    """Area between two rising curves of straight lines, exactly; O(m) after one sort."""
    places = np.unique(np.concatenate([x, fpr]))
    before = _side(x, y, places[:-1], "right") - _side(fpr, tpr, places[:-1], "right")
    after = _side(x, y, places[1:], "left") - _side(fpr, tpr, places[1:], "left")
    both = np.abs(before) + np.abs(after)
    crossed = (before**2 + after**2) / np.where(both > 0, both, 1.0)  # two triangles
    return float(np.sum(np.diff(places) * np.where(before * after >= 0, both, crossed)) / 2)


def _side(x: Floats, y: Floats, at: Floats, side: Any) -> Floats:
    """Heights of a curve just right of places, or just left: at an upright step they differ."""
    if side == "right":
        start = np.searchsorted(x, at, side="right") - 1
        end = np.minimum(start + 1, x.size - 1)
    else:
        end = np.searchsorted(x, at, side="left")
        start = np.maximum(end - 1, 0)
    wide = x[end] - x[start]
    share = np.where(wide > 0, (at - x[start]) / np.where(wide > 0, wide, 1.0), 0.0)
    heights: Floats = y[start] + share * (y[end] - y[start])
    return heights


def _tests(
    tally: Tally, observed: tuple[float, float], expected: tuple[Floats, Floats], how: Resampling, rng: Any
) -> tuple[TestResult, TestResult, TestResult]:
    p = tally.score.astype(np.float64)
    why = ""
    if tally.weighted:
        why = "importance weights are no counts"
    elif tally.subjects is not None or tally.sample.subjects:
        why = "the tests take every case for itself, and subjects have several"
    else:
        cases = (tally.pos + tally.neg).astype(np.int64)
        with np.errstate(divide="ignore"):
            one_class = float(np.exp(np.sum(cases * np.log1p(-p))) + np.exp(np.sum(cases * np.log(p))))
        if one_class > _RARE:
            why = "outcomes that follow these probabilities are nearly always of one class"
    if why:
        values, seen, method = (Undefined(why),) * 3, (*observed, Undefined(why)), "none"
        return _worded(seen, values, method)
    drawn = np.empty((how.replicates, 2))
    seed = repeat(lambda generator: _simulated(generator, p, cases, expected), drawn, rng=rng, workers=how.workers,
                  progress=how.progress)  # fmt: skip
    every = np.vstack([observed, drawn])
    ranks = np.stack([_shares(column) for column in every.T], axis=1)
    joined = -2 * np.log(ranks).sum(axis=1)
    found = (float(ranks[0, 0]), float(ranks[0, 1]), float(_shares(joined)[0]))
    method = f"{how.replicates} sets of outcomes simulated from the probabilities, seed {seed}"
    return _worded((*observed, float(joined[0])), found, method)


def _simulated(
    generator: np.random.Generator, p: Floats, cases: Ints, expected: tuple[Floats, Floats]
) -> tuple[float, float]:
    """Both statistics of outcomes that follow the probabilities."""
    total = int(cases.sum())
    while True:
        pos = generator.binomial(cases, p)
        if 0 < pos.sum() < total:
            break
    apart = _distance(_rates((cases - pos).astype(np.float64)), _rates(pos.astype(np.float64)), *expected)
    return abs(float(pos.sum() - cases @ p)) / total, apart


def _shares(values: Floats) -> Floats:
    """For each value the share of all that are as large, itself among them."""
    ordered = np.sort(values)
    shares: Floats = (values.size - np.searchsorted(ordered, values - _NOISE, side="left")) / values.size
    return shares


def _worded(statistics: Any, p_values: Any, method: str) -> tuple[TestResult, TestResult, TestResult]:
    asked = (
        ("mean (A)", "the mean probability is right"),
        ("curve (B)", "observed and model-based ROC curve are the same"),
        ("both", "predicted probabilities are right"),
    )
    first, second, third = (
        TestResult(name=name, hypothesis=words, statistic=value, distribution="simulated outcomes", p_value=p,
                   alternative="greater", method=method)
        for (name, words), value, p in zip(asked, statistics, p_values, strict=True)
    )  # fmt: skip
    return first, second, third
