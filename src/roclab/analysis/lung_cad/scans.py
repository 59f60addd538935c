"""Scans for training and marking, one in memory at a time: regions with their features, and how the scan was made."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from roclab._core.checks import plural
from roclab.analysis.lungs import mask_in, nodules, segment_lungs
from roclab.errors import InputError, Words
from roclab.imaging.lungs.candidates import Candidates
from roclab.imaging.lungs.scan_facts import ScanFacts, facts_of
from roclab.imaging.lungs.segment import Lungs
from roclab.imaging.orientation import canonical
from roclab.imaging.volumes import Volume, name_of_image, read_volume

__all__ = ["Searched", "named_scans", "searched"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Searched:
    """A scan, its lungs, its regions, and how it was made."""

    volume: Volume
    lungs: Lungs | Volume
    found: Candidates
    facts: ScanFacts


def named_scans(scans: Any) -> Iterator[tuple[str, Any]]:
    """Names and scans: of a mapping, or of files and folders by their name without its ending."""
    if isinstance(scans, Mapping):
        yield from ((str(name), one) for name, one in scans.items())
        return
    if isinstance(scans, str | os.PathLike) or not isinstance(scans, Sequence):
        raise InputError("scans", "must be a mapping of names to scans, or files", Words(type(scans).__name__))
    names = [name_of_image(one) if isinstance(one, str | os.PathLike) else "" for one in scans]
    if "" in names:
        raise InputError("scans", "must have names", Words("a volume without one"), "give a mapping of names to scans")
    twice = sorted({one for one in names if names.count(one) > 1})
    if twice:
        raise InputError(
            "scans", "must have names of their own", Words(f"{plural(names.count(twice[0]), 'scan')} {twice[0]!r}"),
            "rename a file, or give a mapping of names to scans",
        )  # fmt: skip
    yield from zip(names, scans, strict=True)


def searched(name: str, scan: Any, *, lungs: Any = None, settings: Mapping[str, Any]) -> Searched:
    """The regions of a scan; what is no CT is refused."""
    source = scan if isinstance(scan, str | os.PathLike) else None
    volume = read_volume(scan) if source is not None else scan
    if not isinstance(volume, Volume):
        raise InputError("scan", "must be a Volume or a file", Words(type(scan).__name__), "read_volume makes one")
    if volume.modality not in ("", "CT"):
        raise InputError("scan", "must be a CT", Words(f"{name}, of modality {volume.modality}"))
    inside = segment_lungs(volume) if lungs is None else lungs
    mask = mask_in(inside, volume, "lungs")  # of any program, in whatever order of axes
    found = nodules(volume, lungs=mask, scan=name, **settings)
    turned, turn = canonical(volume)
    facts = facts_of(turned, turn.forward(mask), source)
    held = inside if isinstance(inside, Lungs) else volume.with_array(mask)
    return Searched(volume=volume, lungs=held, found=found, facts=facts)
