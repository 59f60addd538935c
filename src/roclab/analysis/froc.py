"""How good is a detector of lesions? FROC, AFROC and the competition metric, and whether two detectors differ."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, Unpack

import numpy as np

from roclab._core.checks import check_level, check_positive
from roclab._core.types import Floats
from roclab._core.undefined import Undefined
from roclab._core.work import repeat
from roclab.analysis.froc_reading import Columns, numbers_of, reference_of, scan_names, score_name
from roclab.analysis.froc_results import Froc, FrocArea, FrocComparison, FrocDifference, FrocPoint
from roclab.data.verbs import reader
from roclab.errors import InputError, Words, named
from roclab.imaging.free_response.curve import RATES, Events, afroc_area, events_of, froc_curve
from roclab.imaging.free_response.matching import Marks, Matched, match
from roclab.inference.one_area.bootstrap import bootstrap_interval
from roclab.inference.p_values import p_of_z
from roclab.names import FROC_FIGURES
from roclab.options.data import ReadingKeywords
from roclab.options.uncertainty import Resampling, resampling_of
from roclab.results import Interval

__all__ = ["compare_detectors", "froc"]

_PLACE = ("coordX", "coordY", "coordZ")
_SAME = 1e-12  # values of replicates that differ by less are the same


@reader()
def froc(
    candidates: Any,
    annotations: Any,
    *,
    excluded: Any = None,
    scans: Any = None,
    scan: str = "seriesuid",
    score: str | None = None,
    place: Sequence[str] = _PLACE,
    diameter: str = "diameter_mm",
    reach: float | None = None,
    smallest: float | None = None,
    detector: str = "detector",
    level: float = 0.95,
    resampling: Resampling | int | None = 1000,
    rng: Any = 0,
    **reading: Unpack[ReadingKeywords],
) -> Froc:
    """Sensitivity of a detector against its false positives per scan, by the rules of LUNA16.

    Parameters
    ----------
    candidates : table
        Marks of the detector: scan, position in world millimetres and score of each. Any detector's output will do.
    annotations : table
        Lesions: scan, position and diameter of each.
    excluded : table, optional
        Findings outside the reference: marks on them are neither hits nor false positives.
    scans : sequence or table, optional
        All scans that were searched. Without it those named in the tables count, and a scan that has no lesion and no
        mark is missed, which makes the false positive rate too high; a note says so.
    scan, score, place, diameter : str
        Names of the columns; the defaults are those of LUNA16. Without a name the score is ``probability``, or in a
        table that has no column of that name ``score``.
    reach : float, optional
        Millimetres that count as a hit, instead of each lesion's radius.
    smallest : float, optional
        Lesions with a smaller diameter count as excluded.
    level, resampling, rng
        Confidence level, and bootstrap samples of whole scans.

    Returns
    -------
    Froc
        ``.cpm`` with its interval, ``.points``, ``.curve``, ``.areas`` ("AFROC", "AFROC1", "wAFROC" and "wAFROC1", the
        figures of merit of free-response studies) and ``.afroc``; ``.marks_as_cases()`` for ROC analysis of the
        marks, ``.compare(other)``, ``.plot()``.

    Examples
    --------
    >>> marks = {"seriesuid": ["a", "a", "b"], "coordX": [0, 30, 5], "coordY": [0, 0, 5], "coordZ": [0, 0, 5],
    ...          "probability": [0.9, 0.4, 0.8]}
    >>> lesions = {"seriesuid": ["a", "b"], "coordX": [1, 50], "coordY": [0, 50], "coordZ": [0, 50],
    ...            "diameter_mm": [8, 8]}
    >>> import roclab as rl
    >>> found = rl.imaging.froc(marks, lesions, resampling=50)
    >>> found.lesions, found.missed, found.false_positives, round(found.cpm, 4)
    (2, 1, 2, 0.5)
    """
    check_level(level)
    if reach is not None:
        check_positive(reach, "reach", way_out="give millimetres")
    if smallest is not None:
        check_positive(smallest, "smallest", way_out="give millimetres")
    by = score_name(candidates, reading) if score is None else score
    columns = Columns(scan, by, tuple(place), diameter, reading)
    if len(columns.place) != 3:
        raise InputError("place", "must name three columns", Words(", ".join(columns.place)), "x, y and z in mm")
    marked = columns.read(candidates, "candidates", [by])
    lesions = columns.read(annotations, "annotations", [diameter] if reach is None else [])
    others = None if excluded is None else columns.read(excluded, "excluded", [])
    names, notes = scan_names(scans, scan, marked, lesions, reading)
    number = {name: at for at, name in enumerate(names)}
    reference, beside = reference_of(columns, number, lesions, others, smallest)
    if reference.scan.size == 0:
        raise InputError("annotations", "must hold at least one lesion", Words("none"), "sensitivity needs lesions")
    marks = Marks(scan=numbers_of(marked, number), position=marked["place"], score=marked[by])
    matched = match(names, marks, reference, beside, reach=reach)
    return _measured(detector, matched, marks, level, resampling, rng, notes)


def _measured(
    detector: str, matched: Matched, marks: Marks, level: float, resampling: Resampling | int | None, rng: Any,
    notes: list[str],
) -> Froc:  # fmt: skip
    events = events_of(matched)
    curve = froc_curve(events)
    rates = np.array(RATES)
    value = curve.at(rates)
    drawn = resampling_of(resampling)
    rows, seed = _replicates([(matched, events)], drawn, rng)
    named_ = f"{drawn.replicates} bootstrap samples of scans, seed {seed}"
    spread = rows[:, 0]

    def interval(column: Floats, centre: float) -> Interval:
        return _interval(column, centre, scans=events.scans, level=level, name=named_)

    last = float(curve.rate[-1])
    if last < RATES[-1]:
        notes = [
            *notes,
            f"the detector made {last:.3g} false positives per scan at most; beyond, its sensitivity is level",
        ]
    areas = {}
    for at, figure in enumerate(FROC_FIGURES, start=len(RATES)):
        area = afroc_area(matched, figure=figure)
        if math.isnan(area):
            area = Undefined("every scan has a lesion")
        areas[figure] = FrocArea(figure=figure, area=area, interval=interval(spread[:, at], area))
    drawn_cpm = spread[:, : len(RATES)].mean(axis=1)
    cpm_interval = interval(drawn_cpm, float(value.mean()))
    if isinstance(cpm_interval.low, Undefined):
        notes = [*notes, f"the CPM has no interval: {cpm_interval.low.reason}"]
    return Froc(
        detector=detector,
        curve=curve,
        points=tuple(
            FrocPoint(rate=float(rate), sensitivity=float(one), interval=interval(spread[:, at], float(one)))
            for at, (rate, one) in enumerate(zip(rates, value, strict=True))
        ),
        cpm=float(value.mean()),
        cpm_interval=cpm_interval,
        cpm_error=_unseen(drawn_cpm, events.scans) or float(np.std(drawn_cpm, ddof=1)),
        areas=areas,
        scans=len(matched.scans),
        lesions=int(matched.lesion_scan.size),
        missed=matched.missed,
        false_positives=int(matched.false_score.size),
        ignored=int(matched.ignored.sum()),
        seed=seed,
        notes=tuple(notes),
        _matched=matched,
        _marks=marks,
    )


def _interval(column: Floats, centre: float, *, scans: int, level: float, name: str) -> Interval:
    """Of the replicates; undefined where resampling whole scans cannot see how scans differ."""
    known = column[~np.isnan(column)]
    missing = Undefined("there are no replicates of it") if math.isnan(centre) or known.size < 2 else None
    missing = missing or _unseen(known, scans)
    if missing is not None:
        return Interval(low=missing, high=missing, level=level, method=name)
    return bootstrap_interval(known, centre, level=level, name=name)


def _unseen(replicates: Floats, scans: int) -> Undefined | None:
    """Why resampling scans shows no uncertainty, where it does not: an interval of no length would claim certainty."""
    if scans < 2:
        return Undefined("one scan does not show how scans differ")
    if np.ptp(replicates) <= _SAME:
        return Undefined("every sample of scans has the same value, so resampling sees no uncertainty")
    return None


def _replicates(found: Sequence[tuple[Matched, Events]], drawn: Resampling, rng: Any) -> tuple[Floats, str]:
    """Sensitivities at the seven rates and the figures of merit, of every detector, in samples of whole scans."""
    size = found[0][1].scans
    rates = np.array(RATES)
    has_lesion = found[0][1].lesions > 0
    rows = np.empty((drawn.replicates, len(found), len(RATES) + len(FROC_FIGURES)))

    def one(generator: np.random.Generator) -> Floats:
        while True:
            weight = np.bincount(generator.integers(size, size=size), minlength=size).astype(np.float64)
            if weight[has_lesion].any():  # a sample without a lesion has no sensitivity
                break
        return np.array(
            [
                [*froc_curve(e, weight).at(rates), *(afroc_area(m, weight, figure=one) for one in FROC_FIGURES)]
                for m, e in found
            ]
        )

    seed = repeat(one, rows, rng=rng, workers=drawn.workers, progress=drawn.progress)
    return rows, seed


def compare_detectors(
    found: Mapping[str, Froc], *, resampling: Resampling | int | None = None, rng: Any = None
) -> FrocComparison:
    """Every pair of detectors, by the same samples of scans."""
    names = list(found)
    if len(names) < 2:
        raise InputError("detectors", "must be two or more with names of their own", Words(", ".join(names)))
    first = found[names[0]]
    for one in found.values():
        if set(one._matched.scans) != set(first._matched.scans) or one.lesions != first.lesions:
            raise InputError(
                "detectors", "must be measured on the same scans and lesions",
                Words(f"others for {one.detector!r}"), f"give {named('scans')} to both",
            )  # fmt: skip
    aligned = [(_in_order(found[name]._matched, first._matched.scans), name) for name in names]
    drawn = resampling_of(1000 if resampling is None else resampling)
    pairs = [(matched, events_of(matched)) for matched, _ in aligned]
    rows, seed = _replicates(pairs, drawn, rng)
    method = f"{drawn.replicates} bootstrap samples of scans, seed {seed}"
    level = first.cpm_interval.level
    asked: list[tuple[str, slice]] = [("CPM", slice(0, len(RATES)))]
    asked += [(f"sensitivity at {rate:g}", slice(at, at + 1)) for at, rate in enumerate(RATES)]
    known = [
        (at, one) for at, one in enumerate(FROC_FIGURES, start=len(RATES)) if not math.isnan(first.areas[one].area)
    ]
    asked += [(one, slice(at, at + 1)) for at, one in known]
    values = np.array([
        [*froc_curve(events).at(np.array(RATES)), *(afroc_area(matched, figure=one) for one in FROC_FIGURES)]
        for matched, events in pairs
    ])  # fmt: skip
    out = []
    for i, j in combinations(range(len(names)), 2):
        for quantity, pick in asked:
            gap = float(values[i, pick].mean() - values[j, pick].mean())
            drawn_gap = (rows[:, i, pick] - rows[:, j, pick]).mean(axis=1)
            error = _unseen(drawn_gap, pairs[0][1].scans) or float(np.std(drawn_gap, ddof=1))
            z = error if isinstance(error, Undefined) else gap / error
            interval = _interval(drawn_gap, gap, scans=pairs[0][1].scans, level=level, name=method)
            out.append(
                FrocDifference(
                    first=names[i], second=names[j], quantity=quantity, difference=gap, standard_error=error,
                    interval=interval, p_value=p_of_z(z),
                )
            )  # fmt: skip
    return FrocComparison(differences=tuple(out), seed=seed)


def _in_order(matched: Matched, scans: tuple[str, ...]) -> Matched:
    """The same with scans numbered as another detector has them."""
    place = {name: at for at, name in enumerate(scans)}
    new = np.array([place[name] for name in matched.scans], dtype=np.int64)
    return replace(matched, scans=scans, lesion_scan=new[matched.lesion_scan], false_scan=new[matched.false_scan])
