"""Series: frames of one geometry, their times, arrival and baseline, and every way in which they can be wrong."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import roclab as rl
from roclab.errors import FileError, InputError
from roclab.imaging.volumes import Volume, write_volume
from roclab.imaging.volumes_in_time import write_in_time

LEVELS = np.array([100.0, 100.0, 160.0, 180.0, 175.0])
TIMES = [0.0, 20.0, 40.0, 60.0, 80.0]


def frames(levels=LEVELS, shape=(3, 12, 10)):
    """A bright block that takes up contrast agent in a body that does not."""
    out = np.full((len(levels), *shape), 80.0, dtype=np.float32)
    out[:, :, 3:8, 3:8] = np.asarray(levels)[:, None, None, None]
    return out


def test_a_series_knows_its_times_and_baseline():
    found = rl.imaging.dce_series(frames(), times=TIMES, arrival=25, spacing=(2, 1, 1))
    assert found.before == 2
    assert found.after_arrival.tolist() == [15.0, 35.0, 55.0]
    assert (found.baseline == frames()[:2].mean(axis=0)).all()
    assert found.place.spacing == (2, 1, 1)
    assert not found.frames.flags.writeable
    assert [row["part"] for row in found.rows()] == ["baseline", "baseline", "contrast", "contrast", "contrast"]
    assert "2 before contrast agent" in str(found)
    assert found.frame(-1).same_place(found.place)


def test_arrival_is_found_to_within_a_frame_and_told():
    found = rl.imaging.dce_series(frames(), times=TIMES)
    assert found.arrival == 20.0
    assert "was found in the images" in found.notes[0]
    given = rl.imaging.dce_series(frames(), times=TIMES, arrival=20.0)
    assert given.notes == ()


def test_the_same_series_from_volumes_files_and_a_file_of_four_axes(tmp_path):
    volumes = [Volume(array=one, spacing=(2, 1.5, 1), origin=(1, 2, 3)) for one in frames()]
    first = rl.imaging.dce_series(volumes, times=TIMES, arrival=25)
    places = [write_volume(one, tmp_path / f"{at}.nii.gz") for at, one in enumerate(volumes)]
    second = rl.imaging.dce_series(places, times=TIMES, arrival=25)
    whole = write_in_time(first.frames, TIMES, first.place, tmp_path / "whole.nii.gz")
    third = rl.imaging.dce_series(whole, arrival=25)  # the file knows its times
    for other in (second, third):
        assert (other.frames == first.frames).all()
        assert other.place.same_place(first.place)
        assert other.times.tolist() == TIMES


BAD = frames()
NAN = frames()
NAN[2, 0, 0, 0] = np.nan
LOST = frames()
LOST[3, 1, 1, 1] = np.inf


@pytest.mark.parametrize(
    ("given", "options", "words"),
    [
        (BAD[:1], {"times": [0.0]}, "frames must be two or more, one of them before contrast agent, got 1 frame"),
        ([], {"times": []}, "frames must be two or more"),
        (BAD[0], {"times": TIMES}, "frames must have four axes"),
        (NAN, {"times": TIMES, "arrival": 25}, "frames must hold finite numbers, got 1 voxel of frame 2"),
        (LOST, {"times": TIMES, "arrival": 25}, "frames must hold finite numbers, got 1 voxel of frame 3"),
        (BAD, {}, "times must be given"),
        (BAD, {"times": TIMES[:3]}, "times must be 5 rising numbers"),
        (BAD, {"times": TIMES[::-1]}, "times must be 5 rising numbers"),
        (BAD, {"times": TIMES, "arrival": 80.0}, "arrival must lie between the first and the last frame"),
        (BAD, {"times": TIMES, "arrival": float("nan")}, "arrival must lie between"),
        (frames([100.0] * 5), {"times": TIMES}, "frames must show contrast agent arriving after the first frame"),
        (frames(LEVELS[::-1]), {"times": TIMES}, "frames must show contrast agent arriving"),
        (np.zeros((5, 2, 4, 4)), {"times": TIMES, "arrival": 25}, "frames must have a baseline above 0"),
        (-BAD, {"times": TIMES, "arrival": 25}, "frames must have a baseline above 0"),
        (-BAD, {"times": TIMES}, "frames must have a baseline above 0"),
        (7, {"times": TIMES}, "frames must be volumes or files"),
        ("nowhere.nii.gz", {}, "frames must be a file with all frames"),
    ],
)
def test_a_wrong_series_is_refused_in_one_sentence(given, options, words):
    with pytest.raises(InputError, match=words) as caught:
        rl.imaging.dce_series(given, **options)
    assert str(caught.value).count(". ") == 0
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize(
    "other",
    [
        Volume(array=np.ones((3, 12, 11), np.float32)),
        Volume(array=np.ones((3, 12, 10), np.float32), spacing=(2, 1, 1)),
        Volume(array=np.ones((3, 12, 10), np.float32), origin=(5, 0, 0)),
    ],
)
def test_frames_of_different_geometry_are_refused(other):
    volumes = [Volume(array=one) for one in frames()]
    with pytest.raises(InputError, match="frames must have one geometry, got .* in frame 2, .* in frame 0"):
        rl.imaging.dce_series([*volumes[:2], other, *volumes[3:]], times=TIMES, arrival=25)


def test_a_file_of_three_axes_is_no_series(tmp_path):
    place = write_volume(Volume(array=BAD[0]), tmp_path / "one.nii.gz")
    with pytest.raises(FileError, match="frames must be a file of four axes"):
        rl.imaging.dce_series(place, times=TIMES)
    (tmp_path / "broken.nii.gz").write_bytes(b"no image")
    with pytest.raises(FileError, match="frames must be an image that can be read"):
        rl.imaging.dce_series(tmp_path / "broken.nii.gz")


def test_uneven_times_are_not_written_as_even_ones(tmp_path):
    made = rl.imaging.dce_series(frames(), times=[0, 20, 40, 60, 120], arrival=25)
    with pytest.raises(FileError, match="holds even times only"):
        write_in_time(made.frames, made.times, made.place, tmp_path / "a.nii.gz")
    assert list(tmp_path.iterdir()) == []


def test_a_registration_is_asked_for_every_later_frame():
    asked = []

    def still(frame, baseline):
        asked.append(frame.same_place(baseline))
        return frame

    found = rl.imaging.dce_series(frames(), times=TIMES, arrival=25, registration=still)
    assert asked == [True, True, True]
    assert (found.frames == frames()).all()
    assert found.notes[-1] == "registered by still"


@pytest.mark.parametrize(
    ("registration", "words"),
    [
        ("warp", "registration must be 'translation', 'bspline', 'demons' or a function"),
        (lambda frame, baseline: frame.array, "registration must return a Volume"),
        (lambda frame, baseline: replace(frame, origin=(9, 9, 9)), "got another geometry"),
        (lambda frame, baseline: frame.with_array(frame.array * np.nan), "registration must return finite numbers"),
    ],
)
def test_a_registration_that_fails_is_told(registration, words):
    with pytest.raises(InputError, match=words):
        rl.imaging.dce_series(frames(), times=TIMES, arrival=25, registration=registration)
