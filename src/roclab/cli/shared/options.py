"""The options that commands share: the same name means the same thing everywhere.

A decorator adds a group of options to a command and hands their values over as one object. The names that may be
chosen are in ``names.py``.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from roclab.cli.shared.command import Run, bundle, option
from roclab.cli.shared.data import Data
from roclab.cli.shared.output import Output
from roclab.cli.shared.progress import bar_unless_quiet
from roclab.errors import InputError, Words
from roclab.names import ENGINES, SCHEMES, STANDARDS

if TYPE_CHECKING:
    from roclab import Resampling


# -- options under headings ----------------------------------------------------------------------


# -- data ------------------------------------------------------------------------------------------

_ONE_LABEL: dict[str, Any] = {"metavar": "COLUMN", "heading": "Data", "help": "Column with the class of each case."}
_LABEL = option("--label", **_ONE_LABEL)
_SCORE = option("--score", metavar="COLUMN", multiple=True, heading="Data", help="Column with a score; repeatable.")
_POSITIVE = option(
    "--positive",
    metavar="VALUE",
    multiple=True,
    heading="Data",
    help='The positive class; 1 or true needs no mention. A rule such as ">6.5" makes it from numbers; of three or '
    "more classes it stands against the rest; repeat it to join classes.",
)
_NEGATIVE = option(
    "--negative", metavar="VALUE", heading="Data", help="The negative class, if cases of others are to be left out."
)
_BY = option(
    "--by",
    metavar="COLUMN",
    multiple=True,
    heading="Data",
    help="Column with the group of each case: every group is answered apart; repeatable for combinations.",
)
_WEIGHTS = [
    option("--weight", metavar="COLUMN", heading="Data", help="Column with the weight of each case."),
    option(
        "--weights",
        type=click.Choice(["frequency", "importance"]),
        heading="Data",
        help="What weights mean (default: whole numbers are frequencies).",
    ),
]
_READING = [
    option(
        "--missing",
        type=click.Choice(["error", "drop"]),
        default="error",
        heading="Data",
        help="Cases that lack a value",
    ),
    option("--delimiter", metavar="CHAR", heading="Data", help=r"What separates cells of a text file; \t is a tab."),
    option("--decimal", metavar="CHAR", heading="Data", help="Decimal sign of a text file: . or , (default: as seen)."),
    option("--sheet", metavar="NAME", heading="Data", help="Sheet of an Excel workbook."),
    option("--header-row", type=int, metavar="N", heading="Data", help="Row that names the columns, if not the first."),
    option("--na", metavar="CODE", multiple=True, heading="Data", help="What else means missing, as -99; repeatable."),
    option("--engine", type=click.Choice(ENGINES), heading="Engine", help="Where rows are counted (default auto)"),
    option("--memory-limit", metavar="SIZE", heading="Engine", help="Memory of an engine, such as 1GB."),
    option("--accuracy", metavar="ERROR", heading="Engine", help="Largest numerical error on an engine; or exact."),
    option("--explain", is_flag=True, heading="Engine", help="Print what would be done to count the rows, and stop."),
]

data_options = bundle(
    "data",
    Data,
    [
        _LABEL,
        _POSITIVE,
        _NEGATIVE,
        _SCORE,
        *_WEIGHTS,
        option(
            "--direction",
            metavar="[NAME=]SIDE",
            multiple=True,
            heading="Data",
            help="Which side of a score means positive: higher (default), lower, or auto to choose by the AUC; "
            "repeatable for single scores as in lactate=lower.",
        ),
        _BY,
        *_READING,
    ],
)
table_options = bundle("data", Data, [_SCORE, *_READING])  # for any number of classes
outcome_options = bundle(
    "data", Data, [_LABEL, _POSITIVE, _NEGATIVE, _BY, *_READING]
)  # for columns that are no scores yet
sample_options = bundle(
    "data", Data, [_LABEL, _POSITIVE, _NEGATIVE, _SCORE, _BY, *_READING]
)  # each case counts once, as it is
truth_options = bundle("data", Data, [_LABEL, _POSITIVE, _NEGATIVE, *_READING])  # for rows that are no cases
labels_option = option("--label", "labels", multiple=True, **_ONE_LABEL)


def weight_options(command: Run) -> Run:
    """--weight and --weights, for commands whose other data options are their own."""
    for add in reversed(_WEIGHTS):
        command = add(command)
    return command


id_option = option(
    "--id", metavar="COLUMN", heading="Data", help="Column with the subject of each case: pairs files, forms clusters."
)
fold_option = option("--fold", metavar="COLUMN", heading="Data", help="Column with the fold of each case.")


# -- uncertainty -----------------------------------------------------------------------------------

level_option = option(
    "--level", type=float, default=0.95, metavar="P", heading="Uncertainty", help="Confidence level of intervals."
)
seed_option = option(
    "--seed",
    type=click.IntRange(min=0),
    default=lambda: secrets.randbelow(10**6),
    show_default=False,
    metavar="N",
    heading="Resampling",
    help="The same seed gives the same result (default: drawn anew, and named in the result).",
)

workers_option = option(
    "--workers",
    type=int,
    default=1,
    metavar="N",
    heading="Resampling",
    help="Threads; the result does not depend on it.",
)


def ci_option(
    names: Sequence[str], *, default: str | None, help: str, also: Sequence[str] = ()
) -> Callable[[Run], Run]:
    """--ci KIND, which every command with intervals has, with the kinds this command knows."""
    return option(
        "--ci",
        "--interval",
        *also,
        "ci",
        type=click.Choice(names),
        metavar="KIND",
        default=default,
        heading="Uncertainty",
        help=help,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Draws:
    """How to resample. Without a seed one is drawn: short enough to be typed again, and the same for the whole run."""

    seed: int
    replicates: int
    scheme: str
    workers: int

    @property
    def asked(self) -> bool:
        """Whether the user said anything about resampling: some intervals are resampled only then."""
        context = click.get_current_context()
        return any(context.get_parameter_source(one.name) is ParameterSource.COMMANDLINE for one in fields(self))

    @contextmanager
    def shown(self) -> Iterator[Resampling]:
        """The library's object, with a bar on the terminal while it is at work."""
        from roclab import Resampling

        with bar_unless_quiet() as bar:
            scheme: Any = self.scheme
            yield Resampling(replicates=self.replicates, scheme=scheme, workers=self.workers, progress=bar)


