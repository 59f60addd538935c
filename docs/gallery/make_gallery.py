"""Draws every figure of roclab from the bundled data, and writes the page that shows them with their code.

``python docs/gallery/make_gallery.py`` writes docs/gallery.md and docs/gallery/figures/*.svg; ``--png FOLDER`` writes
pictures to look at instead.
"""

from __future__ import annotations

import argparse
import inspect
import re
import textwrap
from collections.abc import Callable
from pathlib import Path

import classifiers
import examples
import images
import over_time
import scores
from commands import COMMANDS
from matplotlib.axes import Axes

import curves
import studies
from roclab.plots import save_figure

CHAPTERS = {"Curves": curves, "Scores and thresholds": scores, "Time to event": over_time,
            "Classifiers, costs and areas": classifiers,
            "Reader studies": studies, "Images": images}  # fmt: skip


def _drawn_by(module: object) -> dict[str, Callable[[], Axes]]:
    own = vars(module)
    return {name: one for name, one in own.items() if inspect.isfunction(one) and one.__module__ == own["__name__"]}


FIGURES: dict[str, Callable[[], Axes]] = {
    name: draw for module in CHAPTERS.values() for name, draw in _drawn_by(module).items()
}


PAGE = """# Gallery

Every figure below is drawn by `make gallery` from the data that come with roclab; the code under it is what drew it,
and the command draws it, or one like it, without Python. Each function of
`roclab.plots` takes a finished result and axes, draws, and returns the axes; nothing is computed on the way, so figures
and tables show the same digits.

```python
import roclab as rl
from roclab.datasets import example_path
from roclab.plots import draw_roc, new_axes, save_figure

r = rl.roc(example_path(), label="outcome", pos_label="deteriorated", score="lactate")
ax = draw_roc(r.curve, new_axes("single"), area=r.auc(), label="lactate")
save_figure(ax, "lactate.svg")  # or .pdf, .png
```

The short way is `r.plot(band="pointwise", cutoff="youden")`, on the command line `roclab plot`. Users of scikit-learn
find `RocDisplay`, `PrecisionRecallDisplay`, `DetDisplay` and `CalibrationDisplay` in `roclab.compat.displays`, with
`from_predictions`, `from_estimator` and `from_cv_results`.

`new_axes("single")` is 85 mm wide, `new_axes("double")` 180 mm: the columns of a printed page. Colours are those of
Okabe and Ito; dashes, hatches and markers tell the same in a grey print.
"""


def code_of(draw: Callable[[], Axes]) -> str:
    """What a figure's function does, as code that stands alone after the block of the examples."""
    source = inspect.getsource(draw)
    body = textwrap.dedent(source[source.index('"""', source.index('"""') + 3) + 3 :]).strip()
    used = sorted(set(re.findall(r"\b(draw_\w+|new_axes|figure)\(", body)))
    first = "import scipy.stats\n" if "scipy.stats" in body else "import numpy as np\n" if "np." in body else ""
    body = re.sub(r"^return ax$", "", body, flags=re.MULTILINE)
    body = re.sub(r"^return ", "ax = ", body, flags=re.MULTILINE).strip()
    return f"{first}from roclab.plots import {', '.join(used)}\n\n{body}\n"


def _examples() -> str:
    """The module of the examples without what only a module needs."""
    source = inspect.getsource(examples)
    source = re.sub(r'^""".*?"""\n\nfrom __future__ import annotations\n\n', "", source, flags=re.DOTALL)
    return re.sub(r"__all__ = \[.*?\]\n\n", "", source, flags=re.DOTALL)


def page() -> str:
    """The page: every figure under its caption, above its code."""
    parts = [PAGE, f"The code below starts from these examples:\n\n```python\n{_examples()}```\n"]
    for title, module in CHAPTERS.items():
        parts.append(f"## {title}\n")
        for name, draw in _drawn_by(module).items():
            caption = (draw.__doc__ or "").replace("``", "`")
            parts.append(f"### {name.replace('_', ' ')}\n\n{caption}\n\n![{name}](gallery/figures/{name}.svg)\n")
            parts.append(f"```python\n{code_of(draw)}```\n")
            if name in COMMANDS:
                lines = textwrap.wrap(f"$ roclab plot {COMMANDS[name]} -o {name}.svg", 100, break_on_hyphens=False)
                command = " \\\n    ".join(lines)
                parts.append(f"```console\n{command}\n```\n")
    return "\n".join(parts)


def main() -> None:
    """Draw all figures, or those named, and write the page."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--only", nargs="+", default=list(FIGURES), choices=list(FIGURES), metavar="NAME")
    asked.add_argument("--png", metavar="FOLDER", type=Path, help="PNG files in this folder, and no page")
    given = asked.parse_args()
    here = Path(__file__).parent
    folder = given.png or here / "figures"
    folder.mkdir(parents=True, exist_ok=True)
    for name in given.only:
        save_figure(FIGURES[name](), folder / f"{name}.{'png' if given.png else 'svg'}")
    if given.png is None:
        here.with_suffix(".md").write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
