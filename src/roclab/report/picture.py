"""The still pictures of a report, for pages whose scripts are off and for readers of the source."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from roclab._core.svg import Bars, Line, Whiskers, frame_svg
from roclab.report.language import Say, in_english

if TYPE_CHECKING:
    from roclab.analysis.reporting.content import Report, ScoreReport

__all__ = ["calibration_picture", "distribution_picture", "net_benefit_picture", "roc_picture", "troc_picture"]

_WHISKERED = 3  # scores up to which calibration shows its intervals; those of more hide each other


def roc_picture(report: Report, say: Say = in_english) -> str:
    """All curves in one frame; the legend beside it names them."""
    diagonal = Line(x=np.array([0.0, 1.0]), y=np.array([0.0, 1.0]))
    curves = [
        Line(
            x=one.outline.fp / one.outline.fp[-1],
            y=one.outline.tp / one.outline.tp[-1],
            place=place,
        )
        for place, one in enumerate(report.scores)
    ]
    return frame_svg(
        [diagonal, *curves],
        x=(0, 1),
        y=(0, 1),
        x_label=say("false positive rate"),
        y_label=say("true positive rate"),
        title="ROC curves",
    )


def troc_picture(report: Report, say: Say = in_english) -> str:
    """All tROC curves of a stage between those of a perfect and of a useless score."""
    assert report.stage is not None
    fpr = np.linspace(0, 1, 51)
    ends = [Line(x=np.array([0.0, 1.0]), y=np.array([1.0, 0.0])), Line(x=fpr, y=fpr * (1 - fpr))]
    places = {one.name: place for place, one in enumerate(report.scores)}
    curves = [Line(x=x, y=y, place=places[name]) for name, (x, y) in report.stage.troc.items()]
    return frame_svg(
        [*ends, *curves],
        x=(0, 1),
        y=(0, 1),
        x_label=say("false positive rate"),
        y_label=say("probability of two correct calls"),
        title="tROC curves",
    )


def distribution_picture(one: ScoreReport, say: Say = in_english) -> str:
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
        y_label=say("share of the class"),
        title=f"Distribution of {one.name}",
        height=260,
        log_x=shape.logarithmic,
    )


def calibration_picture(report: Report, say: Say = in_english) -> str:
    """What was predicted and what happened, bin by bin, for every score that may be a probability."""
    judged = [(place, one) for place, one in enumerate(report.scores) if one.calibration is not None]
    marks: list[Line | Whiskers] = [Line(x=np.array([0.0, 1.0]), y=np.array([0.0, 1.0]))]
    for place, one in judged:
        assert one.calibration is not None
        bins = one.calibration.bins
        x = np.array([part.predicted for part in bins])
        y = np.array([part.observed for part in bins])
        marks.append(Line(x=x, y=y, place=place))
        if len(judged) <= _WHISKERED:
            shown = report.counted  # else the intervals do not hold
            ends = [(part.interval.low, part.interval.high) if shown else (np.nan, np.nan) for part in bins]
            low, high = np.array(ends, dtype=np.float64).T
            marks.append(Whiskers(x=x, y=y, low=low, high=high, place=place))
    return frame_svg(
        marks,
        x=(0, 1),
        y=(0, 1),
        x_label=say("predicted probability"),
        y_label=say("observed share"),
        title="Calibration",
    )


def net_benefit_picture(report: Report, say: Say = in_english) -> str:
    """Net benefit of every score that may be a probability, of treating all and of treating none."""
    found = report.net_benefit
    assert found is not None
    places = {one.name: place for place, one in enumerate(report.scores)}
    top = max([found.prevalence, *(float(values.max()) for values in found.net_benefit.values())]) * 1.05
    floor = -0.25 * top
    lines = [(found.treat_all, None), (found.treat_none, None)]
    named = [(values, places[name]) for name, values in found.net_benefit.items()]
    marks = []
    for values, place in (*lines, *named):
        seen = values >= floor  # treating all soon costs more than the frame can show
        marks.append(Line(x=found.probabilities[seen], y=values[seen], place=place))
    return frame_svg(
        marks,
        x=(0, float(found.probabilities.max())),
        y=(floor, top),
        x_label=say("threshold probability"),
        y_label=say("net benefit"),
        title="Decision curves",
    )
