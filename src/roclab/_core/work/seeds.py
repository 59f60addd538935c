"""Randomness: a seed or a generator in, independent generators out, and the seed on record."""

from __future__ import annotations

from typing import Any

import numpy as np

from roclab.errors import InputError, named


def spawn_generators(rng: Any, count: int) -> tuple[list[np.random.Generator], str]:
    """``count`` independent generators from a seed, a SeedSequence, a Generator or None, and words for the seed."""
    seeds, note = spawn_seeds(rng, count)
    return [np.random.default_rng(seed) for seed in seeds], note


def spawn_seeds(rng: Any, count: int) -> tuple[list[np.random.SeedSequence], str]:
    """Seeds of independent generators, for work that spawns again and still has to name the seed it came from.

    None draws fresh entropy from the system; it is returned as the seed, so that any run can be repeated.
    """
    if isinstance(rng, np.random.Generator):
        children: list[np.random.SeedSequence] = rng.bit_generator.seed_seq.spawn(count)  # type: ignore[attr-defined]
        return children, "of the given generator"
    if not isinstance(rng, np.random.SeedSequence):
        try:
            rng = np.random.SeedSequence(rng)
        except (TypeError, ValueError):
            raise InputError(
                "rng",
                "must be a whole number >= 0, a numpy Generator or None",
                rng,
                f"write {named('rng', 1)} for a fixed seed",
            ) from None
    return rng.spawn(count), str(rng.entropy)
