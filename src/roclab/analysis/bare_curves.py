"""Curves whose uncertainty nobody knows: ready-made points, and smooth fits to subjects with several cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from roclab._core.undefined import Undefined
from roclab.areas.empirical import trapezoid
from roclab.areas.partial import partial_area
from roclab.areas.tauc import early_area, t2auc, t2auc_as_published, tauc
from roclab.curves.hull import hull_of_curve
from roclab.curves.roc import RocCurve
from roclab.data.tally import Tally
from roclab.errors import InputError
from roclab.inference.one_area.area import Area
from roclab.names import Estimator
from roclab.options.region import Region
from roclab.results import AreaEstimate, Interval, Sample
from roclab.smooth.model import SmoothRoc

__all__ = ["area_of_points", "fit_without_error", "needs_cases"]


# Areas of the curve itself; all others are means over cases.
_OF_CURVES: Mapping[str, Callable[[RocCurve], float]] = {
    "hull": lambda curve: hull_of_curve(curve).area,
    "tauc": tauc,
    "tauc2": lambda curve: early_area(curve, 2.0),
    "t2auc": t2auc,
    "t2auc_as_published": t2auc_as_published,
}


def needs_cases(what: str) -> InputError:
    """What is said where ready-made points are asked for more than they have."""
    return InputError(what, "needs the cases, and ready-made points have none", way_out="use roc() or from_ratings()")


def area_of_points(
    curve: RocCurve, what: Area, estimator: Estimator | None, region: Region, level: float
) -> AreaEstimate:
    """The area of ready-made points, with the reason why it has no interval."""
    if region.given:
        value = partial_area(curve, fpr=region.fpr, tpr=region.tpr).standardised(region.scale)
    elif estimator in (None, "empirical", "gini"):
        value = what.of_area(trapezoid(curve))
    elif estimator in _OF_CURVES:
        value = _OF_CURVES[estimator](curve)
    else:
        raise needs_cases(f"{what.quantity} ({what.method})")
    why = Undefined("ready-made points have no cases")
    return AreaEstimate(
        quantity=what.quantity,
        area=value,
        standard_error=why,
        interval=Interval(low=why, high=why, level=level, method="none"),
        method=f"{what.method}, ready-made points",
        sample=Sample(n_pos=0, n_neg=0, score="points", points=len(curve.fpr) - 2),
    )


def fit_without_error(fit: SmoothRoc, tally: Tally) -> SmoothRoc:
    """A smooth fit, whose own error takes every case for itself: where subjects have several, it has none."""
    if not tally.sample.subjects:
        return fit
    why = Undefined("the model takes every case for itself, and subjects have several")
    note = (
        f"Cases of {tally.sample.subjects:,} subjects: the curve is that of all cases, without an error; "
        "auc(…, variance='clustered_bootstrap') has one."
    )
    alone: SmoothRoc = replace(fit, standard_error=why, notes=(*fit.notes, note))  # type: ignore[type-var]
    return alone
