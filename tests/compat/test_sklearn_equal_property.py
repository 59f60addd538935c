"""Every drop-in function against its original, on inputs of the common kind.

Curves are compared bit by bit. Areas are sums of rounded terms, taken here in another order or exactly:
they agree to 1e-14, several times the rounding of the originals at these sizes. None of the calls here may
be handed to scikit-learn, or the comparison would be of scikit-learn with itself.
"""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn.metrics as theirs
from hypothesis import given, settings
from hypothesis import strategies as st

import roclab.compat.sklearn as ours

CURVES = ("roc_curve", "precision_recall_curve", "det_curve")
AREA_TOLERANCE = 1e-14

# So much in common with another library is worth more examples than a property usually gets.
many = settings(max_examples=5 * settings.default.max_examples)
fewer = settings(max_examples=2 * settings.default.max_examples)

# Few values on purpose: ties are the hard case, and so are zeros of both signs.
TIED = st.sampled_from([-2.0, -1.5, -0.0, 0.0, 0.25, 1.0, 3.0])
WIDE = st.floats(-1e300, 1e300, allow_subnormal=True)
NARROW = st.floats(-1, 1, width=32)
WEIGHTS = st.sampled_from([0.1, 0.3, 0.7, 1.0, 1.1, 2.0, 1e-9, 1e9])

# Negative and positive label, the pos_label to name, and how the array of labels is made.
LABEL_KINDS = {
    "0/1 int64": (0, 1, None, np.int64),
    "0/1 uint8": (0, 1, None, np.uint8),
    "0/1 float64": (0, 1, None, np.float64),
    "0/1 float32, named": (0, 1, 1.0, np.float32),
    "-1/1 int8": (-1, 1, None, np.int8),
    "-1/1 float64": (-1, 1, None, np.float64),
    "bool": (False, True, None, np.bool_),
    "bool, named": (False, True, True, np.bool_),
    "bool, False": (True, False, False, np.bool_),
    "0/1, 0 positive": (1, 0, 0, np.int64),
    "1/2": (1, 2, 2, np.int64),
    "3/-7 float64": (3, -7, -7, np.float64),
    "strings": ("control", "case", "case", np.str_),
    "string objects": ("a", "b", "b", object),
}
CONTAINERS = {
    "array": np.asarray,
    "strided": lambda values: np.repeat(values, 2)[::2],
    "list": lambda values: values.tolist(),
    "tuple": lambda values: tuple(values.tolist()),
    "pandas": pd.Series,
    "polars": pl.Series,
}


@st.composite
def binary_cases(draw, *, weighted=False):
    """Which cases are positive (some are, some not), their scores, and weights."""
    n = draw(st.integers(2, 40))
    positive = np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    positive[draw(st.integers(0, n - 1))] ^= positive.all() or not positive.any()
    values = draw(st.sampled_from([TIED, TIED, WIDE, NARROW]))
    score = np.array(draw(st.lists(values, min_size=n, max_size=n)))
    if values is not WIDE:
        kind = draw(st.sampled_from([np.float64, np.float32, np.int64, np.int8]))
        score = (score * (20 if np.issubdtype(kind, np.integer) else 1)).astype(kind)
    if not weighted:
        return positive, score, None
    weight = np.array(draw(st.lists(WEIGHTS, min_size=n, max_size=n)))
    weight = weight.astype(draw(st.sampled_from([np.float64, np.float32])))
    # Cases of no weight, but one of each class keeps its own.
    keeps = np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    keeps[[positive.argmax(), positive.argmin()]] = True
    return positive, score, np.where(keeps, weight, 0).astype(weight.dtype)


def labelled(positive, kind):
    """The labels of this kind as an array, and the option that names the positive one."""
    negative_label, positive_label, pos_label, dtype = LABEL_KINDS[kind]
    names = np.array([negative_label, positive_label], dtype=dtype)
    return names[positive.astype(np.intp)], {} if pos_label is None else {"pos_label": pos_label}


def assert_same_arrays(mine, original):
    assert isinstance(mine, tuple)
    assert len(mine) == len(original)
    for one, other in zip(mine, original, strict=True):
        assert type(one) is type(other)
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        assert one.tobytes() == other.tobytes(), (one, other)


def assert_same_area(mine, original):
    assert type(mine) is type(original)
    np.testing.assert_allclose(mine, original, rtol=AREA_TOLERANCE, atol=AREA_TOLERANCE)


