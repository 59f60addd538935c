"""``.plot()`` of every result: on new axes, on the caller's, into a file; colours, names, and what is refused."""

from __future__ import annotations

import subprocess
import sys

import matplotlib
import numpy as np
import pytest
from matplotlib.colors import same_color, to_hex
from matplotlib.figure import Figure

import roclab as rl
from roclab._core.figure_file import FORMATS
from roclab.datasets import example_path, wines_path
from roclab.errors import FileError, InputError
from roclab.plots import Picture, draw_distribution, draw_roc, new_axes
from roclab.plots.by_result import _WAYS
from roclab.plots.ground import is_dark, suit_ground
from roclab.results.pictured import Pictured
from tests.plots.conftest import EXAMPLE, legend_of, roc_of

THREE = ["procalcitonin", "lactate", "concern"]
GRAPES = ["barbera", "barolo", "gamay"]


FOLLOWED = {"time": "days", "event": "ended", "cause": "relapse", "competing": "death", "censored": "lost"}


def _risks():
    patients = rl.read_columns("followed").values
    risk = 1 / (1 + np.exp(3.5 - 0.5 * patients["marker"].astype(float)))
    return rl.roc({**patients, "risk": risk}, **FOLLOWED, score="risk", at=730)


def _several():
    return rl.roc(example_path(), **EXAMPLE, score=THREE)


def _iso():
    from roclab.analysis.iso import iso_lines

    return iso_lines(roc_of("lactate"))


def _bench():
    return rl.bench(example_path(), **EXAMPLE, models=["tree", "logistic"], folds=2, rng=1)


