"""A report as Markdown: the same tables and sentences, for wikis and pull requests."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from roclab._core.text import format_number, is_number
from roclab.report.headline import answer
from roclab.report.words import (
    bench_tables,
    calibration_rows,
    conditions_words,
    count_rows,
    cutoff_rows,
    data_rows,
    distribution_rows,
    fixed_rows,
    fold_rows,
    group_rows,
    group_words,
    left_out_rows,
    model_tables,
    pair_rows,
    promise_words,
    rate_tables,
    reader_tables,
    section_names,
    stage_tables,
    time_tables,
)

if TYPE_CHECKING:
    from roclab.analysis.reporting.content import Report

__all__ = ["report_markdown"]

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|])")


def report_markdown(report: Report) -> str:
    """Headings, sentences and tables."""
    parts = [f"# {_plain(report.title)}", _plain(answer(report))]
    parts += [
        f"- {'**Note:** ' if finding.weight == 'warning' else ''}{_plain(finding.text)}" for finding in report.findings
    ]
    tables: dict[str, Sequence[Sequence[Mapping[str, Any]]]] = {
        "data": [data_rows(report)],
        "areas": [report.rows()],
        "comparison": [pair_rows(report)],
        "cutoffs": [cutoff_rows(report), left_out_rows(report), count_rows(report), fixed_rows(report)],
        "calibration": [calibration_rows(report)],
        "distributions": [distribution_rows(report)],
        "subgroups": [group_rows(report)],
        "folds": [fold_rows(report)],
        "bench": bench_tables(report),
        "readers": reader_tables(report),
        "stage": stage_tables(report),
        "model": model_tables(report),
        "rates": rate_tables(report),
        "time": time_tables(report),
        "promise": [] if report.promise is None else [report.promise.rows],
    }
    for section, name in section_names(report):
        if section in tables:
            parts += [f"## {name}", *([_plain(conditions_words(report))] if section == "cutoffs" else [])]
            parts += [_table(rows) for rows in tables[section] if rows]
            parts += map(_plain, group_words(report) if section == "subgroups" else ())
            parts += map(_plain, report.bench.words if section == "bench" and report.bench else ())
            parts += map(_plain, report.readers.words if section == "readers" and report.readers else ())
            parts += map(_plain, report.stage.words if section == "stage" and report.stage else ())
            parts += map(_plain, report.rates.words if section == "rates" and report.rates else ())
            if section == "promise" and report.promise:
                parts += [_plain(promise_words(report)), *(f"- {_plain(one)}" for one in report.promise.refused)]
            if section == "time" and report.time:
                parts += map(_plain, (report.time.cutoffs, report.time.risks, *report.time.words))
            if section == "model" and report.model:
                parts += map(_plain, (*report.model.words, *report.model.notes))
        elif section == "methods":
            parts += ["## Methods", *map(_plain, report.methods), "### References"]
            parts.append("\n".join(f"{at}. {_plain(work)}" for at, work in enumerate(report.references, 1)))
    if report.command:
        parts += ["To repeat this report:", f"```\n{report.command}\n```"]
    versions = ", ".join(f"{name} {version}" for name, version in report.versions.items())
    seed = f"Seed {report.seed}; " if report.seed else ""
    return "\n\n".join([*parts, f"{seed}{versions}."]) + "\n"


def _table(rows: Sequence[Mapping[str, Any]]) -> str:
    names = list(dict.fromkeys(name for row in rows for name in row))
    sides = ["---:" if any(is_number(row.get(name)) for row in rows) else "---" for name in names]
    lines = [names, sides, *([_plain(format_number(row.get(name))) for name in names] for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _plain(text: str) -> str:
    """Text that Markdown shows as it is: column names may hold anything."""
    return _SPECIAL.sub(r"\\\1", text).replace("\n", " ")
