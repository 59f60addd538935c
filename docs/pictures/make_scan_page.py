"""Draws the page of a scan for the guide: ``python docs/pictures/make_scan_page.py``."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

import roclab as rl
from roclab.report.pdf import find_browser


def main() -> None:
    """The upper part of the page of a phantom that the example CAD has not seen."""
    chest = rl.imaging.phantom_chest(size=(40, 128, 128), spacing=(2.0, 1.6, 1.6), nodules=8, diameters=(5, 16), rng=24)
    marks = rl.imaging.cad_apply("phantoms", chest.volume, name="new 24")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        place = marks.write_report(Path(folder, "scan.html"), lesions={"new 24": chest.nodules})
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1280, "height": 1250})
        page.goto(place.as_uri())
        page.wait_for_selector("#viewer.ready")
        page.wait_for_timeout(500)
        page.screenshot(path=Path(__file__).with_name("scan_page.png"))
        browser.close()


if __name__ == "__main__":
    main()
