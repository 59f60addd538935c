"""Rough labels, and which voxels may be learnt from: by the label, never by the truth."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import roclab as rl
from roclab.errors import InputError
from roclab.imaging.dce.labels import draw_voxels, rough_label
from roclab.imaging.volumes import Volume

SPACING = (3.0, 2.0, 1.0)


def box(shape=(6, 14, 16), low=(2, 5, 5), high=(4, 9, 10)):
    out = np.zeros(shape, np.int16)
    out[tuple(slice(a, b) for a, b in zip(low, high, strict=True))] = 1
    return out


def distance_to(label):
    """Millimetres from every voxel to the nearest one of the label, by looking at all of them."""
    every = np.argwhere(np.ones(label.shape, bool)) * SPACING
    marked = np.argwhere(label) * SPACING
    gaps = np.sqrt(((every[:, None] - marked[None]) ** 2).sum(axis=2)).min(axis=1)
    return gaps.reshape(label.shape)


@given(margin=st.floats(0, 12), seed=st.integers(0, 50))
def test_voxels_definition_are_those_of_the_label_and_beyond_its_margin(margin, seed):
    label = box() > 0
    inside = np.random.default_rng(seed).random(label.shape) < 0.7
    inside[3, 6, 6] = inside[0, 0, 0] = True
    some, others = draw_voxels(label, inside, SPACING, positives=30, ratio=2.0, margin=margin,
                               rng=np.random.default_rng(seed))  # fmt: skip
    far = distance_to(label).ravel()
    assert (label & inside).ravel()[some].all()
    assert inside.ravel()[others].all()
    assert (far[others] > margin).all()
    assert len(set(some)) == some.size == min(30, (label & inside).sum())
    assert len(set(others)) == others.size == min(2 * some.size, ((far > margin) & inside.ravel()).sum())


def test_drawing_and_training_have_no_way_to_the_truth():
    """Nothing that draws voxels takes the truth, and changing it changes no trained weight."""
    assert "truth" not in inspect.signature(draw_voxels).parameters
    made = rl.imaging.phantom_breast(size=(8, 48, 64), lesions=[("malignant", 24.0), ("benign", 20.0)], rng=1)
    case = made.as_case("a", one_lesion=True)
    wrong = case.truth.with_array(np.ones_like(case.truth.array))
    other = rl.results.DceCase(name="a", series=case.series, label=case.label, truth=wrong)
    bare = rl.results.DceCase(name="a", series=case.series, label=case.label)
    models = [rl.imaging.dce_train(one, classifier="logistic", rng=1) for one in (case, other, bare)]
    for model in models[1:]:
        assert (model.network.weights[0] == models[0].network.weights[0]).all()


def test_what_was_overlooked_lies_among_the_negatives():
    truth = Volume(array=box() + 2 * box(low=(0, 11, 11), high=(2, 13, 13)), spacing=SPACING)
    label = rough_label(truth, kind="exact", one_lesion=True, rng=np.random.default_rng(0))
    assert (label.array == (truth.array == 1)).all()
    inside = np.ones(truth.shape, bool)
    _, others = draw_voxels(label.array, inside, SPACING, positives=100, ratio=1000, margin=1.0,
                            rng=np.random.default_rng(0))  # fmt: skip
    assert set(np.flatnonzero(truth.array == 2)) <= set(others)


def test_labels_definition():
    truth = Volume(array=box(), spacing=SPACING)
    rng = np.random.default_rng(4)
    assert (rough_label(truth, kind="exact", rng=rng).array == (truth.array > 0)).all()
    wide = rough_label(truth, kind="dilated", mm=3.0, rng=rng).array
    assert (wide == (distance_to(truth.array > 0) <= 3.0)).all()
    moved = rough_label(truth, kind="shifted", mm=4.0, rng=rng).array
    assert moved.sum() == (truth.array > 0).sum()
    gap = (np.argwhere(moved).mean(axis=0) - np.argwhere(truth.array > 0).mean(axis=0)) * SPACING
    assert 1.0 < np.linalg.norm(gap) < 6.5  # 4 mm in whole voxels
    empty = truth.with_array(np.zeros_like(truth.array))
    assert not rough_label(empty, kind="dilated", rng=rng).array.any()
    with pytest.raises(InputError, match="kind must be one of 'exact', 'dilated', 'shifted'"):
        rough_label(truth, kind="sloppy", rng=rng)
    with pytest.raises(InputError, match="mm must be 0 or a finite number"):
        rough_label(truth, mm=-1, rng=rng)


@pytest.mark.parametrize(
    ("label", "inside", "options", "words"),
    [
        (np.zeros((6, 14, 16), bool), np.ones((6, 14, 16), bool), {}, "label must mark a voxel, got none"),
        (
            np.ones((6, 14, 16), bool),
            np.ones((6, 14, 16), bool),
            {},
            "label must leave .* that cover everything",
        ),
        (box() > 0, box() > 0, {}, "label must leave voxels of the mask"),
        (box() > 0, box() == 0, {}, "mask must hold some of the label"),
        (box() > 0, np.ones((6, 14, 16), bool), {"positives": 0}, "positives must be a whole number of at least 1"),
        (box() > 0, np.ones((6, 14, 16), bool), {"ratio": 0.0}, "ratio must be a finite number"),
        (box() > 0, np.ones((6, 14, 16), bool), {"margin": -1.0}, "margin must be a finite number"),
        (box() > 0, np.ones((6, 14, 16), bool), {"margin": 1000.0}, "label must leave voxels of the mask"),
    ],
)
def test_labels_that_teach_nothing_are_refused(label, inside, options, words):
    asked = {"positives": 10, "ratio": 3.0, "margin": 2.0} | options
    with pytest.raises(InputError, match=words):
        draw_voxels(label, inside, SPACING, rng=np.random.default_rng(0), **asked)
