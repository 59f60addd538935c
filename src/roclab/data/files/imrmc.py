"""Files of iMRMC: words about the study, the line "BEGIN DATA:", then reader, case, modality and score in each line."""

from __future__ import annotations

from typing import Any

import numpy as np

from roclab._core.types import Array
from roclab.data.roles import check_columns
from roclab.errors import FileError, Words

__all__ = ["imrmc_columns"]

_NAMES = ("readerID", "caseID", "modalityID", "score")


def imrmc_columns(stream: Any, wanted: list[str] | None, *, where: str) -> dict[str, Array]:
    """The four columns; rows of reader -1 (or "truth") hold the truth of a case. O(size of the file)."""
    text = stream.read().decode("utf-8-sig", errors="replace")
    lines = text.splitlines()
    starts = [at for at, line in enumerate(lines) if line.strip().upper().startswith("BEGIN DATA")]
    if not starts:
        raise FileError(where, "must hold the line BEGIN DATA:", Words("none"), "check how it was written")
    cells: list[list[str]] = []
    for number, line in enumerate(lines[starts[0] + 1 :], start=starts[0] + 2):
        if not line.strip():
            continue
        parts = [part.strip() for part in line.split(",")]
        if len(parts) != len(_NAMES):
            raise FileError(where, "must hold four cells in every row of data", Words(f"{len(parts)} in row {number}"))
        try:
            float(parts[3])
        except ValueError:
            raise FileError(where, "must hold numbers as scores", Words(f"{parts[3]!r} in row {number}")) from None
        cells.append(parts)
    if not cells:
        raise FileError(where, "must hold rows below BEGIN DATA:", Words("none"), "check how it was written")
    check_columns(wanted or (), list(_NAMES), where, FileError)
    columns: dict[str, Array] = {name: np.array([row[at] for row in cells]) for at, name in enumerate(_NAMES[:3])}
    columns["score"] = np.array([float(row[3]) for row in cells])
    return columns if wanted is None else {name: columns[name] for name in wanted}
