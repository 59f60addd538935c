"""Pictures of every view of the workbench, for the guide: ``make screenshots``; of some where they are named.

Light and dark at three widths; each is looked at before it is committed.
"""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import numpy as np
from PIL import Image
from playwright.sync_api import Page, sync_playwright

import roclab as rl
from roclab.report.pdf import find_browser

HERE = Path(__file__).parent / "workbench"
SIZES = ((1280, "light"), (1280, "dark"), (800, "light"), (800, "dark"), (390, "light"), (390, "dark"))
VIEWS = (
    "start",
    "data",
    "curves",
    "point",
    "compare",
    "rates",
    "cutoffs",
    "train",
    "readers",
    "images",
    "more",
    "time",
)


def main() -> None:
    """Start a workbench on the example and photograph it."""
    HERE.mkdir(exist_ok=True)
    server = subprocess.Popen(
        [sys.executable, "-m", "roclab", "app", "example", "--no-browser"], stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    address = server.stdout.readline().split()[3]
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox", "--disable-gpu"])
            for width, scheme in SIZES:
                context = browser.new_context(
                    viewport={"width": width, "height": 900}, color_scheme=scheme, locale="en-US"
                )
                page = context.new_page()
                page.goto(address)
                page.wait_for_selector("#headline")
                for view in sys.argv[1:] or VIEWS:
                    page.evaluate(f"location.hash = '/{view}'")
                    prepare(page, view)
                    page.mouse.move(0, 0)
                    page.wait_for_timeout(400)
                    picture = Image.open(io.BytesIO(page.screenshot()))
                    colours, way = (256, Image.Quantize.FASTOCTREE) if view == "images" else (96, None)  # many greys
                    small = picture.convert("RGB").quantize(colours, method=way, dither=Image.Dither.NONE)
                    small.save(HERE / f"{view}-{width}-{scheme}.png", optimize=True)
                context.close()
            browser.close()
    finally:
        server.terminate()
        server.wait()


def prepare(page: Page, view: str) -> None:
    """Show what a view is for."""
    if view == "curves":
        page.wait_for_selector("#chart svg .curve")
        page.select_option("#band", "pointwise")
        page.wait_for_selector("#chart svg .band")
    elif view == "compare":
        page.wait_for_selector("#pairs svg")
    elif view == "rates":
        page.fill("#threshold-0", "1.5")
        page.fill("#threshold-1", "2")
        page.keyboard.press("Tab")
        page.select_option("#by", "ward")
        page.wait_for_selector("#gaps svg")
        page.evaluate("window.scrollTo(0, 0)")
    elif view == "cutoffs":
        page.wait_for_selector("#criteria tbody tr")
    elif view == "train":
        page.click("#train")
        page.wait_for_selector("#bench-matrix table")
        page.evaluate("window.scrollTo(0, 0)")
    elif view == "readers":
        page.evaluate("roclab.frame.opening.example('readings')")
        page.wait_for_selector("#reader-areas tbody tr")
    elif view == "images":
        page.click("#example-scan")
        page.wait_for_selector("canvas[data-at]")
        page.click("#mark")
        page.wait_for_selector("#marks tbody tr")
        page.click("#marks tbody tr button")
        page.wait_for_timeout(500)
        page.evaluate("window.scrollTo(0, 0)")
    elif view == "more":
        page.click("#undo")  # the patients again
        page.wait_for_selector("#called >> text=example", state="attached")
        page.click("#tool-tour")
        page.evaluate("document.querySelector('#tool-plan').scrollIntoView()")
    elif view == "time":
        page.evaluate("text => roclab.frame.opening.text(text)", followed_with_risks())
        page.wait_for_selector("#ask-over-time")
        page.click("#ask-over-time")
        page.wait_for_selector("#time-benefit svg .series")
        page.evaluate("window.scrollTo(0, 0)")


def followed_with_risks() -> str:
    """The bundled follow-up with a predicted risk, as somebody pastes it."""
    found = rl.read_columns("followed").values
    line = 0.6 * found["marker"].astype(float) + 0.35 * found["grade"].astype(float)
    columns = [found["days"], found["ended"], found["marker"], (1 / (1 + np.exp(4.8 - line))).round(4)]
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return "\n".join(["\t".join(map(str, row)) for row in [("days", "ended", "marker", "risk"), *rows]])


if __name__ == "__main__":
    main()
