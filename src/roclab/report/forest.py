"""A forest: the area of every group with its interval, one line each, around the common area."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING

from roclab._core.svg import nice_ticks
from roclab._core.text import format_number

if TYPE_CHECKING:
    from roclab.analysis.reporting.content import Report

__all__ = ["SHOWN", "forest_picture"]

SHOWN = 40  # groups of a score; the table has all
_ROW, _LEFT, _WIDTH, _VALUES = 22, 190, 640, 150


def forest_picture(report: Report) -> str:
    """All scores below each other; a square for the area, a line for its interval, dashes for the common area."""
    groups = report.groups
    lows = [float(low) for group in groups for low in group.low[:SHOWN] if not math.isnan(low)]
    low = min([0.5, *lows])
    right = _WIDTH - _VALUES
    out: list[str] = []

    def across(value: float) -> float:
        return round(_LEFT + (value - low) / (1 - low) * (right - _LEFT), 1)

    y = 8
    for place, one in enumerate(groups):
        ink = f"var(--c{place % 8})"
        y += _ROW
        out.append(f'<text x="0" y="{y}" font-weight="700">{_text(str(one.sample.score))}</text>')
        top = y + 6
        for name, area, start, end in list(
            zip(one.groups, one.area.tolist(), one.low.tolist(), one.high.tolist(), strict=True)
        )[:SHOWN]:
            y += _ROW
            out.append(f'<text x="14" y="{y}">{_text(name)}</text>')
            if math.isnan(area):
                out.append(f'<text x="{_WIDTH}" y="{y}" text-anchor="end">one class only</text>')
                continue
            out.append(
                f'<path d="M{across(start)} {y - 4}H{across(end)}" stroke="{ink}" stroke-width="2"/>'
                f'<rect x="{across(area) - 4}" y="{y - 8}" width="8" height="8" fill="{ink}"/>'
                f'<text x="{_WIDTH}" y="{y}" text-anchor="end" class="n">{format_number(area)} '
                f"({format_number(start)}–{format_number(end)})</text>"
            )
        common = one.heterogeneity.estimate
        if not math.isnan(common):
            out.append(f'<path d="M{across(common)} {top}V{y}" stroke="{ink}" stroke-dasharray="4 3"/>')
    foot = y + 14
    frame = [f'<path d="M{_LEFT} {foot}H{right}" stroke="currentColor" stroke-opacity=".5"/>']
    for value in nice_ticks(low, 1.0):
        frame.append(
            f'<path d="M{across(value)} 10V{foot}" stroke="currentColor" stroke-opacity=".15"/>'
            f'<text x="{across(value)}" y="{foot + 16}" text-anchor="middle" class="n">{value:g}</text>'
        )
    frame.append(f'<text x="{(_LEFT + right) / 2}" y="{foot + 34}" text-anchor="middle">AUC</text>')
    title = html.escape(f"Areas by {report.groups[0].by}, with intervals")
    head = (
        f'<svg viewBox="0 0 {_WIDTH} {foot + 42}" role="img" aria-label="{title}" class="still forest" '
        'xmlns="http://www.w3.org/2000/svg" font-family="system-ui, sans-serif" font-size="12" fill="currentColor">'
    )
    return "".join([head, *frame, *out, "</svg>"])


def _text(name: str, most: int = 28) -> str:
    return html.escape(name if len(name) <= most else name[: most - 1] + "…")
