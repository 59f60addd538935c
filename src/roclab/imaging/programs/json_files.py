"""JSON of other programs: read whole, refused in words, never run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from roclab.errors import FileError, Words

__all__ = ["read_json"]

_PICKLES = (".pkl", ".pickle", ".p", ".pt", ".pth", ".joblib")


def read_json(path: Path, *, way_out: str) -> Any:
    """What a file holds; a pickle is refused, because opening one can run programs."""
    if path.suffix.lower() in _PICKLES:
        raise FileError("path", "must be JSON", Words(f"{path.name}: opening a pickle can run programs"), way_out)
    if not path.is_file():
        raise FileError("path", "must be a file that exists", Words(path), "check the path")
    try:
        return json.loads(path.read_bytes().decode("utf-8-sig"))
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        said = f"line {error.lineno}" if isinstance(error, json.JSONDecodeError) else "bytes that are no text"
        raise FileError("path", "must be JSON", Words(f"{path.name}, broken in {said}"), way_out) from None
    except RecursionError:
        raise FileError("path", "must be JSON", Words(f"{path.name}, nested too deeply"), way_out) from None
