"""Numbers at the end of their range, weights beyond memory, and requests nobody can wait for."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from click.testing import CliRunner

import roclab as rl
from roclab.cli.main import cli
from roclab.errors import FileError, InputError
from roclab.names import ESTIMATORS, FIGURES, THRESHOLD_RULES
from roclab.plots import figure
from roclab.studies.designs import table_design
from roclab.studies.runner import run_study
from tests.every_verb.verbs import CLASSES, FOLD, OF_SCORES, QUICK, S, T, Y, call

LARGEST = 1.79e308
HUGE = np.resize([-LARGEST, LARGEST, 0.0, 1.7e308, -1.7e308, 1.0, LARGEST], 40)
HUGE_TOO = np.resize([LARGEST, -LARGEST, 5.0], 40)
MANY = np.resize([1, 10**14], 40)  # whole weights


def answered_or_refused(function, *arguments, **options):
    """A result in words, or one sentence; a warning or any other exception fails the test."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return str(function(*arguments, **options))
        except InputError as error:
            return str(error)


@pytest.mark.parametrize("direction", ["higher", "lower"])
@pytest.mark.parametrize("name", OF_SCORES)
def test_the_largest_numbers(name, direction):
    verb = OF_SCORES[name]
    columns = HUGE if not isinstance(verb.scores, dict) else dict(zip(verb.scores, (HUGE, HUGE_TOO), strict=False))
    assert answered_or_refused(call, name, columns=columns, direction=direction)


@pytest.mark.parametrize("rule", THRESHOLD_RULES)
def test_thresholds_between_the_largest_numbers(rule):
    table = rl.cutoff_table(Y, HUGE, rule=rule)
    assert not np.isnan(table.thresholds).any()
    assert answered_or_refused(rl.cutoff, Y, HUGE, rule=rule)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_areas_of_the_largest_numbers(estimator):
    assert answered_or_refused(rl.auc, Y, HUGE, estimator=estimator)


def test_ranks_of_the_largest_numbers_are_those_of_small_ones():
    ranks = np.unique(HUGE, return_inverse=True)[1]
    assert rl.auc(Y, HUGE) == rl.auc(Y, ranks)
    assert rl.ranks.mann_whitney(Y, HUGE).p_value == rl.ranks.mann_whitney(Y, ranks).p_value


@pytest.mark.parametrize("name", FIGURES)
def test_figures_of_the_largest_numbers(name, tmp_path):
    def drawn(scores):
        figure(name, Y, scores).save(tmp_path / "figure.svg")

    assert answered_or_refused(drawn, HUGE)
    assert answered_or_refused(drawn, {"a": HUGE, "b": HUGE_TOO})


def test_a_report_of_the_largest_numbers(tmp_path):
    assert answered_or_refused(rl.write_report, tmp_path / "report.html", Y, HUGE, **QUICK)


@pytest.mark.parametrize("name", sorted({*OF_SCORES} - {"screen", "compare_curves"}))
def test_weights_beyond_memory(name):
    assert answered_or_refused(call, name, sample_weight=MANY)


def test_whole_weights_of_any_size_weigh_the_same():
    """Pairs of so many cases do not fit into 64 bits."""
    small = np.resize([1, 2, 3], 40)
    want = rl.auc(Y, S, sample_weight=small).area
    assert rl.auc(Y, S, sample_weight=small * 10**13).area == pytest.approx(want, rel=1e-12)
    assert rl.roc(Y, S, sample_weight=small * 10**13).auc().area == pytest.approx(want, rel=1e-12)


@pytest.mark.parametrize(
    "ask",
    [
        lambda: rl.read_cases(Y, S, sample_weight=MANY).repeated(),
        lambda: rl.auc(Y, S, sample_weight=MANY, interval="percentile"),
        lambda: rl.roc(Y, S, sample_weight=MANY).band(kind="simultaneous"),
        lambda: rl.ranks.mann_whitney(Y, S, sample_weight=MANY),
        lambda: rl.ranks.smirnov(Y, S, sample_weight=MANY),
        lambda: rl.logistic(Y, {"a": S, "b": T}, sample_weight=MANY),
        lambda: rl.auc(Y, S, sample_weight=MANY, estimator="pr_davis_goadrich"),
    ],
)
def test_cases_are_never_written_out_beyond_memory(ask):
    with pytest.raises(InputError, match=r"writes out every case on its own, at most 268,435,456 of them, got [12],"):
        ask()


def test_weights_that_no_number_holds():
    with pytest.raises(InputError, match=r"sample_weight must add up to at most 2\*\*53, got "):
        rl.auc(Y, S, sample_weight=np.full(40, 10**15))
    with pytest.raises(InputError, match="sample_weight must be at most 1e\\+100, got 1e\\+200"):
        rl.auc(Y, S, sample_weight=np.full(40, 1e200))


@pytest.mark.parametrize("many", [10**12, 10**30, 1e300])
def test_replicates_and_points_nobody_waits_for(many):
    for ask in (
        lambda: rl.Resampling(replicates=many),
        lambda: run_study(table_design("I"), replicates=many),
    ):
        with pytest.raises(InputError, match="replicates must be a whole number of at most 1"):
            ask()
    for kind in ("pointwise", "simultaneous", "kolmogorov"):
        with pytest.raises(InputError, match="points must be a whole number of at most 1,000,000"):
            rl.roc(Y, S).band(kind=kind, points=many)
    with pytest.raises(InputError, match="points must be a whole number of at most"):
        rl.average(Y, S, folds=FOLD, points=many)


def test_a_band_of_two_points():
    band = rl.roc(Y, S).band(kind="simultaneous", points=2, **QUICK)
    assert band.fpr.tolist() == [0, 1]


def test_what_once_failed_on_clean_data():
    assert rl.auc(Y, S, estimator="tauc_indicator", interval="bca", **QUICK).area > 0
    assert rl.auc(Y, S, interval="percentile", **QUICK).interval.method.startswith("bootstrap (stratified, 20 ")
    with pytest.raises(InputError, match="resampling must be a Resampling or a whole number, got 'x'"):
        rl.auc(Y, S, resampling="x")
    names = np.where(CLASSES == "x", "a|x", CLASSES)
    chances = np.random.default_rng(1).dirichlet([1, 1, 1], 40)
    assert "a|x" in str(rl.multiclass(names, chances, **QUICK))
    assert len(rl.screen(rl.read_cases(Y, {"a": S, "b": T})).markers) == 2
    assert 0 < rl.Roc.from_points([0, 0.2, 1], [0, 0.7, 1]).tauc().area < 1


def test_a_nul_in_a_place(tmp_path):
    place = f"{tmp_path}/a\0b.html"
    for ask in (
        lambda: rl.write_report(place, Y, S, **QUICK),
        lambda: run_study(table_design("I"), replicates=10, resume=place),
        lambda: figure("roc", Y, S).save(place.replace("html", "svg")),
    ):
        with pytest.raises(FileError, match="must be the name of a file, got a name with a NUL in it"):
            ask()


@pytest.mark.parametrize(("command", "end"), [("report", "html"), ("plot", "svg"), ("auc", "csv")])
def test_a_nul_in_a_place_on_the_command_line(command, end, tmp_path):
    data = ["example", "--label", "outcome", "--positive", "deteriorated", "--score", "lactate"]
    done = CliRunner().invoke(cli, [command, *data, "--out", f"{tmp_path}/a\0b.{end}"], prog_name="roclab")
    assert done.exit_code == 2
    assert done.output.count("\n") == 1, done.output
    assert "--out must be the name of a file, got a name with a NUL in it" in done.output
