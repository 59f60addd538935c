"""The data of a figure, and what every recipe reads from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from roclab.analysis.area_table import AreaTable, area_table
from roclab.analysis.data import Cases
from roclab.analysis.group_areas import group_names, with_group_names, with_groups_as_scores
from roclab.analysis.roc import Roc, rocs
from roclab.errors import InputError, Words, named
from roclab.names import (
    Estimator,
    FigureName,
    FigureSize,
)
from roclab.plots.canvas import new_axes
from roclab.results import AreaEstimate, Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes


__all__ = ["Drawn", "Names", "Source", "areas_of", "axes_for", "by_name", "one_roc", "renamed", "rocs_of"]

Drawn: TypeAlias = "tuple[Axes, tuple[Result, ...]]"
Names: TypeAlias = Mapping[str, str] | Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What is to be drawn: the data of a figure, and on which paper."""

    figure: FigureName
    data: Any
    keywords: Any
    names: Names | None
    size: FigureSize

    @property
    def folds(self) -> Any:
        """The folds, if the data have any."""
        return self.data.folds if isinstance(self.data, Cases) else self.keywords.get("folds")


# -- what is read ------------------------------------------------------------------------------------


def rocs_of(source: Source) -> dict[str, Roc]:
    """The curves by name."""
    return source.data if isinstance(source.data, dict) else rocs(source.data)


def one_roc(source: Source) -> tuple[str, Roc]:
    """The curve of a figure that shows one."""
    if isinstance(source.data, Cases) and source.data.groups is not None:
        raise InputError(
            "by", f"has no part in {named('figure', source.figure)}, which shows one curve", way_out="leave it out"
        )
    found = source.data if isinstance(source.data, dict) else source.data.names
    if len(found) > 1:
        raise InputError(
            "score",
            f"must name one score for {named('figure', source.figure)}",
            Words(" and ".join(found)),
            "draw one figure for each",
        )
    return next(iter(rocs_of(source).items()))


def areas_of(source: Source, estimator: Estimator | None = None, **asked: Any) -> AreaTable:
    """The areas of all scores, or of all groups."""
    given = {name: value for name, value in asked.items() if value is not None}
    return with_groups_as_scores(area_table(source.data, estimator=estimator, **given))


def by_name(areas: AreaTable) -> dict[str, AreaEstimate]:
    """Areas by the name of their score."""
    return {str(area.sample.score): area for area in areas}


def axes_for(source: Source, *, ratio: float = 1.0) -> Axes:
    """New axes of the size that was asked for; they grow with a legend below them."""
    if source.size == "double" and ratio == 1.0:
        ratio = 0.75  # a square of two columns fills a page
    return new_axes(source.size, ratio=ratio)


# -- names -------------------------------------------------------------------------------------------


def renamed(data: Any, names: Names | None) -> Any:
    """The same curves or cases under the names that a reader should see; of grouped cases the groups are renamed."""
    if names is None:
        return data
    if isinstance(data, Cases) and data.groups is not None:
        return with_group_names(data, new_names(group_names(data), names))
    if isinstance(data, Cases):
        new = new_names(data.names, names)
        scores = {new[name]: values for name, values in data.scores.items()}
        return replace(data, scores=scores, direction={new[name]: way for name, way in data.direction.items()})
    new = new_names(list(data), names)
    return {new[name]: one for name, one in data.items()}


def new_names(own: Sequence[str], names: Names) -> dict[str, str]:
    """Old names to new ones: a mapping of some, or a sequence for all in their order."""
    shown = " and ".join(own)
    if isinstance(names, Mapping):
        unknown = [name for name in names if name not in own]
        if unknown:
            raise InputError("names", f"must rename {shown}", unknown[0], "write {'old': 'new'}")
        found = {name: str(names.get(name, name)) for name in own}
    else:
        if isinstance(names, str) or len(names) != len(own):
            given = names if isinstance(names, str) else Words(f"{len(names)} names")
            raise InputError("names", f"must be {len(own)} names, for {shown}", given, "or write {'old': 'new'}")
        found = dict(zip(own, map(str, names), strict=True))
    if len(set(found.values())) < len(found):
        raise InputError("names", "must differ from each other", Words(", ".join(found.values())), "name each apart")
    return found
