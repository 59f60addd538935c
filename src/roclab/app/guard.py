"""Who may ask: pages that this server handed out, opened by whoever holds the token of this start.

Loopback alone does not keep other web pages out: a browser lets any page send requests to 127.0.0.1, and a name can be
made to point there after a page was loaded. So the name the request was sent to, the page it came from and a secret of
this start are all checked, and answers carry headers that let a page of ours load nothing from elsewhere.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

__all__ = ["TOKEN_HEADER", "Guard", "new_token"]

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

TOKEN_HEADER = "x-roclab-token"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


def new_token() -> str:
    """A secret that nobody guesses."""
    return secrets.token_urlsafe(24)


class Guard:
    """Lets through what may be asked, and puts the headers of safety on every answer.

    ``hosts`` are the names by which this server is known, with its port.
    """

    def __init__(self, app: Any, *, token: str, hosts: Callable[[], frozenset[str]]) -> None:
        self.app, self.token, self.hosts = app, token, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or say why not."""
        if scope["type"] != "http":  # the server starts and stops; there are no sockets
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        reason = self.objection(scope)

        async def with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                own = [(name.encode(), value.encode()) for name, value in _HEADERS.items()]
                kept = [pair for pair in message.get("headers", []) if pair[0].decode().lower() not in _HEADERS]
                message["headers"] = [*kept, *own]
            await send(message)

        if reason is None:
            await self.app(scope, receive, with_headers)
            return
        body = json.dumps({"error": reason}).encode()
        start = {"type": "http.response.start", "status": 403, "headers": [(b"content-type", b"application/json")]}
        await with_headers(start)
        await send({"type": "http.response.body", "body": body})

    def objection(self, scope: Scope) -> str | None:
        """Why a request is refused, or None."""
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        known = self.hosts()
        if headers.get("host") not in known:
            return "This server answers only by the address that roclab printed."
        origin = headers.get("origin")
        if origin is not None and origin not in {f"http://{host}" for host in known}:
            return "This server answers only its own pages."
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            return "This server answers only its own pages."
        asked = headers.get(TOKEN_HEADER, "").encode()
        if scope["path"].startswith("/api/") and not secrets.compare_digest(asked, self.token.encode()):
            return "The token of this start is missing: open the address that roclab printed."
        return None
