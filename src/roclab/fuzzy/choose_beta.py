"""The weight of the penalty by cross-validation: pixels whose values are hidden are told by their neighbours.

Some pixels are held out, the image is clustered without looking at them, and each is predicted by the mean of the
centres under its memberships, which come from its neighbours alone. The weight that predicts best is chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import check_count, check_fraction, plural
from roclab._core.text import text_table
from roclab._core.work import Progress, spawn_generators
from roclab.errors import InputError, Words
from roclab.fuzzy.image_input import beta_of, checked_image, radius_of
from roclab.fuzzy.robust import robust_cmeans
from roclab.results import Result

__all__ = ["BetaChoice", "choose_beta"]

_FACTORS = (0.25, 0.5, 1.0, 2.0, 4.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class BetaChoice(Result):
    """Error of every weight on held-out pixels, and the best one."""

    beta: float
    tried: tuple[float, ...]
    errors: tuple[float, ...]  # mean squared, over all repeats
    held_out: float
    repeats: int
    seed: str

    def rows(self) -> list[dict[str, Any]]:
        """One row per weight."""
        return [{"beta": one, "mean squared error": error} for one, error in zip(self.tried, self.errors, strict=True)]

    def __str__(self) -> str:
        how = f"{self.held_out:.0%} of the pixels held out, {plural(self.repeats, 'time')}, seed {self.seed}"
        summary = f"best beta {self.beta:g}; {how}"
        return f"{text_table(self.rows())}\n\n{summary}"


def choose_beta(
    image: Any,
    clusters: int,
    betas: Sequence[float] | None = None,
    *,
    held_out: float = 0.1,
    repeats: int = 1,
    rng: Any = None,
    progress: Progress | None = None,
    **options: Any,
) -> BetaChoice:
    """Try weights on held-out pixels; options as in :func:`robust_cmeans`. O(weights x repeats) clusterings.

    A weight of 0 leaves the neighbours silent, so that a held-out pixel belongs to all classes alike; it is allowed as
    the reference that every other weight should beat. By default weights around the one that "auto" takes are tried.
    """
    tried = _around_the_noise(image, options) if betas is None else [float(one) for one in betas]
    if not tried:
        raise InputError("betas", "must hold at least one weight", Words("none"))
    share = check_fraction(held_out, "held_out", open_ends=True, way_out="0.1 holds out a tenth")
    check_count(repeats, "repeats", least=1, way_out="1 draws the pixels once")
    mask = options.get("mask")
    pixels = np.asarray(image, dtype=np.float64)
    shape = pixels.shape[:-1] if options.get("channels") else pixels.shape
    values = pixels if options.get("channels") else pixels[..., None]
    streams, seed = spawn_generators(rng, repeats + 1)
    generators, start = streams[:-1], int(streams[-1].integers(2**32))  # every weight starts from the same memberships
    errors = np.zeros(len(tried))
    for done, generator in enumerate(generators):
        hidden = generator.random(shape) < share
        if mask is not None:
            hidden &= np.asarray(mask, bool)
        if not hidden.any():
            raise InputError("held_out", "must hold out at least one pixel", held_out, "hold out more")
        for at, beta in enumerate(tried):
            found = robust_cmeans(image, clusters, beta=beta, held_out=hidden, rng=start, **options)
            predicted = np.einsum("kn,kc->nc", found.memberships[:, hidden].astype(np.float64), found.centres)
            errors[at] += float(np.mean((predicted - values[hidden]) ** 2)) / repeats
            if progress is not None:
                progress(done * len(tried) + at + 1, repeats * len(tried))
    best = tried[int(np.argmin(errors))]
    return BetaChoice(
        beta=best, tried=tuple(tried), errors=tuple(errors.tolist()), held_out=share, repeats=repeats, seed=seed
    )


def _around_the_noise(image: Any, options: dict[str, Any]) -> list[float]:
    """Multiples of the weight that follows from the noise."""
    pixels, inside, shape = checked_image(image, options.get("mask"), bool(options.get("channels")), np.float32)
    usual = beta_of("auto", pixels, inside, radius_of(options.get("radius", 1), shape))
    if usual == 0:
        raise InputError("betas", "must be given where the image has no noise to start from", Words("none"))
    return [usual * factor for factor in _FACTORS]
