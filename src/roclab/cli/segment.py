"""``roclab segment``: lungs, or classes of pixels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from roclab.cli.shared.images import check_places, csv_option, figure_option, image_of, json_option, out_option
from roclab.cli.shared.options import Command, file_argument, option, quiet_option, verbose_option
from roclab.cli.shared.progress import bar_unless_quiet
from roclab.cli.shared.wording import saying

if TYPE_CHECKING:
    from roclab.results import Result


@click.command(cls=Command)
@file_argument()
@option("--classes", "clusters", type=int, metavar="N", help="Classes of robust fuzzy c-means, instead of lungs.")
@option("--beta", metavar="B", default="auto", help="With --classes: weight of neighbours (default: by the noise).")
@option("--closing", type=float, default=10.0, metavar="MM", help="Ball by which each lung is closed.")
@option("--threshold", type=float, metavar="HU", help="Between air and tissue (default: isodata).")
@option("--smallest", type=float, default=20.0, metavar="ML", help="Air that a lung has at least.")
@out_option
@figure_option
@json_option
@csv_option
@quiet_option
@verbose_option
def segment(file: str, **asked: Any) -> None:
    r"""Where are the lungs in a CT, or what classes has an image?

    FILE is a folder with a DICOM series, or .nii, .nii.gz, .mha, .mhd, .nrrd, .npy; the word "phantom" means a small
    chest phantom. --out writes an image in the same geometry: 1 the right lung and 2 the left, or classes from 1.
    Research use, not a medical device.

    \b
    Examples:
      roclab segment phantom --out lungs.nii.gz --overlay lungs.png
      roclab segment phantom --classes 3 --out classes.nii.gz
    """
    import numpy as np

    import roclab as rl
    from roclab.cli.shared.output import Output

    check_places(file, images={"--out": asked["out"]}, overlay=asked["overlay"])
    shown = Output(as_json=asked["as_json"], as_csv=asked["as_csv"], out=None)
    volume, _ = image_of(file)
    result: Result
    with bar_unless_quiet("segmenting") as bar, saying({"volume": "FILE", "image": "FILE", "clusters": "--classes"}):
        if asked["clusters"] is None:
            lungs = rl.segment_lungs(
                volume, closing=asked["closing"], threshold=asked["threshold"], smallest=asked["smallest"],
                progress=bar,
            )  # fmt: skip
            result, labels = lungs, lungs.labels.array
            names = {"right lung": 1, "left lung": 2}
        else:
            from roclab.fuzzy.robust import robust_cmeans
            from roclab.imaging.volumes import clipped_to_air

            classes = robust_cmeans(
                clipped_to_air(volume).array, asked["clusters"], beta=_beta(asked["beta"]), progress=bar
            )
            result, labels = classes, (classes.labels + 1).astype(np.uint8)
            names = {f"class {at}": at for at in range(1, asked["clusters"] + 1)}
    notes = []
    if asked["out"] is not None:
        notes.append(f"written to {rl.write_volume(volume.with_array(labels), asked['out'])}")
    if asked["overlay"] is not None:
        from roclab.plots.overlay import draw_montage, save_montage

        outlines = {name: labels == at for name, at in names.items()}
        save_montage(draw_montage(volume, outlines), asked["overlay"], name="--overlay")
        notes.append(f"overlay written to {asked['overlay']}")
    shown.show(result, notes)


def _beta(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text
