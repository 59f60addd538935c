"""``roclab simulate``: the library's own result, its options, files, interruption and bad input."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time

import pytest

from roclab.names import STUDY_ESTIMATORS
from roclab.studies.designs import ESTIMATOR_NAMES, table_design
from roclab.studies.runner import run_study
from tests.cli.conftest import same

FILE = """
sizes = [[10, 15]]
areas = [0.8]
estimators = ["MW", "N"]
[positive]
distribution = "gamma"
shape = 2
scale = "solve"
[negative]
distribution = "gamma"
shape = 2
scale = 1
"""


@pytest.fixture
def design(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(FILE)
    return path


def test_output_is_that_of_the_library(shell):
    chosen = table_design("II").changed(sizes=[(10, 20)], areas=[0.85], estimators=["NT", "MW"])
    words = [
        "simulate",
        "II",
        "--size",
        "10,20",
        "--area",
        "0.85",
        "--estimator",
        "NT",
        "--estimator",
        "MW",
        "--replicates",
        "60",
        "--seed",
        "4",
    ]
    text = same(shell, run_study(chosen, replicates=60, rng=4), *words)
    assert "10 positives, 20 negatives" in text


def test_a_file_of_ones_own(shell, design):
    text = shell("simulate", design, "--replicates", 50, "--seed", 1).stdout
    assert text.splitlines()[0] == "Table mine"
    assert "AUC=0.8" in text
    assert [line.split()[0] for line in text.splitlines()[4:6]] == ["MW", "N"]


def test_all_means_the_nine_tables(shell):
    words = ["simulate", "all", "--size", "4", "--estimator", "MW", "--replicates", "2", "--seed", "1", "--json"]
    cells = json.loads(shell(*words).stdout)["cells"]
    assert list(dict.fromkeys(cell["table"] for cell in cells)) == [
        "I",
        "II",
        "III",
        "IV",
        "V",
        "VI",
        "VII",
        "VIII",
        "IX",
    ]


def test_estimators_are_those_of_the_library():
    assert STUDY_ESTIMATORS == ESTIMATOR_NAMES


def test_a_run_goes_on_from_its_file(shell, tmp_path):
    path = tmp_path / "study.json"
    words = ["simulate", "I", "--size", 10, "--replicates", 100, "--seed", 1, "--estimator", "MW"]
    first = shell(*words, "--resume", path).stdout
    assert shell(*words, "--resume", path).stdout == first == shell(*words).stdout
    message = shell.error(*words[:-4], "--seed", 2, "--estimator", "MW", "--resume", path)
    assert message.startswith(f"--resume must be a file of the same study, got {path} of another design, seed or")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("XII", "DESIGN must be a table (I, II, III, IV, V, VI, VII, VIII, IX, X), all, or a file that ends in .toml"),
        ("I --size 1", "--size must be a whole number of at least 2, got 1; a class of one case has no spread"),
        ("I --size ten", "--size must be a whole number or two separated by a comma, got 'ten'; write 20 or 20,60."),
        ("I --area 1.2", "--area must lie strictly between 0 and 1, got 1.2"),
        ("I --replicates 0", "--replicates must be a whole number of at least 2, got 0; 1000 is usual."),
        ("I --workers 0", "--workers must be a whole number of at least 1, got 0"),
        ("I I", "DESIGN must have different names, got I, I; rename one of them."),
        ("none.toml", "design must be a file that can be read, got none.toml"),
        ("I --out /none/table.txt", "--out must be in a directory that exists, got /none/table.txt"),
        ("I --seed 1 --resume /none/study.json", "--resume must be in a directory that exists, got /none/study.json"),
    ],
)
def test_bad_input(shell, words, message):
    assert shell.error("simulate", *words.split(), "-q").startswith(message)


def test_errors_of_a_file_keep_its_words(shell, design):
    design.write_text(FILE.replace("[[10, 15]]", "[[1, 15]]"))
    assert shell.error("simulate", design).startswith(
        "in mine.toml: sizes must be a whole number of at least 2, got 1;"
    )


def test_ctrl_c_stops_and_keeps_the_work(tmp_path):
    path = tmp_path / "study.json"
    words = [sys.executable, "-m", "roclab", "simulate", "all", "--seed", "1", "--workers", "2", "--resume", str(path)]
    running = subprocess.Popen(
        words,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # ignored under nohup
    )
    while running.poll() is None and not (path.exists() and "#0" in path.read_text()):
        time.sleep(0.1)  # the study writes down what is done every few seconds
    running.send_signal(signal.SIGINT)
    out, error = running.communicate()
    assert (running.returncode, out, error.strip()) == (130, "", "stopped")
    assert len(json.loads(path.read_text())["chunks"]) > 0


def test_resuming_needs_a_seed(shell, tmp_path):
    line = shell.error("simulate", "I", "--replicates", 10, "--resume", tmp_path / "a.json")
    assert line.startswith("--resume needs --seed")
    assert list(tmp_path.iterdir()) == []
