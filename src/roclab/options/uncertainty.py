"""Uncertainty: confidence level, kind of interval, where the standard error comes from, and resampling."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, TypedDict

from roclab._core.checks import check_choice, check_level, check_replicates, check_workers
from roclab.errors import InputError, named
from roclab.names import (
    AREA_INTERVALS,
    PROPORTION_INTERVALS,
    SCHEMES,
    SIDES,
    VARIANCES,
    AreaInterval,
    ProportionInterval,
    Scheme,
    Side,
    Variance,
)
from roclab.options.group import Group, group

__all__ = [
    "USUAL",
    "AreaUncertainty",
    "AreaUncertaintyKeywords",
    "Draws",
    "DrawsKeywords",
    "Level",
    "LevelKeywords",
    "Progress",
    "ProportionKeywords",
    "ProportionUncertainty",
    "Resampling",
    "UnaskedSeed",
    "check_draws",
    "draws_note",
    "refuse_keyed",
    "resampling_of",
]

Progress: TypeAlias = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Resampling:
    """How to resample.

    Attributes
    ----------
    replicates : int
        Number of bootstrap samples.
    scheme : "stratified", "plain" or "poisson"
        Stratified draws as many positives and negatives as there are; plain draws cases of either class. Poisson, for
        comparisons of AUCs with ``ids``, computes how often a case or subject counts from its id: the same replicates
        for any order of rows, on every engine and in memory.
    workers : int
        Threads; the result does not depend on it.
    progress : callable(done, total), optional
        Called after every chunk; raise KeyboardInterrupt there, or press Ctrl-C, to stop.
    """

    replicates: int = 2000
    scheme: Scheme = "stratified"
    workers: int = 1
    progress: Progress | None = None

    def __post_init__(self) -> None:
        check_replicates(self.replicates, way_out="2000 is usual, 10000 for final results")
        check_workers(self.workers)
        check_choice(self.scheme, "scheme", SCHEMES)


_USUAL = Resampling()


def refuse_keyed(scheme: str) -> None:
    """Refuse weights that are computed from ids where none are at hand."""
    if scheme == "poisson":
        raise InputError(
            "scheme", "'poisson' computes weights from ids, for comparisons of AUCs", scheme,
            "use 'stratified', or compare scores with ids",
        )  # fmt: skip


def resampling_of(given: Resampling | int | None, *, keyed: bool = False) -> Resampling:
    """How to resample; a number alone means so many replicates. ``keyed`` allows weights that come from ids."""
    if given is None:
        return _USUAL
    if isinstance(given, Resampling):
        if not keyed:
            refuse_keyed(given.scheme)
        return given
    if isinstance(given, int) and not isinstance(given, bool):
        return Resampling(replicates=given)
    raise InputError(
        "resampling", "must be a number of replicates or Resampling(…)", given, f"write {named('resampling', 2000)}"
    )


class LevelKeywords(TypedDict, total=False):
    """The confidence level alone."""

    level: float


class DrawsKeywords(TypedDict, total=False):
    """Resampling."""

    resampling: Resampling | int | None
    rng: Any


class AreaUncertaintyKeywords(LevelKeywords, DrawsKeywords, total=False):
    """The uncertainty of an area."""

    interval: AreaInterval | None
    variance: Variance | None
    side: Side


class ProportionKeywords(LevelKeywords, total=False):
    """The uncertainty of proportions such as sensitivity and specificity."""

    interval: ProportionInterval


@group(LevelKeywords, {"level": "Confidence level of intervals."})
@dataclass(frozen=True, kw_only=True)
class Level(Group):
    """A confidence level."""

    level: float = 0.95

    def __post_init__(self) -> None:
        object.__setattr__(self, "level", check_level(self.level))


_DRAWS = {
    "resampling": """Number of resampled sets of cases (2000).

Or ``Resampling(…)`` with scheme, workers and progress.""",
    "rng": """Seed: the same one gives the same result. By default one is drawn, and named in the result.

