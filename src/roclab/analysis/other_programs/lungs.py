"""Lungs that another program outlined."""

from __future__ import annotations

import os
from pathlib import Path

from roclab._core.checks import check_choice
from roclab.imaging.programs.lung_labels import lungs_of_folder, lungs_of_labels, names_in_header
from roclab.imaging.volumes import Volume, read_volume
from roclab.names import LUNG_PROGRAMS, LungProgram

__all__ = ["read_lungs"]


def read_lungs(path: str | os.PathLike[str], *, program: LungProgram | None = None) -> Volume:
    """The lungs in an image of labels of another program: 1 the right lung and 2 the left, with lobes joined.

    Parameters
    ----------
    path : file or folder
        An image of labels, or a folder with a mask for each lobe, as TotalSegmentator writes without ``--ml``.
    program : "lungmask", "lungmask-lobes", "totalsegmentator" or "totalsegmentator-v1", optional
        Which numbers are lung: lungmask's R231 has 1 right and 2 left, its LTRCLobes 1 and 2 on the left, 3 to 5 on
        the right; TotalSegmentator has lobes at 10 to 14, and had them at 13 to 17 before version 2. Not needed where
        the file holds names of its labels, or for a folder.

    Returns
    -------
    Volume
        For ``lungs=`` of ``nodules`` and ``cad_apply``, and ``mask=`` of ``segment``.

    Notes
    -----
    Warns where a lung is missing, or the right one lies on the patient's left. O(voxels).

    Examples
    --------
    >>> import tempfile, numpy as np, roclab as rl
    >>> chest = rl.imaging.phantom_chest(size=(12, 64, 64), nodules=0, rng=1)
    >>> lobes = np.array([0, 4, 1], dtype=np.uint8)[chest.lungs.array]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     place = rl.imaging.write_volume(chest.lungs.with_array(lobes), f"{folder}/lobes.nii.gz")
    ...     lungs = rl.imaging.read_lungs(place, program="lungmask-lobes")
    >>> bool((lungs.array == chest.lungs.array).all())
    True
    """
    if program is not None:
        check_choice(program, "program", LUNG_PROGRAMS)
    place = Path(path)
    if place.is_dir():
        return lungs_of_folder(place)
    return lungs_of_labels(read_volume(place), program, names_in_header(place))
