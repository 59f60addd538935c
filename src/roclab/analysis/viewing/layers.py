"""Layers as text: what work in another process made, on its way to whoever shows it."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import numpy as np

from roclab._core.types import Array
from roclab.analysis.viewing.scene import Image, Labels

__all__ = ["layer_of_text", "text_of_layer"]


def text_of_layer(one: Image | Labels) -> str:
    """A layer with its codes deflated."""
    told: dict[str, Any] = {"name": one.name}
    if isinstance(one, Image):
        told |= {"slope": one.slope, "intercept": one.intercept, "window": one.window, "unit": one.unit,
                 "colour": one.colour}  # fmt: skip
    else:
        told |= {"filled": one.filled, "words": {str(at): said for at, said in one.words.items()}}
    array = one.array if isinstance(one, Image) else one.codes
    return json.dumps({**told, "signed": isinstance(one, Image), "codes": _packed(array)})


def layer_of_text(text: str, shape: tuple[int, ...]) -> Image | Labels:
    """The layer again, of a known shape."""
    told = json.loads(text)
    signed = told.pop("signed")
    data = zlib.decompress(base64.b64decode(told.pop("codes")))
    codes = np.frombuffer(data, dtype="<i2" if signed else "<u2").reshape(shape)
    if signed:
        low, high = told.pop("window")
        return Image(codes=codes, window=(low, high), **told)
    words = {int(at): said for at, said in told.pop("words").items()}
    return Labels(codes=codes, words=words, **told)


def _packed(codes: Array) -> str:
    return base64.b64encode(zlib.compress(np.ascontiguousarray(codes).tobytes(), 6)).decode("ascii")
