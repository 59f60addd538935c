"""The coordinates table: counts, columns, threshold rules and printing."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from roclab.data.tally import Tally
from roclab.decisions.confusion import ConfusionMatrix, confusion_at
from roclab.decisions.coordinates import coordinates
from roclab.decisions.metrics import METRICS, Counts4, metric_named
from roclab.errors import InputError
from roclab.results import Sample
from tests.strategies import SCORES

RULES = ("observed", "midpoints", "spss")


def of(pos, neg, **sample):
    extra = Sample(n_pos=len(pos), n_neg=len(neg), **sample) if sample else None
    return Tally.from_samples(np.array(pos, float), np.array(neg, float), sample=extra)


def lower(pos, neg):
    """The same scores where a lower value means positive, as Cases hands them to Tally: negated."""
    return of([-x for x in pos], [-y for y in neg], direction="lower")


def brute_counts(pos, neg, t):
    tp, fp = sum(x >= t for x in pos), sum(y >= t for y in neg)
    return tp, fp, len(pos) - tp, len(neg) - fp


def brute_metrics(tp, fp, fn, tn):
    """Every metric as a fraction, by its definition; None where it does not exist."""
    p, n, total = tp + fn, fp + tn, tp + fp + fn + tn

    def ratio(a, b):
        if b == 0:
            return math.inf if a > 0 else None
        return Fraction(a) / Fraction(b)

    def plus(*parts):
        return None if None in parts else sum(parts)

    se, sp, ppv, npv = ratio(tp, p), ratio(tn, n), ratio(tp, tp + fp), ratio(tn, tn + fn)
    expected = Fraction(p * (tp + fp) + n * (tn + fn), total**2)
    root = math.sqrt((tp + fp) * p * n * (tn + fn))

    def entropy(*parts):
        return -sum(k / sum(parts) * math.log2(k / sum(parts)) for k in parts if k)

    called, cleared = tp + fp, fn + tn
    told = entropy(p, n) - sum((a + b) / total * entropy(a, b) for a, b in ((tp, fp), (fn, tn)) if a + b)
    expected_counts = [(p * called, tp), (n * called, fp), (p * cleared, fn), (n * cleared, tn)]
    return {
        "fdr": ratio(fp, called),
        "for": ratio(fn, cleared),
        "jaccard": ratio(tp, tp + fp + fn),
        "lift": ratio(tp * total, called * p),
        "mutual_information": told,
        "chi_squared": sum((k - e / total) ** 2 / (e / total) for e, k in expected_counts) if root else None,
        "rejection_rate": Fraction(cleared, total),
        "tpr": se,
        "tnr": sp,
        "fpr": ratio(fp, n),
        "fnr": ratio(fn, p),
        "ppv": ppv,
        "npv": npv,
        "accuracy": Fraction(tp + tn, total),
        "error_rate": Fraction(fp + fn, total),
        "majority_rate": Fraction(max(p, n), total),
        "balanced_accuracy": plus(se, sp) / 2,
        "f1": ratio(2 * tp, 2 * tp + fp + fn),
        "youden_j": plus(se, sp, -1),
        "markedness": plus(ppv, npv, -1),
        "mcc": (tp * tn - fp * fn) / root if root else None,
        "kappa": (Fraction(tp + tn, total) - expected) / (1 - expected) if expected != 1 else None,
        "lr_plus": ratio(se, ratio(fp, n)),
        "lr_minus": ratio(ratio(fn, p), sp),
        "dor": ratio(tp * tn, fp * fn),
        "prevalence": Fraction(p, total),
        "skew": Fraction(n, p),
        "detection_rate": Fraction(tp + fp, total),
    }


@given(pos=SCORES, neg=SCORES)
def test_columns_property_equal_their_definition(pos, neg):
    table = coordinates(of(pos, neg))
    columns = table.columns()
    assert set(columns) == set(METRICS) == set(brute_metrics(1, 1, 1, 1))
    for row, t in enumerate(table.thresholds):
        counts = brute_counts(pos, neg, t)
        assert (table.tp[row], table.fp[row], table.fn[row], table.tn[row]) == counts
        for name, value in brute_metrics(*counts).items():
            if value is None:
                assert math.isnan(columns[name][row]), name
            else:
                assert columns[name][row] == pytest.approx(float(value), rel=1e-11, abs=1e-12), name


@given(pos=SCORES, neg=SCORES, rule=st.sampled_from(RULES))
def test_every_rule_property_names_thresholds_that_decide_alike(pos, neg, rule):
    for tally, sign in ((of(pos, neg), 1), (lower(pos, neg), -1)):
        table = coordinates(tally, rule=rule)
        assert len(table) == len({*pos, *neg}) + 1
        for row, t in enumerate(table.thresholds):
            tp, fp, _, _ = brute_counts([sign * x for x in pos], [sign * y for y in neg], sign * t)
            assert (table.tp[row], table.fp[row]) == (tp, fp)
            assert confusion_at(tally, t) == table.at(t) == table.matrix(row)
            low, high = table.same_decision(row)
            inside = [x for x in (low, high) if math.isfinite(x)]
            closed = high if sign == 1 else low
            assert table.row_of(closed) == row
            if len(inside) == 2:
                assert table.row_of(sum(inside) / 2) == row
            open_end = low if sign == 1 else high
            if math.isfinite(open_end):
                assert table.row_of(open_end) == row + 1


@given(pos=SCORES, neg=SCORES)
def test_class_swap_property_exchanges_the_four_counts(pos, neg):
    table, mirrored = coordinates(of(pos, neg)), coordinates(of(pos, neg).mirrored())
    np.testing.assert_array_equal(table.tp, mirrored.tn[::-1])
    np.testing.assert_array_equal(table.fp, mirrored.fn[::-1])
    np.testing.assert_allclose(table.column("mcc"), mirrored.column("mcc")[::-1], atol=1e-12)


def test_spss_rule_definition():
    table = coordinates(of([3, 2], [2, 1]), rule="spss")
    assert table.thresholds.tolist() == [4.0, 2.5, 1.5, 0.0]
    assert coordinates(of([3, 2], [2, 1]), rule="midpoints").thresholds.tolist() == [math.inf, 2.5, 1.5, -math.inf]
    constant = coordinates(of([5, 5], [5]), rule="spss")
    assert constant.thresholds.tolist() == [6.0, 4.0]  # two rows: v + 1 and v - 1
    low = coordinates(lower([3, 2], [2, 1]), rule="spss")
    assert sorted(low.thresholds) == [0.0, 1.5, 2.5, 4.0]
    assert low.tp[0] == 0
    assert low.thresholds[0] == 0.0, "nothing lies at or below min - 1"


def test_midpoints_of_neighbouring_floats_regression():
    """Halfway between 1 and the next number rounds down to 1, which would call one more case positive."""
    above = np.nextafter(1.0, 2.0)
    for rule in ("midpoints", "spss"):
        table = coordinates(of([above], [1.0]), rule=rule)
        for row, t in enumerate(table.thresholds):
            assert (table.at(t).tp, table.at(t).fp) == (table.tp[row], table.fp[row])
    huge = coordinates(of([1.7e308], [1.6e308]), rule="midpoints")
    assert math.isfinite(huge.thresholds[1])
    beyond = coordinates(of([1e17], [1e17 - 64]), rule="spss")
    assert beyond.at(beyond.thresholds[0]).tp == 0
    assert beyond.at(beyond.thresholds[-1]).tn == 0


def test_infinite_scores_keep_observed_thresholds():
    tally = of([math.inf, 1], [0, -math.inf])
    assert coordinates(tally).at(math.inf).tp == 1
    with pytest.raises(InputError, match="midpoints exist between finite scores only, got inf and -inf at the ends"):
        coordinates(tally, rule="midpoints")


def test_sorting_keeps_the_lower_fpr_first_among_equals():
    table = coordinates(of([0.89, 0.8, 0.8, 0.63, 0.33], [0.8, 0.33, 0.1, 0.1, 0.1]), rule="spss")
    best = table.table(sort_by="sum", head=2).rows()
    assert [row["cut-off"] for row in best] == pytest.approx([0.48, 0.215])
    assert table.table().rows()[0]["cut-off"] == pytest.approx(-0.9)
    worst = table.table({"accuracy": "ACC"}, sort_by="accuracy", descending=False)
    assert list(worst.rows()[0]) == ["cut-off", "ACC"]
    assert np.all(np.diff(worst.columns["ACC"]) >= 0)
    assert table.table(["tp"], sort_by="threshold").rows()[0] == {"cut-off": 1.8900000000000001, "tp": 0.0}
    assert table.rows() == table.table().rows()


def test_printed_as_spss_prints_it():
    text = str(coordinates(of([3, 2], [2, 1]), rule="spss"))
    assert text.splitlines()[:3] == [
        "positive if greater than or equal to the cut-off (spss values)",
        "cut-off  sensitivity  1 - specificity    sum",
        "  0            1.000            1.000  1.000",
    ]
    assert "positive if less than or equal to" in str(coordinates(lower([3, 2], [2, 1])))
    long = str(coordinates(of(range(100), range(50))))
    assert "… 41 more rows …" in long
    assert len(long.splitlines()) == 63


def test_weighted_table_ends_at_exact_rates():
    rng = np.random.default_rng(3)
    label, score, weight = rng.integers(0, 2, 400) == 1, rng.integers(0, 60, 400) * 0.1, rng.random(400)
    tally = Tally.from_labels(label, score, weight=weight)
    table = coordinates(tally)
    assert table.column("tpr")[-1] == table.column("fpr")[-1] == 1
    assert table.fn.min() >= 0
    assert table.at(-1.0).fn == 0
    assert confusion_at(tally, -1.0).fn == 0, "no negative count from rounding"
    assert float(confusion_at(tally, 3.0).tp) == pytest.approx(weight[label & (score >= 3.0)].sum())


def test_columns_by_synonym_and_errors():
    table = coordinates(of([3, 2], [2, 1]))
    np.testing.assert_array_equal(table.column("Sensitivity"), table.column("tpr"))
    np.testing.assert_array_equal(table.column("threshold"), table.thresholds)
    np.testing.assert_array_equal(table.column("sum"), [1.0, 1.5, 1.5, 1.0])
    assert metric_named("LR+").name == "lr_plus"
    with pytest.raises(InputError, match="metric must be one of 'tpr', .*, got 'tpt'; did you mean"):
        table.column("tpt")
    with pytest.raises(InputError, match="rule must be one of 'observed', 'midpoints', 'spss', got 'middle'"):
        coordinates(of([1], [0]), rule="middle")
    with pytest.raises(InputError, match="threshold must be a number, got NaN"):
        table.at(math.nan)
    with pytest.raises(InputError, match="threshold must be a number, got NaN"):
        confusion_at(of([1], [0]), math.nan)
    with pytest.raises(InputError, match="head must be a whole number of at least 1, got 0"):
        table.table(head=0)
    with pytest.raises(ValueError, match="read-only"):
        table.column("tpr")[0] = 1


def test_counts_without_a_class_are_undefined_not_warned():
    """x/0 is infinite, 0/0 undefined, and NumPy stays silent (warnings are errors in this suite)."""
    c = Counts4.of([0.0, 2.0], [0.0, 0.0], [0.0, 0.0], [3.0, 0.0])
    assert [math.isnan(v) for v in METRICS["tpr"].compute(c)] == [True, False]
    assert [math.isnan(v) for v in METRICS["tnr"].compute(c)] == [False, True]
    assert math.isnan(METRICS["mcc"].compute(c)[0])
    with pytest.raises(InputError, match="tp must be a finite count >= 0, got -1"):
        ConfusionMatrix(tp=-1, fp=0, fn=0, tn=0)
    with pytest.raises(InputError, match="fp must be a finite count >= 0, got nan"):
        ConfusionMatrix(tp=1, fp=math.nan, fn=0, tn=0)


def test_rocr_numbers_of_a_hand_checked_matrix():
    """ROCR's definitions: mutual information in bits, chi-squared without correction, lift = TPR / RPP."""
    values = {name: float(METRICS[name].compute(Counts4.of(3, 1, 2, 4))) for name in METRICS}
    assert values["chi_squared"] == pytest.approx(10 * (3 * 4 - 1 * 2) ** 2 / (4 * 6 * 5 * 5))
    assert values["mutual_information"] == pytest.approx(1 - 0.4 * 0.8112781244591328 - 0.6 * 0.9182958340544896)
    assert values["lift"] == pytest.approx(0.6 / 0.4)
    assert metric_named("rpp").name == "detection_rate"
    assert metric_named("rnp").name == "rejection_rate"


