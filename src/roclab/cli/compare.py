"""``roclab compare``: scores against each other, on the same cases, on different ones, or from papers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.data import table_of_file
from roclab.cli.shared.derived import given, keyword_options
from roclab.cli.shared.follow_up import follow_up_options, followed_table, show_and_draw
from roclab.cli.shared.options import Draws, data_options, output_options, resampling_options
from roclab.cli.shared.parsing import published_area, refuse
from roclab.cli.shared.wording import saying
from roclab.errors import InputError, Words
from roclab.names import CURVE_STATISTICS, EMPIRICAL_AREAS, PAIRINGS, CurveStatistic
from roclab.options.comparison import AreaComparisonKeywords, CorrelationKeywords
from roclab.options.conventions import ConventionKeywords
from roclab.options.rates import CovariateKeywords, RateKeywords
from roclab.options.region import RegionKeywords

if TYPE_CHECKING:
    from roclab.cli.shared.data import Data
    from roclab.cli.shared.output import Output


@click.command(cls=Command)
@file_argument("files", metavar="[FILE]...", nargs=-1)
@data_options
@option("--pairing", type=click.Choice(PAIRINGS), help="How the cases of several files belong together.")
@option("--curves", is_flag=True, help="Do whole curves differ, not only areas? Venkatraman's permutation test.")
@option(
    "--curve-statistic",
    type=click.Choice(CURVE_STATISTICS),
    help="What --curves looks at: errors everywhere (default), or areas, for few cases.",
)
@option("--estimator", "--area", type=click.Choice(EMPIRICAL_AREAS), help="Which area (default empirical, the AUC).")
@keyword_options(
    RegionKeywords, AreaComparisonKeywords, CorrelationKeywords, ConventionKeywords, without=("resampling", "rng")
)
@keyword_options(RateKeywords, CovariateKeywords, into="rates")
@option("--group", metavar="COLUMN", help="Different cases: compare the groups of this column of one FILE.")
@follow_up_options(drawn=True)
@option("--predictions", is_flag=True, help="Whose probabilities are better? Brier scores, and net benefits by --at.")
@option("--at", type=float, multiple=True, metavar="P", help="With --predictions: threshold probability; repeatable.")
@option(
    "--reclassification",
    metavar="P|none",
    multiple=True,
    help="With --predictions: bound of risk categories for NRI and IDI; repeatable; none: without categories.",
)
@option("--published", metavar="AREA", multiple=True, help="NAME:AREA:n=POS+NEG or NAME:AREA:se=SE, instead of files.")
@option("--r", type=float, metavar="R", help="With --published: correlation of the areas (default 0, different cases).")
@resampling_options
@output_options
def compare(
    files: tuple[str, ...],
    data: Data,
    pairing: Any,
    curves: bool,
    curve_statistic: CurveStatistic | None,
    estimator: Any,
    predictions: bool,
    at: tuple[float, ...],
    reclassification: tuple[str, ...],
    followed: dict[str, Any],
    published: tuple[str, ...],
    r: float | None,
    asked: dict[str, Any],
    rates: dict[str, Any],
    group: str | None,
    draws: Draws,
    output: Output,
) -> None:
    r"""Do scores differ in how well they tell the classes apart?

    One FILE with several scores compares them on the same cases. Several FILEs with one score each need --pairing,
    and --id unless it is unpaired. Without a FILE, areas from papers are compared. With --threshold or --predicted
    rates are compared instead of areas.

    \b
    Examples:
      roclab compare example --label outcome --positive deteriorated \
          --score procalcitonin --score lactate --score concern
      roclab compare example --label outcome --positive deteriorated \
          --score procalcitonin --score lactate --margin 0.05
      roclab compare example --label outcome --positive deteriorated \
          --score procalcitonin --score lactate --score concern \
          --contrast "procalcitonin=1,lactate=-0.5,concern=-0.5"
      roclab compare example --label outcome --positive deteriorated \
          --score procalcitonin --score lactate --at-specificity 0.9 --replicates 500 --seed 1
      roclab compare example --label outcome --positive deteriorated \
          --score procalcitonin --score lactate --curves --replicates 200 --seed 1
      roclab compare example --label outcome --positive deteriorated \
          --score procalcitonin --score lactate --score concern \
          --curves --curve-statistic areas --replicates 200 --seed 1
      roclab compare example --label outcome --positive deteriorated \
          --score procalcitonin --score lactate --id ward
      roclab compare example --label outcome --positive deteriorated \
          --score procalcitonin --score lactate --threshold procalcitonin=1.5 --threshold lactate=2 \
          --metric sensitivity --metric specificity --metric ppv
      roclab compare example --label outcome --positive deteriorated \
          --score lactate --threshold 2 --group ward
      roclab compare followed --time days --event ended --cause relapse --competing death \
          --censored lost --score marker --score grade --horizon 730 --horizon 1460
      roclab compare wines --label grape --positive barolo \
          --score barolo --score net_2 --predictions --reclassification 0.3
      roclab compare --published "CT:0.893:n=51+58" --published "MR:0.85:se=0.03" --r 0.5
    """
    import roclab as rl

    output.spare(*files)
    if at and not predictions:
        raise InputError("--at", "belongs to --predictions", Words("no --predictions"), "add it")
    if reclassification and not predictions:
        raise InputError("--reclassification", "belongs to --predictions", Words("no --predictions"), "add it")
    if curve_statistic and not curves:
        raise InputError("--curve-statistic", "belongs to --curves", Words("no --curves"), "add it")
    if rates and (predictions or curves or published):
        raise InputError("", "rates at a threshold are a question of their own", Words("another one as well"),
                         "ask one at a time")  # fmt: skip
    if group is not None and (len(files) != 1 or predictions or curves or published):
        raise InputError("--group", "splits the cases of one FILE", Words("another question"), "leave it out")
    areas: dict[str, object] = {"--estimator": estimator, **given(asked, *_OF_AREAS)}
    if followed:
        refuse("--time asks who has the event by a horizon", {
            "--estimator": estimator, "--curves": curves, "--published": published, "--r": r, "--pairing": pairing,
            "more than one FILE": files[1:], "--group": group, "--reclassification": reclassification,
        })  # fmt: skip
        if not files:
            raise InputError("", "a comparison needs a FILE with scores", Words("none"))
        if predictions:
            refuse(_OF_PREDICTIONS, {**areas, **given(asked, "adjust", "alternative")})
        table, columns = followed_table(files[0], data)
        with saying({"at": "--horizon", "probabilities": "--at"}):
            if predictions:
                show_and_draw(
                    output, rl.compare_predictions(table, probabilities=list(at), **columns, **followed, **asked)
                )
                return
            show_and_draw(output, rl.compare(table, **columns, **followed, **asked, **rates))
        return
    if predictions:
        others = {"--curves": curves, "--published": published, **given(asked, "adjust", "alternative")}
        refuse(_OF_PREDICTIONS, {**areas, **others})
        if len(files) != 1:
            raise InputError("", "--predictions compares columns of one FILE", Words(f"{len(files)} files"))
        asked |= {"probabilities": list(at)}
        if reclassification:
            asked |= {"reclassification": _bounds_of(reclassification)}
        with saying({"probabilities": "--at", "reclassification": "--reclassification"}):
            output.show(rl.compare_predictions(data.read(files[0]), **asked))
        return
    if published:
        refuse(
            "--published stands alone: areas with their standard errors are all there is",
            {"data": files, **data.columns, **areas, "--curves": curves},
        )
        with saying({"areas": "--published", "correlation": "--r"}):
            output.show(rl.compare_published(*map(published_area, published), correlation=r or 0.0, **asked))
        return
    if r is not None:
        raise InputError("--r", "belongs to --published", Words("data"), "their correlation is found from the cases")
    if not files:
        raise InputError("", "a comparison needs a FILE with scores, or areas by --published", Words("neither"))
    if "claim" in asked and "margin" not in asked:
        raise InputError(
            "--claim", "needs the largest difference you would accept", Words("no --margin"), "write --margin 0.05"
        )
    with draws.shown() as resampling:
        drawn = draws.keywords(resampling)
        if curves:
            refuse("--curves compares whole ROC curves", {
                **{name: yes for name, yes in areas.items() if name != "--ci"},
                "--estimator": estimator not in (None, "empirical"),
            })  # fmt: skip
            refuse("--curves has no direction", given(asked, "alternative"))
            how, cases = ("paired", "scores of one file") if len(files) == 1 else ("unpaired", "different files")
            refuse(
                f"--curves compares {cases} as {how}",
                {f"--pairing {pairing}": pairing not in (None, how), "--id": data.ids},
            )
            rows: Any = data.read(files[0]) if len(files) == 1 else data.read_each(files)
            output.show(rl.compare_curves(rows, statistic=curve_statistic or "errors", **asked, **drawn))
        elif group is not None:
            refuse(
                "groups of one file are different cases", {f"--pairing {pairing}": pairing not in (None, "unpaired")}
            )
            table, words = table_of_file(files[0]), data.keywords()
            output.show(rl.compare_groups(table, group=group, estimator=estimator, **words, **asked, **rates, **drawn))
        elif len(files) == 1 and {"predicted", "covariates"} & set(rates):  # columns that are no scores
            words = data.keywords() | data.folding
            output.show(rl.compare(table_of_file(files[0]), estimator=estimator, **words, **asked, **rates, **drawn))
        elif len(files) == 1:
            refuse("scores of one file are paired", {f"--pairing {pairing}": pairing not in (None, "paired")})
            data.say_plan(files[0], paired=True)
            output.show(rl.compare(data.read(files[0]), estimator=estimator, **asked, **rates, **drawn))
        else:
            output.show(
                rl.compare_groups(
                    data.read_each(files), pairing=pairing, estimator=estimator, **asked, **rates, **drawn
                )
            )


def _bounds_of(words: tuple[str, ...]) -> list[float]:
    """Bounds of risk categories; none where the word says so."""
    if words == ("none",):
        return []
    try:
        return [float(one) for one in words]
    except ValueError:
        raise InputError("--reclassification", "must be bounds between 0 and 1, or none", Words(" and ".join(words)),
                         "write --reclassification 0.1 --reclassification 0.3") from None  # fmt: skip


_OF_PREDICTIONS = "--predictions compares Brier scores and net benefits"
# What is about areas, and nothing else.
_OF_AREAS = ("fpr", "tpr", "standardize", "variance", "interval", "test", "margin", "claim", "contrast",
             "at_specificity", "at_sensitivity", "correlation", "correlation_table")  # fmt: skip
