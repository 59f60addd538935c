"""Evaluation: every number against slow twins, clustered by case, whatever the order of the cases."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import ndimage

import roclab as rl
from roclab._core.undefined import Undefined
from roclab.errors import InputError
from tests.inference.test_clustered_values import brute_obuchowski, slow_cnr

SIZE = (8, 48, 64)
BOTH = [("malignant", 24.0), ("benign", 22.0)]


@pytest.fixture(scope="module")
def phantoms():
    return [rl.imaging.phantom_breast(size=SIZE, lesions=BOTH, rng=at) for at in (11, 12, 13, 14)]


@pytest.fixture(scope="module")
def cases(phantoms):
    return [one.as_case(f"c{at}") for at, one in enumerate(phantoms)]


@pytest.fixture(scope="module")
def model():
    learnt = rl.imaging.phantom_breast(size=SIZE, lesions=BOTH, rng=1).as_case("other")
    return rl.imaging.dce_train(learnt, classifier="logistic", rng=1)


@pytest.fixture(scope="module")
def found(cases, model):
    return rl.imaging.dce_evaluate(cases, model, images=("early", "late", "maximum"), group="four phantoms")


@pytest.fixture(scope="module")
def thinned(found):
    """Every lesion voxel and some of the normal ones: few enough for all pairs."""
    keep = found.voxels.label | (np.arange(len(found.voxels)) % 40 == 0)
    return replace(found, voxels=found.voxels.only(keep), lesion=found.lesion[keep], _kept={})


def test_voxels_are_those_of_the_masks(found, cases):
    assert found.n_cases == 4
    assert found.names == ("network", "early", "late", "maximum")
    total = 0
    for at, case in enumerate(cases):
        inside = rl.imaging.dce_mask(case.series).mask.array
        mine = np.asarray(found.voxels.ids) == at
        assert mine.sum() == inside.sum()
        assert (found.lesion[mine] == case.truth.array[inside]).all()
        early = rl.imaging.dce_subtraction(case.series, "early", mask=inside).array[inside]
        assert (found.voxels.scores["early"][mine] == early).all()
        total += int(inside.sum())
    assert len(found.voxels) == total


def test_areas_and_errors_definition_are_obuchowskis(thinned):
    label, ids = thinned.voxels.label, np.asarray(thinned.voxels.ids)
    for name in ("network", "late"):
        score = thinned.voxels.scores[name]
        wins = (score[label][:, None] > score[~label][None]) + 0.5 * (score[label][:, None] == score[~label][None])
        one = thinned.measure(name)
        assert one.value == pytest.approx(wins.mean(), rel=1e-9)
        assert one.standard_error == pytest.approx(math.sqrt(brute_obuchowski(label, score, score, ids)), rel=1e-8)
    pair = thinned.compare("AUC").pair("network", "late")
    a, b = (thinned.voxels.scores[name] for name in ("network", "late"))
    variance = sum(sign * brute_obuchowski(label, x, y, ids) for x, y, sign in ((a, a, 1), (b, b, 1), (a, b, -2)))
    assert pair.standard_error == pytest.approx(math.sqrt(variance), rel=1e-6)
    assert pair.df == 3


def test_malignant_and_benign_areas_leave_the_other_kind_out(thinned):
    for quantity, mine in (
        ("AUC malignant", thinned.lesion > 100),
        ("AUC benign", (thinned.lesion > 0) & (thinned.lesion < 100)),
    ):
        normal = thinned.lesion == 0
        score = thinned.voxels.scores["late"]
        exact = np.mean([(x > score[normal]).mean() + 0.5 * (x == score[normal]).mean() for x in score[mine]])
        assert thinned.measure("late", quantity).value == pytest.approx(exact, rel=1e-9)


def test_partial_areas_definition(thinned):
    """The area under the staircase up to a rate, on McClish's scale."""
    label, score = thinned.voxels.label, thinned.voxels.scores["network"]
    order = np.argsort(-score, kind="stable")
    assert np.unique(score).size == score.size  # no ties: the staircase is the curve
    tpr = np.concatenate([[0], np.cumsum(label[order]) / label.sum()])
    fpr = np.concatenate([[0], np.cumsum(~label[order]) / (~label).sum()])
    for most in (0.05, 0.15):
        inside = np.minimum(fpr, most)
        area = np.sum(np.diff(inside) * tpr[1:])
        exact = 0.5 * (1 + (area - most**2 / 2) / (most - most**2 / 2))
        assert thinned.measure("network", f"pAUC FPR<={most:g}").value == pytest.approx(exact, abs=2e-4)


