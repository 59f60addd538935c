"""One volume: an array (z, y, x) and where it lies in the patient. Files come and go through SimpleITK.

Arrays without geometry are where imaging goes wrong: slices are thicker than pixels, series have gaps, and coordinates
in millimetres are flipped between programs. So everything here carries spacing, origin and direction, in millimetres
and in the axes of ITK and DICOM (left, posterior, superior), and writing puts a result back where it came from.
"""

from __future__ import annotations

import locale
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from roclab._core.types import Array, Floats, frozen
from roclab._core.whole_file import check_place
from roclab.errors import FileError, InputError, MissingExtraError, RoclabWarning, Words, named
from roclab.imaging.nifti_gaps import with_gaps

__all__ = [
    "Volume",
    "check_image_place",
    "image_library",
    "read_volume",
    "reason_of",
    "modality_of",
    "name_of_image",
    "says_orientation",
    "same_locale",
    "volume_of_slices",
    "write_volume",
]

_ENDINGS = (".nii", ".nii.gz", ".mha", ".mhd", ".nrrd", ".dcm", ".npy", ".npz")
_IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
_EVEN = 0.01  # of the spacing: gaps between slices that differ by more are uneven


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Volume:
    """An image in space.

    Attributes
    ----------
    array : (z, y, x)
    spacing : (z, y, x), mm between neighbours
    origin : (x, y, z), mm, of the first pixel
    direction : 3 x 3, columns are the directions of x, y and z
    oriented : bool
        Whether the direction is known, which it is wherever one is given that is not the identity. A file without a
        header says nothing, and what asks for a side then says which it took.
    modality : str
        "CT", "MR" or another word of DICOM; "" where the file does not know it.
    """

    array: Array
    spacing: tuple[float, float, float] = (1.0, 1.0, 1.0)
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)
    direction: tuple[float, ...] = _IDENTITY
    oriented: bool = False
    modality: str = ""

    def __post_init__(self) -> None:
        if np.ndim(self.array) != 3:
            raise InputError("array", "must have three axes, z, y and x", Words(f"shape {np.shape(self.array)}"))
        if len(self.spacing) != 3 or not all(0 < step < np.inf for step in self.spacing):
            raise InputError("spacing", "must be three numbers above 0", self.spacing, "in mm, z first")
        if len(self.origin) != 3 or len(self.direction) != 9:
            raise InputError("origin", "must be three numbers, and direction nine", Words(f"{len(self.direction)}"))
        if tuple(self.direction) != _IDENTITY:
            object.__setattr__(self, "oriented", True)
        frozen(self.array)

    @property
    def shape(self) -> tuple[int, int, int]:
        """Planes, rows and columns."""
        z, y, x = self.array.shape
        return z, y, x

    @property
    def voxel_mm3(self) -> float:
        """Size of a voxel."""
        return float(np.prod(self.spacing))

    @property
    def edges(self) -> tuple[str, str, str, str]:
        """Letters for the left, right, upper and lower edge of a slice: R or L, A or P, S or I; none if not known."""
        if not self.oriented:
            return "", "", "", ""
        from roclab.imaging.orientation import turn_of

        turn = turn_of(self.direction)
        return (*turn.ends(2), *turn.ends(1))

    def with_array(self, array: Array) -> Volume:
        """Another image in the same place."""
        if np.shape(array) != self.array.shape:
            raise InputError("array", f"must have the shape {self.shape}", Words(f"{np.shape(array)}"))
        return replace(self, array=array)

    def to_world(self, index: Any) -> Floats:
        """Positions (x, y, z) in mm of indices (z, y, x)."""
        steps = np.atleast_2d(np.asarray(index, dtype=np.float64))[:, ::-1] * np.array(self.spacing)[::-1]
        place: Floats = np.array(self.origin) + steps @ np.array(self.direction).reshape(3, 3).T
        return place

    def to_index(self, position: Any) -> Floats:
        """Indices (z, y, x), with fractions, of positions (x, y, z) in mm."""
        apart = np.atleast_2d(np.asarray(position, dtype=np.float64)) - np.array(self.origin)
        steps = apart @ np.linalg.inv(np.array(self.direction).reshape(3, 3)).T
        index: Floats = (steps / np.array(self.spacing)[::-1])[:, ::-1]
        return index

    def same_place(self, other: Volume) -> bool:
        """Do both lie in the same place, voxel on voxel?"""
        return self.shape == other.shape and all(
            np.allclose(getattr(self, name), getattr(other, name), atol=1e-3)
            for name in ("spacing", "origin", "direction")
        )


