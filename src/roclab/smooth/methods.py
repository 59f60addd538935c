"""The table of smooth curves: every name a user can ask for, and what fits it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from roclab._core.checks import check_choice
from roclab.data.tally import Tally
from roclab.smooth.binormal import fit_binormal
from roclab.smooth.box_cox import fit_box_cox
from roclab.smooth.exponential import fit_exponential
from roclab.smooth.families import FAMILIES
from roclab.smooth.fitted import fit_fitted
from roclab.smooth.kernel import BandwidthRule, fit_kernel
from roclab.smooth.log_concave import fit_log_concave, fit_smoothed_log_concave
from roclab.smooth.model import SmoothRoc
from roclab.smooth.normal import fit_normal
from roclab.smooth.pareto import fit_pareto

__all__ = ["SMOOTH_METHODS", "SmoothMethod", "smooth_method"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SmoothMethod:
    """One smooth curve: its name, what it is, and how it is fitted."""

    name: str
    description: str
    fit: Callable[[Tally], SmoothRoc]


_KERNELS: tuple[tuple[BandwidthRule, str, str], ...] = (
    ("k1", "K1", "Zou's bandwidths"),
    ("k2", "K2", "plug-in bandwidths over root 2"),
    ("k2opt", "K2opt", "plug-in bandwidths"),
)

SMOOTH_METHODS: dict[str, SmoothMethod] = {
    row.name: row
    for row in (
        SmoothMethod(name="normal", description="both classes normal (N)", fit=fit_normal),
        SmoothMethod(
            name="box_cox", description="both classes normal after one Box-Cox transform (NT)", fit=fit_box_cox
        ),
        *(
            SmoothMethod(
                name=f"kernel_{rule}{'_box_cox' if transform else ''}",
                description=f"normal kernels, {words}{' after a Box-Cox transform' if transform else ''} ({letters}"
                f"{'T' if transform else ''})",
                fit=partial(fit_kernel, rule=rule, box_cox=transform),
            )
            for transform in (False, True)
            for rule, letters, words in _KERNELS
        ),
        SmoothMethod(
            name="binormal", description="binormal by maximum likelihood on ranks or ratings (RC)", fit=fit_binormal
        ),
        SmoothMethod(
            name="log_concave", description="log-concave densities of highest likelihood", fit=fit_log_concave
        ),
        SmoothMethod(
            name="log_concave_smoothed",
            description="log-concave densities, smoothed to the variance of the scores",
            fit=fit_smoothed_log_concave,
        ),
        SmoothMethod(
            name="exponential", description="England's exponential curve through the vertices", fit=fit_exponential
        ),
        SmoothMethod(name="pareto", description="Pareto scores in both classes", fit=fit_pareto),
        *(
            SmoothMethod(
                name=f"fitted_{family}",
                description=f"{family} distributions fitted to both classes",
                fit=partial(fit_fitted, family=family),
            )
            for family in FAMILIES
        ),
    )
}


def smooth_method(name: str) -> SmoothMethod:
    """The row of a name; an unknown one lists all.

    >>> smooth_method("kernel_k1").description
    "normal kernels, Zou's bandwidths (K1)"
    """
    check_choice(name, "method", SMOOTH_METHODS)
    return SMOOTH_METHODS[name]
