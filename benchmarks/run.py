"""All benchmarks: ``make bench`` prints every table; name parts to run only those, e.g. ``run.py core``.

Each part compares roclab with its peers in the same process (or, for R, on the same machine in the same run) and
prints ratios: how many times longer the peer takes. Targets stand beside the ratios. ``--page`` writes the tables as a
page of the documentation too; ``--check`` ends with exit code 1 when a time is beyond its limit. Times depend on the
machine and on what else runs there, so no test has a limit in seconds; this is where they are.
"""

from __future__ import annotations

import argparse
import importlib
import os
import platform
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from roclab._core.text import format_number, text_table

PARTS = (
    "core",
    "compat",
    "inference",
    "decisions",
    "time",
    "smooth",
    "models",
    "bench",
    "classifiers",
    "imaging",
    "dce",
    "studies",
    "readers",
    "report",
    "page",
    "startup",
)
LIBRARIES = ("roclab", "numpy", "scipy", "scikit-learn", "statsmodels")

INTRODUCTION = """# Benchmarks

Written by `benchmarks/run.py --page`; `make bench` prints the same tables on your machine. Peers run in the same
process, R's pROC on the same machine in the same run. A ratio says how many times longer the peer takes; targets and
limits stand beside what they are for. Times are the best of several runs. Engines on 5·10⁷ rows have a table of their
own in the guide, [Past memory, past one machine](guide/engines.md).
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"some of {', '.join(PARTS)}")
    parser.add_argument("--page", type=Path, help="write the tables to this Markdown file too")
    parser.add_argument("--check", action="store_true", help="fail when a time is beyond its limit")
    asked = parser.parse_args()
    unknown = set(asked.parts) - set(PARTS)
    if unknown:
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    sys.path.insert(0, str(Path(__file__).parent))
    sections, beyond = [], []
    for name in asked.parts or PARTS:
        module = importlib.import_module(f"bench_{name}")
        title = module.__doc__.splitlines()[0]
        rows = module.rows()
        print(f"\n{name}: {title}\n{text_table(rows, digits=2)}", flush=True)
        beyond += [f"{name}: {next(iter(row.values()))}" for row in rows if is_beyond(row)]
        sections.append(f"## {name}\n\n{title}\n\n{markdown_table(rows)}\n")
    if asked.page is not None:
        made_with = ", ".join(f"{library} {version(library)}" for library in LIBRARIES)
        machine = f"{os.cpu_count()} processors, {platform.machine()}, Python {platform.python_version()}; {made_with}."
        asked.page.write_text("\n".join([INTRODUCTION, machine + "\n", *sections]), encoding="utf-8")
    if asked.check and beyond:
        sys.exit("beyond the limit:\n" + "\n".join(beyond))


def is_beyond(row: dict[str, Any]) -> bool:
    """True when the time of a row exceeds the limit that the row states."""
    limit = next((value for name, value in row.items() if name.startswith("limit")), None)
    seconds = next((row[name] for name in ("s", "seconds", "s per frame") if row.get(name) is not None), None)
    return limit is not None and seconds is not None and seconds > limit


def markdown_table(rows: Sequence[dict[str, Any]]) -> str:
    names = list(dict.fromkeys(name for row in rows for name in row))
    numeric = [any(isinstance(row.get(name), int | float) for row in rows) for name in names]
    lines = [names, ["---:" if right else "---" for right in numeric]]
    lines += [[format_number(row.get(name), 2) for name in names] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    main()
