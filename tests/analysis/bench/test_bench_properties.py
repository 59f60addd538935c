"""What must not matter, what must be told, and what must be refused."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import roclab as rl
from roclab.analysis.bench.ask import bench
from roclab.benching.catalogue import make_classifier
from roclab.errors import FileError, InputError, RoclabWarning


def test_the_number_of_threads_changes_no_digit(numbers):
    y, x = numbers
    models = ["logistic", "tree", "mlp"]
    one = bench(y, x, models=models, folds=4, rng=5, workers=1)
    two = bench(y, x, models=models, folds=4, rng=5, workers=3)
    for name in models:
        assert one.scores.scores[name].tolist() == two.scores.scores[name].tolist()


def test_the_company_of_other_models_changes_no_digit(numbers):
    y, x = numbers
    alone = bench(y, x, models=["mlp"], folds=3, rng=5)
    together = bench(y, x, models=["tree", "mlp", "logistic"], folds=3, rng=5)
    assert alone.scores.scores["mlp"].tolist() == together.scores.scores["mlp"].tolist()


def test_the_order_of_rows_changes_nothing_where_folds_are_given(numbers):
    y, x = numbers
    folds = np.arange(y.size) % 4
    order = np.random.default_rng(1).permutation(y.size)
    first = bench(y, x, models=["ldc"], folds=folds)
    second = bench(y[order], x[order], models=["ldc"], folds=folds[order])
    assert second.table()["ldc"].auc == pytest.approx(first.table()["ldc"].auc, abs=1e-12)
    assert "given folds" in first.design.words


def test_a_stopped_run_goes_on_and_other_data_are_refused(numbers, tmp_path):
    y, x = numbers
    place = tmp_path / "bench.json"

    class StopError(Exception):
        pass

    def stop(done, total):
        if done == 3:
            raise StopError

    asked = {"models": ["logistic", "tree"], "folds": 4, "rng": 2, "resume": place}
    with pytest.raises(StopError):
        bench(y, x, progress=stop, workers=1, **asked)
    kept = json.loads(place.read_text())["chunks"]
    assert 3 <= len(kept) < 12
    counted = []
    found = bench(y, x, progress=lambda done, total: counted.append(done), workers=1, **asked)
    assert found.run.resumed == len(kept)
    assert counted[0] == len(kept) + 1
    assert (
        found.scores.scores["tree"].tolist()
        == bench(y, x, models=["logistic", "tree"], folds=4, rng=2).scores.scores["tree"].tolist()
    )
    other = x.copy()
    other[0, 0] += 1e-9
    with pytest.raises(FileError, match="same bench"):
        bench(y, other, **asked)
    with pytest.raises(FileError, match="same bench"):
        bench(y, x, **{**asked, "models": ["logistic", {"tree": DecisionTreeClassifier(max_depth=2)}["tree"]]})


class Moody(ClassifierMixin, BaseEstimator):
    """Fails on one of its training sets."""

    calls = 0

    def fit(self, x, y):
        type(self).calls += 1
        if type(self).calls == 2:
            raise RuntimeError("not today")
        self.classes_ = np.unique(y)
        return self

    def predict(self, x):
        return self.classes_[np.asarray(x[:, 0] > 0.5, dtype=int)]

    def decision_function(self, x):
        return x[:, 0]


def test_a_model_that_fails_in_one_fold_is_told_and_the_rest_goes_on(numbers):
    y, x = numbers
    Moody.calls = 0
    found = bench(y, x, models={"moody": Moody(), "nb": GaussianNB()}, folds=4, rng=1, workers=1)
    assert found.complete == ("nb",)
    assert list(found.failures) == ["moody"]
    assert "moody failed in 1 of 4 splits" in str(found)
    assert "not today" in str(found)
    assert found.table()["moody"].means["AUC"].splits == 3
    with pytest.raises(InputError, match="failed in"):
        found.matrix("moody")


def test_an_object_with_nothing_but_probabilities_joins(numbers):
    y, x = numbers

    class Plain:
        def fit(self, x, y):
            return self

        def predict_proba(self, x):
            p = 1 / (1 + np.exp(-x[:, 0]))
            return np.column_stack([1 - p, p])

        def predict(self, x):
            return (x[:, 0] > 0).astype(int)

    found = bench(y, x, models={"plain": Plain()}, folds=3, rng=1)
    assert found.table()["plain"].auc == pytest.approx(rl.auc(y, x[:, 0]).area)


def test_detectors_see_their_own_features(numbers):
    y, x = numbers
    asked = [
        rl.results.Detector(name="first", classifier="ldc", features=("x1",)),
        rl.results.Detector(name="all", classifier="ldc"),
        rl.results.Detector(name="all, published", classifier="ldc", settings="published"),
    ]
    found = bench(y, x, models=asked, folds=4, rng=1)
    alone = bench(y, x[:, :1], models=["ldc"], folds=4, rng=1)
    assert found.scores.scores["first"].tolist() == alone.scores.scores["ldc"].tolist()


def test_the_matrix_adds_up_over_folds_and_opens_its_cells(numbers):
    y, x = numbers
    found = bench(y, x, models=["logistic"], folds=4, rng=1)
    whole = found.matrix("logistic")
    parts = sum(found.matrix("logistic", fold=at).counts for at in range(1, 5))
    assert whole.counts.tolist() == parts.tolist()
    assert whole.counts.sum(axis=1).tolist() == [75, 45]
    cell = whole.cases(actual="1", called="0")
    assert len(cell) == whole.counts[1, 0]
    assert all(y[row["row"] - 1] == 1 for row in cell.rows())
    wrong, right = whole.cases(correct=False), whole.cases(correct=True)
    assert (len(wrong), len(right)) == (whole.counts[0, 1] + whole.counts[1, 0], np.trace(whole.counts))
    assert len(whole.cases(actual="1")) == whole.counts[1].sum()
    assert sorted([*wrong.positions, *right.positions]) == list(range(120))
    assert whole.shares("rows")[0]["called 0"] == f"{100 * whole.counts[0, 0] / 75:.1f}%"


def test_cases_are_rows_of_the_users_own_table_with_its_index(numbers):
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    y, x = numbers
    columns = {"ill": y, "a": x[:, 0], "b": x[:, 1], "note": [f"case {at}" for at in range(y.size)]}
    frame = pandas.DataFrame(columns, index=[f"id {7 * at}" for at in range(y.size)])
    matrix = bench(frame, label="ill", score=["a", "b"], models=["logistic"], folds=4, rng=1).matrix("logistic")
    missed = matrix.cases(actual="1", called="0")
    found = missed.of(frame)
    assert found.equals(frame.iloc[missed.positions])
    assert list(found.index) == [f"id {7 * at}" for at in missed.positions]
    assert set(found["ill"]) == {1}
    assert missed.of(polars.DataFrame(columns))["note"].to_list() == list(found["note"])
    assert missed.of(columns)["note"].tolist() == list(found["note"])
    with pytest.raises(InputError, match="must be the data frame or mapping"):
        missed.of("file.csv")


def test_balanced_training_keeps_test_folds_and_uses_as_many_negatives_as_positives(numbers):
    y, x = numbers
    found = bench(y, x, models=["ldc", "tree"], balance=["none", "fcm", "random"], folds=5, rng=1)
    assert set(found.models) == {f"{m} ({b})" for m in ("ldc", "tree") for b in ("none", "fcm", "random")}
    for balance, size in (("none", 96), ("fcm", 72), ("random", 72)):
        assert {one.n_train for one in found.pieces[f"ldc ({balance})"]} == {size}
    table = found.experiments()
    pair = found.compare(["ldc (fcm)", "ldc (none)"]).pairs[0]
    assert table.detectors[0].changes["AUC"]["fcm"].difference == pytest.approx(pair.difference)
    rows = {(row["detector"], row["quantity"]): row for row in table.rows()}
    assert rows["tree", "tAUC"]["random"] == pytest.approx(found.mean("tree (random)", "tAUC").mean)


def test_comparison_by_delong_is_the_one_of_the_library(numbers):
    y, x = numbers
    found = bench(y, x, models=["logistic", "knn"], folds=5, rng=1)
    for by, estimator in (("AUC", "empirical"), ("tAUC", "tauc")):
        ours = found.compare(by=by).pairs[0]
        theirs = rl.compare(y[found.where], dict(found.scores.scores), estimator=estimator).pairs[0]
        assert (ours.difference, ours.p_value) == pytest.approx((theirs.difference, theirs.p_value))


def test_corrected_t_of_a_pair_by_its_formula(numbers):
    from scipy import stats

    y, x = numbers
    found = bench(y, x, models=["logistic", "knn"], folds=5, repeats=2, rng=1)
    d = found.split_values("logistic", "AUC") - found.split_values("knn", "AUC")
    t = d.mean() / np.sqrt((1 / 10 + 24 / 96) * d.var(ddof=1))
    pair = found.compare(method="resampled_t").pairs[0]
    assert pair.statistic == pytest.approx(t)
    assert pair.p_value == pytest.approx(2 * stats.t.sf(abs(t), 9))


def test_combinations_by_hand(numbers):
    y, x = numbers
    found = bench(y, x, models=["logistic", "naive_bayes"], folds=4, rng=1)
    more = found.combine(["mean", "product", "vote"], second_level=["logistic"])
    p = [found.joined(name, "probability")[:, 1] for name in ("logistic", "naive_bayes")]
    assert more.joined("mean of 2", "score") == pytest.approx((p[0] + p[1]) / 2)
    assert more.joined("product of 2", "score") == pytest.approx(np.sqrt(p[0] * p[1]))
    assert more.joined("vote of 2", "score") == pytest.approx(((p[0] >= 0.5) * 1.0 + (p[1] >= 0.5)) / 2)
    assert set(more.hulls()) == {"detectors", "combiners", "detectors and combiners"}
    areas = {name: table.area for name, table in more.hulls().items()}
    assert areas["detectors and combiners"] >= max(areas["detectors"], areas["combiners"])
    # The second level of a split is trained on the scores outside it.
    first = np.array(found.split_names) == "1"
    table = np.column_stack([found.joined(name, "score") for name in ("logistic", "naive_bayes")])
    fitted = make_classifier("logistic").fit(table[~first], y[found.where][~first])
    assert more.joined("logistic on 2 scores", "score")[first] == pytest.approx(fitted.decision_function(table[first]))


def test_choosing_is_paid_for_on_other_cases(numbers):
    y, x = numbers
    found = bench(y, x, models=["logistic", "tree"], folds=4, rng=1)
    chosen = found.choose(cost_fn=4)
    share = 45 / 120
    assert chosen.without_model == pytest.approx(min(share * 4, 1 - share))
    names = np.array(found.split_names)
    label = found.scores.label
    called = np.zeros(label.size, bool)
    for name in dict.fromkeys(found.split_names):
        outside = names != name
        options = []  # by cost, then the fewest false positives
        for model, score in found.scores.scores.items():
            for cut in [*np.unique(score[outside]), np.inf]:
                call = score[outside] >= cut
                fpr, tpr = np.mean(call[~label[outside]]), np.mean(call[label[outside]])
                options.append((round(share * 4 * (1 - tpr) + (1 - share) * fpr, 12), fpr, model, cut))
        _, _, model, cut = min(options)
        called[~outside] = found.scores.scores[model][~outside] >= cut
    by_hand = share * 4 * np.mean(~called[label]) + (1 - share) * np.mean(called[~label])
    assert chosen.validated == pytest.approx(by_hand)
    assert chosen.apparent <= chosen.validated + 1e-12


def test_a_fitted_hybrid_takes_new_costs_without_fitting_again(numbers):
    y, x = numbers
    found = bench(y, {f"f{at}": x[:, at] for at in range(3)}, models=["logistic", "ldc"], folds=4, rng=1)
    hybrid = found.fit_hybrid()
    table = {f"f{at}": x[:, at] for at in range(3)}
    calm = hybrid.predict(table, cost_fn=1, prevalence=0.05)
    wary = hybrid.predict(table, cost_fn=50, prevalence=0.5)
    assert calm.count("1") < wary.count("1")
    matrix = hybrid.predict(x, cost_fn=1, prevalence=0.05)
    assert matrix == calm


def test_every_figure_and_verb_takes_the_scores(numbers, tmp_path):
    y, x = numbers
    found = bench(y, x, models=["logistic", "ldc"], folds=4, repeats=2, rng=1)
    assert rl.cutoff(found.scores, score="ldc").threshold is not None
    assert len(rl.average(found.fold_scores("ldc")).names) == 8
    for kind in ("roc", "troc", "hull", "hulls", "folds", "forest", "precision_recall"):
        assert found.plot(kind).save(tmp_path / f"{kind}.svg").stat().st_size > 1000
    report = found.write_report(tmp_path / "bench.html", rng=1, band=False)
    page = (tmp_path / "bench.html").read_text()
    assert report.bench is not None
    assert "How the classifiers were trained and tested" in page
    assert "4-fold cross-validation, stratified, repeated 2 times" in page
    assert "repeated 2 times" in report.to_markdown()
    json.loads((tmp_path / "bench.json").read_text())


def test_a_copy_of_the_outcome_is_named(numbers):
    y, x = numbers
    table = {"y": y, "a": x[:, 0], "again": np.where(y == 1, "sick", "fine")}
    with pytest.warns(RoclabWarning, match="'again' is the outcome 'y' in other words"):
        bench(table, label="y", models=["naive_bayes"], folds=3)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"folds": 46}, "must be at most the number of cases of the smallest class, 45 of 1"),
        ({"folds": 1}, "folds"),
        ({"models": ["logistik"]}, "did you mean 'logistic'"),
        ({"models": [LogisticRegression]}, "objects with fit"),
        ({"models": []}, "at least one classifier"),
        ({"models": ["ldc", "ldc"]}, "different names"),
        ({"balance": "smote"}, "balance must be one of"),
        ({"sampling": "test"}, "must be given to test on"),
        ({"sampling": "splits", "test_share": 0.0}, "test_share"),
        ({"sampling": "bootstrap", "repeats": 1}, "at least 2"),
        ({"sampling": "splits", "folds": 5}, "folds are for"),
        ({"sample_weight": np.ones(120)}, "every case counts once"),
        ({"direction": "lower"}, "direction has no part"),
        ({"exclude": "nobody"}, "nobody"),
    ],
)
def test_bad_requests_are_one_sentence(numbers, change, message):
    y, x = numbers
    table = {"y": y, "a": x[:, 0], "b": x[:, 1]}
    with pytest.raises(InputError, match=message):
        bench(
            table,
            label="y",
            **{"models": ["ldc"], "folds": 3, **change} if "sampling" not in change else {"models": ["ldc"], **change},
        )


def test_more_positives_than_negatives_cannot_be_balanced_so(numbers):
    y, x = numbers
    with pytest.raises(InputError, match="balance needs at least as many negatives as positives"):
        bench(1 - y, x, models=["ldc"], balance=["none", "fcm"], folds=3)


def test_a_group_that_spans_given_folds_is_named(mixed):
    with pytest.raises(InputError, match="group '0' in folds"):
        bench(
            mixed,
            label="outcome",
            pos_label="ill",
            ids="subject",
            exclude="name",
            folds=np.arange(120) % 3,
            models=["ldc"],
        )


def test_names_of_cases_are_left_out_and_said(mixed):
    found = bench(mixed, label="outcome", pos_label="ill", ids="subject", models=["naive_bayes"], folds=3)
    assert "name" not in found.data.task.table.names
    assert "name is no feature" in str(found)


def test_constant_columns_and_singular_covariances_do_no_harm(numbers):
    y, x = numbers
    wide = np.column_stack([x, np.ones(y.size), x[:, 0]])
    models = ["logistic", "nearest_mean", "ldc", "fisher", "qdc", "parzen", "rbf", "naive_bayes", "knn", "tree", "mlp"]
    found = bench(y, wide, models=models, folds=3, rng=1)
    assert found.failures == {}
    assert all(found.table()[name].auc > 0.55 for name in models)


def test_saved_scores_answer_the_same_questions(numbers):
    y, x = numbers
    found = bench(y, x, models={"lr": LogisticRegression(), "nb": GaussianNB()}, folds=4, rng=1)
    p = {name: found.joined(name, "probability")[:, 1] for name in ("lr", "nb")}
    saved = rl.bench_of_scores(y[found.where], p, folds=np.array(found.split_names), threshold=0.5)
    for name in p:
        ours, theirs = found.table()[name], saved.table()[name]
        assert theirs.auc == pytest.approx(rl.auc(y[found.where], p[name]).area)
        for measure in ("accuracy", "F1", "MCC", "log loss", "Brier"):
            assert theirs.measures[measure] == pytest.approx(ours.measures[measure])
    assert saved.matrix("lr").counts.tolist() == found.matrix("lr").counts.tolist()
    assert saved.compare(method="resampled_t", by="accuracy").pairs[0].statistic == pytest.approx(
        found.compare(method="resampled_t", by="accuracy").pairs[0].statistic
    )
    bare = rl.bench_of_scores(y[found.where], p)
    assert "undefined" in str(bare)
    with pytest.raises(InputError, match="without a threshold"):
        bare.matrix("lr")


def test_every_group_has_a_bench_of_its_own(numbers):
    y, x = numbers
    half = np.repeat(["first", "second"], 60)
    found = bench(y, x, models=["ldc"], folds=3, rng=1, by=half)
    alone = bench(y[:60], x[:60], models=["ldc"], folds=3, rng=1)
    assert found["first"].table()["ldc"].auc == pytest.approx(alone.table()["ldc"].auc)


def test_a_hybrid_of_what_cannot_be_fitted_says_so(numbers):
    y, x = numbers
    found = bench(y, x, models=["logistic", "ldc"], folds=4, rng=1).combine(["mean"])
    with pytest.raises(InputError, match="'mean of 2', a combination; name the others"):
        found.fit_hybrid(["logistic", "mean of 2"])
    saved = rl.bench_of_scores(y, {"a": x[:, 0], "b": x[:, 1]})
    with pytest.raises(InputError, match="a saved score"):
        saved.fit_hybrid()


@pytest.mark.parametrize("name", ["logistic", "nearest_mean", "fisher", "parzen", "rbf", "naive_bayes", "knn"])
def test_calls_are_what_the_model_itself_predicts(numbers, name):
    y, x = numbers
    found = bench(y, x, models=[name], folds=3, rng=1)
    for at, split in enumerate(found.design):
        model = make_classifier(name).fit(x[split.train], y[split.train])
        assert found.pieces[name][at].called.tolist() == model.predict(x[split.test]).tolist()


def test_curves_of_several_balances_come_from_one_run(numbers):
    y, x = numbers
    asked = {"models": ["logistic", "nearest_mean"], "folds": 3, "rng": 1, "workers": 1}
    found = rl.bench(y, x, balance=["none", "random"], **asked)
    curves = found.rocs()
    assert list(curves) == list(found.models)
    alone = rl.bench(y, x, balance="random", **asked)
    for name, one in alone.rocs().items():  # the same as a run of one balance
        assert curves[f"{name} (random)"].area() == pytest.approx(one.area())
    assert list(found.rocs("logistic")) == ["logistic (none)", "logistic (random)"]
    assert list(found.rocs(["nearest_mean", "logistic (none)"], balance="none")) == ["logistic (none)",
                                                                                     "nearest_mean (none)"]  # fmt: skip
    picture = found.plot("troc", models="logistic", balance="random")
    assert [row["score"] for row in picture.rows()] == ["logistic (random)"]
    with pytest.raises(InputError, match="models must be among logistic"):
        found.rocs("svm")
    with pytest.raises(InputError, match="balance must be one of those that were run, none, random, got 'fcm'"):
        found.plot("roc", balance="fcm")
    with pytest.raises(InputError, match="models must leave one under the balances"):
        found.rocs("logistic (none)", balance="random")
    with pytest.raises(InputError, match="models has no part in the figure 'folds'"):
        found.plot("folds", models="logistic")


@pytest.mark.parametrize("design", [{}, {"sampling": "splits", "repeats": 4}, {"sampling": "bootstrap", "repeats": 4}])
def test_the_majority_has_an_area_by_definition_and_no_interval(numbers, design):
    """Every case has the same score: 0.5 with an interval of no length would claim to be known from the data."""
    table = rl.bench(*numbers, models=["nearest_mean"], rng=1, **design).table()
    (row,) = [one for one in table.models if one.baseline]
    assert row.auc == 0.5
    assert row.interval.low.reason == "majority gives every case the same score, so its area is 0.5 by definition"
    assert row.means["AUC"].interval.low.reason == "every split has the same value, so their spread says nothing"
