r"""Permutation test of equal curves that looks at their areas: for few cases.

If scores of the same cases have the same curve and agree with each other alike, their ranks may be exchanged case by
case. How far the areas of exchanged ranks lie apart then says how far those observed may lie apart by chance: where t
and F rest on variances that 15 cases hardly tell, and are cautious, this test needs none. Exchanging scores would be
exact, but asks for a common scale; ranks are nearly so (docs/coverage.md). It is Bandos, Rockette and Gur's [1]_ test
for two scores, and the same for more with

.. math:: Q = \sum_j (A_j - \bar A)^2 .

It has little power against curves that cross with equal areas, which Venkatraman's test is for, and gives no interval.

References
----------
.. [1] Bandos AI, Rockette HE, Gur D. A permutation test sensitive to differences in areas for comparing ROC curves from
   a paired design. Stat Med 2005;24:2873-2893. doi:10.1002/sim.2149
"""

from __future__ import annotations

from typing import Any

import numpy as np

from roclab._core.ranks import midranks
from roclab._core.types import Bools, Floats
from roclab.data.cases import Cases
from roclab.inference.one_area.bootstrap import run_bootstrap
from roclab.options.uncertainty import Resampling, resampling_of
from roclab.results import TestResult

__all__ = ["permuted_areas"]


def permuted_areas(
    cases: Cases, names: tuple[str, ...], *, resampling: Resampling | int | None = None, rng: Any = None
) -> TestResult:
    """Test that two or more scores of the same cases have the same ROC curve, by their areas; O(B k n log n).

    The statistic is the difference of two areas, first minus second, or Q of more. The p-value counts the observed
    arrangement as one of the permutations and is never 0.
    """
    cases = cases.repeated()
    ranks = np.column_stack([midranks(cases.oriented(name)) for name in names])
    # Cases in an order of their own, so that random numbers do not depend on that of the rows.
    order = np.lexsort([*ranks.T, cases.label])
    label, ranks = cases.label[order], ranks[order]
    areas = _areas(label, ranks)

    def one(rng: np.random.Generator) -> float:
        places = np.argsort(rng.random(ranks.shape), axis=1)
        return _apart(_areas(label, np.take_along_axis(ranks, places, axis=1)))

    resampling = resampling_of(resampling)
    permuted = run_bootstrap(one, None, resampling=resampling, rng=rng)
    observed = _apart(areas)
    # Arrangements that are equal in truth differ by the rounding of their areas.
    reached = int(np.count_nonzero(permuted.replicates >= observed - 1e-14))
    listed = f"{', '.join(names[:-1])} and {names[-1]}"
    return TestResult(
        name="exchanged ranks, by areas",
        hypothesis=f"{listed} have the same ROC curve",
        statistic=float(areas[0] - areas[1]) if len(names) == 2 else observed,
        distribution=f"{resampling.replicates} permutations, seed {permuted.seed}",
        p_value=(1 + reached) / (1 + resampling.replicates),
        method="Bandos' permutation test",
    )


def _areas(label: Bools, ranks: Floats) -> Floats:
    n_pos = int(np.count_nonzero(label))
    sums = [float(np.sum(midranks(column)[label])) for column in ranks.T]
    return (np.array(sums) - n_pos * (n_pos + 1) / 2) / (n_pos * (label.size - n_pos))


def _apart(areas: Floats) -> float:
    return float(np.sum((areas - areas.mean()) ** 2))
