"""The page of a report in a browser: frames a second while its operating point is dragged."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from roclab.errors import InputError
from roclab.report import build_report
from roclab.report.pdf import find_browser

FRAMES = 90
DRAG = """async (frames) => {
    const surface = document.querySelector('[data-panel="roc"] .surface');
    const box = surface.getBoundingClientRect();
    const send = (kind, share) => surface.dispatchEvent(new PointerEvent(kind, {
        pointerId: 1, button: 0, bubbles: true,
        clientX: box.left + share * box.width, clientY: box.top + (1 - share) * box.height }));
    surface.setPointerCapture = () => {};
    send("pointerdown", 0);
    const begun = performance.now();
    for (let k = 1; k <= frames; k++) {
        send("pointermove", k / (frames + 1));
        await new Promise(requestAnimationFrame);
    }
    send("pointerup", 1);
    return (performance.now() - begun) / 1000;
}"""


def rows() -> list[dict[str, Any]]:
    """2000 vertices x 5 curves, one move per frame; 30 frames a second look smooth, so a frame may take 33 ms."""
    try:
        browser = find_browser()
    except InputError:
        return [{"what": "no Chromium or Chrome on this machine", "s per frame": None, "limit s": None}]
    return [{"what": "dragging over 5 curves of 2000 vertices", "s per frame": _frame(browser), "limit s": 1 / 30}]


def _frame(executable: str) -> float:
    from playwright.sync_api import sync_playwright

    rng = np.random.default_rng(9)
    label = rng.integers(0, 2, 20_000)
    report = build_report(label, {f"s{k}": label * k / 2 + rng.normal(size=label.size) for k in range(1, 6)}, rng=1)
    arguments = ["--disable-gpu", *(["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else [])]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder, "page.html")
        path.write_text(report.to_html(), encoding="utf-8")
        chromium = playwright.chromium.launch(executable_path=executable, args=arguments)
        page = chromium.new_page(viewport={"width": 1280, "height": 900})
        page.goto(path.as_uri())
        page.wait_for_selector("html.live")
        best = min(page.evaluate(DRAG, FRAMES) for _ in range(3))
        chromium.close()
    return best / FRAMES
