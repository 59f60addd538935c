"""The score test calibrated by simulated studies: its definition by hand, its model, its interval, and its refusals."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, given
from hypothesis import strategies as st

import roclab as rl
from roclab.reading_studies.calibrated import Calibration
from roclab.reading_studies.null_studies import Moments, NullModels, fit_null, score_tests, simulate_null
from roclab.reading_studies.roe_metz import TYPICAL, RoeMetz, components_of_model
from tests.reading_studies.studies import nested_cases, nested_readers, only, split_plot, study
from tests.reading_studies.test_score import by_hand

VARIANCES = ("reader", "modality_reader", "case", "modality_case", "reader_case", "error")


def calibrated(table, **asked):
    return rl.readers.mrmc(table, **{"inference": "calibrated", "resampling": 100, "rng": 1} | asked)


def table_of(ratings, n_pos):
    """Modalities x readers x cases, positives first, as one row per rating."""
    where = np.indices(ratings.shape).reshape(3, -1)
    words = {"modality": where[0], "reader": where[1]}
    names = {name: np.array([f"{name[0]}{k}" for k in row]) for name, row in words.items()}
    return names | {"case": where[2], "truth": (where[2] < n_pos).astype(int), "rating": ratings.ravel()}


def models(model, area, count):
    one = {name: np.full(count, getattr(model, name)) for name in VARIANCES}
    return NullModels(shift=np.full(count, model.shift(area)), **one)


def drawn_studies(count, *, t=2, r=3, n_pos=6, n_neg=8, area=0.8, seed=1, model="high_reader_high_case"):
    generator = np.random.default_rng(seed)
    many = models(TYPICAL[model], area, count)
    return simulate_null(many, modalities=t, readers=r, n_pos=n_pos, n_neg=n_neg, generator=generator)


# -- definition ----------------------------------------------------------------------------------------


def test_calibrated_definition_p_value_among_given_studies():
    """Every study tested term by term, and the ranks counted one by one."""

    def p_of(ratings):
        t, df = by_hand(table_of(ratings, 6))
        return 2 * scipy.stats.t.sf(abs(t), df)

    ratings = drawn_studies(31)
    slow = [p_of(one) for one in ratings]
    fast = score_tests(ratings, 6)
    assert fast.equality == pytest.approx(slow, rel=1e-5)  # the search by hand ends there
    assert fast.pairs[:, 0] == pytest.approx(fast.equality, rel=1e-9)
    known = np.sort(fast.equality[1:])
    drawn = Calibration(equality=known, pairs=known.copy(), replicates=30, seed="none")
    for mine in (*fast.equality, 1e-9, 1.0):
        as_small = sum(one <= mine * (1 + 1e-9) for one in known)
        assert drawn.ranked(mine) == pytest.approx((1 + as_small) / 31)


@pytest.mark.parametrize(("t", "r"), [(2, 3), (2, 6), (3, 4), (4, 2)])
def test_calibrated_property_many_studies_at_once_are_single_ones(t, r):
    ratings = drawn_studies(5, t=t, r=r, n_pos=9, n_neg=12)
    found = score_tests(ratings, 9)
    for at, one in enumerate(ratings):
        single = rl.readers.mrmc(table_of(one, 9), inference="score", adjust="none")
        assert found.equality[at] == pytest.approx(single.equality.p_value, rel=1e-9)
        assert found.pairs[at] == pytest.approx([pair.p_value for pair in single.pairs], rel=1e-9)
        assert found.moments.mean[at] == pytest.approx(np.mean([one.area for one in single.means]))


def test_studies_without_any_spread_have_no_test():
    perfect = np.where(np.arange(10) < 4, 1.0, 0.0) + 0.01 * np.random.default_rng(1).normal(size=(2, 2, 3, 10))
    found = score_tests(perfect, 4)
    assert np.isnan(found.equality).all()
    assert np.isnan(found.pairs).all()
    twice = np.repeat(drawn_studies(2, t=1), 2, axis=1)  # both modalities rate alike
    assert np.isnan(score_tests(twice, 6).equality).all()


# -- the model -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TYPICAL)
@pytest.mark.parametrize(("area", "t"), [(0.6, 2), (0.85, 3), (0.97, 2)])
def test_fitted_model_gives_back_the_components_it_was_fitted_to(name, area, t):
    """None is cut off, so all are solved for; the search ends a hundred-thousandth beside them."""
    n_pos, n_neg = 30, 50
    parts = components_of_model(TYPICAL[name], area, n_pos=n_pos, n_neg=n_neg)
    error = parts.modality_reader + parts.error - parts.cov1 - parts.cov2 + parts.cov3
    reader = error + t * (parts.reader + parts.cov1 - parts.cov3)
    for times in (1.0, 1.3):  # the ratios of variances count, not their size
        found = {"error": error, "reader": reader, "variance": parts.error}
        found |= {"cov1": parts.cov1, "cov2": parts.cov2, "cov3": parts.cov3}
        moments = Moments(mean=np.array([area]), **{key: np.array([times * value]) for key, value in found.items()})
        fit = fit_null(moments, modalities=t, n_pos=n_pos, n_neg=n_neg)
        again = RoeMetz(**{key: float(getattr(fit, key)[0]) for key in VARIANCES})
        assert fit.shift[0] == pytest.approx(again.shift(area), rel=1e-6)
        back = components_of_model(again, area, n_pos=n_pos, n_neg=n_neg)
        for key in ("reader", "modality_reader", "error", "cov1", "cov2", "cov3"):
            assert getattr(back, key) == pytest.approx(getattr(parts, key), rel=1e-4), key


@given(seed=st.integers(0, 10_000), area=st.sampled_from([0.55, 0.8, 0.95]))
def test_fitted_model_property_is_a_model(seed, area):
    """Whatever is cut off, variances stay variances: none below 0, those of cases add up to 1."""
    moments = score_tests(drawn_studies(20, seed=seed, area=area), 6).moments
    fit = fit_null(moments, modalities=2, n_pos=6, n_neg=8)
    for at in range(20):
        RoeMetz(**{key: float(getattr(fit, key)[at]) for key in VARIANCES})
    assert np.isfinite(fit.shift).all()


# -- the answer ----------------------------------------------------------------------------------------


@given(
    seed=st.integers(0, 10_000), readers=st.integers(2, 5), modalities=st.integers(2, 3),
    shift=st.sampled_from([0.0, 1.0, 2.0]), level=st.sampled_from([0.5, 0.8, 0.95]),
    draws=st.sampled_from([99, 100, 199]),
)  # fmt: skip
def test_calibrated_property_interval_and_tests_agree(seed, readers, modalities, shift, level, draws):
    table = study(readers=readers, modalities=modalities, seed=seed, shift=shift)
    found = calibrated(table, level=level, resampling=draws, rng=seed)
    plain = rl.readers.mrmc(table, inference="score", level=level)
    assume(not math.isnan(plain.equality.p_value))
    assume(not math.isnan(found.equality.p_value))
    below = round(1 - level, 12)
    assert 0 < found.equality.p_value <= 1
    assert (found.equality.statistic, *found.df) == (plain.equality.statistic, *plain.df)
    for pair in found.pairs:
        low, high = pair.interval
        assert 0 < pair.p_value <= 1
        assert low < pair.difference < high
        assert (low <= 0 <= high) == (pair.p_value >= below) or min(abs(low), abs(high)) < 1e-9
    if modalities == 2:
        assert found.equality.p_value == found.pairs[0].p_value
        # Either end of the interval is where a margin is shown; two readers break it, see the next test.
        once = calibrated(table, level=level, resampling=draws, rng=seed)
        for margin in (0.01, 0.1, 0.4) if readers > 2 else ():
            claim = once.margin("m0", "m1", margin=margin)
            assert 0 <= claim.p_value <= 1
            assert claim.shown == (claim.interval.low > -margin) or abs(claim.interval.low + margin) < 1e-9


@pytest.mark.xfail(reason="known fault: with two readers the p-value of a margin can rise with it, also with 999 draws")
def test_calibrated_property_two_readers_show_a_wider_margin_too():
    found = calibrated(study(readers=2, modalities=2, seed=2, shift=2.0), level=0.975, resampling=99, rng=2)
    near, far = (found.margin("m0", "m1", margin=margin).p_value for margin in (0.1, 0.4))
    assert far <= near


def test_calibrated_property_sides():
    """One-sided p-values are halves of the two-sided one, and add up to 1."""
    table = study(readers=4, seed=3)
    both, more, less = (calibrated(table, alternative=one).pairs[0] for one in ("two-sided", "greater", "less"))
    assert more.p_value + less.p_value == pytest.approx(1)
    assert 2 * min(more.p_value, less.p_value) == pytest.approx(both.p_value)
    assert tuple(more.interval) == tuple(both.interval)


def test_calibrated_property_seed_rows_and_readers():
    table = study(readers=4, seed=2)
    found = calibrated(table, rng=7)
    answer = (found.equality.p_value, *found.pairs[0].interval)
    assert (calibrated(table, rng=7).to_dict()) == found.to_dict()
    order = np.random.default_rng(1).permutation(len(table["case"]))
    mixed = calibrated(only(table, order), rng=7)
    assert (mixed.equality.p_value, *mixed.pairs[0].interval) == pytest.approx(answer, abs=1e-9)
    new = {"r0": "z", "r1": "b", "r2": "y", "r3": "a"}
    renamed = calibrated(table | {"reader": np.array([new[one] for one in table["reader"]])}, rng=7)
    assert (renamed.equality.p_value, *renamed.pairs[0].interval) == pytest.approx(answer, abs=1e-9)
    turned = calibrated(table, rng=7, modalities=["m1", "m0"]).pairs[0]
    assert (turned.p_value, -turned.interval.high, -turned.interval.low) == pytest.approx(answer, abs=1e-9)
    threads = calibrated(table, rng=7, resampling=rl.Resampling(replicates=600, workers=3))
    assert threads.to_dict() == calibrated(table, rng=7, resampling=600).to_dict()
    assert calibrated(table, rng=8, resampling=600).equality.p_value != threads.equality.p_value


def test_calibrated_says_what_it_did():
    found = calibrated(study(readers=4, seed=2), rng=7)
    assert found.inference == "calibrated"
    assert found.equality.method.endswith("score, calibrated")
    assert found.pairs[0].interval.method.endswith("score, calibrated")
    assert any("100 studies simulated" in note and "seed 7" in note for note in found.notes)
    assert "calibrated" in str(found)
    seen = []
    calibrated(study(readers=4), resampling=rl.Resampling(replicates=500, progress=lambda *done: seen.append(done)))
    assert seen[-1] == (500, 500)
    few = rl.readers.mrmc(study(readers=4)).notes
    assert any("'calibrated'" in note for note in few)
    assert not any("'calibrated'" in note for note in rl.readers.mrmc(study(readers=4), covariance="jackknife").notes)


def test_calibrated_with_an_algorithm_and_three_modalities():
    table = study(readers=4, modalities=3, seed=5)
    table = only(table, (table["reader"] != "r3") | (table["modality"] == "m0"))  # an algorithm reads cases once
    found = calibrated(table, algorithm="r3", margin=0.3, adjust="bonferroni")
    assert found.df[0] == 2
    assert len(found.claims) == 2
    assert all(one.p_adjusted == pytest.approx(min(3 * one.p_value, 1)) for one in found.pairs)
    assert [one.p_value for one in found.against] == [
        one.p_value for one in rl.readers.mrmc(table, algorithm="r3").against
    ]


@pytest.mark.parametrize(
    ("table", "asked", "got"),
    [
        (nested_readers(readers=4), {"design": "nested_readers"}, "a nested readers design"),
        (nested_cases(readers=4), {"design": "nested_cases"}, "a nested cases design"),
        (split_plot(readers=3), {"design": "split_plot"}, "a split plot design"),
        (only(study(readers=5), np.arange(160) != 20), {}, "gaps"),
        (study(readers=5) | {"patient": np.tile(np.arange(16) // 2, 10)}, {"subject": "patient"}, "subjects"),
        (study(), {"estimator": "tauc"}, "tAUC"),
        (study(), {"estimator": "binormal"}, "the binormal area"),
        (study(), {"fpr": (0, 0.5)}, "partial AUC"),
        (study(), {"estimator": "sensitivity", "threshold": 3}, "sensitivity"),
        (study(), {"method": "dbm"}, "method 'dbm'"),
        (study(), {"covariance": "unbiased"}, "covariance 'unbiased'"),
        (study(), {"random": "cases"}, "random 'cases'"),
        (study(modalities=1), {}, "one modality"),
    ],
)
def test_calibrated_refuses_what_it_does_not_simulate(table, asked, got):
    with pytest.raises(rl.errors.InputError, match="'calibrated' simulates empirical areas") as error:
        calibrated(table, **asked)
    assert f"got {got}" in str(error.value)
    assert str(error.value).endswith("use inference='score'.")


def test_calibrated_refuses_too_few_draws():
    with pytest.raises(
        rl.errors.InputError, match="resampling must draw 20 studies or more to reject at level 0.95, got"
    ):
        calibrated(study(), resampling=19)
    assert calibrated(study(), resampling=20).equality.p_value > 0
    with pytest.raises(rl.errors.InputError, match="readers are a sample only where there are two or more"):
        calibrated(study(readers=1))


def test_calibrated_without_a_spread():
    """Where the score test is undefined, so is the calibrated one, with its reason and without a draw."""
    table = study(readers=5)
    for rating in (1 + 4 * table["truth"], 5 - 4 * table["truth"], np.ones(table["truth"].size)):
        found = calibrated(table | {"rating": rating})
        assert math.isnan(found.equality.p_value)
        assert found.equality.p_value.reason
        assert "undefined" in str(found)
        assert not any("simulated" in note for note in found.notes)
    perfect = table | {"rating": np.where(table["modality"] == "m1", 1 + 4 * table["truth"], table["rating"])}
    found = calibrated(perfect)
    assert any("on its bound" in note for note in found.notes)
    assert 0 < found.equality.p_value <= 1


def test_calibrated_where_studies_drawn_have_no_spread():
    """One reader errs once: many studies drawn are perfect, so that twenty of them are too few, a hundred are not."""
    table = study(readers=2, n_pos=4, n_neg=4)
    rating = 1 + 4 * table["truth"].astype(float)
    rating[0] = 0.0
    found = calibrated(table | {"rating": rating}, resampling=20, margin=0.1)
    for p in (found.equality.p_value, found.pairs[0].p_value, found.pairs[0].interval.low):
        assert math.isnan(p)
        assert "have a spread to test" in p.reason
    assert any("had no spread and were left out" in note for note in found.notes)
    assert "undefined" in str(found)
    assert 0 < calibrated(table | {"rating": rating}).equality.p_value <= 1


@pytest.mark.slow
def test_calibrated_size_of_true_hypotheses():
    """400 studies of three readers, 60 draws each: 3 of 61 ranks lie below 5%; within 3 Monte-Carlo errors."""
    generator = np.random.default_rng(11)
    sizes = {"modalities": 2, "n_pos": 25, "n_neg": 25}
    hits, count, draws = 0, 400, 60
    for name in ("low_reader_high_case", "high_reader_low_case"):
        ratings = simulate_null(models(TYPICAL[name], 0.85, count // 2), readers=3, generator=generator, **sizes)
        seen = score_tests(ratings, 25)
        many = fit_null(seen.moments, **sizes).repeated(draws)
        drawn = score_tests(simulate_null(many, readers=3, generator=generator, **sizes), 25).equality
        ranks = 1 + np.sum(drawn.reshape(-1, draws) <= seen.equality[:, None], axis=1)
        hits += int(np.sum(ranks / (draws + 1) < 0.05))
    expected = 3 / 61
    assert abs(hits / count - expected) < 3 * math.sqrt(expected * (1 - expected) / count)
