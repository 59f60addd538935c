"""Where an answer goes: to standard output or to a file, as text, JSON or CSV."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from roclab._core.whole_file import check_place, write_whole
from roclab.errors import FileError, InputError, Words

if TYPE_CHECKING:
    from roclab.results import Cases, Result

__all__ = ["Output", "each_score", "forget_output", "side_by_side"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """The format and the place asked for; checked at once, so that nobody waits for an answer that cannot be kept."""

    as_json: bool
    as_csv: bool
    out: str | None

    def __post_init__(self) -> None:
        if self.as_json and self.as_csv:
            raise InputError("", "--json and --csv exclude each other", Words("both"), "leave one of them out")
        if self.out is not None:
            check_place(self.out, name="--out")

    def spare(self, *sources: str) -> None:
        """Refuse to write over the data."""
        for source in sources:
            both = self.out is not None and os.path.exists(source) and os.path.exists(self.out)
            if both and os.path.samefile(source, str(self.out)):
                raise FileError("--out", "must not be the file of the data", Words(self.out), "name another file")

    def show(self, result: Result, notes: Sequence[str] = (), *, layout: str | None = None) -> None:
        """Print or write a result; JSON and CSV are exactly its own, the text may have another layout, and notes."""
        if self.as_json:
            text = result.to_json()
        elif self.as_csv:
            text = result.to_csv()
        else:
            text = str(result) if layout is None else layout
            text = "\n".join([text, "", *notes]) if notes else text
        if not text.endswith("\n"):
            text += "\n"
        if self.out is not None:
            write_whole(self.out, text, name="--out")
        elif self.as_json or self.as_csv:  # other programs read this: UTF-8 whatever the terminal speaks
            _print(text.encode("utf-8"))
        else:
            _print(text.encode(getattr(sys.stdout, "encoding", None) or "utf-8", "replace"))


def side_by_side(results: Sequence[Result]) -> Result:
    """Answers of one kind in one table."""
    from roclab.results import Several

    return Several(results=tuple(results))


def each_score(cases: Cases, ask: Callable[[Cases], Result]) -> Result:
    """The answer about one score, or those about several one after the other."""
    from roclab.results import Several

    found = {name: ask(cases.select(name)) for name in cases.names}
    return next(iter(found.values())) if len(found) == 1 else Several(results=found)


def _print(data: bytes) -> None:
    """To standard output, all of it or BrokenPipeError.

    With PYTHONUNBUFFERED the stream is a bare file, which may take a part of the data and say so; Python's own text
    layer does not listen and would end as if all had been read.
    """
    if sys.stdout is None:  # roclab … >&-
        raise FileError("", "standard output must be open", Words("a closed one"), "write to a file with --out")
    try:
        sys.stdout.flush()
        stream = sys.stdout.buffer
        rest = memoryview(data)
        while rest:
            rest = rest[stream.write(rest) :]
        stream.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        forget_output()
        raise FileError(
            "", "standard output must take what is written to it", Words(f"{error.strerror or error}")
        ) from None


def forget_output() -> None:
    """Let what is still buffered go nowhere: Python would fail on it a second time when it closes the stream."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
