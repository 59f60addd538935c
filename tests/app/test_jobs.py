"""Long work: progress, an end on demand, and a server that outlives its workers but is not outlived by them."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

ROLES = {"label": "outcome", "positive": "deteriorated", "score": ["procalcitonin", "lactate", "concern"]}
WITHOUT_END = {"kind": "simultaneous", "resampling": 100_000}


def wait(server, job, until):
    while True:
        told = server.api(f"jobs/{job}")
        if until(told):
            return told
        time.sleep(0.05)


def workers_of(server):
    """Process numbers of the workers, as Linux lists them."""
    listed = f"/proc/{server.process.pid}/task/{server.process.pid}/children"
    if not os.path.exists(listed):
        pytest.skip("this system does not list the children of a process")
    with open(listed) as text:
        return [int(word) for word in text.read().split()]


def alive(process):
    """Is it there, and more than a name that nobody has asked for yet?"""
    try:
        return "State:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except FileNotFoundError:
        return False


@pytest.fixture
def busy(another):
    """A server with work that takes long, which has begun."""
    server = another()
    key = server.api("open", {"path": "example"})["key"]
    job = server.ask(key, "band", ROLES, **WITHOUT_END)["job"]
    told = wait(server, job, lambda one: one["done"] > 0)
    assert told["state"] == "running"
    assert told["total"] > told["done"]
    return server, key, job


def test_work_is_answered_with_the_numbers_of_the_library(workbench):
    key = workbench.api("open", {"path": "example"})["key"]
    job = workbench.ask(key, "stability", ROLES, score="lactate", resampling=60)["job"]
    told = wait(workbench, job, lambda one: one["state"] == "done")
    assert told["error"] == ""
    assert told["answer"]["table"]["rows"]


def test_an_error_of_long_work_is_a_sentence(workbench):
    key = workbench.api("open", {"path": "example"})["key"]
    job = workbench.ask(key, "stability", ROLES, score="lactate", criterion="none such")["job"]
    told = wait(workbench, job, lambda one: one["state"] == "failed")
    assert told["error"].startswith("criterion must be")


def test_work_can_be_stopped(busy):
    server, _, job = busy
    (worker,) = workers_of(server)
    assert server.api(f"jobs/{job}", method="DELETE")["state"] == "stopped"
    assert not alive(worker)
    assert server.api(f"jobs/{job}")["state"] == "stopped"


def test_a_crash_leaves_the_server_and_its_data(busy):
    server, key, job = busy
    (worker,) = workers_of(server)
    os.kill(worker, signal.SIGKILL)
    told = wait(server, job, lambda one: one["state"] == "failed")
    assert "without an answer" in told["error"]
    assert "error" not in server.ask(key, "overview", ROLES)


def test_short_questions_are_answered_while_long_work_runs(busy):
    server, key, job = busy
    assert "error" not in server.ask(key, "overview", ROLES)
    assert server.api(f"jobs/{job}")["state"] == "running"


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_no_worker_outlives_the_server(busy, how):
    server, _, _ = busy
    (worker,) = workers_of(server)
    server.process.send_signal(how)
    server.process.wait(timeout=60)
    while alive(worker):  # a worker that stays makes this test hang, which ends it
        time.sleep(0.05)
    assert not alive(worker)
