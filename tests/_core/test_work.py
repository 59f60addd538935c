"""Threads: results in order, and no more of them at once than are wanted."""

from __future__ import annotations

import threading

import pytest

from roclab._core.work import in_order


@pytest.mark.parametrize("waiting", [1, 3])
def test_no_more_results_wait_than_are_wanted(waiting):
    lock, begun, most = threading.Lock(), [0], []

    def do(at):
        with lock:
            begun[0] += 1
        return at

    fetched = 0
    for at in in_order(do, range(40), workers=3, waiting=waiting):
        assert at == fetched
        fetched += 1
        with lock:
            most.append(begun[0] - fetched)
    assert fetched == 40
    assert max(most) <= waiting


def test_results_that_wait_do_not_hide_an_error():
    def do(at):
        if at == 5:
            raise ValueError("the fifth")
        return at

    found = in_order(do, range(40), workers=2, waiting=2)
    assert [next(found) for _ in range(5)] == [0, 1, 2, 3, 4]
    with pytest.raises(ValueError, match="the fifth"):
        next(found)
