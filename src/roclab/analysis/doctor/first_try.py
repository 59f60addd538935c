"""One guess of all parts together, with its reasons: what the commands to type next are written with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from roclab.analysis.doctor.column_roles import ColumnFinding
from roclab.analysis.doctor.follow_up import FollowedTry
from roclab.analysis.table_overview import ColumnOverview

__all__ = ["FirstTry", "first_try", "needs_no_mention"]

_WORDS = """yes y positive pos case cases ill sick diseased disease malignant cancer dead died death event abnormal
present relapse deteriorated poor fail failed failure bad spam fraud"""
_POSITIVE = frozenset(_WORDS.split())
# The positive class of labels that need none named.
_NEEDS_NO_MENTION: dict[tuple[str, ...], str] = {
    ("0", "1"): "1",
    ("-1", "1"): "1",
    ("False", "True"): "True",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstTry:
    """Which column may play which part, and why; None where no column fits."""

    label: str | None
    classes: tuple[str, ...]
    positive: str | None
    scores: tuple[str, ...]
    id: str | None
    fold: str | None
    group: str | None
    reasons: tuple[str, ...]
    rivals: tuple[str, ...] = ()  # other columns that could be the label as well
    followed: FollowedTry | None = None  # where cases seem to have been followed


def first_try(
    columns: Sequence[ColumnFinding], seen: Sequence[ColumnOverview], *, label: str | None, positive: str | None,
    followed: FollowedTry | None = None,
) -> FirstTry:  # fmt: skip
    """The most plausible column of every part; a label or a positive class that was named is no guess."""
    by_name = {one.name: one for one in seen}
    reasons = []
    rivals: tuple[str, ...] = ()
    if label is None:
        able = [column for column in columns if column.role("label") is not None and column.best == "label"]
        able = able or [column for column in columns if column.role("label") is not None and column.distinct == 2]
        able.sort(key=lambda one: -_plausible(one, "label"))
        if able:
            label = able[0].name
            role = able[0].role("label")
            reasons.append(f"label {label}, because {role.reason if role else ''}")
            rivals = tuple(one.name for one in able[1:])
    classes = tuple(value for value, _ in by_name[label].values) if label is not None else ()
    if positive is None and label is not None and len(classes) == 2:
        positive, why = _positive_of(by_name[label])
        reasons.append(f"positive class {positive}, {'which needs no mention' if not why else f'because {why}'}")
    scores = tuple(column.name for column in columns if column.best == "score" and column.name != label)
    if followed is not None:
        reasons.append(followed.reason)
    if scores:
        one, why = ("scores", "they hold numbers") if len(scores) > 1 else ("score", "it holds numbers")
        reasons.append(f"{one} {_few(scores)}, because {why}")
    best = {part: _best(columns, part, label) for part in ("id", "fold", "group")}
    for part in ("id", "fold"):
        role = (
            None if best[part] is None else next(column for column in columns if column.name == best[part]).role(part)
        )
        if role is not None:
            reasons.append(f"{part} {best[part]}, because {role.reason}")
    return FirstTry(
        label=label,
        classes=classes,
        positive=positive,
        scores=scores,
        **best,
        reasons=tuple(reasons),
        rivals=rivals,
        followed=followed,
    )


def _plausible(column: ColumnFinding, part: str) -> float:
    role = column.role(part)
    return 0.0 if role is None else role.plausible


def _best(columns: Sequence[ColumnFinding], part: str, label: str | None) -> str | None:
    able = [column for column in columns if column.best == part and column.name != label]
    return max(able, key=lambda one: _plausible(one, part)).name if able else None


def needs_no_mention(classes: Sequence[str], positive: str | None) -> bool:
    """Whether the positive class goes without saying: 1 beside 0 or -1, and True."""
    return _NEEDS_NO_MENTION.get(tuple(sorted(classes))) == positive


def _positive_of(column: ColumnOverview) -> tuple[str, str]:
    usual = _NEEDS_NO_MENTION.get(tuple(sorted(value for value, _ in column.values)))
    if usual is not None:
        return usual, ""
    positives = [value for value, _ in column.values if value.lower() in _POSITIVE]
    if len(positives) == 1:
        return positives[0], "its word says so"
    rarer = min(column.values, key=lambda one: one[1])
    return rarer[0], "it is the rarer one, which is a guess"


def _few(names: Sequence[str], most: int = 4) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
