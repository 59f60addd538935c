"""How many cases a study needs, or what it can show."""

from roclab.analysis.pilot import plan_from_pilot as plan_from_pilot
from roclab.analysis.power import plan_area_width as plan_area_width
from roclab.analysis.power import plan_one_area as plan_one_area
from roclab.analysis.power import plan_rate_widths as plan_rate_widths
from roclab.analysis.power import plan_two_areas as plan_two_areas
from roclab.analysis.power import plan_validation as plan_validation