def test_criteria_are_columns_at_their_conditions():
    pos, neg = [9, 8, 6, 3, 2], [7, 5, 4, 1, 0]
    table = coordinates(of(pos, neg))
    columns = table.columns(["cost", "f_alpha", "tpr"], {"cost_fp": 2, "cost_fn": 5, "prevalence": 0.2, "alpha": 0.3})
    for row, t in enumerate(table.thresholds):
        tp, fp, fn, _ = brute_counts(pos, neg, t)
        assert columns["cost"][row] == pytest.approx(0.2 * 5 * fn / 5 + 0.8 * 2 * fp / 5)
        if tp:
            f = 1 / (0.3 * (tp + fp) / tp + 0.7 * 5 / tp)
            assert columns["f_alpha"][row] == pytest.approx(f)
    with pytest.raises(InputError, match="beta belongs to a column that takes it, got 2"):
        table.columns(["tpr"], {"beta": 2})


@given(pos=SCORES, neg=SCORES, name=st.sampled_from(["youden", "cost", "accuracy", "fdr"]))
def test_peaks_property_no_neighbour_is_better(pos, neg, name):
    table = coordinates(of(pos, neg))
    values = np.round(table.column(name), 12)
    high = np.where(np.isnan(values), -np.inf, values if name in ("youden", "accuracy") else -values)
    runs = [(value, len(list(group))) for value, group in itertools.groupby(high.tolist())]
    starts = np.cumsum([0, *(size for _, size in runs)])
    best = [
        int(starts[at])
        for at, (value, _) in enumerate(runs)
        if value > -math.inf
        and (at == 0 or runs[at - 1][0] < value)
        and (at == len(runs) - 1 or runs[at + 1][0] < value)
    ]
    assert table.peaks(name).tolist() == best
    shown = table.table(columns=["tpr"], peaks=name)
    assert sorted(shown.thresholds.tolist()) == sorted(table.thresholds[best].tolist())
