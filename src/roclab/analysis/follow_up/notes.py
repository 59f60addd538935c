"""What an answer over time rests on, said with it: ties, landmarks, thin numbers, and who is lost."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from roclab._core.checks import plural
from roclab.analysis.follow_up.read import Followed
from roclab.censoring.dependence import dependence_on
from roclab.censoring.follow_up import CENSORED, Covariates
from roclab.inference.follow_up_areas import Horizon
from roclab.inference.one_area.intervals import deviate

__all__ = ["notes_of_horizons", "notes_of_landmarks"]

_WILD = 0.7  # of the count: what the weights leave where they are mentioned
_FEW = 10  # known cases or controls
_TIES = "An event at exactly the horizon counts by it; a censoring at some time comes after the events at that time."


def notes_of_horizons(
    horizons: Mapping[float, Horizon], followed: Followed, level: float, *, nobody: str = ""
) -> tuple[str, ...]:
    """What an answer over time rests on, and where that is thin; ``nobody`` is said where nobody is lost."""
    follow_up = followed.follow_up
    notes = [_TIES]
    for at in horizons:
        there = follow_up.time == at
        if there.any():
            events = int(np.count_nonzero(there & (follow_up.event != CENSORED)))
            lost = int(np.count_nonzero(there)) - events
            notes.append(f"At exactly {at:g} there {_are(events, 'event')} and {lost or 'no'} lost.")
    if followed.landmark is not None:
        notes.append(f"The clock starts at {followed.landmark:g}, among those followed beyond it.")
    if nobody and not any(horizon.unknown for horizon in horizons.values()):
        notes.append(nobody)
    for at, horizon in horizons.items():
        parts = zip(("case", "control"), (horizon.cases, horizon.controls), horizon.counts, horizon.effective,
                    strict=True)  # fmt: skip
        for what, weights, count, effective in parts:
            if count < _FEW:
                notes.append(f"{plural(count, what)} at {at:g}: the interval may be too narrow.")
            elif follow_up.weight is None and effective < _WILD * count:
                notes.append(
                    f"{plural(count, what)} at {at:g} count as {effective:.1f} (weights up to {weights.max():.1f}): "
                    "the interval may be too narrow."
                )
    if isinstance(follow_up.model, Covariates):
        return (*notes, "Whether the censoring depends on more than its model knows was not tested.")
    last = max(horizons)
    notes += [note for name in followed.scores for note in _dependence(name, followed, last, level)]
    return tuple(notes)


def notes_of_landmarks(starts: tuple[float, ...]) -> tuple[str, ...]:
    """What areas from several starts rest on."""
    shown = ", ".join(f"{start:g}" for start in starts)
    return (_TIES, f"The clock starts at {shown}, each time among those followed beyond it; horizons count from there.")


def _are(count: int, noun: str) -> str:
    return f"{'is' if count == 1 else 'are'} {plural(count, noun)}"


def _dependence(name: str, followed: Followed, at: float, level: float) -> list[str]:
    """Does the score say who is lost?"""
    z = dependence_on(followed.follow_up, followed.scores[name], at)
    if z is None or abs(z) <= deviate(level):
        return []
    higher = (z > 0) == (followed.directions[name] == "higher")
    return [
        f"Censoring depends on {name}: who has a {'higher' if higher else 'lower'} one is lost earlier (score test of "
        f"ranks, z {abs(z):.2f}). What is said of it is biased; censoring={{'cox': [columns]}} knows columns."
    ]
