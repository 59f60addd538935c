"""What every verb does with the data keywords: uses them, refuses them, or says in its answer that they change nothing.

Written down once. Verbs ask this table what to do with subjects and folds (:func:`prepared`), the page of the guide
that shows it is made from it (``docs/guide/keywords.md``), and a test asks every verb about every keyword and compares
(``tests/every_verb/test_keywords.py``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from roclab.data.cases import Cases
from roclab.data.read import read_cases
from roclab.errors import InputError, Words, named
from roclab.names import FoldAverage
from roclab.options.data import DataKeywords
from roclab.options.folds import Folding
from roclab.options.follow_up import apart
from roclab.options.group import given_of
from roclab.results import Sample

if TYPE_CHECKING:
    from roclab.curves.roc import RocCurve

__all__ = [
    "KEYWORDS",
    "METHODS",
    "SUPPORT",
    "Support",
    "cases_for",
    "data_of_follow_up",
    "does",
    "folding_of",
    "notes_of_subjects",
    "prepared",
    "table_text",
]

# "pools": refused, unless fold_average="pooled" is said; "tells": the answer shows no uncertainty, and says so.
Does = Literal["uses", "pools", "tells", "refuses", "none"]

KEYWORDS = ("ids", "folds", "sample_weight", "weights", "by", "direction", "neg_label", "missing", "na")


class Support(NamedTuple):
    """What a verb does with a keyword, why, and what to use instead where it refuses."""

    does: Does
    why: str = ""
    way_out: str = ""


_USES = Support("uses")
_TELLS = Support("tells", "no uncertainty is shown, so that subjects change nothing")
_RANKED = Support("pools", "different models scored them")
_BY_FOLD = Support("uses", "one curve for every fold of one score")
_NOT_COUNTED = Support("refuses", "every case counts once")
_PREDICTIONS = "predictions name classes, and have no side and no class that is left out"
_SPLITS = Support("refuses", "the question is already about several sets of cases")


def _row(**declared: Support) -> dict[str, Support]:
    return {keyword: declared.get(keyword, _USES) for keyword in KEYWORDS}


def _curves(**said: Support) -> dict[str, Support]:
    """Of verbs that look at curves only."""
    return _row(
        **{"ids": _TELLS, "folds": _BY_FOLD, "weights": Support("tells", "only sums of weights matter"), **said}
    )


SUPPORT: Mapping[str, Mapping[str, Support]] = {
    "auc": _row(folds=Support("uses", "the mean over folds, or pooled")),
    "average": _curves(folds=Support("uses", "the curves of the folds are averaged")),
    "bench": _row(
        sample_weight=Support("refuses", "detectors train on cases that count once"),
        weights=Support("refuses", "detectors train on cases that count once"),
        direction=Support("refuses", "detectors find it"),
    ),
    "bench_of_scores": _row(
        sample_weight=_NOT_COUNTED, weights=_NOT_COUNTED, folds=Support("uses", "the folds are the splits")
    ),
    "best_classifier": _curves(),
    "build_report": _row(),
    "chain": _row(
        ids=_USES, folds=_RANKED, sample_weight=_NOT_COUNTED, weights=_NOT_COUNTED,
        neg_label=Support("refuses", _PREDICTIONS), direction=Support("uses", "of scores; predictions have none"),
    ),
    "combine": _row(
        ids=_USES, folds=_RANKED, sample_weight=_NOT_COUNTED, weights=_NOT_COUNTED,
        neg_label=Support("refuses", _PREDICTIONS), direction=Support("uses", "of scores; predictions have none"),
    ),
    "compare": _row(folds=Support("uses", "differences within folds, averaged; or pooled")),
    "compare_classifier_costs": _curves(),
    "compare_curves": _row(
        ids=Support(
            "refuses", "permutations exchange single cases, and cases of a subject are alike", "use compare() for areas"
        ),
        folds=_RANKED, sample_weight=_NOT_COUNTED, weights=_NOT_COUNTED,
    ),
    "compare_groups": _row(folds=Support("refuses", "group splits the cases already"), by=_SPLITS),
    "compare_predictions": _row(
        folds=_RANKED, weights=Support("refuses", "importance weights have no form here"),
        direction=Support("refuses", "probabilities are those of the positive class"),
    ),
    "concordance": _row(
        folds=Support("refuses", "has no part in the concordance yet"),
        weights=Support("refuses", "weights are importance weights there"),
        neg_label=Support("refuses", "codes of events say who was lost"),
    ),
    "confusion": _row(folds=_RANKED),
    "cutoff": _row(folds=_RANKED),
    "cutoff_stability": _row(folds=_RANKED, weights=Support("refuses", "the bootstrap draws whole cases")),
    "cutoff_table": _row(ids=_TELLS, folds=_RANKED),
    "dominance": _curves(by=_SPLITS),
    "grey_zone": _row(ids=_TELLS, folds=_RANKED),
    "h_measures": _curves(),
    "hull": _curves(),
    "hull_ranges": _curves(),
    "hybrid": _row(folds=_RANKED, weights=Support("tells", "only sums of weights matter")),
    "lc_index": _curves(),
    "logistic": _row(
        folds=_RANKED, direction=Support("refuses", "coefficients find the side of every predictor"),
        weights=Support("refuses", "importance weights have no form in this regression"),
    ),
    "mann_whitney": _row(folds=_RANKED, weights=Support("refuses", "ranks are those of whole cases")),
    "net_benefit": _curves(direction=Support("refuses", "probabilities are those of the positive class")),
    "pareto_front": _curves(by=_SPLITS),
    "plan_from_pilot": _row(
        ids=Support("refuses", "a plan is for cases that are drawn one by one", "ask one case of every subject"),
        folds=_RANKED, sample_weight=_NOT_COUNTED, weights=_NOT_COUNTED,
    ),
    "read_cases": _row(),
    "recalibrate": _row(folds=Support("uses", "every fold by a map of the others")),
    "roc": _row(
        folds=Support("pools", "different models scored them", "ask every fold with by=, average() for their mean, or"),
    ),
    "screen": _row(
        folds=Support("refuses", "markers are no models", "leave them out"),
        missing=Support("tells", "every marker leaves out its own gaps, and counts them"),
    ),
    "selective": _row(folds=_RANKED, weights=Support("refuses", "importance weights have no form here")),
    "smirnov": _row(
        ids=Support(
            "refuses", "its distribution takes every case for itself",
            "use mann_whitney(), which counts subjects, or auc()",
        ),
        folds=_RANKED, weights=Support("refuses", "distribution functions are those of whole cases"),
    ),
    "smooth_cutoff": _row(
        folds=_RANKED, ids=Support("uses", "smoother='bootstrap' draws subjects; the others say that nothing changes"),
        weights=Support("uses", "but smoother='bootstrap', which draws whole cases, refuses importance weights"),
    ),
    "tally": _row(
        ids=Support("refuses", "counts do not tell whose a case is", "leave them out, or keep the rows"),
        folds=Support("refuses", "counts do not tell which model scored a case", "count every fold for itself"),
        sample_weight=_NOT_COUNTED, weights=_NOT_COUNTED,
        by=Support("refuses", "a tally is of one set of cases"),
    ),
    "ties": _row(folds=_RANKED),
    "update_model": _row(
        folds=Support("uses", "every fold is judged by updates of the others"),
        weights=Support("refuses", "importance weights have no form in this regression"),
        direction=Support("refuses", "risks are those of the positive class"),
    ),
    "hull_contribution": _curves(),
    "explore": _row(),
    "write_report": _row(),
}  # fmt: skip

# What the methods of a curve do with subjects; folds are pooled, or refused, where the curve is made.
METHODS: Mapping[str, Support] = {
    "area": _TELLS,
    "at": Support("uses", "its matrix knows them"),
    "auc": _USES,
    "band": Support("uses", "subjects are resampled; 'thresholds' has effective counts, 'kolmogorov' refuses"),
    "calibration": _USES,
    "confusion": _USES,
    "coordinates": Support("uses", "its matrices know them"),
    "cost": _TELLS,
    "cutoff": Support("uses", "its matrix knows them"),
    "cutoff_stability": Support("uses", "subjects are resampled"),
    "det": _TELLS,
    "enrichment": Support("uses", "subjects are resampled; BEDROC has their clustered error"),
    "equal_error": Support("uses", "subjects are resampled"),
    "gain": _TELLS,
    "grey_zone": Support("uses", "its matrices know them"),
    "h_measure": _TELLS,
    "hull": _TELLS,
    "likelihood_ratios": _USES,
    "lowest_cost": _TELLS,
    "metrics": _USES,
    "model_based": Support("uses", "its tests take every case for itself, and are undefined for subjects"),
    "overlap": _TELLS,
    "partial_auc": _USES,
    "precision_band": Support("uses", "subjects are resampled; 'kolmogorov' refuses"),
    "precision_recall": _TELLS,
    "rate_at": Support("uses", "subjects are resampled"),
    "rectangle": _USES,
    "smooth": Support(
        "tells", "the curve is fitted to all cases; a note says that its own errors are not for subjects"
    ),
    "tauc": _USES,
    "test": _USES,
    "threshold_interval": Support("uses", "subjects are resampled"),
    "troc": _TELLS,
}


def does(verb: str, keyword: str) -> Support:
    """What a verb does with a keyword."""
    return SUPPORT[verb][keyword]


def cases_for(verb: str, y_true: Any, y_score: Any, asked: Mapping[str, Any]) -> Cases:
    """The cases that were asked about, as a verb may use them."""
    fold_average, data = folding_of(asked)
    return prepared(verb, read_cases(y_true, y_score, **data), fold_average)


def data_of_follow_up(verb: str, asked: Mapping[str, Any]) -> dict[str, Any]:
    """The data and the follow-up of a question about a horizon; what else was asked is refused."""
    rest, data = apart(asked)
    for name, value in rest.items():
        if value is not None:
            shown = value if isinstance(value, str | int | float) else Words("a value")
            raise InputError(name, f"has no part in {verb}() at a horizon", shown, "leave it out")
    return data


def folding_of(asked: Mapping[str, Any]) -> tuple[FoldAverage | None, Any]:
    """What is to become of folds, and the keywords of the data."""
    return Folding.of(asked).fold_average, given_of(asked, DataKeywords)


def prepared(verb: str, cases: Cases, fold_average: FoldAverage | None = None) -> Cases:
    """The cases as a verb may use them: subjects and folds that it has no answer for are refused in words."""
    ids, folds = does(verb, "ids"), does(verb, "folds")
    if ids.does == "refuses" and cases.clustered:
        raise InputError(
            "ids",
            f"have no part in {verb}(): {ids.why}",
            Words("several cases of a subject"),
            ids.way_out or f"leave out {named('ids')}",
        )
    if fold_average is not None:
        if cases.folds is None:
            raise InputError("fold_average", "needs folds", Words("none"), f"give {named('folds')}")
        if fold_average == "mean":
            raise InputError(
                "fold_average", f"must be 'pooled' for {verb}(), which has no mean over folds", fold_average,
                f"write {named('fold_average', 'pooled')}, or ask every fold with {named('by')}",
            )  # fmt: skip
        return cases.pooled()
    if cases.folds is None or folds.does == "uses":
        return cases
    if len(cases.by_fold()) == 1:  # the cases of one fold, by_fold()["one"] for instance: one model scored them
        return cases.pooled()
    if folds.does == "refuses":
        raise InputError(
            "folds", f"have no part in {verb}(): {folds.why}", way_out=folds.way_out or f"leave out {named('folds')}"
        )
    ways = folds.way_out or f"ask every fold with {named('by')}, or"
    raise InputError(
        "folds",
        f"are not ranked together by {verb}(), because {folds.why}",
        Words(f"{len(cases.by_fold())} folds"),
        f"{ways} write {named('fold_average', 'pooled')} where their scores mean the same",
    )


def notes_of_subjects(samples: Iterable[Sample | RocCurve | None]) -> tuple[str, ...]:
    """What an answer without uncertainty says about subjects, pooled folds and weights that are no counts."""
    from roclab.curves.roc import RocCurve

    found = [sample.sample if isinstance(sample, RocCurve) else sample for sample in samples]
    notes = dict.fromkeys(words for one in found if one is not None for words in one.belonging())
    if any(one is not None and one.weights == "importance" for one in found):
        notes["importance weights"] = None
    return tuple(f"{words[0].upper()}{words[1:]}; no uncertainty is shown here." for words in notes)


def table_text() -> str:
    """The tables of the guide, in Markdown."""
    words = {
        "uses": "uses", "pools": "only with `fold_average=\"pooled\"`", "tells": "says that it changes nothing",
        "refuses": "refuses", "none": "–",
    }  # fmt: skip
    lines = [f"| verb | {' | '.join(f'`{one}`' for one in KEYWORDS)} |", f"|---|{'---|' * len(KEYWORDS)}"]
    for verb, row in SUPPORT.items():
        lines.append(f"| `{verb}` | {' | '.join(words[row[one].does] for one in KEYWORDS)} |")
    lines += ["", "| method of `Roc` | `ids` | |", "|---|---|---|"]
    lines += [f"| `{name}` | {words[one.does]} | {one.why} |" for name, one in METHODS.items()]
    whys = [
        f"- `{verb}`, `{keyword}`: {one.why}." + (f" Instead: {one.way_out.removesuffix(' or').rstrip(',')}."
                                                  if one.way_out else "")
        for verb, row in SUPPORT.items()
        for keyword, one in row.items()
        if one.does == "refuses"
    ]  # fmt: skip
    return "\n".join([*lines, "", "Why some are refused:", "", *whys])
