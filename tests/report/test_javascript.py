"""The scripts of the page as modules of their own, in the browser they are for: unit tests, and digits as in Python."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.special import ndtri

import roclab.report
from roclab._core.text import format_number
from roclab.decisions.confusion import ConfusionMatrix
from tests.javascript import cases_in, failure, module_page

TESTS = Path(__file__).parent / "javascript"
STATIC = Path(roclab.report.__file__).parent / "static"
CASES = cases_in(TESTS)


@pytest.fixture(scope="module")
def modules(chromium):
    yield from module_page(chromium, {"static": STATIC, "tests": TESTS})


def test_there_are_tests_of_the_modules_that_compute():
    assert {name.removesuffix(".test.js") for name, _ in CASES} == {
        "cutoff_rows", "decimal", "decision", "intervals", "numbers", "store",
    }  # fmt: skip
    assert len(CASES) >= 20


def test_every_test_of_a_file_is_found(modules):
    for path in sorted({path for path, _ in CASES}):
        modules.evaluate("file => import(`/tests/${file}`)", path)
    found = modules.evaluate("async () => (await import('/tests/check.js')).names()")
    assert sorted(found) == sorted(name for _, name in CASES)


@pytest.mark.parametrize(("file", "name"), CASES)
def test_module(modules, file, name):
    assert failure(modules, file, name) == ""


def test_numbers_have_the_digits_of_the_library_property(modules):
    """Random numbers of every size below 1e7, quotients of small counts, and the halves where roundings part."""
    rng = np.random.default_rng(3)
    values = [
        *(rng.choice([-1, 1], 2000) * 10 ** rng.uniform(-12, 7, 2000)),
        *(k / n for n in range(1, 65) for k in range(n + 1)),
        *((2 * k + 1) / 2**5 for k in range(200)),
    ]
    shown = modules.evaluate(
        """async (values) => {
            const { formatNumber } = await import("/static/numbers.js");
            return values.map((value) => formatNumber(value));
        }""",
        [float(value) for value in values],
    )
    assert shown == [format_number(float(value)) for value in values]


def test_intervals_are_those_of_the_library_property(modules):
    """Random matrices with many zeros, at several prevalences and levels."""
    rng = np.random.default_rng(9)
    names = {"ppv_there": "ppv_at_prevalence", "npv_there": "npv_at_prevalence"}
    keys = ("tpr", "tnr", "ppv", "npv", "accuracy", "lr_plus", "lr_minus", "youden_j", "f1", *names)
    asked, wanted = [], []
    for _ in range(300):
        tp, fp, fn, tn = (int(k) for k in rng.integers(0, 60, 4) * rng.choice([0, 1], 4, p=[0.2, 0.8]))
        if tp + fn == 0 or fp + tn == 0:
            continue
        prevalence, level = float(rng.uniform(0.01, 0.99)), float(rng.choice([0.8, 0.95, 0.99]))
        found = ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn).with_intervals(level=level, prevalence=prevalence)
        z = float(ndtri((1 + level) / 2))
        asked.append([{"tp": tp, "fp": fp, "fn": fn, "tn": tn}, z, prevalence])
        wanted.append([[*map(float, found.intervals[names.get(key, key)])] for key in keys])
    shown = modules.evaluate(
        """async ([asked, keys]) => {
            const { intervalsOf } = await import("/static/intervals.js");
            const end = (value) => (Number.isFinite(value) ? value : String(value));
            return asked.map((one) => {
                const found = intervalsOf(...one);
                return keys.map((key) => (found[key] ?? [NaN, NaN]).map(end));
            });
        }""",
        [asked, list(keys)],
    )
    assert len(shown) > 200
    got = np.array([[[float(end) for end in ends] for ends in row] for row in shown])
    np.testing.assert_allclose(got, np.array(wanted), rtol=1e-12, atol=1e-15)
