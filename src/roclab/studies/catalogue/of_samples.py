"""Our values of tests, estimators and models that take more than one call."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from roclab.areas.empirical import auc
from roclab.averaging.pooled import pooled_average
from roclab.data.cases import Cases
from roclab.data.classes import class_scores
from roclab.data.tally import Tally
from roclab.decisions.coordinates import coordinates
from roclab.errors import SeparationError
from roclab.inference.comparison.covariance import covariance_of_cases
from roclab.inference.comparison.published import hanley_mcneil_1983
from roclab.inference.one_area.area import area_of_method
from roclab.inference.one_area.hanley_mcneil import hanley_mcneil_se
from roclab.inference.one_area.intervals import area_interval
from roclab.many_classes.averages import multiclass_areas
from roclab.models.logistic import LogisticFit, fit_logistic
from roclab.rank_tests.discrete import DiscreteKolmogorov, discrete_kolmogorov, one_sided_level
from roclab.rank_tests.kolmogorov import Kolmogorov, cdf_band, kolmogorov
from roclab.rank_tests.kruskal_wallis import kruskal_wallis
from roclab.rank_tests.mann_whitney import mann_whitney
from roclab.smooth.exponential import exponential_tpr, fit_exponential_points
from roclab.studies.catalogue.samples import made_up, worked
from roclab.studies.distributions import Gamma, area_between
from roclab.studies.estimators import estimate_one

__all__ = [
    "band_at", "band_width", "class_areas", "class_average", "discrete", "estimate", "exponential_fit",
    "exponential_means", "exponential_mirror", "fold_areas", "hanley_interval", "hanley_se", "heights_f",
    "kruskal_p", "level_of_side", "logistic", "ordered_pairs", "paired_1983", "paired_areas", "pooled_area",
    "rank_sum_p", "separated_fit", "sizes", "spss_cutoffs", "ties_both_ways", "uniform", "weights_e",
]  # fmt: skip


def uniform() -> Kolmogorov:
    """Example 1: ten values against the uniform distribution."""
    return kolmogorov(worked("greek_kolmogorov_example_1")["sample"], lambda x: x)


def discrete() -> DiscreteKolmogorov:
    """Example 2: ten values against five equally likely ones."""
    return discrete_kolmogorov(worked("greek_kolmogorov_example_2")["sample"], [1, 2, 3, 4, 5], ["1/5"] * 5)


def heights_f() -> list[float]:
    """Heights f_0 to f_5 of example 2."""
    return [step.f for step in discrete().steps[:6]]


def weights_e(first: int, last: int) -> list[float]:
    """Weights e of example 2."""
    return [step.e for step in discrete().steps[first : last + 1]]


def level_of_side(side: str) -> float:
    """Pr(T >= 1/2) of one side for probabilities .7, .2, .1 and six values; the text takes one for the other."""
    return float(one_sided_level(Fraction(1, 2), 6, [Fraction(j, 10) for j in (0, 7, 9, 10)], side=side))


def band_width() -> float:
    """Example 3: width of the 90% band of 20 values."""
    return cdf_band(worked("greek_band_example_3")["sample"], level=0.90).width


def band_at(place: int) -> tuple[float, float]:
    """Example 3: the band at the smallest (0) or largest (-1) value."""
    band = cdf_band(worked("greek_band_example_3")["sample"], level=0.90)
    return float(band.low[place]), float(band.high[place])


def rank_sum_p(name: str, method: Any) -> float:
    """P of Wilcoxon, Mann and Whitney's test of a made-up sample."""
    return mann_whitney(made_up(name)["x"], made_up(name)["y"], method=method).p_value


def kruskal_p() -> float:
    """P of Kruskal and Wallis' test of three groups."""
    return kruskal_wallis(made_up("kruskal_a")["groups"]).p_value


def sizes(tally: Tally) -> tuple[float, float]:
    """Negatives and positives."""
    return float(tally.n_neg), float(tally.n_pos)


def spss_cutoffs(tally: Tally) -> list[float]:
    """The cut-offs that SPSS lists, rising."""
    return sorted(coordinates(tally, rule="spss").thresholds)


