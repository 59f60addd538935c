"""Forests: estimates with their limits, one line each: areas of groups, and differences of rates."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from roclab._core.svg import COLOURS, nice_ticks
from roclab._core.text import format_number
from roclab.report.language import Say, in_english
from roclab.report.words import shown_pairs

if TYPE_CHECKING:
    from roclab.analysis.reporting.content import RatePart, Report

__all__ = ["SHOWN", "area_picture", "difference_picture", "forest_picture", "pair_picture"]

SHOWN = 40  # groups of a score; the table has all
_ROW, _LEFT, _WIDTH, _VALUES = 22, 190, 640, 150


@dataclass(frozen=True, slots=True)
class _Line:
    name: str
    value: float
    low: float
    high: float
    ink: str = ""  # of its own, where scores stand below each other


@dataclass(frozen=True, slots=True)
class _Block:
    """Lines under one heading, or none, in one ink; ``common`` is marked by an upright dash."""

    heading: str
    lines: Sequence[_Line]
    common: float = math.nan


def forest_picture(report: Report, say: Say = in_english) -> str:
    """Areas by group, all scores below each other; dashes for the common area."""
    blocks = [
        _Block(
            str(one.sample.score),
            [
                _Line(*values)
                for values in list(
                    zip(one.groups, one.area.tolist(), one.low.tolist(), one.high.tolist(), strict=True)
                )[:SHOWN]
            ],
            one.heterogeneity.estimate,
        )
        for one in report.groups
    ]
    low = min([0.5, *(line.low for block in blocks for line in block.lines if not math.isnan(line.low))])
    title = f"Areas by {report.groups[0].by}, with intervals"
    return _forest(blocks, ends=(low, 1.0), axis="AUC", title=title, lacking=say("one class only"))


def area_picture(report: Report, say: Say = in_english) -> str:
    """The area of every score with its limits, in the ink of its curve."""
    lines = [
        _Line(one.name, one.area.area, one.area.interval.low, one.area.interval.high, f"var(--c{place % len(COLOURS)})")
        for place, one in enumerate(report.scores)
    ]
    low = min([0.5, *(one.low for one in lines if not math.isnan(one.low))])
    return _forest([_Block("", lines)], ends=(low, 1.0), axis="AUC", title="Areas with intervals")


def pair_picture(report: Report, say: Say = in_english) -> str:
    """Every difference of areas with its limits, around none."""
    lines = [
        _Line(f"{one.first} − {one.second}", one.difference, one.interval.low, one.interval.high, "currentColor")
        for one in shown_pairs(report)
    ]
    known = [value for one in lines for value in (one.low, one.high) if not math.isnan(value)]
    ends = (min([0.0, *known]), max([0.0, *known]))
    return _forest(
        [_Block("", lines)], ends=ends, axis=say("difference of areas"), title="Differences of areas", null=0.0
    )


def difference_picture(part: RatePart, say: Say = in_english) -> str:
    """Differences of rates, one block per rate, around no difference; nothing where none was drawn."""
    if not part.drawn:
        return ""
    headings = list(dict.fromkeys(one.heading for one in part.drawn))
    blocks = [
        _Block(
            say(heading),
            [_Line(one.name, one.value, one.low, one.high) for one in part.drawn if one.heading == heading][:SHOWN],
        )
        for heading in headings
    ]
    known = [value for one in part.drawn for value in (one.low, one.high) if not math.isnan(value)]
    ends = (min([0.0, *known]), max([0.0, *known]))
    return _forest(blocks, ends=ends, axis=say("difference"), title="Differences of rates, with intervals", null=0.0)


def _forest(
    blocks: Iterable[_Block], *, ends: tuple[float, float], axis: str, title: str, lacking: str = "",
    null: float | None = None,
) -> str:  # fmt: skip
    """A square for each estimate, a line for its interval, and an axis below."""
    low, high = ends if ends[1] > ends[0] else (ends[0] - 0.5, ends[1] + 0.5)
    right = _WIDTH - _VALUES
    out: list[str] = []

    def across(value: float) -> float:
        return round(_LEFT + (value - low) / (high - low) * (right - _LEFT), 1)

    y = 8
    for place, block in enumerate(blocks):
        ink = f"var(--c{place % 8})"
        if block.heading:
            y += _ROW
            out.append(f'<text x="0" y="{y}" font-weight="700">{_text(block.heading)}</text>')
        top = y + 6
        left = 14 if block.heading else 0
        for one in block.lines:
            y += _ROW
            out.append(f'<text x="{left}" y="{y}">{_text(one.name)}</text>')
            colour = one.ink or ink
            if math.isnan(one.value):
                out.append(f'<text x="{_WIDTH}" y="{y}" text-anchor="end">{lacking}</text>')
                continue
            out.append(
                f'<path d="M{across(one.low)} {y - 4}H{across(one.high)}" stroke="{colour}" stroke-width="2"/>'
                f'<rect x="{across(one.value) - 4}" y="{y - 8}" width="8" height="8" fill="{colour}"/>'
                f'<text x="{_WIDTH}" y="{y}" text-anchor="end" class="n">{format_number(one.value)} '
                f"({format_number(one.low)}{' to ' if one.low < 0 else '–'}{format_number(one.high)})</text>"
            )
        if not math.isnan(block.common):
            out.append(f'<path d="M{across(block.common)} {top}V{y}" stroke="{ink}" stroke-dasharray="4 3"/>')
    foot = y + 14
    frame = [f'<path d="M{_LEFT} {foot}H{right}" stroke="currentColor" stroke-opacity=".5"/>']
    if null is not None:
        frame.append(f'<path d="M{across(null)} 10V{foot}" stroke="currentColor" stroke-opacity=".6"/>')
    for value in nice_ticks(low, high):
        frame.append(
            f'<path d="M{across(value)} 10V{foot}" stroke="currentColor" stroke-opacity=".15"/>'
            f'<text x="{across(value)}" y="{foot + 16}" text-anchor="middle" class="n">{value:g}</text>'
        )
    frame.append(f'<text x="{(_LEFT + right) / 2}" y="{foot + 34}" text-anchor="middle">{axis}</text>')
    head = (
        f'<svg viewBox="0 0 {_WIDTH} {foot + 42}" role="img" aria-label="{html.escape(title)}" class="still forest" '
        'xmlns="http://www.w3.org/2000/svg" font-family="system-ui, sans-serif" font-size="12" fill="currentColor">'
    )
    return "".join([head, *frame, *out, "</svg>"])


def _text(name: str, most: int = 28) -> str:
    return html.escape(name if len(name) <= most else name[: most - 1] + "…")
