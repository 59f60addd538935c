"""One area with several cases per subject, and methods that refuse weights they cannot use."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab.analysis.area_table import area_table
from roclab.errors import InputError
from roclab.inference.comparison.venkatraman import venkatraman_paired
from roclab.options.uncertainty import Resampling


def lesions(seed=1, patients=40, each=4):
    rng = np.random.default_rng(seed)
    ids = np.repeat(np.arange(patients), each)
    label = rng.random(ids.size) < np.repeat(rng.uniform(0.2, 0.8, patients), each)
    score = label + np.repeat(rng.normal(0, 1, patients), each) + rng.normal(0, 0.7, ids.size)
    return label, score, ids


def test_clustered_error_definition_by_the_cluster_bootstrap():
    label, score, ids = lesions()
    closed = rl.auc(label, score, ids=ids, variance="clustered")
    sampled = rl.auc(
        label, score, ids=ids, variance="clustered_bootstrap", resampling=Resampling(replicates=1500), rng=1
    )
    assert sampled.standard_error == pytest.approx(closed.standard_error, rel=0.12)
    assert closed.area == sampled.area == rl.auc(label, score).area
    assert "Obuchowski 1997, 40 clusters" in closed.interval.method
    assert "clustered" in sampled.interval.method


@pytest.mark.parametrize("interval", ["plain", "exact", "percentile", "bca"])
def test_cluster_bootstrap_goes_with_every_interval(interval):
    label, score, ids = lesions(2)
    few = Resampling(replicates=300)
    found = rl.auc(label, score, ids=ids, variance="clustered_bootstrap", interval=interval, resampling=few, rng=1)
    assert found.interval.low < found.area < found.interval.high


def test_clusters_of_one_give_the_ordinary_error():
    label, score, _ = lesions(3)
    alone = rl.auc(label, score, ids=np.arange(label.size), variance="clustered")
    assert alone.standard_error == pytest.approx(rl.auc(label, score).standard_error, rel=1e-10)


def test_clustered_error_messages():
    label, score, ids = lesions()
    with pytest.raises(InputError, match="clustered data need the subject of every case, got none; give ids"):
        rl.auc(label, score, variance="clustered")
    with pytest.raises(InputError, match="comes from the bootstrap; use variance='clustered_bootstrap'"):
        rl.auc(label, score, ids=ids, variance="clustered", interval="bca")
    with pytest.raises(InputError, match="asks for the bare area"):
        rl.auc(label, score, ids=ids, variance="clustered", interval=None)
    with pytest.raises(InputError, match="draws whole subjects and needs ids, got none"):
        rl.auc(label, score, variance="clustered_bootstrap")


def test_frequency_weights_are_written_out_for_rank_tests():
    rng = np.random.default_rng(4)
    label = np.repeat([True, False], 20)
    scores = {name: np.round(rng.normal(size=40) + label, 1) for name in "ab"}
    weight = rng.integers(1, 4, 40)
    weighted = rl.read_cases(label, scores, sample_weight=weight)
    repeated = rl.read_cases(np.repeat(label, weight), {n: np.repeat(s, weight) for n, s in scores.items()})
    few = Resampling(replicates=99)
    one, two = (venkatraman_paired(cases, "a", "b", rng=1, resampling=few) for cases in (weighted, repeated))
    assert (one.statistic, one.p_value) == (two.statistic, two.p_value)


def test_importance_weights_are_refused_where_whole_cases_are_counted():
    label, score, _ = lesions(5)
    weight = np.linspace(0.5, 1.5, label.size)
    roc = rl.roc(label, score, sample_weight=weight)
    for call, message in (
        (lambda: roc.band(kind="kolmogorov"), "the kolmogorov band counts whole cases"),
        (lambda: roc.band(kind="thresholds"), "the thresholds band counts whole cases"),
        (lambda: roc.test(test="null"), "test='null' counts whole cases"),
        (
            lambda: rl.compare(label, {"a": score, "b": -score}, sample_weight=weight, variance="bootstrap"),
            "whole cases",
        ),
    ):
        with pytest.raises(InputError, match=message):
            call()
    assert roc.test().p_value < 0.01


def test_direction_hint_names_the_other_side():
    low = rl.auc([1, 1, 0, 0], [4, 3, 2, 1], direction="lower")
    assert "direction='higher'" in low.notes[0]


def test_partial_areas_of_several_scores_in_one_table(asah):
    table = area_table(asah["y"], {"s100b": asah["s100b"], "wfns": asah["wfns"]}, fpr=(0, 0.1), standardize="mcclish")
    assert [round(one.area, 7) for one in table] == [0.6460919, 0.6496933]


def test_extreme_plans_are_refused():
    with pytest.raises(InputError, match="ratio must lie between 1e-6 and 1e6, got 1e\\+308"):
        rl.planning.plan_one_area(area=0.8, power=0.9, ratio=1e308)
    with pytest.raises(InputError, match="b must be a finite number above 0, got nan"):
        rl.planning.plan_one_area(area=0.8, power=0.9, variance="binormal", b=float("nan"))
    with pytest.raises(InputError, match="beta must lie between 1e-6 and 1e6"):
        rl.results.ConfusionMatrix(tp=1, fp=1, fn=1, tn=1).f_beta(1e300)
    with pytest.raises(InputError, match="standard_error of A must lie between 0 and 1, got 3"):
        rl.compare_published(
            rl.PublishedArea(name="A", area=0.8, standard_error=3),
            rl.PublishedArea(name="B", area=0.8, standard_error=0.1),
        )
