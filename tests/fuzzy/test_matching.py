"""Pairs of classes of two runs, by every pairing; the penalty of two neighbours, by its definition; presets by name."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

import roclab as rl
from roclab.errors import InputError
from roclab.fuzzy.grey import beta_in_units, eight_bit


def noisy():
    truth = np.repeat(np.arange(3), 10)[None].repeat(24, axis=0)
    return truth, 80.0 * truth + np.random.default_rng(2).normal(size=truth.shape) * 25


def test_the_pairing_is_the_best_of_all_definition():
    random = np.random.default_rng(4)
    for seed in range(8):
        image = random.normal(size=(7, 9)) * 30
        one, two = (rl.imaging.robust_cmeans(image, 4, beta=20, start="random", rng=at) for at in (seed, seed + 50))
        found = rl.imaging.match_clusters(one, two)
        best = max(
            sum(float((one.memberships[a] * two.memberships[b]).sum()) for a, b in enumerate(order))
            for order in permutations(range(4))
        )
        paired = sum(float((one.memberships[a] * two.memberships[b]).sum()) for a, b in found.pairs)
        assert paired == pytest.approx(best, rel=1e-5)
        assert sorted(a for a, _ in found.pairs) == sorted(b for _, b in found.pairs) == [0, 1, 2, 3]
        assert np.diff([one.centres[a, 0] for a, _ in found.pairs]).min() >= 0
        same = sum(1 for p, q in zip(one.labels.ravel(), two.labels.ravel(), strict=True) if (p, q) in found.pairs)
        assert found.agreement == pytest.approx(same / image.size)


def test_rows_tell_both_runs():
    _, image = noisy()
    start = {"centres": [[0], [80], [160]]}
    plain, robust = (rl.imaging.robust_cmeans(image, 3, method=name, **start) for name in ("fcm", "rfcm"))
    found = rl.imaging.match_clusters(plain, robust, names=("FCM", "RFCM"))
    (row, *_) = found.rows()
    mine = plain.labels == 0
    other = robust.labels == 0
    assert row["pixels, FCM"] == mine.sum()
    assert row["Dice"] == pytest.approx(2 * (mine & other).sum() / (mine.sum() + other.sum()))
    assert row["mean |difference|"] == pytest.approx(
        np.abs(plain.memberships[0] - robust.memberships[0]).mean(), rel=1e-4
    )
    assert "belong most to the same class" in str(found)
    assert found.to_dict()["agreement"] == found.agreement


def test_runs_on_other_images_are_refused():
    _, image = noisy()
    with pytest.raises(InputError, match="must have the classes and pixels of the first"):
        rl.imaging.match_clusters(rl.imaging.robust_cmeans(image, 3), rl.imaging.robust_cmeans(image, 2))


@pytest.mark.filterwarnings("ignore::roclab.errors.RoclabWarning")  # of classes that empty
def test_the_penalty_is_what_two_neighbours_add_to_the_objective_definition():
    for q in (1.5, 2.0, 3.0):
        surface = rl.imaging.penalty_surface(q, points=5)
        for i, a in enumerate(surface.own):
            for j, b in enumerate(surface.neighbour):
                u = np.array([[[a, b]], [[1 - a, 1 - b]]])  # classes, rows, columns
                found = rl.imaging.robust_cmeans(
                    [[0.0, 0.0]], 2, beta=1.0, fuzziness=q, memberships=u, centres=[[0], [0]], fixed_centres=True,
                    max_iterations=1, dtype=np.float64,
                )  # fmt: skip
                assert surface.penalty[i, j] == pytest.approx(found.objective[0], abs=1e-12)
    assert len(surface.rows()) == 25
    with pytest.raises(InputError, match="fuzziness"):
        rl.imaging.penalty_surface(0.9)


def test_the_penalty_without_fuzziness_is_the_chance_of_two_classes_definition():
    """At q = 1 memberships are probabilities, and the penalty is that of drawing two different classes."""
    surface = rl.imaging.penalty_surface(1.0, points=5)
    for i, a in enumerate(surface.own):
        for j, b in enumerate(surface.neighbour):
            assert surface.penalty[i, j] == pytest.approx(a + b - 2 * a * b, abs=1e-15)


def test_the_preset_of_the_thesis_by_name():
    _, image = noisy()
    found = rl.imaging.robust_cmeans(np.clip(image, 0, 255).round(), 3, preset="thesis")
    assert (found.beta, found.fuzziness, found.radius, found.update) == (100, 2, (1, 1), "synchronous")
    assert found.memberships.dtype == np.float64
    assert found.iterations == 100 or abs(found.objective[-1] - found.objective[-2]) < 1e-5
    again = rl.imaging.robust_cmeans(np.clip(image, 0, 255).round(), 3, preset="thesis", beta=500.0)
    assert again.beta == 500
    with pytest.raises(InputError, match="preset must be one of"):
        rl.imaging.robust_cmeans(image, 3, preset="ancient")


def test_plain_clustering_by_name_has_no_penalty():
    _, image = noisy()
    assert rl.imaging.robust_cmeans(image, 3, method="fcm").beta == 0
    with pytest.raises(InputError, match="beta is for 'rfcm'"):
        rl.imaging.robust_cmeans(image, 3, method="fcm", beta=5)


def test_the_weight_by_cross_validation_is_the_one_that_was_chosen():
    _, image = noisy()
    asked = {"centres": [[0], [80], [160]], "fixed_centres": True}
    chosen = rl.imaging.choose_beta(image, 3, rng=3, **asked)
    assert rl.imaging.robust_cmeans(image, 3, beta="cross-validation", rng=3, **asked).beta == chosen.beta
    assert min(chosen.errors) == chosen.errors[chosen.tried.index(chosen.beta)]
    with pytest.raises(InputError, match="betas must be given"):
        rl.imaging.choose_beta(np.repeat([[0.0, 1.0]], 12, axis=0).repeat(12, axis=1), 2)


def test_a_window_makes_grey_levels():
    volume = np.array([[-3000, -1024], [-12, 5000]])
    assert eight_bit(volume, (-1024, 1000)).tolist() == [[0, 0], [128, 255]]
    assert beta_in_units(100, (-1000, 400)) == pytest.approx(100 * (1400 / 255) ** 2)
    for bad in ((5, 5), (1, 0), 7, (1, 2, 3), (0, np.inf)):
        with pytest.raises(InputError, match="window must be two numbers"):
            eight_bit(volume, bad)
    random = np.random.default_rng(1)
    image = random.normal(size=(20, 20)) * 60 - 500 + 700 * (np.arange(20) > 9)
    hu = rl.imaging.robust_cmeans(image, 2, beta=beta_in_units(100, (-1000, 400)), centres=[[-500], [200]])
    grey = rl.imaging.robust_cmeans(image, 2, beta=100, window=(-1000, 400), centres=[[91], [218]])
    assert np.mean(hu.labels != grey.labels) < 0.01
