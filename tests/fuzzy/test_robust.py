"""Robust fuzzy c-means against reference runs, a double loop over all pairs of neighbours, and what J must do."""

from __future__ import annotations

import json
import warnings
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import roclab as rl
from roclab.errors import InputError, MissingValuesError, RoclabWarning
from roclab.fuzzy import synchronous
from roclab.fuzzy.choose_beta import choose_beta
from roclab.fuzzy.cmeans import fuzzy_cmeans
from roclab.fuzzy.image_start import noise_of
from roclab.fuzzy.robust import robust_cmeans, thesis_settings
from roclab.imaging.phantoms.chest import make_chest

ORACLES = Path(__file__).parents[1] / "oracles" / "rfcm"
RUNS = json.loads((ORACLES / "runs.json").read_text())


def table(name):
    return np.loadtxt(ORACLES / f"{name}.csv", delimiter=",", ndmin=2)


def image_of(run):
    shape = (run["H"], run["W"]) if run["P"] == 0 else (run["H"], run["W"], run["P"])
    data = table(run["data"])
    if run["data"] == "img2d":
        return data[..., None], shape
    return np.stack([data[:, k].reshape(shape, order="F") for k in range(data.shape[1])], axis=-1), shape


@pytest.mark.parametrize("run", RUNS, ids=[run["name"] for run in RUNS])
def test_reference_runs_oracle(run):
    image, shape = image_of(run)
    unfolded = [
        np.stack([row.reshape(shape, order="F") for row in table(name)]) for name in (run["u0"], f"{run['name']}_U")
    ]
    found = robust_cmeans(
        image, run["C"], beta=run["beta"], radius=run["L"], fuzziness=run["q"], channels=True, memberships=unfolded[0],
        update="synchronous", max_iterations=run["it"], stop=run["tol"], dtype=np.float64,
    )  # fmt: skip
    objective = table(f"{run['name']}_obj").ravel()
    assert found.iterations == objective.size
    assert found.objective == pytest.approx(objective, rel=1e-10)
    assert found.memberships == pytest.approx(unfolded[1], abs=1e-10)
    assert found.centres == pytest.approx(table(f"{run['name']}_center"), abs=1e-9)


def by_definition(image, u, beta, radius, q, mask):
    """Centres, objective and next memberships by loops over pixels and their neighbours."""
    shape, clusters = image.shape[:-1], len(u)
    inside = [at for at in product(*map(range, shape)) if mask is None or mask[at]]
    centres = np.array(
        [sum(u[k][at] ** q * image[at] for at in inside) / sum(u[k][at] ** q for at in inside) for k in range(clusters)]
    )
    offsets = [one for one in product(*(range(-r, r + 1) for r in radius)) if any(one)]
    total, fresh = 0.0, np.zeros_like(u)
    for at in inside:
        cost = np.empty(clusters)
        for k in range(clusters):
            penalty = 0.0
            for offset in offsets:
                other = tuple(a + b for a, b in zip(at, offset, strict=True))
                if all(0 <= a < n for a, n in zip(other, shape, strict=True)) and (mask is None or mask[other]):
                    penalty += sum(u[m][other] ** q for m in range(clusters) if m != k)
            distance = float(np.sum((image[at] - centres[k]) ** 2))
            total += u[k][at] ** q * (distance + beta / 2 * penalty)
            cost[k] = distance + beta * penalty
        share = cost ** (-1 / (q - 1))
        for k in range(clusters):
            fresh[k][at] = share[k] / share.sum()
    return centres, total, fresh


