"""DCE-MRI series, cases and models on the command line; the word "phantom" means one that is made on the spot."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from roclab.cli.shared.command import option
from roclab.cli.shared.images import PHANTOM, numbers_of

if TYPE_CHECKING:
    from roclab.results import DceCase, DceModel, DceSeries

__all__ = ["PHANTOMS", "cases_of_word", "model_of", "series_of", "series_options"]

PHANTOMS = "phantoms"
_SMALL = (10, 48, 64)


def series_options(command: Any) -> Any:
    """What is known of a series beside its frames."""
    for one in (
        option(
            "--register", "registration", is_flag=True, heading="Data", help="Bring frames together by translation."
        ),
        option("--arrival", type=float, metavar="S", heading="Data", help="When contrast agent arrived, in seconds."),
        option("--times", metavar="S,S,...", heading="Data", help="Seconds of every frame, where files know none."),
    ):
        command = one(command)
    return command


def series_of(files: tuple[str, ...], asked: dict[str, Any]) -> DceSeries:
    """The series of its files, or a small phantom, always the same."""
    import roclab as rl

    if files == (PHANTOM,) and not os.path.exists(PHANTOM):
        return rl.imaging.phantom_breast(size=_SMALL, lesions=[("malignant", 22.0), ("benign", 20.0)], rng=9).series
    return rl.imaging.dce_series(
        files[0] if len(files) == 1 and not os.path.isdir(files[0]) else list(files),
        times=numbers_of(asked["times"], "times", float),
        arrival=asked["arrival"],
        registration="translation" if asked["registration"] else None,
    )


def cases_of_word(table: str) -> list[DceCase]:
    """The cases of a table, or three small phantoms."""
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
