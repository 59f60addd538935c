"""Which classifier is best, by how much, and where to cut? Train and test a bench of them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from roclab._core.checks import check_choice, check_fraction, check_level, check_workers
from roclab._core.work import Progress
from roclab.analysis.bench.reading import BenchData, join_test, read_bench
from roclab.analysis.bench.result import Bench
from roclab.analysis.bench.saved import saved_bench
from roclab.benching.detectors import MAJORITY, Detector, detectors_of
from roclab.benching.run import run_bench
from roclab.benching.sampling import Design, Split, design_of, given_splits, separate_test
from roclab.data.read import read_cases
from roclab.data.verbs import verb
from roclab.errors import InputError, Words, named
from roclab.names import BENCH_BALANCES, BENCH_SAMPLINGS, BenchBalance, BenchSampling, BenchSettings, Standard
from roclab.options.data import DataKeywords
from roclab.options.region import Range, Region

__all__ = ["DEFAULT_MODELS", "bench", "bench_of_scores"]

DEFAULT_MODELS = ("logistic", "naive_bayes", "knn", "tree")


@verb(features="score", columns="score")
def bench(
    y_true: Any,
    X: Any = None,
    *,
    models: Any = DEFAULT_MODELS,
    settings: BenchSettings = "modern",
    sampling: BenchSampling | None = None,
    repeats: int | None = None,
    test_share: float = 0.5,
    test: Any = None,
    balance: BenchBalance | Sequence[BenchBalance] = "none",
    exclude: str | Sequence[str] = (),
    categorical: str | Sequence[str] = (),
    fpr: Range | None = None,
    standardize: Standard = "none",
    level: float = 0.95,
    rng: Any = 0,
    workers: int | None = None,
    progress: Progress | None = None,
    resume: str | Path | None = None,
    **data: Unpack[DataKeywords],
) -> Bench:
    """Train and test classifiers on the same splits, and analyse their scores of cases they have not seen.

    Parameters
    ----------
    y_true, X : arrays, or a table
        Labels and features (a matrix, a mapping of names to columns, or a data frame); or a data frame, mapping or file
        with ``label=``, whose other columns are the features unless ``features=[…]`` names some.
    models : names, estimators, detectors, or a mapping of names to any of them
        "logistic", "nearest_mean", "ldc", "fisher", "qdc", "parzen", "rbf", "naive_bayes", "knn", "tree", "mlp",
        "random_forest", "gradient_boosting", "svm"; any
        scikit-learn classifier or pipeline; a ``Detector`` with features and settings of its own; or what
        ``cross_validate(…, return_estimator=True, return_indices=True)`` returned, which brings its own splits.
    settings : "modern" or "published"
        How named classifiers are set: soundly, scaled inside the training part (default), or as the printed tables used
        them.
    sampling : str, optional
        "k_fold" (default; ``folds``, 10 unless said, and ``repeats``), "splits" (random, ``test_share`` of the cases
        tested, ``repeats`` of them), "leave_one_out", "bootstrap" (.632 rule, ``repeats`` samples), "train" (no test at
        all), "test" (default where ``test`` is given). Cases with the same id stay together. ``folds`` may also name a
        column of folds.
    repeats : int, optional
        How often the design is drawn: 1 for folds, 20 for splits, 100 for the bootstrap.
    test : table, optional
        Data to test on, read like the first.
    balance : str or sequence of str
        Negatives to train on: "none" (default, as they are), "fcm" (as many as positives, those nearest to the
        centroids of fuzzy c-means), "random" (as many, drawn). Several are run on the same folds.
    exclude, categorical : str or sequence of str
        Columns that are no features; numeric columns that are words.
    fpr, standardize : optional
        Also the partial area over this range, on a scale as in :func:`auc`.
    level : float
        Confidence level.
    rng : int
        Seed of splits and classifiers.
    workers : int, optional
        Threads; by default one per processor.
    progress : function, optional
        Called with (done, total).
    resume : path, optional
        A file that keeps finished pieces: a run that was stopped goes on from it; other data or settings are refused.

    Returns
    -------
    Bench
        ``.table()``, ``.scores`` (cases), ``.compare()``, ``.folds()``, ``.matrix(model)``, ``.hull()``,
        ``.choose(…)``, ``.combine(…)``, ``.experiments()``, ``.plot()``, ``.write_report(path)``.

    Examples
    --------
    >>> import roclab as rl
    >>> marked = {"label": "outcome", "pos_label": "deteriorated", "exclude": "patient"}
    >>> found = rl.bench("example", **marked, models=["logistic", "knn"], folds=5, rng=1)
    >>> [row["model"] for row in found.rows()]
    ['logistic', 'knn', 'majority']
    """
    check_level(level)
    check_fraction(test_share, "test_share", open_ends=True, way_out="0.5 tests on half of the cases")
    Region(fpr=fpr, standardize=standardize)  # says what is out of range
    if resume is not None and not isinstance(resume, str | os.PathLike):
        raise InputError("resume", "must be the path of a file", resume)
    balances = _balances(balance)
    folds = data.get("folds")
    count = None if folds is None or isinstance(folds, bool) or not isinstance(folds, int | np.integer) else int(folds)
    found = read_bench(y_true, X, data, exclude=exclude, categorical=categorical)
    detectors = _with_baseline(detectors_of(models, settings))
    design, found = _design(
        found, detectors, models, sampling=sampling, folds=count, repeats=repeats, test_share=test_share, test=test,
        data=data, rng=rng,
    )  # fmt: skip
    if found.task.positive is None and balances != ("none",):
        raise InputError(
            "balance", "is for two classes", Words(f"{len(found.task.classes)} classes"),
            f"name the positive one with {named('pos_label')}",
        )  # fmt: skip
    if balances != ("none",):
        _check_balance(found, design)
    run = run_bench(
        found.task,
        detectors,
        design,
        balances,
        rng=rng,
        workers=check_workers(os.cpu_count() or 1 if workers is None else workers),
        progress=progress,
        resume=resume,
    )
    notes = [*found.task.table.describe(), *run.remarks, f"seed {run.seed}"]
    return Bench(
        data=found,
        design=design,
        detectors=detectors,
        balances=balances,
        run=run,
        level=level,
        fpr=fpr,
        standardize=standardize,
        notes=tuple(notes),
    )


@verb()
def bench_of_scores(
    y_true: Any,
    y_score: Any = None,
    *,
    threshold: float | None = None,
    fpr: Range | None = None,
    standardize: Standard = "none",
    level: float = 0.95,
    **data: Unpack[DataKeywords],
) -> Bench:
    """A bench of out-of-fold scores that another tool has saved: the same table, comparisons, matrices and hull.

    Parameters
    ----------
    y_true, y_score : arrays, or a table
        Labels and a mapping of names to out-of-fold scores, or a table with ``label=`` and ``score=[…]``; ``folds``
        says which split tested each case, ``ids`` which rows belong to one subject.
    threshold : float, optional
        Scores from here on are calls of the positive class; without it there are no calls, and no metrics of them.
        With 0.5 and scores between 0 and 1 those count as probabilities.
    fpr, standardize, level : as in :func:`bench`

    Examples
    --------
    >>> import roclab as rl
    >>> marked = {"label": "outcome", "pos_label": "deteriorated"}
    >>> found = rl.bench_of_scores("example", **marked, score=["lactate", "concern"], folds="ward")
    >>> found.folds().folds
    ('east', 'north', 'south', 'central', 'west')
    """
    Region(fpr=fpr, standardize=standardize)  # says what is out of range
    cases = read_cases(y_true, y_score, **data)
    return saved_bench(cases, threshold=threshold, fpr=fpr, standardize=standardize, level=check_level(level))


def _check_balance(found: BenchData, design: Design) -> None:
    """Negatives can be reduced to the number of positives only if there are as many."""
    for split in design:
        positive = int(np.count_nonzero(found.task.codes[split.train] == found.task.positive))
        negative = split.train.size - positive
        if negative < positive:
            raise InputError(
                "balance",
                "needs at least as many negatives as positives to train on",
                Words(f"{negative} and {positive} in split {design.name_of(split)}"),
                f"swap the classes with {named('pos_label')}, or use {named('balance', 'none')}",
            )


def _balances(given: Any) -> tuple[BenchBalance, ...]:
    several: list[Any] = [given] if isinstance(given, str) else list(given)
    out: tuple[Any, ...] = tuple(dict.fromkeys(check_choice(one, "balance", BENCH_BALANCES) for one in several))
    if not out:
        raise InputError("balance", "must name at least one balance", Words("none"), "'none' leaves the classes alone")
    return out


def _with_baseline(detectors: tuple[Detector, ...]) -> tuple[Detector, ...]:
    if any(detector.name == MAJORITY for detector in detectors):
        return detectors
    return (*detectors, Detector(name=MAJORITY, classifier=MAJORITY))


def _design(
    found: BenchData,
    detectors: Sequence[Detector],
    models: Any,
    *,
    sampling: BenchSampling | None,
    folds: int | None,
    repeats: int | None,
    test_share: float,
    test: Any,
    data: Mapping[str, Any],
    rng: Any,
) -> tuple[Design, BenchData]:
    """The splits, and the data with the test cases where those come from elsewhere."""
    if sampling is not None:
        check_choice(sampling, "sampling", BENCH_SAMPLINGS)
    if any(detector.fitted is not None for detector in detectors):
        if sampling is not None or folds is not None or test is not None:
            raise InputError("sampling", "comes with the results of cross_validate", way_out="leave it out")
        return _splits_of_results(detectors, models, len(found.task.table)), found
    if test is not None or sampling == "test":
        if test is None:
            raise InputError("test", "must be given to test on", Words("none"), "pass the data or their file")
        if sampling not in (None, "test"):
            raise InputError("test", f"is for {named('sampling', 'test')}", Words(str(sampling)), "leave one out")
        reading = {name: value for name, value in data.items() if name not in ("folds",)}
        pair = test if isinstance(test, tuple) and len(test) == 2 else (test, None)
        theirs = read_bench(pair[0], pair[1], {**reading, "score": list(found.task.table.names)},
                            categorical=list(found.task.table.levels))  # fmt: skip
        return separate_test(len(found.task.table), len(theirs.task.table)), join_test(found, theirs)
    codes, classes = found.task.codes, found.task.classes
    if found.folds is not None:
        if sampling not in (None, "k_fold"):
            raise InputError("folds", f"are for {named('sampling', 'k_fold')}", Words(str(sampling)), "leave one out")
        if repeats not in (None, 1):
            raise InputError("repeats", "has no part with given folds", repeats, "leave it out")
        return given_splits(found.folds, found.ids, codes, classes), found
    asked: BenchSampling = sampling or "k_fold"
    if folds is not None and asked != "k_fold":
        raise InputError("folds", f"are for {named('sampling', 'k_fold')}", Words(asked), "leave one out")
    usual = {"splits": 20, "bootstrap": 100}
    groups = found.ids if found.ids is not None and np.unique(found.ids.astype(str)).size < codes.size else None
    design = design_of(
        codes,
        classes,
        sampling=asked,
        folds=10 if folds is None else folds,
        repeats=usual.get(asked, 1) if repeats is None else repeats,
        test_share=test_share,
        groups=groups,
        rng=rng,
    )
    return design, found


def _splits_of_results(detectors: Sequence[Detector], models: Any, size: int) -> Design:
    """The splits that scikit-learn's cross_validate was run with; they must be the same for all."""
    given = dict(models) if isinstance(models, Mapping) else dict(model for model in models if isinstance(model, tuple))
    splits: list[tuple[Any, Any]] | None = None
    for one in detectors:
        if one.fitted is None:
            continue
        indices = given[one.name]["indices"]
        theirs = list(zip(indices["train"], indices["test"], strict=True))
        if splits is not None and not (
            len(theirs) == len(splits)
            and all(
                np.array_equal(a, b)
                for ours, own in zip(splits, theirs, strict=True)
                for a, b in zip(ours, own, strict=True)
            )
        ):
            raise InputError("models", "must share their splits", Words(f"other ones for {one.name!r}"),
                             "give cross_validate the same cv object")  # fmt: skip
        splits = theirs
    assert splits is not None
    if max(int(np.max(np.concatenate([train, test]))) for train, test in splits) >= size:
        raise InputError("models", "must come from these cases", Words("indices beyond the last one"))
    made = tuple(
        Split(repeat=1, fold=at, train=np.asarray(train), test=np.asarray(test))
        for at, (train, test) in enumerate(splits, start=1)
    )
    words = f"the {len(made)} splits of cross_validate"
    return Design(sampling="k_fold", splits=made, words=words, repeats=1, folds=len(made))
