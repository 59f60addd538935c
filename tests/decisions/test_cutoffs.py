"""Cut-off criteria against brute force, their ties, their bounds and their words."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import chdtri

from roclab.curves.roc import roc_curve
from roclab.data.tally import Tally
from roclab.decisions.confusion import confusion_at
from roclab.decisions.coordinates import coordinates
from roclab.decisions.criteria import CRITERIA, criterion_named
from roclab.decisions.cutoffs import find_cutoff
from roclab.decisions.metrics import METRICS
from roclab.decisions.minimal_p import corrected_p, range_of_shares
from roclab.decisions.operating_point import point_at_fpr
from roclab.errors import InputError
from roclab.options.criterion import CriterionOptions
from roclab.results import Sample
from tests.strategies import SCORES, labelled


def of(pos, neg, **sample):
    extra = Sample(n_pos=len(pos), n_neg=len(neg), **sample) if sample else None
    return Tally.from_samples(np.array(pos, float), np.array(neg, float), sample=extra)


def brute_rows(pos, neg):
    """Threshold and the four counts of every vertex, nothing positive first."""
    out = []
    for t in [math.inf, *sorted({*pos, *neg}, reverse=True)]:
        tp, fp = sum(x >= t for x in pos), sum(y >= t for y in neg)
        out.append((t, tp, fp, len(pos) - tp, len(neg) - fp))
    return out


def div(a, b):
    return Fraction(a) / Fraction(b) if b else (math.inf if a > 0 else None)


def chi(tp, fp, fn, tn):
    bottom = (tp + fp) * (fn + tn) * (tp + fn) * (fp + tn)
    ahead = max(tp * tn - fp * fn, 0)
    return Fraction(ahead**2 * (tp + fp + fn + tn), bottom) if bottom else Fraction(0)


def pair(tp, fp, fn, tn):
    return Fraction(tp, tp + fn), Fraction(tn, fp + tn)


def predictive(tp, fp, fn, tn):
    return div(tp, tp + fp), div(tn, fn + tn)


def both(make, join):
    def value(*c):
        one, two = make(*c)
        return None if one is None or two is None else join(one, two)

    return value


def squared_corner(one, two):
    return (1 - one) ** 2 + (1 - two) ** 2


# Exact definitions; distances are compared by their squares, which have the same optima.
BRUTE = {
    "youden": ("max", both(pair, lambda se, sp: se + sp - 1)),
    "closest_to_corner": ("min", both(pair, squared_corner)),
    "cost": ("min", lambda tp, fp, fn, tn: Fraction(fn + fp, tp + fp + fn + tn)),
    "minimax": ("min", lambda tp, fp, fn, tn: Fraction(max(fn, fp), tp + fp + fn + tn)),
    "se_equals_sp": ("min", both(pair, lambda se, sp: abs(se - sp))),
    "max_min_se_sp": ("max", both(pair, min)),
    "product": ("max", both(pair, lambda se, sp: se * sp)),
    "ppv_equals_npv": ("min", both(predictive, lambda p, n: abs(p - n))),
    "max_min_ppv_npv": ("max", both(predictive, min)),
    "product_ppv_npv": ("max", both(predictive, lambda p, n: p * n)),
    "closest_to_predictive_corner": ("min", both(predictive, squared_corner)),
    "min_p": ("max", chi),
    "prevalence_matching": ("min", lambda tp, fp, fn, tn: Fraction(abs(fp - fn), tp + fp + fn + tn)),
    "break_even": ("min", lambda tp, fp, fn, tn: None if tp + fp == 0 else abs(div(tp, tp + fp) - div(tp, tp + fn))),
    "weighted_kappa": (
        "max",
        lambda tp, fp, fn, tn: (
            1 - Fraction((fp + fn) * (tp + fp + fn + tn), (tp + fp) * (fp + tn) + (fn + tn) * (tp + fn))
        ),
    ),
    "weighted_corner": (
        "min",
        lambda tp, fp, fn, tn: Fraction(fn, tp + fn) ** 2 + Fraction(fp + tn, tp + fn) * Fraction(fp, fp + tn) ** 2,
    ),
    "jaccard": ("max", lambda tp, fp, fn, tn: div(tp, tp + fp + fn)),
    "fdr": ("min", lambda tp, fp, fn, tn: div(fp, tp + fp)),
    "for": ("min", lambda tp, fp, fn, tn: div(fn, fn + tn)),
    "accuracy": ("max", lambda tp, fp, fn, tn: Fraction(tp + tn, tp + fp + fn + tn)),
    "error_rate": ("min", lambda tp, fp, fn, tn: Fraction(fp + fn, tp + fp + fn + tn)),
    "f1": ("max", lambda tp, fp, fn, tn: div(2 * tp, 2 * tp + fp + fn)),
    "dor": ("max", lambda tp, fp, fn, tn: div(tp * tn, fp * fn)),
    "ppv": ("max", lambda tp, fp, fn, tn: div(tp, tp + fp)),
    "npv": ("max", lambda tp, fp, fn, tn: div(tn, tn + fn)),
    "fpr": ("min", lambda tp, fp, fn, tn: Fraction(fp, fp + tn)),
}
SQUARED = ("closest_to_corner", "closest_to_predictive_corner", "weighted_corner")
OF_CUTOFFS = {"observed_prevalence", "mean_score", "bayes"}


def brute_optima(pos, neg, name, kept=lambda *c: True):
    """All exact optima: lowest FPR first, then highest TPR."""
    goal, value = BRUTE[name]
    found = [(value(*c), t, c) for t, *c in brute_rows(pos, neg) if kept(*c)]
    found = [row for row in found if row[0] is not None]
    if not found:
        return None, []
    best = (max if goal == "max" else min)(row[0] for row in found)
    tied = sorted((c[1], -c[0], t) for value, t, c in found if value == best)
    return best, [t for _, _, t in tied]


@pytest.mark.parametrize("name", sorted(BRUTE))
@given(pos=SCORES, neg=SCORES)
def test_criterion_definition(name, pos, neg):
    best, thresholds = brute_optima(pos, neg, name)
    if best is None:
        with pytest.raises(InputError, match=f"criterion '{name}' .* is undefined at any threshold"):
            find_cutoff(of(pos, neg), CriterionOptions(criterion=name))
    else:
        found = find_cutoff(of(pos, neg), CriterionOptions(criterion=name))
        assert [one.threshold for one in found.optima] == thresholds
        value = math.sqrt(best) if name in SQUARED else float(best)
        assert found.value == pytest.approx(value, rel=1e-12, abs=1e-12)
        for one in found.optima:
            assert one.value == pytest.approx(found.value, rel=1e-12, abs=1e-12)
            assert (one.fpr, one.tpr) == (one.matrix.fp / len(neg), one.matrix.tp / len(pos))


@pytest.mark.parametrize(
    ("pos", "neg"),
    [
        # As many calls as positives would be made among the tied cases: the nearer end of them is best,
        ([5, 2, 2, 2, 0], [2, 2, 1, 1]),  # below,
        ([5, 4, 3, 2, 0], [4, 2, 2, 2, 2, 2, 1]),  # above,
        ([3, 3], [3, 3, 1]),  # or the only one, with nothing above.
    ],
)
def test_break_even_definition_inside_tied_scores(pos, neg):
    assert all(tp + fp != len(pos) for _, tp, fp, _, _ in brute_rows(pos, neg)), "no vertex has as many calls"
    best, thresholds = brute_optima(pos, neg, "break_even")
    found = find_cutoff(of(pos, neg), CriterionOptions(criterion="break_even"))
    assert best > 0
    assert found.value == pytest.approx(float(best), abs=1e-12)
    assert [one.threshold for one in found.optima] == thresholds


@given(pos=SCORES, neg=SCORES)
def test_mcc_and_kappa_definition(pos, neg):
    """Irrational or long: compared by value, not by exact ties."""
    for name in ("mcc", "kappa"):
        values = []
        for _, tp, fp, fn, tn in brute_rows(pos, neg):
            p, n, total = tp + fn, fp + tn, tp + fp + fn + tn
            if name == "mcc":
                root = math.sqrt((tp + fp) * (fn + tn) * p * n)
                values.append((tp * tn - fp * fn) / root if root else -2)
            else:
                chance = (p * (tp + fp) + n * (fn + tn)) / total**2
                values.append(((tp + tn) / total - chance) / (1 - chance))
        if max(values) < -1:
            continue
        assert find_cutoff(of(pos, neg), CriterionOptions(criterion=name)).value == pytest.approx(
            max(values), abs=1e-12
        )


@given(data=labelled(), order=st.randoms(use_true_random=False))
def test_row_order_property(data, order):
    label, score = data
    rows = list(range(label.size))
    order.shuffle(rows)
    one = find_cutoff(Tally.from_labels(label, score), CriterionOptions(criterion="closest_to_corner"))
    two = find_cutoff(Tally.from_labels(label[rows], score[rows]), CriterionOptions(criterion="closest_to_corner"))
    assert one.to_dict() == two.to_dict()


@given(pos=SCORES, neg=SCORES)
def test_increasing_maps_property(pos, neg):
    """Optima are the same cases under any increasing map of the score."""
    for name in ("youden", "cost", "f1", "min_p"):
        plain = find_cutoff(of(pos, neg), CriterionOptions(criterion=name))
        mapped = find_cutoff(of(np.exp(pos), np.exp(neg)), CriterionOptions(criterion=name))
        assert [one.matrix.tp for one in plain.optima] == [one.matrix.tp for one in mapped.optima]
        assert [math.exp(one.threshold) for one in plain.optima] == pytest.approx(
            [one.threshold for one in mapped.optima]
        )


@given(pos=SCORES, neg=SCORES)
def test_direction_property_lower_is_the_negated_score(pos, neg):
    """Cases hand a "lower" score over negated; thresholds come back in the user's units."""
    plain = find_cutoff(of([-x for x in pos], [-y for y in neg]))
    low = find_cutoff(of([-x for x in pos], [-y for y in neg], direction="lower"))
    assert [one.threshold for one in low.optima] == [-one.threshold for one in plain.optima]
    assert (low.best.low, low.best.high) == (-plain.best.high, -plain.best.low)
    assert low.best.rule().startswith(f"score <= {low.best.threshold:.10g} (the same from")


