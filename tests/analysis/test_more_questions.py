"""What users of the peers ask for: plans from pilots, one score and many classes, factors, chains, new cases."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.special import ndtri

import roclab as rl
from roclab.combining.chain import chain_under_cap
from roclab.errors import InputError

RNG = np.random.default_rng(8)
Y = np.r_[np.ones(40, int), np.zeros(60, int)]
A = RNG.normal(size=100) + 1.2 * Y
B = 0.6 * A + RNG.normal(size=100) + 0.3 * Y


# -- plans ---------------------------------------------------------------------------------------------


def test_plan_from_pilot_definition():
    """The number of cases at which DeLong's variance of the pilot, scaled, gives the power."""
    found = rl.compare(Y, {"a": A, "b": B}, test="normal")
    plan = rl.planning.plan_from_pilot(Y, {"a": A, "b": B}, power=0.9)
    difference, error = found.pairs[0].difference, found.pairs[0].standard_error
    needed = (ndtri(0.975) + ndtri(0.9)) ** 2 * error**2 * 40 / difference**2
    assert plan.n_pos == pytest.approx(needed, rel=1e-9)
    assert plan.n_neg == pytest.approx(1.5 * needed, rel=1e-9)
    swapped = rl.planning.plan_from_pilot(Y, {"b": B, "a": A}, power=0.9)
    assert swapped.n_pos == pytest.approx(plan.n_pos, rel=1e-12)
    back = rl.planning.plan_from_pilot(Y, {"a": A, "b": B}, n_pos=plan.n_pos, n_neg=plan.n_neg)
    assert back.power == pytest.approx(0.9)


def test_plans_find_their_level():
    plan = rl.planning.plan_one_area(area=0.8, power=0.9, ratio=2)
    found = rl.planning.plan_one_area(area=0.8, n_pos=plan.n_pos, n_neg=plan.n_neg, power=0.9, level=None)
    assert found.level == pytest.approx(0.95)
    two = rl.planning.plan_two_areas(area=0.85, other=0.8, power=0.8, correlation=0.4)
    again = rl.planning.plan_two_areas(
        area=0.85, other=0.8, n_pos=two.n_pos, n_neg=two.n_neg, power=0.8, correlation=0.4, level=None
    )
    assert again.level == pytest.approx(0.95)
    with pytest.raises(InputError, match="level is found from the area, the class sizes and the power"):
        rl.planning.plan_one_area(area=0.8, power=0.9, level=None)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((Y, {"a": A, "b": B, "c": A}), "one score or two for a plan"),
        ((Y, {"a": A, "b": A}), "the pilot shows no spread"),
        (([1, 0, 0], [3, 2, 1]), "a pilot needs two positive cases"),
    ],
)
def test_plan_from_pilot_errors(arguments, message):
    with pytest.raises(InputError, match=message):
        rl.planning.plan_from_pilot(*arguments, power=0.9)


# -- one score, many classes -------------------------------------------------------------------------


def test_one_score_and_many_classes_definition():
    y = np.array(list("aabbbcccc"))
    s = np.array([1, 3, 2, 3, 5, 4, 4, 6, 2.0])
    found = rl.multiclass(y, s)
    areas = []
    for low, high in itertools.combinations("abc", 2):
        pairs = [(p > n) + (p == n) / 2 for p in s[y == high] for n in s[y == low]]
        areas.append(np.mean(pairs))
        assert found.pairs[f"{high} above {low}"].area == pytest.approx(np.mean(pairs))
    assert found.averages["hand_till"].area == pytest.approx(np.mean(areas))
    turned = rl.multiclass(y, s, labels=["c", "b", "a"])
    assert turned.averages["hand_till"].area == pytest.approx(1 - np.mean(areas))
    assert rl.multiclass({"y": y, "s": s}, label="y", score=["s"]).averages == found.averages


def test_one_score_error_agrees_with_the_jackknife():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 3, 150)
    s = rng.normal(size=150) + y
    found = rl.multiclass(y, s).averages["hand_till"]
    left = np.array([rl.multiclass(np.delete(y, i), np.delete(s, i)).averages["hand_till"].area for i in range(150)])
    assert np.sqrt(149 / 150 * np.sum((left - left.mean()) ** 2)) == pytest.approx(found.standard_error, rel=0.05)


def test_one_score_published(outside_table):
    """gos6 by s100b of the aSAH data: .3487473 with one direction for all pairs (pROC 1.19)."""
    table = outside_table("asah.csv")
    found = rl.multiclass(table["gos6"].astype(int), table["s100b"].astype(float))
    assert found.averages["hand_till"].area == pytest.approx(0.3487473, abs=5e-8)


