"""What a paper says about areas at horizons: definition, ties, weights, errors and intervals, and the works behind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from roclab.analysis.follow_up.results import HorizonArea

__all__ = ["WORKS", "methods_of_areas", "methods_of_comparisons"]

WORKS = {
    "area": "Heagerty PJ, Lumley T, Pepe MS. Time-dependent ROC curves for censored survival data and a diagnostic marker. Biometrics 2000;56:337-344.",  # noqa: E501
    "competing": "Blanche P, Dartigues JF, Jacqmin-Gadda H. Estimating and comparing time-dependent areas under receiver operating characteristic curves for censored event times with competing risks. Statistics in Medicine 2013;32:5381-5397.",  # noqa: E501
    "influence": "Hung H, Chiang CT. Estimation methods for time-dependent AUC models with survival data. Canadian Journal of Statistics 2010;38:8-26.",  # noqa: E501
    "weights": "Satten GA, Datta S. The Kaplan-Meier estimator as an inverse-probability-of-censoring weighted average. The American Statistician 2001;55:207-210.",  # noqa: E501
    "brier": "Kattan MW, Gerds TA. The index of prediction accuracy: an intuitive measure useful for evaluating risk prediction models. Diagnostic and Prognostic Research 2018;2:7.",  # noqa: E501
    "benefit": "Vickers AJ, Cronin AM, Elkin EB, Gonen M. Extensions to decision curve analysis, a novel method for evaluating diagnostic tests, prediction models and molecular markers. BMC Medical Informatics and Decision Making 2008;8:53.",  # noqa: E501
}


def methods_of_areas(areas: Sequence[HorizonArea]) -> str:
    """The paragraph for areas at horizons."""
    first = areas[0]
    event, _, _ = first.sample.positive.rpartition(" by ")
    free = first.sample.negative.startswith("event-free")
    horizons = ", ".join(dict.fromkeys(f"{area.at:g}" for area in areas))
    starts = list(dict.fromkeys(area.landmark for area in areas if area.landmark is not None))
    since = f", counted from {', '.join(f'{one:g}' for one in starts)} among those followed beyond" if starts else ""
    controls = (
        "those still free of any event"
        if free
        else "those known not to have had it by then, among them those with another event before"
    )
    parts = [
        f"Cumulative/dynamic areas at {horizons}{since}: cases had the {event} by the horizon, controls are "
        f"{controls}; tied scores count one half (Heagerty 2000; Blanche 2013).",
        "An event at exactly the horizon counts by it, and a censoring comes after the events of its time.",
        f"Who was lost before the horizon is stood for by {first.method.partition(', ')[0]} (Satten and Datta 2001).",
        "Standard errors come from the influence of every case, with that of estimating the weights (Hung and Chiang "
        "2010).",
    ]
    if first.sample.subjects:
        parts.append(f"Influences were summed within {first.sample.subjects} subjects.")
    names = list(dict.fromkeys(area.interval.method for area in areas))
    if names != ["none"]:
        own = " (a method of this software, with Kish's effective numbers)" if "roclab" in names[0] else ""
        parts.append(f"Intervals, {100 * first.interval.level:g}%: {', '.join(names)}{own}.")
    return " ".join(parts)


def methods_of_comparisons(areas: Sequence[HorizonArea], *, horizons: int, adjustment: str) -> str:
    """The paragraph for scores compared at horizons."""
    parts = [methods_of_areas(areas), "Differences of areas on the same cases are referred to the normal distribution, "
             "with one covariance matrix of all areas."]  # fmt: skip
    if horizons > 1:
        parts.append("Over all horizons together: chi-squared tests that every difference is 0 and that it does not "
                     "change, and the largest |z| by the multivariate normal distribution.")  # fmt: skip
    if adjustment not in ("", "none"):
        parts.append(f"p-values of several pairs were adjusted by {adjustment}.")
    return " ".join(parts)
