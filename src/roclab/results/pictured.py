"""Results that have a picture: one method that draws them, on new axes, on the caller's, or into a file."""

from __future__ import annotations

import importlib
from typing import Any

from roclab.results.base import Result

__all__ = ["Pictured"]


class Pictured(Result):
    """A result with a figure of its own."""

    __slots__ = ()

    def plot(self, to: Any = None, /, **looks: Any) -> Any:
        """Draw it; needs matplotlib (``roclab[plots]``).

        Parameters
        ----------
        to : matplotlib axes, a Picture, or the name of a file, optional
            Where to draw; "roc.png", "roc.svg" or "roc.pdf" also writes the figure there. New axes without it.
        **looks
            What the function of ``roclab.plots`` that draws such results takes, ``colors`` and ``names`` of the curves,
            and ``title``; of results with several figures ``kind`` says which.

        Returns
        -------
        roclab.plots.Picture
            Shown by notebooks; ``.save(path)``, ``.ax`` for further changes.
        """
        # Looked up by name: figures know results, results do not know figures; a result only offers the way there.
        return importlib.import_module("roclab.plots.by_result").plot_result(self, to, **looks)
