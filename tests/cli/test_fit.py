"""``roclab fit`` prints the library's models and the analysis of their scores."""

from __future__ import annotations

import json

import numpy as np
import pytest

import roclab as rl
from roclab.cli.fit_logistic import NEEDING_MORE
from roclab.decisions.criteria import CRITERIA
from roclab.errors import InputError
from tests.cli.conftest import ALL, COLUMNS, DATA, FILE, answer, same

EXAMPLE = ["fit", "logistic", "example", *DATA]


def columns(*names):
    return [word for name in names for word in ("--column", name)]


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ({}, []),
        ({"intercept": False, "level": 0.9}, ["--no-intercept", "--level", 0.9]),
        ({"criterion": "closest_to_corner"}, ["--criterion", "closest_to_corner"]),
        ({"criterion": "accuracy"}, ["--criterion", "accuracy"]),
    ],
)
def test_logistic_definition_is_the_analysis(shell, options, arguments):
    expected = rl.logistic(FILE, **COLUMNS, columns=ALL, **options)
    same(shell, expected, *EXAMPLE, *columns(*ALL), *arguments)


def test_logistic_firth(shell):
    expected = rl.logistic(FILE, **COLUMNS, columns=["lactate"], penalty="firth")
    text = same(shell, expected, *EXAMPLE, *columns("lactate"), "--firth", notes=True)
    assert text.endswith("coefficients with Firth's penalty\n")


def test_logistic_separation_names_the_way_out(shell, tmp_path):
    path = tmp_path / "apart.csv"
    path.write_text("y,a\n0,1\n0,2\n1,3\n1,4\n")
    arguments = ["fit", "logistic", path, "--label", "y", *columns("a")]
    message = shell.error(*arguments)
    assert message.startswith("the columns separate the classes (complete separation)")
    assert "use --firth, drop the separating column" in message
    table = {"y": [0, 0, 1, 1], "a": [1, 2, 3, 4]}
    assert (
        answer(shell, *arguments, "--firth") == rl.logistic(table, label="y", columns=["a"], penalty="firth").to_dict()
    )


def test_logistic_collinear_columns_are_named(shell, tmp_path):
    rng = np.random.default_rng(1)
    path = tmp_path / "twice.csv"
    rows = [f"{at % 2},{a:.3f},{2 * round(a, 3):.3f}" for at, a in enumerate(rng.normal(size=30))]
    path.write_text("\n".join(["y,metres,half", *rows]) + "\n")
    message = shell.error("fit", "logistic", path, "--label", "y", *columns("metres", "half"))
    assert "columns must be linearly independent, but half can be computed from the columns before it" in message


def test_logistic_missing_values(shell, tmp_path):
    path = tmp_path / "gaps.csv"
    path.write_text("y,a\n1,3\n1,2\n0,1\n0,2.5\n,9\n1,\n")
    arguments = ["fit", "logistic", path, "--label", "y", *columns("a")]
    assert "y lacks 1, a lacks 1" in shell.error(*arguments)
    found = answer(shell, *arguments, "--missing", "drop")
    expected = rl.logistic({"y": [1, 1, 0, 0], "a": [3, 2, 1, 2.5]}, label="y", columns=["a"])
    assert found["fit"] == expected.to_dict()["fit"]
    assert shell(*arguments, "--missing", "drop").stdout.endswith("2 dropped for missing values\n")


def test_logistic_refuses_just_the_criteria_that_need_more(shell):
    for name in CRITERIA:
        if name not in NEEDING_MORE:
            shell(*EXAMPLE, *columns("lactate"), "--criterion", name)
            continue
        with pytest.raises(InputError, match="needs"):
            rl.logistic(FILE, **COLUMNS, columns=["lactate"], criterion=name)
        message = shell.error(*EXAMPLE, *columns("lactate"), "--criterion", name)
        assert message.startswith(f"--criterion must need no more than its name, got {name}")


