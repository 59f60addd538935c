"""Questions about one series: phantoms, frames, the breast, motion, subtractions, and the confidence volume.

Research use, not a medical device.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from roclab._core.work import Progress
from roclab.errors import InputError, Words
from roclab.imaging.dce.confidence import Confidence, confidence_volume, smoothed
from roclab.imaging.dce.findings import find_findings
from roclab.imaging.dce.masks import BreastMask, find_breast, mask_of
from roclab.imaging.dce.model import DceModel
from roclab.imaging.dce.model_file import read_model, write_model
from roclab.imaging.dce.motion import MotionCheck, Registration, check_motion, register
from roclab.imaging.dce.series import DceSeries, make_series
from roclab.imaging.dce.subtraction import subtraction
from roclab.imaging.phantoms.breast import BreastPhantom, make_breast
from roclab.imaging.phantoms.protocols import Protocol
from roclab.imaging.volumes import Volume
from roclab.names import Anterior, DceProtocol, LesionKind, SubtractionScale

__all__ = [
    "dce_apply",
    "dce_mask",
    "dce_motion",
    "dce_series",
    "dce_subtraction",
    "phantom_breast",
    "read_dce_model",
    "write_dce_model",
]


def phantom_breast(
    *,
    size: Sequence[int] = (32, 96, 128),
    spacing: Sequence[float] | None = None,
    lesions: int | Sequence[tuple[LesionKind, float]] = 3,
    diameters: tuple[float, float] = (7.0, 22.0),
    protocol: DceProtocol | Protocol = "reference",
    background: float | None = None,
    noise: float | None = None,
    motion: float = 0.5,
    bias: float = 0.2,
    rng: Any = None,
    progress: Progress | None = None,
) -> BreastPhantom:
    """Breasts in DCE-MRI made by rule, with the truth about their lesions.

    Arterial input by Parker, exchange by the extended model of Tofts, the signal of a spoiled gradient echo. Fat, gland
    that enhances by itself, vessels, skin, muscle, lungs and heart; benign lesions that take up slowly, malignant ones
    with a rim that washes out and a core; both breasts move between frames, a bias field and Rician noise lie over all.

    Parameters
    ----------
    size : three numbers of voxels (z, y, x)
    spacing : three numbers in mm (z, y, x), optional
        150 mm high and 340 mm wide by default.
    lesions : int, or sequence of (kind, diameter)
        How many, both kinds in turn, or which; kinds are "benign" and "malignant".
    diameters : (smallest, largest) in mm
        Between which diameters are drawn, evenly on a logarithmic scale.
    protocol : "reference", "external" or Protocol
        1 + 5 frames 72 s apart at 1.5 T, or 1 + 7 frames 55 s apart with longer T1, other angles and more noise.
    background : float, optional
        Ktrans of the gland per minute (default: drawn, log-normal around 0.035): how strongly normal tissue enhances.
    noise : float, optional
        Standard deviation, as a share of the gland's signal before contrast agent (default: the protocol's).
    motion : float
        Standard deviation in mm, for each direction, of a breast's step from frame to frame.
    bias : float
        Standard deviation of the logarithm of the bias field.
    rng : seed

    Returns
    -------
    BreastPhantom
        ``.series``, ``.truth``, ``.breast``, ``.lesions``, and ``.as_case(name)`` for training and evaluation.

    Notes
    -----
    What a method reaches on phantoms shows that its steps work. It is not clinical performance.

    Examples
    --------
    >>> import roclab as rl
    >>> made = rl.imaging.phantom_breast(size=(8, 48, 64), lesions=[("malignant", 20.0)], rng=1)
    >>> made.series.shape, len(made.series.frames), made.lesions[0].kind
    ((8, 48, 64), 6, 'malignant')
    """
    return make_breast(
        size=size, spacing=spacing, lesions=lesions, diameters=diameters, protocol=protocol, background=background,
        noise=noise, motion=motion, bias=bias, rng=rng, progress=progress,
    )  # fmt: skip


def dce_series(
    frames: Any,
    *,
    times: Sequence[float] | None = None,
    arrival: float | None = None,
    spacing: Sequence[float] | None = None,
    series: str | None = None,
    registration: str | Registration | None = None,
    progress: Progress | None = None,
) -> DceSeries:
    """A DCE-MRI series from its frames, checked.

    Parameters
    ----------
    frames : sequence of Volumes or files, one file of four axes, a folder of DICOM, or an array (t, z, y, x)
        In the order of time; all of one geometry. A folder may be nested and hold other series: the one that shows one
        place at most times is taken, a note says which, and lists the rest.
    times : seconds, optional
        The middle of every frame. Files of four axes and DICOM may know them.
    arrival : float, optional
        Seconds at which contrast agent arrived; frames up to then are the baseline. Without it the arrival is looked
        for, to within one frame, and a note says so.
    spacing : three numbers (z, y, x) in mm
        For an array, which knows none.
    series : str, optional
        Which of a folder of DICOM, by its UID or number.
    registration : "translation", "bspline", "demons", or a function of a frame and the baseline, optional
        Brings every frame onto the baseline: as a whole, or bending it, which takes longer, can explain contrast agent
        as motion, and says in a note what it did to volumes. A function takes two Volumes and returns the first in the
        place of the second. Any registration program fits in here.

    Examples
    --------
    >>> import numpy as np, roclab as rl
    >>> frames = np.ones((3, 2, 8, 8)) * np.array([1.0, 1.6, 1.8])[:, None, None, None]
    >>> rl.imaging.dce_series(frames, times=[0, 60, 120], arrival=20).after_arrival.tolist()
    [40.0, 100.0]
    """
    found = make_series(frames, times=times, arrival=arrival, spacing=spacing, series=series)
    return found if registration is None else register(found, registration, progress=progress)


def dce_mask(
    series: DceSeries, *, anterior: Anterior | None = None, skin: float = 4.0, wall: float | None = None
) -> BreastMask:
    """The breast, without air, skin, chest wall and what lies behind it.

    Parameters
    ----------
    series : DceSeries
    anterior : "y-", "y+", "x-", "x+", "z-" or "z+", optional
        Where the front of the body is in the stored array: towards the first rows ("y-"), the last columns ("x+") and
        so on (default: by the header; where there is none the first rows are taken, and a note says so).
    skin : float
        Millimetres from the air that are left out.
    wall : float, optional
        Millimetres from the front of the image at which the chest begins, a plane (default: where the body grows
        most; round where both breasts are in view, else a plane).

    Examples
    --------
    >>> import roclab as rl
    >>> made = rl.imaging.phantom_breast(size=(8, 48, 64), rng=1)
    >>> found = rl.imaging.dce_mask(made.series)
    >>> bool((found.mask.array & (made.tissues.array == 7)).any())  # no heart in it
    False
    """
    return find_breast(series, anterior=anterior, skin=skin, wall=wall)


def dce_motion(series: DceSeries) -> MotionCheck:
    """How far every frame lies from the baseline, by translation; ``.moved`` where it is more than half a voxel.

    Parts that move differently, as two breasts do, are seen as their average.
    """
    return check_motion(series)


def dce_subtraction(
    series: DceSeries, name: str, *, scale: SubtractionScale = "relative", smoothing: float = 0.0, mask: Any = None
) -> Volume:
    """One subtraction image of a series.

    Parameters
    ----------
    name : str
        "early" (the frame nearest to 90 s after arrival), "late" (the last), "late_early", "wash_out" or "maximum", all
        less the baseline; or any two frames, "3-1" for frame 3 less frame 1.
    scale : "relative" or "absolute"
        Divided by the baseline, or in the units of the signal.
    smoothing : float
        Millimetres: standard deviation of a Gaussian within ``mask``, as ``dce_apply`` has it.
    """
    inside = mask_of(mask, series) if smoothing or mask is not None else None
    lowest = None if inside is None else _lowest(series, inside)
    image = subtraction(series, name, scale=scale, lowest=lowest)
    if smoothing and inside is not None:
        image = smoothed(image, inside, series.place.spacing, smoothing)
    return series.place.with_array(image)


def _lowest(series: DceSeries, inside: Any) -> float:
    import numpy as np

    from roclab.imaging.dce.signal_space import FLOOR

    return FLOOR * float(np.median(series.baseline[inside]))


def dce_apply(
    model: DceModel | str | os.PathLike[str],
    series: DceSeries,
    *,
    mask: Any = None,
    smoothing: float = 0.0,
    threshold: float = 0.5,
    smallest: float = 20.0,
    workers: int = 1,
    progress: Progress | None = None,
) -> Confidence:
    """The confidence volume of a series: one image in its geometry instead of many subtractions.

    Parameters
    ----------
    model : DceModel, or its file
    series : DceSeries
        Read at the model's times after arrival; one that ends earlier is refused.
    mask : Volume, BreastMask, array or file, optional
        Where to look (default: ``dce_mask``). Elsewhere the confidence is 0.
    smoothing : float
        Standard deviation in mm of a Gaussian within the mask.
    threshold : float
        Confidence from which on voxels belong to a suspicious region.
    smallest : float
        Volume in mm³ of the smallest region.
    workers : int
        Threads.

    Returns
    -------
    Confidence
        ``.volume``, and the suspicious regions in ``.findings``: place, volume, mean curve, its type and confidence.
    """
    if not isinstance(series, DceSeries):
        raise InputError("series", "must be a DceSeries", Words(type(series).__name__), "dce_series makes one")
    known = model if isinstance(model, DceModel) else read_model(model)
    inside = mask_of(mask, series)
    found = confidence_volume(known, series, inside, smoothing=smoothing, workers=workers, progress=progress)
    regions = find_findings(found.volume, found.mask, series, threshold=threshold, smallest=smallest)
    return replace(found, findings=regions)


def read_dce_model(path: str | os.PathLike[str]) -> DceModel:
    """A model from its file, exactly as it was; opening one runs nothing."""
    return read_model(path, name="path")


def write_dce_model(model: DceModel, path: str | os.PathLike[str]) -> Any:
    """Write a model: arrays and JSON in one file, whole or not at all."""
    return write_model(model, path)