_REPLICATES = option(
    "--replicates", type=int, default=2000, metavar="N", heading="Resampling", help="Resampled sets of cases."
)


def bootstrap_options(command: Run) -> Run:
    """--seed and --replicates, for commands that have workers of their own."""
    return seed_option(_REPLICATES(command))


resampling_options = bundle(
    "draws",
    Draws,
    [
        seed_option,
        _REPLICATES,
        option(
            "--scheme",
            type=click.Choice(SCHEMES),
            default="stratified",
            heading="Resampling",
            help="Draw from each class, or from all cases",
        ),
        workers_option,
    ],
)


# -- what is measured ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class RegionOptions:
    """A part of the curve, or all of it."""

    fpr: tuple[float, float] | None
    tpr: tuple[float, float] | None
    standard: str | None

    @property
    def given(self) -> bool:
        """True when a range restricts the area."""
        return self.fpr is not None or self.tpr is not None

    @property
    def keywords(self) -> dict[str, Any]:
        """By the names of the library, those that were given."""
        every = {"fpr": self.fpr, "tpr": self.tpr, "standard": self.standard}
        return {name: value for name, value in every.items() if value is not None}


region_options = bundle(
    "region",
    RegionOptions,
    [
        option("--fpr", type=float, nargs=2, metavar="LOW HIGH", help="Only this range of false positive rates."),
        option("--tpr", type=float, nargs=2, metavar="LOW HIGH", help="Only this range of true positive rates."),
        option(
            "--standard",
            type=click.Choice(STANDARDS),
            help="Scale of a partial area",
        ),
    ],
)


# -- prevalence and costs ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """How common the positive class is where decisions will be made, and what both errors cost."""

    prevalence: float | None
    cost_fp: float | None
    cost_fn: float | None

    @property
    def given(self) -> dict[str, Any]:
        """What was given, by the names of the library."""
        every = {"prevalence": self.prevalence, "cost_fp": self.cost_fp, "cost_fn": self.cost_fn}
        return {name: value for name, value in every.items() if value is not None}

    @property
    def option_names(self) -> list[str]:
        """The options that were given."""
        return [f"--{name.replace('_', '-')}" for name in self.given]

    def conditions(self) -> dict[str, Any]:
        """All that was given, for what cannot do without a prevalence."""
        if self.prevalence is None:
            raise InputError("", "costs are weighed by the prevalence", Words("none"), "write --prevalence 0.1 for 10%")
        return self.given


cost_options = bundle(
    "costs",
    Costs,
    [
        option("--prevalence", type=float, metavar="SHARE", help="Share of positive cases where it will be used."),
        option("--cost-fp", type=float, metavar="COST", help="Cost of a false positive (default 1)."),
        option("--cost-fn", type=float, metavar="COST", help="Cost of a false negative (default 1)."),
    ],
)


# -- output ----------------------------------------------------------------------------------------


def _remember(ctx: click.Context, parameter: click.Parameter, value: bool) -> bool:
    if value and ctx.obj is not None:
        setattr(ctx.obj, str(parameter.name), True)
    return value


quiet_option = option(
    "--quiet",
    "-q",
    is_flag=True,
    expose_value=False,
    callback=_remember,
    heading="Output",
    help="No progress bar, no remarks.",
)
verbose_option = option(
    "--verbose",
    "-v",
    is_flag=True,
    expose_value=False,
    callback=_remember,
    heading="Output",
    help="Say what is read, and where a bug is.",
)

output_options = bundle(
    "output",
    Output,
    [
        option("--json", "as_json", is_flag=True, heading="Output", help="JSON with every digit."),
        option("--csv", "as_csv", is_flag=True, heading="Output", help="CSV with every digit."),
        option("--out", "-o", metavar="PATH", heading="Output", help="Write to a file, whole or not at all."),
        quiet_option,
        verbose_option,
    ],
)
