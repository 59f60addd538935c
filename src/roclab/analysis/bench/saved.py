"""A bench of saved scores: what another tool trained and tested, asked the same questions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from roclab._core.types import Ints
from roclab.analysis.bench.reading import BenchData
from roclab.analysis.bench.result import Bench
from roclab.benching.detectors import SAVED, Detector
from roclab.benching.run import Piece, Run, Task
from roclab.benching.sampling import Design, Split
from roclab.benching.table import FeatureTable
from roclab.data.cases import Cases
from roclab.errors import InputError, named
from roclab.names import Standard
from roclab.options.region import Range

__all__ = ["saved_bench"]


def saved_bench(
    cases: Cases, *, threshold: float | None, fpr: Range | None, standardize: Standard, level: float
) -> Bench:
    """Every fold of the cases is a split; how many cases trained it is taken to be all others."""
    if cases.weight is not None:
        raise InputError("sample_weight", "has no part in a bench: every case counts once", way_out="leave it out")
    if threshold is not None and not math.isfinite(threshold):
        raise InputError("threshold", "must be a finite number", threshold, f"or leave out {named('threshold')}")
    rows = np.arange(len(cases))
    parts = {"1": rows} if cases.folds is None else _rows_by_fold(cases)
    splits = tuple(
        Split(repeat=1, fold=at, train=np.setdiff1d(rows, test) if len(parts) > 1 else rows, test=test)
        for at, test in enumerate(parts.values(), start=1)
    )
    words = f"saved scores of {len(parts)} folds" if len(parts) > 1 else "saved scores, folds unknown"
    design = Design(sampling="k_fold", splits=splits, words=words, repeats=1, folds=len(parts), names=tuple(parts))
    nothing = FeatureTable(names=(), values=np.empty((len(cases), 0)), levels={}, left_out={})
    task = Task(table=nothing, codes=cases.label.astype(np.int64), classes=(cases.negative, cases.positive), positive=1)
    pieces: dict[Any, tuple[Piece, ...]] = {}
    for name in cases.names:
        score = cases.oriented(name).astype(np.float64)
        cut = None if threshold is None else threshold if cases.direction[name] == "higher" else -threshold
        probable = threshold == 0.5 and float(score.min()) >= 0 and float(score.max()) <= 1
        pieces["none", name] = tuple(
            Piece(
                score=score[split.test],
                called=np.full(split.test.size, -1) if cut is None else (score[split.test] >= cut).astype(np.int64),
                probability=np.column_stack([1 - score[split.test], score[split.test]]) if probable else None,
                fit_seconds=math.nan,
                score_seconds=math.nan,
                n_train=int(split.train.size),
            )
            for split in splits
        )
    data = BenchData(
        task=task,
        ids=cases.ids,
        folds=cases.folds,
        rows=rows if cases.rows is None else cases.rows,
        dropped=cases.dropped,
        outcome=cases.outcome,
        called="saved scores",
    )
    return Bench(
        data=data,
        design=design,
        detectors=tuple(Detector(name=name, classifier=SAVED) for name in cases.names),
        balances=("none",),
        run=Run(pieces=pieces, seed="", remarks=()),
        level=level,
        fpr=fpr,
        standardize=standardize,
    )


def _rows_by_fold(cases: Cases) -> dict[str, Ints]:
    assert cases.folds is not None
    words = cases.folds.astype(str)
    return {str(name): np.flatnonzero(words == name) for name in dict.fromkeys(words.tolist())}
