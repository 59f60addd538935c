"""The Greek thesis, chapter 3: Duchenne carriers, the exponential and the Pareto curve."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np

from roclab.areas.empirical import auc
from roclab.data.tally import Tally
from roclab.decisions.iso_performance import equal_cost_slope
from roclab.errors import FileError, Words
from roclab.smooth.box_cox import fit_box_cox
from roclab.smooth.exponential import exponential_area, exponential_tpr
from roclab.smooth.kernel import fit_kernel
from roclab.smooth.pareto import pareto_area
from roclab.studies.catalogue.shared import note, printed_json, reference
from roclab.studies.distributions import Gamma, area_between
from roclab.studies.estimators import estimate_one
from roclab.studies.verdicts import NOT_GIVEN, UNDOCUMENTED, PrintedExample

__all__ = ["examples"]

DUCHENNE = "dmd_carriers.csv"
HOW_TO_GET = (
    f"give a folder with {DUCHENNE}, columns CK, H, PK, LD and Class (normal or carrier): "
    "data set dystrophy of the R package ipred"
)


def read_carriers(path: Path) -> Tally:
    """CK of the women with complete records, carriers as positives."""
    markers = ("CK", "H", "PK", "LD")
    try:
        with path.open(newline="", encoding="utf-8") as lines:
            rows = [
                row for row in csv.DictReader(lines) if all(row[name].strip() not in ("", "NA") for name in markers)
            ]
        carrier = np.array([row["Class"] == "carrier" for row in rows])
        return Tally.from_labels(carrier, np.array([float(row["CK"]) for row in rows]))
    except (OSError, KeyError, ValueError) as error:
        raise FileError(
            path.name, "must be the table of Duchenne carriers", Words(f"{path} ({error})"), f"{HOW_TO_GET}"
        ) from None


def _zou_as_printed(tally: Tally) -> float:
    """K1 with the exponent -1.5 that is printed for -1/5."""
    fit = fit_kernel(tally, rule="k1")
    widths = (
        fit.bandwidth_pos * float(tally.n_pos) ** (-1.5 + 0.2),
        fit.bandwidth_neg * float(tally.n_neg) ** (-1.5 + 0.2),
    )
    return fit_kernel(tally, bandwidths=widths).area


def _duchenne(data: Path | None) -> list[PrintedExample]:
    printed = printed_json("worked_examples.json")["greek_duchenne_ck"]
    where = "3.2, Duchenne carriers"
    path = None if data is None else data / DUCHENNE
    quantities = ["lambda", "MW", "N", "NT", "K1", "K1T", "K2", "K2T", "RC"]
    if path is None or not path.exists():
        return [
            PrintedExample(
                where=where, quantity=name, printed=printed[name], digits=3, verdict=NOT_GIVEN, reason=HOW_TO_GET
            )
            for name in quantities
        ]
    tally = read_carriers(path)
    pos, neg = (np.repeat(tally.score, counts) for counts in (tally.pos, tally.neg))

    def ours(name: str) -> Callable[[], float]:
        return lambda: fit_box_cox(tally).power if name == "lambda" else estimate_one(name, pos, neg)[0]

    wrong = {"MW": 0.8674}
    out = [
        PrintedExample(
            where=where,
            quantity=name,
            printed=printed[name],
            ours=ours(name),
            digits=2 if name == "lambda" else 3,
            erratum="E34" if name in wrong else "",
            correct=wrong.get(name),
            correct_digits=4,
        )
        for name in quantities
        if name != "RC"
    ]
    out.append(
        PrintedExample(
            where=where,
            quantity="RC",
            printed=printed["RC"],
            digits=3,
            verdict=UNDOCUMENTED,
            reason="E34; printed by ROCKIT, which joins scores into categories the text does not describe: maximum "
            f"likelihood gives {estimate_one('RC', pos, neg)[0]:.4f} on all runs, .865 to .871 on 5 to 30 bins",
        )
    )
    out.append(
        PrintedExample(
            where="3.3.1 eq 5, Duchenne carriers",
            quantity="K1 with the printed exponent -1.5",
            printed=lambda: _zou_as_printed(tally),
            ours=lambda: fit_kernel(tally, rule="k1").area,
            digits=3,
            erratum="E7",
            correct=0.787,
            correct_digits=3,
        )
    )
    out.append(
        PrintedExample(
            where=where,
            quantity="controls and carriers",
            printed=(127, 67),
            ours=lambda: (float(tally.n_neg), float(tally.n_pos)),
        )
    )
    out.append(
        PrintedExample(
            where=where,
            quantity="MW with ties counted as losses and as wins",
            printed=None,
            reference=(0.8630, 0.8719),
            ours=lambda: _strict(tally),
            digits=4,
            reason="the printed .870 lies between: ties were broken by their order in the file",
        )
    )
    return out


def _strict(tally: Tally) -> tuple[float, float]:
    half = float(np.sum(tally.pos * tally.neg)) / (2 * float(tally.n_pos * tally.n_neg))
    return auc(tally) - half, auc(tally) + half


def _exponentials() -> float:
    """Exponential scores are gammas of shape 1."""
    return area_between(Gamma(shape=1, scale=1), Gamma(shape=1, scale=2))


def examples(data: Path | None) -> list[PrintedExample]:
    """All examples of the chapter but its simulations."""
    england, pareto = "3.3.4, exponential curve", "3.3.3, Pareto curve"
    return [
        *_duchenne(data),
        reference(england, "area at E = 2", 2 / 3, lambda: exponential_area(2.0)),
        reference(
            england,
            "TPR at E = 9, R = 0.3 and FPR 0.1, 0.4, 0.8",
            (0.661085, 0.963906, 0.992653),
            lambda: exponential_tpr([0.1, 0.4, 0.8], 9.0, 0.3),
            6,
        ),
        PrintedExample(
            where="3.3.4",
            quantity="height of the curve with E = 2, R = 0.5 at the mirror image (0.5964, 0.8) of (0.2, 0.4036)",
            printed=0.8,
            ours=lambda: float(exponential_tpr([1 - float(exponential_tpr([0.2], 2.0, 0.5)[0])], 2.0, 0.5)[0]),
            digits=3,
            erratum="E23",
            correct=0.8047,
            correct_digits=4,
        ),
        PrintedExample(
            where="3.3.4",
            quantity="area of exponential scores with means 2 (healthy) and 1 by the printed 1 - (1 - FP)^2",
            printed=2 / 3,
            ours=_exponentials,
            digits=4,
            erratum="E24",
            correct=1 / 3,
            correct_digits=6,
        ),
        PrintedExample(
            where="3.3.4",
            quantity="optimal slope with benefits 1 and 1, costs 2 (false alarm) and 4 (miss), prevalence one half",
            printed=lambda: (1 - 2) / (1 - 4),
            ours=lambda: equal_cost_slope(prevalence=0.5, cost_fp=1 + 2, cost_fn=1 + 4),
            erratum="E22",
            correct=0.6,
        ),
        reference(pareto, "area (3, 1.5, 0.5)", 0.780675, lambda: pareto_area(3.0, 1.5, 0.5), 6),
        reference(pareto, "area (4, 1, 3)", 0.623449, lambda: pareto_area(4.0, 1.0, 3.0), 6),
        reference(pareto, "area (3, 1, 1) = k1 / (k1 + k2)", 0.75, lambda: pareto_area(3.0, 1.0, 1.0)),
        note("E43", "3.3.3", "the hypergeometric function of the Pareto area, and where its variance stands"),
        note("E55", "3.6, 2.4.2", "when to prefer NT, and how far prevalences change"),
        note("E35", "captions of tables III, VII-X", "distributions and numbers of the tables"),
        note("E36", "chapter 3", "words and references"),
    ]
