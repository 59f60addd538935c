"""Data that some printed results were made from: public, but not ours to ship, so that the reader fetches them."""

from __future__ import annotations

from pathlib import Path

from roclab.studies.verdicts import NotGiven

__all__ = ["ORIGINS", "public_file"]

# What each file holds, and where it comes from.
ORIGINS = {
    "phoneme.csv": "5404 vowels, five harmonics, and in the last column the class, 0 nasal or 1 oral: phoneme data of "
    "the ELENA project, also OpenML data set 1489 (classes 1 and 2 there)",
    "pima.csv": "768 women, eight measurements, and in the last column diabetes, 0 or 1: Pima Indians Diabetes of the "
    "UCI repository, also OpenML data set 37",
    "dmd_carriers.csv": "209 women, columns CK, H, PK, LD and Class (normal or carrier): data set dystrophy of the R "
    "package ipred",
}


def public_file(name: str, folder: Path | None) -> Path:
    """The file in the reader's folder; where it is missing, the reason says where it comes from."""
    path = None if folder is None else folder / name
    if path is None or not path.exists():
        raise NotGiven(f"put {name} into a folder and name that with --data: {ORIGINS[name]}")
    return path
