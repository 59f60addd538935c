"""Our values about images: the Italian thesis on robust fuzzy c-means, as its appendix lists it and as it is."""

from __future__ import annotations

import warnings
from functools import cache, partial

import numpy as np
from scipy import ndimage

from roclab.errors import RoclabWarning
from roclab.fuzzy.grey import eight_bit
from roclab.fuzzy.matching import match_clusters
from roclab.fuzzy.robust import RobustClusters, robust_cmeans, thesis_settings
from roclab.fuzzy.steps import memberships_of
from roclab.imaging.phantoms.chest import make_chest
from roclab.studies.catalogue.samples import printed_json
from roclab.studies.verdicts import Example, example

__all__ = ["fewer_specks", "listing_runs", "listings", "membership", "rising_steps"]

_SPECK = 4  # pixels: 2.3.4 calls smaller regions noise
_CHAIN = 290  # a chain of eight pixels, and a start, from which the objective rises


def membership(cost: tuple[float, ...], q: float) -> tuple[float, ...]:
    """Memberships of a pixel from its costs."""
    return tuple(memberships_of(np.array([cost], float), q)[0].tolist())


@cache
def _run(beta: int) -> RobustClusters:
    """The listing's own run: the same image, start, steps and rule to stop."""
    given = printed_json("rfcm_runs.json")
    image = np.array(given["image"])
    first = np.array(given["start"]).reshape(2, *image.shape[::-1]).transpose(0, 2, 1)
    start = np.concatenate([first, 1 - first.sum(axis=0, keepdims=True)])
    settings = {**thesis_settings(), "beta": float(beta)}
    return robust_cmeans(image, 3, memberships=start, **settings)


def listing_runs() -> str:
    """What the corrected listing does."""
    return "runs" if _run(100).iterations > 1 else "ends before its main loop"


def listings() -> list[Example]:
    """What the corrected listing gave in another program, to nine digits, beside ours."""
    out = []
    for beta, given in printed_json("rfcm_runs.json")["runs"].items():
        one = partial(_run, int(beta))
        centres = "; ".join(f"{value:.9f}" for value in given["centres"])
        for quantity, value, ours in (
            ("steps", str(given["iterations"]), lambda one=one: one().iterations),
            ("last objective", f"{given['objective']:.6f}", lambda one=one: one().objective[-1]),
            ("centres", centres, lambda one=one: one().centres[:, 0]),
        ):
            where, why = f"appendix A.1-A.2, corrected, beta {beta}", "its errata corrected, run in GNU Octave 7.3"
            out.append(example("reference", where, quantity, value, ours, reason=f"the listing with {why}"))
    return out


def rising_steps(update: str) -> str:
    """How often the objective rises on a chain of eight pixels."""
    image = np.random.default_rng(_CHAIN).normal(size=(1, 8)) * 50
    asked = {**thesis_settings(_CHAIN), "beta": 2000.0, "update": update, "max_iterations": 8}
    clusters = robust_cmeans(image, 2, **asked)
    return f"after {int((np.diff(clusters.objective) > 0).sum())} of 7 steps"


@cache
def _both() -> tuple[RobustClusters, RobustClusters, tuple[tuple[int, int], ...]]:
    """A noisy slice of the phantom by the settings of the thesis, without and with neighbours, and their classes."""
    grey = eight_bit(make_chest(size=(12, 128, 128), noise=60.0, nodules=2, rng=4).volume.array[6], (-1024, 400))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RoclabWarning)
        plain = robust_cmeans(grey, 4, **{**thesis_settings(), "beta": 0.0})
        robust = robust_cmeans(grey, 4, **thesis_settings())
    return plain, robust, match_clusters(plain, robust).pairs


def fewer_specks(at: int) -> str:
    """Are there fewer parts under four pixels in a matched class when neighbours count?"""
    plain, robust, pairs = _both()
    before, after = _specks(plain, pairs[at][0]), _specks(robust, pairs[at][1])
    return "fewer specks with neighbours" if after < before else "no fewer specks with neighbours"


def _specks(run: RobustClusters, number: int) -> int:
    sizes = np.bincount(ndimage.label(run.labels == number)[0].ravel())[1:]
    return int((sizes < _SPECK).sum())
