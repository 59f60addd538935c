"""roclab: ROC analysis from the first curve to the final decision.

>>> import roclab as rl
>>> rl.auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).area
0.75

The verbs of the core stand here; sub-modules have the rest: ``classifiers`` (several in ROC space), ``imaging``,
``planning``, ``ranks``, ``readers``, ``plots``, ``results`` (every type of an answer), ``studies``, ``datasets``,
``errors`` and ``names``. Everything is imported when first used, so that ``import roclab`` costs next to nothing.
"""

from roclab._core.lazy import attach
from roclab._elsewhere import elsewhere

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = attach(__name__, __file__, also=("__version__",), elsewhere=elsewhere)
