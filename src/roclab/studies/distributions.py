"""Score distributions of simulation designs: how to draw from them, and the area between two of them, exactly.

Second arguments are variances, as in the designs of Faraggi and Reiser (2002).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
from scipy.special import betainc, gammainc, gammaincinv, gammaln, ndtr, ndtri

from roclab._core.checks import check_positive
from roclab._core.types import Floats
from roclab.errors import InputError, Words
from roclab.smooth.quadrature import integrate_unit

__all__ = ["DISTRIBUTIONS", "ScoreModel", "Gamma", "LogNormal", "Mixture", "NormalModel", "PowerNormal", "area_between"]

Shape = int | tuple[int, ...]
_TINY = 1e-300  # instead of 0, where a logarithm or a root is taken


class ScoreModel(Protocol):
    """The scores of one class.

    ``solvable`` is the parameter that may be chosen to reach a wanted area: a location, or a scale (always positive).
    """

    name: ClassVar[str]
    solvable: ClassVar[str]

    def draw(self, rng: np.random.Generator, shape: Shape) -> Floats:
        """Independent scores."""
        ...

    def cdf(self, t: Floats) -> Floats:
        """Chance of a score of at most t."""
        ...

    def pdf(self, t: Floats) -> Floats:
        """Density."""
        ...

    def ppf(self, q: Floats) -> Floats:
        """The score not exceeded with chance q."""
        ...

    def describe(self) -> str:
        """The distribution as it stands in a caption."""
        ...


def _check_finite(value: float, name: str) -> float:
    if isinstance(value, bool | str) or not math.isfinite(value):
        raise InputError(name, "must be a finite number", value, f"write for instance {name} = 2.5")
    return float(value)


def _check_variance(value: float, name: str = "variance") -> float:
    return check_positive(value, name, way_out="it is the square of the standard deviation")


@dataclass(frozen=True, slots=True, kw_only=True)
class NormalModel:
    """N(mean, variance)."""

    name: ClassVar[str] = "normal"
    solvable: ClassVar[str] = "mean"
    mean: float
    variance: float

    def __post_init__(self) -> None:
        _check_finite(self.mean, "mean")
        _check_variance(self.variance)

    @property
    def sd(self) -> float:
        """Standard deviation."""
        return math.sqrt(self.variance)

    def draw(self, rng: np.random.Generator, shape: Shape) -> Floats:
        """Independent scores."""
        return rng.normal(self.mean, self.sd, shape)

    def cdf(self, t: Floats) -> Floats:
        """Chance of at most t."""
        return np.asarray(ndtr((t - self.mean) / self.sd))

    def pdf(self, t: Floats) -> Floats:
        """Density."""
        z = (t - self.mean) / self.sd
        return np.asarray(np.exp(-z * z / 2) / (self.sd * math.sqrt(2 * math.pi)))

    def ppf(self, q: Floats) -> Floats:
        """Quantile."""
        return np.asarray(self.mean + self.sd * ndtri(q))

    def describe(self) -> str:
        """As in a caption."""
        return f"N({self.mean:g}, {self.variance:g})"


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfNormal:
    """A function of a normal variable, N(mean, variance)."""

    solvable: ClassVar[str] = "mean"
    mean: float
    variance: float

    @property
    def base(self) -> NormalModel:
        """The normal variable, which also checks the parameters."""
        return NormalModel(mean=self.mean, variance=self.variance)


@dataclass(frozen=True, slots=True, kw_only=True)
class LogNormal(_OfNormal):
    """Scores whose logarithm is N(mean, variance)."""

    name: ClassVar[str] = "lognormal"

    def __post_init__(self) -> None:
        _ = self.base

    def draw(self, rng: np.random.Generator, shape: Shape) -> Floats:
        """Independent scores."""
        return np.exp(self.base.draw(rng, shape))

    def cdf(self, t: Floats) -> Floats:
        """Chance of at most t."""
        with np.errstate(divide="ignore"):
            return self.base.cdf(np.log(np.maximum(t, 0.0)))

    def pdf(self, t: Floats) -> Floats:
        """Density."""
        inside = np.maximum(t, _TINY)
        return np.where(t > 0, self.base.pdf(np.log(inside)) / inside, 0.0)

    def ppf(self, q: Floats) -> Floats:
        """Quantile."""
        with np.errstate(over="ignore"):
            return np.exp(self.base.ppf(q))

    def describe(self) -> str:
        """As in a caption."""
        return f"exp {self.base.describe()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerNormal(_OfNormal):
    """An odd power of a normal variable, N(mean, variance)^power; of -3, the power -1/3 is normal."""

    name: ClassVar[str] = "power_normal"
    power: int

    def __post_init__(self) -> None:
        _ = self.base
        if not isinstance(self.power, int) or self.power % 2 == 0:
            raise InputError(
                "power", "must be an odd whole number", self.power, "only odd powers keep the sign, write 3 or -3"
            )

    def draw(self, rng: np.random.Generator, shape: Shape) -> Floats:
        """Independent scores."""
        return self.base.draw(rng, shape) ** self.power

    def cdf(self, t: Floats) -> Floats:
        """Chance of at most t."""
        with np.errstate(divide="ignore"):
            root = np.copysign(np.abs(t) ** (1 / self.power), t)
        chance = self.base.cdf(root)
        if self.power > 0:
            return chance
        # A negative power falls on each side of 0, and its negative branch comes first.
        negative = self.base.cdf(np.zeros(1))[0]
        return np.asarray(np.where(np.signbit(t), negative - chance, negative + 1 - chance))

    def pdf(self, t: Floats) -> Floats:
        """Density."""
        away = np.where(t == 0, _TINY, t)
        root = np.copysign(np.abs(away) ** (1 / self.power), away)
        with np.errstate(over="ignore"):
            return np.asarray(self.base.pdf(root) * np.abs(root / (self.power * away)))

    def ppf(self, q: Floats) -> Floats:
        """Quantile."""
        if self.power < 0:
            negative = self.base.cdf(np.zeros(1))[0]
            q = np.where(q < negative, negative - q, 1 - (q - negative))
        with np.errstate(divide="ignore", over="ignore"):
            return np.asarray(self.base.ppf(q) ** self.power)

    def describe(self) -> str:
        """As in a caption."""
        return f"{self.base.describe()}^{self.power}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Gamma:
    """Gamma with a shape and a scale; its mean is shape times scale."""

    name: ClassVar[str] = "gamma"
    solvable: ClassVar[str] = "scale"
    shape: float
    scale: float

    def __post_init__(self) -> None:
        check_positive(self.shape, "shape", way_out="2 is the shape of the published design")
        check_positive(self.scale, "scale", way_out="it is the mean divided by the shape")

    def draw(self, rng: np.random.Generator, shape: Shape) -> Floats:
        """Independent scores."""
        return rng.gamma(self.shape, self.scale, shape)

    def cdf(self, t: Floats) -> Floats:
        """Chance of at most t."""
        return np.asarray(gammainc(self.shape, np.maximum(t, 0.0) / self.scale))

    def pdf(self, t: Floats) -> Floats:
        """Density."""
        inside = np.maximum(t, _TINY) / self.scale
        height = np.exp((self.shape - 1) * np.log(inside) - inside - gammaln(self.shape)) / self.scale
        return np.where(t > 0, height, 0.0)

    def ppf(self, q: Floats) -> Floats:
        """Quantile."""
        return np.asarray(self.scale * gammaincinv(self.shape, q))

    def describe(self) -> str:
        """As in a caption."""
        return f"Gamma({self.shape:g}, scale {self.scale:g})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mixture:
    """Each score is drawn from one of several normals; ``shift`` is added to all of their means."""

    name: ClassVar[str] = "mixture"
    solvable: ClassVar[str] = "shift"
    means: tuple[float, ...]
    variances: tuple[float, ...]
    weights: tuple[float, ...]
    shift: float = 0.0

    def __post_init__(self) -> None:
        lengths = {name: len(getattr(self, name)) for name in ("means", "variances", "weights")}
        if min(lengths.values()) == 0 or len(set(lengths.values())) > 1:
            raise InputError(
                "",
                "means, variances and weights of a mixture must be of one length",
                Words(lengths),
                "write one number per component",
            )
        for mean in (self.shift, *self.means):
            _check_finite(mean, "mean")
        for variance in self.variances:
            _check_variance(variance, "variances")
        if any(not weight > 0 for weight in self.weights) or abs(sum(self.weights) - 1) > 1e-9:
            raise InputError(
                "",
                "weights of a mixture must be above 0 and add up to 1",
                Words(f"{list(self.weights)}"),
                "write for instance [0.5, 0.5]",
            )

    def components(self) -> list[tuple[float, NormalModel]]:
        """Weight and distribution of each component."""
        parts = zip(self.weights, self.means, self.variances, strict=True)
        return [(w, NormalModel(mean=m + self.shift, variance=v)) for w, m, v in parts]

    def draw(self, rng: np.random.Generator, shape: Shape) -> Floats:
        """Independent scores: first which component, then the score."""
        which = np.searchsorted(np.cumsum(self.weights)[:-1], rng.random(shape), side="right")
        means, sds = np.asarray(self.means) + self.shift, np.sqrt(self.variances)
        return np.asarray(means[which] + sds[which] * rng.standard_normal(shape))

    def cdf(self, t: Floats) -> Floats:
        """Chance of at most t."""
        return np.asarray(np.sum([w * part.cdf(t) for w, part in self.components()], axis=0))

    def pdf(self, t: Floats) -> Floats:
        """Density."""
        return np.asarray(np.sum([w * part.pdf(t) for w, part in self.components()], axis=0))

    def ppf(self, q: Floats) -> Floats:
        """Quantile, by bisection between the extreme quantiles of the components."""
        ends = [part.ppf(q) for _, part in self.components()]
        low, high = np.min(ends, axis=0), np.max(ends, axis=0)
        for _ in range(100):
            with np.errstate(invalid="ignore"):
                middle = low + (high - low) / 2
                below = self.cdf(middle) < q
            low, high = np.where(below, middle, low), np.where(below, high, middle)
        return np.asarray(high)

    def describe(self) -> str:
        """As in a caption."""
        return " + ".join(f"{w:g} {part.describe()}" for w, part in self.components())


DISTRIBUTIONS: dict[str, type[NormalModel] | type[LogNormal] | type[PowerNormal] | type[Gamma] | type[Mixture]] = {
    kind.name: kind for kind in (NormalModel, LogNormal, PowerNormal, Gamma, Mixture)
}


def area_between(positive: ScoreModel, negative: ScoreModel) -> float:
    r"""The area P(X > Y) under the ROC curve of two continuous score distributions.

    Between two normals :math:`\Phi((\mu_X - \mu_Y)/\sqrt{\sigma_X^2 + \sigma_Y^2})`; mixtures add up such terms; the
    logarithm leaves the area as it is; between two gammas it is the beta function ratio
    :math:`I_{s_X/(s_X+s_Y)}(k_Y, k_X)` of their scales s and shapes k. Any other pair is integrated numerically,
    :math:`\int_0^1 G(F^{-1}(q))\,dq`, to about ten digits.

    >>> x, y = Gamma(shape=2, scale=4.107249542), Gamma(shape=2, scale=1)
    >>> round(area_between(x, y), 9)
    0.9
    """
    if isinstance(positive, LogNormal) and isinstance(negative, LogNormal):
        return area_between(positive.base, negative.base)
    if isinstance(positive, Gamma) and isinstance(negative, Gamma):
        share = positive.scale / (positive.scale + negative.scale)
        return float(betainc(negative.shape, positive.shape, share))
    parts = _normal_parts(positive), _normal_parts(negative)
    if parts[0] and parts[1]:
        return sum(
            w * v * float(ndtr((x.mean - y.mean) / math.sqrt(x.variance + y.variance)))
            for w, x in parts[0]
            for v, y in parts[1]
        )

    ends = [0.0, 1.0]
    if isinstance(positive, PowerNormal) or isinstance(negative, PowerNormal):
        ends.insert(1, float(positive.cdf(np.zeros(1))[0]))  # at 0 a power is upright, or jumps from -inf to inf
    return sum(_piece(positive, negative, low, high) for low, high in itertools.pairwise(ends))


def _piece(positive: ScoreModel, negative: ScoreModel, low: float, high: float) -> float:
    width = high - low

    def chance(share: Floats, rest: Floats) -> Floats:
        q = np.where(share < 0.5, low + width * share, high - width * rest)
        inside = (q > low) & (q < high)  # beyond the last number between them nothing is left to count
        return np.where(inside, negative.cdf(positive.ppf(np.where(inside, q, low + width / 2))), 0.0)

    return width * integrate_unit(chance).value if width > 0 else 0.0


def _normal_parts(distribution: ScoreModel) -> Sequence[tuple[float, NormalModel]]:
    if isinstance(distribution, NormalModel):
        return [(1.0, distribution)]
    return distribution.components() if isinstance(distribution, Mixture) else []
