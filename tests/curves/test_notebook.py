"""Curves in a notebook: a picture of every kind of curve."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import roclab as rl


@pytest.fixture(scope="module")
def roc():
    rng = np.random.default_rng(1)
    label = rng.integers(0, 2, 5000)
    return rl.roc(label, {"a < b": label + rng.normal(size=5000)})


@pytest.mark.parametrize("kind", ["hull", "troc", "precision_recall", "det", "cost", "gain"])
def test_every_curve_shows_a_picture(roc, kind):
    svg = ElementTree.fromstring(getattr(roc, kind)()._repr_html_())
    (line,) = svg.iter("{http://www.w3.org/2000/svg}polyline")
    points = np.array([pair.split(",") for pair in line.get("points").split()], float)
    assert 2 <= len(points) <= 500
    assert points.min() >= 0
    assert points.max() <= 360


def test_the_roc_shows_its_area_and_its_sample(roc):
    html = roc._repr_html_()
    assert html.count("<svg") == 1
    assert f"AUC {roc.auc().area:.4f}" in html
    assert "a higher score means positive" in html
    assert len(html) < 40_000


def test_ready_made_points_show_the_curve_alone():
    html = rl.Roc.from_points([0.2], [0.6])._repr_html_()
    assert "<svg" in html
    assert "<p>" not in html


def test_a_curve_without_finite_points_says_so():
    assert rl.roc([1, 1, 0, 0], [4, 3, 2, 1]).det()._repr_html_().startswith("<p>")


def test_a_troc_keeps_its_steps_and_its_start():
    """p_cr jumps where tpr does, and begins at 0 although several vertices have the false positive rate 0."""
    curve = rl.roc([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1]).troc()
    svg = ElementTree.fromstring(curve._repr_html_())
    (line,) = svg.iter("{http://www.w3.org/2000/svg}polyline")
    points = np.array([pair.split(",") for pair in line.get("points").split()], float)
    assert points[0, 1] == points[-1, 1] == points[:, 1].max(), "from p_cr = 0 to p_cr = 0"
    steps = np.unique(points[:, 0], return_counts=True)[1]
    assert np.count_nonzero(steps > 1) == 2, "upright at the false positive rates 0 and 1/3"
