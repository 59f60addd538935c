"""What needs the patients of pROC's data set themselves: published results that no reconstruction can hold.

Skipped where no folder with the data is on the machine; ``data/README.md`` says why they do not stand here.
"""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab.data.tally import Tally
from roclab.inference.comparison.by_bootstrap import compare_at_rate
from roclab.inference.comparison.venkatraman import venkatraman_paired
from roclab.options.comparison import AreaComparison
from roclab.smooth.fitted import fit_fitted

MARKERS = ("s100b", "wfns", "ndka")


@pytest.fixture(scope="module")
def patients(outside_table):
    table = outside_table("asah.csv")
    return rl.read_cases(table["outcome"] == "Poor", {name: table[name].astype(float) for name in MARKERS})


def test_the_reconstruction_has_the_areas_and_covariances_of_the_patients(patients, asah):
    theirs = rl.compare(patients)
    ours = rl.compare(asah["y"], {name: asah[name] for name in MARKERS})
    assert [one.area for one in ours.areas] == pytest.approx([one.area for one in theirs.areas], rel=1e-12)
    np.testing.assert_allclose(ours.covariance, theirs.covariance, atol=5e-13)


def test_bootstrap_of_partial_areas_published(patients):
    """pROC, corrected partial area, specificity 1 to 0.9: s100b against ndka p = 0.0211, against wfns p = 0.9438."""
    region = {"fpr": (0, 0.1), "standardize": "mcclish", "adjust": "none"}
    result = rl.compare(patients, **region, variance="bootstrap", rng=1)
    assert result.pair("s100b", "ndka").p_value == pytest.approx(0.0211, abs=0.008)
    assert result.pair("s100b", "wfns").p_value == pytest.approx(0.9438, abs=0.03)
    assert rl.compare(patients, **region).pair("s100b", "ndka").p_value == pytest.approx(0.0211, abs=0.01)


def test_comparison_at_fixed_rates_published(patients):
    """pROC: specificity 0.9 p = 0.19098; sensitivity 0.9 p = 0.00154 (2000 replicates)."""
    at_specificity = compare_at_rate(
        patients.select(["s100b", "wfns"]), AreaComparison(at_specificity=0.9, rng=1)
    ).pairs[0]
    assert at_specificity.p_value == pytest.approx(0.19098, abs=0.02)
    at_sensitivity = compare_at_rate(
        patients.select(["s100b", "wfns"]), AreaComparison(at_sensitivity=0.9, rng=1)
    ).pairs[0]
    assert at_sensitivity.p_value == pytest.approx(0.00154, abs=0.0015)


def test_venkatraman_paired_published(patients):
    """pROC prints p = 0.0225 and 0.2005 with ties broken by row order; averaging over ties moves E, hardly p."""
    assert venkatraman_paired(patients, "s100b", "wfns", rng=3).p_value == pytest.approx(0.0225, abs=0.012)
    assert venkatraman_paired(patients, "s100b", "ndka", rng=3).p_value == pytest.approx(0.2005, abs=0.035)


def test_fitted_normal_published_closed_form(patients):
    """Means and deviations of the patients give .581 and .726; pROC's truncated fitdistr prints .851 and .831."""
    for marker, area in (("ndka", 0.581), ("s100b", 0.726)):
        fit = fit_fitted(Tally.from_labels(patients.label, patients.scores[marker]), "normal")
        assert round(fit.area, 3) == area
