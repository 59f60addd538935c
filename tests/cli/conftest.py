"""Running the command line inside the test process."""

from __future__ import annotations

import csv

import pytest
from click.testing import CliRunner

from roclab.cli.main import cli
from roclab.datasets import example_path

DATA = ["--label", "outcome", "--positive", "deteriorated"]


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
        assert line.endswith((".", "?)"))
        return line.removeprefix("Error: ")


@pytest.fixture
def shell():
    return Shell()


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