def test_one_score_gaps_and_single_cases():
    whole = rl.multiclass(list("aabbcc"), [1, 3, 2, 4, 2, 5])
    gaps = rl.multiclass(list("aabbcca"), [1, 3, 2, 4, 2, 5, np.nan], missing="drop")
    assert (gaps.averages, gaps.dropped) == (whole.averages, 1)
    with pytest.raises(InputError, match="score lacks 1"):
        rl.multiclass(list("ab"), [1, np.nan])
    single = rl.multiclass(list("abbcc"), [1, 2, 3, 2, 4]).averages["hand_till"]
    assert str(single.standard_error) == str(single.interval.low) == "undefined"


def test_one_score_errors():
    with pytest.raises(InputError, match="labels must name every class once, got a, b; the classes are a, b, c"):
        rl.multiclass(list("abc"), [1, 2, 3], labels=["a", "b"])
    with pytest.raises(InputError, match="has no part for one score"):
        rl.multiclass(list("abc"), [1, 2, 3], resampling=10)


# -- ordered factors -----------------------------------------------------------------------------------


def test_ordered_factors_are_scores():
    pandas = pytest.importorskip("pandas", reason="ordered categories")
    polars = pytest.importorskip("polars", reason="an Enum")
    words, levels = ["mild", "none", "severe", "mild"], ["none", "mild", "severe"]
    y = [1, 0, 1, 0]
    plain = rl.auc(y, [1, 0, 2, 1]).area
    ordered = pandas.Series(pandas.Categorical(words, categories=levels, ordered=True))
    assert rl.auc(y, ordered).area == plain
    assert rl.auc(y, polars.Series(words, dtype=polars.Enum(levels))).area == plain
    frame = polars.DataFrame({"y": y, "grade": polars.Series(words, dtype=polars.Enum(levels))})
    assert rl.auc(frame, label="y", score="grade").area == plain
    with pytest.raises(InputError, match="must be numeric"):
        rl.auc(y, pandas.Series(pandas.Categorical(words)))


# -- averages --------------------------------------------------------------------------------------------


def test_horizontal_average_is_the_mirror_of_the_vertical_one():
    curves = [rl.roc([1, 0, 1, 0, 1], [5, 4, 3, 2, 1]), rl.roc([1, 1, 0, 0, 1], [5, 4, 3, 3, 1])]
    mirrored = [rl.Roc.from_points(1 - one.tpr, 1 - one.fpr) for one in curves]
    across, up = rl.average(curves, how="horizontal", points=10), rl.average(mirrored, points=10)
    np.testing.assert_allclose(across.fpr, 1 - up.tpr[::-1], atol=1e-12)
    assert across.tpr.tolist() == pytest.approx((np.arange(11) / 10).tolist())
    same = rl.average([curves[0], curves[0]], how="horizontal", points=1000)
    assert same.area_of_average == pytest.approx(curves[0].area(), abs=2e-3)


# -- chains ------------------------------------------------------------------------------------------------


def test_chain_orders():
    label = np.array([1, 1, 1, 1, 0, 0, 0, 0, 0, 0], bool)
    calls = {
        "careful": np.array([1, 0, 0, 0, 0, 0, 0, 0, 0, 0], bool),
        "middle": np.array([1, 1, 1, 0, 1, 0, 0, 0, 0, 0], bool),
        "bold": np.array([1, 1, 1, 1, 1, 1, 1, 0, 0, 0], bool),
    }
    hull = chain_under_cap(label, calls, max_fpr=1.0, order="hull")
    assert [one.name for one in hull.steps] == ["careful", "middle", "bold"]
    cheap = chain_under_cap(label, calls, order="cost", slope=0.1)
    fprs = [one.fpr for one in cheap.steps]
    costs = [one.tpr - 0.1 * one.fpr for one in cheap.steps]
    assert costs == sorted(costs)
    assert fprs == sorted(fprs)
    dear = chain_under_cap(label, calls, order="cost", slope=10.0)
    assert [one.name for one in dear.steps] == ["careful"]
    calls = {name: one.astype(int) for name, one in calls.items()}
    found = rl.classifiers.chain(label.astype(int), calls, order="cost", prevalence=0.5)
    assert "until the expected cost falls no more (slope 1)" in str(found)
    with pytest.raises(InputError, match="prevalence must be given for order='cost'"):
        rl.classifiers.chain(label.astype(int), calls, order="cost")
    with pytest.raises(InputError, match="max_fpr must bound the chain"):
        rl.classifiers.chain(label.astype(int), calls)


# -- logistic regression applied -------------------------------------------------------------------------


