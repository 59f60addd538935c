"""``roclab bench``: train and test classifiers, and choose."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.data import Data, table_of_file
from roclab.cli.shared.derived import keyword_options
from roclab.cli.shared.options import level_option, outcome_options, output_options, seed_option
from roclab.cli.shared.progress import bar_unless_quiet
from roclab.cli.shared.wording import saying
from roclab.errors import InputError, Words
from roclab.names import (
    BENCH_BALANCES,
    BENCH_CLASSIFIERS,
    BENCH_COMPARISONS,
    BENCH_FIGURES,
    BENCH_SAMPLINGS,
    BENCH_SETTINGS,
    FIXED_RULES,
)
from roclab.options.criterion import CostKeywords
from roclab.options.data import ReadingKeywords

if TYPE_CHECKING:
    from roclab.cli.shared.output import Output
    from roclab.results import Bench, Result

_ANY_CELLS = {"misclassified": False, "correct": True}
_PARTS = ("table", "folds", "compare", "matrix", "hull", "choice", "experiments", "practical", "inside")


@click.command(cls=Command)
@file_argument()
@outcome_options
@option(
    "--feature", metavar="COLUMN", multiple=True, heading="Data", help="Column to learn from; repeatable (default all)."
)
@option("--exclude", metavar="COLUMN", multiple=True, heading="Data", help="Column to leave out; repeatable.")
@option("--categorical", metavar="COLUMN", multiple=True, heading="Data", help="Numbers that are words; repeatable.")
@option("--test", metavar="FILE", heading="Data", help="Cases to test on, in a file with the same columns.")
@option(
    "--models", metavar="A,B,…", default="logistic,naive_bayes,knn,tree", help=f"Any of {', '.join(BENCH_CLASSIFIERS)}"
)
@option(
    "--settings",
    type=click.Choice(BENCH_SETTINGS),
    default="modern",
    help="Sound settings, or those of the printed tables",
)
@option("--sampling", type=click.Choice(BENCH_SAMPLINGS), help="How cases are split (default k_fold).")
@option(
    "--folds", "fold_design", metavar="N|COLUMN", help="Number of folds (default 10), or the column that holds them."
)
@option("--repeats", type=int, metavar="N", help="How often the design is drawn (splits 20, bootstrap 100, else 1).")
@option("--test-share", type=float, default=0.5, metavar="SHARE", help="Tested share of every random split.")
@option("--balance", metavar="A,B,…", default="none", help=f"Negatives to train on: any of {', '.join(BENCH_BALANCES)}")
@option("--combine", metavar="A,B,…", help=f"Fixed rules over the models: any of {', '.join(FIXED_RULES)}.")
@option("--second-level", metavar="A,B,…", help="Classifiers that learn from the scores of the models.")
@option("--fpr", type=float, nargs=2, metavar="LOW HIGH", help="Also the partial area over these rates.")
@option("--compare-by", metavar="MEASURE", default="AUC", help="What --show compare compares: AUC, tAUC, accuracy …")
@option("--compare-method", type=click.Choice(BENCH_COMPARISONS), help="How (default delong for areas).")
@option("--region", type=float, default=0.01, metavar="X", help="Differences that do not matter, for --show practical.")
@option("--show", metavar="A,B,…", help=f"Parts to print: {', '.join(_PARTS)} (default table,compare).")
@option("--model", metavar="NAME", help="Whose matrix, or inside, --show prints (default the best).")
@keyword_options(CostKeywords, into="costs")
@level_option
@seed_option
@option("--threads", type=int, metavar="N", heading="Resampling", help="Threads (default one per processor).")
@option("--resume", metavar="FILE", heading="Resampling", help="Keep finished pieces here; a stopped run goes on.")
@option("--scores-out", metavar="PATH", heading="Output", help="Write id, class and scores of every case as CSV.")
@option(
    "--cells",
    metavar="ACTUAL:CALLED",
    multiple=True,
    heading="Output",
    help="Cells of the matrix for --rows-out: a class each, or misclassified, or correct; repeatable.",
)
@option("--rows-out", metavar="PATH", heading="Output", help="Write the rows of the file behind --cells as CSV.")
@option(
    "--figure",
    metavar="KIND=PATH",
    multiple=True,
    heading="Output",
    help=f"Draw {', '.join(BENCH_FIGURES)}; repeatable.",
)
@option(
    "--figure-models",
    metavar="A,B,…",
    heading="Output",
    help="With --figure: these models only; a classifier stands for its models under every --balance.",
)
@option("--figure-balance", metavar="A,B,…", heading="Output", help="With --figure: these balances only.")
@option("--report", metavar="PATH", heading="Output", help="Write the one-page report.")
@output_options
def bench(
    file: str,
    data: Data,
    costs: dict[str, Any],
    output: Output,
    **asked: Any,
) -> None:
    r"""Which classifier is best, by how much, and where to cut?

    Every column of FILE but the outcome is a feature, unless some are named. Words become columns of 0 and 1 and gaps
    are filled inside every training part. All models see the same splits; areas, intervals and comparisons are about
    cases that a model has not seen.

    \b
    Examples:
      roclab bench example --label outcome --positive deteriorated --exclude ward \
          --models logistic,naive_bayes,tree --folds 5 --seed 1
      roclab bench example --label outcome --positive deteriorated --exclude ward \
          --models logistic,ldc --folds 5 --show hull,choice --cost-fn 5 --seed 1
      roclab bench wines --label grape --models logistic,naive_bayes --folds 5 \
          --show table,matrix --seed 1
      roclab bench example --label outcome --positive deteriorated --exclude ward \
          --models logistic,ldc --folds 5 --balance none,fcm,random --seed 1 \
          --figure troc=balances.svg --figure-models logistic
    """
    import roclab as rl
    from roclab._core.whole_file import check_place, write_whole
    from roclab.results import Several

    output.spare(file)
    shown = _listed(asked["show"], "--show", _PARTS) or ["table", "compare"]
    figures = [_figure(one) for one in asked["figure"]]
    chosen = {
        word: _listed(asked[name], f"--{name.replace('_', '-')}")
        for word, name in (("models", "figure_models"), ("balance", "figure_balance"))
        if asked[name] is not None
    }
    if chosen and not figures:
        name = "--figure-models" if "models" in chosen else "--figure-balance"
        raise InputError(name, "chooses what --figure draws", Words("no --figure"), "add it")
    if asked["scores_out"] is not None:
        check_place(asked["scores_out"], name="--scores-out")
    if asked["rows_out"] is not None:
        check_place(asked["rows_out"], name="--rows-out")
    if (asked["rows_out"] is None) != (not asked["cells"]):
        raise InputError("--rows-out", "goes together with --cells", Words("one of them"), "give both")
    if asked["report"] is not None:
        from roclab.report.write import check_places

        check_places(asked["report"], name="--report")
    balances: Any = _listed(asked["balance"], "--balance")
    with bar_unless_quiet("training") as bar:
        found: Any = rl.bench(
            table_of_file(file),
            **_keywords(data, asked),
            models=_listed(asked["models"], "--models"),
            settings=asked["settings"],
            sampling=asked["sampling"],
            repeats=asked["repeats"],
            test_share=asked["test_share"],
            test=None if asked["test"] is None else table_of_file(asked["test"]),
            balance=balances,
            exclude=list(asked["exclude"]),
            categorical=list(asked["categorical"]),
            fpr=asked["fpr"],
            level=asked["level"],
            rng=asked["seed"],
            workers=asked["threads"],
            progress=bar,
            resume=asked["resume"],
        )
        if data.by:
            output.show(found)
            return
        if asked["combine"] or asked["second_level"]:
            second = _listed(asked["second_level"], "--second-level") if asked["second_level"] else None
            rules = _listed(asked["combine"], "--combine") if asked["combine"] else []
            found = found.combine(rules, second_level=second)
        parts = {name: _part(found, name, asked, costs) for name in shown if _there(found, name, asked)}
    notes = []
    if asked["scores_out"] is not None:
        from roclab._core.text import csv_text

        write_whole(asked["scores_out"], csv_text(found.out_of_fold()), name="--scores-out")
        notes.append(f"scores of all test cases written to {asked['scores_out']}")
    if asked["rows_out"] is not None:
        numbers = _numbers_of_cells(found, asked)
        write_whole(asked["rows_out"], _rows_of(file, data, numbers), name="--rows-out")
        notes.append(f"{len(numbers)} rows written to {asked['rows_out']}")
    with saying({"models": "--figure-models", "balance": "--figure-balance"}):
        drawn = [(kind, path, found.plot(kind, **chosen)) for kind, path in figures]
    for kind, path, picture in drawn:
        picture.save(path, name="--figure")
        notes.append(f"figure {kind} written to {path}")
    if asked["report"] is not None:
        found.write_report(asked["report"], rng=asked["seed"], source=Path(file).name, **costs)
        notes.append(f"report written to {asked['report']}")
    whole: Result = next(iter(parts.values())) if len(parts) == 1 else Several(results=parts)
    output.show(whole, notes)


def _numbers_of_cells(found: Bench, asked: dict[str, Any]) -> list[int]:
    """Rows of the table behind the cells that were asked for, each once, in the order of the table."""
    matrix = found.matrix(asked["model"] or found.table().models[0].model)
    numbers: set[int] = set()
    for cell in asked["cells"]:
        if cell in _ANY_CELLS:
            chosen = matrix.cases(correct=_ANY_CELLS[cell])
        else:
            # A class may hold colons itself: the cut is the one that leaves a class on both sides.
            cuts = [(cell[:at], cell[at + 1 :]) for at, sign in enumerate(cell) if sign == ":"]
            fits = [one for one in cuts if set(one) <= set(matrix.classes)]
            if not fits:
                raise InputError("--cells", "must be ACTUAL:CALLED with two of the classes "
                                 f"{', '.join(matrix.classes)}, or misclassified, or correct", cell)  # fmt: skip
            chosen = matrix.cases(actual=fits[0][0], called=fits[0][1])
        numbers |= {int(at) + 1 for at in chosen.positions}
    return sorted(numbers)


def _rows_of(file: str, data: Data, numbers: list[int]) -> str:
    from roclab.analysis.table_overview import held_table
    from roclab.analysis.table_rows import rows_as_text

    reading = {name: value for name, value in data.keywords(()).items() if name in ReadingKeywords.__annotations__}
    return rows_as_text(held_table(table_of_file(file), **reading).table, numbers)


def _keywords(data: Data, asked: dict[str, Any]) -> dict[str, Any]:
    keywords = data.keywords(tuple(dict.fromkeys(asked["feature"])))
    keywords.pop("direction", None)
    folds = asked["fold_design"]
    if folds is not None:
        keywords["folds"] = int(folds) if folds.isdecimal() else folds
    return keywords


def _listed(text: str | None, name: str, known: tuple[str, ...] | None = None) -> list[str]:
    if text is None:
        return []
    words = [word.strip() for word in text.split(",") if word.strip()]
    if not words:
        raise InputError(name, "must name at least one", Words("nothing"))
    for word in words:
        if known is not None and word not in known:
            raise InputError(name, f"must name any of {', '.join(known)}, joined by commas", word)
    return words


def _figure(text: str) -> tuple[Any, str]:
    from roclab._core.figure_file import check_figure_place

    kind, equals, path = text.partition("=")
    if not equals or kind not in BENCH_FIGURES:
        raise InputError("--figure", f"must be KIND=PATH with a kind of {', '.join(BENCH_FIGURES)}", text)
    check_figure_place(path, name="--figure")
    return kind, path


def _there(found: Bench, name: str, asked: dict[str, Any]) -> bool:
    """One model has nothing to be compared with; only what was asked for by name is missed."""
    return name != "compare" or len(found.complete) > 1 or asked["show"] is not None


def _part(found: Bench, name: str, asked: dict[str, Any], costs: dict[str, Any]) -> Result:
    if name == "compare":
        return found.compare(by=asked["compare_by"], method=asked["compare_method"], rng=asked["seed"])
    if name == "matrix":
        return found.matrix(asked["model"] or found.table().models[0].model)
    if name == "inside":
        return found.inside(asked["model"] or found.table().models[0].model)
    if name == "choice":
        return found.choose(**costs)
    if name == "practical":
        return found.practical(by=asked["compare_by"], region=asked["region"])
    if name == "folds":
        return found.folds(asked["compare_by"])
    made: Any = getattr(found, name)()
    return made  # type: ignore[no-any-return]
