"""``roclab auc``: areas of one or several scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from roclab._core.checks import check_choice
from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.derived import keyword_options
from roclab.cli.shared.follow_up import follow_up_options, followed_table, show_and_draw
from roclab.cli.shared.options import Draws, data_options, output_options, resampling_options
from roclab.cli.shared.parsing import refuse
from roclab.cli.shared.points import PointOptions, point_options
from roclab.cli.shared.wording import saying
from roclab.errors import InputError, Words, named
from roclab.names import ALTERNATIVES, AREA_TESTS, ESTIMATOR_LETTERS, ESTIMATORS
from roclab.options.conventions import ConventionKeywords
from roclab.options.region import RegionKeywords
from roclab.options.uncertainty import AreaUncertaintyKeywords

if TYPE_CHECKING:
    from roclab.cli.shared.data import Data
    from roclab.cli.shared.output import Output


@click.command(cls=Command)
@file_argument("files", metavar="FILE...", nargs=-1, required=True)
@data_options
@point_options
@option(
    "--estimator",
    multiple=True,
    metavar="NAME",
    help="Which area (default empirical, the AUC); repeatable, several with commas, or all; letters as MW, NT and RC "
    f"are understood: {', '.join(ESTIMATORS)}.",
)
@keyword_options(RegionKeywords)
@follow_up_options(drawn=True)
@option("--null", type=float, metavar="AREA", help="Test each area against this value, for instance 0.5.")
@option("--test", type=click.Choice(AREA_TESTS), help="Which test (default: the one that agrees with the interval).")
@option("--alternative", type=click.Choice(ALTERNATIVES), help="Alternative hypothesis (default two-sided).")
@keyword_options(AreaUncertaintyKeywords, ConventionKeywords, without=("resampling", "rng"))
@resampling_options
@output_options
def auc(
    files: tuple[str, ...],
    data: Data,
    points: PointOptions,
    estimator: Any,
    followed: dict[str, Any],
    null: float | None,
    test: Any,
    alternative: Any,
    asked: dict[str, Any],
    draws: Draws,
    output: Output,
) -> None:
    r"""How well does each score tell the classes apart? Areas, intervals and tests.

    FILE holds one case per row; "-" is standard input, "example" the data set that comes with roclab. Several FILEs
    must be counts (.tally), which are merged.

    \b
    Examples:
      roclab auc example --label outcome --positive deteriorated \
          --score procalcitonin --score lactate --score concern
      roclab auc example --label outcome --positive deteriorated --score lactate \
          --null 0.5 --test tie_corrected
      roclab auc example --label outcome --positive deteriorated --score lactate \
          --ci bca --replicates 500 --seed 1
      roclab auc example --label outcome --positive deteriorated --score lactate \
          --fpr 0 0.2 --standardize mcclish --json
      roclab auc example --label outcome --positive deteriorated --score lactate \
          --fold ward
      roclab auc example --label outcome --positive deteriorated --score lactate \
          --estimator mw,n,nt,k1,k1t,k2,k2t,rc --null 0.7
      roclab auc example --label outcome --positive deteriorated --score lactate \
          --id ward --variance clustered
      roclab auc example --label outcome --positive deteriorated --score lactate --by ward
      roclab auc followed --time days --event ended --cause relapse --competing death \
          --censored lost --score marker --score grade --horizon 730 --horizon 1460
    """
    from roclab.analysis.area_table import area_table

    output.spare(*files)
    file = files[0]
    if alternative is not None and null is None:
        raise InputError("alternative", "needs a value to test against", Words("none"), f"write {named('null', 0.5)}")
    if followed:
        refuse("--time asks who has the event by a horizon", {
            "--estimator": estimator, "--null": null, "--test": test, "--alternative": alternative,
            "more than one FILE": files[1:],
        })  # fmt: skip
        import roclab as rl

        table, columns = followed_table(file, data)
        with saying({"at": "--horizon"}), draws.shown() as resampling:
            show_and_draw(
                output, rl.auc(table, **columns, **followed, **asked, **draws.keywords(resampling, always=False))
            )
        return
    if len(files) > 1:
        cases: Any = _merged(files, data)
    else:
        curves = points.curves(file, data)
        cases = data.read(file) if curves is None else curves
    with draws.shown() as resampling:
        areas = area_table(
            cases,
            estimator=_named(estimator),
            null=null,
            test=test,
            alternative=alternative or "two-sided",
            **asked,
            **draws.keywords(resampling),
        )
    output.show(areas)


def _merged(files: tuple[str, ...], data: Data) -> Any:
    """Counts of several files as cases."""
    import roclab as rl

    others = [file for file in files if not file.lower().endswith(".tally")]
    if others:
        raise InputError("FILE", "must be one, or several .tally files", Words(others[0]), "quote a pattern of files")
    return rl.read_cases(rl.merge(*files), **data.keywords())


def _named(given: tuple[str, ...]) -> Any:
    """One name, a list of them, or None for the default."""
    names = [one.strip() for text in given for one in text.split(",") if one.strip()]
    for name in names:
        if name != "all" and name.upper() not in ESTIMATOR_LETTERS:
            check_choice(name, "estimator", ESTIMATORS)
    return (names[0] if len(names) == 1 else names) or None
