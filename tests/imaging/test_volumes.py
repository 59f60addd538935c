"""Volumes: geometry there and back, files of every kind, series with gaps, and what cannot be read."""

from __future__ import annotations

import locale

import numpy as np
import pytest

from roclab.errors import FileError, InputError, RoclabWarning
from roclab.imaging.hounsfield import AIR, clipped_to_air
from roclab.imaging.volumes import Volume, read_volume, write_volume


@pytest.fixture(autouse=True)
def same_locale():
    """GDCM sets the locale of the process when it writes a slice, which these tests do and roclab does not."""
    before = locale.setlocale(locale.LC_ALL)
    yield
    locale.setlocale(locale.LC_ALL, before)


itk = pytest.importorskip("SimpleITK", reason="the extra roclab[imaging] is not installed")

RANDOM = np.random.default_rng(1)
TURNED = (0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0)
VOLUME = Volume(
    array=RANDOM.integers(-1000, 1000, size=(5, 6, 7)).astype(np.int16), spacing=(2.5, 0.7, 0.6),
    origin=(-10.0, 20.0, 5.0), direction=TURNED,
)  # fmt: skip


def test_world_and_index_are_inverse_and_agree_with_itk():
    image = itk.GetImageFromArray(VOLUME.array)
    image.SetSpacing(VOLUME.spacing[::-1])
    image.SetOrigin(VOLUME.origin)
    image.SetDirection(VOLUME.direction)
    for index in ((0, 0, 0), (4, 5, 6), (1, 2, 3)):
        world = VOLUME.to_world(index)[0]
        assert world == pytest.approx(image.TransformIndexToPhysicalPoint(index[::-1]))
        assert VOLUME.to_index(world)[0] == pytest.approx(index)


@pytest.mark.parametrize("ending", ["nii", "nii.gz", "mha", "nrrd"])
def test_writing_and_reading_lose_nothing(tmp_path, ending):
    place = write_volume(VOLUME, tmp_path / f"volume.{ending}")
    again = read_volume(place)
    assert again.array.tolist() == VOLUME.array.tolist()
    assert again.same_place(VOLUME)
    assert [one.name for one in tmp_path.iterdir()] == [f"volume.{ending}"]


def test_numpy_files_take_their_spacing_from_the_caller(tmp_path):
    np.save(tmp_path / "v.npy", VOLUME.array)
    assert read_volume(tmp_path / "v.npy", spacing=(2.5, 0.7, 0.6)).spacing == (2.5, 0.7, 0.6)
    np.savez(tmp_path / "two.npz", a=VOLUME.array, b=VOLUME.array)
    with pytest.raises(FileError, match="must hold one array"):
        read_volume(tmp_path / "two.npz")


def series(folder, places, uid="1.2.3", columns=5):
    """A DICOM series with slices at the given places."""
    folder.mkdir(exist_ok=True)
    writer = itk.ImageFileWriter()
    writer.KeepOriginalImageUIDOn()
    for at, z in enumerate(places):
        image = itk.GetImageFromArray(np.full((1, 4, columns), 100 + at, np.int16))
        image.SetSpacing((0.5, 0.5, 1.0))
        image.SetOrigin((0.0, 0.0, float(z)))
        for key, value in {
            "0008|0060": "CT", "0020|000e": uid, "0020|000d": "1.2", "0008|0018": f"{uid}.{at + 1}",
            "0020|0032": f"0\\0\\{z}", "0020|0037": "1\\0\\0\\0\\1\\0", "0020|0013": str(at), "0028|1052": "-1000",
            "0028|1053": "1",
        }.items():  # fmt: skip
            image.SetMetaData(key, value)
        writer.SetFileName(str(folder / f"{uid}-{at}.dcm"))
        writer.Execute(image)
    return folder


def test_a_series_is_read_in_the_order_of_its_places(tmp_path):
    found = read_volume(series(tmp_path / "ct", [7.5, 0.0, 2.5, 5.0]))
    assert found.shape == (4, 4, 5)
    assert found.spacing == pytest.approx((2.5, 0.5, 0.5))
    assert found.array[:, 0, 0].tolist() == [101, 102, 103, 100]


@pytest.mark.parametrize(
    ("places", "message"),
    [([0, 2.5, 7.5, 10], "5 mm between 2.5 and 7.5 mm"), ([0, 2.5, 2.5, 5], "two at 2.5 mm")],
)
def test_gaps_and_doubles_are_named(tmp_path, places, message):
    with pytest.raises(FileError, match=message):
        read_volume(series(tmp_path / "ct", places))


