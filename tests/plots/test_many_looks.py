"""Many curves in one figure: no two share colour and dashes; marks, mirror images, sets and tied scores of several."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab.errors import InputError
from roclab.plots import draw_crossings, draw_lc_index, draw_smooth, figure, new_axes
from roclab.plots.legend import MOST_NAMED, many_curves
from tests.plots.conftest import legend_of, line_of, roc_of

MARKED = {"label": "outcome", "pos_label": "deteriorated"}


def many(count, cases=60):
    rng = np.random.default_rng(count)
    y = np.arange(cases) % 2
    chances = {f"m{at:02d}": rng.random(cases) * 0.5 + y * 0.02 * at for at in range(count)}
    return y, {name: np.clip(one, 0, 1) for name, one in chances.items()}


def look_of(line):
    return (line.get_color(), line.get_linestyle(), str(line._dash_pattern), line.get_marker())


def named_lines(ax):
    return [line for line in ax.get_lines() if not str(line.get_label()).startswith("_") and line.get_gid() is None]


@pytest.mark.parametrize(
    "name", ["roc", "troc", "pr", "det", "cost", "gain", "lift", "decision", "hull", "calibration"]
)
def test_thirty_curves_never_share_a_look(name):
    drawn = named_lines(figure(name, *many(MOST_NAMED)).ax)
    looks = [look_of(line) for line in drawn]
    assert len(looks) >= MOST_NAMED
    assert len(set(looks)) == len(looks)


def test_fronts_and_smooth_curves_never_share_a_look():
    fronts = named_lines(figure("pareto", *many(MOST_NAMED), sets="each").ax)
    hulls = named_lines(figure("hull", *many(MOST_NAMED), sets="each").ax)
    ax = new_axes()
    with many_curves(ax, MOST_NAMED):
        for at in range(MOST_NAMED):
            draw_smooth(rl.exponential_curve(1 + at / 4, 0.5), ax, label=f"{at}")
    for drawn in (fronts, hulls, named_lines(ax)):
        assert len({look_of(line) for line in drawn}) == len(drawn) == MOST_NAMED


def test_mirror_images_never_share_a_look():
    drawn = named_lines(figure("roc", *many(15), mirror=True).ax)
    assert len(drawn) == 30
    assert len({look_of(line)[:3] for line in drawn}) == 30


def test_marks_take_no_colour_from_curves():
    plain = figure("roc", *many(5)).ax
    marked = figure("roc", *many(5), cutoff="youden", labels=3).ax
    for name in many(5)[1]:
        one, two = (next(line for line in ax.get_lines() if line.get_label().startswith(f"{name}, AUC"))
                    for ax in (plain, marked))  # fmt: skip
        assert look_of(one) == look_of(two)


def test_bars_and_strips_of_ten_classifiers_differ():
    y, scores = many(10)
    curves = {name: rl.roc(y, one) for name, one in scores.items()}
    found = rl.classifiers.lc_index(curves, prevalence=0.4, shares=(0.1, 0.3, 0.6))
    ax = draw_lc_index(found.pairs, new_axes())
    handles, labels = ax.get_legend_handles_labels()
    looks = [(one[0].get_facecolor(), one[0].get_hatch()) for one, words in zip(handles, labels, strict=True)
             if words.endswith("loses less")]  # fmt: skip
    assert len(set(looks)) == len(looks) > 2
    # ten points in a row, each of which leads for a while
    arc = {f"c{at}": rl.Roc.from_points([(at + 0.5) / 11], [((at + 1) / 11) ** 0.4]) for at in range(10)}
    leads = rl.classifiers.dominance(arc)
    ax = draw_crossings(leads, new_axes(), curves={name: one.curve for name, one in arc.items()})
    strips = [patch for patch in ax.patches if patch.get_gid() == "lead"]
    by_leader = {one.leaders: (patch.get_facecolor(), patch.get_hatch())
                 for one, patch in zip(leads.leads, strips, strict=True) if len(one.leaders) == 1}  # fmt: skip
    assert len(set(by_leader.values())) == len(by_leader) > 7


def test_mirror_images_have_their_areas():
    r = roc_of("lactate")
    shown = figure("roc", "example", **MARKED, score="lactate", mirror=True)
    area = r.auc()
    assert f"lactate, mirror image, AUC {area.area:.4f} ({area.interval})" in legend_of(shown.ax)
    turned = r.mirrored().tauc()
    other = figure("troc", "example", **MARKED, score="lactate", mirror=True)
    assert f"lactate, mirror image, tAUC {turned.area:.4f} ({turned.interval})" in legend_of(other.ax)
    assert [row["score"] for row in other.rows()] == ["lactate", "lactate, mirror image"]
    part = figure("roc", "example", **MARKED, score="lactate", mirror=True, fpr=(0, 0.2))
    swapped = r.mirrored().partial_auc(fpr=(0, 0.2))
    assert any(f"mirror image, partial AUC {swapped.area:.4f}" in words for words in legend_of(part.ax))


def test_the_mirrored_curve_definition():
    """The parts of the classes exchanged: labels swapped and scores negated."""
    y, s, who = [1, 0, 1, 0, 0, 1, 1, 0], [5, 3, 3, 2, 1, 4, 2, 2], [1, 1, 2, 2, 3, 3, 4, 4]
    for more in ({}, {"ids": who}):
        one = rl.roc(y, s, **more).mirrored()
        two = rl.roc([1 - label for label in y], [-score for score in s], **more)
        assert one.curve.fpr == pytest.approx(two.curve.fpr)
        assert one.curve.tpr == pytest.approx(two.curve.tpr)
        assert one.tauc().area == pytest.approx(two.tauc().area)
        assert one.tauc().standard_error == pytest.approx(two.tauc().standard_error)
    points = rl.Roc.from_points([0.1, 0.4], [0.5, 0.8]).mirrored()
    assert points.area() == pytest.approx(rl.Roc.from_points([0.2, 0.5], [0.6, 0.9]).area())


@pytest.mark.parametrize("ties", ["optimistic", "pessimistic"])
def test_tied_scores_are_crossed_as_asked(ties):
    y, s = [1, 0, 1, 0, 0, 1], [2, 2, 2, 1, 1, 1]
    shown = figure("roc", y, {"s": s, "t": [3, 2, 1, 1, 2, 3]}, ties=ties, resampling=20, rng=1)
    x, height = line_of(shown.ax, "s,")
    area = float(np.sum(np.diff(x) * (height[1:] + height[:-1]) / 2))
    worth = 1.0 if ties == "optimistic" else 0.0
    pairs = [worth if a == b else float(a > b) for a, one in zip(s, y, strict=True) if one
             for b, two in zip(s, y, strict=True) if not two]  # fmt: skip
    assert area == pytest.approx(np.mean(pairs))
    assert shown.numbers[0].estimates[0].area == pytest.approx(area)
    for beside in ({"band": "kolmogorov"}, {"fpr": (0, 0.5)}):
        with pytest.raises(InputError, match="ties has no part in"):
            figure("roc", y, s, ties=ties, **beside)


def test_thresholds_and_marks_of_several_scores():
    asked = {**MARKED, "score": ["lactate", "concern"]}
    ax = figure("roc", "example", **asked, labels=3, cutoff="youden", at_threshold=[2.0, 4.0]).ax
    words = legend_of(ax)
    for name, cut in (("lactate", 2.0), ("concern", 4.0)):
        best = roc_of(name).cutoff("youden").threshold
        assert any(one.startswith(f"{name}, youden at {best:.4g}") for one in words)
        assert any(one.startswith(f"{name}, chosen at {cut:.4g}") for one in words)
    assert 4 <= len(ax.texts) <= 6  # a rating has few thresholds to write
    with pytest.raises(InputError, match="at_threshold must be one for each of the 2 scores, got 1"):
        figure("roc", "example", **asked, at_threshold=[2.0])


def test_sets_of_classifiers_have_a_hull_and_a_front_each():
    asked = {**MARKED, "score": ["lactate", "concern", "procalcitonin"]}
    sets = {"old": ["lactate", "concern"], "new": ["procalcitonin"]}
    curves = {name: roc_of(name) for name in asked["score"]}
    shown = figure("hull", "example", **asked, sets=sets)
    for title, names in sets.items():
        x, y = line_of(shown.ax, f"{title}:")
        joint = rl.hull({name: curves[name] for name in names}).hull
        assert x.tolist() == joint.fpr.tolist()
        assert y.tolist() == joint.tpr.tolist()
    assert {row["variable"] for row in shown.rows()} == set(sets)
    fronts = figure("pareto", "example", **asked, sets="each")
    front = rl.classifiers.pareto_front({"concern": curves["concern"]})
    x, _ = line_of(fronts.ax, "concern:")
    assert x.tolist() == [0.0, *(one.fpr for one in front.points), 1.0]
    with pytest.raises(InputError, match="sets must be made of lactate, concern, procalcitonin"):
        figure("hull", "example", **asked, sets={"x": ["crp"]})
    with pytest.raises(InputError, match="sets must map names to classifiers"):
        figure("hull", "example", **asked, sets="all")
    with pytest.raises(InputError, match="scenarios touch the joint hull"):
        figure("hull", "example", **asked, sets="each", scenarios={"a": (0.1, 1, 1)})


def test_figures_of_formulas_need_no_data():
    shown = figure("exponential", [(2, 0.5), (4, 1)])
    x, y = line_of(shown.ax, "E 4, R 1")
    assert y == pytest.approx(x**0.25)
    assert legend_of(shown.ax)[0] == "E 2, R 0.5, AUC 0.6667"
    assert legend_of(figure("exponential", {"low": (2, 0.5)}).ax) == ["low, AUC 0.6667"]
    assert "q = 1" in figure("penalty", 1).ax.get_title(loc="left")
    for wrong in ([], [2, 0.5], "ab", [(1, 2, 3)]):
        with pytest.raises(InputError, match=r"England's curves are pairs of numbers \(E, R\)"):
            figure("exponential", wrong)
    with pytest.raises(InputError, match="is drawn from the exponent of the memberships"):
        figure("penalty", "two")
    with pytest.raises(InputError, match="label has no part in"):
        figure("penalty", 2, label="y")
