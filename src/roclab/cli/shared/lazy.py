"""Commands by name, each imported from its own file when it is needed."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import click

from roclab._core.checks import close_names

__all__ = ["LazyCommands"]


class LazyCommands(click.Group):
    """A group that knows what each command answers without importing it.

    The command ``rank-test`` is ``rank_test`` of the file rank_test.py; with the prefix "fit" the command ``logistic``
    is ``logistic`` of fit_logistic.py.
    """

    def __init__(
        self,
        *arguments: Any,
        answers: Mapping[str, str],
        prefix: str = "",
        topics: Mapping[str, tuple[str, ...]] | None = None,
        **attributes: Any,
    ) -> None:
        super().__init__(*arguments, **attributes)
        self.answers, self.prefix, self.topics = answers, prefix, topics

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, without importing any of them."""
        return list(self.answers)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        if cmd_name not in self.answers:
            return None
        name = cmd_name.replace("-", "_")
        file = f"{self.prefix}_{name}" if self.prefix else name
        command = getattr(importlib.import_module(f"roclab.cli.{file}"), name)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; a misspelt one, also by its capitals, gets the names that resemble it."""
        if args and args[0] not in self.answers and not args[0].startswith("-"):
            hint = close_names(args[0], self.answers) or f"; the commands are {', '.join(self.answers)}"
            raise click.UsageError(f"there is no command {args[0]!r}{hint}.", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands by topic, from the table instead of from the commands."""
        width = max(map(len, self.answers))
        for topic, names in (self.topics or {"Commands": tuple(self.answers)}).items():
            with formatter.section(topic):
                formatter.write_dl([(name.ljust(width), self.answers[name]) for name in names])