@pytest.mark.parametrize("shape", [(5, 6), (3, 4, 5), (4, 1, 6)])
@pytest.mark.parametrize(("q", "channels", "masked"), [(2.0, 1, False), (1.5, 2, True), (3.0, 2, False)])
@pytest.mark.parametrize("slab", [1, 1 << 16])
def test_steps_are_those_of_a_double_loop_definition(monkeypatch, shape, q, channels, masked, slab):
    monkeypatch.setattr(synchronous, "_SLAB", slab)
    random = np.random.default_rng(3)
    image = random.normal(size=(*shape, channels)) * 20
    mask = random.random(shape) < 0.7 if masked else None
    radius = (2, 1, 1)[: len(shape)]
    u = random.random((3, *shape))
    u /= u.sum(axis=0)
    if mask is not None:
        u = u * mask
    found = robust_cmeans(
        image, 3, beta=40.0, radius=radius, fuzziness=q, mask=mask, channels=True, memberships=u, update="synchronous",
        max_iterations=2, stop=0.0, dtype=np.float64,
    )  # fmt: skip
    centres, first, fresh = by_definition(image, u, 40.0, radius, q, mask)
    again, second, last = by_definition(image, fresh, 40.0, radius, q, mask)
    assert found.objective == pytest.approx([first, second], rel=1e-10)
    assert found.centres == pytest.approx(again, abs=1e-9)
    assert found.memberships == pytest.approx(last, abs=1e-10)
    assert not np.allclose(centres, again)


@given(
    st.integers(0, 10_000), st.sampled_from([(1, 8), (2, 2), (4, 5), (2, 3, 3)]), st.sampled_from([1.2, 2.0, 3.0]),
    st.sampled_from([1, 2]), st.floats(0, 5000),
)  # fmt: skip
def test_coloured_steps_never_raise_the_objective_property(seed, shape, q, radius, beta):
    random = np.random.default_rng(seed)
    image = random.normal(size=shape) * 30
    u = random.random((2, *shape))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RoclabWarning)  # of classes that empty
        found = robust_cmeans(
            image, 2, beta=beta, radius=radius, fuzziness=q, memberships=u / u.sum(axis=0), update="coloured",
            max_iterations=15, stop=0.0, dtype=np.float64,
        )  # fmt: skip
    assert found.rises == 0
    assert (np.diff(found.objective) <= 1e-9 * np.abs(found.objective[:-1])).all()


def thin_image(update):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RoclabWarning)  # of classes that empty
        for seed in range(300):
            image = np.random.default_rng(seed).normal(size=(1, 8)) * 50
            asked = {"beta": 2000, "start": "random", "rng": seed, "dtype": np.float64, "stop": 1e-5}
            found = robust_cmeans(image, 2, update="synchronous", **asked)
            if found.rises:
                return found, robust_cmeans(image, 2, update=update, **asked)
    pytest.fail("no rise found")


def test_a_thin_image_rises_synchronously_and_not_by_colours():
    found, other = thin_image("coloured")
    assert found.rises > 0
    assert other.rises == 0


def test_auto_turns_to_colours_at_the_first_rise():
    _, other = thin_image("auto")
    # The rise shows one step after it was made, and that step is synchronous too; from then on there is none.
    first = int(np.argmax(np.diff(other.objective) > 0))
    assert (np.diff(other.objective[first + 2 :]) <= 1e-9).all()
    assert other.update == "synchronous, then coloured"


def test_without_a_penalty_it_is_plain_fuzzy_c_means():
    random = np.random.default_rng(1)
    image = random.normal(size=(20, 20)) + 4 * random.integers(0, 3, size=(20, 20))
    start = [[0.0], [4.0], [8.0]]
    found = robust_cmeans(image, 3, beta=0, centres=start, dtype=np.float64, tolerance=1e-14, max_iterations=300)
    plain = fuzzy_cmeans(image.ravel(), 3, start=start, tolerance=1e-9)
    assert np.sort(found.centres.ravel()) == pytest.approx(np.sort(plain.centres.ravel()), abs=1e-4)


def noisy_classes(sigma=40.0):
    random = np.random.default_rng(0)
    truth = np.zeros((96, 96), int)
    for at in range(1, 4):
        truth[:, 24 * at :] = at
    return truth, 100.0 * truth + random.normal(size=truth.shape) * sigma


def test_neighbours_take_out_noise_that_plain_clustering_keeps():
    truth, image = noisy_classes()
    centres = [[0.0], [100.0], [200.0], [300.0]]
    plain = robust_cmeans(image, 4, beta=0, centres=centres, fixed_centres=True)
    robust = robust_cmeans(image, 4, beta="auto", centres=centres, fixed_centres=True)
    assert np.mean(plain.labels != truth) > 0.12
    assert np.mean(robust.labels != truth) < 0.02
    assert robust.beta == pytest.approx(2 * 40**2, rel=0.15)
    assert robust.centres.tolist() == centres


