"""Fuzzy clustering as scikit-learn estimators: of cases, and of pixels that agree with their neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np

from roclab._core.checks import plural
from roclab._core.types import Array, Floats
from roclab.analysis.cluster import fuzzy_cmeans, robust_cmeans
from roclab.errors import InputError, MissingExtraError, Words
from roclab.fuzzy.cmeans import FuzzyClusters
from roclab.fuzzy.robust import RobustClusters

try:
    from sklearn.base import BaseEstimator, ClusterMixin
    from sklearn.utils import check_random_state
    from sklearn.utils.validation import check_array, check_is_fitted, validate_data
except ImportError as error:
    raise MissingExtraError(library="scikit-learn", extra="sklearn", purpose="roclab.compat.clusters") from error

__all__ = ["FuzzyCMeans", "RobustFuzzyCMeans"]

_SEEDS = 2**31


class FuzzyCMeans(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Fuzzy c-means of cases; see :func:`roclab.fuzzy_cmeans`.

    Parameters
    ----------
    n_clusters : int
    fuzziness : float
        q > 1.
    init : array of shape (n_clusters, n_features), optional
        Centres to start from; by default distinct cases drawn by ``random_state``.
    max_iter, tol
        Steps at most, and the part of the spread of the cases below which centres stand still.

    Attributes
    ----------
    cluster_centers_ : (n_clusters, n_features)
    labels_ : (n_samples,)
    memberships_ : (n_samples, n_clusters)
    objective_ : its history
    n_iter_, converged_
    result_ : FuzzyClusters
    """

    def __init__(
        self, n_clusters: int = 3, *, fuzziness: float = 2.0, init: Any = None, max_iter: int = 300, tol: float = 1e-6,
        random_state: Any = None,
    ) -> None:  # fmt: skip
        self.n_clusters = n_clusters
        self.fuzziness = fuzziness
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> FuzzyCMeans:
        """Cluster the cases."""
        X = validate_data(self, X, dtype=np.float64)
        clusters: FuzzyClusters = fuzzy_cmeans(
            X, self.n_clusters, fuzziness=self.fuzziness, start=self.init, max_iterations=self.max_iter,
            tolerance=self.tol, rng=_seed(self.random_state),
        )  # fmt: skip
        self.result_ = clusters
        self.cluster_centers_: Floats = clusters.centres
        self.memberships_: Floats = clusters.memberships(X)
        self.labels_ = clusters.labels(X)
        self.objective_ = clusters.objective
        self.n_iter_ = clusters.iterations
        self.converged_ = clusters.converged
        return self

    def predict(self, X: Any) -> Array:
        """The nearest centre of each case."""
        check_is_fitted(self)
        return self.result_.labels(validate_data(self, X, dtype=np.float64, reset=False))

    def predict_memberships(self, X: Any) -> Floats:
        """Degrees (n_samples, n_clusters) to which cases belong to the clusters."""
        check_is_fitted(self)
        return self.result_.memberships(validate_data(self, X, dtype=np.float64, reset=False))


