"""Every type of an answer, and what all of them have in common."""

from roclab._core.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
