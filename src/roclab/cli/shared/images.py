"""Images on the command line: files, or the word for a phantom that is made on the spot."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from roclab.cli.shared.command import option
from roclab.cli.shared.wording import saying
from roclab.errors import FileError, InputError, Words
from roclab.names import LUNG_PROGRAMS

if TYPE_CHECKING:
    from roclab.imaging.phantoms.chest import ChestPhantom
    from roclab.imaging.volumes import Volume

__all__ = [
    "PHANTOM",
    "beta_of",
    "check_places",
    "csv_option",
    "figure_option",
    "image_of",
    "json_option",
    "layers_of",
    "layers_option",
    "lungs_of",
    "lungs_options",
    "numbers_of",
    "out_option",
    "page_option",
    "series_option",
    "small_phantom",
]

PHANTOM = "phantom"

json_option = option("--json", "as_json", is_flag=True, heading="Output", help="JSON with every digit.")
csv_option = option("--csv", "as_csv", is_flag=True, heading="Output", help="CSV with every digit.")
series_option = option("--series", metavar="UID", heading="Data", help="Which series of a folder with several.")
_lungs_option = option("--lungs", "mask", metavar="FILE", heading="Data", help="Mask of the lungs, by any program.")
_program_option = option(
    "--lungs-by", "lung_program", type=click.Choice(LUNG_PROGRAMS), heading="Data",
    help="Whose labels --lungs has, if it is no plain mask.",
)  # fmt: skip
layers_option = option(
    "--layer", "layers", multiple=True, metavar="FILE", heading="Data",
    help="An image over the scan on the page of --report; repeatable.",
)  # fmt: skip
page_option = option("--report", "viewer_page", metavar="PATH", heading="Output", help="Write a page with a viewer.")
out_option = option("--out", "-o", metavar="PATH", heading="Output", help="Write to a file, whole or not at all.")
figure_option = option("--overlay", metavar="PATH", heading="Output", help="Draw slices with outlines: .png.")


def lungs_options(command: Any) -> Any:
    """The mask of the lungs, and who labelled it."""
    return _lungs_option(_program_option(command))


def lungs_of(asked: Mapping[str, Any]) -> Volume | None:
    """The mask that is named, lobes joined where its labels are another program's; None for none."""
    import roclab as rl

    place, program = asked["mask"], asked["lung_program"]
    if place is None:
        if program is not None:
            raise InputError("--lungs-by", "is for the labels of --lungs", Words("no --lungs"), "name the file")
        return None
    with saying({"path": "--lungs", "program": "--lungs-by"}):
        if program is None and not os.path.isdir(place):
            return rl.imaging.read_volume(place)
        return rl.imaging.read_lungs(place, program=program)


def layers_of(asked: Mapping[str, Any], page: str | None, scans: int = 1) -> dict[str, str] | None:
    """Images over a scan by the names of their files, which belong to a page of one scan."""
    from roclab.analysis.image_files import name_of_image

    if not asked["layers"]:
        return None
    if page is None or scans > 1:
        said = "no --report" if page is None else f"{scans} scans"
        raise InputError("--layer", "is for the page of one scan", Words(said), "name it with --report")
    return {name_of_image(one): one for one in asked["layers"]}


def image_of(file: str, series: str | None = None) -> tuple[Volume, str]:
    """The volume of a file or folder and its name; the word "phantom" means a small one, always the same."""
    import roclab as rl
    from roclab.analysis.image_files import name_of_image

    if file == PHANTOM and not os.path.exists(file):
        return small_phantom().volume, PHANTOM
    with saying({"path": "FILE", "series": "--series"}):
        return rl.imaging.read_volume(file, series=series), name_of_image(file)


def small_phantom() -> ChestPhantom:
    """The phantom that the word means, always the same."""
    import roclab as rl

    return rl.imaging.phantom_chest(size=(24, 128, 128), rng=1)


def check_places(
    *sources: str | None,
    images: Mapping[str, str | None] | None = None,
    tables: Mapping[str, str | None] | None = None,
    overlay: str | None = None,
    figures: Mapping[str, str | None] | None = None,
) -> None:
    """Refuse places that cannot be written, or that are one of the sources, before any work is done; by option."""
    from roclab._core.whole_file import check_place
    from roclab.analysis.image_files import check_image_place

    for name, place in (images or {}).items():
        if place is not None:
            check_image_place(place, name=name)
    for name, place in (tables or {}).items():
        if place is not None:
            check_place(place, name=name)
    drawn = {"--overlay": overlay, **(figures or {})}
    for name, place in drawn.items():
        if place is not None:
            from roclab._core.figure_file import check_figure_place

            check_figure_place(place, name=name)
    taken = {os.path.realpath(source) for source in sources if source is not None and os.path.exists(source)}
    for name, place in {**(images or {}), **(tables or {}), **drawn}.items():
        if place is not None and os.path.realpath(place) in taken:
            raise FileError(name, "must not be a file that is read or written already", Words(place), "name another")
        if place is not None:
            taken.add(os.path.realpath(place))


def numbers_of(text: str | None, name: str, kind: type) -> tuple[Any, ...] | None:
    """Numbers with commas between them."""
    if text is None:
        return None
    try:
        return tuple(kind(one) for one in text.split(","))
    except ValueError:
        raise InputError(name, "must be numbers with commas between them", text, "z,y,x") from None


def beta_of(text: str) -> float | str:
    """The weight of neighbours: a number, or the word of a rule."""
    try:
        return float(text)
    except ValueError:
        return text
