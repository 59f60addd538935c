"""The small data sets of the examples, by name: printed in a text, made up, or fetched by the reader."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from roclab.curves.roc import RocCurve, curve_from_points
from roclab.data.tally import Tally
from roclab.errors import FileError, Words
from roclab.studies.origins import ORIGINS, public_file

__all__ = ["made_up", "printed_json", "printed_table", "sample_of", "worked"]

CARRIERS = "dmd_carriers.csv"


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


def worked(name: str) -> Any:
    """A worked example of a text."""
    return printed_json("worked_examples.json")[name]


def made_up(name: str) -> Any:
    """A sample on which a formula is run that its text gives without data."""
    return printed_json("made_up.json")[name]


def _labelled(one: Mapping[str, Any]) -> Tally:
    label, score = (one[key] if key in one else one[f"{key}s"] for key in ("label", "score"))
    return Tally.from_labels(np.array(label, bool), np.array(score, float))


def _two_samples(name: str) -> Tally:
    return Tally.from_samples(np.array(made_up(name)["x"], float), np.array(made_up(name)["y"], float))


def _separated(n_pos: int, n_neg: int) -> Tally:
    return Tally.from_samples(np.arange(n_pos) + 10.0, np.arange(float(n_neg)))


def _operator(name: str) -> RocCurve:
    points = np.array(worked("slovenian_table_5_2")[name], float)
    return curve_from_points(points[:, 0], points[:, 1])


def _tied() -> Tally:
    """A curve that has the area of its mirror image about the falling diagonal, and another tAUC."""
    return Tally.from_labels(np.array([1, 1, 1, 0, 0, 0, 0, 1, 1, 0], bool), np.arange(10.0, 0.0, -1.0))


def _depths() -> Tally:
    """X11, the depths of all 10334 Greek records: whole numbers of records that have the printed rates at 23 depths."""
    rows = printed_table("seismology_x11_counts.csv")
    depth, strong, count = (np.array([float(row[name]) for row in rows]) for name in ("depth", "strong", "count"))
    return Tally.from_labels(strong == 1, depth, weight=count.astype(np.int64))


def _ct_ratings() -> Tally:
    """109 CT images rated 1 to 5 (Hanley and McNeil 1982, table 1)."""
    return Tally.from_counts(np.arange(1.0, 6.0), np.array([3, 2, 2, 11, 33]), np.array([33, 6, 6, 11, 2]))


_SAMPLES: dict[str, Callable[[], Any]] = {
    "fawcett20": lambda: _labelled(worked("greek_fig_2_3")),
    "perfect10": lambda: _labelled(worked("greek_fig_2_4")),
    "slovenian10": lambda: _labelled(worked("slovenian_table_5_3")),
    "operator_A": partial(_operator, "A"),
    "operator_B": partial(_operator, "B"),
    "ct_ratings": _ct_ratings,
    "x11": _depths,
    "tied": _tied,
    "mirrored": lambda: _tied().mirrored(),
    "separated": partial(_separated, 2, 2),
    "separated_3_4": partial(_separated, 3, 4),
    "reversed": lambda: _separated(2, 2).reversed(),
    "all_tied": lambda: Tally.from_samples(np.zeros(2), np.zeros(2)),
    "shared_top": lambda: Tally.from_labels(np.array([True, False, False]), np.array([2.0, 2.0, 1.0])),
    "step_at_half": lambda: Tally.from_samples(np.array([2.0]), np.array([1.0, 3.0])),
    "step_reversed": lambda: Tally.from_samples(np.array([2.0]), np.array([1.0, 3.0])).reversed(),
    **{name: partial(_two_samples, name) for name in ("smooth_normal", "smooth_lognormal", "rc_continuous_a")},
}


@cache
def _bundled(name: str) -> Any:
    return _SAMPLES[name]()


def sample_of(name: str, folder: Path | None) -> Any:
    """The sample of that name; of the Duchenne carriers, if the reader's folder has them."""
    return _carriers(public_file(CARRIERS, folder)) if name == "carriers" else _bundled(name)


def _carriers(path: Path) -> Tally:
    """CK of the women with complete records, carriers as positives."""
    markers = ("CK", "H", "PK", "LD")
    try:
        with path.open(newline="", encoding="utf-8") as lines:
            rows = [
                row for row in csv.DictReader(lines) if all(row[name].strip() not in ("", "NA") for name in markers)
            ]
        carrier = np.array([row["Class"] == "carrier" for row in rows])
        return Tally.from_labels(carrier, np.array([float(row["CK"]) for row in rows]))
    except (OSError, KeyError, ValueError) as error:
        raise FileError(
            path.name, "must be the table of Duchenne carriers", Words(f"{path} ({error})"), ORIGINS[CARRIERS]
        ) from None
