"""The Italian thesis: the tAUC family, and the tables of its classifiers."""

from __future__ import annotations

import itertools
from functools import partial
from pathlib import Path

import numpy as np

from roclab.areas.empirical import auc, trapezoid
from roclab.areas.tauc import t2auc, t2auc_as_published, tauc, tauc_indicator
from roclab.curves.roc import roc_curve
from roclab.data.tally import Tally
from roclab.decisions.iso_performance import iso_line_through, iso_value
from roclab.studies.catalogue import italian_images
from roclab.studies.catalogue.shared import fawcett20, note, printed_json, printed_table, reference
from roclab.studies.verdicts import NOT_PUBLIC, PrintedExample

__all__ = ["examples"]


def _perfect(n_pos: int = 2, n_neg: int = 2) -> Tally:
    return Tally.from_samples(np.arange(n_pos) + 10.0, np.arange(float(n_neg)))


def _chance() -> Tally:
    return Tally.from_samples(np.zeros(2), np.zeros(2))


def _tie() -> tuple[Tally, Tally]:
    """Two curves of one area, each the mirror of the other about the falling diagonal."""
    label = np.array([1, 1, 1, 0, 0, 0, 0, 1, 1, 0], bool)
    tally = Tally.from_labels(label, np.arange(10.0, 0.0, -1.0))
    return tally, tally.mirrored()


def _printed(table: str) -> dict[str, dict[str, float]]:
    out: dict[str, dict[str, float]] = {}
    for row in printed_table("classifier_bench.csv"):
        if row["table"] == table:
            out.setdefault(row["classifier"], {})[row["quantity"]] = float(row["value"])
    return out


def _below_wilcoxon() -> str:
    rows = [row for table in ("3.3", "3.4") for row in _printed(table).values()]
    below = sum(row["auc_trapezoid"] <= row["auc_wilcoxon"] for row in rows)
    return f"in {below} of {len(rows)} rows"


def _possible_pairs() -> str:
    """Every monotone curve has A²/2 <= tAUC <= A/2: how many of the printed pairs have."""
    rows = [row for table in ("4.1", "4.2", "4.3") for row in _printed(table).values()]
    first, second = _printed("3.3"), _printed("3.4")
    pairs = [(row["auc"], row["tauc"]) for row in rows]
    for name, row in _printed("3.5").items():
        pairs += [(first[name]["auc_wilcoxon"], row["tauc_phoneme"]), (second[name]["auc_wilcoxon"], row["tauc_pima"])]
    inside = sum(area**2 / 2 <= value <= area / 2 for area, value in pairs)
    return f"{inside} of {len(pairs)}"


def _step_at_half() -> Tally:
    """Half of the negatives above all positives, half below: A = 1/2 by a step at FPR 1/2."""
    return Tally.from_samples(np.array([2.0]), np.array([1.0, 3.0]))


def _early_share(power: float) -> float:
    """Share of the weight (1 - f)^power that lies on FPR below 0.1."""
    return 1 - float(0.9 ** (power + 1))


def _printed_hull() -> str:
    rows = printed_json("hull_ranges.json")["rows"]
    return "; ".join(" ".join([row[0], f"{float(row[1]):.5g}", f"{float(row[2]):.5g}"]) for row in rows)


def _contiguous() -> str:
    rows = printed_json("hull_ranges.json")["rows"]
    joined = all(low[1] == high[2] for low, high in itertools.pairwise(rows))
    return "each range begins where the last one ends" if joined else "ranges with gaps"


def _negated_point() -> tuple[float, float]:
    tally = Tally.from_counts(np.array([1.0, 0.0]), np.array([7, 3]), np.array([2, 8]))
    curve = roc_curve(tally.reversed())
    return float(curve.fpr[1]), float(curve.tpr[1])


def _chosen(value: object) -> str:
    one, two = (value(roc_curve(tally)) for tally in _tie())  # type: ignore[operator]
    return "the curve that is better at low FPR" if one > two else "the curve that is better at high FPR"


def _tables() -> list[PrintedExample]:
    out = []
    for table in ("4.1", "4.2", "4.3"):
        out.append(
            PrintedExample(
                where=f"table {table}",
                quantity="AUC and tAUC of 9 nodule detectors",
                printed=_span(table),
                verdict=NOT_PUBLIC,
                reason="1984 regions of lung CT were never published; the arithmetic of the tables is checked below",
            )
        )
    return out


def _impossible_pairs() -> list[PrintedExample]:
    """Each printed pair that no monotone curve can have."""
    out = []
    for table in ("4.1", "4.2", "4.3"):
        for name, row in _printed(table).items():
            area, value = row["auc"], row["tauc"]
            if not area**2 / 2 <= value <= area / 2:
                out.append(
                    PrintedExample(
                        where=f"table {table}",
                        quantity=f"{name}: A = {area:.4f} leaves tAUC from {area**2 / 2:.4f} to {area / 2:.4f}",
                        printed=value,
                        ours=partial(_kind_of_pair, area, value),
                        erratum="E46",
                        correct="no curve has it",
                    )
                )
    return out


def _kind_of_pair(area: float, value: float) -> str:
    return "a curve may have it" if area**2 / 2 <= value <= area / 2 else "no curve has it"


def _span(table: str) -> str:
    values = [value for row in _printed(table).values() for value in row.values()]
    return f"{len(values)} values from {min(values):.4f} to {max(values):.4f}"


