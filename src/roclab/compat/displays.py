"""Displays with scikit-learn's ways in: ``from_predictions``, ``from_estimator``, ``from_cv_results``, ``.plot(ax=…)``.

They compute and draw with roclab: ties, weights and intervals are handled as everywhere else, thresholds are kept, and
the legend shows the area with its interval. Import them from here::

    from roclab.compat.displays import RocDisplay

    RocDisplay.from_estimator(model, X_test, y_test)

Drawing needs matplotlib: ``pip install "roclab[plots]"``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from roclab._core.text import format_number
from roclab.analysis.roc import Roc, roc
from roclab.compat.calibration_display import CalibrationDisplay, display_bundle, last_curve
from roclab.compat.responses import Fold, ResponseMethod, folds_of, scores_of
from roclab.curves.det import det_curve
from roclab.curves.precision_recall import precision_recall_curve
from roclab.curves.roc import RocCurve
from roclab.errors import InputError, Words
from roclab.results import AreaEstimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["CalibrationDisplay", "DetDisplay", "PrecisionRecallDisplay", "RocDisplay"]

Styles = Mapping[str, Any] | Sequence[Mapping[str, Any]] | None


class _Curves:
    """What displays of curves share: one curve, or one per fold, with areas, a name and the positive class."""

    quantity = "AUC"

    def __init__(
        self,
        curves: Sequence[RocCurve],
        *,
        areas: Sequence[AreaEstimate] | None = None,
        name: str | None = None,
        pos_label: Any = None,
    ) -> None:
        if not curves:
            raise InputError("curves", "must hold at least one curve", Words("none"), "give predictions or folds")
        self.curves = tuple(curves)
        self.areas = None if areas is None else tuple(areas)
        self.name, self.pos_label = name, pos_label
        self.ax_: Any = None
        self.figure_: Any = None
        self.line_: Any = None

    @classmethod
    def _of(cls, rocs: Sequence[Roc], *, drop_intermediate: bool, **facts: Any) -> Any:
        curves = [curve.walked("expected", drop_collinear=True) if drop_intermediate else curve.curve for curve in rocs]
        return cls(curves, areas=[cls._area(curve) for curve in rocs], **facts)

    @staticmethod
    def _area(one: Roc) -> AreaEstimate:
        return one.auc()

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_score: Any,
        *,
        sample_weight: Any = None,
        drop_intermediate: bool = True,
        pos_label: Any = None,
        name: str | None = "Classifier",
        ax: Axes | None = None,
        **looks: Any,
    ) -> Any:
        """Draw the curve of labels and scores; ``looks`` go to :meth:`plot`."""
        curve = roc(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
        shown = cls._of([curve], drop_intermediate=drop_intermediate, name=name, pos_label=pos_label)
        return shown.plot(ax, **looks)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        response_method: ResponseMethod = "auto",
        pos_label: Any = None,
        name: str | None = None,
        **options: Any,
    ) -> Any:
        """Draw the curve of a fitted classifier; options as in :meth:`from_predictions`."""
        score, positive = scores_of(estimator, X, pos_label=pos_label, response_method=response_method)
        called = type(estimator).__name__ if name is None else name
        return cls.from_predictions(y, score, pos_label=positive, name=called, **options)

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Any,
        X: Any,
        y: Any,
        *,
        sample_weight: Any = None,
        drop_intermediate: bool = True,
        response_method: ResponseMethod = "auto",
        pos_label: Any = None,
        name: str | None = None,
        ax: Axes | None = None,
        **looks: Any,
    ) -> Any:
        """Draw one curve per fold of ``cross_validate(…, return_estimator=True, return_indices=True)``."""
        asked: dict[str, Any] = {"pos_label": pos_label, "response_method": response_method}
        folds = list(folds_of(cv_results, X, y, sample_weight=sample_weight, **asked))
        found = [_roc_of(fold) for fold in folds]
        positive = folds[0].pos_label if folds else pos_label
        shown = cls._of(found, drop_intermediate=drop_intermediate, name=name, pos_label=positive)
        return shown.plot(ax, **looks)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: str | None = None,
        curve_kwargs: Styles = None,
        despine: bool = False,
        **options: Any,
    ) -> Any:
        """Draw on ``ax``, or on new axes; returns the display, with ``ax_``, ``figure_`` and ``line_`` set.

        Several curves are drawn thin with one entry in the legend, or, with one of ``curve_kwargs`` for each of them,
        with an entry each. ``options`` go to the function of ``roclab.plots`` that draws the curve.
        """
        from roclab.plots import new_axes

        drawn = getattr(ax, "ax", ax)  # a picture's
        self.ax_ = new_axes() if drawn is None else drawn
        self.figure_ = self.ax_.get_figure()
        called = self.name if name is None else name
        styles = _styles(curve_kwargs, len(self.curves))
        lines = []
        for at, curve in enumerate(self.curves):
            own = dict(styles[at])
            entry, area = called, None if self.areas is None else self.areas[at]
            if len(self.curves) > 1 and not isinstance(curve_kwargs, Sequence):
                own = {"color": "#0072B2", "linestyle": "-", "linewidth": 0.7, "alpha": 0.6} | own
                entry, area = None, None
            before = len(self.ax_.get_lines())
            self._draw(curve, area, entry, own, options)
            lines.append(last_curve(self.ax_.get_lines()[before:]))
        if len(lines) > 1 and not isinstance(curve_kwargs, Sequence):
            lines[0].set_label(self._of_all(called))
            self._legend()
        self.line_ = lines[0] if len(lines) == 1 else lines
        if despine:
            for side in ("top", "right"):
                self.ax_.spines[side].set_visible(False)
        return self

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        return display_bundle(self, include)

    def _draw(self, curve: RocCurve, area: Any, label: str | None, line: Any, options: Any) -> None:
        raise NotImplementedError  # pragma: no cover - every display draws its own curve

    def _of_all(self, name: str | None) -> str:
        words = f"{len(self.curves)} folds"
        if self.areas is not None:
            values = [area.area for area in self.areas]
            spread = f"(sd {format_number(float(np.std(values, ddof=1)))})"
            words = f"{words}, mean {self.quantity} {format_number(float(np.mean(values)))} {spread}"
        from roclab.plots.theme import plain_text

        return words if name is None else f"{plain_text(name)}, {words}"

    def _legend(self) -> None:
        from roclab.plots.legend import add_legend

        add_legend(self.ax_)

    def _each(self, values: Iterable[Any]) -> Any:
        found = list(values)
        return found[0] if len(found) == 1 else found

    @staticmethod
    def _shown(curve: RocCurve) -> Any:
        """The curve that is drawn."""
        return curve

    def _column(self, name: str) -> Any:
        return self._each(getattr(self._shown(curve), name) for curve in self.curves)

    @property
    def thresholds(self) -> Any:
        """Thresholds of the vertices; a list of arrays for several curves."""
        return self._column("thresholds")

    @property
    def chance_level_(self) -> Any:
        """The line of a score without value, or None."""
        lines = self.ax_.get_lines() if self.ax_ is not None else ()
        return next((line for line in lines if str(line.get_gid()).startswith(("chance", "prevalence"))), None)

    def _values(self) -> Any:
        return None if self.areas is None else self._each(area.area for area in self.areas)


class RocDisplay(_Curves):
    """A ROC curve as an object, like scikit-learn's ``RocCurveDisplay``.

    Attributes are ``fpr``, ``tpr``, ``thresholds``, ``roc_auc``, ``areas`` (with intervals), ``name``, ``pos_label``,
    and after drawing ``ax_``, ``figure_``, ``line_`` and ``chance_level_``.

    >>> shown = RocDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], name="model")
    >>> shown.roc_auc, shown.thresholds.tolist()
    (0.75, [inf, 0.8, 0.4, 0.35, 0.1])
    """

    @property
    def fpr(self) -> Any:
        """False positive rates; a list of arrays for several curves."""
        return self._column("fpr")

    @property
    def tpr(self) -> Any:
        """True positive rates."""
        return self._column("tpr")

    @property
    def roc_auc(self) -> Any:
        """Area under the curve; a list for several."""
        return self._values()

    def _draw(self, curve: RocCurve, area: Any, label: str | None, line: Any, options: Any) -> None:
        from roclab.plots import draw_roc

        given = dict(options)
        chance, looks = given.pop("plot_chance_level", True), given.pop("chance_level_kw", None)
        draw_roc(curve, self.ax_, area=area, label=label, chance=chance, **given, **line)
        if chance and looks:
            self.chance_level_.set(**looks)


class PrecisionRecallDisplay(_Curves):
    """A precision-recall curve as an object; recall rises along ``recall`` and ``precision``.

    Vertices are joined by the steps behind average precision, as scikit-learn joins them.
    """

    quantity = "AP"

    @staticmethod
    def _area(one: Roc) -> AreaEstimate:
        return one.auc("average_precision", interval=None)

    @staticmethod
    def _shown(curve: RocCurve) -> Any:
        return precision_recall_curve(curve)

    @property
    def recall(self) -> Any:
        """Recall of the vertices, rising."""
        return self._column("recall")

    @property
    def precision(self) -> Any:
        """Precision of the vertices."""
        return self._column("precision")

    @property
    def average_precision(self) -> Any:
        """Average precision; a list for several curves."""
        return self._values()

    def _draw(self, curve: RocCurve, area: Any, label: str | None, line: Any, options: Any) -> None:
        from roclab.plots import draw_precision_recall

        given = {"interpolation": "step", "prevalence": options.get("plot_chance_level", True)} | dict(options)
        given.pop("plot_chance_level", None)
        looks = given.pop("chance_level_kw", None)
        draw_precision_recall(self._shown(curve), self.ax_, area=area, label=label, **given, **line)
        level = self.chance_level_
        if level is not None and looks:
            level.set(**looks)


class DetDisplay(_Curves):
    """A detection error trade-off curve as an object, on normal-deviate axes."""

    @staticmethod
    def _shown(curve: RocCurve) -> Any:
        return det_curve(curve)

    @property
    def fpr(self) -> Any:
        """False positive rates of the vertices that have a finite normal deviate."""
        return self._column("fpr")

    @property
    def fnr(self) -> Any:
        """False negative rates."""
        return self._column("fnr")

    def _draw(self, curve: RocCurve, area: Any, label: str | None, line: Any, options: Any) -> None:
        from roclab.plots import draw_det

        draw_det(self._shown(curve), self.ax_, label=label, **options, **line)


def _roc_of(fold: Fold) -> Roc:
    return roc(fold.y_true, fold.y_score, sample_weight=fold.sample_weight, pos_label=fold.pos_label)


def _styles(given: Styles, count: int) -> list[Mapping[str, Any]]:
    if given is None:
        return [{}] * count
    if isinstance(given, Mapping):
        return [given] * count
    if len(given) != count:
        raise InputError(
            "curve_kwargs",
            f"must be one mapping, or one for each of the {count} curves",
            Words(f"{len(given)} of them"),
        )
    return list(given)
