"""Files of reader studies: .lrc of OR-DBM MRMC and workbooks of RJafroc."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab.data.files.read import columns_of_file
from tests.reading_studies.test_marks import study

openpyxl = pytest.importorskip("openpyxl")


def lrc_text(table, end="#\n"):
    """A study as .lrc: one block per reader, normal cases first."""
    rows = list(zip(*(np.asarray(table[name]).tolist() for name in rl_columns), strict=True))
    modalities = sorted({row[1] for row in rows})
    lines = ["An invented study"]
    for at, reader in enumerate(sorted({row[0] for row in rows})):
        lines.append(reader)
        if at == 0:
            lines.append("  ".join(f'"{one}"' for one in modalities))
            lines.append("  ".join("L" for _ in modalities))
        for truth, word in ((0, "Normal"), (1, "Abnormal")):
            for case in sorted({row[2] for row in rows if row[3] == truth}):
                own = {row[1]: row[4] for row in rows if row[0] == reader and row[2] == case}
                lines.append("  ".join(f"{own[one]!r}" for one in modalities) + f"  {word} Case {case}")
            lines.append("*")
    return "\n".join(lines) + "\n" + end


rl_columns = ("reader", "modality", "case", "truth", "rating")


@pytest.fixture
def table():
    return rl.readers.simulate(readers=3, n_pos=6, n_neg=7, auc=(0.8, 0.9), rng=2)


@pytest.mark.parametrize("end", ["#\n", "", "\n\n"])
def test_lrc_is_the_study_it_was_written_from(tmp_path, table, end):
    path = tmp_path / "study.lrc"
    path.write_text(lrc_text(table, end), encoding="utf-8")
    found, plain = rl.readers.mrmc(path), rl.readers.mrmc(table)
    assert found.equality.statistic == pytest.approx(plain.equality.statistic, rel=1e-12)
    assert found.modalities == ("modality 1", "modality 2")
    assert found.readers == plain.readers
    assert list(columns_of_file(path, ["rating", "case"])) == ["rating", "case"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda text: text.replace("*", "", 1), "must name a new reader|same normal and abnormal|numbers in every row"),
        (lambda text: text[: text.rindex("*")], "must end the abnormal cases of every reader with a star"),
        (lambda text: text.replace("L  L", "L  S"), "an L under each modality: larger ratings mean abnormal"),
        (lambda text: text.replace("L  L", "L"), "one letter L under each"),
        (lambda text: text.replace('"modality 1"', '"modality 1'), "close the quotation marks"),
        (lambda text: text.replace("reader 2", "reader 1"), "must name a new reader"),
        (lambda text: text.replace("Abnormal Case 1\n", "Abnormal Case 1\nx y\n", 1), "2 numbers in every row"),
        (lambda text: text.replace("Abnormal Case 1\n", "Abnormal Case 1\n1 2\n", 1), "same normal and abnormal cases"),
        (lambda text: "title\n", "must hold a title, a reader"),
        (lambda text: "\x00\x01 binary" * 9, "must hold a title, a reader"),
    ],
)
def test_damaged_lrc_is_refused_in_a_sentence(tmp_path, table, change, words):
    path = tmp_path / "study.lrc"
    path.write_text(change(lrc_text(table)), encoding="utf-8")
    with pytest.raises(rl.errors.FileError, match=words):
        rl.readers.mrmc(path)


def test_options_of_other_files_are_refused_for_lrc(tmp_path, table):
    path = tmp_path / "study.lrc"
    path.write_text(lrc_text(table), encoding="utf-8")
    with pytest.raises(rl.errors.InputError, match="sheet must be left out for .lrc files"):
        rl.readers.mrmc(path, sheet="TRUTH")


def workbook(path, marks, lesions, *, names=("NL", "LL", "TRUTH"), paradigm="FROC", design="FCTRL", weight=0):
    """The study as RJafroc writes it."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    rows = list(zip(*marks.values(), strict=True))
    prefix = names[:2]
    false = book.create_sheet(names[0])
    false.append(["ReaderID", "ModalityID", "CaseID", f"{prefix[0]}_Rating"])
    true = book.create_sheet(names[1])
    true.append(["ReaderID", "ModalityID", "CaseID", "LesionID", f"{prefix[1]}_Rating"])
    for reader, modality, case, lesion, rating in rows:
        if lesion:
            true.append([reader, modality, int(case[1:]), lesion, rating])
        else:
            false.append([reader, modality, int(case[1:]), rating])
    truth = book.create_sheet(names[2])
    head = ["CaseID", "LesionID", "Weight"]
    truth.append([*head, "ReaderID", "ModalityID", "Paradigm"] if paradigm else head)
    for at, (case, lesion) in enumerate(zip(*lesions.values(), strict=True)):
        said = {0: paradigm, 1: design}.get(at)
        one = weight(case, lesion) if callable(weight) else weight
        truth.append([int(case[1:]), lesion, one, *(["r0, r1, r2", "a, b", said] if paradigm else [])])
    book.save(path)
    return path


