"""Randomness: a seed or a generator in, independent generators out, and the seed on record."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from roclab.errors import InputError, named


def spawn_generators(rng: Any, count: int) -> tuple[list[np.random.Generator], str]:
    """``count`` independent generators from a seed, a SeedSequence, a Generator or None, and words for the seed."""
    seeds, note = spawn_seeds(rng, count)
    return [np.random.default_rng(seed) for seed in seeds], note


def spawn_seeds(rng: Any, count: int) -> tuple[list[np.random.SeedSequence], str]:
    """Seeds of independent generators, for work that spawns again and still has to name the seed it came from.

    None draws fresh entropy from the system; it is returned as the seed, so that any run can be repeated. A seed that
    was spawned from another one is written with its path, "5/0" being the first child of 5 and "5/0+2" one that has
    two children already, and is read in that spelling too.

    >>> [np.random.default_rng(one).integers(100) for one in spawn_seeds("5/0", 2)[0]] == [
    ...  np.random.default_rng(one).integers(100) for one in spawn_seeds(np.random.SeedSequence(5).spawn(1)[0], 2)[0]]
    True
    """
    if isinstance(rng, np.random.Generator):
        children: list[np.random.SeedSequence] = rng.bit_generator.seed_seq.spawn(count)  # type: ignore[attr-defined]
        return children, "of the given generator"
    if not isinstance(rng, np.random.SeedSequence):
        try:
            rng = _read(rng) if isinstance(rng, str) else np.random.SeedSequence(rng)
        except (TypeError, ValueError):
            raise InputError(
                "rng",
                "must be a whole number >= 0, a numpy Generator or None",
                rng,
                f"write {named('rng', 1)} for a fixed seed",
            ) from None
    written = _written(rng)
    return rng.spawn(count), written


_PATH = re.compile(r"(\d+)((?:/\d+)*)(?:\+(\d+))?")


def _written(seed: np.random.SeedSequence) -> str:
    """Entropy, the path of children to this one, and how many it has."""
    path = "".join(f"/{one}" for one in seed.spawn_key)
    born = f"+{seed.n_children_spawned}" if seed.n_children_spawned else ""
    return f"{seed.entropy}{path}{born}"


def _read(text: str) -> np.random.SeedSequence:
    found = _PATH.fullmatch(text)
    if found is None:
        raise ValueError(text)
    entropy, path, born = found.groups()
    keys = tuple(int(one) for one in path.split("/")[1:])
    return np.random.SeedSequence(int(entropy), spawn_key=keys, n_children_spawned=int(born or 0))
