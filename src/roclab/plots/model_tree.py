"""A classification tree as boxes and branches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from roclab.plots.theme import COLOURS, GREY, INK, NEW_AXES, plain_text, text_size, themed_with, width_in_points

if TYPE_CHECKING:
    from roclab.benching.model_tree import ModelTree, TreeNode

__all__ = ["draw_model_tree"]

_ROW = 1.0  # distance of levels, in heights of a box
_DEEPEST = 6  # levels that can be read on a page
_LETTERS = 14  # in a line of a box
_SMALLEST = 4.0  # points


@themed_with(ratio=0.75)
def draw_model_tree(tree: ModelTree, ax: Axes = NEW_AXES, *, depth: int = 2) -> Axes:
    """Questions from top to bottom; each box has its cases, and a bar of the shares of the classes.

    Parameters
    ----------
    tree : ModelTree
        From ``bench.inside("tree")``.
    depth : int
        Levels of questions that are drawn; the printed tree has all.
    """
    shown = [one for one in tree.nodes if one.depth <= min(depth, _DEEPEST)]
    below = {one.number: [other for other in shown if other.parent == one.number] for one in shown}
    place = _places(shown, below)
    width = max(1.0, max(place.values()) + 1.0)
    room = width_in_points(ax) / width  # points for a box
    size = max(_SMALLEST, min(text_size(ax), room / (0.6 * _LETTERS)))
    for one in shown:
        x, y = place[one.number], -_ROW * one.depth
        for side, other in zip(("yes", "no"), below[one.number], strict=False):
            to = place[other.number]
            ax.plot(
                [x, to], [y - 0.24, y - _ROW + 0.26], color=GREY, linewidth=0.8, linestyle="-", zorder=1, gid="branch"
            )
            ax.text((x + to) / 2, y - _ROW / 2, side, fontsize=size, color=INK, ha="center", va="center", zorder=3,
                    bbox={"facecolor": ax.get_facecolor(), "edgecolor": "none", "pad": 0.8})  # fmt: skip
        _box(ax, one, tree, x, y, size, cut=bool(one.question) and not below[one.number])
    deepest = max(one.depth for one in shown)
    for name, colour in zip(tree.classes, COLOURS, strict=False):
        ax.plot([], [], color=colour, linewidth=4, linestyle="-", label=plain_text(name))
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, -0.02), ncols=min(4, len(tree.classes)), frameon=False)
    ax.set_xlim(-0.6, width - 0.4)
    ax.set_ylim(-_ROW * deepest - 0.75, 0.45)
    ax.set_xticks([0, 1], labels=["", ""])
    ax.set_yticks([0, -1], labels=["", ""])
    ax.axis("off")
    return ax


def _places(shown: list[TreeNode], below: dict[int, list[TreeNode]]) -> dict[int, float]:
    """Leaves beside each other from left to right, questions above the middle of theirs."""
    place: dict[int, float] = {}
    free = 0.0
    for one in reversed(_left_to_right(shown[0], below)):
        under = below[one.number]
        if under:
            place[one.number] = sum(place[other.number] for other in under) / len(under)
        else:
            place[one.number] = free
            free -= 1.0
    least = min(place.values())
    return {number: at - least for number, at in place.items()}


def _left_to_right(first: TreeNode, below: dict[int, list[TreeNode]]) -> list[TreeNode]:
    """A node before those below it."""
    found, waiting = [], [first]
    while waiting:
        one = waiting.pop()
        found.append(one)
        waiting += reversed(below[one.number])
    return found


def _box(ax: Axes, one: TreeNode, tree: ModelTree, x: float, y: float, size: float, *, cut: bool) -> None:
    left, wide = x - 0.42, 0.84
    ax.add_patch(
        Rectangle((left, y - 0.24), wide, 0.48, facecolor=ax.get_facecolor(), edgecolor=GREY, linewidth=0.8, zorder=2)
    )
    name, sign, value = _split(one.question) if one.question else (one.called, "", "")
    name = plain_text(name if len(name) <= _LETTERS else f"{name[: _LETTERS - 1]}…")
    lines = [name, *([plain_text(f"{sign} {value}") + (" …" if cut else "")] if sign else []), f"n = {one.cases}"]
    for at, line in enumerate(lines):
        weight = "normal" if at == len(lines) - 1 else "bold"
        ax.text(x, y + 0.16 - 0.13 * at, line, ha="center", va="center", fontsize=size, fontweight=weight, zorder=3)
    for at, count in enumerate(one.counts):
        share = wide * count / one.cases
        ax.add_patch(
            Rectangle((left, y - 0.24), share, 0.1, facecolor=COLOURS[at % len(COLOURS)], edgecolor="none", zorder=2.5)
        )
        left += share


def _split(question: str) -> tuple[str, str, str]:
    """The feature, the sign, and what it is compared with."""
    for sign in (" <= ", " is not "):
        name, found, value = question.rpartition(sign)
        if found:
            return name, sign.strip().replace("<=", "≤"), value
    return question, "", ""
