"""Running the command line inside the test process."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest
from click.testing import CliRunner

import roclab as rl
from roclab.cli.main import cli
from roclab.datasets import example_path

DATA = ["--label", "outcome", "--positive", "deteriorated"]
FILE = example_path()
COLUMNS = {"label": "outcome", "pos_label": "deteriorated"}
ALL = ["procalcitonin", "lactate", "concern"]


def scores(*names):
    return [word for name in names for word in ("--score", name)]


def cases_of(*names, **options):
    return rl.read_cases(FILE, **COLUMNS, score=list(names), **options)


def roc_of(name):
    return rl.roc(FILE, **COLUMNS, score=name)


def same(shell, result, *arguments, notes=False):
    """All three outputs are the result's own; the text may be followed by notes."""
    assert shell(*arguments, "--json").stdout == result.to_json() + "\n"
    assert shell(*arguments, "--csv").stdout == result.to_csv()
    text = shell(*arguments).stdout
    assert text.startswith(f"{result}\n") if notes else text == f"{result}\n"
    return text


def answer(shell, *arguments):
    return json.loads(shell(*arguments, "--json").stdout)


def narrow(shell, *arguments):
    """The text, which fits on a screen."""
    text = shell(*arguments).stdout
    assert max(map(len, text.splitlines())) <= 105
    return text


class Shell:
    """``shell("auc", "example", …)`` runs roclab; arguments may be of any type."""

    def __init__(self):
        self.runner = CliRunner()

    def __call__(self, *arguments, code=0, input=None):
        done = self.runner.invoke(cli, [str(one) for one in arguments], input=input, prog_name="roclab")
        assert done.exit_code == code, done.output
        return done

    def error(self, *arguments, input=None):
        """The sentence after "Error:"; nothing may be printed on standard output."""
        done = self(*arguments, code=2, input=input)
        assert done.stdout == ""
        assert "Traceback" not in done.stderr
        line = done.stderr.rstrip("\n").splitlines()[-1]
        assert line.startswith("Error: ")
        assert line.endswith((".", ")"))  # click ends with its guesses in brackets
        return line.removeprefix("Error: ")


@pytest.fixture
def shell():
    return Shell()


@pytest.fixture
def wine(tmp_path):
    """Three grapes with the probabilities of two models, predicted grapes, and two labels of 0 and 1."""
    rng = np.random.default_rng(3)
    grapes = np.array(["barbera", "barolo", "gamay"])
    lines = ["grape,barbera,barolo,gamay,net_1,net_2,net_3,called,oak,fruit,p_oak,p_fruit"]
    for _ in range(90):
        actual = rng.integers(0, 3)
        rows = []
        for strength in (1.2, 2.0):
            odds = np.exp(rng.normal(size=3) + strength * (np.arange(3) == actual))
            first, second, _ = np.round(odds / odds.sum(), 4)
            rows += [first, second, round(1 - first - second, 4)]
        oak, fruit = rng.integers(0, 2, 2)
        others = [grapes[np.argmax(rows[:3])], oak, fruit, *np.round([oak + rng.normal(), fruit + rng.normal()], 3)]
        lines.append(",".join(map(str, [grapes[actual], *rows, *others])))
    path = tmp_path / "wine.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def halves(tmp_path):
    """Two files with 100 patients in common: the first 200 and the last 200 of the example."""
    with example_path().open(newline="") as lines:
        header, *rows = csv.reader(lines)
    paths = []
    for name, part in (("first.csv", rows[:200]), ("last.csv", rows[100:])):
        path = tmp_path / name
        with path.open("w", newline="") as out:
            csv.writer(out).writerows([header, *part])
        paths.append(path)
    return paths
