"""The folder of one start of the workbench, and what starts left behind whose process was killed.

Uploads are removed when the server ends. A server that is killed (SIGKILL, a power cut) removes nothing, so the next
one does: a lock on a file in the folder is held as long as its server lives, and the system lets go of it when the
process ends.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import sys
import tempfile
from pathlib import Path
from typing import IO

__all__ = ["OwnFolder", "remove_left_behind"]

_PREFIX = "roclab-app-"
_LOCK = "in-use"


class OwnFolder:
    """A folder that only this user can read, marked as in use until it is closed."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix=_PREFIX))
        # Locked before it has its name: whoever looks for folders left behind never finds a lock that is not held.
        unnamed = self.path / "starting"
        self._lock = open(unnamed, "w", encoding="utf-8")  # noqa: SIM115 - open as long as the server lives
        _hold(self._lock)
        with contextlib.suppress(OSError):  # Windows renames no open file; there it keeps this name and is left alone
            unnamed.rename(self.path / _LOCK)

    def close(self) -> None:
        """Remove the folder with all that is in it."""
        self._lock.close()
        shutil.rmtree(self.path, ignore_errors=True)


def remove_left_behind() -> None:
    """Remove folders of servers that are gone: only this user's, only with a lock that nobody holds."""
    if sys.platform == "win32":  # where the system has no such locks, nothing is known to be left behind
        return
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError):  # gone meanwhile, or not ours to look into
            info = folder.lstat()
            if not stat.S_ISDIR(info.st_mode) or info.st_uid != os.getuid() or not (folder / _LOCK).is_file():
                continue
            with open(folder / _LOCK, "a", encoding="utf-8") as lock:
                _hold(lock)
                shutil.rmtree(folder, ignore_errors=True)


def _hold(lock: IO[str]) -> None:
    """Lock a file for as long as it is open, or OSError where another process does."""
    if sys.platform != "win32":
        import fcntl

        fcntl.flock(lock.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
