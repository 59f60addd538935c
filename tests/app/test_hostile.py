"""Hostile files on the page: by path, by upload and from a session that names them."""

from __future__ import annotations

import pytest

from tests.data.files.hostile import REACHES, SECRET, database_with, secret_in, sqlite_file

pytest.importorskip("duckdb", reason="the extra roclab[engines] is not installed")


def refused(answer):
    return "must hold its data itself" in answer["error"] and SECRET not in str(answer)


@pytest.mark.parametrize("reach", REACHES)
def test_a_view_that_reads_other_files_is_refused_by_path_and_by_upload(workbench, tmp_path, reach):
    path = database_with(tmp_path / "evil.duckdb", REACHES[reach], secret=secret_in(tmp_path))
    assert refused(workbench.api("open", {"path": str(path)}))
    assert refused(workbench.api("open", {"path": f"{path}::t"}))
    assert refused(workbench.upload("evil.duckdb", path.read_bytes()))


def test_a_view_that_reads_other_files_is_refused_where_a_session_names_it(workbench, tmp_path):
    """The page opens the path of a session and reads it as the session says; both are requests of its own."""
    path = database_with(tmp_path / "evil.duckdb", REACHES["text"], secret=secret_in(tmp_path))
    session = {"data": {"called": "scores.csv", "fingerprint": "0", "path": str(path), "reading": {"sheet": "t"}}}
    assert refused(workbench.api("open", {"path": session["data"]["path"]}))
    opened = workbench.api("open", {"path": "example"})
    answer = workbench.api("read", {"key": opened["key"], "reading": session["data"]["reading"]})
    assert answer["error"].endswith(".")


def test_files_of_sqlite_get_a_sentence(workbench, tmp_path):
    path = sqlite_file(tmp_path / "lite.db")
    for answer in (workbench.api("open", {"path": str(path)}), workbench.upload("lite.db", path.read_bytes())):
        assert "must be a DuckDB database as its name says, got an SQLite database" in answer["error"]
