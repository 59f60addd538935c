"""Tables of every layout, and one sentence for what cannot be analysed."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab.errors import InputError, MissingValuesError, OneClassError, PairingError
from tests.reading_studies.studies import cells, nested_cases, nested_readers, only, split_plot, study

LONG = {"label": "truth", "rating": "rating", "reader": "reader", "modality": "modality", "case": "case"}


def renamed(table, **names):
    return {names.get(name, name): values for name, values in table.items()}


@pytest.fixture(scope="module")
def plain():
    return rl.readers.mrmc(study())


def same(found, plain):
    assert (found.covariance == plain.covariance).all()
    assert found.readers == plain.readers


def test_layouts_are_read_as_they_are(plain, tmp_path):
    table = study()
    same(rl.readers.mrmc(table, **LONG), plain)
    same(rl.readers.mrmc(renamed(table, modality="treatment")), plain)  # MRMCaov
    frame = pytest.importorskip("pandas", reason="pandas is not installed").DataFrame(table)
    same(rl.readers.mrmc(frame), plain)
    own = cells(table)
    truth = next(iter(own.values()))
    rows = [("-1", case, "0", y) for case, (y, _) in truth.items()]
    rows += [(r, case, m, x) for (m, r), cell in own.items() for case, (_, x) in cell.items()]
    columns = dict(zip(("readerID", "caseID", "modalityID", "score"), zip(*rows, strict=True), strict=True))
    same(rl.readers.mrmc(columns), plain)
    same(rl.readers.mrmc(columns | {"readerID": ["truth" if r == "-1" else r for r in columns["readerID"]]}), plain)
    file = tmp_path / "study.imrmc"
    file.write_text(
        "A study of two modalities\nNR: 4\nBEGIN DATA:\n" + "\n".join(",".join(map(str, row)) for row in rows) + "\n"
    )
    same(rl.readers.mrmc(file), plain)
    same(rl.readers.mrmc(str(file)), plain)


def test_wide_tables(plain):
    own = cells(study())
    wide = {"id": list(next(iter(own.values()))), "ill": [y for y, _ in next(iter(own.values())).values()]}
    wide |= {f"{m}_{r}": [x for _, x in cell.values()] for (m, r), cell in own.items()}
    asked = {f"{m}_{r}": (r, m) for m, r in own}
    same(rl.readers.mrmc(wide, label="ill", case="id", rating=asked), plain)
    numbered = rl.readers.mrmc(wide, label="ill", rating=asked)  # rows are cases then, in another order
    np.testing.assert_allclose(numbered.covariance, plain.covariance, atol=1e-15)
    one = rl.readers.mrmc(wide, label="ill", rating={f"m0_r{at}": f"r{at}" for at in range(4)})
    assert one.modalities == ("all",)
    assert one.means[0].area == pytest.approx(plain.means[0].area)
    gap = wide | {"m0_r0": [None, *wide["m0_r0"][1:]]}
    with pytest.raises(MissingValuesError, match="rating"):
        rl.readers.mrmc(gap, label="ill", rating=asked)
    assert "missing" in rl.readers.mrmc(gap, label="ill", rating=asked, missing="drop").notes[0]
    with pytest.raises(InputError, match="rating must name columns of the table, got 'm0_r9'; did you mean"):
        rl.readers.mrmc(wide, label="ill", rating={"m0_r9": ("r9", "m0")})
    with pytest.raises(InputError, match="rating says the reader and the modality of every column"):
        rl.readers.mrmc(wide, label="ill", rating=asked, reader="id")
    with pytest.raises(InputError, match=r"rating must map columns to \(reader, modality\)"):
        rl.readers.mrmc(wide, label="ill", rating={"m0_r0": ("a", "b", "c")})


def test_imrmc_truth_must_be_there():
    own = {"readerID": ["a", "a"], "caseID": [1, 2], "modalityID": ["x", "x"], "score": [1.0, 2.0]}
    with pytest.raises(InputError, match="must hold the truth of every case as rows of a reader called 'truth' or -1"):
        rl.readers.mrmc(own)
    more = {name: [*values, extra] for (name, values), extra in zip(own.items(), ("truth", 1, "0", 1.0), strict=True)}
    with pytest.raises(InputError, match="must hold the truth of every case, got none of case '2'"):
        rl.readers.mrmc(more)
    twice = {name: [*values, values[-1]] for name, values in more.items()}
    with pytest.raises(InputError, match="must hold the truth of a case once"):
        rl.readers.mrmc(twice)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("no data\n", "must hold the line BEGIN DATA:"),
        ("BEGIN DATA:\n", "must hold rows below BEGIN DATA:"),
        ("BEGIN DATA:\n1,2,3\n", "must hold four cells in every row of data, got 3 in row 2"),
        ("BEGIN DATA:\n1,2,3,x\n", "must hold numbers as scores, got 'x' in row 2"),
    ],
)
def test_bad_imrmc_files(tmp_path, text, words):
    file = tmp_path / "a.imrmc"
    file.write_text(text)
    with pytest.raises(InputError, match=words):
        rl.readers.mrmc(file)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"rating": np.array(["high"] * 128)}, "rating"),
        ({"truth": np.ones(128, int)}, "truth"),
        ({"truth": np.arange(128) // 3 % 2}, "a case must have one outcome, got both classes for case"),
        ({"case": np.repeat("one", 128)}, "a reader rates a case once in a modality, got 16 ratings of case 'one'"),
        ({"reader": np.repeat("Adams", 128), "case": np.arange(128) // 16 * 100 + np.arange(128) % 16},
         "readers are a sample only where there are two or more, got 1 reader; write random='cases'"),
    ],
)  # fmt: skip
def test_bad_columns(change, words):
    with pytest.raises(InputError, match=words):
        rl.readers.mrmc(study() | change, design="nested_cases" if "reader" in change else None)


def test_bad_studies():
    table = study()
    no_pos = only(table, ~((table["reader"] == "r1") & (table["truth"] == 1)))
    with pytest.raises(
        OneClassError, match="every reader needs cases of both classes, and r1, m0 has no positive ones"
    ):
        rl.readers.mrmc(no_pos)
    one_pos = only(table, (table["truth"] == 0) | (table["case"] == "c0"))
    with pytest.raises(InputError, match="every reader needs two positive cases, because one has no spread"):
        rl.readers.mrmc(one_pos)
    alone = only(table, table["reader"] == "r0")
    with pytest.raises(InputError, match=r"two or more, got 1 reader; write random='cases', which takes the readers"):
        rl.readers.mrmc(alone)
    assert rl.readers.mrmc(alone, random="cases").equality.p_value <= 1
    lame = only(table, ~((table["reader"] == "r1") & (table["modality"] == "m1")))
    with pytest.raises(
        InputError, match="readers must read every modality, or each only one, got reader 'r1' without 'm1'"
    ):
        rl.readers.mrmc(lame)
    with pytest.raises(InputError, match="data must be a table with named columns"):
        rl.readers.mrmc([1, 0])
    with pytest.raises(InputError, match="label must name a column of the mapping"):
        rl.readers.mrmc({"a": [1], "b": [2]})
    with pytest.raises(InputError, match="modalities must name different ones of 'm0', 'm1'"):
        rl.readers.mrmc(table, modalities=["m0", "m9"])
    with pytest.raises(InputError, match="algorithm must be one of"):
        rl.readers.mrmc(table, algorithm="net")
    with pytest.raises(InputError, match="margin needs two modalities"):
        rl.readers.mrmc(only(table, table["modality"] == "m0"), margin=0.1)


def test_constant_ratings_are_said():
    table = study()
    found = rl.readers.mrmc(table | {"rating": np.where(table["reader"] == "r0", 3, table["rating"])})
    assert any("The same rating for every case: r0, m0; r0, m1" in note for note in found.notes)
    every = rl.readers.mrmc(table | {"rating": np.full(128, 3)})
    assert np.isnan(every.equality.p_value)
    assert "no spread" in every.equality.p_value.reason


def test_designs_are_asked_for_and_never_guessed():
    for table, design, words in (
        (nested_readers(), "nested_readers", "design must be said when every reader reads one modality only"),
        (nested_cases(), "nested_cases", "design must be said when no case is read in two modalities"),
        (split_plot(), "split_plot", "design must be said when groups of readers have cases of their own"),
    ):
        with pytest.raises(InputError, match=words):
            rl.readers.mrmc(table)
        with pytest.raises(InputError, match="design must be the one that the readings have"):
            rl.readers.mrmc(table, design="factorial")
        assert rl.readers.mrmc(table, design=design).design == design
        with pytest.raises(InputError, match="'dbm' needs every reader to read every case in every modality"):
            rl.readers.mrmc(table, design=design, method="dbm")
    with pytest.raises(InputError, match="got 'split_plot', while they are factorial"):
        rl.readers.mrmc(study(), design="split_plot")
    # The same numbers for other cases: the user says so, and truths of one number may then differ.
    table = study()
    table = table | {"truth": np.where(table["modality"] == "m1", np.roll(table["truth"], 3), table["truth"])}
    with pytest.raises(PairingError, match="say design='nested_cases'"):
        rl.readers.mrmc(table)
    assert rl.readers.mrmc(table, design="nested_cases").design == "nested_cases"
    mixed = {name: np.concatenate([split_plot()[name], values]) for name, values in study(readers=1).items()}
    with pytest.raises(InputError, match="'split_plot' needs two readers in every group, or one in each"):
        rl.readers.mrmc(mixed, design="split_plot")


def test_options_that_exclude_each_other():
    table = study()
    with pytest.raises(InputError, match="covariance is the jackknife in the method 'dbm'"):
        rl.readers.mrmc(table, method="dbm", covariance="delong")
    with pytest.raises(InputError, match="threshold must say from which rating on a case is called positive, got 5"):
        rl.readers.mrmc(table, estimator="sensitivity")
    with pytest.raises(InputError, match="threshold belongs to sensitivity and specificity"):
        rl.readers.mrmc(table, threshold=3)
    with pytest.raises(InputError, match="estimator must be an area beside a range of rates"):
        rl.readers.mrmc(table, estimator="sensitivity", threshold=3, fpr=(0, 0.1))
    with pytest.raises(InputError, match="'unbiased' exists for the AUC, sensitivity and specificity"):
        rl.readers.mrmc(table, estimator="tauc", covariance="unbiased")
    with pytest.raises(InputError, match="'delong' needs a known influence function"):
        rl.readers.mrmc(table, estimator="normal", covariance="delong")
    with pytest.raises(InputError, match="algorithm must read the cases of its readers"):
        rl.readers.mrmc(table, design="nested_cases", algorithm="r0")
    gap = only(table, np.arange(128) != 5) | {"patient": np.arange(127) // 40}
    with pytest.raises(InputError, match="got gaps"):
        rl.readers.mrmc(only(table, np.arange(128) != 5), method="dbm")
    with pytest.raises(PairingError, match="subject must be the same in all readings of a case"):
        rl.readers.mrmc(gap, subject="patient")
    with pytest.raises(InputError, match="first and second must be two of 'm0', 'm1'"):
        rl.readers.mrmc(table).pair("m0", "x")
    with pytest.raises(InputError, match="reader must be one of"):
        rl.readers.mrmc(table).area_of("x", "m0")
    lower = rl.readers.mrmc(
        table | {"rating": -table["rating"]}, direction="lower", estimator="sensitivity", threshold=-3
    )
    plain = rl.readers.mrmc(table, estimator="sensitivity", threshold=3)
    assert lower.equality.p_value == plain.equality.p_value


def test_readers_of_some_modalities_are_left_out_where_that_is_said():
    """The answer is that of a table without their rows, and a note names them; two whole readers must be left."""
    table = study()
    partly = only(table, ~((table["reader"] == "r1") & (table["modality"] == "m1")))
    with pytest.raises(InputError, match="write missing='drop' to leave such readers out, or add the readings"):
        rl.readers.mrmc(partly)
    found = rl.readers.mrmc(partly, missing="drop")
    whole = rl.readers.mrmc(only(table, table["reader"] != "r1"))
    assert found.equality.p_value == whole.equality.p_value
    assert tuple(found.pairs[0].interval) == tuple(whole.pairs[0].interval)
    assert "1 reader who read only some of the modalities left out: r1." in found.notes
    few = only(table, ~((table["reader"] != "r0") & (table["modality"] == "m1")))
    with pytest.raises(InputError, match="at least two readers must read every modality, got 1; compare fewer"):
        rl.readers.mrmc(few, missing="drop")
