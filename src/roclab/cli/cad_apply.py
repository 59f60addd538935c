"""``roclab cad apply``: marks of new scans, and a page for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from roclab.cli.shared.cad_files import lesions_of, scans_of
from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.dicom_objects import (
    check_dicom_objects,
    object_options,
    object_tables,
    write_dicom_objects,
)
from roclab.cli.shared.images import (
    check_places,
    csv_option,
    json_option,
    layers_of,
    layers_option,
    lungs_of,
    lungs_options,
    out_option,
)
from roclab.cli.shared.options import level_option, quiet_option, seed_option, verbose_option
from roclab.cli.shared.progress import bar_unless_quiet
from roclab.cli.shared.wording import saying
from roclab.errors import InputError, Words

if TYPE_CHECKING:
    from roclab.results import Result


@click.command(cls=Command)
@file_argument("model", metavar="MODEL")
@file_argument("scans", metavar="SCAN...", nargs=-1, required=True)
@option(
    "--annotations",
    "reference",
    metavar="FILE",
    heading="Data",
    help="The true nodules: what is missed, and the FROC curve.",
)
@option(
    "--report", "scan_pages", metavar="PATH", heading="Output", help="Write a page; for several scans into a folder."
)
@layers_option
@option("--without-viewer", is_flag=True, heading="Output", help="Leave the scan itself out of the page.")
@lungs_options
@level_option
@seed_option
@option("--replicates", type=int, default=2000, metavar="N", heading="Resampling", help="Resampled sets of cases.")
@object_options
@out_option
@json_option
@csv_option
@quiet_option
@verbose_option
def apply(model: str, scans: tuple[str, ...], **asked: Any) -> None:
    r"""What in a scan may be a nodule, and how likely? Marks and a page.

    MODEL is a file of roclab cad train; the word "phantoms" means a small one that comes with roclab and knows phantoms
    only. Each SCAN is a file or folder with a CT. --out writes all marks with their probabilities in the columns of
    LUNA16, --report a page with three slices through every mark. With --annotations marks are held against the truth.
    Research use, not a medical device.

    \b
    Examples:
      roclab cad apply phantoms phantom -o marks.csv
      roclab cad apply phantoms phantom --annotations phantom --report scan.html --replicates 50
    """
    from pathlib import Path

    import roclab as rl
    from roclab._core.text import csv_text
    from roclab._core.whole_file import write_whole
    from roclab.analysis.lung_cad.evaluate import froc_of_marks
    from roclab.cli.shared.output import Output
    from roclab.results import Several

    held = scans_of(scans)
    if asked["mask"] is not None and len(held) > 1:
        raise InputError("--lungs", "is the mask of one scan", Words(f"{len(held)} scans"), "apply to one at a time")
    pages = _pages(asked["scan_pages"], list(held))
    check_places(
        asked["mask"],
        *(one for one in (model, *scans) if one not in ("phantom", "phantoms")),
        tables={
            "--out": asked["out"],
            **object_tables(asked),
            **({} if len(held) > 1 else {"--report": asked["scan_pages"]}),
        },
    )
    check_dicom_objects(asked, scans)
    shown = Output(as_json=asked["as_json"], as_csv=asked["as_csv"], out=None)
    lesions = None if asked["reference"] is None else lesions_of(asked["reference"])
    if asked["without_viewer"] and asked["scan_pages"] is None:
        raise InputError("--without-viewer", "is for the page of --report", Words("no --report"), "name a page")
    layers = layers_of(asked, asked["scan_pages"], len(held))
    mask = lungs_of(asked)
    words = {"lungs": "--lungs", "path": "SCAN", "model": "MODEL", "scan": "SCAN", "volume": "SCAN",
             "lesions": "--annotations", "annotations": "--annotations"}  # fmt: skip
    found: dict[str, Result] = {}
    marks: list[dict[str, Any]] = []
    notes = []
    with bar_unless_quiet("marking") as bar, saying(words):
        for name, scan in held.items():
            one = rl.imaging.cad_apply(model, scan, name=name, lungs=mask)
            marks += one.marks()
            if pages:
                page = one.write_report(pages[name], lesions=lesions, viewer=not asked["without_viewer"], layers=layers)
                notes.append(f"page written to {page}")
            if one.marked:
                numbers = {f"mark {row['mark']}": row["region"] for row in one.rows() if row["marked"]}
                notes += write_dicom_objects(asked, scans[0], one.found.labels, numbers, one)
            found[name] = one
            if bar is not None:
                bar(len(found), len(held))
        if lesions is not None:
            found["FROC"] = froc_of_marks(
                marks, lesions, scans=list(held), level=asked["level"], resampling=asked["replicates"],
                rng=asked["seed"] or 0,
            )  # fmt: skip
    if asked["out"] is not None:
        write_whole(asked["out"], csv_text(marks), name="--out")
        notes.insert(0, f"marks written to {Path(asked['out'])}")
    shown.show(next(iter(found.values())) if len(found) == 1 else Several(results=found), notes)


def _pages(place: str | None, names: list[str]) -> dict[str, Any]:
    """Where the page of every scan goes: the file named, or files in the folder named."""
    from pathlib import Path

    if place is None:
        return {}
    if len(names) == 1:
        return {names[0]: Path(place)}
    from roclab.analysis.cad_results import check_folder

    check_folder(place, name="--report")
    return {name: Path(place, f"{name}.html") for name in names}
