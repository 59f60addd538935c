"""A chest CT made by rule: body, ribs, spine, lungs, vessels, airways and nodules, of which the truth is known.

Everything is drawn from one seed. Numbers that a method reaches on phantoms show that its steps work; they are not
clinical performance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from scipy import ndimage

from roclab._core.checks import check_choice, check_count, plural
from roclab._core.text import text_table
from roclab._core.types import Array, Floats
from roclab._core.work import Progress, spawn_generators
from roclab.errors import InputError, Words
from roclab.imaging.phantoms.canvas import Canvas, Place, capsule, cover, ellipsoid
from roclab.imaging.phantoms.nodules import NODULE, Nodule, is_malignant, paint_nodule
from roclab.imaging.phantoms.trees import Tree, grow_tree
from roclab.imaging.volumes import Volume
from roclab.names import NODULE_PLACES, NODULE_TEXTURES, NodulePlace, NoduleTexture
from roclab.results import Result

__all__ = ["TISSUES", "ChestPhantom", "make_chest"]

TISSUES = {"air": 0, "body": 1, "bone": 2, "right lung": 3, "left lung": 4, "vessel": 5, "airway": 6}
PADDING = -2048  # outside the field of view, as scanners write it
_FIELD = 360.0  # mm: the field of view of an adult, for which all lengths below are given
_INFINITE = math.inf


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ChestPhantom(Result):
    """A chest CT and the truth about it."""

    volume: Volume  # Hounsfield units, int16
    labels: Volume  # tissues by the numbers of ``TISSUES``; nodules from 100 on, in the order of ``nodules``
    lungs: Volume  # 1 right, 2 left, with everything that lies in them
    nodules: tuple[Nodule, ...]
    noise: float
    seed: str
    notes: tuple[str, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """One row per nodule."""
        return [
            {
                "nodule": at + 1, "x": one.position[0], "y": one.position[1], "z": one.position[2],
                "diameter_mm": one.diameter, "place": one.place, "texture": one.texture,
                "malignant": one.malignant, "voxels": one.voxels,
            }
            for at, one in enumerate(self.nodules)
        ]  # fmt: skip

    def annotations(self, scan: str = "phantom") -> list[dict[str, Any]]:
        """The nodules in the columns of LUNA16, as ``froc`` reads them."""
        return [
            {
                "seriesuid": scan,
                "coordX": nodule.position[0], "coordY": nodule.position[1], "coordZ": nodule.position[2],
                "diameter_mm": nodule.diameter, "malignant": int(nodule.malignant),
            }
            for nodule in self.nodules
        ]  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Everything but the images."""
        return {
            "size": list(self.volume.shape),
            "spacing": list(self.volume.spacing),
            "nodules": self.rows(),
            "noise": self.noise,
            "seed": self.seed,
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        size, gaps = (" x ".join(f"{n:g}" for n in one) for one in (self.volume.shape, self.volume.spacing))
        about = f"chest phantom of {size} voxels of {gaps} mm, noise {self.noise:g} HU, seed {self.seed}"
        return "\n".join([about, "", text_table(self.rows()) if self.nodules else "no nodules", *self.notes])


def make_chest(
    *,
    size: Sequence[int] = (64, 256, 256),
    spacing: Sequence[float] | None = None,
    nodules: int | Sequence[tuple[NodulePlace, NoduleTexture, float]] = 12,
    diameters: tuple[float, float] = (4.0, 20.0),
    noise: float = 30.0,
    rng: Any = None,
    progress: Progress | None = None,
) -> ChestPhantom:
    """A chest phantom; see :func:`roclab.phantom_chest`. O(voxels)."""
    shape, gaps = _checked_size(size, spacing)
    low, high = _checked_diameters(diameters)
    if not 0 <= float(noise) < math.inf:
        raise InputError("noise", "must be 0 or a finite number above it", noise, "30 HU is usual")
    streams, seed = spawn_generators(rng, 6)
    wanted = _wanted(nodules, low, high, streams[0])
    tell = progress or (lambda done, total: None)
    canvas = Canvas(grey=np.full(shape, -1000.0, dtype=np.float32), kind=np.zeros(shape, dtype=np.int16), spacing=gaps)
    scale = shape[2] * gaps[2] / _FIELD
    depth = shape[0] * gaps[0]
    _paint_body(canvas, scale)
    tell(1, 5)
    lungs = _paint_lungs(canvas, scale, depth, streams[1])
    tell(2, 5)
    trees = _paint_trees(canvas, lungs, scale, depth, streams[2])
    tell(3, 5)
    found, notes = _paint_nodules(canvas, lungs, trees, wanted, streams[3])
    tell(4, 5)
    place = Volume(array=np.zeros(shape, dtype=np.int8), spacing=gaps, origin=_origin(shape, gaps), oriented=True,
                   modality="CT")  # fmt: skip
    made = [
        Nodule(
            position=tuple(place.to_world(canvas.index(centre))[0].tolist()), diameter=diameter, place=where,
            texture=texture, malignant=malignant, voxels=int((canvas.kind == NODULE + at).sum()),
        )
        for at, (centre, diameter, where, texture, malignant) in enumerate(found)
    ]  # fmt: skip
    grey = _scanned(canvas, float(noise), streams[4])
    tell(5, 5)
    inside = np.select([lungs.right < 0, lungs.left < 0], [1, 2]).astype(np.uint8)
    return ChestPhantom(
        volume=place.with_array(grey), labels=place.with_array(canvas.kind), lungs=place.with_array(inside),
        nodules=tuple(made), noise=float(noise), seed=seed, notes=tuple(notes),
    )  # fmt: skip


def _checked_size(size: Any, spacing: Any) -> tuple[tuple[int, int, int], tuple[float, float, float]]:
    if np.ndim(size) != 1 or len(size) != 3:
        raise InputError("size", "must be three numbers of voxels, z, y and x", size, "64, 256, 256 is usual")
    shape = tuple(check_count(n, "size", least=least, most=4096, way_out="a phantom has 3 slices of 32 x 32 or more")
                  for n, least in zip(size, (3, 32, 32), strict=True))  # fmt: skip
    if spacing is None:
        return shape, (2.5, _FIELD / shape[2], _FIELD / shape[2])  # type: ignore[return-value]
    if np.ndim(spacing) != 1 or len(spacing) != 3 or not all(0 < float(step) < math.inf for step in spacing):
        raise InputError("spacing", "must be three numbers above 0", spacing, "in mm, z first")
    return shape, tuple(float(step) for step in spacing)  # type: ignore[return-value]


def _checked_diameters(diameters: Any) -> tuple[float, float]:
    if np.ndim(diameters) != 1 or len(diameters) != 2 or not 0 < diameters[0] <= diameters[1] < math.inf:
        raise InputError("diameters", "must satisfy 0 < smallest <= largest", diameters, "in mm")
    return float(diameters[0]), float(diameters[1])


Wanted = tuple[NodulePlace, NoduleTexture, float]


def _wanted(nodules: Any, low: float, high: float, rng: np.random.Generator) -> list[Wanted]:
    """Kinds and diameters: given, or every kind in turn with diameters drawn evenly on a logarithmic scale."""
    if isinstance(nodules, int | np.integer) and not isinstance(nodules, bool):
        many = check_count(int(nodules), "nodules", least=0, most=500, way_out="12 is usual")
        kinds = list(product(NODULE_PLACES, NODULE_TEXTURES))
        order = np.concatenate([rng.permutation(len(kinds)) for _ in range(many // len(kinds) + 1)])[:many]
        sizes = np.exp(rng.uniform(math.log(low), math.log(high), size=many))
        return [(*kinds[at], float(one)) for at, one in zip(order, sizes, strict=True)]
    out = []
    for one in nodules:
        if len(one) != 3 or not 0 < float(one[2]) < math.inf:
            raise InputError(
                "nodules", "must be a number, or tuples of place, texture and diameter", Words(repr(one)),
                "('solitary', 'solid', 8.0) for example",
            )  # fmt: skip
        check_choice(one[0], "nodules", NODULE_PLACES)
        check_choice(one[1], "nodules", NODULE_TEXTURES)
        out.append((one[0], one[1], float(one[2])))
    return out


def _origin(shape: tuple[int, int, int], gaps: tuple[float, float, float]) -> tuple[float, float, float]:
    """Of the first voxel, so that the middle of the phantom is at 0."""
    z, y, x = (-(n - 1) / 2 * step for n, step in zip(shape, gaps, strict=True))
    return x, y, z


def _paint_body(canvas: Canvas, scale: float) -> None:
    z, y, x = place = canvas.place
    width, kind = canvas.width, TISSUES

    def column(centre: tuple[float, float], half: tuple[float, float]) -> Array:
        """An upright elliptic cylinder: the same in every slice."""
        return ellipsoid(
            (np.zeros_like(z[:1]), y, x), (0.0, centre[0] * scale, centre[1] * scale),
            (_INFINITE, half[0] * scale, half[1] * scale),
        )  # fmt: skip

    whole = np.zeros_like(z)
    outline = column((0, 0), (112, 160))
    canvas.paint(cover(np.abs(y - 128 * scale) - 3 * scale, width) + 0 * x + whole, -300.0, kind["body"])  # the table
    canvas.paint(cover(outline, width) + whole, -100.0, kind["body"])  # fat
    canvas.paint(cover(column((0, 0), (98, 146)), width) + whole, 45.0, kind["body"])  # muscle and blood
    wall = column((0, 0), (90, 137))
    level = z + 0.35 * y  # ribs fall towards the front
    between = np.abs((level / (24 * scale)) % 1 - 0.5) * 24 * scale
    ribs = np.sqrt((wall / 0.7) ** 2 + between**2) - 6.0 * scale
    canvas.paint(cover(ribs, width), 420.0, kind["bone"])
    disc = (z / (26 * scale)) % 1 < 0.2
    canvas.paint(cover(column((72, 0), (17, 20)), width) + whole, np.where(disc, 90.0, 260.0), kind["bone"])
    canvas.paint(cover(column((-88, 0), (6, 20)), width) + whole, 200.0, kind["bone"])
    canvas.paint(cover(column((93, 0), (9, 7)), width) + whole, 350.0, kind["bone"])
    canvas.paint(cover(ellipsoid(place, (0, -30 * scale, 0), (_INFINITE, 26 * scale, 9 * scale)), width) + whole,
                 -80.0, kind["body"])  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Lungs:
    """Distances from the surface of each lung, below 0 inside."""

    right: Array
    left: Array
    both: Array
    cover: Array  # by either


def _paint_lungs(canvas: Canvas, scale: float, depth: float, rng: np.random.Generator) -> _Lungs:
    """Lungs with a heart between them, a spine behind and a diaphragm below; denser where they lie on their back."""
    place = canvas.place
    middle = -0.15 * depth
    heart = ellipsoid(place, (-0.25 * depth, -22 * scale, 16 * scale), (0.6 * depth, 46 * scale, 52 * scale))
    between = ellipsoid(place, (0, 0, 0), (_INFINITE, 82 * scale, 24 * scale))
    spine = ellipsoid(place, (0, 72 * scale, 0), (_INFINITE, 22 * scale, 26 * scale))
    away = np.minimum(np.minimum(heart, between), spine)
    sides = []
    for side in (-1, 1):
        lung = ellipsoid(place, (middle, 0, side * 70 * scale), (0.9 * depth, 80 * scale, 58 * scale))
        dome = ellipsoid(place, (-0.5 * depth, 8 * scale, side * 74 * scale), (0.14 * depth, 62 * scale, 44 * scale))
        sides.append(np.maximum(np.maximum(lung, -away), -dome).astype(np.float32))
    both = np.minimum(*sides)
    covered = cover(both, canvas.width)
    coarse = rng.normal(size=[max(2, round(n * s / (12 * scale))) for n, s in zip(both.shape, canvas.spacing,
                                                                                 strict=True)])  # fmt: skip
    texture = ndimage.zoom(coarse.astype(np.float32), [n / c for n, c in zip(both.shape, coarse.shape, strict=True)],
                           order=1, mode="nearest", grid_mode=True)  # fmt: skip
    grey = -865 + 45 * place[1] / (80 * scale) + 18 * texture
    canvas.paint(covered, grey, TISSUES["body"])
    for name, one in zip(("right lung", "left lung"), sides, strict=True):
        canvas.kind[one < 0] = TISSUES[name]
    return _Lungs(right=sides[0], left=sides[1], both=both, cover=covered)


def _paint_trees(canvas: Canvas, lungs: _Lungs, scale: float, depth: float, rng: np.random.Generator) -> list[Tree]:
    """Arteries and veins of both lungs; trachea and bronchi with their walls."""
    vessels = []
    for side, own in ((-1, lungs.right), (1, lungs.left)):
        inside = np.flatnonzero(own.ravel() < -3 * scale)
        for shift in (-8.0, 8.0):
            root = np.array([0.0, shift * scale, side * 22 * scale])
            tree = _tree_in(canvas, inside, root, 110, 0.62 * scale, 7 * scale, rng)
            _paint_tree(canvas, tree, 0.0, 40.0, TISSUES["vessel"])
            vessels.append(tree)
        root = np.array([0.04 * depth, 0.0, side * 24 * scale])
        airway = _tree_in(canvas, inside[own.ravel()[inside] < -12 * scale], root, 16, 0.9 * scale, 7 * scale, rng)
        bronchus = np.array([[0.12 * depth, 10 * scale, 0.0], root])
        _paint_tree(canvas, airway, 1.1 * scale, -60.0, TISSUES["vessel"])
        _paint_rod(canvas, bronchus, 7.5 * scale, 20.0, TISSUES["body"])
        _paint_rod(canvas, bronchus, 6.0 * scale, -1000.0, TISSUES["airway"])
        _paint_tree(canvas, airway, 0.0, -1000.0, TISSUES["airway"])
    trachea = np.array([[0.7 * depth, 10 * scale, 0.0], [0.12 * depth, 10 * scale, 0.0]])
    _paint_rod(canvas, trachea, 10.0 * scale, 20.0, TISSUES["body"])
    _paint_rod(canvas, trachea, 8.5 * scale, -1000.0, TISSUES["airway"])
    return vessels


def _tree_in(
    canvas: Canvas, inside: Array, root: Floats, leaves: int, radius: float, step: float, rng: np.random.Generator
) -> Tree:
    if inside.size == 0:
        return Tree(node=root[None], mother=np.array([-1]), radius=np.zeros(1))
    chosen = rng.choice(inside, size=leaves)
    index = np.stack(np.unravel_index(chosen, canvas.grey.shape), axis=1)
    at = (index - (np.array(canvas.grey.shape) - 1) / 2) * np.array(canvas.spacing)
    return grow_tree(root, at, radius=radius, step=step, rng=rng)


def _paint_tree(canvas: Canvas, tree: Tree, wall: float, value: float, kind: int) -> None:
    for at in range(1, len(tree.node)):
        last = float(tree.radius[at]) + wall
        first = last if tree.mother[at] == 0 else min(float(tree.radius[tree.mother[at]]) + wall, 1.3 * last)
        start, end = tree.node[tree.mother[at]], tree.node[at]
        canvas.paint_near(
            np.stack([start, end]), max(first, last),
            partial(capsule, start=start, end=end, first=first, last=last), value, kind,
            min(1.0, 2 * last / canvas.width),
        )  # fmt: skip


def _paint_rod(canvas: Canvas, ends: Floats, radius: float, value: float, kind: int) -> None:
    canvas.paint_near(
        ends, radius, partial(capsule, start=ends[0], end=ends[1], first=radius, last=radius), value, kind
    )


Found = tuple[Floats, float, NodulePlace, NoduleTexture, bool]


def _paint_nodules(
    canvas: Canvas, lungs: _Lungs, trees: list[Tree], wanted: list[Wanted], rng: np.random.Generator
) -> tuple[list[Found], list[str]]:
    """Each at a place of its kind, none near another; those without room are left out and told."""
    nodes = np.concatenate([tree.node[1:] for tree in trees])
    thick = np.concatenate([tree.radius[1:] for tree in trees])
    found: list[Found] = []
    crowded = 0
    free = np.flatnonzero(lungs.both.ravel() < 0)
    for where, texture, diameter in sorted(wanted, key=lambda one: -one[2]):  # large ones find room first
        centre = _centre(canvas, lungs, nodes, thick, free, where, diameter, found, rng)
        if centre is None:
            crowded += 1
            continue
        malignant = is_malignant(diameter, texture, rng)
        number = NODULE + len(found)
        paint_nodule(canvas, centre, diameter, texture, malignant, number, lungs.cover, rng)
        found.append((centre, diameter, where, texture, malignant))
    return found, [f"{plural(crowded, 'nodule')} left out: no room in the lungs"] if crowded else []


def _centre(
    canvas: Canvas, lungs: _Lungs, nodes: Floats, thick: Floats, free: Array, where: str, diameter: float,
    found: list[Found], rng: np.random.Generator,
) -> Floats | None:  # fmt: skip
    radius = diameter / 2
    shape, flat = np.array(canvas.grey.shape), lungs.both.ravel()
    half = (shape - 1) / 2 * np.array(canvas.spacing)
    if free.size == 0 or (where == "juxtavascular" and len(nodes) == 0):
        return None
    for _ in range(400):
        if where == "juxtavascular":
            at = int(rng.integers(len(nodes)))
            way = rng.normal(size=3)
            centre = nodes[at] + way / np.linalg.norm(way) * (0.75 * radius + thick[at])
        else:
            index = np.stack(np.unravel_index(int(rng.choice(free)), tuple(shape)))
            centre = index * np.array(canvas.spacing) - half
        index = np.rint(canvas.index(centre)).astype(int)
        if (np.abs(centre) > half - np.array([min(radius, half[0] / 2), 0, 0])).any():
            continue
        inner = -float(flat[int(np.ravel_multi_index(tuple(index), tuple(shape)))])
        apart = np.linalg.norm(nodes - centre, axis=1) - thick if len(nodes) else np.array([np.inf])
        fits = {
            "solitary": inner > radius + 3 and float(apart.min()) > min(1.15 * radius, radius + 2),
            "juxtavascular": inner > radius + 2,
            "juxtapleural": 0.3 * radius < inner < 0.8 * radius,
        }[where]
        clear = all(np.linalg.norm(centre - other) > 1.3 * (radius + size / 2) + 2 for other, size, *_ in found)
        if fits and clear:
            return np.asarray(centre, dtype=np.float64)
    return None


def _scanned(canvas: Canvas, noise: float, rng: np.random.Generator) -> Array:
    """What a scanner makes of it: blurred, noisy, padded outside its round field of view."""
    _, y, x = canvas.spacing
    grey = ndimage.gaussian_filter(canvas.grey, (0.3, 0.7 / y, 0.7 / x), mode="nearest")
    if noise > 0:
        grey += noise * _band_limited(grey.shape, rng)
    place: Place = canvas.place
    beyond = np.hypot(place[1], place[2]) > min(grey.shape[1] * y, grey.shape[2] * x) / 2
    grey = np.clip(np.rint(grey), -1024, 3071)
    return np.where(beyond, PADDING, grey).astype(np.int16)


def _band_limited(shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    """Noise of mean square 1 with the spectrum of filtered back-projection: a ramp that a smooth filter cuts off."""
    white = rng.normal(size=shape).astype(np.float32)
    rows, columns = np.fft.fftfreq(shape[1])[:, None], np.fft.rfftfreq(shape[2])[None, :]
    frequency = np.hypot(rows, columns)
    gain = frequency * np.exp(-((frequency / 0.28) ** 2))
    out = np.empty(shape, dtype=np.float32)
    for at in range(shape[0]):  # a slice at a time: the transform of all would be several copies
        out[at] = np.fft.irfft2(np.fft.rfft2(white[at]) * gain, s=shape[1:])
    return out / np.float32(out.std())
