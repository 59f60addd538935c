"""Scans that tables of other programs speak of, read one at a time when they are asked for by name."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from roclab.analysis.lung_cad.scans import named_scans
from roclab.imaging.dicom_headers import files_below, heads_of
from roclab.imaging.orientation import canonical
from roclab.imaging.volumes import Volume, read_volume

__all__ = ["ScansByName"]


class ScansByName:
    """Scans by their name in tables; a folder of DICOM files is known by the UID of its series too."""

    def __init__(self, scans: Any) -> None:
        held: dict[str, Any] = {} if scans is None else dict(named_scans(scans))
        self._held = held
        for one in list(held.values()):
            if isinstance(one, str | os.PathLike) and Path(one).is_dir():
                first = next(iter(heads_of(files_below(Path(one))[:1])), None)
                if first is not None and first.text["series"]:
                    held.setdefault(first.text["series"], one)

    @property
    def names(self) -> list[str]:
        """All names, those of series among them."""
        return list(self._held)

    def get(self, name: str) -> Volume | None:
        """The scan of this name as it is stored; None for none."""
        one = self._held.get(name)
        return read_volume(one) if isinstance(one, str | os.PathLike) else one

    def in_pixels(self, name: str) -> Volume | None:
        """Where the pixels of its slices lie, as DICOM counts them; without voxels.

        A folder of DICOM slices is stored as it is counted. Converters turn and flip axes, but not those of patients:
        columns of a supine scan run to the left and rows to the back, which is the canonical order.
        """
        given = self._held.get(name)
        volume = self.get(name)
        if volume is None:
            return None
        stored = isinstance(given, str | os.PathLike) and Path(given).is_dir()
        place = volume if stored else canonical(volume)[0]
        assert isinstance(place, Volume)
        empty = np.broadcast_to(np.zeros((), dtype=np.int8), place.shape)
        return Volume(array=empty, spacing=place.spacing, origin=place.origin, direction=place.direction)
