"""Curves of every kind, their bands, averages and hulls, a part of them, and who leads where."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scipy.special import ndtri

import roclab as rl
from roclab.app.asking import Asked, table_of_rows
from roclab.app.forms import Form
from roclab.errors import InputError, Words, named
from roclab.names import CURVES
from roclab.options.area import NullKeywords
from roclab.options.region import RegionKeywords
from roclab.options.uncertainty import AreaUncertaintyKeywords, DrawsKeywords

__all__ = ["BAND", "REGION", "average", "band", "curve", "hull", "leaders", "region"]

BAND = Form((DrawsKeywords,))
REGION = Form((RegionKeywords, AreaUncertaintyKeywords, NullKeywords), without=("fpr", "tpr"))

_POINTS = 1500  # of one curve: more than a screen has pixels
_RATES = (0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.99)
_DEVIATES = {
    "ticks": [[float(ndtri(rate)), f"{100 * rate:g}%"] for rate in _RATES],
    "range": [float(ndtri(0.0008)), float(ndtri(0.995))],
}
_PROBABILITIES = ("calibration", "net_benefit")


def curve(asked: Asked) -> dict[str, Any]:
    """Points of one kind of curve for every score."""
    kind = asked.option("kind", "roc")
    if kind == "calibration":
        return _calibration(asked)
    if kind == "net_benefit":
        return _net_benefit(asked)
    if kind not in CURVES or kind == "hull":
        raise InputError("kind", f"must be one of {', '.join((*CURVES[:-1], *_PROBABILITIES))}", kind)
    ties = asked.option("ties", "expected")
    given = {} if ties == "expected" else {"ties": ties}
    found = asked.curves(command="curve", each=True, flags=("--curve", kind), **given)
    lines, axes = [], ("x", "y")
    for name, one in found.items():
        points = one.named_curve(kind)
        points = points.simplified(_POINTS) if len(points.x) > _POINTS else points
        axes = (points.x_name, points.y_name)
        line = {"name": name, "x": points.x, "y": points.y, "thresholds": points.thresholds}
        if kind == "det":  # drawn on normal deviates, where two normal classes give a straight line
            line |= {"px": ndtri(points.x), "py": ndtri(points.y)}
        if kind in ("roc", "troc"):
            line["area"] = _area_of(asked, one, kind, ties)
        lines.append(line)
    scale = {"scale": _DEVIATES} if kind == "det" else {}
    return asked.answer(kind=kind, x_name=axes[0], y_name=axes[1], lines=lines, **scale)


def _area_of(asked: Asked, one: Any, kind: str, ties: str) -> dict[str, Any]:
    """The area of the curve that is drawn: of stairs their own, which has no interval."""
    name = "AUC" if kind == "roc" else "tAUC"
    if ties != "expected":
        return {"name": name, "value": one.area(weight="tauc" if kind == "troc" else "none")}
    found = one.auc(level=asked.option("level", 0.95)) if kind == "roc" else one.tauc(level=asked.option("level", 0.95))
    interval = found.interval
    return {"name": name, "value": found.area, "low": interval.low, "high": interval.high}


def _calibration(asked: Asked) -> dict[str, Any]:
    lines, tables = [], []
    for name, one in asked.curves(command="curve", each=True, flags=("--calibration",)).items():
        with asked.listening():
            found = one.calibration(level=asked.option("level", 0.95))
        rows = [row for row in found.rows() if row.get("observed") is not None]
        lines.append({"name": name, **_columns(rows)})
        tables.append(table_of_rows(rows, name))
    return asked.answer(kind="calibration", x_name="predicted", y_name="observed", lines=lines, tables=tables)


def _columns(rows: list[dict[str, Any]]) -> dict[str, Any]:
    ends = [name for name in (rows[0] if rows else ()) if name.endswith((" low", " high"))]
    out = {"x": [row["predicted"] for row in rows], "y": [row["observed"] for row in rows]}
    if len(ends) == 2:
        out |= {"low": [row[ends[0]] for row in rows], "high": [row[ends[1]] for row in rows]}
    return out


def _net_benefit(asked: Asked) -> dict[str, Any]:
    found = asked.ask("net_benefit", command="hull", flags=("--net-benefit",), **asked.chosen("prevalence"))
    rows = found.rows()
    across = next(iter(rows[0]))
    lines = [
        {"name": name, "x": [row[across] for row in rows], "y": [row[name] for row in rows]}
        for name in rows[0] if name != across
    ]  # fmt: skip
    return asked.answer(kind="net_benefit", x_name=across, y_name="net benefit", lines=lines)


def band(asked: Asked) -> dict[str, Any]:
    """Confidence bands of the ROC curves."""
    kind = asked.option("kind", "simultaneous")
    given: dict[str, Any] = {"level": asked.option("level", 0.95)}
    flags: tuple[str, ...] = ("--band", str(kind))
    drawn = asked.given(BAND)
    if kind != "pointwise" or drawn:  # which has score limits unless draws are asked for
        given |= {"rng": drawn.get("rng", 1), "resampling": asked.resampling()}
        flags += ("--seed", str(given["rng"]))
    if "resampling" in drawn:
        flags += ("--replicates", str(drawn["resampling"]))
    bands = []
    for name, one in asked.curves(command="curve", each=True, flags=flags).items():
        found = one.band(kind=kind, points=200, **given)
        bands.append({"name": name, "x": found.fpr, "low": found.low, "high": found.high})
    return asked.answer(bands=bands)


def average(asked: Asked) -> dict[str, Any]:
    """One score over its folds: every fold's curve and their average."""
    how, score = asked.option("how", "vertical"), asked.option("score")
    if "folds" not in asked.keywords("folds"):
        raise InputError("fold", "must name the column of folds", way_out=f"choose {named('fold')} among the columns")
    parts = asked.cases("folds").select([score]).by_fold()
    with asked.listening():
        curves = {name: rl.roc(part) for name, part in parts.items()}
    folds = [{"name": name, "x": one.fpr, "y": one.tpr} for name, one in curves.items()]
    if how == "each":
        return asked.answer(folds=folds, mean=None)
    asked.note("average", {**asked.keywords("folds"), "score": [score]}, {"how": how, **asked.chosen("level")})
    with asked.listening():
        found = rl.average(curves, how=how, **asked.chosen("level"))
    mean: dict[str, Any] = {"name": how, "x": found.fpr, "y": found.tpr}
    table = table_of_rows([{"average": how, "area of the average": found.area_of_average,
                            "mean of areas": found.mean_of_areas, "sd of areas": found.sd_of_areas}])  # fmt: skip
    return asked.answer(folds=folds, mean=mean, table=table, notes=list(found.notes))