class RobustFuzzyCMeans(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Robust fuzzy c-means of the pixels of an image; see :func:`roclab.robust_cmeans`.

    ``X`` is an image (rows, columns, channels) or a volume (planes, rows, columns, channels): the last axis holds the
    channels, also where there is one (``image[..., None]``). A table (cases, features) is accepted as scikit-learn
    wants it; its cases have no neighbours, so they are clustered without a penalty, and a ``beta`` above 0 is refused.

    Parameters
    ----------
    n_clusters : int
    beta : float, "auto" or "cross-validation"
    radius : int, or one for each axis
    fuzziness, init, fixed_centers, update, max_iter, tol, dtype
        ``init`` is "histogram", "random" (by ``random_state``) or centres.

    Attributes
    ----------
    cluster_centers_ : (n_clusters, channels)
    labels_ : the shape of the image; -1 outside the mask
    memberships_ : the shape of the image, and the clusters along a last axis
    objective_ : its history
    n_iter_, converged_, beta_
    result_ : RobustClusters
    """

    def __init__(
        self, n_clusters: int = 3, *, beta: Any = "auto", radius: Any = 1, fuzziness: float = 2.0,
        init: Any = "histogram", fixed_centers: bool = False, update: Any = "auto", max_iter: int = 100,
        tol: float = 1e-6, dtype: Any = np.float32, random_state: Any = None,
    ) -> None:  # fmt: skip
        self.n_clusters = n_clusters
        self.beta = beta
        self.radius = radius
        self.fuzziness = fuzziness
        self.init = init
        self.fixed_centers = fixed_centers
        self.update = update
        self.max_iter = max_iter
        self.tol = tol
        self.dtype = dtype
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, *, mask: Any = None) -> RobustFuzzyCMeans:
        """Cluster the pixels, those of the mask where one is given."""
        X = self._checked(X, reset=True)
        named = {"start": self.init} if isinstance(self.init, str) else {"centres": self.init}
        found = self._clusters(
            X, mask, beta=self.beta, fixed_centres=self.fixed_centers, rng=_seed(self.random_state), **named
        )
        self.result_ = found
        self.cluster_centers_: Floats = found.centres
        self.beta_ = found.beta
        self.labels_, self.memberships_ = _unfolded(found, X)
        self.objective_ = found.objective
        self.n_iter_ = found.iterations
        self.converged_ = found.converged
        return self

    def predict(self, X: Any, *, mask: Any = None) -> Array:
        """Classes of an image by the centres and the weight that were found; its pixels are neighbours too."""
        return _unfolded(*self._applied(X, mask))[0]

    def predict_memberships(self, X: Any, *, mask: Any = None) -> Array:
        """Memberships of an image, the clusters along the last axis."""
        return _unfolded(*self._applied(X, mask))[1]

    def fit_predict(self, X: Any, y: Any = None, *, mask: Any = None) -> Array:
        """Cluster the pixels and return their classes."""
        return self.fit(X, mask=mask).labels_

    def _applied(self, X: Any, mask: Any) -> tuple[RobustClusters, Array]:
        check_is_fitted(self)
        X = self._checked(X, reset=False)
        found = self._clusters(X, mask, beta=self.beta_, centres=self.cluster_centers_, fixed_centres=True)
        return found, X

    def _checked(self, X: Any, *, reset: bool) -> Array:
        if np.ndim(X) > 2:  # gaps may lie outside the mask, and are looked for there
            image = np.asarray(check_array(X, dtype="numeric", allow_nd=True, ensure_all_finite=False))
            if reset:
                self.n_features_in_: int = image.shape[-1]
            if image.shape[-1] != self.n_features_in_:
                raise InputError(
                    "X", f"must have {plural(self.n_features_in_, 'channel')} along its last axis", Words(image.shape)
                )
            return image
        table = np.asarray(validate_data(self, X, reset=reset, dtype="numeric"))
        if not isinstance(self.beta, str) and self.beta > 0:
            raise InputError(
                "X", "must be an image (rows, columns, channels) or a volume, whose pixels have neighbours",
                Words(f"a table of shape {table.shape}"), "write image[..., None], or leave out beta",
            )  # fmt: skip
        return table

    def _clusters(self, X: Array, mask: Any, **asked: Any) -> RobustClusters:
        settings: dict[str, Any] = {
            "radius": self.radius, "fuzziness": self.fuzziness, "update": self.update, "max_iterations": self.max_iter,
            "tolerance": self.tol, "dtype": self.dtype, "channels": True, **asked,
        }  # fmt: skip
        if X.ndim > 2:
            return robust_cmeans(X, self.n_clusters, mask=mask, **settings)
        settings.update(beta=0.0, radius=0)
        return robust_cmeans(X[None], self.n_clusters, **settings)


def _unfolded(found: RobustClusters, X: Array) -> tuple[Array, Array]:
    """Classes, and memberships with the clusters along the last axis, in the shape of what was given."""
    labels, degrees = found.labels.astype(np.int32), np.moveaxis(found.memberships, 0, -1)
    return (labels[0], degrees[0]) if X.ndim == 2 else (labels, degrees)


def _seed(random_state: Any) -> int:
    """A seed from what scikit-learn calls a random state."""
    return int(check_random_state(random_state).randint(_SEEDS - 1))
