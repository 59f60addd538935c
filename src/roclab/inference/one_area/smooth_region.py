"""Partial areas of smooth curves, as areas that are estimated like any other."""

from __future__ import annotations

from roclab._core.checks import check_choice
from roclab.areas.partial import PartialArea, Range, partial_area
from roclab.curves.roc import curve_from_points
from roclab.data.tally import Tally
from roclab.inference.one_area.estimate import Area
from roclab.names import SMOOTH_MODELS, Standard
from roclab.smooth.methods import SMOOTH_METHODS
from roclab.smooth.region import RegionOfFit, region_of

__all__ = ["area_of_smooth_region"]


def area_of_smooth_region(name: str, *, fpr: Range | None, tpr: Range | None, standard: Standard) -> Area:
    """The partial area under a smooth curve: by the delta method for the binormal curve, else by the bootstrap."""
    check_choice(name, "estimator", SMOOTH_MODELS)
    shape = partial_area(curve_from_points([0.0], [0.0]), fpr=fpr, tpr=tpr)  # checks the ranges

    def fitted(tally: Tally) -> RegionOfFit:
        return region_of(SMOOTH_METHODS[name].fit(tally), fpr=fpr, tpr=tpr, standard=standard)

    def bound(area: float) -> float:
        whole = PartialArea(area=area, chance=shape.chance, largest=shape.largest, fpr=fpr, tpr=tpr)
        return whole.standardised(standard)

    ranges = {"FPR": fpr, "TPR": tpr}
    words = " and ".join(f"{side} {ends[0]:g} to {ends[1]:g}" for side, ends in ranges.items() if ends is not None)
    return Area(
        quantity="partial AUC" if standard == "none" else f"partial AUC ({standard})",
        method=f"{name}, {words}",
        estimate=lambda tally: fitted(tally).area,
        bounds=(bound(0.0), bound(shape.largest)),
        influence=None,
        fit=fitted if name == "binormal" else None,  # type: ignore[arg-type]
    )
