"""``roclab plot``: every figure, as a file."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from roclab._core.figure_file import check_figure_place
from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.data import Data, table_of_file
from roclab.cli.shared.derived import keyword_options, words_of
from roclab.cli.shared.discrete import discrete_of
from roclab.cli.shared.options import Draws, data_options, output_options, resampling_options
from roclab.cli.shared.parsing import names_of, refuse
from roclab.cli.shared.points import PointOptions, point_options
from roclab.errors import InputError, Words
from roclab.names import FIGURES, PLAIN_CRITERIA, READER_FIGURES
from roclab.options.criterion import BenefitKeywords
from roclab.options.figure import ContentKeywords, LooksKeywords
from roclab.options.group import options_of
from roclab.options.region import RegionKeywords
from roclab.options.uncertainty import LevelKeywords

if TYPE_CHECKING:
    from roclab.cli.shared.output import Output

__all__ = ["plot"]


class _Labels(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """A number of thresholds, or all points."""

    name = "N|all"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | bool:
        """All as True."""
        if value == "all":
            return True
        count: int = click.IntRange(min=1).convert(value, param, ctx)
        return count


def _renaming(pairs: tuple[str, ...]) -> dict[str, str] | None:
    """Old to new names from OLD=NEW."""
    for pair in pairs:
        if "=" not in pair:
            raise InputError("--rename", "must say OLD=NEW", pair, "write --rename crp=CRP for instance")
    return dict(pair.split("=", 1) for pair in pairs) or None


def _colours(pairs: tuple[str, ...]) -> dict[str, str] | None:
    """Names and their colours from NAME=COLOUR."""
    for pair in pairs:
        if "=" not in pair:
            raise InputError("--color", "must say NAME=COLOUR", pair, "write --color lactate=tab:red for instance")
    return dict(pair.split("=", 1) for pair in pairs) or None


def _sets(texts: tuple[str, ...]) -> dict[str, list[str]] | str | None:
    """Names of sets and their classifiers from NAME=A,B; "each" alone."""
    if texts == ("each",):
        return "each"
    for text in texts:
        if "=" not in text:
            raise InputError("--set", "must say NAME=A,B, or each", text, "write --set early=lactate,concern")
    return {text.split("=", 1)[0].strip(): names_of(text.split("=", 1)[1], "--set") for text in texts} or None


@click.command(cls=Command)
@file_argument(required=False)
@data_options
@option("--figure", type=click.Choice(FIGURES), default="roc", help="Which figure.")
@keyword_options(
    ContentKeywords, without=("labels", "scenarios", "sets", "cdf", "support", "probabilities", "shares", "cutoff")
)
@option(
    "--labels",
    type=_Labels(),
    metavar="N|all",
    help="roc: write N thresholds along each curve; all: the coordinates of ready-made points.",
)
@option("--cutoff", type=click.Choice(PLAIN_CRITERIA), help=words_of(options_of(ContentKeywords)["cutoff"].words))
@option(
    "--scenario",
    type=(str, float, float, float),
    multiple=True,
    metavar="NAME P C_FP C_FN",
    help="hull: a line of equal cost for this prevalence and these costs; repeatable.",
)
@option(
    "--set",
    "sets",
    multiple=True,
    metavar="NAME=A,B",
    help="hull, pareto: a hull or front for each set of classifiers; repeatable, or each for every one on its own.",
)
@option("--shares", type=float, nargs=3, metavar="LOW MODE HIGH", help=options_of(ContentKeywords)["shares"].words)
@option("--cdf", metavar="NAME:NUMBERS", help="cdf: uniform:LOW,HIGH, normal:MEAN,SD or exponential:RATE.")
@option("--discrete", metavar="VALUE=P,...", help="cdf: values and their probabilities, also as 1/5.")
@option(
    "--curve",
    type=float,
    nargs=2,
    multiple=True,
    metavar="E R",
    help="exponential: England's curve with these parameters, without a FILE; repeatable.",
)
@option(
    "--fuzziness", type=float, metavar="Q", help="penalty: exponent of the memberships (default 2), without a FILE."
)
@keyword_options(RegionKeywords, BenefitKeywords, LevelKeywords)
@keyword_options(LooksKeywords, without=("names", "colors"))
@option("--rename", metavar="OLD=NEW", multiple=True, help="Another name of a score, group or class; repeatable.")
@option(
    "--color", metavar="NAME=COLOUR", multiple=True, help="Colour of a curve, by its score, group or class; repeatable."
)
@point_options
@resampling_options
@output_options
def plot(
    file: str | None, output: Output, data: Data, draws: Draws, points: PointOptions, asked: dict[str, Any], **own: Any
) -> None:
    r"""What does it look like? Every figure as SVG, PDF or PNG.

    The ending of --out says which: .svg, .pdf or .png; without --out the figure goes to FIGURE.svg in this folder.
    Several scores are drawn together where that makes sense. The numbers that the figure shows are printed, with --json
    and --csv in every digit.

    \b
    Examples:
      roclab plot example --label outcome --positive deteriorated \
          --score procalcitonin --score lactate
      roclab plot example --label outcome --positive deteriorated --score lactate \
          --band pointwise --cutoff youden --out lactate.pdf
      roclab plot example --label outcome --positive deteriorated --score lactate \
          --fpr 0 0.2 --percent --title Lactate
      roclab plot example --label outcome --positive deteriorated --score procalcitonin \
          --figure distribution --log --cutoff youden
      roclab plot example --label outcome --positive deteriorated --score lactate \
          --figure metrics --x recall --y precision --cutoff youden
      roclab plot example --label outcome --positive deteriorated --score lactate \
          --figure smooth --estimator binormal --estimator kernel_k1
      roclab plot example --label outcome --positive deteriorated --score lactate \
          --figure average --fold ward
      roclab plot example --label outcome --positive deteriorated \
          --score procalcitonin --score lactate --score concern --figure forest --size double
      roclab plot example --label outcome --positive deteriorated --score lactate \
          --specificity-axis --digits 2 --rename lactate=Lactate
      roclab plot example --label outcome --positive deteriorated --score lactate --score concern \
          --figure hull --scenario ward 0.3 1 2 --scenario screening 0.02 1 20
      roclab plot example --label outcome --positive deteriorated --score lactate --score concern \
          --figure hull --set each
      roclab plot example --label outcome --positive deteriorated --score lactate \
          --figure likelihood --at-threshold 1 --at-threshold 2 --at-threshold 4
      roclab plot wines --label grape --score barbera --score barolo --score gamay \
          --figure multiclass --out grapes.png
      roclab plot --figure exponential --curve 2 0.5 --curve 4 0.5 --curve 9 0.5
    """
    name = own.pop("figure")
    out = f"{name}.svg" if output.out is None else output.out
    formula = {"exponential": list(own.pop("curve")) or None, "penalty": own.pop("fuzziness")}
    _check_formula(name, file, formula, data)
    if file is not None:
        replace(output, out=out).spare(file)
    check_figure_place(out, name="--out")
    from roclab.plots.by_name import figure, takes

    asked["names"] = _renaming(own.pop("rename"))
    asked["colors"] = _colours(own.pop("color"))
    asked["scenarios"] = {name: tuple(values) for name, *values in own.pop("scenario")} or None
    asked["sets"] = _sets(own.pop("sets"))
    discrete = own.pop("discrete")
    if discrete is not None:
        asked["support"], asked["probabilities"] = discrete_of(discrete)
    asked |= {word: value for word, value in own.items() if value is not None}
    given: Any = None if file is None else points.curves(file, data)
    if file is None:
        given = 2.0 if formula[name] is None else formula[name]
    elif given is not None:
        pass
    elif name in ("multiclass", "combination", "cdf", *READER_FIGURES):  # which read other things than cases
        given = table_of_file(file)
        asked |= data.keywords()
    else:
        given = file if name == "design" else data.read(file)
    with draws.shown() as resampling:
        # A pointwise band needs no resampling, but takes it where something is said about it.
        always = takes(name, "resampling") and asked.get("band") != "pointwise"
        shown = figure(name, given, **draws.keywords(resampling, always=always), **asked)
    shown.save(out, name="--out")
    replace(output, out=None).show(replace(shown, file=out))


_FORMULAS = {"exponential": "--curve", "penalty": "--fuzziness"}  # figures without data, and what they are drawn from


def _check_formula(name: str, file: str | None, formula: dict[str, Any], data: Data) -> None:
    """Refuse parameters of another figure, a file for a figure of a formula, and neither."""
    for figure, option_name in _FORMULAS.items():
        if formula[figure] is not None and name != figure:
            raise InputError(option_name, f"is for --figure {figure}", Words(f"it with {name}"), "leave it out")
    if name not in _FORMULAS:
        if file is None:
            raise InputError("", f"--figure {name} needs a FILE", Words("none"), "name the file with the cases")
        return
    if file is not None:
        rule = f"--figure {name} is drawn from {_FORMULAS[name]}"
        raise InputError("", rule, Words(f"the file {file}"), "leave the file out")
    refuse("columns need a FILE that holds them", data.columns)
    if name == "exponential" and formula[name] is None:
        raise InputError("--curve", "must give E and R", Words("none"), "write --curve 2 0.5, once or more")
