"""The file in which a study keeps its finished work, so that a run that was stopped can go on."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from roclab._core.whole_file import check_place, write_whole
from roclab.errors import FileError, Words
from roclab.studies.results import Sums

__all__ = ["Journal"]

PAUSE = 2.0  # seconds between two writings
KIND = "roclab study"
VERSION = version("roclab")


@dataclass(slots=True, kw_only=True)
class Journal:
    """Finished chunks by key, and where they are kept.

    The file is written whole each time: a run that is killed loses the work of the last seconds and nothing else.
    """

    path: Path | None
    binding: str
    finished: dict[str, dict[str, Sums]] = field(default_factory=dict)
    _saved: float = 0.0
    _unsaved: bool = False

    @classmethod
    def opened(cls, path: str | Path | None, *, binding: str) -> Journal:
        """The journal of a study: empty, or with what an earlier run of the same study had finished."""
        if path is None:
            return cls(path=None, binding=binding)
        check_place(path, name="resume")
        place = Path(path)
        journal = cls(path=place, binding=binding)
        if place.exists() and place.stat().st_size:
            journal.finished.update(_read(place, binding))
        else:
            journal.write()
        return journal

    def add(self, key: str, sums: dict[str, Sums]) -> None:
        """Keep a finished chunk; at most every two seconds this reaches the file."""
        self.finished[key] = sums
        self._unsaved = True
        if time.monotonic() - self._saved > PAUSE:
            self.save()

    def save(self) -> None:
        """Write what is new."""
        if self._unsaved:
            self.write()

    def write(self) -> None:
        """Write the file."""
        if self.path is not None:
            content = {"kind": KIND, "version": VERSION, "binding": self.binding, "chunks": self.finished}
            write_whole(self.path, json.dumps(content) + "\n", name="resume")
        self._saved, self._unsaved = time.monotonic(), False


def _read(path: Path, binding: str) -> dict[str, dict[str, Sums]]:
    try:
        content: Any = json.loads(path.read_text(encoding="utf-8"))
        kind = content["kind"]
        same = content["version"] == VERSION, content["binding"] == binding
        chunks = {
            key: {name: Sums(*values) for name, values in sums.items()} for key, sums in content["chunks"].items()
        }
    except OSError as error:
        raise FileError(
            "resume", "must be a file that can be read", Words(f"{path} ({error.strerror or error})")
        ) from None
    except (ValueError, TypeError, KeyError, AttributeError):
        kind = None
    if kind != KIND:
        raise FileError("resume", "must be a file of an earlier study", Words(path), "name another file")
    if not same[0]:
        raise FileError(
            "resume",
            f"must be a file of roclab {VERSION}",
            Words(f"{path} of version {content['version']}"),
            "start anew in another file",
        )
    if not same[1]:
        raise FileError(
            "resume",
            "must be a file of the same study",
            Words(f"{path} of another design, seed or number of samples"),
            "repeat those exactly, or name another file",
        )
    return chunks