def test_mixed_series_ask_which_one(tmp_path):
    series(tmp_path / "ct", [0, 1, 2], uid="1.2.3")
    series(tmp_path / "ct", [0, 1, 2], uid="1.2.4")
    with pytest.raises(FileError, match="2 series"):
        read_volume(tmp_path / "ct")
    assert read_volume(tmp_path / "ct", series="1.2.4").shape == (3, 4, 5)
    with pytest.raises(InputError, match="series must be one of"):
        read_volume(tmp_path / "ct", series="9")


def test_padding_is_raised_to_air():
    padded = VOLUME.with_array(np.where(VOLUME.array > 500, -3024, VOLUME.array).astype(np.int16))
    assert clipped_to_air(padded).array.min() >= AIR
    assert clipped_to_air(padded).array.dtype == np.int16


def test_bad_files_are_one_sentence(tmp_path):
    (tmp_path / "broken.dcm").write_bytes(b"no image")
    (tmp_path / "broken.npy").write_bytes(b"no array")
    (tmp_path / "notes.txt").write_text("no image")
    (tmp_path / "empty").mkdir()
    colour = itk.GetImageFromArray(np.zeros((3, 4, 5, 3), np.uint8), isVector=True)
    itk.WriteImage(colour, str(tmp_path / "colour.mha"))
    for name, message in (
        ("broken.dcm", "can be read"), ("broken.npy", "NumPy"), ("notes.txt", "must end in"), ("empty", "none"),
        ("nowhere.nii", "must exist"), ("colour.mha", "one channel"),
    ):  # fmt: skip
        with pytest.raises(FileError, match=message):
            read_volume(tmp_path / name)
    with pytest.raises(FileError, match="must end in"):
        write_volume(VOLUME, tmp_path / "out.png")
    with pytest.raises(InputError, match="three axes"):
        Volume(array=np.zeros((3, 3)))
    with pytest.raises(InputError, match="above 0"):
        Volume(array=np.zeros((3, 3, 3)), spacing=(1, 0, 1))


def test_the_locale_of_the_process_stays_whatever_is_read(tmp_path):
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "one.dcm").write_bytes(b"DICM" * 100)
    folder = series(tmp_path / "ct", [0, 1, 2])
    before = locale.setlocale(locale.LC_ALL)
    with pytest.raises(FileError):
        read_volume(tmp_path / "broken")
    read_volume(folder)
    assert locale.setlocale(locale.LC_ALL) == before


@pytest.mark.parametrize("ending", ["nii", "nii.gz", "mha", "nrrd"])
def test_missing_voxels_stay_missing(tmp_path, ending):
    array = VOLUME.array.astype(np.float32)
    array[1, 2, 3], array[4, 0, 6] = np.nan, np.inf
    place = write_volume(VOLUME.with_array(array), tmp_path / f"gaps.{ending}")
    again = read_volume(place).array
    assert (np.isfinite(again) == np.isfinite(array)).all()
    assert (again[np.isfinite(array)] == array[np.isfinite(array)]).all()


def test_a_broken_slice_is_not_passed_over(tmp_path):
    folder = tmp_path / "ct"
    series(folder, [0, 1, 2])
    middle = sorted(folder.iterdir())[1]
    middle.write_bytes(middle.read_bytes()[:-30])
    with pytest.raises(FileError, match=f"{middle.name}, which is broken"):
        read_volume(folder)
    middle.unlink()
    (folder / "notes.txt").write_text("two slices")
    assert read_volume(folder).shape[0] == 2
    (folder / "x.dcm").write_bytes(b"rubbish")
    with pytest.raises(FileError, match="x.dcm, which is broken"):
        read_volume(folder)


def test_slices_without_rescale_are_told(tmp_path):
    folder = tmp_path / "raw"
    series(folder, [0, 1, 2])
    for file in folder.iterdir():  # the writer always adds slope and intercept: make them the centre of a window
        file.write_bytes(file.read_bytes().replace(b"\x28\x00\x52\x10", b"\x28\x00\x50\x10").replace(
            b"\x28\x00\x53\x10", b"\x28\x00\x51\x10"))  # fmt: skip
    with pytest.warns(RoclabWarning, match="and 2 more has no rescale slope and intercept"):
        read_volume(folder)
    with pytest.warns(RoclabWarning, match="has no rescale slope"):
        read_volume(next(folder.iterdir()))


def test_slices_of_two_sizes_are_told(tmp_path):
    folder = tmp_path / "sizes"
    series(folder, [0, 1])
    wide = tmp_path / "wide"
    series(wide, [2, 3], columns=7)
    for file in wide.iterdir():
        file.rename(folder / f"w{file.name}")
    with pytest.raises(FileError, match="slices of one size, got 4 x 5 .* and 4 x 7"):
        read_volume(folder)
