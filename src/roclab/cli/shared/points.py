"""Options for operating points instead of cases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from roclab.cli.shared.command import bundle, option
from roclab.cli.shared.data import Data, table_of_file
from roclab.errors import InputError, Words

__all__ = ["PointOptions", "point_options"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PointOptions:
    """Operating points instead of cases."""

    fpr_column: str | None
    tpr_column: str | None
    name_column: str | None
    sensitivity_column: str | None = None
    specificity_column: str | None = None
    positives: int | None = None
    negatives: int | None = None
    in_percent: bool = False

    def curves(self, file: str, data: Data) -> dict[str, Any] | None:
        """Curves through the points of a file by name; None when cases are meant."""
        up = {"--tpr-column": self.tpr_column, "--sensitivity-column": self.sensitivity_column}
        right = {"--fpr-column": self.fpr_column, "--specificity-column": self.specificity_column}
        ups, rights = ([name for name, given in one.items() if given is not None] for one in (up, right))
        if not ups and not rights:
            if self.name_column is not None:
                raise InputError("--name-column", "says whose points the rows are", Words("no --fpr-column"))
            if self.in_percent:
                raise InputError("--in-percent", "says how rates are written", Words("no --tpr-column"))
            return None
        if len([*ups, *rights]) == 1 and [*ups, *rights][0] in ("--fpr-column", "--tpr-column"):
            raise InputError("", "--fpr-column and --tpr-column belong together", Words("one of them"), "give both")
        if len(ups) != 1 or len(rights) != 1:
            raise InputError(
                "", "points have one of --tpr-column and --sensitivity-column, which belong together with one of "
                "--fpr-column and --specificity-column", Words(" and ".join([*ups, *rights])), "give one of each",
            )  # fmt: skip
        others = [name for name, given in data.columns.items() if given]
        if others:
            raise InputError(
                "", f"{rights[0]} and {ups[0]} read points instead of cases", Words(f"{others[0]} as well"),
                "leave it out",
            )  # fmt: skip
        import roclab as rl

        return rl.read_points(
            table_of_file(file),
            fpr=self.fpr_column,
            specificity=self.specificity_column,
            tpr=str(up[ups[0]]),
            in_percent=self.in_percent,
            name=self.name_column,
            n_pos=self.positives,
            n_neg=self.negatives,
            **data.reading(),
        )


point_options = bundle(
    "points",
    PointOptions,
    [
        option("--fpr-column", metavar="COLUMN", heading="Data", help="Points instead of cases: false positive rates."),
        option("--tpr-column", metavar="COLUMN", heading="Data", help="Points instead of cases: true positive rates."),
        option(
            "--sensitivity-column", metavar="COLUMN", heading="Data", help="Points: sensitivities, another name of TPR."
        ),
        option("--specificity-column", metavar="COLUMN", heading="Data", help="Points: specificities instead of FPR."),
        option("--in-percent", is_flag=True, heading="Data", help="Points: rates are per cent, 98 for 0.98."),
        option("--name-column", metavar="COLUMN", heading="Data", help="Whose point each row is, for several curves."),
        option("--positives", type=int, metavar="N", heading="Data", help="Positive cases behind the points."),
        option("--negatives", type=int, metavar="N", heading="Data", help="Negative cases behind the points."),
    ],
)
