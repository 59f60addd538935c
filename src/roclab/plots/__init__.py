"""Figures: ``draw_*(result, ax)`` takes a finished result and draws it; nothing is computed here.

>>> import roclab as rl
>>> from roclab.plots import draw_roc, new_axes
>>> r = rl.roc([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.4, 0.2])
>>> ax = draw_roc(r.curve, new_axes(), area=r.auc(), label="marker")
>>> ax.get_legend().get_texts()[0].get_text()
'marker, AUC 0.8889 (0.3713 to 0.9906)'

Functions draw on any axes, of ``matplotlib.pyplot`` too. :func:`new_axes` makes ones with the theme of this room and
of a printed width, :func:`save_figure` writes them.

``draw_*(result, ax)``: finished results in, Axes out; ``by_name`` and ``recipes/`` draw any figure from data;
``legend`` finds a place for the legend, ``words`` has the digits.
"""

from __future__ import annotations

from roclab.errors import MissingExtraError

try:
    import matplotlib  # noqa: F401 - only to say how to install it
except ImportError:
    raise MissingExtraError(library="matplotlib", extra="plots", purpose="drawing a figure") from None

from roclab.plots.average import draw_average
from roclab.plots.by_name import figure
from roclab.plots.calibration import draw_calibration, draw_group_calibrations
from roclab.plots.canvas import new_axes
from roclab.plots.cdf import draw_cdf
from roclab.plots.clusters import draw_classes, draw_matched, draw_objective, draw_penalty
from roclab.plots.combination import draw_combination
from roclab.plots.comparison import draw_comparison
from roclab.plots.cost import draw_cost
from roclab.plots.decision import draw_decision
from roclab.plots.densities import draw_densities, draw_design
from roclab.plots.det import draw_det
from roclab.plots.distribution import draw_distribution
from roclab.plots.dominance import draw_crossings, draw_pareto, draw_paretos
from roclab.plots.forest import draw_differences, draw_forest
from roclab.plots.froc import draw_afroc, draw_froc
from roclab.plots.gain import draw_gain, draw_lift
from roclab.plots.hull import draw_hull, draw_hulls
from roclab.plots.iso import draw_iso
from roclab.plots.lc_index import draw_lc_index
from roclab.plots.likelihood import draw_likelihood_ratios
from roclab.plots.metrics import draw_metrics
from roclab.plots.model_based import draw_model_based
from roclab.plots.model_tree import draw_model_tree
from roclab.plots.multiclass import draw_class_pairs, draw_multiclass
from roclab.plots.nomogram import draw_nomogram
from roclab.plots.over_time import (
    draw_areas_over_time,
    draw_differences_over_time,
    draw_incidence,
    draw_states_over_time,
)
from roclab.plots.picture import Picture
from roclab.plots.plan import draw_plan
from roclab.plots.precision_recall import draw_precision_recall
from roclab.plots.predictive import draw_fagan, draw_predictive_values
from roclab.plots.rates import draw_gaps, draw_group_rates, draw_rate_differences, draw_rate_ratios, draw_rates
from roclab.plots.readers import (
    draw_components,
    draw_interaction,
    draw_reader_forest,
    draw_reader_plan,
    draw_readers,
)
from roclab.plots.risk_coverage import draw_risk_coverage
from roclab.plots.roc import draw_roc, draw_rocs
from roclab.plots.saving import save_figure
from roclab.plots.smooth import draw_smooth
from roclab.plots.stability import draw_stability
from roclab.plots.study import draw_study
from roclab.plots.trade_off import draw_trade_off
from roclab.plots.troc import draw_troc
from roclab.plots.walk import draw_walk

__all__ = [
    "draw_afroc",
    "draw_areas_over_time",
    "draw_average",
    "draw_calibration",
    "draw_cdf",
    "draw_class_pairs",
    "draw_classes",
    "draw_combination",
    "draw_comparison",
    "draw_components",
    "draw_cost",
    "draw_crossings",
    "draw_decision",
    "draw_densities",
    "draw_design",
    "draw_det",
    "draw_differences",
    "draw_differences_over_time",
    "draw_distribution",
    "draw_fagan",
    "draw_forest",
    "draw_froc",
    "draw_gain",
    "draw_gaps",
    "draw_group_calibrations",
    "draw_group_rates",
    "draw_hull",
    "draw_hulls",
    "draw_incidence",
    "draw_interaction",
    "draw_iso",
    "draw_lc_index",
    "draw_lift",
    "draw_likelihood_ratios",
    "draw_matched",
    "draw_metrics",
    "draw_model_tree",
    "draw_model_based",
    "draw_multiclass",
    "draw_nomogram",
    "draw_objective",
    "draw_pareto",
    "draw_paretos",
    "draw_penalty",
    "draw_plan",
    "draw_precision_recall",
    "draw_predictive_values",
    "draw_rate_differences",
    "draw_rate_ratios",
    "draw_rates",
    "draw_reader_forest",
    "draw_reader_plan",
    "draw_readers",
    "draw_risk_coverage",
    "draw_roc",
    "draw_rocs",
    "draw_smooth",
    "draw_stability",
    "draw_states_over_time",
    "draw_study",
    "draw_trade_off",
    "draw_troc",
    "draw_walk",
    "figure",
    "new_axes",
    "Picture",
    "save_figure",
]
