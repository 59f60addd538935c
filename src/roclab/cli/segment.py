"""``roclab segment``: lungs, or classes of pixels."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.dicom_objects import (
    check_dicom_objects,
    object_tables,
    regions_options,
    write_dicom_objects,
)
from roclab.cli.shared.images import (
    beta_of,
    check_places,
    csv_option,
    figure_option,
    image_of,
    json_option,
    layers_of,
    layers_option,
    numbers_of,
    out_option,
    page_option,
    series_option,
)
from roclab.cli.shared.options import quiet_option, verbose_option
from roclab.cli.shared.progress import bar_unless_quiet
from roclab.errors import InputError, Words
from roclab.names import CLUSTER_PRESETS, CLUSTER_UPDATES, LUNG_PROGRAMS, PIXEL_METHODS

if TYPE_CHECKING:
    from roclab.results import Result


@click.command(cls=Command)
@file_argument()
@option("--classes", "clusters", type=int, metavar="N", help="Classes of robust fuzzy c-means, instead of lungs.")
@option("--method", type=click.Choice(PIXEL_METHODS), help="With --classes: rfcm (default), or fcm without neighbours.")
@option("--preset", type=click.Choice(CLUSTER_PRESETS), help="With --classes: modern (default), or as in the thesis.")
@option("--window", metavar="LOW,HIGH", help="With --classes: cluster these values as grey levels from 0 to 255.")
@option("--beta", metavar="B", help="With --classes: weight of neighbours, a number, auto or cross-validation.")
@option("--radius", metavar="L", help="With --classes: of the neighbourhood, one number or z,y,x.")
@option("--update", type=click.Choice(CLUSTER_UPDATES), help="With --classes: how pixels are updated.")
@option("--mask", "inside", metavar="FILE", heading="Data", help="With --classes: cluster only here.")
@option(
    "--mask-by", "mask_program", type=click.Choice(LUNG_PROGRAMS), heading="Data",
    help="Whose labels of lungs --mask has, if it is no plain mask.",
)  # fmt: skip
@option("--closing", type=float, default=10.0, metavar="MM", help="Ball by which each lung is closed.")
@option("--threshold", type=float, metavar="HU", help="Between air and tissue (default: isodata).")
@option("--smallest", type=float, metavar="ML", help="Air that a lung has at least (default: 20, less in one slice).")
@option("--history", metavar="PATH", heading="Output", help="With --classes: draw the objective step by step.")
@option("--matched", metavar="PATH", heading="Output", help="With --classes: draw them beside those of plain fcm.")
@series_option
@out_option
@regions_options
@option("--memberships", metavar="FOLDER", heading="Output", help="With --classes: an image of each membership.")
@page_option
@layers_option
@figure_option
@json_option
@csv_option
@quiet_option
@verbose_option
def segment(file: str, **asked: Any) -> None:
    r"""Where are the lungs in a CT, or what classes has an image?

    FILE is a folder with a DICOM series, or .nii, .nii.gz, .mha, .mhd, .nrrd, .npy; the word "phantom" means a small
    chest phantom. --out writes an image in the same geometry: 1 the right lung and 2 the left, or classes from 1, and 0
    elsewhere. Research use, not a medical device.

    \b
    Examples:
      roclab segment phantom --out lungs.nii.gz --overlay lungs.png
      roclab segment phantom --classes 3 --out classes.nii.gz
      roclab segment phantom --classes 4 --window -1024,1000 --beta 100 --history history.png
    """
    import numpy as np

    import roclab as rl
    from roclab.cli.shared.output import Output

    check_places(
        file,
        asked["inside"],
        images={"--out": asked["out"]},
        overlay=asked["overlay"],
        figures={"--history": asked["history"], "--matched": asked["matched"]},
        tables={"--report": asked["viewer_page"], **object_tables(asked)},
    )
    check_dicom_objects(asked, (file,))
    settings = _settings(asked)
    shown = Output(as_json=asked["as_json"], as_csv=asked["as_csv"], out=None)
    layers = layers_of(asked, asked["viewer_page"])
    volume, name = image_of(file, asked["series"])
    result: Result
    clustered: rl.results.RobustClusters | None = None
    with bar_unless_quiet("segmenting") as bar:
        if asked["clusters"] is None:
            lungs = rl.imaging.segment_lungs(
                volume, closing=asked["closing"], threshold=asked["threshold"], smallest=asked["smallest"],
                progress=bar,
            )  # fmt: skip
            result, labels = lungs, lungs.labels.array
            names = {"right lung": 1, "left lung": 2}
        else:
            classes = rl.imaging.segment(volume, classes=asked["clusters"], progress=bar, **settings)
            assert isinstance(classes, rl.results.RobustClusters)
            clustered = classes
            result, labels = classes, (classes.labels + 1).astype(np.uint8)
            names = {f"class {at}": at for at in range(1, asked["clusters"] + 1)}
    notes = []
    if asked["out"] is not None:
        notes.append(f"written to {rl.imaging.write_volume(volume.with_array(labels), asked['out'])}")
    held = {name: at for name, at in names.items() if (labels == at).any()}
    notes += write_dicom_objects(asked, file, volume.with_array(labels), held)
    if asked["memberships"] is not None and clustered is not None:
        saved = rl.imaging.write_clusters(clustered, asked["memberships"], volume, name="--memberships")
        notes.append(f"memberships written to {saved}")
    if asked["viewer_page"] is not None:
        over = {"lungs": volume.with_array(labels)} if clustered is None else {"classes": clustered}
        page = rl.imaging.write_viewer(volume, asked["viewer_page"], layers={**over, **(layers or {})}, title=name)
        notes.append(f"page written to {page}")
    if asked["overlay"] is not None:
        from roclab.plots.overlay import draw_montage, save_montage

        outlines = {name: labels == at for name, at in names.items()}
        save_montage(draw_montage(volume, outlines), asked["overlay"], name="--overlay")
        notes.append(f"overlay written to {asked['overlay']}")
    if asked["history"] is not None and clustered is not None:
        from roclab.plots import draw_objective, new_axes, save_figure

        save_figure(draw_objective({"J": clustered}, new_axes(ratio=0.7)), asked["history"])
        notes.append(f"history written to {asked['history']}")
    if asked["matched"] is not None and clustered is not None:
        notes.append(_draw_matched(volume, clustered, asked, settings))
    shown.show(result, notes)


def _draw_matched(volume: Any, found: Any, asked: dict[str, Any], settings: dict[str, Any]) -> str:
    """The classes beside those of plain fuzzy c-means, pair by pair, in the middle slice."""
    import roclab as rl
    from roclab.plots import draw_matched, new_axes, save_figure

    if asked["method"] == "fcm":
        raise InputError("--matched", "compares rfcm with plain fcm", Words("--method fcm"), "leave --method out")
    rest = {name: value for name, value in settings.items() if name not in ("method", "beta", "radius", "update")}
    plain: Any = rl.imaging.segment(volume, classes=asked["clusters"], method="fcm", **rest)
    both = rl.imaging.match_clusters(found, plain, names=("rfcm", "fcm"))
    axes = new_axes(ratio=0.25 * asked["clusters"] + 0.15)
    save_figure(draw_matched(both, axes, image=volume.array, plane=volume.shape[0] // 2), asked["matched"])
    return f"matched classes written to {asked['matched']}; both agree in {100 * both.agreement:.1f}% of the pixels"


_OF_CLASSES = (
    "method",
    "preset",
    "window",
    "beta",
    "radius",
    "update",
    "inside",
    "history",
    "memberships",
    "matched",
    "mask_program",
)

_FLAGS = {"inside": "--mask", "mask_program": "--mask-by"}


def _lungs_by(place: str, program: Any) -> Any:
    """The lungs in another program's labels."""
    import roclab as rl
    from roclab.cli.shared.wording import saying

    with saying({"path": "--mask", "program": "--mask-by"}):
        return rl.imaging.read_lungs(place, program=program)


def _settings(asked: dict[str, Any]) -> dict[str, Any]:
    """What the clustering is told; refused where lungs are asked for."""
    given = {name: asked[name] for name in _OF_CLASSES if asked[name] is not None}
    if asked["clusters"] is None and given:
        raise InputError(
            _FLAGS.get(next(iter(given)), f"--{next(iter(given))}"),
            "is for classes of pixels",
            Words("lungs"),
            "say how many: --classes 4",
        )
    given.pop("history", None)
    given.pop("memberships", None)
    given.pop("matched", None)
    program = given.pop("mask_program", None)
    if "inside" in given:
        given["mask"] = given.pop("inside")
        if program is not None or os.path.isdir(given["mask"]):
            given["mask"] = _lungs_by(given["mask"], program)
    elif program is not None:
        raise InputError("--mask-by", "is for the labels of --mask", Words("no --mask"), "name the file")
    if "window" in given:
        given["window"] = numbers_of(given["window"], "window", float)
    if "radius" in given:
        radius = numbers_of(given["radius"], "radius", int) or ()
        given["radius"] = radius[0] if len(radius) == 1 else radius
    if "beta" in given:
        given["beta"] = beta_of(given["beta"])
    return given
