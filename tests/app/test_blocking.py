"""Nothing that a page names or another program opens can hold the server up."""

from __future__ import annotations

import os
import socket
import threading

import pytest
import uvicorn

from roclab.app.connections import ImpatientProtocol

ENOUGH = 120  # seconds after which a connection that stays open fails the test; nothing is measured with it


@pytest.mark.parametrize("path", ["-", " - ", "/dev/zero", "/dev/tty", "/dev/stdin", "/proc/self/fd/0"])
def test_standard_input_and_devices_are_refused(workbench, path):
    if path.strip() != "-" and not os.path.exists(path):
        pytest.skip(f"this machine has no {path}")
    answer = workbench.api("open", {"path": path})
    assert "a path must name a file" in answer["error"]
    assert workbench.api("open", {"path": "example"})["rows_read"] > 0


def test_named_pipes_are_refused(workbench, tmp_path):
    pipe = tmp_path / "scores.csv"
    os.mkfifo(pipe)
    answer = workbench.api("open", {"path": str(pipe)})
    assert "a path must name a file" in answer["error"]
    assert "a pipe or a device" in answer["error"]


@pytest.fixture
def impatient(monkeypatch):
    """A small server that closes silent connections soon."""
    monkeypatch.setattr(ImpatientProtocol, "header_timeout", 0.2)
    going_on = threading.Event()

    async def app(scope, receive, send):
        if scope["type"] != "http":
            return
        body = b""
        while (message := await receive())["type"] == "http.request":
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"%02d" % len(body)})

    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", http=ImpatientProtocol, timeout_keep_alive=60))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    yield listener.getsockname(), going_on
    server.should_exit = True
    thread.join()
    listener.close()


def to_the_end(line):
    line.settimeout(ENOUGH)
    said = b""
    while piece := line.recv(65536):
        said += piece
    return said


@pytest.mark.parametrize("begun", [b"", b"GET / HTTP/1.1\r\nHost: x\r\n"])
def test_connections_that_say_too_little_are_closed(impatient, begun):
    with socket.create_connection(impatient[0]) as line:
        line.sendall(begun)
        assert to_the_end(line) == b""


def test_connections_that_fall_silent_after_an_answer_are_closed(impatient):
    with socket.create_connection(impatient[0]) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost:")
        assert to_the_end(line).endswith(b"00")


def test_slow_uploads_are_waited_for(impatient):
    with socket.create_connection(impatient[0]) as line:
        line.settimeout(ENOUGH)
        line.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 12\r\n\r\n")
        for _ in range(12):  # longer than headers may take
            impatient[1].wait(0.1)
            line.sendall(b"x")
        assert line.recv(65536).startswith(b"HTTP/1.1 200")
