"""Does one confidence image beat the subtraction images? Voxels of all cases, and errors from case to case."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from roclab._core.checks import check_choice, check_level, plural
from roclab._core.types import Array, Bools
from roclab._core.work import Progress, leave_if_stopped
from roclab.analysis.dce.case_table import cases_of
from roclab.analysis.dce.evaluation import CaseImages, DceEvaluation
from roclab.analysis.dce.train import LeaveOneOut
from roclab.data.cases import Cases
from roclab.errors import InputError, Words
from roclab.imaging.dce.case import DceCase
from roclab.imaging.dce.confidence import confidence_volume, smoothed
from roclab.imaging.dce.model import DceModel
from roclab.imaging.dce.model_file import read_model
from roclab.imaging.dce.signal_space import FLOOR
from roclab.imaging.dce.subtraction import subtraction
from roclab.names import STANDARDS, SUBTRACTION_SCALES, Standard, SubtractionScale

__all__ = ["dce_evaluate"]

_IMAGES = ("early", "late", "wash_out", "maximum")


def dce_evaluate(
    cases: DceCase | Sequence[DceCase] | str | os.PathLike[str],
    models: Any = None,
    *,
    images: Sequence[str] = _IMAGES,
    scale: SubtractionScale = "relative",
    smoothing: float = 0.0,
    fpr: Sequence[float] = (0.05, 0.15),
    standardize: Standard = "mcclish",
    level: float = 0.95,
    group: str = "",
    workers: int = 1,
    progress: Progress | None = None,
) -> DceEvaluation:
    """ROC analysis of confidence and subtraction images on cases whose truth is known.

    Every voxel of the masks is called positive in a lesion and negative elsewhere. Voxels of one case are alike, so
    that every standard error, interval and comparison is clustered by case: areas by Obuchowski's estimator, contrast
    by its influence function. There are as many independent observations as there are cases.

    Parameters
    ----------
    cases : DceCase, sequence of them, or a table of cases
        With truth.
    models : model, LeaveOneOut, or mapping of names to them, optional
        Whose confidence images are evaluated: ``dce_train`` on other cases, or ``dce_leave_one_out`` on these.
    images : names of subtraction images
        Beside them, as :func:`dce_subtraction` takes them.
    scale : "relative" or "absolute"
        Of the subtraction images.
    smoothing : float
        Standard deviation in mm of a Gaussian that is applied to all images alike.
    fpr : largest false positive rates of the partial areas
    standardize : str
        Scale of the partial areas, "mcclish" by default (1/2 for chance, 1 for perfect).
    level : float
    group : str
        What these cases are, for the heading of the answer.

    Returns
    -------
    DceEvaluation
        ``.rows()``, ``.compare(quantity)``, ``.average(image, how)``, ``.threshold(…)`` and ``.regions(…)``.

    References
    ----------
    Obuchowski NA. Nonparametric analysis of clustered ROC curve data. Biometrics 1997;53:567-578.
    doi:10.2307/2533958

    Examples
    --------
    >>> import roclab as rl
    >>> cases = [rl.imaging.phantom_breast(size=(8, 48, 64), rng=at).as_case(f"p{at}") for at in (1, 2, 3)]
    >>> found = rl.imaging.dce_evaluate(cases, images=["early", "maximum"])
    >>> found.names, found.n_cases
    (('early', 'maximum'), 3)
    """
    check_level(level)
    check_choice(standardize, "standardize", STANDARDS)
    check_choice(scale, "scale", SUBTRACTION_SCALES)
    for rate in fpr:
        if not 0 < float(rate) <= 1:
            raise InputError("fpr", "must be false positive rates above 0 and up to 1", rate)
    known = cases_of(cases)
    named_models = _models(models, known)
    if not named_models and not images:
        raise InputError("images", "must name an image where there is no model", Words("none"))
    clash = [name for name in named_models if name in images]
    if clash:
        raise InputError("models", "must not be named like a subtraction image", Words(clash[0]), "rename it")
    held, voxels = [], []
    for at, case in enumerate(known):
        leave_if_stopped()
        try:
            one = _case_images(case, named_models, images, scale, smoothing, workers)
        except InputError as error:
            raise error.inside(f"case {case.name!r}") from None
        held.append(one)
        voxels.append(np.full(int(one.inside.sum()), at, dtype=np.int64))
        if progress is not None:
            progress(at + 1, len(known))
    cluster = np.concatenate(voxels)
    lesion = np.concatenate([one.lesions[one.inside] for one in held])
    if not (lesion > 0).any():
        raise InputError("truth", "must hold a lesion in the mask of some case", Words("none"))
    names = [*named_models, *images]
    scores = {name: np.concatenate([one.images[name][one.inside] for one in held]) for name in names}
    outside = sum(int((one.lesions[~one.inside] > 0).sum()) for one in held)
    notes = []
    if outside:
        notes.append(f"{plural(outside, 'voxel')} of lesions lie outside of the masks and are not looked at")
    if len(known) < 2:
        notes.append("one case: no number here says how another case would come out")
    data = Cases(
        label=lesion > 0, scores=scores, ids=cluster, positive="lesion", negative="normal",
        direction=dict.fromkeys(names, "higher"),
    )  # fmt: skip
    return DceEvaluation(
        voxels=data, lesion=lesion, cases=tuple(held), group=group, models=tuple(named_models),
        fpr=tuple(float(rate) for rate in fpr), standardize=standardize, scale=scale, smoothing=float(smoothing),
        level=level, notes=tuple(notes),
    )  # fmt: skip


def _models(given: Any, cases: Sequence[DceCase]) -> dict[str, Any]:
    """Models by name; each is one for all cases, or one for every case."""
    if given is None:
        return {}
    every = given if isinstance(given, Mapping) else {"network": given}
    out = {}
    digests = {case.name: case.digest() for case in cases}
    for name, one in every.items():
        if isinstance(one, str | os.PathLike):
            one = read_model(one)
        if isinstance(one, LeaveOneOut):
            for case in cases:
                if _learnt(one[case.name], case, digests):
                    raise InputError("models", "must not be trained on the case they are tested on", Words(case.name))
        elif not isinstance(one, DceModel):
            raise InputError("models", "must be a model, a LeaveOneOut or a file", Words(type(one).__name__))
        else:
            shared = [(learnt, case.name) for case in cases if (learnt := _learnt(one, case, digests))]
            if shared:
                learnt, tested = shared[0]
                called = f"{tested!r} in both" if learnt == tested else f"{tested!r}, in training {learnt!r}"
                raise InputError(
                    "models", "must be trained on other cases than they are tested on", Words(called),
                    "leave those cases out of one of both, or out in turn",
                )  # fmt: skip
        out[str(name)] = one
    return out


def _learnt(model: DceModel, case: DceCase, digests: Mapping[str, str]) -> str:
    """What training called these images, or "": by their content, and by name in models that do not know it."""
    for one in model.cases:
        if one.digest == digests[case.name] or (not one.digest and one.name == case.name):
            return one.name
    return ""


def _case_images(
    case: DceCase, models: Mapping[str, Any], images: Sequence[str], scale: SubtractionScale, smoothing: float,
    workers: int,
) -> CaseImages:  # fmt: skip
    inside: Bools = case.inside()
    lesions = case.lesions()
    gaps = case.series.place.spacing
    lowest = FLOOR * float(np.median(case.series.baseline[inside]))
    made: dict[str, Array] = {}
    for name, one in models.items():
        model = one[case.name] if isinstance(one, LeaveOneOut) else one
        made[name] = confidence_volume(model, case.series, inside, smoothing=smoothing, workers=workers).volume.array
    for name in images:
        image = subtraction(case.series, name, scale=scale, lowest=lowest)
        made[name] = smoothed(image, inside, gaps, smoothing)
    return CaseImages(name=case.name, images=made, inside=inside, lesions=lesions, place=case.series.place)
