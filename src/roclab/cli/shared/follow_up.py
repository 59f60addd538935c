"""Follow-up on the command line: times, events and horizons, for the commands that know them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from roclab._core.figure_file import check_figure_place
from roclab.cli.shared.command import Run, option
from roclab.cli.shared.data import table_of_file
from roclab.cli.shared.derived import words_of
from roclab.cli.shared.parsing import refuse
from roclab.errors import InputError, Words
from roclab.names import CONTROLS
from roclab.options.follow_up import FollowUpKeywords
from roclab.options.group import first_paragraph, options_of
from roclab.options.spelling import option_of

if TYPE_CHECKING:
    from roclab.cli.shared.data import Data
    from roclab.cli.shared.output import Output

__all__ = ["follow_up_options", "followed_table", "only_these", "show_and_draw"]

_HEADING = "Time to event"
_FIGURE = "roclab.figure"
_DRAWN = "Draw the answer too: .svg, .pdf or .png; areas need several horizons."
_KINDS: dict[str, dict[str, Any]] = {
    "time": {"metavar": "COLUMN"},
    "event": {"metavar": "COLUMN"},
    "cause": {"metavar": "CODE"},
    "competing": {"metavar": "CODE", "multiple": True},
    "censored": {"metavar": "CODE", "multiple": True},
    "at": {"metavar": "T", "multiple": True, "type": float},
    "controls": {"type": click.Choice(CONTROLS)},
    "censoring": {"metavar": "COLUMN|cox:COLUMN", "multiple": True},
    "landmark": {"metavar": "T", "multiple": True, "type": float},
}
_UNUSED = ("label", "pos_label", "neg_label", "weights", "folds", "samples", "negative_file", "explain")
_QUESTIONS = ("Question", "Uncertainty", "Resampling", "Engine")  # headings of options that ask something


def follow_up_options(*, without: tuple[str, ...] = (), drawn: bool = False) -> Callable[[Run], Run]:
    """Add the options, and hand them over as one dict, ``followed``; with ``drawn`` a figure of the answer too."""
    words = {name: one.words for name, one in options_of(FollowUpKeywords).items() if name not in without}

    def decorate(command: Run) -> Run:
        @functools.wraps(command)
        def run(**values: Any) -> Any:
            found = {name: values.pop(_parameter(name)) for name in words}
            followed = {name: _value(name, value) for name, value in found.items() if value not in (None, ())}
            figure = values.pop("figure", None) if drawn else None
            if figure is not None:
                if not followed:
                    raise InputError("--figure", "belongs to --time here", Words("none"), "use roclab plot")
                check_figure_place(figure, name="--figure")
                click.get_current_context().meta[_FIGURE] = figure
            return command(**values, followed=followed)

        wrapped: Any = run
        if drawn:
            wrapped = option("--figure", metavar="PATH", heading=_HEADING, help=_DRAWN)(wrapped)
        for name in reversed(words):
            again = "; repeatable" if _KINDS[name].get("multiple") else ""
            help = words_of(first_paragraph(words[name])).rstrip(".") + again + "."
            called = option_of(_parameter(name))
            wrapped = option(called, _parameter(name), heading=_HEADING, help=help, **_KINDS[name])(wrapped)
        return wrapped  # type: ignore[no-any-return]

    return decorate


def show_and_draw(output: Output, answer: Any, *, drawn: Any = None) -> None:
    """Print an answer, and draw it, or what it comes from, where --figure says."""
    figure = click.get_current_context().meta.get(_FIGURE)
    picture = answer if drawn is None else drawn
    if figure is not None and not hasattr(picture, "plot"):
        raise InputError("--figure", "draws areas at several horizons, curves, calibration and net benefit",
                         Words("another answer"), "leave it out")  # fmt: skip
    if figure is not None:
        picture.plot(figure)
    output.show(answer)


def _parameter(name: str) -> str:
    """``at`` is called --horizon: compare has an --at of its own, a threshold probability."""
    return "horizon" if name == "at" else name


def _value(name: str, value: Any) -> Any:
    if name in ("cause", "competing", "censored"):
        codes = [_code(one) for one in ([value] if isinstance(value, str) else value)]
        return codes[0] if len(codes) == 1 else codes
    if name == "censoring":
        return _censoring(value)
    if name == "landmark":
        return value[0] if len(value) == 1 else list(value)
    return list(value) if name == "at" else value


def _censoring(words: tuple[str, ...]) -> Any:
    """Columns of strata, or with cox: before them covariates."""
    if words == ("marginal",):
        return "marginal"
    marked = [word.startswith("cox:") for word in words]
    if any(marked) and not all(marked):
        raise InputError(
            "--censoring", "is either strata or a Cox model", Words("both"), "write cox: before all or none"
        )
    columns = [word.removeprefix("cox:") for word in words]
    return {"cox": columns} if all(marked) else columns


def only_these(*allowed: str) -> None:
    """Refuse every option of the command that has no part at a horizon."""
    context = click.get_current_context()
    given = {
        one.opts[0]: True
        for one in context.command.params
        if getattr(one, "heading", "") in _QUESTIONS
        and one.name not in allowed
        and context.get_parameter_source(str(one.name)) is ParameterSource.COMMANDLINE
    }
    refuse("--time asks who has the event by a horizon", given)


def _code(text: str) -> Any:
    """A number where it is one: codes of files are numbers where all are."""
    try:
        number = float(text)
    except ValueError:
        return text
    return int(number) if number.is_integer() else number


def followed_table(file: str, data: Data) -> tuple[Any, dict[str, Any]]:
    """The file, and what was said of its columns; what belongs to classes is refused."""
    given = {option_of(name): getattr(data, name) for name in _UNUSED if getattr(data, name) not in (None, (), False)}
    refuse("--time asks who has the event by a horizon, not for a class", given)
    asked: dict[str, Any] = {"score": list(data.score), **data.reading(missing=True)}
    if not data.score:
        asked.pop("score")
    if data.by:
        asked["by"] = list(data.by)
    for name in ("sample_weight", "ids"):
        if getattr(data, name) is not None:
            asked[name] = getattr(data, name)
    if data.direction:
        asked["direction"] = data.directions(data.score)
    return table_of_file(file), asked
