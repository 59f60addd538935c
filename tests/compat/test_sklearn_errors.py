"""Bad and unusual input: the same outcome as scikit-learn, whether a value, a warning or an error.

An outcome is everything a caller can see: the result or the exception's class and text, and the class,
text and place of every warning.
"""

import re
import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics as theirs
from scipy import sparse

import roclab.compat.sklearn as ours
from roclab.errors import MissingExtraError

Y = np.array([0, 1, 0, 1, 1])
S = np.array([0.1, 0.4, 0.35, 0.8, 0.4])
NAN, INF = float("nan"), float("inf")
P = np.array([[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.0, 0.25, 0.75], [0.5, 0.5, 0.0]])
CURVES = ("roc_curve", "precision_recall_curve", "det_curve")
BINARY = (*CURVES, "roc_auc_score", "average_precision_score")

# What is wrong with (y_true, y_score, options) for every function of two classes.
BAD = {
    "NaN score": (Y, [0.1, NAN, 0.3, 0.4, 0.5], {}),
    "infinite score": (Y, [0.1, INF, 0.3, 0.4, 0.5], {}),
    "scores infinite both ways": (Y, [0.1, INF, -INF, 0.4, 0.5], {}),
    "NaN float32 score": (Y, np.array([0.1, NAN, 0.3, 0.4, 0.5], np.float32), {}),
    "range of scores overflows": (Y, np.array([1e308, -1e308, 0, 1, 2]), {}),
    "NaN label": ([0, 1, NAN, 1, 0], S, {}),
    "infinite label": ([0, 1, INF, 1, 0], S, {}),
    "None label": ([0, 1, None, 1, 0], S, {}),
    "all negative": (np.zeros(5, int), S, {}),
    "all positive": (np.ones(5, int), S, {}),
    "all -1": (-np.ones(5, int), S, {}),
    "all False": (np.zeros(5, bool), S, {}),
    "three labels": ([0, 1, 2, 1, 0], S, {}),
    "three float labels": ([0.0, 1.0, 2.0, 1.0, 0.0], S, {}),
    "fractional labels": ([0.5, 1, 0.5, 1, 1], S, {}),
    "labels 1 and 2": ([1, 2, 1, 2, 2], S, {}),
    "labels 0 and -1": ([0, -1, 0, -1, -1], S, {}),
    "strings": (["a", "b", "a", "b", "b"], S, {}),
    "string objects": (np.array(["a", "b", "a", "b", "b"], object), S, {}),
    "bytes": (np.array([b"a", b"b", b"a", b"b", b"b"]), S, {}),
    "mixed objects": (np.array(["a", 1, "a", 1, 1], object), S, {}),
    "nullable labels": (pd.array([0, 1, 0, 1, 1], dtype="Int64"), S, {}),
    "nullable series": (pd.Series([0, 1, 0, 1, None], dtype="Int64"), S, {}),
    "labels too short": (Y[:4], S, {}),
    "scores too short": (Y, S[:3], {}),
    "empty": ([], [], {}),
    "empty arrays": (np.array([], int), np.array([]), {}),
    "one case": ([1], [0.5], {}),
    "two-dimensional labels": (np.array([Y, Y]), np.array([S, S]), {}),
    "column of labels": (Y.reshape(-1, 1), S, {}),
    "column of scores": (Y, S.reshape(-1, 1), {}),
    "two columns of scores": (Y, np.column_stack([1 - S, S]), {}),
    "three-dimensional": (Y.reshape(1, 1, 5), S.reshape(1, 1, 5), {}),
    "scalars": (1, 0.5, {}),
    "zero-dimensional": (np.array(1), np.array(0.5), {}),
    "None": (None, S, {}),
    "string for labels": ("01011", S, {}),
    "ragged list": ([[0, 1], [1], [0], [1], [1]], S, {}),
    "ragged scores": (Y, [[0.1], 0.2, 0.3, 0.4, 0.5], {}),
    "sparse labels": (sparse.csr_matrix(Y.reshape(-1, 1)), S, {}),
    "masked scores": (Y, np.ma.masked_array(S, mask=[0, 1, 0, 0, 0]), {}),
    "complex scores": (Y, S + 1j, {}),
    "string scores": (Y, ["0.1", "0.2", "0.3", "0.4", "0.5"], {}),
    "object scores": (Y, S.astype(object), {}),
    "bool scores": (Y, np.array([0, 1, 0, 1, 1], bool), {}),
    "float16 scores": (Y, S.astype(np.float16), {}),
    "longdouble scores": (Y, S.astype(np.longdouble), {}),
    "big-endian scores": (Y, S.astype(">f8"), {}),
    "integers past 2**53": (Y, np.array([2**53, 2**53 + 1, 3, 4, 2**62]), {}),
    "dates": (Y, np.array(["2020-01-01"] * 5, "M8[D]"), {}),
    "negative weight": (Y, S, {"sample_weight": [1, -1, 1, 1, 1]}),
    "weights cancel": (Y, S, {"sample_weight": [1, -1, -1, 1, 0]}),
    "zero weights": (Y, S, {"sample_weight": [0, 0, 0, 0, 0]}),
    "no weight on negatives": (Y, S, {"sample_weight": [0, 1, 0, 1, 1]}),
    "no weight on positives": (Y, S, {"sample_weight": [1, 0, 1, 0, 0]}),
    "NaN weight": (Y, S, {"sample_weight": [1, NAN, 1, 1, 1]}),
    "infinite weight": (Y, S, {"sample_weight": [1, INF, 1, 1, 1]}),
    "weights overflow": (Y, S, {"sample_weight": [1e308, 1e308, 1e308, 1e308, 1e308]}),
    "weights worlds apart": (Y, S, {"sample_weight": [1e-200, 1e200, 1e200, 1e-200, 1]}),
    "weights too small": (Y, S, {"sample_weight": [5e-324, 5e-324, 1e-310, 5e-324, 0]}),
    "weights too short": (Y, S, {"sample_weight": [1, 1, 1]}),
    "column of weights": (Y, S, {"sample_weight": np.ones((5, 1))}),
    "two-dimensional weights": (Y, S, {"sample_weight": np.ones((5, 2))}),
    "scalar weight": (Y, S, {"sample_weight": 2.0}),
    "string weights": (Y, S, {"sample_weight": ["a"] * 5}),
    "unknown option": (Y, S, {"colour": "red"}),
}
BAD_POS_LABEL = {
    "absent": (Y, S, {"pos_label": 7}),
    "string among numbers": (Y, S, {"pos_label": "1"}),
    "number among strings": (["0", "1", "0", "1", "1"], S, {"pos_label": 1}),
    "absent string": (["a", "b", "a", "b", "b"], S, {"pos_label": "c"}),
    "list": (Y, S, {"pos_label": [1]}),
    "NaN": (Y, S, {"pos_label": NAN}),
    "None": (Y, S, {"pos_label": None}),
    "bytes": (Y, S, {"pos_label": b"1"}),
    "one of three": ([0, 1, 2, 1, 0], S, {"pos_label": 2}),
    "one of three strings": (["a", "b", "c", "b", "a"], S, {"pos_label": "c"}),
    "one of three fractions": ([0.5, 1, 2, 1, 0.5], S, {"pos_label": 2}),
    "not given for 0 and 2": ([0, 2, 0, 2, 2], S, {}),
    "numpy bool": (Y, S, {"pos_label": np.True_}),
    "fraction": ([0.5, 1, 0.5, 1, 1], S, {"pos_label": 0.5}),
}
BAD_AREA = {
    "max_fpr 0": (Y, S, {"max_fpr": 0}),
    "max_fpr negative": (Y, S, {"max_fpr": -0.1}),
    "max_fpr above 1": (Y, S, {"max_fpr": 1.1}),
    "max_fpr NaN": (Y, S, {"max_fpr": NAN}),
    "max_fpr a string": (Y, S, {"max_fpr": "0.5"}),
    "average unknown": (Y, S, {"average": "mean"}),
    "average an array": (Y, S, {"average": np.array(["macro", "micro"])}),
    "multi_class unknown": (Y, S, {"multi_class": "all"}),
    "labels of two classes": (Y, S, {"labels": [0, 1]}),
    "labels a number": (Y, S, {"labels": 3}),
    "classes, multi_class missing": ([0, 1, 2, 0], P, {}),
    "classes, not probabilities": ([0, 1, 2, 0], 2 * P, {"multi_class": "ovr"}),
    "classes, almost probabilities": ([0, 1, 2, 0], P * (1 + 9e-6), {"multi_class": "ovr"}),
    "classes, barely not probabilities": ([0, 1, 2, 0], P * (1 + 2e-5), {"multi_class": "ovr"}),
    "classes, one-dimensional scores": ([0, 1, 2, 0], P[:, 0], {"multi_class": "ovr"}),
    "classes, too few columns": ([0, 1, 2, 3], P, {"multi_class": "ovo"}),
    "classes, max_fpr": ([0, 1, 2, 0], P, {"multi_class": "ovr", "max_fpr": 0.5}),
    "classes, samples": ([0, 1, 2, 0], P, {"multi_class": "ovr", "average": "samples"}),
    "classes, ovo micro": ([0, 1, 2, 0], P, {"multi_class": "ovo", "average": "micro"}),
    "classes, ovo None": ([0, 1, 2, 0], P, {"multi_class": "ovo", "average": None}),
    "classes, ovo weights": ([0, 1, 2, 0], P, {"multi_class": "ovo", "sample_weight": [1, 1, 1, 1]}),
    "classes, labels unsorted": ([0, 1, 2, 0], P, {"multi_class": "ovr", "labels": [1, 0, 2]}),
    "classes, labels repeated": ([0, 1, 2, 0], P, {"multi_class": "ovr", "labels": [0, 1, 1]}),
    "classes, labels too few": ([0, 1, 2, 0], P, {"multi_class": "ovr", "labels": [0, 1]}),
    "classes, unknown label": ([0, 1, 3, 0], P, {"multi_class": "ovr", "labels": [0, 1, 2]}),
    "classes, absent class": ([0, 1, 1, 0], P, {"multi_class": "ovr", "labels": [0, 1, 2]}),
    "classes, absent class ovo": ([0, 1, 1, 0], P, {"multi_class": "ovo", "labels": [0, 1, 2]}),
    "classes, labels of another kind": ([0, 1, 2, 0], P, {"multi_class": "ovr", "labels": ["a", "b", "c"]}),
    "classes, float labels": ([0.0, 1.0, 2.0, 0.0], P, {"multi_class": "ovr"}),
    "classes, NaN score": ([0, 1, 2, 0], np.where(P == 0.75, NAN, P), {"multi_class": "ovr"}),
}
MULTILABEL = {
    "column without positives": (np.array([[0, 1], [0, 0], [0, 1]]), P[:3, :2], {}),
    "column without positives, None": (np.array([[0, 1], [0, 0], [0, 1]]), P[:3, :2], {"average": None}),
    "column without negatives": (np.array([[1, 1], [1, 0], [1, 1]]), P[:3, :2], {}),
    "all zero": (np.zeros((3, 2), int), P[:3, :2], {"average": "weighted"}),
    "no weight at all": (
        np.array([[0, 1], [1, 0], [1, 1]]), P[:3, :2], {"average": "weighted", "sample_weight": [0, 0, 0]}
    ),
    "weights near zero": (
        np.array([[0, 1], [1, 0], [1, 1]]), P[:3, :2], {"average": "weighted", "sample_weight": [1e-12] * 3}
    ),
    "float32 weights": (
        np.array([[0, 1], [1, 0], [1, 1]]),
        P[:3, :2],
        {"average": "weighted", "sample_weight": np.array([0.1, 0.2, 0.3], np.float32)},
    ),
    "samples": (np.array([[0, 1], [1, 0], [0, 1]]), P[:3, :2], {"average": "samples"}),
    "values 1 and 2": (np.array([[1, 2], [2, 1], [1, 2]]), P[:3, :2], {}),
    "three values": (np.array([[0, 2], [1, 0], [0, 1]]), P[:3, :2], {}),
    "shapes differ": (np.array([[0, 1], [1, 0], [0, 1]]), P[:3], {}),
    "lengths differ": (np.array([[0, 1], [1, 0], [0, 1]]), P[:, :2], {}),
    "sparse": (sparse.csr_matrix([[0, 1], [1, 0], [0, 1]]), P[:3, :2], {}),
}  # fmt: skip
BAD_POINTS = {
    "turns back": ([0.0, 1.0, 0.5], [0.0, 1.0, 1.0]),
    "turns back late": (np.append(np.linspace(0, 1, 30_000), 0.5), np.ones(30_001)),
    "turns back at the end": ([0.0, 1.0, 0.5], [1.0, 1.0, 1.0]),
    "turns back and goes on": ([0.0, 1.0, 0.5, 2.0], [1.0, 1.0, 1.0, 1.0]),
    "turns forth and goes back": ([2.0, 0.5, 1.0, 0.0], [1.0, 1.0, 1.0, 1.0]),
    "turns back and goes on late": (np.r_[0:25_000.0, 24_000, 25_000:30_000], np.ones(30_001)),
    "loop": ([0.0, 1.0, 0.0], [1.0, 1.0, 1.0]),
    "still": ([0.5, 0.5, 0.5], [1.0, 0.0, 1.0]),
    "one point": ([0.5], [1.0]),
    "no point": ([], []),
    "lengths differ": ([0.0, 1.0], [0.0, 0.5, 1.0]),
    "two-dimensional": (np.eye(3), np.eye(3)),
    "columns": (np.array([[0.0], [1.0]]), np.array([[0.0], [1.0]])),
    "NaN x": ([0.0, NAN, 1.0], [0.0, 0.5, 1.0]),
    "NaN y": ([0.0, 0.5, 1.0], [0.0, NAN, 1.0]),
    "infinite y": ([0.0, 0.5, 1.0], [0.0, INF, 1.0]),
    "infinite x": ([0.0, 0.5, INF], [0.0, 1.0, 1.0]),
    "overflow": ([-1e308, 1e308], [1.0, 1.0]),
    "whole numbers": ([0, 1, 2], [1, 1, 2]),
    "float32": (np.array([0, 0.3, 1], np.float32), np.array([0.1, 0.3, 1], np.float32)),
    "strings": (["a", "b"], ["c", "d"]),
    "scalars": (0.0, 1.0),
}


