"""Long work that is stopped: an exit code, one word, and no file, whatever was computed, on however many threads."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import numpy as np
import pytest

from roclab._core.work import in_order, leave_if_stopped, unfinished

pty = pytest.importorskip("pty", reason="needs the terminals of POSIX")

GUARD = 120  # seconds after which a process that does not end is given up; nothing is measured with it


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """A file with so many cases, and so many markers, that work on it takes minutes."""
    rng = np.random.default_rng(1)
    path = tmp_path_factory.mktemp("many") / "many.csv"
    label = rng.integers(0, 2, 20_000)
    scores = label[:, None] + rng.normal(size=(20_000, 2))
    np.savetxt(path, np.column_stack([label, scores]), "%.6f", ",", header="y,s,t", comments="")
    return path


@pytest.fixture(scope="module")
def wide(tmp_path_factory):
    rng = np.random.default_rng(2)
    path = tmp_path_factory.mktemp("wide") / "wide.csv"
    table = np.column_stack([rng.integers(0, 2, 200), rng.normal(size=(200, 4000))])
    names = ",".join(["y", *(f"m{at}" for at in range(4000))])
    np.savetxt(path, table, "%.4f", ",", header=names, comments="")
    return path


def commands(many, wide):
    data = [str(many), "--label", "y"]
    forever = ["--replicates", "5000000"]
    return {
        "auc": ["auc", *data, "--score", "s", "--ci", "bca", *forever],
        "band": ["curve", *data, "--score", "s", "--band", "pointwise", "--points", "5", *forever],
        "permutations": ["compare", *data, "--score", "s", "--score", "t", "--curves", *forever],
        "cutoff": ["cutoff", *data, "--score", "s", "--bootstrap", *forever],
        "simulate": ["simulate", "all", "--replicates", "20000"],
        "reproduce": ["reproduce", "--all", "--no-page", "--replicates", "20000"],
        "screen": ["screen", str(wide), "--label", "y"],
        "report": ["report", *data, "--score", "s", "--replicates", "200000"],
    }


def stopped(command, sent, *, ignoring=False):
    """Run a program until it shows its progress on a terminal, send it a signal, and wait for its end."""
    screen, inside = pty.openpty()
    running = subprocess.Popen(
        [sys.executable, "-m", "roclab", *command],
        stdout=subprocess.PIPE,
        stderr=inside,
        env={**os.environ, "TERM": "xterm"},
        # Jobs in the background of a shell ignore Ctrl-C, and so would their children.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN if ignoring else signal.default_int_handler),
    )
    os.close(inside)
    try:
        said = b""
        while b"/" not in said and (more := _read(screen)):  # 50/5000000: it is at work
            said += more
        assert b"/" in said, said
        if ignoring:
            running.send_signal(signal.SIGINT)  # which is not heard
        running.send_signal(sent)
        while more := _read(screen):
            said += more
        printed = running.communicate(timeout=GUARD)[0]
    finally:
        running.kill()
        running.wait()
        os.close(screen)
    return running.returncode, printed, said


def _read(screen):
    try:
        return os.read(screen, 1000)
    except OSError:  # the other end was closed
        return b""


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("name", commands("", ""))
def test_ctrl_c_leaves_no_file(many, wide, tmp_path, name, workers):
    command = [*commands(many, wide)[name], "--workers", str(workers), "--out", str(tmp_path / "answer.html")]
    code, printed, said = stopped(command, signal.SIGINT)
    assert (code, printed) == (130, b"")
    assert said.endswith(b"stopped\r\n")
    assert b"Traceback" not in said
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("ignoring", [False, True])
def test_term_does_the_same_also_where_ctrl_c_is_not_heard(many, wide, tmp_path, workers, ignoring):
    command = [*commands(many, wide)["auc"], "--workers", str(workers), "--out", str(tmp_path / "answer.txt")]
    code, printed, said = stopped(command, signal.SIGTERM, ignoring=ignoring)
    assert (code, printed) == (143, b"")
    assert said.endswith(b"stopped\r\n")
    assert list(tmp_path.iterdir()) == []


LONG_STEP = """
import sys, threading
from roclab._core.work import in_order
from roclab.cli import main as program
started = threading.Event()
def step(at):
    if at:
        started.set()
        threading.Event().wait()  # a step that never ends
    return at
def run():
    for _ in in_order(step, [0, 1, 2], workers=2):
        started.wait()
        raise KeyboardInterrupt
program.cli.main = lambda: sys.exit(program._guarded(run, program.Settings()))
program.main()
"""


def test_a_step_that_takes_long_does_not_keep_the_process_alive():
    done = subprocess.run([sys.executable, "-c", LONG_STEP], capture_output=True, text=True, timeout=GUARD, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "stopped\n")


def test_a_stop_while_threads_are_being_started(monkeypatch):
    def interrupted(thread):
        raise KeyboardInterrupt

    monkeypatch.setattr("threading.Thread.start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        list(in_order(abs, [1, 2, 3], workers=2))


def test_threads_leave_between_two_steps():
    def endless(at):
        while at:
            leave_if_stopped()
        return at

    work = in_order(endless, [0, 1, 2, 3], workers=2)
    assert next(work) == 0
    work.close()
    assert not unfinished()


def test_of_several_errors_the_first_in_order_is_raised():
    def fails(at):
        if at >= 3:
            raise ValueError(str(at))
        return at

    for _ in range(20):
        found = []
        with pytest.raises(ValueError, match="^3$"):
            found.extend(in_order(fails, range(50), workers=4))
