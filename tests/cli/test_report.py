"""``roclab report``: what it writes, what it says, and how it refuses."""

from __future__ import annotations

import json
import os
import re
import shlex
import stat
import subprocess
import sys

import pytest

from roclab.report import build_report
from roclab.report.headline import answer
from tests.cli.conftest import ALL, DATA, cases_of, scores


@pytest.fixture
def page(tmp_path):
    return tmp_path / "page.html"


def test_page_and_json_are_the_librarys(shell, page):
    done = shell("report", "example", *DATA, *scores(*ALL), "--seed", 4, "-o", page)
    report = build_report(cases_of(*ALL), rng=4)
    assert done.stdout.startswith(answer(report))
    said = json.loads(page.with_suffix(".json").read_text())
    assert said["scores"] == report.to_dict()["scores"]
    assert said["comparison"] == report.to_dict()["comparison"]
    assert "written: " in done.stdout
    assert "0.8753" in page.read_text()


def test_quiet_says_nothing(shell, page):
    assert shell("report", "example", *DATA, *scores("lactate"), "-o", page, "-q").output == ""


def test_the_command_in_the_page_repeats_the_page(page):
    typed = ["report", "example", *DATA, "--score", "lactate", "-o", "page.html"]
    run = [sys.executable, "-m", "roclab", *typed]
    subprocess.run(run, cwd=page.parent, check=True, capture_output=True)
    first = page.read_text()
    command = re.search(r"<pre>(.*?)</pre>", first).group(1)
    assert command.startswith("roclab report example")
    again = [sys.executable, "-m", "roclab", *shlex.split(command)[1:]]
    subprocess.run(again, cwd=page.parent, check=True, capture_output=True)
    assert page.read_text() == first


def test_folders_of_the_machine_stay_out_of_the_page(page, tmp_path):
    data = tmp_path / "cases.csv"
    data.write_text("y,s\n1,2\n0,1\n1,4\n0,3\n")
    typed = ["report", str(data), "--label", "y", "--score", "s", "--positive", "1", "--seed", "1", f"--out={page}"]
    subprocess.run([sys.executable, "-m", "roclab", *typed], check=True, capture_output=True)
    for path in (page, page.with_suffix(".json")):
        assert str(tmp_path) not in path.read_text()
    assert "roclab report cases.csv" in page.read_text()
    assert "--out=page.html" in page.read_text()


def test_conditions_sections_and_forms(shell, page):
    options = ["--prevalence", 0.1, "--cost-fn", 5, "--only", "areas, cutoffs", "--md", "--title", "Lactate <1>"]
    shell("report", "example", *DATA, *scores("lactate"), *options, "-o", page)
    text = page.read_text()
    assert re.findall(r'<section id="(\w+)"', text) == ["areas", "cutoffs"]
    assert '<p class="kicker">Lactate &lt;1&gt;</p>' in text
    assert "a false negative 5" in text
    assert page.with_suffix(".md").read_text().startswith("# Lactate \\<1\\>")


def test_standard_input_and_decimal_commas(shell, page):
    text = "y;μέτρηση\n1;2,5\n0;1,5\n1;1,75\n0;0,25\n"
    options = ["--label", "y", "--score", "μέτρηση", "--delimiter", ";", "--decimal", ",", "-o", page]
    shell("report", "-", *options, input=text)
    assert "μέτρηση" in page.read_text()
    assert "standard input" in page.read_text()
    assert json.loads(page.with_suffix(".json").read_text())["scores"][0]["area"]["area"] == 1.0


def test_folds_are_shown(shell, page, tmp_path):
    data = tmp_path / "folds.csv"
    data.write_text("y,s,f\n1,2,a\n0,1,a\n1,4,b\n1,3,b\n0,5,c\n1,6,c\n")
    done = shell("report", data, "--label", "y", "--score", "s", "--fold", "f", "-o", page)
    assert "Fold b holds one class only" in done.stdout
    assert '<section id="folds">' in page.read_text()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--only", "area"], "--only must name sections joined by commas, got 'area'"),
        (["--only", ""], "--only must name sections"),
        (["--prevalence", "2"], "prevalence must"),
        (["--level", "1.2"], "level must lie strictly between 0 and 1"),
        (["--replicates", "0"], "replicates"),
        (["-o", "page.pdf"], "--out must end in .html, got page.pdf"),
        (["-o", "no/such/page.html"], "--out must be in a directory that exists"),
    ],
)
def test_wrong_options_write_nothing(shell, tmp_path, monkeypatch, options, said):
    monkeypatch.chdir(tmp_path)
    assert said in shell.error("report", "example", *DATA, *scores("lactate"), *options)
    assert list(tmp_path.iterdir()) == []


def test_the_data_are_never_written_over(shell, tmp_path):
    data = tmp_path / "data.html"
    data.write_text("y,s\n1,2\n0,1\n")
    line = shell.error("report", data, "--label", "y", "--score", "s", "-o", data)
    assert line.startswith("--out must not be the file of the data")
    assert data.read_text() == "y,s\n1,2\n0,1\n"


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_stays_empty(shell, tmp_path):
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    assert "may be written" in shell.error("report", "example", *DATA, *scores("lactate"), "-o", tmp_path / "a.html")
