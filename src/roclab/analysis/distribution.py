"""How are the scores of both classes distributed? Histograms and densities, finished for drawing."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from roclab.curves.distribution import Distribution, score_distribution
from roclab.data.tally import Tally
from roclab.errors import InputError, Words, named
from roclab.smooth.box_cox import BoxCoxFit, box_cox, fit_box_cox
from roclab.smooth.kernel import Kernel, fit_kernel
from roclab.smooth.model import ClassDensities, finite_scores
from roclab.smooth.normal import fit_normal

__all__ = [
    "BoxCoxScores",
    "ClassDensities",
    "Distribution",
    "box_cox_scores",
    "class_densities",
    "histogram",
    "score_distribution",
]

_POINTS = 400


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BoxCoxScores:
    """The same cases after the power transform that makes both classes most normal, and the fitted normals."""

    tally: Tally
    densities: ClassDensities
    fit: BoxCoxFit


def box_cox_scores(tally: Tally) -> BoxCoxScores:
    """Transformed scores beside the normal densities that were fitted to them."""
    fit = fit_box_cox(tally)
    shown = box_cox(tally.shown(tally.score) + fit.shift, fit.power)
    name = f"{tally.sample.score or 'score'}, Box-Cox, λ = {fit.power:.3g}"
    moved = replace(tally, score=tally.shown(shown), sample=replace(tally.sample, score=name))
    return BoxCoxScores(tally=moved, densities=fit_normal(moved).densities(), fit=fit)


def histogram(tally: Tally, *, bins: int | None = None, log: bool = False) -> Distribution:
    """Counts of both classes in bins of equal width, on the axis of the scores or of their logarithms.

    Edges come back in the user's own units, so that bins of a logarithmic histogram are equally wide where it is drawn.
    """
    if not log:
        return score_distribution(tally, bins=bins, ratios=False)
    distribution = score_distribution(_of_logarithms(tally), bins=bins, ratios=False)
    return replace(distribution, edges=np.exp(distribution.edges))


def class_densities(tally: Tally, *, log: bool = False) -> ClassDensities:
    """Kernel densities (K1) of both classes; with ``log`` per unit of the logarithm, which is what a log axis shows."""
    shown = _of_logarithms(tally) if log else tally
    fit = fit_kernel(shown, rule="k1")
    pos, neg = finite_scores(shown, model="kernel density")
    widths = (fit.bandwidth_neg, fit.bandwidth_pos)
    if min(widths) == 0:
        raise InputError(
            "",
            "a density needs scores that vary within each class",
            Words("a class without spread between its quartiles"),
            f"draw {named('kind', 'histogram')} or 'dots'",
        )
    low, high = float(shown.score[-1]), float(shown.score[0])
    grid = np.linspace(low - 3 * max(widths), high + 3 * max(widths), _POINTS)
    heights = [Kernel(scores, width).pdf(grid) for scores, width in zip((neg, pos), widths, strict=True)]
    x = shown.shown(grid)
    return ClassDensities(x=np.exp(x) if log else x, neg=heights[0], pos=heights[1])


def _of_logarithms(tally: Tally) -> Tally:
    """The same cases with the logarithms of their scores, in the user's own direction."""
    return replace(tally, score=tally.shown(np.log(tally.shown(tally.score))))
