"""Names that are imported when first used.

The stub beside a module (``.pyi``) lists its public names as ``from file import name as name``. Type checkers read it,
and so does :func:`attach`, so that every name is written down once and importing the module costs next to nothing.
"""

from __future__ import annotations

import difflib
import importlib
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

__all__ = ["attach", "names_in_stub"]

_LINE = re.compile(r"^from (\S+) import (\w+) as (\w+)$", re.MULTILINE)


def names_in_stub(file: str) -> dict[str, tuple[str, str]]:
    """Public name to the module that has it and its name there; a module that is a public name has no name there."""
    stub = Path(file).with_suffix(".pyi").read_text(encoding="utf-8")
    found = {}
    for module, name, public in _LINE.findall(stub):
        found[public] = (f"{module}.{name}", "") if module == "roclab" else (module, name)
    return found


def attach(
    module: str, file: str, *, also: Sequence[str] = (), elsewhere: Callable[[str], str] | None = None
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """``__getattr__``, ``__dir__`` and ``__all__`` of a module with a stub.

    ``elsewhere`` says where a name is that is not here: by other programs' words, or in another module.
    """
    known: Mapping[str, tuple[str, str]] = names_in_stub(file)
    names = sorted([*known, *also])

    def look_up(name: str) -> Any:
        if name not in known:
            hint = "" if elsewhere is None or name.startswith("_") else elsewhere(name)
            close = difflib.get_close_matches(name, known, n=1, cutoff=0.75)
            hint = hint or (f"did you mean {close[0]!r}?" if close else "")
            raise AttributeError(f"module {module!r} has no attribute {name!r}{'; ' if hint else ''}{hint}")
        home, inside = known[name]
        value = importlib.import_module(home)
        value = getattr(value, inside) if inside else value
        setattr(sys.modules[module], name, value)  # the next time it is simply there
        return value

    return look_up, lambda: names, names
