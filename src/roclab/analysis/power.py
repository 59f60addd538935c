"""How many cases does a study need, or what can it show?"""

from __future__ import annotations

from roclab.inference.planning.power import Plan, plan_one_area, plan_two_areas

__all__ = ["Plan", "plan_one_area", "plan_two_areas"]
