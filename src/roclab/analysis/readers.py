"""Do modalities differ when several readers read the same cases? Multi-reader multi-case studies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

import numpy as np

from roclab._core.types import Array
from roclab.analysis.auc import area_asked
from roclab.analysis.reader_marks import MarkColumns, has_marks, marked_study
from roclab.data.read import read_cases, read_columns
from roclab.data.table import named_table
from roclab.data.verbs import reader
from roclab.errors import InputError, Words, named
from roclab.inference.one_area.area import Area
from roclab.names import (
    MARK_FIGURES,
    READER_RATES,
    Adjustment,
    Alternative,
    AskedSide,
    Claim,
    Estimator,
    MarkFigure,
    Missing,
    RandomEffects,
    ReaderCovariance,
    ReaderDesign,
    ReaderInference,
    ReaderMethod,
    ReaderRate,
    Standard,
)
from roclab.options.data import ReadingKeywords
from roclab.options.region import Range, Region
from roclab.options.uncertainty import Resampling
from roclab.reading_studies.components import VarianceComponents
from roclab.reading_studies.curves import ReaderCurves
from roclab.reading_studies.decision import area_of_rate
from roclab.reading_studies.design import whole_readers, with_design
from roclab.reading_studies.layouts import Roles, long_table, roles_of
from roclab.reading_studies.readings import Readings, readings_of
from roclab.reading_studies.result import ReaderStudy
from roclab.reading_studies.study import analyse_readings

__all__ = ["ReaderCurves", "ReaderStudy", "VarianceComponents", "mrmc"]


@reader(treatment="modality", test="modality", positive="pos_label", negative="neg_label")
def mrmc(
    data: Any,
    *,
    label: str | None = None,
    rating: str | Mapping[str, Sequence[str]] | None = None,
    reader: str | None = None,
    modality: str | None = None,
    case: str | None = None,
    subject: str | None = None,
    modalities: Sequence[str] | None = None,
    lesions: Any = None,
    lesion: str | None = None,
    lesion_weight: str | None = None,
    algorithm: str | None = None,
    estimator: Estimator | ReaderRate | MarkFigure | None = None,
    threshold: float | None = None,
    fpr: Range | None = None,
    tpr: Range | None = None,
    standardize: Standard | None = None,
    method: ReaderMethod = "or",
    covariance: ReaderCovariance | None = None,
    random: RandomEffects = "both",
    inference: ReaderInference = "hillis",
    design: ReaderDesign | None = None,
    margin: float | None = None,
    claim: Claim = "non-inferiority",
    level: float = 0.95,
    adjust: Adjustment = "holm",
    alternative: Alternative = "two-sided",
    pos_label: Any = None,
    neg_label: Any = None,
    direction: AskedSide = "higher",
    missing: Missing = "error",
    resampling: Resampling | int | None = None,
    rng: Any = None,
    **reading: Unpack[ReadingKeywords],
) -> ReaderStudy:
    r"""Analyse a study in which several readers rate the same cases, in one modality or several.

    Areas of readers on the same cases are correlated, and readers differ; a conclusion for other readers and other
    cases needs both. This is the analysis of Obuchowski and Rockette with Hillis' degrees of freedom, or that of
    Dorfman, Berbaum and Metz, for the factorial, nested and split-plot designs.

    Parameters
    ----------
    data : table
        Long, with one row per rating: ``label``, ``rating``, ``reader``, ``modality``, ``case`` name its columns. Wide,
        with one row per case: ``rating`` maps columns to (reader, modality). Tables in the layouts of MRMCaov (reader,
        treatment, case, truth, rating) and iMRMC (readerID, caseID, modalityID, score, with rows of the truth) need no
        names, and neither do .imrmc and .lrc files and workbooks of RJafroc. With ``lesions`` one row per mark.
    modality : str, optional
        Left out where there is one.
    subject : str, optional
        Column of the subject to whom cases (lesions) belong, where subjects have several.
    modalities : sequence of str, optional
        Which of them to compare, and in which order; by default all, sorted.
    lesions : table, optional
        Of a free-response study, in which readers mark places and rate each mark: one row per lesion with its case,
        and one with lesion 0 for each case without any. ``lesion`` names the column that says which one, in both
        tables (by default "lesion"); marks beside all lesions have 0 or nothing there. Of several marks on a lesion
        the highest counts. Every reader is taken to have searched every case.
    lesion_weight : str, optional
        Column of ``lesions``: how much each counts in its case, for wAFROC and wAFROC1; by default the same.
    algorithm : str, optional
        Name of a reader that is an algorithm: it read the same cases, is no sample of anything, and stands against the
        mean of the readers of every modality.
    estimator : str, optional
        The area of every reader, by default the empirical AUC; or "sensitivity", "specificity" of the readers' own
        decisions, with ``threshold`` unless ratings have two values. Of marks "wAFROC" (default), "wAFROC1", "AFROC",
        "AFROC1", or "highest_rating", the empirical AUC of the highest mark of each case.
    fpr, tpr, standardize
        A partial area instead, as in :func:`auc`.
    method : "or" or "dbm"
        Obuchowski-Rockette (default), or Dorfman-Berbaum-Metz for complete factorial studies.
    covariance : str, optional
        Of the readers' areas: "delong" (default where the influence of cases is known), "jackknife" over the cases
        that each reader saw, "jackknife_all" over all cases of the study (MRMCaov's, another number where there are
        gaps or nested cases), "bootstrap", or "unbiased" by U-statistics.
    random : "both", "readers" or "cases"
        What the conclusion is to hold for: other readers and cases, other readers, or other cases.
    inference : "hillis", "score" or "calibrated"
        Of differences: Hillis' degrees of freedom (default, as other programs print them); the score test, whose
        variance is that of the hypothesis tested and which comes nearer to its level with three readers and near 1; or
        the score test calibrated by ``resampling`` simulated studies, which holds it (complete factorial studies of
        empirical areas, random readers and cases).
    design : str, optional
        "factorial", "nested_readers", "nested_cases", "split_plot". Only the first is taken without being named.
    margin, claim
        The largest difference you would accept: the first modality against each other one.
    level, adjust, alternative, resampling, rng
        As in :func:`compare`; ``resampling`` and ``rng`` are those of the covariance "bootstrap" and of the inference
        "calibrated".
    pos_label, neg_label : optional
        The positive and the negative class (also: ``positive``, ``negative``).
    direction : "higher", "lower" or "auto"
        Which side of a rating means positive.
    missing : "error" or "drop"
        Rows that lack a value are refused, or left out and counted; what a reader did not read is then a gap, and
        readers who read only some of the modalities are left out and named.

    Returns
    -------
    ReaderStudy
        Areas, means, differences, the F test and variance components.

    References
    ----------
    Obuchowski NA, Rockette HE. Commun Stat Simul Comput 1995;24:285-308. doi:10.1080/03610919508813243
    Hillis SL. Stat Med 2007;26:596-619. doi:10.1002/sim.2532

    Examples
    --------
    >>> import roclab as rl
    >>> found = rl.readers.mrmc("readings")  # comes with roclab: five readers, 80 cases, on film and digitally
    >>> [(one.sample.score, round(one.area, 4)) for one in found.means]
    [('digital', 0.8855), ('film', 0.8277)]
    >>> round(found.equality.statistic, 3), round(found.df[1], 2), round(found.equality.p_value, 4)
    (4.627, 13.89, 0.0496)
    """
    region = Region(fpr=fpr, tpr=tpr, standardize=standardize)
    columns = MarkColumns(
        rating=rating, reader=reader, modality=modality, case=case, lesion=lesion, lesion_weight=lesion_weight
    )
    if lesions is not None or has_marks(data, reading):
        everyone, area = marked_study(
            data, lesions, columns, estimator=estimator, region=region, modalities=modalities, design=design,
            direction=direction, missing=missing, reading=reading,
            without={
                "label": label, "subject": subject, "algorithm": algorithm, "threshold": threshold,
                "pos_label": pos_label, "neg_label": neg_label,
            },
        )  # fmt: skip
    else:
        _refuse_marks(estimator, lesion, lesion_weight)
        given = Roles(label=label, rating=None, reader=reader, modality=modality, case=case)
        cases, subjects = _rows_of(
            data, reading, rating, subject, given,
            missing=missing, pos_label=pos_label, neg_label=neg_label, direction=direction,
        )  # fmt: skip
        everyone = readings_of(cases, subject=subjects, modalities=modalities, design=design, alone=algorithm)
        area = _area(everyone, estimator, threshold, region)
    people = everyone if algorithm is None else everyone.without(algorithm)
    people = with_design(whole_readers(people) if missing == "drop" else people, design)
    return analyse_readings(
        people,
        area,
        everyone=None if algorithm is None else everyone,
        algorithm=algorithm,
        method=method,
        covariance=covariance,
        random=random,
        inference=inference,
        margin=margin,
        claim=claim,
        level=level,
        adjust=adjust,
        alternative=alternative,
        resampling=resampling,
        rng=rng,
    )


def _refuse_marks(estimator: Any, lesion: str | None, lesion_weight: str | None) -> None:
    """What is said of marks has no meaning for ratings of cases."""
    for name, value in (("lesion", lesion), ("lesion_weight", lesion_weight)):
        if value is not None:
            raise InputError(name, "names a column of lesions", value, f"give their table with {named('lesions')}")
    if estimator in MARK_FIGURES:
        raise InputError(
            "estimator", f"{estimator!r} is a figure of merit of marks", Words("one rating per case"),
            f"give the lesions with {named('lesions')}",
        )  # fmt: skip


def _rows_of(
    data: Any,
    reading: Any,
    rating: Any,
    subject: str | None,
    given: Roles,
    **meant: Any,
) -> tuple[Any, Array | None]:
    """One row per rating, whatever the layout was."""
    called, names = named_table(data, **reading)
    if not names:
        raise InputError(
            "data",
            "must be a table with named columns (data frame, mapping or file)",
            Words(type(data).__name__),
            f"name them with {named('label')}, {named('rating')} and so on",
        )
    wide = isinstance(rating, Mapping)
    roles = roles_of(names, called, given, rating, subject)
    if wide or roles.truth_rows:
        every = read_columns(data, None, needed=(), **reading)
        table: Any = long_table(every.values, roles, rating if wide else None)
        reading = {}
        roles = roles.in_long_table()
    else:
        table = data
    cases = read_cases(
        table,
        label=roles.label,
        score=roles.rating,
        ids=roles.case,
        folds=roles.reader,
        by=roles.modality,
        **meant,
        **reading,
    )
    if roles.subject is None:
        return cases, None
    column = read_columns(table, [roles.subject], needed=(), **reading)[roles.subject]
    kept = column if cases.rows is None else column[cases.rows]
    return cases, np.asarray(kept)


def _area(
    readings: Readings,
    estimator: Any,
    threshold: float | None,
    region: Region,
) -> Area:
    if estimator not in READER_RATES:
        if threshold is not None:
            raise InputError(
                "threshold", "belongs to sensitivity and specificity", threshold,
                f"write {named('estimator', 'sensitivity')}",
            )  # fmt: skip
        return area_asked(estimator, region)
    if region.given:
        raise InputError("estimator", "must be an area beside a range of rates", estimator, "leave one of them out")
    values = np.unique(readings.rating[readings.read])
    if threshold is None:
        if values.size != 2:
            raise InputError(
                "threshold",
                "must say from which rating on a case is called positive",
                Words(f"{values.size} different ratings"),
                f"write {named('threshold', 3)} for instance, or give ratings of two values",
            )
        threshold = float(values[1])
    elif readings.sample.direction == "lower":
        threshold = -threshold
    return area_of_rate(estimator, threshold)