def examples(data: Path | None) -> list[PrintedExample]:
    """All examples of the thesis."""
    limits, iso = "3.4, limits", "3.3.3, skew 2, point (0.2, 0.7)"
    fawcett = "3.4, on Fawcett's 20 instances"
    return [
        PrintedExample(
            where=limits, quantity="tAUC of a perfect ranking", printed=0.5, ours=lambda: tauc(roc_curve(_perfect()))
        ),
        PrintedExample(where=limits, quantity="tAUC of chance", printed=1 / 6, ours=lambda: tauc(roc_curve(_chance()))),
        reference(
            "eq 3.7, limits",
            "t²AUC of a perfect ranking, weight as printed",
            2 / 3,
            lambda: t2auc_as_published(roc_curve(_perfect())),
        ),
        reference(
            "eq 3.7, limits",
            "t²AUC of chance, weight as printed",
            2 / 5,
            lambda: t2auc_as_published(roc_curve(_chance())),
        ),
        reference("eq 3.7, corrected weight", "t²AUC of chance", 4 / 15, lambda: t2auc(roc_curve(_chance()))),
        PrintedExample(
            where="eq 3.7",
            quantity="which of two mirrored curves t²AUC prefers (tAUC prefers the one better at low FPR)",
            printed=lambda: _chosen(t2auc_as_published),
            ours=lambda: _chosen(t2auc),
            erratum="E17",
            correct="the curve that is better at low FPR",
        ),
        reference("3.4.3, a performance tie", "AUC of both", (0.68, 0.68), lambda: [auc(one) for one in _tie()]),
        reference(
            "3.4.3, a performance tie", "tAUC of both", (0.308, 0.244), lambda: [tauc(roc_curve(t)) for t in _tie()]
        ),
        reference(fawcett, "tAUC", 0.279, lambda: tauc(roc_curve(fawcett20()))),
        reference(fawcett, "t²AUC as printed", 0.504328, lambda: t2auc_as_published(roc_curve(fawcett20())), 6),
        reference(fawcett, "t²AUC corrected", 0.405766, lambda: t2auc(roc_curve(fawcett20())), 6),
        reference(fawcett, "triple indicator", 0.313, lambda: tauc_indicator(fawcett20())),
        PrintedExample(
            where="3.4.5.2",
            quantity="triple indicator of a perfect ranking of 3 and 4 cases, said to be tAUC",
            printed=0.5,
            ours=lambda: tauc_indicator(_perfect(3, 4)),
            erratum="E20",
            correct=0.625,
        ),
        PrintedExample(
            where="3.4.4",
            quantity="smallest tAUC of a curve with A = 1/2 after inversion (here by one step at FPR 1/2)",
            printed=1 / 6,
            ours=lambda: max(tauc(roc_curve(_step_at_half())), tauc(roc_curve(_step_at_half().reversed()))),
            erratum="E18",
            correct=0.125,
        ),
        PrintedExample(
            where="tables 3.5 and 4.1-4.3",
            quantity="printed pairs of A and tAUC that a curve can have",
            printed="45 of 45",
            ours=_possible_pairs,
            erratum="E46",
            correct="35 of 45",
        ),
        PrintedExample(
            where="eq 3.7, purpose",
            quantity="share of the weight on FPR below 0.1: t²AUC more than tAUC",
            printed="more",
            ours=lambda: "more" if _early_share(0.5) > _early_share(1.0) else "less",
            erratum="E48",
            correct="less",
        ),
        PrintedExample(
            where="3.2.2",
            quantity="negated point of (0.2, 0.7)",
            printed=(0.7, 0.2),
            ours=_negated_point,
            erratum="E15",
            correct=(0.8, 0.3),
        ),
        PrintedExample(
            where="3.3.1; tables 3.3, 3.4",
            quantity="the trapezoid lies below Wilcoxon",
            printed="in 18 of 18 rows",
            ours=_below_wilcoxon,
            erratum="E16",
            correct="in 15 of 18 rows",
            reason="its own tables disagree: trapezoids over skipped thresholds err either way",
        ),
        reference(
            "3.3.1",
            "trapezoid minus Wilcoxon over all vertices",
            0.0,
            lambda: trapezoid(roc_curve(fawcett20())) - auc(fawcett20()),
        ),
        reference(iso, "accuracy", 0.766667, lambda: iso_value("accuracy", 0.2, 0.7, skew=2), 6),
        reference(iso, "precision", 0.636364, lambda: iso_value("precision", 0.2, 0.7, skew=2), 6),
        reference(iso, "F", 0.666667, lambda: iso_value("f_measure", 0.2, 0.7, skew=2), 6),
        reference(
            iso,
            "its accuracy isometric in tROC space, at FPR 0.3",
            0.63,
            lambda: float(iso_line_through("accuracy", 0.2, 0.7, skew=2).troc_at(np.array([0.3]))[0]),
        ),
        *_tables(),
        *_impossible_pairs(),
        PrintedExample(
            where="table 4.4",
            quantity="ranges of slopes of the detectors on the hull",
            printed=_printed_hull,
            verdict=NOT_PUBLIC,
            reason="the scores behind the hull were never published; whether neighbouring ranges join is checked below",
        ),
        PrintedExample(
            where="table 4.4",
            quantity="neighbouring ranges",
            printed="each range begins where the last one ends",
            ours=_contiguous,
        ),
        PrintedExample(
            where="4.3, Parzen in table 4.1",
            quantity="A = 0.5252 is",
            printed="worse than random",
            ours=lambda: "better than random" if _printed("4.1")["Parzen"]["auc"] > 0.5 else "worse than random",
            erratum="E21",
            correct="better than random",
        ),
        note("E19", "3.4.4.2", "the cost in tROC space keeps both class shares"),
        note("E47", "4.3.1", "what tROC shows about inferior detectors"),
        note("E49", "3.3.2, 3.4.4.3, 4.3.1, 4.3.3, 2.3.4", "which detector is best, and what its tables show"),
        *italian_images.examples(),
    ]