@given(pos=SCORES, neg=SCORES)
def test_class_swap_property_mirrors_symmetric_criteria(pos, neg):
    for name in ("youden", "closest_to_corner", "product", "accuracy"):
        one, two = (
            find_cutoff(of(pos, neg), CriterionOptions(criterion=name)),
            find_cutoff(of(pos, neg).mirrored(), CriterionOptions(criterion=name)),
        )
        assert one.value == pytest.approx(two.value, abs=1e-12)
        assert len(one.optima) == len(two.optima)


@given(pos=SCORES, neg=SCORES)
def test_rules_property_report_equivalent_thresholds(pos, neg):
    tally = of(pos, neg)
    for name in ("youden", "accuracy"):
        matrices = []
        for rule in ("observed", "midpoints", "spss"):
            found = find_cutoff(tally, CriterionOptions(criterion=name, rule=rule))
            assert found.rule == rule
            matrices.append([(one.matrix.tp, one.matrix.fp) for one in found.optima])
            for one in found.optima:
                assert one.low <= one.threshold <= one.high
        assert matrices[0] == matrices[1] == matrices[2]


@given(pos=SCORES, neg=SCORES)
def test_no_optimum_property_is_worse_than_ignoring_the_score(pos, neg):
    """E37: an optimum with sensitivity + specificity below 1 is impossible."""
    assert find_cutoff(of(pos, neg)).value >= 0
    majority = max(len(pos), len(neg)) / (len(pos) + len(neg))
    assert find_cutoff(of(pos, neg), CriterionOptions(criterion="accuracy")).value >= majority - 1e-12
    best = find_cutoff(of(pos, neg), CriterionOptions(criterion="min_p")).best
    assert best.tpr >= best.fpr - 1e-12


