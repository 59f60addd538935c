"""Partial areas of smooth curves, as areas that are estimated like any other."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from roclab._core.checks import check_choice
from roclab._core.types import Floats
from roclab._core.undefined import Undefined
from roclab.areas.partial import PartialArea, partial_area
from roclab.curves.roc import curve_from_points
from roclab.data.tally import Tally
from roclab.inference.one_area.area import Area
from roclab.names import SMOOTH_MODELS, Standard
from roclab.options.region import Range
from roclab.smooth.binormal import BinormalFit
from roclab.smooth.methods import SMOOTH_METHODS
from roclab.smooth.model import SmoothRoc
from roclab.smooth.normal import Normal
from roclab.smooth.region import smooth_partial_area

__all__ = ["RegionOfFit", "area_of_smooth_region", "region_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RegionOfFit:
    """The partial area of one fit, with its standard error where the fit has a covariance to carry over."""

    area: float
    standard_error: float
    standard_error_method: str
    notes: tuple[str, ...]


def region_of(fit: SmoothRoc, *, fpr: Range | None, tpr: Range | None, standardize: Standard) -> RegionOfFit:
    """The partial area of a fit, standardised, by the delta method for the binormal curve."""
    shape = partial_area(curve_from_points([0.0], [0.0]), fpr=fpr, tpr=tpr)

    def value(one: SmoothRoc) -> float:
        raw = smooth_partial_area(one, fpr=fpr, tpr=tpr)
        whole = PartialArea(area=raw, chance=shape.chance, largest=shape.largest, fpr=fpr, tpr=tpr)
        return whole.standardised(standardize)

    if not isinstance(fit, BinormalFit) or fit.status == "degenerate":
        why = Undefined("this model has no covariance of its parameters; the bootstrap gives an error")
        return RegionOfFit(area=value(fit), standard_error=why, standard_error_method="none", notes=fit.notes)
    gradient = _gradient(lambda a, b: value(_moved(fit, a, b)), fit.a, fit.b)
    variance = float(gradient @ fit.covariance @ gradient)
    return RegionOfFit(
        area=value(fit),
        standard_error=math.sqrt(variance) if variance >= 0 else Undefined("the information is not positive definite"),
        standard_error_method="delta method from the observed information",
        notes=fit.notes,
    )


def _moved(fit: BinormalFit, a: float, b: float) -> BinormalFit:
    """The curve of neighbouring parameters."""
    return replace(fit, a=a, b=b, _pos=Normal(mean=a / b, sd=1 / b))


def _gradient(function: Callable[[float, float], float], a: float, b: float) -> Floats:
    step = 1e-5
    return np.array([
        (function(a + step, b) - function(a - step, b)) / (2 * step),
        (function(a, b + step) - function(a, b - step)) / (2 * step),
    ])  # fmt: skip


def area_of_smooth_region(name: str, *, fpr: Range | None, tpr: Range | None, standardize: Standard) -> Area:
    """The partial area under a smooth curve: by the delta method for the binormal curve, else by the bootstrap."""
    check_choice(name, "estimator", SMOOTH_MODELS)
    shape = partial_area(curve_from_points([0.0], [0.0]), fpr=fpr, tpr=tpr)  # checks the ranges

    def fitted(tally: Tally) -> RegionOfFit:
        return region_of(SMOOTH_METHODS[name].fit(tally), fpr=fpr, tpr=tpr, standardize=standardize)

    def bound(area: float) -> float:
        whole = PartialArea(area=area, chance=shape.chance, largest=shape.largest, fpr=fpr, tpr=tpr)
        return whole.standardised(standardize)

    ranges = {"FPR": fpr, "TPR": tpr}
    words = " and ".join(f"{side} {ends[0]:g} to {ends[1]:g}" for side, ends in ranges.items() if ends is not None)
    return Area(
        quantity="partial AUC" if standardize == "none" else f"partial AUC ({standardize})",
        method=f"{name}, {words}",
        estimate=lambda tally: fitted(tally).area,
        bounds=(bound(0.0), bound(shape.largest)),
        influence=None,
        fit=fitted if name == "binormal" else None,  # type: ignore[arg-type]
    )
