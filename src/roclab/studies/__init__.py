"""Simulation studies of area estimators, and the printed results they are held against.

Simulation designs and their runner; the catalogue of printed results behind ``roclab reproduce``; ``bench_tables``
trains the classifiers of printed tables again.
"""

from roclab._core.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