# -- bounds ------------------------------------------------------------------------------------------

BOUNDS = {
    "sensitivity": ("tnr", lambda tp, fp, fn, tn: Fraction(tp, tp + fn), ">="),
    "specificity": ("tpr", lambda tp, fp, fn, tn: Fraction(tn, fp + tn), ">="),
    "ppv": ("tpr", lambda tp, fp, fn, tn: div(tp, tp + fp), ">="),
    "npv": ("tnr", lambda tp, fp, fn, tn: div(tn, tn + fn), ">="),
    "lr_plus": ("tpr", lambda tp, fp, fn, tn: div(tp * (fp + tn), fp * (tp + fn)), ">="),
    "lr_minus": ("tnr", lambda tp, fp, fn, tn: div(fn * (fp + tn), tn * (tp + fn)), "<="),
}


@pytest.mark.parametrize("name", sorted(BOUNDS))
@given(pos=SCORES, neg=SCORES, bound=st.sampled_from([Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(1)]))
def test_required_bound_definition(name, pos, neg, bound):
    other, value, sign = BOUNDS[name]

    def kept(*c):
        v = value(*c)
        return v is not None and (v >= bound if sign == ">=" else v <= bound)

    rates = {"tpr": lambda tp, fp, fn, tn: Fraction(tp, tp + fn), "tnr": lambda tp, fp, fn, tn: Fraction(tn, fp + tn)}
    rows = [(rates[other](*c), -c[1], c[0], t) for t, *c in brute_rows(pos, neg) if kept(*c)]
    if not rows:
        with pytest.raises(InputError, match=f"no threshold gives {name} {sign} .*; the closest is {name} "):
            find_cutoff(of(pos, neg), CriterionOptions(require={name: float(bound)}))
    else:
        found = find_cutoff(of(pos, neg), CriterionOptions(require={name: float(bound)}))
        best = max(rows)
        assert found.value == pytest.approx(float(best[0]), abs=1e-12)
        assert found.best.threshold == best[3], "of equals the lowest FPR, then the highest TPR"
        assert len(found.optima) == sum(row[0] == best[0] for row in rows)


