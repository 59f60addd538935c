"""``roclab phantom``: a chest CT of which the truth is known."""

from __future__ import annotations

from typing import Any

import click

from roclab.cli.shared.command import Command, option
from roclab.cli.shared.images import check_places, csv_option, figure_option, json_option, numbers_of
from roclab.cli.shared.options import quiet_option, seed_option, verbose_option
from roclab.cli.shared.progress import bar_unless_quiet


@click.command(cls=Command)
@click.argument("place", metavar="OUT")
@option("--size", metavar="Z,Y,X", default="64,256,256", help="Voxels.")
@option("--spacing", metavar="Z,Y,X", help="Their size in mm (default: 2.5 mm slices, 360 mm wide).")
@option("--nodules", type=int, default=12, metavar="N", help="How many, of every kind in turn.")
@option("--diameters", metavar="MM,MM", default="4,20", help="Smallest and largest diameter.")
@option("--noise", type=float, default=30.0, metavar="HU", help="Standard deviation of the noise.")
@seed_option
@option("--lungs", metavar="PATH", heading="Output", help="Write the true lungs: 1 right, 2 left.")
@option("--labels", "tissues", metavar="PATH", heading="Output", help="Write the true tissues; nodules from 100 on.")
@option("--annotations", metavar="PATH", heading="Output", help="Write the nodules as froc reads them.")
@option("--dicom", "dicom", metavar="FOLDER", heading="Output", help="Write as a DICOM series into a new folder.")
@figure_option
@json_option
@csv_option
@quiet_option
@verbose_option
def phantom(place: str, **asked: Any) -> None:
    r"""Make a chest CT with known lungs and nodules, to try things on.

    OUT ends in .nii, .nii.gz, .mha or .nrrd. Phantoms show that steps work; they are not clinical performance.

    \b
    Examples:
      roclab phantom small.nii.gz --size 16,64,64
      roclab phantom chest.nii.gz --size 24,128,128 --seed 1 --annotations nodules.csv
    """
    import roclab as rl
    from roclab._core.text import csv_text
    from roclab._core.whole_file import write_whole
    from roclab.analysis.image_files import check_dicom_place, name_of_image, write_dicom
    from roclab.cli.shared.output import Output

    check_places(
        images={"OUT": place, "--lungs": asked["lungs"], "--labels": asked["tissues"]},
        tables={"--annotations": asked["annotations"]},
        overlay=asked["overlay"],
    )
    if asked["dicom"] is not None:
        check_dicom_place(asked["dicom"], name="--dicom")
    shown = Output(as_json=asked["as_json"], as_csv=asked["as_csv"], out=None)
    with bar_unless_quiet("making") as bar:
        made = rl.imaging.phantom_chest(
            size=numbers_of(asked["size"], "size", int) or (),
            spacing=numbers_of(asked["spacing"], "spacing", float),
            nodules=asked["nodules"],
            diameters=numbers_of(asked["diameters"], "diameters", float) or (),
            noise=asked["noise"],
            rng=asked["seed"],
            progress=bar,
        )
    written = [rl.imaging.write_volume(made.volume, place)]
    for name, volume in (("lungs", made.lungs), ("tissues", made.labels)):
        if asked[name] is not None:
            written.append(rl.imaging.write_volume(volume, asked[name]))
    if asked["dicom"] is not None:
        written.append(write_dicom(made.volume, asked["dicom"], description="phantom"))
    if asked["annotations"] is not None:
        write_whole(asked["annotations"], csv_text(made.annotations(name_of_image(written[0]))), name="--annotations")
        written.append(asked["annotations"])
    if asked["overlay"] is not None:
        from roclab.plots.overlay import draw_montage, save_montage

        outlines = {"right lung": made.lungs.array == 1, "left lung": made.lungs.array == 2,
                    "nodules": made.labels.array >= 100}  # fmt: skip
        save_montage(draw_montage(made.volume, outlines), asked["overlay"], name="--overlay")
        written.append(asked["overlay"])
    shown.show(made, [f"written to {', '.join(map(str, written))}"])
