"""Rank and Kolmogorov tests: do samples come from the same distribution, or from a given one?"""

from roclab._core.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
