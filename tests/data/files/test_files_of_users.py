"""Files as people have them: titles, comments, archives, addresses, other programs, and cells that are no numbers."""

from __future__ import annotations

import zipfile

import numpy as np
import pytest

import roclab as rl
from roclab.errors import FileError, InputError

TITLES = {
    "a title without separators": ("Export of May\nill,crp\n1,2\n0,1\n", 2),
    "two lines of title": ("Export of May\nmade by hand\nill,crp\n1,2\n0,1\n", 3),
    "comments": ("# one\n# two, with a comma\nill,crp\n1,2\n0,1\n", 3),
    "a title padded to the width": ("Export of May;;\nill;crp;x\n1;2;3\n0;1;3\n", 2),
    "a title with a separator": ("Export, May\n\nill,crp,x\n1,2,3\n0,1,3\n", 3),
}


@pytest.mark.parametrize("case", TITLES)
def test_a_title_names_the_row_to_begin_with(case, tmp_path):
    text, row = TITLES[case]
    path = tmp_path / "t.csv"
    path.write_text(text)
    verbs = (lambda **more: rl.auc(path, label="ill", score="crp", **more), lambda **more: rl.doctor(path, **more))
    for ask in verbs:
        with pytest.raises(FileError, match=f"must name its columns in the first row.*write header_row={row} to begin"):
            ask()
        ask(header_row=row)


@pytest.mark.parametrize(
    "text",
    [
        "ill,crp\n1,2\n0,1\n",
        "crp\n2\n1\n",
        ",crp\n0,2\n1,1\n",  # names of rows have none
        "#ill,crp\n0,2\n1,1\n",
        "ill,crp,\n1,2\n0,1\n",  # a header with a separator too many is no title
        "ill,crp,x\n1,2\n0,1,2\n1,1,2\n",  # nor is one above a row that is too short
    ],
)
def test_a_header_is_no_title(text, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(text)
    try:
        assert "crp" in rl.read_columns(path).values
    except FileError as error:
        assert "header_row" not in str(error)  # noqa: PT017 - some of them are refused for another reason


def test_cells_that_are_no_numbers_are_counted(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("ill,crp\n1,x\n0,1\n1,y\n\n0,1_000\n1,n.d.\n0,4\n")
    told = "column crp: 4 cells are not numbers, 'x' in row 2, 'y' in row 4, '1_000' in row 6 and 1 more"
    with pytest.raises(FileError, match=f"{told}; correct the cells, or write na='x' if"):
        rl.auc(path, label="ill", score="crp")
    path.write_text("ill,crp\n1,x\n0,1\n")
    with pytest.raises(FileError, match="row 2, column crp: 'x' is not a number; correct the cell, or empty it"):
        rl.auc(path, label="ill", score="crp")
    path.write_text("ill,crp\n1,x\n0,y\n")
    with pytest.raises(FileError, match="2 cells are not numbers.*; name a column of numbers"):
        rl.auc(path, label="ill", score="crp")


def test_an_archive_of_one_table(tmp_path):
    text = "ill,crp\n1,2\n0,1\n1,0\n0,-1\n"
    path, several, damaged = (tmp_path / name for name in ("one.zip", "several.zip", "damaged.zip"))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("may.csv", text)
        archive.writestr("__MACOSX/._may.csv", "x")
    assert float(rl.auc(path, label="ill", score="crp")) == 0.75
    with zipfile.ZipFile(several, "w") as archive:
        archive.writestr("may.csv", text)
        archive.writestr("june.csv", text)
    with pytest.raises(FileError, match="must hold one table.*got may.csv, june.csv; unpack it and name the file"):
        rl.auc(several, label="ill", score="crp")
    damaged.write_bytes(path.read_bytes()[:60])
    with pytest.raises(FileError, match="must be a zip archive, got a damaged one"):
        rl.auc(damaged, label="ill", score="crp")


def test_an_address_is_not_read():
    with pytest.raises(FileError, match="https://x.org/t.csv must be a file on this computer, got an address"):
        rl.auc("https://x.org/t.csv", label="ill", score="crp")


@pytest.mark.parametrize("ending", ["sav", "dta"])
def test_value_labels_are_shown(ending, tmp_path):
    pyreadstat = pytest.importorskip("pyreadstat", reason="pyreadstat writes files of SPSS and Stata")
    pandas = pytest.importorskip("pandas", reason="pyreadstat writes data frames")
    path = tmp_path / f"t.{ending}"
    frame = pandas.DataFrame({"out": [1, 2, 1, 2], "m": [2.5, 1.5, 0.5, 0.0]})
    write = {"sav": pyreadstat.write_sav, "dta": pyreadstat.write_dta}[ending]
    write(frame, str(path), variable_value_labels={"out": {1: "dead", 2: "alive"}})
    assert "2 positive (dead), 2 negative (alive)" in str(rl.auc(path, label="out", score="m", pos_label="dead"))
    assert float(rl.auc(path, label="out", score="m", pos_label=1)) == 0.75
    with pytest.raises(InputError, match=r"got the labels 1 and 2 \(1 is dead, 2 is alive\); write pos_label=2"):
        rl.auc(path, label="out", score="m")
    path.write_bytes(b"out,m\n")
    with pytest.raises(FileError, match="file as its name says, got text"):
        rl.auc(path, label="out", score="m")


@pytest.mark.parametrize("text", ["y\tm\nd\tc\nclass\t\n1\t2\n0\t1\n", "cD#y\tC#m\n1\t2\n0\t1\n"])
def test_the_class_of_an_orange_file_is_the_label(text, tmp_path):
    path = tmp_path / "t.tab"
    path.write_text(text)
    found = rl.auc(path, score="m")
    assert float(found) == 1
    assert "y is the class of the file" in str(found)
    assert "class of the file" not in str(rl.auc(path, label="y", score="m"))
    path.write_text("y\tm\n1\t2\n0\t1\n")
    with pytest.raises(InputError, match="label must name columns of"):
        rl.auc(path, score="m")


def test_one_column_is_a_column():
    pandas = pytest.importorskip("pandas", reason="frames of one column are pandas' here")
    y, s = np.array([0, 1, 1, 0, 1]), np.array([0.1, 0.4, 0.8, 0.2, 0.15])
    usual = rl.auc(y, s)
    assert rl.auc(y[:, None], s[:, None]) == usual
    assert rl.auc(pandas.DataFrame({"y": y}), s) == usual
    assert float(rl.auc(pandas.DataFrame({"y": y}), pandas.DataFrame({"s": s}))) == float(usual)
    with pytest.raises(InputError, match="y_true must be one-dimensional, got a 5 x 2 table"):
        rl.auc(pandas.DataFrame({"y": y, "z": y}), s)


class Tensor:
    """What torch hands out of a training step, as far as anybody here looks."""

    requires_grad = True

    def __len__(self):
        return 2


def test_a_tensor_with_a_gradient_gets_its_sentence():
    with pytest.raises(InputError, match=r"y_score must be plain numbers.*requires grad; pass y_score.detach\(\)"):
        rl.auc([0, 1], Tensor())
