"""The classifiers of the bench by name, each in modern and in published settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from roclab._core.checks import check_choice
from roclab.errors import MissingExtraError
from roclab.names import BENCH_CLASSIFIERS, BENCH_SETTINGS, BenchClassifier, BenchSettings

try:
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier
except ImportError as error:
    raise MissingExtraError(library="scikit-learn", extra="sklearn", purpose="the bench of classifiers") from error

from roclab.benching.classifiers.binned_bayes import BinnedBayes
from roclab.benching.classifiers.boosted_trees import BoostedTrees
from roclab.benching.classifiers.fisher import Fisher
from roclab.benching.classifiers.logistic import LogisticRegression
from roclab.benching.classifiers.nearest_mean import NearestMean
from roclab.benching.classifiers.nearest_neighbours import NearestNeighbours
from roclab.benching.classifiers.normal_based import LinearNormal, QuadraticNormal
from roclab.benching.classifiers.parzen import Parzen
from roclab.benching.classifiers.perceptron import Perceptron
from roclab.benching.classifiers.rbf_network import RbfNetwork
from roclab.benching.classifiers.support_vectors import SupportVectors

__all__ = ["CATALOGUE", "Entry", "make_classifier", "title_of", "what_differs"]

Maker = Callable[[Any], Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A named classifier: how tables call it, how it is made, and how its two settings differ."""

    title: str
    modern: Maker  # takes the random state
    published: Maker
    differs: str


def _scaled(classifier: Any) -> Any:
    return make_pipeline(StandardScaler(), classifier)


def _perceptron(seed: Any) -> Any:
    # Weight decay and a training that ends when the loss no longer falls, so that small folds are not learnt by heart.
    return _scaled(
        Perceptron(
            (50,), alpha=0.5, learning_rate_init=0.01, tol=1e-3, n_iter_no_change=5, max_iter=500, random_state=seed
        )
    )


def _forest(seed: Any) -> Any:
    # Leaves of five cases, so that shares of trees are smooth; one thread, because the bench has its own.
    return RandomForestClassifier(n_estimators=200, min_samples_leaf=5, random_state=seed, n_jobs=1)


def _boosting(seed: Any) -> Any:
    # Small trees and small steps, so that few hundred cases are not learnt by heart.
    return BoostedTrees(learning_rate=0.05, max_iter=150, max_leaf_nodes=8, random_state=seed)


_IN_NO_TABLE = "Modern and published are the same, because no table was made with it."

