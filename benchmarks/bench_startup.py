"""Start-up: importing roclab, the command line's help, and its first answer."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from measure import best_of_each


def rows() -> list[dict[str, Any]]:
    def run(*command: str) -> Any:
        return lambda: subprocess.run(command, check=True, capture_output=True)

    command = str(Path(sys.executable).with_name("roclab"))
    area = ["auc", "example", "--label", "outcome", "--positive", "deteriorated", "--score", "procalcitonin"]
    numpy, roclab, used, help_, answer = best_of_each(
        [
            run(sys.executable, "-c", "import numpy"),
            run(sys.executable, "-c", "import numpy, roclab"),
            run(sys.executable, "-c", "import roclab as rl; rl.auc([0, 1], [1, 2])"),
            run(command, "--help"),
            run(command, *area),
        ],
        seconds=4,
    )
    return [
        {"what": "import roclab, on top of numpy", "seconds": roclab - numpy, "limit": 0.25},
        {"what": "import roclab and first AUC, on top of numpy", "seconds": used - numpy, "limit": None},
        {"what": "roclab --help", "seconds": help_, "limit": 0.6},
        {"what": "roclab auc example, one score with its interval", "seconds": answer, "limit": 0.35},
    ]