@pytest.mark.parametrize("function", CURVES)
@many
@given(data=st.data())
def test_curve_property_same_bits(function, no_delegation, data):
    positive, score, weight = data.draw(binary_cases(weighted=data.draw(st.booleans())))
    label, options = labelled(positive, data.draw(st.sampled_from(sorted(LABEL_KINDS))))
    options |= {"drop_intermediate": data.draw(st.booleans()), "sample_weight": weight}
    with no_delegation():
        mine = getattr(ours, function)(label, score, **options)
    assert_same_arrays(mine, getattr(theirs, function)(label, score, **options))


@pytest.mark.parametrize("function", CURVES)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("drop", [False, True])
def test_curve_property_same_bits_at_length(function, weighted, drop, no_delegation):
    # Several blocks of the kernels, many distinct scores, sums of weights that round.
    rng = np.random.default_rng(5)
    n = 150_000
    label = rng.integers(0, 2, n)
    for score in (rng.normal(size=n), rng.normal(size=n).round(3), rng.random(n, np.float32)):
        weight = rng.uniform(0, 2, n) if weighted else None
        options = {"sample_weight": weight, "drop_intermediate": drop}
        with no_delegation():
            mine = getattr(ours, function)(label, score, **options)
        assert_same_arrays(mine, getattr(theirs, function)(label, score, **options))


@pytest.mark.parametrize("function", ["roc_curve", "precision_recall_curve"])
@fewer
@given(
    label=st.lists(st.integers(0, 3), min_size=9, max_size=20).map(lambda some: [0, 1, 2, *some]),
    data=st.data(),
)
def test_curve_property_one_named_class_of_many(function, no_delegation, label, data):
    score = np.array(data.draw(st.lists(TIED, min_size=len(label), max_size=len(label))))
    with no_delegation():
        mine = getattr(ours, function)(label, score, pos_label=2)
    assert_same_arrays(mine, getattr(theirs, function)(label, score, pos_label=2))


@many
@given(
    cases=st.booleans().flatmap(lambda weighted: binary_cases(weighted=weighted)),
    kind=st.sampled_from(sorted(LABEL_KINDS)),
    max_fpr=st.none() | st.sampled_from([1, 1.0, 0.5, 1e-3, np.float64(0.3)]) | st.floats(0.01, 1),
    average=st.sampled_from(["macro", "micro", "weighted", "samples", None]),
)
def test_roc_auc_score_property_same_area(no_delegation, cases, kind, max_fpr, average):
    positive, score, weight = cases
    label, _ = labelled(positive, kind)  # the greater label is the positive one
    options = {"sample_weight": weight, "max_fpr": max_fpr, "average": average}
    with no_delegation():
        mine = ours.roc_auc_score(label, score, **options)
    assert_same_area(mine, theirs.roc_auc_score(label, score, **options))


@many
@given(
    cases=st.booleans().flatmap(lambda weighted: binary_cases(weighted=weighted)),
    kind=st.sampled_from(sorted(LABEL_KINDS)),
    average=st.sampled_from(["macro", "micro", "weighted", "samples", None]),
)
def test_average_precision_score_property_same_area(no_delegation, cases, kind, average):
    positive, score, weight = cases
    label, options = labelled(positive, kind)
    options |= {"sample_weight": weight, "average": average}
    with no_delegation():
        mine = ours.average_precision_score(label, score, **options)
    assert_same_area(mine, theirs.average_precision_score(label, score, **options))


@many
@given(
    steps=st.lists(st.floats(0, 10), min_size=1, max_size=60),
    start=st.floats(-10, 10),
    falling=st.booleans(),
    data=st.data(),
)
def test_auc_property_same_area(no_delegation, steps, start, falling, data):
    x = np.cumsum([start, *steps]) * (-1 if falling else 1)
    y = np.array(data.draw(st.lists(st.floats(-5, 5), min_size=x.size, max_size=x.size)))
    with no_delegation():
        mine = ours.auc(x, y)
    original = theirs.auc(x, y)
    assert type(mine) is type(original)
    # Heights of both signs cancel, so the rounding is relative to the area between line and axis.
    scale = theirs.auc(x, np.abs(y)) + np.abs(x).max()
    assert mine == pytest.approx(original, rel=AREA_TOLERANCE, abs=AREA_TOLERANCE * scale)


@pytest.mark.parametrize("container", sorted(CONTAINERS))
@pytest.mark.parametrize("kind", sorted(LABEL_KINDS))
def test_containers_property_same_results(container, kind, no_delegation):
    rng = np.random.default_rng(11)
    make = CONTAINERS[container]
    positive = rng.random(80) < 0.4
    label, options = labelled(positive, kind)
    score = rng.normal(size=80).round(1)
    weight = make(rng.integers(1, 5, 80))
    label, score = make(label), make(score)
    for function in CURVES:
        with no_delegation():
            mine = getattr(ours, function)(label, score, sample_weight=weight, **options)
        assert_same_arrays(mine, getattr(theirs, function)(label, score, sample_weight=weight, **options))
    with no_delegation():
        areas = (
            ours.roc_auc_score(label, score),
            ours.average_precision_score(label, score, **{"pos_label": 1} | options),
        )
    assert_same_area(areas[0], theirs.roc_auc_score(label, score))
    assert_same_area(areas[1], theirs.average_precision_score(label, score, **{"pos_label": 1} | options))


