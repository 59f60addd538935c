"""Which column of a table plays which part: label, scores, weight, id, fold.

Data frames and files differ in how a column is fetched and agree on everything else; what they share
is here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from roclab._core.checks import close_names
from roclab.errors import InputError, Words, named

_FEW = 12  # columns up to here are all listed in an error about one name
_MANY = 40  # the same when no name was given at all


class Roles(NamedTuple):
    """Names of the columns, by the part they play."""

    label: str
    scores: tuple[str, ...]
    weight: str | None
    id: str | None
    fold: str | None
    by: str | None

    @property
    def columns(self) -> list[str]:
        """Every column needed, each once."""
        others = [name for name in (self.weight, self.id, self.fold, self.by) if name is not None]
        return list(dict.fromkeys([self.label, *self.scores, *others]))


def assign_roles(
    *,
    label: str,
    score: str | Sequence[str],
    weight: str | None = None,
    id: str | None = None,
    fold: str | None = None,
    by: str | None = None,
) -> Roles:
    """Check that every part is the name of a column and that the label plays no second part."""
    scores = (score,) if isinstance(score, str) else tuple(score) if isinstance(score, Sequence) else score
    if not isinstance(scores, tuple) or not all(isinstance(name, str) for name in scores):
        raise InputError(
            "score", "must be the name of a column or a list of names", score, f"write {named('score', 'marker')}"
        )
    if not scores:
        raise InputError(
            "score", "must name at least one column", Words("an empty list"), f"write {named('score', 'marker')}"
        )
    for part, name in (("label", label), ("weight", weight), ("id", id), ("fold", fold), ("by", by)):
        if not isinstance(name, str) and (name is not None or part == "label"):
            raise InputError(part, "must be the name of a column", name, f"write {named(part, 'name')}")
    twice = _repeated(scores)
    if twice:
        raise InputError("score", "must name different columns", Words(f"{twice[0]!r} twice"), "name each score once")
    for part, names in (("score", scores), ("weight", (weight,)), ("id", (id,)), ("fold", (fold,)), ("by", (by,))):
        if label in names:
            raise InputError(
                "label",
                f"and {named(part)} must be different columns",
                Words(f"{label!r} for both"),
                "say which column holds the label",
            )
    return Roles(label, scores, weight, id, fold, by)


def columns_not_named(lacking: Sequence[str], called: str, existing: Sequence[Any]) -> InputError:
    """The error when columns of a table must be named and were not; it lists those that there are."""
    more = f" and {len(existing) - _MANY} more" if len(existing) > _MANY else ""
    return InputError(
        " ".join(lacking),
        f"must name columns of {called}",
        Words("none"),
        f"its columns are {', '.join(map(str, existing[:_MANY]))}{more}",
        called=" and ".join(map(named, lacking)),
    )


def check_columns(
    wanted: Iterable[str],
    existing: Sequence[Any],
    where: str,
    error: type[InputError] = InputError,
) -> None:
    """Check that column names differ and that the wanted ones exist; ``where`` names the table."""
    twice = _repeated([name for name in existing if name != ""])  # nameless columns cannot be asked for
    if twice:
        raise error(
            "",
            f"columns of {where} must have different names",
            Words(f"{twice[0]!r} more than once"),
            "rename one of them",
        )
    known = set(existing)
    for name in wanted:
        if name not in known:
            if len(existing) <= _FEW:
                listed = f"the columns are {', '.join(map(repr, existing))}"
            else:
                listed = f"it has {len(existing)} other columns"
            raise error("", f"{where} has no column {name!r}{close_names(name, existing)}", way_out=listed)


def _repeated(names: Iterable[Any]) -> list[Any]:
    return [name for name, count in Counter(names).items() if count > 1]