Or a NumPy generator.""",
}


@group(DrawsKeywords, _DRAWS)
@dataclass(frozen=True, kw_only=True)
class Draws(Group):
    """How to resample, where anything was said about it."""

    resampling: Resampling | int | None = None
    rng: Any = None

    def __post_init__(self) -> None:
        if self.resampling is not None:  # None stays: some intervals are resampled only where that is asked for
            object.__setattr__(self, "resampling", resampling_of(self.resampling, keyed=True))

    @property
    def asked(self) -> bool:
        """Whether resampling was asked for."""
        return self.resampling is not None or self.rng is not None

    @property
    def how(self) -> Resampling:
        """Replicates, scheme, workers and progress, said or usual."""
        return resampling_of(self.resampling, keyed=True)


class UnaskedSeed(int):
    """A seed that a face drew for whatever may need one: where nothing does, there is nothing to say about it."""


def draws_note(asked: Mapping[str, Any], *, drawn: bool) -> tuple[str, ...]:
    """What is said of replicates and seeds where nothing is resampled: who gives them may expect what is not done."""
    given = [name for name in ("resampling", "rng") if asked.get(name) is not None]
    if drawn or not given or isinstance(asked.get("rng"), UnaskedSeed):
        return ()
    return (f"Nothing is resampled here: {' and '.join(given)} had no part; variance 'bootstrap' resamples.",)


def check_draws(asked: Mapping[str, Any], *, drawn: bool) -> None:
    """Refuse them where the answer has no place for such a note."""
    for name in ("resampling", "rng"):
        if not drawn and asked.get(name) is not None and not isinstance(asked.get("rng"), UnaskedSeed):
            raise InputError(
                name, "has no part here, where nothing is resampled",
                way_out=f"leave it out, or ask for {named('variance', 'bootstrap')}",
            )  # fmt: skip


_AREA = {
    "interval": """Kind of interval.

- "auto" (default): "score" for the AUC and Gini, for other areas t on the logit scale with a small-sample correction
- "score": all areas that the data do not reject, each judged by the variance that it implies; called "roclab score" in
  answers, because it is the package's own (docs/methods/score_interval, simulated in docs/coverage)
- "clipped", also "delong": DeLong's, A ± z SE cut at 0 and 1, as pROC prints it; "plain" is the same uncut
- "logit": symmetric on the logit scale
- "exact": Clopper-Pearson on an effective number of cases
- "binomial": Clopper-Pearson on all cases, as Stata's option of that name; for other programs' sake
- "percentile", "bca": bootstrap
- None: the bare area, when speed is all that counts""",
    "variance": """Where the standard error comes from.

- "delong" (default): from the influence of every case, for every area whose influence function is known
- "hanley_mcneil": from the area and the numbers of cases alone (1982)
- "empirical_q": as SPSS
- "bamber": Bamber's (1975)
- "bootstrap": resampled cases (default for areas without an influence function)
- "clustered" (default with ``ids`` of several cases): Obuchowski's, of whole subjects
- "clustered_bootstrap": resampled subjects""",
    "side": """Interval, or one bound only.

- "two-sided" (default)
- "lower", "upper": one bound with all of 1 - level on its side""",
}


@group(AreaUncertaintyKeywords, _AREA)
@dataclass(frozen=True, kw_only=True)
class AreaUncertainty(Level, Draws):
    """The uncertainty of an area, as it was asked for."""

    interval: AreaInterval | None = "auto"
    variance: Variance | None = None
    side: Side = "two-sided"

    def __post_init__(self) -> None:
        Level.__post_init__(self)
        Draws.__post_init__(self)
        if self.interval is not None:
            check_choice(self.interval, "interval", AREA_INTERVALS)
        if self.variance is not None:
            check_choice(self.variance, "variance", VARIANCES)
        check_choice(self.side, "side", SIDES)


USUAL = AreaUncertainty()  # what is meant where nothing is said


_PROPORTION = {
    "interval": """Kind of interval of proportions.

- "wilson" (default): score interval, close to its level
- "exact": Clopper-Pearson, never below its level
- "jeffreys", "agresti_coull": close to their level
- "wald": symmetric, fails near 0 and 1""",
}


@group(ProportionKeywords, _PROPORTION)
@dataclass(frozen=True, kw_only=True)
class ProportionUncertainty(Level):
    """The uncertainty of proportions."""

    interval: ProportionInterval = "wilson"

    def __post_init__(self) -> None:
        Level.__post_init__(self)
        check_choice(self.interval, "interval", PROPORTION_INTERVALS)
