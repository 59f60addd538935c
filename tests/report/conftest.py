"""Reports to look at, and a real browser to look with."""

from __future__ import annotations

import numpy as np
import pytest

from roclab.datasets import example_path
from roclab.options.uncertainty import Resampling
from roclab.report import build_report

SCORES = ["procalcitonin", "lactate", "concern"]


@pytest.fixture(scope="session")
def report():
    return build_report(
        example_path(), label="outcome", pos_label="deteriorated", score=SCORES, rng=1, source="example"
    )


@pytest.fixture(scope="session")
def many():
    """60 scores of 400 cases."""
    rng = np.random.default_rng(8)
    label = rng.integers(0, 2, 400)
    scores = {f"model {k:02d}": label * rng.uniform(0, 2) + rng.normal(size=400) for k in range(60)}
    return build_report(label, scores, rng=1, resampling=Resampling(replicates=200))


@pytest.fixture
def open_page(chromium, tmp_path):
    """Open a page's text; at the end nothing may have been logged, failed, or asked from outside."""
    opened, trouble = [], []

    def visit(text, *, width=1280, **options):
        path = tmp_path / f"page{len(opened)}.html"
        path.write_text(text, encoding="utf-8")
        context = chromium.new_context(viewport={"width": width, "height": 900}, **options)
        context.set_default_timeout(200_000)  # only ends what hangs; a loaded machine may take its time
        opened.append(context)
        page = context.new_page()
        page.on("console", lambda message: trouble.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: trouble.append(f"error: {error}"))
        page.on("request", lambda request: request.url.startswith("file:") or trouble.append(f"asked: {request.url}"))
        page.goto(path.as_uri())
        if options.get("java_script_enabled", True):
            page.wait_for_selector("html.live")
        return page

    yield visit
    for context in opened:
        context.close()
    assert trouble == []
