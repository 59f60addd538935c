"""A DCE-MRI as it is shown: frames as subtractions, the confidence, maps of its curves, and the curves themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from roclab._core.types import Array, Bools, Floats
from roclab.analysis.dce.ask import dce_apply, dce_mask, dce_series, phantom_breast
from roclab.analysis.dce.train import dce_train
from roclab.analysis.viewing.scene import Curves, Image, Labels, Scene, coded, empty_scene, label_codes
from roclab.errors import InputError, Words
from roclab.imaging.dce.confidence import Confidence
from roclab.imaging.dce.maps import CURVE_TYPES, LEAST_RISE, curve_maps
from roclab.imaging.dce.masks import mask_of
from roclab.imaging.dce.series import DceSeries
from roclab.imaging.dce.signal_space import FLOOR
from roclab.imaging.dce.subtraction import early_frame
from roclab.imaging.volumes import Volume

__all__ = ["BASELINE", "CONFIDENCE", "REGIONS", "scene_of_series", "show_example", "show_series"]

BASELINE, CONFIDENCE, REGIONS = "before contrast agent", "confidence", "suspicious regions"
_SLOPE = 1e-3  # of relative enhancement
_MOST = 32_000


def show_series(
    path: str, *, times: Any = None, arrival: float | None = None, model: str | None = None, anterior: Any = None
) -> Scene:
    """A file of four axes or a folder of DICOM, with the confidence of a model where one is named."""
    series = dce_series(path, times=times, arrival=arrival)
    confidence = None
    if model is not None:
        confidence = dce_apply(model, series, mask=dce_mask(series, anterior=anterior))
    return scene_of_series(series, called=Path(path).name, confidence=confidence, anterior=anterior)


def scene_of_series(
    series: DceSeries, *, called: str, confidence: Confidence | None = None, truth: Any = None, mask: Any = None,
    anterior: Any = None,
) -> Scene:  # fmt: skip
    """A series, ready to be shown; O(voxels frames), two bytes each.

    Means are of the lesions where their ``truth`` is given, else of the suspicious regions, and of normal tissue, which
    is the mask without them.
    """
    scene = empty_scene(called, series.place)
    notes = [*scene.notes, *series.notes]
    if mask is not None:
        inside = mask_of(mask, series)
    elif confidence is not None:
        inside = confidence.mask.array
    else:
        inside, said = _found_mask(series, anterior)
        notes += said
    lowest = FLOOR * float(np.median(series.baseline[inside]))
    stack = _enhancement(series, lowest)
    turned = scene.turn.forward(stack)
    within = scene.turn.forward(inside)
    seconds = series.after_arrival
    rest = scene.turn.forward(series.baseline)
    scene.add(coded(BASELINE, rest, window=_bright(rest, within)))
    shared = (0.0, _top(turned, within))
    early = early_frame(series) - series.before
    for at, time in enumerate(seconds):
        said_early = ", early" if at == early else ""
        scene.add(
            Image(
                name=f"{time:.0f} s less before{said_early}", codes=turned, frame=at, slope=_SLOPE, window=shared,
            )
        )  # fmt: skip
    scene.add(Image(name="maximum less before", codes=turned.max(axis=0), slope=_SLOPE, window=shared))
    maps = curve_maps(turned * np.float32(_SLOPE), seconds, within)
    if confidence is not None:
        scene.add(coded(CONFIDENCE, scene.turn.forward(confidence.volume.array), window=(0.0, 1.0), colour=True))
    scene.add(coded("time to peak", maps.time_to_peak, window=(0.0, float(seconds[-1])), unit="s", colour=True))
    scene.add(coded("wash-out", maps.wash_out, window=(-0.3, 0.3), colour=True))
    if maps.told:
        scene.add(
            Labels(name="types of curves", codes=label_codes(maps.types), words=CURVE_TYPES, filled=True)
        )  # fmt: skip
        notes.append(f"maps of curves show voxels that rise by {100 * LEAST_RISE:g}% or more within 150 s of arrival")
    else:
        notes.append("the series ends too early to tell types of curves")
    scene.add(Labels(name="mask", codes=label_codes(within.astype(np.uint8))))
    lesions = _lesions(series, truth)
    findings = None if confidence is None else confidence.findings
    means, parts, of_parts = {}, "", {}
    marked = np.zeros(series.shape, dtype=np.bool_)
    if findings is not None and findings.findings:
        numbers = findings.labels.array
        marked |= numbers > 0
        scene.add(
            Labels(
                name=REGIONS, codes=label_codes(scene.turn.forward(numbers)),
                words={one.number: f"region {one.number}, type {one.type or 'not told'}" for one in findings.findings},
            )
        )  # fmt: skip
        parts, of_parts = REGIONS, {one.number: one.curve for one in findings.findings}
        if lesions is None:
            means["mean of suspicious regions"] = _mean(stack, marked)
    if lesions is not None:
        marked = lesions > 0
        scene.add(Labels(name="lesions", codes=label_codes(scene.turn.forward(lesions))))
        if marked.any():
            means["mean of lesions"] = _mean(stack, marked)
    rest_of = inside & ~marked
    if rest_of.any():
        means["mean of normal tissue"] = _mean(stack, rest_of)
    scene.curves = Curves(
        seconds=seconds, stack=turned, slope=_SLOPE, means=means, parts=parts, of_parts=of_parts
    )  # fmt: skip
    scene.start = _start(scene, findings.labels.array == 1 if findings is not None and findings.findings else inside)
    scene.notes = tuple(dict.fromkeys(notes))
    return scene


def show_example() -> Scene:
    """A phantom of breasts with its lesions, and the confidence of a model that is trained on three others."""
    size = (16, 72, 96)
    made = phantom_breast(size=size, lesions=[("malignant", 22.0), ("benign", 20.0)], rng=9)
    cases = [phantom_breast(size=size, rng=seed).as_case(f"phantom {seed}") for seed in (1, 2, 3)]
    found = dce_apply(dce_train(cases, classifier="logistic", rng=1), made.series)
    return scene_of_series(made.series, called="phantom of breasts", confidence=found, truth=made.truth)


def _start(scene: Scene, where: Bools) -> tuple[int, int, int] | None:
    """The voxel of a part that lies nearest to its centre."""
    places = np.argwhere(scene.turn.forward(where))
    if not len(places):
        return None
    z, y, x = places[np.argmin(((places - places.mean(axis=0)) ** 2).sum(axis=1))].tolist()
    return z, y, x


def _enhancement(series: DceSeries, lowest: float) -> Array:
    """Relative enhancement of every frame with contrast agent, as codes of a thousandth (t, z, y, x)."""
    rest = series.baseline.astype(np.float32)
    below = np.maximum(rest, np.float32(max(lowest, 1e-30)))
    out = np.empty((len(series.frames) - series.before, *series.shape), dtype="<i2")
    for at, frame in enumerate(series.frames[series.before :]):
        out[at] = np.rint(np.clip((frame - rest) / below / _SLOPE, -_MOST, _MOST))
    return out


def _found_mask(series: DceSeries, anterior: Any) -> tuple[Bools, list[str]]:
    """The breast; where none is found, as in phantoms of other organs, all that has signal."""
    try:
        found = dce_mask(series, anterior=anterior)
    except InputError as error:
        inside: Bools = series.baseline > 0.1 * float(np.quantile(series.baseline, 0.99))
        return inside, [f"no breast was found ({error}); normal tissue is all that has signal"]
    return found.mask.array, list(found.notes)


def _lesions(series: DceSeries, truth: Any) -> Any:
    if truth is None:
        return None
    if not isinstance(truth, Volume) or not truth.same_place(series.place):
        raise InputError("truth", "must be a volume in the place of the series", Words("another"))
    return np.asarray(truth.array).astype(np.int32)


def _mean(stack: Array, where: Bools) -> Floats:
    found: Floats = stack[:, where].mean(axis=1, dtype=np.float64) * _SLOPE
    return found


def _top(stack: Array, inside: Bools) -> float:
    """The highest of the images' 99.5th percentiles in the mask: one window for all."""
    tops = [float(np.quantile(one[inside], 0.995)) for one in stack] if inside.any() else [0.0]
    return max(max(tops) * _SLOPE, 0.1)


def _bright(rest: Array, inside: Bools) -> tuple[float, float]:
    bright = float(np.quantile(rest[inside], 0.995)) if inside.any() else float(rest.max())
    return 0.0, 1.3 * bright if bright > 0 else 1.0
