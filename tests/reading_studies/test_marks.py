"""Free-response reader studies: figures of merit by their definition, and the analysis by that of other areas."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import roclab as rl
from roclab.areas.free_response import area_of_marks, areas_without_cases, marked_cases

FIGURES = rl.names.FROC_FIGURES


def brute(figure, lesions, rivals, ill, left=None, weights=None):
    """The definition: every lesion against the rival of every case that has one; shares no code with src/."""
    top = bottom = 0.0
    for n, (case, score) in enumerate(lesions):
        if case == left:
            continue
        count = sum(1 for other, _ in lesions if other == case)
        weight = 1.0
        if figure.startswith("w"):
            weight = 1 / count if weights is None else weights[n]
        for other, rival in enumerate(rivals):
            if other == left or (ill[other] and not figure.endswith("1")):
                continue
            top += weight * ((score > rival) + (score == rival) / 2)
            bottom += weight
    return top / bottom if bottom else math.nan


@st.composite
def marked(draw):
    """Small integers and unmarked places: ties are the hard case."""
    rating = st.one_of(st.just(-math.inf), st.integers(1, 4).map(float))
    held = draw(st.lists(st.integers(0, 3), min_size=2, max_size=7))
    lesions = [(case, draw(rating)) for case, count in enumerate(held) for _ in range(count)]
    return held, lesions, [draw(rating) for _ in held]


@pytest.mark.parametrize("figure", FIGURES)
@given(one=marked())
def test_figures_and_cases_left_out_definition(figure, one):
    held, lesions, rivals = one
    ill = [count > 0 for count in held]
    cell = marked_cases(
        figure,
        lesion_case=np.array([case for case, _ in lesions], dtype=np.int64),
        lesion_score=np.array([score for _, score in lesions]),
        rival=np.array(rivals),
    )
    assert area_of_marks(cell) == pytest.approx(brute(figure, lesions, rivals, ill), rel=1e-12, nan_ok=True)
    expected = [brute(figure, lesions, rivals, ill, left=case) for case in range(len(held))]
    assert areas_without_cases(cell).tolist() == pytest.approx(expected, rel=1e-12, abs=1e-12, nan_ok=True)


def study(seed=1, readers=3, normal=True):
    """Marks and lesions of an invented study in which modality b is better."""
    rng = np.random.default_rng(seed)
    held = [*([0] * 12 if normal else []), *[1, 2, 3] * 5]
    lesions = {"case": [], "lesion": []}
    for case, count in enumerate(held):
        for one in range(count) or [-1]:
            lesions["case"].append(f"c{case}")
            lesions["lesion"].append(one + 1)
    marks = {name: [] for name in ("reader", "modality", "case", "lesion", "rating")}
    for modality, gain in (("a", 0.5), ("b", 1.5)):
        for reader in range(readers):
            for case, count in enumerate(held):
                rows = [(one + 1, rng.normal(gain)) for one in range(count) if rng.random() < 0.8]
                rows += [(0, rng.normal()) for _ in range(rng.integers(0, 3))]
                for lesion, rating in rows:
                    for name, value in zip(
                        marks, (f"r{reader}", modality, f"c{case}", lesion, round(rating, 1)), strict=True
                    ):
                        marks[name].append(value)
    return marks, lesions


def cells(marks, lesions):
    """Lesions with ratings and rivals of every cell, read row by row."""
    cases = list(dict.fromkeys(lesions["case"]))
    known = [(case, one) for case, one in zip(lesions["case"], lesions["lesion"], strict=True) if one]
    ill = [any(case == name for name, _ in known) for case in cases]
    out = {}
    rows = list(zip(*marks.values(), strict=True))
    for modality in ("a", "b"):
        for reader in sorted(set(marks["reader"])):
            own = [row for row in rows if row[:2] == (reader, modality)]
            scores = [
                (cases.index(case), max([row[4] for row in own if row[2:4] == (case, one)], default=-math.inf))
                for case, one in known
            ]
            rivals = [max([row[4] for row in own if row[2:4] == (case, 0)], default=-math.inf) for case in cases]
            out[modality, reader] = scores, rivals
    return out, ill


@pytest.mark.parametrize("figure", FIGURES)
def test_study_of_marks_definition(figure):
    """Areas and the covariances of the jackknife over cases, from the pairs themselves."""
    marks, lesions = study()
    found = rl.readers.mrmc(marks, lesions=lesions, estimator=figure)
    parts, ill = cells(marks, lesions)
    n = len(ill)
    assert [one.area for one in found.areas] == pytest.approx([brute(figure, *one, ill) for one in parts.values()])
    left = np.array([[brute(figure, *one, ill, left=case) for case in range(n)] for one in parts.values()])
    expected = np.cov(left, ddof=1) * (n - 1) ** 2 / n
    assert np.asarray(found.covariance) == pytest.approx(expected, rel=1e-9)
    assert found.quantity == figure
    assert found.covariance_method == "jackknife"


def test_default_is_wafroc_and_dbm_has_the_same_f_property():
    marks, lesions = study()
    found = rl.readers.mrmc(marks, lesions=lesions)
    assert found.quantity == "wAFROC"
    other = rl.readers.mrmc(marks, lesions=lesions, method="dbm")
    assert other.equality.statistic == pytest.approx(found.equality.statistic, rel=1e-10)


def test_one_mark_per_case_is_the_auc_property():
    """Where every case has one rating and positives one lesion, AFROC is the AUC of the ratings."""
    table = rl.readers.simulate(readers=3, n_pos=12, n_neg=15, auc=(0.8, 0.9), rng=3)
    marks = {**table, "lesion": table["truth"]}
    marks.pop("truth")
    first = len(set(table["case"].tolist()))
    lesions = {"case": table["case"][:first], "lesion": table["truth"][:first]}
    ratings = rl.readers.mrmc(table, covariance="jackknife")
    for figure in ("AFROC", "wAFROC", "highest_rating"):
        found = rl.readers.mrmc(marks, lesions=lesions, estimator=figure, covariance="jackknife")
        assert found.equality.statistic == pytest.approx(ratings.equality.statistic, rel=1e-10)
        assert [one.area for one in found.areas] == pytest.approx([one.area for one in ratings.areas])


def test_highest_rating_is_the_auc_of_the_highest_marks_definition():
    marks, lesions = study()
    found = rl.readers.mrmc(marks, lesions=lesions, estimator="highest_rating")
    parts, ill = cells(marks, lesions)
    for one, (scores, rivals) in zip(found.areas, parts.values(), strict=True):
        best = [max([rivals[case], *(score for at, score in scores if at == case)]) for case in range(len(ill))]
        pairs = [
            (best[p] > best[q]) + (best[p] == best[q]) / 2
            for p in range(len(ill))
            for q in range(len(ill))
            if ill[p] and not ill[q]
        ]
        assert one.area == pytest.approx(np.mean(pairs))
    assert "no mark" in found.notes[0]


def test_order_of_rows_and_direction_property():
    marks, lesions = study()
    rng = np.random.default_rng(0)
    order, other = rng.permutation(len(marks["case"])), rng.permutation(len(lesions["case"]))
    mixed = {name: [values[at] for at in order] for name, values in marks.items()}
    truth = {name: [values[at] for at in other] for name, values in lesions.items()}
    turned = {**mixed, "rating": [-one for one in mixed["rating"]]}
    plain = rl.readers.mrmc(marks, lesions=lesions).equality.statistic
    assert rl.readers.mrmc(mixed, lesions=truth).equality.statistic == pytest.approx(plain, rel=1e-10)
    assert rl.readers.mrmc(turned, lesions=truth, direction="lower").equality.statistic == pytest.approx(plain)


def test_given_weights_definition():
    marks, lesions = study()
    count = {case: lesions["case"].count(case) for case in lesions["case"]}
    weights = []
    for case, one in zip(lesions["case"], lesions["lesion"], strict=True):
        total = count[case] * (count[case] + 1) / 2
        weights.append(one / total)
    found = rl.readers.mrmc(marks, lesions={**lesions, "w": weights}, lesion_weight="w", estimator="wAFROC1")
    parts, ill = cells(marks, lesions)
    own = [one for one, lesion in zip(weights, lesions["lesion"], strict=True) if lesion]
    expected = [brute("wAFROC1", *one, ill, weights=own) for one in parts.values()]
    assert [one.area for one in found.areas] == pytest.approx(expected)
    with pytest.raises(rl.errors.InputError, match="sum to 1 over the lesions of a case"):
        rl.readers.mrmc(marks, lesions={**lesions, "w": [2 * one for one in weights]}, lesion_weight="w")


def test_study_in_which_every_case_has_a_lesion():
    marks, lesions = study(normal=False)
    found = rl.readers.mrmc(marks, lesions=lesions, estimator="AFROC1")
    assert 0 < found.equality.p_value < 1
    drawn = rl.readers.mrmc(marks, lesions=lesions, estimator="AFROC1", covariance="bootstrap", resampling=50, rng=1)
    assert drawn.equality.p_value > 0
    with pytest.raises(rl.errors.InputError, match="'wAFROC' needs cases without lesions, got none; write estimator="):
        rl.readers.mrmc(marks, lesions=lesions)


def test_bootstrap_agrees_with_the_jackknife():
    """Variances of the same areas by two methods, within the noise of 600 samples of 27 cases."""
    marks, lesions = study()
    both = [
        np.diag(np.asarray(rl.readers.mrmc(marks, lesions=lesions, **how).covariance))
        for how in ({}, {"covariance": "bootstrap", "resampling": 600, "rng": 1})
    ]
    assert both[1].mean() == pytest.approx(both[0].mean(), rel=0.15)


def test_curves_have_the_figure_as_their_area_property():
    marks, lesions = study()
    found = rl.readers.mrmc(marks, lesions=lesions)
    curves = found.curves()
    assert curves.quantity == "wAFROC"
    for one in found.areas:
        curve = curves.curves[one.modality][one.reader]
        assert np.trapezoid(curve.tpr, curve.fpr) == pytest.approx(one.area)


def test_missing_marks_and_gaps():
    marks, lesions = study()
    gap = {**marks, "rating": [math.nan, *marks["rating"][1:]]}
    with pytest.raises(rl.errors.InputError, match="1 row without"):
        rl.readers.mrmc(gap, lesions=lesions)
    dropped = rl.readers.mrmc(gap, lesions=lesions, missing="drop")
    shorter = {name: values[1:] for name, values in marks.items()}
    assert dropped.equality.statistic == pytest.approx(rl.readers.mrmc(shorter, lesions=lesions).equality.statistic)
    assert dropped.sample.dropped == 1
    empty = {**marks, "lesion": [None if one == 0 else one for one in marks["lesion"]]}
    plain = rl.readers.mrmc(marks, lesions=lesions)
    assert rl.readers.mrmc(empty, lesions=lesions).equality.p_value == plain.equality.p_value


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"label": "x"}, "label must be left out of a study of marks"),
        ({"algorithm": "r1"}, "algorithm must be left out"),
        ({"subject": "case"}, "subject must be left out"),
        ({"threshold": 1}, "threshold must be left out"),
        ({"estimator": "tauc"}, "estimator must be one of 'AFROC'"),
        ({"fpr": (0, 0.2)}, "write estimator='highest_rating'"),
        ({"direction": "auto"}, "direction of marks must be said"),
        ({"design": "split_plot"}, "every reader is taken to have searched every case"),
        ({"covariance": "delong"}, "needs a known influence function"),
        ({"lesion": "tumour"}, "has no column 'tumour'"),
        ({"rating": {"rating": ("a", "b")}}, "rating must be one column"),
    ],
)
def test_what_marks_cannot_be_asked(asked, words):
    marks, lesions = study()
    with pytest.raises(rl.errors.RoclabError, match=words.replace("'", ".")):
        rl.readers.mrmc(marks, lesions=lesions, **asked)


def test_ratings_of_cases_have_no_figures_of_marks():
    with pytest.raises(rl.errors.InputError, match="'wAFROC' is a figure of merit of marks"):
        rl.readers.mrmc("readings", estimator="wAFROC")
    with pytest.raises(rl.errors.InputError, match="lesion names a column of lesions"):
        rl.readers.mrmc("readings", lesion="lesion")


def test_truth_that_contradicts_itself():
    marks, lesions = study()
    for changed, words in (
        ({"case": [*lesions["case"], "c12"], "lesion": [*lesions["lesion"], 1]}, "must hold a lesion once"),
        ({"case": [*lesions["case"], "c12"], "lesion": [*lesions["lesion"], 0]}, "lesions or none"),
        ({name: values[1:] for name, values in lesions.items()}, "must hold every case that was marked"),
        ({name: values[:-1] for name, values in lesions.items()}, "must hold every lesion that was hit"),
        ({**lesions, "lesion": [0] * len(lesions["case"])}, "must hold"),
    ):
        with pytest.raises(rl.errors.InputError, match=words):
            rl.readers.mrmc(marks, lesions=changed)
