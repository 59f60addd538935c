"""``roclab confusion``: the confusion matrix at a threshold or of hard predictions, and its metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.data import Data, table_of_file
from roclab.cli.shared.derived import keyword_options
from roclab.cli.shared.follow_up import follow_up_options, followed_table, only_these
from roclab.cli.shared.groups import of_each
from roclab.cli.shared.options import Draws, data_options, output_options, resampling_options
from roclab.cli.shared.parsing import refuse
from roclab.cli.shared.wording import saying
from roclab.errors import InputError, Words
from roclab.names import RATE_CORRECTIONS, RATIO_INTERVALS
from roclab.options.conventions import ConventionKeywords
from roclab.options.criterion import ConditionKeywords
from roclab.options.spelling import option_of
from roclab.options.uncertainty import ProportionKeywords

if TYPE_CHECKING:
    from roclab.cli.shared.output import Output
    from roclab.results import ConfusionMatrix


@click.command(cls=Command)
@file_argument(required=False)
@data_options
@option("--threshold", type=float, metavar="T", help="Call a case positive when its score reaches T.")
@option("--predicted", metavar="COLUMN", help="Column with hard predictions, instead of a score and a threshold.")
@option("--matrix", type=float, nargs=4, metavar="TP FP FN TN", help="A ready matrix instead of a FILE.")
@option("--rates", type=float, nargs=2, metavar="SE SP", help="Published rates instead of a FILE, with --totals.")
@option("--totals", type=float, nargs=2, metavar="P N", help="With --rates: positive and negative cases.")
@keyword_options(
    ConditionKeywords,
    only=("prevalence", "beta"),
    prevalence="Add the predictive values at this prevalence",
    beta="Add the F-measure in which recall weighs B times as much",
)
@keyword_options(ProportionKeywords)
@keyword_options(ConventionKeywords, into="theirs")
@option(
    "--ratio-interval",
    type=click.Choice(RATIO_INTERVALS),
    heading="Uncertainty",
    help="Interval of likelihood ratios, and of predictive values at a prevalence: score (Koopman) or log (Simel)",
)
@option("--signal-detection", is_flag=True, help="d' and criterion c with their intervals, instead of the metrics.")
@option(
    "--correction", type=click.Choice(RATE_CORRECTIONS), help="With --signal-detection: repair of rates of 0 and 1."
)
@option("--predictive-values", is_flag=True, help="PPV and NPV at many prevalences, instead of the metrics.")
@option("--gaps", is_flag=True, help="With --by: how far the rates of the groups lie apart, and whether they differ.")
@option("--bootstrap", is_flag=True, heading="Uncertainty", help="Intervals of the metrics that have no formula too.")
@follow_up_options()
@resampling_options
@output_options
def confusion(
    file: str | None,
    data: Data,
    threshold: float | None,
    predicted: str | None,
    matrix: tuple[float, float, float, float] | None,
    rates: tuple[float, float] | None,
    totals: tuple[float, float] | None,
    ratio_interval: Any,
    signal_detection: bool,
    correction: Any,
    predictive_values: bool,
    gaps: bool,
    bootstrap: bool,
    followed: dict[str, Any],
    asked: dict[str, Any],
    theirs: dict[str, Any],
    draws: Draws,
    output: Output,
) -> None:
    r"""How good are the calls at one threshold? The matrix and its metrics.

    FILE holds one case per row; "-" is standard input, "example" the data set that comes with roclab.

    \b
    Examples:
      roclab confusion example --label outcome --positive deteriorated \
          --score lactate --threshold 2
      roclab confusion example --label outcome --positive deteriorated \
          --score procalcitonin --threshold 1.5 --prevalence 0.05 --beta 2 --ci exact
      roclab confusion example --label outcome --positive deteriorated \
          --score concern --threshold 4 --json
      roclab confusion --matrix 45 30 5 120 --prevalence 0.05 --bootstrap --seed 1
      roclab confusion example --label outcome --positive deteriorated \
          --score lactate --threshold 2 --by ward --gaps
      roclab confusion followed --time days --event ended --cause relapse --competing death \
          --censored lost --score marker --threshold 4 --horizon 730
      roclab confusion --rates 0.9 0.8 --totals 50 150
      roclab confusion --matrix 45 30 5 120 --predictive-values --prevalence 0.05
      roclab confusion --matrix 45 30 5 120 --signal-detection
    """
    if followed:
        only_these("threshold", "level")
        _show_at_horizon(file, data, threshold, {**followed, **asked}, output)
        return
    found = _matrix(file, data.as_program(theirs), threshold, predicted, matrix, rates, totals, output)
    if correction is not None and not signal_detection:
        raise InputError("--correction", "belongs to --signal-detection", Words("no --signal-detection"), "add it")
    if gaps:
        given = {word: value for word, value in asked.items() if word != "level"}
        refuse("--gaps has limits of its own", {
            "--signal-detection": signal_detection, "--predictive-values": predictive_values,
            "--bootstrap": bootstrap, "--conventions": theirs.get("conventions"), "--ratio-interval": ratio_interval,
            **{option_of(word): True for word in given},
        })  # fmt: skip
        if not data.by:
            raise InputError("--gaps", "lie between groups", Words("no --by"), "write --by ward for instance")
        grouped: Any = found
        output.show(grouped.gaps(**asked))
        return
    if signal_detection and predictive_values:
        raise InputError(
            "", "--signal-detection and --predictive-values are different questions", Words("both"), "ask one at a time"
        )
    if signal_detection or predictive_values:
        output.show(_further(found, asked, theirs, ratio_interval, correction, bootstrap, predictive_values))
        return
    asked |= theirs if ratio_interval is None else {**theirs, "ratio_interval": ratio_interval}
    if not bootstrap:
        output.show(of_each(found, lambda one: one.with_intervals(**asked)))
        return
    with draws.shown() as resampling:
        drawn = draws.keywords(resampling)
        output.show(of_each(found, lambda one: one.with_intervals(**asked, **drawn)))


def _show_at_horizon(
    file: str | None, data: Data, threshold: float | None, asked: dict[str, Any], output: Output
) -> None:
    """Expected numbers and rates at a horizon."""
    import roclab as rl

    if file is None:
        raise InputError("", "rates at a horizon need a FILE", Words("none"))
    output.spare(file)
    table, columns = followed_table(file, data)
    with saying({"at": "--horizon"}):
        output.show(rl.confusion(table, threshold=threshold, **columns, **asked))


def _further(
    found: Any, asked: dict[str, Any], theirs: dict[str, Any], ratio_interval: Any, correction: Any, bootstrap: bool,
    predictive: bool,
) -> Any:  # fmt: skip
    """Signal detection or predictive values in place of the metrics; what belongs to those is refused."""
    allowed = ("level", "prevalence") if predictive else ("level",)
    name = "--predictive-values" if predictive else "--signal-detection"
    given = {word: value for word, value in asked.items() if word not in allowed}
    refuse(f"{name} has no use for it", {
        "--ci": given.get("interval"), "--beta": given.get("beta"), "--prevalence": given.get("prevalence"),
        "--bootstrap": bootstrap, "--conventions": theirs.get("conventions"),
        "--ratio-interval": None if predictive else ratio_interval,
    })  # fmt: skip
    kept = {word: value for word, value in asked.items() if word in allowed}
    if predictive:
        kept |= {} if ratio_interval is None else {"ratio_interval": ratio_interval}
        return of_each(found, lambda matrix: matrix.predictive_values(**kept))
    kept |= {} if correction is None else {"correction": correction}
    return of_each(found, lambda matrix: matrix.signal_detection(**kept))


def _matrix(
    file: str | None,
    data: Data,
    threshold: float | None,
    predicted: str | None,
    matrix: tuple[float, float, float, float] | None,
    rates: tuple[float, float] | None,
    totals: tuple[float, float] | None,
    output: Output,
) -> ConfusionMatrix:
    """The matrix of a file, of four counts, or of published rates."""
    import roclab as rl

    if (rates is None) != (totals is None):
        raise InputError("--rates", "and --totals belong together", Words("one of them"), "give both")
    ways = [name for name, way in (("FILE", file), ("--matrix", matrix), ("--rates", rates)) if way is not None]
    if len(ways) != 1:
        got = Words(" and ".join(ways) or "none of them")
        raise InputError("", "a matrix comes from FILE, --matrix or --rates", got, "give one of them")
    if file is None:
        columns: dict[str, object] = {"--predicted": predicted, **data.columns}
        refuse("columns need a FILE", {"--threshold": threshold is not None, **columns})
    if matrix is not None:
        tp, fp, fn, tn = (int(count) if count == int(count) else count for count in matrix)
        return rl.results.ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn)
    if rates is not None and totals is not None:
        known = {"tpr": rates[0], "specificity": rates[1], "n_pos": totals[0], "n_neg": totals[1]}
        return rl.results.ConfusionMatrix.from_rates(**known)
    assert file is not None
    output.spare(file)
    if (threshold is None) == (predicted is None):
        raise InputError(
            "",
            "a matrix needs --threshold or --predicted",
            Words("neither" if threshold is None else "both"),
            "give a score and a threshold, or the column of the predictions",
        )
    given: Any = table_of_file(file) if predicted is not None else data.read_one(file)
    keywords = data.keywords() | data.folding if predicted is not None else {}
    return rl.confusion(given, predicted=predicted, threshold=threshold, **keywords)
