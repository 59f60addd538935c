"""Analysing data for a report: each number comes from the function that the library and the command line call."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, Unpack

import numpy as np

from roclab._core.checks import check_choice, check_level
from roclab._core.undefined import Undefined
from roclab._core.work import spawn_seeds
from roclab.analysis.compare import compare
from roclab.analysis.group_areas import GroupAreas, group_areas
from roclab.analysis.reporting.content import (
    BenchPart,
    CutoffLine,
    FoldArea,
    ModelPart,
    PlaceOfUse,
    PromisePart,
    ReaderPart,
    Report,
    ScoreReport,
    StagePart,
)
from roclab.analysis.reporting.findings import findings_of
from roclab.analysis.reporting.methods import methods_of
from roclab.analysis.reporting.rates import promise_part, rate_part
from roclab.areas.empirical import auc
from roclab.curves.distribution import score_distribution
from roclab.curves.outline import outline
from roclab.data.cases import Cases
from roclab.data.files.postgres import shown_address
from roclab.data.groups import without_groups
from roclab.data.read import read_cases
from roclab.data.remote import RemoteCases
from roclab.data.tally import Tally
from roclab.data.verbs import verb
from roclab.decisions.calibration import Calibration, calibration
from roclab.decisions.cutoffs import CutoffResult, find_cutoff
from roclab.decisions.iso_performance import check_conditions
from roclab.decisions.left_out import cutoff_left_out
from roclab.decisions.net_benefit import DecisionCurve, decision_curve
from roclab.decisions.smooth_errors import cells_of_intervals
from roclab.errors import InputError, Words, named
from roclab.inference.areas_of_cases import areas_of
from roclab.inference.one_area.area import area_of_method
from roclab.inference.one_area.area_tests import area_test
from roclab.inference.one_area.estimate import estimate_area
from roclab.inference.one_curve.bands import Band, roc_band
from roclab.inference.one_curve.fixed_rate import rate_statistic, rates_at
from roclab.names import SECTIONS, AreaTest, Program, ThresholdRule
from roclab.options.conventions import conventions_note, options_of_program
from roclab.options.criterion import Bounds, CriterionOptions
from roclab.options.data import DataKeywords
from roclab.options.follow_up import FollowUpKeywords, FollowUpOptions, is_survival
from roclab.options.group import given_of
from roclab.options.rates import Thresholds
from roclab.options.uncertainty import AreaUncertainty, Resampling, resampling_of
from roclab.results import AreaEstimate, RateEstimate

__all__ = ["build_report"]

CRITERIA = ("youden", "closest_to_corner", "cost")
FIXED_RATES = (0.8, 0.9, 0.95)  # specificities at which sensitivities are told, and the reverse
_VERTICES = 10_000  # of all curves in the page together
_FEWEST, _MOST = 200, 2000  # of one curve
_AFFORDABLE = 200_000_000  # cells weighed for intervals of calibration errors, of all scores together: about a second


class _Conventions(NamedTuple):
    """What a report takes over from another program: intervals and test of areas, and which thresholds are shown."""

    area: AreaUncertainty
    test: AreaTest | None
    rule: ThresholdRule
    words: str

    @classmethod
    def of(cls, program: Program | None, level: float) -> _Conventions:
        """Those of a program, or our own."""
        if program is None:
            return cls(AreaUncertainty(level=level), None, "observed", "")
        if program == "scikit-learn":
            raise InputError(
                "conventions", "must be those of a program that prints uncertainty, which a report is about", program,
                "leave it out",
            )  # fmt: skip
        area = options_of_program(program, "auc", {"null": 0.5})
        rule = options_of_program(program, "cutoff", {})["rule"]
        asked = AreaUncertainty(level=level, interval=area["interval"], variance=area["variance"])
        return cls(asked, area.get("test"), rule, conventions_note(program, {**area, "thresholds": rule}))


class ReportKeywords(FollowUpKeywords, DataKeywords, total=False):
    """The parts of the data, of classes or of cases that were followed."""


@verb(ReportKeywords, splits=False)
def build_report(
    y_true: Any,
    y_score: Any = None,
    *,
    title: str | None = None,
    source: str | None = None,
    level: float = 0.95,
    prevalence: float | None = None,
    cost_fp: float = 1.0,
    cost_fn: float = 1.0,
    band: bool = True,
    only: Sequence[str] | None = None,
    resampling: Resampling | int | None = None,
    rng: Any = None,
    command: str | None = None,
    conventions: Program | None = None,
    bench: BenchPart | None = None,
    readers: ReaderPart | None = None,
    stage: StagePart | None = None,
    model: ModelPart | None = None,
    threshold: Thresholds | None = None,
    require: Bounds | None = None,
    confidence: float | None = None,
    **data: Unpack[ReportKeywords],
) -> Report:
    """Analyse data and return all that a report shows; :func:`roclab.write_report` writes it too.

    Parameters
    ----------
    y_true, y_score : arrays, or a data frame or file with ``label=`` and ``score=``
    title, source, command : str, optional
        Heading; what the data are called (by default the name of the file, without its folder); the command that
        repeats the report.
    level : float
        Confidence level of every interval and band.
    prevalence, cost_fp, cost_fn : float
        Where decisions will be made (default: the prevalence of the data, equal costs).
    band : bool
        Draw a simultaneous confidence band around each curve.
    only : sequence of section names, optional
        Any of "data", "areas", "comparison", "curves", "cutoffs", "distributions", "calibration", "subgroups", "folds",
        "methods", "bench", "readers", "stage", "model", "rates", "promise"; of cases that were followed "time", "data",
        "methods".
    conventions : str, optional
        The program whose numbers areas, comparison and cut-offs follow, as in :func:`auc`.
    bench : BenchPart, optional
        How the scores came about; :meth:`roclab.Bench.write_report` gives it.
    readers : ReaderPart, optional
        The analysis of a reader study; :meth:`roclab.ReaderStudy.write_report` gives it.
    stage : StagePart, optional
        The stage of a lung CAD that the scores belong to; :func:`roclab.cad_stages` gives it.
    model : ModelPart, optional
        The models behind the scores; ``write_report`` of what :func:`roclab.logistic` found gives it.
    time, event, at, … : columns or arrays, and horizons
        Who has the event by a horizon, where some were lost before: areas over time, curves, rates at a cut-off,
        calibration and net benefit at each horizon, with what they rest on, in place of the sections about classes.
    threshold : float, list or mapping, optional
        Thresholds that were fixed before these cases were seen, as in :func:`compare`: rates of every score there,
        their differences, and their gaps between the groups of ``by``.
    require, confidence
        Bounds such as ``{"sensitivity": 0.9}`` and the confidence with which a cut-off is to keep them in new cases
        (default 0.95), as in :func:`cutoff`.
    resampling, rng
        Replicates and seed of the bands, and of calibration errors where these cost no more than about a second.

    Examples
    --------
    >>> report = build_report([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.4, 0.2], rng=1)
    >>> round(report.best.area.area, 4), [line.result.threshold for line in report.best.cutoffs]
    (0.8889, [0.8, 0.8, 0.8])
    """
    check_level(level)
    if FollowUpOptions.of(data).given or is_survival(y_true):
        from roclab.analysis.reporting.followed import report_over_time

        asked = {
            "prevalence": prevalence, "cost_fp": cost_fp, "cost_fn": cost_fn, "resampling": resampling, "rng": rng,
            "conventions": conventions, "bench": bench, "readers": readers, "stage": stage, "model": model,
            "confidence": confidence, "level": level, "band": band, "threshold": threshold, "require": require,
            "only": only,
        }  # fmt: skip
        return report_over_time(
            y_true, y_score, data, asked, title=title, command=command, versions=_versions(),
            source=source if source is not None else _name_of(y_true),
        )  # fmt: skip
    theirs = _Conventions.of(conventions, level)
    if conventions is not None:
        data.setdefault("missing", "drop")
    sections = SECTIONS if only is None else tuple(only)
    for section in sections:
        check_choice(section, "only", SECTIONS)
    whole = read_cases(y_true, y_score, **given_of(data, DataKeywords))
    # everything but the subgroups is about all cases
    cases = without_groups(whole).remembering()
    sample = replace(cases.sample(cases.names[0]), score=None)
    share = sample.n_pos / (sample.n_pos + sample.n_neg)
    given = check_conditions(share if prevalence is None else prevalence, cost_fp, cost_fn)
    conditions = PlaceOfUse(prevalence=given[0], cost_fp=given[1], cost_fn=given[2], assumed=prevalence is not None)
    clustered = cases.clustered
    seeds, seed = spawn_seeds(rng, 2 * len(cases.names))
    most = min(max(_VERTICES // len(cases.names), _FEWEST), _MOST)
    scores = tuple(
        _score(
            cases,
            name,
            level,
            conditions,
            most,
            resampling,
            theirs,
            seeds[at :: len(cases.names)],
            band=band,
            fixed="cutoffs" in sections,
            errors=_AFFORDABLE // len(cases.names) if "calibration" in sections else 0,
            clustered=clustered,
        )
        for at, name in enumerate(cases.names)
    )
    comparison = None
    if len(cases.names) > 1:
        comparison = compare(cases, level=level, conventions=conventions)
    folds = _folds(cases)
    rates = None if threshold is None else rate_part(whole, threshold, level=level)
    promise = _promise(cases, require, confidence, level)
    groups = _groups(whole, level)
    benefit = _net_benefit(cases, scores, prevalence)
    for section, there, way_out in (
        ("comparison", comparison is not None, "give a second score"),
        ("folds", bool(folds), "say which column holds the folds"),
        ("subgroups", bool(groups), "say which column holds the groups"),
        ("calibration", benefit is not None, "give predicted probabilities as a score"),
        ("bench", bench is not None, "run a bench and write its report"),
        ("readers", readers is not None, "analyse a reader study and write its report"),
        ("stage", stage is not None, "analyse the stages of a lung CAD and write their reports"),
        ("model", model is not None, "fit a model and write its report"),
        ("rates", rates is not None, f"fix thresholds with {named('threshold', 0.5)}"),
        ("promise", promise is not None, f"write {named('require', {'sensitivity': 0.9})}"),
        ("time", False, f"say how long cases were followed with {named('time', 'days')}"),
    ):
        if only is not None and section in sections and not there:
            raise InputError(
                "", f"only names the section {section!r}", Words("data that have none of it"), f"{way_out}"
            )
    methods, references = methods_of(
        scores, comparison, conditions, level=level, folds=bool(folds), groups=bool(groups), clustered=clustered,
        conventions=theirs.words, rates=rates, promise=promise,
    )  # fmt: skip
    return Report(
        title=title or "ROC analysis",
        source=source if source is not None else _name_of(y_true),
        rows_read=len(cases) + cases.dropped,
        sample=sample,
        level=level,
        conditions=conditions,
        scores=scores,
        comparison=comparison,
        clusters=int(np.unique(cases.ids).size) if clustered and cases.ids is not None else None,
        groups=groups,
        folds=folds,
        net_benefit=benefit,
        findings=findings_of(scores, comparison, folds, conditions, level=level),
        methods=methods,
        references=references,
        seed=seed,
        versions=_versions(),
        command=command,
        only=sections,
        bench=bench,
        readers=readers,
        stage=stage,
        model=model,
        rates=rates,
        promise=promise,
    )


def _score(
    cases: Cases,
    name: str,
    level: float,
    conditions: PlaceOfUse,
    most: int,
    resampling: Resampling | int | None,
    theirs: _Conventions,
    seeds: Sequence[Any],
    *,
    band: bool,
    fixed: bool,
    errors: int,
    clustered: bool,
) -> ScoreReport:
    tally = cases.tally(name)
    # What all cases tell is read off the one sort there is; subjects and rows elsewhere need more than its counts.
    counted = not (clustered or isinstance(cases, RemoteCases))

    def area(method: str, uncertainty: AreaUncertainty) -> AreaEstimate:
        asked = area_of_method(method)
        if counted:
            return estimate_area(tally, asked, uncertainty)
        return areas_of(cases.select(name), asked, uncertainty)[name]

    judged = fixed or len(cases.names) == 1  # their section shows it, and the answer about a single score
    cutoffs = tuple(
        _cutoff(tally, criterion, level, conditions, theirs.rule, clustered=clustered, judged=judged)
        for criterion in CRITERIA
    )
    return ScoreReport(
        name=name,
        area=area("empirical", theirs.area),
        precision=area("average_precision", AreaUncertainty(level=level)),
        # Tests and bands count cases as independent, which those of one subject are not.
        chance=None if clustered else area_test(tally, area_of_method("empirical"), test=theirs.test),
        outline=outline(tally, most, keep=[line.result.threshold for line in cutoffs]),
        band=_band(tally, level, resampling, seeds[0]) if band and not clustered else None,
        distribution=score_distribution(tally),
        cutoffs=cutoffs,
        fixed=_fixed(tally, level) if fixed and not (clustered or tally.weighted) else (),
        calibration=_calibration(tally, level, 0 if clustered else errors, resampling_of(resampling), seeds[1]),
    )


def _promise(cases: Cases, require: Bounds | None, confidence: float | None, level: float) -> PromisePart | None:
    """Cut-offs that keep bounds in new cases, if bounds were given."""
    if require is None:
        if confidence is not None:
            raise InputError(
                "confidence", "belongs to a bound", way_out=f"write {named('require', {'sensitivity': 0.9})}"
            )
        return None
    return promise_part(cases, require, 0.95 if confidence is None else confidence, level=level)


def _name_of(data: Any) -> str | None:
    """What a file is called, without the folder: a page that is passed on tells nothing about the machine."""
    return Path(shown_address(str(data))).name if isinstance(data, str | Path) else None


def _fixed(tally: Tally, level: float) -> tuple[RateEstimate, ...]:
    sensitivities = rates_at(tally, [rate_statistic(specificity=rate) for rate in FIXED_RATES], level=level)
    specificities = rates_at(tally, [rate_statistic(sensitivity=rate) for rate in FIXED_RATES], level=level)
    return (*sensitivities, *specificities)


def _calibration(tally: Tally, level: float, affordable: int, resampling: Resampling, rng: Any) -> Calibration | None:
    """Scores from 0 to 1, some of them strictly between, may be probabilities; what they are, the reader must know.

    Their distances from a smooth curve get intervals as far as those weigh no more than the ``affordable`` cells.
    """
    if tally.subjects is None and tally.sample.subjects:  # whose intervals an engine cannot count
        return None
    low, high = float(tally.score[-1]), float(tally.score[0])
    between = bool(np.any((tally.score > 0) & (tally.score < 1)))
    if tally.sample.direction != "higher" or not (low >= 0 and high <= 1 and between):
        return None
    drawn = cells_of_intervals(tally, resampling.replicates) <= affordable
    return calibration(tally, level=level, resampling=resampling if drawn else None, rng=rng)


def _net_benefit(cases: Cases, scores: Sequence[ScoreReport], prevalence: float | None) -> DecisionCurve | None:
    tallies = {score.name: cases.tally(score.name) for score in scores if score.calibration is not None}
    return decision_curve(tallies, prevalence=prevalence) if tallies else None


def _band(tally: Tally, level: float, resampling: Resampling | int | None, rng: Any) -> Band | None:
    if tally.weighted:  # there is no bootstrap for importance weights; the page says so
        return None
    return roc_band(tally, kind="simultaneous", level=level, resampling=resampling, rng=rng)


def _cutoff(
    tally: Tally,
    criterion: str,
    level: float,
    conditions: PlaceOfUse,
    rule: ThresholdRule,
    *,
    clustered: bool,
    judged: bool,
) -> CutoffLine:
    options: dict[str, Any] = {"rule": rule}
    if criterion == "cost":
        options |= {name: getattr(conditions, name) for name in ("prevalence", "cost_fp", "cost_fn")}
    there = conditions.prevalence if conditions.assumed else None
    asked = CriterionOptions(criterion=criterion, **options)
    result: CutoffResult = find_cutoff(tally, asked)
    outside = cutoff_left_out(tally, asked) if judged else None
    if tally.weighted or clustered:  # binomial intervals count cases, and count them as independent
        return CutoffLine(criterion=criterion, result=result, intervals=None, prevalence=there, left_out=outside)
    found = result.best.matrix.with_intervals(level=level, prevalence=there).intervals
    return CutoffLine(criterion=criterion, result=result, intervals=found, prevalence=there, left_out=outside)


def _groups(cases: Cases, level: float) -> tuple[GroupAreas, ...]:
    if cases.groups is None:
        return ()
    if isinstance(cases, RemoteCases):
        cases.count_together(cases.names)
    return tuple(
        group_areas(cases.select(name), area_of_method("empirical"), AreaUncertainty(level=level))
        for name in cases.names
    )


def _folds(cases: Cases) -> tuple[FoldArea, ...]:
    if cases.folds is None:
        return ()
    found = []
    for fold, part in cases.by_fold().items():
        for name in cases.names:
            sample = part.sample(name)
            area: float = Undefined("the fold holds one class only")
            if sample.n_pos and sample.n_neg:
                area = auc(part.tally(name))
            found.append(FoldArea(fold=fold, score=name, area=area, n_pos=sample.n_pos, n_neg=sample.n_neg))
    known = [one for one in found if not isinstance(one.area, Undefined)]
    if not known:
        raise InputError(
            "", "every fold holds one class only, so no fold has a curve", way_out="check the column given as fold"
        )
    for name in cases.names:
        mean = float(np.mean([one.area for one in known if one.score == name]))
        whole = cases.sample(name)
        found.append(FoldArea(fold="mean of folds", score=name, area=mean, n_pos=whole.n_pos, n_neg=whole.n_neg))
    return tuple(found)


def _versions() -> dict[str, str]:
    import numpy
    import scipy  # type: ignore[import-untyped, unused-ignore]

    import roclab

    return {
        "roclab": roclab.__version__,
        "Python": platform.python_version(),
        "NumPy": numpy.__version__,
        "SciPy": scipy.__version__,
    }
