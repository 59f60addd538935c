"""Series in time as scanners of several makes write them: slices whose headers a test changes one by one."""

from __future__ import annotations

import numpy as np

import roclab as rl
from roclab.imaging import dicom
from roclab.imaging.dicom_elements import new_uid, part_10

POSITION, PHASES, ACQUISITION = 0x00200100, 0x00200105, 0x00200012
DAY, CLOCK, TRIGGER = 0x00080022, 0x00080032, 0x00181060
CONTENT, CONTENT_DAY, SERIES_CLOCK = 0x00080033, 0x00080023, 0x00080031
SERIES, NUMBER, NAME, KIND, ECHO = 0x0020000E, 0x00200011, 0x0008103E, 0x00080008, 0x00180081
TIMES = (0.0, 72.0, 144.0, 216.0)


def series_in_time(slices=4, rows=6):
    """Frames of numbers that tell phase, slice and place."""
    rng = np.random.default_rng(3)
    frames = rng.integers(100, 200, size=(len(TIMES), slices, rows, 5)).astype(np.float32)
    frames *= np.array([1.0, 1.8, 1.9, 1.7], dtype=np.float32)[:, None, None, None]
    frames = np.rint(frames)
    c, s = np.cos(0.3), np.sin(0.3)
    place = rl.results.Volume(
        array=np.zeros(frames.shape[1:], np.float32), spacing=(3.0, 1.5, 1.25), origin=(10.0, -20.0, 5.0),
        direction=(c, 0, s, 0, 1, 0, -s, 0, c), modality="MR",
    )  # fmt: skip
    given = [place.with_array(one) for one in frames]
    return rl.imaging.dce_series(given, times=TIMES, arrival=10.0)


def clock(seconds):
    """A time of the day as DICOM writes it."""
    seconds %= 86400
    return f"{int(seconds // 3600):02d}{int(seconds // 60 % 60):02d}{seconds % 60:06.3f}"


def write_flavour(series, folder, change, *, leave_out=()):
    """Slices of all phases in a folder, in no order; ``change(tags, phase, slice)`` gives them their tags."""
    folder.mkdir(parents=True)
    low, slope = dicom._scale(series.frames)
    common = dicom._of_series(series.place, "MR", "dynamic", low, slope)
    files = []
    for k, frame in enumerate(series.frames):
        for z, plane in enumerate(frame):
            number = k * len(frame) + z + 1
            tags = {**common, **dicom._of_slice(series.place, z, number, plane, low, slope)}
            change(tags, k, z)
            if (k, z) not in leave_out:
                files.append(part_10(tags))
    for at, name in enumerate(np.random.default_rng(5).permutation(len(files))):
        (folder / f"i{name:04d}.dcm").write_bytes(files[at])


def own_series(name):
    """Tags of another series in the same study."""
    return {SERIES: ("UI", new_uid()), NUMBER: ("IS", "7"), NAME: ("LO", name)}
