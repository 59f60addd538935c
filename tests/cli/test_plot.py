"""``roclab plot`` writes every figure, says what it shows, and refuses what would be ignored."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

from roclab import names
from tests.cli.conftest import ALL, DATA, answer, roc_of, scores

ONE = ["plot", "example", *DATA, *scores("lactate")]
SEVERAL = ["plot", "example", *DATA, *scores(*ALL)]
WINES = ["plot", "wines", "--label", "oak", *scores("barbera", "barolo")]
FAST = ["--replicates", 60, "--seed", 1]


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


EVERY = {
    "roc": SEVERAL,
    "troc": SEVERAL,
    "pr": [*SEVERAL, *FAST],
    "det": SEVERAL,
    "cost": SEVERAL,
    "gain": SEVERAL,
    "lift": SEVERAL,
    "hull": [*SEVERAL, "--scenario", "ward", 0.3, 1, 2, "--scenario", "screening", 0.01, 1, 50],
    "pareto": SEVERAL,
    "crossings": SEVERAL,
    "combination": [*SEVERAL, *[w for t in (0.5, 2, 3) for w in ("--at-threshold", t)], "--specificity-axis"],
    "lc": [*SEVERAL, "--prevalence", 0.3, "--shares", 0.1, 0.2, 0.4],
    "box_cox": ONE,
    "likelihood": [*ONE, "--at-threshold", 1, "--at-threshold", 3, "--digits", 2],
    "predictive": [*ONE, "--at-threshold", 2, "--prevalence", 0.1],
    "fagan": [*ONE, "--at-threshold", 2, "--prevalence", 0.1],
    "walk": ["plot", "small.csv", "--label", "y", "--score", "s"],
    "cdf": ["plot", "example", *scores("lactate"), "--cdf", "normal:2,1"],
    "design": ["plot", "I"],
    "exponential": ["plot", "--curve", 2, 0.5, "--curve", 4, 0.5],
    "penalty": ["plot", "--fuzziness", 1],
    "iso": ONE,
    "smooth": [*ONE, "--estimator", "normal", "--estimator", "kernel_k1"],
    "average": [*ONE, "--fold", "ward"],
    "distribution": [*ONE, "--kind", "dots", "--cutoff", "youden"],
    "metrics": [*ONE, "--metric", "ppv", "--metric", "npv", "--log"],
    "rates": [*SEVERAL, *[w for t in (0.5, 2, 3) for w in ("--at-threshold", t)], "--metric", "ppv", "--digits", 2],
    "gaps": [*ONE, "--by", "ward", "--at-threshold", 2],
    "risk_coverage": [*ONE, "--at-threshold", 2],
    "model_based": [*WINES[:-2], "--replicates", 50, "--specificity-axis"],
    "stability": [*ONE, "--cutoff", "product", "--replicates", 50, "--log"],
    "calibration": [*WINES, "--bins", 5],
    "decision": WINES,
    "forest": SEVERAL,
    "comparison": SEVERAL,
    "differences": SEVERAL,
    "multiclass": ["plot", "wines", "--label", "grape", *scores("barbera", "barolo", "gamay")],
    **{figure: ["plot", "readings"] for figure in names.READER_FIGURES},
}


@pytest.mark.parametrize("figure", names.FIGURES)
def test_every_figure_is_written(shell, tmp_path, figure):
    (tmp_path / "small.csv").write_text("y,s\n1,4\n0,3\n1,3\n0,1\n")
    done = shell(*EVERY[figure], "--figure", figure)
    text = (tmp_path / f"{figure}.svg").read_text()
    assert text.startswith("<?xml")
    assert f"wrote {figure}.svg, 85 x " in done.stdout.splitlines()[-1]
    assert done.stderr == ""


def test_a_discrete_distribution_is_drawn_as_rank_test_asks_for_it(shell, tmp_path):
    asked = ["wines", *scores("oak"), "--discrete", "0=1/2,1=1/2"]
    told = json.loads(shell("plot", *asked, "--figure", "cdf", "--json").stdout)
    known = json.loads(shell("rank-test", *asked, "--test", "kolmogorov", "--json").stdout)
    assert told["numbers"][0]["p_exact"] == known["p_exact"]
    assert (tmp_path / "cdf.svg").exists()


def test_the_numbers_are_those_of_the_library(shell, tmp_path):
    told = json.loads(shell(*ONE, "-o", "x.pdf", "--json").stdout)
    area = roc_of("lactate").auc()
    assert told["numbers"][0]["estimates"][0]["area"] == area.area
    assert (told["figure"], told["file"], told["width_mm"]) == ("roc", "x.pdf", 85.0)
    assert (tmp_path / "x.pdf").read_bytes().startswith(b"%PDF")
    assert str(area.area) in shell(*ONE, "--csv", "--out", "x.png").stdout
    svg = shell(*ONE, "--out", "x.svg") and (tmp_path / "x.svg").read_text()
    assert f"lactate, AUC {area.area:.4f} ({area.interval})" in svg


def test_options_of_the_curve(shell, tmp_path):
    marked = [*ONE, *FAST, "--band", "pointwise", "--cutoff", "youden", "--at-threshold", 1, "--at-threshold", 3]
    shell(*marked, "--labels", 4, "--percent", "--staircase", "--title", "Lactate $5 & <b>", "--size", "double")
    text = (tmp_path / "roc.svg").read_text()
    for words in ("95% band, pointwise", "chosen 1 at 1: Se 0.9778, Sp 0.2381", "youden at 1.6: Se 0.8333, Sp 0.5952"):
        assert words in text
    assert "Lactate $5 &amp; &lt;b&gt;" in text
    told = json.loads(shell(*ONE, "--fpr", 0, 0.2, "--json").stdout)
    assert told["numbers"][0]["estimates"][0]["quantity"] == "partial AUC"


def test_looks_for_a_journal(shell, tmp_path):
    shell(
        *ONE, "--digits", 2, "--specificity-axis", "--rename", "lactate=Lactate", "--x-label", "Sp", "--y-label", "Se"
    )
    text = (tmp_path / "roc.svg").read_text()
    for words in ("Lactate, AUC 0.77 (0.71 to 0.82)", ">Sp<", ">Se<"):
        assert words in text
    assert shell.error(*ONE, "--rename", "lactate").startswith("--rename must say OLD=NEW, got 'lactate'")
    assert shell.error(*ONE, "--rename", "x=y").startswith("--rename must rename lactate, got 'x'")


def test_points_of_a_file_are_labelled(shell, tmp_path):
    (tmp_path / "points.csv").write_text("who,f,t\nA,.2,.3\nA,.4,.6\nB,.1,.2\n")
    shell("plot", "points.csv", "--fpr-column", "f", "--tpr-column", "t", "--name-column", "who", "--labels", "all")
    assert "(0.4, 0.6)" in (tmp_path / "roc.svg").read_text()
    assert shell.error(*ONE, "--labels", "all").startswith("--labels writes the coordinates of ready-made points")


def test_prevalence_and_costs_reach_the_figure(shell, tmp_path):
    shell(*ONE, "--figure", "pr", "--prevalence", 0.1, *FAST)
    assert "prevalence 0.1000" in (tmp_path / "pr.svg").read_text()
    shell(*ONE, "--figure", "iso", "--iso", "cost", "--prevalence", 0.2, "--cost-fn", 4, "--troc-space")
    assert "touched by slope 1" in (tmp_path / "iso.svg").read_text()
    for metric in names.ISO_METRICS:
        assert shell(*ONE, "--figure", "iso", "--iso", metric).stdout


REFUSED = [
    (["--figure", "det", "--band", "pointwise"], "--band is for --figure roc or pr, got it with det; leave it out."),
    (
        ["--figure", "troc", "--log"],
        "--log is for --figure distribution or metrics or stability, got it with troc; leave it out.",
    ),
    (["--figure", "forest", "--fold", "ward"], "--fold is for --figure average, got it with forest; leave it out."),
    (
        ["--figure", "roc", "--prevalence", 0.1],
        "--prevalence is for --figure pr or gain or lift or lc or iso or predictive or fagan or metrics or decision, "
        "got it with roc; leave it out.",
    ),
    (["--figure", "gain", "--cost-fn", 2], "--cost-fn is for --figure iso or metrics, got it with gain; leave it out."),
    (
        ["--figure", "det", "--fpr", 0, 0.1],
        "--fpr is for --figure roc or forest or comparison or differences, got it with det; leave it out.",
    ),
    (["--figure", "iso", "--cost-fn", 2], "--cost-fn matters for --iso cost only, got it for accuracy; leave it out."),
    (["--figure", "average"], "--figure average needs folds, got none; name their column with --fold."),
    (["--out", "x.jpg"], "--out must end in .svg, .pdf or .png, got x.jpg; .svg suits most uses."),
    (["--out", "no/x.svg"], "--out must be in a directory that exists, got no/x.svg; create no first."),
]


@pytest.mark.parametrize(("options", "said"), REFUSED)
def test_refusals(shell, tmp_path, options, said):
    assert shell.error(*ONE, *options) == said
    assert not list(tmp_path.iterdir())


def test_figures_of_one_score(shell):
    for figure in ("iso", "smooth", "distribution", "metrics"):
        said = shell.error(*SEVERAL, "--figure", figure)
        assert said.startswith(f"--score must name one score for --figure {figure}, got procalcitonin and lactate and")


def test_figures_of_formulas_and_sets_on_the_command_line(shell):
    assert shell.error("plot", "--figure", "exponential").startswith("--curve must give E and R, got none")
    assert "is drawn from --curve, got the file example" in shell.error("plot", "example", "--figure", "exponential",
                                                                        "--curve", 2, 0.5)  # fmt: skip
    assert shell.error("plot", "--figure", "roc").startswith("--figure roc needs a FILE")
    assert shell.error("plot", "--figure", "penalty", "--label", "y").startswith("columns need a FILE")
    assert shell.error(*ONE, "--fuzziness", 2).startswith("--fuzziness is for --figure penalty, got it with roc")
    told = json.loads(shell("plot", "--figure", "exponential", "--curve", 3, 0.5, "--json").stdout)
    assert told["numbers"][0]["area"] == 0.75
    rows = shell(*SEVERAL, "--figure", "hull", "--set", "two=lactate,concern", "--set", "one=procalcitonin").stdout
    assert "two" in rows
    assert shell.error(*SEVERAL, "--figure", "hull", "--set", "lactate").startswith("--set must say NAME=A,B, or each")
    assert shell.error(*SEVERAL, "--figure", "roc", "--set", "each").startswith("--set is for --figure hull or pareto")


def test_data_are_never_written_over(shell, tmp_path):
    data = tmp_path / "roc.svg"  # a data file may have any name
    data.write_text("y,s\n1,2\n0,1\n")
    before = data.read_text()
    assert shell.error("plot", data, "--label", "y", *scores("s")).startswith("--out must not be the file of the data")
    assert data.read_text() == before


def test_without_matplotlib_the_error_says_how_to_install_it(tmp_path):
    code = (
        "import sys\nsys.modules['matplotlib'] = None\nfrom roclab.cli.main import main\n"
        f"sys.argv = ['roclab', *{[str(word) for word in ONE]!r}]\nmain()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == 'Error: drawing a figure needs matplotlib; install it with: pip install "roclab[plots]".\n'
    assert not list(tmp_path.iterdir())


def test_precision_recall_with_importance_weights_needs_no_bootstrap(shell, tmp_path):
    data = tmp_path / "w.csv"
    data.write_text("y,s,w\n1,4,1.5\n0,3,0.5\n1,2,2.5\n0,1,1.25\n")
    place = tmp_path / "pr.svg"
    shell("plot", data, "--label", "y", "--score", "s", "--weight", "w", "--figure", "pr", "-o", place)
    assert place.stat().st_size > 1000


def test_sixty_curves_fill_the_figure(shell, tmp_path):
    rng = np.random.default_rng(1)
    label = rng.integers(0, 2, 40)
    markers = [f"m{k}" for k in range(60)]
    rows = [",".join(["y", *markers])]
    rows += [",".join([str(one), *(f"{value:.3f}" for value in rng.normal(size=60) + one)]) for one in label]
    data = tmp_path / "sixty.csv"
    data.write_text("\n".join(rows) + "\n")
    place = tmp_path / "roc.svg"
    picture = answer(shell, "plot", data, "--label", "y", *scores(*markers), "--figure", "roc", "-o", place)
    assert picture["height_mm"] <= 1.1 * picture["width_mm"]
