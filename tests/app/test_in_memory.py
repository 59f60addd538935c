"""Tables, cases and answers in memory: each made once however many ask, and the oldest given up."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from roclab.app.in_memory import ReadTable, TablesInMemory
from roclab.app.shelf import Shelf
from roclab.errors import InputError


def test_who_comes_while_it_is_made_waits_for_it():
    made, begun, go_on = [], threading.Event(), threading.Event()

    def make():
        begun.set()
        assert go_on.wait(60)
        made.append("cases")
        return made

    table = ReadTable()
    with ThreadPoolExecutor(4) as pool:
        waiting = [pool.submit(table.cases, "parts", make) for _ in range(4)]
        assert begun.wait(60)
        assert table.cases("other parts", lambda: "other") == "other"  # waits for nobody
        go_on.set()
        found = [one.result() for one in waiting]
    assert made == ["cases"]
    assert all(one is made for one in found)


def test_what_was_refused_is_asked_anew():
    table = ReadTable()

    def refuse():
        raise InputError("score", "must not be missing")

    for _ in range(2):
        with pytest.raises(InputError, match="must not be missing"):
            table.answer("areas", refuse)
    assert table.answer("areas", lambda: {"area": 1}) == {"area": 1}
    assert table.answer("areas", refuse) == {"area": 1}


def test_tables_that_nobody_asked_for_longest_give_way():
    tables = TablesInMemory()
    first = tables.of(("first",))
    others = [tables.of((f"{at}",)) for at in range(5)]
    assert tables.of(("first",)) is first
    tables.of(("one more",))
    assert tables.of(("first",)) is first
    assert tables.of(("0",)) is not others[0]


def test_pages_with_the_same_data_share_answers_and_readings_do_not():
    shelf = Shelf(upload_limit=10**6)
    try:
        text = "y,a\n1,3\n0,2\n"
        one, other = (shelf.add_text(text, "pasted.csv") for _ in range(2))
        assert one.table() is other.table()
        assert one.kept_answer("areas", lambda: {"from": "one"}) == other.kept_answer(
            "areas", lambda: {"from": "other"}
        )
        renamed = shelf.add_text(text, "renamed.csv")  # messages name the file
        assert renamed.kept_answer("areas", lambda: {"from": "renamed"}) == {"from": "renamed"}
        other.read_anew({"delimiter": ","})
        assert one.kept_answer("areas", lambda: {"from": "one, later"}) == {"from": "one"}
        assert other.kept_answer("areas", lambda: {"from": "read anew"}) == {"from": "read anew"}
    finally:
        shelf.close()
