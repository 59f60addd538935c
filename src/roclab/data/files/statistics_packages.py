"""Columns of SPSS (.sav) and Stata (.dta) files through pyreadstat: numbers as stored, and the words shown for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from roclab._core.types import Array
from roclab.data.columns import as_array
from roclab.data.files.signatures import kind_of
from roclab.data.roles import check_columns
from roclab.errors import FileError, MissingExtraError, Words

__all__ = ["package_columns", "value_labels"]

_PROGRAMS = {".sav": "SPSS", ".dta": "Stata"}
# Old files of Stata begin with their release and the order of their bytes.
_OLD_STATA = tuple(bytes([release, order]) for release in range(104, 116) for order in (1, 2))
_BEGIN = {".sav": (b"$FL2", b"$FL3"), ".dta": (b"<stata_dta>", *_OLD_STATA)}


def package_columns(
    path: str, wanted: Sequence[str] | None, *, suffix: str, head: bytes, where: str
) -> dict[str, Array]:
    """The wanted columns (all when None); what the program or its user counts as missing is missing here."""
    program = _PROGRAMS[suffix]
    if not head.startswith(_BEGIN[suffix]):
        article = "an" if program == "SPSS" else "a"
        raise FileError(
            where, f"must be {article} {program} file as its name says", Words(kind_of(head)),
            "name the file after what it holds",
        )  # fmt: skip
    frame, meta = _read(path, where)
    check_columns(wanted or (), list(meta.column_names), where, FileError)
    names = list(meta.column_names) if wanted is None else list(wanted)
    return {name: _blank_as_missing(as_array(frame[name], name)) for name in names}


def value_labels(path: str, name: str) -> Mapping[str, Any]:
    """Values of a column by the words that the program shows for them."""
    _, meta = _read(path, path, metadata_only=True)
    return {str(word): value for value, word in meta.variable_value_labels.get(name, {}).items()}


def _read(path: str, where: str, *, metadata_only: bool = False) -> tuple[Any, Any]:
    program = _PROGRAMS[path[-4:].lower()]
    try:
        import pyreadstat
    except ImportError:
        raise MissingExtraError(library="pyreadstat", extra="spss", purpose=f"reading a file of {program}") from None
    read = pyreadstat.read_sav if program == "SPSS" else pyreadstat.read_dta
    try:
        return read(path, metadataonly=metadata_only, output_format="dict")
    except (pyreadstat.ReadstatError, UnicodeDecodeError) as error:
        raise FileError(
            where, f"must be a file of {program}", Words(f"a damaged one ({error})"), f"save it again in {program}"
        ) from None


def _blank_as_missing(values: Array) -> Array:
    """Text columns of these programs have no missing value: an empty cell is one."""
    if values.dtype.kind not in "OU":
        return values
    out = values.astype(np.object_)
    out[[isinstance(value, str) and not value.strip() for value in out]] = None
    return out
