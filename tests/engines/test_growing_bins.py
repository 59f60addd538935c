"""Bins that grow while rows arrive: the same cells from any order and any first guess, and bounds that hold."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import roclab as rl
from roclab.analysis.area_table import area_table
from roclab.data.files.duckdb import Handle
from roclab.engines import duckdb_backend, growing_bins, one_pass
from roclab.engines.growing_bins import BinRule, GrowingBins, rule_for
from roclab.engines.quantising import half_width, is_monotone
from roclab.errors import RoclabError


def spread(kind, n, seed=3):
    """Labels and finite scores of many kinds."""
    rng = np.random.default_rng(seed)
    label = rng.random(n) < 0.3
    label[:2] = True, False
    score = {
        "normal": lambda: rng.normal(size=n) + label,
        "far from zero": lambda: 1000 + (rng.normal(size=n) + label) / 8,
        "skewed": lambda: np.exp(4 * rng.normal(size=n) + label),
        "chances": lambda: 1 / (1 + np.exp(-4 * rng.normal(size=n) - label)),
        "rare chances": lambda: 1e-6 * rng.random(n) ** 9 * (1 + label),
        "half are zero": lambda: np.where(rng.random(n) < 0.5, 0.0, rng.random(n) + label),
        "both zeros and signs": lambda: rng.choice([-0.0, 0.0, 1e-300, -1e-300, 3.0], n),
        "few values": lambda: rng.integers(0, 4, n) / 4,
        "an outlier": lambda: np.where(np.arange(n) == 5, 1e15, rng.normal(size=n)),
        "integers": lambda: rng.integers(-(2**52), 2**52, n).astype(float),
    }[kind]()
    return label, score


KINDS = ["normal", "far from zero", "skewed", "chances", "rare chances", "half are zero", "both zeros and signs",
         "few values", "an outlier", "integers"]  # fmt: skip


def filled(rule, label, score, parts=7):
    bins = GrowingBins(rule)
    for part in np.array_split(np.arange(label.size), parts):
        bins.add(score[part], label[part])
    return bins


def by_definition(rule, label, score):
    """Low, high, positives and negatives of every bin, one after another."""
    number = rule.of(score)
    rows = [(score[own].min() + 0.0, score[own].max() + 0.0, (own & label).sum(), (own & ~label).sum())
            for own in (number == one for one in np.unique(number))]  # fmt: skip
    return np.array(rows, float).T


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("by_bits", [False, True])
def test_bins_definition(kind, by_bits):
    label, score = spread(kind, 400)
    low, high = score.min(), score.max()
    for order in (np.arange(400), np.argsort(score), np.argsort(-score)):
        for power in (0, -20) if not by_bits else (20, 45):
            with patch.object(growing_bins, "_MOST", 100):
                bins = filled(BinRule(by_bits, power), label[order], score[order])
                cells = bins.counted()
            first, last = bins.rule.of_ends(low, high)
            assert last - first < 100
            assert np.array_equal(np.array(cells[:4], float), by_definition(bins.rule, label, score))
            assert is_monotone(cells)


NEVER_NARROW = ["half are zero", "both zeros and signs", "an outlier"]  # a bin joins most of the cases


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in NEVER_NARROW])
def test_cells_do_not_depend_on_the_order_of_rows_or_the_first_guess(kind):
    label, score = spread(kind, 3000)
    with patch.multiple(growing_bins, _MOST=1 << 12, _ENOUGH=1 << 6):
        rule = rule_for(score, label, 2e-3)
        found = []
        for order in (np.arange(3000), np.argsort(score), np.argsort(-score)):
            for finer in (0, 1, 3):
                start = rule._replace(power=max(rule.power - finer, 0) if rule.by_bits else rule.power - finer)
                found.append(filled(start, label[order], score[order]).cells(2e-3))
    assert found[0] is not None
    assert half_width(found[0]) <= 2e-3
    for other in found[1:]:
        assert all(np.array_equal(*pair) for pair in zip(found[0], other, strict=True))


@pytest.mark.parametrize("kind", NEVER_NARROW)
def test_scores_that_no_bins_serve_have_no_rule(kind):
    label, score = spread(kind, 3000)
    with patch.multiple(growing_bins, _MOST=1 << 12, _ENOUGH=1 << 6):
        assert rule_for(score, label, 2e-3) is None


def test_rules_are_as_fine_as_the_accuracy_asks():
    label, score = spread("normal", 20_000)
    powers = [rule_for(score, label, accuracy).power for accuracy in (1e-2, 1e-5, 3e-6)]
    assert powers[0] >= powers[1] > powers[2]
    assert rule_for(score, label, 1e-12) is None
    assert rule_for(np.ones(20), np.arange(20) < 3, 1e-3) is None
    assert rule_for(*spread("skewed", 20_000)[::-1], 1e-5).by_bits
    assert rule_for(*spread("rare chances", 20_000)[::-1], 1e-5).by_bits


@given(st.lists(st.floats(-(2.0**20), 2.0**20), min_size=1, max_size=40), st.booleans(), st.integers(-40, 40))
def test_rules_property_never_turn_scores_round(values, by_bits, power):
    score = np.sort(np.array(values))
    rule = BinRule(by_bits, abs(power) if by_bits else power)
    number = rule.of(score)
    assert (number[1:] >= number[:-1]).all()
    assert (int(number[0]), int(number[-1])) == rule.of_ends(float(score[0]), float(score[-1]))
    assert np.array_equal(rule.coarser.of(score), number >> 1)


def test_the_first_rows_may_lie_far_from_those_that_made_the_rule():
    far = 2.0**52 + np.arange(10.0)
    bins = filled(BinRule(False, -30), np.arange(20) % 2 == 0, np.concatenate([far, np.arange(10.0) / 16]), parts=2)
    assert bins.counted().low.tolist() == [0.0, 2.0**52]
    assert bins.counted().high.tolist() == [9 / 16, 2.0**52 + 9]


# -- text files, in one pass ---------------------------------------------------------------------------


@pytest.fixture
def passes(monkeypatch):
    """The queries that read a whole file; small files are tried in one pass too."""
    queries = []
    rows, batches = Handle.rows, Handle.batches
    monkeypatch.setattr(one_pass, "_SAMPLE", 400)
    monkeypatch.setattr(one_pass, "_BATCH", 1000)
    monkeypatch.setattr(Handle, "rows", lambda self, query: queries.append(query) or rows(self, query))
    monkeypatch.setattr(
        Handle, "batches", lambda self, query, *size: queries.append(query) or batches(self, query, *size)
    )
    return lambda: [query for query in queries if "LIMIT" not in query]


def written(path, label, score):
    pl.DataFrame({"y": label.astype(int), "s": score}).write_csv(path)
    return path


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("accuracy", [1e-2, 1e-4])
def test_every_bound_of_one_pass_holds(tmp_path, passes, kind, accuracy):
    label, score = spread(kind, 4000)
    path = written(tmp_path / "x.csv", label, score)
    asked = [{}, {"estimator": "gini"}, {"estimator": "tauc"}, {"estimator": "average_precision"}, {"fpr": (0, 0.3)}]
    cases = rl.read_cases(path, label="y", score="s", engine="duckdb", accuracy=accuracy)
    for keywords in asked:
        found, known = rl.auc(cases, **keywords), rl.auc(label, score, **keywords)
        error = found.numerical_error
        assert abs(found.area - known.area) <= error.area + 1e-12
        assert abs(found.standard_error - known.standard_error) <= error.standard_error + 1e-12
        assert abs(found.interval.low - known.interval.low) <= error.low + 1e-12
        assert abs(found.interval.high - known.interval.high) <= error.high + 1e-12
    assert rl.auc(cases).numerical_error.area <= accuracy


@pytest.mark.parametrize("kind", ["normal", "far from zero", "skewed", "chances"])
def test_bounded_areas_of_text_read_the_source_once(tmp_path, passes, kind):
    label, score = spread(kind, 4000)
    path = written(tmp_path / "x.csv", label, score)
    found = rl.auc(path, label="y", score="s", engine="duckdb", accuracy=1e-4)
    assert "certified monotone" in found.counted
    assert len(passes()) == 1


def test_bounded_areas_do_not_depend_on_the_order_of_rows(tmp_path, passes):
    label, score = spread("normal", 4000)
    found = []
    for order in (np.arange(4000), np.argsort(np.random.default_rng(1).random(4000)), np.argsort(score)):
        path = written(tmp_path / "x.csv", label[order], score[order])
        found.append(rl.auc(path, label="y", score="s", engine="duckdb", accuracy=1e-4))
    assert found[0].numerical_error.area > 0
    assert [(one.area, one.standard_error, one.numerical_error) for one in found[1:]] == [
        (found[0].area, found[0].standard_error, found[0].numerical_error)
    ] * 2


def test_several_bounded_scores_of_a_text_are_read_once(tmp_path, passes):
    label, score = spread("normal", 4000)
    other = spread("skewed", 4000, 8)[1]
    pl.DataFrame({"y": label.astype(int), "s": score, "t": other}).write_csv(tmp_path / "x.csv")
    found = area_table(tmp_path / "x.csv", label="y", score=["s", "t"], engine="duckdb", accuracy=1e-4)
    assert len(passes()) == 1
    for name, values in (("s", score), ("t", other)):
        assert abs(found[name].area - rl.auc(label, values).area) <= found[name].numerical_error.area <= 1e-4


def test_bins_that_turn_out_too_wide_are_made_again(tmp_path, passes):
    label, score = spread("normal", 4000)
    score[:400] = np.random.default_rng(2).random(400) * 1e-3  # what the sample sees is no sample of the rest
    score[400:] *= 1e9
    path = written(tmp_path / "x.csv", label, score)
    with patch.multiple(growing_bins, _MOST=128, _ENOUGH=64):
        found = rl.auc(path, label="y", score="s", engine="duckdb", accuracy=0.012)
    assert len(passes()) > 1
    assert abs(found.area - rl.auc(label, score).area) <= found.numerical_error.area <= 0.012


ODD = {
    "a third label": ("2", "0.5"), "an empty label": ("", "0.5"), "a gap": ("1", ""), "no number": ("1", "low"),
    "NaN": ("1", "nan"), "infinite": ("0", "inf"), "minus infinite": ("1", "-inf"),
    "beyond 2**53": ("1", "9007199254740993"), "far beyond": ("0", "1e300"),
}  # fmt: skip


@pytest.mark.parametrize("missing", ["error", "drop"])
@pytest.mark.parametrize("odd", ODD)
def test_odd_rows_late_in_a_text_are_answered_as_in_two_passes(tmp_path, monkeypatch, passes, odd, missing):
    label, score = spread("normal", 2000)
    y, s = label.astype(int).astype(str), score.astype(str).astype(object)
    y[1900], s[1900] = ODD[odd]
    pl.DataFrame({"y": y.tolist(), "s": s.tolist()}).write_csv(tmp_path / "x.csv", quote_style="never")

    def answered():
        try:
            found = rl.auc(
                tmp_path / "x.csv", label="y", score="s", engine="duckdb", accuracy=1e-4, missing=missing, pos_label=1
            )
        except RoclabError as error:
            return str(error)
        return found.area, found.standard_error, found.n_pos, found.n_neg, found.sample.dropped

    found = answered()
    monkeypatch.setattr(duckdb_backend, "first_pass", lambda *_: None)
    assert found == answered()


def test_one_class_is_refused_as_ever(tmp_path, passes):
    path = written(tmp_path / "x.csv", np.ones(2000, bool), np.random.default_rng(1).normal(size=2000))
    with pytest.raises(RoclabError, match="two classes"):
        rl.auc(path, label="y", score="s", engine="duckdb", accuracy=1e-4)


def test_the_plan_says_that_the_first_look_has_counted(tmp_path, passes):
    path = written(tmp_path / "x.csv", *spread("normal", 4000))
    cases = rl.read_cases(path, label="y", score="s", engine="duckdb", accuracy=1e-4)
    assert "bins until the error is at most 0.0001: counted by the first look" in cases.plan()[1]
