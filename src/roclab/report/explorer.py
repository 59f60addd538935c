"""The explorer of the report as a widget: drag the operating point in a notebook, read its threshold in Python."""

from __future__ import annotations

import math
import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from roclab.analysis.reporting.build import build_report
from roclab.errors import InputError, MissingExtraError
from roclab.report.page import explorer_page, modules, page_data, without_imports

__all__ = ["explore"]

_STATIC = Path(__file__).parent / "static"
_OWN = """
:host { color-scheme: light; }
:host([data-ground="dark"]) { color-scheme: dark; }
.explorer { padding: 0.8rem; max-width: none; font-size: 14px; }
.explorer table { color: inherit; }
.script-off { display: none; }
"""
_DARK = re.compile(r"@media \(prefers-color-scheme: dark\) \{\n  :root (\{.*?\n  \})\n\}", re.DOTALL)


def explore(y_true: Any, y_score: Any = None, **options: Any) -> Any:
    """The curves of one or several scores around one operating point, in a notebook; needs ``roclab[notebook]``.

    Drag the point on any panel, or focus it and use the arrow keys; the 2 x 2 table, rates and predictive values
    follow, and so does ``.threshold`` in Python. It is the explorer of the report, with the same numbers; of long
    curves it shows, as the report does, a few hundred cut-offs.

    Parameters
    ----------
    y_true, y_score, options
        Data and options as in :func:`roclab.build_report`: ``level``, ``prevalence``, ``cost_fp``, ``cost_fn``,
        ``band``, ``resampling``, ``rng`` and all ways to name data.

    Returns
    -------
    anywidget.AnyWidget
        With ``threshold`` and ``score``, which can be read, set and observed
        (``found.observe(print, names="threshold")``), and ``counts``: tp, fp, fn and tn at the threshold. One between
        two scores becomes the score that decides alike.
        Jupyter, marimo and VS Code show it.
    """
    widget = _widget_class()
    for word in ("only", "title", "source", "command"):
        if word in options:
            raise InputError(word, "is for a whole report", way_out="leave it out, or call rl.build_report")
    for word in ("time", "event", "at"):
        if options.get(word) is not None:
            raise InputError(word, "has no part in the explorer, which is of two classes",
                             way_out="use rl.roc(…, at=…), or the workbench, whose horizon moves")  # fmt: skip
    report = build_report(y_true, y_score, **{"band": False, **options}, only=["curves", "cutoffs"])
    data = page_data(report)
    active = data["scores"][data["active"]]
    return widget(_data=data, _page=explorer_page(report), score=active["name"], _at=active["start"])


def style() -> str:
    """The styles of the page for a part of a page of others, dark where that page is."""
    text = "\n".join((_STATIC / name).read_text(encoding="utf-8") for name in ("page.css", "explorer.css"))
    text = _DARK.sub(r':host([data-ground="dark"]) \1', text).replace(":root", ":host")
    text = re.sub(r"^(\s*)body \{", r"\1.explorer {", text, flags=re.MULTILINE)
    return f"{text}\n{_OWN}"


def script() -> str:
    """The modules of the page and those of the widget as one module."""
    return f"{modules()}\n{without_imports('widget.js')}"


@cache
def _widget_class() -> Any:
    """Made when first asked for: the library itself does without notebooks."""
    try:
        import anywidget
        import traitlets
    except ImportError:
        raise MissingExtraError(library="anywidget", extra="notebook", purpose="the explorer") from None

    class Explorer(anywidget.AnyWidget):  # type: ignore[misc, unused-ignore]
        """One operating point, shared by the page and Python."""

        _esm = script()
        _style = traitlets.Unicode(style()).tag(sync=True)
        _page = traitlets.Unicode().tag(sync=True)
        _data = traitlets.Dict().tag(sync=True)
        _at = traitlets.Int().tag(sync=True)
        score = traitlets.Unicode().tag(sync=True)
        threshold = traitlets.Float()

        @property
        def _shown(self) -> dict[str, Any]:
            found: dict[str, Any] = next(one for one in self._data["scores"] if one["name"] == self.score)
            return found

        def _thresholds(self) -> Any:
            words = {"inf": math.inf, "-inf": -math.inf, None: math.nan}
            return np.array([words.get(one, one) for one in self._shown["thresholds"]], float)

        @property
        def counts(self) -> dict[str, int | float]:
            """The 2 x 2 table at the threshold."""
            one = self._shown
            tp, fp = one["tp"][self._at], one["fp"][self._at]
            return {"tp": tp, "fp": fp, "fn": one["nPos"] - tp, "tn": one["nNeg"] - fp}

        @traitlets.validate("score")
        def _known(self, proposal: Any) -> str:
            names = [one["name"] for one in self._data["scores"]]
            if proposal["value"] not in names:
                raise InputError("score", f"must be one of {', '.join(map(repr, names))}", proposal["value"])
            return str(proposal["value"])

        @traitlets.observe("score")
        def _moved_to_start(self, change: Any) -> None:
            if not 0 <= self._at < len(self._shown["thresholds"]) or change["old"]:
                self._at = self._shown["start"]
            self._follow(change)

        @traitlets.observe("_at")
        def _follow(self, _: Any) -> None:
            if self.score:
                self.threshold = float(self._thresholds()[self._at])

        def _vertex(self, threshold: float) -> int:
            """The vertex that decides as a threshold does: the last whose own threshold it does not pass."""
            own = self._thresholds()
            if threshold == own[self._at]:
                return self._at
            passed = own <= threshold if self._shown["direction"] == "lower" else own >= threshold
            return max(int(passed.sum()) - 1, 0)

        @traitlets.validate("threshold")
        def _among_scores(self, proposal: Any) -> float:
            return float(self._thresholds()[self._vertex(proposal["value"])]) if self.score else proposal["value"]

        @traitlets.observe("threshold")
        def _cut_at(self, change: Any) -> None:
            self._at = self._vertex(change["new"])

    return Explorer
