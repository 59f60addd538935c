"""Images: detectors of lesions, and how good they are. Research use, not a medical device."""

from roclab._core.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
