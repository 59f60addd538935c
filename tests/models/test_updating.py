"""Updates of a model: maxima by a slow twin, the closed test by its definition and its size, losses out of fold."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit, logit
from scipy.stats import chi2

import roclab as rl
from roclab.errors import InputError
from roclab.models.updating import fit_update, log_odds


def sample(seed, n=300, shift=0.0, slope=1.0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 2))
    odds = -0.8 + x @ [1.0, 0.6]
    return expit(odds), rng.random(n) < expit(shift + slope * odds), x


def twin(update, p, y, x):
    """The largest log likelihood by a search that knows no derivative."""

    def lost(b):
        odds = {1: lambda: b[0] + logit(p), 2: lambda: b[0] + b[1] * logit(p), 3: lambda: b[0] + x @ b[1:]}[b.size]()
        chance = np.clip(expit(odds), 1e-300, 1 - 1e-16)
        return -np.sum(np.where(y, np.log(chance), np.log1p(-chance)))

    start = {"intercept": [0.0], "intercept and slope": [0.0, 1.0], "refitted": [0.0, 0.0, 0.0]}[update]
    found = minimize(lost, start, method="Nelder-Mead", options={"xatol": 1e-10, "fatol": 1e-13, "maxiter": 20000})
    return found.x, -found.fun


@pytest.mark.parametrize("update", ["intercept", "intercept and slope", "refitted"])
def test_updates_are_maxima_definition(update):
    p, y, x = sample(1, shift=-0.7, slope=0.6)
    found = fit_update(update, log_odds(p), y, x)
    coefficients, value = twin(update, p, y, x)
    assert found.coefficients[: coefficients.size] == pytest.approx(coefficients, abs=1e-5)
    assert found.log_likelihood == pytest.approx(value, abs=1e-8)
    assert found.parameters == coefficients.size


def test_closed_test_is_a_ladder_of_likelihood_ratios():
    p, y, x = sample(20, shift=-0.8)
    found = rl.update_model(y, p, predictors={"a": x[:, 0], "b": x[:, 1]}, rng=1)
    largest = twin("refitted", p, y, x)[1]
    values = {"as it is": np.sum(np.where(y, np.log(p), np.log1p(-p))), "intercept": twin("intercept", p, y, x)[1]}
    for test in found.tests:
        ratio = 2 * (largest - values[test.update])
        assert test.statistic == pytest.approx(ratio, abs=1e-6)
        assert test.p_value == pytest.approx(chi2.sf(ratio, {"as it is": 3, "intercept": 2}[test.update]), rel=1e-5)
    assert [test.update for test in found.tests] == ["as it is", "intercept"]
    assert found.chosen == "intercept"


@pytest.mark.parametrize(
    ("shift", "slope", "wanted"), [(0, 1, "as it is"), (-1.5, 1, "intercept"), (-0.5, 0.3, "intercept and slope")]
)
def test_what_differs_is_updated(shift, slope, wanted):
    p, y, _ = sample(9, n=2000, shift=shift, slope=slope)
    found = rl.update_model(y, p, rng=1)
    assert found.chosen == wanted
    if wanted != "as it is":
        assert found.update(wanted).log_loss_change < 0
        assert found.update(wanted).brier_change < 0
        assert rl.auc(y, found.apply(p)) == pytest.approx(rl.auc(y, p))  # the order stays


@pytest.mark.slow
def test_a_right_model_is_kept_as_often_as_the_level_says():
    kept = sum(rl.update_model(y, p, repeats=1, rng=1).chosen == "as it is"
               for p, y, _ in (sample(seed, n=120) for seed in range(300)))  # fmt: skip
    assert 0.91 <= kept / 300 <= 0.98


def test_losses_out_of_fold_definition():
    p, y, _ = sample(3, shift=-1, slope=0.7)
    fold = np.arange(y.size) % 4
    found = rl.update_model(y, p, folds=fold)
    chance = np.empty(y.size)
    for one in range(4):
        a, b = twin("intercept and slope", p[fold != one], y[fold != one], None)[0]
        chance[fold == one] = expit(a + b * logit(p[fold == one]))
    stretched = found.update("intercept and slope")
    assert stretched.brier == pytest.approx(np.mean((chance - y) ** 2), abs=1e-6)
    change = (chance - y) ** 2 - (p - y) ** 2
    assert stretched.brier_change == pytest.approx(change.mean(), abs=1e-6)
    assert stretched.brier_error == pytest.approx(change.std(ddof=1) / np.sqrt(y.size), rel=1e-4)
    assert "every one of 4 folds" in found.design
    assert "none are drawn" in str(rl.update_model(y, p, folds=fold, repeats=2))


def test_a_prediction_is_of_fits_that_did_not_see_it():
    p, y, _ = sample(4, n=60, shift=-1)
    fold = np.arange(60) % 3
    found = rl.update_model(y, p, folds=fold)
    other = y.copy()
    other[0] = not other[0]
    again = rl.update_model(other, p, folds=fold)
    if found.chosen == again.chosen:
        assert found.probabilities[0] == again.probabilities[0]
    assert (found.probabilities[fold == 1] != again.probabilities[fold == 1]).any()


def test_refitted_models_are_applied_to_columns():
    p, y, x = sample(6, n=800)
    y = np.random.default_rng(1).random(800) < expit(-1 + x @ [0.1, 1.5])
    table = {"died": y.astype(int), "risk": p, "a": x[:, 0], "b": x[:, 1]}
    found = rl.update_model(table, label="died", score="risk", predictors=["a", "b"], rng=1)
    assert found.chosen == "refitted"
    fit = rl.logistic(y, {"a": x[:, 0], "b": x[:, 1]})
    assert found.apply(predictors=table) == pytest.approx(fit.fit.probabilities, abs=1e-9)
    with pytest.raises(InputError, match="predictors are what a refitted model needs"):
        found.apply(p)
    with pytest.raises(InputError, match="risks are what the update 'intercept' moves"):
        found.apply(predictors=table, update="intercept")


def test_other_risks_have_no_closed_test():
    p, y, x = sample(7)
    found = rl.update_model(y, np.clip(p + 0.3 * (x[:, 0] > 0.5), 0, 0.99), predictors={"a": x[:, 0]}, rng=1)
    assert found.tests == ()
    assert isinstance(found.chosen, rl.results.Undefined)
    assert "no linear function of the predictors" in str(found)
    with pytest.raises(InputError, match="update must be said, because no closed test chose one"):
        found.apply(p)
    assert found.apply([0.5], update="as it is") == pytest.approx([0.5])


def test_subjects_are_kept_whole_and_counted():
    p, y, _ = sample(8, n=200, shift=-1)
    once = rl.update_model(y, p, rng=1)
    ids = np.repeat(np.arange(100), 2)
    found = rl.update_model(y, p, ids=ids, rng=1)
    assert "subjects kept whole" in found.design
    assert found.update("intercept").log_loss_error != once.update("intercept").log_loss_error
    assert found.tests == ()


def test_risks_of_one_are_told():
    p, y, _ = sample(10, n=100)
    p[np.flatnonzero(y)[0]] = 1.0
    found = rl.update_model(y, p, rng=1)
    assert "1 risk of exactly 0 or 1 count as the nearest number inside" in str(found)
    assert np.isfinite(found.update("as it is").log_loss)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"y_score": [0.2, 0.4, 3, -1]}, "score must hold predicted risks between 0 and 1, got -1 to 3"),
        ({"repeats": 0}, "repeats must be"),
        ({"direction": "lower"}, "direction has no part in it"),
        ({"predictors": ["a"]}, "predictors must map names to columns, got list"),
        ({"predictors": {}}, "predictors must be the columns the model is made of"),
        ({"y_true": [0, 0, 0, 1]}, "y_true must hold two cases of each class or more"),
        ({"sample_weight": [0.5, 1, 1, 2]}, "sample_weight has no form in this regression"),
    ],
)  # fmt: skip
def test_bad_input_has_its_sentence(changed, sentence):
    given = {"y_true": [0, 1, 0, 1], "y_score": [0.2, 0.4, 0.5, 0.3], **changed}
    with pytest.raises(InputError) as caught:
        rl.update_model(given.pop("y_true"), given.pop("y_score"), **given)
    assert sentence in str(caught.value)


def test_the_order_of_rows_has_no_part():
    p, y, _ = sample(11, n=90)
    order = np.random.default_rng(0).permutation(90)
    assert rl.update_model(y, p, rng=1).update("intercept").brier == pytest.approx(
        rl.update_model(y[order], p[order], rng=1).update("intercept").brier, abs=1e-12
    )


def test_answers_come_back_from_json():
    p, y, _ = sample(9, n=80)
    found = rl.update_model(y, p, rng=1)
    again = rl.results.ModelUpdates.from_json(found.to_json())
    assert str(again) == str(found)
