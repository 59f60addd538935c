"""Covariances of areas of scores of the same cases, from sums over the places of cases on an engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from roclab.data.tally import Tally
from roclab.engines.backends import Backend
from roclab.engines.clusters import covariance_of_subjects
from roclab.engines.overview import Overview, check_counts
from roclab.engines.pairing import covariance_of_places
from roclab.engines.placed_influence import influence_lines, parts_at
from roclab.errors import InputError, Words, named
from roclab.inference.comparison.covariance import AreaCovariance
from roclab.inference.comparison.permutation import MOST_PAIRS, Permutation, permutation_of
from roclab.inference.one_area.area import Area
from roclab.inference.one_area.estimate import variance_title
from roclab.results import Sample

__all__ = ["PairedScores"]


@dataclass(frozen=True, slots=True)
class PairedScores:
    """Scores of the same cases, and the area that is asked of them."""

    backend: Backend
    seen: Overview
    samples: Mapping[str, Sample]
    area: Area

    @property
    def names(self) -> list[str]:
        """Names of the scores."""
        return list(self.samples)

    def of_places(self, few: Mapping[str, Tally], score: bool) -> AreaCovariance:
        """DeLong's matrix; places by the scores of ``few`` are looked up in their counts."""
        # Cells that were sorted after all tell the area exactly, but not the place of a case.
        known = {name: tally for name, tally in few.items() if tally.known is None}
        sums = self.backend.place_sums(self.seen, self.names, known)
        self._check_unchanged(sums.cases)
        permutation = self._permutation() if score else None
        return covariance_of_places(sums, self.names, list(self.samples.values()), self.area, permutation=permutation)

    def of_subjects(self) -> AreaCovariance:
        """Obuchowski's matrix."""
        return covariance_of_subjects(self.backend, self.seen, self.names, list(self.samples.values()), self.area)

    def of_parts(self, opened: Callable[[str, Area], Tally], *, clustered: bool) -> AreaCovariance:
        """Of partial areas, by the influence of every case, which follows from its places."""
        area, names = self.area, self.names
        fetch = f"fetch the rows with {named('engine', 'memory')} if they fit"
        if area.region is None:
            rule = "must be the AUC, Gini or a part of the curve where scores are compared on an engine"
            raise InputError("estimator", rule, area.method, fetch)
        if clustered:
            raise InputError("ids", "have no part in partial areas on an engine", Words("subjects"), fetch)
        tallies = {name: opened(name, area) for name in names}
        largest = max(float(np.abs(one).max()) for tally in tallies.values() for one in area.influence(tally))  # type: ignore[misc]
        unit = 2.0 ** (np.frexp(largest)[1] + 1)  # so that differences lie between -1 and 1 too
        lines = {name: influence_lines(tally, area, scale=unit) for name, tally in tallies.items()}
        sums = self.backend.influence_sums(self.seen, names, lines)
        self._check_unchanged(sums.cases)
        low, high = area.bounds
        pos, neg = (
            sums.stratum(side, unit=unit, width=high - low, share=share)
            for side, share in zip((1, 0), area.shares, strict=True)
        )
        widths = [area.correction_widths(tally) for tally in tallies.values()]
        return AreaCovariance(
            names=tuple(names), areas=np.array([area.estimate(tally) for tally in tallies.values()]),
            matrix=pos.matrix + neg.matrix, area=area, samples=tuple(self.samples.values()), pairing="paired",
            method=variance_title(area), parts=tuple(parts_at((pos, neg), at) for at in range(len(names))),
            variances=tuple(sums.variance(at, (pos, neg), widths[at]) for at in range(len(names))), strata=(pos, neg),
        )  # fmt: skip

    def _check_unchanged(self, cases: Sequence[int]) -> None:
        check_counts(self.backend.table.called, self.seen, cases[1], cases[0])

    def _permutation(self) -> Permutation | None:
        """What exchanging the scores of few cases tells; their rows are fetched for it."""
        classes = self.seen.classes
        if classes.n_pos * classes.n_neg > MOST_PAIRS:
            return None
        *values, positive = self.backend.values(self.seen, self.names)
        turned = [sample.direction == "lower" for sample in self.samples.values()]
        return permutation_of(positive == 1, [-one if low else one for one, low in zip(values, turned, strict=True)])
