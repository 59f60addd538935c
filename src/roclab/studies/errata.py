"""What is wrong in the source texts: where, what is printed, what is right, and how that was found (``errata.csv``)."""

from __future__ import annotations

import csv
from importlib.resources import files
from typing import NamedTuple

__all__ = ["ERRATA", "Erratum"]


class Erratum(NamedTuple):
    """One misprint or mistake."""

    where: str
    printed: str
    correct: str
    evidence: str

    def says(self) -> str:
        """In one line."""
        return f"printed {self.printed}; correct is {self.correct} ({self.evidence})"


def _read() -> dict[str, Erratum]:
    lines = files("roclab.studies").joinpath("errata.csv").read_text(encoding="utf-8").splitlines()
    return {number: Erratum(*rest) for number, *rest in list(csv.reader(lines))[1:]}


ERRATA = _read()
