"""A page as PDF, printed by a Chromium browser that is on the machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from roclab.errors import FileError, InputError, Words

__all__ = ["find_browser", "pdf_of"]

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
_PATIENCE = 120  # seconds


def find_browser() -> str:
    """The first Chromium browser on the path."""
    for name in _NAMES:
        found = shutil.which(name)
        if found:
            return found
    raise InputError(
        "",
        "a PDF needs Chromium or Chrome on this machine",
        Words("none"),
        "install it, or print the HTML page from any browser",
    )


def pdf_of(page: str) -> bytes:
    """The page as the browser prints it; the browser may talk to nobody."""
    browser = find_browser()
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "page.html"), Path(folder, "page.pdf")
        source.write_text(page, encoding="utf-8")
        command = [
            browser,
            "--headless",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--virtual-time-budget=5000",
            "--no-pdf-header-footer",
            f"--user-data-dir={folder}/profile",
            f"--print-to-pdf={target}",
            source.as_uri(),
        ]
        if hasattr(os, "geteuid") and os.geteuid() == 0:  # Chromium refuses its sandbox to root
            command.insert(1, "--no-sandbox")
        try:
            done = subprocess.run(command, capture_output=True, timeout=_PATIENCE, check=False)
        except subprocess.TimeoutExpired:
            raise FileError(
                browser, f"must print the page within {_PATIENCE} s", Words("no answer"), "try again"
            ) from None
        if not target.exists():
            messages = done.stderr.decode("utf-8", "replace").strip().splitlines()
            raise FileError(
                browser, "must print the page", Words(f"exit code {done.returncode} ({messages[-1:] or 'silence'})")
            )
        return target.read_bytes()
