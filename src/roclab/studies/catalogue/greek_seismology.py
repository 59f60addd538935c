"""The Greek thesis, chapter 4: strong earthquakes. The data are not public; the printed tables are checked for
agreement with themselves.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
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
from roclab.studies.catalogue.shared import printed_json
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


def _x11_tally() -> Tally:
    """The printed coordinates as cases: each step between two rows is a share of them, in thousandths."""
    rows = _printed("coordinates_X11")
    pos, neg = (np.rint(-1000 * np.diff([row[at] for row in rows])).astype(int) for at in (1, 2))
    scores = [1.0]
    for row in rows[1:-1]:
        scores.append(2 * row[0] - scores[-1])
    return Tally.from_counts(np.array(scores), pos, neg)


def _best_of_x11() -> tuple[float, float]:
    row = coordinates(_x11_tally(), rule="spss").table(sort_by="sum", head=1).rows()[0]
    return float(row["cut-off"]), float(row["sum"])


def _x11_area() -> float:
    rows = _printed("coordinates_X11")
    return trapezoid(curve_from_points([row[2] for row in rows], [row[1] for row in rows]))


def _best_of_x1() -> float:
    """Largest sensitivity + specificity of the two-score table behind the printed matrix."""
    matrix, cutoff = _matrices()["X1"], 1964.5
    tally = Tally.from_counts(
        np.array([cutoff + 0.5, cutoff - 0.5]), np.array([matrix.tp, matrix.fn]), np.array([matrix.fp, matrix.tn])
    )
    return 1 + float(find_cutoff(tally, rule="spss").value)


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
        PrintedExample(
            where="table 4.2", quantity="area of X11 over its coordinates", printed=0.648, ours=_x11_area, digits=3
        ),
        PrintedExample(
            where="table 4.3",
            quantity="best cut-off of X11 and its sum of sensitivity and specificity",
            printed=(24.5, 1.370),
            ours=_best_of_x11,
            digits=3,
        ),
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
    ]
