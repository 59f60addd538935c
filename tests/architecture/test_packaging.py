"""What is promised to whoever installs, builds or checks roclab: versions, bounds, files and commands that exist."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import metadata, version
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

import roclab as rl

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
BUILD = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"]
WORKFLOW = (ROOT / ".github" / "workflows" / "checks.yml").read_text(encoding="utf-8")
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]


def requirements(*extras):
    """What the project and some of its extras ask for, extras of its own followed."""
    texts = [*PROJECT["dependencies"], *(text for name in extras for text in PROJECT["optional-dependencies"][name])]
    found = {}
    for one in map(Requirement, texts):
        if one.name == "roclab":
            found |= requirements(*one.extras)
        else:
            found[canonicalize_name(one.name)] = one.specifier
    return found


def pins(name):
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    pairs = [line.split("==") for line in lines if line and not line.startswith("#")]
    return {canonicalize_name(package): Version(number) for package, number in pairs}


def test_the_version_stands_in_one_place():
    assert "version" in PROJECT["dynamic"]
    assert "version" not in PROJECT
    assert version("roclab") == rl.__version__
    assert "version:" not in (ROOT / "CITATION.cff").read_text(encoding="utf-8").replace("cff-version:", "")


def test_the_changelog_tells_of_this_version():
    assert f"## {rl.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_oldest_versions_that_are_tested_are_the_lower_bounds():
    oldest = pins("constraints-oldest.txt")
    for name, bounds in requirements("test").items():
        (bound,) = bounds
        assert bound.operator == ">=", name
        assert oldest[name] in bounds, name
        # A bound of 2.0 is tested with 2.0 or its first release that installs, such as 2.0.0.
        assert str(oldest[name]).startswith(bound.version), name


def test_the_pinned_versions_are_within_the_bounds():
    pinned = pins("constraints.txt")
    wanted = requirements("dev", "docs")
    assert {name for name, bounds in wanted.items() if name not in pinned or pinned[name] not in bounds} == set()


def test_supported_pythons_are_the_tested_ones():
    said = [line.rsplit(" ", 1)[1] for line in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", line)]
    assert said == PYTHONS
    assert PROJECT["requires-python"] == f">={PYTHONS[0]}"
    assert f"python: {PYTHONS!r}".replace("'", '"') in WORKFLOW


def test_the_workflow_calls_targets_that_exist():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    called = [word for line in re.findall(r"run: make (.*)", WORKFLOW) for word in line.split() if "=" not in word]
    assert len(called) >= 8
    assert set(called) <= targets


def test_what_the_source_distribution_lists_exists():
    listed = [pattern.removeprefix("/") for pattern in BUILD["sdist"]["include"]]
    assert [pattern for pattern in listed if not list(ROOT.glob(pattern))] == []


def test_nothing_that_is_shipped_is_ignored():
    """Hatch leaves out what .gitignore names: a pattern without a slash once kept a template out of the wheel."""
    patterns = (ROOT / ".gitignore").read_text(encoding="utf-8").split()
    anywhere = [pattern for pattern in patterns if not pattern.startswith("/") and not pattern.endswith("/")]
    shipped = [path for path in (ROOT / "src").rglob("*") if path.is_file()]
    assert [path.name for path in shipped if any(path.match(pattern) for pattern in anywhere)] == []


def test_metadata_names_authors_licence_and_places():
    said = metadata("roclab")
    assert said["Author"] == "roclab developers"
    assert said["License-Expression"] == "BSD-3-Clause"
    places = dict(line.split(", ") for line in said.get_all("Project-URL"))
    assert set(places) == {"Documentation", "Source", "Issues", "Changelog"}


def test_commands_named_to_contributors_exist():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = re.findall(r"(?:^|`)make ([a-z-]+)", text, re.MULTILINE)
    assert len(named) >= 8
    assert set(named) <= targets
