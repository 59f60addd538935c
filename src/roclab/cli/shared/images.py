"""Images on the command line: files, or the word for a phantom that is made on the spot."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from roclab.cli.shared.options import option
from roclab.errors import FileError, InputError, Words

if TYPE_CHECKING:
    from roclab.imaging.volumes import Volume

__all__ = ["PHANTOM", "csv_option", "figure_option", "image_of", "json_option", "numbers_of", "out_option", "spare"]

PHANTOM = "phantom"

json_option = option("--json", "as_json", is_flag=True, heading="Output", help="JSON with every digit.")
csv_option = option("--csv", "as_csv", is_flag=True, heading="Output", help="CSV with every digit.")
out_option = option("--out", "-o", metavar="PATH", heading="Output", help="Write to a file, whole or not at all.")
figure_option = option("--overlay", metavar="PATH", heading="Output", help="Draw slices with outlines: .png.")


def image_of(file: str) -> tuple[Volume, str]:
    """The volume of a file or folder and its name; the word "phantom" means a small one, always the same."""
    from pathlib import Path

    import roclab as rl

    if file == PHANTOM and not os.path.exists(file):
        return rl.phantom_chest(size=(24, 128, 128), rng=1).volume, PHANTOM
    return rl.read_volume(file), Path(file).name.split(".")[0]


def spare(source: str, *places: str | None) -> None:
    """Refuse places that cannot be written, or that are the image itself, before any work is done."""
    from roclab._core.whole_file import check_place

    for place in places:
        if place is None:
            continue
        check_place(place, name="--out")
        if os.path.exists(source) and os.path.exists(place) and os.path.samefile(source, place):
            raise FileError("--out", "must not be the file of the data", Words(place), "name another file")


def numbers_of(text: str | None, name: str, kind: type) -> tuple[Any, ...] | None:
    """Numbers with commas between them."""
    if text is None:
        return None
    try:
        return tuple(kind(one) for one in text.split(","))
    except ValueError:
        raise InputError(name, "must be numbers with commas between them", text, "z,y,x") from None