def image_library() -> Any:
    """SimpleITK, or an error with its install line."""
    try:
        import SimpleITK
    except ImportError:
        raise MissingExtraError(library="SimpleITK", extra="imaging", purpose="reading and writing images") from None
    return SimpleITK


@contextmanager
def same_locale() -> Iterator[None]:
    """ITK sets the locale of the whole process while it reads numbers, and leaves it so when a file is broken."""
    before = locale.setlocale(locale.LC_ALL)
    try:
        yield
    finally:
        locale.setlocale(locale.LC_ALL, before)


def read_volume(path: str | os.PathLike[str], *, spacing: Any = None, series: str | None = None) -> Volume:
    """A volume from a folder with a DICOM series, or a file: NIfTI, MetaImage, NRRD, one DICOM slice, or NumPy.

    Parameters
    ----------
    spacing : three numbers (z, y, x) in mm
        For NumPy files, which know none.
    series : str, optional
        Which series of a folder that holds several.

    Notes
    -----
    Slices of a series must lie at even gaps, none of them twice; an error says where they do not. Rescale slope and
    intercept of DICOM are applied.
    """
    place = Path(path)
    if not place.exists():
        raise FileError("path", "must exist", Words(place), "check the path")
    with same_locale():
        return _series(place, series) if place.is_dir() else _file(place, spacing)


def _file(place: Path, spacing: Any) -> Volume:
    if not str(place).lower().endswith(_ENDINGS):
        raise FileError("path", f"must end in one of {', '.join(_ENDINGS)}", Words(place.name))
    if place.suffix.lower() in (".npy", ".npz"):
        return _numpy(place, spacing)
    if spacing is not None:
        raise InputError("spacing", "is for NumPy files, which have none of their own", spacing, "leave it out")
    itk = image_library()
    itk.ProcessObject.SetGlobalWarningDisplay(False)
    try:
        image = itk.ReadImage(str(place))
    except RuntimeError as error:
        raise FileError(
            "path", "must be an image that can be read", Words(f"{place.name} ({reason_of(error)})")
        ) from None
    if place.suffix.lower() == ".dcm" and not _has_rescale(image):
        _tell_of_no_rescale(place.name, 1)
    volume = replace(_volume(image, place.name), modality=modality_of(image))
    if place.name.lower().endswith((".nii", ".nii.gz")):
        return replace(volume, array=with_gaps(volume.array, place))
    return volume


def modality_of(head: Any) -> str:
    """What made an image, where its header says it; only DICOM does."""
    return str(head.GetMetaData("0008|0060")).strip() if head.HasMetaDataKey("0008|0060") else ""


def _has_rescale(head: Any) -> bool:
    """Whether a slice says how its numbers become Hounsfield units; only CT has to."""
    return modality_of(head) != "CT" or (head.HasMetaDataKey("0028|1052") and head.HasMetaDataKey("0028|1053"))


def _tell_of_no_rescale(name: str, many: int) -> None:
    more = "" if many == 1 else f" and {many - 1} more"
    said = f"{name}{more} has no rescale slope and intercept: its numbers may not be Hounsfield units."
    warnings.warn(said, RoclabWarning, stacklevel=6)


