"""Trees that fill a lung: vessels and airways.

Leaves are drawn in the lung and joined, the nearest to the root first, to the nearest node of the tree that lies nearer
to the root. The radius of a branch that feeds n leaves is r n^(1/3): Murray's rule, by which the cubes of the radii of
the daughters add up to that of their mother.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from roclab._core.types import Floats, Ints

__all__ = ["Tree", "grow_tree"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tree:
    """Nodes, each with its mother and the radius of the branch that leads to it; the first is the root."""

    node: Floats  # (n, 3): z, y, x in mm
    mother: Ints  # -1 for the root
    radius: Floats


def grow_tree(root: Floats, leaves: Floats, *, radius: float, step: float, rng: np.random.Generator) -> Tree:
    """A tree from ``root`` to all ``leaves``, with branches in steps of ``step`` mm that are not quite straight.

    O(leaves x nodes).
    """
    nodes = np.empty((len(leaves) * 64 + 1, 3))
    nodes[0] = root
    far = np.empty(len(nodes))
    far[0] = 0.0
    mothers = [-1]
    ends = []
    size = 1
    for leaf in leaves[np.argsort(((leaves - root) ** 2).sum(axis=1))]:
        own = float(np.linalg.norm(leaf - root))
        gap = np.sqrt(((nodes[:size] - leaf) ** 2).sum(axis=1))
        gap[far[:size] > 0.9 * own] = np.inf  # branches lead outwards
        at = int(gap.argmin())
        start, parts = nodes[at].copy(), min(60, max(1, round(float(gap[at]) / step)))
        bend = rng.normal(size=3) * 0.12 * gap[at]
        for part in range(1, parts + 1):
            share = part / parts
            nodes[size] = start + share * (leaf - start) + np.sin(np.pi * share) * bend
            far[size] = np.linalg.norm(nodes[size] - root)
            mothers.append(at)
            at = size
            size += 1
        ends.append(at)
    mother = np.array(mothers, dtype=np.int64)
    fed = np.bincount(ends, minlength=size).astype(np.float64)
    for at in range(size - 1, 0, -1):  # daughters have higher numbers than their mothers
        fed[mother[at]] += fed[at]
    return Tree(node=nodes[:size].copy(), mother=mother, radius=radius * np.cbrt(fed))
