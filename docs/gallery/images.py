"""Classes of images: each function draws one figure of the gallery."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

import roclab as rl
from roclab.plots import draw_afroc, draw_classes, draw_matched, draw_objective, draw_penalty, new_axes


def afroc() -> Axes:
    """Lesions found by the share of scans without lesions that raise a false alarm (``draw_afroc``)."""
    asked = {"scans": [f"scan{at:02d}" for at in range(1, 61)], "resampling": 200, "rng": 1}
    found = {name: rl.imaging.froc(f"marks_{name}", "lesions", detector=name, **asked) for name in ("a", "b")}
    return draw_afroc(found, new_axes())


def penalty() -> Axes:
    """What two neighbours are fined by robust fuzzy c-means for belonging to other classes (``draw_penalty``)."""
    return draw_penalty(rl.imaging.penalty_surface(), new_axes())


def objective() -> Axes:
    """The objective on a chain of pixels: all at once it may rise (ringed), by colours it never does."""
    line = np.random.default_rng(290).normal(size=(1, 8)) * 50
    asked = {"beta": 2000, "start": "random", "rng": 290, "dtype": float, "stop": 1e-5, "max_iterations": 25}
    runs = {name: rl.imaging.robust_cmeans(line, 2, update=name, **asked) for name in ("synchronous", "coloured")}
    return draw_objective(runs, new_axes(ratio=0.75))


def matched_classes() -> Axes:
    """Classes of fuzzy c-means beside those of robust fuzzy c-means, as pixels and memberships (``draw_matched``)."""
    slice_ = rl.imaging.phantom(size=(12, 64, 64), noise=90, nodules=2, rng=4).volume.array[6]
    asked = {"window": (-1024, 400), "centres": [[0], [30], [165], [200]]}
    plain = rl.imaging.robust_cmeans(slice_, 4, method="fcm", **asked)
    robust = rl.imaging.robust_cmeans(slice_, 4, **asked)
    pairs = rl.imaging.match_clusters(plain, robust, names=("FCM", "RFCM"))
    return draw_matched(pairs, new_axes("double", ratio=0.53), image=slice_, classes=[1, 3])


def classes() -> Axes:
    """A noisy slice, its classes without and with neighbours, and the truth (``draw_classes``)."""
    chest = rl.imaging.phantom(size=(12, 96, 96), noise=90, nodules=2, rng=4)
    slice_, clean = (
        made.volume.array[6] for made in (chest, rl.imaging.phantom(size=(12, 96, 96), noise=0, nodules=2, rng=4))
    )
    asked = {"window": (-1024, 400), "centres": [[0], [30], [165], [200]]}
    runs = {name.upper(): rl.imaging.robust_cmeans(slice_, 4, method=name, **asked) for name in ("fcm", "rfcm")}
    runs["FCM without noise"] = rl.imaging.robust_cmeans(clean, 4, method="fcm", **asked)
    return draw_classes(runs, new_axes("double", ratio=0.3), image=slice_)