def test_single_precision_gives_the_same_classes():
    _, image = noisy_classes()
    double = robust_cmeans(image, 4, beta=3000, dtype=np.float64)
    single = robust_cmeans(image, 4, beta=3000)
    assert single.memberships.dtype == np.float32
    assert single.centres == pytest.approx(double.centres, abs=1e-2)
    assert np.mean(single.labels != double.labels) < 1e-3


def test_noise_is_told_from_edges():
    truth, image = noisy_classes(sigma=25.0)
    assert noise_of(image[..., None], None) == pytest.approx(25, rel=0.1)
    assert noise_of(100.0 * truth[..., None], None) == 0


@pytest.mark.parametrize("noise", [25.0, 50.0])
def test_correlated_noise_of_a_scan_is_told_too(noise):
    """In the lungs of phantoms, among vessels; second differences of neighbours would tell a third of it."""
    chest = make_chest(size=(8, 192, 192), spacing=(2.5, 1.9, 1.9), noise=noise, rng=1)
    inside = chest.lungs.array > 0
    assert noise_of(chest.volume.array[..., None], inside) == pytest.approx(noise, rel=0.15)
    whole = np.maximum(chest.volume.array, -1024)[..., None]  # padded, and cut at air
    assert 0.6 * noise < noise_of(whole, None) < 1.1 * noise


def test_noise_of_small_images_and_of_several_channels():
    random = np.random.default_rng(4)
    assert noise_of(random.normal(size=(9, 9, 1)) * 20, None) == pytest.approx(20, rel=0.4)
    assert noise_of(random.normal(size=(64, 64, 2)) * 20, None) == pytest.approx(20, rel=0.1)
    assert noise_of(np.zeros((2, 9, 1)), None) == 0
    mask = np.zeros((64, 64), bool)
    mask[:32] = True
    half = np.where(mask, 5.0, 50.0) * random.normal(size=mask.shape)
    assert noise_of(half[..., None], mask) == pytest.approx(5, rel=0.1)
    assert noise_of(np.where(random.random((64, 64)) < 2, 7.0, 0.0)[..., None], None) == 0


def test_one_slice_of_a_volume_is_clustered_as_a_picture():
    _, image = noisy_classes()
    flat, thick = robust_cmeans(image, 4), robust_cmeans(image[None], 4)
    assert thick.beta == flat.beta
    assert thick.memberships[:, 0] == pytest.approx(flat.memberships, abs=1e-4)


def test_whole_numbers_are_clustered_as_their_floats():
    image = np.random.default_rng(6).integers(-1000, 400, size=(5, 12, 11)).astype(np.int16)
    for update in ("synchronous", "coloured"):
        asked = {"beta": 900.0, "update": update}
        whole, real = robust_cmeans(image, 3, **asked), robust_cmeans(image.astype(float), 3, **asked)
        assert (whole.memberships == real.memberships).all()
        assert whole.memberships.dtype == np.float32
        assert whole.sizes == tuple(np.bincount(whole.labels.ravel()))


def test_held_out_pixels_are_told_by_their_neighbours_alone():
    _, image = noisy_classes(sigma=5.0)
    hidden = np.zeros(image.shape, bool)
    hidden[40:44, 10] = hidden[50, 80] = True
    wild = image.copy()
    wild[hidden] = 1e6
    asked = {"beta": 200.0, "held_out": hidden, "dtype": np.float64}
    assert robust_cmeans(wild, 4, **asked).labels.tolist() == robust_cmeans(image, 4, **asked).labels.tolist()


def test_cross_validation_prefers_a_penalty_where_there_is_noise():
    _, image = noisy_classes()
    centres = [[0.0], [100.0], [200.0], [300.0]]
    found = choose_beta(image, 4, [0.0, 100.0, 3000.0], rng=1, centres=centres, fixed_centres=True)
    assert found.beta > 0
    assert found.errors[0] == max(found.errors)


