"""DICOM data sets as bytes: explicit VR, little endian, which every program reads; sequences have defined lengths.

A data set is a mapping of tags to (value representation, value). Text, numbers in binary, bytes and nested data sets
are all that images and contours need, so that writing them asks for no library.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Mapping
from typing import Any

__all__ = ["DataSet", "decimals", "encoded", "new_uid", "part_10"]

DataSet = Mapping[int, tuple[str, Any]]

_LONG = ("OB", "OW", "SQ", "UT")  # representations whose length takes four bytes
_BINARY = {"US": "<H", "UL": "<I", "FD": "<d", "FL": "<f"}
_EXPLICIT = "1.2.840.10008.1.2.1"
_ITEM = struct.pack("<HH", 0xFFFE, 0xE000)
_ROOT = "2.25"  # the root of identifiers that anybody may make from random numbers
_IMPLEMENTATION = f"{_ROOT}.138447230517163028149226537189361215447"


def new_uid() -> str:
    """An identifier that nobody has."""
    return f"{_ROOT}.{int.from_bytes(os.urandom(15), 'big')}"


def decimals(values: Iterable[float]) -> str:
    r"""Numbers as decimal strings, which have at most 16 characters each.

    >>> decimals([0.5, -1 / 3])
    '0.5\\-0.3333333333'
    """
    return "\\".join(f"{float(one) + 0.0:.10g}" for one in values)


def encoded(elements: DataSet) -> bytes:
    """A data set in the order of its tags."""
    return b"".join(_element(tag, *elements[tag]) for tag in sorted(elements))


def part_10(elements: DataSet) -> bytes:
    """A whole file: preamble, what the file says of itself, and the data set."""
    about: DataSet = {
        0x00020001: ("OB", b"\x00\x01"), 0x00020002: ("UI", elements[0x00080016][1]),
        0x00020003: ("UI", elements[0x00080018][1]), 0x00020010: ("UI", _EXPLICIT),
        0x00020012: ("UI", _IMPLEMENTATION),
    }  # fmt: skip
    head = encoded(about)
    length = encoded({0x00020000: ("UL", len(head))})
    return bytes(128) + b"DICM" + length + head + encoded(elements)


def _element(tag: int, kind: str, value: Any) -> bytes:
    data = _data(kind, value)
    head = struct.pack("<HH", tag >> 16, tag & 0xFFFF) + kind.encode("ascii")
    if kind in _LONG:
        return head + struct.pack("<HI", 0, len(data)) + data
    return head + struct.pack("<H", len(data)) + data


def _data(kind: str, value: Any) -> bytes:
    if kind == "SQ":
        items = [encoded(one) for one in value]
        return b"".join(_ITEM + struct.pack("<I", len(one)) + one for one in items)
    if kind in ("OB", "OW"):
        data = bytes(value)
        return data + b"\x00" * (len(data) % 2)
    if kind in _BINARY:
        values = value if isinstance(value, tuple | list) else (value,)
        return b"".join(struct.pack(_BINARY[kind], one) for one in values)
    data = str(value).encode("utf-8")
    return data + (b"\x00" if kind == "UI" else b" ") * (len(data) % 2)
