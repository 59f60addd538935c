"""DCE-MRI series, cases and models on the command line; the word "phantom" means one that is made on the spot."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from roclab.cli.shared.command import option
from roclab.cli.shared.images import PHANTOM, numbers_of
from roclab.cli.shared.parsing import refuse
from roclab.cli.shared.wording import saying
from roclab.names import ANTERIORS, DCE_REGISTRATIONS

if TYPE_CHECKING:
    from roclab.results import DceCase, DceModel, DceSeries

__all__ = [
    "PHANTOMS",
    "anterior_option",
    "cases_of_word",
    "mask_asked",
    "model_of",
    "series_of",
    "series_options",
    "skin_option",
]

PHANTOMS = "phantoms"
_SMALL = (10, 48, 64)


anterior_option = option(
    "--anterior",
    type=click.Choice(ANTERIORS),
    heading="Data",
    help="Where the front of the body is in the stored image (default: by its header).",
)


skin_option = option("--skin", type=float, metavar="MM", heading="Data", help="Left out beside air (default 4).")


def mask_asked(series: DceSeries, asked: dict[str, Any]) -> tuple[Any, tuple[str, ...]]:
    """The mask of a file, or the breast that is found, and what is to be said of it."""
    import roclab as rl

    if asked["breast"] is not None:
        refuse("--breast says where to look", {"--anterior": asked["anterior"], "--skin": asked["skin"]})
        return asked["breast"], ()
    skin = {} if asked["skin"] is None else {"skin": asked["skin"]}
    found = rl.imaging.dce_mask(series, anterior=asked["anterior"], **skin)
    return found, found.notes


def series_options(command: Any) -> Any:
    """What is known of a series beside its frames."""
    for one in (
        option(
            "--register", "registration", is_flag=True, heading="Data", help="Bring frames together by translation."
        ),
        option(
            "--registration",
            "bending",
            type=click.Choice(DCE_REGISTRATIONS),
            heading="Data",
            help="Bring frames together so; bspline and demons bend them.",
        ),
        option("--arrival", type=float, metavar="S", heading="Data", help="When contrast agent arrived, in seconds."),
        option("--series", "chosen", metavar="UID", heading="Data", help="Which series of a folder, or its number."),
        option("--times", metavar="S,S,...", heading="Data", help="Seconds of every frame, where files know none."),
    ):
        command = one(command)
    return command


def series_of(files: tuple[str, ...], asked: dict[str, Any]) -> DceSeries:
    """The series of its files, or a small phantom, always the same."""
    import roclab as rl

    if files == (PHANTOM,) and not os.path.exists(PHANTOM):
        return rl.imaging.phantom_breast(size=_SMALL, lesions=[("malignant", 22.0), ("benign", 20.0)], rng=9).series
    words = {"times=(0, 60, 120)": "--times 0,60,120", "series": "--series"}
    words |= {name: f"--{name}" for name in ("times", "arrival")}
    with saying(words):
        return rl.imaging.dce_series(
            files[0] if len(files) == 1 else list(files),
            times=numbers_of(asked["times"], "times", float),
            arrival=asked["arrival"],
            series=asked["chosen"],
            registration=asked["bending"] or ("translation" if asked["registration"] else None),
        )


def cases_of_word(table: str, anterior: Any = None) -> list[DceCase]:
    """The cases of a table, or three small phantoms; their front where somebody says it."""
    if anterior is not None:
        return [replace(case, anterior=anterior) for case in cases_of_word(table)]
    import roclab as rl

    if table == PHANTOMS and not os.path.exists(table):
        return [rl.imaging.phantom_breast(size=_SMALL, rng=at).as_case(f"phantom {at}") for at in (1, 2, 3)]
    return rl.imaging.dce_cases(table)


def model_of(file: str) -> DceModel:
    """The model of a file, or one that is trained on the spot on the small phantoms."""
    import roclab as rl

    if file == PHANTOMS and not os.path.exists(file):
        return rl.imaging.dce_train(cases_of_word(PHANTOMS), classifier="logistic", rng=1)
    return rl.imaging.read_dce_model(file)
