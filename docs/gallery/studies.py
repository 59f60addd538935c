"""Reader studies: each function draws one figure of the gallery."""

from __future__ import annotations

from matplotlib.axes import Axes

import roclab as rl
from roclab.plots import (
    draw_components,
    draw_interaction,
    draw_plan,
    draw_reader_forest,
    draw_reader_plan,
    draw_readers,
    new_axes,
)


def readers() -> Axes:
    """Five readers in two modalities, and the diagonal average of each (``draw_readers``)."""
    return draw_readers(rl.readers.mrmc("readings").curves(), new_axes())


def reader_forest() -> Axes:
    """Every reader with an interval from the cases, and the means over readers (``draw_reader_forest``)."""
    return draw_reader_forest(rl.readers.mrmc("readings"), new_axes("double", ratio=0.5))


def interaction() -> Axes:
    """Does every reader gain by the new modality? Parallel lines would say so (``draw_interaction``)."""
    return draw_interaction(rl.readers.mrmc("readings"), new_axes(ratio=0.8))


def components() -> Axes:
    """Where the spread comes from: readers, their taste, cases (``draw_components``)."""
    return draw_components(rl.readers.mrmc("readings").components, new_axes(ratio=0.62))


def reader_power() -> Axes:
    """Power over numbers of readers and cases, planned from a pilot (``draw_reader_plan``)."""
    pilot = rl.readers.mrmc("readings")
    plan = rl.readers.sample_size(pilot, difference=0.06, readers=range(3, 21), cases=range(40, 401, 20))
    return draw_reader_plan(plan, new_axes(ratio=0.8))


def plan() -> Axes:
    """How the power grows with the number of cases, around the plan (``draw_plan``)."""
    return draw_plan(rl.planning.plan_two_areas(area=0.85, other=0.78, correlation=0.5, power=0.8))
