"""The same patient in all 48 orders and flips of the axes, and files that do not say how the patient lies."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

import roclab as rl
from roclab.errors import RoclabWarning
from roclab.imaging.orientation import Turn, canonical, orientation_notes, turn_of, turn_to_front
from roclab.imaging.volumes import Volume, read_volume, write_volume

ORDERS = [
    (order, flips) for order in itertools.permutations(range(3)) for flips in itertools.product((False, True), repeat=3)
]
SOME = [ORDERS[at] for at in (3, 13, 22, 30, 41)]  # every order of axes but the first, with flips


def stored(volume, order, flips):
    """The same patient in another order: array and header together, written out apart from the source."""
    array = np.transpose(volume.array, order)
    steps = np.array(volume.direction).reshape(3, 3)
    ways, corner = [steps[:, 2 - axis] for axis in order], [0, 0, 0]
    for at, flip in enumerate(flips):
        if flip:
            array, ways[at] = np.flip(array, at), -ways[at]
            corner[order[at]] = volume.shape[order[at]] - 1
    return Volume(
        array=array.copy(),
        spacing=tuple(volume.spacing[axis] for axis in order),
        origin=tuple(volume.to_world(corner)[0].tolist()),
        direction=tuple(np.column_stack(ways[::-1]).ravel().tolist()),
        oriented=volume.oriented,
    )


@pytest.mark.parametrize(("order", "flips"), ORDERS)
def test_every_order_becomes_the_same_image(order, flips):
    rng = np.random.default_rng(1)
    usual = Volume(array=rng.random((4, 5, 6)), spacing=(3.0, 2.0, 1.0), origin=(5.0, -3.0, 8.0))
    other = stored(usual, order, flips)
    turned, turn = canonical(other)
    assert np.array_equal(turned.array, usual.array)
    assert turned.spacing == usual.spacing
    assert turned.origin == pytest.approx(usual.origin)
    assert turned.direction == pytest.approx(usual.direction)
    assert np.array_equal(turn.back(turned.array), other.array)
    frames = np.stack([other.array, 2 * other.array])
    assert np.array_equal(turn.back(turn.forward(frames)), frames)
    itk = pytest.importorskip("SimpleITK", reason="its names of orientations")
    assert turn.codes == itk.DICOMOrientImageFilter_GetOrientationFromDirectionCosines(other.direction)


def test_lungs_and_candidates_do_not_depend_on_the_order():
    chest = rl.imaging.phantom_chest(size=(24, 64, 64), nodules=2, rng=3)
    usual = rl.imaging.segment_lungs(chest.volume)
    assert [row["lung"] for row in usual.rows()] == ["right", "left"]
    regions = rl.imaging.nodules(chest.volume, lungs=usual)
    for order, flips in SOME:
        other = stored(chest.volume, order, flips)
        lungs = rl.imaging.segment_lungs(other)
        assert lungs.labels.same_place(other)
        assert np.array_equal(lungs.labels.array, stored(usual.labels, order, flips).array)
        found = rl.imaging.nodules(other, lungs=lungs)
        assert np.array_equal(found.labels.array, stored(regions.labels, order, flips).array)
        for one, same in zip(found.regions, regions.regions, strict=True):
            assert one.position == pytest.approx(same.position)
            assert one.features == pytest.approx(same.features)


@pytest.mark.nightly
def test_all_48_orders_have_the_same_lungs_and_the_same_breast():
    chest = rl.imaging.phantom_chest(size=(24, 64, 64), nodules=2, rng=3)
    made = rl.imaging.phantom_breast(size=(12, 64, 96), lesions=[("malignant", 20.0)], motion=0, rng=2)
    lungs, breast = rl.imaging.segment_lungs(chest.volume).labels, rl.imaging.dce_mask(made.series).mask
    for order, flips in ORDERS:
        found = rl.imaging.segment_lungs(stored(chest.volume, order, flips)).labels
        assert np.array_equal(found.array, stored(lungs, order, flips).array), (order, flips)
        mask = rl.imaging.dce_mask(turned_series(made.series, order, flips)).mask
        assert np.array_equal(mask.array, stored(breast, order, flips).array), (order, flips)


def turned_series(series, order, flips):
    frames = np.stack([stored(series.frame(at), order, flips).array for at in range(len(series.frames))])
    return replace(series, frames=frames, place=stored(series.place, order, flips))


def test_breast_and_motion_do_not_depend_on_the_order():
    made = rl.imaging.phantom_breast(size=(12, 64, 96), lesions=[("malignant", 20.0)], motion=2.0, rng=2)
    usual, moved = rl.imaging.dce_mask(made.series), rl.imaging.dce_motion(made.series)
    assert (usual.mask.array & (made.truth.array > 0)).sum() > 0.9 * (made.truth.array > 0).sum()
    for order, flips in SOME:
        other = turned_series(made.series, order, flips)
        found = rl.imaging.dce_mask(other)
        assert np.array_equal(found.mask.array, stored(usual.mask, order, flips).array)
        assert found.notes == ()
        assert found.enhancement == pytest.approx(usual.enhancement, rel=1e-5)
        assert rl.imaging.dce_motion(other).shift == pytest.approx(moved.shift, abs=1e-4)


def test_a_front_that_is_said_counts_more_than_the_header():
    made = rl.imaging.phantom_breast(size=(12, 64, 96), motion=0, rng=2)
    usual = rl.imaging.dce_mask(made.series)
    assert np.array_equal(rl.imaging.dce_mask(made.series, anterior="y-").mask.array, usual.mask.array)
    behind = rl.imaging.dce_mask(made.series, anterior="y+")
    assert not np.array_equal(behind.mask.array, usual.mask.array)


def test_data_without_a_header_say_what_was_taken():
    made = rl.imaging.phantom_breast(size=(12, 64, 96), motion=0, rng=2)
    bare = rl.imaging.dce_series(
        made.series.frames, times=made.series.times, arrival=30, spacing=made.series.place.spacing
    )
    found = rl.imaging.dce_mask(bare)
    (note,) = found.notes
    assert note.startswith("the data do not say how the patient lies: the front is taken to be at the first rows")
    assert f"{100 * found.enhancement:.0f}% of the enhancement" in note
    assert rl.imaging.dce_mask(bare, anterior="y-").notes == ()
    model = rl.imaging.dce_train([made.as_case("a")], classifier="logistic", rng=1)
    with pytest.warns(RoclabWarning, match="front is taken to be at the first rows"):
        rl.imaging.dce_apply(model, bare)


def test_oblique_images_keep_their_tilt_and_are_mentioned():
    angle = np.radians(30)
    tilted = (1, 0, 0, 0, np.cos(angle), -np.sin(angle), 0, np.sin(angle), np.cos(angle))
    volume = Volume(array=np.zeros((3, 4, 5)), direction=tilted)
    turned, turn = canonical(volume)
    assert turn.codes == "LPS"
    assert turn.tilt == pytest.approx(30)
    assert turned.direction == pytest.approx(tilted)
    assert "tilted by 30 degrees" in orientation_notes(volume, turn)[0]
    assert orientation_notes(Volume(array=volume.array, oriented=True), Turn()) == ()


def test_a_front_by_name():
    assert turn_to_front("y-") == Turn()
    array = np.arange(24).reshape(2, 3, 4)
    assert np.array_equal(turn_to_front("x+").forward(array), array.transpose(0, 2, 1)[:, ::-1])
    assert np.array_equal(turn_to_front("z-").forward(array), array.transpose(1, 0, 2))


@pytest.mark.parametrize(("ending", "known"), [(".nii.gz", True), (".nrrd", True), (".mha", True), (".npy", False)])
def test_files_say_whether_they_know(tmp_path, ending, known):
    pytest.importorskip("SimpleITK", reason="images")
    path = tmp_path / f"a{ending}"
    volume = Volume(array=np.zeros((3, 4, 5), np.float32), direction=(-1, 0, 0, 0, 0, 1, 0, 1, 0))
    if known:
        write_volume(volume, path)
    else:
        np.save(path, volume.array)
    read = read_volume(path)
    assert read.oriented is known
    if known:
        assert turn_of(read.direction).codes == "RSP"


def test_a_nifti_without_codes_says_nothing(tmp_path):
    pytest.importorskip("SimpleITK", reason="images")
    path = tmp_path / "a.nii"
    write_volume(Volume(array=np.zeros((3, 4, 5), np.float32)), path)
    data = bytearray(path.read_bytes())
    data[252:256] = bytes(4)  # qform_code and sform_code, 16 bits each
    path.write_bytes(data)
    volume = read_volume(path)
    assert not volume.oriented
    assert "do not say how the patient lies" in orientation_notes(volume, turn_of(volume.direction))[0]
