"""The XML of LIDC-IDRI: sessions of readers, each with nodules, small nodules and other findings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree
from xml.parsers import expat

import numpy as np

from roclab.errors import FileError, Words
from roclab.imaging.programs.lidc import Outline, Reading

__all__ = ["readings_of_xml"]

_WAY_OUT = "give the XML of LIDC-IDRI, one file a scan"


def readings_of_xml(path: Path) -> list[Reading]:
    """All findings of the readers of one scan, which is called by its series UID."""
    root = _tree(path)
    uid = _first(root, "SeriesInstanceUid") or _first(root, "SeriesInstanceUID")
    if _name(root) != "LidcReadMessage" or not uid:
        raise FileError("path", "must be XML of LIDC-IDRI with the UID of its series", Words(path.name), _WAY_OUT)
    out = []
    for at, session in enumerate(_all(root, "readingSession"), start=1):
        for nodule in _all(session, "unblindedReadNodule"):
            ratings = {_name(one): _number(one, path) for part in _all(nodule, "characteristics") for one in part}
            kind = "nodule" if ratings else "small nodule"
            outlines = tuple(_outline(one, path) for one in _all(nodule, "roi"))
            if any(one.inside for one in outlines):
                out.append(Reading(scan=uid, reader=str(at), kind=kind, outlines=outlines, ratings=ratings))
        for other in _all(session, "nonNodule"):
            one = _outline(other, path)
            out.append(Reading(scan=uid, reader=str(at), kind="other finding", outlines=(one,), ratings={}))
    return out


def _tree(path: Path) -> ElementTree.Element:
    """The tree of a file; one that defines words of its own is refused, because these can grow without end."""
    if not path.is_file():
        raise FileError("path", "must be a file that exists", Words(path), "check the path")
    data = path.read_bytes()
    reader = expat.ParserCreate()

    def refuse(*_: object) -> None:
        raise FileError("path", "must be XML without definitions of its own", Words(f"{path.name} with a DOCTYPE"))

    reader.StartDoctypeDeclHandler = refuse
    try:
        reader.Parse(data, True)
        return ElementTree.fromstring(data)
    except FileError:
        raise
    except (expat.ExpatError, ElementTree.ParseError, ValueError, LookupError):
        raise FileError("path", "must be XML that can be read", Words(path.name), _WAY_OUT) from None


def _outline(region: ElementTree.Element, path: Path) -> Outline:
    points = [
        [_number(part, path) for name in ("xCoord", "yCoord") for part in _all(edge, name)]
        for kind in ("edgeMap", "locus") for edge in _all(region, kind)
    ]  # fmt: skip
    z = [_number(one, path) for one in _all(region, "imageZposition")]
    if not points or {len(one) for one in points} != {2} or len(z) != 1:
        raise FileError("path", "must have points and a place for every outline", Words(path.name), _WAY_OUT)
    inside = (_first(region, "inclusion") or "TRUE").upper() != "FALSE"
    return Outline(z=z[0], points=np.array(points, dtype=np.float64), inside=inside)


def _number(node: ElementTree.Element, path: Path) -> float:
    try:
        value = float((node.text or "").strip())
    except ValueError:
        value = float("nan")
    if not np.isfinite(value):
        said = Words(f"{(node.text or 'nothing')[:20]!r} in {path.name}")
        raise FileError("path", f"must have numbers as {_name(node)}", said, _WAY_OUT)
    return value


def _name(node: ElementTree.Element) -> str:
    """The tag without its namespace."""
    return str(node.tag).rpartition("}")[2]


def _all(node: ElementTree.Element, name: str) -> Iterator[ElementTree.Element]:
    return (one for one in node if _name(one) == name)


def _first(node: ElementTree.Element, name: str) -> str:
    """The text of the first node below of this name; "" for none."""
    return next(((one.text or "").strip() for one in node.iter() if _name(one) == name), "")