@given(pos=SCORES, neg=SCORES, alpha=st.sampled_from([0.0, 0.1, 0.25, 0.3, 0.5, 1.0]))
def test_neyman_pearson_definition(pos, neg, alpha):
    found = find_cutoff(of(pos, neg), CriterionOptions(criterion="neyman_pearson", max_fpr=alpha))
    kept = [
        (Fraction(tp, len(pos)), -fp, t) for t, tp, fp, _, _ in brute_rows(pos, neg) if fp <= alpha * len(neg) + 1e-9
    ]
    best = max(kept)
    assert found.value == pytest.approx(float(best[0]), abs=1e-12)
    assert found.best.matrix.fp == -best[1]
    # The randomised rule meets alpha exactly and is at least as sensitive.
    coin = found.randomised
    assert coin.fpr == pytest.approx(alpha, abs=1e-12)
    assert coin.tpr >= found.value - 1e-12
    assert found.details["tpr_on_hull"] >= coin.tpr - 1e-12
    if coin.share > 0:
        first, second = (Fraction(sum(y >= t for y in neg), len(neg)) for t in (coin.threshold, coin.other_threshold))
        assert (1 - coin.share) * float(first) + coin.share * float(second) == pytest.approx(alpha, abs=1e-12)


def test_contradictory_bounds_say_which_and_how_close():
    tally = of([5, 4, 3, 1], [4, 3, 2, 1])
    with pytest.raises(InputError) as caught:
        find_cutoff(tally, CriterionOptions(require={"sensitivity": 0.75, "specificity": 0.75, "accuracy": 0.1}))
    assert str(caught.value) == (
        "the bounds contradict each other, got sensitivity >= 0.75 and specificity >= 0.75: "
        "with sensitivity >= 0.75 the closest is specificity 0.5 at threshold 3, "
        "with specificity >= 0.75 the closest is sensitivity 0.5 at threshold 4; relax one of them."
    )
    with pytest.raises(InputError, match="no threshold gives kappa >= 0.99; the closest is kappa 0.25 at threshold 5"):
        find_cutoff(tally, CriterionOptions(require={"kappa": 0.99}))
    met = find_cutoff(tally, CriterionOptions(criterion="accuracy", require={"sensitivity": 0.75}))
    assert met.best.threshold == 3
    assert "bounds met: sensitivity >= 0.75" in met.notes


def test_three_bounds_that_only_clash_together():
    """Every two can be met, all three cannot: the message names the nearest threshold and what it breaks."""
    tally = of([10, 7, 6, 4, 3, 2, 1], [9, 8, 5])
    bounds = {"sensitivity": 0.28, "specificity": 0.3, "ppv": 0.65}
    for left_out in bounds:
        assert find_cutoff(
            tally, CriterionOptions(require={name: value for name, value in bounds.items() if name != left_out})
        )
    with pytest.raises(InputError) as caught:
        find_cutoff(tally, CriterionOptions(require=bounds))
    assert str(caught.value) == (
        "no threshold meets all bounds together, got sensitivity >= 0.28, specificity >= 0.3, "
        "ppv >= 0.65: 10 breaks only sensitivity >= 0.28; relax one of them."
    )


# -- costs, p-values, targets, functions -------------------------------------------------------------


@given(
    pos=SCORES,
    neg=SCORES,
    prevalence=st.sampled_from([0.01, 0.3, 0.5, 0.9]),
    cost_fp=st.sampled_from([1, 2.5]),
    cost_fn=st.sampled_from([0.5, 1, 20]),
)
def test_cost_property_optimum_maximises_tpr_minus_slope_times_fpr(pos, neg, prevalence, cost_fp, cost_fn):
    found = find_cutoff(
        of(pos, neg), CriterionOptions(criterion="cost", prevalence=prevalence, cost_fp=cost_fp, cost_fn=cost_fn)
    )
    slope = found.details["optimal_slope"]
    assert slope == pytest.approx((1 - prevalence) / prevalence * cost_fp / cost_fn)
    gains = [tp / len(pos) - slope * fp / len(neg) for _, tp, fp, _, _ in brute_rows(pos, neg)]
    assert found.best.tpr - slope * found.best.fpr == pytest.approx(max(gains), abs=1e-9)
    assert found.value <= found.details["cost_without_the_score"] + 1e-12


