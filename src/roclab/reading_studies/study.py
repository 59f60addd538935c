"""A whole reader study from its readings: every cell, every mean, every difference."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from roclab._core.checks import check_choice, check_level, check_positive, plural
from roclab._core.undefined import Undefined
from roclab.errors import InputError, Words, named
from roclab.inference.areas_of_cases import estimate_area_of_cases
from roclab.inference.comparison.compare import with_adjusted
from roclab.inference.comparison.contrasts import Difference
from roclab.inference.comparison.margins import MarginTest, with_adjusted_claims
from roclab.inference.one_area.area import Area
from roclab.inference.one_area.estimate import estimate_from_error
from roclab.inference.one_curve.proportions import proportion_interval
from roclab.names import (
    ALTERNATIVES,
    CLAIMS,
    RANDOM_EFFECTS,
    READER_INFERENCES,
    READER_METHODS,
    Adjustment,
    Alternative,
    Claim,
    RandomEffects,
    ReaderCovariance,
    ReaderInference,
    ReaderMethod,
)
from roclab.options.uncertainty import AreaUncertainty, Resampling, resampling_of
from roclab.reading_studies.calibrated import calibrate, check_calibrated, why_not_calibrated
from roclab.reading_studies.components import error_covariances
from roclab.reading_studies.covariance import CellAreas, areas_of_cells, influence_columns
from roclab.reading_studies.decision import is_rate
from roclab.reading_studies.mean_squares import MeanSquares, mean_squares, one_modality
from roclab.reading_studies.obuchowski_rockette import (
    against_algorithm,
    equality_of_means,
    interval_of_mean,
    variance_components,
    variance_of_mean,
)
from roclab.reading_studies.pseudovalues import PseudovalueTable, pseudovalue_table, pseudovalues
from roclab.reading_studies.readings import Readings
from roclab.reading_studies.result import Known, ReaderArea, ReaderStudy
from roclab.reading_studies.score import score_analysis
from roclab.results import AreaEstimate, RateEstimate, TestResult

__all__ = ["analyse_readings"]


def analyse_readings(
    readings: Readings,
    area: Area,
    *,
    everyone: Readings | None = None,
    algorithm: str | None = None,
    method: ReaderMethod = "or",
    covariance: ReaderCovariance | None = None,
    random: RandomEffects = "both",
    inference: ReaderInference = "hillis",
    margin: float | None = None,
    claim: Claim = "non-inferiority",
    level: float = 0.95,
    adjust: Adjustment = "holm",
    alternative: Alternative = "two-sided",
    resampling: Resampling | int | None = None,
    rng: Any = None,
) -> ReaderStudy:
    """Analyse readings whose design is known; ``everyone`` holds the algorithm besides the readers."""
    check_level(level)
    check_choice(method, "method", READER_METHODS)
    check_choice(random, "random", RANDOM_EFFECTS)
    check_choice(inference, "inference", READER_INFERENCES)
    check_choice(alternative, "alternative", ALTERNATIVES)
    check_choice(claim, "claim", CLAIMS)
    if margin is not None:
        check_positive(margin, "margin", way_out="it is the largest difference you would still accept, e.g. 0.05")
        if not readings.several:
            raise InputError("margin", "needs two modalities to compare", Words("one"), "leave it out")
    drawn = resampling_of(resampling)
    _check_random(readings, random)
    if inference == "calibrated":
        check_calibrated(readings, area, method, covariance, random, replicates=drawn.replicates, level=level)
    covariance = _covariance_asked(readings, method, covariance)
    whole = readings if everyone is None else everyone
    found = areas_of_cells(whole, area, covariance, resampling=drawn, rng=rng)
    rows = _rows(readings, whole)
    cells = CellAreas(
        values=found.values[rows].copy(), matrix=found.matrix[np.ix_(rows, rows)].copy(), method=found.method
    )
    errors = error_covariances(readings, cells.matrix)
    squares = mean_squares(readings, cells.values, errors)
    table, cases_df = _table(readings, squares), math.inf
    name = "Obuchowski-Rockette"
    if method == "dbm":
        pseudo = pseudovalue_table(pseudovalues(readings, area, cells.values, drawn))
        table, name = _pseudovalue_rows(pseudo), "Dorfman-Berbaum-Metz"
        cases_df = (len(readings.modalities) - 1) * (pseudo.cases - 1) if readings.several else pseudo.cases - 1
    score = calibration = None
    test: tuple[TestResult | None, tuple[float, float]] = (None, (math.nan, math.nan))
    if inference != "hillis" and readings.several:
        known_influence = area.influence is not None and readings.subject is None
        columns = influence_columns(readings, area) if known_influence else None
        score = score_analysis(readings, cells.values, cells.matrix, columns, area.bounds, random)
        test = score.equality(name)
        if inference == "calibrated" and test[0] is not None and not math.isnan(test[0].p_value):
            calibration = calibrate(readings, score, resampling=drawn, rng=rng)
            test = calibration.tested(test[0], level), test[1]
    elif readings.several:
        test = equality_of_means(squares, errors, random, cases_df=cases_df, method=name)
    known = Known(
        readings=readings, area=area, cells=cells, squares=squares, errors=errors, random=random, cases_df=cases_df,
        covariance=covariance, method=name, score=score, calibration=calibration,
    )  # fmt: skip
    pairs, claims = _compared(known, margin, claim, level, alternative, adjust)
    against: tuple[Difference, ...] = ()
    if algorithm is not None:
        place = next(at for at, (_, reader) in enumerate(whole.cells) if whole.readers[reader] == algorithm)
        against = tuple(
            against_algorithm(
                found.values, found.matrix, place, [rows[at] for at in readings.cells_of(number)], random,
                names=(modality if readings.several else "readers", algorithm), level=level, alternative=alternative,
            )
            for number, modality in enumerate(readings.modalities)
        )  # fmt: skip
        against = with_adjusted(against, adjust)
    return ReaderStudy(
        quantity=area.quantity,
        modalities=readings.modalities,
        readers=readings.readers,
        areas=_cell_estimates(readings, area, cells, level),
        means=_means(known, random, level),
        pairs=with_adjusted(pairs, adjust),
        equality=test[0],
        df=test[1],
        components=variance_components(readings, squares, errors),
        table=table,
        covariance=cells.matrix,
        method=method,
        covariance_method=cells.method,
        design=readings.design,
        random=random,
        inference=inference,
        level=level,
        adjustment=adjust,
        sample=readings.sample,
        claims=claims,
        against=against,
        algorithm=algorithm,
        notes=(*readings.notes, *_notes(known), *_notes_of_level(known, area, method)),
        _known=known,
    )


def _check_random(readings: Readings, random: RandomEffects) -> None:
    if random == "cases":
        return
    counts = [len(readings.cells_of(one)) for one in range(len(readings.modalities))]
    if min(counts) < 2:
        where = "" if len(readings.readers) == 1 else f" in {readings.modalities[int(np.argmin(counts))]!r}"
        raise InputError(
            "random",
            "readers are a sample only where there are two or more",
            Words(f"{plural(min(counts), 'reader')}{where}"),
            f"write {named('random', 'cases')}, which takes the readers as they are",
        )
    sizes = np.bincount(readings.group)
    if readings.design == "split_plot" and sizes.max() > 1 and sizes.min() < 2:
        raise InputError(
            "design",
            "'split_plot' needs two readers in every group, or one in each",
            Words("some of both"),
            f"write {named('random', 'cases')} or leave out the single readers",
        )


def _covariance_asked(
    readings: Readings, method: ReaderMethod, covariance: ReaderCovariance | None
) -> ReaderCovariance | None:
    if method != "dbm":
        return covariance
    if covariance not in (None, "jackknife"):
        raise InputError(
            "covariance", "is the jackknife in the method 'dbm'", covariance, f"use {named('method', 'or')}"
        )
    if readings.design != "factorial" or not readings.complete:
        raise InputError(
            "method",
            "'dbm' needs every reader to read every case in every modality",
            Words("gaps" if readings.design == "factorial" else f"a {readings.design.replace('_', ' ')} design"),
            f"use {named('method', 'or')}",
        )
    return "jackknife"


def _rows(readings: Readings, whole: Readings) -> list[int]:
    """Places of the readers' cells among those of everyone."""
    place = {(whole.modalities[one], whole.readers[two]): at for at, (one, two) in enumerate(whole.cells)}
    return [place[readings.modalities[one], readings.readers[two]] for one, two in readings.cells]


