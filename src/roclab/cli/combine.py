"""``roclab combine``: new classifiers from old ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.data import Data, table_of_file
from roclab.cli.shared.derived import given, keyword_options, priced
from roclab.cli.shared.options import data_options, level_option, output_options
from roclab.cli.shared.parsing import point_of, refuse
from roclab.errors import InputError, Words
from roclab.names import CHAIN_ORDERS
from roclab.options.criterion import CostKeywords

if TYPE_CHECKING:
    from roclab.cli.shared.output import Output


@click.command(cls=Command)
@file_argument("file", required=False)
@data_options
@option("--interpolate", nargs=2, metavar="FPR,TPR FPR,TPR", help="Flip a coin between two classifiers to meet --fpr.")
@option("--and", "all_of", is_flag=True, help="Positive when all classifiers say so.")
@option("--or", "any_of", is_flag=True, help="Positive when any classifier says so.")
@option("--chain", is_flag=True, help="OR of the classifiers that add most, as long as --max-fpr is kept.")
@option(
    "--order",
    type=click.Choice(CHAIN_ORDERS),
    default="gain",
    help="With --chain, who joins next: most true per false positive, along the hull, or what lowers the cost.",
)
@option("--hybrid", is_flag=True, help="Along the common hull of the scores: all of it, at --fpr, or by costs.")
@option("--point", metavar="[NAME:]FPR,TPR", multiple=True, help="A classifier known by its rates only; repeatable.")
@option("--predicted", metavar="COLUMN", multiple=True, help="A classifier by its column of predictions; repeatable.")
@option("--threshold", type=float, metavar="T", multiple=True, help="Makes a --score a classifier; one per --score.")
@option("--fpr", type=float, metavar="RATE", help="The false positive rate to meet.")
@option("--max-fpr", type=float, metavar="RATE", help="The largest false positive rate you accept.")
@keyword_options(CostKeywords, into="costs")
@option("--select-on", metavar="VALUE", multiple=True, help="Choose on this --fold, measure on the rest; repeatable.")
@level_option
@output_options
def combine(
    file: str | None,
    data: Data,
    interpolate: tuple[str, str] | None,
    all_of: bool,
    any_of: bool,
    chain: bool,
    order: Any,
    hybrid: bool,
    point: tuple[str, ...],
    predicted: tuple[str, ...],
    threshold: tuple[float, ...],
    fpr: float | None,
    max_fpr: float | None,
    costs: dict[str, Any],
    select_on: tuple[str, ...],
    level: float,
    output: Output,
) -> None:
    r"""What do classifiers reach together? Between two, AND, OR, chains, hybrids.

    Classifiers are points (no FILE), columns of predictions, or scores with a threshold each. Points alone leave open
    how often classifiers err together: the result is shown for independent errors and between its bounds. Data show
    what really happens. A hybrid takes scores and finds the thresholds itself.

    \b
    Examples:
      roclab combine --interpolate 0.1,0.5 0.4,0.8 --fpr 0.3
      roclab combine --and --point 0.2,0.8 --point 0.4,0.6
      roclab combine --or --point 0.05,0.4 --point 0.1,0.6 --point 0.2,0.7 \
          --prevalence 0.1 --cost-fn 10
      roclab combine example --or --label outcome --positive deteriorated \
          --score lactate --threshold 3 --score procalcitonin --threshold 2
      roclab combine example --chain --order cost --prevalence 0.3 --cost-fn 3 --label outcome \
          --positive deteriorated --score lactate --threshold 3 --score concern --threshold 4
      roclab combine example --chain --max-fpr 0.1 --label outcome --positive deteriorated \
          --score lactate --threshold 3 --score concern --threshold 5 \
          --score procalcitonin --threshold 4
      roclab combine example --hybrid --fpr 0.1 --label outcome --positive deteriorated \
          --score lactate --score procalcitonin --score concern
      roclab combine example --hybrid --prevalence 0.05 --cost-fn 20 --label outcome \
          --positive deteriorated --score lactate --score procalcitonin \
          --fold ward --select-on north --select-on east
    """
    ways = {"--interpolate": interpolate, "--and": all_of, "--or": any_of, "--chain": chain, "--hybrid": hybrid}
    asked = [name for name, yes in ways.items() if yes]
    if len(asked) != 1:
        got = f"{asked[0]} and {asked[1]}" if asked else "none"
        raise InputError("", f"a combination needs one of {', '.join(ways)}", Words(got), "ask one at a time")
    way = asked[0]
    refuse("combined calls are those of all cases", {"--by": data.by})
    if file is not None:
        output.spare(file)
    _check_question(way, file, data, point, predicted, threshold, fpr, max_fpr, costs, select_on, order)

    import roclab as rl

    calls: dict[str, Any] = {"predicted": predicted, "thresholds": threshold}
    weighed = priced(costs)
    if interpolate is not None:
        first, second = (point_of(text, "--interpolate", "FPR,TPR FPR,TPR") for text in interpolate)
        assert fpr is not None
        found: Any = rl.classifiers.interpolate(first, second, fpr=fpr)
    elif hybrid:
        assert file is not None
        found = rl.classifiers.hybrid(data.read(file), fpr=fpr, select_on=select_on, level=level, **weighed)
    elif chain:
        assert file is not None
        keywords = data.keywords() | data.folding | calls | weighed
        found = rl.classifiers.chain(
            table_of_file(file), max_fpr=max_fpr, order=order, select_on=select_on, level=level, **keywords
        )
    else:
        operation: Any = "and" if all_of else "or"
        if file is None:
            found = rl.classifiers.combine(_points(point), operation=operation, level=level, **weighed)
        else:
            keywords = data.keywords() | data.folding | calls | weighed
            found = rl.classifiers.combine(table_of_file(file), operation=operation, level=level, **keywords)
    output.show(found)


def _points(texts: tuple[str, ...]) -> dict[str, tuple[float, float]]:
    """Points by name, or by their rates where they have none."""
    out = {}
    for text in texts:
        name, _, rates = text.rpartition(":")
        called = name.strip() or f"({rates})"
        if called in out:
            raise InputError("", "classifiers to combine must differ", Words(f"{called} twice"), "name another one")
        out[called] = point_of(rates, "--point", "[NAME:]FPR,TPR")
    return out


def _check_question(
    way: str,
    file: str | None,
    data: Data,
    point: tuple[str, ...],
    predicted: tuple[str, ...],
    threshold: tuple[float, ...],
    fpr: float | None,
    max_fpr: float | None,
    costs: dict[str, Any],
    select_on: tuple[str, ...],
    order: str,
) -> None:
    columns: dict[str, object] = {**data.columns, "--fold": None, "--predicted": predicted}
    calls: dict[str, object] = {"--predicted": predicted, "--threshold": threshold}
    rate: dict[str, object] = {"--fpr": fpr is not None}
    cap: dict[str, object] = {"--max-fpr": max_fpr is not None}
    cost = given(costs)
    points: dict[str, object] = {"--point": point}
    choice: dict[str, object] = {"--select-on": select_on, "--fold": data.folds}
    if way == "--interpolate":
        refuse("--interpolate needs two points and --fpr only", {"a FILE": file, **columns, **points, **cap, **cost})
        if fpr is None:
            raise InputError("--interpolate", "needs the rate to meet", Words("no --fpr"), "write --fpr 0.3")
        return
    if way == "--hybrid":
        refuse("--hybrid takes scores and finds the thresholds itself", points | calls | cap)
        if fpr is not None:
            refuse("--fpr fixes the point of the hybrid", cost)
    else:
        refuse(f"{way} has the rates that follow from its classifiers", rate)
    if way in ("--and", "--or"):
        refuse(f"{way} leaves nothing to choose", cap | choice)
        if point:
            refuse("--point stands for a classifier without data", {"a FILE": file, **columns})
            return
    if way == "--chain":
        refuse("--chain is chosen on data", points)
        if order != "cost":
            refuse("costs belong to --chain with --order cost", cost)
        if max_fpr is None and order != "cost":
            raise InputError(
                "--chain",
                "needs the largest false positive rate you accept",
                Words("no --max-fpr"),
                "write --max-fpr 0.1",
            )
    if file is None:
        also = " or classifiers by --point" if way in ("--and", "--or") else ""
        raise InputError(way, f"needs a FILE{also}", Words("neither" if also else "none"))
    if bool(select_on) != (data.folds is not None):
        alone, lacking = ("--select-on", "--fold") if select_on else ("--fold", "--select-on")
        raise InputError("", "--select-on and --fold belong together", Words(f"{alone} without {lacking}"), "give both")
