"""Looks at every built page: each link and picture must be there, and nothing may come from another machine."""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """What a page points to, what it loads, and the anchors it has."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect addresses and anchors."""
        for name, value in attrs:
            if value is None:
                continue
            if name == "id":
                self.anchors.add(value)
            elif name == "src" or (tag == "link" and name == "href" and ("rel", "stylesheet") in attrs):
                self.loaded.append(value)
            elif name == "href" and tag == "a":
                self.links.append(value)


def broken(root: Path) -> list[str]:
    """One line per address that leads nowhere, or that the reader's browser would fetch from elsewhere."""
    pages = {path: Page(path) for path in sorted(root.rglob("*.html"))}
    found = []
    for path, page in pages.items():
        here = path.relative_to(root)
        for address in [*page.links, *page.loaded]:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                if address in page.loaded and parts.scheme != "data":
                    found.append(f"{here}: loads {address}")
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.exists():
                found.append(f"{here}: {address} is not there")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
                found.append(f"{here}: {address} has no such anchor")
    return found


if __name__ == "__main__":
    trouble = broken(Path(sys.argv[1]).resolve())
    print("\n".join(trouble) or "every link leads somewhere, and no page loads anything from elsewhere")
    sys.exit(bool(trouble))