RESULTS = {
    "RocCurve": lambda: roc_of("lactate").curve,
    "TrocCurve": lambda: roc_of("lactate").troc(),
    "PrecisionRecallCurve": lambda: roc_of("lactate").precision_recall(),
    "DetCurve": lambda: roc_of("lactate").det(),
    "CostCurve": lambda: roc_of("lactate").cost(),
    "GainCurve": lambda: roc_of("lactate").gain(),
    "SmoothFit": lambda: roc_of("lactate").smooth("binormal"),
    "ClassDensities": lambda: roc_of("lactate").smooth("normal").densities(),
    "AverageCurve": lambda: rl.average(example_path(), **EXAMPLE, score="lactate", folds="ward"),
    "Calibration": lambda: rl.roc([0, 1, 0, 1, 1, 0] * 10, [0.1, 0.4, 0.35, 0.8, 0.7, 0.2] * 10).calibration(),
    "Recalibration": lambda: rl.recalibrate(example_path(), **EXAMPLE, score="lactate"),
    "LogisticAnalysis": lambda: rl.logistic(example_path(), **EXAMPLE, score=["lactate", "concern"]),
    "FittedModels": lambda: rl.logistic(example_path(), **EXAMPLE, score=["lactate", "concern"]).compare(
        rl.logistic(example_path(), **EXAMPLE, score=["lactate"])
    ),
    "ModelTree": lambda: _bench().inside("tree"),
    "Nomogram": lambda: _bench().inside("logistic"),
    "DecisionCurve": lambda: rl.net_benefit([0, 1, 0, 1, 1, 0] * 10, [0.1, 0.4, 0.35, 0.8, 0.7, 0.2] * 10),
    "Comparison": lambda: rl.compare(example_path(), **EXAMPLE, score=THREE),
    "AreaTable": lambda: rl.auc(example_path(), **EXAMPLE, score=THREE),
    "AreasOverTime": lambda: rl.auc("followed", **FOLLOWED, score=["marker", "grade"], at=[365, 730]),
    "ComparisonsOverTime": lambda: rl.compare("followed", **FOLLOWED, score=["marker", "grade"], at=[365, 730]),
    "HorizonRoc": lambda: rl.roc("followed", **FOLLOWED, score="marker", at=730),
    "RocsOverTime": lambda: rl.roc("followed", **FOLLOWED, score="marker", at=[365, 730]),
    "HorizonCutoff": lambda: rl.cutoff("followed", **FOLLOWED, score="marker", at=730),
    "HorizonCalibration": lambda: _risks().calibration(band=True),
    "IncidenceByGroup": lambda: rl.roc("followed", **FOLLOWED, score="marker", at=730).incidence(),
    "GroupsOverTime": lambda: rl.auc("followed", **FOLLOWED, score="marker", at=730, by="grade"),
    "GroupAreas": lambda: rl.auc(example_path(), **EXAMPLE, score="lactate", by="ward"),
    "Screening": lambda: rl.screen(example_path(), **EXAMPLE),
    "MulticlassAreas": lambda: rl.multiclass(wines_path(), label="grape", score=GRAPES),
    "ByGroup": lambda: rl.roc(example_path(), **EXAMPLE, score="lactate", by="ward"),
    "BestCutoff": lambda: rl.cutoff(example_path(), **EXAMPLE, score="lactate", criterion="youden"),
    "CutoffBootstrap": lambda: rl.cutoff_stability(
        example_path(), **EXAMPLE, score="lactate", criterion="youden", resampling=50, rng=1
    ),
    "RateComparison": lambda: rl.compare(example_path(), **EXAMPLE, score=THREE, threshold=2),
    "RateGaps": lambda: rl.confusion(example_path(), **EXAMPLE, score="lactate", threshold=2, by="ward").gaps(),
    "ModelBasedCurve": lambda: rl.roc([0, 1, 0, 1, 1, 0], [0.1, 0.4, 0.35, 0.8, 0.7, 0.2]).model_based(rng=1),
    "GroupCalibrations": lambda: rl.roc(
        [0, 1, 0, 1, 1, 0] * 10, [0.1, 0.4, 0.35, 0.8, 0.7, 0.2] * 10, by=["a"] * 30 + ["b"] * 30
    ).calibration(),
    "RiskCoverage": lambda: rl.selective(example_path(), **EXAMPLE, score="lactate", threshold=2),
    "Coordinates": lambda: roc_of("lactate").coordinates(),
    "IntervalRatios": lambda: roc_of("lactate").likelihood_ratios([1, 2, 4]),
    "PredictiveValues": lambda: roc_of("lactate").confusion(2).predictive_values(0.1),
    "HullTable": lambda: rl.hull(_several()),
    "ParetoFront": lambda: rl.classifiers.pareto_front(_several()),
    "LcIndices": lambda: rl.classifiers.lc_index(_several(), prevalence=0.3, shares=(0.1, 0.3, 0.6)),
    "LcIndex": lambda: rl.classifiers.lc_index(_several(), prevalence=0.3, shares=(0.1, 0.3, 0.6)).pairs[0],
    "IsoLines": _iso,
    "Combination": lambda: rl.classifiers.combine({"a": (0.1, 0.6), "b": (0.3, 0.8)}, operation="and").combination,
    "CombinedCalls": lambda: rl.classifiers.combine({"a": (0.1, 0.6), "b": (0.3, 0.8)}, operation="and"),
    "CdfBand": lambda: rl.ranks.cdf_band([3, 1, 4, 1, 5, 9, 2, 6]),
    "PenaltySurface": lambda: rl.imaging.penalty_surface(2),
    "RobustClusters": lambda: rl.imaging.robust_cmeans(np.arange(64.0).reshape(8, 8), 2, beta=0.1),
    "Plan": lambda: rl.planning.plan_one_area(area=0.8, power=0.9),
    "ReaderPlan": lambda: rl.readers.sample_size(
        rl.readers.mrmc("readings"), difference=0.06, readers=range(4, 9, 2), cases=range(60, 181, 60)
    ),
    "ReaderCurves": lambda: rl.readers.mrmc("readings").curves(),
    "VarianceComponents": lambda: rl.readers.mrmc("readings").components,
}
# Drawn in the tests of their own rooms, which know how to make one: needs curves, a simulation, two runs of an image.
ELSEWHERE = {"Dominance", "StudyResult", "MatchedClusters"}


