"""A transparent lung CAD, step by step: phantoms with truth, the lungs of a scan, and regions of interest in them.

Research use, not a medical device.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from roclab._core.checks import check_choice
from roclab._core.types import Bools, Floats
from roclab._core.work import Progress
from roclab.analysis.cluster import robust_cmeans
from roclab.analysis.dce.ask import phantom_breast
from roclab.analysis.froc_reading import Columns, score_name
from roclab.errors import InputError, Words
from roclab.fuzzy.robust import RobustClusters
from roclab.imaging.hounsfield import clipped_to_air
from roclab.imaging.lungs.candidates import Candidates, find_candidates
from roclab.imaging.lungs.marked import regions_at
from roclab.imaging.lungs.segment import Lungs, find_lungs
from roclab.imaging.orientation import canonical, orientation_notes
from roclab.imaging.phantoms.breast import BreastPhantom
from roclab.imaging.phantoms.chest import ChestPhantom, make_chest
from roclab.imaging.programs.lung_labels import labels_in
from roclab.imaging.volumes import Volume, name_of_image, read_volume
from roclab.names import PHANTOM_KINDS, CandidateMethod, NodulePlace, NoduleTexture, PhantomKind

__all__ = ["mask_in", "nodules", "phantom", "phantom_chest", "segment", "segment_lungs"]


def phantom(kind: PhantomKind = "chest", **options: Any) -> ChestPhantom | BreastPhantom:
    """An image made by rule, of which the truth is known.

    "chest" is a CT, with the options of :func:`phantom_chest`; "breast" a DCE-MRI, with those of
    :func:`phantom_breast`.

    >>> import roclab as rl
    >>> rl.imaging.phantom(size=(12, 64, 64), nodules=0, rng=1).volume.shape
    (12, 64, 64)
    """
    check_choice(kind, "kind", PHANTOM_KINDS)
    return phantom_chest(**options) if kind == "chest" else phantom_breast(**options)


def segment(
    volume: Volume | str | os.PathLike[str] | Any, *, classes: int | None = None, **options: Any
) -> Lungs | RobustClusters:
    """The lungs of a chest CT, or with ``classes`` as many classes of pixels of any image.

    Parameters
    ----------
    volume : Volume, or a file or folder that ``read_volume`` reads; with ``classes`` also an array
        Of a CT what lies below air is padding.
    classes : int, optional
        Cluster the pixels instead of looking for lungs.
    **options
        Those of :func:`segment_lungs`, or of :func:`robust_cmeans` (``method``, ``preset``, ``window``, ``beta``,
        ``mask``, …).

    Returns
    -------
    Lungs or RobustClusters

    Examples
    --------
    >>> import roclab as rl
    >>> chest = rl.imaging.phantom(size=(12, 64, 64), nodules=0, rng=1)
    >>> len(rl.imaging.segment(chest.volume).rows()), rl.imaging.segment(chest.volume, classes=3).centres.shape
    (2, (3, 1))
    """
    if classes is None:
        return segment_lungs(volume, **options)
    if isinstance(volume, np.ndarray):
        return robust_cmeans(volume, classes, **options)
    image = clipped_to_air(_volume(volume))
    if isinstance(options.get("mask"), Lungs | Volume | str | os.PathLike):
        options["mask"] = mask_in(options["mask"], image, "mask")
    return robust_cmeans(image.array, classes, **options)


def phantom_chest(
    *,
    size: Sequence[int] = (64, 256, 256),
    spacing: Sequence[float] | None = None,
    nodules: int | Sequence[tuple[NodulePlace, NoduleTexture, float]] = 12,
    diameters: tuple[float, float] = (4.0, 20.0),
    noise: float = 30.0,
    rng: Any = None,
    progress: Progress | None = None,
) -> ChestPhantom:
    """A chest CT made by rule, with the truth about its lungs and nodules.

    Body, ribs, spine, lungs that are denser below, vessels that branch by Murray's rule, airways, nodules, blur, noise
    with the spectrum of CT, and padding outside the field of view.

    Parameters
    ----------
    size : three numbers of voxels (z, y, x)
    spacing : three numbers in mm (z, y, x), optional
        2.5 mm slices, and pixels of a field of view of 360 mm. The anatomy fills the field of view.
    nodules : int, or sequence of (place, texture, diameter)
        How many, or which: places are "solitary", "juxtavascular" and "juxtapleural", textures "solid", "part-solid",
        "ground-glass" and "calcified".
    diameters : (smallest, largest) in mm
        Between which diameters are drawn, evenly on a logarithmic scale.
    noise : float
        Standard deviation in HU.
    rng : seed

    Returns
    -------
    ChestPhantom
        ``.volume``, ``.labels`` (tissues), ``.lungs`` (1 right, 2 left), ``.nodules``, ``.annotations(scan)``.

    Notes
    -----
    What a method reaches on phantoms shows that its steps work. It is not clinical performance.

    Examples
    --------
    >>> import roclab as rl
    >>> chest = rl.imaging.phantom_chest(size=(12, 64, 64), nodules=[("solitary", "solid", 10.0)], rng=1)
    >>> chest.volume.shape, chest.nodules[0].texture
    ((12, 64, 64), 'solid')
    """
    return make_chest(
        size=size, spacing=spacing, nodules=nodules, diameters=diameters, noise=noise, rng=rng, progress=progress
    )


def segment_lungs(
    volume: Volume | str | os.PathLike[str],
    *,
    closing: float = 10.0,
    threshold: float | None = None,
    smallest: float | None = None,
    progress: Progress | None = None,
) -> Lungs:
    """The two lungs of a chest CT, with the nodules at their surface.

    Parameters
    ----------
    volume : Volume, or a file or folder that ``read_volume`` reads
        In Hounsfield units; what lies below air is padding.
    closing : float
        Radius in mm of the ball by which each lung is closed.
    threshold : float, optional
        HU between air and tissue (default: isodata).
    smallest : float, optional
        Millilitres of air that a lung has at least (default: 20; of one or two slices alone 15 cm2 in each).

    Sides and slices are those of the patient, from the header: any order of axes gives the same lungs.

    Returns
    -------
    Lungs
        ``.labels`` (1 right, 2 left), ``.mask``, ``.threshold``, volumes in ``.rows()``; a note tells of one missing.

    Examples
    --------
    >>> import roclab as rl
    >>> chest = rl.imaging.phantom_chest(size=(12, 64, 64), nodules=0, rng=1)
    >>> [row["lung"] for row in rl.imaging.segment_lungs(chest.volume).rows()]
    ['right', 'left']
    """
    image = _volume(volume)
    turned, turn = canonical(image)
    lungs = find_lungs(turned, closing=closing, threshold=threshold, smallest=smallest, progress=progress)
    notes = (*lungs.notes, *orientation_notes(image, turn))
    return replace(lungs, labels=image.with_array(turn.back(lungs.labels.array)), notes=notes)


def nodules(
    volume: Volume | str | os.PathLike[str],
    *,
    lungs: Lungs | Volume | Any = None,
    scan: str | None = None,
    marks: Any = None,
    method: CandidateMethod | None = None,
    response: float | None = None,
    most: int | None = None,
    threshold: float | None = None,
    ground_glass: float | Literal["usual"] | None = "usual",
    beta: float | str | None = None,
    necks: float | None = None,
    smallest: float = 3.0,
    largest: float = 40.0,
    rim: float | None = None,
    score: str | None = None,
    progress: Progress | None = None,
) -> Candidates:
    """Regions of interest in the lungs, nodules and vessels alike, with the features that tell them apart.

    Parameters
    ----------
    volume : Volume, or a file or folder that ``read_volume`` reads
    lungs : Lungs, Volume, file or array, optional
        Where to search; any program's mask will do (default: ``segment_lungs``).
    scan : str, optional
        The scan's name in tables (default: that of the file).
    marks : table, optional
        Candidates of another program in the columns of LUNA16 (``seriesuid``, ``coordX``, ``coordY``, ``coordZ``,
        ``probability``): each gets the features of the region at its place, and keeps its place and score. Marks of
        other scans are passed over; notes count those outside the volume or near no region.
    method : "dots", "threshold" or "rfcm", optional
        What is bright and falls off alike in all directions, at any of several sizes (default); or all that is dense,
        above ``threshold`` HU or in the upper of two classes of robust fuzzy c-means with ``beta``, cut apart where it
        hangs together by necks (default with ``marks``, which may lie on anything dense).
    response, most : float, int
        Of dots: the least response, 8 HU, and the most that are kept, 150 of the highest.
    threshold, beta : float
        -600 HU; "auto".
    ground_glass : float, optional
        Of dense regions: a second threshold, -740 HU, by which patches of 5 mm or more are found in the smoothed scan,
        away from the edges of what is dense; None for none.
    necks : float
        Dense regions are cut where their distance map falls by this many mm, 0.6, between two peaks.
    smallest, largest : float
        Diameters in mm of the balls of their volumes; regions of fewer than 4 voxels have no shape and are dropped.
    rim : float
        Regions that reach no deeper into the lung, in mm, are dropped: 3 for dense ones, which are its blurred edge
        then, and 0 for dots.
    score : str
        The feature by which ``marks`` are scored: "response" of dots; else "blob_mm", large for what is round and
        thick. No feature is a probability.

    Returns
    -------
    Candidates
        ``.rows()`` for ``bench``, ``.marks()`` for ``froc``, ``.labels`` (an image of the regions), ``.solid`` (their
        solid parts, of dots), ``.hits(nodules)``.

    Examples
    --------
    >>> import roclab as rl
    >>> chest = rl.imaging.phantom_chest(size=(24, 96, 96), nodules=[("solitary", "solid", 18.0)], noise=10, rng=2)
    >>> found = rl.imaging.nodules(chest.volume, lungs=chest.lungs)
    >>> found.hits(chest.nodules)[0]
    1
    """
    image = _volume(volume)
    inside = segment_lungs(image).mask if lungs is None else mask_in(lungs, image)
    called = scan or ("scan" if isinstance(volume, Volume) else name_of_image(volume))
    placed = None if marks is None else _marks_of(marks, called)
    if placed is not None and rim is None:
        rim = 0.0  # where the other program looked at the rim, so do we
    turned, turn = canonical(image)
    found = find_candidates(
        turned, turn.forward(_fitting(inside, image)), scan=called,
        method=method or ("dots" if placed is None else "threshold"), response=response, most=most,
        threshold=threshold, ground_glass=ground_glass, beta=beta, necks=necks, smallest=smallest, largest=largest,
        rim=rim, score=score, progress=progress,
    )  # fmt: skip
    if placed is not None:
        found = regions_at(found, *placed)
    solid = None if found.solid is None else image.with_array(turn.back(found.solid.array))
    return replace(found, labels=image.with_array(turn.back(found.labels.array)), solid=solid)


def _fitting(inside: Bools, image: Volume) -> Bools:
    if inside.shape != image.shape:
        raise InputError("lungs", f"must have the shape {image.shape} of the volume", Words(f"{inside.shape}"))
    return inside


def _marks_of(marks: Any, scan: str) -> tuple[Floats, Floats]:
    """Places and scores of the marks in one scan."""
    by = score_name(marks, {})
    columns = Columns("seriesuid", by, ("coordX", "coordY", "coordZ"), "diameter_mm", {})
    read = columns.read(marks, "marks", [by])
    mine = np.array([name == scan for name in read["scan"]], dtype=np.bool_)
    if not mine.any():
        known = ", ".join(map(repr, dict.fromkeys(read["scan"]))) or "none"
        raise InputError("marks", f"must hold marks of the scan {scan!r}", Words(f"those of {known}"), "say scan=")
    return read["place"][mine], read[by][mine]


def _volume(given: Any) -> Volume:
    if isinstance(given, Volume):
        return given
    if isinstance(given, str | os.PathLike):
        return read_volume(given)
    raise InputError("volume", "must be a Volume or a file", Words(type(given).__name__), "read_volume makes one")


def mask_in(lungs: Any, image: Volume, name: str = "lungs") -> Bools:
    """A mask by any program, as a Volume, file, array or Lungs, in the place and order of axes of an image."""
    if isinstance(lungs, Lungs):
        lungs = lungs.labels
    if isinstance(lungs, str | os.PathLike):
        lungs = read_volume(lungs)
    if isinstance(lungs, Volume):
        if not lungs.same_place(image):
            lungs = _turned(lungs, image, name)
        lungs = lungs.array
    held = labels_in(np.atleast_3d(lungs), name)
    if len(held) > 1 and not set(held) <= {1, 2}:
        shown = ", ".join(map(str, held[:6])) + (f" and {len(held) - 6} more" if len(held) > 6 else "")
        raise InputError(
            name, "must be a mask, or 1 in the right lung and 2 in the left", Words(f"labels {shown}"),
            "read_lungs reads labels of other programs",
        )  # fmt: skip
    inside: Bools = np.asarray(lungs) > 0
    return inside


def _turned(mask: Volume, image: Volume, name: str) -> Volume:
    """A mask that is stored in another order of axes, in that of the image."""
    turned, (place, turn) = canonical(mask)[0], canonical(image)
    if not (turned.same_place(place) and mask.oriented and image.oriented):
        raise InputError(name, "must lie in the same place as the volume", Words("another geometry"))
    return image.with_array(turn.back(turned.array))
