"""A bar on the terminal for work that takes long enough to wonder about."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any

import click

__all__ = ["Bar", "bar_unless_quiet"]

_PATIENCE = 0.5  # seconds before a bar appears


class Bar:
    """Called with (done, total); draws on standard error when that is a terminal, and vanishes at the end.

    Several rounds of work may follow each other: each starts the bar anew.
    """

    def __init__(self, *, wanted: bool, doing: str = "resampling") -> None:
        self.wanted = wanted and sys.stderr.isatty()
        self.doing = doing
        self._begun = time.monotonic()
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Bar:
        return self

    def __call__(self, done: int, total: int) -> None:
        """Show how far the work is."""
        if not self.wanted or (self._bar is None and time.monotonic() - self._begun < _PATIENCE):
            return
        if self._bar is None:
            self._open(total)
        self._bar.update(self._task, completed=done, total=total)

    def _open(self, total: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = TextColumn(self.doing), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
        self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
        self._bar.start()
        self._task = self._bar.add_task(self.doing, total=total)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()


def bar_unless_quiet(doing: str = "resampling") -> Bar:
    """The bar of the command that runs, unless -q was given."""
    settings = click.get_current_context().obj
    return Bar(wanted=not getattr(settings, "quiet", False), doing=doing)
