"""A process for one long question: the request comes as JSON on standard input, progress and answer go out as lines.

A question that crashes, or takes all memory, takes this process with it and nothing else; one that is no longer wanted
is stopped by ending it. When the server goes away, so does its worker.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from roclab._core.work import leave_with
from roclab.analysis.data import watched
from roclab.app.asking import Asked
from roclab.app.questions import question_of
from roclab.app.refusals import refused
from roclab.app.shelf import Item

__all__ = ["main"]

_PAUSE = 0.1  # seconds between two words about progress


class _Teller:
    """Says how far the work is, not too often."""

    def __init__(self) -> None:
        self.next = 0.0

    def __call__(self, done: int, total: int, doing: str = "") -> None:
        now = time.monotonic()
        if now >= self.next or done >= total:
            self.next = now + _PAUSE
            _say({"done": done, "total": total, "doing": doing})


def _say(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(message, ensure_ascii=True, allow_nan=False) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Answer the question that stands on the first line of standard input."""
    request = json.loads(sys.stdin.buffer.readline())
    leave_with(sys.stdin.buffer)
    tell = _Teller()
    item, beside = (None if data is None else Item(own=False, **data) for data in (request["item"], request["beside"]))
    asked = Asked(item=item, roles=request["roles"], options=request["options"], progress=tell, beside=beside)
    try:
        with watched(lambda doing, done, total: tell(done, total, doing)):
            answer = question_of(request["question"]).run(asked)
    except Exception as error:  # every failure is one sentence on the page
        _say(refused(error))
        return
    _say({"answer": answer, "made": asked.made})


if __name__ == "__main__":
    main()
