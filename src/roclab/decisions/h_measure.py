"""The H-measure and its companions: one number for a classifier under a stated belief about costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy.special import betainc

from roclab._core.checks import check_fraction, check_positive
from roclab._core.text import format_number
from roclab._core.types import Floats
from roclab.curves.hull import hull_of_tally
from roclab.curves.roc import roc_curve
from roclab.data.tally import Tally
from roclab.errors import InputError, Words, named
from roclab.results import Result, Sample

__all__ = ["HMeasure", "KolmogorovSmirnov", "h_measure", "ks_statistic"]


@dataclass(frozen=True, slots=True, kw_only=True)
class HMeasure(Result):
    """H-measure with the numbers usually read beside it."""

    h: float
    hull_area: float
    ks: float
    minimum_error_rate: float
    minimum_weighted_loss: float  # at the most likely cost share of the prior
    prior: str
    shape: tuple[float, float]
    prevalence: float
    sample: Sample

    def rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [
            {
                "score": self.sample.score or "score",
                "H": self.h,
                "AUCH": self.hull_area,
                "KS": self.ks,
                "MER": self.minimum_error_rate,
                "MWL": self.minimum_weighted_loss,
                "prior": self.prior,
            }
        ]

    def __str__(self) -> str:
        return (
            f"H-measure {format_number(self.h)} with {self.prior}\n"
            f"hull area {format_number(self.hull_area)}, KS {format_number(self.ks)}, smallest error rate "
            f"{format_number(self.minimum_error_rate)}\n{self.sample.describe()}"
        )

    def __float__(self) -> float:
        return float(self.h)


def h_measure(
    tally: Tally,
    *,
    shape: tuple[float, float] | None = None,
    severity_ratio: float | Literal["data"] | None = None,
    prevalence: float | None = None,
) -> HMeasure:
    r"""Hand's H-measure: the share of the trivial loss that a classifier saves, averaged over a prior for the costs.

    With c the share of a false positive in the cost of both errors and density w(c),

    .. math:: H = 1 - \frac{\int L(c)\, w(c)\, dc}{\int L_0(c)\, w(c)\, dc}, \qquad
              L(c) = \min_{hull}\; c\, (1-\pi) FPR + (1 - c)\, \pi\, FNR

    and :math:`L_0(c) = \min(c (1-\pi), (1-c) \pi)` the loss of always giving the same answer: 1 for a perfect score, 0
    for a useless one. The AUC averages in the same way, but with a prior that depends on the classifier [1]_.

    Parameters
    ----------
    tally : Tally
    shape : pair, optional
        Parameters of a Beta prior for c; (2, 2) by default, as first proposed.
    severity_ratio : float or "data", optional
        Instead of a shape: how much a false positive costs for one false negative. The prior is then
        Beta(2, 1 + 1/SR), whose mode is SR/(1 + SR) [2]_. "data" sets SR = P/N, the default of the R package hmeasure.
    prevalence : float, optional
        Share of positives; by default that of the data.

    Notes
    -----
    On each hull segment the integrals are incomplete beta functions: exact, O(n + h).

    References
    ----------
    .. [1] Hand DJ. Measuring classifier performance: a coherent alternative to the area under the ROC curve. Machine
       Learning 2009;77:103-123. doi:10.1007/s10994-009-5119-5
    .. [2] Hand DJ, Anagnostopoulos C. A better Beta for the H measure of classification performance. Pattern Recognit
       Lett 2014;40:41-46.

    Examples
    --------
    >>> h_measure(Tally.from_samples(np.array([3.0, 4.0]), np.array([1.0, 2.0]))).h
    1.0
    >>> round(h_measure(Tally.from_samples(np.array([2.0, 3.0]), np.array([1.0, 2.0]))).h, 12)
    0.5
    """
    pi = tally.n_pos / (tally.n_pos + tally.n_neg) if prevalence is None else prevalence
    pi = check_fraction(pi, "prevalence", way_out="write 0.1 for 10%", open_ends=True)
    a, b, words = _prior(tally, shape, severity_ratio)
    hull = hull_of_tally(tally, roc_curve(tally))
    run, rise = np.diff(hull.fpr), np.diff(hull.tpr)
    meet = pi * rise / ((1 - pi) * run + pi * rise)  # cost share at which two neighbouring vertices lose the same
    edges = np.concatenate([[1.0], meet, [0.0]])  # vertex k is best from edges[k + 1] to edges[k]
    on_fp, on_fn = _beta_parts(edges, a, b)
    loss = np.sum((1 - pi) * hull.fpr * on_fp + pi * (1 - hull.tpr) * on_fn)
    trivial_edges = np.array([1.0, pi, 0.0])
    fp, fn = _beta_parts(trivial_edges, a, b)
    trivial = pi * fn[0] + (1 - pi) * fp[1]  # nothing called positive above c = π, everything below
    mode = (a - 1) / (a + b - 2) if a > 1 and b > 1 else a / (a + b)
    weighted = mode * (1 - pi) * hull.fpr + (1 - mode) * pi * (1 - hull.tpr)
    return HMeasure(
        h=float(1 - loss / trivial),
        hull_area=hull.area,
        ks=float(np.max(hull.tpr - hull.fpr)),
        minimum_error_rate=float(np.min((1 - pi) * hull.fpr + pi * (1 - hull.tpr))),
        minimum_weighted_loss=float(2 * np.min(weighted)),
        prior=words,
        shape=(a, b),
        prevalence=pi,
        sample=tally.sample,
    )


def _prior(
    tally: Tally, shape: tuple[float, float] | None, severity_ratio: float | Literal["data"] | None
) -> tuple[float, float, str]:
    if severity_ratio is None:
        try:
            a, b = (2.0, 2.0) if shape is None else shape
        except (TypeError, ValueError):
            raise InputError(
                "shape", "must be a pair of numbers above 0", shape, f"write {named('shape', (2, 2))}"
            ) from None
        way_out = f"write {named('shape', (2, 2))}"
        a, b = check_positive(a, "shape", way_out=way_out), check_positive(b, "shape", way_out=way_out)
        return a, b, f"a Beta({a:g}, {b:g}) prior for the cost share"
    if shape is not None:
        raise InputError(
            "",
            f"a prior is given by {named('shape')} or by {named('severity_ratio')}",
            Words(f"{shape!r} and {severity_ratio!r}"),
            "leave one out",
        )
    if severity_ratio == "data":
        ratio = tally.n_pos / tally.n_neg
    else:
        ratio = check_positive(severity_ratio, "severity_ratio", way_out="write 1 for equal costs or 'data' for P/N")
    b = 1 + 1 / ratio
    return 2.0, b, f"severity ratio {ratio:.4g}, a Beta(2, {b:.4g}) prior for the cost share"


def _beta_parts(edges: Floats, a: float, b: float) -> tuple[Floats, Floats]:
    """Integrals of c w(c) and of (1 - c) w(c) between descending edges, for w the Beta(a, b) density."""
    fp = a / (a + b) * betainc(a + 1, b, edges)
    fn = b / (a + b) * betainc(a, b + 1, edges)
    return fp[:-1] - fp[1:], fn[:-1] - fn[1:]


@dataclass(frozen=True, slots=True, kw_only=True)
class KolmogorovSmirnov(Result):
    """Largest vertical distance between the score distributions of both classes, and where it is."""

    statistic: float
    threshold: float
    fpr: float
    tpr: float
    sample: Sample

    def rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [
            {
                "score": self.sample.score or "score",
                "KS": self.statistic,
                "threshold": self.threshold,
                "tpr": self.tpr,
                "fpr": self.fpr,
            }
        ]

    def __float__(self) -> float:
        return float(self.statistic)


def ks_statistic(tally: Tally) -> KolmogorovSmirnov:
    """Kolmogorov-Smirnov distance of both classes, max abs(TPR - FPR); O(n).

    For a score in the right direction it is the largest Youden index. Of equals the lowest false positive rate.

    >>> float(ks_statistic(Tally.from_samples(np.array([2.0, 3.0]), np.array([1.0, 2.0]))))
    0.5
    """
    curve = roc_curve(tally)
    distance = np.abs(curve.tpr - curve.fpr)
    at = int(np.flatnonzero(distance >= distance.max() - 1e-12)[0])
    thresholds = np.array([np.inf]) if curve.thresholds is None else curve.thresholds
    return KolmogorovSmirnov(
        statistic=float(distance[at]),
        threshold=float(thresholds[at]),
        fpr=float(curve.fpr[at]),
        tpr=float(curve.tpr[at]),
        sample=tally.sample,
    )
