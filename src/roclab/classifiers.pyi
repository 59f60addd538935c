"""Several classifiers in ROC space: who is best for which prevalence and costs, and what they reach together."""

from roclab.analysis.chosen_rules import chain as chain
from roclab.analysis.chosen_rules import hybrid as hybrid
from roclab.analysis.combine import combine as combine
from roclab.analysis.combine import interpolate as interpolate
from roclab.analysis.costs import compare_classifier_costs as compare_classifier_costs
from roclab.analysis.costs import h_measures as h_measures
from roclab.analysis.costs import lc_index as lc_index
from roclab.analysis.hull import best_classifier as best_classifier
from roclab.analysis.hull import hull_contribution as hull_contribution
from roclab.analysis.hull import hull_ranges as hull_ranges
from roclab.analysis.iso import iso_lines as iso_lines
from roclab.analysis.points import dominance as dominance
from roclab.analysis.points import pareto_front as pareto_front
