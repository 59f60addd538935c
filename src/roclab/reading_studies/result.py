"""What a reader study says: areas of readers, means of modalities, differences, and where the spread comes from."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np

from roclab._core.text import format_number, text_table, without_shared
from roclab.errors import InputError, Words
from roclab.inference.comparison.compare import with_adjusted
from roclab.inference.comparison.contrasts import Difference, contrast
from roclab.inference.comparison.margins import MarginTest, claim_of, claim_words, matching_level
from roclab.inference.one_area.area import Area
from roclab.names import (
    Alternative,
    Claim,
    FigureSize,
    RandomEffects,
    ReaderCovariance,
    ReaderDesign,
    ReaderFigure,
    ReaderInference,
    ReaderMethod,
)
from roclab.reading_studies.calibrated import Calibration
from roclab.reading_studies.components import ErrorCovariances, VarianceComponents
from roclab.reading_studies.covariance import CellAreas
from roclab.reading_studies.curves import ReaderCurves, curves_of_readings
from roclab.reading_studies.mean_squares import MeanSquares
from roclab.reading_studies.obuchowski_rockette import difference_of_means
from roclab.reading_studies.readings import Readings
from roclab.reading_studies.score import ScoreAnalysis
from roclab.results import AreaEstimate, RateEstimate, Result, Sample, TestResult

__all__ = ["INFERENCE_WORDS", "RANDOM_WORDS", "ReaderArea", "ReaderStudy"]

RANDOM_WORDS = {
    "both": "readers and cases random: holds for other readers and other cases",
    "readers": "readers random, cases fixed: holds for other readers of these very cases",
    "cases": "cases random, readers fixed: holds for these very readers",
}
INFERENCE_WORDS = {
    "hillis": "",
    "score": "differences by the score test: their variance is that of the hypothesis tested",
    "calibrated": "differences by the score test, calibrated: ranked among simulated studies without a difference",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderArea(Result):
    """The area, or rate, of one reader in one modality."""

    reader: str
    modality: str
    estimate: AreaEstimate | RateEstimate

    @property
    def area(self) -> float:
        """Its value."""
        return self.estimate.value

    @property
    def interval(self) -> Any:
        """Its interval, from the cases of this reader."""
        return self.estimate.interval

    def rows(self) -> list[dict[str, Any]]:
        """One row."""
        percent = f"{100 * self.estimate.interval.level:g}%"
        return [
            {
                "modality": self.modality,
                "reader": self.reader,
                self.estimate.quantity: self.estimate.value,
                "std. error": self.estimate.standard_error,
                f"{percent} low": self.estimate.interval.low,
                f"{percent} high": self.estimate.interval.high,
            }
        ]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReaderStudy(Result):
    """A multi-reader multi-case study, analysed.

    Attributes
    ----------
    areas : tuple of ReaderArea
        Every reader in every modality, with an interval from the cases.
    means : tuple of AreaEstimate
        Mean over the readers of each modality, with an interval for what was taken as random.
    pairs : tuple of Difference
        Differences of modality means, first minus second, with adjusted p-values.
    equality : TestResult or None
        F test that all modalities have the same mean; None with one modality.
    df : pair of float
        Its degrees of freedom.
    claims : tuple of MarginTest
        Non-inferiority or equivalence of the first modality against each other one, if a margin was given.
    against : tuple of Difference
        Readers of each modality minus the algorithm, if one was named.
    components : VarianceComponents
        Variances of readers and covariances of errors.
    table : mapping of source to (degrees of freedom, mean square)
        Of the areas for "or", of the pseudovalues for "dbm".
    """

    quantity: str
    modalities: tuple[str, ...]
    readers: tuple[str, ...]
    areas: tuple[ReaderArea, ...]
    means: tuple[AreaEstimate, ...]
    pairs: tuple[Difference, ...]
    equality: TestResult | None
    df: tuple[float, float]
    components: VarianceComponents
    table: Mapping[str, tuple[float, float]]
    covariance: Any  # of the areas, in their order
    method: ReaderMethod
    covariance_method: str
    design: ReaderDesign
    random: str
    inference: ReaderInference
    level: float
    adjustment: str
    sample: Sample
    claims: tuple[MarginTest, ...] = ()
    against: tuple[Difference, ...] = ()
    algorithm: str | None = None
    notes: tuple[str, ...] = ()
    _known: Known | None = field(default=None, repr=False, metadata={"not_in_json": True})

    def pair(self, first: str, second: str) -> Difference:
        """The difference between two modalities, first minus second."""
        for one in self.pairs:
            if (one.first, one.second) == (first, second):
                return one
            if (one.first, one.second) == (second, first):
                return one.turned()
        names = ", ".join(map(repr, self.modalities))
        raise InputError("first", f"and second must be two of {names}", Words(f"{first!r} and {second!r}"))

    def margin(self, first: str, second: str, *, margin: float, claim: Claim = "non-inferiority") -> MarginTest:
        """Is ``first`` not worse than ``second`` by more than ``margin``, or equivalent within it?"""
        self.pair(first, second)
        at = (self.modalities.index(first), self.modalities.index(second))
        return self._study().claim(at, margin=margin, claim=claim, level=self.level)

    def area_of(self, reader: str, modality: str | None = None) -> ReaderArea:
        """One reader in one modality."""
        wanted = self.modalities[0] if modality is None and len(self.modalities) == 1 else modality
        for area in self.areas:
            if area.reader == str(reader) and area.modality == str(wanted):
                return area
        raise InputError("reader", f"must be one of {', '.join(map(repr, self.readers))} and modality one of "
                         f"{', '.join(map(repr, self.modalities))}", Words(f"{reader!r} and {modality!r}"))  # fmt: skip

    def curves(self, *, how: Literal["diagonal", "vertical"] = "diagonal") -> ReaderCurves:
        """The curve of every reader and their average in each modality, along the diagonal or at fixed FPR."""
        return curves_of_readings(self.readings, how=how, level=self.level)

    def plot(self, figure: ReaderFigure | str | Path = "readers", *, size: FigureSize = "single") -> Any:
        """A figure of the study: "readers" (curves), "reader_forest", "interaction" or "components"; a ``Picture``.

        The name of a file instead, such as "curves.svg", writes the curves there.
        """
        import importlib

        return importlib.import_module("roclab.plots.readers").plot_readers(self, figure, size=size)

    def write_report(self, path: str | Path, **options: Any) -> Any:
        """One page about the study: its analysis, and the curve of every reader; options as in ``rl.write_report``."""
        import importlib

        return importlib.import_module("roclab.analysis.reporting.readers").write_study_report(self, path, **options)

    def by_reader(self, first: str, second: str) -> tuple[Difference, ...]:
        """Difference between two modalities of every reader who read both, by the cases alone (normal distribution)."""
        self.pair(first, second)
        places = {(one.reader, one.modality): at for at, one in enumerate(self.areas)}
        values = np.array([area.area for area in self.areas])
        found = []
        for reader in self.readers:
            if (reader, first) in places and (reader, second) in places:
                weights = np.zeros(values.size)
                weights[places[reader, first]], weights[places[reader, second]] = 1, -1
                names = (f"{reader}, {first}", f"{reader}, {second}")
                found.append(
                    contrast(
                        values, self.covariance, weights, names=names, level=self.level, alternative="two-sided",
                        method=self.covariance_method,
                    )
                )  # fmt: skip
        return with_adjusted(found, self.adjustment)  # type: ignore[arg-type]

    @property
    def readings(self) -> Readings:
        """Every rating, as it was analysed."""
        return self._study().readings

    def _study(self) -> Known:
        if self._known is None:
            raise InputError(
                "", "this needs the ratings of the cases, which JSON does not hold",
                way_out="ask for the study again, or keep it with pickle",
            )  # fmt: skip
        return self._known

    def to_dict(self) -> dict[str, Any]:
        """Every field but the single ratings."""
        whole = Result.to_dict(self)
        whole.pop("_known", None)
        return whole

    def rows(self) -> list[dict[str, Any]]:
        """One row per claim or difference; with one modality, per mean."""
        asked: tuple[Result, ...] = self.claims or self.pairs or self.against or self.means
        return [row for one in asked for row in one.rows()]

    def __str__(self) -> str:
        cells, below = without_shared([row for area in self.areas for row in area.rows()], ["modality"])
        parts = [text_table(cells), *below, ""]
        means = [{"modality": mean.sample.score, f"mean {self.quantity}": mean.area, "std. error": mean.standard_error,
                  f"{100 * self.level:g}% low": mean.interval.low, f"{100 * self.level:g}% high": mean.interval.high,
                  "interval": mean.interval.method} for mean in self.means]  # fmt: skip
        if len(means) == 1:
            means[0].pop("modality")
        parts += [text_table(means), ""]
        for title, found in (("", self.pairs), ("readers against the algorithm", self.against), ("", self.claims)):
            if found:
                shown = [row for one in found for row in one.rows()]
                if len(found) < 2 or found is self.against or self.adjustment == "none":
                    shown = [{name: value for name, value in row.items() if name != "adjusted p"} for row in shown]
                claim_lines = [claim_words(self.claims, self.adjustment)] if found is self.claims else []
                parts += [*([title] if title else []), text_table(shown), *claim_lines, ""]
        if self.equality is not None:
            words = f"statistic {format_number(self.equality.statistic)}, p {format_number(self.equality.p_value)}"
            parts += [f"all modalities equal: {self.equality.distribution}, {words}", ""]
        parts += [text_table(self.components.rows(), digits=6), ""]
        name = {"or": "Obuchowski-Rockette", "dbm": "Dorfman-Berbaum-Metz"}[self.method]
        parts += [
            f"{name}; covariances by {self.covariance_method}; {self.design.replace('_', ' ')} design",
            RANDOM_WORDS[self.random],
            *filter(None, [INFERENCE_WORDS[self.inference]]),
            f"{len(self.readers)} readers, {self.sample.n_pos + self.sample.n_neg:g} cases: {self.sample.describe()}",
            *([f"p-values adjusted by {self.adjustment}"] if len(self.pairs) > 1 else []),
            *self.notes,
        ]
        return "\n".join(parts)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Known:
    """What further questions to a study are read from."""

    readings: Readings
    area: Area
    cells: CellAreas
    squares: MeanSquares
    errors: ErrorCovariances
    random: RandomEffects
    cases_df: float = math.inf
    covariance: ReaderCovariance | None = None
    method: str = "Obuchowski-Rockette"
    score: ScoreAnalysis | None = None
    calibration: Calibration | None = None

    def difference(self, pair: tuple[int, int], *, level: float, alternative: Alternative = "two-sided") -> Difference:
        """A difference of two modality means, by the inference asked for."""
        names = (self.readings.modalities[pair[0]], self.readings.modalities[pair[1]])
        if self.score is not None:
            drawn = self.calibration
            found = self.score.difference(
                pair, names=names, level=level, alternative=alternative, method=self.method,
                least_p=None if drawn is None else drawn.least_p(level),
            )  # fmt: skip
            return found if drawn is None else drawn.compared(found)
        return difference_of_means(
            self.squares, self.errors, self.random, pair, names=names, level=level, alternative=alternative,
            cases_df=self.cases_df, method=self.method,
        )  # fmt: skip

    def claim(self, pair: tuple[int, int], *, margin: float, claim: Claim, level: float) -> MarginTest:
        """Non-inferiority or equivalence of two modality means."""
        plain = self.difference(pair, level=matching_level(claim, level))
        error_at = None if self.score is None else partial(self.score.standard_error, pair)
        found = claim_of(plain, margin=margin, claim=claim, level=level, error_at=error_at)
        return found if self.calibration is None else self.calibration.claimed(found)
