"""Marks of a detector against the lesions of the reference: FROC."""

from __future__ import annotations

import shlex
from typing import Any

import roclab as rl
from roclab.app.asking import Asked, table_of_rows
from roclab.errors import InputError, Words

__all__ = ["froc"]

_COLUMNS = ("scan", "score", "diameter")


def froc(asked: Asked) -> dict[str, Any]:
    """How many lesions does the detector find, at how many false positives per scan?"""
    if asked.beside is None:
        raise InputError("", "the lesions must be open too", Words("only the marks"), "choose the table of lesions")
    given: dict[str, Any] = {name: asked.option(name) for name in _COLUMNS if asked.option(name)}
    given |= asked.chosen("reach", "smallest", "level")
    marks, lesions = asked.data(), asked.beside.table().table
    _write_down(asked, given)
    with asked.listening():
        found: Any = rl.imaging.froc(marks, lesions, **given, detector=asked.held().called, rng=1,
                                     resampling=asked.resampling())  # fmt: skip
    return asked.answer(
        table=table_of_rows(found.rows()), areas=table_of_rows(found.area_rows()), cpm=found.cpm,
        low=found.cpm_interval.low, high=found.cpm_interval.high, scans=found.scans, lesions=found.lesions,
        missed=found.missed, false_positives=found.false_positives,
        curve={"x": found.curve.rate, "y": found.curve.sensitivity},
        points=[{"x": one.rate, "y": one.sensitivity, "low": one.interval.low, "high": one.interval.high}
                for one in found.points],
        notes=list(found.notes),
    )  # fmt: skip


def _write_down(asked: Asked, given: dict[str, Any]) -> None:
    """Marks come first in Python, and lesions on the command line."""
    assert asked.beside is not None
    files = [asked.held().called, asked.beside.called]
    said = {name: value for name, value in given.items() if (name, value) != ("level", 0.95)}
    options = [f"--{name}-column" if name in _COLUMNS else f"--{name}" for name in said]
    words = [word for option, value in zip(options, said.values(), strict=True) for word in (option, str(value))]
    keywords = [f"{name}={value!r}" for name, value in said.items()]
    asked.write(
        f"rl.imaging.froc({', '.join([*map(repr, files), *keywords, 'rng=1'])})",
        shlex.join(["roclab", "froc", *reversed(files), *words, "--seed", "1"]),
    )
