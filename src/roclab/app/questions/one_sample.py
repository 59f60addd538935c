"""One column against a distribution that was chosen beforehand: Kolmogorov's test, and the band of the column's CDF."""

from __future__ import annotations

from typing import Any

import roclab as rl
from roclab.app.asking import Asked, table_of_rows
from roclab.app.questions.figures import drawn
from roclab.errors import InputError, Words

__all__ = ["distribution"]


def distribution(asked: Asked) -> dict[str, Any]:
    """Does one column come from this distribution?"""
    score = asked.option("score")
    if not score:
        raise InputError("score", "must name a column of numbers", Words("none"), "choose it")
    cdf = asked.option("cdf", "normal:0,1")
    missing = asked.keywords().get("missing", "error")
    level = asked.option("level", 0.95)
    with asked.listening():
        values = rl.read_columns(asked.data(), [score], numeric=[score], missing=missing)[score]
        tested: Any = rl.ranks.kolmogorov(values, cdf, level=level)
        band = rl.ranks.cdf_band(values, level=level)
        shown = drawn("cdf", values, cdf=cdf, level=level, size="double")
    asked.note("ranks.kolmogorov", {"score": score, "missing": missing}, {"cdf": cdf, **asked.chosen("level")},
               command="rank-test", flags=("--test", "kolmogorov"))  # fmt: skip
    return asked.answer(
        svg=shown["svg"], png=shown["png"], table=table_of_rows(tested.rows()), p=tested.p_value,
        n=len(values), width=band.width, words=str(tested).splitlines(),
    )  # fmt: skip
