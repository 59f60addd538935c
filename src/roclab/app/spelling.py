"""Keywords of the library as options of the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from roclab.options.spelling import option_of

__all__ = ["spelled"]

_BOUNDS = {"tpr": "--min-se", "tnr": "--min-sp"}  # of a grey zone


def spelled(command: str, keywords: Mapping[str, Any]) -> Iterator[str]:
    """The options of a command that mean the same as keywords of its verb.

    >>> list(spelled("compare", {"label": "y", "score": ["a", "b"], "pos_label": "ill", "margin": 0.05}))
    ['--label', 'y', '--score', 'a', '--score', 'b', '--positive', 'ill', '--margin', '0.05']
    """
    for name, value in keywords.items():
        special = _SPECIAL.get((command, name))
        yield from _usual(option_of(name, command), value) if special is None else special(value)


def _usual(option: str, value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, one in value.items():
            yield from (option, f"{key}={one}")
    elif isinstance(value, tuple):
        yield from (option, *map(str, value))
    elif isinstance(value, list):
        for one in value:
            yield from (option, str(one))
    elif value is True:
        yield option
    elif value is not False:
        yield from (option, str(value))


def _joined(option: str) -> Callable[[Any], list[str]]:
    return lambda value: [option, ",".join(map(str, value))]


def _bounds(value: Mapping[str, Any]) -> list[str]:
    return [word for name, bound in value.items() for word in (_BOUNDS[name], str(bound))]


def _censoring(value: Any) -> list[str]:
    """Strata by their columns, covariates with cox: before them."""
    columns = [f"cox:{name}" for name in value["cox"]] if isinstance(value, Mapping) else list(value)
    return [word for column in columns for word in ("--censoring", column)]


_SPECIAL: dict[tuple[str, str], Callable[[Any], Any]] = {
    ("bench", "models"): _joined("--models"),
    ("combine", "operation"): lambda value: [f"--{value}"],
    **{(command, "censoring"): _censoring for command in ("auc", "compare", "confusion", "cutoff", "curve", "report")},
    ("cutoff", "rule_out"): _bounds,
    ("cutoff", "rule_in"): _bounds,
}
