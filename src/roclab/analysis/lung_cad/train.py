"""Train a lung CAD: regions of many scans, classifiers tested on other scans, calibration, and an operating point."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import check_choice, check_count, check_level, plural
from roclab._core.types import Array, Bools, Floats, Ints
from roclab._core.work import Progress, leave_if_stopped, spawn_seeds
from roclab.analysis.froc import froc
from roclab.analysis.froc_results import Froc
from roclab.analysis.lesions import lesions_by_scan
from roclab.analysis.lung_cad.operating import choose_point
from roclab.analysis.lung_cad.scans import named_scans, searched
from roclab.benching.nodule_classifier import balanced_rows, check_same, line_of, trees_of
from roclab.data.cases import Cases
from roclab.errors import InputError, Words
from roclab.imaging.lungs.cad_file import read_cad, write_cad
from roclab.imaging.lungs.cad_model import HeldOutMarks, Line, LungCad, Malignancy, TrainedScan
from roclab.imaging.lungs.cad_model import logistic as probabilities
from roclab.imaging.lungs.candidates import MOST, RESPONSE
from roclab.imaging.lungs.features import feature_names
from roclab.imaging.lungs.trees import BoostedTrees
from roclab.inference.areas_of_cases import areas_of
from roclab.inference.one_area.area import area_of_method
from roclab.models.logistic import fit_logistic
from roclab.names import BENCH_BALANCES, CAD_CLASSIFIERS, CAD_COMBINATIONS, BenchBalance, CadClassifier, CadCombination
from roclab.options.uncertainty import AreaUncertainty
from roclab.results import Interval

__all__ = ["cad_train", "read_cad_model", "write_cad_model"]

_FEWEST = 5  # nodules in regions, and of either kind for malignancy
_MALIGNANT = ("diameter_mm", "solid_mm", "sphericity", "mean", "sd", "margin")
_LEAST, _SIZES = 3.0, 40.0


def cad_train(
    lesions: Any,
    scans: Any,
    *,
    classifier: CadClassifier | Sequence[CadClassifier] = "boosting",
    balance: BenchBalance | Sequence[BenchBalance] = "none",
    combination: CadCombination | None = None,
    features: Sequence[str] | None = None,
    response: float = RESPONSE,
    most: int = MOST,
    false_positives: float | None = None,
    sensitivity: float | None = None,
    cost: float | None = None,
    folds: int = 5,
    level: float = 0.95,
    rng: Any = 0,
    progress: Progress | None = None,
) -> LungCad:
    """Train a lung CAD that marks nodules in new scans, with calibrated probabilities.

    Regions of every scan are nodules where their centre lies in one. Classifiers learn to tell them; each scan gets
    probabilities from classifiers that have not seen it, from which calibration, operating point and all figures of
    merit come, and then all scans train the CAD that is kept.

    Parameters
    ----------
    lesions : mapping of scans to nodules, or a table
        As :func:`cad_stages` takes them; with ``malignant`` where it is known.
    scans : mapping of names to volumes or files, or a sequence of files
        CT scans with the names that ``lesions`` has. One is in memory at a time.
    classifier : "boosting", "logistic", or several of them
        Boosted trees, or a line.
    balance : "none", "fcm", "random", or several of them
        Negatives to train on: all, or as many as there are nodules. Every classifier is trained on every balance.
    combination : "none", "mean" or "logistic", optional
        How several are combined: the mean of their log odds (default), or a second logistic regression of them.
    features : sequence of str, optional
        Default: all that regions have.
    response, most : float, int
        How regions are found; see :func:`nodules`.
    false_positives, sensitivity, cost : float, optional
        The operating point: at most so many false positives per scan (default: 1), at least this sensitivity, or the
        least cost where a missed nodule is worth ``cost`` false positives.
    folds : int
        Parts of the scans, each of which is held out once.
    level, rng
        Confidence level, and seed.

    Returns
    -------
    LungCad
        ``.apply(scan)``, ``.froc()`` on held-out scans, ``.rows()``, ``.operating``; ``write_cad_model`` keeps it.

    Examples
    --------
    >>> import roclab as rl
    >>> made = {f"p{at}": rl.imaging.phantom_chest(size=(24, 96, 96), spacing=(2.5, 2.1, 2.1), nodules=6,
    ...                                            diameters=(7, 16), rng=at) for at in range(4)}
    >>> cad = rl.imaging.cad_train({name: one.nodules for name, one in made.items()},
    ...                            {name: one.volume for name, one in made.items()}, classifier="logistic", folds=2)
    >>> [len(cad.scans), cad.operating.rule]
    [4, '1 false positives per scan']
    """
    check_level(level)
    kinds, balances = _several(classifier, "classifier", CAD_CLASSIFIERS), _several(balance, "balance", BENCH_BALANCES)
    made = [(kind, how) for how in balances for kind in kinds]
    how = _combination(combination, len(made))
    names = tuple(features) if features is not None else feature_names("dots")
    unknown = [name for name in names if name not in feature_names("dots")]
    if unknown or not names:
        known = ", ".join(feature_names("dots"))
        raise InputError("features", f"must be some of {known}", Words(", ".join(unknown) or "none"))
    parts = check_count(folds, "folds", least=2, way_out="5 is usual")
    settings = {"method": "dots", "response": float(response), "most": int(most), "smallest": _LEAST, "largest": _SIZES}
    held = _collected(lesions, scans, settings, names, progress)
    seeds, note = spawn_seeds(rng, 3)
    fold = _folds(held, parts, np.random.default_rng(seeds[0]))
    seed = int(seeds[1].generate_state(1)[0])
    odds = np.full((held.x.shape[0], len(made)), np.nan)
    for part in range(int(fold.max()) + 1):
        leave_if_stopped()
        test = fold[held.scan] == part
        for at, (kind, thinned) in enumerate(made):
            member = _member(held.x[~test], held.nodule[~test], kind, thinned, seed + part)
            odds[test, at] = member.log_odds(held.x[test])
    combined = _out_of_fold(odds, held, fold, how)
    platt = _platt(combined, held.nodule)
    marks = HeldOutMarks(
        scan=held.scan, position=held.position, probability=probabilities(platt[0] * combined + platt[1]),
        nodule_scan=held.nodule_scan, nodule_position=held.nodule_position, nodule_diameter=held.nodule_diameter,
    )  # fmt: skip
    every = tuple(one.name for one in held.scans)
    table, truth = marks.tables(every)
    curve = froc(table, truth, scans=list(every), detector="lung CAD", level=level, resampling=1000, rng=seed)
    point = choose_point(
        curve, false_positives=false_positives, sensitivity=sensitivity, cost=cost, level=level, seed=seed
    )
    members = tuple(
        (f"{kind} ({thinned})", _member(held.x, held.nodule, kind, thinned, seed)) for kind, thinned in made
    )
    malignancy, third, why = _malignancy(held, fold, level)
    notes = [*why]
    if len(held.scans) < 10:
        notes.append(f"{plural(len(held.scans), 'scan')}: too few for what is reached on new ones to be known well")
    return LungCad(
        settings=settings, features=names, low=held.x.min(axis=0), high=held.x.max(axis=0), members=members,
        combination=how, second=_second(odds, held.nodule) if how == "logistic" else None, platt=platt,
        malignancy=malignancy, operating=point, scans=held.scans, held_out=marks,
        performance=(*_areas("nodule or other", held.nodule, marks.probability, held.scan, level), *_of(curve), *third),
        seed=note, notes=tuple(notes), about=_versions(),
    )  # fmt: skip


def read_cad_model(path: str | os.PathLike[str]) -> LungCad:
    """A lung CAD from its file, exactly as it was; opening one runs nothing."""
    return read_cad(path, name="path")


def write_cad_model(model: LungCad, path: str | os.PathLike[str]) -> Any:
    """Write a lung CAD: arrays and JSON in one file, whole or not at all."""
    return write_cad(model, path)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Held:
    """Regions of all scans, and the truth about them."""

    scans: tuple[TrainedScan, ...]
    x: Floats
    scan: Ints
    position: Floats
    nodule: Bools
    nodule_scan: Ints
    nodule_position: Floats
    nodule_diameter: Floats
    malignant_x: Floats  # of the largest region of every nodule of which it is known
    malignant: Bools
    malignant_scan: Ints
    malignancy_known: bool


def _several(given: Any, name: str, known: Sequence[str]) -> list[str]:
    every = [given] if isinstance(given, str) else list(given)
    for one in every:
        check_choice(one, name, known)
    if not every or len(set(every)) < len(every):
        raise InputError(name, "must name one or more, each once", Words(", ".join(map(str, every)) or "none"))
    return every


def _combination(given: CadCombination | None, members: int) -> CadCombination:
    if given is None:
        return "none" if members == 1 else "mean"
    check_choice(given, "combination", CAD_COMBINATIONS)
    if (given == "none") != (members == 1):
        words = "one classifier on one balance" if members == 1 else f"{members} classifiers"
        raise InputError("combination", "must be 'none' for one classifier, and not for several", Words(words))
    return given


def _collected(
    lesions: Any, scans: Any, settings: Mapping[str, Any], names: tuple[str, ...], progress: Progress | None
) -> _Held:
    truth = lesions_by_scan(lesions)
    listed = list(named_scans(scans))
    rows: list[TrainedScan] = []
    x: list[list[float]] = []
    position: list[tuple[float, float, float]] = []
    nodule: list[bool] = []
    scan: list[int] = []
    malignant_x: list[list[float]] = []
    malignant: list[bool] = []
    malignant_scan: list[int] = []
    for at, (name, one) in enumerate(listed):
        leave_if_stopped()
        held = searched(name, one, settings=settings)
        own = truth.get(name, ())
        hits = np.array(held.found.hits(own), dtype=np.int64)
        for number in sorted(set(hits.tolist()) - {0}):
            known = getattr(own[number - 1], "malignant", None)
            if known is not None:
                largest = max(np.flatnonzero(hits == number), key=lambda row: held.found.regions[row].voxels)
                malignant_x.append([held.found.regions[largest].features[name] for name in _MALIGNANT])
                malignant.append(bool(known))
                malignant_scan.append(at)
        x += [[region.features[feature] for feature in names] for region in held.found.regions]
        position += [region.position for region in held.found.regions]
        nodule += (hits > 0).tolist()
        scan += [at] * len(hits)
        missed = len(own) - len(set(hits.tolist()) - {0})
        rows.append(
            TrainedScan(name=name, regions=len(hits), nodules=len(own), missed=missed, facts=held.facts)
        )  # fmt: skip
        if progress is not None:
            progress(at + 1, len(listed) + 1)
    _check_scans(rows, truth, sum(nodule))
    every = [(at, one) for at, (name, _) in enumerate(listed) for one in truth.get(name, ())]
    return _Held(
        scans=tuple(rows), x=np.array(x), scan=np.array(scan, dtype=np.int64), position=np.array(position),
        nodule=np.array(nodule, dtype=np.bool_),
        nodule_scan=np.array([at for at, _ in every], dtype=np.int64),
        nodule_position=np.array([one.position for _, one in every], dtype=np.float64).reshape(-1, 3),
        nodule_diameter=np.array([one.diameter for _, one in every], dtype=np.float64),
        malignant_x=np.array(malignant_x, dtype=np.float64).reshape(-1, len(_MALIGNANT)),
        malignant=np.array(malignant, dtype=np.bool_), malignant_scan=np.array(malignant_scan, dtype=np.int64),
        malignancy_known=any(getattr(one, "malignant", None) is not None for _, one in every),
    )  # fmt: skip


def _check_scans(rows: list[TrainedScan], truth: Mapping[str, Any], nodules: int) -> None:
    if len(rows) < 2:
        raise InputError("scans", "must be two or more, to hold some out", Words(plural(len(rows), "scan")))
    if not any(row.nodules for row in rows):
        raise InputError("lesions", "must hold a nodule of the scans", Words("none"), "name scans as the table does")
    twice: dict[str, str] = {}
    for row in rows:
        first = twice.setdefault(row.facts.digest, row.name)
        if first != row.name:
            raise InputError("scans", "must be different", Words(f"the same voxels as {first!r} and {row.name!r}"))
    if nodules < _FEWEST:
        raise InputError(
            "lesions", f"must lie in {_FEWEST} regions or more, to learn from", Words(plural(nodules, "region")),
            "give more scans",
        )  # fmt: skip


def _folds(held: _Held, parts: int, rng: np.random.Generator) -> Ints:
    """The fold of every scan, dealt out by falling number of nodules in regions, ties in random order."""
    many = np.array([one.nodules - one.missed for one in held.scans])
    order = np.lexsort((rng.permutation(many.size), -many))
    fold = np.empty(many.size, dtype=np.int64)
    fold[order] = np.arange(many.size) % min(parts, many.size)
    for part in range(int(fold.max()) + 1):
        rest = held.nodule[fold[held.scan] != part]
        if not 0 < rest.sum() < rest.size:
            raise InputError(
                "folds", "must leave nodules and others to learn from in every part", Words(f"{parts} folds"),
                "give more scans with nodules",
            )  # fmt: skip
    return fold


def _member(x: Array, nodule: Bools, kind: str, balance: Any, seed: int) -> BoostedTrees | Line:
    rows = balanced_rows(x, nodule, balance, np.random.default_rng(seed))
    if kind == "logistic":
        return Line(**line_of(x[rows], nodule[rows]))
    arrays = trees_of(x[rows], nodule[rows], seed=seed)
    expected = arrays.pop("expected")
    made = BoostedTrees(**arrays)
    check_same(made.log_odds(x[rows]), expected)
    return made


def _second(odds: Floats, nodule: Bools) -> Line:
    return Line(**line_of(odds, nodule))


def _out_of_fold(odds: Floats, held: _Held, fold: Ints, how: str) -> Floats:
    """Combined log odds; a second classifier too is asked about scans that it has not seen."""
    if how != "logistic":
        mean: Floats = odds.mean(axis=1)
        return mean
    out = np.empty(len(odds))
    for part in range(int(fold.max()) + 1):
        test = fold[held.scan] == part
        out[test] = _second(odds[~test], held.nodule[~test]).log_odds(odds[test])
    return out


def _platt(odds: Floats, positive: Bools) -> tuple[float, float]:
    """Slope and offset by maximum likelihood; Firth's penalty keeps them finite where the classes are separated."""
    fit = fit_logistic(odds[:, None], positive, penalty="firth")
    offset, slope = (float(one) for one in fit.coefficients)
    return slope, offset


