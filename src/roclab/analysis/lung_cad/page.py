"""What the page of a scan holds: every mark with three slices through it, and in an evaluation what was missed."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import plural
from roclab._core.png import grey_png
from roclab.analysis.lung_cad.evaluate import nodules_of
from roclab.analysis.lung_cad.marks import CadMarks
from roclab.imaging.cut_outs import CutOut, cut_outs, edges_of
from roclab.imaging.hounsfield import clipped_to_air
from roclab.imaging.orientation import canonical, orientation_notes
from roclab.imaging.research import RESEARCH

__all__ = ["PIXELS", "ScanPage", "curve_points", "hits_of", "scan_page_of"]

PIXELS = 96
_WINDOW = (-1350.0, 150.0)  # HU: of lungs
_FIELD, _AROUND = 40.0, 2.0  # mm at least, and diameters of a region, that a slice shows
_WORST = 5


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScanPage:
    """Everything the page shows; nothing is computed after it."""

    scan: str
    facts: tuple[tuple[str, str], ...]
    answer: str
    warnings: tuple[str, ...]
    notes: tuple[str, ...]
    rows: tuple[dict[str, Any], ...]  # marks, the highest first
    missed: tuple[dict[str, Any], ...]  # nodules in no region
    worst: tuple[int, ...]  # marks that are false positives, the highest first
    evaluated: bool
    threshold: float
    curve: dict[str, list[float | None]]  # FROC of the held-out scans
    about: tuple[tuple[str, str], ...]  # the CAD
    viewer: dict[str, Any] | None = None  # the scan itself, with its lungs and regions
    research: str = RESEARCH


def scan_page_of(marks: CadMarks, lesions: Any = None, viewer: dict[str, Any] | None = None) -> ScanPage:
    """The content of a page; O(marks x pixels of a slice)."""
    turned, turn = canonical(clipped_to_air(marks.volume))
    labels = turn.forward(marks.found.labels.array)
    truth, hits = hits_of(marks, lesions)
    best: set[int] = set()
    rows = []
    for row, region, hit in zip(marks.rows(), marks.found.regions, hits, strict=True):
        shown = _pictures(turned, labels, region.number, region.position, row["diameter_mm"])
        said = ""
        if lesions is not None:
            said = "false positive" if hit == 0 else f"nodule {hit}" + (", hit before" if hit in best else "")
            best |= {hit} - {0}
        rows.append({**row, "pictures": shown, "truth": said, "hit": hit, "of": _nodule(truth, hit)})
    missed = [
        {
            "nodule": at, "pictures": _pictures(turned, None, 0, one.position, float(one.diameter)),
            "diameter_mm": float(one.diameter), **dict(zip("xyz", one.position, strict=True)),
            "of": _nodule(truth, at),
        }
        for at, one in enumerate(truth, start=1) if at not in best
    ]  # fmt: skip
    worst = [row["mark"] for row in rows if lesions is not None and row["hit"] == 0][:_WORST]
    outside = marks.model.outside(marks.facts)
    side = orientation_notes(marks.volume, turn)
    return ScanPage(
        scan=marks.scan, facts=_facts(marks), answer=_answer(marks, rows, truth, lesions is not None),
        warnings=(*outside, *side), notes=tuple(one for one in marks.notes if one not in (*outside, *side)),
        rows=tuple(rows), missed=tuple(missed), worst=tuple(worst), evaluated=lesions is not None,
        threshold=marks.model.operating.threshold, curve=curve_points(marks), about=_about(marks),
        viewer=viewer,
    )  # fmt: skip


def _pictures(volume: Any, labels: Any, number: int, position: Any, diameter: float) -> list[dict[str, Any]]:
    field = max(_FIELD, _AROUND * diameter)
    made = cut_outs(volume, labels, number, position, field=field, pixels=PIXELS, window=_WINDOW)
    return [_picture(one, field) for one in made]


def _picture(one: CutOut, field: float) -> dict[str, Any]:
    data = base64.b64encode(grey_png(one.grey)).decode("ascii")
    return {
        "plane": one.plane, "data": data, "outline": edges_of(one.inside), "above": one.above, "left": one.left,
        "field": field,
    }  # fmt: skip


def _nodule(truth: list[Any], number: int) -> str:
    """A nodule of the truth in words."""
    if number == 0:
        return ""
    one = truth[number - 1]
    parts = [f"{float(one.diameter):.1f} mm"]
    parts += [str(getattr(one, name)) for name in ("texture", "place") if getattr(one, name, None)]
    known = getattr(one, "malignant", None)
    return ", ".join([*parts, *([] if known is None else ["malignant" if known else "benign"])])


def _answer(marks: CadMarks, rows: list[dict[str, Any]], truth: list[Any], evaluated: bool) -> str:
    said = (
        f"{plural(marks.marked, 'mark')} of probability {marks.model.operating.threshold:.3f} or more, of "
        f"{plural(len(rows), 'region')}."
    )
    if not evaluated:
        return said
    found = {row["hit"] for row in rows if row["marked"]} - {0}
    false = sum(row["marked"] and row["hit"] == 0 for row in rows)
    return f"{said} They find {len(found)} of {plural(len(truth), 'nodule')}, with {plural(false, 'false positive')}."


def _facts(marks: CadMarks) -> tuple[tuple[str, str], ...]:
    z, y, x = marks.volume.shape
    steps = " x ".join(f"{one:.3g}" for one in marks.volume.spacing)
    kernel = [("kernel", marks.facts.kernel)] if marks.facts.kernel else []
    return (
        ("voxels", f"{z} x {y} x {x}"), ("spacing", f"{steps} mm"),
        ("noise in the lungs", f"{marks.facts.noise:.0f} HU"),
        *kernel, ("SHA-256", marks.facts.digest[:16]),
    )  # fmt: skip


def _about(marks: CadMarks) -> tuple[tuple[str, str], ...]:
    model = marks.model
    names = ", ".join(name for name, _ in model.members)
    nodules = sum(one.nodules for one in model.scans)
    return (
        ("classifiers", names + ("" if model.combination == "none" else f", combined by {model.combination}")),
        ("trained on", f"{plural(len(model.scans), 'scan')} with {plural(nodules, 'nodule')}"),
        ("operating point", str(model.operating)),
        ("malignancy", "not known to this CAD" if model.malignancy is None else (
            f"if it is a nodule, from {plural(model.malignancy.nodules, 'nodule')}, "
            f"{model.malignancy.malignant} of them malignant"
        )),
        ("versions", ", ".join(f"{name} {value}" for name, value in model.about.items() if name != "use")),
    )  # fmt: skip


def hits_of(marks: CadMarks, lesions: Any) -> tuple[list[Any], list[int]]:
    """The true nodules of the scan, and the number of the one that each mark hits; 0 for none."""
    truth = [] if lesions is None else list(nodules_of(lesions, marks.scan))
    return truth, marks.found.hits(truth) if truth else [0] * len(marks.found.regions)


def curve_points(marks: CadMarks) -> dict[str, list[float | None]]:
    """Points of the FROC curve on held-out scans; the threshold above every score is left out."""
    curve = marks.model.froc(resampling=None).curve
    finite = np.isfinite(curve.thresholds)
    return {
        "rate": curve.rate[finite].tolist(), "sensitivity": curve.sensitivity[finite].tolist(),
        "threshold": curve.thresholds[finite].tolist(),
    }  # fmt: skip
