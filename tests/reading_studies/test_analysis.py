"""Tests and intervals of modality means: plain definitions, published numbers, every design."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats

import roclab as rl
from tests.reading_studies.studies import brute_auc, cells, nested_cases, nested_readers, only, split_plot, study, wins

# MRMCaov 0.3.0 (README and summary) and RJafroc 2.1.3 (StSignificanceTesting), as they print them.
F_TESTS = {
    "jackknife": (4.456319, 15.25967, 0.05166569),
    "delong": (4.484854, 15.06611, 0.05123303),
    "unbiased": (4.489614, 15.03418, 0.0511618),
}


@pytest.fixture(scope="module")
def van_dyke(outside_table):
    table = outside_table("vandyke_mrmc.csv")
    return table | {"rating": table["rating"].astype(float), "truth": table["truth"].astype(int)}


@pytest.mark.parametrize("covariance", F_TESTS)
def test_van_dyke_published_f_tests(van_dyke, covariance):
    found = rl.readers.mrmc(van_dyke, covariance=covariance)
    f, df, p = F_TESTS[covariance]
    assert found.equality.statistic == pytest.approx(f, abs=1e-6)
    assert found.df == (1, pytest.approx(df, abs=1e-5))
    assert found.equality.p_value == pytest.approx(p, abs=1e-7)


def test_van_dyke_published_components_and_intervals(van_dyke):
    found = rl.readers.mrmc(van_dyke, covariance="jackknife")
    parts = found.components
    printed = (0.0015349993, 0.0002004025, 0.0008022883, 0.0003466137, 0.0003440748, 0.0002390284)
    names = ("reader", "modality_reader", "error", "cov1", "cov2", "cov3")
    assert [getattr(parts, name) for name in names] == pytest.approx(printed, abs=1e-10)
    assert found.table["modality"] == (1, pytest.approx(0.004796171, abs=1e-9))
    assert found.table["modality x reader"] == (4, pytest.approx(0.0005510306, abs=1e-10))
    (pair,) = found.pairs
    assert (pair.difference, pair.standard_error) == pytest.approx((-0.04380032, 0.02074862), abs=1e-8)
    assert tuple(pair.interval) == pytest.approx((-0.0879594986, 0.0003588544), abs=1e-9)
    means = [(one.area, one.standard_error, *one.interval) for one in found.means]
    assert means[0] == pytest.approx((0.89703704, 0.033173597, 0.82522360, 0.96885048), abs=1e-8)
    assert means[1] == pytest.approx((0.94083736, 0.021566368, 0.89413783, 0.98753689), abs=1e-8)


def test_van_dyke_published_fixed_readers_and_fixed_cases(van_dyke):
    cases = rl.readers.mrmc(van_dyke, covariance="jackknife", random="cases")
    assert cases.equality.statistic == pytest.approx(5.4759532, abs=1e-7)
    assert cases.equality.p_value == pytest.approx(0.019279843, abs=1e-9)
    assert tuple(cases.pairs[0].interval) == pytest.approx((-0.080485914, -0.0071147303), abs=1e-9)
    readers = rl.readers.mrmc(van_dyke, random="readers")
    assert readers.equality.statistic == pytest.approx(8.704, abs=5e-4)
    assert readers.equality.p_value == pytest.approx(0.041958752, abs=1e-9)
    assert readers.df == (1, pytest.approx(4))


def test_van_dyke_published_dbm(van_dyke):
    found = rl.readers.mrmc(van_dyke, method="dbm")
    assert (found.equality.statistic, found.df[1]) == pytest.approx((4.4563187, 15.259675), abs=1e-6)


# -- definitions -------------------------------------------------------------------------------------


def test_or_definition_of_a_factorial_study():
    """Mean squares and means of covariances written out."""
    table = study(readers=5, modalities=3)
    found = rl.readers.mrmc(table)
    t, r = 3, 5
    areas = np.array([brute_auc(one) for one in cells(table).values()]).reshape(t, r)
    matrix = found.covariance.reshape(t, r, t, r)
    kinds = {(False, True): [], (True, False): [], (True, True): []}
    for i in range(t):
        for j in range(r):
            for k in range(t):
                for m in range(r):
                    if (i, j) != (k, m):
                        kinds[j != m, i != k].append(matrix[i, j, k, m])
    cov1, cov2, cov3 = (np.mean(kinds[key]) for key in ((False, True), (True, False), (True, True)))
    grand = areas.mean()
    ms_t = r * np.sum((areas.mean(axis=1) - grand) ** 2) / (t - 1)
    rest = areas - areas.mean(axis=1, keepdims=True) - areas.mean(axis=0) + grand
    ms_tr = np.sum(rest**2) / ((t - 1) * (r - 1))
    below = ms_tr + r * max(cov2 - cov3, 0)
    df = below**2 / (ms_tr**2 / ((t - 1) * (r - 1)))
    assert found.equality.statistic == pytest.approx(ms_t / below)
    assert found.df == (2, pytest.approx(df))
    assert found.equality.p_value == pytest.approx(scipy.stats.f.sf(ms_t / below, 2, df))
    assert (found.components.cov1, found.components.cov2, found.components.cov3) == pytest.approx((cov1, cov2, cov3))
    pair = found.pair("m0", "m2")
    assert pair.standard_error == pytest.approx(math.sqrt(2 / r * below))
    assert found.pair("m2", "m0").difference == -pair.difference
    assert pair.p_adjusted >= pair.p_value


def test_dbm_definition_is_or_with_the_jackknife_and_a_plain_analysis_of_variance():
    table = study(readers=4, modalities=3, seed=5)
    dbm, jack = (rl.readers.mrmc(table, method="dbm"), rl.readers.mrmc(table, covariance="jackknife"))
    assert dbm.equality.statistic == pytest.approx(jack.equality.statistic, rel=1e-10)
    assert dbm.df == pytest.approx(jack.df, rel=1e-10)
    own = list(cells(table).values())
    n = len(own[0])
    pseudo = np.array(
        [[n * brute_auc(c) - (n - 1) * brute_auc({k: v for k, v in c.items() if k != one}) for one in c] for c in own]
    ).reshape(3, 4, n)
    a, b, c = (pseudo.mean(axis=(1, 2)), pseudo.mean(axis=(0, 2)), pseudo.mean(axis=(0, 1)))
    ab, ac, bc = pseudo.mean(axis=2), pseudo.mean(axis=1), pseudo.mean(axis=0)
    m = pseudo.mean()
    ms_t = 4 * n * np.sum((a - m) ** 2) / 2
    ms_tr = n * np.sum((ab - a[:, None] - b + m) ** 2) / 6
    ms_tc = 4 * np.sum((ac - a[:, None] - c + m) ** 2) / (2 * (n - 1))
    left = pseudo - ab[:, :, None] - ac[:, None, :] - bc + a[:, None, None] + b[None, :, None] + c - m
    ms_trc = np.sum(left**2) / (6 * (n - 1))
    assert dbm.equality.statistic == pytest.approx(ms_t / (ms_tr + max(ms_tc - ms_trc, 0)))
    assert dbm.table["modality x reader x case"] == (6 * (n - 1), pytest.approx(ms_trc))
    assert dbm.table["modality x case"][1] == pytest.approx(ms_tc)
    fixed = rl.readers.mrmc(table, method="dbm", random="cases")
    assert fixed.equality.statistic == pytest.approx(ms_t / ms_tc)
    assert fixed.df == (2, 2 * (n - 1))


def test_unbiased_definition_is_the_one_shot_estimate():
    """Gallas: the squared difference less its mean over pairs that share neither reader nor case."""
    table = study(readers=3, n_pos=3, n_neg=4, seed=8)
    own = cells(table)
    names = [f"c{k}" for k in range(7)]
    delta = np.array(
        [
            [[wins(own["m0", f"r{r}"][p][1], own["m0", f"r{r}"][n][1])
              - wins(own["m1", f"r{r}"][p][1], own["m1", f"r{r}"][n][1]) for n in names[3:]] for p in names[:3]]
            for r in range(3)
        ]
    )  # fmt: skip
    apart = [
        delta[r, p, n] * delta[s, q, m]
        for r in range(3) for s in range(3) if r != s
        for p in range(3) for q in range(3) if p != q
        for n in range(4) for m in range(4) if n != m
    ]  # fmt: skip
    one_shot = delta.mean() ** 2 - np.mean(apart)
    found = rl.readers.mrmc(table, covariance="unbiased")
    apart_cov = found.components.cov2 - found.components.cov3
    ms = found.table["modality x reader"][1]
    assert 2 / 3 * (ms + 3 * apart_cov) == pytest.approx(one_shot, abs=1e-12)


@pytest.mark.parametrize(
    ("table", "design"),
    [
        (study(seed=2), "factorial"),
        (nested_readers(seed=2), "nested_readers"),
        (nested_cases(seed=2), "nested_cases"),
        (split_plot(), "split_plot"),
        (split_plot(groups=3, readers=1), "split_plot"),
    ],
)
def test_fixed_readers_definition_is_the_contrast_of_all_areas(table, design):
    found = rl.readers.mrmc(table, design=design, random="cases")
    weights = np.array([1.0 if one.modality == "m0" else -1.0 for one in found.areas])
    weights[weights > 0] /= np.sum(weights > 0)
    weights[weights < 0] /= np.sum(weights < 0)
    assert found.pairs[0].standard_error ** 2 == pytest.approx(weights @ found.covariance @ weights)
    assert found.equality.statistic == pytest.approx(found.pairs[0].statistic ** 2)
    for mean, modality in zip(found.means, ("m0", "m1"), strict=True):
        own = np.array([float(one.modality == modality) for one in found.areas])
        assert mean.standard_error**2 == pytest.approx(own @ found.covariance @ own / own.sum() ** 2)
    assert found.design == design


def test_fixed_cases_definition_is_the_t_test_of_areas():
    table = study(seed=3)
    areas = [brute_auc(one) for one in cells(table).values()]
    found = rl.readers.mrmc(table, random="readers")
    paired = scipy.stats.ttest_rel(areas[:4], areas[4:])
    assert (found.pairs[0].statistic, found.pairs[0].p_value) == pytest.approx(tuple(paired))
    table = nested_readers(seed=3)
    areas = [brute_auc(one) for one in cells(table).values()]
    found = rl.readers.mrmc(table, random="readers", design="nested_readers")
    unpaired = scipy.stats.ttest_ind(areas[:4], areas[4:])
    assert (found.pairs[0].statistic, found.pairs[0].p_value) == pytest.approx(tuple(unpaired))
    assert found.pairs[0].df == pytest.approx(6)


def test_split_plot_definition_of_its_mean_square():
    table = split_plot(readers=3)
    found = rl.readers.mrmc(table, design="split_plot")
    own = {key: brute_auc(one) for key, one in cells(table).items()}
    apart = {g: np.array([own["m0", f"r{r}-g{g}"] - own["m1", f"r{r}-g{g}"] for r in range(3)]) for g in range(2)}
    squares = sum(np.sum((one - one.mean()) ** 2) for one in apart.values()) / 2  # of two modalities
    assert found.table["modality x reader within group"] == (4, pytest.approx(squares / 4))
    assert found.pairs[0].difference == pytest.approx(np.mean([one.mean() for one in apart.values()]))


def test_algorithm_definition_is_a_study_of_differences():
    table = only(study(seed=4), np.arange(128) < 64)  # one modality
    again = only(study(seed=9), np.arange(128) < 16)
    again = again | {"reader": np.repeat("net", 16), "case": table["case"][:16], "truth": table["truth"][:16]}
    both = {name: np.concatenate([table[name], again[name]]) for name in table}
    found = rl.readers.mrmc(both, algorithm="net")
    assert found.readers == ("r0", "r1", "r2", "r3")
    (against,) = found.against
    areas = np.array([brute_auc(one) for one in cells(both).values()])
    names = [key[1] for key in cells(both)]
    net = names.index("net")
    people = [at for at, name in enumerate(names) if name != "net"]
    apart = areas[people] - areas[net]
    assert against.difference == pytest.approx(apart.mean())
    y = [truth for truth, _ in next(iter(cells(both).values())).values()]
    scores = {key[1]: [x for _, x in cell.values()] for key, cell in cells(both).items()}
    matrix = rl.compare(y, scores).covariance
    contrast = np.eye(len(names))[people] - np.eye(len(names))[net]
    own = contrast @ matrix @ contrast.T
    cov2 = (own.sum() - np.trace(own)) / 12
    variance = np.var(apart, ddof=1) / 4 + max(cov2, 0)
    assert against.standard_error == pytest.approx(math.sqrt(variance))
    assert against.df == pytest.approx(variance**2 / ((np.var(apart, ddof=1) / 4) ** 2 / 3))
    fixed = rl.readers.mrmc(both, algorithm="net", random="cases").against[0]
    assert fixed.standard_error == pytest.approx(math.sqrt(own.mean()))
    single = rl.readers.mrmc(table)
    assert [one.area for one in single.means] == pytest.approx([areas[people].mean()])
    assert single.equality is None
    assert "readers against the algorithm" in str(found)


def test_margin_property_is_the_interval_inside_it():
    found = rl.readers.mrmc(study(seed=2), margin=0.3)
    (claim,) = found.claims
    assert claim.shown == (claim.interval.low > -0.3)
    assert found.margin("m0", "m1", margin=0.3) == claim
    equal = rl.readers.mrmc(study(seed=2), margin=0.3, claim="equivalence").claims[0]
    assert equal.p_value >= claim.p_value
    turned = rl.readers.mrmc(study(seed=2), modalities=["m1", "m0"])
    assert turned.pairs[0].difference == -found.pairs[0].difference
    assert turned.equality.statistic == pytest.approx(found.equality.statistic)


def test_by_reader_definition_is_the_paired_comparison_of_each():
    table = study(seed=2)
    found = rl.readers.mrmc(table)
    own = cells(table)
    for one, reader in zip(found.by_reader("m0", "m1"), found.readers, strict=True):
        first, second = own["m0", reader], own["m1", reader]
        y = [truth for truth, _ in first.values()]
        scores = {name: [x for _, x in cell.values()] for name, cell in (("a", first), ("b", second))}
        plain = rl.compare(y, scores, test="normal").pairs[0]
        assert (one.difference, one.standard_error) == pytest.approx((plain.difference, plain.standard_error))
        assert one.p_adjusted >= one.p_value
    assert rl.readers.mrmc(nested_readers(), design="nested_readers").by_reader("m0", "m1") == ()


def test_gaps_are_said_and_every_area_rests_on_what_was_read():
    table = only(study(), np.arange(128) != 20)
    found = rl.readers.mrmc(table)
    assert any("1 of 128 readings is missing" in note for note in found.notes)
    assert found.area_of("r1", "m0").area == pytest.approx(brute_auc(cells(table)["m0", "r1"]))
    assert not rl.readers.mrmc(study(readers=5, seed=3)).notes


def test_study_shows_itself_in_every_form():
    found = rl.readers.mrmc(study())
    assert "all modalities equal: F, 1 and" in str(found)
    assert "<pre>" in found._repr_html_()
    whole = found.to_dict()
    assert whole["components"]["cov1"] == found.components.cov1
    assert "_known" not in whole
    assert found.to_csv().startswith("first,second,difference")
    curves = found.curves()
    assert curves.averages["m0"].area_of_average == pytest.approx(found.means[0].area)
    assert found.curves(how="vertical").how == "vertical"
    assert len(curves.rows()) > 10
