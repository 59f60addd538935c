"""Simulation designs: which distributions, areas, sample sizes and estimators make up a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

import numpy as np

from roclab._core.checks import check_choice, check_count, check_fraction
from roclab.errors import InputError, Words
from roclab.smooth.model import ClassDensities
from roclab.studies.distributions import (
    Gamma,
    LogNormal,
    Mixture,
    NormalModel,
    PowerNormal,
    ScoreModel,
    area_between,
)

__all__ = ["ESTIMATOR_NAMES", "TABLES", "Cell", "Condition", "Design", "Scenario", "table_design"]

Class = Literal["positive", "negative"]
ESTIMATOR_NAMES = ("MW", "N", "NT", "K1", "K1T", "K2", "K2T", "RC")
SEVEN = ESTIMATOR_NAMES[:-1]
AREAS = (0.7, 0.8, 0.9)
SIZES = ((20, 20), (100, 100))
_MIDDLE = (0.002, 0.995)  # chances between which densities are drawn: tails of powers reach very far


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """One column of a table: two distributions and the true area between them."""

    label: str
    positive: ScoreModel
    negative: ScoreModel
    area: float

    def densities(self) -> ClassDensities:
        """Densities of both classes where nearly all of their scores lie."""
        ends = [side.ppf(np.array(_MIDDLE)) for side in (self.positive, self.negative)]
        x = np.linspace(min(end[0] for end in ends), max(end[1] for end in ends), 400)
        return ClassDensities(x=x, neg=self.negative.pdf(x), pos=self.positive.pdf(x))


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One simulated situation: a condition and the class sizes."""

    design: str
    condition: Condition
    n_pos: int
    n_neg: int

    @property
    def key(self) -> str:
        """What the drawn samples depend on, beside the seed: distributions and sizes, not names or neighbours."""
        # Nine digits: solved parameters may differ in the last ones between machines, the samples should not.
        parts = []
        for side in (self.condition.positive, self.condition.negative):
            values = np.concatenate([np.atleast_1d(getattr(side, field.name)) for field in fields(side)])  # type: ignore[arg-type]
            parts.append(" ".join([side.name, *(f"{value:.9g}" for value in values)]))
        return "; ".join([*parts, f"{self.n_pos} {self.n_neg}"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """Two distributions; one parameter of one of them may be free, and is then solved for each wanted area."""

    positive: ScoreModel
    negative: ScoreModel
    free: Class | None = "positive"
    areas: tuple[float, ...] = AREAS
    label: str = ""

    def conditions(self) -> list[Condition]:
        """Solved for every area; without a free parameter the one area that the distributions have."""
        if self.free is None:
            area = area_between(self.positive, self.negative)
            label = self.label or f"AUC={area:.4g}"
            return [Condition(label=label, positive=self.positive, negative=self.negative, area=area)]
        out = []
        for area in self.areas:
            solved = {self.free: solve(self, area)}
            pair: dict[str, Any] = {"positive": self.positive, "negative": self.negative} | solved
            label = self.label if len(self.areas) == 1 and self.label else f"{self.label} AUC={area:g}".strip()
            out.append(Condition(label=label, area=area, **pair))
        return out


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """A table to simulate."""

    name: str
    scenarios: tuple[Scenario, ...]
    caption: str = ""
    sizes: tuple[tuple[int, int], ...] = SIZES
    estimators: tuple[str, ...] = SEVEN

    def __post_init__(self) -> None:
        if not self.scenarios or not self.sizes or not self.estimators:
            raise InputError(
                "", f"design {self.name} must have sizes and estimators", Words("none"), "give at least one of each"
            )
        for estimator in self.estimators:
            check_choice(estimator, "estimators", ESTIMATOR_NAMES)
        for size in (n for pair in self.sizes for n in pair):
            check_count(size, "sizes", least=2, way_out="a class of one case has no spread to estimate")
        for area in (area for scenario in self.scenarios if scenario.free for area in scenario.areas):
            check_fraction(area, "areas", open_ends=True, way_out="write 0.8 for an area of 80%")

    def changed(
        self,
        *,
        sizes: Sequence[tuple[int, int]] = (),
        areas: Sequence[float] = (),
        estimators: Sequence[str] = (),
    ) -> Design:
        """The same distributions with other sample sizes, areas or estimators; what is empty stays."""
        scenarios = self.scenarios
        if areas:
            if any(scenario.free is None for scenario in scenarios):
                raise InputError(
                    "",
                    f"areas need a parameter to solve for, and design {self.name} has none",
                    way_out='write "solve" for one of its parameters',
                )
            scenarios = tuple(replace(scenario, areas=tuple(dict.fromkeys(areas))) for scenario in scenarios)
        return replace(
            self,
            scenarios=scenarios,
            sizes=tuple(dict.fromkeys(sizes)) or self.sizes,
            estimators=tuple(dict.fromkeys(estimators)) or self.estimators,
        )

    def conditions(self) -> list[Condition]:
        """All pairs of distributions."""
        return [condition for scenario in self.scenarios for condition in scenario.conditions()]

    def cells(self) -> Iterator[Cell]:
        """All situations, sizes first as in the printed tables."""
        conditions = self.conditions()
        for n_pos, n_neg in self.sizes:
            for condition in conditions:
                yield Cell(design=self.name, condition=condition, n_pos=n_pos, n_neg=n_neg)


# -- solving for an area -----------------------------------------------------------------------------


def solve(scenario: Scenario, area: float) -> ScoreModel:
    """The distribution of the free class whose location or scale gives the wanted area.

    A search over a wide range finds where the area is crossed, Brent's method the value.

    >>> y = NormalModel(mean=2.5, variance=0.25)
    >>> round(solve(Scenario(positive=y, negative=y), 0.8).mean, 6)
    3.095116
    """
    from scipy.optimize import brentq

    assert scenario.free is not None
    start: Any = getattr(scenario, scenario.free)
    parameter = start.solvable

    def with_value(value: float) -> Any:
        return replace(start, **{parameter: value})

    def miss(value: float) -> float:
        other = replace(scenario, **{scenario.free: with_value(value)})  # type: ignore[arg-type]
        return area_between(other.positive, other.negative) - area

    values = _search_range(scenario, start)
    misses = np.array([miss(float(value)) for value in values])
    crossed = np.flatnonzero(np.sign(misses[:-1]) * np.sign(misses[1:]) <= 0)
    if crossed.size == 0:
        reach = misses + area
        raise InputError(
            "",
            f"areas must be within reach of the {parameter} of the {scenario.free} class",
            Words(f"{area:g} where only {reach.min():.4g} to {reach.max():.4g} can be reached"),
            "choose other areas or distributions",
        )
    at = crossed[-1]
    return with_value(float(brentq(miss, values[at], values[at + 1], xtol=1e-13, rtol=1e-14)))  # type: ignore[no-any-return]


def _search_range(scenario: Scenario, start: Any) -> Any:
    """Values of the free parameter: 60 spreads around the other class, or twelve decades of scale around it."""
    other: ScoreModel = scenario.negative if scenario.free == "positive" else scenario.positive
    if isinstance(start, Gamma):
        middle = float(other.ppf(np.array([0.5]))[0])
        return abs(middle or 1.0) * np.logspace(-6, 6, 241)
    if isinstance(start, LogNormal | PowerNormal) and type(start) is type(other):
        # Both on the scale where they are normal.
        other = NormalModel(mean=other.mean, variance=other.variance)
    low, middle, high = other.ppf(np.array([0.001, 0.5, 0.999]))
    spread = max(high - low, 6 * float(np.sqrt(np.max(getattr(start, "variances", getattr(start, "variance", 1.0))))))
    reach = np.sinh(np.linspace(-4, 4, 241)) / np.sinh(1.0)
    values = middle + spread * reach
    if isinstance(start, PowerNormal) and start.power < 0:
        values = values[values > 0]  # beyond 0 the sign of the scores changes, and the area turns back
    return values


# -- the published tables ----------------------------------------------------------------------------


def _normal(mean: float, variance: float) -> NormalModel:
    return NormalModel(mean=mean, variance=variance)


def _mixture(*parts: tuple[float, float]) -> Mixture:
    means, variances = zip(*parts, strict=True)
    return Mixture(means=means, variances=variances, weights=(0.5, 0.5))


_INVERSE_CUBES = Scenario(
    positive=PowerNormal(mean=2.5, variance=0.09, power=-3),
    negative=PowerNormal(mean=2.5, variance=0.25, power=-3),
    free="negative",
)
_GAMMAS = {
    scale: Scenario(
        positive=Gamma(shape=2, scale=1),
        negative=Gamma(shape=2, scale=scale),
        areas=(0.9,),
        label=f"lambda_Y={scale:g}",
    )
    for scale in (0.5, 1.0)
}
_SAME_VARIANCE = Scenario(positive=_normal(2.5, 0.25), negative=_normal(2.5, 0.25))
_FAR_MIXTURE = Scenario(positive=_mixture((0, 1), (8, 1)), negative=_normal(0, 1))

# Captions as they must be read: the second argument of N is a variance everywhere; III has its roles swapped
# and the power -3; the far component of VII has variance 1.
TABLES: dict[str, Design] = {
    design.name: design
    for design in (
        Design(name="I", caption="X ~ N(μ, 0.25), Y ~ N(2.5, 0.25)", scenarios=(_SAME_VARIANCE,)),
        Design(
            name="II",
            caption="X ~ N(μ, 0.25), Y ~ N(2.5, 0.09)",
            scenarios=(Scenario(positive=_normal(2.5, 0.25), negative=_normal(2.5, 0.09)),),
        ),
        Design(name="III", caption="X ~ N(2.5, 0.09)^-3, Y ~ N(μ, 0.25)^-3", scenarios=(_INVERSE_CUBES,)),
        Design(
            name="IV",
            caption="log X ~ N(μ, 0.09), log Y ~ N(2.5, 0.25)",
            scenarios=(
                Scenario(positive=LogNormal(mean=2.5, variance=0.09), negative=LogNormal(mean=2.5, variance=0.25)),
            ),
        ),
        Design(
            name="V",
            caption="X ~ Gamma(2, scale λ_X), Y ~ Gamma(2, scale λ_Y), λ_X for an area of 0.9",
            scenarios=(_GAMMAS[0.5], _GAMMAS[1.0]),
        ),
        Design(
            name="VI",
            caption="X ~ 0.5 N(μ, 1) + 0.5 N(μ + 4, 5), Y ~ N(0, 1)",
            scenarios=(Scenario(positive=_mixture((0, 1), (4, 5)), negative=_normal(0, 1)),),
        ),
        Design(name="VII", caption="X ~ 0.5 N(μ, 1) + 0.5 N(μ + 8, 1), Y ~ N(0, 1)", scenarios=(_FAR_MIXTURE,)),
        Design(
            name="VIII",
            caption="X ~ 0.5 N(μ, 1) + 0.5 N(μ + 4, 5), Y ~ 0.5 N(0, 1) + 0.5 N(3, 1)",
            scenarios=(Scenario(positive=_mixture((0, 1), (4, 5)), negative=_mixture((0, 1), (3, 1))),),
        ),
        Design(
            name="IX",
            caption="X ~ 0.5 N(μ, 1) + 0.5 N(μ + 4, 5), Y ~ 0.5 N(0, 1) + 0.5 N(3, 1.5)",
            scenarios=(Scenario(positive=_mixture((0, 1), (4, 5)), negative=_mixture((0, 1), (3, 1.5))),),
        ),
        Design(
            name="X",
            caption="the binormal estimate in four of the situations above",
            scenarios=(
                replace(_SAME_VARIANCE, areas=(0.9,), label="TableI AUC=0.9"),
                replace(_INVERSE_CUBES, areas=(0.9,), label="TableIII AUC=0.9"),
                replace(_GAMMAS[1.0], label="TableV AUC=0.9 lambda_Y=1"),
                replace(_FAR_MIXTURE, areas=(0.7,), label="TableVII AUC=0.7"),
            ),
            sizes=((100, 100),),
            estimators=("RC",),
        ),
    )
}


def table_design(name: str) -> Design:
    """A published table by its number.

    >>> [round(cell.condition.positive.shift, 4) for cell in table_design("VI").cells()][:3]
    [-0.1493, 0.4829, 1.2715]
    """
    check_choice(name, "design", TABLES)
    return TABLES[name]
