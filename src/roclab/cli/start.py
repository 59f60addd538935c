"""The program ``roclab`` from its first moment to its last: Ctrl-C is heard while all else is still being imported.

Nothing is imported here that takes time; what does is imported inside.
"""

from __future__ import annotations

import signal
import sys
import threading

__all__ = ["main"]

_STOPPED = 130


def main() -> None:
    """Entry point of the program ``roclab``."""
    try:
        from roclab.cli.main import main as run

        run()
    except KeyboardInterrupt:  # before the program was there to hear it, or after it had said its last word
        if sys.stderr is not None:
            sys.stderr.write("stopped\n")
        raise SystemExit(_STOPPED) from None
    finally:
        # What is left is Python's own end, where Ctrl-C would kill the process by its signal or print a traceback.
        if threading.active_count() == 1:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