ERRORS = [
    (["fit", "logistic", "example"], "--label and --column must name columns of example, got none; its columns are"),
    (EXAMPLE, "--column must name columns of example, got none"),
    ([*EXAMPLE, *columns("lactat")], "has no column 'lactat'; did you mean 'lactate'"),
    ([*EXAMPLE, *columns("ward")], "'east' in row 2"),
    ([*EXAMPLE, *columns("outcome")], "--label and --column must be different columns, got 'outcome' for both"),
    (["fit", "logistic", "example", "--label", "outcome", *columns("lactate")], "write --positive recovered if that"),
    ([*EXAMPLE, *columns("lactate"), "--criterion", "magic"], "'magic'"),
    ([*EXAMPLE, *columns("lactate"), "--level", "2"], "level must lie strictly between 0 and 1, got 2.0"),
    ([*EXAMPLE, *columns("lactate"), "--json", "--csv"], "--json and --csv exclude each other"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "words"), ERRORS)
def test_logistic_error_is_one_sentence(shell, arguments, words):
    assert words in shell.error(*arguments)


def test_recalibration_is_the_verb_and_calls_new_cases(shell):
    arguments = ["fit", "recalibration", "example", *DATA, "--score", "lactate"]
    expected = rl.recalibrate(FILE, **COLUMNS, score="lactate", method="isotonic", folds="ward")
    assert shell(*arguments, "--method", "isotonic", "--fold", "ward").stdout == f"{expected}\n"
    table = shell(*arguments, "--apply", "example", "--csv").stdout.splitlines()
    assert table[0] == "score,probability"
    assert len(table) == 301


def test_from_columns_to_a_page_in_one_command(shell, tmp_path):
    asked = ["fit", "logistic", "example", "--label", "outcome", "--positive", "deteriorated"]
    chosen = ["--se", "hanley_mcneil", "--ci", "plain", "--test", "gaidyshev", "--level", 0.9]
    page, curve = tmp_path / "m.html", tmp_path / "c.csv"
    done = shell(*asked, "--column", "lactate", *chosen, "--report", page, "--curve-out", curve, "--json")
    told = json.loads(done.stdout)
    model = rl.logistic(
        "example", label="outcome", pos_label="deteriorated", score=["lactate"], variance="hanley_mcneil",
        interval="plain", test="gaidyshev", level=0.9,
    )  # fmt: skip
    area, error = model.area.area, model.area.standard_error
    assert told["area"]["interval"]["low"] == pytest.approx(area - 1.6448536 * error)
    null = ((90 + 210 + 1) / (12 * 90 * 210)) ** 0.5  # standard error of an area of one half
    assert told["significance"]["statistic"] == pytest.approx(abs(area - 0.5) / (error**2 + null**2) ** 0.5)
    text = page.read_text()
    assert "What the model says" in text
    assert "Hanley-McNeil 1982, plain" in text
    assert curve.read_text().splitlines()[0] == "threshold,fpr,tpr"
    assert len(curve.read_text().splitlines()) == len(model.roc) + 1
    written = json.loads((tmp_path / "m.json").read_text())["model"]
    assert written["coefficients"]["fitted probability"][1]["coefficient"] == pytest.approx(model.fit.coefficients[1])


def test_two_models_of_the_same_cases_are_compared(shell, tmp_path):
    asked = ["fit", "logistic", "example", "--label", "outcome", "--positive", "deteriorated", "--column", "lactate"]
    more = ["--against", "lactate", "--against", "concern"]
    told = json.loads(shell(*asked, *more, "--names", "one,two", "--json").stdout)
    marked = {"label": "outcome", "pos_label": "deteriorated"}
    one, two = (rl.logistic("example", **marked, score=score) for score in (["lactate"], ["lactate", "concern"]))
    labels = [label == "deteriorated" for label in one.classes]
    both = rl.compare(labels, {"one": one.fit.probabilities, "two": two.fit.probabilities})
    assert told["comparison"]["pairs"][0]["difference"] == pytest.approx(both.pairs[0].difference)
    gain = 2 * (two.fit.log_likelihood - one.fit.log_likelihood)
    assert told["likelihood_ratio"]["statistic"] == pytest.approx(gain)
    assert any("fitted to the cases they are compared on" in note for note in told["notes"])
    page = tmp_path / "two.html"
    shell(*asked, *more, "--report", page)
    assert "<h3>second</h3>" in page.read_text()
    notes = json.loads((tmp_path / "two.json").read_text())["model"]["notes"]
    assert any(note.startswith(f"likelihood ratio {gain:.4f}, chi-squared, 1 df") for note in notes)
    apart = json.loads(shell(*asked, "--against", "concern", "--json").stdout)
    assert apart["likelihood_ratio"] is None
    assert shell.error(*asked, "--names", "a,b").startswith("--names are those of two models, got no --against")
    assert shell.error(*asked, *more, "--names", "a").startswith("--names must be two different names")
    assert shell.error(*asked, *more, "--curve-out", tmp_path / "c.csv").startswith("--against compares two models")
    assert shell.error(*asked, "--by", "ward", *more).startswith("--by fits a model for every group")
    assert shell.error(*asked, "--report", tmp_path / "m.pdf").startswith("--report must end in .html")


