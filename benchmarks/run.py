"""All benchmarks: ``make bench`` prints every table; name parts to run only those, e.g. ``run.py core``.

Each part compares roclab with its peers in the same process (or, for R, on the same machine in the same run) and
prints ratios: how many times longer the peer takes. Targets stand beside the ratios.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from roclab._core.text import text_table

PARTS = ("core", "compat", "inference", "decisions", "smooth", "models", "report", "studies", "startup")


def main(names: list[str]) -> None:
    sys.path.insert(0, str(Path(__file__).parent))
    for name in names or PARTS:
        module = importlib.import_module(f"bench_{name}")
        print(f"\n{name}: {module.__doc__.splitlines()[0]}")
        print(text_table(module.rows(), digits=2), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
