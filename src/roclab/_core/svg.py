"""Still pictures without any library: lines and bars in a frame, as SVG text.

They stand in where nothing else can draw: in a notebook's output, and in a page whose scripts are off. Colours are
those of the page around them (CSS variables with a fallback), so that they fit light and dark.
"""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass

from roclab._core.types import Floats

__all__ = ["COLOURS", "Bars", "Line", "Stretch", "Whiskers", "dash_of", "frame_svg", "ink_of", "nice_ticks"]

# Okabe and Ito's colours in the order of the figures, and grey.
COLOURS = ("#0072b2", "#e69f00", "#000000", "#d55e00", "#56b4e9", "#009e73", "#cc79a7", "#8c8c8c")
_DASHES = ("", "7 3", "2 2", "10 3 2 3", "6 2 2 2 2 2", "14 4")
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 12, 12, 40


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Line:
    """A line through points; ``place`` chooses its colour and dashes, None the muted one."""

    x: Floats
    y: Floats
    name: str = ""
    place: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stretch:
    """What lies between two lines, filled; ``place`` as of a line."""

    x: Floats
    low: Floats
    high: Floats
    place: int | None = None
    opacity: float = 0.15


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bars:
    """Outlined bars between edges."""

    edges: Floats
    height: Floats
    name: str = ""
    place: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Whiskers:
    """Upright intervals, each with a dot at its value."""

    x: Floats
    y: Floats
    low: Floats
    high: Floats
    place: int = 0
    name: str = ""


Mark = Line | Bars | Stretch | Whiskers
_FINEST = 1e-300  # below that a power of ten has few digits or none


