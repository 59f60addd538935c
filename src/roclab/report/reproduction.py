"""The page of a reproduction: every value of a text beside ours, by kind, in one file without scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from roclab._core.svg import COLOURS, Line, dash_of, frame_svg
from roclab.analysis.study import KINDS, VERDICTS
from roclab.report.page import environment

if TYPE_CHECKING:
    from roclab.studies.bench_tables import HalfSplits
    from roclab.studies.reproduction import Reproduction

__all__ = ["reproduction_page"]

# What the column is called that ours is compared with.
_HEADINGS = ("printed", "printed there", "formula or claim", "reference")
# Classes of the style, in the order of the verdicts.
_MARKS = ("good", *("luck",) * 3, "good", "good", *("fault",) * 3, *("quiet-verdict",) * 3, "bad")


def reproduction_page(found: Reproduction) -> str:
    """The whole page as HTML."""
    present = {comparison.verdict for comparison in found.comparisons}
    return (
        environment()
        .get_template("reproduction.html")
        .render(
            title="Results of the texts and ours",
            found=found,
            kinds=KINDS,
            headings=dict(zip(KINDS, _HEADINGS, strict=True)),
            meanings={verdict: text for verdict, text in VERDICTS.items() if verdict in present},
            mark=dict(zip(VERDICTS, _MARKS, strict=True)),
            figures={data: _figures(curves) for data, curves in found.curves.items()},
            remarks={name: rows for name, rows in found.remarks.items() if rows},
        )
    )


def _figures(curves: dict[str, HalfSplits]) -> dict[str, Any]:
    """ROC and tROC curves of the classifiers of one data set, and their legend."""
    ends, falling = np.array([0.0, 1.0]), np.linspace(0, 1, 51)
    square: dict[str, Any] = {"x": (0, 1), "y": (0, 1), "x_label": "false positive rate"}
    lines = list(enumerate(curves.values()))
    return {
        "roc": frame_svg(
            [Line(x=ends, y=ends), *(Line(x=one.fpr, y=one.tpr, place=at) for at, one in lines)],
            **square, y_label="true positive rate", title="ROC curves",
        ),
        "troc": frame_svg(
            [
                Line(x=ends, y=1 - ends), Line(x=falling, y=falling * (1 - falling)),
                *(Line(x=one.fpr, y=one.tpr * (1 - one.fpr), place=at) for at, one in lines),
            ],
            **square, y_label="probability of two correct calls", title="tROC curves",
        ),
        "legend": [
            {"colour": at % len(COLOURS), "ink": COLOURS[at % len(COLOURS)], "dash": dash_of(at), "name": name,
             "auc": float(one.auc.mean()), "tauc": float(one.tauc.mean())}
            for at, (name, one) in enumerate(curves.items())
        ],
    }  # fmt: skip
