"""Apply a trained lung CAD to a scan."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from roclab.analysis.lung_cad.marks import CadMarks
from roclab.analysis.lung_cad.scans import searched
from roclab.imaging.lungs.cad_file import read_cad
from roclab.imaging.lungs.cad_model import LungCad
from roclab.imaging.lungs.segment import Lungs
from roclab.imaging.orientation import orientation_notes, turn_of
from roclab.imaging.volumes import Volume, name_of_image

__all__ = ["EXAMPLE", "cad_apply", "example_model"]

EXAMPLE = Path(__file__).with_name("phantoms.cad")


def cad_apply(
    model: LungCad | str | os.PathLike[str],
    scan: Volume | str | os.PathLike[str],
    *,
    name: str | None = None,
    lungs: Lungs | Volume | Any = None,
) -> CadMarks:
    """Marks of a scan with the probability that each is a nodule, and where the CAD knows that it is malignant.

    Parameters
    ----------
    model : LungCad, or its file
        ``"phantoms"`` is a small one that comes with roclab and was trained on phantoms only: an example.
    scan : Volume, or a file or folder that ``read_volume`` reads
        A CT. Where it lies outside what training has seen, in thickness, pixels, noise or kernel, a note says so.
    name : str, optional
        Of the scan in tables (default: that of the file).
    lungs : Lungs, Volume, file or array, optional
        Where to search (default: ``segment_lungs``).

    Returns
    -------
    CadMarks
        ``.rows()``, ``.marks()`` for ``froc``, ``.write_report(path)``: one page with slices through every mark.

    Examples
    --------
    >>> import roclab as rl
    >>> chest = rl.imaging.phantom_chest(size=(24, 96, 96), nodules=[("solitary", "solid", 18.0)], noise=30, rng=1)
    >>> marks = rl.imaging.cad_apply("phantoms", chest.volume, name="new")
    >>> marks.found.hits(chest.nodules)[0], bool(marks.probability[0] > 0.5)
    (1, True)
    """
    known = model if isinstance(model, LungCad) else _read(model)
    called = name or ("scan" if isinstance(scan, Volume) else name_of_image(scan))
    held = searched(called, scan, lungs=lungs, settings=known.settings)
    x = known.of_regions(held.found, known.features)
    chance = known.probability(x)
    order = np.lexsort((np.arange(chance.size), -chance))
    found = replace(held.found, regions=tuple(held.found.regions[at] for at in order))
    malignancy = None
    if known.malignancy is not None:
        malignancy = known.malignancy.probability(known.of_regions(found, known.malignancy.features))
    inside = held.lungs.labels if isinstance(held.lungs, Lungs) else held.lungs
    said = held.lungs.notes if isinstance(held.lungs, Lungs) else ()
    lying = orientation_notes(held.volume, turn_of(held.volume.direction))
    notes = dict.fromkeys((*said, *lying, *held.found.notes, *known.outside(held.facts)))
    return CadMarks(
        scan=called, found=found, probability=chance[order], malignancy=malignancy, model=known, volume=held.volume,
        lungs=inside, facts=held.facts, notes=tuple(notes),
    )  # fmt: skip


def _read(model: str | os.PathLike[str]) -> LungCad:
    if str(model) == "phantoms" and not os.path.exists(model):
        return example_model()
    return read_cad(model)


def example_model() -> LungCad:
    """The small CAD that comes with roclab: trained on phantoms, and good for nothing else."""
    return read_cad(EXAMPLE)
