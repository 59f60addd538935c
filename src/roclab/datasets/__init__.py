"""Small data sets to try things on: invented, shipped with the package, and reproducible.

300 ward patients with a suspected infection were, so the story goes, measured on admission and followed for 48
hours; 90 of them deteriorated. ``wines.csv`` has three classes: 180 wines, the probability of each grape by a taster
(columns named after the grapes) and by a net (net_1 to net_3), the grape the taster called, and two labels (oak,
fruit) with a score each. ``readings.csv`` is a reader study: five readers rate 80 cases on film and digitally, from
0 to 100. ``lesions.csv`` has 54 lesions in 60 scans, ``marks_a.csv`` and ``marks_b.csv`` what two detectors marked
there. ``followed.csv`` has 400 patients after an operation who were followed until a relapse, their death or their
loss. ``generate`` tells how the numbers were made.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from roclab._core.types import Array, frozen

__all__ = ["BUNDLED", "Example", "bundled_path", "example_path", "load_example", "readings_path", "wines_path"]

# Words that stand for a file where data are read.
BUNDLED = {
    "example": "deterioration.csv",
    "wines": "wines.csv",
    "readings": "readings.csv",
    "lesions": "lesions.csv",
    "marks_a": "marks_a.csv",
    "marks_b": "marks_b.csv",
    "followed": "followed.csv",
}

_TYPES: dict[str, type] = {"procalcitonin": np.float64, "lactate": np.float64, "concern": np.int64}

_DESCRIPTION = """\
Deterioration within 48 hours of admission in 300 ward patients with a suspected infection.
Invented data, made by roclab.datasets.generate from a seed: no real patients.

patient         identifier, P001 to P300
ward            north, east, south, west or central
outcome         deteriorated (90 patients) or recovered (210)
procalcitonin   ng/mL, two decimals; the best marker, AUC about 0.87
lactate         mmol/L, one decimal, hence many ties; AUC about 0.78
concern         rating by a nurse from 1 (none) to 5 (grave); AUC about 0.72
"""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Example:
    """A data set in memory.

    Attributes
    ----------
    columns : mapping of name to read-only array
        The columns in the order of the file, one value per patient.
    description : str
        What the columns hold and where they come from.
    path : Path
        The CSV file they were read from.
    """

    columns: Mapping[str, Array]
    description: str
    path: Path


def load_example() -> Example:
    """The bundled example: one outcome and three markers of the same 300 invented patients.

    >>> example = load_example()
    >>> list(example.columns)
    ['patient', 'ward', 'outcome', 'procalcitonin', 'lactate', 'concern']
    >>> int((example.columns["outcome"] == "deteriorated").sum())
    90
    """
    path = example_path()
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    columns = {
        name: frozen(np.array(cells, dtype=np.str_).astype(_TYPES.get(name, np.str_)))
        for name, cells in zip(header, zip(*rows, strict=True), strict=True)
    }
    return Example(columns=columns, description=_DESCRIPTION, path=path)


def example_path() -> Path:
    """Where the CSV file of the example lies, to try the readers and the command line on."""
    return bundled_path("example")


def wines_path() -> Path:
    """Where the CSV file with three classes lies."""
    return bundled_path("wines")


def readings_path() -> Path:
    """Where the CSV file of the reader study lies."""
    return bundled_path("readings")


def bundled_path(word: str) -> Path:
    """The file that a word stands for."""
    return Path(__file__).parent / BUNDLED[word]
