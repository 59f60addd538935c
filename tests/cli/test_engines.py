"""Engines and tallies from the command line."""

from __future__ import annotations

import shlex

import pytest
from click.testing import CliRunner

from roclab.cli.main import cli

pl = pytest.importorskip("polars")
pytest.importorskip("duckdb")


def roclab(line, *, code=0):
    done = CliRunner().invoke(cli, shlex.split(line), prog_name="roclab")
    assert done.exit_code == code, done.output
    return done.stdout if code == 0 else done.stderr


@pytest.fixture(autouse=True)
def parts(tmp_path, monkeypatch):
    import numpy as np

    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(4)
    y = (rng.random(300) < 0.4).astype(int)
    whole = pl.DataFrame({"y": y, "a": np.round(rng.normal(size=300) + y, 2), "b": rng.normal(size=300) + y})
    whole.write_csv("whole.csv")
    for at in range(3):
        whole[at::3].write_parquet(f"part{at}.parquet")
    return whole


NUMBERS = "--label y --score a --score b"


@pytest.mark.parametrize("command", ["auc", "compare", "cutoff", "curve", "hull"])
def test_commands_print_the_same_digits_from_every_place(command):
    options = "--label y --score a" if command == "curve" else NUMBERS
    # An exact covariance and a sum of doubles differ in the last digits, which are not printed.
    options += "" if command == "compare" else " --csv"
    known = roclab(f"{command} whole.csv {options}")
    assert roclab(f"{command} 'part*.parquet' {options}") == known
    assert roclab(f"{command} 'part*.parquet' {options} --engine duckdb") == known
    assert roclab(f"{command} whole.csv {options} --engine duckdb") == known


def test_screen_confusion_report_and_plot():
    for line in ("screen FILE --label y", "confusion FILE --label y --score a --threshold 0.5 --csv"):
        known = roclab(line.replace("FILE", "whole.csv"))
        assert roclab(line.replace("FILE", "'part*.parquet'") + " --engine duckdb") == known
    roclab("report 'part*.parquet' --label y --score a --engine duckdb --replicates 20 --seed 1 -o page.html")
    roclab("plot 'part*.parquet' --label y --score a --engine duckdb -o roc.svg")


def test_explain_prints_plans_and_stops():
    assert roclab(f"auc 'part*.parquet' {NUMBERS} --explain").startswith("engine: memory; 300 rows of part*.parquet")
    assert roclab(f"auc whole.csv {NUMBERS} --explain").startswith("engine: memory; whole.csv is read as a whole")
    exact = roclab(f"compare 'part*.parquet' {NUMBERS} --engine duckdb --explain")
    assert "a, b: paired: 1 pass, 2 sorts of all cases one after another" in exact
    both = roclab(f"auc 'part*.parquet' {NUMBERS} --engine duckdb --explain")
    assert "a, b: exact, sorted scan: 1 pass of up to 2 scores" in both
    assert roclab("screen 'part*.parquet' --label y --engine duckdb --explain") == both
    one = roclab("screen 'part*.parquet' --label y --exclude a --engine duckdb --explain")
    assert "\nb: exact, sorted scan: 1 pass, about" in one
    bounded = roclab("screen 'part*.parquet' --label y --marker b --engine duckdb --accuracy 1e-4 --explain")
    assert "b: bins until the error is at most 0.0001: 1 to 6 passes" in bounded
    bounded = roclab("screen 'part*.parquet' --label y --engine duckdb --accuracy 1e-4 --explain")
    assert "1 pass of up to 2 scores, and up to 5 more for each that needs finer bins" in bounded


def test_tallies_of_parts_are_the_whole():
    for at in range(3):
        roclab(f"tally part{at}.parquet {NUMBERS} -o part{at}.tally")
    roclab("tally part0.tally part1.tally part2.tally -o whole.tally")
    known = roclab(f"auc whole.csv {NUMBERS} --csv")
    assert roclab("auc part0.tally part1.tally part2.tally --csv") == known
    assert roclab("auc whole.tally --csv") == known
    assert roclab("auc 'part*.tally' --csv") == known
    assert "must be one, or several .tally files" in roclab("auc part0.tally whole.csv", code=2)
    private = roclab(f"tally whole.csv {NUMBERS} --minimum 5 -o private.tally")
    assert "no cell holds fewer than 5 cases of a class it has any of" in private
    assert "minimum" in roclab(f"tally whole.csv {NUMBERS} --minimum 500 -o private.tally", code=2)