def test_models_of_other_cases_are_refused():
    table = {"y": [0, 1, 0, 1, 1, 0], "a": [1, 2, 3, 4, 2, 2], "b": [1, 3, 2, None, 1, 2]}
    one = rl.logistic(table, label="y", score=["a"])
    two = rl.logistic(table, label="y", score=["b"], missing="drop")
    with pytest.raises(InputError, match="other must be fitted to the same cases, got 6 and 5 cases"):
        one.compare(two)
    same = rl.logistic(table, label="y", score=["a"], complete=["b"])
    assert same.compare(two).comparison.pairs[0].first == "first"
    with pytest.raises(InputError, match="names must be two different names"):
        same.compare(two, names=("x", "x"))


def test_figures_are_drawn(shell, tmp_path):
    one, two, third = (tmp_path / f"{name}.svg" for name in ("one", "two", "three"))
    shell(*EXAMPLE, *columns("lactate"), "--figure", one)
    area = rl.logistic(FILE, **COLUMNS, columns=["lactate"]).area
    assert f"fitted probability, AUC {area.area:.4f}" in one.read_text()
    shell(*EXAMPLE, *columns("lactate"), "--against", "concern", "--names", "a,b", "--figure", two)
    assert f"a, AUC {area.area:.4f}" in two.read_text()
    recalibration = ["fit", "recalibration", "example", *DATA, "--score", "lactate"]
    assert f"figure written to {third}" in shell(*recalibration, "--figure", third).stdout
    brier = rl.recalibrate(FILE, **COLUMNS, score="lactate").calibration.brier
    assert f"Brier {brier:.4f}" in third.read_text()
    assert shell.error(*recalibration, "--by", "ward", "--figure", third).startswith("--by fits a map for every group")
    assert shell.error(*EXAMPLE, *columns("lactate"), "--figure", tmp_path / "x.doc").startswith("--figure must")


def test_groups_without_curves_say_what_to_plot():
    groups = rl.cutoff(FILE, **COLUMNS, score="lactate", by="ward")
    with pytest.raises(InputError, match=r"results of type BestCutoff; plot each group's own"):
        groups.plot()


@pytest.fixture
def risks(tmp_path):
    rng = np.random.default_rng(4)
    a, b = rng.normal(size=(2, 200)).round(3)
    risk = 1 / (1 + np.exp(1 - a - 0.5 * b))
    died = (rng.random(200) < 1 / (1 + np.exp(2 - a - 0.5 * b))).astype(int)
    path = tmp_path / "risks.csv"
    rows = zip(died, risk, a, b, np.arange(200) % 3, strict=True)
    path.write_text("\n".join(["died,risk,a,b,site", *(",".join(map(str, row)) for row in rows)]))
    return path


def test_update_is_update_model(shell, risks):
    asked = {"label": "died", "pos_label": "1", "score": "risk"}
    given = ["fit", "update", risks, "--label", "died", "--positive", 1, "--score", "risk"]
    same(shell, rl.update_model(risks, **asked, rng=3, repeats=2), *given, "--seed", 3, "--repeats", 2)
    found = rl.update_model(risks, **asked, predictors=["a", "b"], folds="site", level=0.9)
    same(shell, found, *given, "--column", "a", "--column", "b", "--fold", "site", "--level", 0.9)
    new = shell(*given, "--seed", 3, "--apply", risks, "--csv").stdout.splitlines()
    table = rl.read_columns(risks, ["risk"], numeric=["risk"])
    updated = rl.update_model(risks, **asked, rng=3).apply(table["risk"])
    assert float(new[1].split(",")[1]) == pytest.approx(updated[0])
