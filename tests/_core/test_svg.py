"""Still pictures: well-formed, inside their frame, unmoved by names."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from roclab._core.svg import Bars, Line, frame_svg, log_ticks, nice_ticks

NS = "{http://www.w3.org/2000/svg}"


def picture(*marks, **options):
    axes = {"x": (0.0, 2.0), "y": (0.0, 1.0), "x_label": "x <&>", "y_label": "y", "title": 'a "title"'}
    return ElementTree.fromstring(frame_svg(marks, **{**axes, **options}))


def corners(line):
    return np.array([pair.split(",") for pair in line.get("points").split()], float)


def test_lines_stand_where_their_points_are():
    (line,) = picture(Line(x=np.array([0.0, 1.0, 2.0]), y=np.array([0.0, 0.5, 1.0]), place=0)).iter(f"{NS}polyline")
    assert corners(line).tolist() == [[46, 380], [227, 196], [408, 12]]


def test_bars_follow_their_edges():
    (bars,) = picture(Bars(edges=np.array([0.0, 1.0, 2.0]), height=np.array([1.0, 0.5]))).iter(f"{NS}polyline")
    found = corners(bars)
    assert found[:, 0].tolist() == [46, 46, 227, 227, 408, 408]
    assert found[:, 1].tolist() == [380, 12, 12, 196, 196, 380]


def test_a_logarithmic_axis_spaces_ratios_evenly():
    marks = Line(x=np.array([1.0, 10.0, 100.0]), y=np.zeros(3), place=0)
    (line,) = picture(marks, x=(1.0, 100.0), log_x=True).iter(f"{NS}polyline")
    assert corners(line)[:, 0].tolist() == [46, 227, 408]


def test_names_are_text_and_long_ones_are_cut():
    names = ["<script>", "a" * 60]
    svg = picture(*(Line(x=np.array([0.0, 2.0]), y=np.array([0.0, 1.0]), name=name, place=9) for name in names))
    texts = [node.text for node in svg.iter(f"{NS}text")]
    assert "<script>" in texts
    assert "a" * 25 + "…" in texts
    assert svg.get("aria-label") == 'a "title"'
    assert "x <&>" in texts


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-3, 17), (1e-9, 5e-9), (0, 1e12), (5, 5)])
def test_ticks_are_round_and_inside(low, high):
    found = nice_ticks(low, high)
    assert 1 <= len(found) <= 11
    assert all(low - 1e-9 * abs(low) <= value <= high + 1e-9 * abs(high) for value in found)
    assert all(re.fullmatch(r"-?[\d.]+(e[+-]?\d+)?", f"{value:g}") for value in found)


def test_logarithmic_ticks_are_inside():
    for low, high in ((0.3, 40), (1e-8, 1e8), (2, 4)):
        found = log_ticks(low, high)
        assert found
        assert all(low <= value <= high for value in found)


@pytest.mark.parametrize("ends", [(0, 5e-324), (0, 2.5e-323), (1e-322, 2e-322), (-1.7e308, 1.7e308), (1e16, 1e16 + 2)])
def test_ticks_of_the_finest_and_widest_ranges_are_few(ends):
    found = nice_ticks(*ends)
    assert 1 <= len(found) <= 9
    assert ends[0] <= found[0] <= found[-1] <= ends[1]