@st.composite
def class_cases(draw):
    """Labels of three to five classes, all present, and probabilities in eighths, so that they tie."""
    k = draw(st.integers(3, 5))
    n = draw(st.integers(k, 30))
    label = np.array([*range(k), *draw(st.lists(st.integers(0, k - 1), min_size=n - k, max_size=n - k))])
    cuts = st.lists(st.integers(0, 8), min_size=k - 1, max_size=k - 1).map(sorted)
    rows = [np.diff([0, *draw(cuts), 8]) for _ in range(n)]
    return label, np.array(rows) / 8, np.array(draw(st.lists(WEIGHTS, min_size=n, max_size=n)))


CLASS_NAMES = {
    "int64": np.arange(5),
    "uint8": np.array([2, 3, 5, 7, 200], np.uint8),
    "strings": np.array(["a", "ab", "b", "c", "ç"]),
    "string objects": np.array(["a", "ab", "b", "c", "ç"], object),
}


@many
@given(
    cases=class_cases(),
    names=st.sampled_from(sorted(CLASS_NAMES)),
    average=st.sampled_from(["macro", "weighted", "micro", None]),
    weighted=st.booleans(),
    give_labels=st.booleans(),
    dtype=st.sampled_from([np.float64, np.float32]),
)
def test_one_versus_rest_property_same_area(no_delegation, cases, names, average, weighted, give_labels, dtype):
    label, score, weight = cases
    label, score = CLASS_NAMES[names][label], score.astype(dtype)
    options = {"average": average, "sample_weight": weight if weighted else None}
    given_labels = {"labels": CLASS_NAMES[names][: score.shape[1]]} if give_labels else {}
    with no_delegation():
        area = ours.roc_auc_score(label, score, multi_class="ovr", **options, **given_labels)
        precision = ours.average_precision_score(label, score, **options)
    assert_same_area(area, theirs.roc_auc_score(label, score, multi_class="ovr", **options, **given_labels))
    assert_same_area(precision, theirs.average_precision_score(label, score, **options))


@many
@given(
    cases=class_cases(),
    names=st.sampled_from(sorted(CLASS_NAMES)),
    average=st.sampled_from(["macro", "weighted"]),
    absent=st.booleans(),
)
def test_one_versus_one_property_same_area(no_delegation, cases, names, average, absent):
    label, score, _ = cases
    options = {"multi_class": "ovo", "average": average}
    if absent:  # a class that labels name and no case has
        label = np.minimum(label, score.shape[1] - 2)
        options["labels"] = CLASS_NAMES[names][: score.shape[1]]
    label = CLASS_NAMES[names][label]
    with no_delegation():
        mine = ours.roc_auc_score(label, score, **options)
    assert_same_area(mine, theirs.roc_auc_score(label, score, **options))


@many
@given(
    n=st.integers(3, 25),
    k=st.integers(2, 4),
    seed=st.integers(0, 2**32 - 1),
    average=st.sampled_from(["macro", "weighted", "micro", None]),
    weighted=st.booleans(),
    max_fpr=st.sampled_from([None, 1.0, 0.4]),
    dtype=st.sampled_from([np.int64, np.bool_, np.float64, np.uint8]),
    make=st.sampled_from([np.asarray, np.asfortranarray, pd.DataFrame, lambda matrix: matrix.tolist()]),
)
def test_multilabel_property_same_area(no_delegation, n, k, seed, average, weighted, max_fpr, dtype, make):
    rng = np.random.default_rng(seed)
    label = rng.integers(0, 2, (n, k))
    label[0], label[1] = 0, 1  # both classes in every column
    label = make(label.astype(dtype))
    score = make(rng.integers(0, 6, (n, k)) / 4)
    options = {"average": average, "sample_weight": rng.uniform(0.1, 3, n) if weighted else None}
    with no_delegation():
        area = ours.roc_auc_score(label, score, max_fpr=max_fpr, **options)
        precision = ours.average_precision_score(label, score, **options)
    assert_same_area(area, theirs.roc_auc_score(label, score, max_fpr=max_fpr, **options))
    assert_same_area(precision, theirs.average_precision_score(label, score, **options))
