"""Marginal models of calls: statsmodels' estimating equations, definitions, invariances, size, and every refusal."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit

import roclab as rl
from roclab.errors import InputError

RNG = np.random.default_rng(3)
N = 160
Y = RNG.integers(0, 2, N)
AGE = np.round(RNG.normal(60, 10, N), 1)
SITE = np.array(["north", "south", "east"])[RNG.integers(0, 3, N)]
SHARED = RNG.normal(size=N)
S = {
    name: a * Y + SHARED + 0.03 * (AGE - 60) * (name == "a") + RNG.normal(size=N) for name, a in (("a", 1), ("b", 0.6))
}
COVARIATES = {"age": AGE, "site": SITE}


def asked(**more):
    return rl.compare(Y, S, threshold=0.5, **more)


def model(metric="sensitivity", **more):
    return next(one for one in asked(covariates=COVARIATES, **more).models if one.metric == metric)


@pytest.mark.parametrize("metric", ["sensitivity", "specificity"])
def test_coefficients_and_errors_are_those_of_estimating_equations(metric):
    sm = pytest.importorskip("statsmodels.api")
    found = model(metric, interaction="age")
    chosen = (metric == "sensitivity") == Y
    flat = np.ones(int(chosen.sum()))
    right = [(S[name][chosen] >= 0.5) == (metric == "sensitivity") for name in ("a", "b")]
    both = lambda values: np.tile(values[chosen], 2)  # noqa: E731 - the same of both tests
    first = np.concatenate([flat, 0 * flat])
    design = np.column_stack([np.ones(2 * flat.size), first, both(AGE), both(SITE == "north"), both(SITE == "south"),
                              first * both(AGE)])  # fmt: skip
    twin = sm.GEE(np.concatenate(right).astype(float), design.astype(float), groups=np.tile(np.flatnonzero(chosen), 2),
                  family=sm.families.Binomial()).fit()  # fmt: skip
    k = flat.size
    assert found.fit.coefficients == pytest.approx(twin.params, rel=1e-6, abs=1e-8)
    assert found.fit.standard_errors == pytest.approx(twin.bse * np.sqrt(k / (k - 1)), rel=1e-5)
    assert found.interactions[0].statistic == pytest.approx((twin.tvalues[-1] ** 2) * (k - 1) / k, rel=1e-5)


def test_adjusted_rates_are_means_of_fitted_ones_definition():
    found = model(interaction=["age", "site"])
    ill = Y == 1
    east_is_first = [SITE[ill] == "north", SITE[ill] == "south"]
    columns = [np.ones(ill.sum()), None, AGE[ill], *east_is_first]
    rates = {}
    for test in ("a", "b"):
        flag = float(test == "a")
        columns[1] = np.full(ill.sum(), flag)
        design = np.column_stack([*columns, flag * AGE[ill], *(flag * one for one in east_is_first)])
        rates[test] = float(expit(design @ found.fit.coefficients).mean())
    pair = found.pair("a", "b")
    assert (pair.first_rate, pair.second_rate) == pytest.approx((rates["a"], rates["b"]), abs=1e-12)
    assert pair.difference == pytest.approx(rates["a"] - rates["b"], abs=1e-12)
    assert pair.interval.low < pair.difference < pair.interval.high
    assert found.interactions[1].distribution == f"F(2, {ill.sum() - 1})"


def test_without_a_part_of_the_covariate_rates_are_the_raw_ones():
    found = asked(covariates={"noise": np.tile([0.0, 1.0], N // 2)})
    for one in found.models:
        raw = found.pair("a", "b", one.metric)
        assert one.pair("a", "b").difference == pytest.approx(raw.difference, abs=1e-9)


def test_limits_change_with_level_and_subjects_not_with_order():
    base = model().pair("a", "b")
    assert model(level=0.8).pair("a", "b").interval.high < base.interval.high
    joined = model(ids=np.arange(N) // 4)
    assert joined.pair("a", "b").df < base.df
    order = RNG.permutation(N)
    turned = rl.compare(
        Y[order], {name: one[order] for name, one in S.items()}, threshold=0.5,
        covariates={name: one[order] for name, one in COVARIATES.items()},
    )  # fmt: skip
    assert turned.models[0].pair("a", "b").interval.low == pytest.approx(base.interval.low, abs=1e-9)


def test_columns_of_a_table_and_dropped_rows():
    gaps = S["a"].copy()
    gaps[3] = np.nan
    table = {"d": Y, "a": gaps, "b": S["b"], **COVARIATES}
    how = {"label": "d", "score": ["a", "b"], "threshold": 0.5, "covariates": ["age", "site"], "missing": "drop"}
    found = rl.compare(table, **how)
    kept = np.arange(N) != 3
    alone = rl.compare(
        Y[kept], {name: one[kept] for name, one in S.items()}, threshold=0.5,
        covariates={name: one[kept] for name, one in COVARIATES.items()},
    )  # fmt: skip
    assert [str(one) for one in found.models] == [str(one) for one in alone.models]
    weighted = asked(covariates=COVARIATES, sample_weight=np.full(N, 2)).models[0].pair("a", "b")
    assert weighted.difference == pytest.approx(model().pair("a", "b").difference, abs=1e-9)
    assert str(rl.results.RateComparison.from_json(found.to_json(whole=True))) == str(found)


@pytest.mark.slow
def test_interactions_are_found_by_chance_as_often_as_they_may():
    rng = np.random.default_rng(11)
    p = []
    for _ in range(300):
        x, shared = rng.normal(size=(2, 60))
        y = np.repeat([1, 0], [50, 10])
        scores = {name: shared + 0.4 * x + rng.normal(size=60) for name in "ab"}
        metrics = {"metrics": "sensitivity", "covariates": {"x": x}, "interaction": "x"}
        p.append(rl.compare(y, scores, threshold=0, **metrics).models[0].interactions[0].p_value)
    assert 0.02 <= np.mean(np.array(p) < 0.05) <= 0.09


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"covariates": ["age"]}, "covariates name columns of a table, and no table was given"),
        ({"interaction": "age"}, "interaction is one of test and covariates"),
        ({"covariates": {"age": AGE}, "interaction": "site"}, "interaction must be among the covariates, got 'site'"),
        ({"covariates": {}}, "covariates must name one column or more"),
        ({"covariates": {"age": AGE[:-1]}}, "age must have one value for each of the 160 cases, got 159"),
        ({"covariates": {"age": np.where(AGE > 70, np.nan, AGE)}}, "age must have a value for every case"),
        ({"covariates": {"one": np.ones(N)}}, "covariates must vary among the cases of sensitivity, got 'one'"),
        ({"covariates": {"name": np.array([f"p{at}" for at in range(N)])}}, "name must have at most 50 different"),
        ({"covariates": {"y": Y + 0.001 * AGE, "z": 2 * (Y + 0.001 * AGE)}}, "leave no model of sensitivity"),
        ({"covariates": {"age": AGE}, "metrics": "ppv"}, "covariates have models of sensitivity and specificity"),
    ],
)  # fmt: skip
def test_bad_input_has_its_sentence(more, sentence):
    with pytest.raises(InputError) as caught:
        asked(**more)
    assert sentence in str(caught.value)


def test_covariates_belong_to_rates():
    with pytest.raises(InputError, match="covariates is about rates at thresholds"):
        rl.compare(Y, S, covariates={"age": AGE})
