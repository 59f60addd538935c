"""What a page may ask: one file per panel, one function per question, and the list of all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from roclab.app.asking import Asked
from roclab.app.forms import NO_FORM, Form, draws
from roclab.app.questions import (
    areas,
    counts,
    curves,
    cutoffs,
    detectors,
    figures,
    follow_up,
    images,
    looking,
    one_sample,
    overview,
    planning,
    rates,
    readers,
    regression,
    several,
    training,
    typed_points,
)
from roclab.errors import InputError, Words

__all__ = ["QUESTIONS", "Question", "question_of"]


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the form of its options, and whether its answer is waited for with a bar."""

    run: Callable[[Asked], dict[str, Any]]
    form: Form = NO_FORM
    long: bool = False

    def takes_long(self, options: Mapping[str, Any]) -> bool:
        """Whether it is always long work, or its options make it that."""
        return self.long or draws(options)


QUESTIONS: dict[str, Question] = {
    "doctor": Question(looking.doctor),
    "rows": Question(looking.rows),
    "overview": Question(overview.overview),
    "cell": Question(overview.rows_of_cell),
    "curve": Question(curves.curve),
    "band": Question(curves.band, curves.BAND, long=True),
    "average": Question(curves.average),
    "region": Question(curves.region, curves.REGION),
    "leaders": Question(curves.leaders),
    "hull": Question(curves.hull),
    "figure": Question(figures.figure),
    "points": Question(typed_points.points),
    "counts": Question(counts.counts),
    "distribution": Question(one_sample.distribution),
    "froc": Question(detectors.froc, long=True),
    "cad": Question(images.cad, long=True),
    "classes": Question(images.classes, long=True),
    "areas": Question(areas.areas, areas.AREAS),
    "compare": Question(areas.compare, areas.COMPARE),
    "groups": Question(areas.groups),
    "rates": Question(rates.rates, rates.RATES),
    "gaps": Question(rates.gaps),
    "over_time": Question(follow_up.over_time),
    "at_horizon": Question(follow_up.at_horizon),
    "time_report": Question(follow_up.time_report, long=True),
    "cutoffs": Question(cutoffs.cutoffs, cutoffs.CUTOFFS),
    "requirement": Question(cutoffs.requirement, cutoffs.REQUIREMENT),
    "promise": Question(rates.promise),
    "grey_zone": Question(cutoffs.grey_zone),
    "stability": Question(cutoffs.stability, cutoffs.STABILITY, long=True),
    "bench": Question(training.bench, long=True),
    "readers": Question(readers.readers),
    "logistic": Question(regression.logistic),
    "logistic_report": Question(regression.logistic_report, long=True),
    "multiclass": Question(several.multiclass),
    "screen": Question(several.screen),
    "combine": Question(several.combine),
    "rank_test": Question(several.rank_test),
    "plan": Question(planning.plan),
    "reader_plan": Question(readers.reader_plan),
    "reproduce": Question(planning.reproduce, long=True),
    "report": Question(planning.report, planning.REPORT, long=True),
}


def question_of(name: Any) -> Question:
    """The question of this name."""
    if not isinstance(name, str) or name not in QUESTIONS:
        raise InputError("", "a page asks questions of known names", Words(repr(name)[:60]))
    return QUESTIONS[name]
