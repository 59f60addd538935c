"""``roclab dce montage``: subtraction images side by side."""

from __future__ import annotations

from typing import Any

import click

from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.images import check_places, csv_option, json_option, numbers_of, out_option
from roclab.cli.shared.options import quiet_option, verbose_option
from roclab.cli.shared.series import anterior_option, mask_asked, model_of, series_of, series_options, skin_option
from roclab.cli.shared.wording import saying
from roclab.names import SUBTRACTION_SCALES


@click.command(cls=Command)
@file_argument("series", metavar="SERIES...", nargs=-1, required=True)
@series_options
@option("--breast", "breast", metavar="FILE", heading="Data", help="Mask of the breast, by any program.")
@anterior_option
@skin_option
@option("--images", metavar="NAME,...", default="early,late,wash_out,maximum",
        help='Which; 3-0 is frame 3 less frame 0, and "pairs" every pair.')  # fmt: skip
@option("--scale", type=click.Choice(SUBTRACTION_SCALES), default="relative", help="Of subtraction images.")
@option("--slices", metavar="N|N,N", default="4", help="How many, or which, from 0.")
@option("--window", metavar="LOW,HIGH", help="Of all images (default: 0 to the highest 99.5th percentile).")
@option("--smoothing", type=float, default=0.0, metavar="MM", help="Gaussian on all images alike.")
@option("--with-model", "model", metavar="FILE", help="Show its confidence in a last row.")
@out_option
@json_option
@csv_option
@quiet_option
@verbose_option
def montage(series: tuple[str, ...], **asked: Any) -> None:
    r"""What do the subtraction images show? Slices with a common window.

    SERIES is one file of four axes, or one file or DICOM folder for every frame in the order of time; the word
    "phantom" means a small one. --out draws a row for every image and a column for every slice: .png, .pdf or .svg.

    \b
    Examples:
      roclab dce montage phantom -o montage.png
      roclab dce montage phantom --images pairs --slices 5 --with-model phantoms -o pairs.png
    """
    import roclab as rl
    from roclab.cli.shared.output import Output

    if asked["out"] is not None:
        from roclab._core.figure_file import check_figure_place

        check_figure_place(asked["out"], name="--out")
    check_places(*series, tables={"--out": asked["out"]})
    shown = Output(as_json=asked["as_json"], as_csv=asked["as_csv"], out=None)
    words = {"frames": "SERIES", "series": "SERIES", "mask": "--breast", "name": "--images", "path": "--with-model"}
    with saying(words):
        held = series_of(series, asked)
        mask, about = mask_asked(held, asked)
        seen = None
        if asked["model"] is not None:
            seen = rl.imaging.dce_apply(model_of(asked["model"]), held, mask=mask, smoothing=asked["smoothing"])
        which = numbers_of(asked["slices"], "slices", int) or ()
        found = rl.imaging.dce_montage(
            held, images=[one for one in asked["images"].split(",") if one],
            slices=which[0] if len(which) == 1 else which, scale=asked["scale"],
            window=numbers_of(asked["window"], "window", float),
            smoothing=asked["smoothing"], mask=mask, confidence=seen,
        )  # fmt: skip
    notes = [*held.notes, *about]
    if asked["out"] is not None:
        found.save(asked["out"])
        notes.append(f"written to {asked['out']}")
    shown.show(found, notes)
