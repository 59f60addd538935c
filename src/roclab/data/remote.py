"""Cases without rows: the base of cases that are counted where they lie (``roclab.engines``)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NoReturn

from roclab._core.types import Array
from roclab.data.cases import Cases
from roclab.data.ranking import Ranking
from roclab.data.tally import Tally
from roclab.errors import InputError, Words, named
from roclab.names import Direction, Weighting
from roclab.options.uncertainty import AreaUncertainty
from roclab.results import Sample

__all__ = ["RemoteCases"]


class _Elsewhere(Mapping[str, Array]):
    """Scores by name, whose values are not here."""

    def __init__(self, names: Sequence[str], refuse: Any) -> None:
        self._names, self._refuse = tuple(names), refuse

    def __getitem__(self, name: str) -> Array:
        return self._refuse()  # type: ignore[no-any-return]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: object) -> bool:
        return name in self._names


class _GroupsElsewhere:
    """Groups of cases that are not here: their names are all that is known without asking."""

    def __init__(self, names: Sequence[str], refuse: Any) -> None:
        self.names, self._refuse = tuple(names), refuse

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self._refuse()


class RemoteCases(Cases):
    """Cases that are counted where they lie; everything that needs single rows says so in one sentence."""

    __slots__ = ("_called", "_cases", "_clusters", "_n_neg", "_n_pos")

    _called: str
    _clusters: int | None
    _cases: int
    _n_pos: float
    _n_neg: float

    def __init__(
        self,
        names: Sequence[str],
        direction: Mapping[str, Direction],
        *,
        positive: str,
        negative: str,
        dropped: int,
        outcome: str,
        n_pos: float,
        n_neg: float,
        chosen: bool,
        called: str,
        clusters: int | None,
        groups: tuple[str, Sequence[str]] | None = None,
        folds: Sequence[str] | None = None,
        cases: int | None = None,
        weights: Weighting = "none",
    ) -> None:
        by, own = ("", None) if groups is None else (groups[0], _GroupsElsewhere(groups[1], self._refuse))
        folded = None if folds is None else _GroupsElsewhere(folds, self._refuse)
        values: dict[str, Any] = {
            "scores": _Elsewhere(names, self._refuse), "direction": dict(direction), "weight": None, "weights": weights,
            "ids": None, "folds": folded, "positive": positive, "negative": negative, "direction_chosen": chosen,
            "dropped": dropped, "outcome": outcome, "groups": own, "grouped_by": by, "rows": None, "pooled_folds": 0,
            "_kept": None, "_called": called, "_n_pos": n_pos, "_n_neg": n_neg, "_clusters": clusters,
            "_cases": int(n_pos + n_neg) if cases is None else cases,
        }  # fmt: skip
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def _refuse(self) -> NoReturn:
        raise InputError(
            "",
            f"this question needs the rows of {self._called} in memory",
            Words(f"{len(self):,} that are counted where they lie"),
            f"fetch them with {named('engine', 'memory')}, or ask for areas, curves, comparisons, cut-offs or matrices",
        )

    @property
    def label(self) -> Any:
        """Not here."""
        self._refuse()

    def remembering(self) -> Cases:
        """Engines keep counts by themselves."""
        return self

    def __len__(self) -> int:
        return self._cases

    @property
    def clustered(self) -> bool:
        """True when some subject has several cases."""
        return self._clusters is not None and self._clusters < len(self)

    @property
    def has_subjects(self) -> bool:
        """True when an id was named."""
        return self._clusters is not None

    def sample(self, name: str | None = None) -> Sample:
        """The circumstances of one score."""
        name = self._name(name)
        return Sample(
            n_pos=self._n_pos, n_neg=self._n_neg, positive=self.positive, negative=self.negative,
            direction=self.direction[name], direction_chosen=self.direction_chosen, dropped=self.dropped,
            outcome=self.outcome, weights=self.weights, score=name,
            subjects=(self._clusters or 0) if self.clustered else 0, pooled_folds=self.pooled_folds,
        )  # fmt: skip

    def ranking(self, name: str | None = None) -> Ranking:
        """Not here: the place of every case is a row."""
        self._refuse()

    def repeated(self) -> Cases:
        """Not here."""
        self._refuse()

    def only(self, rows: Array) -> Cases:
        """Not here."""
        self._refuse()

    def select(self, names: str | Sequence[str]) -> RemoteCases:
        """The same cases with some of their scores."""
        chosen = [self._name(name) for name in ([names] if isinstance(names, str) else names)]
        made = self._like(chosen, {name: self.direction[name] for name in chosen}, chosen=self.direction_chosen)
        return self._pooled_as_here(made)

    def facing(self, direction: Mapping[str, Direction]) -> RemoteCases:
        """The same cases with other directions of their scores."""
        made = self._like(self.names, {**self.direction, **direction}, chosen=self.direction_chosen)
        return self._pooled_as_here(made)

    def pooled(self) -> RemoteCases:
        """All cases as those of one model, which results then say."""
        if self.folds is None:
            return self
        made = self.select(self.names)
        count = len(self.folds.names)  # type: ignore[attr-defined]
        object.__setattr__(made, "pooled_folds", count if count > 1 else 0)
        object.__setattr__(made, "folds", None)
        return made

    def _pooled_as_here(self, made: RemoteCases) -> RemoteCases:
        if self.folds is None:
            object.__setattr__(made, "pooled_folds", self.pooled_folds)
            object.__setattr__(made, "folds", None)
        return made

    def without_groups(self) -> RemoteCases:
        """All cases as one."""
        return self

    def with_group_names(self, new: Mapping[str, str]) -> RemoteCases:
        """The same cases whose groups have other names."""
        self._refuse()

    def by_group(self) -> dict[str, RemoteCases]:
        """The cases of every group."""
        self._refuse()

    @property
    def many_groups(self) -> bool:
        """Whether there are so many groups that they are only counted at once."""
        return False

    def areas_of_groups(self) -> Any:
        """The AUC of the only score in all of them, and its spreads."""
        self._refuse()

    # -- what an engine answers -----------------------------------------------------------------------------

    def _like(self, names: Sequence[str], direction: Mapping[str, Direction], *, chosen: bool) -> RemoteCases:
        raise NotImplementedError  # pragma: no cover - every engine has its own

    def tally(self, name: str | None = None) -> Tally:
        """Counts of one score."""
        raise NotImplementedError  # pragma: no cover

    def count_together(self, names: Sequence[str]) -> None:
        """Count scores that will all be asked for, where that is cheaper than one after another."""

    def count_parts(self, names: Sequence[str]) -> None:
        """Count scores in all groups or folds, where that is cheaper than one after another."""

    def counts_at(self, threshold: float, name: str | None = None) -> tuple[float, float]:
        """Positives and negatives that are called positive at a threshold, or their weights."""
        raise NotImplementedError  # pragma: no cover

    def patterns_at(self, thresholds: Mapping[str, float]) -> list[tuple[bool, tuple[bool, ...], int]]:
        """Class, calls of every score at its threshold, and how many cases have them."""
        self._refuse()

    def keyed_rows(self, name: str) -> Iterator[tuple[Array, Array, Array]]:
        """Batches in ascending order of a score, which is turned: scores, classes and the keys of the ids."""
        self._refuse()

    def regression(self, *, intercept: bool, level: float) -> tuple[Any, RemoteCases]:
        """A logistic regression on all scores, and the same cases with the fitted probability as their score."""
        self._refuse()

    def about_rate(self, at: float, *, mirrored: bool) -> Cases:
        """Cases in memory that say what all do where the curve of each score, or the mirrored one, is at ``at``."""
        self._refuse()

    def grid_cells(self, name: str, step: float | None) -> Any:
        """Counts of one score that merge with those of others."""
        raise NotImplementedError  # pragma: no cover

    def plan(self, *, paired: bool = False) -> list[str]:
        """What will be done to count these cases, in lines."""
        raise NotImplementedError  # pragma: no cover

    def areas(self, area: Any, asked: AreaUncertainty) -> Any:
        """Areas of all scores by name."""
        raise NotImplementedError  # pragma: no cover

    def check_paired(self) -> None:
        """Refuse questions about scores of the same cases, where only counts of each score came."""

    def covariance(self, area: Any, *, clustered: bool, score: bool = False) -> Any:
        """Covariance matrix of the areas of all scores, with what the score test needs of few cases."""
        raise NotImplementedError  # pragma: no cover

    def numerical_notes(self, *, of_auc: bool = True) -> tuple[str, ...]:
        """What bounds there are on a comparison of the scores."""
        return ()
