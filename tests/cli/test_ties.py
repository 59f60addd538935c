"""``roclab ties`` prints the library's rankings and performance ties."""

from __future__ import annotations

import pytest

from roclab.data.read import read_cases
from roclab.decisions.ties import performance_ties
from tests.cli.conftest import ALL, DATA, answer, cases_of, narrow, same, scores
from tests.conftest import oracle

EXAMPLE = ["ties", "example", *DATA]


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ({}, []),
        ({"level": 0.99, "fpr": (0.1, 0.3)}, ["--level", 0.99, "--fpr", 0.1, 0.3]),
        ({"tolerance": 0.2}, ["--tolerance", 0.2]),
    ],
)
def test_ties_definition_is_the_analysis(shell, options, arguments):
    expected = performance_ties(cases_of(*ALL), **options)
    text = same(shell, expected, *EXAMPLE, *scores(*ALL), *arguments, notes=True)
    assert "differences: DeLong, same cases" in text
    narrow(shell, *EXAMPLE, *scores(*ALL), *arguments)


def test_ties_oracle_of_mirrored_curves(shell, tmp_path):
    given = oracle("performance_tie_a")
    paths = []
    for name in ("original", "mirror"):
        paths.append(tmp_path / f"{name}.csv")
        rows = zip(given["inputs"][name]["labels"], given["inputs"][name]["scores"], strict=True)
        paths[-1].write_text("y,s\n" + "".join(f"{label},{score}\n" for label, score in rows))
    data = ["--label", "y", "--score", "s"]
    found = answer(shell, "ties", *paths, *data)
    for row in found["ranking"]:
        for name in ("auc", "tauc"):
            assert row[name] == pytest.approx(given["expected"][row["score"]][name], abs=given["tolerance_abs"])
    (tie,) = found["ties"]
    assert (tie["kind"], tie["by_tauc"]) == ("mirrored curves", given["expected"]["winner"])
    text = narrow(shell, "ties", *paths, *data)
    assert "differences: DeLong, independent samples" in text
    assert "ranked otherwise by tAUC: mirror" in text
    tallies = {path.stem: read_cases(path, label="y", score="s").tally() for path in paths}
    assert found == performance_ties(tallies).to_dict()
    mirrored = answer(shell, "ties", paths[0], *data, "--mirror")
    assert [one["auc"] for one in mirrored["ranking"]] == pytest.approx([0.68, 0.68])
    assert {one["score"]: one["tauc"] for one in mirrored["ranking"]} == pytest.approx(
        {"s": 0.308, "mirror image": 0.244}
    )


ERRORS = [
    (["ties"], "Missing argument 'FILE...'."),
    (["ties", "example"], "--label and --score must name columns of example, got none"),
    ([*EXAMPLE, "--score", "lactate"], "--score must name at least two scores, got lactate only"),
    ([*EXAMPLE, *scores(*ALL), "--mirror"], "--score must name one score for this question, got"),
    ([*EXAMPLE, *scores(*ALL), "--fpr", "0.5", "0.1"], "write --fpr 0 0.1 for the range 0 to 0.1."),
    ([*EXAMPLE, *scores(*ALL), "--tolerance", "2"], "tolerance must lie between 0 and 1, got 2.0"),
    ([*EXAMPLE, *scores(*ALL), "--level", "95"], "level must lie strictly between 0 and 1, got 95.0"),
    (["ties", "example", "b.csv", *DATA, "--score", "lactate", "--mirror"], "got --mirror as well; leave it out."),
    (["ties", "example", "example", *DATA, "--score", "lactate"], "files must differ, got example more than once"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "words"), ERRORS)
def test_ties_error_is_one_sentence(shell, arguments, words):
    assert words in shell.error(*arguments)
