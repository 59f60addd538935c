"""Who may ask: this user's page and nobody else."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

import roclab.app
import roclab.report

STATIC = [Path(roclab.app.__file__).parent / "static", Path(roclab.report.__file__).parent / "static"]


@pytest.mark.parametrize("path", ["api/start", "api/jobs/none"])
@pytest.mark.parametrize("token", ["", "wrong", None])
def test_questions_need_the_token(workbench, path, token):
    headers = {"X-Roclab-Token": token or ""}
    status, _, text = workbench.send(path, headers=headers)
    assert status == 403
    assert "token" in text
    assert workbench.token not in text


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
@pytest.mark.parametrize("path", ["", "api/start", "static/main.js"])
def test_other_pages_and_names_are_refused(workbench, path, headers):
    assert workbench.send(path, headers=headers)[0] == 403


def test_its_own_pages_are_answered(workbench):
    for host in (f"127.0.0.1:{workbench.port}", f"localhost:{workbench.port}"):
        headers = {"Host": host, "Origin": f"http://{host}", "Sec-Fetch-Site": "same-origin"}
        assert workbench.send("api/start", headers=headers)[0] == 200


@pytest.mark.parametrize("path", ["", "api/start", "static/main.js", "report/page.css", "nowhere", "api/nowhere"])
def test_every_answer_lets_the_page_load_nothing_from_elsewhere(workbench, path):
    headers = {name.lower(): value for name, value in workbench.send(path)[1].items()}
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", ["static/../routes.py", "static/%2e%2e/routes.py", "report/..%2f..%2f__init__.py"])
def test_no_file_outside_is_handed_out(workbench, path):
    with socket.create_connection(("127.0.0.1", workbench.port)) as line:
        asked = f"GET /{path} HTTP/1.1\r\nHost: 127.0.0.1:{workbench.port}\r\nConnection: close\r\n\r\n"
        line.sendall(asked.encode())
        answer = b""
        while piece := line.recv(65536):
            answer += piece
    assert b" 404 " in answer.split(b"\r\n")[0]


def test_it_listens_on_loopback_only(workbench):
    name = socket.gethostbyname(socket.gethostname())
    if name.startswith("127."):
        pytest.skip("this machine has no other address")
    with pytest.raises(OSError, match=r"refused|timed out|unreachable"):
        socket.create_connection((name, workbench.port), timeout=5)


def test_the_page_names_no_other_server():
    for folder in STATIC:
        for path in folder.rglob("*"):
            if path.suffix in (".js", ".css", ".html", ".svg", ".json"):
                for address in re.findall(r"https?://[^\s\"'`)<]+", path.read_text(encoding="utf-8")):
                    assert address == "http://www.w3.org/2000/svg", path


def test_scripts_never_make_html():
    for folder in STATIC:
        for path in folder.rglob("*.js"):
            text = path.read_text(encoding="utf-8")
            for mark in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"):
                assert mark not in text, path


@pytest.mark.parametrize("body", [b"", b"{", b"[1]", b"\xff", b'"x"', b"[" * 100_000])
def test_what_is_no_question_is_a_sentence(workbench, body):
    assert "must be" in workbench.api("ask", body)["error"]


def test_unknown_questions_parts_and_data(workbench):
    assert "known names" in workbench.ask(None, "__import__")["error"]
    assert "does not hold" in workbench.ask("nowhere", "overview")["error"]
    key = workbench.api("open", {"path": "example"})["key"]
    assert "known names" in workbench.ask(key, "overview", {"path": "/etc/passwd"})["error"]
    assert "known keywords" in workbench.api("read", {"key": key, "reading": {"path": "/etc/passwd"}})["error"]
    assert "not known" in workbench.api("jobs/nowhere")["error"]


def test_an_upload_beyond_the_limit_is_refused_and_removed(another, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    server = another("--upload-limit", "0.01")
    answer = server.upload("big.csv", b"y,s\n" + b"1,2\n" * 10_000)
    assert "at most 10,000 bytes" in answer["error"]
    (folder,) = tmp_path.iterdir()
    assert list(folder.glob("*.csv")) == []


def test_a_wrong_file_ends_the_command_with_a_sentence(tmp_path):
    command = [sys.executable, "-m", "roclab", "app", str(tmp_path / "gone.csv"), "--no-browser"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "gone.csv" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_port_that_is_taken_is_a_sentence(workbench):
    command = [sys.executable, "-m", "roclab", "app", "--no-browser", "--port", str(workbench.port)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "port must be free" in done.stderr


def test_uploads_are_private_and_gone_at_the_end(another, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    server = another()
    server.upload("x.csv", b"y,s\n1,2\n0,1\n")
    (folder,) = tmp_path.iterdir()
    assert folder.stat().st_mode & 0o077 == 0
    assert len(list(folder.glob("*.csv"))) == 1
    server.close()
    assert list(tmp_path.iterdir()) == []