def reason_of(error: Exception) -> str:
    """The last line of what ITK says, without its own places in memory and on disk."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1].split(": ", 1)[-1][:120] if lines else type(error).__name__


def _volume(image: Any, called: str) -> Volume:
    itk = image_library()
    if image.GetNumberOfComponentsPerPixel() != 1:
        raise FileError(
            "path", "must be an image of one channel", Words(f"{called}, which has colours"), "use a grey one"
        )
    if image.GetDimension() == 4:
        raise FileError("path", "must be one volume", Words(f"{called}, a series over time"), "write one frame of it")
    array = itk.GetArrayFromImage(image)
    if array.ndim == 2:
        array = array[None]
        x, y = image.GetSpacing()
        a, b = image.GetOrigin()
        return Volume(array=array, spacing=(1.0, y, x), origin=(a, b, 0.0))
    return Volume(
        array=array,
        spacing=tuple(reversed(image.GetSpacing())),
        origin=tuple(image.GetOrigin()),
        direction=tuple(image.GetDirection()),
        oriented=says_orientation(image, called),
    )


def says_orientation(image: Any, called: str) -> bool:
    """Does the file say how the patient lies? NIfTI and NRRD may not, and then look like any that does."""

    def entry(key: str) -> str:
        return str(image.GetMetaData(key)).strip() if image.HasMetaDataKey(key) else ""

    name = called.lower()
    if name.endswith((".nii", ".nii.gz")):
        codes = [entry(key) for key in ("qform_code", "sform_code")]
        return any(code not in ("", "0") for code in codes)
    return not name.endswith(".nrrd") or bool(entry("NRRD_space"))


def _numpy(place: Path, spacing: Any) -> Volume:
    try:
        loaded = np.load(place, allow_pickle=False)
    except (ValueError, OSError, EOFError) as error:
        raise FileError("path", "must be an array that NumPy wrote", Words(f"{place.name} ({error})")) from None
    if isinstance(loaded, np.ndarray):
        array = loaded
    else:
        names = list(loaded.files)
        if len(names) != 1:
            raise FileError("path", "must hold one array", Words(f"{place.name} with {', '.join(names)}"))
        array = loaded[names[0]]
    if array.ndim == 2:
        array = array[None]
    given = (1.0, 1.0, 1.0) if spacing is None else tuple(float(step) for step in spacing)
    return Volume(array=array, spacing=given)  # type: ignore[arg-type]


def _series(folder: Path, wanted: str | None) -> Volume:
    itk = image_library()
    reader = itk.ImageSeriesReader()
    itk.ProcessObject.SetGlobalWarningDisplay(False)
    known = list(reader.GetGDCMSeriesIDs(str(folder)))
    if not known:
        raise FileError("path", "must hold a DICOM series", Words(f"{folder.name}, in which there is none"))
    if wanted is not None and wanted not in known:
        raise InputError("series", f"must be one of {', '.join(known)}", wanted)
    if wanted is None and len(known) > 1:
        raise FileError(
            "path", "must hold one series", Words(f"{len(known)} series"),
            f"name one with {named('series', known[0])}",
        )  # fmt: skip
    files = list(reader.GetGDCMSeriesFileNames(str(folder), wanted or known[0]))
    _check_nothing_is_left(folder, {name for one in known for name in reader.GetGDCMSeriesFileNames(str(folder), one)})
    return volume_of_slices(files, folder.name)


def volume_of_slices(files: list[str], called: str) -> Volume:
    """Files of slices, in the order of their places, as one volume."""
    made_by = _check_slices(files)
    reader = image_library().ImageSeriesReader()
    reader.SetFileNames(files)
    try:
        image = reader.Execute()
    except RuntimeError as error:
        raise FileError("path", "must hold slices that can be read", Words(f"{called} ({reason_of(error)})")) from None
    return replace(_volume(image, called), modality=made_by)


def _check_nothing_is_left(folder: Path, read: set[str]) -> None:
    """Files that ought to be slices and are in no series are broken; GDCM passes over them in silence."""
    known = {Path(name).name for name in read}
    for file in sorted(folder.iterdir()):
        if file.name in known or not file.is_file() or file.name.upper() == "DICOMDIR":
            continue
        with file.open("rb") as opened:
            marked = opened.read(132)[128:] == b"DICM"
        if marked or file.suffix.lower() == ".dcm":
            said = Words(f"{file.name}, which is broken")
            raise FileError("path", "must hold slices that can be read", said, "get it again, or move it")


def _check_slices(files: list[str]) -> str:
    """Even gaps along the normal of the slices, and no slice twice; the modality they name."""
    itk = image_library()
    made_by = ""
    places = []
    plain: list[str] = []
    shapes: dict[tuple[int, ...], str] = {}
    for file in files:
        head = itk.ImageFileReader()
        head.SetFileName(file)
        try:
            head.ReadImageInformation()
        except RuntimeError as error:
            said = Words(f"{Path(file).name} ({reason_of(error)})")
            raise FileError("path", "must hold slices that can be read", said) from None
        if not _has_rescale(head):
            plain.append(Path(file).name)
        made_by = made_by or modality_of(head)
        shapes.setdefault(head.GetSize()[:2], Path(file).name)
        normal = np.array(head.GetDirection()).reshape(3, 3)[:, 2]
        places.append(float(np.dot(normal, head.GetOrigin())))
    if len(shapes) > 1:
        sizes = " and ".join(f"{y} x {x} ({name})" for (x, y), name in shapes.items())
        raise FileError(
            "path", "must hold slices of one size", Words(sizes), "move the others to a folder of their own"
        )
    if plain:
        _tell_of_no_rescale(plain[0], len(plain))
    at = np.sort(np.array(places))
    gaps = np.diff(at)
    if gaps.size == 0:
        return made_by
    if (gaps < 1e-6).any():
        where = at[int(np.argmax(gaps < 1e-6))]
        raise FileError("path", "must hold every slice once", Words(f"two at {where:g} mm"), "keep one of them")
    usual = float(np.median(gaps))
    uneven = np.abs(gaps - usual) > _EVEN * usual
    if uneven.any():
        first = int(np.argmax(uneven))
        raise FileError(
            "path", f"must have slices at even gaps, {usual:g} mm here",
            Words(f"{gaps[first]:g} mm between {at[first]:g} and {at[first + 1]:g} mm"), "find the missing slices",
        )  # fmt: skip
    return made_by


def name_of_image(path: str | os.PathLike[str]) -> str:
    """What an image is called in tables: its file without the ending of an image, or its folder.

    Names of LUNA16 and LIDC-IDRI are series UIDs, whose dots are no endings.

    >>> name_of_image("scans/chest.nii.gz"), name_of_image("1.3.6.1.4.1.14519.5.2.1.mhd"), name_of_image("chest.v2.nii")
    ('chest', '1.3.6.1.4.1.14519.5.2.1', 'chest.v2')
    """
    name = Path(path).name
    for ending in (".nii.gz", *_ENDINGS):
        if name.lower().endswith(ending) and len(name) > len(ending):
            return name[: -len(ending)]
    return name


def check_image_place(path: str | os.PathLike[str], *, name: str = "path") -> str:
    """The ending of an image that can be written there; refused before any work is done for it otherwise."""
    place = Path(path)
    check_place(place, name=name)
    for ending in (".nii.gz", ".nii", ".mha", ".nrrd"):
        if str(place).lower().endswith(ending):
            return ending
    raise FileError(name, "must end in .nii, .nii.gz, .mha or .nrrd", Words(place.name))


def write_volume(volume: Volume, path: str | os.PathLike[str]) -> Path:
    """Write as NIfTI, MetaImage or NRRD, by the ending; whole or not at all."""
    place = Path(path)
    ending = check_image_place(place)
    itk = image_library()
    array = volume.array
    image = itk.GetImageFromArray(array.astype(np.uint8) if array.dtype == np.bool_ else array)
    image.SetSpacing(tuple(reversed(volume.spacing)))
    image.SetOrigin(volume.origin)
    image.SetDirection(volume.direction)
    part = place.with_name(f".{os.getpid()}.part{ending}")
    try:
        with same_locale():
            itk.WriteImage(image, str(part))
        os.replace(part, place)
    except RuntimeError as error:
        raise FileError(
            "path", "must be a file that can be written", Words(f"{place.name} ({reason_of(error)})")
        ) from None
    finally:
        part.unlink(missing_ok=True)
    return place
