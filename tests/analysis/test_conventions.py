"""Numbers of other programs by one word: published output, and what each preset stands for."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.stats import beta

import roclab as rl
from roclab.cli.main import cli
from roclab.errors import InputError
from roclab.names import PROGRAMS
from roclab.options.conventions import SOURCES
from tests.conftest import OUTSIDE

RATING, NORMAL, ABNORMAL = np.arange(1, 6), (33, 6, 6, 11, 2), (3, 2, 2, 11, 33)  # Hanley and McNeil 1982, table 1
Y = np.repeat([0, 1], (58, 51))
S = np.concatenate([np.repeat(RATING, NORMAL), np.repeat(RATING, ABNORMAL)])
MARKED = {"label": "outcome", "pos_label": "deteriorated"}


def shared_data(name):
    path = OUTSIDE / name
    if not path.exists():
        pytest.skip(f"{name} is not beside the project")
    return str(path)


def test_stata_published():
    """roctab: 109 cases, .8932, standard error .0307, .83295 to .95339; with binomial .81559 to .94180."""
    found = rl.auc(Y, S, conventions="Stata")
    assert [round(found.area, 4), round(found.standard_error, 4)] == [0.8932, 0.0307]
    assert [round(one, 5) for one in found.interval] == [0.83295, 0.95339]
    exact = rl.auc(Y, S, conventions="Stata", interval="binomial")
    assert [round(one, 5) for one in exact.interval] == [0.81559, 0.94180]


def test_spss_published():
    """Hanley and McNeil 1982 for these ratings, as SPSS counts Q1 and Q2: standard error .0320."""
    found = rl.auc(Y, S, conventions="SPSS")
    assert round(found.standard_error, 4) == 0.0320
    assert found.interval.high == pytest.approx(found.area + 1.959964 * found.standard_error, abs=1e-6)


def test_sas_published():
    """PROC LOGISTIC's example of ROC contrasts: areas, errors, and chi-squared 2.5340 with 2 df, p .2817."""
    path = shared_data("delong1988_ovarian.csv")
    scores = ["albumin", "total_protein", "kg_score"]
    found = rl.compare(path, label="benefit", score=scores, pos_label=1, conventions="SAS")
    assert [round(one.area, 4) for one in found.areas] == [0.7366, 0.6478, 0.7258]
    assert [round(one.standard_error, 4) for one in found.areas] == [0.0927, 0.1000, 0.1028]
    assert (round(found.equality.statistic, 4), round(found.equality.p_value, 4)) == (2.5340, 0.2817)


def test_proc_published():
    """aSAH by pROC 1.18: wfns against s100b, limits of s100b, and its best threshold."""
    data = {"label": "outcome", "pos_label": "Poor"}
    path = shared_data("asah.csv")
    found = rl.compare(path, **data, score=["wfns", "s100b"], conventions="pROC")
    assert round(found.pairs[0].statistic, 4) == 2.2090
    one = rl.auc(path, **data, score="s100b", conventions="pROC")
    assert [round(end, 10) for end in one.interval] == [0.6301182118, 0.8326189156]
    assert rl.cutoff(path, **data, score="s100b", conventions="pROC").threshold == pytest.approx(0.205)


def test_risk_regression_published():
    """pbc by riskRegression 2022.11.28, death beside transplant: area, error, limits and p of bilirubin and age."""
    data = {"time": "time", "event": "ev", "cause": 1, "competing": 2, "at": 2000, "conventions": "riskRegression"}
    path = shared_data("time/pbc.csv")
    one = rl.auc(path, **data, score="bili")
    found = [one.area, one.standard_error, *one.interval]
    wanted = [0.862882239664726, 0.0236818603753939, 0.816466646242048, 0.909297833087405]
    assert found == pytest.approx(wanted, abs=1e-10)
    pair = rl.compare(path, **data, score=["age", "bili"]).pairs[0]
    assert [pair.difference, pair.standard_error] == pytest.approx([-0.218741750678425, 0.0469269572108555], abs=1e-10)
    assert pair.p_value == pair.p_adjusted == pytest.approx(3.14181711583525e-06, rel=1e-6)


def test_programs_of_time_to_event_and_the_others_keep_apart():
    clinic = {"time": "days", "event": "ended", "cause": "relapse", "competing": "death", "censored": "lost",
              "score": "marker", "at": 730}  # fmt: skip
    plain = rl.auc("followed", **clinic, conventions="timeROC")
    z = 1.959963984540054
    assert plain.interval.high == pytest.approx(plain.area + z * plain.standard_error, abs=1e-12)
    assert plain.notes[-1] == "As timeROC prints it: missing drop, interval plain."
    over = rl.compare("followed", **clinic | {"score": ["marker", "grade"], "at": [365, 730]}, conventions="timeROC")
    assert all(one.notes[-1].startswith("As timeROC prints it") for one in over.comparisons.values())
    with pytest.raises(InputError, match="conventions of pROC say nothing about this question"):
        rl.auc("followed", **clinic, conventions="pROC")
    with pytest.raises(InputError, match="conventions of riskRegression say nothing about this question"):
        rl.auc("example", **MARKED, score="lactate", conventions="riskRegression")


