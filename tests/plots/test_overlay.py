"""Montages show the slices asked for, with the outlines where the masks are."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab.errors import InputError
from roclab.plots.overlay import draw_montage, save_montage

VOLUME = rl.results.Volume(array=np.arange(5 * 8 * 6).reshape(5, 8, 6), spacing=(2.0, 1.0, 0.5), oriented=True)


def test_slices_and_outlines_are_drawn(tmp_path):
    mask = np.zeros(VOLUME.shape, dtype=bool)
    mask[2, 2:5, 2:5] = True
    figure = draw_montage(VOLUME, {"region": mask}, slices=[2, 3])
    first, second = figure.axes
    assert (first.get_images()[0].get_array() == VOLUME.array[2]).all()
    assert [one.get_text() for one in first.texts] == ["slice 2", "R", "L", "P"]
    assert len(first.collections) == 1
    assert len(second.collections) == 0
    assert first.get_aspect() == 2.0
    assert [one.get_text() for one in figure.legends[0].get_texts()] == ["region"]
    save_montage(figure, tmp_path / "m.png")
    assert (tmp_path / "m.png").read_bytes().startswith(b"\x89PNG")


def test_slices_are_spread_evenly_and_checked():
    assert [ax.texts[0].get_text() for ax in draw_montage(VOLUME, slices=3).axes] == ["slice 1", "slice 2", "slice 3"]
    with pytest.raises(InputError, match="numbers from 0 to 4"):
        draw_montage(VOLUME, slices=[5])
    with pytest.raises(InputError, match="slices must be"):
        draw_montage(VOLUME, slices=0)
