"""How many cases does a study need, or what can it show?"""

from __future__ import annotations

from roclab.inference.planning.power import Plan, plan_one_area, plan_two_areas
from roclab.inference.planning.validation import ValidationPlan, plan_validation
from roclab.inference.planning.widths import WidthPlan, plan_area_width, plan_rate_widths

__all__ = [
    "Plan", "ValidationPlan", "WidthPlan", "plan_area_width", "plan_one_area", "plan_rate_widths", "plan_two_areas",
    "plan_validation",
]  # fmt: skip
