"""Long questions: each in a process of its own, with progress and an end on demand.

Pages do not wait for each other: a few questions of one page run at once, whatever other pages ask. When a page goes,
or has not been heard of for long, its work ends.
"""

from __future__ import annotations

import json
import secrets
import subprocess
import sys
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import anyio
from anyio.abc import Process, TaskGroup
from anyio.streams.buffered import BufferedByteReceiveStream

from roclab.errors import InputError

__all__ = ["Job", "Jobs"]

_LINE = 1 << 30  # bytes of the longest answer
_KEPT = 40  # finished jobs whose answers can still be fetched
_PARTING = 2.0  # seconds that a worker has to end by itself
_SILENCE = 180.0  # seconds after which a page counts as gone; browsers let hidden pages speak once a minute
_ROUND = 20.0  # seconds between two looks for such pages


@dataclass(slots=True, eq=False)
class Job:
    """One long question, and how far it is."""

    key: str
    page: str = ""  # who asked; "" is nobody who can be missed
    question: str = ""
    state: str = "waiting"  # then "running", and "done", "failed" or "stopped"
    done: int = 0
    total: int = 0
    doing: str = ""
    answer: dict[str, Any] | None = None
    error: str = ""
    refused: dict[str, Any] | None = None  # the error in parts
    made: dict[str, str] = field(default_factory=dict)
    process: Process | None = None

    @property
    def over(self) -> bool:
        """Nothing will change any more."""
        return self.state in ("done", "failed", "stopped")

    def line(self) -> dict[str, Any]:
        """How far it is, for a list."""
        return {
            "job": self.key, "question": self.question, "state": self.state, "done": self.done, "total": self.total,
            "doing": self.doing,
        }  # fmt: skip

    def state_for_page(self) -> dict[str, Any]:
        """What the page is told."""
        refused = {} if self.refused is None else self.refused
        return {
            **refused, **self.line(), "answer": self.answer, "error": self.error, "made": sorted(self.made),
        }  # fmt: skip


class Jobs:
    """All long questions of this start; ``most`` of one page run at once, its others wait.

    ``now`` tells the time in seconds.
    """

    def __init__(self, *, most: int = 2, now: Callable[[], float] = time.monotonic) -> None:
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._most = most
        self._rooms: dict[str, anyio.CapacityLimiter] = {}
        self._heard: dict[str, float] = {}
        self._now = now
        self._group: TaskGroup | None = None

    def __getitem__(self, key: str) -> Job:
        if key not in self._jobs:
            raise InputError("", "this work is not known to the server", way_out="start it again")
        return self._jobs[key]

    def attach(self, group: TaskGroup) -> None:
        """Where jobs run, as long as the server does."""
        self._group = group

    def start(self, request: dict[str, Any], *, page: str = "") -> Job:
        """Queue a question of a page."""
        assert self._group is not None
        self.hear(page)
        job = Job(secrets.token_urlsafe(12), page=page, question=request["question"])
        self._jobs[job.key] = job
        for key in [key for key, one in self._jobs.items() if one.over][:-_KEPT]:
            del self._jobs[key]
        self._group.start_soon(self._run, job, request)
        return job

    async def stop(self, key: str) -> Job:
        """End a job that is no longer wanted."""
        job = self[key]
        if not job.over:
            job.state = "stopped"
            if job.process is not None:
                await _end(job.process)
        return job

    def hear(self, page: str) -> None:
        """A page is there."""
        if page:
            self._heard[page] = self._now()

    def of(self, page: str) -> list[Job]:
        """Work of a page that is not over."""
        return [one for one in self._jobs.values() if one.page == page and not one.over]

    async def leave(self, page: str) -> None:
        """A page is gone: nobody waits for its work."""
        self._heard.pop(page, None)
        self._rooms.pop(page, None)
        for one in self.of(page):
            await self.stop(one.key)

    async def end_of_silent(self) -> None:
        """End the work of pages that have said nothing for long: their browser crashed, or was closed at once."""
        silent = [page for page, at in self._heard.items() if self._now() - at > _SILENCE]
        for page in silent:
            await self.leave(page)

    async def watch(self) -> None:
        """Look for silent pages as long as the server lives."""
        while True:
            await anyio.sleep(_ROUND)
            await self.end_of_silent()

    async def _run(self, job: Job, request: dict[str, Any]) -> None:
        room = self._rooms.setdefault(job.page, anyio.CapacityLimiter(self._most))
        async with room:
            if job.over:
                return
            job.state = "running"
            command = [sys.executable, "-m", "roclab.app.worker"]
            job.process = await anyio.open_process(command, stdin=subprocess.PIPE, stderr=None)
            try:
                await self._listen(job, request)
            finally:
                with anyio.CancelScope(shield=True):
                    await _end(job.process)

    async def _listen(self, job: Job, request: dict[str, Any]) -> None:
        process = job.process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            await process.stdin.send(json.dumps(request).encode() + b"\n")
            lines = BufferedByteReceiveStream(process.stdout)
            while not job.over:
                self._hear(job, json.loads(await lines.receive_until(b"\n", _LINE)))
        except (anyio.EndOfStream, anyio.IncompleteRead, anyio.BrokenResourceError, anyio.ClosedResourceError, OSError):
            if not job.over:
                code = await process.wait()
                job.state = "failed"
                job.error = (
                    f"The work ended without an answer (exit code {code}), perhaps because memory ran out; the server "
                    "and your other work are not touched."
                )

    @staticmethod
    def _hear(job: Job, message: dict[str, Any]) -> None:
        if job.over:
            return
        if "error" in message:
            job.state, job.error = "failed", message["error"]
            job.refused = {name: message[name] for name in ("argument", "parts", "ways") if name in message}
        elif "answer" in message:
            job.answer, job.made = message["answer"], message["made"]
            job.state = "done"
        else:
            job.done, job.total, job.doing = message["done"], message["total"], message["doing"]


async def _end(process: Process) -> None:
    if process.returncode is None:
        process.terminate()
        with anyio.move_on_after(_PARTING):
            await process.wait()
        if process.returncode is None:
            process.kill()
            await process.wait()
    await process.aclose()
