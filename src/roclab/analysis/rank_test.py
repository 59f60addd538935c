"""Do samples come from one distribution? Rank and Kolmogorov tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Unpack

import numpy as np

from roclab._core.undefined import Undefined
from roclab._core.work import Progress
from roclab.analysis.support import folding_of, prepared
from roclab.data.cases import Cases
from roclab.data.columns import is_frame
from roclab.data.groups import groups_of_values
from roclab.data.read import read_cases, read_columns
from roclab.data.roles import columns_not_named
from roclab.data.table import named_table, refuse_reading
from roclab.data.verbs import reader, verb
from roclab.errors import InputError, Words, named
from roclab.inference.comparison.clustered import subject_numbers
from roclab.names import Alternative, FoldAverage, Missing, RankPValue
from roclab.options.data import ReadingKeywords
from roclab.options.folds import FoldedKeywords
from roclab.rank_tests import kolmogorov as one_sample
from roclab.rank_tests.clustered import clustered_rank_sum
from roclab.rank_tests.discrete import DiscreteKolmogorov, discrete_kolmogorov
from roclab.rank_tests.distributions import Cdf, cdf_of
from roclab.rank_tests.kolmogorov import CdfBand, Kolmogorov, Smirnov
from roclab.rank_tests.kruskal_wallis import KruskalWallis
from roclab.rank_tests.kruskal_wallis import kruskal_wallis as kruskal_wallis_of
from roclab.rank_tests.mann_whitney import MannWhitney
from roclab.rank_tests.mann_whitney import mann_whitney as mann_whitney_of
from roclab.rank_tests.smirnov_groups import SmirnovOfGroups
from roclab.rank_tests.smirnov_groups import smirnov_of_groups as groups_smirnov

__all__ = [
    "Cdf",
    "CdfBand",
    "DiscreteKolmogorov",
    "Kolmogorov",
    "cdf_band",
    "cdf_of",
    "kolmogorov",
    "kruskal_wallis",
    "mann_whitney",
    "smirnov",
    "smirnov_of_groups",
]


def _two_classes(verb: str, y_true: Any, y_score: Any, data: Any, fold_average: FoldAverage | None) -> Cases:
    """Cases of one score, each with its own row."""
    cases = prepared(verb, read_cases(y_true, y_score, **data), fold_average)
    return cases.select(cases.only_name()).repeated()


def _notes(cases: Cases) -> tuple[str, ...]:
    """What was done to the score, and to folds."""
    sample = cases.sample()
    turned = ("The score was turned round first, because lower values mean positive.",)
    pooled = tuple(f"{words[0].upper()}{words[1:]}." for words in replace(sample, subjects=0).belonging())
    return (*(turned if sample.direction == "lower" else ()), *pooled)


@verb(FoldedKeywords)
def mann_whitney(
    y_true: Any,
    y_score: Any = None,
    *,
    alternative: Alternative = "two-sided",
    p_value: RankPValue = "auto",
    **asked: Unpack[FoldedKeywords],
) -> MannWhitney:
    """Wilcoxon-Mann-Whitney test of a score between the two classes; the positive class is the first sample.

    Parameters
    ----------
    y_true, y_score : arrays, or a table, as in :func:`auc`
    alternative : str
        "two-sided", "greater" (positive cases have larger values, or with ``direction="lower"`` smaller ones) or
        "less".
    p_value : str
        "auto" (exact up to 60 cases), "exact" (also with ties), "normal" (tie-corrected), "uncorrected" or
        "continuity". Where ``ids`` give subjects several cases, the rank sum test of Datta and Satten takes their
        place.

    Examples
    --------
    >>> import roclab as rl
    >>> test = rl.ranks.mann_whitney([1, 1, 1, 0, 0, 0], [6, 5, 3, 4, 2, 1])
    >>> test.u1, round(test.p_value, 4)
    (8.0, 0.2)
    """
    fold_average, data = folding_of(asked)
    cases = _two_classes("mann_whitney", y_true, y_score, data, fold_average)
    score = cases.oriented()
    if not cases.clustered:
        test = mann_whitney_of(score[cases.label], score[~cases.label], alternative=alternative, method=p_value)
        return replace(test, notes=(*test.notes, *_notes(cases)))
    if p_value != "auto":
        raise InputError(
            "p_value", "must be left open where subjects have several cases, each of which it would take for itself",
            p_value, f"leave it out, or leave out {named('ids')}",
        )  # fmt: skip
    test = mann_whitney_of(score[cases.label], score[~cases.label], alternative=alternative, method="normal")
    number, count = subject_numbers(cases)
    t, p = clustered_rank_sum(score.astype(np.float64), cases.label, number, count, alternative=alternative)
    alone = Undefined("it takes every case for itself, and subjects have several")
    note = f"Rank sum test of Datta and Satten: {count} subjects, each of which counts the same; t with {count - 1} df."
    return replace(
        test, z=alone, z_continuity=alone, z_tie_corrected=t, p_value=p, method="datta_satten",
        notes=(note, *_notes(cases)),
    )  # fmt: skip


@verb(FoldedKeywords)
def smirnov(
    y_true: Any,
    y_score: Any = None,
    *,
    alternative: Alternative = "two-sided",
    **asked: Unpack[FoldedKeywords],
) -> Smirnov:
    """Smirnov test of a score between the two classes: the largest gap between their distribution functions.

    "greater" says, as usual, that the distribution function of the positive cases is the larger one, so that their
    values are smaller; with ``direction="lower"`` the score is turned round first. ``fold_average="pooled"`` is needed
    with ``folds``.

    >>> import roclab as rl
    >>> round(rl.ranks.smirnov([1, 1, 1, 0, 0, 0], [6, 5, 3, 4, 2, 1]).statistic, 4)
    0.6667
    """
    fold_average, data = folding_of(asked)
    cases = _two_classes("smirnov", y_true, y_score, data, fold_average)
    score = cases.oriented()
    test = one_sample.smirnov(score[cases.label], score[~cases.label], alternative=alternative)
    where = test.location if cases.sample().direction == "higher" else -test.location
    return replace(test, location=where, notes=(*test.notes, *_notes(cases)))


@reader()
def kruskal_wallis(
    data: Any,
    *,
    score: str | None = None,
    group: str | None = None,
    missing: Missing = "error",
    **reading: Unpack[ReadingKeywords],
) -> KruskalWallis:
    """Kruskal-Wallis test that several groups have one distribution.

    ``data`` is a sequence of samples, or a mapping of names to samples; or a data frame, mapping or file with the
    column ``score`` and the column ``group``.

    >>> import roclab as rl
    >>> round(rl.ranks.kruskal_wallis([[1, 2, 3], [4, 5, 6], [7, 8, 9]]).h, 4)
    7.2
    """
    return kruskal_wallis_of(_groups(data, score, group, missing, reading))


@reader()
def smirnov_of_groups(
    data: Any,
    *,
    score: str | None = None,
    group: str | None = None,
    permutations: int = 2000,
    rng: Any = None,
    progress: Progress | None = None,
    missing: Missing = "error",
    **reading: Unpack[ReadingKeywords],
) -> SmirnovOfGroups:
    """Smirnov's test for several groups: the largest gap between any two distribution functions, by permutation.

    ``data`` is a sequence of samples, or a mapping of names to samples; or a data frame, mapping or file with the
    column ``score`` and the column ``group``.

    >>> import roclab as rl
    >>> rl.ranks.smirnov_of_groups([[1, 2, 3], [4, 5, 6], [2, 3, 4]], permutations=99, rng=1).statistic
    1.0
    """
    samples = _groups(data, score, group, missing, reading)
    return groups_smirnov(samples, permutations=permutations, rng=rng, progress=progress)


def _groups(data: Any, score: str | None, group: str | None, missing: Missing, reading: Mapping[str, Any]) -> Any:
    """Samples by name: as they are given, or the groups of a table."""
    if group is None and score is None and not isinstance(data, str) and not is_frame(data):
        refuse_reading(reading)
        return data
    if group is None or score is None:
        lacking = [name for name, given in (("group", group), ("score", score)) if given is None]
        raise columns_not_named(lacking, *named_table(data, **reading))
    if group == score:
        raise InputError("group", f"and {named('score')} must be different columns", Words(f"{group!r} for both"))
    columns = read_columns(data, [group, score], numeric=[score], missing=missing, **reading)
    groups = groups_of_values(columns[group])
    return {name: columns[score][rows] for name, rows in zip(groups.names, groups.rows(), strict=True)}


def _one_sample(data: Any, score: str | None, missing: Missing, reading: Mapping[str, Any]) -> Any:
    if score is None:
        refuse_reading(reading)
        return data
    return read_columns(data, [score], numeric=[score], missing=missing, **reading)[score]


@reader()
def kolmogorov(
    data: Any,
    cdf: Cdf | str | None = None,
    *,
    support: Sequence[float] | None = None,
    probabilities: Sequence[Any] | None = None,
    score: str | None = None,
    missing: Missing = "error",
    level: float = 0.95,
    **reading: Unpack[ReadingKeywords],
) -> Kolmogorov | DiscreteKolmogorov:
    """Kolmogorov test of one sample against a distribution that was chosen before the data were seen; exact.

    Parameters
    ----------
    data : sequence of numbers, or a table with the column ``score``
    cdf : function or str, optional
        Distribution function of a continuous distribution; one that jumps at a value of the data is refused. Or the
        distribution by name and numbers: "uniform:LOW,HIGH", "normal:MEAN,SD", "exponential:RATE".
    support, probabilities : sequences, optional
        A discrete distribution instead; probabilities may be fractions written as text ('1/5').
    level : float
        Confidence level of the critical values of the continuous test.

    Examples
    --------
    >>> import roclab as rl
    >>> round(rl.ranks.kolmogorov([0.1, 0.4, 0.7], lambda x: x).t, 4)
    0.3
    >>> round(rl.ranks.kolmogorov([3] * 10, support=[1, 2, 3, 4, 5], probabilities=["1/5"] * 5).p_exact, 4)
    0.0416
    """
    if (cdf is None) == (support is None):
        raise InputError("cdf", f"or {named('support')} must be given", Words("both" if cdf else "neither"))
    values = _one_sample(data, score, missing, reading)
    if cdf is not None:
        function = cdf_of(cdf)[0] if isinstance(cdf, str) else cdf
        return one_sample.kolmogorov(values, function, level=level)
    assert support is not None
    return discrete_kolmogorov(values, support, probabilities or ())


@reader()
def cdf_band(
    data: Any,
    *,
    score: str | None = None,
    missing: Missing = "error",
    level: float = 0.95,
    **reading: Unpack[ReadingKeywords],
) -> CdfBand:
    """A band that holds the whole distribution function of a sample, or of the column ``score`` of a table.

    >>> import roclab as rl
    >>> round(rl.ranks.cdf_band([16.7, 17.4, 18.1, 18.2, 18.8], level=0.9).width, 4)
    0.5094
    """
    values = _one_sample(data, score, missing, reading)
    return one_sample.cdf_band(values, level=level)
