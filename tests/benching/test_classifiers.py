"""The classifiers of the bench against slow definitions, peers, and what must hold of each."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression as TheirLogistic
from sklearn.naive_bayes import CategoricalNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import KBinsDiscretizer
from sklearn.utils.estimator_checks import check_estimator

from roclab.benching.classifiers.binned_bayes import BinnedBayes
from roclab.benching.classifiers.fisher import Fisher
from roclab.benching.classifiers.logistic import LogisticRegression
from roclab.benching.classifiers.nearest_mean import NearestMean
from roclab.benching.classifiers.nearest_neighbours import NearestNeighbours
from roclab.benching.classifiers.normal_based import LinearNormal, QuadraticNormal
from roclab.benching.classifiers.one_feature import OneFeature
from roclab.benching.classifiers.parzen import Parzen
from roclab.benching.classifiers.perceptron import Perceptron
from roclab.benching.classifiers.rbf_network import RbfNetwork, select_forward
from roclab.benching.combiners import SecondLevel
from roclab.errors import InputError, OneClassError, RoclabWarning
from tests.benching import twins

OURS = [
    LogisticRegression(),
    NearestMean(),
    Fisher(),
    BinnedBayes(),
    BinnedBayes(edges="count"),
    Parzen(),
    Parzen(choice="posterior"),
    NearestNeighbours(),
    NearestNeighbours(scores="votes"),
    RbfNetwork(20, width=1.0),
    RbfNetwork(width=(0.5, 2.0), stop_early=True),
]
INHERITED = [RbfNetwork(), LinearNormal(), QuadraticNormal(), Perceptron(max_iter=100), SecondLevel()]


def name_of(model):
    return repr(model)


@pytest.fixture(scope="module")
def data():
    """Two overlapping classes, 50 to 30, and cases to score."""
    rng = np.random.default_rng(8)
    y = np.repeat([0, 1], [50, 30])
    x = rng.normal(size=(80, 3)) + 0.9 * y[:, None]
    return x, y, rng.normal(size=(25, 3)) * 1.5


@pytest.fixture(scope="module")
def three():
    rng = np.random.default_rng(9)
    y = np.repeat(["a", "b", "c"], [40, 30, 20])
    x = rng.normal(size=(90, 3)) + 1.5 * np.repeat([[0, 0, 0], [1, 0, 1], [0, 2, 0]], [40, 30, 20], axis=0)
    return x, y


@pytest.mark.filterwarnings("ignore::roclab.errors.RoclabWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("model", OURS + INHERITED, ids=name_of)
def test_check_estimator_is_green(model):
    results = check_estimator(model, on_skip=None)
    assert len(results) > 40
    assert all(result["status"] in ("passed", "skipped") for result in results)


# -- definitions -----------------------------------------------------------------------------------


def test_nearest_mean_definition(data):
    x, y, new = data
    np.testing.assert_allclose(
        NearestMean().fit(x, y).decision_function(new), twins.nearest_mean(x, y, new), atol=1e-12
    )


def test_fisher_definition(data):
    x, y, new = data
    np.testing.assert_allclose(Fisher().fit(x, y).decision_function(new), twins.fisher(x, y, new), atol=1e-12)


def test_fisher_and_ldc_rank_alike_property(data):
    x, y, new = data
    ours, theirs = (model.fit(x, y).decision_function(new) for model in (Fisher(), LinearDiscriminantAnalysis()))
    np.testing.assert_array_equal(np.argsort(ours), np.argsort(theirs))


def test_binned_bayes_definition(data):
    x, y, new = data
    np.testing.assert_allclose(
        BinnedBayes().fit(x, y).decision_function(new), twins.binned_bayes(x, y, new), atol=1e-12
    )


def test_binned_bayes_equals_scikit_learns_bins_and_categories_oracle(data):
    x, y, new = data
    bins = KBinsDiscretizer(10, encode="ordinal", strategy="uniform").fit(x)
    theirs = CategoricalNB(alpha=1, min_categories=10).fit(bins.transform(x), y)
    expected = theirs.predict_log_proba(bins.transform(new))
    np.testing.assert_allclose(BinnedBayes().fit(x, y).predict_log_proba(new), expected, atol=1e-12)


def test_binned_bayes_of_equal_counts(data):
    x, y, _ = data
    model = BinnedBayes(4, edges="count").fit(x, y)
    for column, inner in zip(x.T, model.edges_, strict=True):
        np.testing.assert_array_equal(np.bincount(np.searchsorted(inner, column, side="right")), [20] * 4)
    # many cases at the lowest value are a bin of their own
    lumped = np.column_stack([np.r_[np.zeros(70), np.arange(1.0, 11)]])
    (inner,) = BinnedBayes(4, edges="count").fit(lumped, y).edges_
    np.testing.assert_array_equal(inner, [1.0])


def test_parzen_definition(data):
    x, y, new = data
    for width in (0.05, 0.7, 5.0):
        model = Parzen(width).fit(x, y)
        np.testing.assert_allclose(model.decision_function(new), twins.parzen(x, y, new, [width] * 2), rtol=1e-9)
    model = Parzen().fit(x, y)
    assert model.widths_[0] != model.widths_[1]
    np.testing.assert_allclose(model.decision_function(new), twins.parzen(x, y, new, model.widths_), rtol=1e-9)


def test_parzen_criteria_definition(data):
    x, y, _ = data
    x = x.copy()
    x[3] = x[5]  # copies
    likelihood, posterior = Parzen().fit(x, y), Parzen(choice="posterior").fit(x, y)
    for at in (0, 5, 11, 18):
        h = likelihood.tried_[at]
        for own in (0, 1):
            constant = 1.5 * np.log(2 * np.pi)  # of three features
            expected = twins.left_out_likelihood(x[y == own], h) + constant
            assert likelihood.criterion_[at, own] == pytest.approx(expected, rel=1e-9)
        assert posterior.criterion_[at, 0] == pytest.approx(twins.left_out_posterior(x, y, h), rel=1e-9)


def test_parzen_takes_the_best_width_definition(data):
    x, y, _ = data
    model = Parzen(choice="posterior").fit(x, y)
    best = model.widths_[0]
    found = twins.left_out_posterior(x, y, best)
    for factor in (0.5, 0.8, 1.25, 2.0):
        assert found > twins.left_out_posterior(x, y, best * factor)
    assert model.tried_[0] == pytest.approx(x.std(axis=0).max())


def test_nearest_neighbours_errors_definition(data):
    x, y, _ = data
    votes = NearestNeighbours(scores="votes").fit(x, y)
    np.testing.assert_allclose(votes.errors_, twins.vote_errors(x, y, 79), atol=1e-12)
    assert votes.neighbours_ == np.argmin(votes.errors_) + 1
    distances = NearestNeighbours().fit(x, y)
    np.testing.assert_allclose(distances.errors_, twins.distance_errors(x, y, 50), atol=1e-12)
    few = NearestNeighbours(scores="votes", most=7).fit(x, y)  # by a partition of the nearest seven
    np.testing.assert_allclose(few.errors_, votes.errors_[:7], atol=1e-12)


def test_nearest_neighbours_scores_definition(data):
    x, y, new = data
    for k in (1, 4, 30, 50):
        reach = []
        for one in (0, 1):
            away = np.sort([[np.sqrt(twins.squared(row, case)) for case in x[y == one]] for row in new], axis=1)
            reach.append(away[:, min(k, away.shape[1]) - 1])
        found = NearestNeighbours(k).fit(x, y).decision_function(new)
        np.testing.assert_allclose(found, np.log(reach[0] / reach[1]), rtol=1e-9, atol=1e-12)


def test_votes_equal_scikit_learns_oracle(data, three):
    x, y, new = data
    for k in (3, 9, 79):
        theirs = KNeighborsClassifier(k).fit(x, y).predict_proba(new)
        ours = NearestNeighbours(k, scores="votes").fit(x, y).decision_function(new)
        np.testing.assert_allclose(ours, theirs[:, 1] - theirs[:, 0], atol=1e-12)
    x, y = three
    theirs = KNeighborsClassifier(6).fit(x, y).predict_proba(new)
    np.testing.assert_allclose(NearestNeighbours(6, scores="votes").fit(x, y).decision_function(new), theirs)


def test_one_and_two_votes_are_distances_to_the_nearest(data):
    x, y, new = data
    nearest = NearestNeighbours(1).fit(x, y).decision_function(new)
    for k in (1, 2):
        np.testing.assert_array_equal(NearestNeighbours(k, scores="votes").fit(x, y).decision_function(new), nearest)


def test_trees_and_plain_distances_agree(data):
    """Beyond twelve features no tree is used; features of zeros change no distance."""
    rng = np.random.default_rng(4)
    x, new = rng.normal(size=(600, 3)), rng.normal(size=(40, 3))
    y = (x[:, 0] + rng.normal(size=600) > 0).astype(int)
    wide, wide_new = (np.hstack([one, np.zeros((len(one), 12))]) for one in (x, new))
    tree, plain = NearestNeighbours(most=20).fit(x, y), NearestNeighbours(most=20).fit(wide, y)
    np.testing.assert_array_equal(tree.errors_, plain.errors_)
    np.testing.assert_allclose(tree.decision_function(new), plain.decision_function(wide_new), rtol=1e-12)


def test_forward_selection_definition(data):
    x, y, _ = data
    table = np.exp2(-np.array([[twins.squared(row, case) for case in x] for row in x]))
    target = np.where(y[:, None] == [0, 1], 0.9, 0.1)
    found = select_forward(table, target, 12)
    np.testing.assert_array_equal(found.chosen, twins.forward_selection(table, target, 12))
    design = np.column_stack([np.ones(80), table[:, found.chosen]])
    solution = np.linalg.lstsq(design, target, rcond=None)[0]
    np.testing.assert_allclose(np.vstack([found.constant, found.weights]), solution, rtol=1e-6, atol=1e-9)
    # leave-one-out error with these units: each case predicted by a fit to the others
    wrong = []
    for at in range(80):
        kept = np.arange(80) != at
        beta = np.linalg.lstsq(design[kept], target[kept], rcond=None)[0]
        wrong.append(np.sum((target[at] - design[at] @ beta) ** 2))
    assert found.leave_one_out == pytest.approx(np.mean(wrong), rel=1e-6)
    assert found.path[-1] == found.leave_one_out


def test_rbf_network_definition(data):
    x, y, new = data
    model = RbfNetwork(10, width=1.5).fit(x, y)
    away = np.array([[twins.squared(row, centre) for centre in model.centres_] for row in new])
    out = 0.5 ** (away / 1.5**2) @ model.weights_ + model.constant_
    np.testing.assert_allclose(model.decision_function(new), out[:, 1] - out[:, 0], rtol=1e-9, atol=1e-12)
    assert 0.5 ** (1.5**2 / 1.5**2) == 0.5  # half its height at the distance of the width


def test_rbf_network_chooses_width_and_units_by_left_out_cases(data):
    x, y, _ = data
    several = RbfNetwork(40, width=(0.3, 2.0, 6.0), stop_early=True).fit(x, y)
    target = np.where(y[:, None] == [0, 1], 0.9, 0.1)
    away = np.array([[twins.squared(row, case) for case in x] for row in x])
    errors = {r: select_forward(np.exp2(-away / r**2), target, 40).path.min() for r in (0.3, 2.0, 6.0)}
    assert several.width_ == min(errors, key=errors.get)
    assert len(several.centres_) < 40


def test_a_unit_for_every_case_is_no_triumph(data):
    """Fitted by itself alone, a case says nothing about the error on others."""
    _, y, _ = data
    found = select_forward(np.eye(80), np.where(y[:, None] == [0, 1], 0.9, 0.1), 79, stop_early=True)
    assert found.chosen.size == 0
    assert np.isinf(found.path[1:]).all()


def test_logistic_is_maximum_likelihood_oracle(data):
    x, y, new = data
    theirs = TheirLogistic(C=np.inf, tol=1e-10, max_iter=1000).fit(x, y)
    ours = LogisticRegression().fit(x, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-4)
    np.testing.assert_allclose(ours.decision_function(new), theirs.decision_function(new), atol=1e-4)
    np.testing.assert_allclose(ours.intercept_ + new @ ours.coef_[0], ours.decision_function(new))
    np.testing.assert_allclose(np.exp(ours.predict_log_proba(new)), ours.predict_proba(new))


def test_logistic_of_separated_classes_is_firths(data):
    x, y, new = data
    separated = np.column_stack([x, y])
    with pytest.warns(RoclabWarning, match=r"separate the classes \(complete separation\).*Firth's penalised"):
        model = LogisticRegression().fit(separated, y)
    assert model.fits_[0].penalty == "firth"
    again = LogisticRegression("firth").fit(separated, y)
    rows = np.column_stack([new, np.zeros(len(new))])
    np.testing.assert_allclose(model.decision_function(rows), again.decision_function(rows))


def test_perceptron_scores_are_the_log_odds_oracle(data, three):
    x, y, new = data
    for activation in ("relu", "tanh", "logistic", "identity"):
        model = Perceptron((8, 4), activation=activation, solver="lbfgs", max_iter=2000, random_state=0, alpha=1)
        p = model.fit(x, y).predict_proba(new)[:, 1]
        np.testing.assert_allclose(model.decision_function(new), np.log(p / (1 - p)), rtol=1e-6, atol=1e-9)
    x, y = three
    model = clone(model).fit(x, y)
    out = np.exp(model.decision_function(new))
    np.testing.assert_allclose(out / out.sum(axis=1, keepdims=True), model.predict_proba(new), rtol=1e-6)


# -- properties ------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", OURS, ids=name_of)
def test_order_of_rows_and_features_does_not_matter_property(model, data):
    x, y, new = data
    scores = clone(model).fit(x, y).decision_function(new)
    rows, columns = np.random.default_rng(0).permutation(80), [2, 0, 1]
    np.testing.assert_allclose(clone(model).fit(x[rows], y[rows]).decision_function(new), scores, rtol=1e-5, atol=1e-7)
    turned = clone(model).fit(x[:, columns], y).decision_function(new[:, columns])
    np.testing.assert_allclose(turned, scores, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("model", OURS, ids=name_of)
def test_swapped_classes_swap_the_sign_property(model, data):
    x, y, new = data
    scores = clone(model).fit(x, y).decision_function(new)
    np.testing.assert_allclose(clone(model).fit(x, 1 - y).decision_function(new), -scores, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize(
    "model", [LogisticRegression(), Fisher(), BinnedBayes(), BinnedBayes(edges="count")], ids=name_of
)
def test_units_of_the_features_do_not_matter_property(model, data):
    x, y, new = data
    units, shift = np.array([1024.0, 2.0**-10, 8.0]), np.array([0.0, 5.0, -3.0])
    scores = clone(model).fit(x, y).decision_function(new)
    other = clone(model).fit(x * units + shift, y).decision_function(new * units + shift)
    np.testing.assert_allclose(other, scores, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize(
    "model", [NearestMean(), Parzen(), Parzen(choice="posterior"), NearestNeighbours()], ids=name_of
)
def test_one_common_unit_does_not_matter_property(model, data):
    x, y, new = data
    scores = clone(model).fit(x, y).decision_function(new)
    other = clone(model).fit(4 * x, y).decision_function(4 * new)
    factor = 16 if isinstance(model, NearestMean) else 1
    np.testing.assert_allclose(other, factor * scores, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("model", OURS, ids=name_of)
def test_three_classes_have_a_column_each(model, three):
    x, y = three
    fitted = clone(model).fit(x, y)
    scores = fitted.decision_function(x)
    assert scores.shape == (90, 3)
    np.testing.assert_array_equal(fitted.classes_[scores.argmax(axis=1)], fitted.predict(x))
    assert np.mean(fitted.predict(x) == y) > 0.7
    if hasattr(fitted, "predict_proba"):
        np.testing.assert_allclose(fitted.predict_proba(x).sum(axis=1), 1)
        np.testing.assert_allclose(np.exp(fitted.predict_log_proba(x)), fitted.predict_proba(x), atol=1e-12)


def test_scores_do_not_saturate_far_from_the_data(data):
    x, y, _ = data
    ray = np.linspace(5, 500, 100)[:, None] * np.array([[1.0, 1.0, 1.0]])
    for model in (Parzen(0.1), LogisticRegression(), NearestMean(), Fisher(), LinearNormal(), QuadraticNormal()):
        scores = model.fit(x, y).decision_function(ray)
        assert np.unique(scores).size == 100, model
        assert np.isfinite(scores).all()


# -- hard data -------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::roclab.errors.RoclabWarning")
@pytest.mark.parametrize("model", OURS, ids=name_of)
@pytest.mark.parametrize("kind", ["constant", "dependent", "copies", "all equal", "one case", "wide", "large numbers"])
def test_hard_data_give_finite_scores(model, kind, data):
    x, y, _ = data
    x = x.copy()
    if kind == "constant":
        x[:, 1] = 0.1
    elif kind == "dependent":
        x[:, 1] = 3 * x[:, 0] + x[:, 2]
    elif kind == "copies":
        x = (x > 0.5).astype(float)
    elif kind == "all equal":
        x[:] = 0.3
    elif kind == "one case":
        x, y = x[:51], y[:51]
    elif kind == "wide":
        x = np.random.default_rng(0).normal(size=(80, 90))
    else:
        x = x * [1e9, 1.0, 1e-9]
    fitted = clone(model).fit(x, y)
    assert np.isfinite(fitted.decision_function(x)).all()


@pytest.mark.parametrize("model", OURS, ids=name_of)
def test_one_class_is_refused(model):
    with pytest.raises(OneClassError, match="y must hold at least two classes, got one class only"):
        clone(model).fit([[0.0], [1.0]], [1, 1])


def test_cases_that_coincide_have_finite_scores_in_order():
    x, y = np.array([[0.0], [0.0], [4.0], [9.0]]), [1, 0, 0, 1]
    scores = NearestNeighbours(1).fit(x, y).decision_function([[0.0], [4.0], [9.0], [6.0]])
    assert scores[0] == 0
    assert scores[1] < -20
    assert scores[2] > 20
    assert scores[3] == pytest.approx(np.log(2 / 3))


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (NearestNeighbours(81), "neighbours must be a whole number from 1 to 80, the number of training cases, got 81"),
        (NearestNeighbours(0), "neighbours must be a whole number from 1 to 80"),
        (NearestNeighbours(scores="ranks"), "scores must be one of 'distances', 'votes'"),
        (NearestNeighbours(most=0), "most must be a whole number of at least 1"),
        (Parzen(0), "width must be a finite number above 0, got 0"),
        (Parzen(choice="error"), "choice must be one of 'likelihood', 'posterior'"),
        (BinnedBayes(1), "bins must be a whole number of at least 2"),
        (BinnedBayes(edges="even"), "edges must be one of 'width', 'count'"),
        (RbfNetwork(0), "units must be a whole number of at least 1"),
        (RbfNetwork(width=()), "width must be a number or several"),
        (RbfNetwork(width=-1.0), "width must be a finite number above 0"),
        (RbfNetwork(candidates=0), "candidates must be a whole number of at least 1"),
        (LogisticRegression("ridge"), "penalty must be one of 'none', 'firth'"),
    ],
    ids=str,
)
def test_settings_that_cannot_be_are_refused(model, message, data):
    x, y, _ = data
    with pytest.raises(InputError, match=message):
        model.fit(x, y)


def test_singular_covariances_are_said_in_one_sentence(data):
    x, y, _ = data
    flat = np.column_stack([x, np.full(80, 2.0)])
    with pytest.raises(InputError, match="X must have a regular covariance within every class, got a constant or dep"):
        QuadraticNormal().fit(flat, y)
    assert np.isfinite(QuadraticNormal(solver="eigen", shrinkage="auto").fit(flat, y).decision_function(flat)).all()
    with pytest.raises(InputError, match="X must vary within classes in one column at least"):
        LinearNormal().fit(np.ones((80, 2)), y)


def test_one_class_has_no_normal_classifier():
    with pytest.raises(OneClassError, match="y must hold at least two classes, got one class only"):
        LinearNormal().fit([[0.0], [1.0]], [1, 1])


def test_candidates_of_the_network_are_bounded(data):
    x, y, _ = data
    model = RbfNetwork(30, width=1.0, candidates=8).fit(x, y)
    assert len(model.centres_) <= 8
    assert all(np.any(np.all(x == centre, axis=1)) for centre in model.centres_)


def test_one_feature_is_its_own_score():
    x = np.array([[1.0, 9.0], [2.0, 8.0], [6.0, 7.0], [9.0, 1.0]])
    model = OneFeature().fit(x, ["a", "a", "b", "b"])
    assert model.decision_function(x).tolist() == [1, 2, 6, 9]
    assert model.cut_ == (1.5 + 7.5) / 2
    assert model.predict([[4.4, 0], [4.6, 0]]).tolist() == ["a", "b"]
