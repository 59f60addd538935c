"""The catalogue: no difference without a reason, verdicts that are computed, and every erratum in its place."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace

import numpy as np
import pytest

from roclab.errors import FileError, InputError
from roclab.studies import simulated
from roclab.studies.catalogue.greek_estimators import DUCHENNE
from roclab.studies.designs import TABLES, table_design
from roclab.studies.errata import ERRATA
from roclab.studies.reproduction import Reproduction, reproduce
from roclab.studies.results import CellResult
from roclab.studies.simulated import compare_tables
from roclab.studies.verdicts import (
    IN_ERROR,
    MONTE_CARLO,
    NOT_GIVEN,
    NOT_RUN,
    REFERENCED,
    SAME,
    UNDOCUMENTED,
    UNEXPLAINED,
    VERDICTS,
    WORDING,
    PrintedExample,
    agree,
    compared,
    text_of,
)
from tests.conftest import oracle


@pytest.fixture(scope="module")
def quick():
    return reproduce()


def test_no_difference_is_unexplained(quick):
    assert quick.unexplained == ()
    assert "No difference is unexplained." in str(quick)


def test_every_source_is_there(quick):
    summary = {row["source"]: row for row in quick.summary()}
    assert list(summary) == ["italian", "slovenian", "russian", "english", "greek", "formulas", "all"]
    assert summary["all"]["examples"] == len(quick.comparisons) == len(quick.rows())
    for row in summary.values():
        assert sum(value for name, value in row.items() if name not in ("source", "examples")) == row["examples"]
    assert summary["all"]["printed"] > 70
    assert summary["all"]["reference"] > 90
    assert summary["all"]["in error"] >= 25


def test_every_erratum_is_named(quick):
    found = set(re.findall(r"\bE\d+\b", " ".join(one.reason for one in quick.comparisons)))
    only_with_data = {"E7", "E34"}
    assert found == set(ERRATA) - only_with_data
    assert len(ERRATA) == 64


def test_errors_of_the_texts_name_their_erratum_and_our_value(quick):
    for one in quick.comparisons:
        if one.verdict == IN_ERROR:
            assert re.match(r"E\d+: printed ", one.reason), one
            assert one.ours
            assert one.ours != one.printed


def test_examples_are_not_listed_twice(quick):
    places = [(one.source, one.where, one.quantity) for one in quick.comparisons]
    assert len(set(places)) == len(places)


def test_json_holds_every_comparison(quick):
    content = json.loads(quick.to_json())
    assert len(content["comparisons"]) == len(quick.comparisons)
    assert content["replicates"] is None


def test_spss_layout_of_the_area_table(quick):
    lines = quick.layouts["SPSS table of areas, Slovenian table 5.3"].splitlines()
    assert re.split(r"\s{2,}", lines[0]) == [
        "Test Result Variable(s)",
        "Area",
        "Std. Error",
        "Asymptotic Sig.",
        "Lower Bound",
        "Upper Bound",
    ]
    assert lines[1].split() == ["score", "0.860", "0.127", "0.060", "0.612", "1.108"]
    assert lines[2].startswith("Has at least one tie")


# -- verdicts ----------------------------------------------------------------------------------------


def judged(**fields):
    return compared(PrintedExample(where="here", quantity="what", **fields), source="greek").verdict


def test_verdicts_are_computed():
    assert judged(printed=0.648, ours=lambda: 0.64789, digits=3) == SAME
    assert judged(printed=0.649, ours=lambda: 0.64789, digits=3) == UNEXPLAINED
    assert judged(printed=0.2081, ours=lambda: 0.02081, digits=4, erratum="E9", correct=0.02081) == IN_ERROR


def test_references_of_our_own_are_not_called_printed():
    assert judged(printed=None, reference=0.86, ours=lambda: 0.86) == REFERENCED
    assert judged(printed=None, reference=0.87, ours=lambda: 0.86) == UNEXPLAINED
    example = PrintedExample(where="x", quantity="y", printed=None, reference=0.5, ours=lambda: 0.5)
    row = compared(example, source="greek")
    assert (row.printed, row.reference, row.difference) == ("", "0.5", 0.0)


def test_an_erratum_alone_explains_nothing():
    """Our value must be the one the erratum gives; and a printed value that is right is not in error."""
    assert judged(printed=0.2081, ours=lambda: 0.3, erratum="E9", correct=0.02081) == UNEXPLAINED
    assert judged(printed=0.2081, ours=lambda: 0.2081, erratum="E9", correct=0.02081) == UNEXPLAINED
    assert judged(printed=0.2081, ours=lambda: 0.02081, correct=0.02081) == UNEXPLAINED
    assert judged(printed=0.2081, ours=lambda: 0.3, erratum="E9") == UNEXPLAINED


def test_what_cannot_be_computed_says_so():
    assert judged(printed=None, erratum="E36") == WORDING
    assert judged(printed=0.7, verdict=NOT_RUN) == NOT_RUN
    assert judged(printed=0.7) == UNEXPLAINED


@pytest.mark.parametrize(
    ("printed", "ours", "digits", "same"),
    [
        (0.5, 0.5, None, True),
        (0.5, 0.5 + 1e-8, None, False),
        ((0.1, float("inf")), (0.1, float("inf")), 2, True),
        ((0.1, 0.2), (0.1,), 2, False),
        (0.25, 0.25499, 2, True),
        (0.25, 0.2551, 2, False),
        ("a", 1.0, None, False),
    ],
)
def test_agreement_to_printed_digits(printed, ours, digits, same):
    assert agree(printed, ours, digits) is same


def test_values_as_text():
    assert text_of((0.5, float("-inf")), 2) == "0.50, -inf"
    assert text_of(-0.0001, 3) == "0.000"
    assert text_of(None) == ""


# -- data of the reader ------------------------------------------------------------------------------


def test_duchenne_published(published_table, tmp_path):
    table = published_table("duchenne_ck.csv")
    rest = "1,1,1"  # H, PK and LD only have to be there: they make a record complete
    lines = [f"{ck},{rest},{kind}" for ck, kind in zip(table["CK"], table["class"], strict=True)]
    (tmp_path / DUCHENNE).write_text("\n".join(["CK,H,PK,LD,Class", *lines]), encoding="utf-8")
    rows = [one for one in reproduce(sources=["greek"], data=tmp_path).comparisons if "Duchenne" in one.where]
    verdicts = {one.quantity: one.verdict for one in rows}
    same = ["lambda", "N", "NT", "K1", "K1T", "K2", "K2T", "controls and carriers"]
    assert all(verdicts[name] == SAME for name in same)
    assert verdicts["MW"] == verdicts["K1 with the printed exponent -1.5"] == IN_ERROR
    assert verdicts["RC"] == UNDOCUMENTED
    assert {"E7", "E34"} <= set(re.findall(r"\bE\d+\b", " ".join(one.reason for one in rows)))


def test_without_the_data_folder_it_says_where_to_get_them(quick, tmp_path):
    rows = [one for one in quick.comparisons if one.verdict == NOT_GIVEN and one.source == "greek"]
    assert len(rows) == 9
    assert all("R package ipred" in one.reason for one in rows)
    empty = [one for one in reproduce(sources=["greek"], data=tmp_path).comparisons if one.verdict == NOT_GIVEN]
    assert empty == rows


def test_bad_input(tmp_path):
    with pytest.raises(InputError, match="sources must be one of 'italian', .* got 'greece'"):
        reproduce(sources=["greece"])
    with pytest.raises(FileError, match="data must be a folder that exists, got nowhere"):
        reproduce(data="nowhere")
    (tmp_path / DUCHENNE).write_text("CK,Class\n1,normal\n")
    with pytest.raises(FileError, match="dmd_carriers.csv must be the table of Duchenne carriers, got "):
        reproduce(sources=["greek"], data=tmp_path)


# -- simulations -------------------------------------------------------------------------------------


def cell_of(printed, *, bias=0.0, rmse=0.0):
    """A simulated cell that lies so many standard errors of the difference from a printed one."""
    error = 0.001
    far = error * 2**0.5
    return CellResult(
        table=printed.table,
        n_pos=printed.n,
        n_neg=printed.n,
        condition=printed.condition,
        area=0.7,
        estimator=printed.estimator,
        bias=printed.bias + 0.0005 + bias * far,
        bias_se=error,
        rmse=printed.rmse + 0.0005 + rmse * far,
        rmse_se=error,
        replicates=1000,
        failures=0,
        not_converged=0,
    )


def test_cells_are_judged_by_monte_carlo_error():
    printed = simulated._printed_cells()[0]
    assert simulated._judged(printed, cell_of(printed, bias=2.9, rmse=2.9), False).verdict == MONTE_CARLO
    assert simulated._judged(printed, cell_of(printed, bias=3.1), False).verdict == UNEXPLAINED
    assert simulated._judged(printed, cell_of(printed, rmse=3.1), False).verdict == UNEXPLAINED


def test_a_known_exception_needs_its_own_value():
    printed = {one.key: one for one in simulated._printed_cells()}
    assert len(simulated.EXCEPTIONS) == 2
    for key, known in simulated.EXCEPTIONS.items():
        ours = replace(cell_of(printed[key]), bias=known.bias, rmse=known.rmse, bias_se=0.0005, rmse_se=0.0005)
        row = simulated._judged(printed[key], ours, True)
        assert row.verdict == known.verdict in (IN_ERROR, UNDOCUMENTED)
        assert known.reason in row.reason
        assert simulated._judged(printed[key], cell_of(printed[key], rmse=3.5), True).verdict == UNEXPLAINED


def test_printed_cells_are_those_of_the_designs():
    printed = {one.key for one in simulated._printed_cells()}
    ours = {
        (name, cell.n_pos, cell.condition.label, estimator)
        for name, design in TABLES.items()
        for cell in design.cells()
        for estimator in design.estimators
    }
    assert printed == ours
    assert len(printed) == 52 * 7 + 4


def test_far_cells_are_simulated_again(monkeypatch):
    """With few replicates and a narrow rule many cells are far off; each is repeated with ten times the samples."""
    monkeypatch.setattr(simulated, "TABLES", {"I": table_design("I").changed(sizes=[(20, 20)], areas=[0.7])})
    rows = [one for one in simulated._printed_cells() if (one.table, one.n, one.condition) == ("I", 20, "AUC=0.7")]
    monkeypatch.setattr(simulated, "_printed_cells", lambda: rows)
    monkeypatch.setattr(simulated, "FARTHEST", 1e-6)
    found, study = simulated.compare_tables(replicates=50, rng=1, workers=1, progress=None)
    assert {one.reason for one in found} == {"repeated with 500 replicates"}
    assert study.replicates == 50
    monkeypatch.setattr(simulated, "FARTHEST", 3.0)
    found, _ = simulated.compare_tables(replicates=50, rng=1, workers=1, progress=None)
    assert {one.verdict for one in found} == {MONTE_CARLO}


@pytest.mark.slow
def test_simulated_tables_published_and_oracle():
    """Tables I to X, 368 printed cells: within Monte-Carlo error, but for the two whose reasons are known.

    The same study beside cells of another implementation, 1000 replicates each: biases within 3 standard errors, RMSE
    within 15%.
    """
    rows, study = compare_tables(replicates=1000, rng=1, workers=2, progress=None)
    assert len(rows) == 368
    others = [one for one in rows if one.verdict != MONTE_CARLO]
    assert [(one.where, one.quantity, one.verdict) for one in others] == [
        ("table III, n = 20, AUC=0.7", "bias (RMSE) of N", UNDOCUMENTED),
        ("table X, n = 100, TableV AUC=0.9 lambda_Y=1", "bias (RMSE) of RC", UNDOCUMENTED),
    ]
    assert study.layout().startswith("Table I\n")
    for row in oracle("simulation_cells_open")["expected"]:
        area = {"V": "lambda_Y=1"}.get(row["table"], f"AUC={row['auc']:g}")
        cell = study.of(row["table"], row["method"], area, row["n"])
        error = np.hypot(cell.bias_se, row["mc_se"])
        assert abs(cell.bias - row["bias"]) < 3 * error, (row, cell)
        assert cell.rmse == pytest.approx(row["rmse"], rel=0.15)


def test_rows_become_csv(quick):
    rows = list(csv.DictReader(quick.to_csv().splitlines()))
    assert list(rows[0]) == [
        "source", "where", "quantity", "printed", "reference", "ours", "difference", "verdict", "reason",
    ]  # fmt: skip
    assert {row["verdict"] for row in rows} <= set(VERDICTS)
    assert isinstance(quick, Reproduction)
