"""Logistic regression of several columns: coefficients, the fit, a second model beside it, probabilities as a score."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import roclab as rl
from roclab.app.asking import Asked, table_of_rows

__all__ = ["logistic", "logistic_report"]


def logistic(asked: Asked) -> dict[str, Any]:
    """One regression whole: coefficients with Wald tests and odds ratios, the area of its probabilities, a cut-off.

    With a second set of columns both models are compared on the same cases.
    """
    first, second, both = _fitted(asked)
    fit = first.fit
    against: dict[str, Any] = {}
    if second is not None:
        ratio = both.likelihood_ratio
        against = {
            "models": table_of_rows(both.rows()), "pairs": table_of_rows(both.comparison.rows()),
            "second": table_of_rows(second.rows()), "nested": table_of_rows([] if ratio is None else ratio.rows()),
            "notes": list(both.notes),
        }  # fmt: skip
    return asked.answer(
        **against,
        table=table_of_rows(first.rows()),
        area={"value": first.area.area, "low": first.area.interval.low, "high": first.area.interval.high,
              "error": first.area.standard_error, "method": first.area.interval.method},
        test=table_of_rows(first.significance.rows()),
        cutoff=table_of_rows(first.cutoff.rows()),
        fit=table_of_rows([{
            "log-likelihood": fit.log_likelihood, "AIC": fit.aic, "BIC": fit.bic,
            "likelihood ratio": fit.likelihood_ratio, "df": fit.df, "p": fit.p_likelihood_ratio,
            "cases": fit.n, "positive": fit.n_pos,
        }]),
        curve=table_of_rows(first.roc.points().rows()),
        scored=first.scored().to_csv(), words=str(first if both is None else both).splitlines(),
    )  # fmt: skip


def logistic_report(asked: Asked) -> dict[str, Any]:
    """The one-file report of the regression, or of both."""
    first, _, both = _fitted(asked)
    with tempfile.TemporaryDirectory() as folder, asked.listening():
        place = Path(folder) / "report.html"
        (first if both is None else both).write_report(
            place, rng=asked.option("rng", 1), resampling=asked.resampling(), source=asked.held().called
        )
        html = place.read_text(encoding="utf-8")
    return asked.answer(html=html, name="regression.html")


def _fitted(asked: Asked) -> tuple[Any, Any, Any]:
    """The model, the second one, and both compared; None where there is one only."""
    given: dict[str, Any] = asked.chosen("level", "penalty", "criterion", "variance", "interval")
    roles = asked.keywords()
    if asked.option("features"):
        roles["score"] = list(asked.option("features"))
    roles.pop("direction", None)
    against = list(asked.option("against", []))
    if not against:
        asked.note("logistic", roles, given, command="fit logistic")
        with asked.listening():
            return rl.logistic(asked.data(), **roles, **given), None, None
    columns = [roles["score"]] if isinstance(roles["score"], str) else list(roles["score"])
    given["complete"] = list(dict.fromkeys([*columns, *against]))  # so that both have the same cases
    other = {**roles, "score": against}
    level = asked.chosen("level")
    model = ", ".join(
        [f"rl.logistic({asked.arguments(other, given)})", *(f"level={one}" for one in level.values() if one != 0.95)]
    )
    asked.note("logistic", roles, given, command="fit logistic", then=f".compare({model})",
               flags=[word for name in against for word in ("--against", name)])  # fmt: skip
    with asked.listening():
        first, second = (rl.logistic(asked.data(), **each, **given) for each in (roles, other))
        return first, second, first.compare(second, **level)
