"""Running a simulation study: seeded, on several threads, with progress, and able to go on where it stopped."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from roclab._core.checks import check_count, check_workers
from roclab._core.work import CHUNK, Journal, Progress, in_order, spawn_seeds
from roclab.errors import InputError, Words
from roclab.studies.designs import Cell, Design
from roclab.studies.estimators import estimate_all
from roclab.studies.results import CellResult, StudyResult, Sums

__all__ = ["run_study"]

MOST = 1_000_000  # replicates of a cell: a study has hundreds of cells


@dataclass(frozen=True, slots=True, kw_only=True)
class _Chunk:
    """Some replicates of one cell."""

    cell: Cell
    estimators: tuple[str, ...]
    at: int
    replicates: int

    @property
    def key(self) -> str:
        """Its name in a journal."""
        return f"{self.cell.key} #{self.at} {' '.join(self.estimators)}"

    def run(self, root: np.random.SeedSequence) -> dict[str, Sums]:
        """Draw the samples and add up the errors of every estimator."""
        where = int.from_bytes(hashlib.sha256(self.cell.key.encode()).digest()[:4], "big")
        # Keyed by what is drawn, not by position: a cell has the same samples whatever else is in the study.
        seed = np.random.SeedSequence(root.entropy, spawn_key=(*root.spawn_key, where, self.at))
        rng, condition = np.random.default_rng(seed), self.cell.condition
        pos = condition.positive.draw(rng, (self.replicates, self.cell.n_pos))
        neg = condition.negative.draw(rng, (self.replicates, self.cell.n_neg))
        found = estimate_all(self.estimators, pos, neg)
        return {name: Sums.of(found[name], condition.area) for name in self.estimators}


def run_study(
    designs: Design | Sequence[Design],
    *,
    replicates: int = 1000,
    rng: Any = None,
    workers: int = 1,
    progress: Progress | None = None,
    resume: str | Path | None = None,
) -> StudyResult:
    """Bias and root mean squared error of area estimators, by simulation.

    Parameters
    ----------
    designs : Design or sequence of them
        What to simulate: :func:`~roclab.studies.designs.table_design`, or
        :func:`~roclab.studies.design_file.read_design` for a file of your own.
    replicates : int
        Samples drawn in every situation; the Monte-Carlo error falls with its root.
    rng : int, Generator or None
        The seed. A cell depends on it, on its distributions and sizes, and on nothing else.
    workers : int
        Threads; NumPy works outside Python's lock, so two are nearly twice as fast. The result does not depend on it.
    progress : callable(done, total), optional
        Called with the replicates done; raise KeyboardInterrupt there, or press Ctrl-C, to stop.
    resume : path, optional
        A file that keeps finished work: a run that was stopped goes on from there, and gives the same result as one
        that was not.

    Examples
    --------
    >>> from roclab.studies.designs import table_design
    >>> small = table_design("I").changed(sizes=[(20, 20)], areas=[0.9], estimators=["MW", "N"])
    >>> print(run_study(small, replicates=200, rng=1).layout())
    Table I
    X ~ N(μ, 0.25), Y ~ N(2.5, 0.25)
    <BLANKLINE>
    n = 20         AUC=0.9
    MW      -0.004 (0.045)
    N       -0.008 (0.044)
    <BLANKLINE>
    bias (RMSE); 200 replicates, seed 1
    Monte-Carlo standard errors: at most 0.0032 of a bias, 0.0023 of an RMSE
    """
    every = (designs,) if isinstance(designs, Design) else tuple(designs)
    if not every:
        raise InputError("designs", "must hold at least one design", Words("none"), "for instance table_design('I')")
    names = [design.name for design in every]
    if len(set(names)) < len(names):
        raise InputError("designs", "must have different names", Words(f"{', '.join(names)}"), "rename one of them")
    check_count(replicates, "replicates", least=2, most=MOST, way_out="1000 is usual")
    check_workers(workers)
    (root,), seed = spawn_seeds(rng, 1)
    cells = [(design, cell) for design in every for cell in design.cells()]
    chunks = list(dict.fromkeys(_chunks(cells, replicates)))
    journal = Journal.opened(resume, work="study", binding=_binding(chunks, root), value=_sums)
    left = [chunk for chunk in chunks if chunk.key not in journal.finished]
    done = sum(chunk.replicates for chunk in chunks if chunk.key in journal.finished)
    total = sum(chunk.replicates for chunk in chunks)
    if progress is not None:
        progress(done, total)
    try:
        with closing(in_order(lambda chunk: chunk.run(root), left, workers=workers)) as finished:
            for chunk, sums in zip(left, finished, strict=True):
                journal.add(chunk.key, sums)
                done += chunk.replicates
                if progress is not None:
                    progress(done, total)
    finally:
        journal.save()
    return StudyResult(
        cells=tuple(
            result for design, cell in cells for result in _results(design, cell, replicates, journal.finished)
        ),
        captions={design.name: design.caption for design in every},
        replicates=replicates,
        seed=seed,
    )


def _chunks(cells: Sequence[tuple[Design, Cell]], replicates: int) -> Iterator[_Chunk]:
    for design, cell in cells:
        for at, start in enumerate(range(0, replicates, CHUNK)):
            count = min(CHUNK, replicates - start)
            yield _Chunk(cell=cell, estimators=design.estimators, at=at, replicates=count)


def _sums(plain: Any) -> dict[str, Sums]:
    """A finished chunk as a journal holds it."""
    return {name: Sums(*values) for name, values in plain.items()}


def _binding(chunks: Sequence[_Chunk], root: np.random.SeedSequence) -> str:
    """A fingerprint of the seed and of all that will be drawn and estimated."""
    text = "\n".join([str(root.entropy), str(root.spawn_key), *(f"{chunk.key} {chunk.replicates}" for chunk in chunks)])
    return hashlib.sha256(text.encode()).hexdigest()


def _results(design: Design, cell: Cell, replicates: int, finished: dict[str, dict[str, Sums]]) -> Iterator[CellResult]:
    chunks = [finished[chunk.key] for chunk in _chunks([(design, cell)], replicates)]
    for estimator in design.estimators:
        sums = Sums()
        for chunk in chunks:  # in the order of the chunks, whoever finished first
            sums = sums.plus(chunk[estimator])
        yield CellResult.of(
            sums,
            table=design.name,
            n_pos=cell.n_pos,
            n_neg=cell.n_neg,
            condition=cell.condition.label,
            area=cell.condition.area,
            estimator=estimator,
        )
