"""A .zip archive that holds one table: read as that table would be."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import PurePosixPath
from typing import IO, Any

from roclab.errors import FileError, Words

__all__ = ["only_table"]

_BESIDE = ("__MACOSX/", ".")  # what programs put beside the files of a user


@contextmanager
def only_table(stream: Any, where: str, endings: Sequence[str]) -> Iterator[tuple[IO[bytes], str]]:
    """The one table of an archive, open for reading, and its ending; nothing is unpacked to disk."""
    try:
        with zipfile.ZipFile(stream) as archive:
            inside = [one for one in archive.namelist() if not one.endswith("/") and not one.startswith(_BESIDE)]
            ending = PurePosixPath(inside[0]).suffix.lower() if inside else ""
            if len(inside) != 1 or ending not in endings:
                shown = ", ".join(inside[:3]) + (f" and {len(inside) - 3} more" if len(inside) > 3 else "")
                raise FileError(
                    where, f"must hold one table, a {', '.join(endings[:-1])} or {endings[-1]} file",
                    Words(shown or "no file"), "unpack it and name the file",
                )  # fmt: skip
            with archive.open(inside[0]) as table:
                yield table, ending
    except zipfile.BadZipFile as error:
        raise FileError(where, "must be a zip archive", Words(f"a damaged one ({error})"), "copy it again") from None
    except RuntimeError as error:  # an archive with a password
        raise FileError(where, "must be a zip archive that opens", Words(f"{error}"), "unpack it first") from None
