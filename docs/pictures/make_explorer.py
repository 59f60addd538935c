"""Photograph the explorer as a notebook shows it, on a light and a dark ground; needs Chromium and playwright."""

from __future__ import annotations

import io
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

import roclab as rl
from roclab.report.explorer import script
from roclab.report.pdf import find_browser

HOST = """async ({ state, code, ground }) => {
    document.body.style.background = ground;
    const module = await import(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
    const model = { get: (name) => state[name], set() {}, save_changes() {}, on() {}, off() {} };
    module.default.render({ model, el: document.body });
}"""


def main(folder: Path) -> None:
    """Write explorer.png and explorer_dark.png."""
    widget = rl.explore(
        "example", label="outcome", pos_label="deteriorated", score=["procalcitonin", "lactate"], band=True, rng=1
    )
    state = {name: widget.get_state()[name] for name in ("_data", "_page", "_style", "_at", "score")}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        for name, ground in (("explorer", "#ffffff"), ("explorer_dark", "#111111")):
            page = browser.new_page(viewport={"width": 1000, "height": 860})
            page.set_content("<!doctype html><body></body>")
            page.evaluate(HOST, {"state": state, "code": script(), "ground": ground})
            page.wait_for_timeout(400)
            Image.open(io.BytesIO(page.screenshot())).convert("RGB").quantize(64).save(folder / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
