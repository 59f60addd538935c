"""Connections that say nothing are closed: each holds a file descriptor, and any user of the machine can open them."""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["ImpatientProtocol"]


class ImpatientProtocol(H11Protocol):
    """HTTP as uvicorn speaks it, which waits for headers for ever; here a request must be whole within some seconds.

    While a request is being answered nothing is closed, however long that or its upload takes.
    """

    header_timeout = 15.0  # seconds
    _due: Any = None  # a timer of the loop

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for a first request."""
        super().connection_made(transport)
        self._wait()

    def on_response_complete(self) -> None:
        """Begin to wait for the next one."""
        super().on_response_complete()
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is waited for any more."""
        if self._due is not None:
            self._due.cancel()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._due is not None:
            self._due.cancel()
        self._due = self.loop.call_later(self.header_timeout, self._give_up)

    def _give_up(self) -> None:
        answering = self.cycle is not None and not self.cycle.response_complete
        if not answering and not self.transport.is_closing():
            self.transport.close()
