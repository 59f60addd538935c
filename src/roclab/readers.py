"""Multi-reader multi-case (MRMC) studies: analysis, sample size, simulation."""

from roclab._core.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
