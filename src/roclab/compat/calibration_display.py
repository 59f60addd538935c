"""A reliability diagram as an object with scikit-learn's ways in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from roclab._core.types import Floats
from roclab.analysis.roc import roc
from roclab.compat.responses import scores_of
from roclab.decisions.calibration import Calibration

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["CalibrationDisplay", "display_bundle", "last_curve"]


class CalibrationDisplay:
    """A reliability diagram as an object: ``prob_true``, ``prob_pred``, and ``calibration`` with all numbers.

    >>> shown = CalibrationDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.3, 0.6, 0.9], n_bins=2)
    >>> shown.prob_true.tolist(), shown.prob_pred.tolist()
    ([0.0, 1.0], [0.2, 0.75])
    """

    def __init__(self, calibration: Calibration, *, name: str | None = None, pos_label: Any = None) -> None:
        self.calibration, self.name, self.pos_label = calibration, name, pos_label
        self.ax_: Any = None
        self.figure_: Any = None
        self.line_: Any = None

    @property
    def prob_true(self) -> Floats:
        """Observed share of positives in each bin."""
        return np.array([one.observed for one in self.calibration.bins])

    @property
    def prob_pred(self) -> Floats:
        """Mean prediction in each bin."""
        return np.array([one.predicted for one in self.calibration.bins])

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_prob: Any,
        *,
        n_bins: int = 5,
        strategy: str = "uniform",
        sample_weight: Any = None,
        pos_label: Any = None,
        name: str | None = "Classifier",
        ax: Axes | None = None,
        ref_line: bool = True,
        **line: Any,
    ) -> CalibrationDisplay:
        """From labels and predicted probabilities; ``strategy`` is "uniform" (width) or "quantile" (count)."""
        binning: Any = {"uniform": "width", "quantile": "count"}.get(strategy, strategy)
        curve = roc(y_true, y_prob, sample_weight=sample_weight, pos_label=pos_label)
        return cls(curve.calibration(bins=n_bins, binning=binning), name=name, pos_label=pos_label).plot(
            ax, ref_line=ref_line, **line
        )

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, pos_label: Any = None, name: str | None = None, **options: Any
    ) -> CalibrationDisplay:
        """From a fitted classifier that predicts probabilities."""
        prob, positive = scores_of(estimator, X, pos_label=pos_label, response_method="predict_proba")
        called = type(estimator).__name__ if name is None else name
        return cls.from_predictions(y, prob, pos_label=positive, name=called, **options)

    def plot(
        self, ax: Axes | None = None, *, name: str | None = None, ref_line: bool = True, **line: Any
    ) -> CalibrationDisplay:
        """Draw on ``ax``, or on new axes; ``ref_line`` is the diagonal of perfect calibration."""
        from roclab.plots import draw_calibration, new_axes

        self.ax_ = new_axes() if ax is None else ax
        self.figure_ = self.ax_.get_figure()
        before = len(self.ax_.get_lines())
        called = self.name if name is None else name
        draw_calibration(self.calibration, self.ax_, label=called, diagonal=ref_line, **line)
        self.line_ = last_curve(self.ax_.get_lines()[before:])
        return self

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        return display_bundle(self, include)


def display_bundle(display: Any, include: Any) -> Any:
    """What a notebook shows of a display: its figure, drawn first if nobody has done so."""
    from roclab.plots.shown import mime_bundle

    shown = display if display.ax_ is not None else display.plot()
    return mime_bundle(shown.ax_, repr(display), include)


def last_curve(lines: Sequence[Any]) -> Any:
    """The curve among the lines just drawn: reference lines have an id."""
    return next(line for line in lines if line.get_gid() is None)
