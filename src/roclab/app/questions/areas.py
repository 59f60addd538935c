"""Areas by every estimator, differences of scores, and areas of groups."""

from __future__ import annotations

from typing import Any

import roclab as rl
from roclab.analysis.compare import CompareKeywords
from roclab.app.asking import Asked, table_of_rows
from roclab.app.forms import Form
from roclab.errors import InputError, named
from roclab.options.area import NullKeywords
from roclab.options.conventions import ConventionKeywords
from roclab.options.follow_up import FollowUpKeywords
from roclab.options.group import options_of
from roclab.options.rates import CovariateKeywords, RateKeywords
from roclab.options.uncertainty import AreaUncertaintyKeywords

__all__ = ["AREAS", "COMPARE", "areas", "compare", "groups"]

AREAS = Form((AreaUncertaintyKeywords, NullKeywords, ConventionKeywords))
# Rates at a threshold and events over time are questions that the page does not ask.
_OTHERS = (*options_of(RateKeywords), *options_of(CovariateKeywords), *options_of(FollowUpKeywords))
COMPARE = Form((CompareKeywords,), without=_OTHERS, first=("variance", "adjust", "margin", "claim"))


def areas(asked: Asked) -> dict[str, Any]:
    """A table of areas with intervals, one row per score and estimator."""
    estimators = asked.option("estimators")
    given = {**asked.chosen("level"), **asked.given(AREAS)}
    if estimators:
        given["estimator"] = list(estimators)
    found = asked.ask("auc", **given)
    return asked.answer(table=table_of_rows(found.rows()), notes=list(getattr(found, "notes", ())))


def compare(asked: Asked) -> dict[str, Any]:
    """Every pair of scores, the test that all are equal, and a margin where one is given."""
    found = asked.ask("compare", **asked.chosen("level", "estimator"), **asked.given(COMPARE))
    equal = found.equality
    return asked.answer(
        areas=table_of_rows([row for area in found.areas for row in area.rows()]),
        pairs=table_of_rows([row for pair in found.pairs for row in pair.rows()]),
        equality=table_of_rows(equal.rows()) if equal is not None else None,
        claims=table_of_rows([row for one in (*found.claims, *found.contrasts) for row in one.rows()]),
        forest=[
            {"name": f"{pair.first} − {pair.second}", "value": pair.difference, "low": pair.interval.low,
             "high": pair.interval.high} for pair in found.pairs
        ],
        notes=[*str(found).rstrip().split("\n\n")[-1].splitlines(), *map(str, found.notes)],
    )  # fmt: skip


def groups(asked: Asked) -> dict[str, Any]:
    """Areas of every group of cases, and whether groups differ."""
    by = asked.option("by") or asked.keywords("by").get("by")
    if not by:
        raise InputError("by", "must name the column of groups", way_out=f"choose {named('by')} among the columns")
    tables, tests, forest = [], [], []
    keywords = asked.keywords()
    scores = keywords.pop("score", None)
    for score in [scores] if isinstance(scores, str) else list(scores or ()):
        one = {**keywords, "score": score, "by": by}
        asked.note("auc", one, asked.chosen("level"))
        with asked.listening():
            found: Any = rl.auc(asked.data(), **one, **asked.chosen("level"))
        rows = found.rows()
        tables.append(table_of_rows(rows, score))
        tests += [{"score": score, **row} for row in found.heterogeneity.rows()]
        forest += [
            {"name": f"{score}: {group}", "value": float(area), "low": float(low), "high": float(high)}
            for group, area, low, high in zip(found.groups, found.area, found.low, found.high, strict=True)
        ]
    return asked.answer(tables=tables, tests=table_of_rows(tests), forest=forest)