def test_contrast_definition(thinned):
    ids = np.asarray(thinned.voxels.ids)
    value, sums = slow_cnr(thinned.voxels.label, thinned.voxels.scores["early"], ids)
    one = thinned.measure("early", "CNR")
    assert one.value == pytest.approx(value, rel=1e-5)  # single precision
    assert one.standard_error == pytest.approx(math.sqrt(4 / 3 * sum(w * w for w in sums.values())), rel=1e-5)


def test_the_order_of_cases_does_not_matter(found, cases, model):
    turned = rl.imaging.dce_evaluate(cases[::-1], model, images=("early", "late", "maximum"))
    for one, two in zip(found.measures(), turned.measures(), strict=True):
        assert (one.image, one.quantity) == (two.image, two.quantity)
        assert two.value == pytest.approx(one.value, rel=1e-9)
        assert two.standard_error == pytest.approx(one.standard_error, rel=1e-6)


def test_errors_are_by_case_and_not_by_voxel(found):
    """Repeating every voxel of every case three times changes no error by case; errors by voxel would shrink."""
    rows = np.repeat(np.arange(len(found.voxels)), 3)
    again = replace(found, voxels=found.voxels.only(rows), lesion=found.lesion[rows], _kept={})
    for name in ("network", "early"):
        for quantity in ("AUC", "CNR"):
            one, two = found.measure(name, quantity), again.measure(name, quantity)
            assert two.standard_error == pytest.approx(one.standard_error, rel=1e-6)
    by_voxel = [rl.auc(one.voxels.label, one.voxels.scores["late"]).standard_error for one in (found, again)]
    assert by_voxel[1] == pytest.approx(by_voxel[0] / 3**0.5, rel=0.01)


def test_voxels_go_into_other_verbs_clustered_by_case(found):
    one = rl.auc(found.voxels.select("late"))
    assert one.area == pytest.approx(found.measure("late").value)
    assert one.standard_error == pytest.approx(found.measure("late").standard_error, rel=1e-6)
    both = rl.compare(found.voxels.select(["network", "late"]))
    assert "4 clusters" in both.method


def test_averages_are_those_of_the_cases(found):
    for how in ("pooled", "vertical", "threshold"):
        mean = found.average("network", how)
        assert mean.how == how
        assert mean.names == ("c0", "c1", "c2", "c3")
    single = []
    for at in range(4):
        mine = np.asarray(found.voxels.ids) == at
        single.append(rl.auc(found.voxels.label[mine], found.voxels.scores["network"][mine]).area)
    assert found.average("network").areas == pytest.approx(tuple(single))
    assert found.average("network", "pooled").area_of_average == pytest.approx(found.measure("network").value)


def test_smoothing_is_alike_for_all_images(cases, model):
    smooth = rl.imaging.dce_evaluate(cases[:2], model, images=("early",), smoothing=4.0)
    inside = rl.imaging.dce_mask(cases[0].series)
    mine = np.asarray(smooth.voxels.ids) == 0
    early = rl.imaging.dce_subtraction(cases[0].series, "early", smoothing=4.0, mask=inside).array[inside.mask.array]
    seen = rl.imaging.dce_apply(model, cases[0].series, smoothing=4.0).volume.array[inside.mask.array]
    assert (smooth.voxels.scores["early"][mine] == early).all()
    assert (smooth.voxels.scores["network"][mine] == seen).all()