def region(asked: Asked) -> dict[str, Any]:
    """The part of the curve that the chart shows: its area for every score, between chance and a perfect score too.

    Without another value each area is tested against that of chance.
    """
    ends = asked.option("fpr")
    if not isinstance(ends, list) or len(ends) != 2:
        raise InputError("fpr", "must be a range", Words("none"), "choose a part of the chart")
    given = {"fpr": tuple(ends), **asked.chosen("level"), **asked.given(REGION)}
    scale = given.get("standardize", "none")
    chance = _area_of_chance(ends[0], ends[1], scale)
    if given.get("null") is None and chance is not None:
        given["null"] = chance
    parts: dict[str, Any] = {}
    if scale == "none":
        usual = {name: value for name, value in given.items() if name not in ("null", "alternative", "test")}
        parts["standardized"] = table_of_rows(asked.ask("auc", **usual, standardize="mcclish").rows())
    found: Any = asked.ask("auc", **given)
    return asked.answer(table=table_of_rows(found.rows()), notes=_notes(found), **parts)


def _area_of_chance(low: float, high: float, scale: str) -> float | None:
    """What the diagonal has between two false positive rates, on the scale of a partial area."""
    return {"none": (high**2 - low**2) / 2, "width": (low + high) / 2, "mcclish": 0.5}.get(scale)


def leaders(asked: Asked) -> dict[str, Any]:
    """Who is highest at which false positive rate, and where curves cross."""
    found = asked.ask("classifiers.dominance", command="hull", flags=("--crossings",))
    crossings = [
        {"first": first, "second": second, "fpr": one.fpr, "tpr": one.tpr}
        for (first, second), several in found.crossings.items() for one in several
    ]  # fmt: skip
    return asked.answer(
        table=table_of_rows(found.rows()), crossings=crossings, words=str(found).split("\n\n")[-1].splitlines()
    )


def hull(asked: Asked) -> dict[str, Any]:
    """The hull over all scores: its corners, and who is best for which slopes."""
    found = asked.ask("hull")
    asked.note("hull", asked.keywords(), {}, flags=("--vertices",))
    return asked.answer(
        ranges=table_of_rows(found.rows()),
        vertices=table_of_rows(found.vertex_table().rows()),
    )


def _notes(found: Any) -> list[str]:
    notes = getattr(found, "notes", ())
    return [str(note) for note in notes] if not isinstance(notes, Mapping) else []