def test_probabilities_of_new_cases():
    table = {"y": Y, "a": A, "b": B}
    found = rl.logistic(table, label="y", score=["a", "b"])
    np.testing.assert_allclose(found.predict_proba({"b": B, "a": A}), found.fit.probabilities)
    np.testing.assert_allclose(found.predict_proba(np.column_stack([A, B])), found.fit.probabilities)
    matrix = rl.logistic(Y, np.column_stack([A, B]))
    assert matrix.fit.names == ("(intercept)", "x1", "x2")
    np.testing.assert_allclose(matrix.fit.coefficients, found.fit.coefficients)
    rows = found.scored().rows()
    assert (rows[0]["id"], rows[0]["class"]) == ("1", "1")
    assert [row["probability"] for row in rows] == pytest.approx(list(found.fit.probabilities))
    named = rl.logistic({**table, "who": [f"p{i}" for i in range(100)]}, label="y", score=["a"], ids="who")
    assert named.scored().rows()[3]["id"] == "p3"
    with pytest.raises(InputError, match="has no column 'b'"):
        found.predict_proba({"a": A})


def test_rows_keep_their_numbers():
    """Cases that are left out for gaps do not shift the numbers of those behind them."""
    a, other = A.copy(), B.copy()
    a[2], other[[0, 5]] = np.nan, np.nan
    table = {"y": Y, "a": a, "b": other}
    dropped = rl.logistic(table, label="y", score=["a"], missing="drop").scored().rows()
    assert [row["id"] for row in dropped[:4]] == ["1", "2", "4", "5"]
    both = rl.logistic(table, label="y", score=["a"], complete=["b"], missing="drop").scored().rows()
    assert [row["id"] for row in both[:5]] == ["2", "4", "5", "7", "8"]
    new = rl.logistic(Y, {"a": A}).apply({"a": [0.1, np.nan]}).rows()
    assert (new[0]["id"], str(new[1]["probability"])) == ("1", "undefined")


def test_papers_own_error_and_test():
    found = rl.logistic(Y, {"a": A}, variance="hanley_mcneil", test="gaidyshev")
    area, p, n = found.area.area, 40, 60
    q1, q2 = area / (2 - area), 2 * area**2 / (1 + area)
    error = np.sqrt((area * (1 - area) + (p - 1) * (q1 - area**2) + (n - 1) * (q2 - area**2)) / (p * n))
    assert found.area.standard_error == pytest.approx(error)
    assert found.significance.statistic == pytest.approx(
        (area - 0.5) / np.hypot(error, np.sqrt((p + n + 1) / (12 * p * n)))
    )


def test_complete_columns():
    other = B.copy()
    other[:7] = np.nan
    table = {"y": Y, "a": A, "b": other}
    found = rl.logistic(table, label="y", score=["a"], complete=["b"])
    alone = rl.logistic({"y": Y[7:], "a": A[7:]}, label="y", score=["a"])
    np.testing.assert_allclose(found.fit.coefficients, alone.fit.coefficients)
    assert found.area.sample.dropped == 7
    with pytest.raises(InputError, match="complete names columns of a table"):
        rl.logistic(Y, {"a": A}, complete=["b"])


# -- several samples ---------------------------------------------------------------------------------------


def test_smirnov_of_groups_definition():
    samples = {"a": [1, 2, 2, 5], "b": [2, 3, 6], "c": [1, 1, 4, 7, 8]}
    found = rl.ranks.smirnov_of_groups(samples, permutations=99, rng=1)
    grid = sorted({value for one in samples.values() for value in one})
    gaps = {
        (i, j, x): abs(np.mean(np.array(samples[i]) <= x) - np.mean(np.array(samples[j]) <= x))
        for i, j in itertools.combinations(samples, 2)
        for x in grid
    }
    assert found.statistic == pytest.approx(max(gaps.values()))
    assert gaps[(*found.between, found.location)] == pytest.approx(found.statistic)
    two = rl.ranks.smirnov_of_groups([samples["a"], samples["c"]], permutations=4000, rng=2)
    exact = rl.ranks.smirnov([1] * 4 + [0] * 5, [*samples["a"], *samples["c"]])
    assert two.statistic == pytest.approx(exact.statistic)
    assert two.p_value == pytest.approx(exact.p_value, abs=0.03)
    table = {"x": [1, 2, 2, 5, 2, 3, 6, 1, 1, 4, 7, 8], "g": list("aaaabbbccccc")}
    assert rl.ranks.smirnov_of_groups(table, score="x", group="g", permutations=9, rng=1).statistic == found.statistic
    with pytest.raises(InputError, match="the test needs at least two samples"):
        rl.ranks.smirnov_of_groups([[1, 2]], permutations=9)
