"""Shared by the tests of ``roclab.compat.sklearn``: a call that must not reach scikit-learn."""

from collections.abc import Callable
from contextlib import AbstractContextManager, contextmanager
from typing import Any
from unittest import mock

import pytest

from roclab.compat import _delegate


@contextmanager
def _no_delegation():
    def fail(name: str) -> Any:
        raise AssertionError(f"{name} handed a common case to scikit-learn")

    with mock.patch.object(_delegate, "original", fail):
        yield


@pytest.fixture(scope="session")
def no_delegation() -> Callable[[], AbstractContextManager[None]]:
    return _no_delegation