def estimate(name: str, tally: Tally) -> float:
    """MW, N, NT, K1, K1T, K2, K2T or RC."""
    return estimate_one(name, *(np.repeat(tally.score, counts) for counts in (tally.pos, tally.neg)))[0]


def ties_both_ways(tally: Tally) -> tuple[float, float]:
    """MW with ties counted as losses, and as wins."""
    half = float(np.sum(tally.pos * tally.neg)) / (2 * float(tally.n_pos * tally.n_neg))
    return auc(tally) - half, auc(tally) + half


def ordered_pairs(tally: Tally) -> float:
    """Share of pairs of a positive and a negative that the score puts in the right order, counted one by one."""
    pos, neg = (np.repeat(tally.score, counts).tolist() for counts in (tally.pos, tally.neg))
    return sum((p > n) + (p == n) / 2 for p in pos for n in neg) / (len(pos) * len(neg))


def hanley_se(tally: Tally) -> float:
    """Standard error by Hanley and McNeil's formula."""
    return hanley_mcneil_se(auc(tally), tally.n_pos, tally.n_neg)


def hanley_interval(tally: Tally) -> tuple[float, float]:
    """The plain 95% interval with that error, not cut at 1."""
    found = area_interval(
        auc(tally), hanley_se(tally), level=0.95, scale="plain", pairs=tally.n_pos, name="Hanley-McNeil"
    )
    return found.low, found.high


def exponential_means(positive: float, negative: float) -> float:
    """Area of exponential scores, which are gammas of shape 1."""
    return area_between(Gamma(shape=1, scale=positive), Gamma(shape=1, scale=negative))


def exponential_mirror(fpr: float, E: float, R: float) -> float:
    """Height of England's curve where the mirror image of one of its points lies."""
    return float(exponential_tpr([1 - float(exponential_tpr([fpr], E, R)[0])], E, R)[0])


def exponential_fit() -> tuple[float, float, float]:
    """E, R and the area of England's curve through six points."""
    points = np.array(made_up("exponential_points")["points_C"], float)
    fit = fit_exponential_points(points[:, 0], points[:, 1])
    return fit.E, fit.R, fit.area


def _pair() -> Cases:
    names = ("marker1", "marker2")
    return Cases(
        label=np.array(made_up("paired_a")["labels"], bool),
        scores={name: np.array(made_up("paired_a")[name], float) for name in names},
        direction=dict.fromkeys(names, "higher"),
    )


def paired_areas() -> Any:
    """AUCs of two markers of the same cases."""
    return covariance_of_cases(_pair(), area_of_method("empirical")).areas


def paired_1983() -> tuple[float, float]:
    """Hanley and McNeil's correlation of both areas, and the z of their difference."""
    test, correlation = hanley_mcneil_1983(_pair(), "marker1", "marker2")[:2]
    return correlation, test.statistic


def _folds() -> list[Tally]:
    return [
        Tally.from_labels(np.array(fold["labels"], bool), np.array(fold["scores"], float))
        for fold in made_up("averaging_a")["folds"]
    ]


def fold_areas() -> list[float]:
    """AUCs of four folds."""
    return [auc(one) for one in _folds()]


def pooled_area() -> float:
    """AUC of their cases together."""
    return pooled_average(_folds(), names=["1", "2", "3", "4"]).area_of_average


def _classes() -> Any:
    given = made_up("multiclass_3")
    return multiclass_areas(class_scores(given["labels"], np.array(given["probs"], float)))


def class_areas() -> list[float]:
    """Each class against the rest."""
    return [label.area for label in _classes().classes.values()]


def class_average(name: str) -> float:
    """An average of the areas of several classes."""
    return float(_classes().averages[name].area)


def logistic() -> LogisticFit:
    """Logistic regression of 30 cases on two columns."""
    given = made_up("logistic_a")
    return fit_logistic(np.array(given["X"], float)[:, 1:], np.array(given["y"], bool))


def separated_fit() -> str:
    """What logistic regression does with separated cases."""
    try:
        fit_logistic(np.array([1.0, 2.0, 3.0, 4.0]), np.array([False, False, True, True]))
    except SeparationError:
        return "no maximum: separation"
    return "converged"