def _compared(
    known: Known, margin: float | None, claim: Claim, level: float, alternative: Alternative, adjust: Adjustment
) -> tuple[Sequence[Difference], tuple[MarginTest, ...]]:
    count = len(known.readings.modalities)
    pairs = [
        known.difference(combination, level=level, alternative=alternative)
        for combination in combinations(range(count), 2)
    ]
    if margin is None:
        return pairs, ()
    claims = [known.claim((0, other), margin=margin, claim=claim, level=level) for other in range(1, count)]
    return pairs, with_adjusted_claims(claims, adjust)


def _means(known: Known, random: RandomEffects, level: float) -> tuple[AreaEstimate, ...]:
    readings, area = known.readings, known.area
    out = []
    for number, modality in enumerate(readings.modalities):
        cells = readings.cells_of(number)
        one = one_modality(readings, known.cells.values[cells], cells)
        errors = error_covariances(readings, known.cells.matrix, cells)
        estimated = variance_of_mean(one, errors, random)
        held = readings.label[readings.read[cells].any(axis=0)]
        sample = readings.sample
        out.append(
            AreaEstimate(
                quantity=f"mean {area.quantity}",
                area=one.mean,
                standard_error=math.sqrt(estimated.variance),
                interval=interval_of_mean(one.mean, estimated, level=level, bounds=area.bounds),
                method=area.method,
                sample=type(sample)(
                    n_pos=int(held.sum()), n_neg=int((~held).sum()), positive=sample.positive,
                    negative=sample.negative, direction=sample.direction, score=modality,
                ),
            )
        )  # fmt: skip
    return tuple(out)


