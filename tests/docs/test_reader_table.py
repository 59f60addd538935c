"""The table of the guide beside other programs' numbers: every number of both columns is computed again."""

from __future__ import annotations

import re

import pytest

import roclab as rl
from tests.docs.pages import ROOT

PAGE = (ROOT / "docs" / "guide" / "readers.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| ([^|]+) \| (-?[\d.]+) \| (-?[\d.]+) \|$", PAGE, re.MULTILINE)


def test_the_table_is_there():
    assert len(ROWS) == 18


@pytest.fixture(scope="module")
def answers(outside_table):
    table = outside_table("vandyke_mrmc.csv")
    table |= {"rating": table["rating"].astype(float), "truth": table["truth"].astype(int)}
    out = {}
    for covariance in ("jackknife", "delong", "unbiased"):
        found = rl.readers.mrmc(table, covariance=covariance)
        out |= {
            f"F, {covariance}": found.equality.statistic,
            f"df, {covariance}": found.df[1],
            f"p, {covariance}": found.equality.p_value,
        }
    study = rl.readers.mrmc(table, covariance="jackknife")
    low, high = study.pairs[0].interval
    cases = rl.readers.mrmc(table, covariance="jackknife", random="cases").equality
    plan = rl.readers.sample_size(study, difference=0.043800322, readers=10, cases=165)
    return out | {
        "difference": study.pairs[0].difference,
        "low, jackknife": low,
        "high, jackknife": high,
        "mean 1": study.means[0].area,
        "mean 2": study.means[1].area,
        "chi-squared, fixed readers": cases.statistic,
        "p, fixed readers": cases.p_value,
        "p, fixed cases": rl.readers.mrmc(table, random="readers").equality.p_value,
        "power, 10 readers, 165 cases": plan.grid[0].power,
    }


@pytest.mark.parametrize(("what", "printed", "ours"), ROWS, ids=[row[0] for row in ROWS])
def test_van_dyke_published_every_row(what, printed, ours, answers):
    half_a_digit = 0.5000001 * 10 ** -len(ours.partition(".")[2])
    assert float(ours) == pytest.approx(answers[what], abs=half_a_digit)
    assert float(printed) == pytest.approx(answers[what], abs=0.5000001 * 10 ** -len(printed.partition(".")[2]))
