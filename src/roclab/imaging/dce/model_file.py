"""Models of DCE-MRI in files (:mod:`roclab.imaging.array_file`).

The file holds every number as it was in memory, and is checked on its way in: that all parts are there and that their
shapes fit one another.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from roclab._core.types import Array
from roclab.imaging.array_file import finite_numbers, read_arrays, refuse_file, write_arrays
from roclab.imaging.dce.model import DceModel, TrainingCase
from roclab.imaging.dce.network import ACTIVATIONS, Network
from roclab.imaging.dce.signal_space import SignalSpace
from roclab.names import CURVE_TRANSFORMATIONS

__all__ = ["VERSION", "read_model", "write_model"]

KIND, VERSION = "roclab DCE model", 1
_LARGEST = 64 * 2**20  # bytes of a file, and of one array: no network of this kind is larger


def write_model(model: DceModel, path: str | os.PathLike[str], *, name: str = "path") -> Path:
    """Write a model, whole or not at all; the same model gives the same bytes."""
    about = {
        "kind": KIND, "version": VERSION, "transformation": model.space.transformation, "floor": model.space.floor,
        "layers": len(model.network.weights), "activation": model.network.activation, "classifier": model.classifier,
        "cases": [[case.name, case.positives, case.negatives] for case in model.cases], "margin": model.margin,
        "digests": [case.digest for case in model.cases], "ratio": model.ratio, "seed": model.seed,
        "notes": list(model.notes), "about": dict(model.about),
    }  # fmt: skip
    arrays: dict[str, Array] = {
        "grid": model.space.grid, "centre": model.space.centre, "components": model.space.components,
        "input_centre": model.network.centre, "input_scale": model.network.scale, "loss": model.loss,
        "positives": model.positives, "negatives": model.negatives,
    }  # fmt: skip
    for at, (weight, offset) in enumerate(zip(model.network.weights, model.network.offsets, strict=True)):
        arrays |= {f"weight{at}": weight, f"offset{at}": offset}
    return write_arrays(path, about, arrays, name=name)


def read_model(path: str | os.PathLike[str], *, name: str = "model") -> DceModel:
    """The model of a file, exactly as it was written."""
    arrays, about = read_arrays(path, kind=KIND, version=VERSION, name=name)
    return _model(arrays, about, Path(path), name)


def _model(arrays: dict[str, Array], about: dict[str, Any], place: Path, name: str) -> DceModel:
    try:
        layers = int(about["layers"])
        network = Network(
            centre=finite_numbers(arrays["input_centre"], 1), scale=finite_numbers(arrays["input_scale"], 1),
            weights=tuple(finite_numbers(arrays[f"weight{at}"], 2) for at in range(layers)),
            offsets=tuple(finite_numbers(arrays[f"offset{at}"], 1) for at in range(layers)),
            activation=_one_of(about["activation"], ACTIVATIONS),
        )  # fmt: skip
        space = SignalSpace(
            transformation=_one_of(about["transformation"], CURVE_TRANSFORMATIONS),
            grid=finite_numbers(arrays["grid"], 1), floor=float(about["floor"]),
            centre=finite_numbers(arrays["centre"], 1),
            components=finite_numbers(arrays["components"], 2),
        )  # fmt: skip
        _check_shapes(space, network)
        return DceModel(
            space=space, network=network, classifier=str(about["classifier"]),
            cases=_cases(about),
            margin=float(about["margin"]), ratio=float(about["ratio"]), loss=finite_numbers(arrays["loss"], 1),
            positives=_points(arrays["positives"], space), negatives=_points(arrays["negatives"], space),
            seed=str(about["seed"]), notes=tuple(map(str, about["notes"])),
            about={str(key): str(value) for key, value in about["about"].items()},
        )  # fmt: skip
    except (KeyError, TypeError, ValueError, AttributeError):
        refuse_file(place, name, "damaged")


def _cases(about: dict[str, Any]) -> tuple[TrainingCase, ...]:
    every = about["cases"]
    digests = about.get("digests") or [""] * len(every)
    return tuple(
        TrainingCase(name=str(a), positives=int(b), negatives=int(c), digest=str(digest))
        for (a, b, c), digest in zip(every, digests, strict=True)
    )


def _one_of(word: Any, known: Any) -> Any:
    if word not in known:
        raise ValueError(word)
    return word


def _points(array: Array, space: SignalSpace) -> Array:
    if array.dtype != np.float32 or array.ndim != 2 or array.shape[1] != space.dimension:
        raise ValueError("no points of the space")
    return array


def _check_shapes(space: SignalSpace, network: Network) -> None:
    """Every layer takes what the one before gives, the first a point of the space, and the last gives one number."""
    size = space.dimension
    grid_fits = space.grid.size > 0 and (space.grid > 0).all() and (np.diff(space.grid) > 0).all()
    pca_fits = space.transformation != "pca" or space.components.shape[1] == space.centre.size == space.grid.size
    if not (grid_fits and pca_fits and network.centre.size == network.scale.size == size and (network.scale > 0).all()):
        raise ValueError("shapes do not fit")
    for weight, offset in zip(network.weights, network.offsets, strict=True):
        if weight.shape[0] != size or offset.shape != (weight.shape[1],):
            raise ValueError("shapes do not fit")
        size = weight.shape[1]
    if size != 1 or not network.weights:
        raise ValueError("shapes do not fit")
