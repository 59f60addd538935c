"""``roclab cad train``: a lung CAD from scans of which the nodules are known."""

from __future__ import annotations

from typing import Any

import click

from roclab.cli.shared.cad_files import lesions_of, scans_of
from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.images import check_places, csv_option, json_option, out_option
from roclab.cli.shared.options import level_option, quiet_option, seed_option, verbose_option
from roclab.cli.shared.progress import bar_unless_quiet
from roclab.cli.shared.wording import saying
from roclab.names import BENCH_BALANCES, CAD_CLASSIFIERS, CAD_COMBINATIONS


@click.command(cls=Command)
@file_argument("annotations", metavar="ANNOTATIONS")
@file_argument("scans", metavar="SCANS...", nargs=-1, required=True)
@option("--classifier", type=click.Choice(CAD_CLASSIFIERS), multiple=True, help="Repeatable (default: boosting).")
@option("--balance", type=click.Choice(BENCH_BALANCES), multiple=True, help="Negatives to train on; repeatable.")
@option("--combination", type=click.Choice(CAD_COMBINATIONS), help="Of several classifiers (default: mean).")
@option("--response", type=float, default=8.0, metavar="HU", help="Least response of a dot that is a region.")
@option("--most", type=int, default=150, metavar="N", help="Regions of a scan at most.")
@option("--false-positives", type=float, metavar="N", help="Operating point: per scan at most (default: 1).")
@option("--sensitivity", type=float, metavar="S", help="Operating point: this sensitivity at least.")
@option("--cost", type=float, metavar="C", help="Operating point: a missed nodule costs C false positives.")
@option("--folds", "parts", type=int, default=5, metavar="K", help="Parts of the scans, each tested once.")
@level_option
@seed_option
@out_option
@json_option
@csv_option
@quiet_option
@verbose_option
def train(annotations: str, scans: tuple[str, ...], **asked: Any) -> None:
    r"""What do nodules look like? Train a CAD on scans with known ones.

    ANNOTATIONS are the nodules, in the columns of LUNA16 (seriesuid, coordX, coordY, coordZ, diameter_mm) and where it
    is known malignant, 1 or 0; SCANS are files or folders with CTs, whose names without endings are their seriesuids.
    Calibration, operating point and all figures come from scans that the classifiers had not seen. --out writes the CAD
    as plain arrays. The word "phantoms" means six small phantoms, and their nodules. Research use, not a medical
    device.

    \b
    Examples:
      roclab cad train phantoms phantoms -o lung.cad --folds 3
      roclab cad train phantoms phantoms --classifier logistic --folds 2 --sensitivity 0.8
    """
    import roclab as rl
    from roclab.cli.shared.output import Output

    check_places(*_files(annotations, *scans), tables={"--out": asked["out"]})
    shown = Output(as_json=asked["as_json"], as_csv=asked["as_csv"], out=None)
    words = {
        "lesions": "ANNOTATIONS", "scans": "SCANS", "scan": "SCANS", "path": "SCANS", "folds": "--folds",
        **{name: f"--{name}" for name in ("balance", "combination", "response", "most", "sensitivity", "cost")},
        "false_positives": "--false-positives",
    }  # fmt: skip
    with bar_unless_quiet("training") as bar, saying(words):
        cad = rl.imaging.cad_train(
            lesions_of(annotations), scans_of(scans), classifier=list(asked["classifier"]) or "boosting",
            balance=list(asked["balance"]) or "none", combination=asked["combination"], response=asked["response"],
            most=asked["most"], false_positives=asked["false_positives"], sensitivity=asked["sensitivity"],
            cost=asked["cost"], folds=asked["parts"], level=asked["level"], rng=asked["seed"] or 0, progress=bar,
        )  # fmt: skip
    notes = [] if asked["out"] is None else [f"written to {rl.imaging.write_cad_model(cad, asked['out'])}"]
    shown.show(cad, notes)


def _files(*given: str) -> list[str]:
    """What is read; the folder of a DICOM series is no file that could be overwritten."""
    return [one for one in given if one not in ("phantom", "phantoms")]
