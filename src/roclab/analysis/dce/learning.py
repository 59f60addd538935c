"""How many training cases are needed? Models of growing sets of cases, on the same test cases."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import check_count
from roclab._core.text import text_table
from roclab._core.work import Progress, spawn_seeds
from roclab.analysis.dce.case_table import cases_of
from roclab.analysis.dce.evaluate import dce_evaluate
from roclab.analysis.dce.evaluation import ImageMeasure
from roclab.analysis.dce.train import dce_train
from roclab.errors import InputError, Words
from roclab.imaging.dce.case import DceCase
from roclab.results import Result

__all__ = ["DceLearningCurve", "LearningPoint", "dce_learning_curve"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningPoint:
    """Models of one size of the training set."""

    cases: int
    repeats: int  # different sets of so many cases
    value: float  # mean over the sets
    spread: float  # standard deviation between them; 0 for one
    measure: ImageMeasure  # of the first set, with its interval over test cases


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DceLearningCurve(Result):
    """A measure by number of training cases."""

    quantity: str
    points: tuple[LearningPoint, ...]
    test_cases: int
    seed: str

    def rows(self) -> list[dict[str, Any]]:
        """One row per size of the training set."""
        percent = f"{100 * self.points[0].measure.interval.level:g}%"
        return [
            {"training cases": point.cases, "sets": point.repeats, self.quantity: point.value,
             "sd between sets": point.spread,
             f"{percent} low (first set)": point.measure.interval.low,
             f"{percent} high (first set)": point.measure.interval.high}
            for point in self.points
        ]  # fmt: skip

    def plot(self, to: Any = None, /, **looks: Any) -> Any:
        """Draw it; the name of a file as ``to`` also writes it."""
        import importlib

        return importlib.import_module("roclab.plots.dce").plot_learning_curve(self, to, **looks)

    def __str__(self) -> str:
        summary = f"{self.test_cases} test cases, the same for all; intervals clustered by case; seed {self.seed}"
        return f"{text_table(self.rows())}\n\n{summary}"


def dce_learning_curve(
    cases: Sequence[DceCase] | str | os.PathLike[str],
    test: Sequence[DceCase] | str | os.PathLike[str],
    *,
    sizes: Sequence[int] = (1, 2, 3, 5),
    repeats: int = 3,
    quantity: str = "AUC",
    rng: Any = 0,
    progress: Progress | None = None,
    **training: Any,
) -> DceLearningCurve:
    """Train on 1, 2, 3, 5 cases, drawn several times, and test every model on the same other cases.

    Parameters
    ----------
    cases : training cases, with labels
    test : test cases, with truth
    sizes : numbers of training cases
    repeats : int
        Sets of each size, drawn without looking; one where all cases are taken.
    quantity : "AUC", "CNR" or another of ``DceEvaluation.quantities``
    training : what :func:`dce_train` takes
    """
    known, held = cases_of(cases), cases_of(test)
    check_count(repeats, "repeats", least=1, most=1000, way_out="3 is usual")
    for size in sizes:
        check_count(size, "sizes", least=1, way_out="1, 2, 3 and 5 are usual")
        if size > len(known):
            raise InputError("sizes", f"must not exceed the {len(known)} cases there are", size)
    if not sizes:
        raise InputError("sizes", "must name a number of cases", Words("none"))
    seeds, note = spawn_seeds(rng, len(sizes))
    points = []
    done, whole = 0, sum(1 if size == len(known) else repeats for size in sizes)
    for size, seed in zip(sizes, seeds, strict=True):
        times = 1 if size == len(known) else repeats
        found = []
        for own in seed.spawn(times):
            draw, learn = own.spawn(2)
            chosen = np.sort(np.random.default_rng(draw).choice(len(known), size=size, replace=False))
            model = dce_train([known[at] for at in chosen], rng=learn, **training)
            found.append(dce_evaluate(held, {"network": model}, images=()).measure("network", quantity))
            done += 1
            if progress is not None:
                progress(done, whole)
        values = [one.value for one in found]
        points.append(
            LearningPoint(
                cases=int(size), repeats=times, value=float(np.mean(values)),
                spread=float(np.std(values, ddof=1)) if times > 1 else 0.0, measure=found[0],
            )
        )  # fmt: skip
    return DceLearningCurve(quantity=quantity, points=tuple(points), test_cases=len(held), seed=note)
