"""Suspicious regions of a confidence volume, by their definition."""

from __future__ import annotations

import json

import numpy as np
import pytest

import roclab as rl
from roclab.errors import InputError
from roclab.imaging.dce.findings import curve_type, find_findings

AFTER = np.array([60.0, 120.0, 240.0, 360.0])


@pytest.mark.parametrize(
    ("curve", "kind"),
    [
        ([0.5, 0.8, 1.0, 1.2], "I"),
        ([0.5, 1.0, 1.1, 1.1], "II"),
        ([1.0, 0.9, 0.9, 0.9], "II"),
        ([1.0, 0.9, 0.7, 0.5], "III"),
    ],
)
def test_types_of_curves_definition(curve, kind):
    early, change, found = curve_type(AFTER, np.array(curve))
    assert found == kind
    assert early == max(curve[:2])
    assert change == pytest.approx((1 + curve[-1]) / (1 + max(curve[:2])) - 1)


def test_a_short_series_has_no_type():
    early, change, kind = curve_type(np.array([30.0, 60.0]), np.array([0.4, 0.9]))
    assert (early, kind) == (0.9, "")
    assert np.isnan(change)


def made():
    frames = np.full((5, 4, 10, 10), 100.0, np.float32)
    confidence = np.zeros((4, 10, 10), np.float32)
    frames[1:, 1:3, 2:4, 2:4] = np.array([200, 180, 150, 120], np.float32)[:, None, None, None]
    confidence[1:3, 2:4, 2:4] = 0.8
    frames[1:, 1, 7:9, 7:9] = np.array([110, 130, 150, 180], np.float32)[:, None, None]
    confidence[1, 7:9, 7:9] = 0.6
    confidence[0, 0, 0] = 0.95  # one voxel of 6 mm3
    series = rl.imaging.dce_series(frames, times=[0, 60, 120, 240, 360], arrival=0, spacing=(3, 2, 1))
    return series, series.place.with_array(confidence)


def test_regions_have_place_volume_curve_and_type():
    series, confidence = made()
    inside = series.place.with_array(np.ones(series.shape, bool))
    found = find_findings(confidence, inside, series, threshold=0.5, smallest=20)
    one, two = found.findings
    assert (one.voxels, one.volume_ml, one.type) == (8, pytest.approx(0.048), "III")
    assert one.position == pytest.approx(series.place.to_world((1.5, 2.5, 2.5))[0].tolist())
    assert one.curve.tolist() == pytest.approx([1.0, 0.8, 0.5, 0.2])
    assert (two.voxels, two.type, two.confidence) == (4, "I", pytest.approx(0.6))
    assert found.notes == ("1 region under 20 mm³ left out",)
    assert (found.labels.array == 1).sum() == 8
    assert len(find_findings(confidence, inside, series, threshold=0.5, smallest=0).findings) == 3
    told = json.loads(found.to_json())
    assert [row["type"] for row in told["regions"]] == ["III", "I"]
    assert "III wash-out" in str(found)
    assert len(found.curve_rows()) == 8
    for wrong in (0, 1, 2):
        with pytest.raises(InputError, match="threshold must lie strictly between 0 and 1"):
            find_findings(confidence, inside, series, threshold=wrong, smallest=0)
    with pytest.raises(InputError, match="smallest must be 0 or a finite number"):
        find_findings(confidence, inside, series, threshold=0.5, smallest=-1)


def test_apply_lists_them():
    cases = [rl.imaging.phantom_breast(size=(8, 48, 64), rng=at) for at in (1, 2)]
    model = rl.imaging.dce_train([one.as_case(f"p{at}") for at, one in enumerate(cases)], classifier="logistic", rng=1)
    found = rl.imaging.dce_apply(model, cases[0].series, threshold=0.4)
    parts = found.volume.array >= 0.4
    assert found.findings.threshold == 0.4
    assert (found.findings.labels.array > 0).sum() <= parts.sum()
    assert str(found.findings) in str(found)
    assert json.loads(found.to_json())["findings"]["threshold"] == 0.4
