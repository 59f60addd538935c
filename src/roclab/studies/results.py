"""What a simulation study found: bias and root mean squared error with their Monte-Carlo errors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from roclab._core.checks import plural
from roclab._core.types import Floats
from roclab._core.undefined import Undefined
from roclab.results.pictured import Pictured
from roclab.studies.estimators import Estimates

__all__ = ["CellResult", "StudyResult", "Sums"]


class Sums(NamedTuple):
    """Power sums of the errors of one estimator over some replicates: they add up, and JSON keeps every digit."""

    estimates: int = 0
    failures: int = 0  # replicates without an estimate
    not_converged: int = 0  # estimates of fits that stopped at a bound or without a maximum
    first: float = 0.0
    second: float = 0.0
    third: float = 0.0
    fourth: float = 0.0

    @classmethod
    def of(cls, estimates: Estimates, area: float) -> Sums:
        """Sums over the replicates of one chunk."""
        exists = np.isfinite(estimates.area)
        errors: Floats = estimates.area[exists] - area
        stopped = int(np.count_nonzero(exists & ~estimates.converged))
        powers = (float(np.sum(errors**power)) for power in (1, 2, 3, 4))
        return cls(int(errors.size), int(np.count_nonzero(~exists)), stopped, *powers)

    def plus(self, other: Sums) -> Sums:
        """Sums over both sets of replicates."""
        return Sums._make(a + b for a, b in zip(self, other, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class CellResult:
    """One estimator in one situation."""

    table: str
    n_pos: int
    n_neg: int
    condition: str
    area: float
    estimator: str
    bias: float
    bias_se: float
    rmse: float
    rmse_se: float
    replicates: int
    failures: int
    not_converged: int

    @classmethod
    def of(cls, sums: Sums, **where: Any) -> CellResult:
        r"""From power sums of the errors e over R replicates.

        .. math:: bias = \bar e,\; se = \sqrt{s_e^2 / R},\; rmse = \sqrt{\overline{e^2}},\;
                  se = \sqrt{s_{e^2}^2 / R} \,/\, (2\,rmse)

        the last by the delta method.
        """
        count = sums.estimates
        counts: dict[str, Any] = {"replicates": count, "failures": sums.failures, "not_converged": sums.not_converged}
        if count < 2:
            why = Undefined(f"only {plural(count, 'replicate')} had an estimate")
            return cls(bias=why, bias_se=why, rmse=why, rmse_se=why, **counts, **where)
        bias, square, fourth = sums.first / count, sums.second / count, sums.fourth / count
        rmse = math.sqrt(square)
        scale = count / (count - 1)
        return cls(
            bias=bias,
            bias_se=math.sqrt(max(square - bias**2, 0.0) * scale / count),
            rmse=rmse,
            rmse_se=math.sqrt(max(fourth - square**2, 0.0) * scale / count) / (2 * rmse) if rmse > 0 else 0.0,
            **counts,
            **where,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyResult(Pictured):
    """Every cell of a study, in the order of the tables."""

    cells: tuple[CellResult, ...]
    captions: dict[str, str]
    replicates: int
    seed: str

    def rows(self) -> list[dict[str, Any]]:
        """One row per situation and estimator."""
        names = CellResult.__dataclass_fields__
        return [{name: getattr(cell, name) for name in names} for cell in self.cells]

    def of(self, table: str, estimator: str, condition: str, n_pos: int) -> CellResult:
        """One cell by where it stands."""
        for cell in self.cells:
            if (cell.table, cell.estimator, cell.condition, cell.n_pos) == (table, estimator, condition, n_pos):
                return cell
        raise KeyError((table, estimator, condition, n_pos))

    @property
    def notes(self) -> tuple[str, ...]:
        """Replicates without an estimate, and estimates of fits that did not converge: counted, never silent."""
        out = []
        for estimator in dict.fromkeys(cell.estimator for cell in self.cells):
            cells = [cell for cell in self.cells if cell.estimator == estimator]
            total = sum(cell.replicates + cell.failures for cell in cells)
            failed, stopped = (sum(getattr(cell, name) for cell in cells) for name in ("failures", "not_converged"))
            if failed:
                out.append(f"{estimator}: no estimate in {failed} of {total} samples; they are left out.")
            if stopped:
                out.append(
                    f"{estimator}: {stopped} of {total} fits ended at a bound or without a maximum; "
                    "their areas are counted."
                )
        return tuple(out)

    def layout(self) -> str:
        """The printed layout: estimators down, conditions across, bias (RMSE), one block for each sample size."""
        blocks = []
        for table in dict.fromkeys(cell.table for cell in self.cells):
            cells = [cell for cell in self.cells if cell.table == table]
            blocks.append("\n".join(line for line in (f"Table {table}", self.captions.get(table, "")) if line))
            for size in dict.fromkeys((cell.n_pos, cell.n_neg) for cell in cells):
                blocks.append(_block([cell for cell in cells if (cell.n_pos, cell.n_neg) == size]))
        foot = [f"bias (RMSE); {plural(self.replicates, 'replicate')}, seed {self.seed}", *self._errors(), *self.notes]
        return "\n\n".join([*blocks, "\n".join(foot)])

    def _errors(self) -> list[str]:
        known = [cell for cell in self.cells if not math.isnan(cell.bias)]
        if not known:
            return []
        largest = max(cell.bias_se for cell in known), max(cell.rmse_se for cell in known)
        return [f"Monte-Carlo standard errors: at most {largest[0]:.4f} of a bias, {largest[1]:.4f} of an RMSE"]

    def __str__(self) -> str:
        return self.layout()


def _block(cells: Sequence[CellResult]) -> str:
    first = cells[0]
    sizes = f"n = {first.n_pos}" if first.n_pos == first.n_neg else f"{first.n_pos} positives, {first.n_neg} negatives"
    conditions = list(dict.fromkeys(cell.condition for cell in cells))
    lines = [[sizes, *conditions]]
    for estimator in dict.fromkeys(cell.estimator for cell in cells):
        shown = {cell.condition: cell for cell in cells if cell.estimator == estimator}
        lines.append([estimator, *(_entry(shown[condition]) for condition in conditions)])
    widths = [max(len(line[at]) for line in lines) for at in range(len(lines[0]))]
    return "\n".join(
        "  ".join([line[0].ljust(widths[0]), *(text.rjust(w) for text, w in zip(line[1:], widths[1:], strict=True))])
        for line in lines
    )


def _entry(cell: CellResult) -> str:
    return f"{cell.bias:z.3f} ({cell.rmse:.3f})" if not math.isnan(cell.bias) else "no estimate"
