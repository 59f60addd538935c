"""FROC analysis: a case counted by hand, the rules of LUNA16 written as loops, properties, and bad input."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.integrate
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import roclab as rl
from roclab.analysis.froc import compare_detectors
from roclab.cli.main import cli
from roclab.errors import InputError, MissingValuesError
from roclab.imaging.free_response.curve import RATES
from roclab.plots import draw_afroc, new_axes


def marks(rows):
    """Rows of scan, x, score."""
    return {
        "seriesuid": [row[0] for row in rows],
        "coordX": [float(row[1]) for row in rows],
        "coordY": [0.0] * len(rows),
        "coordZ": [0.0] * len(rows),
        "probability": [float(row[2]) for row in rows],
    }


def lesions(rows):
    """Rows of scan, x, diameter."""
    table = marks(rows)
    table["diameter_mm"] = table.pop("probability")
    return table


SCANS = ["a", "b", "c", "d"]
LESIONS = lesions([("a", 0, 10), ("a", 100, 10), ("b", 0, 6)])
MARKS = marks(
    [
        ("a", 1, 0.9),  # hits the first lesion
        ("a", 4, 0.95),  # hits it too, and is the higher
        ("a", 5, 0.7),  # on its border: no hit
        ("a", 103, 0.5),  # hits the second
        ("b", 50, 0.8),  # false
        ("c", 0, 0.6),  # false
        ("d", 7, 0.4),  # on an excluded finding
    ]
)
EXCLUDED = {**lesions([("d", 8, 10)]), "diameter_mm": [-1.0]}


def test_a_case_counted_by_hand():
    found = rl.imaging.froc(MARKS, LESIONS, excluded=EXCLUDED, scans=SCANS, resampling=50)
    assert (found.scans, found.lesions, found.missed) == (4, 3, 1)
    assert (found.false_positives, found.ignored) == (3, 2)
    # By falling score: hit .95, false .8, false .7, false .6, hit .5
    assert found.curve.thresholds.tolist() == [np.inf, 0.95, 0.8, 0.7, 0.6, 0.5]
    assert found.curve.rate.tolist() == [0, 0, 0.25, 0.5, 0.75, 0.75]
    assert found.curve.sensitivity == pytest.approx([0, 1 / 3, 1 / 3, 1 / 3, 1 / 3, 2 / 3])
    assert [one.sensitivity for one in found.points] == pytest.approx([1 / 3, 1 / 3, 1 / 3, 2 / 3, 2 / 3, 2 / 3, 2 / 3])
    assert found.cpm == pytest.approx((3 / 3 + 4 * 2 / 3) / 7)
    # Scans without lesions: c with .6, d without a mark that counts. Lesions: .95, .5, none.
    assert found.afroc == pytest.approx((2 + 1 + 0.5) / 6)


def luna_by_loops(candidates, annotations, excluded, scans):
    """Sensitivities at the seven rates, by loops over scans, lesions and marks."""
    events, missed = [], 0

    def inside(mark, lesion):
        gap = sum((mark[c] - lesion[c]) ** 2 for c in ("coordX", "coordY", "coordZ"))
        diameter = lesion["diameter_mm"] if lesion["diameter_mm"] >= 0 else 10.0
        return gap < (diameter / 2) ** 2

    def rows(table):
        return [dict(zip(table, values, strict=True)) for values in zip(*table.values(), strict=True)]

    for scan in scans:
        left = [mark for mark in rows(candidates) if mark["seriesuid"] == scan]
        used = []
        for lesion in (one for one in rows(annotations) if one["seriesuid"] == scan):
            near = [mark for mark in left if inside(mark, lesion)]
            used += near
            if near:
                events.append((max(mark["probability"] for mark in near), 1))
            else:
                missed += 1
        for mark in left:
            if any(mark is one for one in used):
                continue
            if any(inside(mark, one) for one in rows(excluded) if one["seriesuid"] == scan):
                continue
            events.append((mark["probability"], 0))
    total = sum(kind for _, kind in events) + missed
    x, y = [0.0], [0.0]
    for cut in sorted({score for score, _ in events}, reverse=True):
        x.append(sum(1 for score, kind in events if score >= cut and not kind) / len(scans))
        y.append(sum(1 for score, kind in events if score >= cut and kind) / total)
    return np.interp(RATES, x, y)


def random_tables(seed):
    random = np.random.default_rng(seed)
    scans = [f"s{at}" for at in range(6)]

    def table(count, extra, low, high, *, whole=False):
        values = random.integers(low, high, count).astype(float) if whole else random.uniform(low, high, count)
        return {
            "seriesuid": random.choice(scans, count).tolist(),
            **{c: random.integers(0, 12, count).astype(float).tolist() for c in ("coordX", "coordY", "coordZ")},
            extra: values.tolist(),
        }

    return (
        table(60, "probability", 0, 9, whole=True),  # few values, so that scores tie
        table(9, "diameter_mm", 3, 12),
        table(4, "diameter_mm", 3, 12),
        scans,
    )


@given(st.integers(0, 5000))
def test_rules_of_luna16_as_loops_definition(seed):
    candidates, annotations, excluded, scans = random_tables(seed)
    found = rl.imaging.froc(candidates, annotations, excluded=excluded, scans=scans, resampling=2)
    expected = luna_by_loops(candidates, annotations, excluded, scans)
    assert [one.sensitivity for one in found.points] == pytest.approx(expected.tolist())


@given(st.integers(0, 5000))
def test_order_of_rows_and_rising_maps_of_scores_change_nothing_property(seed):
    candidates, annotations, excluded, scans = random_tables(seed)
    order = np.random.default_rng(seed).permutation(60)
    turned = {name: [values[at] for at in order] for name, values in candidates.items()}
    turned["probability"] = [np.exp(one) for one in turned["probability"]]
    first = rl.imaging.froc(candidates, annotations, excluded=excluded, scans=scans, resampling=2)
    second = rl.imaging.froc(turned, annotations, excluded=excluded, scans=scans[::-1], resampling=2)
    assert first.cpm == pytest.approx(second.cpm)
    assert first.afroc == pytest.approx(second.afroc, nan_ok=True)


def test_scans_without_anything_lower_the_rate_and_leaving_them_out_is_told():
    with_list = rl.imaging.froc(MARKS, LESIONS, scans=[*SCANS, *(f"empty {at}" for at in range(4))], resampling=20)
    without = rl.imaging.froc(MARKS, LESIONS, resampling=20)
    assert with_list.curve.rate[-1] == pytest.approx(without.curve.rate[-1] / 2)
    assert "no list of all scans was given" in str(without)
    assert "no list" not in str(with_list)


def test_marks_are_cases_for_every_other_question():
    found = rl.imaging.froc(MARKS, LESIONS, scans=SCANS, resampling=20)
    cases = found.marks_as_cases()
    assert int(cases.label.sum()) == 2
    assert len(cases) == 6
    assert rl.auc(cases, interval=None).area == pytest.approx((4 + 0.0) / (2 * 4) + 1 / 8)


def simulated(quality, seed):
    """Marks of a detector on 60 scans, 40 of them with a lesion."""
    random = np.random.default_rng(seed)
    scans = [f"s{at}" for at in range(60)]
    places = [(scan, 0.0, 10.0) for scan in scans[:40]]
    rows = [(scan, 1.0, random.normal(quality)) for scan, _, _ in places]
    rows += [(random.choice(scans), 500.0 + at, random.normal()) for at in range(240)]
    return marks(rows), lesions(places), scans


def test_comparison_draws_the_same_scans_for_both():
    good, truth, scans = simulated(2.5, 1)
    poor, _, _ = simulated(0.5, 2)
    first = rl.imaging.froc(good, truth, scans=scans, detector="good", resampling=200)
    second = rl.imaging.froc(poor, truth, scans=scans, detector="poor", resampling=200)
    both = first.compare(second, resampling=200, rng=1)
    (cpm,) = [one for one in both.differences if one.quantity == "CPM"]
    assert cpm.difference == pytest.approx(first.cpm - second.cpm)
    assert cpm.interval.low > 0
    assert cpm.p_value < 0.01
    same = compare_detectors({"a": first, "b": first}, resampling=50, rng=1).differences[0]
    assert same.difference == 0
    assert same.standard_error.reason == "every sample of scans has the same value, so resampling sees no uncertainty"
    assert math.isnan(same.interval.low)


def test_one_scan_has_no_interval_and_says_why():
    places = [("a", 0.0, 8.0), ("a", 60.0, 8.0)]
    found = rl.imaging.froc(marks([("a", 1.0, 0.9), ("a", 500.0, 0.4)]), lesions(places), resampling=20)
    assert found.cpm == 0.5
    reason = "one scan does not show how scans differ"
    assert found.cpm_interval.low.reason == found.points[0].interval.high.reason == found.cpm_error.reason == reason
    assert f"the CPM has no interval: {reason}" in str(found)
    assert found.to_dict()["points"][0]["undefined"]["95% low"] == reason
    both = compare_detectors({"a": found, "b": found}, resampling=20, rng=1).differences[0]
    assert both.interval.low.reason == reason


@pytest.mark.nightly
def test_intervals_of_the_metric_cover_it():
    """120 studies of 60 scans: the share of 90% intervals that hold the mean of many, within Monte-Carlo error."""

    def study(seed, replicates):
        given, truth, scans = simulated(1.5, seed)
        return rl.imaging.froc(given, truth, scans=scans, level=0.9, resampling=replicates, rng=seed)

    centre = np.mean([study(10_000 + at, 2).cpm for at in range(600)])
    held = np.mean([centre in study(at, 200).cpm_interval for at in range(120)])
    assert 0.82 <= held <= 0.97


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"annotations": lesions([])}, InputError, "at least one lesion"),
        ({"annotations": lesions([("a", 0, 0)])}, InputError, "must be above 0"),
        ({"candidates": {k: v for k, v in MARKS.items() if k != "probability"}}, InputError, "probability"),
        ({"candidates": {**MARKS, "probability": [np.nan] * 7}}, MissingValuesError, "must not be missing"),
        ({"candidates": {**MARKS, "coordX": [np.inf] * 7}}, InputError, "must be finite"),
        ({"candidates": [1, 2]}, InputError, "must be a table"),
        ({"scans": ["a"]}, InputError, "must name every scan"),
        ({"reach": -1}, InputError, "reach"),
        ({"place": ("coordX",)}, InputError, "three columns"),
        ({"smallest": 50}, InputError, "at least one lesion"),
    ],
)
def test_bad_input_is_one_sentence(change, error, message):
    asked = {"candidates": MARKS, "annotations": LESIONS, **change}
    with pytest.raises(error, match=message):
        rl.imaging.froc(asked.pop("candidates"), asked.pop("annotations"), resampling=5, **asked)


def test_the_command_prints_what_the_library_finds(tmp_path):
    good, truth, _ = simulated(2.5, 1)
    poor, _, _ = simulated(0.5, 2)
    for name, table in (("good", good), ("poor", poor), ("truth", truth)):
        lines = [",".join(table), *(",".join(map(str, row)) for row in zip(*table.values(), strict=True))]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines))
    files = [str(tmp_path / f"{name}.csv") for name in ("truth", "good", "poor")]
    asked = ["froc", *files, "--replicates", "100", "--seed", "1", "--figure", str(tmp_path / "froc.svg")]
    done = CliRunner().invoke(cli, asked, prog_name="roclab")
    assert done.exit_code == 0, done.output
    found = rl.imaging.froc(good, truth, detector="good", resampling=100, rng=1)
    assert f"{found.cpm:.4f}" in done.stdout
    assert "CPM" in done.stdout
    assert (tmp_path / "froc.svg").stat().st_size > 1000


def test_the_area_under_the_afroc_curve_is_the_chance_to_outscore_definition():
    random = np.random.default_rng(8)
    for _ in range(20):
        scans = [f"s{at}" for at in range(8)]
        places = np.arange(6) * 100.0
        lesions = {"seriesuid": scans[:4] + scans[:2], "coordX": places, "coordY": places, "coordZ": places,
                   "diameter_mm": [8.0] * 6}  # fmt: skip
        marked = random.random(6) < 0.7
        hits = {name: [value for value, kept in zip(lesions[name], marked, strict=True) if kept] for name in lesions}
        wrong = random.integers(0, 8, size=12)
        marks = {
            "seriesuid": [*hits["seriesuid"], *(scans[at] for at in wrong)],
            **{f"coord{axis}": [*hits[f"coord{axis}"], *(-50.0 - np.arange(12))] for axis in "XYZ"},
            "probability": random.integers(0, 6, size=int(marked.sum()) + 12) / 6,
        }
        found = rl.imaging.froc(marks, lesions, scans=scans, resampling=2, rng=1)
        curve = found.afroc_curve()
        assert scipy.integrate.trapezoid(curve.sensitivity, curve.share) == pytest.approx(found.afroc, abs=1e-12)
        assert (np.diff(curve.share) >= 0).all()
        assert (curve.share[0], curve.sensitivity[0], curve.share[-1], curve.sensitivity[-1]) == (0, 0, 1, 1)
        drawn = draw_afroc({"a": found}, new_axes())
        assert drawn.get_lines()[0].get_xdata() == pytest.approx(curve.share[:-1])
    only = rl.imaging.froc(hits | {"probability": [0.5] * len(hits["seriesuid"])}, hits, resampling=2)
    assert only.afroc_curve() is None
    with pytest.raises(InputError, match="must have scans without lesions"):
        draw_afroc({"a": only}, new_axes())


@pytest.mark.parametrize("seed", range(4))
def test_figures_of_merit_definition(seed):
    """Every lesion against every rival scan, pair by pair; a missed lesion and an unmarked scan are lowest."""
    random = np.random.default_rng(seed)
    scans = list("abcdefgh")
    places = [(scan, 100.0 * at, 8.0) for scan in "abcde" for at in range(random.integers(1, 4))]
    rows = [(scan, x, random.integers(1, 5)) for scan, x, _ in places if random.random() < 0.7]
    rows += [(random.choice(scans), 5000.0 + at, random.integers(1, 5)) for at in range(9)]
    found = rl.imaging.froc(marks(rows), lesions(places), scans=scans, resampling=5)
    highest = {s: max([r[2] for r in rows if r[0] == s and r[1] >= 5000], default=-np.inf) for s in scans}
    rated = [(s, max([r[2] for r in rows if r[:2] == (s, x)], default=-np.inf)) for s, x, _ in places]
    held = {s: sum(one == s for one, _ in rated) for s in scans}
    for figure, one in found.areas.items():
        rivals = [s for s in scans if figure.endswith("1") or held[s] == 0]
        weight = {s: 1 / held[s] if figure.startswith("w") else 1.0 for s in scans if held[s]}
        wins = [weight[s] * ((v > highest[o]) + (v == highest[o]) / 2) for s, v in rated for o in rivals]
        assert one.area == pytest.approx(sum(wins) / sum(weight[s] for s, _ in rated) / len(rivals), abs=1e-12)
    assert found.afroc == found.areas["AFROC"].area
    assert [row["figure of merit"] for row in found.area_rows()] == ["AFROC", "AFROC1", "wAFROC", "wAFROC1"]


def test_figures_of_merit_where_every_scan_has_a_lesion():
    places = [("a", 0.0, 8.0), ("b", 0.0, 8.0), ("b", 60.0, 8.0)]
    found = rl.imaging.froc(marks([("a", 1.0, 0.9), ("b", 500.0, 0.4)]), lesions(places), resampling=20)
    assert found.areas["AFROC"].area.reason == found.areas["wAFROC"].area.reason == "every scan has a lesion"
    # Rivals are -inf of a and .4 of b: the lesion of a wins both, the missed ones of b lose to b and tie with a.
    assert found.areas["AFROC1"].area == pytest.approx((1 + 2 * 0.25) / 3)
    assert found.areas["wAFROC1"].area == pytest.approx((1 + 0.25) / 2)
    assert "wAFROC: every scan has a lesion" in str(found)
    compared = compare_detectors({"a": found, "b": found}, resampling=20, rng=1)
    assert [one.quantity for one in compared.differences][-2:] == ["AFROC1", "wAFROC1"]
