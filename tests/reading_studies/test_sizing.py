"""Power and sizes: published numbers, the model behind typical values, and simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats

import roclab as rl
from roclab.errors import InputError
from roclab.names import TYPICAL_READERS
from roclab.reading_studies.roe_metz import TYPICAL, components_of_model, simulate_ratings
from roclab.reading_studies.sizing import power_of
from tests.reading_studies.studies import nested_readers, study

# What MRMCaov 0.3.0 prints for the Van Dyke data by the jackknife: enough to plan from, without the data.
VAN_DYKE = rl.results.VarianceComponents(
    reader=0.0015349993, modality_reader=0.0002004025, error=0.0008022883, cov1=0.0003466137, cov2=0.0003440748,
    cov3=0.0002390284, n_pos=45, n_neg=69,
)  # fmt: skip


def test_power_published():
    """RJafroc 2.1.3, SsPowerGivenJK on the same data, with the difference that was observed."""
    asked = {"difference": 0.043800322, "readers": 10}
    assert power_of(VAN_DYKE, cases=165, **asked)[0] == pytest.approx(0.80541995, abs=1e-6)
    assert power_of(VAN_DYKE, cases=131, random="cases", **asked)[0] == pytest.approx(0.80091813, abs=1e-6)
    assert power_of(VAN_DYKE, cases=53, random="readers", **asked)[0] == pytest.approx(0.80496663, abs=1e-6)
    plan = rl.readers.sample_size(VAN_DYKE, **asked, cases=(165,))
    assert plan.grid[0].power == pytest.approx(0.80541995, abs=1e-6)
    assert plan.smallest[0].cases <= 165


def spread_of_difference(name, cases):
    """Mean squares of a planned study of ten readers: MS(TR), and what new readers and new cases make of MS(T)."""
    parts = components_of_model(TYPICAL[name], 0.885, n_pos=50, n_neg=50)
    shared = 100 / cases * (parts.cov2 - parts.cov3)
    own = parts.modality_reader + 100 / cases * (parts.error - parts.cov1) - shared
    return own, own + 10 * shared, parts.modality_reader


@pytest.mark.parametrize(
    ("name", "random", "printed", "plan"),
    [
        ("low_reader_high_case", "both", 162, 161), ("low_reader_high_case", "cases", 149, 146),
        ("low_reader_high_case", "readers", 41, 21), ("high_reader_low_case", "both", 190, 176),
        ("high_reader_low_case", "cases", 69, 67), ("high_reader_low_case", "readers", 138, 109),
    ],
)  # fmt: skip
def test_sizes_published_of_simulators(name, random, printed, plan):
    """Chakraborty 2010 (Acad Radiol 17:628-638, table 2): cases for a power of 0.8, ten readers, 0.855 against 0.915.

    Theirs come from interpolated simulations of 2000 studies, whose error is up to ten cases, with fitted areas, and
    with readers and cases drawn anew in every study. The plan is for these very readers or cases; with everything
    drawn anew, the tests that they ran have a power near 0.8 at their sizes. Fitted areas see a little more than the
    empirical ones of the formula in the two smallest studies.
    """
    found = rl.readers.sample_size(name, random=random, auc=0.885, difference=0.06, readers=10)
    assert found.smallest[0].cases == plan
    own, whole, reader = spread_of_difference(name, printed)
    shift = math.sqrt(10 * 0.06**2 / 2)
    if random == "both":
        power = power_of(found.components, difference=0.06, readers=10, cases=printed)[0]
    elif random == "cases":
        edge = 1.959964 * math.sqrt(whole - reader)
        power = scipy.stats.norm.sf((edge - shift) / math.sqrt(whole))
    else:
        edge = scipy.stats.f.isf(0.05, 1, 9) * own / whole
        power = scipy.stats.ncf.sf(edge, 1, 9, shift**2 / whole)
    assert power == pytest.approx(0.8, abs=0.02 if printed > 100 else 0.04)  # two errors of 2000 studies are 0.018


def test_power_property_rises_and_reaches_what_was_asked():
    plan = rl.readers.sample_size(VAN_DYKE, difference=0.05, readers=range(3, 12), cases=(50, 100, 200, 400))
    for readers in range(3, 12):
        powers = [plan.power_at(readers, cases) for cases in (50, 100, 200, 400)]
        assert powers == sorted(powers)
    for cell in plan.smallest:
        assert cell.power >= 0.8
        fewer = power_of(VAN_DYKE, difference=0.05, readers=cell.readers, cases=cell.cases - 1)[0]
        assert fewer < 0.8
    assert plan.impossible == (3,)
    assert {one.readers for one in plan.smallest} == set(range(4, 12))
    assert "never" in str(plan)
    assert plan.rows()[0]["readers"] == 3
    # No difference is found as often as the level says.
    assert power_of(VAN_DYKE, difference=1e-9, readers=5, cases=100)[0] == pytest.approx(0.05, abs=1e-6)
    assert power_of(VAN_DYKE, difference=5.0, readers=5, cases=100)[0] == 1.0


def test_margin_definition_is_a_one_sided_test():
    found, df = power_of(VAN_DYKE, difference=0.0, readers=6, cases=150, margin=0.05)
    same, _ = power_of(VAN_DYKE, difference=0.05, readers=6, cases=150)
    assert found == pytest.approx(same, abs=1e-3)  # two-sided at 5% is one-sided at 2.5%, but for the far side
    assert math.isfinite(df)
    normal, _ = power_of(VAN_DYKE, difference=0.0, readers=6, cases=150, margin=0.05, random="cases")
    assert normal > found
    assert "non-inferiority within 0.0500" in str(rl.readers.sample_size(VAN_DYKE, difference=0, margin=0.05))


@pytest.mark.parametrize("name", TYPICAL_READERS)
def test_model_definition_of_its_expected_area(name):
    model = TYPICAL[name]
    rng = np.random.default_rng(1)
    drawn = simulate_ratings(model, np.array([model.shift(0.8)]), readers=400, n_pos=40, n_neg=40, generator=rng)
    areas = (drawn[..., :40, None] > drawn[..., None, 40:]).mean(axis=(2, 3))
    parts = components_of_model(model, 0.8, n_pos=40, n_neg=40)
    spread = math.sqrt(parts.cov2 + (parts.reader + parts.modality_reader + parts.error - parts.cov2) / 400)
    assert areas.mean() == pytest.approx(0.8, abs=4 * spread)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["low_reader_high_case", "high_reader_low_case"])
def test_model_definition_of_its_components(name):
    """Covariances over 6000 simulated studies against the formula."""
    model = TYPICAL[name]
    rng = np.random.default_rng(2)
    sims, t, r, p, n = 6000, 2, 3, 12, 18
    areas = np.empty((sims, t, r))
    for at in range(sims):
        x = simulate_ratings(model, np.full(t, model.shift(0.855)), readers=r, n_pos=p, n_neg=n, generator=rng)
        areas[at] = (x[..., :p, None] > x[..., None, p:]).mean(axis=(2, 3))
    parts = components_of_model(model, 0.855, n_pos=p, n_neg=n)
    own = areas - areas.mean(axis=0)
    seen = {
        "error": np.mean(own**2),
        "cov1": np.mean(own[:, 0] * own[:, 1]),
        "cov2": np.mean(own[:, :, 0] * own[:, :, 1]),
        "cov3": np.mean(own[:, 0, 0] * own[:, 1, 1]),
    }
    want = {
        "error": parts.error + parts.reader + parts.modality_reader,
        "cov1": parts.cov1 + parts.reader,
        "cov2": parts.cov2,
        "cov3": parts.cov3,
    }
    # The standard error of a mean product is at most about sqrt(2 / sims) of the variance.
    for key, value in seen.items():
        assert value == pytest.approx(want[key], abs=4 * want["error"] * math.sqrt(2 / sims)), key


@pytest.mark.nightly
def test_size_of_the_f_test_and_power_by_simulation():
    """400 studies: 5% of them without a difference, and the planned share of them with one."""
    model, r, n = TYPICAL["low_reader_high_case"], 5, 60
    seen = {}
    for areas in ((0.85, 0.85), (0.80, 0.90)):
        shifts = np.array([model.shift(one) for one in areas])
        found = 0
        for seed in range(400):
            rng = np.random.default_rng(seed)
            x = simulate_ratings(model, shifts, readers=r, n_pos=n, n_neg=n, generator=rng)
            wide = {f"{m}{j}": x[m, j] for m in range(2) for j in range(r)} | {"y": np.repeat([1, 0], n)}
            names = {f"{m}{j}": (f"{j}", f"{m}") for m in range(2) for j in range(r)}
            found += rl.readers.mrmc(wide, label="y", rating=names).equality.p_value < 0.05
        seen[areas] = found / 400
    error = math.sqrt(0.05 * 0.95 / 400)
    assert seen[0.85, 0.85] == pytest.approx(0.05, abs=3 * error)
    planned = (
        rl.readers.sample_size("low_reader_high_case", auc=0.85, difference=0.1, readers=r, cases=2 * n).grid[0].power
    )
    assert seen[0.80, 0.90] == pytest.approx(planned, abs=3 * math.sqrt(planned * (1 - planned) / 400) + 0.02)


def test_simulated_studies_property():
    one = rl.readers.simulate(readers=3, n_pos=5, n_neg=6, rng=4)
    two = rl.readers.simulate(readers=3, n_pos=5, n_neg=6, rng=4)
    assert (one["rating"] == two["rating"]).all()
    assert len(one["rating"]) == 2 * 3 * 11
    rated = rl.readers.simulate(readers=3, n_pos=50, n_neg=60, categories=5, rng=4)
    assert set(rated["rating"]) == {1, 2, 3, 4, 5}
    assert rl.readers.mrmc(rl.readers.simulate(auc=0.8, rng=1)).equality is None
    own = rl.results.RoeMetz(reader=0, modality_reader=0, case=0.5, modality_case=0, reader_case=0, error=0.5)
    assert rl.readers.mrmc(rl.readers.simulate(own, auc=(0.7, 0.7, 0.7), rng=1)).df[0] == 2


def test_bad_plans():
    with pytest.raises(InputError, match="auc must say the mean area that a model is asked for"):
        rl.readers.sample_size("low_reader_high_case", difference=0.05)
    with pytest.raises(InputError, match="pilot must be one of 'low_reader_low_case'"):
        rl.readers.sample_size("typical", difference=0.05, auc=0.8)
    with pytest.raises(InputError, match="pilot must be a ReaderStudy"):
        rl.readers.sample_size(3, difference=0.05)
    with pytest.raises(InputError, match="auc belongs to a model"):
        rl.readers.sample_size(VAN_DYKE, difference=0.05, auc=0.8)
    with pytest.raises(InputError, match="difference must be a finite number above 0"):
        rl.readers.sample_size(VAN_DYKE, difference=0)
    with pytest.raises(InputError, match="difference must lie inside the margin"):
        rl.readers.sample_size(VAN_DYKE, difference=-0.1, margin=0.05)
    with pytest.raises(InputError, match="readers must be a whole number of at least 2"):
        rl.readers.sample_size(VAN_DYKE, difference=0.05, readers=1)
    with pytest.raises(InputError, match="pilot must be a factorial study of two modalities or more"):
        rl.readers.sample_size(rl.readers.mrmc(nested_readers(), design="nested_readers"), difference=0.05)
    with pytest.raises(InputError, match="model must hold case, modality_case, reader_case and error that add up to 1"):
        rl.results.RoeMetz(reader=0, modality_reader=0, case=1, modality_case=1, reader_case=0, error=0)
    with pytest.raises(InputError, match="model must hold variances, finite and not below 0"):
        rl.results.RoeMetz(reader=-1, modality_reader=0, case=1, modality_case=0, reader_case=0, error=0)
    with pytest.raises(InputError, match="auc must hold the area of one modality or more"):
        rl.readers.simulate(auc=())
    assert rl.readers.sample_size(rl.readers.mrmc(study()), difference=0.1).notes
    with pytest.raises(InputError, match="readers and cases must be in the grid"):
        rl.readers.sample_size(VAN_DYKE, difference=0.05).power_at(99, 1)
