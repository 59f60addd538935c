"""What a table of examples can call: functions of the library as they are, and the small ones beside this file."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from roclab.areas.empirical import auc, gini, optimistic_auc, pessimistic_auc, trapezoid
from roclab.areas.partial import partial_area
from roclab.areas.tauc import t2auc, t2auc_as_published, tauc, tauc_indicator
from roclab.curves.hull import hull_of_curve
from roclab.curves.roc import roc_curve
from roclab.decisions.iso_performance import equal_cost_slope, iso_value
from roclab.inference.one_area.area_tests import auc_test
from roclab.inference.one_area.delong import delong_variance
from roclab.inference.one_area.hanley_mcneil import correlation_of_areas, empirical_q_se, hanley_mcneil_se, null_se
from roclab.inference.one_area.spss import spss_area
from roclab.smooth.binormal import fit_binormal
from roclab.smooth.box_cox import fit_box_cox
from roclab.smooth.exponential import exponential_area, exponential_tpr
from roclab.smooth.kernel import fit_kernel
from roclab.smooth.pareto import pareto_area
from roclab.studies.catalogue import as_printed, images, of_curves, of_samples, of_tables

__all__ = ["RUNNERS"]

_LIBRARY: tuple[Callable[..., Any], ...] = (
    auc, auc_test, correlation_of_areas, delong_variance, empirical_q_se, equal_cost_slope, exponential_area,
    exponential_tpr, fit_binormal, fit_box_cox, fit_kernel, gini, hanley_mcneil_se, hull_of_curve,
    iso_value, null_se, optimistic_auc, pareto_area, partial_area, pessimistic_auc, roc_curve, spss_area, t2auc,
    t2auc_as_published, tauc, tauc_indicator, trapezoid,
)  # fmt: skip


def _named(prefix: str, module: ModuleType) -> dict[str, Callable[..., Any]]:
    return {prefix + name: getattr(module, name) for name in module.__all__}


RUNNERS: dict[str, Callable[..., Any]] = {
    **{one.__name__: one for one in _LIBRARY},
    **_named("", of_curves),
    **_named("", of_samples),
    **_named("", of_tables),
    **_named("", images),
    **_named("as_printed.", as_printed),
}
