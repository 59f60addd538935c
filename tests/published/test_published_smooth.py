"""Smooth curves against printed numbers: Duchenne carriers and CT ratings."""

from __future__ import annotations

import numpy as np
import pytest

from roclab.data.tally import Tally
from roclab.smooth.binormal import fit_binormal
from roclab.smooth.box_cox import fit_box_cox
from roclab.smooth.kernel import fit_kernel
from roclab.smooth.normal import fit_normal


@pytest.fixture(scope="module")
def carriers(published_table):
    """CK of the 67 carriers and 127 normals with complete records (Faraggi and Reiser 2002)."""
    table = published_table("duchenne_ck.csv")
    return Tally.from_labels(table["class"] == "carrier", table["CK"].astype(float))


def test_duchenne_carriers_published(carriers):
    """Faraggi and Reiser 2002 / 004 section 3.2: all printed digits of N, lambda, NT, K1, K1T, K2, K2T."""
    assert (carriers.n_pos, carriers.n_neg) == (67, 127)
    transformed = fit_box_cox(carriers)
    assert round(transformed.power, 2) == -0.34
    got = {
        "N": fit_normal(carriers).area,
        "NT": transformed.area,
        "K1": fit_kernel(carriers, rule="k1").area,
        "K1T": fit_kernel(carriers, rule="k1", box_cox=True).area,
        "K2": fit_kernel(carriers, rule="k2").area,
        "K2T": fit_kernel(carriers, rule="k2", box_cox=True).area,
    }
    printed = {"N": 0.740, "NT": 0.873, "K1": 0.787, "K1T": 0.852, "K2": 0.843, "K2T": 0.857}
    assert {name: round(value, 3) for name, value in got.items()} == printed


def test_duchenne_binormal_published_value_is_in_error(carriers):
    """Printed RC .875 (ROCKIT, categories not documented); maximum likelihood on all runs gives .8677."""
    fit = fit_binormal(carriers)
    assert fit.area == pytest.approx(0.8677, abs=5e-5)
    assert fit.categories == 40


def test_ct_ratings_published():
    """Hanley and McNeil 1982: a 1.657, b 0.713, area 0.911; standard error and likelihood of the data README."""
    rating = np.arange(1.0, 6.0)
    fit = fit_binormal(Tally.from_counts(rating, np.array([3, 2, 2, 11, 33]), np.array([33, 6, 6, 11, 2])))
    assert (fit.a, fit.b) == pytest.approx((1.656782, 0.713002), abs=5e-7)
    assert fit.area == pytest.approx(0.911331, abs=5e-7)
    assert fit.standard_error == pytest.approx(0.029506, abs=5e-7)
    assert fit.log_likelihood == pytest.approx(-123.64855, abs=5e-6)
