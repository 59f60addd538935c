"""The file in which long work keeps what is finished, so that a run that was stopped can go on."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from roclab._core.whole_file import check_place, write_whole
from roclab.errors import FileError, Words

__all__ = ["Journal"]

PAUSE = 2.0  # seconds between two writings

Value = TypeVar("Value")


@dataclass(slots=True, kw_only=True)
class Journal(Generic[Value]):
    """Finished pieces by key, and where they are kept.

    The file is written whole each time: a run that is killed loses the work of the last seconds and nothing else.
    ``work`` names the kind of work; ``binding`` is a fingerprint of all that the results depend on.
    """

    path: Path | None
    work: str
    binding: str
    finished: dict[str, Value] = field(default_factory=dict)
    _saved: float = 0.0
    _unsaved: bool = False

    @classmethod
    def opened(
        cls, path: str | Path | None, *, work: str, binding: str, value: Callable[[Any], Value]
    ) -> Journal[Value]:
        """The journal of some work: empty, or with what an earlier run of the same work had finished.

        ``value`` makes a finished piece from what JSON holds of it.
        """
        if path is None:
            return cls(path=None, work=work, binding=binding)
        check_place(path, name="resume")
        place = Path(path)
        journal = cls(path=place, work=work, binding=binding)
        if place.exists() and place.stat().st_size:
            journal.finished.update(journal._read(place, value))
        else:
            journal.write()
        return journal

    def add(self, key: str, value: Value) -> None:
        """Keep a finished piece; at most every two seconds this reaches the file."""
        self.finished[key] = value
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
            content = {"kind": self._kind, "version": _version(), "binding": self.binding, "chunks": self.finished}
            write_whole(self.path, json.dumps(content) + "\n", name="resume")
        self._saved, self._unsaved = time.monotonic(), False

    @property
    def _kind(self) -> str:
        return f"roclab {self.work}"

    def _read(self, path: Path, value: Callable[[Any], Value]) -> dict[str, Value]:
        try:
            content: Any = json.loads(path.read_text(encoding="utf-8"))
            kind = content["kind"]
            same = content["version"] == _version(), content["binding"] == self.binding
            chunks = {key: value(plain) for key, plain in content["chunks"].items()}
        except OSError as error:
            raise FileError(
                "resume", "must be a file that can be read", Words(f"{path} ({error.strerror or error})")
            ) from None
        except (ValueError, TypeError, KeyError, AttributeError):
            kind = None
        if kind != self._kind:
            raise FileError("resume", f"must be a file of an earlier {self.work}", Words(path), "name another file")
        if not same[0]:
            raise FileError(
                "resume",
                f"must be a file of roclab {_version()}",
                Words(f"{path} of version {content['version']}"),
                "start anew in another file",
            )
        if not same[1]:
            raise FileError(
                "resume",
                f"must be a file of the same {self.work}",
                Words(f"{path} of another design, seed or number of samples"),
                "repeat those exactly, or name another file",
            )
        return chunks


def _version() -> str:
    from importlib.metadata import version  # takes longer to import than a small question to answer

    return version("roclab")
