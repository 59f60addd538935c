"""The part of a report that is about a reader study, and the report of a whole study."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from roclab.analysis.reporting.content import ReaderPart
from roclab.data.cases import Cases
from roclab.errors import InputError, Words
from roclab.reading_studies.result import INFERENCE_WORDS, RANDOM_WORDS, ReaderStudy

__all__ = ["reader_part", "write_study_report"]

_HIGHEST = "Curves on this page are the ROC curves of the highest mark of each case."
SECTIONS = ("data", "areas", "curves", "readers", "methods")


def reader_part(study: ReaderStudy) -> ReaderPart:
    """Words and tables of a study."""
    name = {"or": "Obuchowski and Rockette", "dbm": "Dorfman, Berbaum and Metz"}[study.method]
    words = [
        f"{len(study.readers)} readers, {len(study.readings.cases)} cases, {study.design.replace('_', ' ')} design. "
        f"Analysis of {name}, covariances by {study.covariance_method}; {RANDOM_WORDS[study.random]}."
    ]
    how = INFERENCE_WORDS[study.inference]
    if how:
        words.append(f"{how[0].upper()}{how[1:]}.")
    if study.equality is not None:
        found = study.equality
        words.append(
            f"Test that all modalities have the same mean {study.quantity}: {found.distribution}, statistic "
            f"{found.statistic:.4f}, p {found.p_value:.4f}."
        )
    percent = f"{100 * study.level:g}%"
    return ReaderPart(
        words=tuple(words),
        means=tuple(
            {
                "modality": mean.sample.score,
                mean.quantity: mean.area,
                "std. error": mean.standard_error,
                f"{percent} low": mean.interval.low,
                f"{percent} high": mean.interval.high,
            }
            for mean in study.means
        ),
        differences=tuple(row for one in (*study.pairs, *study.against) for row in one.rows()),
        claims=tuple(row for claim in study.claims for row in claim.rows()),
        cells=tuple(row for area in study.areas for row in area.rows()),
        # Variances are small numbers; in ten-thousandths the tables show their digits.
        components=tuple(
            {"component": row["component"], "variance x 10 000": 1e4 * row["variance"],
             "correlation": row["correlation"]}
            for row in study.components.rows()
        ),
        notes=(*study.notes, *([] if study.readings.marks is None else [_HIGHEST])),
    )  # fmt: skip


def write_study_report(study: ReaderStudy, path: str | Path, **options: Any) -> Any:
    """One page about a study: its analysis, and the curve of every reader in every modality."""
    readings = study.readings
    if not readings.complete:
        raise InputError(
            "", "a report needs every reader to read every case", Words("gaps"), "print the study, or draw its figures"
        )
    names = [readings.name(at) for at in range(len(readings.cells))]
    cases = Cases(
        label=readings.label,
        scores=dict(zip(names, readings.rating, strict=True)),
        ids=readings.subject,
        positive=readings.sample.positive,
        negative=readings.sample.negative,
        direction=dict.fromkeys(names, "higher"),
    )
    write = importlib.import_module("roclab.report.write").write_report
    given = {"title": "Reader study", "only": SECTIONS, "band": False, "level": study.level, **options}
    return write(path, cases, readers=reader_part(study), **given)
