"""NRI and IDI: against R, and never without the sentence that warns."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab.errors import InputError
from tests.inference.rates.oracle_files import cases_of


@pytest.mark.parametrize("case", cases_of("nri"), ids=lambda case: case["id"])
def test_improvements_oracle(case):
    given, expected = case["inputs"], case["expected"]
    found = rl.compare_predictions(
        given["event"], {"new": given["p_new"], "old": given["p_old"]}, reclassification=[0.2, 0.4]
    )
    (moved,) = found.reclassification
    close = {"abs": case["tolerance_abs"]}
    for kind, name in (("category", "category_02_04"), ("continuous", "continuous")):
        values = [moved[f"{kind} NRI{part}"].value for part in ("", " of positives", " of negatives")]
        assert values == pytest.approx(expected[name][:3], **close)
    r = expected["Hmisc"]
    for quantity, suffix in (("continuous NRI", ""), ("continuous NRI of positives", ".ev"),
                             ("continuous NRI of negatives", ".ne")):  # fmt: skip
        assert moved[quantity].standard_error == pytest.approx(r[f"se.nri{suffix}"], **close)
    assert (moved["IDI"].value, moved["IDI"].standard_error) == pytest.approx((r["idi"], r["se.idi"]), **close)
    assert moved["IDI"].statistic == pytest.approx(r["z.idi"], abs=1e-6)


def test_the_warning_stands_beside_them_and_comes_back_from_json():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 60)
    a, b = rng.random(60), rng.random(60)
    found = rl.compare_predictions(y, {"a": a, "b": b}, probabilities=[0.2], reclassification=[])
    assert "NRI and IDI reward useless markers" in str(found)
    assert [one.quantity for one in found.reclassification[0].measures][-1] == "IDI"
    again = type(found).from_json(found.to_json())
    assert str(again) == str(found)
    still = rl.compare_predictions(y, {"a": a, "b": a}, reclassification=[]).reclassification[0]
    assert still["continuous NRI"].p_value.reason == "nothing moved, or a class has one case"


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"reclassification": [0.4, 0.2]}, "reclassification must be rising bounds between 0 and 1, got"),
        ({"reclassification": [2.0]}, "reclassification must be rising bounds between 0 and 1"),
        ({"reclassification": [], "ids": [1, 1, 2, 2, 3, 3]}, "reclassification has errors that take every case"),
    ],
)
def test_refusals_say_what_to_do(asked, sentence):
    y, p = [1, 0, 1, 0, 1, 0], {"a": [0.1, 0.2, 0.6, 0.4, 0.5, 0.3], "b": [0.2, 0.1, 0.5, 0.5, 0.5, 0.3]}
    with pytest.raises(InputError) as error:
        rl.compare_predictions(y, p, **asked)
    assert sentence in str(error.value)
    with pytest.raises(InputError, match="reclassification compares two predictions or more, got a"):
        rl.compare_predictions(y, {"a": p["a"]}, reclassification=[])
