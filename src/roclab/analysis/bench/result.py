"""What a bench found: scores of cases that the models had not seen, and every question that can be asked of them.

The scores are cases like any others, so each verb, figure and report of the house takes ``bench.scores``. What is kept
here is what those do not know: splits, calls, probabilities, times and failures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from roclab._core.checks import check_choice, close_names
from roclab._core.plain import plain
from roclab._core.text import html_table
from roclab._core.types import Floats, Ints
from roclab.analysis.bench.matrix import BenchMatrix
from roclab.analysis.bench.reading import BenchData, in_words
from roclab.analysis.bench.tables import BalanceExperiments, BenchTable, FoldTable
from roclab.areas.partial import Range
from roclab.benching.detectors import MAJORITY, Detector
from roclab.benching.measures import MEASURES, count_calls, measures_of
from roclab.benching.run import Piece, Run
from roclab.benching.sampling import Design, Split
from roclab.data.cases import Cases
from roclab.data.classes import ClassScores
from roclab.data.labels import word_of
from roclab.decisions.hull_table import HullTable
from roclab.errors import InputError, Words, named
from roclab.inference.comparison.compare import Comparison
from roclab.inference.comparison.resampled import SplitMean, mean_over_splits
from roclab.inference.one_area.bootstrap import Resampling
from roclab.names import Adjustment, Alternative, BenchBalance, BenchComparison, Standard
from roclab.results import Result

if TYPE_CHECKING:
    from roclab.analysis.bench.choice import BenchChoice, FittedHybrid

__all__ = ["Bench"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Bench(Result):
    """The result of :func:`roclab.bench`.

    ``print`` shows the table of all models; ``scores`` are their out-of-fold scores as cases; ``compare``, ``hull``,
    ``choose``, ``matrix``, ``folds``, ``experiments``, ``combine``, ``plot`` and ``write_report`` ask further.
    """

    data: BenchData
    design: Design
    detectors: tuple[Detector, ...]
    balances: tuple[BenchBalance, ...]
    run: Run
    level: float = 0.95
    fpr: Range | None = None  # of the partial area
    standard: Standard = "none"
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

    # -- questions -------------------------------------------------------------------------------------

    @cached_property
    def split_measures(self) -> Mapping[str, tuple[dict[str, float], ...]]:
        """Every measure of every model on every split, the apparent one of a bootstrap included."""
        return {
            name: tuple(
                measures_of(self.data.task, piece, split.test, fpr=self.fpr, standard=self.standard)
                for split, piece in zip(self.design, found, strict=True)
            )
            for name, found in self.pieces.items()
        }

    def split_values(self, model: str, measure: str) -> Floats:
        """One measure of one model on every test split; NaN where it does not exist."""
        found = self.split_measures[self.known(model)]
        return np.array([found[at].get(measure, np.nan) for at, _ in self.tested], dtype=np.float64)

    @property
    def test_to_train(self) -> float:
        """Mean ratio of test to training cases."""
        ratios = [split.test.size / np.unique(split.train).size for _, split in self.tested]
        return float(np.mean(ratios))

    def mean(self, model: str, measure: str = "AUC") -> SplitMean:
        """The mean of a measure over the splits where it exists, with the corrected resampled t interval."""
        values = self.split_values(model, measure)
        bounds = (-1.0, 1.0) if measure == "MCC" else (0.0, np.inf if measure == "log loss" else 1.0)
        present = values[~np.isnan(values)]
        return mean_over_splits(present, test_to_train=self.test_to_train, level=self.level, bounds=bounds)

    def folds(self, measure: str = "AUC") -> FoldTable:
        """One measure of every model on every split."""
        check_choice(measure, "measure", MEASURES)
        return FoldTable(
            measure=measure,
            folds=tuple(self.design.name_of(split) for _, split in self.tested),
            values={name: tuple(self.split_values(name, measure).tolist()) for name in self.pieces},
            means={name: self.mean(name, measure) for name in self.pieces},
        )

    @cached_property
    def _table(self) -> BenchTable:
        from roclab.analysis.bench.summary import bench_table

        return bench_table(self)

    def table(self) -> BenchTable:
        """All models side by side, the best area first."""
        return self._table

    def matrix(self, model: str, fold: str | int | None = None) -> BenchMatrix:
        """The confusion matrix of the model's own calls: summed over splits, or of one split."""
        self.known(model)
        if model in self.failures:
            fold_failed, why = next(iter(self.failures[model].items()))
            raise InputError("model", "must have called every case", Words(f"{model!r} failed in {fold_failed}: {why}"))
        called, where, names = self.joined(model, "called"), self.where, self.split_names
        if (called < 0).any():
            raise InputError("model", "must have called the cases", Words("scores without a threshold"),
                             f"give {named('threshold')}")  # fmt: skip
        score = self.joined(model, "score")
        if self.multiclass:
            score = score[np.arange(called.size), called]
        if fold is not None:
            chosen = np.array([name == str(fold) for name in names])
            if not chosen.any():
                known = ", ".join(dict.fromkeys(names))
                raise InputError("fold", f"must be one of {known}", Words(str(fold)))
            called, where, score = called[chosen], where[chosen], score[chosen]
            names = tuple(name for name in names if name == str(fold))
        actual = self.data.task.codes[where]
        ids = self.row_ids()
        return BenchMatrix(
            model=model,
            fold=None if fold is None else str(fold),
            matrix=count_calls(self.data.task, called, actual),
            actual=actual,
            called=called,
            where=self.data.rows[where],
            folds=names,
            ids=None if self.data.ids is None else tuple(ids[at] for at in where.tolist()),
            score=score,
        )

    def compare(
        self,
        models: Sequence[str] | None = None,
        *,
        by: str = "AUC",
        method: BenchComparison | None = None,
        adjust: Adjustment = "holm",
        alternative: Alternative = "two-sided",
        resampling: Resampling | int | None = None,
        rng: Any = None,
    ) -> Comparison:
        """Do models differ? Every pair, with intervals.

        Parameters
        ----------
        models : sequence of str, optional
            Those to compare; all by default.
        by : str
            "AUC" (default), "tAUC", "partial AUC", or with "resampled_t" any other measure of the table.
        method : str, optional
            "delong": out-of-fold scores of all splits together, the variance by case (clustered where a case is tested
            several times); it takes the fitted models as given. "resampled_t": means over splits with the correction of
            Nadeau and Bengio, which also counts that other training cases give other models. "bootstrap": cases, or
            whole subjects, drawn anew. By default "delong" for areas of two classes, else "resampled_t".
        """
        from roclab.analysis.bench.comparison import compare_models_of

        return compare_models_of(
            self, models, by=by, method=method, adjust=adjust, alternative=alternative, resampling=resampling, rng=rng
        )

    def hull(self, models: Sequence[str] | None = None) -> HullTable:
        """Which model is best where: the convex hull over all of them, with the slope range of each."""
        from roclab.analysis.hull import hull

        return hull(self.scores if models is None else self.scores.select(list(models)))

    def hulls(self) -> dict[str, HullTable]:
        """Joint hulls of the detectors, of their combinations, and of both, where there are combinations."""
        combined = [one.name for one in self.detectors if one.classifier == "combination"]
        plain_ones = [name for name in self.complete if name not in combined]
        if not combined:
            return {"detectors": self.hull()}
        return {
            "detectors": self.hull(plain_ones),
            "combiners": self.hull(combined),
            "detectors and combiners": self.hull(),
        }

    def choose(self, *, prevalence: float | None = None, cost_fp: float = 1.0, cost_fn: float = 1.0) -> BenchChoice:
        """The cheapest model and threshold, and what that choice costs on cases that had no part in it."""
        from roclab.analysis.bench.choice import choose_of

        return choose_of(self, prevalence=prevalence, cost_fp=cost_fp, cost_fn=cost_fn)

    def fit_hybrid(self, models: Sequence[str] | None = None) -> FittedHybrid:
        """Models on the joint hull, fitted on all cases: a classifier that takes new prevalences and costs at once."""
        from roclab.analysis.bench.choice import fitted_hybrid

        return fitted_hybrid(self, models)

    def combine(
        self, rules: Sequence[str] = ("mean",), *, second_level: Any = None, models: Sequence[str] | None = None
    ) -> Bench:
        """The same bench with combinations of its models as further models.

        Parameters
        ----------
        rules : sequence of str
            Fixed rules over the posteriors: "mean", "product", "max", "min", "median", "vote".
        second_level : str, estimator, or a sequence or mapping of them, optional
            Classifiers that learn from the out-of-fold scores of the models.
        models : sequence of str, optional
            Those to combine; all complete ones by default.
        """
        from roclab.analysis.bench.combination import with_combinations

        return with_combinations(self, rules, second_level=second_level, models=models)

    def experiments(self) -> BalanceExperiments:
        """The balances side by side: areas of every detector, and what each balance changes, with intervals."""
        from roclab.analysis.bench.comparison import experiments_of

        return experiments_of(self)

    # -- faces -----------------------------------------------------------------------------------------

    def plot(self, kind: str = "roc", **options: Any) -> Any:
        """A figure of the models: "roc", "troc", "hull", "precision_recall", "det", "forest" and others."""
        import importlib

        return importlib.import_module("roclab.plots.bench").plot_bench(self, kind, **options)

    def write_report(self, path: str | Path, **options: Any) -> Any:
        """One page about the bench: how the models were trained, and the report of their out-of-fold scores."""
        import importlib

        from roclab.analysis.bench.summary import report_part

        write = importlib.import_module("roclab.report.write").write_report
        return write(path, self.scores, bench=report_part(self), **{"title": "Classifier bench", **options})

    def describe(self) -> str:
        """The sample and the design in a line each."""
        return f"{in_words(self.data)}\n{self.design.words}"

    def rows(self) -> list[dict[str, Any]]:
        """One row per model."""
        return self.table().rows()

    def to_dict(self) -> dict[str, Any]:
        """The table, the circumstances and the failures; ``out_of_fold`` has the scores."""
        return {
            "sample": in_words(self.data),
            "design": self.design.words,
            "seed": self.run.seed,
            "models": [plain(row) for row in self.rows()],
            "failures": {name: dict(why) for name, why in self.failures.items()},
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        return str(self.table())

    def _repr_html_(self) -> str:
        return html_table(self.rows(), caption=self.describe().replace("\n", "; "))


def with_pieces(bench: Bench, more: Mapping[str, tuple[Piece, ...]], detectors: Sequence[Detector]) -> Bench:
    """The same bench with further models; it has one balance."""
    balance = bench.balances[0]
    pieces = {**bench.run.pieces, **{(balance, name): found for name, found in more.items()}}
    return replace(bench, run=replace(bench.run, pieces=pieces), detectors=(*bench.detectors, *detectors))


def refuse_several_balances(bench: Bench, what: str) -> None:
    """Some questions are about one training set."""
    if len(bench.balances) > 1:
        raise InputError(
            "balance", f"must be one for {what}", Words(" and ".join(bench.balances)),
            f"run the bench with {named('balance', 'none')}",
        )  # fmt: skip
