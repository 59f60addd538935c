"""Takes the pictures of the report that the documentation shows: ``python docs/pictures/make_pictures.py``.

Needs Chromium and playwright, as the browser tests do.
"""

from __future__ import annotations

import io
import os
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

import roclab as rl
from roclab.datasets import example_path
from roclab.report.pdf import find_browser

HERE = Path(__file__).parent
SHOTS = (("report-1280", 1280, 900, "light"), ("report-800", 800, 1100, "dark"), ("report-390", 390, 1300, "light"))
SCORES = ["procalcitonin", "lactate", "concern"]


def main() -> None:
    """One picture per width, of what the reader sees first."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page_file = Path(folder, "report.html")
        rl.write_report(
            page_file,
            example_path(),
            label="outcome",
            pos_label="deteriorated",
            score=SCORES,
            source="example",
            title="Deterioration within 48 hours",
            rng=1,
        )
        root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=find_browser(), args=root)
        for name, width, height, scheme in SHOTS:
            page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)  # type: ignore[arg-type]
            page.goto(page_file.as_uri())
            page.wait_for_selector("html.live")
            page.wait_for_timeout(300)
            shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
            shot.quantize(200, dither=Image.Dither.NONE).save(HERE / f"{name}.png", optimize=True)
        browser.close()


if __name__ == "__main__":
    main()
