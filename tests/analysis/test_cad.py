"""The stages of a lung CAD: cases by definition, areas of the verbs, a baseline that is always there, and reports."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace

import numpy as np
import pytest

import roclab as rl
from roclab.errors import InputError

FEATURES = ("sphericity", "mean", "sd", "inverse_elongation_cubic")


@dataclass(frozen=True)
class Lesion:
    position: tuple[float, float, float]
    diameter: float
    malignant: bool | None = None


@pytest.fixture(scope="module")
def one():
    chest = rl.imaging.phantom(size=(24, 96, 96), spacing=(2.5, 2.1, 2.1), nodules=8, diameters=(7, 16), rng=3)
    return chest, rl.imaging.nodules(chest.volume, lungs=chest.lungs, scan="p0", method="threshold")


@pytest.fixture(scope="module")
def study(one):
    """Ten scans with features drawn anew around those of one phantom: quick, and with all that a study has."""
    _, found = one
    random = np.random.default_rng(1)
    scans, lesions = [], {}
    for at in range(10):
        regions, true = [], []
        for number in range(1, 41):
            place = tuple(random.uniform(-80, 80, 3).tolist())
            nodule, malignant = number <= 6, bool(random.random() < 0.5)
            drawn = {name: float(random.normal(nodule * 1.2)) for name in FEATURES}
            base = dict(found.regions[0].features)
            size = float(random.uniform(4, 12) + 3 * malignant)
            regions.append(replace(
                found.regions[0], number=number, position=place,
                features={**base, **drawn, "diameter_mm": size, "blob_mm": float(random.normal(nodule))},
            ))  # fmt: skip
            if nodule:
                true.append(Lesion(place, size, malignant))
        true.append(Lesion((500.0, 500.0, 500.0), 5.0, False))  # in no region
        scans.append(replace(found, scan=f"s{at}", regions=tuple(regions)))
        lesions[f"s{at}"] = tuple(true)
    return scans, lesions, rl.imaging.cad_stages(scans, lesions, models=["logistic", "qdc"], resampling=20, rng=1)


def test_every_stage_has_its_cases_definition(study):
    scans, lesions, found = study
    assert list(found.stages) == ["regions", "nodules", "malignant"]
    assert (found.scans, found.lesions, found.missed) == (10, 70, 10)
    label, score = [], []
    for one in scans:
        for region in one.regions:
            near = [true for true in lesions[one.scan] if math.dist(true.position, region.position) < true.diameter / 2]
            label.append(bool(near))
            score.append(region.features["blob_mm"])
    first = found["regions"]
    assert first.areas["blob_mm"].area == pytest.approx(rl.auc(label, score).area)
    assert first.taucs["blob_mm"].area == pytest.approx(rl.auc(label, score, estimator="tauc").area)
    assert found["nodules"].cases.label.sum() == sum(label)
    assert len(found["malignant"].cases.label) == sum(label)
    assert {row["stage"] for row in found.rows()} == set(found.stages)
    assert "Research use, not a medical device" in str(found)
    assert json.dumps(found.to_dict())


def test_marks_of_every_model_are_analysed_with_the_lesions_missed(study):
    _, _, found = study
    second = found["nodules"]
    assert set(second.frocs) == set(second.areas) == {"logistic", "qdc", "mean of 2", "logistic on 2 scores"}
    for name, curve in second.frocs.items():
        assert (curve.lesions, curve.missed) == (70, 10)
        marks = curve.marks_as_cases()
        assert rl.auc(marks).area == pytest.approx(second.areas[name].area, abs=1e-9)


def test_malignancy_stands_beside_the_diameter_alone(study):
    _, _, found = study
    third = found["malignant"]
    assert "diameter alone" in third.areas
    against = third.against_baseline()
    assert {row["second"] for row in against} == {"diameter alone"}
    for row in against:
        gap = third.areas[row["first"]].area - third.areas["diameter alone"].area
        assert row["difference"] == pytest.approx(gap)
    assert found["nodules"].against_baseline() == []
    assert set(third.bench.hulls()) == {"detectors", "combiners", "detectors and combiners"}


def test_every_stage_writes_a_report_with_both_curves(study, tmp_path):
    _, _, found = study
    places = found.write_reports(tmp_path, rng=1, band=False)
    assert [place.name for place in places] == ["regions.html", "nodules.html", "malignant.html"]
    for place in places:
        page = place.read_text(encoding="utf-8")
        assert 'aria-label="tROC curves"' in page
        assert "not a medical device" in page
    assert "Better than the baseline?" in places[2].read_text(encoding="utf-8")
    told = json.loads((tmp_path / "nodules.json").read_text(encoding="utf-8"))["stage"]
    assert {row["score"] for row in told["areas"]} == set(found["nodules"].areas)
    assert any(row["false positives per scan"] == "mean (CPM)" for row in told["froc"])
    report = found["regions"].write_report(tmp_path / "again.html", also=("md",), rng=1, band=False)
    assert report.shows("stage")
    assert "## Stage" in (tmp_path / "again.md").read_text(encoding="utf-8")
    with pytest.raises(InputError, match="only names the section 'stage'"):
        rl.build_report([1, 0, 1, 0], [4, 3, 2, 1], only=["stage"])


def test_the_three_experiments_run_on_regions(study):
    scans, lesions, _ = study
    found = rl.imaging.cad_stages(scans, lesions, models=["logistic"], balance=["none", "random"], resampling=10, rng=1)
    assert set(found["nodules"].areas) == {"logistic (none)", "logistic (random)"}
    assert found["nodules"].bench.experiments().rows()


def test_a_table_of_lesions_does_as_well(study):
    scans, lesions, found = study
    rows = [
        {"seriesuid": scan, "coordX": one.position[0], "coordY": one.position[1], "coordZ": one.position[2],
         "diameter_mm": one.diameter, "malignant": int(one.malignant)}
        for scan, every in lesions.items() for one in every
    ]  # fmt: skip
    table = {name: [row[name] for row in rows] for name in rows[0]}
    again = rl.imaging.cad_stages(scans, table, models=["logistic", "qdc"], resampling=20, rng=1)
    assert again.rows() == found.rows()
    del table["malignant"]
    assert "malignant" not in rl.imaging.cad_stages(scans, table, models=["logistic"], resampling=10).stages


def test_the_diameter_alone_is_not_trained(study):
    scans, lesions, found = study
    third = found["malignant"]
    label, size = [], []
    for one in scans:
        for region in one.regions[:6]:
            (true,) = (t for t in lesions[one.scan] if t.position == region.position)
            label.append(true.malignant)
            size.append(region.features["diameter_mm"])
    assert third.areas["diameter alone"].area == pytest.approx(rl.auc(label, size).area)


def test_of_several_regions_in_a_nodule_the_largest_is_judged(study):
    scans, lesions, found = study
    twice = []
    for one in scans:
        small = [replace(region, number=100 + region.number, voxels=1) for region in one.regions[:6]]
        twice.append(replace(one, regions=(*small, *one.regions)))
    again = rl.imaging.cad_stages(twice, lesions, models=["logistic", "qdc"], resampling=10, rng=1)
    assert len(again["malignant"].cases.label) == len(found["malignant"].cases.label)
    assert again["malignant"].areas["diameter alone"].area == found["malignant"].areas["diameter alone"].area


def test_what_is_not_known_is_told(study):
    scans, lesions, _ = study
    blank = {scan: tuple(replace(one, malignant=None) for one in every) for scan, every in lesions.items()}
    found = rl.imaging.cad_stages(scans, blank, models=["logistic"], resampling=10)
    assert "malignant" not in found.stages
    assert found.notes == ("nothing is known about malignancy: no third stage",)
    benign = {scan: tuple(replace(one, malignant=False) for one in every) for scan, every in lesions.items()}
    assert "too few of a class" in rl.imaging.cad_stages(scans, benign, models=["logistic"], resampling=10).notes[0]
    alone = rl.imaging.cad_stages(scans[0], lesions, resampling=10)
    assert list(alone.stages) == ["regions"]
    assert "one scan" in alone.notes[0]
    with pytest.raises(InputError, match="lesions must hold a nodule of the scans"):
        rl.imaging.cad_stages(scans, {"other": lesions["s0"]})
    with pytest.raises(InputError, match="features must be some of"):
        rl.imaging.cad_stages(scans, lesions, features=["luck"])
    with pytest.raises(InputError, match="regions must hold at least one region"):
        rl.imaging.cad_stages([], lesions)
    with pytest.raises(InputError, match="nodules and others"):
        rl.imaging.cad_stages(replace(scans[0], regions=scans[0].regions[:3]), lesions)


# -- candidates of another program -----------------------------------------------------------------


def test_marks_of_another_program_get_features(one):
    chest, found = one
    marks = [
        {"seriesuid": "p0", "coordX": region.position[0], "coordY": region.position[1], "coordZ": region.position[2],
         "probability": 0.01 * region.number}
        for region in found.regions[:5]
    ]  # fmt: skip
    middle = tuple(found.labels.to_world((np.array(found.labels.shape) - 1) / 2)[0])
    marks.append({**marks[0], "coordX": 9999.0})
    marks.append({**marks[0], "coordX": middle[0], "coordY": middle[1] + 70.0, "coordZ": middle[2]})
    marks.append({**marks[0], "seriesuid": "another"})
    table = {name: [row[name] for row in marks] for name in marks[0]}
    taken = rl.imaging.nodules(chest.volume, lungs=chest.lungs, scan="p0", marks=table)
    assert len(taken.regions) == 5
    assert taken.score == "probability"
    assert [row["probability"] for row in taken.marks()] == sorted(
        (row["probability"] for row in marks[:5]), reverse=True
    )
    for region in taken.regions:
        index = np.rint(found.labels.to_index(region.position)[0]).astype(int)
        number = int(taken.labels.array[tuple(index)])
        assert number in (0, region.number)  # the centre of a bent region may lie outside it
    assert any("1 mark of 7 outside the volume" in note for note in taken.notes)
    assert any("1 mark of 7 without a region" in note for note in taken.notes)
    with pytest.raises(InputError, match="marks must hold marks of the scan 'p9', got those of 'p0', 'another'"):
        rl.imaging.nodules(chest.volume, lungs=chest.lungs, scan="p9", marks=table)
