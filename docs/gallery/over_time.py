"""Time to event: each function draws one figure of the gallery."""

from __future__ import annotations

from examples import FOLLOWED
from matplotlib.axes import Axes

import roclab as rl
from roclab.plots import (
    draw_areas_over_time,
    draw_differences_over_time,
    draw_incidence,
    draw_states_over_time,
    new_axes,
)


def areas_over_time() -> Axes:
    """Areas at 16 horizons with the limits of each (``draw_areas_over_time``)."""
    found = rl.auc("followed", **FOLLOWED, score=["marker", "grade"], at=range(180, 1700, 95))
    return draw_areas_over_time(found, new_axes(ratio=0.75))


def differences_over_time() -> Axes:
    """The difference of two areas against the horizon (``draw_differences_over_time``)."""
    found = rl.compare("followed", **FOLLOWED, score=["marker", "grade"], at=range(180, 1700, 95))
    return draw_differences_over_time(found, new_axes(ratio=0.75))


def states_over_time() -> Axes:
    """Who is a case, a control or unknown at a horizon (``draw_states_over_time``)."""
    found = rl.auc("followed", **FOLLOWED, score="marker", at=range(30, 1700, 30))
    return draw_states_over_time(found, new_axes(ratio=0.75, lines_below=3))


def incidence_over_time() -> Axes:
    """The cumulative incidence of the event in thirds of a score, with pointwise limits (``draw_incidence``)."""
    found = rl.roc("followed", **FOLLOWED, score="marker", at=1460).incidence(groups=3)
    return draw_incidence(found, new_axes(ratio=0.75))
