"""Rank and Kolmogorov tests: do samples come from the same distribution, or from a given one?"""

from roclab.analysis.rank_test import cdf_band as cdf_band
from roclab.analysis.rank_test import kolmogorov as kolmogorov
from roclab.analysis.rank_test import kruskal_wallis as kruskal_wallis
from roclab.analysis.rank_test import mann_whitney as mann_whitney
from roclab.analysis.rank_test import smirnov as smirnov
from roclab.analysis.rank_test import smirnov_of_groups as smirnov_of_groups
