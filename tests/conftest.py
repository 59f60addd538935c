"""Shared fixtures: oracle files, published tables, and the outside data folder where it exists."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from roclab.errors import InputError
from roclab.report.pdf import find_browser

# The machine decides how long an example takes, so no deadline. "roclab" tries the same examples on every run, so that
# a change is what makes a test fail; "nightly" tries many others each time (make nightly) and prints how to repeat one.
_ALWAYS = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("roclab", max_examples=60, derandomize=True, **_ALWAYS)
settings.register_profile("nightly", max_examples=500, derandomize=False, print_blob=True, **_ALWAYS)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "roclab"))

HERE = Path(__file__).parent
PUBLISHED = HERE / "published" / "data"
OUTSIDE = Path(os.environ.get("ROCLAB_DATA", HERE.parent.parent / "shared" / "data"))


def oracle(name):
    """One oracle case."""
    return json.loads((HERE / "oracles" / "open" / f"{name}.json").read_text())


def decoded(value):
    """Oracle numbers: 'inf' and null become inf and None."""
    return {"inf": np.inf, "-inf": -np.inf}.get(value, value) if isinstance(value, str) else value


def read_columns(path):
    """The columns of a CSV as text."""
    with path.open(newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    return {column: np.array([row[column] for row in rows]) for column in rows[0]}


@pytest.fixture(scope="session")
def published_table():
    """Reads a table that stands in tests/published/data, whose README says where it comes from."""
    return lambda name: read_columns(PUBLISHED / name)


@pytest.fixture(scope="session")
def outside_table():
    """Reads a table whose licence keeps it outside; skips where the folder is absent."""

    def read(name):
        if not (OUTSIDE / name).exists():
            pytest.skip(f"{name} may not be shipped, and no folder with it is on this machine (set ROCLAB_DATA)")
        return read_columns(OUTSIDE / name)

    return read


@pytest.fixture(scope="session")
def asah(published_table):
    """Outcome and three markers of 113 cases with the published results of the aSAH patients."""
    table = published_table("asah_reconstructed.csv")
    return {
        "y": (table["positive"] == "1"),
        **{name: table[name].astype(float) for name in ("s100b", "wfns", "ndka")},
    }


def pytest_collection_modifyitems(items):
    """Simulations first: while one worker is at them, the other does everything else."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


@pytest.fixture(scope="session")
def chromium():
    """A browser for all tests of one process; tests that need it are skipped where there is none."""
    try:
        path = find_browser()
    except InputError:
        pytest.skip("no Chromium or Chrome on this machine; '.ci/run' installs it")
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=path, args=[*root, "--disable-gpu"])
        yield browser
        browser.close()
