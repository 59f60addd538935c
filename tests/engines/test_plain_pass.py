"""Plain text that pyarrow reads: the digits of memory, and the answers and refusals of DuckDB where it is not plain."""

from __future__ import annotations

import os
from unittest.mock import patch

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import roclab as rl
from roclab.analysis.area_table import area_table
from roclab.analysis.data import plan_of
from roclab.data import sources
from roclab.data.files import text_pieces
from roclab.data.files.duckdb import Handle
from roclab.engines import duckdb_backend, one_pass, sorting
from roclab.errors import RoclabError
from tests.twins import brute_auc

from .test_battery import REGIONS, SHAPES, areas, as_csv, check_areas, check_curve, shaped
from .test_one_pass import ODD


@pytest.fixture(autouse=True)
def small_files(monkeypatch):
    """Small files are counted where they lie, in small pieces and few cells; returns who read each of them."""
    monkeypatch.setattr(sources, "_is_large", lambda *_: True)
    monkeypatch.setattr(sources, "IN_MEMORY", 10)
    monkeypatch.setattr(one_pass, "_SAMPLE", 20)
    monkeypatch.setattr(text_pieces, "_PIECE", 500)
    monkeypatch.setattr(sorting, "_AT_ONCE", 4)
    monkeypatch.setattr(duckdb_backend, "CELLS", 16)
    readers, plain = [], one_pass.plain_pass

    def told(backend):
        found = plain(backend)
        readers.append("DuckDB" if found is None else found.reader)
        return found

    monkeypatch.setattr(duckdb_backend, "plain_pass", told)
    return readers


READERS = {"heavy ties": "DuckDB", "infinite and both zeros": "DuckDB", "gaps": "DuckDB", "NaN": "DuckDB",
           "large integers": "DuckDB"}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_plain_text_has_the_digits_of_memory(tmp_path, small_files, shape):
    frame = shaped(shape)
    asked = {"label": "y", "score": "s", "missing": "drop"}
    cases = rl.read_cases(as_csv(frame, tmp_path / "x.csv"), **asked)
    assert small_files == [READERS.get(shape, "Arrow")]
    memory = rl.read_cases(frame, **asked)
    check_areas(areas(cases, REGIONS[:1]), areas(memory, REGIONS[:1]))
    check_curve(cases, rl.roc(memory))


@st.composite
def cases(draw):
    """Labels of both classes, by chance or one class first, and scores: heavy ties, some, or none, or rising."""
    n = draw(st.integers(25, 120))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    label = (rng.random(n) < draw(st.sampled_from([0.1, 0.5, 0.9]))).astype(int)
    label[:2] = [1, 0]
    score = {
        "heavy": lambda: rng.integers(-2, 3, n).astype(float),
        "some": lambda: np.round(rng.normal(size=n) + label, 1),
        "none": lambda: rng.normal(size=n) * 10.0 ** rng.integers(-9, 9, n),
        "rising": lambda: np.sort(rng.random(n)) ** 9,
        "zeros": lambda: rng.choice([-0.0, 0.0, 5e-324, -5e-324], n),
    }[draw(st.sampled_from(["heavy", "some", "none", "rising", "zeros"]))]()
    if draw(st.booleans()):
        label = np.sort(label)
        label[:2] = [0, 1]
    return label, score


@given(cases(), st.sampled_from([30, 200, 10**6]))
def test_plain_text_property_gives_the_integers_of_all_pairs(tmp_path_factory, data, piece):
    label, score = data
    path = tmp_path_factory.mktemp("plain") / "x.csv"
    rows = [f"{y},{s!r},a" for y, s in zip(label.tolist(), score.tolist(), strict=True)]
    path.write_text("\n".join(["y,s,name", *rows]))
    with patch.object(text_pieces, "_PIECE", piece), patch.object(one_pass, "repeats", lambda *_: False):
        found = rl.auc(path, label="y", score="s")
        duckdb = rl.auc(path, label="y", score="s", engine="duckdb")
    assert found.counted == "Arrow, sorted scan"
    pos, neg = (score[label == side].tolist() for side in (1, 0))
    assert found.area == float(brute_auc(pos, neg)) == rl.auc(label, score).area
    assert (found.n_pos, found.n_neg) == (len(pos), len(neg))
    assert repr((found.standard_error, found.interval)) == repr((duckdb.standard_error, duckdb.interval))  # or NaN


def answered(path, **asked):
    """The answer, or the sentence instead of it."""
    try:
        found = rl.auc(path, label="y", score="s", **asked)
    except RoclabError as error:
        return str(error)
    return found.area, found.standard_error, found.sample.positive, found.n_pos, found.n_neg, found.sample.dropped


@pytest.mark.parametrize("digits", [1, 12])
@pytest.mark.parametrize("odd", ODD)
def test_odd_rows_are_answered_as_by_duckdb(tmp_path, odd, digits):
    asked = dict(ODD[odd])
    labels, cells = asked.pop("y"), asked.pop("s", [])
    rng = np.random.default_rng(4)
    y = [labels[at % len(labels)] if at > 60 else labels[at % min(len(labels), 2)] for at in range(90)]
    s = [f"{value:.{digits}f}" for value in rng.normal(size=90)]
    s[80 : 80 + len(cells)] = cells
    path = tmp_path / "x.csv"
    pl.DataFrame({"y": y, "s": s}).write_csv(path, quote_style="never")
    assert answered(path, **asked) == answered(path, engine="duckdb", **asked)


