"""``by=``: every group answers as it would alone, all areas come from one sort, and the test of sameness holds."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2, norm

import roclab as rl
from roclab.analysis.area_table import area_table
from roclab.errors import InputError
from roclab.inference.one_area.grouped import areas_by_group
from roclab.inference.one_area.heterogeneity import heterogeneity_of_groups, heterogeneity_test
from roclab.inference.one_area.score import fit_score_variance, score_interval
from roclab.inference.one_area.score_many import score_intervals

ROWS = st.lists(
    st.tuples(st.booleans(), st.integers(0, 4), st.integers(0, 3)), min_size=2, max_size=60
)  # few values and few groups on purpose


def brute_area(label, score):
    """The definition, pair by pair."""
    pairs = [(p > n) + (p == n) / 2 for p in score[label] for n in score[~label]]
    return np.mean(pairs) if pairs else np.nan


@given(rows=ROWS)
def test_areas_by_group_definition(rows):
    label, score, group = (np.array(column) for column in zip(*rows, strict=True))
    found = areas_by_group(label, score.astype(float), group, 4)
    for at in range(4):
        own = group == at
        y, s = label[own], score[own]
        assert (found.n_pos[at], found.n_neg[at]) == (y.sum(), (~y).sum())
        assert found.area[at] == pytest.approx(brute_area(y, s), nan_ok=True, rel=1e-12)
        for spread, ours, other, sign in (
            (found.spread10[at], s[y], s[~y], 1),
            (found.spread01[at], s[~y], s[y], -1),
        ):
            components = (
                [np.mean([(sign * (a - b) > 0) + (a == b) / 2 for b in other]) for a in ours] if len(other) else []
            )
            expected = np.var(components, ddof=1) if len(components) > 1 else np.nan
            assert spread == pytest.approx(expected, nan_ok=True, abs=1e-12)


@given(rows=ROWS, seed=st.integers(0, 99))
def test_areas_by_group_property_row_order(rows, seed):
    label, score, group = (np.array(column) for column in zip(*rows, strict=True))
    order = np.random.default_rng(seed).permutation(len(rows))
    first = areas_by_group(label, score.astype(float), group, 4)
    second = areas_by_group(label[order], score[order].astype(float), group[order], 4)
    for one, other in zip(first, second, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-14)


def test_score_intervals_equal_those_of_single_areas():
    rng = np.random.default_rng(3)
    label, group = rng.random(4000) < 0.4, rng.integers(0, 300, 4000)
    score = np.round(rng.normal(size=4000) * 2 + 2 * label)
    found = areas_by_group(label, score, group, 300)
    sizes = {"n_pos": found.n_pos.astype(float), "n_neg": found.n_neg.astype(float)}
    low, high = score_intervals(found.area, found.spread10, found.spread01, level=0.9, **sizes)
    for at in range(300):
        if np.isnan(found.area[at]):
            assert np.isnan(low[at])
            continue
        fit = fit_score_variance(
            found.area[at], found.spread10[at], found.spread01[at], n_pos=found.n_pos[at], n_neg=found.n_neg[at]
        )
        assert (low[at], high[at]) == pytest.approx(score_interval(fit, level=0.9), abs=1e-9)


# -- the verb ----------------------------------------------------------------------------------------


def table(seed=1, n=240, groups="nesw"):
    rng = np.random.default_rng(seed)
    ill = rng.random(n) < 0.4
    return {
        "ill": ill.astype(int),
        "m": np.round(rng.normal(size=n) + ill, 1),
        "k": np.round(rng.normal(size=n) + ill / 2, 1),
        "ward": np.array(list(groups))[rng.integers(0, len(groups), n)],
        "who": rng.integers(0, 60, n),
        "w": rng.integers(1, 4, n),
    }


def part(data, group):
    return {name: column[data["ward"] == group] for name, column in data.items()}


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"level": 0.8},
        {"interval": "logit"},
        {"estimator": "tauc"},
        {"fpr": (0, 0.2), "standardize": "mcclish"},
        {"ids": "who"},
        {"sample_weight": "w"},
        {"direction": "lower"},
        {"side": "lower"},
    ],
)
def test_every_group_answers_as_it_would_alone(options):
    data = table()
    found = rl.auc(data, label="ill", score="m", by="ward", **options)
    assert found.groups == ("e", "n", "s", "w")
    for at, group in enumerate(found.groups):
        alone = rl.auc(part(data, group), label="ill", score="m", **options)
        assert found.area[at] == pytest.approx(alone.area, rel=1e-12)
        assert found.standard_error[at] == pytest.approx(alone.standard_error, rel=1e-10)
        assert (found.low[at], found.high[at]) == pytest.approx(tuple(alone.interval), rel=1e-9)
        assert float(found[group]) == pytest.approx(alone.area, rel=1e-12)
        assert (found.n_pos[at], found.n_neg[at]) == (alone.n_pos, alone.n_neg)


def test_small_and_odd_groups_have_the_error_of_single_areas():
    data = {"ill": [1, 0, 0, 1, 1, 0, 1, 1, 0, 0], "m": [2, 1, 3, 5, 5, 5, 1, 1, 2, 2], "g": list("aaabbbccdd")}
    found = rl.auc(data, label="ill", score="m", by="g")
    assert found.skipped == {"c": "it has one class only", "d": "it has one class only"}
    assert found.small == ("a", "b")
    for group in "ab":
        alone = rl.auc([y for y, g in zip(data["ill"], data["g"], strict=True) if g == group],
                       [m for m, g in zip(data["m"], data["g"], strict=True) if g == group])  # fmt: skip
        at = found.groups.index(group)
        assert found.standard_error[at] == pytest.approx(alone.standard_error)
        assert (found.low[at], found.high[at]) == pytest.approx(tuple(alone.interval))
    assert "fewer than 10 cases of a class in 2 groups (a, b)" in str(found)
    assert "no area in 2 groups (c, d): it has one class only" in str(found)
    lacking = json.loads(found.to_json())["groups"][2]
    assert (lacking["area"], lacking["undefined"]["area"]) == (None, "it has one class only")
    with pytest.raises(InputError, match="c has no area, because it has one class only"):
        found["c"]
    with pytest.raises(InputError, match="group must be one of 'a', 'b', 'c', 'd'"):
        found["z"]


def test_differences_are_those_of_compare_groups():
    data = table()
    found = rl.auc(data, label="ill", score="m", by="ward").differences
    same = rl.compare_groups(data, label="ill", score="m", group="ward")
    for pair in found.pairs:
        other = same.pair(pair.first, pair.second)
        assert (pair.difference, pair.p_value) == pytest.approx((other.difference, other.p_value))


def test_heterogeneity_definition():
    area, error = np.array([0.8, 0.7, 0.75]), np.array([0.03, 0.04, 0.05])
    weight = 1 / error**2
    common = (weight * area).sum() / weight.sum()
    q = (weight * (area - common) ** 2).sum()
    test = heterogeneity_test(area, error)
    assert (test.statistic, test.estimate, test.p_value) == pytest.approx((q, common, chi2.sf(q, 2)))
    left = heterogeneity_test(np.array([0.8, 0.7, 1.0]), np.array([0.03, 0.04, 0.0]))
    assert left.notes == ("1 groups without a standard error are left out",)
    assert heterogeneity_test(area[:1], error[:1]).to_dict()["p_value"] is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("groups", "n_pos", "n_neg", "area"), [(5, 15, 15, 0.75), (20, 10, 10, 0.8), (5, 100, 100, 0.8)]
)
def test_heterogeneity_simulation_keeps_its_level(groups, n_pos, n_neg, area):
    """Rejections at 5%: at most 8%, which 600 samples of a test with 5% exceed once in a thousand times."""
    rng = np.random.default_rng(11)
    group = np.repeat(np.arange(groups), n_pos + n_neg)
    label = np.tile(np.r_[np.ones(n_pos, bool), np.zeros(n_neg, bool)], groups)
    shift = norm.ppf(area) * np.sqrt(2)
    rejected = 0
    for _ in range(600):
        found = areas_by_group(label, rng.normal(size=label.size) + shift * label, group, groups)
        rejected += heterogeneity_of_groups(found).p_value < 0.05
    assert rejected <= 48


# -- every other verb ----------------------------------------------------------------------------------

VERBS = {
    "roc": (rl.roc, {"score": "m"}),
    "cutoff": (rl.cutoff, {"score": "m"}),
    "compare": (rl.compare, {"score": ["m", "k"]}),
    "screen": (rl.screen, {"score": ["m", "k"]}),
    "confusion": (rl.confusion, {"score": "m", "threshold": 0.5}),
    "logistic": (rl.logistic, {"score": ["m", "k"]}),
    "mann_whitney": (rl.ranks.mann_whitney, {"score": "m"}),
    "ties": (rl.ties, {"score": ["m", "k"]}),
}


@pytest.mark.parametrize("name", VERBS)
def test_by_asks_every_group_apart(name):
    verb, options = VERBS[name]
    data = table()
    found = verb(data, label="ill", by="ward", **options)
    assert list(found) == ["e", "n", "s", "w"]
    for group, one in found.items():
        assert str(one) == str(verb(part(data, group), label="ill", **options))
    assert all("ward" in row for row in found.rows())
    assert ("ward n\n------" in str(found)) != str(found).startswith("ward  tp  fp")  # matrices are one row each
    between = {"tests"} if name == "compare" else set()  # the one verb that also tests whether groups differ
    assert set(found.to_dict()) == {"by", "groups", "skipped", "kind"} | between
    assert found.to_dict()["kind"] == {group: type(one).__name__ for group, one in found.items()}


def test_by_takes_every_shape_of_data(tmp_path):
    data = table()
    path = tmp_path / "t.csv"
    path.write_text("\n".join([",".join(data), *(",".join(map(str, row)) for row in zip(*data.values(), strict=True))]))
    polars = pytest.importorskip("polars", reason="a data frame")
    answers = [
        rl.cutoff(data, label="ill", score="m", by="ward"),
        rl.cutoff(path, label="ill", score="m", by="ward", pos_label="1"),
        rl.cutoff(polars.DataFrame(data), label="ill", score="m", by="ward"),
        rl.cutoff(data["ill"], data["m"], by=data["ward"]),
        rl.cutoff(list(data["ill"]), {"m": data["m"]}, by=list(data["ward"])),
        rl.cutoff(rl.read_cases(data, label="ill", score="m", by="ward")),
        rl.cutoff(rl.read_cases(data, label="ill", score="m"), by=data["ward"]),
        rl.cutoff(data, label="ill", score="m", by=data["ward"]),
        rl.cutoff(y_true=data["ill"], y_score=data["m"], by=data["ward"]),
        rl.cutoff(data["ill"], y_score=data["m"], by=data["ward"]),
        rl.cutoff(y_true=data, label="ill", score="m", by="ward"),
    ]
    first = [one.threshold for _, one in answers[0].items()]
    for found in answers:
        assert [one.threshold for _, one in found.items()] == first


def test_by_several_columns_and_gaps():
    data = table() | {"sex": np.array(["f", "m"])[np.arange(240) % 2]}
    found = rl.auc(data, label="ill", score="m", by=["ward", "sex"])
    assert found.by == "ward, sex"
    assert found.groups[:3] == ("e, f", "e, m", "n, f")
    assert list(rl.cutoff(data, label="ill", score="m", by=["ward", "sex"])) == list(found.groups)
    gaps = [None if at < 5 else ward for at, ward in enumerate(data["ward"].tolist())]
    with pytest.raises(InputError, match="ward lacks 5"):
        rl.cutoff(data | {"ward": gaps}, label="ill", score="m", by="ward")
    dropped = rl.auc(data | {"ward": gaps}, label="ill", score="m", by="ward", missing="drop")
    assert dropped.n_pos.sum() + dropped.n_neg.sum() == 235


def test_weights_and_ids_as_arrays_follow_their_rows():
    data = table()
    found = rl.confusion(data["ill"], data["m"], threshold=0.5, by=data["ward"], sample_weight=data["w"])
    own = data["ward"] == "n"
    alone = rl.confusion(data["ill"][own], data["m"][own], threshold=0.5, sample_weight=data["w"][own])
    assert found["n"].tp == alone.tp


def test_other_arrays_follow_their_rows():
    """Groups that are compared within every group, and data that were given by name."""
    data = table()
    half = np.arange(240) % 2
    found = rl.compare_groups(data["ill"], data["m"], group=half, by=data["ward"])
    own = data["ward"] == "s"
    alone = rl.compare_groups(data["ill"][own], data["m"][own], group=half[own])
    assert str(found["s"]) == str(alone)
    named = rl.confusion(y_true=data["ill"], y_pred=data["m"], threshold=0.5, by=data["ward"])
    assert named["s"].tp + named["s"].fn == data["ill"][own].sum()


def test_groups_that_cannot_be_answered_are_named():
    data = {"ill": [1, 0, 1, 0, 1, 1], "m": [3, 1, 2, 2, 5, 4], "g": list("aabbcc")}
    found = rl.cutoff(data, label="ill", score="m", by="g")
    assert list(found) == ["a", "b"]
    assert "c" in found.skipped
    assert "g c passed over: ill must hold two classes" in str(found)
    with pytest.raises(InputError, match="c was passed over"):
        found["c"]
    with pytest.raises(InputError, match="must be one of 'a', 'b', got 'z'"):
        found["z"]
    with pytest.raises(InputError, match="g a: "):
        rl.cutoff(data, label="ill", score="m", by="g", criterion="no such thing")


def test_by_errors():
    data = table()
    with pytest.raises(InputError, match="has no column 'nurse'"):
        rl.cutoff(data, label="ill", score="m", by="nurse")
    with pytest.raises(InputError, match="by names a column of a table, got arrays"):
        rl.cutoff(data["ill"], data["m"], by="ward")
    with pytest.raises(InputError, match="must name the group of every case, got 3 values for 240 cases"):
        rl.cutoff(data["ill"], data["m"], by=["a", "b", 3])
    with pytest.raises(InputError, match="folds has no part beside by"):
        rl.auc(data, label="ill", score="m", by="ward", folds="who")
    with pytest.raises(InputError, match="null has no part beside by"):
        area_table(data, label="ill", score="m", by="ward", null=0.5)
    with pytest.raises(InputError, match="by must make at least one group with both classes"):
        rl.auc(data | {"g": data["ill"]}, label="ill", score="m", by="g")


def test_report_has_subgroups():
    data = table()
    report = rl.build_report(data, label="ill", score=["m", "k"], by="ward", band=False, rng=1)
    assert [one.sample.score for one in report.groups] == ["m", "k"]
    page = report.to_html()
    assert "Areas by ward" in page
    assert "the groups are compatible with one common area" in page or "the groups differ" in page
    assert "## Subgroups" in report.to_markdown()
    assert report.to_dict()["groups"][0]["by"] == "ward"
    assert float(report.scores[0].area) == float(rl.auc(data, label="ill", score="m"))
