"""Breasts in DCE-MRI made by rule: fat, gland that enhances by itself, vessels, skin, chest wall, heart and lesions.

Everything is drawn from one seed. What differs between patients differs between seeds: how much gland there is and how
strongly it enhances, the dose that reaches the breast, when it arrives, how the breasts move, and the kinetics of every
lesion. Numbers that a method reaches on phantoms show that its steps work; they are not clinical performance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import check_choice, check_count, check_positive
from roclab._core.text import text_table
from roclab._core.types import Array, Floats
from roclab._core.work import Progress, spawn_generators
from roclab.errors import InputError, Words
from roclab.imaging.dce.case import MALIGNANT, DceCase
from roclab.imaging.dce.labels import rough_label
from roclab.imaging.dce.series import DceSeries
from roclab.imaging.phantoms.canvas import Canvas, capsule, cover, ellipsoid
from roclab.imaging.phantoms.dynamic import TissueMaps, scan_frames, smooth_field
from roclab.imaging.phantoms.lesions import BreastLesion, Wanted, paint_lesion
from roclab.imaging.phantoms.protocols import Protocol, protocol_of
from roclab.imaging.volumes import Volume
from roclab.names import LESION_KINDS, DceProtocol, LabelKind, LesionKind
from roclab.results import Result

__all__ = ["BREAST_TISSUES", "BreastPhantom", "make_breast"]

BREAST_TISSUES = {"air": 0, "fat": 1, "gland": 2, "skin": 3, "vessel": 4, "muscle": 5, "lung": 6, "heart": 7,
                  "lesion": 8}  # fmt: skip
_FIELD = 340.0  # mm: the width for which all lengths below are given
_INFINITE = math.inf

# Shares of a voxel's signal, T1 in seconds at 1.5 T, Ktrans per minute, ve and vp.
_FAT = {"s0": 1.0, "t1": 0.30, "ktrans": 0.003, "ve": 0.1, "vp": 0.004}
_GLAND = {"s0": 0.85, "t1": 1.05, "ve": 0.35, "vp": 0.02}
_SKIN = {"s0": 0.8, "t1": 0.9, "ktrans": 0.06, "ve": 0.3, "vp": 0.02}
_MUSCLE = {"s0": 0.8, "t1": 1.0, "ktrans": 0.06, "ve": 0.15, "vp": 0.02}
_LUNG = {"s0": 0.1, "t1": 1.1, "ktrans": 0.1, "ve": 0.2, "vp": 0.1}
_HEART = {"s0": 0.9, "t1": 1.4, "ktrans": 0.02, "ve": 0.2, "vp": 0.5}
_VESSEL = {"s0": 0.85, "t1": 1.4, "ktrans": 0.02, "ve": 0.2, "vp": 0.35}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BreastPhantom(Result):
    """A DCE-MRI series and the truth about it."""

    series: DceSeries
    truth: Volume  # 0 normal, 1 to 99 benign lesions, 101 to 199 malignant ones, numbered in the order of ``lesions``
    tissues: Volume  # by the numbers of ``BREAST_TISSUES``
    breast: Volume  # True in the breasts, without skin
    lesions: tuple[BreastLesion, ...]
    protocol: Protocol
    background: float  # Ktrans of the gland, per minute: how strongly normal tissue enhances
    moved: Floats  # mm (frames, sides, zyx)
    seed: str
    notes: tuple[str, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """One row per lesion."""
        return [
            {
                "lesion": at + 1, "kind": one.kind, "x": one.position[0], "y": one.position[1], "z": one.position[2],
                "diameter_mm": one.diameter, "ktrans": one.ktrans, "voxels": one.voxels,
            }
            for at, one in enumerate(self.lesions)
        ]  # fmt: skip

    def as_case(
        self, name: str, *, label: LabelKind = "dilated", mm: float = 3.0, one_lesion: bool = False, rng: Any = 0
    ) -> DceCase:
        """A case with the truth, and with a label such as an expert draws: "exact", "dilated" or "shifted" by mm.

        ``one_lesion`` marks the largest lesion only.
        """
        marked = rough_label(self.truth, kind=label, mm=mm, one_lesion=one_lesion, rng=np.random.default_rng(rng))
        return DceCase(name=name, series=self.series, label=marked, truth=self.truth)

    def to_dict(self) -> dict[str, Any]:
        """Everything but the images."""
        return {
            "series": self.series.to_dict(), "lesions": self.rows(), "protocol": self.protocol.name,
            "background": self.background, "seed": self.seed, "notes": list(self.notes),
        }  # fmt: skip

    def __str__(self) -> str:
        size, gaps = (" x ".join(f"{n:g}" for n in one) for one in (self.series.shape, self.series.place.spacing))
        about = (
            f"breast phantom of {len(self.series.frames)} frames, {size} voxels of {gaps} mm, "
            f"{self.protocol.name} protocol, gland with Ktrans {self.background:.3f}/min, seed {self.seed}"
        )
        return "\n".join([about, "", text_table(self.rows()) if self.lesions else "no lesions", *self.notes])


def make_breast(
    *,
    size: Sequence[int] = (32, 96, 128),
    spacing: Sequence[float] | None = None,
    lesions: int | Sequence[tuple[LesionKind, float]] = 3,
    diameters: tuple[float, float] = (7.0, 22.0),
    protocol: DceProtocol | Protocol = "reference",
    background: float | None = None,
    noise: float | None = None,
    motion: float = 0.5,
    bias: float = 0.2,
    rng: Any = None,
    progress: Progress | None = None,
) -> BreastPhantom:
    """A breast phantom; see :func:`roclab.phantom_breast`. O(voxels frames)."""
    shape, gaps = _checked_size(size, spacing)
    scanned = protocol_of(protocol)
    streams, seed = spawn_generators(rng, 8)
    wanted = _wanted(lesions, diameters, streams[0])
    for name, value in (("motion", motion), ("bias", bias), ("noise", scanned.noise if noise is None else noise)):
        if not 0 <= float(value) < math.inf:
            raise InputError(name, "must be 0 or a finite number above it", value)
    if background is not None:
        check_positive(background, "background", way_out="0.03 per minute is usual")
    level = float(np.exp(math.log(0.035) + 0.6 * streams[1].normal())) if background is None else float(background)
    canvas = Canvas(grey=np.zeros(shape, np.float32), kind=np.zeros(shape, np.int16), spacing=gaps)
    maps = TissueMaps(**{name: np.full(shape, value, np.float32) for name, value in
                         (("s0", 0.0), ("t1", 1.0), ("ktrans", 0.0), ("ve", 0.2), ("vp", 0.0))})  # fmt: skip
    scale = shape[2] * gaps[2] / _FIELD
    breasts = _paint_anatomy(canvas, maps, scale, level, streams[2])
    place = Volume(array=np.zeros(shape, np.int8), spacing=gaps, origin=_origin(shape, gaps), oriented=True,
                   modality="MR")  # fmt: skip
    truth = np.zeros(shape, np.int16)
    notes: list[str] = []
    found = []
    centres: list[tuple[Floats, float]] = []
    for kind, diameter in wanted:
        centre = _room(canvas, breasts, centres, diameter, streams[3])
        if centre is None:
            notes.append(f"no room was left for a {kind} lesion of {diameter:.1f} mm")
            continue
        centres.append((centre, diameter))
        number = len(centres) + (MALIGNANT if kind == "malignant" else 0)
        ktrans = paint_lesion(canvas, maps, truth, number, centre, diameter, kind, streams[4])
        found.append((kind, centre, diameter, ktrans, number))
    canvas.kind[truth > 0] = BREAST_TISSUES["lesion"]
    frames, moved = scan_frames(
        maps, gaps, scanned, dose=float(np.exp(0.15 * streams[5].normal())),
        late=scanned.jitter * float(streams[5].normal()), noise=scanned.noise if noise is None else float(noise),
        motion=float(motion), bias=float(bias), rng=streams[5:8], progress=progress,
    )  # fmt: skip
    times = np.array(scanned.times)
    before = int(np.count_nonzero(times <= scanned.arrival))
    baseline = frames[:before].mean(axis=0, dtype=np.float32)
    made = tuple(
        BreastLesion(
            kind=kind, position=tuple(place.to_world(canvas.index(centre))[0].tolist()), diameter=diameter,
            ktrans=ktrans, voxels=int((truth == number).sum()),
        )
        for kind, centre, diameter, ktrans, number in found
    )  # fmt: skip
    return BreastPhantom(
        series=DceSeries(frames=frames, times=times, arrival=scanned.arrival, place=place.with_array(baseline)),
        truth=place.with_array(truth), tissues=place.with_array(canvas.kind),
        breast=place.with_array(breasts.inside < -2.5), lesions=made, protocol=scanned, background=level, moved=moved,
        seed=seed, notes=tuple(notes),
    )  # fmt: skip


def _checked_size(size: Any, spacing: Any) -> tuple[tuple[int, int, int], tuple[float, float, float]]:
    if np.ndim(size) != 1 or len(size) != 3:
        raise InputError("size", "must be three numbers of voxels, z, y and x", size, "32, 96, 128 is usual")
    shape = tuple(check_count(n, "size", least=least, most=4096, way_out="a phantom has 3 slices of 32 x 32 or more")
                  for n, least in zip(size, (3, 32, 32), strict=True))  # fmt: skip
    if spacing is None:
        return shape, (150.0 / shape[0], _FIELD / shape[2], _FIELD / shape[2])  # type: ignore[return-value]
    if np.ndim(spacing) != 1 or len(spacing) != 3 or not all(0 < float(step) < math.inf for step in spacing):
        raise InputError("spacing", "must be three numbers above 0", spacing, "in mm, z first")
    return shape, tuple(float(step) for step in spacing)  # type: ignore[return-value]


def _wanted(lesions: Any, diameters: Any, rng: np.random.Generator) -> list[Wanted]:
    """Kinds and diameters: given, or both kinds in turn with diameters drawn evenly on a logarithmic scale."""
    if np.ndim(diameters) != 1 or len(diameters) != 2 or not 0 < diameters[0] <= diameters[1] < math.inf:
        raise InputError("diameters", "must satisfy 0 < smallest <= largest", diameters, "in mm")
    if isinstance(lesions, int | np.integer) and not isinstance(lesions, bool):
        many = check_count(int(lesions), "lesions", least=0, most=20, way_out="3 is usual")
        first = int(rng.integers(2))
        sizes = np.exp(rng.uniform(math.log(diameters[0]), math.log(diameters[1]), size=many))
        return [(LESION_KINDS[(at + first) % 2], float(one)) for at, one in enumerate(sizes)]
    out: list[Wanted] = []
    for one in lesions:
        if len(one) != 2 or not 0 < float(one[1]) < math.inf:
            raise InputError("lesions", "must be a number, or pairs of kind and diameter", Words(repr(one)),
                             "('malignant', 12.0) for example")  # fmt: skip
        check_choice(one[0], "lesions", LESION_KINDS)
        out.append((one[0], float(one[1])))
    return out


def _origin(shape: tuple[int, int, int], gaps: tuple[float, float, float]) -> tuple[float, float, float]:
    z, y, x = (-(n - 1) / 2 * step for n, step in zip(shape, gaps, strict=True))
    return x, y, z


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Breasts:
    """Distances in mm, below 0 inside."""

    inside: Array  # the breasts in front of the muscle
    gland: Array  # where gland may be: lesions grow there


def _paint_anatomy(
    canvas: Canvas, maps: TissueMaps, scale: float, level: float, rng: np.random.Generator
) -> _Breasts:  # fmt: skip
    place, width = canvas.place, canvas.width
    shape, gaps = canvas.grey.shape, canvas.spacing
    depth = shape[0] * gaps[0]
    kinds = BREAST_TISSUES

    def paint(distance: Array, kind: str, values: dict[str, Any]) -> None:
        covered = np.broadcast_to(cover(distance, width), shape).astype(np.float32)
        maps.mix(covered, None, **values)
        canvas.kind[covered >= 0.5] = kinds[kind]

    def column(centre: tuple[float, float], half: tuple[float, float]) -> Array:
        middle, wide = (0.0, centre[0] * scale, centre[1] * scale), (_INFINITE, half[0] * scale, half[1] * scale)
        whole: Array = ellipsoid(place, middle, wide) + 0 * place[0]
        return whole

    chest = column((95, 0), (75, 150))
    sides = []
    for side in (-1, 1):
        tilt = rng.normal() * 4 * scale
        half = (0.62 * depth, (92 + 8 * rng.normal()) * scale, (60 + 3 * rng.normal()) * scale)
        sides.append(ellipsoid(place, (tilt, 12 * scale, side * 75 * scale), half))
    breasts = np.minimum(*sides)
    whole = np.minimum(breasts, chest)
    paint(whole, "skin", _SKIN)
    paint(whole + 2.2, "fat", _FAT)
    muscle = column((98, 0), (70, 142))
    paint(muscle, "muscle", _MUSCLE)
    for side in (-1, 1):
        paint(column((115, side * 75), (48, 52)), "lung", _LUNG)
    paint(ellipsoid(place, (-0.2 * depth, 85 * scale, 18 * scale), (0.5 * depth, 38 * scale, 42 * scale)),
          "heart", _HEART)  # fmt: skip
    front = np.maximum(breasts, -(muscle - 3))  # in front of the muscle
    # Gland: the inner part of the breast where a coarse field is high; how much of it there is differs by patient.
    texture = smooth_field(shape, gaps, 14.0 * scale, rng)
    inner = [ellipsoid(place, (0.0, 0.0, side * 75 * scale), (0.45 * depth, 70 * scale, 46 * scale))
             for side in (-1, 1)]  # fmt: skip
    zone = np.maximum(np.minimum(*inner), front + 6)
    amount = rng.uniform(-0.5, 0.7)
    gland = np.maximum(zone, (amount - texture) * 5.0 * scale)
    uptake = level * np.exp(0.5 * smooth_field(shape, gaps, 10.0 * scale, rng))
    paint(gland, "gland", {**_GLAND, "ktrans": uptake.astype(np.float32)})
    _paint_vessels(canvas, maps, scale, depth, rng)
    return _Breasts(inside=front, gland=zone)


def _paint_vessels(canvas: Canvas, maps: TissueMaps, scale: float, depth: float, rng: np.random.Generator) -> None:
    """Some vessels from the chest wall towards the nipple, in short straight pieces."""
    for side in (-1, 1):
        for _ in range(4):
            at = np.array([rng.uniform(-0.35, 0.35) * depth, 15 * scale, side * (75 + rng.uniform(-35, 35)) * scale])
            radius = rng.uniform(0.9, 1.6) * scale
            for _ in range(6):
                after = at + np.array([rng.normal() * 7, -rng.uniform(6, 14), rng.normal() * 7]) * scale
                box = canvas.box(np.stack([at, after]), radius)
                if box is not None:
                    covered = cover(capsule(canvas.place_of(box), at, after, radius, radius), canvas.width)
                    covered = (covered * min(1.0, 2 * radius / canvas.width)).astype(np.float32)
                    inside = np.isin(canvas.kind[box], (BREAST_TISSUES["fat"], BREAST_TISSUES["gland"]))
                    maps.mix(covered * inside, box, **_VESSEL)
                    canvas.kind[box][(covered >= 0.5) & inside] = BREAST_TISSUES["vessel"]
                at, radius = after, 0.9 * radius


def _room(
    canvas: Canvas, breasts: _Breasts, taken: list[tuple[Floats, float]], diameter: float, rng: np.random.Generator
) -> Floats | None:
    """A centre in the gland's zone, away from its surface and from other lesions; None where there is none."""
    deep = np.flatnonzero(breasts.gland.ravel() < -0.35 * diameter)
    if deep.size == 0:
        return None
    shape = np.array(canvas.grey.shape)
    for chosen in rng.choice(deep, size=60):
        index = np.array(np.unravel_index(chosen, canvas.grey.shape))
        centre: Floats = (index - (shape - 1) / 2) * np.array(canvas.spacing)
        if all(np.linalg.norm(centre - other) > 0.6 * (diameter + size) + 8 for other, size in taken):
            return centre
    return None
