"""Running a bench: every detector on every split, in parallel, shown, resumable, and no failure ends the others.

One piece of work is one detector under one balance on one split. The matrices of a split are made once for all of its
detectors and forgotten after the last of them; nothing is fitted twice. Seeds belong to splits and detectors, so that
results depend on the seed alone, never on the number of threads or on what else runs in the bench.
"""

from __future__ import annotations

import hashlib
import threading
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from roclab._core.checks import check_workers
from roclab._core.types import Floats, Ints
from roclab._core.work import Journal, Progress, in_order, spawn_seeds
from roclab.benching.balance import reduce_negatives
from roclab.benching.classifiers.shared import ScoredClassifier
from roclab.benching.detectors import Detector, fresh
from roclab.benching.sampling import Design, Split
from roclab.benching.scores import as_score
from roclab.benching.table import Encoder, FeatureTable
from roclab.data.labels import word_of
from roclab.errors import MissingExtraError, RoclabError
from roclab.names import BenchBalance

try:
    import joblib
    import sklearn
except ImportError as error:
    raise MissingExtraError(library="scikit-learn", extra="sklearn", purpose="the classifier bench") from error

__all__ = ["Piece", "Run", "Task", "run_bench"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Task:
    """What is to be learnt: classes of cases from features."""

    table: FeatureTable
    codes: Ints  # class number of every case
    classes: tuple[str, ...]
    positive: int | None  # class number of the positive class, where there are two


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Piece:
    """What one detector said about the test cases of one split."""

    score: Floats  # one per case, or cases x classes where there are more than two
    called: Ints  # class numbers
    probability: Floats | None  # cases x classes
    fit_seconds: float
    score_seconds: float
    n_train: int
    failure: str = ""  # why there is nothing, where it failed

    def to_plain(self) -> dict[str, Any]:
        """As JSON holds it."""
        return {
            "score": self.score.tolist(),
            "called": self.called.tolist(),
            "probability": None if self.probability is None else self.probability.tolist(),
            "fit_seconds": self.fit_seconds,
            "score_seconds": self.score_seconds,
            "n_train": self.n_train,
            "failure": self.failure,
        }

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> Piece:
        """The piece that JSON holds."""
        probability = plain["probability"]
        return cls(
            score=np.asarray(plain["score"], dtype=np.float64),
            called=np.asarray(plain["called"], dtype=np.int64),
            probability=None if probability is None else np.asarray(probability, dtype=np.float64),
            fit_seconds=float(plain["fit_seconds"]),
            score_seconds=float(plain["score_seconds"]),
            n_train=int(plain["n_train"]),
            failure=str(plain["failure"]),
        )


class _Job(NamedTuple):
    split: int
    balance: BenchBalance
    detector: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Run:
    """All pieces: by balance and detector, one per split."""

    pieces: Mapping[tuple[BenchBalance, str], tuple[Piece, ...]]
    seed: str
    remarks: tuple[str, ...]  # what classifiers warned of, each once
    resumed: int = 0  # pieces that an earlier run had finished


@dataclass(slots=True)
class _Prepared:
    """The matrices of a split for one balance and feature set, made by the first who needs them."""

    left: int  # detectors that still need them
    lock: threading.Lock = field(default_factory=threading.Lock)
    made: tuple[Ints, Floats, Floats] | None = None


def run_bench(
    task: Task,
    detectors: Sequence[Detector],
    design: Design,
    balances: Sequence[BenchBalance],
    *,
    rng: Any = None,
    workers: int = 1,
    progress: Progress | None = None,
    resume: str | Path | None = None,
) -> Run:
    """Fit and score everything; O(sum of what the classifiers take), memory of a few splits at a time."""
    workers = check_workers(workers)
    jobs = [
        _Job(at, balance, which) for at in range(len(design)) for balance in balances for which in range(len(detectors))
    ]
    seeds, seed = spawn_seeds(rng, len(design))
    journal: Journal[dict[str, Any]] = Journal.opened(
        resume,
        work="bench",
        binding=_fingerprint(task, detectors, design, balances, seed) if resume is not None else "",
        value=dict,
    )
    bench = _Bench(task, detectors, design, seeds, jobs)
    kept = journal.finished
    finished = {job: Piece.from_plain(kept[key]) for job in jobs if (key := bench.key(job)) in kept}
    open_jobs = [job for job in jobs if job not in finished]
    bench.expect(open_jobs)
    resumed = len(finished)
    with _collected_warnings() as remarks:
        try:
            with closing(in_order(bench.piece, open_jobs, workers=workers)) as results:
                for job, piece in zip(open_jobs, results, strict=True):
                    finished[job] = piece
                    if resume is not None:
                        journal.add(bench.key(job), piece.to_plain())
                    if progress is not None:
                        progress(len(finished), len(jobs))
        finally:
            journal.save()
    pieces = {
        (balance, one.name): tuple(finished[_Job(at, balance, which)] for at in range(len(design)))
        for balance in balances
        for which, one in enumerate(detectors)
    }
    return Run(pieces=pieces, seed=seed, remarks=tuple(remarks), resumed=resumed)


class _Bench:
    """The work of all pieces, and what they share."""

    def __init__(
        self,
        task: Task,
        detectors: Sequence[Detector],
        design: Design,
        seeds: Sequence[np.random.SeedSequence],
        jobs: Sequence[_Job],
    ) -> None:
        self.task, self.detectors, self.design, self.seeds = task, detectors, design, seeds
        self.places = [task.table.places(detector.features) for detector in detectors]
        self.estimators = [detector.made() for detector in detectors]
        self._prepared: dict[tuple[Any, ...], _Prepared] = {}

    def key(self, job: _Job) -> str:
        return f"{self.detectors[job.detector].name} | {job.balance} | {self.design.name_of(self._split(job))}"

    def expect(self, jobs: Sequence[_Job]) -> None:
        """Know how often each set of matrices will be needed."""
        for job in jobs:
            self._prepared.setdefault(self._part(job), _Prepared(0)).left += 1

    def _split(self, job: _Job) -> Split:
        return self.design.splits[job.split]

    def _part(self, job: _Job) -> tuple[Any, ...]:
        return job.split, job.balance, tuple(self.places[job.detector].tolist())

    def _matrices(self, job: _Job) -> tuple[Ints, Floats, Floats]:
        """Classes and features to train on, and features to test."""
        part = self._prepared[self._part(job)]
        with part.lock:
            if part.made is None:
                part.made = self._prepare(job)
            made = part.made
            part.left -= 1
            if part.left == 0:
                part.made = None
        return made

    def _prepare(self, job: _Job) -> tuple[Ints, Floats, Floats]:
        split, task = self._split(job), self.task
        encode = Encoder(task.table, self.places[job.detector], split.train)
        x, y = encode(split.train), task.codes[split.train]
        if job.balance != "none":
            assert task.positive is not None
            negative = np.flatnonzero(y != task.positive)
            keep = int(np.count_nonzero(y == task.positive))
            # Nearness in units of the spread of each feature: raw units would let the largest numbers decide.
            spread = x.std(axis=0)
            kept = reduce_negatives(
                x / np.where(spread > 0, spread, 1.0), negative, keep, job.balance, self._generator(job, 1)
            )
            rows = np.sort(np.concatenate([np.flatnonzero(y == task.positive), kept]))
            x, y = x[rows], y[rows]
        return y, x, x if split.apparent and job.balance == "none" else encode(split.test)

    def _generator(self, job: _Job, purpose: int) -> np.random.Generator:
        """The same for every detector of a split, whoever comes first."""
        return np.random.default_rng([*self.seeds[job.split].generate_state(4).tolist(), purpose])

    def piece(self, job: _Job) -> Piece:
        """Fit and score; a failure is told, not raised."""
        split = self._split(job)
        detector = self.detectors[job.detector]
        _here.name = detector.name
        try:
            y, x, tested = self._matrices(job)
            return self._learn(job, detector, y, x, tested)
        except Exception as error:
            # Whatever a classifier raises is its own affair: it is told with its name, and the bench goes on.
            reason = str(error) if isinstance(error, RoclabError) else f"{type(error).__name__}: {error}"
            blank = np.full(split.test.size, np.nan)
            return Piece(
                score=blank,
                called=np.full(split.test.size, -1),
                probability=None,
                fit_seconds=0.0,
                score_seconds=0.0,
                n_train=split.train.size,
                failure=" ".join(reason.split())[:300] or type(error).__name__,
            )
        finally:
            _here.name = None

    def _learn(self, job: _Job, detector: Detector, y: Ints, x: Floats, tested: Floats) -> Piece:
        task = self.task
        seed = int(self._generator(job, 2).integers(2**31 - 1))
        begun = time.perf_counter()
        if detector.fitted is None:
            model = fresh(self.estimators[job.detector], seed).fit(x, y)
        else:
            model = detector.fitted[job.split]
        fitted = time.perf_counter()
        if not hasattr(model, "classes_"):  # an object of the user's own, which knows no names of classes
            model.classes_ = np.arange(len(task.classes))
        names = _class_names(model, task, given=detector.fitted is not None)
        wanted = range(len(task.classes)) if task.positive is None else [task.positive]
        parts = [as_score(model, tested, names[at]) for at in wanted]
        score = parts[0] if task.positive is not None else np.column_stack(parts)
        called, probability = _calls(model, tested, task, names, score)
        if not np.isfinite(score).all():
            raise ValueError("its scores are not finite")
        return Piece(
            score=score,
            called=called,
            probability=probability,
            fit_seconds=fitted - begun,
            score_seconds=time.perf_counter() - fitted,
            n_train=int(y.size),
        )


def _class_names(model: Any, task: Task, *, given: bool) -> list[Any]:
    """What a model calls our classes: their numbers, or, where it was trained elsewhere, the user's own labels."""
    if not given:
        return list(range(len(task.classes)))
    theirs = {word_of(one): one for one in np.asarray(model.classes_).tolist()}
    if set(theirs) != set(task.classes):
        raise ValueError(f"its classes are {', '.join(theirs)} instead of {', '.join(task.classes)}")
    return [theirs[name] for name in task.classes]


def _calls(model: Any, x: Floats, task: Task, names: list[Any], score: Floats) -> tuple[Ints, Floats | None]:
    """Class numbers, and probabilities where the model has some; a class that it has not seen has probability 0.

    Our own classifiers call by the sign of the score of two classes: asking them again would score everything twice.
    """
    place = {name: at for at, name in enumerate(names)}
    last = model.steps[-1][1] if hasattr(model, "steps") else model
    if task.positive is not None and isinstance(last, ScoredClassifier):
        at = task.positive
        called = np.where(score > 0 if at == 1 else score >= 0, at, 1 - at)
    else:
        called = np.array([place[name] for name in np.asarray(model.predict(x)).tolist()], dtype=np.int64)
    if not hasattr(model, "predict_proba"):
        return called, None
    probability = np.zeros((len(x), len(task.classes)))
    known = np.asarray(getattr(model, "classes_", names)).tolist()
    probability[:, [place[name] for name in known]] = model.predict_proba(x)
    return called, probability


def _fingerprint(task: Task, detectors: Sequence[Detector], design: Design, balances: Sequence[str], seed: str) -> str:
    """Of all that the results depend on: a file of other data, models or splits is never taken for this one."""
    digest = hashlib.sha256()
    for array in (task.table.values, task.codes):
        digest.update(np.ascontiguousarray(array).tobytes())
    identity = [task.table.names, dict(task.table.levels), task.classes, task.positive, tuple(balances), seed]
    for split in design:
        digest.update(split.train.astype(np.int64).tobytes() + b"|" + split.test.astype(np.int64).tobytes())
    for detector in detectors:
        identity += [detector.name, detector.features, joblib.hash(detector.made()), joblib.hash(detector.fitted)]
    identity.append(sklearn.__version__)
    digest.update(repr(identity).encode())
    return digest.hexdigest()


# -- what classifiers warn of ------------------------------------------------------------------------

_here = threading.local()  # whose turn it is in this thread


@contextmanager
def _collected_warnings() -> Iterator[dict[str, None]]:
    """Warnings during the run, in words, each once: a bar on the terminal is no place for them.

    Filters are global, so they are set once for all threads, and the name of the detector belongs to the thread.
    """
    collected: dict[str, None] = {}

    def listen(message: Any, category: type[Warning], *where: Any, **more: Any) -> None:
        text = " ".join(str(message).split())
        short = text.partition(". ")[0][:200]
        collected[f"{getattr(_here, 'name', None) or 'bench'}: {category.__name__}: {short}"] = None

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = listen
        yield collected
