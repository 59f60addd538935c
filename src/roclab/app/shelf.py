"""The data sets that pages have opened: where they lie, what they are called, and the last ones held in memory."""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import stat
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import Any

from roclab.analysis.data import BUNDLED, bundled_path
from roclab.analysis.table_overview import HeldTable, held_table
from roclab.app.folder import OwnFolder, remove_left_behind
from roclab.app.in_memory import TablesInMemory
from roclab.app.kept import Kept
from roclab.app.kinds import checked_reading
from roclab.app.refusals import by_own_name
from roclab.errors import FileError, InputError, Words

__all__ = ["Item", "RefusedFileError", "Shelf"]

_CARRIED = 10_000_000  # bytes of a table that a session file may hold
_WHOLE = 1 << 30  # bytes of a file up to which all of it goes into the fingerprint


@dataclass(slots=True, eq=False)
class Item:
    """One data set; ``place`` is what the library is given, ``called`` what people call it."""

    key: str
    called: str
    place: str
    fingerprint: str
    own: bool  # a copy in our folder, to be removed at the end
    reading: dict[str, Any] = field(default_factory=dict)
    memory: TablesInMemory = field(default_factory=TablesInMemory)

    def table(self) -> HeldTable:
        """The table in memory, read if it is not there."""
        reading = self.reading
        return self.memory.of(self._identity(reading)).table(lambda: self._read(reading))

    def _identity(self, reading: Mapping[str, Any]) -> tuple[str, ...]:
        """Files of the same bytes that are read in the same way are one table; a database may change under its name."""
        whole = self.own or self.place in BUNDLED or os.path.isfile(self.place)
        return (self.fingerprint if whole else self.key, self.called, json.dumps(reading, sort_keys=True))

    def _read(self, reading: Mapping[str, Any]) -> HeldTable:
        """The table; of a copy in our folder messages say the name that the user knows."""
        try:
            found = held_table(self.place, called=self.called, **reading)
        except InputError as error:
            raise (by_own_name(error, self.place, self.called) if self.own else error) from None
        if not self.own:
            return found
        notes = tuple(one.replace(self.place, self.called) for one in found.overview.notes)
        return replace(found, overview=replace(found.overview, notes=notes))

    def read_anew(self, reading: Mapping[str, Any]) -> HeldTable:
        """Read the file in another way; what was read before stays if that fails."""
        given = checked_reading(reading)
        found = self._read(given)
        self.memory.put(self._identity(given), found)
        self.reading = given
        return found

    def text(self) -> str:
        """The table as text, of one that the server made or that was pasted; others are too large to be carried."""
        path = Path(self.place)
        if not self.own or path.suffix not in (".csv", ".tsv") or path.stat().st_size > _CARRIED:
            raise InputError("", "only a small table of text can be put into a session", Words(self.called))
        return path.read_text(encoding="utf-8")

    def remove(self) -> None:
        """Leave nothing of our copy."""
        if self.own:
            Path(self.place).unlink(missing_ok=True)

    def kept_cases(self, parts: str, make: Callable[[], Any]) -> Any:
        """Cases that were read for the same parts before, or read now."""
        return self.memory.of(self._identity(self.reading)).cases(parts, make)

    def kept_answer(self, question: str, give: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """The answer that the same question about these data got before, from whichever page, or gets now."""
        return self.memory.of(self._identity(self.reading)).answer(question, give)


class Shelf:
    """All data sets of this start, in a folder that only this user can read and that is gone at the end."""

    def __init__(self, *, upload_limit: int) -> None:
        remove_left_behind()
        self._own = OwnFolder()
        self.folder = self._own.path
        self.kept = Kept(self.folder)
        self.upload_limit = upload_limit
        self._memory = TablesInMemory()
        self._items: OrderedDict[str, Item] = OrderedDict()
        self._lock = Lock()

    def __getitem__(self, key: str) -> Item:
        with self._lock:
            if key not in self._items:
                raise InputError(
                    "", "this page asks for data that the server does not hold", way_out="open the file again"
                )
            self._items.move_to_end(key)
            return self._items[key]

    def new_file(self, name: str) -> Path:
        """Where an upload of this name is to be written; the name of the user is only an ending here."""
        ending = "".join(Path(re.sub(r"[^\w.]+", "_", os.path.basename(name.replace("\\", "/")))).suffixes[-2:])
        kind = ending.lower() if re.fullmatch(r"(\.\w{1,8}){0,2}", ending) else ""
        known = re.search(r"(\.(csv|tsv|txt|tab)\.gz|\.\w+)$", kind)
        return self.folder / f"{secrets.token_hex(8)}{known[0] if known else '.csv'}"

    def add_file(self, path: Path, called: str) -> Item:
        """A file in our folder."""
        return self._add(called, str(path), own=True)

    def add_text(self, text: str, called: str) -> Item:
        """A table that was pasted from a spreadsheet, where tabs separate cells."""
        if not text.strip():
            raise FileError("", "what is pasted must hold rows of cells", Words("nothing"), "copy the cells again")
        first = text.lstrip("\r\n").split("\n", 1)[0]
        path = self.new_file("pasted.tsv" if "\t" in first else "pasted.csv")
        path.write_text(text, encoding="utf-8")
        return self._add(called, str(path), own=True)

    def add_path(self, path: str) -> Item:
        """A file, pattern, folder or table of a database that the user names."""
        if "\0" in path or not path.strip():
            raise FileError("", "a path must name a file", Words("nothing"), "write where the file lies")
        if path in BUNDLED:
            return self._add(path, path, own=False)
        if "://" in path:
            way_out = "save the table to a file"
            raise FileError("", "the workbench opens files and folders", Words("an address"), way_out)
        place = os.path.expanduser(path.strip())
        _check_ends(place)
        return self._add(os.path.basename(place.rstrip("/")) or place, place, own=False)

    def forget(self, key: str) -> None:
        """A page is done with a data set; of our copies nothing stays."""
        with self._lock:
            item = self._items.pop(key, None)
        if item is not None:
            item.remove()

    def close(self) -> None:
        """Remove everything that was uploaded."""
        self._own.close()

    def _add(self, called: str, place: str, *, own: bool) -> Item:
        item = Item(secrets.token_urlsafe(12), called[:200], place, _fingerprint(place), own, memory=self._memory)
        try:
            item.table()
        except InputError as error:
            raise RefusedFileError(item, error) if os.path.isfile(place) else error from None
        except BaseException:
            if own:
                Path(place).unlink(missing_ok=True)
            raise
        return self.take(item)

    def take(self, item: Item) -> Item:
        """Put a data set on the shelf."""
        with self._lock:
            self._items[item.key] = item
        return item


class RefusedFileError(Exception):
    """A file that could not be read as it is, and may be read in another way."""

    def __init__(self, item: Item, error: InputError) -> None:
        super().__init__(str(error))
        self.item, self.error = item, error


def _check_ends(place: str) -> None:
    """Refuse what has no end of its own: who reads it waits for good, and "-" would be what the server's user types."""
    if place == "-":
        raise FileError(
            "", "a path must name a file", Words("'-', which is the standard input of the server"),
            "save the rows as a file, or paste them",
        )  # fmt: skip
    try:
        mode = os.stat(place).st_mode
    except (OSError, ValueError):  # a pattern, a table of a database, or nothing, which the reader says
        return
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise FileError("", "a path must name a file", Words(f"{place}, a pipe or a device"), "save its rows as a file")


def _fingerprint(place: str) -> str:
    """Of a file its bytes; of anything larger or elsewhere its name, size and time."""
    path = bundled_path(place) if place in BUNDLED else Path(place)
    try:
        if path.is_file() and path.stat().st_size <= _WHOLE:
            with open(path, "rb") as stream:
                return hashlib.file_digest(stream, "sha256").hexdigest()
        identity = [place, *([path.stat().st_size, path.stat().st_mtime_ns] if path.exists() else [])]
    except OSError as error:
        raise FileError("", "a path must name a file that can be read", Words(f"{place} ({error.strerror})")) from None
    return hashlib.sha256(json.dumps(identity).encode()).hexdigest()
