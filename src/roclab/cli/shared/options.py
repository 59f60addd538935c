"""The options that commands share: the same name means the same thing everywhere.

Options of groups come from their group (``derived``). Here stand those that only a command line has, such as --seed
with a default that is drawn, and bundles that hand their values over as one object.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from roclab.cli.shared.command import Run, bundle, option
from roclab.cli.shared.data import Data
from roclab.cli.shared.derived import keyword_option
from roclab.cli.shared.output import Output
from roclab.cli.shared.progress import bar_unless_quiet
from roclab.names import SCHEMES
from roclab.options.data import DataKeywords
from roclab.options.folds import FoldKeywords
from roclab.options.group import options_of
from roclab.options.uncertainty import LevelKeywords, UnaskedSeed

if TYPE_CHECKING:
    from roclab.options.uncertainty import Resampling


# -- data ------------------------------------------------------------------------------------------

_ENGINE = ("engine", "memory_limit", "accuracy")
_EXPLAIN = option(
    "--explain", is_flag=True, heading="Engine", help="Print what would be done to count the rows, and stop."
)


def _data_bundle(*names: str) -> Callable[[Run], Run]:
    """Data options, all of them or those named, and always how to read a file."""
    every = options_of(DataKeywords)
    roles = [name for name in every if name in names or not names or name in _READING]
    made = [keyword_option(every[name], heading="Engine" if name in _ENGINE else "Data") for name in roles]
    if "folds" in roles:
        made.append(keyword_option(options_of(FoldKeywords)["fold_average"], heading="Data"))
    return bundle("data", Data, [*made, *([] if names else _SAMPLES), _EXPLAIN])


_SAMPLES = (
    option(
        "--samples",
        nargs=2,
        metavar="POSITIVES NEGATIVES",
        heading="Data",
        help="Two columns of scores, one of each class, instead of --label and --score.",
    ),
    option(
        "--negative-file",
        metavar="FILE",
        heading="Data",
        help="The negative cases, with the same --score; FILE then holds the positive ones.",
    ),
)


_READING = ("missing", "delimiter", "decimal", "sheet", "header_row", "na", *_ENGINE)
_TRUTH = ("label", "pos_label", "neg_label")

data_options = _data_bundle()
table_options = _data_bundle("score")  # for any number of classes
outcome_options = _data_bundle(*_TRUTH, "sample_weight", "weights", "ids", "by")  # for columns that are no scores yet
sample_options = _data_bundle(*_TRUTH, "score", "ids", "folds", "by", "direction")  # each case counts once, as it is
doctor_options = _data_bundle("label", "pos_label")  # for a table that nobody has asked yet
truth_options = _data_bundle(*_TRUTH)  # for rows that are no cases
labels_option = option(
    "--label", "labels", multiple=True, metavar="COLUMN", heading="Data", help="Column with the class of each case."
)


# -- uncertainty -----------------------------------------------------------------------------------

level_option = option(
    "--level", type=float, default=0.95, metavar="P", heading="Uncertainty",
    help=options_of(LevelKeywords)["level"].words,
)  # fmt: skip
seed_option = option(
    "--seed",
    type=click.IntRange(min=0),
    default=lambda: int.from_bytes(os.urandom(8)) % 10**6,
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


def typed(*names: str) -> bool:
    """Whether the user wrote any of these options."""
    context = click.get_current_context()
    return any(context.get_parameter_source(name) is ParameterSource.COMMANDLINE for name in names)


def seed_of(seed: int, asked: bool) -> int:
    """A seed for the library: where nobody asked for draws, one of which nothing need be said."""
    return seed if asked else UnaskedSeed(seed)


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
        return typed(*(field.name for field in fields(self)))

    def keywords(self, resampling: Resampling, *, always: bool = True) -> dict[str, Any]:
        """For a verb; where it resamples only when asked to, nothing unless something was said."""
        return {"resampling": resampling, "rng": seed_of(self.seed, self.asked)} if always or self.asked else {}

    @contextmanager
    def shown(self) -> Iterator[Resampling]:
        """The library's object, with a bar on the terminal while it is at work."""
        from roclab.options.uncertainty import Resampling

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
