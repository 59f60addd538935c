"""Cases: rows with a label, one or more scores, and optionally a weight, an id and a fold.

Cases are validated once, on their way in (see ``sources``); everything behind this door may rely on
them. Scores measured on the same cases stay together here, because comparing them needs the pairing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from roclab._core.checks import check_written_out, close_names
from roclab._core.natural_order import natural_key
from roclab._core.quick_init import quickly_made
from roclab._core.types import Array, Bools, Counts
from roclab.data.ranking import Ranking, rank_cases
from roclab.data.subjects import Subjects, numbered
from roclab.data.tally import Tally
from roclab.errors import InputError, Words, named
from roclab.names import Direction, Weighting
from roclab.results import Sample

__all__ = ["Cases"]


@quickly_made
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cases:
    """Validated rows.

    Attributes
    ----------
    label : array of bool
        True for the positive class.
    scores : mapping of name to array
        One or more scores of the same cases, in the user's own direction.
    weight : array or None
        Non-negative: int64 repetitions or float64 importance weights.
    ids, folds : array or None
        Subject identifiers (clusters, pairing) and fold or group names.
    positive, negative : str
        The two label values as the user wrote them.
    direction : mapping of score name to "higher" or "lower"
        Which side of the score is called positive.
    dropped : int
        Cases left out because a value was missing.
    rows : array or None
        Position of every case in what was read, where not all of it was kept.
    groups : array or None
        Group of every case, by which questions are asked apart; ``grouped_by`` is what makes the groups.
    outcome : str
        How the two classes were made, where they are not simply the two labels of a column.
    pooled_folds : int
        Number of folds whose cases were put together because somebody said so.
    """

    label: Bools
    scores: Mapping[str, Array]
    weight: Counts | None = None
    weights: Weighting = "none"
    ids: Array | None = None
    folds: Array | None = None
    positive: str = "1"
    negative: str = "0"
    direction: Mapping[str, Direction]
    direction_chosen: bool = False
    dropped: int = 0
    outcome: str = ""
    groups: Array | None = None
    grouped_by: str = ""
    rows: Array | None = None
    pooled_folds: int = 0
    validated: ClassVar[bool] = True  # nothing about reading is left to say
    _kept: dict[str, Tally | Ranking] | None = field(default=None, init=False, repr=False)

    @property
    def names(self) -> list[str]:
        """Names of the scores."""
        return list(self.scores)

    def __len__(self) -> int:
        return int(self.label.size)

    @property
    def clustered(self) -> bool:
        """True when some subject has several cases."""
        return self.ids is not None and numbered(self.ids)[0].size < len(self)

    def oriented(self, name: str | None = None) -> Array:
        """One score turned so that a higher value means positive."""
        name = self._name(name)
        score = self.scores[name]
        if self.direction[name] == "higher":
            return score
        if score.dtype.kind in "iu":
            score = score.astype(np.float64)
        negated: Array = -score
        return negated

    def mirrored(self) -> Cases:
        """Scores reversed and classes swapped: curves mirrored about tpr = 1 - fpr, with the same AUC."""
        other: dict[Direction, Direction] = {"higher": "lower", "lower": "higher"}
        return replace(
            self,
            label=~self.label,
            positive=self.negative,
            negative=self.positive,
            direction={name: other[way] for name, way in self.direction.items()},
        )

    def sample(self, name: str | None = None) -> Sample:
        """The circumstances of one score."""
        name = self._name(name)
        if self.weight is None:
            n_pos: float = int(np.count_nonzero(self.label))
            n_neg: float = self.label.size - n_pos
        else:
            n_pos = self.weight[self.label].sum().item()
            n_neg = self.weight[~self.label].sum().item()
        return Sample(
            n_pos=n_pos,
            n_neg=n_neg,
            positive=self.positive,
            negative=self.negative,
            direction=self.direction[name],
            direction_chosen=self.direction_chosen,
            dropped=self.dropped,
            outcome=self.outcome,
            weights=self.weights,
            score=name,
            subjects=numbered(self.ids)[0].size if self.clustered and self.ids is not None else 0,
            pooled_folds=self.pooled_folds,
        )

    def tally(self, name: str | None = None) -> Tally:
        """Count one score (the only one when no name is given)."""
        name = self._name(name)
        if self._kept is None:
            return self._tally(name)
        kept = self._kept.get(name)
        if kept is None and len(self.names) > 1 and self.weight is None:
            kept = self.ranking(name)  # which a comparison asks for as well
        if isinstance(kept, Ranking):
            return self._with_subjects(kept.tally, name)
        if kept is None:
            kept = self._kept[name] = self._tally(name)
        return kept

    def _tally(self, name: str) -> Tally:
        score = self.oriented(name)
        return self._with_subjects(
            Tally.from_labels(self.label, score, weight=self.weight, sample=self.sample(name)), name
        )

    def _with_subjects(self, tally: Tally, name: str) -> Tally:
        return replace(tally, _subjects=self._subjects(name)) if self.clustered else tally

    def remembering(self) -> Cases:
        """The same cases, which sort each score once however much is asked of them, and keep what they sorted."""
        if self._kept is not None:
            return self
        return self._sharing(replace(self), {})

    @staticmethod
    def _sharing(cases: Cases, kept: dict[str, Tally | Ranking] | None) -> Cases:
        object.__setattr__(cases, "_kept", kept)
        return cases

    @property
    def remembers(self) -> bool:
        """Whether what was sorted is kept."""
        return self._kept is not None

    def _subjects(self, name: str) -> Subjects:
        """The cases of one score with their subjects; every case is its own where no id was given."""
        ids = np.arange(len(self)) if self.ids is None else self.ids
        names, number = numbered(ids)
        score = np.asarray(self.oriented(name), dtype=np.float64)
        return Subjects(names=names, number=number, label=self.label, score=score, weight=self.weight)

    def ranking(self, name: str | None = None) -> Ranking:
        """The tally of one score and the place of every case in it, from one sort."""
        name = self._name(name)
        kept = None if self._kept is None else self._kept.get(name)
        if isinstance(kept, Ranking):
            return kept
        sample = self.sample(name)
        if sample.n_pos <= 0 or sample.n_neg <= 0:
            self._tally(name)  # says which class is missing
        made = rank_cases(self.label, self.oriented(name), weight=self.weight, sample=sample)
        if self._kept is not None and self.weight is None:  # cases of weight 0 stand in a ranking, and in no tally
            self._kept[name] = made
        return made

    def select(self, names: str | Sequence[str]) -> Cases:
        """The same cases with some of their scores."""
        chosen = [self._name(name) for name in ([names] if isinstance(names, str) else names)]
        if chosen == self.names:
            return self
        some = replace(
            self,
            scores={name: self.scores[name] for name in chosen},
            direction={name: self.direction[name] for name in chosen},
        )
        return self._sharing(some, self._kept)

    def renamed(self, name: str) -> Cases:
        """The same cases with another name for their only score."""
        old = self.only_name()
        return replace(self, scores={name: self.scores[old]}, direction={name: self.direction[old]})

    def only(self, rows: Array) -> Cases:
        """The same scores on a selection of rows (a mask or positions)."""
        return replace(
            self,
            label=self.label[rows],
            scores={name: score[rows] for name, score in self.scores.items()},
            weight=None if self.weight is None else self.weight[rows],
            ids=None if self.ids is None else self.ids[rows],
            folds=None if self.folds is None else self.folds[rows],
            groups=None if self.groups is None else self.groups[rows],
            rows=(np.arange(len(self)) if self.rows is None else self.rows)[rows],
        )

    def repeated(self) -> Cases:
        """The same cases with frequency weights written out as rows; importance weights cannot be."""
        if self.weights == "importance":
            raise InputError(
                "",
                "this method counts whole cases and has no form for importance weights",
                way_out=f"use {named('variance', 'delong')} instead",
            )
        if self.weight is None:
            return self
        check_written_out(self.weight.sum(dtype=np.float64), way_out="give each case its own row, or smaller weights")
        rows = np.repeat(np.arange(len(self)), self.weight)
        return replace(self.only(rows), weight=None, weights="none")

    def pooled(self) -> Cases:
        """All cases as those of one model, which results then say."""
        if self.folds is None:
            return self
        count = len(self.by_fold())
        return replace(self, folds=None, pooled_folds=count if count > 1 else 0)

    def by_fold(self) -> dict[str, Cases]:
        """The cases of each fold, in the order of their names, fold 2 before fold 10."""
        if self.folds is None:
            raise InputError("", "the cases have no folds", way_out=f"say which column holds them with {named('fold')}")
        # Objects are compared as text, the form in which folds are named: some kinds have no order.
        folds = self.folds.astype(np.str_) if self.folds.dtype.kind == "O" else self.folds
        names, group, size = np.unique(folds, return_inverse=True, return_counts=True)
        rows = np.split(np.argsort(group, kind="stable"), np.cumsum(size)[:-1])
        order = range(names.size) if folds.dtype.kind in "biuf" else _in_natural_order(names)
        return {str(names[at]): self.only(rows[at]) for at in order}

    def only_name(self) -> str:
        """The name of the only score; an error lists them when there are several."""
        return self._name(None)

    def _name(self, name: str | None) -> str:
        if name is None:
            if len(self.scores) != 1:
                raise InputError(
                    "score",
                    "must name one score for this question",
                    Words(" and ".join(self.scores)),
                    "say which one you mean",
                )
            return next(iter(self.scores))
        if name not in self.scores:
            raise InputError(
                "score",
                f"must name one of {', '.join(map(repr, self.scores))}",
                Words(f"{name!r}{close_names(name, self.scores)}"),
            )
        return name

    def __repr__(self) -> str:
        return f"Cases({len(self)} rows; scores {', '.join(self.scores)}; positive is {self.positive!r})"


def _in_natural_order(names: Array) -> list[int]:
    return sorted(range(names.size), key=lambda at: natural_key(names[at]))
