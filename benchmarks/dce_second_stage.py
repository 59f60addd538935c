"""Does a second stage that sees the surroundings beat the early image? The guide's page on DCE-MRI, "What would beat".

``python benchmarks/dce_second_stage.py [folder with dce_invivo_davidssmith.npz]`` prints its tables; 15 minutes on two
cores. Variants were compared on other seeds (4001 to 4012 and 5001 to 5012); these were looked at once.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from scipy import ndimage
from scipy.special import stdtrit
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import roclab as rl
from dce_experiments import real_series
from roclab._core.text import text_table
from roclab.imaging.dce.confidence import confidence_volume, smoothed
from roclab.imaging.dce.signal_space import FLOOR
from roclab.imaging.dce.subtraction import early_frame, subtraction

TRAINING = range(3001, 3013)
HELD_BACK = {"group 1": (range(6001, 6025), "reference"), "group 2": (range(7001, 7025), "external")}
SECOND = (
    "confidence", "confidence, 3 mm", "confidence, 6 mm", "confidence less background", "early", "early, 3 mm",
    "early less background", "early to the case", "median", "least rise", "opening",
)  # fmt: skip
SHOWN = ("early", "early, 3 mm", "confidence", "confidence, 3 mm", "second stage")


def made(seed: int, protocol: str = "reference") -> tuple[Any, Any, Any]:
    """A phantom, its case with a rough label, and the mask that is found."""
    phantom = rl.imaging.phantom_breast(rng=seed, protocol=protocol)
    case = phantom.as_case(f"case {seed}", rng=seed)
    return phantom.truth, case, rl.imaging.dce_mask(phantom.series).mask.array


def features(series: Any, inside: Any, confidence: Any) -> dict[str, Any]:
    """What a voxel looks like in its surroundings; the last three do not change by a shift of one voxel, or little."""
    steps = series.place.spacing
    low = FLOOR * float(np.median(series.baseline[inside]))
    early = subtraction(series, "early", lowest=low)

    def wide(image: Any, mm: float) -> Any:
        return smoothed(image, inside, steps, mm)

    early3, confidence3 = wide(early, 3.0), wide(confidence, 3.0)
    spread = float(np.subtract(*np.percentile(early[inside], [90, 10])))
    least = series.frames[early_frame(series)] - ndimage.maximum_filter(series.baseline, size=3)
    return {
        "confidence": confidence, "confidence, 3 mm": confidence3, "confidence, 6 mm": wide(confidence, 6.0),
        "confidence less background": confidence3 - wide(confidence, 15.0), "early": early, "early, 3 mm": early3,
        "early less background": early3 - wide(early, 15.0),
        "early to the case": (early3 - np.median(early[inside])) / (spread + 1e-6),
        "median": ndimage.median_filter(early, size=3), "least rise": least / np.maximum(series.baseline, low),
        "opening": wide(ndimage.grey_opening(confidence, size=(1, 3, 3)), 2.0),
    }  # fmt: skip


def points(case: Any, inside: Any, rng: np.random.Generator) -> tuple[Any, Any]:
    """Voxels of the label, and eighteen times as many further than 5 mm from it."""
    label = case.label.array > 0
    far = ndimage.distance_transform_edt(~label, sampling=case.series.place.spacing) > 5
    positive, others = np.flatnonzero(label & inside), np.flatnonzero(far & inside)
    negative = rng.choice(others, min(len(others), 18 * len(positive)), replace=False)
    return np.r_[positive, negative], np.r_[np.ones(len(positive)), np.zeros(len(negative))]


def trained() -> tuple[Any, Any]:
    """The network of all training cases, and the second stage on confidences of networks that had not seen the case."""
    cases = [made(seed) for seed in TRAINING]
    every = [case for _, case, _ in cases]
    halves = [rl.imaging.dce_train(part, rng=1) for part in (every[0::2], every[1::2])]
    network = rl.imaging.dce_train(every, rng=1)
    rng = np.random.default_rng(5)
    rows, labels = [], []
    for at, (_, case, inside) in enumerate(cases):
        unseen = confidence_volume(halves[1 - at % 2], case.series, inside).volume.array
        found = features(case.series, inside, unseen)
        where, label = points(case, inside, rng)
        rows.append(np.column_stack([found[name].ravel()[where] for name in SECOND]))
        labels.append(label)
    stage = make_pipeline(StandardScaler(), MLPClassifier((16,), max_iter=200, random_state=1))
    return network, stage.fit(np.concatenate(rows), np.concatenate(labels))


def images(network: Any, stage: Any, series: Any, inside: Any) -> dict[str, Any]:
    """Values of the voxels of a mask, by image."""
    found = features(series, inside, confidence_volume(network, series, inside).volume.array)
    second = stage.predict_proba(np.column_stack([found[name][inside] for name in SECOND]))[:, 1]
    return {**{name: found[name][inside] for name in SHOWN[:-1]}, SHOWN[-1]: second}


def differences(areas: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Mean differences of the areas of cases from that of the early image, with limits by t over cases."""
    out = []
    for name in SHOWN[1:]:
        apart = np.array(areas[name]) - np.array(areas["early"])
        half = stdtrit(apart.size - 1, 0.975) * apart.std(ddof=1) / np.sqrt(apart.size)
        out.append({"image": name, "mean AUC": float(np.mean(areas[name])), "less early": float(apart.mean()),
                    "95% low": float(apart.mean() - half), "95% high": float(apart.mean() + half)})  # fmt: skip
    return out


def main() -> None:
    network, stage = trained()
    for group, (seeds, protocol) in HELD_BACK.items():
        areas: dict[str, list[float]] = {name: [] for name in SHOWN}
        scores: dict[str, list[Any]] = {name: [] for name in SHOWN}
        labels, ids = [], []
        for seed in seeds:
            truth, case, inside = made(seed, protocol)
            lesion = (truth.array[inside] > 0).astype(int)
            for name, values in images(network, stage, case.series, inside).items():
                areas[name].append(rl.auc(lesion, values.astype(float)).area)
                scores[name].append(values.astype(float))
            labels.append(lesion)
            ids.append(np.full(lesion.size, seed))
        print(f"\n## {group}, areas of single cases\n\n{text_table(differences(areas))}")
        pooled = {name: np.concatenate(scores[name]) for name in ("early", "confidence, 3 mm", "second stage")}
        print(
            f"\nall voxels together\n\n{rl.compare(np.concatenate(labels), pooled, ids=np.concatenate(ids))}",
            flush=True,
        )
    if len(sys.argv) > 1:
        series, mask, truth = real_series(Path(sys.argv[1]))
        inside = mask.mask.array
        lesion = (truth.array[inside] > 0).astype(int)
        found = images(network, stage, series, inside)
        print({name: round(rl.auc(lesion, one.astype(float)).area, 4) for name, one in found.items()})


if __name__ == "__main__":
    main()