def test_min_p_reports_both_p_values():
    found = find_cutoff(of([5, 6, 7, 8, 9, 4], [1, 2, 3, 4, 2, 1]), CriterionOptions(criterion="min_p", trim=0.2))
    assert found.details["p"] < found.details["p_corrected"] <= 1
    assert any("corrected" in note for note in found.notes)
    share = (found.best.matrix.tp + found.best.matrix.fp) / 12
    assert 0.2 <= share <= 0.8
    with pytest.raises(InputError, match="trim must lie below 0.5, got 0.6"):
        find_cutoff(of([1, 2], [0, 1]), CriterionOptions(criterion="min_p", trim=0.6))


@pytest.mark.parametrize("p", [0.0005, 0.001, 0.01, 0.05])
def test_corrected_p_published(p):
    """Altman et al. (1994) fit the formula by -1.63 p (1 + 2.35 ln p) for 10% and -3.13 p (1 + 1.65 ln p) for 5%."""
    for share, fit in ((0.1, -1.63 * p * (1 + 2.35 * math.log(p))), (0.05, -3.13 * p * (1 + 1.65 * math.log(p)))):
        # Their fit is good to a few percent for p between 0.0001 and 0.1.
        assert corrected_p(float(chdtri(1, p)), share, 1 - share) == pytest.approx(fit, rel=0.04)


def test_corrected_p_definition_holds_its_level():
    """Under no association the corrected p of the best of all cut-offs is below 0.05 in about 5% of samples."""
    rng = np.random.default_rng(20)
    hits = plain = 0
    runs = 400
    for _ in range(runs):
        label = np.arange(200) < 100
        found = find_cutoff(
            Tally.from_labels(label, rng.normal(size=200)), CriterionOptions(criterion="min_p", trim=0.1)
        )
        hits += found.details["p_corrected"] < 0.05
        plain += found.details["p"] < 0.05
    # One-sided choice (only cut-offs on the right side of chance): half of the two-sided level.
    assert hits / runs < 0.05
    assert plain / runs > 0.15
    assert corrected_p(0.5, 0.1, 0.9) == 1.0


def test_targets_and_beta():
    tally = of([9, 8, 6, 3, 2], [7, 5, 4, 1, 0])
    assert find_cutoff(tally, CriterionOptions(criterion="target", target={"sensitivity": 0.55})).best.tpr == 0.6
    assert find_cutoff(tally, CriterionOptions(criterion="target", target={"ppv": 0.75})).value == 0
    for beta in (0.5, 2.0):
        found = find_cutoff(tally, CriterionOptions(criterion="f_beta", beta=beta))
        scores = []
        for _, tp, fp, fn, _tn in brute_rows([9, 8, 6, 3, 2], [7, 5, 4, 1, 0]):
            scores.append((1 + beta**2) * tp / ((1 + beta**2) * tp + beta**2 * fn + fp))
        assert found.value == pytest.approx(max(scores))


def test_functions_of_the_counts_vectorised_and_scalar():
    tally = of([9, 8, 6, 3, 2], [7, 5, 4, 1, 0])

    def jaccard(tp, fp, fn, tn):
        return tp / (tp + fp + fn)

    def scalar(tp, fp, fn, tn):
        return tp / (tp + fp) if tp > 2 else tp / 0 if tp == 1 else 0.0

    assert find_cutoff(tally, CriterionOptions(criterion=jaccard)).value == pytest.approx(
        max(tp / (tp + fp + fn) for _, tp, fp, fn, _ in brute_rows([9, 8, 6, 3, 2], [7, 5, 4, 1, 0]))
    )
    assert find_cutoff(tally, CriterionOptions(criterion=jaccard)).criterion == "jaccard"
    assert find_cutoff(tally, CriterionOptions(criterion=scalar)).best.matrix.tp == 3
    fewest = find_cutoff(tally, CriterionOptions(criterion=lambda tp, fp, fn, tn: fp + 2 * fn, goal="min"))
    assert fewest.value == min(fp + 2 * fn for _, _, fp, fn, _ in brute_rows([9, 8, 6, 3, 2], [7, 5, 4, 1, 0]))
    constant = find_cutoff(tally, CriterionOptions(criterion=lambda tp, fp, fn, tn: 1.0))
    assert len(constant.optima) == 11
    assert constant.best.threshold == 8.0, "all tied: lowest FPR, then highest TPR"


