"""Scikit-learn's own tests, from the installed package, with our six functions in place of its own.

No test is picked by hand. All of ``sklearn/metrics/tests/test_ranking.py`` runs, and of ``test_common.py``
every test whose parameters name a metric made from one of the six (see sklearn_swap_plugin.py). They run
in another process, which knows nothing of this project's pytest settings.

That the swap was not lost on the way is checked in two ways: no test module holds another function under
one of the six names, and every test that mentions one of them, by itself or through helpers and tables of
its module, did call ours.
"""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("sklearn.metrics.tests.test_ranking", reason="scikit-learn installed without its tests")

import roclab.compat.sklearn as ours

HERE = Path(__file__).parent
MODULES = ("sklearn.metrics.tests.test_ranking", "sklearn.metrics.tests.test_common")


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """What ran, what it called, and how it ended."""
    folder = tmp_path_factory.mktemp("own_tests")
    settings = folder / "pytest.ini"
    settings.write_text("[pytest]\n")
    environment = os.environ | {
        "SWAP_REPORT": str(folder / "report.json"),
        "PYTHONPATH": os.pathsep.join([str(HERE), *filter(None, sys.path)]),
        "PYTEST_ADDOPTS": "",
    }
    command = [sys.executable, "-m", "pytest", "-q", "-c", settings, "--rootdir", folder]
    command += ["-p", "sklearn_swap_plugin", "-p", "no:cacheprovider", "-p", "no:xdist", "--pyargs", *MODULES]
    ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode in (0, 1), ran.stdout + ran.stderr
    found = json.loads((folder / "report.json").read_text())
    found["output"] = ran.stdout[-5000:]
    return found


def test_own_tests_oracle_all_pass(report):
    ended = list(report["outcomes"].values())
    assert ended.count("failed") == 0, report["output"]
    assert ended.count("passed") > 400


def test_own_tests_oracle_reach_our_functions(report):
    assert report["lost"] == []
    reached = [test for test, outcome in report["outcomes"].items() if outcome == "passed" and test in report["calls"]]
    assert len(reached) > 250
    for name in ours.__all__:
        assert sum(name in report["calls"][test] for test in reached) >= 3, name


def test_own_tests_oracle_every_test_that_mentions_a_function_calls_ours(report):
    called = {}
    for test, counts in report["calls"].items():
        module, _, name = test.partition("::")
        if module == "test_ranking":
            called.setdefault(name.partition("[")[0], set()).update(counts)
    mentioned = mentioning_tests(ours.__all__)
    assert len(mentioned) > 40
    silent = {test: names - called.get(test, set()) for test, names in mentioned.items()}
    assert {test: names for test, names in silent.items() if names} == {}


def test_own_tests_oracle_are_not_all_handed_back(report):
    calls = sum(sum(counts.values()) for counts in report["calls"].values())
    delegated = sum(sum(counts.values()) for counts in report["delegated"].values())
    assert delegated < calls / 2


def mentioning_tests(names):
    """Test functions of test_ranking.py and which of the names they mention, directly or through others."""
    source = Path(sys.modules[MODULES[0]].__file__).read_text()
    mentions = {}
    for node in ast.parse(source).body:
        inner = [each for each in ast.walk(node) if isinstance(each, ast.Name)]
        # A name that is assigned to inside is a variable of its own, not the module's.
        used = {each.id for each in inner} - {each.id for each in inner if isinstance(each.ctx, ast.Store)}
        if isinstance(node, ast.FunctionDef):
            mentions[node.name] = used
        elif isinstance(node, ast.Assign):
            mentions |= {target.id: used for target in node.targets if isinstance(target, ast.Name)}

    def reach(name, seen):
        for other in mentions.get(name, set()) - seen:
            seen.add(other)
            reach(other, seen)
        return seen

    found = {test: reach(test, set()) & set(names) for test in mentions if test.startswith("test_")}
    return {test: used for test, used in found.items() if used}
