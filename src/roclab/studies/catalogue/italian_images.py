"""The Italian thesis on images: robust fuzzy c-means as it is printed, as its appendix lists it, and as it is."""

from __future__ import annotations

import warnings
from dataclasses import replace
from functools import cache, partial

import numpy as np
from scipy import ndimage

from roclab.errors import RoclabWarning
from roclab.fuzzy.grey import eight_bit
from roclab.fuzzy.matching import match_clusters
from roclab.fuzzy.robust import RobustClusters, robust_cmeans, thesis_settings
from roclab.fuzzy.steps import memberships_of
from roclab.imaging.phantoms.chest import make_chest
from roclab.studies.catalogue.shared import note, printed_json, reference
from roclab.studies.verdicts import NOT_PUBLIC, PrintedExample

__all__ = ["examples"]

_SPECK = 4  # pixels: 2.3.4 calls smaller regions noise
_CHAIN = 290  # a chain of eight pixels, and a start, from which the objective rises


def _memberships_as_printed(cost: tuple[float, ...], q: float) -> tuple[float, ...]:
    """Eq 2.8 with the printed denominator, whose summands are all that of the class itself."""
    return tuple(one ** (-1 / (q - 1)) / sum(one ** (-1 / (q - 1)) for _ in cost) for one in cost)


def _memberships(cost: tuple[float, ...], q: float) -> tuple[float, ...]:
    return tuple(memberships_of(np.array([cost]), q)[0].tolist())


def _at_a_centre_as_printed() -> str:
    """The listing divides by sums of inverse distances, of which one is infinite."""
    with np.errstate(divide="ignore", invalid="ignore"):
        inverse = np.array([0.0, 1.0]) ** -1.0
        return "NaN" if np.isnan((inverse / inverse.sum())[0]) else "a number"


def _planes(printed: bool) -> float:
    """Elements of the neighbours' planes of 2 x 2 pixels in 3 planes: repmat(Nz, n), and repmat(Nz, 1, n)."""
    planes, pixels = np.arange(3), 4
    tiled = np.tile(planes, (pixels, pixels)) if printed else np.tile(planes, (1, pixels))
    return float(tiled.size)


@cache
def _run(beta: int) -> RobustClusters:
    """The listing's own run: the same image, start, steps and rule to stop."""
    given = printed_json("rfcm_runs.json")
    image = np.array(given["image"])
    first = np.array(given["start"]).reshape(2, *image.shape[::-1]).transpose(0, 2, 1)
    start = np.concatenate([first, 1 - first.sum(axis=0, keepdims=True)])
    settings = {**thesis_settings(), "beta": float(beta)}
    return robust_cmeans(image, 3, memberships=start, **settings)


def _listing() -> list[PrintedExample]:
    """What the corrected listing gave in another program, to nine digits, beside ours."""
    out = []
    for beta, run in printed_json("rfcm_runs.json")["runs"].items():
        where = f"appendix A.1-A.2, corrected, beta {beta}"
        one = partial(_run, int(beta))
        out += [
            replace(row, reason="the listing with its errata corrected, run in GNU Octave 7.3")
            for row in (
                reference(where, "steps", float(run["iterations"]), lambda one=one: float(one().iterations)),
                reference(where, "last objective", run["objective"], lambda one=one: float(one().objective[-1]), 6),
                reference(where, "centres", tuple(run["centres"]), lambda one=one: one().centres[:, 0], 9),
            )
        ]
    return out


def _rises(update: str) -> str:
    image = np.random.default_rng(_CHAIN).normal(size=(1, 8)) * 50
    asked = {**thesis_settings(_CHAIN), "beta": 2000.0, "update": update, "max_iterations": 8}
    found = robust_cmeans(image, 2, **asked)
    return f"after {int((np.diff(found.objective) > 0).sum())} of 7 steps"


@cache
def _both() -> tuple[RobustClusters, RobustClusters, tuple[tuple[int, int], ...]]:
    """A noisy slice of the phantom by the settings of the thesis, without and with neighbours, and their classes."""
    grey = eight_bit(make_chest(size=(12, 128, 128), noise=60.0, nodules=2, rng=4).volume.array[6], (-1024, 400))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RoclabWarning)
        plain = robust_cmeans(grey, 4, **{**thesis_settings(), "beta": 0.0})
        robust = robust_cmeans(grey, 4, **thesis_settings())
    return plain, robust, match_clusters(plain, robust).pairs


def _specks(run: RobustClusters, number: int) -> int:
    sizes = np.bincount(ndimage.label(run.labels == number)[0].ravel())[1:]
    return int((sizes < _SPECK).sum())


def _cleaner(at: int) -> str:
    plain, robust, pairs = _both()
    before, after = _specks(plain, pairs[at][0]), _specks(robust, pairs[at][1])
    return "fewer specks with neighbours" if after < before else "no fewer specks with neighbours"


def _figures() -> list[PrintedExample]:
    out = [
        PrintedExample(
            where="fig 2.2",
            quantity="the slice that figures 2.3 to 2.6 divide",
            printed="a CT slice",
            verdict=NOT_PUBLIC,
            reason="the scans were never published; below a noisy slice of the phantom stands in for it",
        )
    ]
    for at in range(4):
        out.append(
            PrintedExample(
                where=f"fig 2.{at + 3}",
                quantity=f"matched class {at + 1} of 4, FCM beside RFCM with beta 100: parts under 4 pixels",
                printed="fewer specks with neighbours",
                ours=partial(_cleaner, at),
                reason="what the pictures show, here on a noisy slice of the phantom; draw_matched draws such pairs",
            )
        )
    return out


def examples() -> list[PrintedExample]:
    """All that the thesis says about clustering images, and that can be run."""
    return [
        *_figures(),
        PrintedExample(
            where="eq 2.8",
            quantity="memberships for costs 1 and 4, q = 2",
            printed=lambda: _memberships_as_printed((1.0, 4.0), 2.0),
            ours=lambda: _memberships((1.0, 4.0), 2.0),
            erratum="E41",
            correct=(0.8, 0.2),
        ),
        PrintedExample(
            where="eq 2.10",
            quantity="the objective rises on a chain of eight pixels, all updated at once",
            printed="after 0 of 7 steps",
            ours=lambda: _rises("synchronous"),
            erratum="E56",
            correct="after 7 of 7 steps",
        ),
        reference("eq 2.10", "the same, colour by colour", "after 0 of 7 steps", lambda: _rises("coloured")),
        PrintedExample(
            where="appendix A.1",
            quantity="the listing as printed",
            printed="ends before its main loop",
            ours=lambda: "runs" if _run(100).iterations > 1 else "ends before its main loop",
            erratum="E57",
            correct="runs",
        ),
        PrintedExample(
            where="appendix A.2, three dimensions",
            quantity="elements of the planes of all neighbours, 3 planes of 2 x 2 pixels",
            printed=partial(_planes, True),
            ours=partial(_planes, False),
            erratum="E41",
            correct=12.0,
        ),
        PrintedExample(
            where="appendix A, new memberships",
            quantity="membership of a pixel that lies on a centre, beta 0",
            printed=_at_a_centre_as_printed,
            ours=lambda: _memberships((0.0, 1.0), 2.0)[0],
            erratum="E58",
            correct=1.0,
        ),
        *_listing(),
        note("E59", "appendix A", "what flag_3d, names and comments of the listing say"),
        note("E60", "appendix A.1", "which memberships the returned centres belong to"),
        note("E61", "appendix A.1", "when the search ends"),
        note("E62", "2.1", "which cluster holds regions of interest"),
        note("E63", "chapter 1", "sensitivity and specificity"),
    ]
