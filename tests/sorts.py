"""How often scores are sorted while something is asked: every way to sort cases by a score is counted."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import roclab._core.label_sort
import roclab.data.ranking

WAYS = {
    roclab._core.label_sort: ("count_by_score", "counts_in_order", "sum_by_score"),
    roclab.data.ranking: ("rank_cases",),
}


@contextmanager
def sorts_counted(monkeypatch) -> Iterator[list[str]]:
    """The list grows by the name of the way with every sort; wherever a module holds one of the ways, it is counted."""
    found: list[str] = []
    with monkeypatch.context() as patch:
        for home, names in WAYS.items():
            for name in names:
                real = getattr(home, name)

                def counted(*arguments, _real=real, _name=name, **keywords):
                    found.append(_name)
                    return _real(*arguments, **keywords)

                for module in [one for key, one in sys.modules.items() if key.startswith("roclab")]:
                    if vars(module).get(name) is real:
                        patch.setattr(module, name, counted)
        yield found
