"""Simulation studies of area estimators, and the printed results they are held against."""

from roclab._core.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