@pytest.mark.parametrize("names", [("NL", "LL", "TRUTH"), ("FP", "TP", "Truth")])
@pytest.mark.parametrize("paradigm", ["FROC", None])
def test_workbook_of_marks_is_the_study_it_was_written_from(tmp_path, names, paradigm):
    marks, lesions = study()
    path = workbook(tmp_path / "study.xlsx", marks, lesions, names=names, paradigm=paradigm)
    for figure in rl.names.MARK_FIGURES:
        plain = rl.readers.mrmc(marks, lesions=lesions, estimator=figure)
        found = rl.readers.mrmc(path, estimator=figure)
        assert found.equality.statistic == pytest.approx(plain.equality.statistic, rel=1e-10)
        assert (found.readers, found.modalities) == (plain.readers, plain.modalities)


def test_weights_of_a_workbook_count(tmp_path):
    marks, lesions = study()
    size = {case: lesions["case"].count(case) for case in lesions["case"]}

    def weight(case, lesion):
        return 2 * lesion / (size[case] * (size[case] + 1))

    path = workbook(tmp_path / "study.xlsx", marks, lesions, weight=weight)
    given = [weight(*one) for one in zip(*lesions.values(), strict=True)]
    plain = rl.readers.mrmc(marks, lesions={**lesions, "w": given}, lesion_weight="w")
    assert rl.readers.mrmc(path).equality.statistic == pytest.approx(plain.equality.statistic, rel=1e-10)
    equal = rl.readers.mrmc(marks, lesions=lesions)
    assert rl.readers.mrmc(path).equality.statistic != pytest.approx(equal.equality.statistic, rel=1e-6)


@pytest.mark.parametrize("paradigm", ["ROC", None])
def test_workbook_of_ratings_is_the_study_it_was_written_from(tmp_path, table, paradigm):
    marks = {name: np.asarray(table[name]).tolist() for name in ("reader", "modality")}
    marks["case"] = [f"c{one}" for one in table["case"].tolist()]
    marks |= {"lesion": table["truth"].tolist(), "rating": table["rating"].tolist()}
    truth = dict(zip(marks["case"], marks["lesion"], strict=True))
    lesions = {"case": list(truth), "lesion": list(truth.values())}
    path = workbook(tmp_path / "study.xlsx", marks, lesions, paradigm=paradigm, weight=1)
    found = rl.readers.mrmc(path)
    assert found.quantity == "AUC"
    assert found.equality.statistic == pytest.approx(rl.readers.mrmc(table).equality.statistic, rel=1e-10)


def test_a_named_sheet_is_read_as_it_is(tmp_path):
    marks, lesions = study()
    path = workbook(tmp_path / "study.xlsx", marks, lesions)
    assert list(columns_of_file(path, sheet="NL")) == ["ReaderID", "ModalityID", "CaseID", "NL_Rating"]


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"paradigm": "LROC"}, "must be a study of the paradigm ROC or FROC, got 'LROC'"),
        ({"design": "SPLIT-PLOT-A"}, "every reader searched every case, got SPLIT-PLOT-A"),
        ({"weight": "much"}, "must hold numbers in the column Weight of its sheet TRUTH"),
        ({"weight": 0.7}, "sum to 1 over the lesions of a case"),
        ({"names": ("NL", "LL", "Reality")}, "has 3 sheets"),
    ],
)
def test_workbooks_that_are_refused(tmp_path, how, words):
    marks, lesions = study()
    with pytest.raises(rl.errors.RoclabError, match=words):
        rl.readers.mrmc(workbook(tmp_path / "study.xlsx", marks, lesions, **how))


def test_workbooks_with_damaged_sheets_are_refused(tmp_path):
    marks, lesions = study()
    path = workbook(tmp_path / "study.xlsx", marks, lesions)
    for change, words in (
        (lambda book: book["NL"].delete_cols(4), "must have one column NL_Rating in its sheet NL"),
        (lambda book: book["LL"].delete_cols(4), "has no column 'LesionID'"),
        (lambda book: book["NL"].cell(3, 1).__setattr__("value", None), "must name reader, modality, case and rating"),
        (lambda book: book["TRUTH"].delete_rows(4), "must hold every case that was marked"),
    ):
        book = openpyxl.load_workbook(path)
        change(book)
        book.save(tmp_path / "damaged.xlsx")
        with pytest.raises(rl.errors.RoclabError, match=words):
            rl.readers.mrmc(tmp_path / "damaged.xlsx")
    with pytest.raises(rl.errors.InputError, match="rating must be left out of a workbook that has its own names"):
        rl.readers.mrmc(path, rating="NL_Rating")
