"""``roclab nodules``: regions of interest in the lungs."""

from __future__ import annotations

from typing import Any, Literal

import click

from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.data import table_of_file
from roclab.cli.shared.images import (
    beta_of,
    check_places,
    csv_option,
    figure_option,
    image_of,
    json_option,
    lungs_of,
    lungs_options,
    out_option,
    series_option,
)
from roclab.cli.shared.options import quiet_option, verbose_option
from roclab.cli.shared.progress import bar_unless_quiet
from roclab.cli.shared.wording import saying
from roclab.errors import InputError
from roclab.names import CANDIDATE_METHODS


@click.command(cls=Command)
@file_argument()
@lungs_options
@option("--marks", "candidates", metavar="FILE", heading="Data", help="Marks of another program, to be measured.")
@option("--method", type=click.Choice(CANDIDATE_METHODS), help="Dots (default), or what is dense (with --marks).")
@option("--response", type=float, metavar="HU", help="Of dots: the least that counts (default: 8).")
@option("--most", type=int, metavar="N", help="Of dots: how many are kept (default: 150).")
@option("--threshold", type=float, metavar="HU", help="Above which it is dense (default: -600).")
@option("--beta", metavar="B", help="With --method rfcm: weight of neighbours, a number, auto or cross-validation.")
@option("--ground-glass", metavar="HU", help="Lower threshold of hazy patches (default: -740), or none.")
@option("--smallest", type=float, default=3.0, metavar="MM", help="Diameter of the smallest region.")
@option("--largest", type=float, default=40.0, metavar="MM", help="Diameter of the largest region.")
@option("--necks", type=float, metavar="MM", help="Depth of a neck at which dense regions are cut (default: 0.6).")
@option("--rim", type=float, metavar="MM", help="Depth of the edge of the lung, which is dropped (default: by method).")
@option("--score-by", "feature", metavar="FEATURE", help="Feature that scores the marks (default: by method).")
@series_option
@out_option
@option("--regions", metavar="PATH", heading="Output", help="Write the regions as an image.")
@figure_option
@json_option
@csv_option
@quiet_option
@verbose_option
def nodules(file: str, **asked: Any) -> None:
    r"""What in the lungs may be a nodule? Regions of interest and their features.

    FILE is a folder with a DICOM series, or .nii, .nii.gz, .mha, .mhd, .nrrd, .npy; the word "phantom" means a small
    chest phantom. --out writes marks in the columns of LUNA16, which roclab froc reads; --csv prints all features, from
    which roclab bench learns. The score of a mark is a feature and no probability; roclab cad apply gives one. Research
    use, not a medical device.

    \b
    Examples:
      roclab nodules phantom -o candidates.csv
      roclab nodules phantom --method rfcm --smallest 5 --overlay regions.png
    """
    import roclab as rl
    from roclab._core.whole_file import write_whole
    from roclab.cli.shared.output import Output

    check_places(
        file, asked["mask"], asked["candidates"], images={"--regions": asked["regions"]},
        tables={"--out": asked["out"]}, overlay=asked["overlay"],
    )  # fmt: skip
    shown = Output(as_json=asked["as_json"], as_csv=asked["as_csv"], out=None)
    volume, name = image_of(file, asked["series"])
    mask = lungs_of(asked)
    words = {
        "volume": "FILE",
        "lungs": "--lungs",
        "score": "--score-by",
        "ground_glass": "--ground-glass",
        "marks": "--marks",
        **{name: f"--{name}" for name in ("method", "response", "most", "threshold", "beta", "necks", "rim")},
    }
    table = None if asked["candidates"] is None else table_of_file(asked["candidates"])
    with bar_unless_quiet("searching") as bar, saying(words):
        lungs = rl.imaging.segment_lungs(volume, progress=bar) if mask is None else mask
        found = rl.imaging.nodules(
            volume, lungs=lungs, scan=name, marks=table, method=asked["method"], response=asked["response"],
            most=asked["most"], threshold=asked["threshold"], ground_glass=_haze(asked["ground_glass"]),
            beta=None if asked["beta"] is None else beta_of(asked["beta"]), smallest=asked["smallest"],
            largest=asked["largest"], necks=asked["necks"], rim=asked["rim"], score=asked["feature"], progress=bar,
        )  # fmt: skip
    notes = []
    if asked["out"] is not None:
        write_whole(asked["out"], found.marks_csv(), name="--out")
        notes.append(f"marks written to {asked['out']}")
    if asked["regions"] is not None:
        notes.append(f"regions written to {rl.imaging.write_volume(found.labels, asked['regions'])}")
    if asked["overlay"] is not None:
        from roclab.plots.overlay import draw_montage, save_montage

        inside = lungs.labels.array if isinstance(lungs, rl.results.Lungs) else lungs.array
        outlines = {"lungs": inside > 0, "regions": found.labels.array > 0}
        save_montage(draw_montage(volume, outlines), asked["overlay"], name="--overlay")
        notes.append(f"overlay written to {asked['overlay']}")
    shown.show(found, notes)


def _haze(text: str | None) -> float | Literal["usual"] | None:
    if text is None:
        return "usual"
    if text == "none":
        return None
    try:
        return float(text)
    except ValueError:
        raise InputError("--ground-glass", "must be a number of HU or 'none'", text) from None
