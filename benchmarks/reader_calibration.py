"""The calibrated score test of many simulated reader studies at once, for the coverage tables.

Every study has its own model and its own draws, as in the library; nothing is pooled over studies. Two things make that
cheap enough for a grid: draws of many studies are counted together, and a study is drawn for no longer once so many of
its draws were as extreme that it cannot be rejected any more, which most studies of a true hypothesis reach soon. Its
decision is that of all draws, and an average study needs a fifth of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields

import numpy as np

from roclab.reading_studies.calibrated import Calibration, moments_of
from roclab.reading_studies.null_studies import Moments, NullModels, fit_null, score_tests, simulate_null
from roclab.reading_studies.score import ScoreAnalysis

DRAWS = 39  # 2 of 40 ranks are 5%
DRAWS_OF_INTERVALS = 300  # 15 of 301 ranks lie below 5%
_AT_ONCE = 2**18  # ratings


def rejected(scores: Sequence[ScoreAnalysis], size: tuple[int, int], rng: np.random.Generator) -> np.ndarray:
    """Whether the rank of each study's p-value among its draws is 5% or less."""
    p = np.array([one.equality("")[0].p_value for one in scores])
    return ranked_low(_models(scores, size), p, _shape(scores[0]), size, rng)


def ranked_low(
    models: NullModels, p: np.ndarray, shape: tuple[int, int], size: tuple[int, int], rng: np.random.Generator
) -> np.ndarray:
    """The same from models and p-values."""
    found, once = np.zeros(p.size, int), 3
    most = (DRAWS + 1) // 20 - 1
    for _ in range(0, DRAWS, once):
        active = np.flatnonzero(found <= most)
        drawn = np.concatenate(list(_drawn(_only(models, np.repeat(active, once)), shape, size, rng)))
        found[active] += np.sum(drawn.reshape(-1, once) <= p[active, None], axis=1)
    return found <= most


def calibrations(scores: Sequence[ScoreAnalysis], size: tuple[int, int], rng: np.random.Generator) -> list[Calibration]:
    """All draws of every study."""
    models, count = _models(scores, size), DRAWS_OF_INTERVALS
    every = np.repeat(np.arange(len(scores)), count)
    drawn = np.concatenate(list(_drawn(_only(models, every), _shape(scores[0]), size, rng))).reshape(-1, count)
    rows = [np.sort(row[~np.isnan(row)]) for row in drawn]
    return [Calibration(equality=row, pairs=row.copy(), replicates=count, seed="") for row in rows]


def _shape(score: ScoreAnalysis) -> tuple[int, int]:
    return score.squares.means.size, int(score.squares.readers[0])


def _models(scores: Sequence[ScoreAnalysis], size: tuple[int, int]) -> NullModels:
    each = [moments_of(one) for one in scores]
    joined = {one.name: np.concatenate([getattr(part, one.name) for part in each]) for one in fields(Moments)}
    return fit_null(Moments(**joined), modalities=_shape(scores[0])[0], n_pos=size[0], n_neg=size[1])


def _only(models: NullModels, rows: np.ndarray) -> NullModels:
    return NullModels(**{one.name: getattr(models, one.name)[rows] for one in fields(NullModels)})


def _drawn(
    models: NullModels, shape: tuple[int, int], size: tuple[int, int], rng: np.random.Generator
) -> Iterator[np.ndarray]:
    """p-values of one study from each model."""
    t, r = shape
    step = max(_AT_ONCE // (t * r * sum(size)), 1)
    for start in range(0, models.shift.size, step):
        part = _only(models, np.arange(start, min(start + step, models.shift.size)))
        ratings = simulate_null(part, modalities=t, readers=r, n_pos=size[0], n_neg=size[1], generator=rng)
        yield score_tests(ratings, size[0]).equality
