"""``roclab rank-test`` prints the library's rank and Kolmogorov tests."""

from __future__ import annotations

import pytest
from scipy.stats import expon, norm, uniform

from roclab.data.files.read import columns_of_file
from roclab.datasets import wines_path
from roclab.rank_tests.discrete import discrete_kolmogorov
from roclab.rank_tests.kolmogorov import cdf_band, kolmogorov, smirnov
from roclab.rank_tests.kruskal_wallis import kruskal_wallis
from roclab.rank_tests.mann_whitney import mann_whitney
from tests.cli.conftest import DATA, FILE, answer, cases_of, narrow, same, scores

EXAMPLE = ["rank-test", "example", *DATA, *scores("lactate")]
ONE = ["rank-test", "example", *scores("lactate")]


def two_classes(name="lactate"):
    cases = cases_of(name)
    return cases.scores[name][cases.label], cases.scores[name][~cases.label]


@pytest.mark.parametrize("method", ["auto", "normal", "uncorrected", "continuity"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_mann_whitney_definition_is_the_test(shell, method, alternative):
    expected = mann_whitney(*two_classes(), method=method, alternative=alternative)
    arguments = [*EXAMPLE, "--p-value", method, "--alternative", alternative]
    text = same(shell, expected, *arguments, notes=True)
    assert text.endswith(f"lactate: first is deteriorated, second is recovered\nalternative: {alternative}\n")
    narrow(shell, *arguments)


def test_mann_whitney_exact(shell, tmp_path):
    path = tmp_path / "few.csv"
    path.write_text("y,s\n1,3\n1,5\n1,2\n0,1\n0,2\n0,0\n")
    expected = mann_whitney([3, 5, 2], [1, 2, 0], method="exact")
    arguments = ["rank-test", path, "--label", "y", "--score", "s"]
    assert answer(shell, *arguments) == answer(shell, *arguments, "--p-value", "exact") == expected.to_dict()


def test_kruskal_wallis_definition_is_the_test(shell):
    table = columns_of_file(FILE, ["ward", "lactate"])
    groups = {ward: table["lactate"][table["ward"] == ward] for ward in sorted(set(table["ward"]))}
    assert len(groups) > 2
    text = same(shell, kruskal_wallis(groups), *ONE, "--test", "kruskal-wallis", "--group", "ward", notes=True)
    assert "lactate in the groups of ward" in text


def test_kruskal_wallis_groups_by_numbers(shell):
    table = columns_of_file(wines_path(), ["oak", "p_oak"])
    groups = {str(oak): table["p_oak"][table["oak"] == oak] for oak in (0, 1)}
    arguments = ["rank-test", "wines", "--test", "kruskal-wallis", "--group", "oak", *scores("p_oak")]
    assert answer(shell, *arguments) == kruskal_wallis(groups).to_dict()


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_smirnov_definition_is_the_test(shell, alternative):
    expected = smirnov(*two_classes(), alternative=alternative)
    text = same(shell, expected, *EXAMPLE, "--test", "smirnov", "--alternative", alternative, notes=True)
    assert text.endswith("first is deteriorated, second is recovered\n")


@pytest.mark.parametrize(
    ("written", "distribution", "words"),
    [
        ("uniform:0,10", uniform(0, 10), "uniform with low 0, high 10"),
        ("normal: 2, 1.5", norm(2, 1.5), "normal with mean 2, sd 1.5"),
        ("exponential:0.5", expon(scale=2), "exponential with rate 0.5"),
    ],
)
def test_kolmogorov_definition_is_the_test(shell, written, distribution, words):
    values = columns_of_file(FILE, ["lactate"])["lactate"]
    expected = kolmogorov(values, distribution.cdf, level=0.9)
    text = same(shell, expected, *ONE, "--test", "kolmogorov", "--cdf", written, "--level", 0.9, notes=True)
    assert f"against: {words}\nlactate: 300 values\n" in text


def test_kolmogorov_of_a_discrete_distribution(shell, tmp_path):
    path = tmp_path / "ratings.csv"
    sample = [1, 1, 1, 2, 2, 2, 3, 3, 3, 3]
    path.write_text("rating\n" + "".join(f"{one}\n" for one in sample))
    arguments = ["rank-test", path, "--test", "kolmogorov", *scores("rating")]
    fifths = ",".join(f"{value}=1/5" for value in range(1, 6))
    expected = discrete_kolmogorov(sample, [1, 2, 3, 4, 5], ["1/5"] * 5)
    text = same(shell, expected, *arguments, "--discrete", fifths, notes=True)
    assert f"against: discrete, {fifths}\n" in text
    assert answer(shell, *arguments, "--discrete", "1=0.2, 2=.2, 3=0.2, 4=0.2, 5=0.2") == expected.to_dict()
    assert "probabilities of --discrete must add up to 1, got 0.8" in shell.error(*arguments, "--discrete", fifths[:-6])
    assert "must lie in the values of --discrete, got 3" in shell.error(*arguments, "--discrete", "1=1/2,2=1/2")
    assert "values of --discrete must hold distinct values" in shell.error(*arguments, "--discrete", "1=1/2,1=1/2")
    assert "such as '1/5', got 'half'" in shell.error(*arguments, "--discrete", "1=half,2=1/4,3=1/4")


@pytest.mark.parametrize("level", [0.95, 0.8])
def test_band_definition_is_the_band(shell, level):
    expected = cdf_band(columns_of_file(FILE, ["lactate"])["lactate"], level=level)
    text = same(shell, expected, *ONE, "--test", "band", "--level", level, notes=True)
    assert f"{100 * level:g}% band of the whole distribution function, S plus or minus {expected.width:.4f}" in text
    if level == 0.95:
        assert shell(*ONE, "--test", "band").stdout == text


def test_missing_values(shell, tmp_path):
    path = tmp_path / "gaps.csv"
    path.write_text("y,g,s\n1,a,3\n1,b,\n0,a,1\n0,b,2\n,c,9\n1,,4\n")
    one = ["rank-test", path, *scores("s")]
    classes = [*one, "--label", "y"]
    groups = [*one, "--test", "kruskal-wallis", "--group", "g"]
    band = [*one, "--test", "band"]
    for arguments, count, expected in (
        (classes, 2, mann_whitney([3, 4], [1, 2])),
        (groups, 2, kruskal_wallis({"a": [3, 1], "b": [2], "c": [9]})),
        (band, 1, cdf_band([3, 1, 2, 9, 4])),
    ):
        assert "missing" in shell.error(*arguments)
        assert answer(shell, *arguments, "--missing", "drop") == expected.to_dict()
        assert f"{count} dropped for missing values" in shell(*arguments, "--missing", "drop").stdout


KOLMOGOROV = [*ONE, "--test", "kolmogorov"]
GROUPS = [*ONE, "--test", "kruskal-wallis"]

ERRORS = [
    (["rank-test", "example"], "--label and --score must name columns of example, got none; its columns are patient"),
    (["rank-test", "example", "--label", "outcome", *scores("lactate")], "write --positive recovered if that is the"),
    (["rank-test", "example", *DATA, *scores("lactat")], "has no column 'lactat'; did you mean 'lactate'"),
    (["rank-test", "example", *DATA, *scores("ward")], "'east' in row 2"),
    (["rank-test", "example", *DATA, *scores("lactate", "concern")], "--score must name one column for this command"),
    (["rank-test", "example", "--label", "ward", *scores("lactate")], "ward must hold exactly two classes"),
    ([*EXAMPLE, "--group", "ward"], "--test mann-whitney takes --score, --label, --positive, --p-value, --alternative"),
    ([*EXAMPLE, "--level", "0.9"], "got --level as well; leave it out."),
    ([*EXAMPLE, "--test", "smirnov", "--p-value", "exact"], "got --p-value as well; leave it out."),
    ([*EXAMPLE, "--test", "t"], "Invalid value for '--test'"),
    (GROUPS, "--group must name columns of example, got none"),
    ([*GROUPS, "--group", "wards"], "has no column 'wards'; did you mean 'ward'"),
    ([*GROUPS, "--group", "lactate"], "--group and --score must be different columns, got 'lactate' for both."),
    ([*GROUPS, "--group", "ward", "--label", "outcome"], "got --label as well; leave it out."),
    ([*GROUPS, "--group", "ward", "--score", "concern"], "--score must name one column for this command"),
    (KOLMOGOROV, "--test kolmogorov needs --cdf or --discrete, got neither; write --cdf normal:0,1."),
    ([*KOLMOGOROV, "--cdf", "normal:0,1", "--discrete", "1=1"], "needs --cdf or --discrete, got both"),
    ([*KOLMOGOROV, "--cdf", "normal:0,1", "--label", "outcome"], "takes --score, --cdf, --discrete, --level only"),
    ([*KOLMOGOROV, "--cdf", "gamma:1,2"], "--cdf must be written uniform:LOW,HIGH, normal:MEAN,SD or exponential:RATE"),
    ([*KOLMOGOROV, "--cdf", "normal"], "got 'normal'; for instance normal:0,1."),
    ([*KOLMOGOROV, "--cdf", "normal:0,x"], "got 'normal:0,x'; for instance normal:0,1."),
    ([*KOLMOGOROV, "--cdf", "normal:0,inf"], "got 'normal:0,inf'; for instance normal:0,1."),
    ([*KOLMOGOROV, "--cdf", "normal:0,0"], "--cdf normal must have a SD above 0, got 'normal:0,0'."),
    ([*KOLMOGOROV, "--cdf", "exponential:-1"], "--cdf exponential must have a RATE above 0, got 'exponential:-1'."),
    ([*KOLMOGOROV, "--cdf", "uniform:1,0"], "--cdf uniform must have LOW below HIGH, got 'uniform:1,0'"),
    ([*KOLMOGOROV, "--cdf", "normal:0,1", "--level", "2"], "level must lie strictly between 0 and 1, got 2.0"),
    ([*KOLMOGOROV, "--discrete", "1=1", "--level", "0.9"], "--discrete has exact p-values instead of critical values"),
    ([*KOLMOGOROV, "--discrete", "1"], "--discrete must be written VALUE=P,VALUE=P, got '1' in it"),
    ([*KOLMOGOROV, "--discrete", "a=1"], "--discrete must be written VALUE=P,VALUE=P, got 'a=1' in it"),
    (["rank-test", "example", "--test", "band"], "--score must name columns of example, got none"),
    (["rank-test", "example", "--test", "band", *scores("ward")], "'east' in row 2"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "words"), ERRORS)
def test_rank_test_error_is_one_sentence(shell, arguments, words):
    assert words in shell.error(*arguments)


def test_one_group_only(shell, tmp_path):
    path = tmp_path / "one.csv"
    path.write_text("g,s\na,1\na,2\n")
    message = shell.error("rank-test", path, "--test", "kruskal-wallis", "--group", "g", *scores("s"))
    assert message.startswith("--group g must hold at least two samples, got 1")
