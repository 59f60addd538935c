"""DICOM objects on the command line: segments, contours and a report beside the series that was searched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from roclab.cli.shared.command import option
from roclab.errors import InputError, Words

if TYPE_CHECKING:
    from roclab.imaging.volumes import Volume

__all__ = ["check_dicom_objects", "object_options", "object_tables", "regions_options", "write_dicom_objects"]

_OPTIONS = {"seg": "--seg", "rtstruct": "--rtstruct", "sr": "--sr"}


def regions_options(command: Any) -> Any:
    """Where regions are written as DICOM."""
    for one in (
        option("--rtstruct", metavar="PATH", heading="Output", help="Write contours as DICOM RTSTRUCT."),
        option("--seg", metavar="PATH", heading="Output", help="Write regions as DICOM-SEG."),
    ):
        command = one(command)
    return command


def object_options(command: Any) -> Any:
    """Where regions and marks are written as DICOM."""
    return regions_options(
        option("--sr", metavar="PATH", heading="Output", help="Write marks as a DICOM report.")(command)
    )


def object_tables(asked: Mapping[str, Any]) -> dict[str, str | None]:
    """Places by option, to be checked with others."""
    return {flag: asked.get(name) for name, flag in _OPTIONS.items()}


def check_dicom_objects(asked: Mapping[str, Any], sources: tuple[str, ...]) -> None:
    """Refuse before any work what belongs to no one folder of DICOM."""
    from pathlib import Path

    given = next((flag for name, flag in _OPTIONS.items() if asked.get(name) is not None), None)
    if given is not None and (len(sources) != 1 or not Path(sources[0]).is_dir()):
        raise InputError(
            given, "belongs to one folder of DICOM that is searched", Words(", ".join(sources)),
            "give that folder, or write one with --dicom first",
        )  # fmt: skip


def write_dicom_objects(
    asked: Mapping[str, Any], source: str, labels: Volume, names: Mapping[str, int] | None, found: Any = None
) -> list[str]:
    """Write what is asked for, and say so."""
    import roclab as rl

    said = []
    if asked["seg"] is not None:
        said.append(f"segments written to {rl.imaging.write_dicom_seg(labels, source, asked['seg'], names=names)}")
    if asked["rtstruct"] is not None:
        place = rl.imaging.write_dicom_rtstruct(labels, source, asked["rtstruct"], names=names)
        said.append(f"contours written to {place}")
    if asked.get("sr") is not None:
        said.append(f"report written to {rl.imaging.write_dicom_sr(found, source, asked['sr'])}")
    return said
