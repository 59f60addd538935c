"""Figures of fuzzy classes show the numbers of the results."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab.errors import InputError
from roclab.plots import draw_classes, draw_matched, draw_objective, draw_penalty, new_axes

IMAGE = np.random.default_rng(1).normal(size=(12, 10)) * 20 + 100 * (np.arange(10) > 4)


def runs():
    return {name: rl.imaging.robust_cmeans(IMAGE, 2, method=name, centres=[[100], [0]]) for name in ("fcm", "rfcm")}


def test_the_objective_is_drawn_and_its_rises_are_ringed():
    line = np.random.default_rng(290).normal(size=(1, 8)) * 50
    asked = {"beta": 2000, "start": "random", "rng": 290, "dtype": float, "stop": 1e-5, "max_iterations": 25}
    found = {name: rl.imaging.robust_cmeans(line, 2, update=name, **asked) for name in ("synchronous", "coloured")}
    ax = draw_objective(found, new_axes())
    first, rings, second = ax.get_lines()
    assert first.get_ydata() == pytest.approx(found["synchronous"].objective)
    assert second.get_ydata() == pytest.approx(found["coloured"].objective)
    assert len(rings.get_ydata()) == found["synchronous"].rises > 0
    assert found["coloured"].rises == 0


def test_the_penalty_is_drawn():
    ax = draw_penalty(rl.imaging.penalty_surface(points=21), new_axes())
    assert "q = 2" in ax.get_title(loc="left")
    assert ax.collections


def test_matched_classes_are_pixels_and_memberships():
    both = runs()
    match = rl.imaging.match_clusters(both["fcm"], both["rfcm"], names=("FCM", "RFCM"))
    ax = draw_matched(match, new_axes(), image=IMAGE)
    panels = [one.get_array() for one in ax.get_images()]
    assert len(panels) == 2 * 4
    a, b = match.pairs[0]
    assert ((panels[0] < 1) == (both["fcm"].labels == a)).all()
    assert ((panels[1] < 1) == (both["rfcm"].labels == b)).all()
    np.testing.assert_allclose(panels[3], 1 - both["rfcm"].memberships[b], atol=1e-6)
    assert [one.get_text() for one in ax.get_yticklabels()] == ["class 1", "class 2"]
    assert ax.get_xticklabels()[3].get_text() == "membership,\nRFCM"
    assert len(draw_matched(match, new_axes(), classes=[1]).get_images()) == 4


def test_class_maps_are_shaded_by_their_centres():
    both = runs()
    ax = draw_classes(both, new_axes(), image=IMAGE)
    image, plain, _ = (one.get_array() for one in ax.get_images())
    assert image.shape == (*IMAGE.shape, 3)
    low = both["fcm"].labels == int(both["fcm"].centres[:, 0].argmin())
    assert np.unique(plain[low], axis=0).shape[0] == 1
    assert plain[low].sum() < plain[~low].sum() / (~low).sum() * low.sum()  # the lower class is darker
    stacked = rl.imaging.robust_cmeans(np.stack([IMAGE] * 3), 2)
    assert len(draw_classes({"one": stacked, "two": stacked.labels, "three": stacked}, new_axes(), across=2).texts) == 3
    with pytest.raises(InputError, match="plane must be a number from 0 to 2"):
        draw_classes({"one": stacked}, new_axes(), plane=3)
    with pytest.raises(InputError, match="at most 8 classes"):
        draw_classes({"many": np.arange(120).reshape(12, 10)}, new_axes())
