"""What the clustering of an image is given, checked: pixels, mask, radius, weight of the penalty, and the start."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from roclab._core.checks import check_count
from roclab._core.types import Array, Bools, Floats
from roclab.errors import InputError, MissingValuesError, Words
from roclab.fuzzy.image_start import check_distinct, histogram_centres, noise_of, random_memberships
from roclab.fuzzy.synchronous import Step, synchronous_step
from roclab.names import ClusterStart

__all__ = ["beta_of", "checked_image", "first_memberships", "radius_of", "seen_pixels"]


_KEPT = tuple(np.dtype(name) for name in ("int8", "uint8", "int16", "uint16"))


def checked_image(image: Any, mask: Any, channels: bool, dtype: Any) -> tuple[Array, Bools | None, tuple[int, ...]]:
    """Pixels with channels last, the mask, and the shape of the image."""
    if np.dtype(dtype) not in (np.dtype(np.float32), np.dtype(np.float64)):
        raise InputError("dtype", "must be float32 or float64", Words(str(np.dtype(dtype))))
    try:
        pixels = np.asarray(image)
        # Small whole numbers are exact in either precision, and are converted slab by slab instead of kept twice.
        if pixels.dtype not in _KEPT:
            pixels = pixels.astype(dtype, copy=False)
    except (TypeError, ValueError):
        raise InputError("image", "must be an array of numbers", Words(type(image).__name__)) from None
    if not channels:
        pixels = pixels[..., None]
    shape = pixels.shape[:-1]
    if len(shape) not in (2, 3) or pixels.size == 0:
        raise InputError(
            "image", "must have two or three axes", Words(f"shape {np.shape(image)}"),
            "with channels=True the last axis holds the channels",
        )  # fmt: skip
    inside: Bools | None = None
    if mask is not None:
        inside = np.asarray(mask).astype(np.bool_)
        if inside.shape != shape:
            raise InputError("mask", f"must have the shape {shape} of the image", Words(f"{inside.shape}"))
        if not inside.any():
            raise InputError("mask", "must leave pixels to cluster", Words("none"))
        if inside.all():
            inside = None
    whole = pixels.dtype in _KEPT
    values = pixels if inside is None or whole else pixels[inside]
    if not whole and not np.isfinite(values).all():
        raise MissingValuesError(
            "image", "must hold finite numbers", Words(f"{int((~np.isfinite(values)).sum())} missing or infinite"),
            "leave them out by a mask",
        )  # fmt: skip
    if inside is not None and not whole and not np.isfinite(pixels).all():
        pixels = np.where(inside[..., None], pixels, 0)
    return pixels, inside, shape


def radius_of(radius: Any, shape: tuple[int, ...]) -> tuple[int, ...]:
    """One radius per axis."""
    given = [radius] * len(shape) if np.ndim(radius) == 0 else list(radius)
    if len(given) != len(shape):
        raise InputError("radius", f"must be one number, or one for each of {len(shape)} axes", radius)
    return tuple(check_count(one, "radius", least=0, most=50, way_out="1 is usual") for one in given)


def beta_of(beta: Any, pixels: Array, inside: Bools | None, radius: tuple[int, ...]) -> float:
    """The weight of the penalty, from the noise where it is "auto"."""
    if isinstance(beta, str):
        if beta != "auto":
            raise InputError("beta", "must be a number, 'auto' or 'cross-validation'", beta)
        # A box is no wider than the image: one slice of a volume has the neighbours of a picture.
        neighbours = math.prod(min(2 * one + 1, n) for one, n in zip(radius, pixels.shape[:-1], strict=True)) - 1
        return 0.0 if neighbours == 0 else 2 * noise_of(pixels, inside) ** 2 * 8 / neighbours
    value = float(beta)
    if not (0 <= value < math.inf):
        raise InputError("beta", "must be 0 or a finite number above it", beta, "'auto' follows the noise of the image")
    return value


def seen_pixels(held_out: Any, inside: Bools | None, shape: tuple[int, ...]) -> Bools | None:
    """Pixels whose values may be looked at; None for all."""
    if held_out is None:
        return None
    hidden = np.asarray(held_out).astype(np.bool_)
    if hidden.shape != shape:
        raise InputError("held_out", f"must have the shape {shape} of the image", Words(f"{hidden.shape}"))
    seen: Bools = ~hidden
    if not (seen if inside is None else seen & inside).any():
        raise InputError("held_out", "must leave pixels to look at", Words("none"))
    return seen


def first_memberships(
    pixels: Array,
    inside: Bools | None,
    seen: Bools | None,
    clusters: int,
    start: ClusterStart,
    centres: Any,
    memberships: Any,
    fuzziness: float,
    rng: Any,
    dtype: Any,
) -> tuple[Array, Floats | None]:
    """Memberships to begin with, and centres where those are given."""
    shape = pixels.shape[:-1]
    chosen = inside if seen is None else seen if inside is None else seen & inside
    values = pixels.reshape(-1, pixels.shape[-1]) if chosen is None else pixels[chosen]
    if memberships is not None:
        u = np.array(memberships, dtype=dtype)
        if u.shape != (clusters, *shape):
            raise InputError("memberships", f"must have the shape {(clusters, *shape)}", Words(f"{u.shape}"))
        if inside is not None:
            u *= inside
        return u, None if centres is None else _given_centres(centres, clusters, pixels.shape[-1])
    if centres is None and start == "random":
        check_distinct(values, clusters)
        return random_memberships(clusters, shape, inside, dtype, rng), None
    found = (
        histogram_centres(values, clusters) if centres is None else _given_centres(centres, clusters, pixels.shape[-1])
    )
    plain = Step(pixels=pixels, mask=inside, seen=seen, beta=0.0, radius=(0,) * len(shape), fuzziness=fuzziness)
    u = np.zeros((clusters, *shape), dtype=dtype)
    synchronous_step(plain, u, found)
    return u, found


def _given_centres(centres: Any, clusters: int, channels: int) -> Floats:
    found = np.asarray(centres, dtype=np.float64)
    if found.ndim == 1:
        found = found[:, None]
    if found.shape != (clusters, channels):
        raise InputError(
            "centres", f"must have {clusters} rows and {channels} columns", Words(f"shape {np.shape(centres)}")
        )
    if not np.isfinite(found).all():
        raise InputError("centres", "must be finite numbers", Words("missing or infinite ones"))
    return found
