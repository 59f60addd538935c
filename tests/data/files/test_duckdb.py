"""Text files as DuckDB reads them when it was told what it found out: the same rows as when it finds out anew."""

from __future__ import annotations

import pytest

duckdb = pytest.importorskip("duckdb", reason="the extra roclab[engines] is not installed")

from roclab.data.files.duckdb import opened  # noqa: E402 - needs DuckDB
from roclab.data.sources import SourceTable  # noqa: E402

MANY = "y,s\n" + "".join(f"{at % 2},{at * 0.37:.5f}\n" for at in range(30_000))
FILES = {
    "plain.csv": "y,s\n1,2\n0,3\n",
    "quotes.csv": 'y,"s, x"\n1,"2"\n0,3\n',
    "doubled quotes.csv": 'y,s\n"a""b",2\n"c",3\n',
    "it's.csv": "y,it's\n1,2\n",
    "signs.csv": "y,s);x\n1,2\n",
    "semicolons.csv": "y;s;z\n1;2;3\n0;3;4\n",
    "windows.csv": "y,s\r\n1,2\r\n0,3\r\n",
    "tabs.tsv": "y\ts\n1\t2\n",
    "one column.csv": "y\n1\n0\n",
    "comment.csv": "# made today\ny,s\n1,2\n",
    "ragged.csv": "y,s\n1,2\n0\n1,2,3\n",
    "same names.csv": "y,y\n1,2\n",
    "no name.csv": "y,,s\n1,2,3\n",
    "no rows.csv": "y,s\n",
    "blanks.csv": "y, s\n1, 2\n",
    "gaps.csv": "y,s\n,\n1,NA\n",
    "mark.csv": "\ufeffy,s\n1,2\n",
    "late quotes.csv": MANY + '1,"2,5"\n0,"a\nb"\n',
    "late ragged.csv": MANY + "1\n0,2,3\n",
    "late windows.csv": MANY + "1,2\r\n0,3\r\n",
    "late empty line.csv": MANY + "\n1,2\n,\n",
}


def answered(ask):
    try:
        return ask()
    except Exception as error:
        return type(error).__name__


@pytest.mark.parametrize("name", FILES)
def test_what_was_found_out_once_reads_the_same_rows(tmp_path, name):
    path = tmp_path / name
    path.write_text(FILES[name], encoding="utf-8", newline="")

    def told():
        with opened(SourceTable(str(path), "files")) as handle:
            return handle.names, sorted(handle.rows("SELECT * FROM plain"), key=str)

    def anew():
        place = str(path).replace("'", "''")
        found = duckdb.connect().sql(f"SELECT * FROM read_csv('{place}', all_varchar = true, header = true)")
        return list(found.columns), sorted(found.fetchall(), key=str)

    known, found = answered(anew), answered(told)
    assert found == known or (isinstance(found, str) and isinstance(known, str))


def test_the_head_of_a_text_is_the_same_every_time(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text(MANY)
    with opened(SourceTable(str(path), "files")) as handle:
        for _ in range(3):
            (found,) = handle.head("s", "plain", 5)
            assert found.tolist() == ["0.00000", "0.37000", "0.74000", "1.11000", "1.48000"]
