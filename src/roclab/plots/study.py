"""Results of simulation studies: bias or error of several estimators over the conditions."""

from __future__ import annotations

from typing import Any, Literal, Protocol

import numpy as np
from matplotlib.axes import Axes

from roclab._core.checks import check_choice
from roclab.errors import InputError, Words
from roclab.plots.axes import reference_line
from roclab.plots.legend import add_legend
from roclab.plots.theme import MARKS, NEW_AXES, Look, plain_text, text_size, themed

__all__ = ["HasRows", "draw_study"]

Value = Literal["bias", "rmse"]


class HasRows(Protocol):
    """A result of a simulation study: one row per estimator and condition."""

    def rows(self) -> list[dict[str, Any]]:
        """Rows with estimator, condition, n_pos, n_neg, area, bias, bias_se, rmse and rmse_se."""
        ...


@themed
def draw_study(result: HasRows, ax: Axes = NEW_AXES, *, value: Value = "bias", table: str | None = None) -> Axes:
    """Bias or root mean squared error of each estimator, with bars of two Monte-Carlo standard errors.

    Parameters
    ----------
    result : StudyResult
    value : "bias" or "rmse"
    table : str, optional
        Only the rows of this table, where a study has several.
    """
    check_choice(value, "value", ("bias", "rmse"))
    rows = [row for row in result.rows() if table is None or row.get("table") == table]
    if not rows:
        raise InputError("result", "must hold rows to draw", Words(f"none{f' of table {table!r}' if table else ''}"))
    places = list(dict.fromkeys(_condition(row) for row in rows))
    estimators = list(dict.fromkeys(str(row["estimator"]) for row in rows))
    reference_line(ax, [-0.6, len(places) - 0.4], [0, 0], tag="zero", linewidth=0.6, linestyle="-")
    spread = 0.7 / max(len(estimators), 1)
    for at, name in enumerate(estimators):
        own = [row for row in rows if str(row["estimator"]) == name]
        x = np.array([places.index(_condition(row)) for row in own], float)
        x += spread * (at - (len(estimators) - 1) / 2)  # side by side within a condition
        y = np.array([row[value] for row in own], float)
        error = np.array([row[f"{value}_se"] for row in own], float)
        look: Look = {"marker": MARKS[at % len(MARKS)], "markersize": 3.4, "linestyle": "none"}
        (drawn,) = ax.plot(x, y, label=plain_text(name), zorder=3, **look)
        ax.vlines(x, y - 2 * error, y + 2 * error, color=drawn.get_color(), linewidth=0.7, zorder=2)
    for edge in np.arange(0.5, len(places) - 1):
        ax.axvline(edge, color="#E4E4E4", linewidth=0.6, zorder=0.5)
    small = text_size(ax) if len(places) <= 6 else text_size(ax) - 1
    ax.set_xticks(range(len(places)), ["\n".join(words) for words in places], fontsize=small)
    if len(places) > 8:
        ax.tick_params(axis="x", rotation=90)
    ax.tick_params(axis="x", length=0)
    ax.set_xlim(-0.6, len(places) - 0.4)
    ax.set_ylabel("Bias of the area" if value == "bias" else "Root mean squared error of the area")
    add_legend(ax, corner="below")
    return ax


def _condition(row: dict[str, Any]) -> tuple[str, ...]:
    name, area = row.get("condition"), row.get("area")
    words = [] if name in (None, "") else [plain_text(name, 24)]
    is_area = str(name).startswith("AUC")  # some conditions are named after their area
    true = [] if area is None or is_area else [f"AUC {float(area):.3g}"]
    return (*words, *true, f"{row['n_pos']}+{row['n_neg']}")
