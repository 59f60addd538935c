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
    positives: int | None = None
    negatives: int | None = None

    def curves(self, file: str, data: Data) -> dict[str, Any] | None:
        """Curves through the points of a file by name; None when cases are meant."""
        if self.fpr_column is None and self.tpr_column is None:
            if self.name_column is not None:
                raise InputError("--name-column", "says whose points the rows are", Words("no --fpr-column"))
            return None
        if self.fpr_column is None or self.tpr_column is None:
            raise InputError("", "--fpr-column and --tpr-column belong together", Words("one of them"), "give both")
        others = [name for name, given in data.columns.items() if given]
        if others:
            raise InputError(
                "", "--fpr-column and --tpr-column read points instead of cases", Words(f"{others[0]} as well"),
                "leave it out",
            )  # fmt: skip
        import roclab as rl

        return rl.read_points(
            table_of_file(file),
            fpr=self.fpr_column,
            tpr=self.tpr_column,
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
        option("--name-column", metavar="COLUMN", heading="Data", help="Whose point each row is, for several curves."),
        option("--positives", type=int, metavar="N", heading="Data", help="Positive cases behind the points."),
        option("--negatives", type=int, metavar="N", heading="Data", help="Negative cases behind the points."),
    ],
)
