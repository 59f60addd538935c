"""What stands wherever a reader could take a result of images for a diagnosis."""

from __future__ import annotations

__all__ = ["RESEARCH"]

RESEARCH = "Research use, not a medical device."
