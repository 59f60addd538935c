"""The workbench: how soon a page is there, a large file is shown, a point follows the hand, and many ask at once.

Needs Chromium and playwright. ``python benchmarks/bench_app.py`` prints a table; nothing is compared with a limit, the
goals stand beside the numbers.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

import numpy as np
from playwright.sync_api import sync_playwright

from roclab.report.pdf import find_browser

ROWS = 1_000_000
SESSIONS = 20
EACH = 15
ROLES = {"label": "outcome", "positive": "deteriorated", "score": ["procalcitonin", "lactate", "concern"]}
QUESTIONS = [
    ("overview", {}),
    ("curve", {"kind": "pr"}),
    ("compare", {}),
    ("cutoffs", {"score": "lactate"}),
    ("region", {"fpr": [0, 0.2]}),
]


def started() -> tuple[subprocess.Popen[str], str]:
    command = [sys.executable, "-m", "roclab", "app", "--no-browser"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    return server, server.stdout.readline().split()[3]


def large_file(folder: str) -> str:
    rng = np.random.default_rng(1)
    label = rng.random(ROWS) < 0.3
    path = os.path.join(folder, "large.csv")
    with open(path, "w") as out:
        out.write("y,a,b\n")
        columns = np.column_stack([label, rng.normal(size=ROWS) + label, rng.normal(size=ROWS) + 0.7 * label])
        np.savetxt(out, columns, fmt=["%d", "%.6f", "%.2f"], delimiter=",")
    return path


def in_a_browser(address: str, path: str) -> list[tuple[str, str, str]]:
    rows = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        begun = time.perf_counter()
        page.goto(address)
        page.wait_for_selector("#example-example")
        rows.append(("first page", f"{time.perf_counter() - begun:.2f} s", "under 1 s"))
        page.click("#example-example")
        page.wait_for_selector("#headline")
        page.click("#tab-point")
        page.wait_for_selector('[data-panel="roc"] svg .handle')
        rows.append(("dragging", f"{frames(page):.0f} frames a second", "50 or more"))
        begun = time.perf_counter()
        page.click("#tab-start")
        page.wait_for_selector("#file", state="attached")
        page.set_input_files("#file", path)
        page.wait_for_selector("#called >> text=large.csv")
        read = time.perf_counter() - begun
        chosen = time.perf_counter()
        page.click("#role-0-label")
        page.click("#role-1-score")
        page.click("#role-2-score")
        page.wait_for_selector("#headline")
        page.click("#tab-curves")
        page.wait_for_selector("#chart svg .curve")
        shown = time.perf_counter() - chosen
        rows.append((f"{ROWS:,} rows read", f"{read:.2f} s", ""))
        rows.append(("… and its two curves shown", f"{read + shown:.2f} s", "under 2.5 s"))
        page.click("#tab-point")
        page.wait_for_selector('[data-panel="roc"] svg .handle')
        rows.append((f"dragging, {ROWS:,} rows", f"{frames(page):.0f} frames a second", "50 or more"))
        browser.close()
    return rows


def frames(page) -> float:
    """Frames a second while the point moves in every frame."""
    return page.evaluate(
        """() => new Promise((done) => {
            const { store } = roclab;
            const count = store.score.thresholds.length;
            let at = 0;
            let frame = 0;
            const begun = performance.now();
            const step = () => {
                at = (at + Math.max(1, Math.floor(count / 60))) % count;
                store.move(at);
                frame += 1;
                if (frame < 120) requestAnimationFrame(step);
                else done(120000 / (performance.now() - begun));
            };
            requestAnimationFrame(step);
        })"""
    )


def in_parallel(address: str) -> list[tuple[str, str, str]]:
    base, token = address.split("#")
    times: list[float] = []
    failed: list[str] = []

    def ask(path: str, body: dict) -> dict:
        headers = {"X-Roclab-Token": token, "Content-Type": "application/json"}
        request = urllib.request.Request(f"{base}api/{path}", json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request) as answer:
            return json.loads(answer.read())

    def session() -> None:
        key = ask("open", {"path": "example"})["key"]
        for turn in range(EACH):
            question, options = QUESTIONS[turn % len(QUESTIONS)]
            begun = time.perf_counter()
            answer = ask("ask", {"question": question, "key": key, "roles": ROLES, "options": options})
            times.append(time.perf_counter() - begun)
            if "error" in answer:
                failed.append(answer["error"])

    people = [threading.Thread(target=session) for _ in range(SESSIONS)]
    begun = time.perf_counter()
    for one in people:
        one.start()
    for one in people:
        one.join()
    spent = time.perf_counter() - begun
    ordered = sorted(times)
    return [
        (f"{SESSIONS} sessions at once, {len(times)} questions", f"{len(times) / spent:.0f} a second", ""),
        ("… median latency", f"{1000 * statistics.median(ordered):.0f} ms", ""),
        ("… 95% latency", f"{1000 * ordered[int(0.95 * len(ordered))]:.0f} ms", "under 700 ms"),
        ("… errors", str(len(failed)), "0"),
    ]


def main() -> None:
    server, address = started()
    try:
        with tempfile.TemporaryDirectory() as folder:
            rows = [*in_a_browser(address, large_file(folder)), *in_parallel(address)]
    finally:
        server.terminate()
        server.wait()
    for row in rows:
        print(f"{row[0]:<42}{row[1]:>24}  {row[2]}")


if __name__ == "__main__":
    main()