CATALOGUE: dict[BenchClassifier, Entry] = {
    "logistic": Entry(
        title="Logistic",
        modern=lambda _: _scaled(LogisticRegression()),
        published=lambda _: _scaled(LogisticRegression()),
        differs="Modern and published are the same: maximum likelihood on scaled features, without a penalty.",
    ),
    "nearest_mean": Entry(
        title="Nearest Mean",
        modern=lambda _: _scaled(NearestMean()),
        published=lambda _: NearestMean(),
        differs="Modern scales the features; published measures distances in raw units, where the feature in the "
        "largest numbers decides.",
    ),
    "ldc": Entry(
        title="LDC",
        modern=lambda _: _scaled(LinearNormal(solver="eigen", shrinkage="auto")),
        published=lambda _: LinearNormal(),
        differs="Modern shrinks the pooled covariance as Ledoit and Wolf do; published takes it as it is.",
    ),
    "fisher": Entry(
        title="Fisher",
        modern=lambda _: Fisher(),
        published=lambda _: Fisher(),
        differs="Modern and published are the same: least squares does not depend on the scale of the features.",
    ),
    "qdc": Entry(
        title="QDC",
        modern=lambda _: _scaled(QuadraticNormal(solver="eigen", shrinkage="auto")),
        # scaled only because scikit-learn tells singular covariances by an absolute tolerance
        published=lambda _: _scaled(QuadraticNormal()),
        differs="Modern shrinks the covariance of each class as Ledoit and Wolf do, so that it is never singular; "
        "published takes it as it is.",
    ),
    "parzen": Entry(
        title="Parzen",
        modern=lambda _: _scaled(Parzen(choice="likelihood")),
        published=lambda _: Parzen(choice="posterior"),
        differs="Modern scales the features and chooses a width for each class by the likelihood of left-out cases; "
        "published has one width in raw units, chosen by their posterior.",
    ),
    "rbf": Entry(
        title="RBF",
        modern=lambda _: _scaled(RbfNetwork(width=(0.5, 1.0, 2.0, 4.0), stop_early=True, candidates=1000)),
        published=lambda _: _scaled(RbfNetwork(units=100, width=0.5)),
        differs="Modern chooses width and number of the units by leave-one-out error; published takes up to 100 units "
        "of half height at distance 0.5.",
    ),
    "naive_bayes": Entry(
        title="Naive Bayes",
        modern=lambda _: BinnedBayes(edges="count"),
        published=lambda _: BinnedBayes(edges="width"),
        differs="Modern cuts each feature into bins of equal counts, which outliers do not empty; published into ten "
        "of equal width.",
    ),
    "knn": Entry(
        title="K-NN",
        modern=lambda _: _scaled(NearestNeighbours(scores="distances", most=50)),
        published=lambda _: NearestNeighbours(scores="votes"),
        differs="Modern scales the features and scores by the distances to the k-th nearest case of each class; "
        "published by votes among the k nearest in raw units, or for k up to 2 by the distances to the nearest.",
    ),
    "tree": Entry(
        title="Decision Tree",
        modern=lambda seed: DecisionTreeClassifier(min_samples_leaf=10, random_state=seed),
        published=lambda seed: DecisionTreeClassifier(random_state=seed),
        differs="Modern keeps at least ten cases in a leaf, so that shares are more than 0 and 1; published grows the "
        "tree out, as scikit-learn does by default.",
    ),
    "mlp": Entry(
        title="Perceptron",
        modern=_perceptron,
        published=_perceptron,
        differs=_IN_NO_TABLE,
    ),
    "random_forest": Entry(
        title="Random Forest",
        modern=_forest,
        published=_forest,
        differs=_IN_NO_TABLE,
    ),
    "gradient_boosting": Entry(
        title="Gradient Boosting",
        modern=_boosting,
        published=_boosting,
        differs=_IN_NO_TABLE,
    ),
    "svm": Entry(
        title="SVM",
        modern=lambda _: _scaled(SupportVectors()),
        published=lambda _: _scaled(SupportVectors()),
        differs=_IN_NO_TABLE,
    ),
}


def make_classifier(
    name: BenchClassifier, settings: BenchSettings = "modern", *, random_state: int | None = None
) -> Any:
    """An unfitted scikit-learn estimator.

    Parameters
    ----------
    name : str
        A classifier of ``names.BENCH_CLASSIFIERS``.
    settings : "modern" or "published"
        Sound settings, scaled inside the estimator and hence inside each fold; or those behind the published tables.
    random_state : int, optional
        For those that draw at random: tree, perceptron, forest and boosting.

    Examples
    --------
    >>> make_classifier("nearest_mean", "published")
    NearestMean()
    """
    check_choice(name, "name", BENCH_CLASSIFIERS)
    check_choice(settings, "settings", BENCH_SETTINGS)
    entry = CATALOGUE[name]
    return (entry.modern if settings == "modern" else entry.published)(random_state)


def title_of(name: BenchClassifier) -> str:
    """What tables and figures call a classifier.

    >>> title_of("knn")
    'K-NN'
    """
    check_choice(name, "name", BENCH_CLASSIFIERS)
    return CATALOGUE[name].title


def what_differs(name: BenchClassifier) -> str:
    """One sentence on how the modern and the published settings of a classifier differ."""
    check_choice(name, "name", BENCH_CLASSIFIERS)
    return CATALOGUE[name].differs
