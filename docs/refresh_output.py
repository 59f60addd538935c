"""Writes anew what code blocks of the documentation print: ``python docs/refresh_output.py [PAGE…]``.

Every block is run, page by page in an empty folder, and the block of text that shows what it printed is replaced, in
the lines that it showed: they are found again by what they resemble. Lines of three dots keep standing for lines left
out. Read the difference before you commit it; a number that moved has a reason, or is a bug.
"""

from __future__ import annotations

import contextlib
import difflib
import io
import os
import re
import shlex
import sys
import tempfile
import warnings
from pathlib import Path

from click.testing import CliRunner

from roclab.cli.main import cli

HERE = Path(__file__).parent
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def printed_by(kind: str, text: str, names: dict[str, object]) -> str:
    """What a block prints."""
    if kind == "python":
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(text, "block", "exec"), names)
        return out.getvalue()
    shown = ""
    for line in re.findall(r"^\$ roclab (.*)$", text.replace("\\\n", " "), re.MULTILINE):
        shown += CliRunner().invoke(cli, shlex.split(line, comments=True), prog_name="roclab").stdout
    return shown


def renewed(old: str, printed: str) -> str:
    """The text of a block with what is printed now, in the parts that it showed."""
    have = [line.rstrip() for line in printed.rstrip("\n").split("\n")]
    have = [re.sub(r"(\d\.\d{6})\d{5,}", r"\1…", line) for line in have]  # digits that a processor may change
    parts = re.split(r"^\.\.\.\n?", old, flags=re.MULTILINE)
    out, at = [], 0
    for part in parts:
        lines = part.strip("\n").split("\n") if part.strip("\n") else []
        if not lines:
            out.append("")
            continue
        likeness = [
            sum(difflib.SequenceMatcher(None, a, b).ratio() for a, b in zip(lines, have[start:], strict=False))
            for start in range(at, max(len(have) - len(lines), at) + 1)
        ]
        start = at + max(range(len(likeness)), key=likeness.__getitem__)
        out.append("\n".join(have[start : start + len(lines)]) + "\n")
        at = start + len(lines)
    return "...\n".join(out)


def refresh(page: Path) -> bool:
    """Run a page; True when it changed."""
    names: dict[str, object] = {"__name__": "page"}
    text = page.read_text(encoding="utf-8")
    printed: str | None = None

    def one(found: re.Match[str]) -> str:
        nonlocal printed
        kind, body = found[1], found[2]
        if kind in ("python", "console"):
            printed = printed_by(kind, body, names)
        elif kind == "toml":
            Path("study.toml").write_text(body, encoding="utf-8")
        elif kind == "text" and printed is not None:
            new, printed = renewed(body, printed), None
            return f"```{kind}\n{new}```"
        return found[0]

    new = BLOCK.sub(one, text)
    if new != text:
        page.write_text(new, encoding="utf-8")
    return new != text


def main() -> None:
    """All pages, or those named."""
    pages = [Path(name).resolve() for name in sys.argv[1:]] or sorted(HERE.rglob("*.md"))
    home = Path.cwd()
    for page in pages:
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            os.chdir(folder)
            changed = refresh(page)
            os.chdir(home)
        print(f"{'changed' if changed else 'same   '} {page.relative_to(HERE)}")


if __name__ == "__main__":
    main()
