"""Streams that are closed or full, and signals at the first and the last moment."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from tests.cli.conftest import DATA

PROGRAM = [sys.executable, "-m", "roclab"]
AUC = ["auc", "example", *DATA, "--score", "lactate"]
posix = pytest.mark.skipif(os.name == "nt", reason="the shell and the signals of POSIX")
full = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")


def in_shell(arguments, redirected, **options):
    command = f'exec "$@" {redirected}'
    return subprocess.run(
        ["/bin/sh", "-c", command, "sh", *PROGRAM, *map(str, arguments)],
        capture_output=True, text=True, check=False, **options,
    )  # fmt: skip


@posix
@pytest.mark.parametrize(
    "arguments",
    [
        AUC,
        ["screen", "example", *DATA],
        ["auc", "example", *DATA, "--score", "lactate", "--ci", "bca", "--seed", "1"],
        ["--help"],
    ],
)
def test_closed_standard_error_changes_no_answer(arguments):
    known = in_shell(arguments, "")
    closed = in_shell(arguments, "2>&-")
    assert (closed.returncode, closed.stdout, closed.stderr) == (known.returncode, known.stdout, "")
    assert known.returncode == 0


@posix
@pytest.mark.parametrize("arguments", [["auc", "gone.csv"], ["auc", "--nonsense"], [*AUC, "--level", "95"]])
def test_closed_standard_error_keeps_exit_codes_and_standard_output_clean(arguments):
    assert (in_shell(arguments, "2>&-").returncode, in_shell(arguments, "2>&-").stdout) == (2, "")


@posix
def test_all_streams_closed_still_writes_the_file(tmp_path):
    path = tmp_path / "answer"
    assert in_shell([*AUC, "--out", path], "<&- >&- 2>&-").returncode == 0
    assert path.read_text(encoding="utf-8") == in_shell(AUC, "").stdout


@posix
@full
@pytest.mark.parametrize("arguments", [["--help"], ["auc", "--help"], ["--version"], AUC])
def test_help_into_a_full_disk_is_one_sentence(arguments):
    done = in_shell(arguments, ">/dev/full")
    assert done.returncode == 2
    assert done.stderr == "Error: standard output must take what is written to it, got No space left on device.\n"


@posix
@full
@pytest.mark.parametrize("arguments", [["auc", "gone.csv", "--label", "y"], ["auc", "--nonsense"]])
def test_a_full_standard_error_keeps_the_exit_code(arguments):
    assert in_shell(arguments, "2>/dev/full").returncode == 2


@pytest.mark.parametrize("command", [["power", "--area", "0.8", "--power", "0.9"], [*AUC], ["plot", *AUC[1:]]])
def test_names_that_are_too_long_are_one_sentence(shell, tmp_path, command):
    message = shell.error(*command, "--out", tmp_path / ("x" * 300 + ".svg"))
    assert message == "--out must be a name that files can have, got one of 304 characters; shorten it."


@posix
@pytest.mark.parametrize("when", ["click", "roclab.cli.main"])
def test_ctrl_c_during_imports_is_one_word(when):
    """A finder that presses Ctrl-C when a module is asked for stands for a user who does."""
    program = (
        "import sys, signal\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {when!r}: signal.raise_signal(signal.SIGINT)\n"
        "sys.meta_path.insert(0, Finder())\n"
        "from roclab.cli.start import main\n"
        "sys.argv = ['roclab', '--version']\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "stopped\n")


@posix
def test_ctrl_c_at_the_very_end_is_no_death_by_signal():
    program = (
        "import atexit, signal, sys\n"
        "atexit.register(signal.raise_signal, signal.SIGINT)\n"
        "from roclab.cli.start import main\n"
        "sys.argv = ['roclab', '--version']\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@posix
@pytest.mark.parametrize("ignored", [False, True])
def test_hang_up_ends_a_command_unless_nohup_asks_otherwise(ignored):
    """Standard input that does not end holds the command up; it is read once it has begun."""
    running = subprocess.Popen(
        [*PROGRAM, "auc", "-", "--label", "y", "--score", "s"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN if ignored else signal.SIG_DFL),
    )  # fmt: skip
    rows = b"y,s\n" + b"1,2\n0,1\n" * 200_000
    running.stdin.write(rows)  # more than a pipe holds: the command is reading now
    running.stdin.flush()
    running.send_signal(signal.SIGHUP)
    out, said = running.communicate()
    assert (running.returncode, said) == ((0, b"") if ignored else (129, b"stopped\n"))
    assert bool(out) == ignored


@posix
def test_too_little_memory_is_not_taken_for_ctrl_c():
    """OpenBLAS raises SIGINT where it finds no room for its threads; here numpy does so while it is imported."""
    program = (
        "import resource, signal, sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'numpy._core.multiarray': signal.raise_signal(signal.SIGINT)\n"
        "sys.meta_path.insert(0, Finder())\n"
        "from roclab.cli.start import main\n"
        "if ASKED: resource.setrlimit(resource.RLIMIT_AS, (1 << 40, 1 << 40))\n"
        f"sys.argv = ['roclab', *{AUC!r}]\n"
        "main()\n"
    )
    for limit, code in ((True, 2), (False, 130)):
        done = subprocess.run(
            [sys.executable, "-c", program.replace("ASKED", str(limit))], capture_output=True, text=True, check=False
        )
        assert done.returncode == code
        assert ("memory must be enough to start with" in done.stderr) == limit
