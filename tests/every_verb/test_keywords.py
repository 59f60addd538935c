"""Every verb × every data keyword, on data where the keyword matters: used, refused in words, or told in the answer.

What happens must be what ``analysis/support.py`` says; nothing is ignored without a word.
"""

from __future__ import annotations

import inspect
import json

import numpy as np
import pytest

import roclab as rl
from roclab.analysis.support import KEYWORDS, METHODS, SUPPORT
from roclab.errors import InputError
from tests.public import public, public_names

rng = np.random.default_rng(11)
SUBJECTS, EACH = 30, 4
SUBJECT = np.repeat(np.arange(SUBJECTS), EACH)
N = SUBJECT.size
Y = (rng.random(N) < np.repeat(rng.uniform(0.25, 0.75, SUBJECTS), EACH)).astype(int)
EFFECT = rng.normal(0, 1.2, SUBJECTS)[SUBJECT]
S = np.round(Y + EFFECT + rng.normal(0, 0.6, N), 2)
T = np.round(0.6 * Y + EFFECT + rng.normal(0, 0.9, N), 2)
FOLD = np.array(["one", "two", "three"])[np.arange(N) % 3]
S, T = (np.round(one + 0.7 * (np.arange(N) % 3), 2) for one in (S, T))  # folds on other scales
P, Q = (np.round(1 / (1 + np.exp(-one + 0.8)), 4) for one in (S, T))
WEIGHT = rng.integers(1, 4, N)
WARD = np.where(np.arange(N) < N // 2, "north", "south")
THREE = np.where((Y == 0) & (np.arange(N) % 4 == 0), 2, Y)  # a third class, which neg_label=0 leaves out
GAPS = {name: np.where(np.arange(N) == 5, np.nan, values) for name, values in (("a", S), ("b", T), ("p", P), ("q", Q))}
CODED = {name: np.where(np.arange(N) == 5, -99.0, values) for name, values in (("a", S), ("b", T), ("p", P), ("q", Q))}
QUICK = {"resampling": 40, "rng": 1}

ONE, BOTH, CHANCES = ("a",), ("a", "b"), ("p", "q")
CALLS = {name: (values > 0.8).astype(int) for name, values in (("c", S), ("d", T))}

# Which scores a verb is asked about, and what else it needs.
ASKED = {
    "auc": (ONE, {}),
    "average": (BOTH, {}),
    "bench_of_scores": (BOTH, {}),
    "best_classifier": (BOTH, {"prevalence": 0.3}),
    "build_report": (ONE, QUICK),
    "compare": (BOTH, {}),
    "compare_classifier_costs": (BOTH, {}),
    "compare_curves": (BOTH, QUICK),
    "compare_predictions": (CHANCES, {"probabilities": [0.2]}),
    "concordance": (ONE, {"estimator": "harrell", "time": "days", "event": "y"}),
    "confusion": (ONE, {"threshold": 0.8}),
    "cutoff": (ONE, {}),
    "cutoff_stability": (ONE, QUICK),
    "cutoff_table": (ONE, {}),
    "dominance": (BOTH, {}),
    "grey_zone": (ONE, {"rule_out": {"sensitivity": 0.8}, "rule_in": {"specificity": 0.8}}),
    "h_measures": (BOTH, {}),
    "hull": (BOTH, {}),
    "hull_ranges": (BOTH, {"slopes": (0.01, 100.0)}),
    "hybrid": (BOTH, {"fpr": 0.2}),
    "lc_index": (BOTH, {"prevalence": 0.3, "shares": (0.2, 0.5, 0.8)}),
    "logistic": (BOTH, {}),
    "mann_whitney": (ONE, {}),
    "net_benefit": (CHANCES, {"probabilities": [0.1, 0.2, 0.4], "prevalence": 0.4}),
    "pareto_front": (BOTH, {}),
    "plan_from_pilot": (ONE, {"power": 0.9}),
    "recalibrate": (ONE, {}),
    "update_model": (("p",), {"rng": 1}),
    "roc": (ONE, {}),
    "screen": (BOTH, {"workers": 1}),
    "smirnov": (ONE, {}),
    "smooth_cutoff": (ONE, {"smoother": "bootstrap", **QUICK}),
    "tally": (BOTH, {}),
    "selective": (ONE, {"threshold": 0.8}),
    "ties": (BOTH, {}),
    "hull_contribution": (BOTH, {"add": "b"}),
    "read_cases": (BOTH, {}),
    "chain": (BOTH, {"thresholds": [0.8, 0.8], "max_fpr": 0.9}),
    "combine": (BOTH, {"thresholds": [0.8, 0.8], "operation": "and"}),
    "compare_groups": (ONE, {"group": "ward"}),
}
ELSEWHERE = {"bench", "explore", "write_report"}  # trains for long; show and write what build_report says
FOLDS_OF_ONE = {  # with several scores, folds make no curves by name
    "average", "best_classifier", "compare_classifier_costs", "dominance", "h_measures", "hull",
    "hull_ranges", "lc_index", "net_benefit", "pareto_front", "hull_contribution",
}  # fmt: skip


def table(columns=None, y=Y):
    chosen = columns or {"a": S, "b": T, "p": P, "q": Q}
    return {"y": y, **chosen, "subject": SUBJECT, "fold": FOLD, "weight": WEIGHT, "ward": WARD, "half": WEIGHT / 2}


def ask(verb, columns=None, y=Y, scores=None, **changed):
    names, options = ASKED[verb]
    names = list(scores or names)
    given = {"label": "y", "score": names if len(names) > 1 else names[0], "pos_label": 1}
    if verb == "concordance":  # events take the place of classes
        followed = {"score": given["score"], **options, **changed}
        return rl.concordance({**table(columns, y), "days": np.arange(N) % 17 + 1}, **followed)
    if verb == "read_cases":
        return rl.read_cases(table(columns, y), **given, **changed)
    return public(verb)(table(columns, y), **given, **{**options, **changed})


def words(result):
    """Everything an answer says, digit by digit."""
    if isinstance(result, rl.results.Cases):
        return json.dumps(
            [
                len(result),
                str(result.ids),
                str(result.folds),
                str(result.weight),
                result.weights,
                str(result.groups),
                dict(result.direction),
                result.negative,
                result.dropped,
            ],
            default=str,
        )
    if isinstance(result, dict):
        return "".join(f"{name}: {words(one)}" for name, one in result.items())
    said = str(result)
    if isinstance(result, rl.results.ConfusionMatrix):
        said += str(result.with_intervals())
    try:
        return said + result.to_json()
    except (AttributeError, TypeError, ValueError):
        return said


def asked_with(verb, keyword):
    """The answers, or the refusal, without and with a keyword on data where it matters."""
    if keyword == "missing":
        return refusal(verb, columns=GAPS), ask(verb, columns=GAPS, missing="drop")
    if keyword == "na":
        return ask_or_refuse(verb, columns=CODED), ask_or_refuse(verb, columns=CODED, na=-99, missing="drop")
    if keyword == "neg_label":
        return ask_or_refuse(verb, y=THREE), ask_or_refuse(verb, y=THREE, neg_label=0)
    if keyword == "weights":
        # The bootstrap draws whole cases; what is not resampled takes no replicates.
        more = {"smoother": "kernel", "resampling": None, "rng": None} if verb == "smooth_cutoff" else {}
        both = [{}, {"weights": "importance"}]
        return tuple(ask_or_refuse(verb, sample_weight="weight", **more, **one) for one in both)
    single = keyword == "folds" and verb in FOLDS_OF_ONE
    one = {"scores": ASKED[verb][0][:1]} if single else {}
    values = {"ids": "subject", "folds": "fold", "sample_weight": "weight", "by": "ward", "direction": "lower"}
    more = {"lc_index": {}, "hull_contribution": {"add": "two"}}.get(verb, {}) if one else {}
    base = ask_or_refuse(verb, **one) if not one else "one score of all folds"
    return base, ask_or_refuse(verb, **one, **more, **{keyword: values[keyword]})


def ask_or_refuse(verb, **changed):
    try:
        return ask(verb, **changed)
    except InputError as error:
        return error


def refusal(verb, **changed):
    found = ask_or_refuse(verb, **changed)
    return found if isinstance(found, InputError) else words(found)


CELLS = [(verb, keyword) for verb in SUPPORT if verb not in ELSEWHERE for keyword in KEYWORDS]


def judge(verb, keyword):
    """What a verb does with a keyword, in the words of the declaration; "nothing" where it ignores it."""
    base, found = asked_with(verb, keyword)
    if isinstance(found, InputError):
        assert str(found).endswith("."), found
        return "pools" if "fold_average='pooled'" in str(found) else "refuses"
    told = {"ids": f"ases of {SUBJECTS} subjects", "weights": "mportance weights", "missing": "dropped"}.get(keyword)
    if SUPPORT[verb][keyword].does == "tells":
        return "tells" if told in words(found) else "nothing"
    before = str(base) if isinstance(base, str | InputError) else words(base)
    return "uses" if words(found) != before else "nothing"


@pytest.mark.filterwarnings("ignore:.*looks like a code")
@pytest.mark.parametrize(("verb", "keyword"), CELLS)
def test_no_keyword_is_ignored_without_a_word(verb, keyword):
    assert judge(verb, keyword) == SUPPORT[verb][keyword].does


@pytest.mark.parametrize("verb", [verb for verb, row in SUPPORT.items() if row["folds"].does == "pools"])
def test_pooled_folds_are_said(verb):
    assert "3 folds pooled" in words(ask(verb, folds="fold", fold_average="pooled"))


def test_every_verb_of_cases_is_declared():
    """Whoever takes the data keywords is in the table, and nobody else."""
    takes = {
        name
        for name, one in public_names().items()
        if callable(one) and not isinstance(one, type)
        and {"ids", "folds", "by", "direction"} <= set(inspect.signature(one).parameters)
    }  # fmt: skip
    assert {*takes, "explore", "write_report"} == set(SUPPORT)  # which hand their keywords on
    assert set(ASKED) | ELSEWHERE == set(SUPPORT)


def test_whoever_pools_takes_the_word_for_it():
    for verb, row in SUPPORT.items():
        pools = row["folds"].does == "pools"
        assert ("fold_average" in inspect.signature(public(verb)).parameters) >= pools, verb
        if pools:
            with pytest.raises(InputError, match="fold_average needs folds|fold_average has no"):
                ask(verb, fold_average="pooled")
            with pytest.raises(InputError, match="must be 'pooled'"):
                ask(verb, folds="fold", fold_average="mean")


SHOW_IDS = {"read_cases", "bench_of_scores", "build_report", "logistic"}  # which name cases by them


@pytest.mark.parametrize("verb", [verb for verb in SUPPORT if verb not in ELSEWHERE | SHOW_IDS])
def test_ids_of_one_case_each_change_nothing_and_need_no_note(verb):
    """Every subject once: cases are independent."""
    assert words(ask(verb, ids=np.arange(N))) == words(ask(verb))


# -- methods of a curve -----------------------------------------------------------------------------------

QUESTIONS = {
    "area": lambda r: r.area(),
    "at": lambda r: r.at(threshold=0.8).matrix.with_intervals(),
    "auc": lambda r: r.auc(),
    "band": lambda r: r.band(kind="simultaneous", **QUICK),
    "calibration": lambda r: r.calibration(),
    "confusion": lambda r: r.confusion(0.8).with_intervals(),
    "coordinates": lambda r: r.coordinates().at(0.8).with_intervals(),
    "cost": lambda r: r.cost(),
    "cutoff": lambda r: r.cutoff().best.metrics(),
    "cutoff_stability": lambda r: r.cutoff_stability(**QUICK),
    "det": lambda r: r.det(),
    "enrichment": lambda r: r.enrichment([0.2], **QUICK),
    "equal_error": lambda r: r.equal_error(**QUICK),
    "gain": lambda r: r.gain(),
    "grey_zone": lambda r: r.grey_zone(rule_out={"sensitivity": 0.8}, rule_in={"specificity": 0.8}).lower.metrics(),
    "h_measure": lambda r: r.h_measure(),
    "hull": lambda r: r.hull(),
    "likelihood_ratios": lambda r: r.likelihood_ratios(bins=3),
    "lowest_cost": lambda r: r.lowest_cost(),
    "metrics": lambda r: r.metrics(0.8),
    "model_based": lambda r: r.model_based(**QUICK),
    "overlap": lambda r: r.overlap(),
    "partial_auc": lambda r: r.partial_auc(fpr=(0, 0.5)),
    "precision_band": lambda r: r.precision_band(**QUICK),
    "precision_recall": lambda r: r.precision_recall(),
    "rate_at": lambda r: r.rate_at(specificity=0.8, **QUICK),
    "rectangle": lambda r: r.rectangle(0.8),
    "smooth": lambda r: r.smooth(),
    "tauc": lambda r: r.tauc(),
    "test": lambda r: r.test(),
    "threshold_interval": lambda r: r.threshold_interval(fpr=0.2, **QUICK),
    "troc": lambda r: r.troc(),
}
PLAIN = {"from_points", "from_ratings", "from_samples", "mirrored", "named_curve", "plot", "points", "points_at",
         "rows", "simplified", "summary_row", "to_csv", "to_dict", "to_frame", "to_json", "to_latex", "to_markdown",
         "from_json", "walked"}  # fmt: skip


def test_every_method_of_a_curve_is_declared():
    methods = {name for name, one in inspect.getmembers(rl.Roc, callable) if not name.startswith("_")}
    assert methods - PLAIN == set(METHODS) == set(QUESTIONS)


@pytest.mark.parametrize("method", METHODS)
def test_methods_of_a_curve_count_subjects(method):
    score = P if method in ("calibration", "model_based") else S
    plain, clustered = (QUESTIONS[method](rl.roc(Y, score, **ids)) for ids in ({}, {"ids": SUBJECT}))
    changed = words(plain) != words(clustered)
    if METHODS[method].does == "uses":
        assert changed, f"{method} ignores subjects"
    elif not changed:  # a number or a curve alone: nothing in it could be uncertain
        assert not any(word in str(clustered) for word in ("interval", "std. error", " p "))
