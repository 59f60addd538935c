"""Shared fixtures: oracle files, and the outside data folder where it exists."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

# The machine decides how long an example takes, so no deadline; the same examples on every run.
settings.register_profile(
    "roclab", deadline=None, max_examples=60, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("roclab")

HERE = Path(__file__).parent
DATA = Path(os.environ.get("ROCLAB_DATA", HERE.parent.parent / "shared" / "data"))


def oracle(name):
    """One oracle case."""
    return json.loads((HERE / "oracles" / "open" / f"{name}.json").read_text())


def decoded(value):
    """Oracle numbers: 'inf' and null become inf and None."""
    return {"inf": np.inf, "-inf": -np.inf}.get(value, value) if isinstance(value, str) else value


@pytest.fixture(scope="session")
def data_table():
    """Reads a CSV of the outside data folder as columns of text; skips where the folder is absent."""

    def read(name):
        path = DATA / name
        if not path.exists():
            pytest.skip(f"the data folder with {name} is not on this machine (set ROCLAB_DATA)")
        with path.open(newline="") as lines:
            rows = list(csv.DictReader(lines))
        return {column: np.array([row[column] for row in rows]) for column in rows[0]}

    return read


@pytest.fixture(scope="session")
def asah(data_table):
    """Outcome and the three markers of the aSAH patients."""
    table = data_table("asah.csv")
    return {
        "y": (table["outcome"] == "Poor"),
        **{name: table[name].astype(float) for name in ("s100b", "wfns", "ndka")},
    }


def pytest_collection_modifyitems(items):
    """Simulations first: while one worker is at them, the other does everything else."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
