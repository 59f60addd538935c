"""What a bench found: scores of cases that the models had not seen, and every question that can be asked of them.

The scores (``tested``) are cases like any others, so each verb, figure and report of the house takes ``bench.scores``.
What is asked here is what those do not know: splits, calls, probabilities, times and failures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from roclab._core.checks import check_choice
from roclab._core.plain import plain
from roclab._core.text import html_table
from roclab._core.types import Floats
from roclab.analysis.bench.matrix import BenchMatrix
from roclab.analysis.bench.reading import in_words
from roclab.analysis.bench.tables import BalanceExperiments, BenchTable, FoldTable
from roclab.analysis.bench.tested import TestedModels
from roclab.benching.detectors import COMBINATION, Detector
from roclab.benching.measures import MEASURES, count_calls, measures_of
from roclab.benching.run import Piece
from roclab.decisions.hull_table import HullTable
from roclab.errors import InputError, Words, named
from roclab.inference.comparison.compare import Comparison
from roclab.inference.comparison.practical import PracticalComparison
from roclab.inference.comparison.resampled import SplitMean, mean_over_splits
from roclab.names import Adjustment, Alternative, BenchBalance, BenchComparison
from roclab.options.uncertainty import Resampling

if TYPE_CHECKING:
    from roclab.analysis.bench.choice import BenchChoice, FittedHybrid
    from roclab.analysis.roc import Roc
    from roclab.benching.model_tree import ModelTree
    from roclab.benching.nomogram import Nomogram

__all__ = ["Bench"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Bench(TestedModels):
    """The result of :func:`roclab.bench`.

    ``print`` shows the table of all models; ``scores`` are their out-of-fold scores as cases; ``compare``, ``hull``,
    ``choose``, ``matrix``, ``folds``, ``experiments``, ``combine``, ``plot`` and ``write_report`` ask further.
    """

    @cached_property
    def split_measures(self) -> Mapping[str, tuple[dict[str, float], ...]]:
        """Every measure of every model on every split, the apparent one of a bootstrap included."""
        return {
            name: tuple(
                measures_of(self.data.task, piece, split.test, fpr=self.fpr, standardize=self.standardize)
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

    def inside(self, model: str) -> ModelTree | Nomogram:
        """What a decision tree asks, or how a logistic model adds up, with a figure of it (``.plot()``).

        The model is fitted to all cases once more; those that were tested saw a part of them each.
        """
        from roclab.analysis.bench.inside import model_inside

        return model_inside(self, model)

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

    def practical(
        self, models: Sequence[str] | None = None, *, by: str = "AUC", region: float = 0.01
    ) -> PracticalComparison:
        """How probable is it that a model is better by more than does not matter? The correlated Bayesian t test.

        Parameters
        ----------
        models : sequence of str, optional
            Those to compare; all by default.
        by : str
            Any measure of the table.
        region : float
            Differences up to here are of no practical importance; 0 for none.
        """
        from roclab.analysis.bench.comparison import practical_comparison_of

        return practical_comparison_of(self, models, by=by, region=region)

    def rocs(
        self, models: str | Sequence[str] | None = None, *, balance: str | Sequence[str] | None = None
    ) -> dict[str, Roc]:
        """ROC curves of the out-of-fold scores by the names of the models; of several balances of one run all at once.

        Parameters
        ----------
        models : str or sequence of str, optional
            Some of the models, or detectors, which stand for their models under every balance.
        balance : str or sequence of str, optional
            Some of the balances that were run.
        """
        from roclab.analysis.roc import rocs

        return rocs(self.scores.select(list(self.chosen(models, balance))))

    def hull(self, models: Sequence[str] | None = None) -> HullTable:
        """Which model is best where: the convex hull over all of them, with the slope range of each."""
        from roclab.analysis.hull import hull

        return hull(self.scores if models is None else self.scores.select(list(models)))

    def hulls(self) -> dict[str, HullTable]:
        """Joint hulls of the detectors, of their combinations, and of both, where there are combinations."""
        combined = [detector.name for detector in self.detectors if detector.classifier == COMBINATION]
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

    def plot(self, kind: str | Path = "roc", **options: Any) -> Any:
        """A figure of the models: "roc", "troc", "hull", "precision_recall", "det", "forest" and others.

        The name of a file instead, such as "roc.png", writes the curves there. ``models`` and ``balance`` choose among
        them, as in :meth:`rocs`.
        """
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


def with_pieces(
    bench: Bench, more: Mapping[tuple[BenchBalance, str], tuple[Piece, ...]], detectors: Sequence[Detector]
) -> Bench:
    """The same bench with further models, by balance and name."""
    return replace(
        bench, run=replace(bench.run, pieces={**bench.run.pieces, **more}), detectors=(*bench.detectors, *detectors)
    )
