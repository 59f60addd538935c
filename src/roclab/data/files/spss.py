"""Columns of an SPSS file (.sav) through pyreadstat: numbers as they are stored, and the words SPSS shows for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from roclab._core.types import Array
from roclab.data.columns import as_array
from roclab.data.files.signatures import kind_of
from roclab.data.roles import check_columns
from roclab.errors import FileError, MissingExtraError, Words

__all__ = ["spss_columns", "value_labels"]


def spss_columns(path: str, wanted: Sequence[str] | None, *, head: bytes, where: str) -> dict[str, Array]:
    """The wanted columns (all when None); what SPSS or its user counts as missing is missing here."""
    if not head.startswith((b"$FL2", b"$FL3")):
        raise FileError(
            where, "must be an SPSS file as its name says", Words(kind_of(head)), "name the file after what it holds"
        )
    frame, meta = _read(path, where)
    check_columns(wanted or (), list(meta.column_names), where, FileError)
    names = list(meta.column_names) if wanted is None else list(wanted)
    return {name: _blank_as_missing(as_array(frame[name], name)) for name in names}


def value_labels(path: str, name: str) -> Mapping[str, Any]:
    """Values of a column by the words that SPSS shows for them."""
    _, meta = _read(path, path, metadata_only=True)
    return {str(word): value for value, word in meta.variable_value_labels.get(name, {}).items()}


def _read(path: str, where: str, *, metadata_only: bool = False) -> tuple[Any, Any]:
    try:
        import pyreadstat
    except ImportError:
        raise MissingExtraError(library="pyreadstat", extra="spss", purpose="reading an SPSS file") from None
    try:
        return pyreadstat.read_sav(path, metadataonly=metadata_only, output_format="dict")
    except (pyreadstat.ReadstatError, UnicodeDecodeError) as error:
        raise FileError(
            where, "must be an SPSS file", Words(f"a damaged one ({error})"), "save it again in SPSS"
        ) from None


def _blank_as_missing(values: Array) -> Array:
    """Text columns of SPSS have no missing value: an empty cell is one."""
    if values.dtype.kind not in "OU":
        return values
    out = values.astype(np.object_)
    out[[isinstance(value, str) and not value.strip() for value in out]] = None
    return out
