"""Logistic regression of subjects with several cases: the sandwich, against statsmodels."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import t

import roclab as rl
from roclab.errors import InputError


def data(seed=1, subjects=40):
    rng = np.random.default_rng(seed)
    ids = np.repeat(np.arange(subjects), rng.integers(1, 6, subjects))
    a, b = rng.normal(size=(2, ids.size)) + rng.normal(size=subjects)[ids]
    y = rng.random(ids.size) < 1 / (1 + np.exp(-(a - 0.5 * b + rng.normal(size=subjects)[ids])))
    return y, {"a": a, "b": b}, ids


def test_clustered_errors_oracle_statsmodels():
    sm = pytest.importorskip("statsmodels.api")
    y, x, ids = data()
    count = np.unique(ids).size
    fit = rl.logistic(y, x, ids=ids).fit
    design = sm.add_constant(np.column_stack(list(x.values())))
    groups = {"groups": ids, "use_correction": False}
    want = sm.Logit(y.astype(float), design).fit(disp=0, cov_type="cluster", cov_kwds=groups)
    factor = math.sqrt(count / (count - 1))
    np.testing.assert_allclose(fit.coefficients, want.params, rtol=1e-6)
    np.testing.assert_allclose(fit.standard_errors, factor * want.bse, rtol=1e-6)
    np.testing.assert_allclose(fit.p_values, 2 * t.sf(np.abs(fit.wald), count - 1), rtol=1e-9)
    half = t.ppf(0.975, count - 1) * fit.standard_errors[1]
    assert fit.rows()[1]["95% low"] == pytest.approx(math.exp(fit.coefficients[1] - half))
    assert f"sandwich of {count} subjects, t with {count - 1} df" in str(fit)
    assert math.isnan(fit.p_likelihood_ratio)


def test_area_and_test_of_the_fitted_probabilities_count_subjects():
    y, x, ids = data()
    found = rl.logistic(y, x, ids=ids)
    want = rl.auc(y, np.array(found.fit.probabilities), ids=ids)
    assert tuple(found.area.interval) == pytest.approx(tuple(want.interval))
    assert "AUC = 0.5: t" in str(found)


def test_each_case_its_own_subject_changes_no_number_property():
    y, x, _ = data()
    plain, alone = rl.logistic(y, x), rl.logistic(y, x, ids=np.arange(y.size))
    assert plain.fit.to_dict() == alone.fit.to_dict()
    assert plain.area == alone.area


def test_what_has_no_part_is_refused():
    y, x, ids = data()
    with pytest.raises(InputError, match="direction has no part in a regression"):
        rl.logistic(y, x, direction="lower")
    with pytest.raises(InputError, match="must name more subjects than the model has coefficients, 3"):
        rl.logistic(y, x, ids=ids % 3)
    with pytest.raises(InputError, match="optimism resamples single cases"):
        rl.logistic(y, x, ids=ids, optimism=True)
