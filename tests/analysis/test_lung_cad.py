"""A lung CAD trained once: held-out figures by definition, operating points, new scans, and what it does not know."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

import roclab as rl
from roclab.analysis.lung_cad.apply import EXAMPLE
from roclab.analysis.lung_cad.example import train_example
from roclab.errors import InputError

SMALL = {"size": (24, 96, 96), "spacing": (2.5, 2.1, 2.1), "nodules": 6, "diameters": (7, 16)}


@pytest.fixture(scope="module")
def scans():
    return {f"p{seed}": rl.imaging.phantom_chest(**SMALL, rng=seed) for seed in range(1, 7)}


@pytest.fixture(scope="module")
def asked(scans):
    return {name: one.nodules for name, one in scans.items()}, {name: one.volume for name, one in scans.items()}


@pytest.fixture(scope="module")
def cad(asked):
    return rl.imaging.cad_train(*asked, folds=3, rng=1)


def test_what_is_told_comes_from_held_out_scans_definition(cad):
    """Marks of every scan, FROC by hand, and the operating point on it."""
    held = cad.held_out
    names = [one.name for one in cad.scans]
    hits, best = np.zeros(held.probability.size, bool), np.full(held.nodule_diameter.size, -1.0)
    for at in range(held.probability.size):
        for nodule in range(best.size):
            far = np.linalg.norm(held.position[at] - held.nodule_position[nodule])
            if held.scan[at] == held.nodule_scan[nodule] and far < held.nodule_diameter[nodule] / 2:
                hits[at] = True
                best[nodule] = max(best[nodule], held.probability[at])
    point = cad.operating
    assert point.rule == "1 false positives per scan"
    assert (best >= point.threshold).mean() == pytest.approx(point.sensitivity)
    assert (held.probability[~hits] >= point.threshold).sum() / len(names) == pytest.approx(point.false_positives)
    assert point.false_positives <= 1
    assert point.sensitivity_low <= point.sensitivity <= point.sensitivity_high
    curve = cad.froc(resampling=20)
    assert (curve.scans, curve.lesions, curve.missed) == (6, best.size, int((best < 0).sum()))
    assert sum(one.missed for one in cad.scans) == curve.missed
    table = {(row["stage"], row["figure"]): row["value"] for row in cad.rows()}
    assert table["marks", "CPM"] == pytest.approx(curve.cpm)
    assert table["nodule or other", "AUC"] == pytest.approx(rl.auc(hits, held.probability).area)
    assert table["nodule or other", "tAUC"] == pytest.approx(rl.auc(hits, held.probability, estimator="tauc").area)
    # calibration in the large: the mean probability is the share of nodules, by the score equation of the offset
    assert held.probability.mean() == pytest.approx(hits.mean(), abs=0.01)
    assert json.dumps(cad.to_dict())


def test_held_out_means_held_out(asked):
    """Every scan by itself: its log odds are those of a CAD trained without it, up to the line of the calibration."""
    lesions, volumes = asked
    every = rl.imaging.cad_train(lesions, volumes, classifier="logistic", folds=6, rng=1)
    rest = {name: volume for name, volume in volumes.items() if name != "p3"}
    without = rl.imaging.cad_train(lesions, rest, classifier="logistic", folds=2, rng=1)
    at = [one.name for one in every.scans].index("p3")
    mine = every.held_out.scan == at
    chance = every.held_out.probability[mine]
    regions = rl.imaging.nodules(volumes["p3"], scan="p3")
    odds = without.members[0][1].log_odds(without.of_regions(regions, without.features))
    slope, offset = every.platt
    assert np.log(chance / (1 - chance)) == pytest.approx(slope * odds + offset)


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ({"sensitivity": 0.5}, "a sensitivity of 0.5"),
        ({"cost": 20}, "cost, a missed nodule being worth 20 false positives"),
        ({"false_positives": 0.5}, "0.5 false positives per scan"),
    ],
)
def test_operating_points_definition(cad, rule, said):
    from roclab.analysis.lung_cad.operating import choose_point

    curve = cad.froc(resampling=20)
    asked = {"false_positives": None, "sensitivity": None, "cost": None, **rule}
    point = choose_point(curve, **asked, level=0.9, seed=1)
    assert (point.rule, point.level) == (said, 0.9)
    cuts, found, rate = curve.curve.thresholds, curve.curve.sensitivity, curve.curve.rate
    if "sensitivity" in rule:
        fits = [at for at in range(len(cuts)) if found[at] >= 0.5]
        assert point.false_positives == min(rate[at] for at in fits)
    elif "cost" in rule:
        losses = [20 * curve.lesions * (1 - f) + curve.scans * r for f, r in zip(found, rate, strict=True)]
        mine = 20 * curve.lesions * (1 - point.sensitivity) + curve.scans * point.false_positives
        assert mine == pytest.approx(min(losses))
    else:
        assert point.sensitivity == max(f for f, r in zip(found, rate, strict=True) if r <= 0.5)


def test_new_scans_get_probabilities(cad, scans):
    new = rl.imaging.phantom_chest(**SMALL, rng=77)
    marks = rl.imaging.cad_apply(cad, new.volume, name="new", lungs=new.lungs)
    chance = [row["probability"] for row in marks.rows()]
    assert chance == sorted(chance, reverse=True)
    assert all(0 < one < 1 for one in chance)
    assert marks.marked == sum(one >= cad.operating.threshold for one in chance) == len(marks.marks(every=False))
    assert all(0 < row["malignancy"] < 1 for row in marks.rows())
    assert marks.marks_csv().splitlines()[0] == "seriesuid,coordX,coordY,coordZ,probability,diameter_mm,malignancy"
    x = cad.of_regions(marks.found, cad.features)
    assert cad.probability(x) == pytest.approx(chance)
    hits = marks.found.hits(new.nodules)
    assert rl.auc([h > 0 for h in hits], chance).area > 0.9
    assert marks.notes == ()
    assert cad.apply(new.volume, name="new", lungs=new.lungs).rows() == marks.rows()
    old = rl.imaging.cad_apply(cad, scans["p2"].volume, name="again", lungs=scans["p2"].lungs)
    assert "this is the training scan 'p2': what is found in it says nothing about new scans" in old.notes
    assert "not a medical device" in str(marks)


def test_a_scan_outside_the_range_of_training_is_told(cad):
    new = rl.imaging.phantom_chest(**{**SMALL, "spacing": (4.0, 2.1, 2.1)}, noise=120, rng=5)
    told = " ".join(rl.imaging.cad_apply(cad, new.volume, name="new").notes)
    assert "slices 4 mm apart: outside the range of the training scans, 2.5 to 2.5" in told
    assert "noise of" in told
    assert "pixels" not in told
    facts = replace(cad.scans[0].facts, digest="other", kernel="B60f")
    known = replace(cad, scans=tuple(replace(one, facts=replace(one.facts, kernel="B30f")) for one in cad.scans))
    assert known.outside(facts) == ("kernel 'B60f': training has seen 'B30f' only",)
    assert cad.outside(facts) == ()


def test_several_classifiers_and_balances_are_combined(asked):
    found = {}
    for how in ("mean", "logistic"):
        made = rl.imaging.cad_train(
            *asked, classifier=["boosting", "logistic"], balance=["none", "random"], combination=how, folds=2, rng=2
        )
        names = [name for name, _ in made.members]
        assert names == ["boosting (none)", "logistic (none)", "boosting (random)", "logistic (random)"]
        assert (made.second is not None) == (how == "logistic")
        x = np.random.default_rng(1).uniform(made.low, made.high, size=(20, len(made.features)))
        odds = np.array([member.log_odds(x) for _, member in made.members])
        one = odds.mean(axis=0) if made.second is None else made.second.log_odds(odds.T)
        assert made.probability(x) == pytest.approx(1 / (1 + np.exp(-made.platt[0] * one - made.platt[1])))
        found[how] = made
    assert not np.allclose(found["mean"].held_out.probability, found["logistic"].held_out.probability)


def test_what_is_not_known_about_malignancy_is_told(asked):
    lesions, volumes = asked
    blank = {scan: tuple(replace(one, malignant=None) for one in every) for scan, every in lesions.items()}
    made = rl.imaging.cad_train(blank, volumes, classifier="logistic", folds=2)
    assert made.malignancy is None
    assert "nothing is known about malignancy: no probability of it" in made.notes
    assert "malignancy" not in rl.imaging.cad_apply(made, volumes["p1"], name="p1").rows()[0]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"classifier": "net"}, "classifier must be one of"),
        ({"balance": ["none", "none"]}, "balance must name one or more, each once"),
        ({"combination": "mean"}, "combination must be 'none' for one classifier"),
        ({"features": ["luck"]}, "features must be some of"),
        ({"folds": 1}, "folds must be a whole number of at least 2"),
        ({"sensitivity": 0.8, "cost": 3}, "must be one rule for the operating point, got sensitivity and cost"),
        ({"sensitivity": 2}, "sensitivity must satisfy 0 < sensitivity <= 1"),
        ({"sensitivity": 1.0, "response": 25}, "sensitivity must be one that is reached"),
        ({"cost": -1}, "cost must be"),
        ({"false_positives": 0}, "false_positives must be"),
    ],
)
def test_bad_choices_are_one_sentence(asked, change, said):
    with pytest.raises(InputError, match=said):
        rl.imaging.cad_train(*asked, **{"classifier": "logistic", "folds": 2, **change})


def test_bad_scans_are_one_sentence(asked, scans):
    lesions, volumes = asked
    one = volumes["p1"]
    for given, said in (
        ({"p1": one}, "scans must be two or more, to hold some out, got 1 scan"),
        ({"p1": one, "p9": one}, "scans must be different, got the same voxels as 'p1' and 'p9'"),
        ([one], "scans must have names"),
        ("scan.nii", "scans must be a mapping"),
        (["a/x.nii", "b/x.nii"], "scans must have names of their own, got 2 scans 'x'"),
        ({"q1": one, "q2": volumes["p2"]}, "lesions must hold a nodule of the scans"),
    ):
        with pytest.raises(InputError, match=said):
            rl.imaging.cad_train(lesions, given)
    with pytest.raises(InputError, match="scan must be a Volume or a file"):
        rl.imaging.cad_apply("phantoms", 3, name="x")


@pytest.mark.nightly
def test_the_example_is_what_its_training_gives():
    again = train_example()
    kept = rl.imaging.read_cad_model(EXAMPLE)
    # other processors and scikit-learns grow other trees where sums tie
    assert again.operating.sensitivity == pytest.approx(kept.operating.sensitivity, abs=0.05)
    assert [one.name for one in again.scans] == [one.name for one in kept.scans]


@pytest.mark.nightly
def test_new_phantoms_are_found_at_few_false_positives():
    """CPM .80 was asked for; .92 on 24 phantoms of the spacing that trained it."""
    marks, truth = [], {}
    for seed in range(5001, 5013):
        one = rl.imaging.phantom_chest(
            size=(40, 128, 128), spacing=(2.0, 1.6, 1.6), nodules=8, diameters=(5, 16), rng=seed
        )
        name = f"s{seed}"
        marks += rl.imaging.cad_apply("phantoms", one.volume, name=name).marks()
        truth[name] = one.nodules
    from roclab.analysis.lung_cad.evaluate import froc_of_marks

    assert froc_of_marks(marks, truth, scans=list(truth), resampling=20).cpm > 0.8
