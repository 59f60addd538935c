"""One table of words: what a keyword of the library is called on the command line, on the page and in other programs.

A keyword that does not stand here is called the same everywhere: ``cost_fp``, ``--cost-fp``, "cost fp".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

__all__ = [
    "HINTS",
    "IN_COMMANDS",
    "SPELLINGS",
    "VALUES",
    "Spelling",
    "option_of",
    "page_word",
    "placeholder",
    "synonyms_of",
    "word_of_page",
]


class Spelling(NamedTuple):
    """What a keyword is called elsewhere; empty where that is the keyword itself."""

    option: str = ""  # on the command line
    page: str = ""  # in sentences of the page
    role: str = ""  # in what the page sends: the parts of the data
    also: tuple[str, ...] = ()  # words of other programs, accepted in Python
    value: str = ""  # what stands for its value in help


SPELLINGS: Mapping[str, Spelling] = {
    # data
    "label": Spelling(page="the label", value="COLUMN"),
    "score": Spelling(page="the score", value="COLUMN"),
    "pos_label": Spelling("--positive", "the positive class", "positive", ("positive",), "VALUE"),
    "neg_label": Spelling("--negative", "the negative class", "negative", ("negative",), "VALUE"),
    "sample_weight": Spelling("--weight", "the weight", "weight", ("weight",), "COLUMN"),
    "ids": Spelling("--id", "the subject", "id", ("id", "cluster", "clusters", "subject", "subjects"), "COLUMN"),
    "folds": Spelling("--fold", "the fold", "fold", ("fold",), "COLUMN"),
    "by": Spelling(page="the group", also=("stratify",), value="COLUMN"),
    "direction": Spelling(value="[NAME=]SIDE"),
    "na": Spelling(page="the codes of missing values", value="CODE"),
    "header_row": Spelling(page="the row of the names", value="N"),
    "sheet": Spelling(value="NAME"),
    "delimiter": Spelling(value="CHAR"),
    "decimal": Spelling(value="CHAR"),
    "memory_limit": Spelling(value="SIZE"),
    "accuracy": Spelling(value="ERROR"),
    # uncertainty
    "level": Spelling(also=("confidence", "confidence_level", "conf_level"), value="P"),
    "interval": Spelling("--ci", also=("ci",), value="KIND"),
    "variance": Spelling(also=("se", "standard_error")),
    "resampling": Spelling("--replicates", also=("n_boot", "n_bootstraps", "replicates", "bootstrap"), value="N"),
    "rng": Spelling("--seed", "the seed", also=("seed", "random_state"), value="N"),
    # areas
    "estimator": Spelling(also=("metric",), value="NAME"),
    "fpr": Spelling(value="LOW HIGH"),
    "tpr": Spelling(value="LOW HIGH"),
    "ties": Spelling(also=("walk",)),
    "standardize": Spelling(also=("standard",)),
    # decisions
    "criterion": Spelling(value="NAME"),
    "require": Spelling(value="METRIC=BOUND"),
    "confidence": Spelling(value="P"),
    "prevalence": Spelling(value="SHARE"),
    "cost_fp": Spelling(value="COST"),
    "cost_fn": Spelling(value="COST"),
    "benefit_tp": Spelling(value="WORTH"),
    "benefit_tn": Spelling(value="WORTH"),
    "beta": Spelling(value="B"),
    "alpha": Spelling(value="A"),
    "max_fpr": Spelling(value="RATE"),
    "target": Spelling(value="METRIC=VALUE"),
    "trim": Spelling(value="SHARE"),
    "rule": Spelling("--thresholds"),
    "thresholds": Spelling("--threshold", value="T"),
    "smoother": Spelling("--smooth"),
    # comparison
    "test": Spelling(also=("reference",)),
    "margin": Spelling(value="D"),
    "contrast": Spelling(value="A=1,B=-1"),
    "threshold": Spelling(value="[NAME=]T"),
    "predicted": Spelling(value="COLUMN"),
    "metrics": Spelling("--metric"),
    "probability": Spelling(value="P"),
    "ratio_margin": Spelling(value="R"),
    "at_specificity": Spelling(value="RATE"),
    "at_sensitivity": Spelling(value="RATE"),
    # planning
    "n_pos": Spelling("--positives", value="N"),
    "n_neg": Spelling("--negatives", value="N"),
    # classes, bands, figures
    "labels": Spelling("--classes", value="A,B"),
    "names": Spelling("--rename", value="OLD=NEW"),
    "scenarios": Spelling("--scenario", value="NAME P C_FP C_FN"),
    "sets": Spelling("--set", value="NAME=A,B"),
}

# What a command calls differently than all others: its question has another shape than the verb's.
_HORIZON = {"at": "--horizon"}  # compare has an --at of its own, a threshold probability
IN_COMMANDS: Mapping[str, Mapping[str, str]] = {
    **dict.fromkeys(("auc", "compare", "confusion", "cutoff", "report"), _HORIZON),
    "bench": {"score": "--feature", "folds": "--folds"},
    "curve": {"kind": "--band", **_HORIZON},
    "hull": {"probabilities": "--at", "shares": "--lc"},
    "logistic": {"score": "--column", "penalty='firth'": "--firth"},
    "multiclass": {"scores": "--score", "models": "--score and --against", "predicted": "--confusion",
                   "y_true": "--label"},
    "screen": {"score": "--marker", **_HORIZON},
    "segment": {"volume": "FILE", "image": "FILE", "clusters": "--classes"},
    "plot": {"labels": "--labels"},
}  # fmt: skip

# Values that other programs write for one of ours; pROC's "<" means that controls lie below cases.
VALUES: Mapping[tuple[str, str], str] = {
    ("adjust", "bh"): "fdr",
    ("interval", "delong"): "clipped",
    ("interval", "wald"): "plain",
    ("adjust", "benjamini-hochberg"): "fdr",
    ("estimator", "ap"): "average_precision",
    ("estimator", "auprc"): "average_precision",
    ("estimator", "auc"): "empirical",
    ("estimator", "auroc"): "empirical",
    ("direction", "<"): "higher",
    ("direction", ">"): "lower",
    ("direction", "greater"): "higher",
    ("direction", "less"): "lower",
    ("conventions", "proc"): "pROC",
    ("conventions", "spss"): "SPSS",
    ("conventions", "sas"): "SAS",
    ("conventions", "stata"): "Stata",
    ("conventions", "medcalc"): "MedCalc",
    ("conventions", "sklearn"): "scikit-learn",
}

# Words that mean nothing here, or more than one thing: what to write instead.
HINTS: Mapping[str, str] = {
    "alpha": "level=0.95 is the confidence level that belongs to alpha=0.05",
    "method": "estimator= says which area, variance= where the standard error comes from, interval= which limits",
    "na_rm": "missing='drop' leaves out cases that lack a value, and counts them",
    "groups": "ids= names the subject of every case, by= asks every group apart",
    "levels": "pos_label= and neg_label= name the classes",
    "boot_n": "resampling= is the number of replicates",
    "paired": "compare() takes scores of the same cases, compare_groups() those of different ones",
    "plot": "ask the result: .plot()",
    "entry": "late entry (left truncation) is not supported, areas would count only those who lived to enter: use "
    "landmark= at a time when all had entered",
    "conventions": "auc, roc, compare, compare_groups, cutoff, cutoff_table, cutoff_stability, confusion, screen and "
    "write_report follow other programs; averages over classes are those of scikit-learn and pROC as they are",
}


def option_of(word: str, command: str = "") -> str:
    """The option of the command line for a keyword, everywhere or in a command that has its own word.

    >>> option_of("pos_label"), option_of("cost_fp"), option_of("score", "bench")
    ('--positive', '--cost-fp', '--feature')
    """
    own = IN_COMMANDS.get(command, {}).get(word)
    if own is not None:
        return own
    known = SPELLINGS.get(word)
    return known.option if known is not None and known.option else f"--{word.replace('_', '-')}"


def page_word(word: str) -> str:
    """What sentences of the page call a keyword.

    >>> page_word("ids"), page_word("cost_fp")
    ('the subject', 'cost fp')
    """
    known = SPELLINGS.get(word)
    return known.page if known is not None and known.page else word.replace("_", " ")


def word_of_page(role: str) -> str:
    """The keyword behind a part of the data, as the page calls it.

    >>> word_of_page("positive"), word_of_page("label")
    ('pos_label', 'label')
    """
    return _BY_ROLE.get(role, role)


def placeholder(word: str) -> str:
    """What stands for the value of an option in help; empty where the names to choose from do."""
    known = SPELLINGS.get(word)
    return known.value if known is not None else ""


def synonyms_of(words: Iterable[str]) -> dict[str, str]:
    """Other words for those that a function knows, as long as they are not words of its own.

    >>> synonyms_of(["rng", "level"])["seed"]
    'rng'
    """
    known = set(words)
    return {
        other: word for word in known for other in SPELLINGS.get(word, _SAME).also if other not in known
    }  # fmt: skip


_SAME = Spelling()
_BY_ROLE = {spelling.role: word for word, spelling in SPELLINGS.items() if spelling.role}
