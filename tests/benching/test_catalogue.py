"""The named classifiers: both settings of each, and what the published tables say of them."""

from __future__ import annotations

import csv
from importlib.resources import files

import numpy as np
import pytest
from sklearn.base import clone, is_classifier
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.utils.estimator_checks import check_estimator

from roclab.areas.empirical import auc
from roclab.areas.tauc import tauc
from roclab.benching.catalogue import CATALOGUE, make_classifier, title_of, what_differs
from roclab.benching.scores import as_score
from roclab.curves.roc import roc_curve
from roclab.data.tally import Tally
from roclab.errors import InputError
from roclab.names import BENCH_CLASSIFIERS, BENCH_SETTINGS

SCIKIT_LEARNS = ("random_forest", "gradient_boosting")  # its own classes, which it checks itself
TABLE_OF = {"phoneme": "3.3", "pima": "3.4"}
IN_TABLES = [
    name for name in BENCH_CLASSIFIERS if name not in ("tree", "mlp", "random_forest", "gradient_boosting", "svm")
]
SPLITS = {"phoneme": 6, "pima": 20}

# A pipeline keeps its fitted steps in its parameters, and leaves of at least ten cases count cases, not weights: both
# are scikit-learn's own classes.
BY_DESIGN = {
    "check_estimators_overwrite_params": "a pipeline fits its steps in place",
    "check_dont_overwrite_parameters": "a pipeline fits its steps in place",
    "check_sample_weight_equivalence_on_dense_data": "min_samples_leaf counts cases",
    "check_sample_weight_equivalence_on_sparse_data": "min_samples_leaf counts cases",
}


@pytest.mark.filterwarnings("ignore::roclab.errors.RoclabWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.EstimatorCheckFailedWarning")
@pytest.mark.parametrize("name", [name for name in BENCH_CLASSIFIERS if name not in SCIKIT_LEARNS])
@pytest.mark.parametrize("settings", BENCH_SETTINGS)
def test_check_estimator_is_green(name, settings):
    model = make_classifier(name, settings, random_state=0)
    results = check_estimator(model, on_skip=None, expected_failed_checks=BY_DESIGN)
    assert len(results) > 40
    assert all(result["status"] in ("passed", "skipped", "xfail") for result in results)


def test_names_titles_and_sentences():
    assert tuple(CATALOGUE) == BENCH_CLASSIFIERS
    assert len({title_of(name) for name in BENCH_CLASSIFIERS}) == len(BENCH_CLASSIFIERS)
    for name in BENCH_CLASSIFIERS:
        said = what_differs(name)
        assert said.startswith("Modern")
        assert said.endswith(".")
        assert is_classifier(make_classifier(name))
        same = repr(make_classifier(name)) == repr(make_classifier(name, "published"))
        assert same == ("are the same" in said)


def test_every_making_is_a_new_unfitted_estimator():
    one, other = make_classifier("mlp", random_state=3), make_classifier("mlp", random_state=3)
    assert one is not other
    assert clone(one).get_params()["perceptron__random_state"] == 3


def test_unknown_names_are_refused():
    with pytest.raises(InputError, match="name must be one of .*did you mean 'parzen'"):
        make_classifier("parzn")
    with pytest.raises(InputError, match="settings must be one of 'modern', 'published'"):
        make_classifier("knn", "default")
    for question in (title_of, what_differs):
        with pytest.raises(InputError, match="name must be one of"):
            question("svmm")


# -- tables 3.3 to 3.5 -----------------------------------------------------------------------------


def printed(name, quantity, table):
    rows = files("roclab.studies.published").joinpath("classifier_bench.csv").read_text(encoding="utf-8").splitlines()
    (value,) = [
        float(row["value"])
        for row in csv.DictReader(rows)
        if (row["table"], row["classifier"], row["quantity"]) == (table, title_of(name), quantity)
    ]
    return value


@pytest.fixture(scope="module", params=["phoneme", "pima"])
def half_splits(request, outside_table):
    """AUC and tAUC of every classifier of the tables in the same half splits: name to (splits, 2)."""
    columns = outside_table(f"{request.param}.csv")
    y = columns.pop("class").astype(int)
    x = np.column_stack(list(columns.values())).astype(float)
    found = {name: [] for name in IN_TABLES}
    splits = StratifiedShuffleSplit(SPLITS[request.param], test_size=0.5, random_state=7)
    for train, test in splits.split(x, y):
        for name in IN_TABLES:
            model = make_classifier(name, "published").fit(x[train], y[train])
            tally = Tally.from_labels(y[test] == 1, as_score(model, x[test], 1))
            found[name].append((auc(tally), tauc(roc_curve(tally))))
    return request.param, {name: np.array(values) for name, values in found.items()}


def test_published_settings_give_the_printed_areas_published(half_splits):
    data, found = half_splits
    away = {}
    for name, values in found.items():
        mean, sd = values.mean(axis=0), values.std(axis=0, ddof=1)
        wanted = printed(name, "auc_wilcoxon", TABLE_OF[data]), printed(name, f"tauc_{data}", "3.5")
        away[name] = np.abs(np.array(wanted) - mean) / sd
    assert {name: z for name, z in away.items() if z.max() > 2.5} == {}


def test_the_order_of_the_tables_holds_published(half_splits):
    data, found = half_splits
    ranked = sorted(found, key=lambda name: found[name][:, 0].mean())
    if data == "phoneme":
        assert ranked[-1] == "knn"
    else:
        assert set(ranked[:2]) == {"rbf", "nearest_mean"}
    np.testing.assert_allclose(found["ldc"], found["fisher"], rtol=1e-9)  # one direction, one curve


def test_two_claims_change_under_modern_settings(outside_table):
    """A sound network is not last on pima, and nearest mean neither."""
    columns = outside_table("pima.csv")
    y = columns.pop("class").astype(int)
    x = np.column_stack(list(columns.values())).astype(float)
    areas = {name: [] for name in ("rbf", "nearest_mean", "parzen")}
    for train, test in StratifiedShuffleSplit(5, test_size=0.5, random_state=7).split(x, y):
        for name, kept in areas.items():
            score = as_score(make_classifier(name).fit(x[train], y[train]), x[test], 1)
            kept.append(auc(Tally.from_labels(y[test] == 1, score)))
    assert min(np.mean(areas["rbf"]), np.mean(areas["nearest_mean"])) > 0.75
