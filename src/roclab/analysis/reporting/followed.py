"""A report about cases that were followed: one section in place of those about two classes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from roclab.analysis.follow_up.read import read_followed
from roclab.analysis.reporting.content import PlaceOfUse, Report
from roclab.analysis.reporting.over_time import answer_over_time
from roclab.errors import InputError, Words
from roclab.names import Section
from roclab.options.follow_up import FollowUpOptions

__all__ = ["report_over_time"]

_SECTIONS: tuple[Section, ...] = ("time", "data", "methods")
_OWN = ("level", "band", "threshold", "require", "only")  # what has a part in such a report
_USUAL = {"cost_fp": 1.0, "cost_fn": 1.0}


def report_over_time(
    y_true: Any, y_score: Any, data: Mapping[str, Any], asked: Mapping[str, Any], *, title: str | None,
    source: str | None, command: str | None, versions: Mapping[str, str],
) -> Report:  # fmt: skip
    """Read the cases once, and answer every question of the section."""
    for name, value in asked.items():
        if name not in _OWN and value is not None and value != _USUAL.get(name):
            got = value if isinstance(value, str | int | float) else Words("a value")
            raise InputError(name, "has no part in a report over time", got, "leave it out")
    sections = _SECTIONS if asked["only"] is None else tuple(asked["only"])
    for section in sections:
        if section not in _SECTIONS:
            raise InputError(
                "only", f"must name sections of a report over time ({', '.join(_SECTIONS)})", section, "leave it out"
            )
    options = FollowUpOptions.of(data)
    followed = read_followed(y_true, y_score, data, options, verb="a report")
    found = answer_over_time(
        followed, options, level=asked["level"], band=asked["band"], threshold=asked["threshold"],
        require=asked["require"],
    )  # fmt: skip
    shown = found.shown
    return Report(
        title=title or "Time to event",
        source=source,
        rows_read=len(followed.follow_up) + followed.dropped,
        sample=shown.sample,
        level=asked["level"],
        conditions=PlaceOfUse(prevalence=shown.incidence, cost_fp=1.0, cost_fn=1.0, assumed=False),
        scores=(),
        comparison=None,
        clusters=shown.sample.subjects or None,
        groups=(),
        folds=(),
        net_benefit=None,
        findings=found.findings,
        methods=found.methods,
        references=found.references,
        seed="",
        versions=versions,
        command=command,
        only=sections,
        time=found.part,
    )
