"""Region: which part of the curve an area is taken from, and on which scale."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, TypedDict

from roclab._core.checks import check_choice, check_range
from roclab.errors import InputError, Words, named
from roclab.names import STANDARDS, Standard
from roclab.options.group import Group, group

__all__ = ["WHOLE", "Range", "Region", "RegionKeywords"]

Range: TypeAlias = tuple[float, float]


class RegionKeywords(TypedDict, total=False):
    """A part of the curve, or all of it."""

    fpr: Range | None
    tpr: Range | None
    standardize: Standard | None


_WORDS = {
    "fpr": "Only this range of false positive rates: a partial area.",
    "tpr": "Only this range of true positive rates: a partial area.",
    "standardize": """Scale of a partial area.

- "none" (default): the area itself
- "width": divided by the width of the range
- "jiang": divided by the largest possible area in a range of sensitivities (Jiang 1996)
- "mcclish": 1/2 for chance and 1 for a perfect score (McClish 1989)""",
}


@group(RegionKeywords, _WORDS)
@dataclass(frozen=True, kw_only=True)
class Region(Group):
    """A part of the curve; ``given`` is false for all of it."""

    fpr: Range | None = None
    tpr: Range | None = None
    standardize: Standard | None = None

    def __post_init__(self) -> None:
        for name in ("fpr", "tpr"):
            bounds = getattr(self, name)
            if bounds is not None:
                object.__setattr__(self, name, check_range(bounds, name))
        if self.standardize is None:
            return
        check_choice(self.standardize, "standardize", STANDARDS)
        if self.standardize != "none" and not self.given:
            raise InputError(
                "standardize", "is for partial areas", Words("no range"),
                f"give {named('fpr')} or {named('tpr')} as well",
            )  # fmt: skip

    @property
    def given(self) -> bool:
        """True when a range restricts the area."""
        return self.fpr is not None or self.tpr is not None

    @property
    def scale(self) -> Standard:
        """The scale of the partial area, by default its own."""
        return self.standardize or "none"


WHOLE = Region()  # the whole curve
