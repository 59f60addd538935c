"""``roclab dce phantom``: series of which the truth is known."""

from __future__ import annotations

from typing import Any

import click

from roclab.cli.shared.command import Command, option
from roclab.cli.shared.images import csv_option, json_option, numbers_of
from roclab.cli.shared.options import quiet_option, seed_option, verbose_option
from roclab.cli.shared.progress import bar_unless_quiet
from roclab.names import DCE_PROTOCOLS, LABEL_KINDS


@click.command(cls=Command)
@click.argument("folder", metavar="FOLDER")
@option("--cases", "many", type=click.IntRange(1, 999), default=3, metavar="N", help="How many.")
@option("--size", metavar="Z,Y,X", default="32,96,128", help="Voxels.")
@option("--lesions", type=int, default=3, metavar="N", help="In each, benign and malignant in turn.")
@option("--diameters", metavar="MM,MM", default="7,22", help="Smallest and largest diameter.")
@option("--protocol", type=click.Choice(DCE_PROTOCOLS), default="reference", help="How they are scanned.")
@option("--noise", type=float, metavar="SHARE", help="Of the signal of gland (default: the protocol's).")
@option("--motion", type=float, default=0.5, metavar="MM", help="Steps of the breasts between frames.")
@option("--label", "kind", type=click.Choice(LABEL_KINDS), default="dilated", help="How roughly lesions are marked.")
@option("--label-mm", "mm", type=float, default=3.0, metavar="MM", help="By how much.")
@option("--one-lesion", is_flag=True, help="Mark the largest lesion only.")
@option("--as-dicom", is_flag=True, heading="Output", help="Write series as folders of DICOM with all phases.")
@option("--name", "prefix", default="phantom", metavar="WORD", help="Beginning of every name.")
@seed_option
@json_option
@csv_option
@quiet_option
@verbose_option
def phantom(folder: str, **asked: Any) -> None:
    r"""Make breast DCE-MRI series with known lesions, to try things on.

    FOLDER is made. Each case gets a series, a rough label and the truth (1 to 99 benign, 101 to 199 malignant);
    cases.csv names them all, as train and evaluate read them. Phantoms show that steps work; they are not clinical
    performance.

    \b
    Examples:
      roclab dce phantom cases --cases 2 --size 8,48,64 --seed 1
    """
    from pathlib import Path

    import roclab as rl
    from roclab._core.text import csv_text
    from roclab._core.whole_file import write_whole
    from roclab._core.work import spawn_seeds
    from roclab.analysis.image_files import write_dicom, write_in_time
    from roclab.cli.shared.output import Output
    from roclab.errors import FileError, Words
    from roclab.results import Several

    place = Path(folder)
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise FileError("FOLDER", "must be a folder that is new or empty", Words(folder), "name another")
    if not place.absolute().parent.is_dir():
        raise FileError("FOLDER", "must be in a directory that exists", Words(folder), "create that first")
    shown = Output(as_json=asked["as_json"], as_csv=asked["as_csv"], out=None)
    size = numbers_of(asked["size"], "size", int) or ()
    diameters: Any = numbers_of(asked["diameters"], "diameters", float) or ()
    seeds, _ = spawn_seeds(asked["seed"], asked["many"])
    made, rows = {}, []
    with bar_unless_quiet("making") as bar:
        for at in range(asked["many"]):
            name = f"{asked['prefix']}{at + 1:02d}"
            one = rl.imaging.phantom_breast(
                size=size, lesions=asked["lesions"], diameters=diameters, protocol=asked["protocol"],
                noise=asked["noise"], motion=asked["motion"], rng=seeds[at],
            )  # fmt: skip
            case = one.as_case(name, label=asked["kind"], mm=asked["mm"], one_lesion=asked["one_lesion"], rng=at)
            place.mkdir(exist_ok=True)
            held = f"{name}_series" if asked["as_dicom"] else f"{name}_series.nii.gz"
            if asked["as_dicom"]:
                write_dicom(one.series, place / held, description=name)
            else:
                write_in_time(one.series.frames, one.series.times, one.series.place, place / held)
            for part, volume in (("label", case.label), ("truth", case.truth)):
                assert volume is not None
                rl.imaging.write_volume(volume, place / f"{name}_{part}.nii.gz")
            rows.append({"case": name, "series": held, "label": f"{name}_label.nii.gz",
                         "truth": f"{name}_truth.nii.gz", "arrival": one.series.arrival})  # fmt: skip
            made[name] = one
            bar(at + 1, asked["many"])
    write_whole(place / "cases.csv", csv_text(rows), name="FOLDER")
    shown.show(Several(results=made), [f"{len(made)} cases written to {folder}, named in {place / 'cases.csv'}; "
                                       f"seed {asked['seed']}"])  # fmt: skip
