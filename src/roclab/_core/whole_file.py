"""Files that are written whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from roclab.errors import FileError, Words

__all__ = ["check_place", "write_whole"]


def check_place(out: str | Path, *, name: str) -> None:
    """Refuse a place that cannot be written to, before any work is done for it.

    ``name`` is what the user calls the place: ``--out``, ``path``.
    """
    if "\0" in str(out):
        raise FileError(name, "must be the name of a file", Words("a name with a NUL in it"), "remove that character")
    path = Path(out)
    try:
        path.lstat()
    except FileNotFoundError:
        pass
    except OSError as error:  # longer than file names may be, or through a file
        if error.errno == errno.ENAMETOOLONG:
            raise FileError(
                name, "must be a name that files can have", Words(f"one of {len(path.name)} characters"), "shorten it"
            ) from None
    if path.is_dir():
        raise FileError(name, "must be a file", Words(f"the directory {out}"), "name a file in it")
    if not path.parent.is_dir():
        raise FileError(name, "must be in a directory that exists", Words(out), f"create {path.parent} first")
    if path.exists() and not os.access(path, os.W_OK):
        raise FileError(name, "must be a file that may be written", Words(out), "change its permissions")
    if not path.exists() and not os.access(path.parent, os.W_OK):
        raise FileError(name, "must be in a directory that may be written", Words(out), "choose another one")


def write_whole(out: str | Path, content: str | bytes, *, name: str) -> None:
    """Write all or nothing: into a new file beside the old one, which then takes its name."""
    path = Path(os.path.realpath(out))  # a link keeps pointing, what it points to is replaced
    data = content.encode("utf-8") if isinstance(content, str) else content
    try:
        if os.path.exists(out) and not os.path.isfile(out):  # /dev/null and pipes are written to, never replaced
            Path(out).write_bytes(data)
            return
        part = path.with_name(f".{path.name[:100]}.{os.urandom(4).hex()}.part")
        try:
            with open(part, "xb") as stream:
                stream.write(data)
            if path.exists():
                part.chmod(stat.S_IMODE(path.stat().st_mode))
            os.replace(part, path)
        except BaseException:  # Ctrl-C too
            part.unlink(missing_ok=True)
            raise
    except BrokenPipeError:
        raise
    except OSError as error:
        raise FileError(
            name, "must be a file that can be written", Words(f"{out} ({error.strerror or error})")
        ) from None
