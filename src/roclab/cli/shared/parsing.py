"""Values of options that are written as more than one word or number."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from roclab.errors import InputError, Words

if TYPE_CHECKING:
    from roclab import PublishedArea

__all__ = [
    "bounds_of",
    "names_of",
    "point_of",
    "published_area",
    "refuse",
    "requirements_of",
    "thresholds_of",
    "weights_of",
]


def point_of(text: str, option: str, form: str = "FPR,TPR") -> tuple[float, float]:
    """A point of ROC space.

    >>> point_of("0.1, 0.7", "--point")
    (0.1, 0.7)
    """
    try:
        fpr, tpr = (float(part) for part in text.split(","))
    except ValueError:
        raise InputError(option, f"must be written {form}", text, f"for instance {_example(form)}") from None
    for name, rate in (("fpr", fpr), ("tpr", tpr)):
        if not 0 <= rate <= 1:
            raise InputError(
                "",
                f"{name} of {option} must lie between 0 and 1",
                Words(f"{rate!r} in {text!r}"),
                "rates are fractions, write 0.1 for 10%",
            )
    return fpr, tpr


def _example(form: str) -> str:
    return form.replace("[NAME:]", "").replace("NAME", "nurse").replace("FPR", "0.1").replace("TPR", "0.7")


def names_of(text: str, option: str) -> list[str]:
    """Names separated by commas; one that holds a comma stands in double quotes.

    >>> names_of('low, "mid, upper",high', "--classes")
    ['low', 'mid, upper', 'high']
    """
    names = [name.strip() for name in next(csv.reader([text], skipinitialspace=True), [])]
    if not names or not all(names):
        raise InputError(option, "must be names separated by commas", text, "for instance low,medium,high")
    return names


def bounds_of(texts: Sequence[str], option: str) -> dict[str, float]:
    """Metrics and values from texts such as accuracy=0.8."""
    out: dict[str, float] = {}
    for text in texts:
        name, equals, value = text.rpartition("=")
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not equals or not name.strip() or math.isnan(number):
            raise InputError(option, "must be written METRIC=VALUE", text, "for instance accuracy=0.8")
        if name.strip() in out:
            raise InputError(
                option, "must name each metric once", Words(f"{name.strip()!r} twice"), "leave one of them out"
            )
        out[name.strip()] = number
    return out


def requirements_of(texts: Sequence[str], option: str) -> list[str]:
    """Bounds as METRIC>=BOUND, METRIC<=BOUND or METRIC=BOUND, each checked to be one."""
    seen: set[tuple[str, str]] = set()
    for text in texts:
        name, _, value = text.replace(">=", "=").replace("<=", "=").partition("=")
        side = "".join(sign for sign in "<>" if sign in text)
        if (name.strip(), side) in seen:
            raise InputError(
                option, "must name each metric once", Words(f"{name.strip()!r} twice"), "leave one of them out"
            )
        seen.add((name.strip(), side))
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not name.strip() or math.isnan(number):
            raise InputError(option, "must be written METRIC=VALUE", text, "for instance accuracy=0.8 or fpr<=0.1")
    return list(texts)


def refuse(why: str, given: Mapping[str, object]) -> None:
    """Say no to options that would have no effect."""
    for name, value in given.items():
        if value:
            raise InputError("", f"{why}", Words(f"{name} as well"), "leave it out")


def thresholds_of(texts: Sequence[str], option: str) -> float | str | list[float] | dict[str, float]:
    """One threshold for all scores, one for each in their order, or NAME=T for each.

    >>> thresholds_of(["0.5"], "--threshold"), thresholds_of(["new=0.5", "old=3"], "--threshold")
    (0.5, {'new': 0.5, 'old': 3.0})
    """
    if any("=" in text for text in texts):
        return bounds_of(texts, option)
    if len(texts) == 1 and texts[0].replace("_", "").isalpha() and texts[0].lower() not in ("inf", "nan"):
        return texts[0]  # a criterion, which the library refuses with a reason
    try:
        numbers = [float(text) for text in texts]
    except ValueError:
        raise InputError(option, "must be a number, or NAME=NUMBER for each score", Words(", ".join(texts))) from None
    return numbers[0] if len(numbers) == 1 else numbers


def weights_of(text: str, option: str) -> dict[str, float]:
    """Weights by name from the text A=1,B=-1.

    >>> weights_of("a=1, b=-0.5, c=-0.5", "--contrast")
    {'a': 1.0, 'b': -0.5, 'c': -0.5}
    """
    out: dict[str, float] = {}
    for part in text.split(","):
        name, _, weight = part.strip().rpartition("=")
        try:
            out[name.strip()] = float(weight)
        except ValueError:
            name = ""
        if not name or not math.isfinite(out[name.strip()]):
            raise InputError(option, "must be written A=1,B=-0.5,C=-0.5", Words(f"{part.strip()!r} in it"))
    return out


_REPORTED = re.compile(r"(?P<name>.+):(?P<area>[^:]+):(?:n=(?P<pos>[^+]+)\+(?P<neg>[^+]+)|se=(?P<se>.+))")


def published_area(text: str) -> PublishedArea:
    """An area typed from a paper: NAME:AREA:n=POS+NEG or NAME:AREA:se=SE."""
    from roclab import PublishedArea

    found = _REPORTED.fullmatch(text.strip())
    try:
        if found is None:
            raise ValueError
        numbers = {name: None if found[name] is None else float(found[name]) for name in ("area", "pos", "neg", "se")}
    except ValueError:
        raise InputError(
            "--published",
            "must be written NAME:AREA:n=POS+NEG or NAME:AREA:se=SE",
            text,
            "for instance CT:0.893:n=51+58",
        ) from None
    assert numbers["area"] is not None
    return PublishedArea(
        name=found["name"],
        area=numbers["area"],
        standard_error=numbers["se"],
        n_pos=numbers["pos"],
        n_neg=numbers["neg"],
    )