class Failure(tuple):
    """Class, text, cause and context of an exception."""


def outcome(function, args, options):
    """Everything a caller can see of a call: the result or failure, and the warnings."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            result = function(*args, **options)
        except Exception as error:
            result = Failure((type(error), str(error), repr(error.__cause__), type(error.__context__)))
    return result, [(note.category, str(note.message), note.filename, note.lineno) for note in heard]


def cases():
    """Pytest parameters: function, arguments, options."""
    for table, functions in (
        (BAD, BINARY),
        (BAD_POS_LABEL, (*CURVES, "average_precision_score")),
        (BAD_AREA, ("roc_auc_score",)),
        (MULTILABEL, ("roc_auc_score", "average_precision_score")),
    ):
        for name, (y_true, y_score, options) in table.items():
            for function in functions:
                yield pytest.param(function, (y_true, y_score), options, id=f"{function}-{name}")
    for name, points in BAD_POINTS.items():
        yield pytest.param("auc", points, {}, id=f"auc-{name}")
    for function in (*BINARY, "auc"):
        yield pytest.param(function, (), {}, id=f"{function}-no arguments")
        yield pytest.param(function, (Y,), {}, id=f"{function}-one argument")
        yield pytest.param(function, (Y, S, None, None, False, 0, 0), {}, id=f"{function}-too many arguments")
    for function in CURVES:
        for odd in (0, "yes", None, np.array([True])):
            options = {"drop_intermediate": odd}
            yield pytest.param(function, (Y, S), options, id=f"{function}-drop_intermediate={odd!r}")


@pytest.mark.parametrize(("function", "args", "options"), list(cases()))
def test_unusual_input_oracle_same_outcome(function, args, options):
    mine, my_warnings = outcome(getattr(ours, function), args, options)
    original, original_warnings = outcome(getattr(theirs, function), args, options)
    assert my_warnings == original_warnings
    assert type(mine) is type(original)
    if isinstance(mine, Failure):
        assert mine == original
    elif isinstance(mine, tuple):
        for one, other in zip(mine, original, strict=True):
            assert (one.dtype, one.shape, one.tobytes()) == (other.dtype, other.shape, other.tobytes())
    else:  # an area; its last digit may differ where the call was common after all
        np.testing.assert_allclose(mine, original, rtol=1e-14, equal_nan=True)


def test_missing_scikit_learn_regression_only_unusual_input_needs_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.metrics._ranking", None)
    assert ours.roc_auc_score([0, 0, 1, 1], [1, 3, 2, 4]) == 0.75
    with pytest.raises(MissingExtraError, match=re.escape('pip install "roclab[sklearn]"')):
        ours.roc_auc_score([1, 1, 1, 1], [1, 3, 2, 4])


def test_import_regression_leaves_scikit_learn_alone():
    program = """
import sys, roclab.compat.sklearn as ours
ours.roc_curve([0, 1], [0, 1])
print("sklearn" in sys.modules)
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "False"


def test_own_fault_regression_is_not_hidden(monkeypatch):
    # A call that does not fit the signature is scikit-learn's to judge; a TypeError from inside is a bug.
    def broken(values):
        return values + None

    monkeypatch.setattr(ours, "labels_of", broken)
    with pytest.raises(TypeError, match="unsupported operand"):
        ours.roc_auc_score(1, [0.5])
