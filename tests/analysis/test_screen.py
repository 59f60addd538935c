"""Screening: agrees with single analyses, notes ties, skips words, and prints the SPSS layout."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest

import roclab as rl
from roclab.analysis.area_table import area_table
from roclab.datasets import example_path
from roclab.errors import InputError
from tests.conftest import HERE, oracle

RNG = np.random.default_rng(1)
Y = RNG.random(200) < 0.4
TABLE = {
    "ill": Y.astype(int),
    "good": RNG.normal(size=200) + 1.5 * Y,
    "rating": np.round(RNG.normal(size=200) + Y).astype(int),
    "reverse": RNG.normal(size=200) - Y,
    "noise": RNG.normal(size=200),
    "word": np.array(["a", "b"] * 100),
}


def test_screening_definition_is_the_single_analysis_of_each_marker():
    result = rl.screen(TABLE, label="ill", adjust="none")
    assert result.markers[0].name == "good"
    for one in result.markers:
        single = rl.auc(Y, TABLE[one.name])
        assert one.area == single.area
        assert one.standard_error == pytest.approx(single.standard_error, rel=1e-12)
        assert (one.interval.low, one.interval.high) == pytest.approx((single.interval.low, single.interval.high))
        test = rl.roc(Y, TABLE[one.name]).test()
        assert one.p_value == pytest.approx(test.p_value, rel=1e-12)
        best = rl.roc(Y, TABLE[one.name]).cutoff("youden").best
        assert (one.cutoff, one.sensitivity, one.specificity) == pytest.approx((best.threshold, best.tpr, 1 - best.fpr))
    assert dict(result.skipped) == {"word": "it is not numeric"}
    assert {one.name for one in result.markers if one.tied} == {"rating"}


def test_directions_and_gaps_are_reported():
    table = dict(TABLE)
    gaps = table["good"].copy()
    gaps[:7] = np.nan
    table["good"] = gaps
    plain = {one.name: one for one in rl.screen(table, label="ill").markers}
    assert plain["good"].dropped == 7
    assert plain["good"].n_pos + plain["good"].n_neg == 193
    assert "turned round" in plain["reverse"].note
    auto = {one.name: one for one in rl.screen(table, label="ill", direction="auto").markers}
    assert auto["reverse"].direction == "lower"
    assert auto["reverse"].area == pytest.approx(1 - plain["reverse"].area)
    assert auto["reverse"].cutoff == rl.roc(Y, TABLE["reverse"], direction="lower").cutoff("youden").threshold


def test_every_frame_and_file_gives_the_same_table():
    want = rl.screen(TABLE, label="ill").to_csv()
    assert rl.screen(pd.DataFrame(TABLE), label="ill").to_csv() == want
    assert rl.screen(pl.DataFrame(TABLE), label="ill").to_csv() == want
    assert rl.screen(pl.DataFrame(TABLE).lazy(), label="ill").to_csv() == want
    found = rl.screen(example_path(), label="outcome", pos_label="deteriorated")
    assert [one.name for one in found.markers] == ["procalcitonin", "lactate", "concern"]
    assert set(found.skipped) == {"patient", "ward"}


def test_workers_and_multiplicity():
    one, two = (rl.screen(TABLE, label="ill", workers=w, adjust="bonferroni") for w in (1, 3))
    assert one.to_csv() == two.to_csv()
    for marker in one.markers:
        assert marker.p_adjusted == pytest.approx(min(1, 4 * marker.p_value))


def test_spss_table_oracle():
    """The worked Slovenian table as SPSS prints it: .860 .127 .060 .612 1.108, with the footnote on ties."""
    case = oracle("spss_slov10")
    table = {"y": case["inputs"]["labels"], "score": case["inputs"]["scores"]}
    result = rl.screen(table, label="y", variance="empirical_q", interval="plain", test="null")
    want, got = case["expected"], result.markers[0]
    assert got.area == pytest.approx(want["area"])
    assert got.standard_error == pytest.approx(want["std_error"], abs=1e-9)
    assert got.p_value == pytest.approx(want["asymptotic_sig"], abs=1e-9)
    assert (got.interval.low, got.interval.high) == pytest.approx((want["lower"], want["upper"]), abs=1e-9)
    text = str(result.spss())
    assert "0.860" in text
    assert "1.108" in text
    assert "at least one tie" in text


def test_spss_layout_published():
    """The columns of the Greek area table."""
    printed = json.loads((HERE / "published" / "data" / "seismology.json").read_text())["area_table"]["columns"]
    header = str(rl.screen(TABLE, label="ill").spss()).splitlines()[0]
    for word, column in zip(("Area", "Std. Error", "Asymptotic Sig.", "Lower", "Upper"), printed[1:], strict=True):
        assert word in header, column


def test_constant_markers_are_said_to_be():
    result = rl.screen({"y": [1, 0, 1, 0], "flat": [2, 2, 2, 2]}, label="y")
    assert result.markers[0].note == "the marker is constant"
    assert result.markers[0].p_value == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rl.screen(TABLE, label="nope"), "the mapping has no column 'nope'"),
        (lambda: rl.screen(TABLE, label="ill", markers=["x"]), "the mapping has no column 'x'"),
        (
            lambda: rl.screen(TABLE, label="ill", markers=["word"]),
            "no numeric column is left to screen; skipped word",
        ),
        (lambda: rl.screen(TABLE, label="ill", direction="up"), "direction must be one of"),
        (
            lambda: rl.screen({"y": [1, None, 0], "a": [1, 2, 3]}, label="y"),
            "values must not be missing, got gaps in 1 of 3 cases: y lacks 1",
        ),
        (
            lambda: rl.screen({"y": [1, 1, 0], "a": [1.0, 2.0, np.nan]}, label="y"),
            "no marker could be screened, and the first was passed over because it has values in one class only",
        ),
    ],
)
def test_screening_error_messages(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_a_constant_marker_has_the_interval_that_auc_gives_it():
    data = {"y": [1, 0, 1, 0, 0, 1], "flat": [2.0] * 6, "s": [6, 1, 5, 2, 3, 4]}
    flat = next(one for one in rl.screen(data, label="y").markers if one.name == "flat")
    alone = rl.auc(data["y"], data["flat"])
    assert flat.standard_error == alone.standard_error > 0
    assert flat.interval == alone.interval


# -- weights, subjects and other standard errors -------------------------------------------------------


def markers(n=200, seed=5):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.4
    return {
        "y": y.astype(int),
        "a": np.round(rng.normal(size=n) + y, 1),
        "b": rng.normal(size=n) + y / 3,
        "who": rng.integers(0, 40, n),
        "w": rng.integers(1, 5, n),
        "real": rng.random(n) + 0.1,
    }


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"ids": "who"},
        {"sample_weight": "w"},
        {"sample_weight": "real"},
        {"variance": "hanley_mcneil"},
        {"variance": "bamber"},
        {"ids": "who", "variance": "clustered_bootstrap", "resampling": 50, "rng": 1},
        {"interval": "bca", "resampling": 50, "rng": 1},
        {"interval": "logit", "level": 0.8},
    ],
)
def test_screen_has_every_standard_error_that_auc_has(options):
    data = markers()
    found = rl.screen(data, label="y", score=["a", "b"], **options)
    for name in ("a", "b"):
        one = found[name]
        assert one.area == pytest.approx(rl.auc(data, label="y", score=name, **options).area, rel=1e-12)
        if "rng" not in options:  # every marker draws its own resamples
            alone = rl.auc(data, label="y", score=name, **options)
            assert one.standard_error == pytest.approx(alone.standard_error, rel=1e-12)
            assert tuple(one.interval) == pytest.approx(tuple(alone.interval), rel=1e-12)
            table = area_table(data, label="y", score=name, null=0.5, **options)
            assert one.p_value == pytest.approx(table.tests[0].p_value, rel=1e-12)


def test_screen_property_weights_are_repetitions():
    data = markers()
    rows = np.repeat(np.arange(200), data["w"])
    weighted = rl.screen(data, label="y", score=["a", "b"], sample_weight="w")
    repeated = rl.screen({name: values[rows] for name, values in data.items()}, label="y", score=["a", "b"])
    for one, other in zip(weighted.markers, repeated.markers, strict=True):
        assert (one.tp, one.fp, one.fn, one.tn, one.cutoff) == (other.tp, other.fp, other.fn, other.tn, other.cutoff)
        assert (one.area, one.standard_error, one.p_value) == pytest.approx(
            (other.area, other.standard_error, other.p_value), rel=1e-10
        )


def test_screen_order_exclude_and_counts():
    data = markers()
    found = rl.screen(data, label="y", exclude=["who", "w", "real"], order="file")
    assert [one.name for one in found.markers] == ["a", "b"]
    one = found["a"]
    matrix = rl.confusion(data, label="y", score="a", threshold=one.cutoff)
    assert (one.tp, one.fp, one.fn, one.tn) == (matrix.tp, matrix.fp, matrix.fn, matrix.tn)
    assert one.majority_rate == max(np.mean(data["y"]), 1 - np.mean(data["y"]))
    assert one.accuracy == pytest.approx((one.tp + one.tn) / 200)
    written = found.to_dict()["markers"][0]
    assert (written["sensitivity"], written["accuracy"]) == (one.sensitivity, one.accuracy)
    with pytest.raises(InputError, match="has no column 'nobody'"):
        rl.screen(data, label="y", exclude=["nobody"])
    with pytest.raises(InputError, match="no numeric column is left to screen; all were excluded"):
        rl.screen(data, label="y", exclude=["a", "b", "who", "w", "real"])
    with pytest.raises(InputError, match="marker must be one of 'a', 'b'"):
        found["c"]


def test_screen_by_a_rule_drops_the_source_column():
    data = {"magnitude": [4.0, 5.0, 6.0, 7.0], "depth": [1, 3, 2, 4]}
    found = rl.screen(data, label="magnitude", pos_label=">5.5")
    assert [one.name for one in found.markers] == ["depth"]
    assert "positive by magnitude > 5.5, no case lies on 5.5" in str(found)


def test_screen_published_depths_of_earthquakes(published_table):
    """X11 of the seismology study, rebuilt from its coordinates: area .648, SE .005, matrix 4231/632/3077/2394."""
    counts = published_table("seismology_x11_counts.csv")
    data = {
        "strong": counts["strong"].astype(int),
        "depth": counts["depth"].astype(float),
        "n": counts["count"].astype(int),
    }
    found = rl.screen(data, label="strong", sample_weight="n")["depth"]
    assert (found.n_pos, found.n_neg) == (7308, 3026)
    assert (found.tp, found.fp, found.fn, found.tn) == (4231, 632, 3077, 2394)
    assert round(found.area, 3) == 0.648
    assert found.spss is not None
    assert round(found.spss.standard_error, 3) == 0.005
    assert found.accuracy < found.majority_rate
