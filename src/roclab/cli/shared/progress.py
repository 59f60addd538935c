"""A bar on the terminal for work that takes long enough to wonder about."""

from __future__ import annotations

import os
import sys
from time import monotonic
from types import TracebackType

import click

__all__ = ["Bar", "bar_unless_quiet"]

_PATIENCE = 0.5  # seconds before a bar appears
_PAUSE = 0.1  # seconds between two pictures of it
_WIDTH = 30  # of the bar itself; the terminal may leave less


class Bar:
    """Called with (done, total); draws on standard error when that is a terminal, and vanishes at the end.

    Several rounds of work may follow each other: each starts the bar anew.
    """

    def __init__(self, *, wanted: bool, doing: str = "resampling") -> None:
        self.wanted = wanted and sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self.doing = doing
        self._next = monotonic() + _PATIENCE
        self._first: tuple[float, int] | None = None  # when this round was first told of, and how far it was
        self._done = 0
        self._drawn = 0

    def __enter__(self) -> Bar:
        return self

    def __call__(self, done: int, total: int) -> None:
        """Show how far the work is."""
        now = monotonic()
        if self._first is None or done < self._done:
            self._first = now, done
        self._done = done
        if self.wanted and now >= self._next:
            self._next = now + _PAUSE
            since, start = self._first
            # Speed since the first call: a study that is resumed begins with much of its work done.
            left = (now - since) * (total - done) / (done - start) if done > start else None
            self._draw(self._line(done, total, left))

    def _line(self, done: int, total: int, left: float | None) -> str:
        progress = f" {done}/{total}" + ("" if left is None else f", {_clock(left)} left")
        columns = _columns() - 1  # a full line would wrap
        width = max(0, min(_WIDTH, columns - len(self.doing) - len(progress) - 1))
        filled = width * done // max(total, 1)
        return f"{self.doing} {'#' * filled}{'-' * (width - filled)}{progress}"[:columns]

    def _draw(self, line: str) -> None:
        # What the last line had more is overwritten with blanks.
        sys.stderr.write(f"\r{line.ljust(self._drawn)}")
        sys.stderr.flush()
        self._drawn = len(line)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        if self._drawn:
            self._draw("")
            sys.stderr.write("\r")
            sys.stderr.flush()


def _columns() -> int:
    """Width of the terminal behind standard error; 80 where it does not say."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


def _clock(seconds: float) -> str:
    """Hours, minutes and seconds, rounded up: work that is not done is never shown as 0:00 from being so.

    >>> _clock(0.2), _clock(75), _clock(3725.5)
    ('0:01', '1:15', '1:02:06')
    """
    whole = -int(-seconds // 1)
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def bar_unless_quiet(doing: str = "resampling") -> Bar:
    """The bar of the command that runs, unless -q was given."""
    settings = click.get_current_context().obj
    return Bar(wanted=not getattr(settings, "quiet", False), doing=doing)