LAST = {
    "a third label": "2,0.5,a", "a label of several letters": "01,0.5,a", "no label": ",0.5,a", "no score": "1,,a",
    "quoted numbers": '"1","0.5",a', "a quoted line": '1,0.5,"a\n1,0.5,b"', "a plus sign": "1,+0.5,a",
    "an underscore": "1,1_0,a", "blanks": "1, 0.5 ,a", "a tab": "1,\t0.5,a", "no digits before the point": "1,.5,a",
    "no digits after it": "1,5.,a", "an exponent": "1,5E-1,a", "no exponent": "1,5e,a",
    "many digits": f"1,0.{'3' * 90},a",
    "more than float64 has": "1,1e999,a", "less than float64 has": "1,1e-999,a", "hexadecimal": "1,0x1p3,a",
    "minus infinity": "1,-inf,a", "NaN": "0,nan,a", "2**53": "1,9007199254740992,a", "an empty line": "",
    "a short line": "1,0.5", "a long line": "1,0.5,a,b", "separators": ",,", "a comment": "# nothing",
    "an umlaut": "1,0.5,ä", "another label with a blank": "1 ,0.5,a", "NUL": "1\0,0.5,a",
}  # fmt: skip


@pytest.mark.parametrize("last", LAST)
def test_an_odd_last_row_is_answered_as_by_duckdb(tmp_path, last):
    rng = np.random.default_rng(7)
    rows = [
        f"{y},{s!r},a" for y, s in zip(rng.integers(0, 2, 400).tolist(), rng.normal(size=400).tolist(), strict=True)
    ]
    path = tmp_path / "x.csv"
    path.write_text("\n".join(["y,s,name", *rows, LAST[last]]) + "\n")
    assert answered(path) == answered(path, engine="duckdb")


def test_no_database_is_opened_for_plain_text(tmp_path, small_files, monkeypatch):
    frame = shaped("fine")
    path = as_csv(frame, tmp_path / "x.csv")
    monkeypatch.setattr(duckdb_backend, "opened", None)
    found = rl.roc(path, label="y", score="s")
    assert found.auc().area == rl.auc(frame, label="y", score="s").area
    assert found.auc().counted.startswith("Arrow, sorted scan")
    assert plan_of(path, label="y", score="s")[:1] == [f"engine: Arrow, embedded; 160 cases of {path}"]
    assert small_files == ["Arrow"] * 2


def test_duckdb_reads_what_it_is_asked_to(tmp_path, small_files):
    frame = shaped("fine")
    found = rl.auc(as_csv(frame, tmp_path / "x.csv"), label="y", score="s", engine="duckdb")
    assert (found.counted, found.area) == ("DuckDB, sorted scan", rl.auc(frame, label="y", score="s").area)
    assert small_files == ["DuckDB"]


def test_several_scores_come_from_one_reading(tmp_path, small_files, monkeypatch):
    frame, pieces, read = shaped("fine"), [], one_pass.plain_text
    path = as_csv(frame, tmp_path / "x.csv")
    monkeypatch.setattr(one_pass, "plain_text", lambda *given: pieces.append(given) or read(*given))
    asked = {"label": "y", "score": ["t", "s"], "direction": "auto"}
    known, found = area_table(frame, **asked), area_table(path, **asked)
    assert [found[name].area for name in ("t", "s")] == [known[name].area for name in ("t", "s")]
    assert (small_files, len(pieces)) == (["Arrow"], 1)


def test_bins_are_those_of_duckdb(tmp_path, small_files):
    frame = shaped("fine")
    path = as_csv(frame, tmp_path / "x.csv")
    asked = {"label": "y", "score": "s", "accuracy": 0.01}
    found, known = rl.auc(path, **asked), rl.auc(path, engine="duckdb", **asked)
    assert found.counted.replace("Arrow", "DuckDB") == known.counted
    assert (found.area, found.numerical_error, found.interval) == (known.area, known.numerical_error, known.interval)
    assert small_files == ["Arrow", "DuckDB"]


def test_scores_that_would_not_fit_are_left_to_duckdb(tmp_path, small_files, monkeypatch):
    frame = shaped("fine")
    path = as_csv(frame, tmp_path / "x.csv")
    for free, reader in ((9 * 400, "Arrow"), (9 * 100, "DuckDB")):
        monkeypatch.setattr(duckdb_backend, "_half_of_memory", lambda free=free: free)
        found = rl.auc(path, label="y", score="s")
        assert (found.area, small_files.pop()) == (rl.auc(frame, label="y", score="s").area, reader)


def test_a_file_that_vanishes_is_named(tmp_path, small_files, monkeypatch):
    path = as_csv(shaped("fine"), tmp_path / "x.csv")
    head = one_pass.plain_text

    def vanishing(*given):
        found = head(*given)
        os.remove(path)
        return found

    monkeypatch.setattr(one_pass, "plain_text", vanishing)
    with pytest.raises(RoclabError, match=r"x\.csv"):
        rl.auc(path, label="y", score="s")


def test_questions_about_rows_beyond_the_counts_go_to_duckdb(tmp_path, small_files, monkeypatch):
    frame, queries, batches = shaped("fine"), [], Handle.rows
    path = as_csv(frame, tmp_path / "x.csv")
    cases = rl.read_cases(path, label="y", score="s")
    monkeypatch.setattr(Handle, "rows", lambda self, query: queries.append(query) or batches(self, query))
    assert rl.confusion(cases, threshold=0.5).tp == rl.confusion(frame, label="y", score="s", threshold=0.5).tp
    assert (small_files, len(queries)) == (["Arrow"], 1)
