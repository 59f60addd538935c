"""Batches of cases on their way from one order to the next: places of known scores, and another sort."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Any

import numpy as np

from roclab._core.types import Array
from roclab.data.files.duckdb import arrow_batches, connected, translated
from roclab.data.files.locking import lock
from roclab.data.tally import Tally
from roclab.engines.backends import Lookup
from roclab.engines.pairing import Meaning

__all__ = ["looked_up", "sorted_again"]


def looked_up(
    batches: Iterator[list[Array]],
    names: Sequence[str],
    known: Mapping[str, Tally],
    lookup: Lookup,
    meanings: Mapping[str, Meaning],
) -> Iterator[list[Array]]:
    """Places of the scores whose tallies are known, or what they mean."""
    for batch in batches:
        for at, name in enumerate(names):
            if name in known:
                score, flag = batch[at], batch[len(names)]
                batch[at] = lookup(known[name], score, flag)
                if name in meanings:
                    batch[at] = meanings[name](score, flag, batch[at])
        yield batch


@contextmanager
def sorted_again(
    batches: Iterator[list[Array]], at: int, limit: int | None, spill: str, *, narrow: bool
) -> Iterator[Iterator[list[Array]]]:
    """Batches of columns in order of another one, by a database of their own; ``narrow`` places fit into int32."""
    import pyarrow as pa

    if narrow:  # a sort moves all that travels along
        batches = ([one.astype(np.int32) if one.dtype == np.int64 else one for one in batch] for batch in batches)
    first = next(batches, None)
    if first is None:
        yield iter(())
        return
    names = [f"x{number}" for number in range(len(first))]

    def every() -> Iterator[Any]:
        for batch in chain([first], batches):
            yield pa.RecordBatch.from_arrays([pa.array(column) for column in batch], names=names)

    schema = pa.schema([(name, pa.from_numpy_dtype(column.dtype)) for name, column in zip(names, first, strict=True)])
    folder = tempfile.mkdtemp(dir=spill)
    config: dict[str, Any] = {"temp_directory": folder, "preserve_insertion_order": False}
    if limit is not None:
        config["memory_limit"] = f"{limit // 2}B"
    with connected(config) as connection, translated("the second sort"):
        lock(connection)
        connection.register("given", pa.RecordBatchReader.from_batches(schema, every()))
        ordered = connection.sql(f"SELECT * FROM given ORDER BY x{at}")
        yield arrow_batches(ordered, 500_000, connection.interrupt)
