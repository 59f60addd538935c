"""roclab as a program: pipes, files, signals and terminals."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time

import numpy as np
import pytest

from roclab.analysis.area_table import area_table
from roclab.datasets import example_path
from tests.cli.conftest import DATA

PROGRAM = [sys.executable, "-m", "roclab"]
LACTATE = [*DATA, "--score", "lactate"]


def program(*arguments, **options):
    return subprocess.run(
        [*PROGRAM, *map(str, arguments)], capture_output=True, check=False, **{"text": True, **options}
    )


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """A file whose curve does not fit into a pipe, and whose bootstrap takes minutes."""
    rng = np.random.default_rng(1)
    path = tmp_path_factory.mktemp("many") / "many.csv"
    label = rng.integers(0, 2, 50_000)
    np.savetxt(path, np.column_stack([label, label + rng.normal(size=50_000)]), "%.8f", ",", header="y,s", comments="")
    return path


# -- standard input and output ---------------------------------------------------------------------


def test_standard_input(shell):
    text = example_path().read_text()
    expected = area_table(example_path(), label="outcome", pos_label="deteriorated", score="lactate")
    assert shell("auc", "-", *LACTATE, "--json", input=text).stdout == expected.to_json() + "\n"
    done = program("auc", "-", *LACTATE, "--json", input=text)
    assert (done.returncode, done.stdout, done.stderr) == (0, expected.to_json() + "\n", "")


def test_standard_input_without_columns_lists_them(shell):
    message = shell.error("auc", "-", input="y,s\n1,2\n")
    assert message == "--label and --score must name columns of standard input, got none; its columns are y, s."


@pytest.mark.parametrize("form", [[], ["--json"], ["--csv"]])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_broken_pipe_is_quiet(many, form, unbuffered):
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    command = [*PROGRAM, "curve", str(many), "--label", "y", "--score", "s", *form]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as running:
        assert running.stdout.readline()
        running.stdout.close()
        said = running.stderr.read()
        running.wait()
    assert (running.returncode, said) == (141, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_full_disk_is_one_sentence(unbuffered):
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    command = [*PROGRAM, "power", "--area", "0.8", "--power", "0.9"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False, env=environment)
    assert done.returncode == 2
    assert done.stderr == "Error: standard output must take what is written to it, got No space left on device.\n"
    assert program("power", "--area", "0.8", "--power", "0.9", "--out", "/dev/full").returncode == 2
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)  # written to, not replaced


def test_other_encodings_never_fail():
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    arguments = ["auc", "example", *LACTATE, "--estimator", "t2auc", "--ci", "none"]
    text = program(*arguments, env=environment, text=False)
    assert (text.returncode, b"t?AUC" in text.stdout) == (0, True)
    machine = program(*arguments, "--json", env=environment, text=False)
    assert "t²AUC" in machine.stdout.decode("utf-8")


# -- files -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", [[], ["--json"], ["--csv"]])
def test_out_holds_what_would_be_printed(shell, tmp_path, form):
    path = tmp_path / "answer"
    arguments = ["auc", "example", *LACTATE, *form]
    printed = shell(*arguments).stdout
    done = shell(*arguments, "--out", path)
    assert (done.stdout, done.stderr) == ("", "")
    assert path.read_text(encoding="utf-8") == printed
    assert list(tmp_path.iterdir()) == [path]


def test_out_replaces_a_file_and_keeps_its_mode_and_links(shell, tmp_path):
    path, link = tmp_path / "answer", tmp_path / "link"
    path.write_text("before")
    path.chmod(0o640)
    link.symlink_to(path)
    shell("power", "--area", 0.8, "--power", 0.9, "--out", link)
    assert link.is_symlink()
    assert path.read_text().startswith("AUC 0.8 against 0.5")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_out_is_whole_or_not_there(shell, tmp_path, monkeypatch):
    path = tmp_path / "answer"
    path.write_text("before")

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    shell("power", "--area", 0.8, "--power", 0.9, "--out", path, code=130)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_out_does_not_replace_the_data(shell, halves):
    before = halves[0].read_bytes()
    message = shell.error("auc", halves[0], *LACTATE, "--out", halves[0])
    assert message == f"--out must not be the file of the data, got {halves[0]}; name another file."
    assert halves[0].read_bytes() == before


def test_out_that_cannot_be_written(shell, tmp_path, monkeypatch):
    path = tmp_path / "answer"
    real = os.access
    monkeypatch.setattr(os, "access", lambda place, mode: mode != os.W_OK and real(place, mode))
    arguments = ["power", "--area", 0.8, "--power", 0.9, "--out", path]
    assert "--out must be in a directory that may be written" in shell.error(*arguments)
    path.write_text("before")
    assert "--out must be a file that may be written" in shell.error(*arguments)
    monkeypatch.undo()
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError(30, "Read-only file system")))
    assert "--out must be a file that can be written" in shell.error(*arguments)
    assert path.read_text() == "before"


# -- signals ---------------------------------------------------------------------------------------


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals")
@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_during_a_bootstrap(many, tmp_path, workers):
    path = tmp_path / "answer.json"
    options = ["--ci", "percentile", "--replicates", "1000000", "--json", "--out", str(path), "--workers", str(workers)]
    command = [*PROGRAM, "auc", str(many), "--label", "y", "--score", "s", "-v", *options]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Jobs in the background of a shell ignore Ctrl-C, and so would their children.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as running:
        assert "50000 cases" in running.stderr.readline()  # the data are read, the bootstrap begins
        time.sleep(0.5)
        running.send_signal(signal.SIGINT)
        printed, said = running.communicate()
    # A signal during a late import ends Python by the signal itself, which a shell also shows as 130.
    assert running.returncode in (130, -signal.SIGINT)
    assert (printed, said) == ("", "stopped\n")
    assert list(tmp_path.iterdir()) == []


# -- progress and words on standard error ------------------------------------------------------------


def test_quiet_and_verbose(shell):
    arguments = ["auc", "example", *LACTATE]
    assert shell(*arguments, "-q").stderr == ""
    assert "300 cases, lactate" in shell(*arguments, "-v").stderr
    assert shell(*arguments, "-v").stdout == shell(*arguments).stdout
