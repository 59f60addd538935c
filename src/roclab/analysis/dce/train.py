"""Train on rough labels, one case or many, and leave each out in turn."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import check_count
from roclab._core.text import text_table
from roclab._core.types import Array, Floats
from roclab._core.work import Progress, leave_if_stopped, spawn_seeds
from roclab.analysis.dce.case_table import cases_of
from roclab.errors import InputError, Words
from roclab.imaging.dce.case import DceCase
from roclab.imaging.dce.labels import draw_voxels
from roclab.imaging.dce.model import DceModel, TrainingCase
from roclab.imaging.dce.network import Network
from roclab.imaging.dce.signal_space import fit_space
from roclab.names import CurveClassifier, CurveTransformation
from roclab.results import Result

__all__ = ["LeaveOneOut", "dce_leave_one_out", "dce_train"]

_KEPT = 400  # training points of each class that a model keeps, to draw the data space


def dce_train(
    cases: DceCase | Sequence[DceCase] | str | os.PathLike[str],
    *,
    classifier: CurveClassifier | Any = "mlp",
    transformation: CurveTransformation = "relative",
    grid: Sequence[float] | None = None,
    hidden: Sequence[int] = (20, 10),
    components: int = 3,
    positives: int = 1500,
    ratio: float = 3.0,
    margin: float = 5.0,
    passes: int = 60,
    rng: Any = 0,
    progress: Progress | None = None,
) -> DceModel:
    """Learn from rough labels which signal curves belong to lesions.

    Positives are drawn inside the label, negatives from voxels of the mask farther than ``margin`` mm from the label.
    The truth, where a case has one, is not looked at: what an expert overlooked lies among the negatives.

    Parameters
    ----------
    cases : DceCase, sequence of them, or a table of cases
        With labels.
    classifier : "mlp" or "logistic", or scikit-learn's MLPClassifier or LogisticRegression
    transformation : "relative", "unit_norm" or "pca"
        What makes a point of a curve; see ``roclab.imaging.dce.signal_space``.
    grid : seconds after arrival, optional
        When curves are read (default: the frames of the first case, as far as every case reaches).
    hidden : units of the hidden layers of "mlp"
    components : of "pca"
    positives : int
        Voxels drawn from the label of each case, at most.
    ratio : float
        Negatives per positive.
    margin : float
        Millimetres around the label that belong to neither class.
    passes : int
        Over the drawn voxels, at most; "mlp" ends earlier where the loss has settled, and a note says where it has not.
    rng : seed

    Returns
    -------
    DceModel
        ``write_dce_model`` keeps it in a file.

    Examples
    --------
    >>> import roclab as rl
    >>> cases = [rl.imaging.phantom_breast(size=(8, 48, 64), rng=at).as_case(f"p{at}") for at in (1, 2)]
    >>> model = rl.imaging.dce_train(cases, classifier="logistic", rng=1)
    >>> model.space.transformation, model.network.hidden
    ('relative', ())
    """
    from roclab.benching.curve_classifier import train_weights

    known = cases_of(cases)
    units = tuple(check_count(one, "hidden", least=1, most=2000, way_out="(20, 10) is usual") for one in hidden)
    times = _grid(known, grid)
    seeds, note = spawn_seeds(rng, len(known) + 2)
    plain = fit_space("relative", times)
    curves, labels, known_labels = [], [], []
    for at, case in enumerate(known):
        leave_if_stopped()
        some, label, one = _drawn(case, plain, positives, ratio, margin, np.random.default_rng(seeds[at]))
        curves.append(some)
        labels.append(label)
        known_labels.append(one)
        if progress is not None:
            progress(at + 1, len(known) + 1)
    every, positive = np.concatenate(curves), np.concatenate(labels)
    space = fit_space(transformation, times, every, components=components)
    points = space.transformed(every)
    weights = train_weights(
        points,
        positive,
        classifier,
        hidden=units,
        passes=check_count(passes, "passes", least=1, most=100_000, way_out="60 is usual"),
        seed=int(seeds[-2].generate_state(1)[0]),
    )
    if progress is not None:
        progress(len(known) + 1, len(known) + 1)
    keep = np.random.default_rng(seeds[-1])
    return DceModel(
        space=space,
        network=Network(
            centre=weights.centre, scale=weights.scale, weights=weights.weights, offsets=weights.offsets,
            activation=weights.activation,  # type: ignore[arg-type]
        ),
        classifier=weights.classifier, cases=tuple(known_labels), margin=float(margin), ratio=float(ratio),
        loss=weights.loss,
        positives=_some(points[positive], keep), negatives=_some(points[~positive], keep), seed=note,
        notes=weights.notes,
    )  # fmt: skip


def _grid(cases: Sequence[DceCase], asked: Sequence[float] | None) -> Floats:
    """Times at which all cases can be read."""
    if asked is not None:
        return np.array(asked, dtype=np.float64)
    ends = [float(case.series.after_arrival[-1]) for case in cases]
    times = cases[0].series.after_arrival
    found: Floats = times[times <= min(ends) + 1.0]
    if found.size == 0:
        raise InputError("cases", "must last longer after arrival than the first frame of the first case",
                         Words(f"{min(ends):g} s"), "leave the short case out")  # fmt: skip
    return found


def _drawn(
    case: DceCase, plain: Any, positives: int, ratio: float, margin: float, rng: np.random.Generator
) -> tuple[Array, Array, TrainingCase]:
    """Relative curves of the voxels drawn from one case, and which of them are positive."""
    try:
        label = case.marked()
        if not label.any():
            raise InputError("label", "must mark a voxel", Words("none"), "leave the case out, or draw the label")
        inside = case.inside(label=label)
        some, others = draw_voxels(
            label, inside, case.series.place.spacing, positives=positives, ratio=ratio, margin=margin, rng=rng
        )
        lowest = plain.lowest(case.series, inside)
        chosen = np.zeros(label.size, dtype=np.bool_)
        chosen[some] = chosen[others] = True
        curves = plain.points(case.series, chosen.reshape(label.shape), floor=lowest)
    except InputError as error:
        raise error.inside(f"case {case.name!r}") from None
    marked = label.ravel()[np.flatnonzero(chosen)]
    return (
        curves,
        marked,
        TrainingCase(name=case.name, positives=int(some.size), negatives=int(others.size), digest=case.digest()),
    )


def _some(points: Array, rng: np.random.Generator) -> Array:
    kept = points if len(points) <= _KEPT else points[np.sort(rng.choice(len(points), _KEPT, replace=False))]
    return np.ascontiguousarray(kept, dtype=np.float32)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LeaveOneOut(Result):
    """A model for every case, trained on all others."""

    models: Mapping[str, DceModel]
    seed: str

    def __getitem__(self, case: str) -> DceModel:
        if case not in self.models:
            raise InputError("case", f"must be one of {', '.join(map(repr, self.models))}", case)
        return self.models[case]

    def rows(self) -> list[dict[str, Any]]:
        """One row per case that was left out."""
        return [
            {"left out": name, "cases": len(one.cases), "positives": sum(case.positives for case in one.cases),
             "negatives": sum(case.negatives for case in one.cases)}
            for name, one in self.models.items()
        ]  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Every model without its weights."""
        return {"models": {name: one.to_dict() for name, one in self.models.items()}, "seed": self.seed}

    def __str__(self) -> str:
        return f"{text_table(self.rows())}\n\nseed {self.seed}"


def dce_leave_one_out(
    cases: Sequence[DceCase] | str | os.PathLike[str], *, rng: Any = 0, progress: Progress | None = None,
    **training: Any,
) -> LeaveOneOut:  # fmt: skip
    """Train as :func:`dce_train` does, once for every case, on all others: what evaluation within one group needs."""
    known = cases_of(cases)
    if len(known) < 2:
        raise InputError("cases", "must be two or more to leave one out", Words(len(known)), "give more cases")
    seeds, note = spawn_seeds(rng, len(known))
    found = {}
    for at, case in enumerate(known):
        others = [one for one in known if one is not case]
        found[case.name] = dce_train(others, rng=seeds[at], **training)
        if progress is not None:
            progress(at + 1, len(known))
    return LeaveOneOut(models=found, seed=note)
