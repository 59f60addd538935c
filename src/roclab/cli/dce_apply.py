"""``roclab dce apply``: the confidence volume of a series."""

from __future__ import annotations

from typing import Any

import click

from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.images import check_places, csv_option, figure_option, json_option, out_option
from roclab.cli.shared.options import quiet_option, verbose_option, workers_option
from roclab.cli.shared.progress import bar_unless_quiet
from roclab.cli.shared.series import anterior_option, mask_asked, model_of, series_of, series_options, skin_option
from roclab.cli.shared.wording import saying


@click.command(cls=Command)
@file_argument("model", metavar="MODEL")
@file_argument("series", metavar="SERIES...", nargs=-1, required=True)
@series_options
@option("--breast", "breast", metavar="FILE", heading="Data", help="Mask of the breast, by any program.")
@anterior_option
@skin_option
@option("--smoothing", type=float, default=0.0, metavar="MM", help="Gaussian within the mask.")
@workers_option
@out_option
@option("--dicom", "dicom", metavar="FOLDER", heading="Output", help="Write as a DICOM series into a new folder.")
@figure_option
@option("--figure", "picture", metavar="PATH", heading="Output", help="Draw the figure: .svg, .pdf or .png.")
@json_option
@csv_option
@quiet_option
@verbose_option
def apply(model: str, series: tuple[str, ...], **asked: Any) -> None:
    r"""Where may a lesion be? One confidence volume of a series.

    MODEL is a file of roclab dce train; the word "phantoms" trains one on small phantoms. SERIES is one file of four
    axes, or one file or DICOM folder for every frame in the order of time; the word "phantom" means a small one. --out
    writes NIfTI, MetaImage or NRRD in the same geometry, --figure draws curves, data space and a slice. Research use,
    not a medical device.

    \b
    Examples:
      roclab dce apply phantoms phantom -o confidence.nii.gz --overlay confidence.png
      roclab dce apply phantoms phantom --smoothing 3 --dicom confidence
    """
    import roclab as rl
    from roclab.analysis.image_files import check_dicom_place, write_dicom
    from roclab.cli.shared.output import Output

    check_places(model, asked["breast"], *series, images={"--out": asked["out"]}, overlay=asked["overlay"])
    if asked["dicom"] is not None:
        check_dicom_place(asked["dicom"], name="--dicom")
    if asked["picture"] is not None:
        from roclab._core.figure_file import check_figure_place

        check_figure_place(asked["picture"], name="--figure")
    shown = Output(as_json=asked["as_json"], as_csv=asked["as_csv"], out=None)
    words = {"model": "MODEL", "frames": "SERIES", "series": "SERIES", "mask": "--breast", "path": "MODEL"}
    with bar_unless_quiet("mapping") as bar, saying(words):
        known = model_of(model)
        held = series_of(series, asked)
        mask, about = mask_asked(held, asked)
        confidence = rl.imaging.dce_apply(
            known, held, mask=mask, smoothing=asked["smoothing"], workers=asked["workers"], progress=bar
        )
    notes = [*about]
    if asked["out"] is not None:
        notes.append(f"written to {rl.imaging.write_volume(confidence.volume, asked['out'])}")
    if asked["dicom"] is not None:
        notes.append(
            f"DICOM series written to {write_dicom(confidence.volume, asked['dicom'], description='confidence')}"
        )
    if asked["overlay"] is not None:
        from roclab.plots.overlay import draw_montage, save_montage

        figure = draw_montage(confidence.volume, {"mask": confidence.mask.array}, window=(0.0, 1.0))
        save_montage(figure, asked["overlay"], name="--overlay")
        notes.append(f"overlay written to {asked['overlay']}")
    if asked["picture"] is not None:
        rl.imaging.dce_figure(known, held, confidence=confidence).save(asked["picture"])
        notes.append(f"figure written to {asked['picture']}")
    shown.show(confidence, [*held.notes, *notes])
