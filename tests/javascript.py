"""Scripts as modules of their own, run with their tests in the browser they are for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

HOST = "http://roclab.test"  # answered here, never by a network
CHECK = Path(__file__).parent / "report" / "javascript" / "check.js"
_KINDS = {".js": "text/javascript", ".json": "application/json"}


def cases_in(folder: Path) -> list[tuple[str, str]]:
    """File and name of every test."""
    named = re.compile(r'^test\("(.*)", (?:async )?\(\) => \{$', re.MULTILINE)
    files = sorted(folder.glob("*.test.js"))
    return [(path.name, name) for path in files for name in named.findall(path.read_text(encoding="utf-8"))]


def module_page(chromium: Any, folders: Mapping[str, Path]) -> Iterator[Any]:
    """An empty page that can import scripts, each folder under its name, and the framework of their tests."""
    context = chromium.new_context()
    context.set_default_timeout(600_000)  # only ends what hangs

    def answer(route: Any) -> None:
        where = route.request.url.removeprefix(HOST)
        if where == "/":
            route.fulfill(content_type="text/html", body="<!doctype html>")
            return
        _, folder, name = where.split("/", 2)
        path = CHECK if name == "check.js" else folders[folder] / name
        route.fulfill(content_type=_KINDS[path.suffix], body=path.read_text(encoding="utf-8"))

    context.route("**/*", answer)
    page = context.new_page()
    page.goto(f"{HOST}/")
    yield page
    context.close()


def failure(page: Any, file: str, name: str) -> str:
    """What a test complains about; empty where it holds."""
    said: str = page.evaluate(
        """async ([file, name]) => {
            await import(`/tests/${file}`);
            const { run } = await import("/tests/check.js");
            try { await run(name); } catch (error) { return error.message; }
            return "";
        }""",
        [file, name],
    )
    return said
