"""Designs of one's own, from a small TOML file."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

from roclab._core.checks import check_choice, close_names
from roclab.errors import FileError, InputError, Words
from roclab.studies.designs import AREAS, ESTIMATOR_NAMES, SEVEN, SIZES, Design, Scenario
from roclab.studies.distributions import DISTRIBUTIONS, ScoreModel

__all__ = ["read_design"]

SOLVE = "solve"
_KEYS = ("name", "caption", "sizes", "areas", "estimators", "positive", "negative")


def read_design(path: str | Path) -> Design:
    """A design from a TOML file.

    ::

        name = "skewed"                  # optional; else the name of the file
        sizes = [20, [30, 90]]           # per class, or [positives, negatives]
        areas = [0.7, 0.9]               # areas to solve for
        estimators = ["MW", "NT"]        # optional: MW, N, NT, K1, K1T, K2, K2T (default: these seven), RC

        [positive]
        distribution = "lognormal"
        mean = "solve"                   # chosen anew for each area
        variance = 0.09

        [negative]
        distribution = "lognormal"
        mean = 2.5
        variance = 0.25

    Distributions and their parameters: ``normal`` and ``lognormal`` (mean, variance), ``power_normal`` (mean, variance,
    power: an odd whole number), ``gamma`` (shape, scale), ``mixture`` of normals (means, variances, weights, shift).
    ``"solve"`` may stand for one mean, shift or scale of one class; without it the area is that of the distributions.
    """
    place = Path(path)
    try:
        content = tomllib.loads(place.read_text(encoding="utf-8"))
    except OSError as error:
        raise FileError(
            "design", "must be a file that can be read", Words(f"{path} ({error.strerror or error})")
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FileError(
            "design", "must be a TOML file", Words(f"{path} ({error})"), "see the guide for an example"
        ) from None
    try:
        return design_of(content, name=place.stem)
    except InputError as error:
        raise error.inside(f"in {place.name}") from None


def design_of(content: Mapping[str, Any], *, name: str) -> Design:
    """A design from the parsed content of a file."""
    _known(content, _KEYS, "the design")
    for side in ("positive", "negative"):
        if not isinstance(content.get(side), Mapping):
            raise InputError(
                "",
                f"[{side}] must be a table with the distribution of the {side} class",
                content.get(side),
                f'write [{side}] and distribution = "normal" below it',
            )
    free = [side for side in ("positive", "negative") if SOLVE in content[side].values()]
    if len(free) == 2:
        raise InputError(
            "", '"solve" must stand in one class only', Words("it in both"), "give one of the two a number"
        )
    for side in ("positive", "negative"):
        for key, value in content[side].items():
            if isinstance(value, str) and key != "distribution" and value != SOLVE:
                raise InputError("", f'{key} of [{side}] must be a number or "solve"', value)
    if "areas" in content and not free:
        raise InputError("", "areas need a parameter to solve for", Words("none"), 'write mean = "solve" in one class')
    chosen: Any = free[0] if free else None
    return Design(
        name=str(content.get("name", name)),
        caption=str(content.get("caption", "")) or _caption(content),
        scenarios=(
            Scenario(
                positive=_distribution(content["positive"], "positive"),
                negative=_distribution(content["negative"], "negative"),
                free=chosen,
                areas=tuple(_list(content, "areas", AREAS)),
            ),
        ),
        sizes=tuple(_pair(size) for size in _list(content, "sizes", SIZES)),
        estimators=_estimators(_list(content, "estimators", SEVEN)),
    )


def _known(content: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
    for key in content:
        if key not in known:
            raise InputError(
                "", f"{where} knows the keys {', '.join(known)}", Words(f"{key!r}{close_names(key, known)}")
            )


def _list(content: Mapping[str, Any], key: str, default: tuple[Any, ...]) -> list[Any]:
    value = content.get(key, list(default))
    if not isinstance(value, list) or not value:
        first = default[0][0] if isinstance(default[0], tuple) else default[0]
        raise InputError(
            key, "must be a list that is not empty", value, f"write for instance {key} = {json.dumps([first])}"
        )
    return value


def _pair(size: Any) -> tuple[int, int]:
    pair = tuple(size) if isinstance(size, list | tuple) else (size, size)
    if len(pair) != 2 or not all(isinstance(one, int) for one in pair):
        raise InputError(
            "sizes", "must hold whole numbers or pairs [positives, negatives]", size, "write 20 or [20, 60]"
        )
    return pair


def _estimators(names: list[Any]) -> tuple[str, ...]:
    for name in names:
        check_choice(name, "estimators", ESTIMATOR_NAMES)
    return tuple(dict.fromkeys(names))


def _distribution(table: Mapping[str, Any], side: str) -> ScoreModel:
    where = f"distribution of [{side}]"
    check_choice(str(table.get("distribution")), where, DISTRIBUTIONS)
    kind = DISTRIBUTIONS[table["distribution"]]
    parameters = tuple(field.name for field in fields(kind))
    _known(table, ("distribution", *parameters), f"[{side}], a {kind.name} distribution,")
    given: dict[str, Any] = {}
    for field in fields(kind):
        value = table.get(field.name, field.default)
        if value is MISSING:
            raise InputError(
                "", f"{field.name} of [{side}] must be given for a {kind.name} distribution", Words("nothing"), "add it"
            )
        if value == SOLVE:
            if field.name != kind.solvable:
                raise InputError(
                    "",
                    f'"solve" may stand for the {kind.solvable} of a {kind.name} distribution',
                    Words(f"it for {field.name} of [{side}]"),
                    "give a number there",
                )
            value = 1.0 if kind.solvable == "scale" else 0.0
        given[field.name] = tuple(value) if isinstance(value, list) else value
    try:
        made: ScoreModel = kind(**given)
    except TypeError:
        raise InputError(
            "", f"parameters of [{side}] must be numbers, and lists of numbers in a mixture", Words(f"{dict(table)}")
        ) from None
    return made


def _caption(content: Mapping[str, Any]) -> str:
    sides = []
    for letter, side in (("X", "positive"), ("Y", "negative")):
        table = content[side]
        shown = {key: "solved" if value == SOLVE else value for key, value in table.items()}
        values = ", ".join(f"{key} {value}" for key, value in shown.items() if key != "distribution")
        sides.append(f"{letter} ~ {table.get('distribution')} ({values})")
    return ", ".join(sides)
