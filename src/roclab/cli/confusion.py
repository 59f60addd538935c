"""``roclab confusion``: the confusion matrix at a threshold or of hard predictions, and its metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from roclab.cli.data import Data
from roclab.cli.options import Command, ci_option, data_options, file_argument, level_option, option, output_options
from roclab.cli.output import Output
from roclab.errors import InputError, Words
from roclab.names import PROPORTION_INTERVALS

if TYPE_CHECKING:
    from roclab.decisions.confusion import ConfusionMatrix


@click.command(cls=Command)
@file_argument()
@data_options
@option("--threshold", type=float, metavar="T", help="Call a case positive when its score reaches T.")
@option("--predicted", metavar="COLUMN", help="Column with hard predictions, instead of a score and a threshold.")
@option("--prevalence", type=float, metavar="SHARE", help="Add the predictive values at this prevalence.")
@option("--beta", type=float, metavar="B", help="Add the F-measure in which recall weighs B times as much.")
@level_option
@ci_option(PROPORTION_INTERVALS, default="wilson", help="Kind of interval of proportions", also=["--proportion"])
@output_options
def confusion(
    file: str,
    data: Data,
    threshold: float | None,
    predicted: str | None,
    prevalence: float | None,
    beta: float | None,
    level: float,
    ci: Any,
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
    """
    from roclab.analysis import roc
    from roclab.cli.answers import Decision
    from roclab.decisions.intervals import metric_intervals

    output.spare(file)
    if (threshold is None) == (predicted is None):
        got = "neither" if threshold is None else "both"
        raise InputError(
            "",
            "a matrix needs --threshold or --predicted",
            Words(got),
            "give a score and a threshold, or the column of the predictions",
        )
    if predicted is not None:
        matrix = _of_predictions(file, data, predicted)
    else:
        assert threshold is not None
        matrix = roc(data.read_one(file)).confusion(threshold)
    metrics = dict(matrix.metrics(prevalence=prevalence))
    if beta is not None:
        metrics[f"f_beta({beta:g})"] = matrix.f_beta(beta)
    found = metric_intervals(matrix, level=level, method=ci)
    output.show(Decision(matrix=matrix, metrics=metrics, intervals=found.intervals, level=level))


def _of_predictions(file: str, data: Data, predicted: str) -> ConfusionMatrix:
    """The matrix of a column of predictions, which use the labels' own words."""
    from roclab.analysis import confusion as confusion_of
    from roclab.data.files.read import match_label

    for name, given in (
        ("--score", data.score),
        ("--direction", data.direction),
        ("--weights", data.weights),
        ("--missing drop", data.missing == "drop"),
    ):
        if given:
            raise InputError("", f"{name} has no meaning for --predicted", Words("both"), "leave one of them out")
    data.named(file, label=data.label)
    assert data.label is not None
    others = () if data.weight is None else (data.weight,)
    columns = data.columns(file, *dict.fromkeys((data.label, predicted, *others)), numeric=others)
    return confusion_of(
        columns[data.label],
        columns[predicted],
        pos_label=None if data.positive is None else match_label(columns[data.label], data.positive),
        sample_weight=None if data.weight is None else columns[data.weight],
    )
