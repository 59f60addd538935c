"""At every cut-off of a table: the sensitivity and the specificity that it promises for new cases."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from roclab._core.checks import check_level
from roclab._core.types import Array, Floats
from roclab.data.tally import Tally, subjects_at_hand
from roclab.decisions.coordinates import Coordinates
from roclab.decisions.promise import size_by_cluster
from roclab.inference.rates.tolerance import clopper_pearson_lower

__all__ = ["promised_rates", "promised_words"]


def promised_rates(tally: Tally, table: Coordinates, confidence: float) -> dict[str, Floats]:
    """The largest bound that each row keeps in new cases with the confidence; 0 where it calls none right.

    Row by row it is the bound of which ``cutoff(require=, confidence=)`` would say that the row keeps it: with k of n
    cases on the wrong side the (1 - c) quantile of Beta(n - k, k + 1), of effective numbers where cases are weighted or
    come from subjects. It holds for a row that is chosen by its own class alone, such as the highest one that promises
    a sensitivity of 90%; both columns of one row hold together with 2c - 1 or more.
    """
    check_level(confidence, "confidence")
    found = {}
    sides: tuple[tuple[str, str, Array, float, Floats | None], ...] = (
        ("promised sensitivity", "tpr", np.asarray(table.fn), float(tally.n_pos), tally.pos_squares),
        ("promised specificity", "tnr", np.asarray(table.fp), float(tally.n_neg), tally.neg_squares),
    )
    for title, metric, missed, total, squares in sides:
        size = _size_at(tally, metric, total, squares, confidence)
        found[title] = np.array(
            [clopper_pearson_lower((1 - share) * size(row), size(row), confidence)
             for row, share in enumerate((missed / total).tolist())]
        )  # fmt: skip
    return found


def promised_words(confidence: float) -> str:
    """What stands below such a table."""
    return (
        f"promised: at least so much in new cases with {100 * confidence:.4g}% confidence, for a cut-off that is "
        "chosen by this column"
    )


def _size_at(
    tally: Tally, metric: str, total: float, squares: Floats | None, confidence: float
) -> Callable[[int], float]:
    """What the cases of a class are worth at a row."""
    if subjects_at_hand(tally) is not None:
        return size_by_cluster(tally, metric, confidence)
    worth = total if squares is None else total * total / float(squares.sum())
    return lambda row: worth
