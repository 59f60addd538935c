"""How many readers and cases does a study need? From a pilot, from variance components, or from typical values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from roclab._core.checks import check_choice, check_count, check_fraction, in_full
from roclab._core.types import Array
from roclab._core.work import spawn_generators
from roclab.errors import InputError, Words, named
from roclab.names import TYPICAL_READERS, RandomEffects, TypicalReaders
from roclab.options.verb import public
from roclab.reading_studies.components import VarianceComponents
from roclab.reading_studies.result import ReaderStudy
from roclab.reading_studies.roe_metz import TYPICAL, RoeMetz, components_of_model, simulate_ratings
from roclab.reading_studies.sizing import ReaderPlan, plan_of_components, usual_grid

__all__ = ["ReaderPlan", "sample_size", "simulate"]


@public()
def sample_size(
    pilot: ReaderStudy | VarianceComponents | RoeMetz | TypicalReaders,
    *,
    difference: float,
    readers: Sequence[int] | int = (3, 4, 5, 6, 8, 10, 15, 20),
    cases: Sequence[int] | int | None = None,
    auc: float | None = None,
    prevalence: float | None = None,
    power: float = 0.8,
    level: float = 0.95,
    random: RandomEffects = "both",
    margin: float | None = None,
) -> ReaderPlan:
    """Power of a factorial study of two modalities, for numbers of readers and cases, and the fewest cases for a power.

    Parameters
    ----------
    pilot : ReaderStudy, VarianceComponents, RoeMetz or str
        Where the variances come from: a study analysed by :func:`readers`; its components, or some of your own; a model
        of ratings, or the name of a typical one ("low_reader_high_case" and so on, by Roe and Metz), both with ``auc``.
    difference : float
        The difference of mean areas worth seeing; with ``margin`` the true difference, often 0.
    readers, cases : int or sequence of int
        The grid; cases are around those of the pilot by default.
    auc : float, optional
        Of a model: the mean area of both modalities.
    prevalence : float, optional
        Share of positive cases; that of the pilot, or one half, by default.
    power : float
        What the fewest cases must reach.
    random : "both", "readers" or "cases"
        As in :func:`readers`.
    margin : float, optional
        Plan to show non-inferiority within this margin instead.

    Examples
    --------
    >>> import roclab as rl
    >>> plan = rl.readers.sample_size("low_reader_high_case", auc=0.885, difference=0.06, readers=10, cases=(100, 200))
    >>> [round(one.power, 2) for one in plan.grid], plan.smallest[0].cases
    ([0.61, 0.87], 161)
    """
    sizes = _counts(readers, "readers")
    notes: list[str] = []
    if isinstance(pilot, ReaderStudy | VarianceComponents):
        if auc is not None:
            raise InputError(
                "auc", "belongs to a model of ratings, and a pilot has areas of its own", auc, "leave it out"
            )
        parts = pilot.components if isinstance(pilot, ReaderStudy) else pilot
        source = f"variance components of {'a pilot' if isinstance(pilot, ReaderStudy) else 'your own'}"
        if isinstance(pilot, ReaderStudy):
            if pilot.design != "factorial" or len(pilot.modalities) < 2:
                raise InputError("pilot", "must be a factorial study of two modalities or more", pilot.design)
            source += f": {len(pilot.readers)} readers, {in_full(parts.n_pos)} + {in_full(parts.n_neg)} cases"
            notes.append("A pilot with few readers knows their variance badly: read the plan as a guide.")
        grid = usual_grid(int(parts.n_pos + parts.n_neg)) if cases is None else cases
    else:
        model = _model(pilot)
        if auc is None:
            raise InputError("auc", "must say the mean area that a model is asked for", Words("none"),
                             f"write {named('auc', 0.85)}")  # fmt: skip
        check_fraction(auc, "auc", way_out="0.85 for instance", open_ends=True)
        prevalence = 0.5 if prevalence is None else prevalence
        check_fraction(prevalence, "prevalence", way_out="it is the share of positive cases", open_ends=True)
        n_pos = round(100 * prevalence) or 1
        parts = components_of_model(model, auc, n_pos=n_pos, n_neg=100 - n_pos)
        called = f"the typical {pilot!r}" if isinstance(pilot, str) else "your own model"
        source = f"Roe and Metz's model of ratings, {called}, area {auc:g}; components for 100 cases"
        grid = (50, 100, 150, 200, 300, 500) if cases is None else cases
    return plan_of_components(
        parts,
        difference=difference,
        readers=sizes,
        cases=_counts(grid, "cases"),
        prevalence=prevalence,
        power=power,
        level=level,
        random=random,
        margin=margin,
        source=source,
        notes=notes,
    )


def _counts(given: Any, name: str) -> tuple[Any, ...]:
    """One number or several; each is checked where it is used."""
    if isinstance(given, Sequence | np.ndarray) and not isinstance(given, str | bytes) and len(given):
        return tuple(given)
    if isinstance(given, int | np.integer):
        return (given,)
    raise InputError(name, "must be a whole number or several", given, f"write {named(name, [5, 10])} for instance")


def _model(asked: Any) -> RoeMetz:
    if isinstance(asked, RoeMetz):
        return asked
    if not isinstance(asked, str):
        raise InputError(
            "pilot",
            "must be a ReaderStudy, VarianceComponents, a RoeMetz model or the name of a typical one",
            Words(type(asked).__name__),
        )
    check_choice(asked, "pilot", TYPICAL_READERS)
    return TYPICAL[asked]  # type: ignore[index]


@public()
def simulate(
    model: RoeMetz | TypicalReaders = "low_reader_high_case",
    *,
    readers: int = 5,
    n_pos: int = 50,
    n_neg: int = 50,
    auc: Sequence[float] | float = (0.8, 0.85),
    categories: int | None = None,
    rng: Any = None,
) -> dict[str, Any]:
    """Ratings of a simulated factorial study, as columns that :func:`readers` takes as they are.

    Parameters
    ----------
    model : RoeMetz or str
        Variances of the ratings, or the name of typical ones.
    readers, n_pos, n_neg : int
        Sizes of the study.
    auc : float, or one per modality
        Expected areas over readers.
    categories : int, optional
        Ratings from 1 to this number, of equal frequency among all ratings of a reader's latent scale, instead of
        continuous ones.
    rng : seed or Generator
        For the same study again.

    Returns
    -------
    dict
        Columns reader, modality, case, truth, rating.

    Examples
    --------
    >>> import roclab as rl
    >>> table = rl.readers.simulate(readers=2, n_pos=3, n_neg=3, auc=(0.8, 0.9), rng=1)
    >>> {name: len(column) for name, column in table.items()}
    {'reader': 24, 'modality': 24, 'case': 24, 'truth': 24, 'rating': 24}
    """
    asked = _model(model)
    areas = [auc] if isinstance(auc, int | float) else list(auc)
    for one in areas:
        check_fraction(one, "auc", way_out="0.85 for instance", open_ends=True)
    if not areas:
        raise InputError("auc", "must hold the area of one modality or more", Words("none"))
    for count, name, least in ((readers, "readers", 1), (n_pos, "n_pos", 1), (n_neg, "n_neg", 1)):
        check_count(count, name, least=least, most=100_000, way_out="give the size of the study")
    (generator,), _ = spawn_generators(rng, 1)
    shifts = np.array([asked.shift(area) for area in areas])
    ratings: Array = simulate_ratings(asked, shifts, readers=readers, n_pos=n_pos, n_neg=n_neg, generator=generator)
    if categories is not None:
        check_count(categories, "categories", least=2, most=1000, way_out="5 is usual")
        edges = np.quantile(ratings, np.arange(1, categories) / categories)
        ratings = np.searchsorted(edges, ratings, side="right") + 1
    t, r, n = ratings.shape
    modality, reader, case = (index.ravel() for index in np.indices((t, r, n)))
    return {
        "reader": np.char.add("reader ", (reader + 1).astype(str)),
        "modality": np.char.add("modality ", (modality + 1).astype(str)),
        "case": case + 1,
        "truth": (case < n_pos).astype(int),
        "rating": ratings.ravel(),
    }
