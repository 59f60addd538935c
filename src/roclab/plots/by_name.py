"""Figures by name: what each asks the question layer for, and which function draws it.

``figure("roc", y, scores)`` in Python and ``roclab plot --figure roc`` are this one road.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Unpack

from roclab._core.checks import check_choice
from roclab.analysis.auc import are_curves
from roclab.analysis.data import Cases, read_cases, verb
from roclab.analysis.group_areas import group_names
from roclab.errors import InputError, Words, named
from roclab.names import FIGURES, READER_FIGURES, FigureName
from roclab.options.criterion import BenefitKeywords
from roclab.options.data import DataKeywords
from roclab.options.figure import ContentKeywords, Looks, LooksKeywords
from roclab.options.group import given_of
from roclab.options.region import RegionKeywords
from roclab.options.uncertainty import DrawsKeywords, LevelKeywords
from roclab.plots.axes import label_by_specificity
from roclab.plots.canvas import set_words
from roclab.plots.colours import colours_for, with_colours
from roclab.plots.picture import Picture, picture_of
from roclab.plots.recipes import RECIPES, Source, renamed
from roclab.plots.words import digits_shown

__all__ = ["figure", "takes"]

# What curves without cases can show.
_OF_CURVES = ("roc", "troc", "det", "cost", "hull", "pareto", "crossings", "combination", "lc", "smooth")
_READ_THEMSELVES = (
    "multiclass",
    "cdf",
    "design",
    "exponential",
    "penalty",
    "combination",
    *READER_FIGURES,
)  # data of another shape than cases or curves
_IN_ROC_SPACE = (
    "roc", "hull", "pareto", "crossings", "combination", "smooth", "average", "multiclass", "model_based",
    "exponential",
)  # fmt: skip
_WITH_NUMBERS = (
    "roc", "troc", "pr", "smooth", "average", "calibration", "forest", "comparison", "differences", "multiclass", "cdf",
    "combination", "lc", "rates", "gaps", "risk_coverage", "model_based", "likelihood", "predictive", "fagan",
    "distribution", "exponential",
)  # fmt: skip


class FigureKeywords(
    ContentKeywords,
    LooksKeywords,
    RegionKeywords,
    BenefitKeywords,
    LevelKeywords,
    DrawsKeywords,
    DataKeywords,
    total=False,
):
    """Every option of some figure."""


@verb(FigureKeywords, splits=False)
def figure(figure: FigureName, y_true: Any, y_score: Any = None, **asked: Unpack[FigureKeywords]) -> Picture:
    """Draw a figure by its name from data of any shape; the same as ``roclab plot``.

    What belongs to some figures only names them first; with others it is refused.

    Parameters
    ----------
    figure : str
        "roc", "troc", "pr", "det", "cost", "gain", "lift", "hull", "pareto", "crossings", "iso", "smooth", "average",
        "distribution", "box_cox", "likelihood", "predictive", "fagan", "walk", "metrics", "stability", "calibration",
        "decision", "lc",
        "combination", "forest", "comparison", "differences", "rates" (differences at thresholds), "gaps" (between
        groups), "risk_coverage", "model_based", "multiclass", "cdf", "design", "exponential" (England's
        curves, from pairs (E, R)), "penalty" (of robust fuzzy c-means, from its exponent); of reader
        studies "readers", "reader_forest", "interaction" or "components".
    y_true, y_score : arrays, or a table
        As in :func:`roclab.compare`; several scores are drawn together where that makes sense. Or a mapping of names to
        curves, such as :func:`roclab.read_points` returns, whose points are marked. "combination" takes (fpr, tpr)
        points by name, "cdf" one sample; "exponential" pairs (E, R) and "penalty" a number, without any data.

    Returns
    -------
    Picture
        ``.save(path)``, ``.ax`` for further changes, and the numbers that the figure shows.

    Examples
    --------
    >>> from roclab.plots import figure
    >>> shown = figure("roc", [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.4, 0.2], cutoff="youden")
    >>> shown.width_mm, round(shown.numbers[0].estimates[0], 4)
    (85.0, 0.8889)
    """
    check_choice(figure, "figure", FIGURES)
    looks = Looks.of(asked)
    data = given_of(asked, DataKeywords)
    recipe = RECIPES[figure]
    options = _options(figure, recipe, {name: one for name, one in asked.items() if name not in data})
    if looks.specificity_axis and figure not in _IN_ROC_SPACE:
        raise _misplaced("specificity_axis", figure, _IN_ROC_SPACE)
    if looks.digits is not None and figure not in _WITH_NUMBERS:
        raise _misplaced("digits", figure, _WITH_NUMBERS)
    ready = figure in _READ_THEMSELVES or (y_score is None and are_curves(y_true))
    if ready and figure not in (*_READ_THEMSELVES, *_OF_CURVES):
        raise InputError(
            "figure", f"must be one of {', '.join(_OF_CURVES)} for curves", figure, "pass the cases for other figures"
        )
    cases = y_true if ready else read_cases(y_true, y_score, **data)
    source = Source(
        figure=figure,
        data=cases,
        keywords={**data, "scores": y_score} if figure in _READ_THEMSELVES else {},
        names=looks.names,
        size=looks.size,
    )
    if source.folds is not None and figure != "average":
        raise _misplaced("folds", figure, ("average",))
    chosen = colours_for(looks.colors, _curve_names(cases, figure), figure)
    if figure not in _READ_THEMSELVES:
        source = replace(source, data=renamed(cases, looks.names))
    with digits_shown(looks.digits), with_colours(chosen):
        ax, numbers = recipe(source, **options)
    if looks.specificity_axis:
        label_by_specificity(ax, percent=looks.percent)
    set_words(ax, title=looks.title, x_label=looks.x_label, y_label=looks.y_label)
    return picture_of(figure, ax, numbers)


# What is no business of a recipe: its words and its paper, which every figure has, and what is laid over it.
_AROUND = ("size", "title", "names", "colors", "x_label", "y_label", "specificity_axis", "digits")


def _curve_names(data: Any, figure: str) -> list[str]:
    """Names of the curves that colours can be given to; none where the recipe reads the data itself."""
    if figure in _READ_THEMSELVES or figure in ("average", "smooth"):
        return []
    if isinstance(data, Cases):
        return [str(one) for one in (data.names if data.groups is None else group_names(data))]
    return [str(name) for name in data]


def takes(figure: FigureName, keyword: str) -> bool:
    """Whether a figure has this option."""
    return keyword in inspect.signature(RECIPES[figure]).parameters


def _options(figure: str, recipe: Callable[..., Any], asked: dict[str, Any]) -> dict[str, Any]:
    """The options of this figure, by the parameters of its recipe; what is not among them belongs to others."""
    parameters = inspect.signature(recipe).parameters
    for name, value in asked.items():
        nothing = value is None or value is False or (isinstance(value, tuple | list) and not value)
        if name not in parameters and not nothing and name not in _AROUND:
            raise _misplaced(name, figure, tuple(one for one in FIGURES if takes(one, name)))
    return {name: value for name, value in asked.items() if name in parameters}


def _misplaced(name: str, figure: str, figures: tuple[str, ...]) -> InputError:
    others = f" or {' or '.join(figures[1:])}" if len(figures) > 1 else ""
    rule = f"is for {named('figure', figures[0])}{others}"
    return InputError(name, rule, Words(f"it with {figure}"), "leave it out")