SPELLED = {
    "pROC": {"interval": "clipped", "test": "normal", "adjust": "none"},
    "SPSS": {"interval": "plain", "test": "normal", "adjust": "none"},
    "SAS": {"interval": "plain", "test": "normal", "adjust": "none"},
    "Stata": {"interval": "plain", "test": "normal", "adjust": "none"},
    "MedCalc": {"interval": "binomial", "test": "normal", "adjust": "none"},
}


@pytest.mark.parametrize("program", SPELLED)
def test_a_comparison_is_that_of_its_options(program):
    scores = {"score": ["lactate", "concern", "procalcitonin"]}
    found = rl.compare("example", **MARKED, **scores, conventions=program)
    spelled = rl.compare("example", **MARKED, **scores, **SPELLED[program])
    assert found.rows() == spelled.rows()
    assert [one.interval for one in found.areas] == [one.interval for one in spelled.areas]
    assert found.notes[-1].startswith(f"As {program} prints it: ")


def test_what_is_said_beside_a_program_counts_more():
    found = rl.auc(Y, S, conventions="pROC", interval="logit")
    assert found.interval == rl.auc(Y, S, interval="logit").interval
    assert "interval" not in found.notes[-1]


def test_parts_of_the_curve_are_resampled_as_proc_does():
    asked = {"fpr": (0, 0.2), "resampling": 200, "rng": 1}
    found = rl.auc(Y, S, **asked, conventions="pROC")
    assert found.interval == rl.auc(Y, S, **asked, interval="percentile").interval


def test_scikit_learn_has_areas_only():
    assert rl.auc(Y, S, conventions="sklearn").interval.method == "none"
    partial = rl.auc(Y, S, fpr=(0, 0.2), conventions="scikit-learn")
    assert partial.area == rl.auc(Y, S, fpr=(0, 0.2), standardize="mcclish").area
    with pytest.raises(InputError, match="of scikit-learn say nothing about this question"):
        rl.compare(Y, {"a": S, "b": -S}, conventions="scikit-learn")
    with pytest.raises(InputError, match="a program that prints uncertainty"):
        rl.build_report(Y, S, conventions="scikit-learn")


@pytest.mark.parametrize(("program", "rule"), [("pROC", "midpoints"), ("SPSS", "spss"), ("Stata", "observed")])
def test_thresholds_are_shown_as_the_program_shows_them(program, rule):
    assert rl.cutoff(Y, S, conventions=program).threshold == rl.cutoff(Y, S, rule=rule).threshold
    assert rl.cutoff_table(Y, S, conventions=program).rows() == rl.cutoff_table(Y, S, rule=rule).rows()


def test_unknown_programs_are_named():
    with pytest.raises(InputError, match="conventions must be one of"):
        rl.auc(Y, S, conventions="Excel")


def test_every_program_says_where_its_numbers_are_known_from():
    assert set(SOURCES) == set(PROGRAMS)


