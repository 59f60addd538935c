"""The command ``roclab``: finds the command asked for, runs it, and turns every failure into one line.

Start-up is what a user of a command line feels first. So a command is imported when it is asked for, from the file
of its name, and what computes (NumPy, SciPy) is imported when the command runs. Help needs neither.
"""

from __future__ import annotations

import os
import signal
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import click

from roclab import __version__
from roclab.cli.shared.lazy import LazyCommands
from roclab.cli.shared.memory import lack_of_memory
from roclab.cli.shared.output import forget_output
from roclab.cli.shared.wording import in_options, in_words
from roclab.errors import RoclabError, RoclabWarning

__all__ = ["COMMANDS", "TOPICS", "Settings", "cli", "main"]

# What each command answers; also the first line of its own help, which a test compares.
COMMANDS = {
    "app": "A page in the browser: from a file to a decision with the mouse.",
    "auc": "How well does each score tell the classes apart? Areas, intervals and tests.",
    "average": "What is the curve over folds, runs or readers? Averages and their spread.",
    "bench": "Which classifier is best, by how much, and where to cut?",
    "cad": "What in a chest CT is suspicious? Train a lung CAD, apply it, and judge its stages.",
    "combine": "What do classifiers reach together? Between two, AND, OR, chains, hybrids.",
    "compare": "Do scores differ in how well they tell the classes apart?",
    "completion": "Let the shell finish commands, options, files and columns.",
    "concordance": "Of two cases, does the one with the higher score have the event first?",
    "confusion": "How good are the calls at one threshold? The matrix and its metrics.",
    "curve": "What does the curve look like? Points, operating points and bands.",
    "cutoff": "Where to cut a score? The best cut-offs, their table and their uncertainty.",
    "dce": "Where are lesions in DCE-MRI? Train, map, evaluate, and show.",
    "doctor": "What does a file hold, what should one beware of, and what to type next?",
    "example": "Write a data set to try things on, and say what to try.",
    "fit": "What do columns tell together? Models, and the ROC analysis of their scores.",
    "froc": "How good is a detector of lesions? Sensitivity by false positives per scan.",
    "hull": "Which classifier is best for which prevalence and costs?",
    "marks": "What did another detector, or a reader, mark? A table for roclab froc and roclab cad.",
    "match-classes": "Which class of one run is which of another, and where do they differ?",
    "multiclass": "How well are many classes told apart? Areas, averages and calls.",
    "nodules": "What in the lungs may be a nodule? Regions of interest and their features.",
    "phantom": "Make a chest CT with known lungs and nodules, to try things on.",
    "plot": "What does it look like? Every figure as SVG, PDF or PNG.",
    "power": "How many cases does a study need, or what can it show?",
    "rank-test": "Do samples come from one distribution? Rank and Kolmogorov tests.",
    "readers": "Do modalities differ when several readers read the same cases?",
    "readers-size": "How many readers and cases does a reader study need?",
    "report": "One page with everything: areas, curves, comparisons, cut-offs, explorer.",
    "reproduce": "Do the published tables and examples come out? What the texts print or claim, beside ours.",
    "screen": "Which of many markers tell the classes apart? One row per marker.",
    "segment": "Where are the lungs in a CT, or what classes has an image?",
    "selective": "What if only the sure cases were answered? Errors against coverage, and referral.",
    "simulate": "How good is an estimator of the area? Its bias and error, by simulation.",
    "tally": "Count scores where the rows are, and pool the counts: a curve without sharing cases.",
    "ties": "Which scores does the AUC not tell apart, and what decides between them?",
}

# Under which heading of the help each command stands.
TOPICS = {
    "Analyse": (
        "auc",
        "compare",
        "concordance",
        "curve",
        "screen",
        "multiclass",
        "rank-test",
        "ties",
        "average",
        "plot",
        "report",
        "app",
    ),
    "Decide": ("cutoff", "confusion", "selective", "hull", "combine"),
    "Train": ("bench", "fit"),
    "Readers": ("readers", "readers-size"),
    "Images": ("froc", "segment", "match-classes", "nodules", "cad", "dce", "marks", "phantom"),
    "Studies": ("power", "simulate", "reproduce"),
    "Around": ("doctor", "example", "tally", "completion"),
}

