"""``roclab match-classes``: two runs of fuzzy clustering on one image, class by class."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.images import PHANTOM, check_places, csv_option, json_option, small_phantom
from roclab.cli.shared.options import quiet_option, verbose_option
from roclab.cli.shared.wording import saying


@click.command(name="match-classes", cls=Command)
@file_argument("first", metavar="FIRST")
@file_argument("second", metavar="SECOND")
@option("--image", "shown_image", metavar="FILE", heading="Data", help="The image that was clustered, for its greys.")
@option("--plane", "drawn_plane", type=int, metavar="Z", help="The slice that is drawn (default: the middle one).")
@option("--figure", "picture", metavar="PATH", heading="Output", help="Draw the figure: .svg, .pdf or .png.")
@json_option
@csv_option
@quiet_option
@verbose_option
def match_classes(first: str, second: str, **asked: Any) -> None:
    r"""Which class of one run is which of another, and where do they differ?

    FIRST and SECOND are folders that roclab segment --classes N --memberships FOLDER wrote of one image. Classes are
    paired so that their memberships overlap most; --figure shows each pair as pixels and as memberships. The word
    "phantom" means three classes of a small phantom, robust as FIRST and without neighbours as SECOND.

    \b
    Examples:
      roclab match-classes phantom phantom --figure matched.png
    """
    import roclab as rl
    from roclab.cli.shared.output import Output

    check_places(asked["shown_image"], figures={"--figure": asked["picture"]})
    shown = Output(as_json=asked["as_json"], as_csv=asked["as_csv"], out=None)
    runs = []
    image = None
    for words, folder, method in (("FIRST", first, "rfcm"), ("SECOND", second, "fcm")):
        if folder == PHANTOM and not os.path.exists(folder):
            volume = small_phantom().volume
            image = volume.array
            runs.append(rl.imaging.segment(volume, classes=3, method=method))
            continue
        with saying({"folder": words, "path": words}):
            runs.append(rl.imaging.read_clusters(folder))
    if asked["shown_image"] is not None:
        with saying({"path": "--image"}):
            image = rl.imaging.read_volume(asked["shown_image"]).array
    names = _names(first, second)
    with saying({"second": "SECOND", "first": "FIRST", "image": "--image", "plane": "--plane"}):
        one, two = runs
        assert isinstance(one, rl.results.RobustClusters)
        assert isinstance(two, rl.results.RobustClusters)
        both = rl.imaging.match_clusters(one, two, names=names)
        notes = []
        if asked["picture"] is not None:
            notes.append(_drawn(both, image, asked))
    shown.show(both, notes)


def _names(first: str, second: str) -> tuple[str, str]:
    one, two = Path(first).name, Path(second).name
    if one != two:
        return one, two
    return ("rfcm", "fcm") if first == PHANTOM else (first, second)


def _drawn(both: Any, image: Any, asked: dict[str, Any]) -> str:
    from roclab.errors import InputError, Words
    from roclab.plots import draw_matched, new_axes, save_figure

    shape = both.first.memberships.shape[1:]
    if image is not None and image.shape != shape:
        raise InputError("image", f"must have the shape {shape} of the classes", Words(f"{image.shape}"))
    plane = shape[0] // 2 if asked["drawn_plane"] is None else asked["drawn_plane"]
    if not 0 <= plane < shape[0]:
        raise InputError("plane", f"must be a slice from 0 to {shape[0] - 1}", plane)
    axes = new_axes(ratio=0.25 * len(both.pairs) + 0.15)
    save_figure(draw_matched(both, axes, image=image, plane=plane), asked["picture"])
    return f"figure written to {asked['picture']}"
