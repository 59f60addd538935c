"""What classes has an image? Fuzzy clustering of cases, and of pixels that agree with their neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypedDict, Unpack

from roclab._core.checks import check_choice
from roclab._core.work import Progress
from roclab.errors import InputError, named
from roclab.fuzzy import choose_beta as choosing
from roclab.fuzzy import cmeans, robust
from roclab.fuzzy.choose_beta import BetaChoice
from roclab.fuzzy.cmeans import FuzzyClusters
from roclab.fuzzy.grey import eight_bit
from roclab.fuzzy.robust import RobustClusters, thesis_settings
from roclab.names import CLUSTER_PRESETS, PIXEL_METHODS, ClusterPreset, ClusterStart, ClusterUpdate, PixelMethod

__all__ = ["ClusterSettings", "choose_beta", "fuzzy_cmeans", "robust_cmeans"]

CROSS_VALIDATION = "cross-validation"
_NOT_TO_CHOOSE = ("beta", "held_out", "progress", "rng")  # what choosing a weight has, or is, itself


class ClusterSettings(TypedDict, total=False):
    """What the clustering of an image can be told; see :func:`robust_cmeans`."""

    beta: float | str
    radius: int | Sequence[int]
    fuzziness: float
    mask: Any
    channels: bool
    start: ClusterStart
    centres: Any
    fixed_centres: bool
    memberships: Any
    update: ClusterUpdate
    max_iterations: int
    tolerance: float
    stop: float | None
    held_out: Any
    dtype: Any
    rng: Any
    progress: Progress | None


def fuzzy_cmeans(
    x: Any,
    clusters: int,
    *,
    fuzziness: float = 2.0,
    start: Any = None,
    rng: Any = None,
    max_iterations: int = 300,
    tolerance: float = 1e-6,
) -> FuzzyClusters:
    """Fuzzy clusters of cases: every case belongs to every cluster by a degree.

    Parameters
    ----------
    x : array of shape (n,) or (n, p)
    clusters : int
    fuzziness : float
        q > 1; near 1 memberships become 0 and 1.
    start : array of shape (clusters, p), optional
        Centres to start from; by default distinct cases drawn at random by ``rng``.
    max_iterations, tolerance
        The search ends when no centre moves by more than this part of the spread of the cases.

    Returns
    -------
    FuzzyClusters
        ``.centres``, ``.memberships(x)``, ``.labels(x)``, ``.objective``, ``.converged``.

    Examples
    --------
    >>> import roclab as rl
    >>> rl.imaging.fuzzy_cmeans([0.0, 1.0, 9.0, 10.0], 2, start=[[0.0], [10.0]]).centres.round(2).ravel().tolist()
    [0.5, 9.5]
    """
    return cmeans.fuzzy_cmeans(
        x, clusters, fuzziness=fuzziness, start=start, rng=rng, max_iterations=max_iterations, tolerance=tolerance
    )


def robust_cmeans(
    image: Any,
    clusters: int,
    *,
    method: PixelMethod = "rfcm",
    preset: ClusterPreset = "modern",
    window: Sequence[float] | None = None,
    **settings: Unpack[ClusterSettings],
) -> RobustClusters:
    r"""Classes of the pixels of an image, 2-D or 3-D, in which neighbours agree: robust fuzzy c-means.

    Parameters
    ----------
    image : array
        Pixels, or with ``channels=True`` an array whose last axis holds the channels.
    clusters : int
    method : "rfcm" or "fcm"
        With the penalty on neighbours of other classes, or without, which is plain fuzzy c-means.
    preset : "modern" or "thesis"
        Where settings come from that are not given: those below, or those of the Italian thesis: q 2, radius 1, at most
        100 synchronous steps until the objective changes by less than 1e-5, memberships drawn at random (by ``rng``,
        seed 0 unless said), float64, and beta 100, which is meant for grey levels of eight bits: see ``window``.
    window : two numbers, optional
        Cluster the values of this window as grey levels from 0 to 255.
    beta : float, "auto" or "cross-validation"
        Weight of the penalty, in squares of the grey values: twice the variance of the noise (default), or what
        predicts held-out pixels best.
    radius : int, or one for each axis
        Of the box of neighbours; 0 along an axis whose slices are far apart.
    fuzziness : float
        q > 1.
    mask : array of bool, optional
        Pixels to cluster; others are nobody's neighbours.
    start, centres, fixed_centres, memberships
        "histogram" (default, the same every time) or "random"; or centres to start from, and to stay at; or memberships
        (clusters, \*shape).
    update : "auto", "synchronous" or "coloured"
        Synchronous until the objective rises and coloured from then on, which never raises it.
    max_iterations, tolerance, stop
        When the search ends: at a relative change of the objective, or with ``stop`` at an absolute one.
    dtype : float32 or float64

    Returns
    -------
    RobustClusters
        ``.labels``, ``.memberships``, ``.centres``, ``.sizes``, ``.objective`` (its history), ``.converged``.

    References
    ----------
    Pham DL. Spatial models for fuzzy clustering. Comput Vis Image Underst 2001;84:285-297. doi:10.1006/cviu.2001.0951

    Examples
    --------
    >>> import numpy as np, roclab as rl
    >>> image = np.repeat([[10.0, 10.0, 50.0, 50.0]], 4, axis=0)
    >>> image[1, 0] = 34.0  # noise
    >>> rl.imaging.robust_cmeans(image, 2, beta=200).labels.tolist()[1]
    [0, 0, 1, 1]
    """
    check_choice(method, "method", PIXEL_METHODS)
    check_choice(preset, "preset", CLUSTER_PRESETS)
    asked: dict[str, Any] = {**(thesis_settings() if preset == "thesis" else {}), **settings}
    if method == "fcm":
        if settings.get("beta") not in (None, 0):
            raise InputError(
                "beta", "is for 'rfcm': plain fuzzy c-means has no penalty", settings["beta"], "leave it out"
            )
        asked["beta"] = 0.0
    pixels = image if window is None else eight_bit(image, window)
    if asked.get("beta") == CROSS_VALIDATION:
        chosen = {name: value for name, value in asked.items() if name not in _NOT_TO_CHOOSE}
        asked["beta"] = choosing.choose_beta(pixels, clusters, rng=asked.get("rng"), **chosen).beta
    return robust.robust_cmeans(pixels, clusters, **asked)


def choose_beta(
    image: Any,
    clusters: int,
    betas: Sequence[float] | None = None,
    *,
    held_out: float = 0.1,
    repeats: int = 1,
    method: PixelMethod = "rfcm",
    preset: ClusterPreset = "modern",
    window: Sequence[float] | None = None,
    rng: Any = 0,
    progress: Progress | None = None,
    **settings: Any,
) -> BetaChoice:
    """The weight of neighbours by cross-validation: pixels that are hidden are predicted by their neighbours.

    Parameters
    ----------
    betas : sequence of float, optional
        Weights to try; by default multiples of the one that follows from the noise.
    held_out : float
        Share of the pixels that is hidden, ``repeats`` times.
    method, preset, window
        As in :func:`robust_cmeans`; plain fuzzy c-means has no weight, and is refused.
    rng : seed
        Of the hidden pixels, and of a random start.
    **settings
        Of the clustering, as in :func:`robust_cmeans`.

    Returns
    -------
    BetaChoice
        ``.beta``, and the error of every weight in ``.rows()``.

    Examples
    --------
    >>> import numpy as np, roclab as rl
    >>> image = np.repeat([[0.0, 9.0]], 16, axis=0).repeat(8, axis=1)
    >>> noisy = image + np.random.default_rng(1).normal(size=image.shape) * 3
    >>> rl.imaging.choose_beta(noisy, 2, [0, 20], rng=1).beta
    20.0
    """
    check_choice(method, "method", PIXEL_METHODS)
    check_choice(preset, "preset", CLUSTER_PRESETS)
    if method == "fcm":
        raise InputError(
            "method", "must be 'rfcm': plain fuzzy c-means has no weight to choose", method, "leave it out"
        )
    if "beta" in settings:
        raise InputError(
            "beta", "is what is chosen", settings["beta"], f"name the weights to try with {named('betas', (50, 100))}"
        )
    settings = {**(thesis_settings() if preset == "thesis" else {}), **settings}
    settings = {name: value for name, value in settings.items() if name not in _NOT_TO_CHOOSE}
    pixels = image if window is None else eight_bit(image, window)
    return choosing.choose_beta(
        pixels, clusters, betas, held_out=held_out, repeats=repeats, rng=rng, progress=progress, **settings
    )
