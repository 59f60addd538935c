"""The bar of long work: when it appears, what it tells, and that nothing of it stays."""

from __future__ import annotations

import io
import re
from types import SimpleNamespace

import pytest

from roclab.cli.shared.progress import Bar


class Terminal(io.StringIO):
    """A screen that is a terminal, and remembers all that was drawn."""

    def isatty(self):
        return True

    def pictures(self):
        """What stood on the line after each drawing."""
        return [text.rstrip() for text in self.getvalue().split("\r")[1:]]


@pytest.fixture
def screen(monkeypatch):
    return put_up(monkeypatch, Terminal(), "xterm")


def put_up(monkeypatch, stream, term):
    """The stream as standard error of the bar; pytest takes sys.stderr itself back between fixture and test."""
    monkeypatch.setattr("roclab.cli.shared.progress.sys", SimpleNamespace(stderr=stream))
    monkeypatch.setenv("TERM", term)
    return stream


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still until it is moved."""
    now = [100.0]
    monkeypatch.setattr("roclab.cli.shared.progress.monotonic", lambda: now[0])

    def move(seconds):
        now[0] += seconds

    return move


def test_it_tells_what_is_done_and_how_long_the_rest_takes(screen, clock):
    with Bar(wanted=True) as bar:
        bar(0, 2000)
        clock(10)
        bar(500, 2000)
    assert screen.pictures() == ["resampling #######----------------------- 500/2000, 0:30 left", "", ""]


def test_it_waits_before_it_appears_and_between_pictures(screen, clock):
    with Bar(wanted=True, doing="screening") as bar:
        bar(1, 9)
        clock(0.4)
        bar(2, 9)
        assert screen.getvalue() == ""
        clock(0.2)
        bar(3, 9)
        clock(0.01)
        bar(4, 9)
        clock(0.2)
        bar(5, 9)
    told = [re.sub("[#-]+ ", "", picture) for picture in screen.pictures()]
    assert told == ["screening 3/9, 0:02 left", "screening 5/9, 0:01 left", "", ""]


def test_nothing_is_written_for_short_work(screen, clock):
    with Bar(wanted=True) as bar:
        bar(50, 100)
        bar(100, 100)
    assert screen.getvalue() == ""


def test_a_new_round_starts_anew(screen, clock):
    with Bar(wanted=True) as bar:
        bar(0, 100)
        clock(60)
        bar(100, 100)
        clock(1)
        bar(10, 200)
        clock(1)
        bar(20, 200)
    assert [picture.split(" ")[-3:] for picture in screen.pictures()[:3]] == [
        ["100/100,", "0:00", "left"],
        ["resampling", "#-----------------------------", "10/200"],
        ["20/200,", "0:18", "left"],
    ]


def test_resumed_work_is_judged_by_what_was_done_since(screen, clock):
    with Bar(wanted=True) as bar:
        bar(900, 1000)
        clock(5)
        bar(950, 1000)
    assert screen.pictures()[0].endswith("950/1000, 0:05 left")


def test_lines_never_wrap_and_leave_nothing_behind(screen, clock, monkeypatch):
    monkeypatch.setattr("roclab.cli.shared.progress._columns", lambda: 24)
    with Bar(wanted=True) as bar:
        bar(0, 10**7)
        clock(4000)
        bar(10**6, 10**7)
    drawn, wiped, _ = screen.getvalue().split("\r")[1:]
    assert len(drawn) == 23
    assert wiped == " " * 23


def test_hours_are_told_too(screen, clock):
    with Bar(wanted=True) as bar:
        bar(0, 1000)
        clock(40)
        bar(10, 1000)
    assert screen.pictures()[0].endswith("10/1000, 1:06:00 left")


@pytest.mark.parametrize(("wanted", "stream", "term"), [(False, Terminal, "xterm"), (True, io.StringIO, "xterm"),
                                                        (True, Terminal, "dumb")])  # fmt: skip
def test_it_is_drawn_only_on_terminals_that_want_it(monkeypatch, clock, wanted, stream, term):
    screen = put_up(monkeypatch, stream(), term)
    with Bar(wanted=wanted) as bar:
        clock(9)
        bar(50, 100)
    assert screen.getvalue() == ""


def test_it_vanishes_when_the_work_is_stopped(screen, clock):
    def work():
        with Bar(wanted=True) as bar:
            clock(9)
            bar(50, 100)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work()
    assert screen.pictures()[-2:] == ["", ""]
