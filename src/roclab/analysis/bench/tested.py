"""The models of a bench and their out-of-fold scores, which are cases for every other question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from roclab._core.checks import close_names
from roclab._core.types import Floats, Ints
from roclab.analysis.bench.reading import BenchData
from roclab.benching.detectors import MAJORITY, Detector
from roclab.benching.run import Piece, Run
from roclab.benching.sampling import Design, Split
from roclab.data.cases import Cases
from roclab.data.classes import ClassScores
from roclab.data.labels import word_of
from roclab.errors import InputError, Words
from roclab.names import BenchBalance, Standard
from roclab.options.region import Range
from roclab.results import Result

__all__ = ["TestedModels"]


@dataclass(frozen=True, kw_only=True, eq=False)
class TestedModels(Result):
    """What was trained and tested: data, splits, and what every model said about every test case."""

    __test__ = False  # pytest would otherwise try to collect a class of this name

    data: BenchData
    design: Design
    detectors: tuple[Detector, ...]
    balances: tuple[BenchBalance, ...]
    run: Run
    level: float = 0.95
    fpr: Range | None = None  # of the partial area
    standardize: Standard = "none"
    notes: tuple[str, ...] = ()

    # -- models and their pieces ---------------------------------------------------------------------

    @cached_property
    def pieces(self) -> Mapping[str, tuple[Piece, ...]]:
        """By model: a detector, and its balance where there are several."""
        return {
            self.model_name(name, balance): found
            for (balance, name), found in self.run.pieces.items()
            if name != MAJORITY or balance == self.balances[0]
        }

    def model_name(self, detector: str, balance: BenchBalance) -> str:
        """What tables call a detector under a balance."""
        return detector if len(self.balances) == 1 or detector == MAJORITY else f"{detector} ({balance})"

    @property
    def models(self) -> tuple[str, ...]:
        """Names of all models but the baseline, in the order given."""
        return tuple(name for name in self.pieces if not self.is_baseline(name))

    def is_baseline(self, model: str) -> bool:
        """True for the majority baseline."""
        return model == MAJORITY

    @property
    def multiclass(self) -> bool:
        """True for three classes or more."""
        return self.data.task.positive is None

    @cached_property
    def failures(self) -> Mapping[str, Mapping[str, str]]:
        """Models that failed, on which splits, and why."""
        out: dict[str, dict[str, str]] = {}
        for name, found in self.pieces.items():
            for split, piece in zip(self.design, found, strict=True):
                if piece.failure:
                    out.setdefault(name, {})[self.design.name_of(split)] = piece.failure
        return out

    @property
    def complete(self) -> tuple[str, ...]:
        """Models, without the baseline, that have scores of every test case."""
        return tuple(name for name in self.models if name not in self.failures)

    @cached_property
    def tested(self) -> tuple[tuple[int, Split], ...]:
        """Splits whose test cases count, with their place: all but the apparent one of a bootstrap."""
        return tuple((at, split) for at, split in enumerate(self.design) if not split.apparent)

    def joined(self, model: str, what: str) -> Any:
        """Scores, calls or probabilities of a model on all test cases, split after split."""
        return np.concatenate([getattr(self.pieces[self.known(model)][at], what) for at, _ in self.tested])

    @cached_property
    def where(self) -> Ints:
        """The row of every test case, split after split."""
        return np.concatenate([split.test for _, split in self.tested])

    @cached_property
    def split_names(self) -> tuple[str, ...]:
        """The split of every test case."""
        return tuple(self.design.name_of(split) for _, split in self.tested for _ in range(split.test.size))

    def known(self, model: str) -> str:
        """A model's name, if there is such a model."""
        if model not in self.pieces:
            raise InputError(
                "model", f"must be one of {', '.join(map(repr, self.pieces))}",
                Words(f"{model!r}{close_names(str(model), self.pieces)}"),
            )  # fmt: skip
        return model

    def chosen(
        self, models: str | Sequence[str] | None = None, balance: str | Sequence[str] | None = None
    ) -> tuple[str, ...]:
        """Complete models of some detectors, by their names or those of the models, and of some balances; all else.

        A detector stands for its models under every balance: of "logistic" and two balances there are two.
        """
        wanted = None if models is None else [models] if isinstance(models, str) else list(models)
        kept = self.balances if balance is None else [balance] if isinstance(balance, str) else list(balance)
        for one in kept:
            if one not in self.balances:
                raise InputError("balance", f"must be one of those that were run, {', '.join(self.balances)}", one)
        under = {
            self.model_name(detector.name, each): (detector.name, each)
            for each in self.balances
            for detector in self.detectors
        }
        known = {*self.complete, *(under[name][0] for name in self.complete)}
        for one in wanted or ():
            if one not in known:
                raise InputError(
                    "models", f"must be among {', '.join(sorted(known))}", Words(f"{one!r}{close_names(one, known)}")
                )
        found = tuple(
            name
            for name in self.complete
            if under[name][1] in kept and (wanted is None or name in wanted or under[name][0] in wanted)
        )
        if not found:
            raise InputError("models", "must leave one under the balances", Words(", ".join(wanted or self.models)))
        return found

    # -- scores ----------------------------------------------------------------------------------------

    @property
    def scores(self) -> Cases:
        """Out-of-fold scores of all complete models as cases, for every verb, figure and report.

        A case that is tested several times appears as often; its id then joins its rows, so that every interval counts
        cases and not rows. ``fold_scores`` keeps the splits apart.
        """
        if self.multiclass:
            raise InputError(
                "", "scores of several classes are one column per class",
                way_out="use scores_of_class(name), or class_scores(model)",
            )  # fmt: skip
        return self._cases(self.data.positive, {name: self.joined(name, "score") for name in self._some()})

    def fold_scores(self, model: str) -> Cases:
        """Out-of-fold scores of one model with the split of each, for curves, areas and averages over splits."""
        if self.multiclass:
            raise InputError("", "scores of several classes are one column per class",
                             way_out="use scores_of_class(name) or class_scores(model)")  # fmt: skip
        if len(self.tested) < 2:
            raise InputError("model", "has no splits to keep apart", Words(self.design.words), "use scores")
        found = self._cases(self.data.positive, {self.known(model): self.joined(model, "score")})
        return replace(found, folds=np.array(self.split_names))

    def scores_of_class(self, target: str) -> Cases:
        """The same for one of several classes against the rest."""
        classes = self.data.task.classes
        if target not in classes:
            raise InputError("target", f"must be one of {', '.join(classes)}", target)
        at = classes.index(target)
        if not self.multiclass:
            return (
                self.scores
                if target == self.data.positive
                else self._cases(target, {name: -self.joined(name, "score") for name in self._some()})
            )
        return self._cases(target, {name: self.joined(name, "score")[:, at] for name in self._some()})

    def class_scores(self, model: str) -> ClassScores:
        """Scores of all classes of one model, for questions about several classes."""
        table = self.joined(model, "probability" if self.multiclass else "score")
        if not self.multiclass:
            table = np.column_stack([-table, table])
        return ClassScores(classes=self.data.task.classes, actual=self.data.task.codes[self.where], scores=table)

    def scores_are_clustered(self) -> bool:
        """True when rows of the scores belong together: a case tested several times, or subjects of several cases."""
        return bool(self.complete) and not self.multiclass and self.scores.clustered

    def _some(self) -> tuple[str, ...]:
        if not self.complete:
            reasons = "; ".join(f"{name}: {next(iter(why.values()))}" for name, why in self.failures.items())
            raise InputError("", "no model has scores of every case", way_out=reasons)
        return self.complete

    def _cases(self, positive: str, scores: Mapping[str, Floats]) -> Cases:
        task, where = self.data.task, self.where
        others = [name for name in task.classes if name != positive]
        again = np.unique(where).size < where.size
        ids = self.data.ids[where] if self.data.ids is not None else self.data.rows[where] + 1 if again else None
        return Cases(
            label=task.codes[where] == task.classes.index(positive),
            scores=dict(scores),
            ids=ids,
            positive=positive,
            negative=others[0] if len(others) == 1 else f"not {positive}",
            direction=dict.fromkeys(scores, "higher"),
            dropped=self.data.dropped,
            outcome=self.data.outcome,
            rows=self.data.rows[where],
        )

    def out_of_fold(self) -> list[dict[str, Any]]:
        """Every test case with its row, id, split, class, and the score and call of every complete model."""
        task = self.data.task
        ids = self.row_ids()
        columns: dict[str, Sequence[Any]] = {
            "row": (self.data.rows[self.where] + 1).tolist(),
            "id": [ids[at] for at in self.where.tolist()],
            "split": self.split_names,
            "class": [task.classes[at] for at in task.codes[self.where].tolist()],
        }
        for name in self.complete:
            score = self.joined(name, "score")
            if self.multiclass:
                columns |= {f"{name}: {one}": score[:, at].tolist() for at, one in enumerate(task.classes)}
            else:
                columns[name] = score.tolist()
            columns[f"{name} calls"] = [task.classes[at] for at in self.joined(name, "called").tolist()]
        return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]

    def row_ids(self) -> list[str]:
        """What to call every row of the data."""
        given = self.data.rows + 1 if self.data.ids is None else self.data.ids
        return [word_of(one) for one in given.tolist()]
