"""Non-rigid registration of one frame onto the baseline, by B-splines or demons of SimpleITK.

Contrast agent brightens what does not move, and a registration that explains brightness by motion shrinks lesions. So
B-splines are fitted by mutual information, which does not ask for equal brightness, on a coarse grid; demons compare
images whose brightness was matched by their histograms, and are smooth. What either does to volumes is measured: the
determinant of the derivative of the mapping is the factor by which a small piece of tissue changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.types import Array
from roclab.errors import FileError, Words
from roclab.imaging.volumes import Volume, image_library, reason_of

__all__ = ["Deformed", "VolumeChange", "deform"]

_GRID = 40.0  # mm between the nodes of B-splines
_SMOOTH = 15.0  # mm: Gaussian over the field of demons
_SHARE = 0.05  # of the voxels, on a regular grid, that mutual information looks at
_INSIDE = 0.1  # of the brightest: tissue


@dataclass(frozen=True, slots=True, kw_only=True)
class VolumeChange:
    """Factors by which tissue changed: over all of it, and its 1st and 99th percentile; voxels that were folded."""

    whole: float
    low: float
    high: float
    folded: int

    def __str__(self) -> str:
        percent = [f"{100 * (one - 1):+.1f}%" for one in (self.whole, self.low, self.high)]
        folded = f", {self.folded} voxels folded" if self.folded else ""
        return f"volume {percent[0]}, from {percent[1]} to {percent[2]} in 98% of the voxels{folded}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Deformed:
    """A frame in the place of the baseline, and what became of volumes."""

    array: Array
    change: VolumeChange


def deform(frame: Volume, baseline: Volume, how: str) -> Deformed:
    """Bring a frame onto the baseline; O(voxels iterations)."""
    itk = image_library()
    moving, fixed = _image(itk, frame), _image(itk, baseline)
    try:
        transform = _bspline(itk, moving, fixed) if how == "bspline" else _demons(itk, moving, fixed)
        field = itk.TransformToDisplacementField(
            transform, itk.sitkVectorFloat64, fixed.GetSize(), fixed.GetOrigin(), fixed.GetSpacing(),
            fixed.GetDirection(),
        )  # fmt: skip
        factor = itk.GetArrayFromImage(itk.DisplacementFieldJacobianDeterminant(field))
        moved = itk.GetArrayFromImage(itk.Resample(moving, fixed, transform, itk.sitkLinear, float("nan")))
    except RuntimeError as error:
        raise FileError(
            "registration", "must find a mapping", Words(f"none by {how} ({reason_of(error)})"), "try 'translation'"
        ) from None
    moved = np.where(np.isnan(moved), frame.array, moved)
    inside = baseline.array > _INSIDE * float(np.quantile(baseline.array, 0.99))
    held = factor[inside] if inside.any() else factor.ravel()
    low, high = np.quantile(held, [0.01, 0.99])
    change = VolumeChange(
        whole=float(held.mean()), low=float(low), high=float(high), folded=int(np.count_nonzero(held <= 0))
    )
    return Deformed(array=moved.astype(np.float32), change=change)


def _image(itk: Any, volume: Volume) -> Any:
    image = itk.GetImageFromArray(np.asarray(volume.array, dtype=np.float32))
    image.SetSpacing(tuple(reversed(volume.spacing)))
    image.SetOrigin(volume.origin)
    image.SetDirection(volume.direction)
    return image


def _bspline(itk: Any, moving: Any, fixed: Any) -> Any:
    mesh = [max(1, round(size * step / _GRID)) for size, step in zip(fixed.GetSize(), fixed.GetSpacing(), strict=True)]
    method = itk.ImageRegistrationMethod()
    method.SetMetricAsMattesMutualInformation(32)
    method.SetMetricSamplingStrategy(method.REGULAR)
    method.SetMetricSamplingPercentage(_SHARE, 1)
    method.SetInterpolator(itk.sitkLinear)
    method.SetOptimizerAsLBFGSB(
        gradientConvergenceTolerance=1e-5, numberOfIterations=30, maximumNumberOfFunctionEvaluations=60
    )
    method.SetInitialTransform(itk.BSplineTransformInitializer(fixed, mesh, 3), inPlace=True)
    return method.Execute(fixed, moving)


def _demons(itk: Any, moving: Any, fixed: Any) -> Any:
    alike = itk.HistogramMatching(moving, fixed, 256, 12, True)
    method = itk.FastSymmetricForcesDemonsRegistrationFilter()
    method.SetNumberOfIterations(40)
    method.SetSmoothDisplacementField(True)
    method.SetStandardDeviations([max(_SMOOTH / step, 0.5) for step in fixed.GetSpacing()])
    return itk.DisplacementFieldTransform(itk.Cast(method.Execute(fixed, alike), itk.sitkVectorFloat64))
