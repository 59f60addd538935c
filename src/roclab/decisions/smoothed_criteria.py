"""Cut-offs at the top of a smoothed criterion: local regression, splines, and the mean of bootstrap cut-offs.

Any criterion can be smoothed, because it is the curve of its values over the thresholds that is, not the scores.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.interpolate import BSpline, make_smoothing_spline

from roclab._core.checks import check_choice, check_fraction
from roclab._core.types import Floats, Ints
from roclab.data.tally import Tally
from roclab.decisions.coordinates import coordinates, criterion_values
from roclab.decisions.criteria import Criterion
from roclab.decisions.cutoff_bootstrap import bootstrap_cutoff
from roclab.decisions.cutoffs import choose_criterion
from roclab.decisions.operating_point import point_at_threshold
from roclab.decisions.smooth_cutoffs import SmoothCutoff, check_finite
from roclab.errors import InputError, Words
from roclab.options.criterion import CriterionOptions
from roclab.options.uncertainty import Draws

__all__ = ["bootstrap_mean_cutoff", "local_cutoff", "penalised_cutoff", "spline_cutoff"]

MOST_POINTS = 2000  # rows that are smoothed
BASIS = 10  # functions of the penalised spline
PENALTIES = 10.0 ** np.arange(-8, 9, 0.5)  # among which generalised cross-validation chooses


@dataclass(frozen=True, slots=True, kw_only=True)
class _Column:
    """A criterion over the finite thresholds, ascending."""

    x: Floats  # oriented scores
    y: Floats
    criterion: Criterion
    notes: tuple[str, ...]


def _column(tally: Tally, asked: CriterionOptions | None, what: str) -> _Column:
    check_finite(tally, what)
    asked = asked or CriterionOptions()
    chosen = choose_criterion(asked.criterion, [], asked.goal)
    chosen.check(asked)
    table = coordinates(tally)
    values = criterion_values(table, chosen, asked)
    usable = np.flatnonzero(np.isfinite(values) & np.isfinite(table.thresholds))
    notes: tuple[str, ...] = ()
    if usable.size > MOST_POINTS:
        called = (table.tp + table.fp)[usable]
        wanted = np.linspace(called[0], called[-1], MOST_POINTS)
        notes = (f"{MOST_POINTS} of {usable.size:,} thresholds, evenly spread over the cases, were smoothed.",)
        usable = usable[np.unique(np.searchsorted(called, wanted))]
    x = table.scores[usable - 1][::-1]  # ascending; row 0 calls nothing positive and has no finite threshold
    return _Column(x=x, y=values[usable][::-1], criterion=chosen, notes=notes)


def _best(tally: Tally, column: _Column, fitted: Floats, method: str) -> SmoothCutoff:
    better = fitted if column.criterion.goal == "max" else -fitted
    at = int(np.flatnonzero(better >= better.max() - 1e-12)[-1])  # of equals the lowest false positive rate
    threshold = float(tally.shown(column.x[at : at + 1])[0])
    return SmoothCutoff(
        criterion=column.criterion.name,
        threshold=threshold,
        value=float(fitted[at]),
        method=method,
        point=point_at_threshold(tally, threshold),
        bandwidths=None,
        sample=tally.sample,
        notes=column.notes,
    )


def _need(column: _Column, least: int, what: str) -> None:
    if column.x.size < least:
        raise InputError(
            "",
            f"{what} needs at least {least} thresholds with a finite {column.criterion.name}",
            Words(column.x.size),
            "use the empirical cut-off",
        )


def local_cutoff(
    tally: Tally,
    asked: CriterionOptions | None = None,
    *,
    span: float = 0.5,
    degree: Literal[1, 2] = 1,
) -> SmoothCutoff:
    r"""The cut-off at the top of a local regression of the criterion on the threshold (LOESS) [1]_.

    At each threshold a line (or parabola) is fitted by weighted least squares to the criterion at the nearest share
    ``span`` of the thresholds, with tricube weights :math:`(1 - (d/d_{max})^3)^3`; the threshold with the best fitted
    value wins.

    Parameters
    ----------
    tally : Tally
    asked : CriterionOptions
        As in :func:`~roclab.decisions.cutoffs.find_cutoff`; thresholds where it is undefined or infinite are left out.
    span : float
        Share of the thresholds in each neighbourhood, in (0, 1]; larger is smoother.
    degree : 1 or 2

    Notes
    -----
    O(m k) for m thresholds with k neighbours. Above 2000 thresholds m = 2000 of them, evenly spread over the cases,
    enter the regression; a note says so.

    References
    ----------
    .. [1] Cleveland WS. Robust locally weighted regression and smoothing scatterplots. JASA 1979;74:829-836.
       doi:10.1080/01621459.1979.10481038
    """
    span = check_fraction(span, "span", way_out="0.5 uses the nearest half of the thresholds")
    check_choice(str(degree), "degree", ("1", "2"))
    column = _column(tally, asked, "local regression")
    neighbours = max(math.ceil(span * column.x.size), int(degree) + 2)
    _need(column, int(degree) + 2, f"local regression of degree {degree}")
    fitted = _local_fit(column.x, column.y, neighbours, int(degree))
    return _best(tally, column, fitted, f"local regression of degree {degree}, span {span:g}")


def spline_cutoff(
    tally: Tally,
    asked: CriterionOptions | None = None,
    *,
    penalty: float | None = None,
) -> SmoothCutoff:
    r"""The cut-off at the top of a cubic smoothing spline of the criterion on the threshold [1]_.

    The spline f minimises :math:`\sum_i (y_i - f(x_i))^2 + \lambda \int f''(t)^2\,dt` over the m thresholds, scaled
    to [0, 1]. :math:`\lambda` is ``penalty``, by default :math:`10^{-4} m`, which smooths over about a tenth of the
    range. Cross-validation is not used: neighbouring values of a criterion share their cases, and it then takes the
    steps for the curve. Other arguments as in :func:`local_cutoff`.

    References
    ----------
    .. [1] Wahba G. Spline Models for Observational Data. SIAM 1990, chapter 4.
    """
    column = _column(tally, asked, "a smoothing spline")
    _need(column, 5, "a smoothing spline")
    x = (column.x - column.x[0]) / (column.x[-1] - column.x[0])
    apart = np.concatenate([[True], np.diff(x) > 1e-12])  # scores that scaling joins
    if penalty is not None and not penalty >= 0:
        raise InputError("penalty", "must be a number >= 0", penalty, "leave it out for the usual one")
    strength = 1e-4 * int(np.count_nonzero(apart)) if penalty is None else float(penalty)
    fitted = make_smoothing_spline(x[apart], column.y[apart], lam=strength)(x)
    return _best(tally, column, fitted, f"smoothing spline, penalty {strength:g}")


def penalised_cutoff(tally: Tally, asked: CriterionOptions | None = None) -> SmoothCutoff:
    r"""The cut-off at the top of a penalised regression spline, the smooth term of an additive model (GAM) [1]_.

    Ten cubic B-splines on evenly spaced knots, a penalty on second differences of their coefficients, and the strength
    of it by generalised cross-validation :math:`n\,RSS / (n - \operatorname{tr} H)^2`. Other arguments as in
    :func:`local_cutoff`.

    References
    ----------
    .. [1] Eilers PHC, Marx BD. Flexible smoothing with B-splines and penalties. Stat Sci 1996;11:89-121.
       doi:10.1214/ss/1038425655
    """
    column = _column(tally, asked, "a penalised spline")
    _need(column, BASIS + 2, "a penalised spline")
    x = (column.x - column.x[0]) / (column.x[-1] - column.x[0])
    return _best(tally, column, _penalised_fit(x, column.y), "penalised spline (GAM), generalised cross-validation")


def _penalised_fit(x: Floats, y: Floats) -> Floats:
    inner = BASIS - 3  # intervals
    knots = np.arange(-3, inner + 4) / inner
    design = BSpline.design_matrix(np.clip(x, 0.0, 1.0), knots, 3).toarray()
    bends = np.diff(np.eye(BASIS), n=2, axis=0)
    square, target, rough = design.T @ design, design.T @ y, bends.T @ bends
    best, fitted = math.inf, y
    for strength in PENALTIES:
        solved = np.linalg.solve(square + strength * rough + 1e-12 * np.eye(BASIS), np.column_stack([target, square]))
        fit = design @ solved[:, 0]
        left = x.size - float(np.trace(solved[:, 1:]))
        score = x.size * float(np.sum((y - fit) ** 2)) / left**2
        if score < best:
            best, fitted = score, fit
    return fitted


def bootstrap_mean_cutoff(
    tally: Tally,
    asked: CriterionOptions | None = None,
    *,
    drawn: Draws | None = None,
) -> SmoothCutoff:
    """The mean of the best cut-offs of bootstrap samples (bagging), which jumps less than the best of the data.

    Samples that call nothing or everything positive have an infinite cut-off; they are left out of the mean, and a
    note counts them.
    """
    check_finite(tally, "a mean of cut-offs")
    found = bootstrap_cutoff(tally, asked, drawn=drawn)
    finite = found.thresholds[np.isfinite(found.thresholds)]
    if finite.size == 0:
        raise InputError("", "no bootstrap sample has a finite best cut-off", way_out="choose another criterion")
    mean = float(finite.mean())
    point = point_at_threshold(tally, mean)
    lost = found.thresholds.size - finite.size
    return SmoothCutoff(
        criterion=found.cutoff.criterion,
        threshold=mean,
        value=float(np.mean(found.values(found.cutoff.criterion, "in_bag")[np.isfinite(found.thresholds)])),
        method=f"mean of the cut-offs, {found.method}",
        point=point,
        bandwidths=None,
        sample=tally.sample,
        notes=(f"{lost} samples with an infinite cut-off are left out.",) if lost else (),
    )


def _local_fit(x: Floats, y: Floats, neighbours: int, degree: int) -> Floats:
    """Fitted value at every x from its nearest neighbours, which are a window because x ascends."""
    out = np.empty(x.size)
    left = _window_starts(x, neighbours)
    for at in range(x.size):
        window = slice(left[at], left[at] + neighbours)
        d = x[window] - x[at]
        reach = float(np.abs(d[[0, -1]]).max())
        if reach == 0:
            out[at] = y[window].mean()
            continue
        u = d / reach
        # Slightly beyond the farthest neighbour, so that it keeps a weight: two points must not decide a parabola.
        weight = (1 - np.minimum(np.abs(u) / (1 + 1e-3), 1.0) ** 3) ** 3
        design = np.stack([u**power for power in range(degree + 1)], axis=1)
        root = np.sqrt(weight)[:, None]
        coefficients = np.linalg.lstsq(design * root, y[window] * root[:, 0], rcond=1e-10)[0]
        out[at] = coefficients[0]  # the fit at u = 0
    return out


def _window_starts(x: Floats, neighbours: int) -> Ints:
    """Where the window of the nearest neighbours of each point starts: it never moves back; O(n)."""
    starts = np.empty(x.size, np.int64)
    left = 0
    for at in range(x.size):
        while left + neighbours < x.size and x[left + neighbours] - x[at] < x[at] - x[left]:
            left += 1
        starts[at] = left
    return starts
