"""Classifiers of the bench beside scikit-learn's nearest peers, fitted on 2702 x 5 and scored on as many."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from measure import best_of_each, peak_extra_memory
from roclab.benching.catalogue import make_classifier
from roclab.benching.scores import as_score
from roclab.fuzzy.cmeans import fuzzy_cmeans

N = 5404  # as many cases, features and positives as phoneme has
LIMITS = {"rbf": 2.0}  # seconds


def data() -> tuple[Any, Any]:
    from sklearn.datasets import make_classification

    return make_classification(
        N, n_features=5, n_informative=5, n_redundant=0, n_clusters_per_class=4, weights=[0.71], random_state=0
    )


def peers() -> dict[str, tuple[str, Callable[[], Any]]]:
    """What scikit-learn has for the same purpose, with its settings chosen as its users choose them."""
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
    from sklearn.linear_model import LogisticRegression, RidgeClassifier
    from sklearn.model_selection import GridSearchCV
    from sklearn.naive_bayes import CategoricalNB
    from sklearn.neighbors import KernelDensity, KNeighborsClassifier, NearestCentroid
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import KBinsDiscretizer
    from sklearn.svm import SVC
    from sklearn.tree import DecisionTreeClassifier

    class Densities:
        """Two kernel densities, the width of each from ten by 5-fold likelihood."""

        def fit(self, x: Any, y: Any) -> Any:
            widths = {"bandwidth": np.geomspace(0.05, 1, 10)}
            self.parts = [GridSearchCV(KernelDensity(), widths).fit(x[y == one]) for one in (0, 1)]
            return self

        def decision_function(self, x: Any) -> Any:
            none, some = (part.best_estimator_.score_samples(x) for part in self.parts)
            return some - none

    return {
        "logistic": ("LogisticRegression(C=inf)", lambda: LogisticRegression(C=np.inf)),
        "nearest_mean": ("NearestCentroid", NearestCentroid),
        "ldc": ("LinearDiscriminantAnalysis", LinearDiscriminantAnalysis),
        "fisher": ("RidgeClassifier(alpha=0)", lambda: RidgeClassifier(alpha=0)),
        "qdc": ("QuadraticDiscriminantAnalysis", QuadraticDiscriminantAnalysis),
        "parzen": ("KernelDensity, 10 widths x 5 folds", Densities),
        "rbf": ("SVC", SVC),
        "naive_bayes": (
            "KBinsDiscretizer + CategoricalNB",
            lambda: make_pipeline(
                KBinsDiscretizer(10, encode="ordinal", strategy="uniform"), CategoricalNB(min_categories=10)
            ),
        ),
        "knn": (
            "KNeighborsClassifier, 20 k x 5 folds",
            lambda: GridSearchCV(KNeighborsClassifier(), {"n_neighbors": range(1, 21)}),
        ),
        "tree": ("DecisionTreeClassifier", DecisionTreeClassifier),
        "mlp": ("MLPClassifier", lambda: MLPClassifier((50,), learning_rate_init=0.01)),
    }


def rows() -> list[dict[str, Any]]:
    import warnings

    from sklearn.cluster import KMeans

    warnings.simplefilter("ignore")  # a peer that did not converge
    x, y = data()
    train, test = slice(0, N, 2), slice(1, N, 2)
    table = []
    for name, (called, make) in peers().items():

        def theirs(make: Any = make) -> Any:
            model = make().fit(x[train], y[train])
            asked = getattr(model, "decision_function", None) or model.predict_proba
            return asked(x[test])

        for settings in ("published", "modern"):

            def ours(name: Any = name, settings: Any = settings, rows: Any = train) -> Any:
                return as_score(make_classifier(name, settings, random_state=0).fit(x[rows], y[rows]), x[test], 1)

            fast, slow = best_of_each([ours, theirs], seconds=0.5)
            table.append(
                {
                    "classifier": f"{name}, {settings}",
                    "seconds": fast,
                    "limit (s)": LIMITS.get(name),
                    "peer": called,
                    "peer / ours": slow / fast,
                    "extra MB at 5404 rows": peak_extra_memory(lambda ours=ours: ours(rows=slice(None))) / 1e6,
                }
            )

    def clusters() -> Any:
        return fuzzy_cmeans(x, 64, rng=0, max_iterations=50, tolerance=1e-12)

    def means() -> Any:
        return KMeans(64, n_init=1, init="random", max_iter=50, tol=0, random_state=0).fit(x)

    fast, slow = best_of_each([clusters, means], seconds=1)
    table.append(
        {
            "classifier": "fuzzy c-means, 64 clusters, 50 steps",
            "seconds": fast,
            "limit (s)": None,
            "peer": "KMeans (crisp)",
            "peer / ours": slow / fast,
            "extra MB at 5404 rows": peak_extra_memory(clusters) / 1e6,
        }
    )
    return table
