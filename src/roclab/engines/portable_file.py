"""Files of counts: Parquet with what the counts mean beside them, checked when they are read.

The format, version 1: one row per cell with the columns ``score`` (its name), ``low`` and ``high`` (float64, the lowest
and the highest score of the cell), ``pos`` and ``neg`` (int64); the key ``roclab`` of the file's metadata holds JSON
with ``format`` "roclab tally", ``version``, ``label``, ``positive``, ``negative``, ``direction`` by score, ``dropped``,
``outcome``, ``minimum``, ``parts`` and ``totals``, the positives and negatives of every score.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from roclab._core.whole_file import write_whole
from roclab.engines.portable import PortableTally
from roclab.engines.scan import Cells
from roclab.errors import FileError, MissingExtraError, Words

__all__ = ["VERSION", "read_portable", "write_portable"]

VERSION = 1
_COLUMNS = {"score": "string", "low": "double", "high": "double", "pos": "int64", "neg": "int64"}
_METADATA = ("label", "positive", "negative", "dropped", "outcome", "minimum", "parts")


def _pyarrow() -> Any:
    try:
        import pyarrow as pa
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError(library="pyarrow", extra="engines", purpose="a file of counts") from None
    return pa


def write_portable(tally: PortableTally, path: str | Path, *, name: str = "path") -> None:
    """Write the counts, whole or not at all."""
    pa = _pyarrow()
    described: dict[str, Any] = {one: getattr(tally, one) for one in _METADATA}
    described |= {
        "format": "roclab tally",
        "version": VERSION,
        "direction": dict(tally.direction),
        "totals": {key: [int(cells.pos.sum()), int(cells.neg.sum())] for key, cells in tally.scores.items()},
    }
    names = np.repeat(list(tally.scores), [cells.low.size for cells in tally.scores.values()])
    columns = [np.concatenate(column) for column in zip(*(cells[:4] for cells in tally.scores.values()), strict=True)]
    schema = pa.schema([(key, getattr(pa, {"double": "float64"}.get(kind, kind))()) for key, kind in _COLUMNS.items()])
    table = pa.table([pa.array(names.tolist(), pa.string()), *map(pa.array, columns)], schema=schema)
    table = table.replace_schema_metadata({"roclab": json.dumps(described, ensure_ascii=False)})
    out = io.BytesIO()
    pa.parquet.write_table(table, out, compression="zstd")
    write_whole(path, out.getvalue(), name=name)


def read_portable(path: str | Path) -> PortableTally:
    """Read and check a file of counts."""
    pa = _pyarrow()
    where = str(path)
    try:
        with open(path, "rb") as stream:  # not by name, which pyarrow takes for an address where it looks like one
            table = pa.parquet.read_table(stream)
    except FileNotFoundError:
        raise FileError("", f"{where} does not exist", way_out="check the path") from None
    except (OSError, pa.ArrowException) as error:
        line = str(error).splitlines()[0]
        raise FileError(
            where, "must be a complete file of counts", Words(f"{line!r} from pyarrow"), "copy or write it again"
        ) from None
    described = _metadata(table.schema.metadata or {}, where)
    kinds = {field.name: str(field.type) for field in table.schema}
    if kinds != _COLUMNS:
        raise FileError(where, f"must have the columns {', '.join(_COLUMNS)} of a tally", Words(", ".join(kinds)))
    names = np.array(table.column("score").to_pylist(), np.object_)
    values = [table.column(key).to_numpy() for key in ("low", "high", "pos", "neg")]
    scores = {}
    for key, totals in described["totals"].items():
        rows = names == key
        cells = Cells(*(column[rows] for column in values))
        _check(cells, totals, key, where)
        scores[key] = cells
    if sum(cells.low.size for cells in scores.values()) != table.num_rows:
        raise FileError(where, "must hold cells of the scores it names only", Words("others too"), "write it again")
    return PortableTally(scores=scores, direction=described["direction"], **{one: described[one] for one in _METADATA})


def _metadata(metadata: Mapping[bytes, bytes], where: str) -> dict[str, Any]:
    try:
        described = json.loads(metadata[b"roclab"])
        named = described["format"] == "roclab tally"
    except (KeyError, ValueError, TypeError):
        named = False
    if not named:
        raise FileError(where, "must be a file of counts", Words("other data"), "write it with roclab tally")
    if described.get("version") != VERSION:
        raise FileError(
            where, f"must be of version {VERSION}, which this roclab reads", described.get("version"), "update roclab"
        )
    lacking = [one for one in (*_METADATA, "direction", "totals") if one not in described]
    if lacking or set(described["direction"]) != set(described["totals"]):
        raise FileError(
            where, "must say what its counts mean", Words(f"nothing about {', '.join(lacking) or 'directions'}")
        )
    return dict(described)


def _check(cells: Cells, totals: list[int], name: str, where: str) -> None:
    sound = (
        cells.low.size > 0
        and bool((cells.low <= cells.high).all())
        and bool((cells.high[:-1] < cells.low[1:]).all())
        and int(min(cells.pos.min(), cells.neg.min())) >= 0
    )
    if not sound:
        raise FileError(where, f"must hold cells of {name!r} in order", Words("damaged ones"), "write it again")
    found = [int(cells.pos.sum()), int(cells.neg.sum())]
    if found != list(totals):
        raise FileError(where, f"must hold all {totals} cases of {name!r}", Words(f"{found}"), "copy or write it again")
