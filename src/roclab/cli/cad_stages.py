"""``roclab cad stages``: every stage of a lung CAD, over several scans."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from roclab.cli.shared.cad_files import lesions_of
from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.images import PHANTOM, image_of
from roclab.cli.shared.options import level_option, output_options, seed_option
from roclab.cli.shared.progress import bar_unless_quiet
from roclab.cli.shared.wording import saying
from roclab.names import BENCH_BALANCES, CANDIDATE_METHODS

if TYPE_CHECKING:
    from roclab.cli.shared.output import Output


@click.command(cls=Command)
@file_argument("annotations", metavar="ANNOTATIONS")
@file_argument("scans", metavar="SCAN...", nargs=-1, required=True)
@option("--method", type=click.Choice(CANDIDATE_METHODS), default="dots", help="How regions are found.")
@option("--model", "models", metavar="NAME", multiple=True, help="Classifier; repeatable (default: three of them).")
@option("--balance", type=click.Choice(BENCH_BALANCES), multiple=True, help="Negatives to train on; repeatable.")
@option("--folds", "parts", type=int, default=5, metavar="K", help="Parts of the scans, each tested once.")
@option("--reports", "folder", metavar="FOLDER", heading="Output", help="Write a page for every stage there.")
@level_option
@seed_option
@option("--replicates", type=int, default=2000, metavar="N", heading="Resampling", help="Resampled sets of cases.")
@output_options
def stages(annotations: str, scans: tuple[str, ...], output: Output, **asked: Any) -> None:
    r"""How good is each stage of a lung CAD? ROC, tROC and FROC of each.

    ANNOTATIONS are the nodules, in the columns of LUNA16 (seriesuid, coordX, coordY, coordZ, diameter_mm) and where it
    is known malignant, 1 or 0; each SCAN is a file or folder with a CT, whose name without its ending is its seriesuid.
    Regions are told apart by one feature, nodules from vessels by classifiers tested on other scans, and malignant
    nodules always beside the diameter alone. Research use, not a medical device.

    The word "phantom" means a small chest phantom, and its nodules.

    \b
    Examples:
      roclab cad stages phantom phantom --replicates 50
    """
    import roclab as rl

    output.spare(*(one for one in (annotations, *scans) if one != PHANTOM))
    if asked["folder"] is not None:
        from roclab.analysis.cad_results import check_folder

        check_folder(asked["folder"], name="--reports")
    found = []
    words = {
        "lesions": "ANNOTATIONS",
        "regions": "SCAN",
        "models": "--model",
        "balance": "--balance",
        "folds": "--folds",
    }
    with saying(words), bar_unless_quiet("searching") as bar:
        for file in scans:
            volume, name = image_of(file)
            found.append(rl.imaging.nodules(volume, scan=name, method=asked["method"]))
            if bar is not None:
                bar(len(found), len(scans))
        models: dict[str, Any] = {"models": list(asked["models"])} if asked["models"] else {}
        result = rl.imaging.cad_stages(
            found, lesions_of(annotations), **models,
            balance=list(asked["balance"]) or "none", folds=asked["parts"], level=asked["level"],
            resampling=asked["replicates"], rng=asked["seed"] or 0,
        )  # fmt: skip
        notes = []
        if asked["folder"] is not None:
            places = result.write_reports(asked["folder"], level=asked["level"], rng=asked["seed"] or 0)
            notes = [f"reports: {', '.join(map(str, places))}"]
    output.show(result, notes)
