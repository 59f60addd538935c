"""Public names, wherever they stand: in ``roclab`` itself or in one of its sub-modules."""

from __future__ import annotations

import inspect

import roclab as rl

MODULES = ("classifiers", "imaging", "planning", "ranks", "readers", "results", "studies")


def public_names() -> dict[str, object]:
    """Every public function and class by its own name, modules left out."""
    found = {name: getattr(rl, name) for name in rl.__all__}
    for module in MODULES:
        found |= {name: getattr(getattr(rl, module), name) for name in getattr(rl, module).__all__}
    return {name: one for name, one in found.items() if not inspect.ismodule(one) and name != "__version__"}


def public(name: str):
    """One of them."""
    for place in (rl, *(getattr(rl, module) for module in MODULES)):
        if name in place.__all__:
            return getattr(place, name)
    raise AttributeError(name)
