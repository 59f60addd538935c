"""A trained model: the signal space, the network, and what they were learnt from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from roclab._core.text import text_table
from roclab._core.types import Array, Floats, frozen
from roclab.imaging.dce.network import Network
from roclab.imaging.dce.signal_space import SignalSpace
from roclab.imaging.research import RESEARCH
from roclab.results import Result

__all__ = ["DataPlane", "DceModel", "TrainingCase"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingCase:
    """What one case gave to training."""

    name: str
    positives: int
    negatives: int
    digest: str = ""  # of its images; "" in files of earlier versions


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DataPlane:
    """A plane through the signal space: training points on it, and the network's confidence all over it."""

    x: Floats
    y: Floats
    confidence: Floats  # (y, x)
    positives: Floats  # (n, 2)
    negatives: Floats
    names: tuple[str, str]
    share: float  # of the variance of the training points that lies in the plane


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DceModel(Result):
    """From curves to confidences.

    ``space`` makes points of curves, ``network`` confidences of points; ``cases`` says what was learnt from. A few
    training points (``positives``, ``negatives``) are kept to draw the data space.
    """

    space: SignalSpace
    network: Network
    classifier: str
    cases: tuple[TrainingCase, ...]
    margin: float  # mm around the label from which nothing was learnt
    ratio: float
    loss: Floats
    positives: Array  # (n, d) float32
    negatives: Array
    seed: str
    notes: tuple[str, ...] = ()
    about: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for one in (self.loss, self.positives, self.negatives):
            frozen(one)

    @property
    def grid(self) -> Floats:
        """Seconds after arrival at which curves are read."""
        return self.space.grid

    def rows(self) -> list[dict[str, Any]]:
        """One row per training case."""
        return [{"case": case.name, "positives": case.positives, "negatives": case.negatives} for case in self.cases]

    def to_dict(self) -> dict[str, Any]:
        """Everything but the weights."""
        return {
            "classifier": self.classifier, "hidden": list(self.network.hidden),
            "transformation": self.space.transformation, "grid": self.grid.tolist(), "cases": self.rows(),
            "margin": self.margin, "ratio": self.ratio, "seed": self.seed, "passes": int(self.loss.size),
            "notes": list(self.notes),
        }  # fmt: skip

    def __str__(self) -> str:
        units = " x ".join(map(str, self.network.hidden))
        kind = f"network with hidden layers of {units}" if units else "logistic regression"
        grid = ", ".join(f"{one:g}" for one in self.grid)
        about = [
            f"{kind} on {self.space.transformation} curves at {grid} s after arrival",
            f"negatives {self.margin:g} mm and more from the labels; seed {self.seed}",
        ]
        return "\n".join([*about, "", text_table(self.rows()), *self.notes, RESEARCH])

    def plot(self, to: Any = None, /, **looks: Any) -> Any:
        """The data space with the decision function; the name of a file as ``to`` also writes it."""
        import importlib

        return importlib.import_module("roclab.plots.dce").plot_data_space(self, to, **looks)

    def plane(self, points: int = 120) -> DataPlane:
        """The plane of the first two principal directions of the kept training points, through their mean."""
        every = np.concatenate([self.positives, self.negatives]).astype(np.float64)
        middle = every.mean(axis=0)
        if every.shape[1] == 1:
            axes, share = np.array([[1.0], [0.0]]), 1.0
        else:
            spread, turned = np.linalg.eigh((every - middle).T @ (every - middle))
            axes = turned[:, ::-1][:, :2].T
            axes = axes * np.where(axes.sum(axis=1) < 0, -1.0, 1.0)[:, None]
            share = float(spread[::-1][:2].sum() / spread.sum())
        ends = (every - middle) @ axes.T
        low, high = np.quantile(ends, [0.002, 0.998], axis=0)
        pad = 0.05 * (high - low) + 1e-9
        x, y = (np.linspace(low[k] - pad[k], high[k] + pad[k], points) for k in (0, 1))
        across, up = np.meshgrid(x, y)
        spots = middle + np.column_stack([across.ravel(), up.ravel()]) @ axes
        return DataPlane(
            x=x, y=y, confidence=self.network.confidence(spots).reshape(points, points),
            positives=(self.positives - middle) @ axes.T, negatives=(self.negatives - middle) @ axes.T,
            names=("first principal direction", "second principal direction"), share=share,
        )  # fmt: skip