DONE, BUG, WRONG, STOPPED, HUNG_UP, BROKEN_PIPE, TERMINATED = 0, 1, 2, 130, 129, 141, 143

_EPILOG = """\
\b
Every command has its own help: roclab auc --help
FILE may be .csv, .tsv, .txt, .tab (also .gz or .zip of them), .parquet, .arrow, .feather,
.ipc, .xlsx, .sav (SPSS), .dta (Stata) or .imrmc, a pattern such as "parts/*.parquet", a
folder of such files, a table of a DuckDB file (file.duckdb::table) or counts (.tally); "-"
reads CSV from standard input; words such as "example", "wines", "readings" and "lesions"
mean the data sets that come with roclab. roclab doctor FILE says what a file holds.

\b
Exit codes:
    0  done
    1  a bug in roclab (rerun with -v to see where); for reproduce, a difference
       without a reason
    2  something given cannot be used; the line after "Error:" says what and why
  129  stopped because the terminal was closed (the signal HUP, unless nohup is used);
       no file was written
  130  stopped by Ctrl-C; no file was written
  141  the reader of the output went away, as head does
  143  stopped by the signal TERM, as kill sends it; no file was written. Work in
       the background of a script, where Ctrl-C is not heard, is stopped with it
"""


@dataclass
class Settings:
    """What -q and -v ask for, known to whoever handles a failure."""

    quiet: bool = False
    verbose: bool = False


class _Terminated(KeyboardInterrupt):
    """The signal TERM: ends everything on the same ways as Ctrl-C."""


class _HungUp(KeyboardInterrupt):
    """The signal HUP, sent when the terminal is closed: it would leave folders with the user's data behind."""


class _StoppedError(Exception):
    """Ctrl-C, TERM or HUP, out of reach of click, which would print lines of its own."""

    def __init__(self, code: int) -> None:
        super().__init__()
        self.code = code


class _PipeClosedError(Exception):
    """The reader of the output went away."""


class LazyGroup(LazyCommands):
    """All commands, and what happens when one fails."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; what click would handle in its own way is renamed first."""
        try:
            with _warnings_in_words():
                return super().invoke(ctx)
        except BrokenPipeError:
            raise _PipeClosedError from None
        except KeyboardInterrupt as stop:
            raise lack_of_memory(stop) or _StoppedError(_code_of(stop)) from None
        except Exception as error:
            # Ctrl-C between two steps of a lock makes Python fail on the way out: the stop is what happened.
            behind = _stop_behind(error)
            if behind is None:
                raise
            raise _StoppedError(_code_of(behind)) from None

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run and leave with an exit code; see the end of ``roclab --help`` for what they mean."""
        settings = Settings()

        def run() -> Any:
            return super(LazyGroup, self).main(
                args,
                prog_name or "roclab",
                complete_var,
                standalone_mode=False,
                windows_expand_args=windows_expand_args,
                obj=settings,
                **extra,
            )

        return sys.exit(_guarded(run, settings)) if standalone_mode else run()


def _guarded(run: Any, settings: Settings) -> int:
    """The exit code of a run, with one line on standard error for everything that went wrong."""
    try:
        code = run()
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.UsageError as error:
        with suppress(OSError):  # as in _say
            if sys.stderr is not None:  # click would take standard output instead
                error.show()
        return WRONG
    except (RoclabError, click.ClickException) as error:
        message = error.format_message() if isinstance(error, click.ClickException) else in_options(error)
        _complain(message)
        return WRONG
    except (_StoppedError, KeyboardInterrupt, click.Abort) as stop:
        with suppress(OSError):  # a terminal that was closed takes no words
            if sys.stderr is not None and sys.stderr.isatty():
                click.echo(err=True)  # the terminal has just shown ^C
            click.echo("stopped", err=True)
        return _code_of(stop)
    except (_PipeClosedError, BrokenPipeError):
        forget_output()
        return BROKEN_PIPE
    except Exception as error:
        lack = lack_of_memory(error)
        if lack is not None:
            _complain(in_options(lack))
            return WRONG
        if isinstance(error, OSError) and _written_by_click(error):
            forget_output()
            _complain(f"standard output must take what is written to it, got {error.strerror or error}.")
            return WRONG
        if settings.verbose and sys.stderr is not None:
            import traceback

            traceback.print_exc()
        words = f": {error}" if str(error) else ""
        hint = "please report it" if settings.verbose else "rerun with -v to see where, and please report it"
        _complain(f"{type(error).__name__}{words} (a bug in roclab; {hint}).")
        return BUG
    return code if isinstance(code, int) else DONE


def _written_by_click(error: OSError) -> bool:
    """Whether it was help or another text of click's that standard output did not take; answers are printed by us."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return last is not None and str(last.tb_frame.f_globals.get("__name__")).startswith("click.")


