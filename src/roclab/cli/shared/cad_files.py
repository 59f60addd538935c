"""Scans and nodules of a CAD on the command line: files, or the word for phantoms that are made on the spot."""

from __future__ import annotations

import os
from typing import Any

from roclab.cli.shared.data import table_of_file
from roclab.cli.shared.images import PHANTOM, small_phantom
from roclab.errors import InputError, Words

__all__ = ["PHANTOMS", "lesions_of", "scans_of"]

PHANTOMS = "phantoms"  # six small ones


def lesions_of(annotations: str) -> Any:
    """The table of a file; the words "phantom" and "phantoms" mean the nodules of the phantoms of that name."""
    if annotations == PHANTOM and not os.path.exists(annotations):
        return {PHANTOM: small_phantom().nodules}
    if annotations == PHANTOMS and not os.path.exists(annotations):
        return {name: one.nodules for name, one in _small_phantoms().items()}
    return table_of_file(annotations)


def scans_of(files: tuple[str, ...]) -> dict[str, Any]:
    """Scans by name, which is that of the file without its ending."""
    from roclab.analysis.image_files import name_of_image

    out: dict[str, Any] = {}
    for file in files:
        if file == PHANTOMS and not os.path.exists(file):
            found = {name: one.volume for name, one in _small_phantoms().items()}
        elif file == PHANTOM and not os.path.exists(file):
            found = {PHANTOM: small_phantom().volume}
        else:
            found = {name_of_image(file): file}
        twice = sorted(set(found) & set(out))
        if twice:
            raise InputError("SCAN", "must have names of their own", Words(f"two called {twice[0]!r}"), "rename one")
        out |= found
    return out


def _small_phantoms() -> dict[str, Any]:
    import roclab as rl

    return {
        f"phantom{seed}": rl.imaging.phantom_chest(
            size=(24, 96, 96), spacing=(2.5, 2.1, 2.1), nodules=6, diameters=(7, 16), rng=seed
        )
        for seed in range(1, 7)
    }
