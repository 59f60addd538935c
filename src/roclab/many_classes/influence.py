r"""Areas of pairs of case groups, with the influence of every case.

All multi-class averages are weighted sums of two-group AUCs: class c against the rest by column c, or class i against
class j by column i. Each AUC gives its cases influence values (see ``inference.influence``); the same weighted sum of
those, case by case, is the influence on the average, and its squares add up to the variance, for fixed class sizes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from roclab._core.types import Bools, Floats
from roclab.areas.empirical import auc
from roclab.data.ranking import rank_cases
from roclab.inference.one_area.influence import influence_of_auc
from roclab.results import Sample

__all__ = ["GroupArea", "group_area"]


class GroupArea(NamedTuple):
    """An AUC between two groups, and what each of all cases adds to its error: zero outside both groups."""

    area: float
    influence: Floats


def group_area(score: Floats, positive: Bools, member: Bools, weight: Floats | None = None) -> GroupArea:
    r"""AUC of ``score`` between the positive members and the other members, O(n log n).

    Importance weights w give the sandwich :math:`w_i (\varphi_i - \bar\varphi) / \sum w`, scaled by n/(n - 1) with
    Kish's effective size, as single areas have it.
    """
    inside = np.flatnonzero(member)
    label, values = positive[inside], score[inside]
    own = None if weight is None else weight[inside]
    n_pos, n_neg = (int(np.count_nonzero(side)) if own is None else float(own[side].sum()) for side in (label, ~label))
    sample = Sample(n_pos=n_pos, n_neg=n_neg)
    ranking = rank_cases(label, values, weight=own, sample=sample)
    tally = ranking.tally
    area = auc(tally)
    influence = influence_of_auc(tally)
    out = np.zeros(score.size)
    centred = ranking.spread(influence.pos, influence.neg) - area
    if own is not None:
        for side in (label, ~label):
            w = own[side]
            total, effective = float(w.sum()), float(w.sum()) ** 2 / float(np.sum(w * w))
            out[inside[side]] = centred[side] * w / total * np.sqrt(effective / max(effective - 1, 1e-9))
        return GroupArea(area, out)
    size = np.where(label, tally.n_pos, tally.n_neg)
    # n - 1 in place of n, as DeLong has it; a group of one has no visible spread.
    out[inside] = centred / np.sqrt(size * np.maximum(size - 1, 1))
    return GroupArea(area, out)
