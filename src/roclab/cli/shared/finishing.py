"""What a shell may finish: names of files, and of columns in a file that was named already."""

from __future__ import annotations

import csv
from typing import Any

import click
from click.shell_completion import CompletionItem

from roclab.cli.shared.data import BUNDLED, place_of

__all__ = ["columns_of_file", "files_and_examples"]

_HEAD = 1 << 16  # bytes of a file that hold its first line


def files_and_examples(incomplete: str) -> list[CompletionItem]:
    """File names, and the words for the data sets that come with roclab."""
    words = [word for word in BUNDLED if incomplete and word.startswith(incomplete)]
    return [*map(CompletionItem, words), CompletionItem(incomplete, type="file")]


def columns_of_file(ctx: click.Context, incomplete: str) -> list[CompletionItem]:
    """The columns of a text file, from its first line; of other files none, for they take too long to open."""
    named: Any = ctx.params.get("file") or ctx.params.get("files") or ctx.args  # args: what was not yet given a part
    if not named:
        return []
    file = place_of(named if isinstance(named, str) else named[0])
    try:
        with open(file, encoding="utf-8-sig", errors="strict") as lines:
            first = lines.readline(_HEAD)
    except (OSError, ValueError):
        return []
    delimiter = max(",;\t|", key=first.count)
    names = next(csv.reader([first], delimiter=delimiter), [])
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]
