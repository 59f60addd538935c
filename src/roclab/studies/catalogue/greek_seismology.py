"""The Greek thesis, chapter 4: strong earthquakes.

The data are not public. One variable, the depth X11, can be rebuilt whole: the printed rates times the numbers of
cases are counts at 23 depths, and everything the chapter does with X11 is run on those. Of the others the printed
tables are checked for agreement with themselves.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import ndtr

from roclab.data.tally import Tally
from roclab.decisions.confusion import ConfusionMatrix
from roclab.decisions.coordinates import coordinates
from roclab.decisions.cutoffs import find_cutoff
from roclab.inference.one_area.hanley_mcneil import null_se
from roclab.inference.one_area.intervals import deviate
from roclab.inference.one_area.spss import spss_area
from roclab.options.criterion import CriterionOptions
from roclab.studies.catalogue.shared import note, printed_json, printed_table
from roclab.studies.verdicts import NOT_PUBLIC, PrintedExample

__all__ = ["examples"]

N_POS, N_NEG = 7308, 3026


def _printed(table: str) -> list[list[Any]]:
    rows: list[list[Any]] = printed_json("seismology.json")[table]["rows"]
    return rows


def _matrices() -> dict[str, ConfusionMatrix]:
    return {row[0]: ConfusionMatrix(tp=row[1], fp=row[2], fn=row[3], tn=row[4]) for row in _printed("confusion")}


def _possible_intervals() -> str:
    """Is there an area and an error, both rounding to what is printed, whose 95% interval rounds to the printed one?"""
    z = deviate(0.95)
    fits = 0
    for _, area, error, _, low, high in _printed("area_table"):
        middle, half = (low + high) / 2, (high - low) / 2
        fits += abs(middle - area) <= 0.001 + 1e-9 and abs(half - z * error) <= z * 0.0005 + 0.0005 + 1e-9
    return f"{fits} of 11"


def _possible_levels() -> str:
    """Is there an area that rounds to the printed one, whose null test gives the printed level?"""
    fits = 0
    for _, area, _, sig, _, _ in _printed("area_table"):
        ends = [2 * float(ndtr(-abs(a - 0.5) / null_se(N_POS, N_NEG))) for a in (area - 0.0005, area + 0.0005)]
        fits += min(ends) - 0.0005 <= sig <= max(ends) + 0.0005
    return f"{fits} of 11"


def x11() -> Tally:
    """Depths of all 10334 records, rebuilt."""
    rows = printed_table("seismology_x11_counts.csv")
    depth, strong, count = (np.array([float(row[name]) for row in rows]) for name in ("depth", "strong", "count"))
    return Tally.from_labels(strong == 1, depth, weight=count.astype(np.int64))


def _coordinates() -> list[dict[str, Any]]:
    """Table 4.2, from the lowest cut-off up."""
    return coordinates(x11(), rule="spss").table().rows()


def _best_first() -> dict[str, Any]:
    """The first row of table 4.3."""
    return coordinates(x11(), rule="spss").table(sort_by="sum", head=1).rows()[0]


def _on_data() -> list[PrintedExample]:
    """The workflow of the chapter on the rebuilt depths: screen, curve, coordinates, best cut-off, matrix."""
    _, area, error, significance, low, high = next(row for row in _printed("area_table") if row[0] == "X11")
    matrix = _matrices()["X11"]
    one = partial(spss_area, x11())
    rows = [
        PrintedExample(
            where="table 4.1, X11 on data", quantity="area", printed=area, ours=lambda: one().area, digits=3
        ),
        PrintedExample(
            where="table 4.1, X11 on data",
            quantity="standard error and significance",
            printed=(error, significance),
            ours=lambda: (one().standard_error, one().significance),
            digits=3,
        ),
        PrintedExample(
            where="table 4.1, X11 on data",
            quantity="95% interval, to two digits",
            printed=(low, high),
            ours=lambda: (one().low, one().high),
            digits=2,
            reason="the rates are printed with three digits, so that the rebuilt area is known to about .0007 only",
        ),
    ]
    for at, (cut, tpr, fpr) in enumerate(_printed("coordinates_X11")):
        rows.append(
            PrintedExample(
                where=f"table 4.2, row {at + 1}, X11 on data",
                quantity=f"sensitivity and 1 - specificity at {cut:g}",
                printed=(float(tpr), float(fpr)),
                ours=partial(_rates_at, at),
                digits=3,
            )
        )
    rows += [
        PrintedExample(
            where="table 4.3, X11 on data",
            quantity="best cut-off and its sum of sensitivity and specificity",
            printed=(24.5, 1.370),
            ours=lambda: (_best_first()["cut-off"], _best_first()["sum"]),
            digits=3,
        ),
        PrintedExample(
            where="4.3, X11 on data",
            quantity="confusion matrix at 24.5: TP, FP, FN, TN",
            printed=(float(matrix.tp), float(matrix.fp), float(matrix.fn), float(matrix.tn)),
            ours=_matrix_of_best,
        ),
        PrintedExample(
            where="4.3, X11 on data",
            quantity="cut-off with the largest TP + TN, said to be that of the largest TPR + TNR",
            printed=24.5,
            ours=_most_accurate,
            digits=1,
            erratum="E53",
            correct=0.0,
        ),
    ]
    return rows


def _rates_at(at: int) -> tuple[float, float]:
    row = _coordinates()[at]
    return float(row["sensitivity"]), float(row["1 - specificity"])


def _matrix_of_best() -> tuple[float, ...]:
    found = find_cutoff(x11(), CriterionOptions(criterion="youden")).best.matrix
    return float(found.tp), float(found.fp), float(found.fn), float(found.tn)


def _most_accurate() -> float:
    return float(find_cutoff(x11(), CriterionOptions(criterion="accuracy", rule="spss")).threshold)


def _best_of_x1() -> float:
    """Largest sensitivity + specificity of the two-score table behind the printed matrix."""
    matrix, cutoff = _matrices()["X1"], 1964.5
    tally = Tally.from_counts(
        np.array([cutoff + 0.5, cutoff - 0.5]), np.array([matrix.tp, matrix.fn]), np.array([matrix.fp, matrix.tn])
    )
    return 1 + float(find_cutoff(tally, CriterionOptions(rule="spss")).value)


def _rates(matrix: ConfusionMatrix) -> tuple[float, float]:
    return matrix.metrics()["tpr"], matrix.metrics()["tnr"]


def _percent(matrix: ConfusionMatrix) -> float:
    return 100 * matrix.metrics()["accuracy"]


def _cutoffs() -> list[PrintedExample]:
    matrices = _matrices()
    return [
        PrintedExample(
            where=f"table 4.4, {name}",
            quantity="sensitivity and specificity, from its confusion matrix",
            printed=(sensitivity, specificity),
            ours=partial(_rates, matrices[name]),
            digits=3,
        )
        for name, _, sensitivity, specificity in _printed("best_cutoffs")
    ]


def _accuracies() -> list[PrintedExample]:
    matrices = _matrices()
    return [
        PrintedExample(
            where=f"4.3, {row[0]}",
            quantity="accuracy in percent, from its confusion matrix",
            printed=float(row[5]),
            ours=partial(_percent, matrices[row[0]]),
            digits=0,
        )
        for row in _printed("confusion")
    ]


def examples(data: Path | None) -> list[PrintedExample]:
    """All examples of the chapter."""
    matrices = _matrices()
    return [
        PrintedExample(
            where="table 4.1",
            quantity="area, standard error, significance and interval of 11 variables",
            printed="areas from 0.198 to 0.648",
            verdict=NOT_PUBLIC,
            reason="10334 records of Greek earthquakes were never published; the printed tables are checked below",
        ),
        PrintedExample(
            where="table 4.1",
            quantity="variables whose interval is the area ± 1.96 standard errors, within rounding",
            printed="11 of 11",
            ours=_possible_intervals,
        ),
        PrintedExample(
            where="table 4.1",
            quantity="variables whose significance is that of z with the null standard error, within rounding",
            printed="11 of 11",
            ours=_possible_levels,
        ),
        *_on_data(),
        *_cutoffs(),
        PrintedExample(
            where="table 4.4, X1",
            quantity="largest sensitivity + specificity, said to be that of 1964.5",
            printed=0.956,
            ours=_best_of_x1,
            digits=3,
            erratum="E37",
            correct=1.0,
        ),
        *_accuracies(),
        PrintedExample(
            where="4.1",
            quantity="number of records",
            printed=10333,
            ours=lambda: float(sum((matrices["X11"].tp, matrices["X11"].fp, matrices["X11"].fn, matrices["X11"].tn))),
            erratum="E38",
            correct=10334.0,
        ),
        PrintedExample(
            where="4.3",
            quantity='variables called accurate that beat "always positive" (.707)',
            printed=7,
            ours=lambda: float(sum(m.metrics()["accuracy"] > m.metrics()["majority_rate"] for m in matrices.values())),
            erratum="E38",
            correct=0.0,
        ),
        note("E54", "chapter 4", "errors of records that share an earthquake, and names of variables"),
    ]