def test_every_type_is_tried():
    assert set(RESULTS) | ELSEWHERE == set(_WAYS)


@pytest.mark.parametrize("name", RESULTS)
def test_every_result_draws_itself(name, tmp_path):
    result = RESULTS[name]()
    assert isinstance(result, Pictured)
    for kind in _WAYS[name]:
        shown = result.plot(kind=kind)
        assert isinstance(shown, Picture)
        assert shown.ax.has_data()
    file = tmp_path / "figure.png"
    saved = result.plot(file, title="A title")
    assert saved.file == str(file)
    assert file.stat().st_size > 2000
    assert saved.get_title(loc="left") == "A title"  # asked of the axes
    with pytest.raises(InputError, match="nonsense is no part of the figure"):
        result.plot(nonsense=1)
    with pytest.raises(InputError, match="kind must be one of"):
        result.plot(kind="pie")


def test_several_curves_of_one_call_have_names_colours_and_areas(tmp_path):
    shown = _several().plot(str(tmp_path / "three.svg"), names={"concern": "Concern"}, colors={"lactate": "tab:red"})
    assert [entry.split(",")[0] for entry in legend_of(shown.ax)] == ["procalcitonin", "lactate", "Concern"]
    lines = [line for line in shown.ax.get_lines() if line.get_gid() is None]
    assert same_color(lines[1].get_color(), "tab:red")
    assert to_hex(lines[0].get_color()) == "#0072b2"
    assert lines[0].get_linestyle() != lines[1].get_linestyle()  # dashes stay, for a grey print
    assert (tmp_path / "three.svg").exists()


def test_colours_by_name_in_figures_and_groups():
    shown = rl.plots.figure("pr", example_path(), **EXAMPLE, score=THREE, colors=["red", "green", "blue"])
    curves = [line for line in shown.ax.get_lines() if line.get_gid() is None and str(line.get_label())[0] != "_"]
    assert [line.get_color() for line in curves] == ["red", "green", "blue"]
    groups = RESULTS["ByGroup"]().plot(colors={"north": "black"}, names={"north": "North ward"})
    assert "North ward" in " ".join(legend_of(groups.ax))
    assert roc_of("lactate").plot(colors="tab:green").get_lines()[-1].get_color() == "tab:green"