def test_infinite_optima_are_all_kept():
    """Perfect separation: the odds ratio is infinite at several cut-offs; the best is the most sensitive of them."""
    found = find_cutoff(of([7, 6, 5], [3, 2, 1]), CriterionOptions(criterion="dor"))
    assert found.value == math.inf
    assert found.best.threshold == 5
    assert [one.threshold for one in found.optima] == [5.0, 6.0, 7.0, 3.0, 2.0]


def test_trivial_optimum_is_said():
    found = find_cutoff(of([1, 2], [3, 4]))
    assert found.value == 0
    assert found.best.threshold == math.inf
    assert (found.best.low, found.best.high) == (4.0, math.inf)
    assert "No threshold beats calling nothing 1." in found.notes


def test_result_as_text_rows_and_json():
    found = find_cutoff(of([5, 4, 3, 1], [3, 2, 1, 1]), CriterionOptions(criterion="cost", prevalence=0.5))
    text = str(found)
    assert "cost: smallest expected cost" in text
    assert "optimal slope 1.0000" in text
    assert "2 cut-offs are equally good" in text
    assert found.to_dict()["optima"][0]["matrix"]["tp"] == 2
    assert found.tied == len(found.optima) == len(found.rows()) == 2
    assert found.rows()[0]["majority rate"] == 0.5
    assert found.best.metrics().rows()[4]["metric"] == "tpr"
    assert found.best.predictive_values(0.5) == pytest.approx((1.0, 2 / 3))
    assert found.threshold == found.best.threshold == 4.0
    assert (found.best.sensitivity, found.best.specificity) == (0.5, 1.0)
    many = find_cutoff(of(range(40), [-1]), CriterionOptions(criterion=lambda tp, fp, fn, tn: 0.0))
    assert "… 22 more" in str(many)


# -- the table and its errors ------------------------------------------------------------------------


def test_every_metric_that_judges_is_a_criterion():
    tally = of([9, 8, 6, 3, 2], [7, 5, 4, 1, 0])
    for metric in METRICS.values():
        if metric.better is None:
            with pytest.raises(InputError, match="criterion must judge, and .* only describes"):
                criterion_named(metric.name)
        else:
            assert find_cutoff(tally, CriterionOptions(criterion=metric.name)).criterion == metric.name
    assert criterion_named("efficiency").name == "accuracy"
    assert set(BRUTE) & set(CRITERIA) == set(CRITERIA) - {"f_beta", "f_alpha", "neyman_pearson", "target"} - OF_CUTOFFS


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"criterion": "yuden"}, "criterion must be one of 47 words .* got 'yuden'; did you mean 'youden'"),
        ({"criterion": "youden", "prevalence": 0.1}, "criterion 'youden' takes no prevalence, got 0.1; .* 'cost'"),
        ({"criterion": "neyman_pearson"}, "criterion 'neyman_pearson' needs max_fpr, got none; write max_fpr=0.1"),
        ({"criterion": "neyman_pearson", "max_fpr": 1.5}, "max_fpr must lie between 0 and 1, got 1.5"),
        ({"criterion": "f_beta"}, "criterion 'f_beta' needs beta, got none"),
        ({"criterion": "f_beta", "beta": -1}, "beta must be a finite number above 0, got -1"),
        ({"criterion": "cost", "prevalence": 1.0}, "prevalence must lie strictly between 0 and 1, got 1.0"),
        ({"criterion": "cost", "cost_fp": 0}, "cost_fp must be a finite number above 0, got 0"),
        ({"criterion": "cost", "cost_fn": -2}, "cost_fn must be a finite number above 0, got -2"),
        ({"criterion": "target", "target": {"tpr": 1, "tnr": 1}}, "target must name one metric and its value"),
        ({"criterion": "required"}, "criterion 'required' needs bounds, got none"),
        ({"criterion": len}, "criterion must be a function f"),
        ({"require": {}}, "require must map metrics to bounds, got {}"),
        ({"require": {"sensitivity": 90}}, "the bound of sensitivity must lie between 0 and 1, got 90"),
        ({"require": {"lr_plus": -1}}, "the bound of lr_plus must lie between 0 and inf, got -1"),
        ({"require": {"mcc": "high"}}, "the bound of mcc must be a number, got 'high'"),
        ({"require": {"prevalence": 0.1}}, "require must name metrics that judge, got 'prevalence'"),
        ({"rule": "mid"}, "rule must be one of 'observed', 'midpoints', 'spss', got 'mid'"),
    ],
)
def test_errors_say_argument_rule_value_and_way_out(arguments, message):
    with pytest.raises(InputError, match=message):
        find_cutoff(of([2, 3], [1, 2]), CriterionOptions(**arguments))


