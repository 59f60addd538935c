"""Are whole curves the same? Permutation tests, by their errors everywhere or by their areas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Unpack

from roclab._core.checks import check_choice
from roclab._core.text import format_number, text_table, without_shared
from roclab.analysis.auc import area_asked
from roclab.analysis.compare import two_scores
from roclab.analysis.compare_groups import groups_of
from roclab.analysis.support import cases_for, prepared
from roclab.data.verbs import verb
from roclab.errors import InputError, named
from roclab.inference.areas_of_cases import areas_of
from roclab.inference.comparison.multiplicity import adjusted
from roclab.inference.comparison.permuted_areas import permuted_areas
from roclab.inference.comparison.venkatraman import venkatraman_paired, venkatraman_unpaired
from roclab.names import CURVE_STATISTICS, Adjustment, AreaInterval, CurveStatistic
from roclab.options.data import DataKeywords
from roclab.options.folds import FoldedKeywords
from roclab.options.group import given_of
from roclab.options.uncertainty import AreaUncertainty, DrawsKeywords, Level, LevelKeywords
from roclab.results import AreaEstimate, Result, TestResult

__all__ = ["CurveComparison", "compare_curves"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveComparison(Result):
    """Tests that two scores have the same curve, not only the same area: one per pair, and one of all."""

    areas: tuple[AreaEstimate, ...]
    tests: tuple[TestResult, ...]
    p_adjusted: tuple[float, ...]
    adjustment: str
    equality: TestResult | None = None  # that all of three or more scores have the same curve, by their areas

    def rows(self) -> list[dict[str, Any]]:
        """One row per pair."""
        return [
            {"hypothesis": test.hypothesis, "statistic": test.statistic, "p": test.p_value, "adjusted p": p}
            for test, p in zip(self.tests, self.p_adjusted, strict=True)
        ]

    def __str__(self) -> str:
        test = self.tests[0]
        rows, below = without_shared([row for area in self.areas for row in area.rows()], ["method", "interval"])
        lines = [] if self.equality is None else [f"all the same: p {format_number(self.equality.p_value)}", ""]
        lines.append(f"{test.name}; {test.method}; {test.distribution}")
        if len(self.tests) > 1:
            lines.append(f"p-values adjusted by {self.adjustment}")
        samples = dict.fromkeys(area.sample.without_name().describe() for area in self.areas)
        notes = [f"{area.sample.score}: {note}" for area in self.areas for note in area.notes]
        return "\n".join([text_table(rows), *below, "", text_table(self.rows()), "", *lines, *samples, *notes])


class CompareCurvesKeywords(LevelKeywords, DrawsKeywords, FoldedKeywords, total=False):
    """Whole curves."""


@verb(CompareCurvesKeywords)
def compare_curves(
    y_true: Any,
    y_score: Any = None,
    *,
    group: Any = None,
    statistic: CurveStatistic = "errors",
    interval: AreaInterval = "auto",
    adjust: Adjustment = "holm",
    **asked: Unpack[CompareCurvesKeywords],
) -> CurveComparison:
    """Do whole ROC curves differ, not only their areas? Permutation tests.

    Two curves may have one area and cross. Scores of the same cases are compared by exchanging their ranks case by
    case; with ``group``, or a mapping of names to data sets, one score is compared between different cases.

    Parameters
    ----------
    y_true, y_score : as in :func:`compare`; or, for different cases, as in :func:`compare_groups`
    group : name of a column, or array, optional
        Compare one score between groups of cases.
    statistic : "errors" or "areas"
        What tells curves apart: their errors at every threshold, as Venkatraman has it (default), or their areas, as
        Bandos has it: for few cases of which :func:`compare`, resting on an estimated variance, is too cautious. The
        latter is for scores of the same cases, and tests three or more of them together as well.
    interval : as in :func:`auc`, for the areas shown beside the tests
    adjust : str
        How p-values are adjusted over all pairs: "holm" (default), "bonferroni", "fdr" or "none".

    References
    ----------
    Venkatraman ES, Begg CB. Biometrika 1996;83:835-848. doi:10.1093/biomet/83.4.835
    Venkatraman ES. Biometrics 2000;56:1134-1138. doi:10.1111/j.0006-341X.2000.01134.x
    Bandos AI, Rockette HE, Gur D. Stat Med 2005;24:2873-2893. doi:10.1002/sim.2149

    Examples
    --------
    >>> import roclab as rl
    >>> y = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> scores = {"a": [8, 7, 6, 3, 5, 4, 2, 1], "b": [8, 3, 6, 2, 7, 5, 4, 1]}
    >>> found = rl.compare_curves(y, scores, resampling=rl.Resampling(replicates=200), rng=1)
    >>> found.tests[0].hypothesis
    'a and b have the same ROC curve'
    """
    check_choice(statistic, "statistic", CURVE_STATISTICS)
    what = area_asked()
    data = given_of(asked, DataKeywords)
    drawn = given_of(asked, DrawsKeywords)
    shown_as = AreaUncertainty(level=Level.of(asked).level, interval=interval)
    apart = group is not None or (isinstance(y_true, Mapping) and y_score is None and "label" not in data)
    if apart:
        if statistic == "areas":
            raise InputError("statistic", "'areas' exchanges scores of the same cases", statistic,
                             f"leave it out, or leave out {named('group')}")  # fmt: skip
        groups = groups_of(y_true, y_score, group, data)
        parts = [prepared("compare_curves", one.renamed(name)) for name, one in groups.items()]
        areas = {part.only_name(): areas_of(part, what, shown_as) for part in parts}
        tests = [venkatraman_unpaired(a, b, **drawn) for a, b in combinations(parts, 2)]
        return _curve_comparison(tests, {name: found[name] for name, found in areas.items()}, adjust)
    cases = two_scores(cases_for("compare_curves", y_true, y_score, asked))
    if cases.weight is not None:
        raise InputError("sample_weight", "has no part in permutations, where each case counts once",
                         way_out="leave it out")  # fmt: skip
    shown = areas_of(cases, what, shown_as)
    pairs = list(combinations(cases.names, 2))
    if statistic == "errors":
        return _curve_comparison([venkatraman_paired(cases, *pair, **drawn) for pair in pairs], shown, adjust)
    whole = permuted_areas(cases, tuple(cases.names), **drawn) if len(pairs) > 1 else None
    tests = [permuted_areas(cases, pair, **drawn) for pair in pairs]
    return _curve_comparison(tests, shown, adjust, whole)


def _curve_comparison(
    tests: Sequence[TestResult],
    areas: Mapping[str, AreaEstimate],
    adjust: Adjustment,
    equality: TestResult | None = None,
) -> CurveComparison:
    return CurveComparison(
        areas=tuple(areas.values()),
        tests=tuple(tests),
        p_adjusted=tuple(adjusted([test.p_value for test in tests], adjust)),
        adjustment=adjust,
        equality=equality,
    )