def nice_ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round numbers from ``low`` to ``high``.

    >>> nice_ticks(0, 1), nice_ticks(0, 37, 4)
    ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [0, 10, 20, 30])
    """
    rough = (high - low) / about
    if not _FINEST < rough < math.inf:
        return [low]
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)
    digits = max(0, -math.floor(math.log10(step)))
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [round(k * step, digits) if digits else int(k * step) for k in range(first, last + 1)]


def log_ticks(low: float, high: float) -> list[float]:
    """Powers of ten and, if those are few, their doubles and fives.

    >>> log_ticks(0.3, 40), log_ticks(0.001, 1e4)
    ([0.5, 1.0, 2.0, 5.0, 10.0, 20.0], [0.001, 0.01, 0.1, 1.0, 10.0, 100.0, 1000.0, 10000.0])
    """
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    factors = (1, 2, 5) if math.log10(high / low) < 4 else (1,)
    every = [float(f"{factor}e{power}") for power in powers for factor in factors]
    return [value for value in every if low <= value * (1 + 1e-12) and value <= high * (1 + 1e-12)]


def frame_svg(
    marks: Sequence[Mark],
    *,
    x: tuple[float, float],
    y: tuple[float, float],
    x_label: str,
    y_label: str,
    title: str,
    width: int = 420,
    height: int = 420,
    log_x: bool = False,
) -> str:
    """The marks in a frame with axes and a legend, every text escaped."""
    ticks = log_ticks(*x) if log_x else nice_ticks(*x)
    bend = math.log10 if log_x else float
    x = bend(x[0]), bend(x[1])
    x_span, y_span = (x[1] - x[0]) or 1.0, (y[1] - y[0]) or 1.0
    upright = nice_ticks(*y)
    margin = _LEFT + (8 if max(len(f"{value:g}") for value in upright) > 3 else 0)  # long numbers need room
    inner_width, inner_height = width - margin - _RIGHT, height - _TOP - _BOTTOM

    def across(value: float) -> float:
        return round(margin + (bend(value) - x[0]) / x_span * inner_width, 1)

    def up(value: float) -> float:
        return round(_TOP + inner_height - (value - y[0]) / y_span * inner_height, 1)

    out = [
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{html.escape(title)}" class="still"'
        ' xmlns="http://www.w3.org/2000/svg" font-family="system-ui, sans-serif" font-size="12" fill="currentColor">',
        f'<rect x="{margin}" y="{_TOP}" width="{inner_width}" height="{inner_height}" fill="none"'
        ' stroke="currentColor" stroke-opacity=".4"/>',
    ]
    for value in ticks:
        out.append(f'<text x="{across(value)}" y="{height - 22}" text-anchor="middle" class="n">{value:g}</text>')
    for value in upright:
        out.append(f'<text x="{margin - 6}" y="{up(value) + 4}" text-anchor="end" class="n">{value:g}</text>')
    middle = _TOP + inner_height / 2
    out.append(
        f'<text x="{margin + inner_width / 2}" y="{height - 5}" text-anchor="middle">{html.escape(x_label)}</text>'
        f'<text transform="translate(12 {middle}) rotate(-90)" text-anchor="middle">{html.escape(y_label)}</text>'
    )
    for mark in marks:
        if isinstance(mark, Bars):
            corners = [(mark.edges[0], 0.0)]
            for left, right, tall in zip(mark.edges[:-1], mark.edges[1:], mark.height, strict=True):
                corners += [(left, tall), (right, tall)]
            corners.append((mark.edges[-1], 0.0))
            path = " ".join(f"{across(a)},{up(b)}" for a, b in corners)
            out.append(
                f'<polyline points="{path}" {ink_of(mark.place)} fill="{_colour(mark.place)}" fill-opacity=".15"/>'
            )
        elif isinstance(mark, Stretch):
            xs, lows, highs = (part.tolist() for part in (mark.x, mark.low, mark.high))
            edge = [*zip(xs, highs, strict=True), *zip(xs[::-1], lows[::-1], strict=True)]
            path = " ".join(f"{across(a)},{up(b)}" for a, b in edge if b == b)
            out.append(f'<polygon points="{path}" fill="{_colour(mark.place)}" fill-opacity="{mark.opacity}"/>')
        elif isinstance(mark, Whiskers):
            ink = _colour(mark.place)
            for a, b, low, high in zip(*(part.tolist() for part in (mark.x, mark.y, mark.low, mark.high)), strict=True):
                if low == low:  # an undefined interval leaves its dot alone
                    out.append(f'<path d="M{across(a)} {up(low)}V{up(high)}" stroke="{ink}" stroke-width="1.2"/>')
                out.append(f'<circle cx="{across(a)}" cy="{up(b)}" r="3" fill="{ink}"/>')
        else:
            path = " ".join(f"{across(a)},{up(b)}" for a, b in zip(mark.x.tolist(), mark.y.tolist(), strict=True))
            out.append(f'<polyline points="{path}" {ink_of(mark.place)} fill="none"/>')
    out += _legend([mark for mark in marks if not isinstance(mark, Stretch) and mark.name], width=width, height=height)
    return "".join([*out, "</svg>"])


def _legend(named: Sequence[Line | Bars | Whiskers], *, width: int, height: int) -> list[str]:
    out = []
    top = height - _BOTTOM - 10 - 16 * (len(named) - 1)
    for row, mark in enumerate(named):
        y = top + 16 * row
        out.append(
            f'<line x1="{width - 190}" x2="{width - 168}" y1="{y - 4}" y2="{y - 4}" {ink_of(mark.place)}/>'
            f'<text x="{width - 162}" y="{y}">{html.escape(_short(mark.name))}</text>'
        )
    return out


def _short(name: str, most: int = 26) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"


def _colour(place: int | None) -> str:
    if place is None:
        return "currentColor"
    at = place % len(COLOURS)
    return f"var(--c{at}, {COLOURS[at]})"


def dash_of(place: int) -> str:
    """Dashes of the line at a place: with its colour they tell 48 places apart, and neighbours even without colours.

    >>> dash_of(0), dash_of(1), dash_of(8)
    ('', '7 3', '7 3')
    >>> len({(place % len(COLOURS), dash_of(place)) for place in range(48)})
    48
    """
    return _DASHES[(place % len(COLOURS) + place // len(COLOURS)) % len(_DASHES)]


def ink_of(place: int | None) -> str:
    """Colour and dashes as attributes of a line; None is the muted one."""
    if place is None:
        return 'stroke="currentColor" stroke-opacity=".4" stroke-dasharray="3 3"'
    dash = dash_of(place)
    return f'stroke="{_colour(place)}" stroke-width="2"' + (f' stroke-dasharray="{dash}"' if dash else "")
