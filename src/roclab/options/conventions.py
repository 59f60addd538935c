"""Conventions: what another program prints for the same question, as options of ours.

Each program is a preset of options for each verb. What a user says beside it counts more; what the preset chose is told
in the result. Where a number is known from a program's manual only, because it was never run beside ours, ``SOURCES``
says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypedDict

from roclab._core.checks import check_choice
from roclab.errors import InputError, Words
from roclab.names import PROGRAMS, Program
from roclab.options.group import Group, group

__all__ = [
    "SOURCES",
    "ConventionKeywords",
    "Conventions",
    "conventions_note",
    "has_convention",
    "options_of_program",
]

Preset = Mapping[str, Any]


class ConventionKeywords(TypedDict, total=False):
    """Whose conventions are followed."""

    conventions: Program | None


_WORDS = {
    "conventions": """The program whose numbers are wanted; other options that are given count more.

- "pROC": DeLong's interval cut at 0 and 1 and his z (t for different cases); bootstrap for parts of the curve;
  thresholds midway
- "SPSS": Hanley-McNeil's error with counted Q, A ± z SE, significance without ties; thresholds midway and beyond the
  ends; cases that lack any variable are left out
- "SAS", "Stata": DeLong's error, A ± z SE, chi-squared for all areas at once
- "MedCalc": DeLong's error, exact binomial interval over all cases, DeLong's z
- "scikit-learn": areas without uncertainty; partial areas standardised (McClish)
- "riskRegression", "timeROC": at a horizon, A ± z SE (the first cut at 0 and 1), each pair for itself""",
}


@group(ConventionKeywords, _WORDS)
@dataclass(frozen=True, kw_only=True)
class Conventions(Group):
    """Whose conventions are followed; None for the package's own."""

    conventions: Program | None = None

    def __post_init__(self) -> None:
        if self.conventions is not None:
            check_choice(self.conventions, "conventions", PROGRAMS)


# How the numbers of each program were checked.
SOURCES: Mapping[Program, str] = {
    "pROC": "run beside roclab (version 1.18): 938 numbers equal to 1e-13",
    "SPSS": "its printed output in published studies; its free twin PSPP was run",
    "SAS": "the printed example of PROC LOGISTIC (ovarian cancer, DeLong 1988)",
    "Stata": "the printed examples of roctab and roccomp",
    "MedCalc": "its manual only; the exact interval is that of Stata's option binomial",
    "scikit-learn": "run beside roclab: equal to 1e-12",
    "riskRegression": "run beside roclab (version 2022.11.28): equal to 1e-12, but for errors of 46,341 cases and more",
    "timeROC": "run beside roclab (version 0.4.1): equal to 1e-12 where no time is tied",
}

_DROP = {"missing": "drop"}
_MIDPOINTS = {"rule": "midpoints"}
_SPSS_RULE = {"rule": "spss"}
_OBSERVED = {"rule": "observed"}


def _proc_area(given: Preset) -> Preset:
    return {**_DROP, "interval": "percentile"} if _part_of_curve(given) else {
        **_DROP, "variance": "delong", "interval": "clipped",
    }  # fmt: skip


def _proc_comparison(given: Preset) -> Preset:
    if _part_of_curve(given):
        return {**_DROP, "variance": "bootstrap", "adjust": "none"}
    return {**_DROP, "variance": "delong", "interval": "clipped", "test": "normal", "adjust": "none"}


def _by_delong(interval: str) -> Callable[[Preset], Preset]:
    return lambda _: {**_DROP, "variance": "delong", "interval": interval, "test": "normal", "adjust": "none"}


def _spss_area(given: Preset) -> Preset:
    tested = {"test": "null"} if given.get("null") is not None else {}
    return {**_DROP, "variance": "empirical_q", "interval": "plain", **tested}


def _medcalc_area(given: Preset) -> Preset:
    tested = {"test": "wald"} if given.get("null") is not None else {}
    return {**_DROP, "variance": "delong", "interval": "binomial", **tested}


def _sklearn_area(given: Preset) -> Preset:
    return {"interval": None, **({"standardize": "mcclish"} if given.get("fpr") is not None else {})}


def _always(preset: Preset) -> Callable[[Preset], Preset]:
    return lambda _: preset


def _part_of_curve(given: Preset) -> bool:
    return given.get("fpr") is not None or given.get("tpr") is not None


def _cutoffs(rule: Preset, missing: Preset) -> dict[str, Callable[[Preset], Preset]]:
    tables = {verb: _always({**missing, **rule}) for verb in ("cutoff", "cutoff_stability", "cutoff_table")}
    return {**tables, "coordinates": _always(rule), "roc": _always(missing), "confusion": _always(missing)}