def test_leave_one_out_uses_the_model_of_every_case(cases):
    apart = rl.imaging.dce_leave_one_out(cases[:3], classifier="logistic", rng=1)
    found = rl.imaging.dce_evaluate(cases[:3], {"net": apart}, images=())
    for at, case in enumerate(cases[:3]):
        mine = np.asarray(found.voxels.ids) == at
        own = rl.imaging.dce_apply(apart[case.name], case.series)
        assert (found.voxels.scores["net"][mine] == own.volume.array[own.mask.array]).all()


def test_a_model_is_not_tested_on_what_it_learnt(cases):
    learnt = rl.imaging.dce_train(cases[:1], classifier="logistic", rng=1)
    with pytest.raises(InputError, match="models must be trained on other cases .*, got 'c0' in both"):
        rl.imaging.dce_evaluate(cases[:2], learnt)
    apart = rl.imaging.dce_leave_one_out(cases[:2], classifier="logistic", rng=1)
    wrong = replace(apart, models={"c0": apart["c1"], "c1": apart["c0"]})
    with pytest.raises(InputError, match="models must not be trained on the case they are tested on"):
        rl.imaging.dce_evaluate(cases[:2], wrong)


def test_normal_cases_count_and_have_no_curve(cases, model):
    normal = rl.imaging.phantom_breast(size=SIZE, lesions=0, rng=30).as_case("normal")
    with_it = rl.imaging.dce_evaluate([*cases[:3], normal], model, images=())
    assert with_it.n_cases == 4
    assert with_it.average("network").names == ("c0", "c1", "c2")
    assert "4 clusters" in with_it.measure("network").interval.method
    with pytest.raises(InputError, match="truth must hold a lesion in the mask of some case"):
        rl.imaging.dce_evaluate([normal], model)


def test_one_case_has_numbers_and_no_intervals(cases, model):
    alone = rl.imaging.dce_evaluate(cases[0], model, images=("early",))
    one = alone.measure("network")
    assert 0.5 < one.value <= 1
    assert isinstance(one.standard_error, Undefined)
    assert "one case: no number here says how another case would come out" in alone.notes
    assert "one case" in str(alone)
    with pytest.raises(InputError, match="cases must be two or more to compare images"):
        alone.compare()
    assert json.loads(alone.to_json())["measures"][0]["std. error"] is None


def test_one_kind_of_lesion_leaves_the_other_undefined(model):
    only = [rl.imaging.phantom_breast(size=SIZE, lesions=[("benign", 22.0)], rng=at).as_case(f"b{at}") for at in (1, 2)]
    found = rl.imaging.dce_evaluate(only, model, images=())
    missing = found.measure("network", "AUC malignant")
    assert isinstance(missing.value, Undefined)
    assert missing.value.reason == "no case has such a lesion"
    assert found.measure("network", "AUC benign").value == found.measure("network").value


# -- regions ---------------------------------------------------------------------------------------


def test_thresholds_definition(found):
    label, score = found.voxels.label, found.voxels.scores["network"]
    cut = found.threshold("network", sensitivity=0.75)
    assert (score[label] >= cut).mean() >= 0.75
    assert (score[label] > cut).mean() < 0.75
    at = found.threshold("network", cost_fp=1, cost_fn=8)

    def cost(t):
        return (score[~label] >= t).sum() + 8 * (score[label] < t).sum()

    assert cost(at) == min(cost(t) for t in np.unique(score)[::-1][:3000])
    with pytest.raises(InputError, match="sensitivity or both costs must be given"):
        found.threshold("network")
    with pytest.raises(InputError, match="sensitivity or both costs must be given"):
        found.threshold("network", sensitivity=0.5, cost_fp=1, cost_fn=1)


