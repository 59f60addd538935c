"""What is uploaded does not outlive its server: hang-ups, kills, and the folders that those leave."""

from __future__ import annotations

import os
import shutil
import signal

import pytest

from roclab.app.folder import OwnFolder, remove_left_behind

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="Windows has no SIGHUP and no such locks")

ROWS = b"y,s\n1,2\n0,1\n"


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def test_closing_the_terminal_removes_uploads(another, temporary):
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the tests themselves may run under nohup
    try:
        server = another()
    finally:
        signal.signal(signal.SIGHUP, before)
    server.upload("x.csv", ROWS)
    assert len(list(temporary.glob("*/*.csv"))) == 1
    server.process.send_signal(signal.SIGHUP)
    assert server.process.wait(timeout=120) == 129
    assert list(temporary.iterdir()) == []


def test_nohup_keeps_the_server(another, temporary, monkeypatch):
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # which children inherit, as from nohup
    try:
        server = another()
    finally:
        signal.signal(signal.SIGHUP, before)
    server.process.send_signal(signal.SIGHUP)
    assert "error" not in server.upload("x.csv", ROWS)


def test_what_a_killed_server_left_is_removed_by_the_next(another, temporary):
    killed, living = another(), another()
    for server in (killed, living):
        server.upload("x.csv", ROWS)
    killed.process.kill()
    killed.process.wait()
    assert len(list(temporary.glob("*/*.csv"))) == 2
    another()
    assert len(list(temporary.glob("*/*.csv"))) == 1
    assert living.upload("x.csv", ROWS)["rows_read"] == 2


def test_folders_in_use_and_those_of_others_stay(temporary, tmp_path_factory):
    used = OwnFolder()
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "in-use").touch()
    (temporary / "roclab-app-link").symlink_to(elsewhere)
    (temporary / "roclab-app-unmarked").mkdir()
    (temporary / "roclab-app-file").touch()
    (temporary / "roclab-0123").mkdir()
    dead = temporary / "roclab-app-dead"
    dead.mkdir()
    (dead / "in-use").touch()
    (dead / "upload.csv").write_bytes(ROWS)
    remove_left_behind()
    assert not dead.exists()
    assert (elsewhere / "in-use").exists()
    assert {one.name for one in temporary.iterdir()} == {
        used.path.name, "roclab-app-link", "roclab-app-unmarked", "roclab-app-file", "roclab-0123"
    }  # fmt: skip
    used.close()
    assert not used.path.exists()


def test_folders_of_other_users_stay(temporary, monkeypatch):
    dead = temporary / "roclab-app-dead"
    dead.mkdir()
    (dead / "in-use").touch()
    monkeypatch.setattr(os, "getuid", lambda: dead.stat().st_uid + 1)
    remove_left_behind()
    assert dead.exists()
    shutil.rmtree(dead)
