"""Grey pictures as PNG files: what a page carries inside of a scan."""

from __future__ import annotations

import struct
import zlib

import numpy as np

from roclab._core.types import Array

__all__ = ["grey_png"]


def grey_png(image: Array) -> bytes:
    r"""A picture of bytes (rows, columns) as a PNG file of 8 bits.

    >>> grey_png(np.zeros((2, 3), dtype=np.uint8))[:8]
    b'\x89PNG\r\n\x1a\n'
    """
    rows, columns = image.shape
    lines = np.zeros((rows, columns + 1), dtype=np.uint8)  # every row begins with its filter, which is none
    lines[:, 1:] = image
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", columns, rows, 8, 0, 0, 0, 0)),
        (b"IDAT", zlib.compress(lines.tobytes(), 9)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in parts
    )
