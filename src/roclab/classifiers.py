"""Several classifiers in ROC space: who is best for which prevalence and costs, and what they reach together."""

from roclab._core.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