def _cell_estimates(readings: Readings, area: Area, cells: CellAreas, level: float) -> tuple[ReaderArea, ...]:
    return tuple(
        ReaderArea(
            reader=readings.readers[reader],
            modality=readings.modalities[modality],
            estimate=_cell_estimate(readings, area, cells, at, level),
        )
        for at, (modality, reader) in enumerate(readings.cells)
    )


def _cell_estimate(
    readings: Readings, area: Area, cells: CellAreas, at: int, level: float
) -> AreaEstimate | RateEstimate:
    cases = readings.cases_of(at)
    sample, value = cases.sample(), float(cells.values[at])
    se = math.sqrt(max(float(cells.matrix[at, at]), 0.0))
    if is_rate(area) and readings.subject is None:
        n = sample.n_pos if area.quantity == "sensitivity" else sample.n_neg
        return RateEstimate(
            quantity=area.quantity,
            rate=value,
            standard_error=se,
            interval=proportion_interval(round(value * n), n, level=level),
            method=area.method,
            sample=sample,
        )
    if area.influence is not None and readings.subject is None:
        return estimate_area_of_cases(cases, cases.only_name(), area, AreaUncertainty(level=level))
    return estimate_from_error(
        area, value, se, cells.method, sample=sample, level=level, interval="auto", side="two-sided"
    )


def _table(readings: Readings, squares: MeanSquares) -> dict[str, tuple[float, float]]:
    t, r = len(readings.modalities), len(readings.readers)
    out: dict[str, tuple[float, float]] = {}
    if t > 1:
        out["modality"] = (t - 1, squares.modality)
    if readings.design != "nested_readers" and r > 1:
        out["reader"] = (r - 1, squares.reader)
    if squares.error_df:
        out[squares.error_name] = (squares.error_df, squares.error)
    return out


def _pseudovalue_rows(found: PseudovalueTable) -> dict[str, tuple[float, float]]:
    return {
        source: (found.df[source], square if found.df[source] else Undefined("no degrees of freedom"))
        for source, square in found.mean_squares.items()
    }


def _notes(known: Known) -> list[str]:
    out = []
    readings, squares, errors = known.readings, known.squares, known.errors
    if known.score is not None:
        squares, errors = known.score.squares, known.score.errors
    if readings.several and known.random == "both" and squares.kappa and errors.apart < 0:
        out.append("Cov2 - Cov3 is below 0 and counts as 0, as the model demands.")
    if readings.several and known.random == "cases" and squares.kappa and errors.apart < 0:
        out.append("Cov2 - Cov3 is below 0 and counts as it is; OR-DBM MRMC and RJafroc take 0 for it.")
    if known.calibration is not None:
        out.append(known.calibration.describe())
    if known.score is not None and math.isnan(known.score.common):
        out.append("A modality with a mean on its bound has no scale: the observed variance was taken.")
    still = [readings.name(at) for at, row in enumerate(readings.rating) if np.nanmin(row) == np.nanmax(row)]
    if still:
        out.append(f"The same rating for every case: {'; '.join(still)}.")
    return out


# The largest simulated size of Hillis' test at 5%, by the degrees of freedom of its error mean square: three and four
# readers of two modalities.
_SIZE_OF_FEW = {2: "7.8%", 3: "6.4%"}
_HIGH_AREA = 0.95


def _notes_of_level(known: Known, area: Area, method: ReaderMethod) -> list[str]:
    """Where simulation shows that Hillis' test does not hold its level, and which one does."""
    if known.score is not None or not known.readings.several or known.random != "both":
        return []
    drawn = why_not_calibrated(known.readings, area, method, known.covariance, known.random) is None
    other = "the score test (inference 'score') comes nearer"
    if drawn:
        other += ", and calibrated by simulation (inference 'calibrated') it holds 5%"
    out = []
    if known.squares.error_df <= max(_SIZE_OF_FEW):
        most = _SIZE_OF_FEW.get(int(known.squares.error_df), "more than 7.8%")
        out.append(f"With so few readers this test rejects up to {most} of true hypotheses instead of 5%; {other}.")
    elif area.is_auc and float(known.squares.means.mean()) > _HIGH_AREA:
        out.append(f"At areas above {_HIGH_AREA} this test rejects 2 to 5% of true hypotheses; {other}.")
    return out