def _areas(stage: str, label: Bools, score: Floats, scan: Ints, level: float) -> list[dict[str, Any]]:
    cases = Cases(
        label=label, scores={stage: score}, ids=scan, positive="positive", negative="negative",
        direction={stage: "higher"},
    )  # fmt: skip
    out = []
    for called, method in (("AUC", "empirical"), ("tAUC", "tauc")):
        found = areas_of(cases, area_of_method(method), AreaUncertainty(level=level))[stage]
        out.append(_row(stage, called, found.area, found.interval))
    return out


def _row(stage: str, called: str, value: Any, interval: Interval) -> dict[str, Any]:
    """Numbers that have no value become empty: a file holds finite ones."""
    percent = f"{100 * interval.level:g}%"
    cells = {"value": value, f"{percent} low": interval.low, f"{percent} high": interval.high}
    return {"stage": stage, "figure": called} | {k: float(v) if np.isfinite(v) else None for k, v in cells.items()}


def _of(curve: Froc) -> list[dict[str, Any]]:
    rows = [
        _row("marks", f"sensitivity at {one.rate:g} per scan", one.sensitivity, one.interval) for one in curve.points
    ]
    return [*rows, _row("marks", "CPM", curve.cpm, curve.cpm_interval)]


def _malignancy(held: _Held, fold: Ints, level: float) -> tuple[Malignancy | None, list[dict[str, Any]], list[str]]:
    """The last stage, beside the diameter alone; or why there is none."""
    many, total = int(held.malignant.sum()), held.malignant.size
    if not held.malignancy_known:
        return None, [], ["nothing is known about malignancy: no probability of it"]
    if min(many, total - many) < _FEWEST or np.unique(held.malignant_scan).size < 2:
        return None, [], [f"{plural(many, 'malignant nodule')} of {total} with a region: too few for a last stage"]
    x, label, part = held.malignant_x, held.malignant, fold[held.malignant_scan]
    odds = np.empty(total)
    for one in np.unique(part):
        test = part == one
        if not 0 < label[~test].sum() < (~test).sum():
            return None, [], ["the malignant nodules lie in one part of the scans: no last stage"]
        odds[test] = Line(**line_of(x[~test], label[~test])).log_odds(x[test])
    platt = _platt(odds, label)
    rows = [
        *_areas("malignant or benign", label, probabilities(platt[0] * odds + platt[1]), held.malignant_scan, level),
        *_areas("diameter alone", label, x[:, _MALIGNANT.index("diameter_mm")], held.malignant_scan, level),
    ]
    made = Malignancy(features=_MALIGNANT, line=Line(**line_of(x, label)), platt=platt, nodules=total, malignant=many)
    return made, rows, []


def _versions() -> dict[str, str]:
    import sklearn

    from roclab import __version__

    return {
        "roclab": __version__, "numpy": np.__version__, "scikit-learn": str(sklearn.__version__),
        "python": platform.python_version(), "use": "research use, not a medical device",
    }  # fmt: skip