def test_regions_definition(found, cases):
    cut = found.threshold(sensitivity=0.7)
    seen = found.regions(cut, smallest=300.0, resampling=20)
    for at, (case, one) in enumerate(zip(cases, seen.cases, strict=True)):
        held = found.cases[at]
        called = (held.images["network"] >= cut) & held.inside
        parts, many = ndimage.label(called, structure=np.ones((3, 3, 3)))
        voxel = case.series.place.voxel_mm3
        keep = [k for k in range(1, many + 1) if (parts == k).sum() * voxel >= 300.0]
        called = np.isin(parts, keep)
        true = case.truth.array > 0
        assert one.regions == len(keep)
        assert one.false_regions == sum(not (true & (parts == k)).any() for k in keep)
        assert one.found == len(set(case.truth.array[called & true]))
        assert one.dice == pytest.approx(2 * (called & true).sum() / (called.sum() + true.sum()))
        assert one.volume_error == pytest.approx(called.sum() / true.sum() - 1)
        assert seen.labels[at].array.max() == len(keep)
    dice = [one.dice for one in seen.cases]
    assert seen.dice == pytest.approx(np.mean(dice))
    assert 0 <= seen.dice_interval.low < seen.dice < seen.dice_interval.high <= 1
    assert seen.froc.lesions == 8
    assert seen.froc.scans == 4
    assert "FROC by lesion" in str(seen)
    assert json.loads(seen.to_json())["froc"]["lesions"] == 8


def test_nothing_above_a_threshold_is_an_answer_too(found):
    seen = found.regions(2.0)
    assert seen.sensitivity == 0.0
    assert seen.froc is None
    assert seen.dice == 0.0
    with pytest.raises(InputError, match="threshold must be a number"):
        found.regions(float("nan"))
    with pytest.raises(InputError, match="smallest must be 0"):
        found.regions(0.5, smallest=-1)


# -- learning --------------------------------------------------------------------------------------


def test_a_learning_curve_is_that_of_models_on_the_same_test_cases(cases):
    train = [rl.imaging.phantom_breast(size=SIZE, lesions=BOTH, rng=at).as_case(f"t{at}") for at in (21, 22, 23)]
    curve = rl.imaging.dce_learning_curve(train, cases[:2], sizes=(1, 3), repeats=2, classifier="logistic", rng=5)
    assert [(one.cases, one.repeats) for one in curve.points] == [(1, 2), (3, 1)]
    again = rl.imaging.dce_learning_curve(train, cases[:2], sizes=(1, 3), repeats=2, classifier="logistic", rng=5)
    assert [one.value for one in curve.points] == [one.value for one in again.points]
    assert all(0.5 < one.value <= 1 for one in curve.points)
    assert curve.test_cases == 2
    assert "seed 5" in str(curve)
    with pytest.raises(InputError, match="sizes must not exceed the 3 cases there are, got 4"):
        rl.imaging.dce_learning_curve(train, cases[:2], sizes=(4,))
    with pytest.raises(InputError, match="sizes must name a number of cases"):
        rl.imaging.dce_learning_curve(train, cases[:2], sizes=())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"models": None, "images": ()}, "images must name an image where there is no model"),
        ({"fpr": (0.0,)}, "fpr must be false positive rates above 0"),
        ({"standardize": "z"}, "standardize must be one of"),
        ({"scale": "log"}, "scale must be one of"),
        ({"level": 95}, "level must lie strictly between 0 and 1"),
        ({"images": ("middle",)}, "case 'c0': name must be one of early"),
        ({"models": {"early": None}}, "models must be a model"),
        ({"models": 3}, "models must be a model, a LeaveOneOut or a file, got int"),
    ],
)
def test_wrong_questions_are_refused(cases, model, options, words):
    asked = {"models": model, "images": ("early",)} | options
    with pytest.raises(InputError, match=words):
        rl.imaging.dce_evaluate(cases[:2], asked.pop("models"), **asked)


def test_names_must_not_clash(cases, model):
    with pytest.raises(InputError, match="models must not be named like a subtraction image, got early"):
        rl.imaging.dce_evaluate(cases[:2], {"early": model}, images=("early",))


def test_truth_is_checked(cases):
    bare = replace(cases[0], truth=None)
    with pytest.raises(InputError, match="case 'c0': truth must be there to evaluate"):
        rl.imaging.dce_evaluate(bare)
    wrong = replace(cases[0], truth=cases[0].truth.with_array(np.full(SIZE, 300)))
    with pytest.raises(InputError, match="truth must be 0, 1 to 99 for benign and 101 to 199 for malignant"):
        rl.imaging.dce_evaluate(wrong)