def test_undefined_everywhere_is_an_error():
    with pytest.raises(InputError, match="criterion 'mcc' .* is undefined at any threshold; choose another"):
        find_cutoff(of([1, 1], [1]), CriterionOptions(criterion="mcc"))
    with pytest.raises(InputError, match="is undefined at any threshold that keeps the bounds"):
        find_cutoff(of([1, 1], [1]), CriterionOptions(criterion="dor", require={"sensitivity": 1}))


# -- infinite scores and infinite values ---------------------------------------------------------------


def test_an_infinite_score_leaves_no_threshold_above_it_regression():
    """Nothing is >= a number above +inf: the cut-off with the best specificity still calls the infinite cases."""
    tally = of([math.inf, 3, 2, 2], [math.inf, 3, 1, 0])
    found = find_cutoff(tally, CriterionOptions(criterion="specificity"))
    assert (found.threshold, found.value) == (math.inf, 0.75)
    assert confusion_at(tally, found.threshold).tn / 4 == found.value
    curve = roc_curve(tally)
    assert math.isnan(curve.thresholds[0])
    assert curve.thresholds[1] == math.inf
    assert not np.any(np.array([math.inf, 3, 2]) >= curve.thresholds[0])  # nothing is called there
    assert coordinates(tally).reachable.tolist() == [False, True, True, True, True, True]
    with pytest.raises(InputError, match="no threshold gives specificity >= 0.9; the closest is"):
        find_cutoff(tally, CriterionOptions(require={"specificity": 0.9}))
    assert "none" in str(coordinates(tally).table())
    point = point_at_fpr(curve, tally, 0.0)
    assert (point.tpr, point.threshold, point.matrix) == (0.0, None, None)
    other = of([math.inf, 3, 2, 2], [math.inf, 3, 1, 0], direction="lower")
    assert find_cutoff(other, CriterionOptions(criterion="specificity")).threshold == -math.inf


@pytest.mark.parametrize("criterion", ["dor", "lr_plus"])
def test_an_infinite_optimum_is_said_to_be_one_regression(criterion):
    pos, neg = [9, 8, 6, 3, 2], [7, 5, 4, 1, 0]
    found = find_cutoff(of(pos, neg), CriterionOptions(criterion=criterion))
    assert found.value == math.inf
    assert f"{criterion} is infinite where FP = 0" in found.notes[0]
    value = {"dor": lambda tp, fp, fn, tn: tp * tn / (fp * fn), "lr_plus": lambda tp, fp, fn, tn: tp / fp}[criterion]
    finite = [value(tp, fp, fn, tn) for _, tp, fp, fn, tn in brute_rows(pos, neg) if fp and (fn or criterion != "dor")]
    assert found.details["best_finite_value"] == pytest.approx(max(finite))
    again = confusion_at(of(pos, neg), found.details["best_finite_cutoff"])
    assert value(again.tp, again.fp, again.fn, again.tn) == pytest.approx(max(finite))


# -- the p-value of a chosen cut-off ------------------------------------------------------------------


def brute_largest_chi(label, score):
    best = 0.0
    for t in np.unique(score)[1:]:
        called = score >= t
        if 0 < called.sum() < label.size:
            tp, k, n, p = (called & label).sum(), called.sum(), label.size, label.sum()
            best = max(best, (tp * n - k * p) ** 2 * n / (k * (n - k) * p * (n - p)))
    return best


@pytest.mark.parametrize("seed", range(6))
def test_exact_p_definition_over_all_orders(seed):
    rng = np.random.default_rng(seed)
    score = rng.integers(0, 5, 9).astype(float)
    label = np.zeros(9, bool)
    label[rng.choice(9, 4, replace=False)] = True
    found = find_cutoff(Tally.from_labels(label, score), CriterionOptions(criterion="min_p"))
    orders = list(itertools.combinations(range(9), 4))
    hits = sum(brute_largest_chi(np.isin(np.arange(9), some), score) >= found.value - 1e-9 for some in orders)
    assert found.details["p_corrected"] == pytest.approx(hits / len(orders), abs=1e-12)


def test_exact_p_agrees_with_permutations_where_the_approximation_does_not_regression():
    rng = np.random.default_rng(3)
    label, score = np.arange(60) < 24, rng.normal(size=60).round(1)
    tally = Tally.from_labels(label, score)
    found = find_cutoff(tally, CriterionOptions(criterion="min_p"))
    table = coordinates(tally)
    drawn = [brute_largest_chi(rng.permutation(label), score) >= found.value - 1e-9 for _ in range(2000)]
    assert found.details["p_corrected"] == pytest.approx(np.mean(drawn), abs=0.04)
    rough = corrected_p(found.value, *range_of_shares(table, np.zeros(len(table))))
    assert rough - found.details["p_corrected"] > 0.1
    assert "exact" in found.notes[1]
    heavy = Tally.from_labels(label, score, weight=np.full(60, 1.0))
    assert "approximation of Miller and Siegmund" in find_cutoff(heavy, CriterionOptions(criterion="min_p")).notes[1]


