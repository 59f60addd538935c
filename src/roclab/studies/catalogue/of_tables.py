"""Printed tables that are checked row by row or against themselves: Greek chapter 4, Italian chapters 3 and 4.

The Greek records are not public. One variable, the depth X11, can be rebuilt whole: the printed rates times the numbers
of cases are counts at 23 depths, and everything the chapter does with X11 is run on those. Of the others, and of the
Italian detectors, the printed tables are checked for agreement with themselves.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from scipy.special import ndtr

from roclab.areas.empirical import trapezoid
from roclab.curves.roc import curve_from_points
from roclab.data.tally import Tally
from roclab.decisions.confusion import ConfusionMatrix
from roclab.decisions.coordinates import coordinates
from roclab.decisions.cutoffs import find_cutoff
from roclab.inference.one_area.hanley_mcneil import null_se
from roclab.inference.one_area.intervals import deviate
from roclab.inference.one_area.spss import spss_area
from roclab.options.criterion import CriterionOptions
from roclab.studies.catalogue.samples import printed_json, printed_table, sample_of
from roclab.studies.verdicts import Example, example

__all__ = [
    "above_majority", "area_of_coordinates", "best_sum", "best_sum_of_x1", "better_than_random", "earthquakes",
    "impossible_pairs", "intervals_that_fit", "largest_counts", "levels_that_fit", "lower_ends", "matrix_of_best",
    "printed_bench", "records", "spss_best", "trapezoid_against_wilcoxon",
]  # fmt: skip

N_POS, N_NEG = 7308, 3026
# True rates lie within .0005 of the printed ones, rebuilt ones within half a record; an area moves by no more.
_OPEN = 2 * 0.0005 + 0.5 / N_POS + 0.5 / N_NEG


def _rows(table: str) -> list[list[Any]]:
    rows: list[list[Any]] = printed_json("seismology.json")[table]["rows"]
    return rows


def _matrices() -> dict[str, ConfusionMatrix]:
    return {row[0]: ConfusionMatrix(tp=row[1], fp=row[2], fn=row[3], tn=row[4]) for row in _rows("confusion")}


def earthquakes() -> list[Example]:
    """Table 4.1 of X11, every row of tables 4.2 and 4.4, and every accuracy of 4.3."""
    out = []
    rebuilt = "the counts behind ours were rebuilt from these rates: whole numbers of records have them"
    for at, (cut, tpr, fpr) in enumerate(_rows("coordinates_X11")):
        where, quantity = f"table 4.2, row {at + 1}", f"X11: sensitivity and 1 - specificity at {cut:g}"
        out.append(example("text", where, quantity, f"{tpr:.3f}; {fpr:.3f}", partial(_rates_at, at), reason=rebuilt))
    matrices = _matrices()
    for name, _, sensitivity, specificity in _rows("best_cutoffs"):
        value, quantity = f"{sensitivity:.3f}; {specificity:.3f}", "sensitivity and specificity"
        out.append(example("text", f"table 4.4, {name}", quantity, value, partial(_rates, matrices[name]),
                           reason="ours from its printed confusion matrix"))  # fmt: skip
    for name, *_, percent in _rows("confusion"):
        ours = partial(_percent, matrices[name])
        out.append(example("text", f"4.3, {name}", "accuracy in percent", str(percent), ours,
                           reason="ours from its printed confusion matrix"))  # fmt: skip
    *_, low, high = next(row for row in _rows("area_table") if row[0] == "X11")
    out.append(example("text", "table 4.1, X11", "95% interval", f"{low:.3f}; {high:.3f}", _spss_interval,
                       slack=_OPEN, reason="the rates behind ours are printed with three digits, which leaves the "
                       f"area open by {_OPEN:.4f}"))  # fmt: skip
    return out


def _rates_at(at: int) -> tuple[float, float]:
    row = coordinates(sample_of("x11", None), rule="spss").table().rows()[at]
    return float(row["sensitivity"]), float(row["1 - specificity"])


def _rates(matrix: ConfusionMatrix) -> tuple[float, float]:
    return matrix.metrics()["tpr"], matrix.metrics()["tnr"]


def _percent(matrix: ConfusionMatrix) -> float:
    return 100 * matrix.metrics()["accuracy"]


def _spss_interval() -> tuple[float, float]:
    area = spss_area(sample_of("x11", None))
    return area.low, area.high


def intervals_that_fit() -> str:
    """Is there an area and an error, both rounding to what is printed, whose 95% interval rounds to the printed one?"""
    z = deviate(0.95)
    fits = 0
    for _, area, error, _, low, high in _rows("area_table"):
        middle, half = (low + high) / 2, (high - low) / 2
        fits += abs(middle - area) <= 0.001 + 1e-9 and abs(half - z * error) <= z * 0.0005 + 0.0005 + 1e-9
    return f"{fits} of 11 variables"


def levels_that_fit() -> str:
    """Is there an area that rounds to the printed one, whose null test gives the printed level?"""
    fits = 0
    for _, area, _, sig, _, _ in _rows("area_table"):
        ends = [2 * float(ndtr(-abs(a - 0.5) / null_se(N_POS, N_NEG))) for a in (area - 0.0005, area + 0.0005)]
        fits += min(ends) - 0.0005 <= sig <= max(ends) + 0.0005
    return f"{fits} of 11 variables"


def area_of_coordinates() -> float:
    """Trapezoids through the printed coordinates of X11."""
    points = np.array(_rows("coordinates_X11"), float)
    return trapezoid(curve_from_points(points[:, 2], points[:, 1]))


def spss_best() -> float:
    """The best cut-off of X11 by the sum of sensitivity and specificity."""
    return float(_best_row()["cut-off"])


def best_sum() -> float:
    """That sum."""
    return float(_best_row()["sum"])


def _best_row() -> dict[str, Any]:
    return coordinates(sample_of("x11", None), rule="spss").table(sort_by="sum", head=1).rows()[0]


def matrix_of_best() -> tuple[float, ...]:
    """TP, FP, FN, TN of X11 at its best cut-off."""
    found = find_cutoff(sample_of("x11", None), CriterionOptions(criterion="youden")).best.matrix
    return found.tp, found.fp, found.fn, found.tn


def largest_counts() -> float:
    """The cut-off of X11 with the largest TP + TN."""
    return float(find_cutoff(sample_of("x11", None), CriterionOptions(criterion="accuracy", rule="spss")).threshold)


def best_sum_of_x1() -> float:
    """Largest sensitivity + specificity of the two-score table behind the printed matrix of X1."""
    matrix, cutoff = _matrices()["X1"], 1964.5
    tally = Tally.from_counts(
        np.array([cutoff + 0.5, cutoff - 0.5]), np.array([matrix.tp, matrix.fn]), np.array([matrix.fp, matrix.tn])
    )
    return 1 + float(find_cutoff(tally, CriterionOptions(rule="spss")).value)


def records() -> float:
    """Cases of a printed confusion matrix."""
    matrix = _matrices()["X11"]
    return matrix.tp + matrix.fp + matrix.fn + matrix.tn


def above_majority() -> int:
    """How many of the seven cut-offs are more accurate than calling every record strong."""
    return sum(one.metrics()["accuracy"] > one.metrics()["majority_rate"] for one in _matrices().values())


def printed_bench(table: str) -> dict[str, dict[str, float]]:
    """A printed table of classifiers: the quantities of each."""
    out: dict[str, dict[str, float]] = {}
    for row in printed_table("classifier_bench.csv"):
        if row["table"] == table:
            out.setdefault(row["classifier"], {})[row["quantity"]] = float(row["value"])
    return out


def trapezoid_against_wilcoxon() -> str:
    """Where the printed trapezoid areas lie."""
    rows = [row for table in ("3.3", "3.4") for row in printed_bench(table).values()]
    gaps = np.sign([row["auc_trapezoid"] - row["auc_wilcoxon"] for row in rows])
    return ", ".join(
        f"{int((gaps == sign).sum())} {word}" for sign, word in ((-1, "below"), (0, "equal"), (1, "above"))
    )


def better_than_random() -> str:
    """The printed area of Parzen in table 4.1, beside one half."""
    return "better than random" if printed_bench("4.1")["Parzen"]["auc"] > 0.5 else "worse than random"


def impossible_pairs() -> list[Example]:
    """Each printed pair of A and tAUC that no monotone curve can have."""
    out = []
    for table in ("4.1", "4.2", "4.3"):
        for name, row in printed_bench(table).items():
            area, value = row["auc"], row["tauc"]
            if not area**2 / 2 <= value <= area / 2:
                quantity = f"{name}: A = {area:.4f} leaves tAUC from {area**2 / 2:.4f} to {area / 2:.4f}"
                out.append(example("text", f"table {table}", quantity, f"{value:g}", partial(_curve_with, area, value),
                                   erratum="E46", correct="no curve has it"))  # fmt: skip
    return out


def _curve_with(area: float, value: float) -> str:
    return "a curve may have it" if area**2 / 2 <= value <= area / 2 else "no curve has it"


def lower_ends() -> list[float]:
    """Lower ends of the ranges of table 4.4 but the first."""
    return [float(row[2]) for row in printed_json("hull_ranges.json")["rows"][1:]]
