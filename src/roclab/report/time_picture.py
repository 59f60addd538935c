"""The pictures of a report about time to event: areas and states over time, curves, calibration, net benefit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from roclab._core.svg import Line, Stretch, Whiskers, frame_svg
from roclab.report.language import Say, in_english

if TYPE_CHECKING:
    from roclab.analysis.reporting.time_part import DrawnLine, TimePart

__all__ = ["areas_picture", "benefit_picture", "calibrated_picture", "curve_pictures", "states_picture"]

_TIME = "time, in the unit of the follow-up"
_BANDED = 3  # scores up to which limits are drawn; those of more hide each other
_UNIT = np.array([0.0, 1.0])


def areas_picture(part: TimePart, say: Say = in_english) -> str:
    """The area of every score against the horizon, with its limits."""
    lines = part.drawn_areas
    ends = _ends(lines)
    known = [value for line in lines for value in (*line.low.tolist(), *line.y.tolist())]
    marks: list[Line | Stretch] = [Line(x=np.array(ends), y=np.array([0.5, 0.5]))]
    if len(lines) <= _BANDED:
        marks += [Stretch(x=one.x, low=one.low, high=one.high, place=one.place) for one in lines if one.low.size]
    marks += [Line(x=one.x, y=one.y, place=one.place) for one in lines]
    low = max(0.0, min([0.45, *(value - 0.03 for value in known)]))
    return frame_svg(marks, x=ends, y=(low, 1), x_label=say(_TIME), y_label=say("AUC by then"), title="Areas over time",
                     height=320)  # fmt: skip


def states_picture(part: TimePart, say: Say = in_english) -> str:
    """Who had the event, another one, or was lost by every time, as shares that add up; the rest are still followed."""
    first = part.states[0]
    below = np.zeros(first.x.size)
    marks = []
    for one in part.states:
        marks.append(Stretch(
            x=one.x, low=below, high=below + one.y, place=None if one.place < 0 else one.place,
            opacity=0.3 if one.place < 0 else 0.7,
        ))  # fmt: skip
        below = below + one.y
    return frame_svg(marks, x=(0, float(first.x[-1])), y=(0, 1), x_label=say(_TIME), y_label=say("share of the cases"),
                     title="Who is known when", height=320)  # fmt: skip


def curve_pictures(part: TimePart, say: Say = in_english) -> list[tuple[str, str]]:
    """The ROC curves of every horizon."""
    diagonal = Line(x=_UNIT, y=_UNIT)
    return [
        (
            at,
            frame_svg([diagonal, *(Line(x=one.x, y=one.y, place=one.place) for one in lines)], x=(0, 1), y=(0, 1),
                      x_label=say("false positive rate"),
                      y_label=say("true positive rate"), title=f"ROC curves at {at}"),
        )
        for at, lines in part.curves.items()
    ]  # fmt: skip


def calibrated_picture(part: TimePart, say: Say = in_english) -> str:
    """Predicted risks and incidences in groups of about equal numbers of cases."""
    marks: list[Line | Whiskers] = [Line(x=_UNIT, y=_UNIT)]
    for one in part.drawn_calibration:
        marks.append(Line(x=one.x, y=one.y, place=one.place))
        if len(part.drawn_calibration) <= _BANDED:
            marks.append(Whiskers(x=one.x, y=one.y, low=one.low, high=one.high, place=one.place))
    seen = [value for one in part.drawn_calibration for value in (*one.x.tolist(), *one.high.tolist())]
    top = min(1.0, 1.05 * max(value for value in seen if value == value))
    marks[0] = Line(x=_UNIT * top, y=_UNIT * top)
    return frame_svg(marks, x=(0, top), y=(0, top), x_label=say("predicted risk"),
                     y_label=say("incidence by the horizon"), title="Calibration at the horizon")  # fmt: skip


def benefit_picture(part: TimePart, say: Say = in_english) -> str:
    """Decision curves with their limits, up to where the best of them ends."""
    curves = [one for one in part.benefit if one.place >= 0]
    top = 1.08 * max(float(np.nanmax(one.y)) for one in part.benefit)
    useful = [float(one.x[one.y > 0.1 * top].max(initial=0.1)) for one in curves]
    end = min(1.0, 1.25 * max(useful))
    floor = -0.25 * top
    marks: list[Line | Stretch] = [Line(x=np.array([0, end]), y=np.zeros(2))]
    for one in part.benefit:
        seen = (one.x <= end) & (one.y >= floor)
        place = None if one.place < 0 else one.place
        if one.low.size and len(curves) <= _BANDED:
            low, high = (np.clip(line[seen], floor, top) for line in (one.low, one.high))
            marks.append(Stretch(x=one.x[seen], low=low, high=high, place=place))
        marks.append(Line(x=one.x[seen], y=one.y[seen], place=place))
    return frame_svg(marks, x=(0, end), y=(floor, top), x_label=say("threshold probability"),
                     y_label=say("net benefit"), title="Decision curves at the horizon")  # fmt: skip


def _ends(lines: Iterable[DrawnLine]) -> tuple[float, float]:
    every = np.concatenate([line.x for line in lines])
    low, high = float(every.min()), float(every.max())
    return (low, high) if high > low else (low * 0.9, low * 1.1)
