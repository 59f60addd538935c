"""Fuzzy c-means against its definition, an outside run, and what must hold of any run."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from roclab.errors import InputError, MissingValuesError
from roclab.fuzzy.cmeans import fuzzy_cmeans
from roclab.fuzzy.steps import memberships_of

HERE = Path(__file__).parent


def slow_memberships(x, centres, q):
    """The definition, a case and a cluster at a time; cases on centres share themselves among those."""
    out = np.zeros((len(x), len(centres)))
    for i, case in enumerate(x):
        squared = [sum((a - b) ** 2 for a, b in zip(case, centre, strict=True)) for centre in centres]
        on = [k for k, one in enumerate(squared) if one == 0]
        for k, one in enumerate(squared):
            if on:
                out[i, k] = (k in on) / len(on)
            else:
                out[i, k] = 1 / sum((one / other) ** (1 / (q - 1)) for other in squared)
    return out


def slow_run(x, centres, q, steps):
    """Steps of the alternation, and the objective before and after each."""
    values = []
    for _ in range(steps + 1):
        u = slow_memberships(x, centres, q) ** q
        values.append(
            sum(u[i, k] * np.sum((x[i] - centres[k]) ** 2) for i in range(len(x)) for k in range(len(centres)))
        )
        before = centres
        centres = np.array([u[:, k] @ x / u[:, k].sum() for k in range(len(centres))])
    return before, np.array(values)


def some_cases(seed=0, n=60, p=3):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, p)) + 3 * rng.integers(0, 3, size=(n, 1))


@pytest.mark.parametrize("q", [1.3, 2.0, 3.5])
def test_steps_definition(q):
    x = some_cases()
    found = fuzzy_cmeans(x, 4, fuzziness=q, start=x[:4], max_iterations=7, tolerance=1e-300)
    centres, values = slow_run(x, x[:4], q, 7)
    np.testing.assert_allclose(found.centres, centres, rtol=1e-9)
    np.testing.assert_allclose(found.objective, values, rtol=1e-9)
    np.testing.assert_allclose(found.memberships(x), slow_memberships(x, centres, q), atol=1e-9)
    assert not found.converged
    assert found.iterations == 7


def test_octave_run_oracle():
    case = json.loads((HERE / "octave_fcm.json").read_text())
    start = np.array(case["start"])[:, None]
    found = fuzzy_cmeans(case["x"], 3, start=start, max_iterations=case["steps"], tolerance=1e-300)
    np.testing.assert_allclose(found.centres.ravel(), case["centres"], rtol=1e-10)
    np.testing.assert_allclose(found.memberships(case["x"])[::40], case["memberships_every_40th"], atol=1e-10)


@given(
    x=st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=5, max_size=30),
    q=st.sampled_from([1.2, 2.0, 3.0]),
    seed=st.integers(0, 99),
)
def test_objective_never_rises_property(x, q, seed):
    table = np.array(x, dtype=float)
    clusters = min(4, len(np.unique(table, axis=0)))
    found = fuzzy_cmeans(table, clusters, fuzziness=q, rng=seed, max_iterations=40)
    room = 1e-10 * max(1.0, found.objective[0])  # rounding of the sums
    assert np.all(np.diff(found.objective) <= room)
    np.testing.assert_allclose(found.memberships(table).sum(axis=1), 1.0)


def test_order_of_cases_does_not_matter_property():
    x = some_cases(3)
    mixed = np.random.default_rng(1).permutation(len(x))
    one, other = (fuzzy_cmeans(part, 3, start=x[:3]) for part in (x, x[mixed]))
    np.testing.assert_allclose(one.centres, other.centres, rtol=1e-7)
    np.testing.assert_allclose(one.memberships(x)[mixed], other.memberships(x[mixed]), atol=1e-7)


def test_blocks_give_what_one_pass_gives_definition():
    """More cases than one block holds: 4 clusters leave 4096 of them to a block."""
    x = some_cases(5, n=10_000, p=1)
    found = fuzzy_cmeans(x, 4, start=x[:4], max_iterations=3, tolerance=1e-300)
    centres = x[:4]
    for _ in range(3):
        squared = (x - centres.T) ** 2
        u = np.where(squared == 0, 1.0, 0.0)
        free = ~(squared == 0).any(axis=1)
        u[free] = (1 / squared[free]) / (1 / squared[free]).sum(axis=1, keepdims=True)
        centres = ((u**2).T @ x) / (u**2).sum(axis=0)[:, None]
    np.testing.assert_allclose(found.centres, centres, rtol=1e-9)
    nearest = np.abs(x - found.centres.T).argmin(axis=0)
    np.testing.assert_array_equal(found.nearest_cases(x), nearest)
    np.testing.assert_array_equal(found.labels(x), np.abs(x - found.centres.T).argmin(axis=1))


def test_a_case_on_centres_belongs_to_them_alone_definition():
    np.testing.assert_array_equal(memberships_of(np.array([[0.0, 4.0, 0.0], [1.0, 1.0, 0.0]]), 2.0),
                                  [[0.5, 0.0, 0.5], [0.0, 0.0, 1.0]])  # fmt: skip
    x = np.array([[0.0], [0.0], [5.0]])
    found = fuzzy_cmeans(x, 2, start=[[0.0], [5.0]])
    np.testing.assert_array_equal(found.centres, [[0.0], [5.0]])
    assert found.converged
    assert found.objective[-1] == 0


def test_coincident_centres_stay_together():
    found = fuzzy_cmeans(some_cases(2), 3, start=[[0, 0, 0], [0, 0, 0], [9, 9, 9]])
    np.testing.assert_array_equal(found.centres[0], found.centres[1])


def test_the_start_is_drawn_and_said():
    x = some_cases(4)
    one, same, other = (fuzzy_cmeans(x, 3, rng=seed, max_iterations=1) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one.centres, same.centres)
    assert not np.array_equal(one.centres, other.centres)
    assert one.seed == "1"
    assert "NOT CONVERGED in 1 step" in str(one)
    assert len(one.rows()) == 3
    assert one.to_dict()["n"] == 60


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"x": [1.0, 1.0, 2.0], "clusters": 3}, "clusters must be at most the number of distinct cases, 2, got 3"),
        ({"x": [1.0, 2.0], "clusters": 0}, "clusters must be a whole number of at least 1"),
        ({"x": [1.0, 2.0], "clusters": 2, "fuzziness": 1.0}, "fuzziness must be a finite number above 1, got 1.0"),
        (
            {"x": [1.0, 2.0], "clusters": 2, "start": [[1.0]]},
            "start must have a row for each of 2 clusters, got 1 rows",
        ),
        ({"x": [1.0, 2.0], "clusters": 1, "start": [[1.0, 2.0]]}, "start must have 1 columns, got 2"),
        ({"x": np.zeros((0, 2)), "clusters": 1}, "x must be a table with rows and columns"),
        ({"x": ["a"], "clusters": 1}, "x must be a table of numbers, got list"),
    ],
)
def test_errors_say_what_to_do(arguments, message):
    with pytest.raises(InputError, match=message):
        fuzzy_cmeans(**arguments)


def test_missing_values_are_refused():
    with pytest.raises(MissingValuesError, match="x must hold finite numbers only"):
        fuzzy_cmeans([1.0, np.nan], 1)
