"""Benign or malignant by size alone, on the nodules of LIDC-IDRI: what any feature has to beat."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl


@pytest.fixture(scope="module")
def rated(outside_table):
    """Nodules that three readers or more rated, without those whose mean rating says nothing."""
    table = outside_table("lidc_nodules.csv")
    rating = table["malignancy_mean"].astype(float)
    chosen = (table["n_readers"].astype(int) >= 3) & (rating != 3)
    return {
        "malignant": (rating[chosen] > 3).astype(int),
        "diameter": table["diameter_mm"][chosen].astype(float),
        "patient": table["patient_id"][chosen],
    }


def test_the_diameter_alone_published(rated):
    assert rated["malignant"].size == 1193
    assert rl.auc(rated["malignant"], rated["diameter"]).area == pytest.approx(0.9063, abs=5e-5)
    assert rl.auc(rated["malignant"], rated["diameter"], estimator="tauc").area == pytest.approx(0.4254, abs=5e-5)


def test_the_logarithm_of_the_diameter_by_patient(rated):
    pytest.importorskip("sklearn", reason="the extra roclab[sklearn] is not installed")
    table = {"malignant": rated["malignant"], "log_diameter": np.log(rated["diameter"]), "patient": rated["patient"]}
    found = rl.bench(table, label="malignant", ids="patient", models=["logistic"], folds=5, rng=1)
    assert found.rows()[0]["AUC"] == pytest.approx(0.905, abs=0.004)
