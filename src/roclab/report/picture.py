"""The still pictures of a report, for pages whose scripts are off and for readers of the source."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from roclab._core.svg import Bars, Line, frame_svg
from roclab._core.text import format_number

if TYPE_CHECKING:
    from roclab.analysis.reporting.content import Report, ScoreReport

__all__ = ["distribution_picture", "roc_picture"]

_NAMED = 8  # curves up to here are all named in the picture


def roc_picture(report: Report) -> str:
    """All curves in one frame, the largest area first."""
    ranked = sorted(report.scores, key=lambda one: -one.area.area)
    places = {one.name: at for at, one in enumerate(report.scores)}
    diagonal = Line(x=np.array([0.0, 1.0]), y=np.array([0.0, 1.0]))
    curves = [
        Line(
            x=one.outline.fp / one.outline.fp[-1],
            y=one.outline.tp / one.outline.tp[-1],
            name=f"{one.name} {format_number(one.area.area)}" if at < _NAMED else "",
            place=places[one.name],
        )
        for at, one in enumerate(ranked)
    ]
    return frame_svg(
        [diagonal, *curves],
        x=(0, 1),
        y=(0, 1),
        x_label="false positive rate",
        y_label="true positive rate",
        title="ROC curves",
    )


def distribution_picture(one: ScoreReport) -> str:
    """Both classes of one score, as shares of their class."""
    shape = one.distribution
    shares = [
        counts / max(summary.count, 1) for counts, summary in zip((shape.pos, shape.neg), shape.classes, strict=True)
    ]
    tallest = max(float(share.max()) for share in shares) or 1.0
    return frame_svg(
        [
            Bars(edges=shape.edges, height=share, name=summary.name, place=place)
            for share, summary, place in zip(shares, shape.classes, (3, 0), strict=True)
        ],
        x=(float(shape.edges[0]), float(shape.edges[-1])),
        y=(0, tallest * 1.05),
        x_label=one.name,
        y_label="share of the class",
        title=f"Distribution of {one.name}",
        height=260,
        log_x=shape.logarithmic,
    )
