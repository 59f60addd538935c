"""``roclab dce apply``: the confidence volume of a series."""

from __future__ import annotations

from typing import Any

import click

from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.dicom_objects import (
    check_dicom_objects,
    object_options,
    object_tables,
    write_dicom_objects,
)
from roclab.cli.shared.images import check_places, csv_option, figure_option, json_option, out_option, page_option
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
@option("--threshold", type=float, default=0.5, metavar="C", help="Confidence of suspicious regions.")
@option("--smallest", type=float, default=20.0, metavar="MM3", help="Volume of the smallest region.")
@workers_option
@out_option
@option("--dicom", "dicom", metavar="FOLDER", heading="Output", help="Write as a DICOM series into a new folder.")
@object_options
@page_option
@figure_option
@option("--figure", "picture", metavar="PATH", heading="Output", help="Draw the figure: .svg, .pdf or .png.")
@json_option
@csv_option
@quiet_option
@verbose_option
def apply(model: str, series: tuple[str, ...], **asked: Any) -> None:
    r"""Where may a lesion be? One confidence volume of a series.

    MODEL is a file of roclab dce train; the word "phantoms" trains one on small phantoms. SERIES is one DICOM folder
    with all phases, one file of four axes, or one file or folder for every frame in the order of time; the word
    "phantom" means a small one. Suspicious regions are listed with place, volume, confidence and type of curve. --out
    writes the confidence as NIfTI, MetaImage or NRRD, --figure draws curves, data space and a slice. Research use, not
    a medical device.

    \b
    Examples:
      roclab dce apply phantoms phantom -o confidence.nii.gz --overlay confidence.png
      roclab dce apply phantoms phantom --smoothing 3 --dicom confidence
    """
    import numpy as np

    import roclab as rl
    from roclab.analysis.image_files import check_dicom_place, write_dicom
    from roclab.cli.shared.output import Output

    check_places(
        model, asked["breast"], *series, images={"--out": asked["out"]}, overlay=asked["overlay"],
        tables={"--report": asked["viewer_page"], **object_tables(asked)},
    )  # fmt: skip
    check_dicom_objects(asked, series)
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
            known, held, mask=mask, smoothing=asked["smoothing"], threshold=asked["threshold"],
            smallest=asked["smallest"], workers=asked["workers"], progress=bar,
        )  # fmt: skip
    assert confidence.findings is not None
    labels = confidence.findings.labels
    notes = [*about]
    if confidence.findings.findings:
        notes += write_dicom_objects(asked, series[0], labels, None, confidence)
    if asked["out"] is not None:
        notes.append(f"written to {rl.imaging.write_volume(confidence.volume, asked['out'])}")
    if asked["dicom"] is not None:
        notes.append(
            f"DICOM series written to {write_dicom(confidence.volume, asked['dicom'], description='confidence')}"
        )
    if asked["viewer_page"] is not None:
        page = rl.imaging.write_viewer(held, asked["viewer_page"], confidence=confidence, title=_called(series[0]))
        notes.append(f"page written to {page}")
    if asked["overlay"] is not None:
        from roclab.plots.overlay import draw_montage, save_montage

        bright = float(np.quantile(held.baseline[confidence.mask.array], 0.995))
        outlines = {"mask": confidence.mask.array, "regions": labels.array > 0}
        window = (0.0, 1.3 * bright if bright > 0 else 1.0)
        figure = draw_montage(held.place, outlines, window=window, heat=confidence.volume.array,
                              slices=_slices(confidence))  # fmt: skip
        save_montage(figure, asked["overlay"], name="--overlay")
        notes.append(f"overlay written to {asked['overlay']}")
    if asked["picture"] is not None:
        rl.imaging.dce_figure(known, held, confidence=confidence).save(asked["picture"])
        notes.append(f"figure written to {asked['picture']}")
    shown.show(confidence, [*held.notes, *notes])


def _called(series: str) -> str:
    from roclab.analysis.image_files import name_of_image

    return name_of_image(series)


def _slices(confidence: Any) -> list[int]:
    """Six slices: those of the most suspicious regions first, then evenly over the mask."""
    import numpy as np

    inside = np.flatnonzero(confidence.mask.array.any(axis=(1, 2)))
    labels, found = confidence.findings.labels.array, confidence.findings.findings
    first = [int(np.argmax((labels == one.number).sum(axis=(1, 2)))) for one in found[:6]]
    spread = inside[np.linspace(0, len(inside) - 1, 8).round().astype(int)[1:-1]].tolist()
    return sorted(list(dict.fromkeys([*first, *spread]))[:6])
