"""The first answer about two classes: everything the panels of the operating point need, and the rows behind a cell."""

from __future__ import annotations

from typing import Any

from roclab.analysis.cell_rows import rows_in_cell
from roclab.app.asking import Asked, table_of_rows
from roclab.report.headline import answer
from roclab.report.page import page_data
from roclab.report.words import data_rows, fold_rows, pair_rows

__all__ = ["overview", "rows_of_cell"]

_SECTIONS = ["curves", "areas", "comparison", "data", "methods", "folds"]


def overview(asked: Asked) -> dict[str, Any]:
    """Areas, curves, cut-offs and findings of all scores, without anything that is resampled."""
    given = asked.chosen("level", "prevalence", "cost_fp", "cost_fn")
    cases = asked.cases("folds")
    several, folded = len(cases.names) > 1, cases.folds is not None
    only = [one for one in _SECTIONS if (one != "comparison" or several) and (one != "folds" or folded)]
    found = asked.ask("build_report", command="report", more=("folds",), band=False, only=only, **given)
    asked.calls.clear()  # the page of this question is what one reads off; its report is another
    asked.note("auc", asked.keywords(), asked.chosen("level"))
    return asked.answer(
        explorer=page_data(found),
        headline=answer(found),
        findings=[{"weight": finding.weight, "text": finding.text} for finding in found.findings],
        sample=found.sample.describe(),
        areas=table_of_rows(found.rows()),
        pairs=table_of_rows(pair_rows(found)),
        facts=table_of_rows(data_rows(found)),
        folds=table_of_rows(fold_rows(found)),
        probabilities=[score.name for score in found.scores if score.calibration is not None],
        positive=found.sample.positive,
        negative=found.sample.negative,
    )


def rows_of_cell(asked: Asked) -> dict[str, Any]:
    """The rows of the table behind one cell of the matrix at a threshold."""
    cell, score, threshold = asked.option("cell"), asked.option("score"), asked.option("threshold")
    found = rows_in_cell(asked.cases(), score=score, threshold=threshold, cell=cell, table=asked.data())
    asked.note("confusion", {**asked.keywords(), "score": score}, {"threshold": threshold})
    return asked.answer(table=table_of_rows(found.rows()), count=found.count, shown=len(found.rows()))