def test_binomial_definition():
    """Clopper-Pearson of the nearest whole number of successes among all cases."""
    found = rl.auc(Y, S, interval="binomial", level=0.9)
    k, n = round(found.area * 109), 109
    assert [*found.interval] == pytest.approx([beta.ppf(0.05, k, n - k + 1), beta.ppf(0.95, k + 1, n - k)], abs=1e-10)
    with pytest.raises(InputError, match="is an interval of the AUC, got tAUC"):
        rl.auc(Y, S, interval="binomial", estimator="tauc")
    with pytest.raises(InputError, match="counts independent cases"):
        rl.auc(Y, S, interval="binomial", ids=np.arange(109) // 2)


GAPS = {"ill": [1, 1, 1, 0, 0, 0, 1, 0], "a": [5, 4, 3, 3, 2, 1, np.nan, 2.5], "b": [2, 4, 3, 1, 2, 2, 5, np.nan]}


def test_spss_leaves_cases_out_listwise():
    table = rl.screen(GAPS, label="ill", conventions="SPSS").spss()
    full = {name: values[:6] for name, values in GAPS.items()}
    alone = rl.screen(full, label="ill", conventions="SPSS").spss()
    assert table.rows() == alone.rows()
    assert "2 cases that lack a variable were left out for all of them (listwise)" in table.footnotes
    each = rl.screen(GAPS, label="ill")
    assert {one.name: one.dropped for one in each.markers} == {"a": 1, "b": 1}


def test_spss_table_has_its_digits_in_json_and_csv():
    asked = ["screen", "example", "--label", "outcome", "--positive", "deteriorated", "--spss"]
    found = json.loads(CliRunner().invoke(cli, [*asked, "--json"]).output)
    assert found["rows"] == rl.screen("example", **MARKED, conventions="SPSS").spss().rows()
    assert any("tie" in one for one in found["footnotes"])
    assert CliRunner().invoke(cli, [*asked, "--csv"]).output.startswith("Test Result Variable(s),Area,")


def test_a_report_follows_a_program():
    found = rl.build_report("example", **MARKED, score=["lactate", "concern"], conventions="Stata", band=False, rng=1)
    assert found.scores[0].area.interval == rl.auc("example", **MARKED, score="lactate", interval="plain").interval
    assert found.comparison.pairs[0].p_value == pytest.approx(
        rl.compare("example", **MARKED, score=["lactate", "concern"], test="normal").pairs[0].p_value
    )
    assert any(one.startswith("As Stata prints it") for one in found.methods)


@pytest.mark.parametrize("command", ["auc", "cutoff"])
def test_commands_know_programs(command):
    asked = [command, "example", "--label", "outcome", "--positive", "deteriorated", "--score", "lactate"]
    done = CliRunner().invoke(cli, [*asked, "--conventions", "spss"])
    assert done.exit_code == 0, done.output
    assert done.output != CliRunner().invoke(cli, asked).output


def test_a_curve_is_that_of_scikit_learn():
    """Vertices and thresholds of ``roc_curve``, which leaves out those between equal steps, with and without ties."""
    from sklearn.metrics import roc_curve

    rng = np.random.default_rng(4)
    labels = rng.integers(0, 2, 200)
    raw = rng.normal(size=200) + labels
    for scores in (raw, np.round(raw, 1), np.round(raw)):
        for mine, theirs in zip(
            rl.roc(labels, scores, conventions="scikit-learn"), roc_curve(labels, scores), strict=True
        ):
            np.testing.assert_array_equal(mine, theirs)


def test_a_curve_follows_its_program_in_all_it_is_asked():
    """Thresholds, area, cut-off and table of a curve are those of the verbs with the same word; ties are halved."""
    labels, scores = np.repeat([1, 0], (4, 4)), np.array([6.0, 5, 4, 2, 4, 3, 2, 1])
    r = rl.roc(labels, scores, conventions="pROC")
    np.testing.assert_array_equal(r.thresholds, [np.inf, 5.5, 4.5, 3.5, 2.5, 1.5, -np.inf])
    assert r.auc().interval == rl.auc(labels, scores, conventions="pROC").interval
    assert r.cutoff("youden").threshold == rl.cutoff(labels, scores, conventions="pROC").threshold
    assert r.coordinates().rule == "midpoints"
    assert r.mirrored().auc().interval.method == r.auc().interval.method
    several = rl.roc(labels, {"a": scores, "b": -scores}, conventions="Stata")
    assert several["b"].auc().interval.method == rl.auc(labels, -scores, conventions="Stata").interval.method
    groups = rl.roc(labels, scores, by=np.tile([0, 1], 4), conventions="SPSS")
    assert groups["0"].coordinates().rule == "spss"


def test_what_a_program_does_not_have_is_not_called_its_own():
    """No program has the area under the tROC curve: the curve answers in its own way, the verb refuses the word."""
    r = rl.roc(Y, S, conventions="pROC")
    assert not any("pROC" in note for note in r.tauc().notes)
    with pytest.raises(InputError, match="conventions of pROC say nothing about this question"):
        rl.auc(Y, S, estimator="tauc", conventions="pROC")
    with pytest.raises(InputError, match="averages over classes are those of scikit-learn and pROC as they are"):
        rl.multiclass(Y, S, conventions="pROC")


def test_a_matrix_has_the_intervals_of_medcalc():
    """Clopper-Pearson for rates and Simel's log interval for likelihood ratios, also on the command line."""
    found = rl.confusion(Y, S, threshold=4, conventions="MedCalc").with_intervals()
    x, n = int(found.matrix.tp), 51
    assert found.intervals["tpr"].low == pytest.approx(beta.ppf(0.025, x, n - x + 1), rel=1e-9)
    assert found.intervals["lr_plus"].method == "log (Simel)"
    asked = ["confusion", "example", "--label", "outcome", "--positive", "deteriorated", "--score", "lactate"]
    shown = CliRunner().invoke(cli, [*asked, "--threshold", "2", "--conventions", "MedCalc"]).output
    assert "log (Simel)" in shown
    assert "As MedCalc prints it: interval exact, ratio_interval log." in shown


def test_the_points_of_a_curve_follow_on_the_command_line():
    asked = ["curve", "example", "--label", "outcome", "--positive", "deteriorated", "--score", "concern", "--json"]
    shown = json.loads(CliRunner().invoke(cli, [*asked, "--conventions", "pROC"]).output)
    own = json.loads(CliRunner().invoke(cli, asked).output)
    assert shown != own
