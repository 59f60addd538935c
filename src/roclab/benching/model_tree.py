"""A classification tree that can be read: its questions, and how many cases of each class answer them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab.results.pictured import Pictured

__all__ = ["ModelTree", "TreeNode", "tree_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeNode:
    """A question, or a leaf, and the training cases that come to it."""

    number: int
    parent: int | None
    depth: int
    rule: str  # what leads here from its parent; all cases come to the first
    question: str  # what is asked here; nothing at a leaf
    cases: int
    counts: tuple[int, ...]  # of each class
    called: str

    @property
    def leaf(self) -> bool:
        """Nothing more is asked."""
        return self.question == ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ModelTree(Pictured):
    """The tree that all cases of a bench make; the bench tested trees of its training parts, which differ from it."""

    model: str
    classes: tuple[str, ...]
    nodes: tuple[TreeNode, ...]  # each before those below it, the left one first
    notes: tuple[str, ...]

    @property
    def leaves(self) -> int:
        """How many answers there are."""
        return sum(one.leaf for one in self.nodes)

    def rows(self) -> list[dict[str, Any]]:
        """One row per node."""
        return [
            {"node": one.number, "parent": one.parent, "rule": one.rule, "question": one.question or None,
             "cases": one.cases, **dict(zip(self.classes, one.counts, strict=True)), "called": one.called}
            for one in self.nodes
        ]  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Every node."""
        return {"model": self.model, "classes": list(self.classes), "nodes": self.rows(), "notes": list(self.notes)}

    def __str__(self) -> str:
        lines = [
            f"{'  ' * one.depth}{one.rule}: {self._words(one)}{'' if one.question else f', called {one.called}'}"
            for one in self.nodes
        ]
        return "\n".join([*lines, "", *self.notes])

    def _words(self, one: TreeNode) -> str:
        shares = ", ".join(
            f"{100 * count / one.cases:.0f}% {name}"
            for name, count in zip(self.classes, one.counts, strict=True)
            if count
        )
        return f"{one.cases} cases ({shares})"


def tree_of(
    tree: Any, names: Sequence[str], words: Sequence[str | None], classes: Sequence[str], *, model: str,
    notes: Sequence[str] = (),
) -> ModelTree:  # fmt: skip
    """The nodes of a fitted scikit-learn tree.

    ``names`` are its columns; ``words`` says of a column of 0 and 1 which word of the feature it stands for.
    """
    inner = tree.tree_
    below: list[tuple[int, int | None, int, str]] = [(0, None, 0, "all")]
    nodes: list[TreeNode] = []
    while below:
        at, parent, depth, rule = below.pop()
        leaf = inner.children_left[at] == inner.children_right[at]
        # Values are shares of classes in newer versions of scikit-learn and counts in older ones.
        share = inner.value[at][0] / inner.value[at][0].sum()
        counts = np.rint(share * inner.n_node_samples[at]).astype(int)
        number = len(nodes)
        question = ""
        if not leaf:
            column = int(inner.feature[at])
            low, high = _answers(names[column], words[column], float(inner.threshold[at]))
            question = low
            below.append((int(inner.children_right[at]), number, depth + 1, high))
            below.append((int(inner.children_left[at]), number, depth + 1, low))
        called = str(classes[int(tree.classes_[int(np.argmax(share))])])
        nodes.append(
            TreeNode(number=number, parent=parent, depth=depth, rule=rule, question=question,
                     cases=int(inner.n_node_samples[at]), counts=tuple(int(one) for one in counts), called=called)
        )  # fmt: skip
    return ModelTree(model=model, classes=tuple(map(str, classes)), nodes=tuple(nodes), notes=tuple(notes))


def _answers(name: str, word: str | None, threshold: float) -> tuple[str, str]:
    """Both answers to a question, the left one first."""
    if word is not None:
        return f"{name} is not {word}", f"{name} is {word}"
    return f"{name} <= {threshold:.4g}", f"{name} > {threshold:.4g}"
