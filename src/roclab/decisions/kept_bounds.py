"""How often a bound that a cut-off keeps in its own cases will hold in new ones: about every second time."""

from __future__ import annotations

import math
from typing import Any

from roclab.data.tally import Tally
from roclab.decisions.confusion import ConfusionMatrix
from roclab.decisions.promise import KNOWN
from roclab.decisions.requirements import requirements
from roclab.inference.rates.tolerance import bound_kept, misses_chance

__all__ = ["notes_of_bounds"]


def notes_of_bounds(tally: Tally, matrix: ConfusionMatrix, require: Any) -> tuple[str, ...]:
    """One sentence for the bounds of a cut-off; of continuous scores exact, of tied ones a little too low.

    A bound on sensitivity is kept with 1 - P(Bin(P, 1 - p) <= k) where k positives lie below the cut-off.
    """
    if require is None:
        return ()
    said = []
    for one in requirements(require):
        metric, turned = KNOWN.get(one.metric.name, ("", False))
        if metric not in ("tpr", "tnr") or one.at_least == turned:
            continue
        missed, total = (matrix.fn, tally.n_pos) if metric == "tpr" else (matrix.fp, tally.n_neg)
        rate = 1 - one.bound if turned else one.bound
        if rate >= 1:
            continue
        squares = tally.pos_squares if metric == "tpr" else tally.neg_squares
        about = "" if squares is None and tally.sample.subjects == 0 else "about "
        if squares is None:
            kept = bound_kept(int(missed), int(total), rate)
        else:
            size = float(total) ** 2 / float(squares.sum())
            kept = 1 - misses_chance(missed / total * size, size, rate)
        said.append(f"{one} in {about}{_percent(kept)}")
    if not said:
        return ()
    more = "" if tally.sample.subjects == 0 else ", and less often where subjects are alike"
    return (
        f"In new cases {' and '.join(said)} of such studies{more}; a confidence of 0.95 makes a promise of it.",
    )  # fmt: skip


def _percent(share: float) -> str:
    if math.isnan(share):
        return "an unknown share"
    return f"{100 * share:.0f}%"
