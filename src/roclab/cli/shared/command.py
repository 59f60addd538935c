"""A command and its options: headings in the help, completion of names and files, values bundled into one object."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from roclab.cli.shared.finishing import columns_of_file, files_and_examples
from roclab.errors import InputError
from roclab.options.spelling import IN_COMMANDS, SPELLINGS

__all__ = ["Command", "Run", "as_written", "bundle", "file_argument", "option"]

Run = TypeVar("Run", bound=Callable[..., Any])


class _Option(click.Option):
    """An option that knows under which heading of the help it stands."""

    def __init__(self, *names: Any, heading: str, **attributes: Any) -> None:
        super().__init__(*names, **attributes)
        self.heading = heading

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        """Refuse what may be given once and was given twice; click would silently take the last."""
        super().add_to_parser(parser, ctx)
        if self.multiple or self.is_flag or self.count:
            return
        name = self.opts[0]  # further names are the same option of the parser
        found = parser._long_opt.get(name) or parser._short_opt.get(name)
        if found is not None:
            found.process = _once(found.process, str(self.name), name)

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The option by its own name; other names that it hears are not listed."""
        every = self.opts
        self.opts = [every[0], *(name for name in every[1:] if not name.startswith("--"))]
        try:
            return super().get_help_record(ctx)
        finally:
            self.opts = every

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Names of columns come from the file that was named before."""
        if self.metavar == "COLUMN":
            return columns_of_file(ctx, incomplete)
        return super().shell_complete(ctx, incomplete)


def _once(process: Callable[..., None], dest: str, name: str) -> Callable[..., None]:
    def checked(value: Any, state: Any) -> None:
        if dest in state.opts:
            raise click.UsageError(f"{name} must be given once, got it twice; leave one of them out.")
        process(value, state)

    return checked


class _File(click.Argument):
    """A file of data, or the word for a data set that comes with roclab."""

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """File names."""
        return files_and_examples(incomplete)


def file_argument(name: str = "file", **attributes: Any) -> Callable[[Run], Run]:
    """FILE, or several of them."""
    return click.argument(name, cls=_File, **attributes)


def as_written(text: str | None) -> str | None:
    """Help text in which a line of backslash and b keeps the paragraph below it as it is.

    Click means the character backspace by it, which a raw docstring cannot hold.
    """
    return None if text is None else text.replace("\\b\n", "\b\n")


class Command(click.Command):
    """A command whose help lists its options under headings."""

    def __init__(self, name: str | None, *, help: str | None = None, **attributes: Any) -> None:
        super().__init__(name, help=as_written(help), **attributes)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; an error about an argument of the library names the option that stands for it."""
        try:
            return super().invoke(ctx)
        except InputError as error:
            error.renamed = self._options() | error.renamed
            raise

    def _options(self) -> dict[str, str]:
        """What options are called, by the names that the library may have for them."""
        found: dict[str, str] = {}
        for one in self.params:
            if isinstance(one, click.Option):
                long = [name for name in one.opts if name.startswith("--")]
                found |= dict.fromkeys((str(one.name), *(name[2:].replace("-", "_") for name in long)), long[0])
        return (
            found
            | {word: one.option for word, one in SPELLINGS.items() if one.option in found.values()}
            | dict(IN_COMMANDS.get(str(self.name), {}))
        )

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """First what the command is about, then what all commands share."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx) if isinstance(parameter, click.Option) else None
            if record is not None:
                groups.setdefault(getattr(parameter, "heading", "Output"), []).append(record)
        for heading in sorted(groups, key=_HEADINGS.index):
            with formatter.section(heading):
                width = max(len(name) for records in groups.values() for name, _ in records)
                formatter.write_dl([(name.ljust(width), text) for name, text in groups[heading]], col_max=30)


_HEADINGS = ["Data", "Question", "Time to event", "Uncertainty", "Resampling", "Engine", "Output"]


def option(*names: str, heading: str = "Question", **attributes: Any) -> Callable[[Run], Run]:
    """An option under a heading; its help ends with the names to choose from, and its default."""
    kind = attributes.get("type")
    if isinstance(kind, click.Choice):
        attributes.setdefault("metavar", "NAME")
        attributes["help"] = f"{attributes['help'].rstrip('.')}: {', '.join(kind.choices)}."
    attributes.setdefault("show_default", attributes.get("default") not in (None, (), False))
    return click.option(*names, cls=_Option, heading=heading, **attributes)


def bundle(name: str, kind: type[Any], options: Sequence[Callable[[Any], Any]]) -> Callable[[Run], Run]:
    """Add options to a command and give it their values as one object."""
    fields = [field.name for field in dataclasses.fields(kind)]

    def decorate(command: Run) -> Run:
        @functools.wraps(command)
        def run(**given: Any) -> Any:
            values = {field: given.pop(field) for field in fields if field in given}
            return command(**given, **{name: kind(**values)})

        wrapped: Any = run
        for add in reversed(options):
            wrapped = add(wrapped)
        return wrapped  # type: ignore[no-any-return]

    return decorate
