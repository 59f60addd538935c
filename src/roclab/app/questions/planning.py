"""How many cases a study needs, the printed examples run again, and the report."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

import roclab as rl
from roclab.analysis.study import reproduce as run_reproduction
from roclab.app.asking import Asked, table_of_rows
from roclab.app.forms import Form
from roclab.options.conventions import ConventionKeywords
from roclab.report.page import report_page

__all__ = ["REPORT", "plan", "report", "reproduce"]

REPORT = Form((ConventionKeywords,))

_PLAN = ("area", "n_pos", "n_neg", "power", "ratio", "level")
_TWO = ("other", "correlation", "margin")


def plan(asked: Asked) -> dict[str, Any]:
    """Cases, power or area, whichever is not given."""
    two = asked.option("other") is not None
    names = (*_PLAN, *_TWO) if two else (*_PLAN, "null")
    given = asked.chosen(*names)
    verb = "planning.plan_two_areas" if two else "planning.plan_one_area"
    asked.item = None  # the plan is of a study to come
    asked.note(verb, {}, given, command="power")
    with asked.listening():
        found = attrgetter(verb)(rl)(**given)
    return asked.answer(table=table_of_rows(found.rows()), words=str(found).splitlines())


def reproduce(asked: Asked) -> dict[str, Any]:
    """Every printed example beside ours."""
    reproduction = run_reproduction(
        sources=tuple(asked.option("sources", ())), simulations=False, progress=asked.progress
    )
    answer = asked.answer(table=table_of_rows(reproduction.rows()), unexplained=len(list(reproduction.unexplained)))
    return {**answer, "code": {"python": "", "command": "roclab reproduce"}}


def report(asked: Asked) -> dict[str, Any]:
    """The one-file report of this analysis."""
    given = {**asked.chosen("level", "prevalence", "cost_fp", "cost_fn", "title"), **asked.given(REPORT)}
    keywords = asked.keywords("folds", "by")
    scores = keywords.get("score", [])
    fixed = asked.option("fixed", {})
    if fixed and set(fixed) >= set([scores] if isinstance(scores, str) else scores):  # rates need one of every score
        given["threshold"] = fixed
    given |= asked.chosen("require", "confidence")
    seed = asked.option("rng", 1)
    asked.note("write_report", keywords, {**given, "rng": seed}, command="report", first=("report.html",))
    with asked.listening():
        found = rl.build_report(
            asked.data(), **keywords, **given, rng=seed, resampling=asked.resampling(), source=asked.held().called,
            command=asked.calls[-1].command,
        )  # fmt: skip
    return asked.answer(html=report_page(found, asked.option("language", "en")), name="report.html")