def test_the_settings_of_the_thesis_run():
    _, image = noisy_classes()
    found = robust_cmeans(np.clip(image, 0, 255).round(), 4, **thesis_settings(3))
    assert found.beta == 100
    assert found.update == "synchronous"
    assert found.iterations <= 100


def test_pixels_outside_the_mask_are_nobodys_neighbours():
    random = np.random.default_rng(5)
    image = random.normal(size=(12, 12)) * 30
    mask = np.zeros((12, 12), bool)
    mask[2:8, 3:10] = True
    asked = {"beta": 500.0, "dtype": np.float64, "centres": [[-20.0], [20.0]]}
    whole = image.copy()
    whole[~mask] = np.nan
    inside = robust_cmeans(whole, 2, mask=mask, **asked)
    alone = robust_cmeans(image[2:8, 3:10], 2, **asked)
    assert inside.memberships[:, 2:8, 3:10] == pytest.approx(alone.memberships, abs=1e-12)
    assert (inside.labels[~mask] == -1).all()


def test_an_emptied_class_is_told():
    image = np.random.default_rng(2).normal(size=(16, 16))
    with pytest.warns(RoclabWarning, match="no pixel belongs most to class"):
        robust_cmeans(image, 2, beta=1e4, start="random", rng=1, update="coloured", dtype=np.float64)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"mask": np.zeros((6, 6))}, InputError, "must leave pixels"),
        ({"mask": np.ones((5, 6))}, InputError, "shape"),
        ({"clusters": 0}, InputError, "clusters"),
        ({"clusters": 40}, InputError, "distinct values, 36"),
        ({"image": np.full((6, 6), 7.0)}, InputError, "distinct values, 1"),
        ({"image": np.full((6, 6), 7.0), "start": "random"}, InputError, "distinct values, 1"),
        ({"image": np.full((6, 6), np.nan)}, MissingValuesError, "finite"),
        ({"image": np.zeros(6)}, InputError, "two or three axes"),
        ({"image": "picture"}, InputError, "array of numbers"),
        ({"beta": -1}, InputError, "beta"),
        ({"beta": "much"}, InputError, "'auto' or 'cross-validation'"),
        ({"radius": (1, 1, 1)}, InputError, "radius"),
        ({"fuzziness": 1.0}, InputError, "fuzziness"),
        ({"update": "red-black"}, InputError, "update must be one of"),
        ({"centres": [[1.0]]}, InputError, "centres must have 2 rows"),
        ({"fixed_centres": True}, InputError, "needs centres"),
        ({"memberships": np.ones((3, 6, 6))}, InputError, "memberships must have the shape"),
        ({"dtype": np.int32}, InputError, "float32 or float64"),
    ],
)
def test_bad_input_is_one_sentence(change, error, message):
    asked = {"image": np.arange(36.0).reshape(6, 6), "clusters": 2, **change}
    with pytest.raises(error, match=message):
        robust_cmeans(asked.pop("image"), asked.pop("clusters"), **asked)


def test_choosing_a_weight_takes_what_clustering_takes():
    image = np.repeat([[0.0, 90.0]], 16, axis=0).repeat(8, axis=1) + np.random.default_rng(1).normal(size=(16, 16)) * 30
    asked = {"method": "rfcm", "preset": "thesis", "window": (-100, 200), "radius": 1}
    one, two = (rl.imaging.choose_beta(image, 2, [10, 2000], rng=4, **asked) for _ in range(2))
    assert one.errors == two.errors  # a random start is drawn from the seed too
    levels = np.rint((np.clip(image, -100, 200) + 100) * 255 / 300)
    plain = rl.imaging.choose_beta(levels, 2, [10, 2000], rng=4, method="rfcm", preset="thesis", radius=1)
    assert plain.errors == pytest.approx(one.errors)
    found = rl.imaging.robust_cmeans(image, 2, beta="cross-validation", **asked)
    assert found.beta in rl.imaging.choose_beta(image, 2, rng=0, **asked).tried
    with pytest.raises(InputError, match="method must be 'rfcm'"):
        rl.imaging.choose_beta(image, 2, method="fcm")
    with pytest.raises(InputError, match="beta is what is chosen, got 5; name the weights to try with betas="):
        rl.imaging.choose_beta(image, 2, beta=5)