def test_the_legend_names_the_score_and_the_area_of_the_curve_that_is_drawn():
    y, s = [1, 1, 0, 0, 1, 0, 1, 0], [3, 2, 2, 1, 1, 1, 2, 3]
    assert legend_of(roc_of("lactate").plot().ax)[0].startswith("lactate, AUC 0.7737")
    for ties in ("expected", "optimistic", "pessimistic"):
        curve = rl.roc(y, s, ties=ties)
        drawn = curve.curve
        area = float(np.trapezoid(drawn.tpr, drawn.fpr))
        assert f"AUC {area:.4f}" in legend_of(curve.plot().ax)[0]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"colors": {"crp": "red"}}, "colors must be of procalcitonin and lactate and concern, got 'crp'"),
        ({"colors": ["red"]}, "colors must be 3, for procalcitonin and lactate and concern, got 1"),
        ({"colors": ["red", "blue", "reddish"]}, "colors must be colours that matplotlib knows, got 'reddish'"),
        ({"names": ["a"]}, "names must be 3 names"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_refusals(asked, message):
    with pytest.raises((InputError, AttributeError), match=message):
        _several().plot(**asked)


def test_colours_of_figures_without_curves_are_refused():
    with pytest.raises(
        InputError, match="colors are for figures of curves, such as figure='roc', got them with forest"
    ):
        RESULTS["AreaTable"]().plot(colors="red")


def test_an_impossible_file_is_refused_before_anything_is_drawn(monkeypatch):
    r = roc_of("lactate")
    monkeypatch.setattr("roclab.plots.placed.with_colours", None)  # nothing gets so far
    with pytest.raises(FileError, match="plot must end in .svg, .pdf or .png, got roc.jpg"):
        r.plot("roc.jpg")


def test_the_command_line_refuses_a_format_without_loading_what_draws(tmp_path):
    code = (
        "import sys\nfrom roclab.cli.start import main\n"
        "sys.argv = ['roclab', 'plot', 'example', '--label', 'outcome', '--positive', 'deteriorated', '--score',"
        " 'lactate', '--out', 'x.jpg']\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(any(name in sys.modules for name in ('matplotlib', 'scipy', 'roclab.plots')))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert "--out must end in .svg, .pdf or .png, got x.jpg" in done.stderr
    assert done.stdout.strip() == "False"
    assert FORMATS == ("svg", "pdf", "png")


@pytest.mark.parametrize("layout", [None, "constrained", "tight"])
@pytest.mark.parametrize(("rows", "columns", "size"), [(1, 2, (9, 4.5)), (2, 2, (8, 8)), (1, 3, (11, 4))])
def test_legends_of_panels_stay_on_their_axes(rows, columns, size, layout):
    figure = Figure(figsize=size, layout=layout)
    panels = np.ravel(figure.subplots(rows, columns))
    for ax in panels:
        _several().plot(ax)
        roc_of("lactate").plot(ax, cutoff="youden", band="pointwise", label="again")  # five entries
    figure.canvas.draw()
    for ax in panels:
        box, legend = ax.get_window_extent(), ax.get_legend().get_window_extent()
        assert box.x0 - 1 <= legend.x0 < legend.x1 <= box.x1 + 1
        assert box.y0 - 1 <= legend.y0 < legend.y1 <= box.y1 + 1


def test_histogram_areas_are_shares_of_the_cases_on_a_linear_axis():
    skewed = np.exp(np.random.default_rng(1).normal(size=400) * 2)
    label = np.arange(400) % 2
    for scores in (skewed, np.tile([1.0, 2.0, 3.0, 10.0], 100)):  # spread over magnitudes; ratings with a gap
        tally = rl.roc(label, scores).tally
        ax = draw_distribution(tally, new_axes())
        drawn = [patch.get_data() for patch in ax.patches if hasattr(patch, "get_data")]
        for heights, edges, _ in drawn:
            areas = heights * np.diff(edges)
            of_class = [scores[label == which] for which in (0, 1)]
            shares = [np.histogram(one, edges)[0] / one.size for one in of_class]
            assert any(np.allclose(areas / areas.sum(), share, atol=1e-9) for share in shares)


def test_a_dark_ground_has_pale_ink():
    with matplotlib.rc_context({"figure.facecolor": "#101010", "axes.facecolor": "#101010"}):
        ax = draw_roc(roc_of("lactate").curve, label="lactate")
    assert is_dark(ax.get_facecolor())
    assert not is_dark(ax.xaxis.label.get_color())
    assert not is_dark(ax.get_legend().get_texts()[0].get_color())
    curve = ax.get_lines()[-1]
    assert to_hex(curve.get_color()) == "#57b4ea"
    suit_ground(ax)
    assert to_hex(curve.get_color()) == "#57b4ea"  # once and for all


def test_a_loop_over_figures_is_not_kept_by_a_pyplot_that_shows_nothing():
    code = (
        "import matplotlib; matplotlib.use('agg')\nimport matplotlib.pyplot as plt\nimport warnings\n"
        "warnings.simplefilter('error')\nimport roclab as rl\nr = rl.roc([0, 1, 0, 1], [1, 2, 3, 4])\n"
        "for _ in range(30):\n    shown = r.plot()\nplt.title('last')\n"
        "print(len(plt.get_fignums()), plt.gcf() is shown.fig, shown.get_title())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1", "True", "last"]
