"""Folds: what becomes of scores that come from models of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from roclab._core.checks import check_choice
from roclab.names import FOLD_AVERAGES, FoldAverage
from roclab.options.data import DataKeywords
from roclab.options.group import Group, group

__all__ = ["FoldKeywords", "FoldedKeywords", "Folding"]


class FoldKeywords(TypedDict, total=False):
    """What becomes of folds."""

    fold_average: FoldAverage | None


class FoldedKeywords(FoldKeywords, DataKeywords, total=False):
    """Data whose folds may be pooled."""


_WORDS = {
    "fold_average": """What becomes of folds, whose scores come from models of their own.

- "mean" (default for areas and their differences): the mean over folds, with an influence-function interval
- "pooled": all cases are ranked together, which takes the scores of folds for comparable; curves, cut-offs, rates and
  tests have no mean over folds, and are refused unless this is said""",
}


@group(FoldKeywords, _WORDS)
@dataclass(frozen=True, kw_only=True)
class Folding(Group):
    """What becomes of folds."""

    fold_average: FoldAverage | None = None

    def __post_init__(self) -> None:
        if self.fold_average is not None:
            check_choice(self.fold_average, "fold_average", FOLD_AVERAGES)