def _at_horizon(interval: str) -> dict[str, Callable[[Preset], Preset]]:
    own = {**_DROP, "interval": interval}
    return {"auc": _always(own), "compare": _always({**own, "test": "normal", "adjust": "none"})}


_DELONG_PLAIN = _always({**_DROP, "variance": "delong", "interval": "plain"})
_SCREEN = {"adjust": "none", "order": "file"}
_PRESETS: Mapping[Program, Mapping[str, Callable[[Preset], Preset]]] = {
    "pROC": {
        "auc": _proc_area, "compare": _proc_comparison,
        "compare_groups": _always({**_DROP, "variance": "delong", "interval": "clipped", "test": "t_proc",
                                   "adjust": "none"}),
        **_cutoffs(_MIDPOINTS, _DROP),
    },
    "SPSS": {
        "auc": _spss_area, "compare": _by_delong("plain"), "compare_groups": _by_delong("plain"),
        "screen": _always({**_DROP, **_SCREEN, "listwise": True, "variance": "empirical_q", "interval": "plain",
                           "test": "null"}),
        **_cutoffs(_SPSS_RULE, _DROP),
    },
    "SAS": {
        "auc": _DELONG_PLAIN, "compare": _by_delong("plain"), "compare_groups": _by_delong("plain"),
        "screen": _always({**_DROP, **_SCREEN, "variance": "delong", "interval": "plain", "test": "wald"}),
        **_cutoffs(_OBSERVED, _DROP),
    },
    "Stata": {
        "auc": _DELONG_PLAIN, "compare": _by_delong("plain"), "compare_groups": _by_delong("plain"),
        "screen": _always({**_DROP, **_SCREEN, "variance": "delong", "interval": "plain", "test": "wald"}),
        **_cutoffs(_OBSERVED, _DROP),
    },
    "MedCalc": {
        "auc": _medcalc_area, "compare": _by_delong("binomial"), "compare_groups": _by_delong("binomial"),
        "screen": _always({**_DROP, **_SCREEN, "variance": "delong", "interval": "binomial", "test": "wald"}),
        **_cutoffs(_OBSERVED, _DROP), "cutoff": _always({**_DROP, **_OBSERVED, "interval": "exact"}),
        "with_intervals": _always({"interval": "exact", "ratio_interval": "log"}),
    },
    "scikit-learn": {"auc": _sklearn_area, **_cutoffs(_OBSERVED, {})},
    "riskRegression": _at_horizon("clipped"), "timeROC": _at_horizon("plain"),
}  # fmt: skip
_OF_HORIZONS = ("riskRegression", "timeROC")  # programs of time to event, and of nothing else here
_SAME = {"area_table": "auc", "partial_auc": "auc"}  # verbs that ask what another one asks


def has_convention(program: Program, verb: str, given: Preset) -> bool:
    """Whether a program answers the question of a verb; of areas each knows the empirical one alone.

    Programs of time to event know areas at a horizon, and the others none.

    >>> has_convention("MedCalc", "with_intervals", {}), has_convention("pROC", "auc", {"estimator": "tauc"})
    (True, False)
    """
    if (given.get("at") is not None) != (program in _OF_HORIZONS):
        return False
    return _SAME.get(verb, verb) in _PRESETS[program] and given.get("estimator") in (None, "empirical")


def options_of_program(program: Program, verb: str, given: Preset, known: Mapping[str, Any] | None = None) -> Preset:
    """What a program's conventions add to the options that were given to a verb.

    >>> dict(options_of_program("Stata", "auc", {"level": 0.9}))
    {'missing': 'drop', 'variance': 'delong', 'interval': 'plain'}
    """
    check_choice(program, "conventions", PROGRAMS)
    if not has_convention(program, verb, given):
        raise InputError("conventions", f"of {program} say nothing about this question", Words(program), "leave it out")
    preset = _PRESETS[program][_SAME.get(verb, verb)]
    found = {name: value for name, value in preset(given).items() if given.get(name) is None}
    return {name: value for name, value in found.items() if known is None or name in known}


def conventions_note(program: Program, chosen: Preset) -> str:
    """What was taken, for the notes of a result.

    >>> conventions_note("Stata", {"interval": "plain"})
    'As Stata prints it: interval plain.'
    """
    words = [f"{name} {'none' if value is None else value}" for name, value in chosen.items()]
    return f"As {program} prints it: {', '.join(words) or 'the same options'}."