def _stop_behind(error: BaseException) -> KeyboardInterrupt | None:
    """The Ctrl-C or TERM during whose handling an error came up."""
    behind = error.__context__
    while behind is not None and not isinstance(behind, KeyboardInterrupt):
        behind = behind.__context__
    return behind


def _code_of(stop: BaseException) -> int:
    if isinstance(stop, _StoppedError):
        return stop.code
    return TERMINATED if isinstance(stop, _Terminated) else HUNG_UP if isinstance(stop, _HungUp) else STOPPED


@contextmanager
def _warnings_in_words() -> Iterator[None]:
    """Show each warning of the library once, as one line on standard error, whatever Python would do with it."""
    shown: set[str] = set()

    def show(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
        if not issubclass(category, RoclabWarning):
            usual(message, category, *_, **__)
        elif str(message) not in shown:
            shown.add(str(message))
            marked = message.args[0] if isinstance(message, Warning) else message
            _say("Warning:", "yellow", in_words(str(marked)))

    with warnings.catch_warnings():
        warnings.simplefilter("always", RoclabWarning)
        usual, warnings.showwarning = warnings.showwarning, show
        yield


def _complain(sentence: str) -> None:
    _say("Error:", "red", sentence)


def _say(word: str, colour: str, sentence: str) -> None:
    colours = None if not os.environ.get("NO_COLOR") else False
    with suppress(OSError):  # a full disk or a closed terminal changes neither the answer nor the exit code
        click.echo(f"{click.style(word, fg=colour, bold=True)} {sentence}", err=True, color=colours)


@click.group(
    cls=LazyGroup,
    answers=COMMANDS,
    topics=TOPICS,
    epilog=_EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    no_args_is_help=True,
)
@click.version_option(__version__, prog_name="roclab", message="%(prog)s %(version)s")
def cli() -> None:
    """ROC analysis: curves, areas, uncertainty, comparison and decisions.

    Try it on the data that come with roclab:

    roclab auc example --label outcome --positive deteriorated --score lactate
    """


def main() -> None:
    """Run the program ``roclab``, once ``start`` has imported it."""
    _fill_closed_streams()
    # A shell that starts work in the background lets it ignore Ctrl-C, and that stays so; TERM is then the way to stop.
    signal.signal(signal.SIGTERM, _terminate)
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # which nohup asks for
        signal.signal(signal.SIGHUP, _hang_up)
    try:
        cli.main()
    except SystemExit as end:
        if end.code in (STOPPED, TERMINATED, HUNG_UP):
            _leave(end.code)
        raise


def _fill_closed_streams() -> None:
    """Give streams that the caller closed (``2>&-``) a descriptor: the next file would get it, and others' words."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest that is free, which is this one


def _terminate(*_: Any) -> None:
    raise _Terminated


def _hang_up(*_: Any) -> None:
    raise _HungUp


def _leave(code: int) -> None:
    """End at once while threads are in a long step: Python on its way out would pull the house from under them."""
    work = sys.modules.get("roclab._core.work")  # what was never imported has no threads
    if work is not None and work.unfinished():
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
        os._exit(code)
