"""The printed data, and the two small data sets that several examples use."""

from __future__ import annotations

import csv
import json
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from roclab.data.tally import Tally
from roclab.studies.verdicts import WORDING, PrintedExample

__all__ = ["fawcett20", "note", "printed_json", "printed_table", "reference", "slovenian10", "tally_of"]

REFERENCE = "the text gives the formula only; the reference was computed apart from roclab"


def _text(name: str) -> str:
    return files("roclab.studies").joinpath("published", name).read_text(encoding="utf-8")


@cache
def printed_json(name: str) -> Any:
    """A bundled file of printed results."""
    return json.loads(_text(name))


@cache
def printed_table(name: str) -> list[dict[str, str]]:
    """A bundled table of printed results, one dictionary per row."""
    return list(csv.DictReader(_text(name).splitlines()))


def tally_of(example: Any) -> Tally:
    """Labels and scores of a worked example."""
    return Tally.from_labels(np.array(example["label"], bool), np.array(example["score"], float))


def fawcett20() -> Tally:
    """Fawcett's 20 instances (Greek figure 2.3)."""
    return tally_of(printed_json("worked_examples.json")["greek_fig_2_3"])


def slovenian10() -> Tally:
    """Ten cases with ties (Slovenian table 5.3)."""
    return tally_of(printed_json("worked_examples.json")["slovenian_table_5_3"])


def reference(where: str, quantity: str, value: Any, ours: Any, digits: int | None = None) -> PrintedExample:
    """A formula of a text, run on data of another: the value beside ours was computed apart from roclab."""
    return PrintedExample(
        where=where, quantity=quantity, printed=None, reference=value, ours=ours, digits=digits, reason=REFERENCE
    )


def note(erratum: str, where: str, quantity: str) -> PrintedExample:
    """An erratum of words, which no number shows."""
    return PrintedExample(where=where, quantity=quantity, printed=None, erratum=erratum, verdict=WORDING)
