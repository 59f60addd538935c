"""How good is each stage of a lung CAD? Regions, nodule or vessel, benign or malignant: one after the other.

Research use, not a medical device.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from roclab._core.checks import check_level, plural
from roclab._core.types import Floats
from roclab._core.work import Progress
from roclab.analysis.bench.ask import bench
from roclab.analysis.bench.result import Bench
from roclab.analysis.cad_results import BASELINE, CadStage, CadStages
from roclab.analysis.froc import froc
from roclab.analysis.froc_results import Froc
from roclab.analysis.lesions import lesions_by_scan
from roclab.benching.classifiers.one_feature import OneFeature
from roclab.benching.detectors import MAJORITY, Detector
from roclab.data.cases import Cases
from roclab.errors import InputError, RoclabError, RoclabWarning, Words
from roclab.imaging.lungs.candidates import Candidates
from roclab.imaging.lungs.features import feature_names
from roclab.inference.areas_of_cases import areas_of
from roclab.inference.one_area.area import area_of_method
from roclab.names import BenchBalance
from roclab.options.uncertainty import AreaUncertainty, Resampling

__all__ = ["FOUR_FEATURES", "cad_stages"]

FOUR_FEATURES = ("sphericity", "mean", "sd", "inverse_elongation_cubic")
_MODELS = ("logistic", "qdc", "parzen")
_FEWEST = 5  # of either class: fewer tell nothing


def cad_stages(
    regions: Candidates | Sequence[Candidates],
    lesions: Any,
    *,
    features: Sequence[str] = FOUR_FEATURES,
    models: Any = _MODELS,
    balance: BenchBalance | Sequence[BenchBalance] = "none",
    second_level: Any = "logistic",
    folds: int = 5,
    level: float = 0.95,
    resampling: Resampling | int | None = 200,
    rng: Any = 0,
    progress: Progress | None = None,
) -> CadStages:
    """ROC, tROC and FROC analysis of every stage of a lung CAD.

    1. *regions*: which regions are nodules, told by the feature that scores them alone.
    2. *nodules*: nodule or vessel, by classifiers trained on other scans, their mean and a second-level classifier.
    3. *malignant*: benign or malignant, by the largest region in each nodule, always beside its diameter alone.

    Parameters
    ----------
    regions : Candidates, or a sequence of them
        What :func:`nodules` found in every scan, or at the marks of another program.
    lesions : mapping of scans to nodules, or a table
        True nodules with ``position``, ``diameter`` and, for the third stage, ``malignant``, as those of a phantom
        have; or a table in the columns of LUNA16, where it is known with a column ``malignant`` of 0 and 1.
    features : sequence of str
        Of the second stage; the third sees ``diameter_mm`` too.
    models, balance, second_level, folds, rng
        As in :func:`bench`; scans stay together. ``second_level=None`` leaves combinations out.
    level, resampling
        Confidence level, and bootstrap samples of scans for the FROC analysis.

    Returns
    -------
    CadStages
        ``.rows()``, ``stages["nodules"].bench`` (with ``hulls()``, ``compare()``, ``experiments()``), ``.frocs``, and
        ``.write_reports(folder)``: a page for every stage.
    """
    check_level(level)
    every = [regions] if isinstance(regions, Candidates) else list(regions)
    lesions = lesions_by_scan(lesions)
    table = _table(every, lesions, features)
    known = sorted({one.scan for one in every})
    truth = _truth(known, lesions)
    if not truth["seriesuid"]:
        raise InputError("lesions", "must hold a nodule of the scans", Words("none"), "name scans as regions do")
    hit = np.array(table["hit"]) > 0
    if not 0 < hit.sum() < hit.size:
        raise InputError("regions", "must hold nodules and others", Words("one of them only"))
    asked: dict[str, Any] = {
        "models": models, "second_level": second_level, "folds": min(folds, len(known)), "level": level, "rng": rng,
        "progress": progress,
    }  # fmt: skip
    scored: dict[str, Any] = {"level": level, "resampling": resampling, "rng": rng, "scans": known}
    score = every[0].score
    ids = np.array(table["scan"]) if len(known) > 1 else None  # regions of the only scan stand for themselves
    first = Cases(
        label=hit, scores={score: np.array(table["score"])}, ids=ids, positive="nodule",
        negative="other", direction={score: "higher"},
    )  # fmt: skip
    marks = {score: froc(_marks(table, np.array(table["score"])), truth, detector=score, **scored)}
    stages = {"regions": _stage("regions", "Which regions of interest are nodules?", first, level, marks, None)}
    total = len(truth["seriesuid"])
    missed = marks[score].missed
    if len(known) < 2:
        note = (
            "one scan: its regions count as independent, and the other stages need scans that classifiers have not seen"
        )
        return CadStages(stages=stages, scans=1, lesions=total, missed=missed, notes=(note,))
    second = _bench({**table, "label": hit.astype(int).tolist()}, features, balance=balance, **asked)
    marks = {
        name: froc(_marks(table, _by_row(second, name, hit.size)), truth, detector=name, **scored)
        for name in second.complete
        if not second.is_baseline(name)
    }
    stages["nodules"] = _stage("nodules", "Nodule or vessel?", _cases(second, "nodule", "other"), level, marks, second)
    notes = []
    third, why = _malignant(table, lesions, features, asked)
    if third is None:
        notes.append(why)
    else:
        cases = _cases(third, "malignant", "benign")
        stages["malignant"] = _stage("malignant", "Benign or malignant?", cases, level, {}, third)
    return CadStages(stages=stages, scans=len(known), lesions=total, missed=missed, notes=tuple(notes))


def _table(
    every: Sequence[Candidates], lesions: Mapping[str, Sequence[Any]], features: Sequence[str]
) -> dict[str, list[Any]]:
    """Every region of every scan: place, features, score, and the lesion it lies in."""
    held = [set(region.features) for one in every for region in one.regions]
    known = [name for name in feature_names("dots") if all(name in one for one in held)]
    unknown = [name for name in features if name not in known]
    if held and (unknown or not features):
        raise InputError("features", f"must be some of {', '.join(known)}", Words(", ".join(unknown) or "none"))
    rows = []
    for one in every:
        for row, region, hit in zip(one.rows(), one.regions, one.hits(lesions.get(one.scan, ())), strict=True):
            rows.append({**row, "score": region.features[one.score], "hit": hit})
    if not rows:
        raise InputError("regions", "must hold at least one region", Words("none"))
    if len({one.score for one in every}) > 1:
        raise InputError("regions", "must be scored by one feature", Words("several"), "give score= to nodules")
    return {name: [row[name] for row in rows] for name in rows[0]}


def _truth(known: Sequence[str], lesions: Mapping[str, Sequence[Any]]) -> dict[str, list[Any]]:
    found = [(scan, one) for scan in known for one in lesions.get(scan, ())]
    return {
        "seriesuid": [scan for scan, _ in found],
        **{f"coord{axis}": [float(one.position[at]) for _, one in found] for at, axis in enumerate("XYZ")},
        "diameter_mm": [float(one.diameter) for _, one in found],
    }


def _marks(table: Mapping[str, list[Any]], score: Floats) -> dict[str, Any]:
    return {"seriesuid": table["scan"], **{f"coord{axis}": table[axis.lower()] for axis in "XYZ"}, "probability": score}


def _bench(
    table: Mapping[str, list[Any]], features: Sequence[str], *, second_level: Any, folds: int, balance: Any = "none",
    **asked: Any,
) -> Bench:  # fmt: skip
    columns = {"label": table["label"], "scan": table["scan"], **{name: table[name] for name in features}}
    found = bench(columns, label="label", ids="scan", score=list(features), balance=balance, folds=folds, **asked)
    plain = [one.name for one in found.detectors if one.name not in (BASELINE, MAJORITY)]
    complete = [name for name in plain if all(found.model_name(name, b) in found.complete for b in found.balances)]
    if second_level is None or len(complete) < 2:
        return found
    return found.combine(["mean"], second_level=second_level, models=complete)


def _by_row(found: Bench, model: str, count: int) -> Floats:
    """Out-of-fold scores in the order of the regions."""
    out = np.empty(count)
    rows = found.out_of_fold()
    out[[row["row"] - 1 for row in rows]] = [row[model] for row in rows]
    return out


def _cases(found: Bench, positive: str, negative: str) -> Cases:
    """The out-of-fold scores, without the baseline that calls every case alike."""
    kept = found.scores.select([name for name in found.complete if not found.is_baseline(name)])
    return Cases(
        label=kept.label, scores=dict(kept.scores), ids=kept.ids, positive=positive, negative=negative,
        direction=dict(kept.direction),
    )  # fmt: skip


def _stage(
    name: str, question: str, cases: Cases, level: float, marks: Mapping[str, Froc], found: Bench | None
) -> CadStage:
    return CadStage(
        name=name,
        question=question,
        cases=cases,
        areas=areas_of(cases, area_of_method("empirical"), AreaUncertainty(level=level)),
        taucs=areas_of(cases, area_of_method("tauc"), AreaUncertainty(level=level)),
        frocs=dict(marks),
        bench=found,
    )


def _malignant(
    table: Mapping[str, list[Any]], lesions: Mapping[str, Sequence[Any]], features: Sequence[str], asked: dict[str, Any]
) -> tuple[Bench | None, str]:
    """The third stage, or why there is none."""
    largest: dict[tuple[str, int], int] = {}
    for row, (scan, hit, size) in enumerate(zip(table["scan"], table["hit"], table["voxels"], strict=True)):
        if hit and ((scan, hit) not in largest or size > table["voxels"][largest[scan, hit]]):
            largest[scan, hit] = row
    at = sorted(largest.values())
    matched = [lesions[table["scan"][row]][table["hit"][row] - 1] for row in at]
    if any(getattr(one, "malignant", None) is None for one in matched):
        return None, "nothing is known about malignancy: no third stage"
    label = [int(one.malignant) for one in matched]
    if min(sum(label), len(label) - sum(label)) < _FEWEST:
        many = plural(sum(label), "malignant nodule")
        return None, f"{many} of {len(label)} with a region: too few of a class for a third stage"
    part: dict[str, list[Any]] = {name: [values[row] for row in at] for name, values in table.items()}
    part["label"] = label
    seen = [*features, *([] if "diameter_mm" in features else ["diameter_mm"])]
    baseline = Detector(name=BASELINE, classifier=OneFeature(), features=("diameter_mm",))
    models = asked["models"] if isinstance(asked["models"], Sequence) and not isinstance(asked["models"], str) else [
        asked["models"]
    ]  # fmt: skip
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RoclabWarning)
            return _bench(part, seen, **{**asked, "models": [*models, baseline]}), ""
    except RoclabError as error:
        return None, f"no third stage: {error}"
