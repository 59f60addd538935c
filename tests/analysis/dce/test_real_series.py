"""One real series: a model of phantoms, read on its own grid, lights up the tumour. One case, and no more than that."""

from __future__ import annotations

import json

import numpy as np
import pytest
from matplotlib.path import Path as Outline

import roclab as rl
from roclab._core.undefined import Undefined
from tests.conftest import HERE, OUTSIDE

FILE = OUTSIDE / "images" / "dce_invivo_davidssmith.npz"


def test_the_tumour_lights_up_inside_the_breast():
    if not FILE.exists():
        pytest.skip(f"{FILE.name} is not on this machine (set ROCLAB_DATA)")
    known = np.load(FILE)
    series = rl.imaging.dce_series(known["DCEdata"][:, None], times=known["t"].ravel())
    mask = rl.imaging.dce_mask(series, anterior="x-", skin=8.0)
    drawn = json.loads((HERE.parent / "benchmarks" / "data" / "dce_invivo_polygon.json").read_text())
    assert "drawn by eye" in drawn["how"]
    rows, columns = np.mgrid[:192, :192]
    spots = np.column_stack([columns.ravel(), rows.ravel()])
    tumour = Outline(drawn["column_row"]).contains_points(spots).reshape(1, 192, 192)
    model = rl.imaging.dce_train(
        [rl.imaging.phantom_breast(size=(16, 64, 96), rng=seed).as_case(f"p{seed}") for seed in (1, 2)],
        classifier="logistic",
    )
    assert series.after_arrival.size != model.grid.size  # read on the model's grid
    truth = series.place.with_array((101 * tumour).astype(np.int16))
    found = rl.imaging.dce_evaluate(
        rl.results.DceCase(name="one", series=series, mask=mask.mask, truth=truth), model, images=("early",)
    )
    one = found.measure("network")
    assert one.value > 0.9
    assert isinstance(one.standard_error, Undefined)
    image, inside = found.cases[0].images["network"], mask.mask.array
    assert image[inside & tumour].mean() > 2 * image[inside & ~tumour].mean()
    assert rl.imaging.dce_motion(series).moved