# -- which end is better, bounds on either side, new cases ---------------------------------------------


def test_the_goal_turns_any_criterion_around():
    tally = of([9, 8, 6, 3, 2], [7, 5, 4, 1, 0])
    assert find_cutoff(tally, CriterionOptions(criterion="accuracy", goal="min")).value == min(
        (tp + tn) / 10 for _, tp, _, _, tn in brute_rows([9, 8, 6, 3, 2], [7, 5, 4, 1, 0])
    )
    assert find_cutoff(tally, CriterionOptions(criterion="detection_rate", goal="max")).value == 1
    assert find_cutoff(tally, CriterionOptions(criterion="accuracy", goal="min")).looked_for.startswith("smallest")
    with pytest.raises(InputError, match="say which end is better with goal"):
        find_cutoff(tally, CriterionOptions(criterion="detection_rate"))


@given(pos=SCORES, neg=SCORES, low=st.sampled_from([0.1, 0.4]), high=st.sampled_from([0.5, 0.8]))
def test_bounds_on_either_side_definition(pos, neg, low, high):
    def kept(tp, fp, fn, tn):
        share = (tp + fp) / (tp + fp + fn + tn)
        return low - 1e-12 <= share <= high + 1e-12

    best, thresholds = brute_optima(pos, neg, "youden", kept)
    require = [f"detection_rate>={low}", f"detection_rate <= {high}"]
    if best is None:
        with pytest.raises(InputError, match="detection_rate"):
            find_cutoff(of(pos, neg), CriterionOptions(criterion="youden", require=require))
    else:
        assert [
            one.threshold
            for one in find_cutoff(of(pos, neg), CriterionOptions(criterion="youden", require=require)).optima
        ] == thresholds


def test_bounds_in_words():
    tally = of([9, 8, 6, 3, 2], [7, 5, 4, 1, 0])
    assert find_cutoff(tally, CriterionOptions(require="fdr<=0.4")).criterion == "tpr"
    assert find_cutoff(tally, CriterionOptions(require=["sensitivity <= 0.6"])).criterion == "youden_j"
    with pytest.raises(InputError, match="require must be written METRIC >= BOUND or METRIC <= BOUND, got 'fpr'"):
        find_cutoff(tally, CriterionOptions(require=["fpr"]))


def test_new_cases_are_called_by_the_cutoff():
    best = find_cutoff(of([9, 8, 6, 3, 2], [7, 5, 4, 1, 0])).best
    assert best.predict([best.threshold, best.threshold - 1e-9, 100]).tolist() == [True, False, True]
    low = find_cutoff(of([-1, -2], [-5, -6], direction="lower")).best
    assert low.predict([2, 3]).tolist() == [True, False]
    with pytest.raises(InputError, match="scores must be numbers, got NaN"):
        best.predict([math.nan])


def test_rules_about_the_cutoff_itself():
    """Probabilities: nearest to the prevalence, nearest to the mean, and the lowest above c_FP / (c_FP + c_FN)."""
    pos, neg = [0.9, 0.6, 0.5], [0.7, 0.4, 0.3, 0.25, 0.1]
    tally = of(pos, neg)
    assert find_cutoff(tally, CriterionOptions(criterion="observed_prevalence")).threshold == 0.4  # |0.4 - 0.375|
    assert find_cutoff(tally, CriterionOptions(criterion="observed_prevalence", prevalence=0.12)).threshold == 0.1
    assert find_cutoff(tally, CriterionOptions(criterion="mean_score")).threshold == 0.5  # mean 0.46875
    assert (
        find_cutoff(tally, CriterionOptions(criterion="bayes")).threshold == 0.6
    )  # 0.5 itself costs the same either way
    found = find_cutoff(tally, CriterionOptions(criterion="bayes", cost_fp=1, cost_fn=4)).best
    assert found.predict([0.2, 0.21]).tolist() == [False, False]
    assert all((p * 4 > (1 - p)) == called for p, called in zip(pos + neg, found.predict(pos + neg), strict=True))
    nobody = find_cutoff(tally, CriterionOptions(criterion="bayes", cost_fp=99))
    assert nobody.threshold == math.inf
    with pytest.raises(InputError, match="criterion 'bayes' needs predicted probabilities of the positive class"):
        find_cutoff(of([5, 6], [1, 2]), CriterionOptions(criterion="bayes"))
