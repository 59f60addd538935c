"""Starting the workbench: a free port on this machine only, a secret for this start, and a clean end."""

from __future__ import annotations

import contextlib
import signal
import socket
import threading
import webbrowser
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path

import uvicorn

from roclab.app.connections import ImpatientProtocol
from roclab.app.guard import Guard, new_token
from roclab.app.routes import workbench
from roclab.app.shelf import Shelf
from roclab.errors import InputError, Words

__all__ = ["UPLOAD_LIMIT", "serve"]

HOST = "127.0.0.1"
UPLOAD_LIMIT = 2_000_000_000  # bytes; larger files are opened by their path


def serve(
    file: str | None = None,
    *,
    port: int = 0,
    browser: bool = True,
    upload_limit: int = UPLOAD_LIMIT,
    say: Callable[[str], None] = print,
) -> None:
    """Serve until Ctrl-C, TERM or the end of the terminal; uploaded data are gone afterwards.

    What servers left behind that were killed is removed at the start.

    Parameters
    ----------
    file : str, optional
        Opened at once.
    port : int
        0 takes a free one.
    browser : bool
        Open the page. The address holds a secret, so that no other program of this machine can ask; the browser gets
        it by a file that only this user can read, because command lines are seen by everybody.
    say : callable
        Told the address.
    """
    with contextlib.closing(_listening(port)) as listener:
        port = listener.getsockname()[1]
        token = new_token()
        hosts = frozenset({f"{HOST}:{port}", f"localhost:{port}"})
        with contextlib.closing(Shelf(upload_limit=upload_limit)) as shelf:
            app = Guard(workbench(shelf, first=file), token=token, hosts=lambda: hosts)
            address = f"http://{HOST}:{port}/#{token}"
            say(f"roclab is at {address} (Ctrl-C ends it)")
            if browser:
                webbrowser.open(_signpost(shelf.folder, address).as_uri())
            config = uvicorn.Config(app, log_level="warning", access_log=False, server_header=False, lifespan="on",
                                    timeout_graceful_shutdown=2, http=ImpatientProtocol)  # fmt: skip
            server = uvicorn.Server(config)
            with _hearing_hangups(server) as heard:
                server.run(sockets=[listener])
        for number in heard[:1]:  # the signal takes its course once everything is gone
            signal.raise_signal(number)


@contextlib.contextmanager
def _hearing_hangups(server: uvicorn.Server) -> Iterator[list[int]]:
    """Let the end of the terminal stop the server as TERM does, which uvicorn hears by itself; what was heard."""
    heard: list[int] = []
    hangup = getattr(signal, "SIGHUP", None)  # Windows has none
    in_main = threading.current_thread() is threading.main_thread()
    if hangup is None or not in_main or signal.getsignal(hangup) is signal.SIG_IGN:  # nohup: the user wants it to stay
        yield heard
        return

    def hear(number: int, _: object) -> None:
        heard.append(number)
        server.should_exit = True

    before = signal.signal(hangup, hear)
    try:
        yield heard
    finally:
        signal.signal(hangup, before)


def _listening(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
    except (OSError, OverflowError) as error:
        listener.close()
        raise InputError(
            "port", "must be free", Words(f"{port} ({error})"), "leave it out, and a free one is taken"
        ) from None
    listener.listen(128)
    return listener


def _signpost(folder: Path, address: str) -> Path:
    """A page that leads to the address; the folder is this user's alone."""
    path = folder / "open.html"
    path.write_text(f'<!doctype html><meta http-equiv="refresh" content="0;url={escape(address)}">', encoding="utf-8")
    path.chmod(0o600)
    return path
