"""``roclab readers`` and ``roclab readers-size``: the answers of the library, in options."""

from __future__ import annotations

import csv

import pytest

import roclab as rl
from roclab.datasets import readings_path
from tests.cli.conftest import narrow, same
from tests.reading_studies.test_marks import study


def test_readers_is_the_answer_of_the_library(shell):
    same(shell, rl.readers.mrmc("readings"), "readers", "readings")
    asked = ["readers", "readings", "--random", "cases", "--covariance", "unbiased", "--level", "0.9"]
    same(shell, rl.readers.mrmc("readings", random="cases", covariance="unbiased", level=0.9), *asked)
    same(shell, rl.readers.mrmc("readings", inference="score"), "readers", "readings", "--inference", "score")
    drawn = ["--inference", "calibrated", "--replicates", "50", "--seed", "3"]
    same(
        shell, rl.readers.mrmc("readings", inference="calibrated", resampling=50, rng=3), "readers", "readings", *drawn
    )
    names = ["--label", "truth", "--rating", "rating", "--reader", "reader", "--modality", "modality", "--case", "case"]
    same(shell, rl.readers.mrmc("readings", method="dbm"), "readers", "readings", *names, "--method", "dbm")
    chosen = ["--modalities", "film,digital", "--margin", "0.1", "--claim", "equivalence"]
    found = rl.readers.mrmc("readings", modalities=["film", "digital"], margin=0.1, claim="equivalence")
    same(shell, found, "readers", "readings", *chosen)
    rate = ["--estimator", "sensitivity", "--threshold", "60"]
    same(shell, rl.readers.mrmc("readings", estimator="sensitivity", threshold=60), "readers", "readings", *rate)
    drawn = ["--covariance", "bootstrap", "--replicates", "50", "--seed", "3"]
    same(
        shell, rl.readers.mrmc("readings", covariance="bootstrap", resampling=50, rng=3), "readers", "readings", *drawn
    )
    same(shell, rl.readers.mrmc("readings", fpr=(0, 0.3)), "readers", "readings", "--fpr", "0", "0.3")


def test_readers_fit_on_a_screen(shell):
    narrow(shell, "readers", "readings")
    narrow(shell, "readers-size", "readings", "--difference", "0.05", "--cases", "50:300:50")


def test_wide_files(shell, tmp_path):
    with readings_path().open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    cells = sorted({(row["reader"], row["modality"]) for row in rows})
    ratings = {(row["case"], row["reader"], row["modality"]): row["rating"] for row in rows}
    truth = {row["case"]: row["truth"] for row in rows}
    file = tmp_path / "wide.csv"
    with file.open("w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["id", "ill", *(f"{r}_{m}" for r, m in cells)])
        writer.writerows([case, ill, *(ratings[case, r, m] for r, m in cells)] for case, ill in truth.items())
    named = [word for r, m in cells for word in ("--rating", f"{r}_{m}={r}:{m}")]
    same(shell, rl.readers.mrmc("readings"), "readers", file, "--label", "ill", "--case", "id", *named)
    assert "--rating must be one COLUMN" in shell.error("readers", file, "--rating", "a=b:c:d", "--label", "ill")


def test_figures_are_written(shell, tmp_path):
    done = shell("readers", "readings", "--figure", f"interaction={tmp_path / 'a.svg'}")
    assert done.stdout.rstrip().endswith("a.svg")
    assert (tmp_path / "a.svg").stat().st_size > 1000
    assert "--figure must be KIND=PATH" in shell.error("readers", "readings", "--figure", "pie=a.svg")
    shell("readers-size", "readings", "--difference", "0.06", "--figure", tmp_path / "b.png")
    assert (tmp_path / "b.png").stat().st_size > 1000


def test_report_is_written(shell, tmp_path):
    done = shell("readers", "readings", "--report", tmp_path / "study.html", "--seed", 1)
    assert "report written to" in done.stdout
    page = (tmp_path / "study.html").read_text(encoding="utf-8")
    assert '<section id="readers">' in page
    assert "Obuchowski and Rockette" in page


def test_readers_size_is_the_answer_of_the_library(shell):
    pilot = rl.readers.mrmc("readings")
    same(shell, rl.readers.sample_size(pilot, difference=0.05), "readers-size", "readings", "--difference", "0.05")
    grid = ["--readers", "4:8:2", "--cases", "50,100", "--random", "cases", "--power", "0.9"]
    plan = rl.readers.sample_size(pilot, difference=0.05, readers=[4, 6, 8], cases=[50, 100], random="cases", power=0.9)
    same(shell, plan, "readers-size", "readings", "--difference", "0.05", *grid)
    typical = ["--typical", "low_reader_low_case", "--auc", "0.8", "--prevalence", "0.3"]
    plan = rl.readers.sample_size("low_reader_low_case", auc=0.8, prevalence=0.3, difference=0.06)
    same(shell, plan, "readers-size", "--difference", "0.06", *typical)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["readers", "readings", "--claim", "equivalence"], "--claim needs the largest difference you would accept"),
        (["readers", "readings", "--threshold", "3"], "--threshold belongs to sensitivity and specificity"),
        (["readers", "readings", "--design", "split_plot"], "--design must be the one that the readings have"),
        (["readers", "example"], "--label must name a column of example"),
        (["readers", "readings", "--method", "dbm", "--covariance", "delong"], "use --method or"),
        (["readers-size", "--difference", "0.05"], "a plan needs a pilot in FILE, or --typical, got neither"),
        (["readers-size", "readings", "--difference", "0.05", "--typical", "low_reader_low_case"], "got both"),
        (["readers-size", "readings", "--difference", "0.05", "--cases", "many"], "--cases must be whole numbers"),
        (["readers-size", "readings", "--difference", "7"], "--difference must lie strictly between -1 and 1"),
    ],
)
def test_errors_are_in_options(shell, words, said):
    assert said in shell.error(*words)


def test_readers_of_marks_is_the_answer_of_the_library(shell, tmp_path):
    marks, lesions = study()
    for name, columns in (
        ("marks", marks),
        ("lesions", {**lesions, "w": [1 if one else 0 for one in lesions["lesion"]]}),
    ):
        lines = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    first, second = (str(tmp_path / f"{name}.csv") for name in ("marks", "lesions"))
    asked = ["readers", first, "--lesions", second]
    same(shell, rl.readers.mrmc(marks, lesions=lesions), *asked)
    same(shell, rl.readers.mrmc(marks, lesions=lesions, estimator="AFROC"), *asked, "--estimator", "AFROC")
    wrong = shell(*asked, "--lesion-weight", "w", code=2)
    assert "--lesion-weight must be above 0 and sum to 1 over the lesions of a case" in wrong.stderr
    plan = shell("readers-size", first, "--lesions", second, "--lesion", "lesion", "--difference", "0.1")
    assert "variance components of a pilot" in plan.stdout
