"""Logistic regression of several columns: coefficients, the fit, and its probabilities as a new score."""

from __future__ import annotations

import csv
import io
from typing import Any

import roclab as rl
from roclab.app.asking import Asked, table_of_rows

__all__ = ["logistic"]


def logistic(asked: Asked) -> dict[str, Any]:
    """One regression whole: coefficients with Wald tests and odds ratios, the area of its probabilities, a cut-off."""
    given: dict[str, Any] = asked.chosen("level", "penalty", "criterion", "variance", "interval")
    roles = asked.keywords()
    if asked.option("features"):
        roles["score"] = list(asked.option("features"))
    roles.pop("direction", None)
    asked.note("logistic", roles, given, command="fit logistic")
    with asked.listening():
        found = rl.logistic(asked.data(), **roles, **given)
    out = io.StringIO()
    rows = found.scored().rows()
    writer = csv.DictWriter(out, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    fit = found.fit
    return asked.answer(
        table=table_of_rows(found.rows()),
        area={"value": found.area.area, "low": found.area.interval.low, "high": found.area.interval.high,
              "error": found.area.standard_error, "method": found.area.interval.method},
        test=table_of_rows(found.significance.rows()),
        cutoff=table_of_rows(found.cutoff.rows()),
        fit=table_of_rows([{
            "log-likelihood": fit.log_likelihood, "AIC": fit.aic, "BIC": fit.bic,
            "likelihood ratio": fit.likelihood_ratio, "df": fit.df, "p": fit.p_likelihood_ratio,
            "cases": fit.n, "positive": fit.n_pos,
        }]),
        scored=out.getvalue(), words=str(found).splitlines(),
    )  # fmt: skip
