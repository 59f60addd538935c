"""Pytest plugin: run scikit-learn's own tests with our functions in place of its six.

Loaded by ``pytest -p sklearn_swap_plugin`` in a process of its own (see test_sklearn_own_tests.py).
The swap happens when the plugin is imported, before any test module, so that ``from sklearn.metrics
import roc_curve`` and tables built from it already hold ours. What ran and what each test called is
written as JSON to the file named by the environment variable SWAP_REPORT.

``test_ranking.py`` runs whole. ``test_common.py`` checks every metric of scikit-learn; of it, the tests
run whose parameters name a metric that is one of ours, alone or with some arguments fixed.
"""

import functools
import json
import os
from collections import Counter, defaultdict
from pathlib import Path

import pytest
import sklearn.metrics

import roclab.compat.sklearn as ours
from roclab.compat import _delegate

running = ""
calls = defaultdict(Counter)  # test -> function -> calls
delegated = defaultdict(Counter)  # test -> function -> calls handed back to scikit-learn
outcomes = {}
lost = []  # names in a test module that are not ours although they should be


def _counting(function):
    @functools.wraps(function)
    def counted(*args, **kwargs):
        calls[running][function.__name__] += 1
        return function(*args, **kwargs)

    return counted


SWAPPED = {name: _counting(getattr(ours, name)) for name in ours.__all__}
for _name, _function in SWAPPED.items():
    setattr(sklearn.metrics, _name, _function)

_original = _delegate.original


def _counting_original(name):
    delegated[running][name] += 1
    return _original(name)


_delegate.original = _counting_original


def _is_ours(function):
    while isinstance(function, functools.partial):
        function = function.func
    return function in SWAPPED.values()


def pytest_collection_modifyitems(config, items):
    kept, dropped = [], []
    for item in items:
        if item.module.__name__.endswith("test_common"):
            metrics = {name for name, metric in item.module.ALL_METRICS.items() if _is_ours(metric)}
            values = item.callspec.params.values() if hasattr(item, "callspec") else ()
            chosen = any(
                (isinstance(value, str) and value in metrics) or (callable(value) and _is_ours(value))
                for value in values
            )
        else:
            chosen = True
        (kept if chosen else dropped).append(item)
    items[:] = kept
    config.hook.pytest_deselected(items=dropped)
    for module in {item.module for item in kept}:
        lost.extend(
            f"{module.__name__}.{name}"
            for name, function in SWAPPED.items()
            if getattr(module, name, function) is not function
        )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item, nextitem):
    global running
    running = f"{item.module.__name__.rpartition('.')[2]}::{item.name}"
    return (yield)


def pytest_runtest_logreport(report):
    if report.when == "call" or report.outcome != "passed":
        outcomes[running] = report.outcome


def pytest_sessionfinish():
    report = {"outcomes": outcomes, "calls": calls, "delegated": delegated, "lost": lost}
    Path(os.environ["SWAP_REPORT"]).write_text(json.dumps(report))
