r"""Logistic regression where the rows are: every Newton step is one pass that adds up the likelihood's derivatives.

Predictors are divided by powers of two above their largest size, so that every term lies between -1 and 1 and its sum
is the same for any order of rows (``FixedSum``, or whole numbers on an engine of the user's). The scores of the model
are then a column that is computed with the rows, and analysed as any other score.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import expit

from roclab._core.fixed_sum import FixedSum
from roclab._core.types import Floats
from roclab.data.files.duckdb import Handle
from roclab.data.sources import SourceTable
from roclab.engines.backends import Backend, is_native
from roclab.engines.overview import Overview, check_counts
from roclab.errors import InputError, Words
from roclab.models.logistic import LogisticFit, fit_by_sums

if TYPE_CHECKING:
    from roclab.engines.duckdb_backend import DuckdbBackend
    from roclab.engines.narwhals_backend import NarwhalsBackend

__all__ = ["fit_where_rows_are", "linear_score", "regression_sums", "sums_on_engine", "with_score"]

_LARGEST = 1e150  # of a predictor: its square is still a number


def fit_where_rows_are(
    backend: Backend, seen: Overview, names: Sequence[str], *, intercept: bool, level: float
) -> LogisticFit:
    """The fit of a logistic regression; one pass for each of its steps and one before."""
    for name in names:
        one = seen.ranges[name]
        largest = max(abs(one.low), abs(one.high))
        if one.infinite or largest > _LARGEST:
            got = "infinite numbers" if one.infinite else f"numbers of size {largest:g}"
            raise InputError(name, "must be finite and have squares within the range of numbers", Words(got), "rescale")
    problem = EngineLikelihood(backend, seen, names, intercept=intercept)
    terms = ["(intercept)", *names] if intercept else list(names)
    _, _, quarter = problem.at(np.zeros(len(terms)))
    classes = seen.classes
    return fit_by_sums(
        problem, terms, 4 * quarter, n=seen.cases, n_pos=classes.n_pos, intercept=intercept, level=level
    )  # fmt: skip


class EngineLikelihood:
    """The log likelihood, its gradient and the information at some coefficients, from sums over rows elsewhere."""

    def __init__(self, backend: Backend, seen: Overview, names: Sequence[str], *, intercept: bool) -> None:
        self.backend, self.seen, self.names, self.intercept = backend, seen, list(names), intercept
        ends = [max(abs(seen.ranges[name].low), abs(seen.ranges[name].high)) for name in names]
        scales = [2.0 ** math.frexp(one)[1] if one > 0 else 1.0 for one in ends]
        self.scale: Floats = np.array([1.0, *scales] if intercept else scales)
        self.log_likelihood = 0.0

    def at(self, beta: Floats) -> tuple[float, Floats, Floats]:
        """Value, gradient and information; one pass."""
        m = beta.size
        inside = beta * self.scale
        bound = 2.0 ** math.frexp(float(np.abs(inside).sum()) + 1.0)[1]  # of the logarithm of any probability
        found = self.backend.regression_sums(self.seen, self.names, self.scale, inside, bound, self.intercept)
        cases, sums = found
        check_counts(self.backend.table.called, self.seen, cases[1], cases[0])
        gradient: Floats = np.array(sums[1 : 1 + m]) * self.scale
        information = np.zeros((m, m))
        for (i, j), value in zip(combinations_with_replacement(range(m), 2), sums[1 + m :], strict=True):
            information[i, j] = information[j, i] = value * self.scale[i] * self.scale[j]
        self.log_likelihood = sums[0] * bound
        return self.log_likelihood, gradient, information


def regression_sums(
    backend: DuckdbBackend, seen: Overview, names: Sequence[str], scale: Floats, beta: Floats, bound: float,
    intercept: bool,
) -> tuple[tuple[int, int], list[float]]:  # fmt: skip
    """Cases by class and the sums of all terms, as batches of rows pass by in any order."""
    m = beta.size
    totals = [FixedSum() for _ in range(1 + m + m * (m + 1) // 2)]
    cases = [0, 0]
    for *values, flag in backend.rows_of_scores(seen, names):
        columns = [np.ones(flag.size)] if intercept else []
        columns += [one / by for one, by in zip(values, scale[int(intercept) :], strict=True)]
        eta = np.zeros(flag.size)
        for one, slope in zip(columns, beta.tolist(), strict=True):
            eta += one * slope
        positive = flag == 1
        chance = expit(eta)
        terms = [-np.logaddexp(0.0, np.where(positive, -eta, eta)) / bound]
        terms += [(positive - chance) * one for one in columns]
        spread = chance * (1 - chance)
        terms += [spread * columns[i] * columns[j] for i, j in combinations_with_replacement(range(m), 2)]
        for total, term in zip(totals, terms, strict=True):
            total.add(term)
        cases[1] += int(np.count_nonzero(positive))
        cases[0] += int(flag.size - np.count_nonzero(positive))
    return (cases[0], cases[1]), [float(total.value) for total in totals]


def sums_on_engine(
    backend: NarwhalsBackend, seen: Overview, names: Sequence[str], scale: Floats, beta: Floats, bound: float,
    intercept: bool,
) -> tuple[tuple[int, int], list[float]]:  # fmt: skip
    """The same by one aggregate, of terms that are cut into whole numbers."""
    import narwhals as nw

    from roclab.engines.native_sums import CutSums

    c, m, first = nw.col, beta.size, int(intercept)
    frame = backend.every_score(seen, names)
    frame = frame.with_columns(**{f"z{at + first}": c(f"v{at}") / float(scale[at + first]) for at in range(len(names))})
    if intercept:
        frame = frame.with_columns(z0=c("p").cast(nw.Float64) * 0.0 + 1.0)
    eta: Any = c("z0") * float(beta[0])
    for at in range(1, m):
        eta = eta + c(f"z{at}") * float(beta[at])
    frame = frame.with_columns(eta=eta)
    frame = frame.with_columns(away=c("eta").abs() * -1.0)
    frame = frame.with_columns(tail=c("away").exp())  # of the smaller probability, never beyond the range of numbers
    small = c("tail") / (c("tail") + 1.0)
    frame = frame.with_columns(chance=nw.when(c("eta") >= 0).then(1.0 - small).otherwise(small))
    signed = nw.when(c("p") == 1).then(c("eta") * -1.0).otherwise(c("eta"))
    softplus = nw.when(signed > 0).then(signed).otherwise(0.0) + (c("tail") + 1.0).log()
    made = {"t0": softplus * (-1.0 / bound)}
    made |= {f"t{1 + at}": (c("p").cast(nw.Float64) - c("chance")) * c(f"z{at}") for at in range(m)}
    pairs = list(combinations_with_replacement(range(m), 2))
    spread = c("chance") * (1.0 - c("chance"))
    made |= {f"t{1 + m + at}": spread * c(f"z{i}") * c(f"z{j}") for at, (i, j) in enumerate(pairs)}
    cut = CutSums(seen.cases)
    frame, pieces = cut.columns(frame.with_columns(**made).select("p", *made), list(made))
    asked = [c(name).sum().cast(nw.Int64).alias(f"sum_{name}") for name in pieces]
    found = backend.collected(frame.group_by("p").agg(nw.len().cast(nw.Int64).alias("rows"), *asked))
    whole = {name: sum(found[f"sum_{name}"].tolist()) for name in pieces}
    counts = dict(zip(found["p"].tolist(), found["rows"].tolist(), strict=True))
    return (int(counts.get(0, 0)), int(counts.get(1, 0))), [float(cut.sum(whole, name).value) for name in made]


def linear_score(fit: LogisticFit, names: Sequence[str], columns: Sequence[Any]) -> Any:
    """The linear predictor as an expression of columns, in SQL (text) or for Narwhals."""
    slopes = fit.coefficients[1:] if fit.intercept else fit.coefficients
    start = float(fit.coefficients[0]) if fit.intercept else 0.0
    if isinstance(columns[0], str):
        terms = [f"({column}) * ({float(slope)!r}::DOUBLE)" for column, slope in zip(columns, slopes, strict=True)]
        return " + ".join([f"({start!r}::DOUBLE)", *terms])
    total: Any = columns[0] * float(slopes[0]) + start
    for column, slope in zip(columns[1:], slopes[1:], strict=True):
        total = total + column * float(slope)
    return total


def with_score(backend: Backend, fit: LogisticFit, names: Sequence[str], called: str) -> SourceTable:
    """The table with one more column: the fitted probability of every row."""
    table = backend.table
    if is_native(table):
        import narwhals as nw

        frame = nw.from_native(table.source).lazy()
        eta = linear_score(fit, names, [nw.col(name).cast(nw.Float64) for name in names])
        frame = frame.with_columns(roclab_eta=eta)
        chance = 1.0 / ((nw.col("roclab_eta") * -1.0).exp() + 1.0)
        return replace(table, source=frame.with_columns(chance.alias(called)).drop("roclab_eta").to_native(), known={})
    duck: Any = backend

    def column(handle: Handle) -> str:
        eta = linear_score(fit, names, [duck.score(handle, name) for name in names])
        return f"1.0 / (1.0 + exp(-({eta})))"

    return replace(table, computed=(called, column), known={})
