"""What the chance to be lost depends on: ``censoring=`` as it was asked, and the model it makes of columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.types import Array
from roclab.censoring.follow_up import CensoringModel, Covariates, Strata
from roclab.data.columns import as_array
from roclab.data.groups import are_names, groups_of_values, joined_columns
from roclab.data.labels import word_of
from roclab.errors import InputError, Words, named

__all__ = ["CENSORING", "Censoring", "censoring_asked", "model_of"]

CENSORING = "censoring "  # before the names of its columns, among those of the cases
_MANY = 50  # strata, or columns of Cox's model


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Censoring:
    """Strata, or covariates of Cox's model: names of columns, or values."""

    cox: bool
    parts: Mapping[str, Any]  # values by name; None where a column has to be read

    @property
    def columns(self) -> list[str]:
        """Columns that are read from the table."""
        return [name for name, values in self.parts.items() if values is None]

    def read(self, source: Mapping[str, Any]) -> dict[str, Array]:
        """Every part as values, those that were only named from the columns of the cases."""
        found = {}
        for name, values in self.parts.items():
            if values is None and name not in source:
                raise InputError(
                    "censoring", f"must name one of the scores ({', '.join(map(repr, source))}), or hold arrays", name,
                    f"write {named('censoring', {name: '…'})} with a value for every case",
                )  # fmt: skip
            found[f"{CENSORING}{name}"] = as_array(source[name] if values is None else values, "censoring")
        return found


def censoring_asked(given: Any) -> Censoring | None:
    """What was asked; None for the marginal estimate."""
    if given is None or (isinstance(given, str) and given == "marginal"):
        return None
    cox = isinstance(given, Mapping) and set(given) == {"cox"}
    inner = given["cox"] if cox else given
    if isinstance(given, Mapping) and "cox" in given and not cox:
        raise InputError("censoring", "is either strata or {'cox': …}", Words("both"), "leave one of them out")
    parts = _parts(inner, "covariate" if cox else "stratum")
    if not parts:
        raise InputError("censoring", "must name columns", Words("none"), "write censoring=['ward']")
    if len(parts) > _MANY:
        raise InputError("censoring", f"must name at most {_MANY} columns", Words(f"{len(parts)}"), "name fewer")
    return Censoring(cox=cox, parts=parts)


def _parts(given: Any, called: str) -> dict[str, Any]:
    if isinstance(given, str):
        return {given: None}
    if isinstance(given, Mapping):
        return {str(name): values for name, values in given.items()}
    if isinstance(given, list | tuple) and not given:
        return {}
    if are_names(given):
        return dict.fromkeys(given)
    nested = isinstance(given, Sequence) and len(given) > 0 and np.ndim(given[0]) > 0
    if nested or np.ndim(given) == 2:
        columns = list(given) if nested else list(np.asarray(given).T)
        return {f"{called} {at + 1}": values for at, values in enumerate(columns)}
    if not hasattr(given, "__len__"):
        raise InputError(
            "censoring", "must be 'marginal', columns, or {'cox': columns}", given, "write censoring=['ward']"
        )
    return {called: given}


def model_of(asked: Censoring | None, columns: Mapping[str, Array]) -> CensoringModel | None:
    """The strata or the design of the covariates."""
    if asked is None:
        return None
    if not asked.cox:
        found = groups_of_values(joined_columns(list(columns.values())))
        if len(found.names) > max(_MANY, 1):
            raise InputError(
                "censoring", f"must make at most {_MANY} strata", Words(f"{len(found.names)}"),
                "join some, or use Cox's model: censoring={'cox': […]}",
            )  # fmt: skip
        return Strata(code=np.asarray(found.codes), names=tuple(found.names), called=", ".join(columns))
    design: dict[str, Array] = {}
    for name, values in columns.items():
        if values.dtype.kind in "biuf":
            design[name] = values.astype(np.float64)
            continue
        levels = groups_of_values(values)
        if len(levels.names) > _MANY:
            raise InputError("censoring", f"must have at most {_MANY} values in words", Words(f"{name!r} with more"))
        for at, level in enumerate(levels.names[1:], start=1):
            design[f"{name}={word_of(level)}"] = (levels.codes == at).astype(np.float64)
    if not design:
        raise InputError("censoring", "must have covariates that differ", Words(", ".join(columns)), "name others")
    return Covariates(design=np.column_stack(list(design.values())), names=tuple(design))
