"""Colours per curve: those that the caller chose, in the order in which curves are drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import reduce
from operator import add
from typing import Any

from cycler import cycler
from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.colors import is_color_like

from roclab.errors import InputError, Words, named

__all__ = ["Colours", "colours_for", "take_colours", "with_colours"]

Colours = str | Sequence[Any] | Mapping[str, Any]
_CHOSEN: ContextVar[tuple[Any, ...]] = ContextVar("colours of curves", default=())
# Figures whose curves take the next colour of their axes.
COLOURED = (
    "roc", "troc", "pr", "precision_recall", "det", "cost", "gain", "lift", "smooth", "average", "calibration",
    "decision", "multiclass", "crossings", "froc", "afroc", "exponential", "objective", "metrics",
)  # fmt: skip


def colours_for(colors: Colours | None, names: Sequence[str], figure: str) -> tuple[Any, ...]:
    """One colour for each curve: of a mapping by name those it has, and None where the theme chooses.

    >>> colours_for({"b": "red"}, ["a", "b"], "roc"), colours_for("#333", [], "roc")
    ((None, 'red'), ('#333',))
    """
    if colors is None:
        return ()
    if figure not in COLOURED:
        rule = f"are for figures of curves, such as {named('figure', 'roc')}"
        raise InputError("colors", rule, Words(f"them with {figure}"), "leave them out")
    if isinstance(colors, Mapping) and not names:
        raise InputError("colors", "must be a sequence here, in the order of the curves", colors, "write ['red', …]")
    if isinstance(colors, Mapping):
        unknown = [str(name) for name in colors if name not in names]
        if unknown:
            raise InputError("colors", f"must be of {' and '.join(names)}", unknown[0], "name a curve")
        found: tuple[Any, ...] = tuple(colors.get(name) for name in names)
    else:
        single = isinstance(colors, str) or is_color_like(colors)
        found = (colors,) if single else tuple(colors)
        if names and len(found) != len(names):
            raise InputError(
                "colors", f"must be {len(names)}, for {' and '.join(names)}", Words(str(len(found))),
                "or write {'name': 'colour'}",
            )  # fmt: skip
    for one in found:
        if one is not None and not is_color_like(one):
            raise InputError("colors", "must be colours that matplotlib knows", one, "write 'tab:red' or '#d62728'")
    return found


@contextmanager
def with_colours(colours: Sequence[Any]) -> Iterator[None]:
    """Curves drawn meanwhile, on axes that :func:`take_colours` has prepared, have these colours."""
    before = _CHOSEN.set(tuple(colours))
    try:
        yield
    finally:
        _CHOSEN.reset(before)


def take_colours(ax: Axes) -> None:
    """Let the next curves on these axes have the chosen colours, with the dashes that they would have anyway."""
    chosen = _CHOSEN.get()
    if not chosen:
        return
    _CHOSEN.set(())
    usual = list(rcParams["axes.prop_cycle"])
    looks = [usual[at % len(usual)] for at in range(max(len(usual), len(chosen)))]
    looks = [
        {**look, "color": chosen[at]} if at < len(chosen) and chosen[at] else look for at, look in enumerate(looks)
    ]
    ax.set_prop_cycle(reduce(add, (cycler(name, [look[name] for look in looks]) for name in looks[0])))
