"""Figures of a classifier bench: its curves and areas, and the hulls of detectors and combiners in one picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from roclab._core.checks import check_choice
from roclab._core.figure_file import check_figure_place, is_figure_file
from roclab.errors import InputError, Words, named
from roclab.names import BENCH_FIGURES, BenchFigure
from roclab.plots.by_name import figure
from roclab.plots.canvas import new_axes
from roclab.plots.hull import draw_hulls
from roclab.plots.picture import Picture, picture_of

if TYPE_CHECKING:
    from roclab.analysis.bench.result import Bench

__all__ = ["plot_bench"]


def plot_bench(
    bench: Bench,
    kind: BenchFigure | str | Path = "roc",
    *,
    models: str | Sequence[str] | None = None,
    balance: str | Sequence[str] | None = None,
    **options: Any,
) -> Picture:
    """Draw a figure of all models, or of some of them and some of the balances that were run.

    "roc", "troc", "precision_recall", "det", "cost", "distribution", "comparison", "differences", "forest" and "hull"
    are the figures of the same name over all out-of-fold scores; "hulls" compares the hulls of the detectors, of their
    combinations, and of both; "folds" averages the curves of the splits of one ``model``, by default the first;
    "inside" draws the decision tree, or the nomogram of the logistic model, that ``models`` names.
    """
    if is_figure_file(kind):
        check_figure_place(kind, name="plot")
        return plot_bench(bench, models=models, balance=balance, **options).saved(kind)
    check_choice(str(kind), "kind", BENCH_FIGURES)
    if kind == "inside":
        names = [models] if isinstance(models, str) else list(models or ())
        if len(names) != 1 or balance is not None:
            raise InputError("models", f"must name one model for {named('kind', 'inside')}",
                             Words(" and ".join(names) or "none"), "write models='tree' for instance")  # fmt: skip
        picture: Picture = bench.inside(names[0]).plot(**options)
        return picture
    if kind in ("hulls", "folds"):
        for word, value in (("models", models), ("balance", balance)):
            if value is not None:
                rule = "compares all models" if kind == "hulls" else f"shows one model, by {named('model')}"
                raise InputError(word, f"has no part in the figure {kind!r}, which {rule}", value, "leave it out")
    if kind == "hulls":
        tables = bench.hulls()
        ax = draw_hulls(tables, new_axes(), **options)
        return picture_of("hulls", ax, tuple(tables.values()))
    if kind == "folds":
        model = bench.known(options.pop("model", bench.models[0]))
        return figure("average", bench.fold_scores(model), **options)
    name: Any = {"precision_recall": "pr"}.get(str(kind), kind)
    return figure(name, bench.scores.select(list(bench.chosen(models, balance))), **options)
