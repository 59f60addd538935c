"""Logistic regression by Newton-Raphson, with everything the likelihood says about its coefficients."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import chdtrc, expit, ndtr, stdtr

from roclab._core.blocks import blocks
from roclab._core.checks import check_choice, check_count, check_level
from roclab._core.text import format_number, text_table
from roclab._core.types import Array, Bools, Floats, Ints, frozen
from roclab._core.undefined import Undefined
from roclab.errors import InputError, OneClassError, SeparationError, SingularError, Words, named
from roclab.inference.one_area.intervals import deviate
from roclab.inference.subject_sums import sandwich
from roclab.models.likelihood import Design, Likelihood, row_sums
from roclab.models.newton import Maximum, Problem, maximum
from roclab.models.separation import separation_of
from roclab.names import Penalty
from roclab.results import Result

__all__ = ["LogisticFit", "fit_by_sums", "fit_logistic"]

_LARGEST = 1e150  # of a predictor: its square is still a number


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LogisticFit(Result):
    """A fitted logistic regression."""

    names: tuple[str, ...]
    coefficients: Floats
    standard_errors: Floats
    wald: Floats  # coefficient over its standard error
    p_values: Floats
    covariance: Floats  # inverse of the Fisher information
    log_likelihood: float
    log_likelihood_null: float
    likelihood_ratio: float
    p_likelihood_ratio: float
    df: int
    aic: float
    bic: float
    probabilities: Floats
    n: int
    n_pos: int
    intercept: bool
    penalty: str
    converged: bool
    iterations: int
    path: Floats  # coefficients after each step
    gradient: float  # largest component at the solution
    level: float
    subjects: int = 0  # whose sums the standard errors come from, where some have several cases
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for array in (
            self.coefficients,
            self.standard_errors,
            self.wald,
            self.p_values,
            self.covariance,
            self.probabilities,
            self.path,
        ):
            frozen(array)

    def rows(self) -> list[dict[str, Any]]:
        """One row per coefficient, with its odds ratio and interval."""
        z = deviate(self.level, df=self.subjects - 1 if self.subjects else math.inf)
        statistic = "t" if self.subjects else "Wald z"
        percent = f"{100 * self.level:g}%"
        out = []
        for at, name in enumerate(self.names):
            b, se = float(self.coefficients[at]), float(self.standard_errors[at])
            out.append(
                {
                    "term": name,
                    "coefficient": b,
                    "std. error": se,
                    statistic: float(self.wald[at]),
                    "p": float(self.p_values[at]),
                    "odds ratio": _exp(b),
                    f"{percent} low": _exp(b - z * se),
                    f"{percent} high": _exp(b + z * se),
                }
            )
        return out

    def scores(self, x: Any) -> Floats:
        """Linear predictor (log odds) of new cases: columns in the order of the fit, without the intercept's."""
        table = np.atleast_2d(np.asarray(x, dtype=np.float64))
        expected = len(self.names) - self.intercept
        if table.shape[1] != expected:
            raise InputError("x", f"must have {expected} columns, as in the fit", Words(f"{table.shape[1]}"))
        slopes = self.coefficients[1:] if self.intercept else self.coefficients
        start = float(self.coefficients[0]) if self.intercept else 0.0
        return row_sums(table, slopes) + start

    def words(self) -> list[str]:
        """How well the model fits, and how it was found."""
        fit = (
            f"log-likelihood {format_number(self.log_likelihood)} (null {format_number(self.log_likelihood_null)}), "
            f"LR chi-squared {format_number(self.likelihood_ratio)} on {self.df} df, "
            f"p {format_number(self.p_likelihood_ratio)}"
        )
        run = f"{'converged' if self.converged else 'NOT CONVERGED'} in {self.iterations} steps"
        if self.penalty == "firth":
            run += ", Firth's penalised likelihood"
        about = f"{self.n} cases, {self.n_pos} positive; AIC {self.aic:.2f}, BIC {self.bic:.2f}; {run}"
        return [fit, about, *self.notes]

    def __str__(self) -> str:
        return "\n".join([text_table(self.rows()), "", *self.words()])


def _exp(value: float) -> float:
    return math.exp(value) if value < 700 else math.inf


def fit_logistic(
    x: Any,
    label: Bools,
    *,
    names: Sequence[str] | None = None,
    intercept: bool = True,
    penalty: Penalty = "none",
    level: float = 0.95,
    tolerance: float = 1e-10,
    max_iterations: int = 100,
    subject: tuple[Ints, int] | None = None,
) -> LogisticFit:
    r"""Maximum likelihood by Newton-Raphson [1]_, O(n m²) a step for n cases and m columns.

    With :math:`P_j = 1 / (1 + e^{-x_j^\top \beta})`, gradient :math:`X^\top (Y - P)` and information
    :math:`X^\top \operatorname{diag}(P (1 - P)) X` (plus, for Firth's penalty, half the log determinant of the
    information in the objective). Steps that lower the objective are halved; the fit ends when no coefficient moves by
    more than ``tolerance``. Standard errors come from the inverse information.

    Parameters
    ----------
    x : table or mapping of name to column
    label : array of bool
        True for the positive class.
    penalty : "none" or "firth"
        Firth's penalised likelihood [2]_ has a maximum even when the classes are separated, and less bias in small
        samples.
    subject : array of int and number, optional
        The number of every case's subject, and how many subjects there are. Standard errors are then those of the
        sandwich of sums over subjects (``inference/subject_sums.py``), tests and intervals by t with K - 1 degrees of
        freedom, and the likelihood ratio test, which takes every case for itself, has no p-value.

    Raises
    ------
    OneClassError, SingularError, SeparationError
        When no maximum exists; the message says why and what to do. Coefficients are never reported then.

    References
    ----------
    .. [1] Hosmer DW, Lemeshow S. Applied Logistic Regression. Wiley, 2nd edition 2000, chapter 1-2.
    .. [2] Firth D. Bias reduction of maximum likelihood estimates. Biometrika 1993;80:27-38. doi:10.1093/biomet/80.1.27

    Examples
    --------
    >>> fit = fit_logistic([[1], [2], [3], [4], [5], [6]], np.array([0, 0, 1, 0, 1, 1], bool))
    >>> fit.coefficients.round(4).tolist(), round(fit.log_likelihood, 4)
    ([-4.2491, 1.214], -2.478)
    """
    check_level(level)
    check_choice(penalty, "penalty", ("none", "firth"))
    check_count(max_iterations, "max_iterations", least=1, way_out="100 is plenty for Newton's method")
    design, terms = _design(x, names, intercept)
    label = np.asarray(label, dtype=np.bool_)
    n, m = design.shape
    if label.size != n:
        raise InputError("x", "must have one row per label", Words(f"{n} rows for {label.size} labels"))
    n_pos = int(label.sum())
    if n_pos in (0, n):
        raise OneClassError(
            "",
            "logistic regression needs both classes",
            Words(f"{n_pos} positives among {n} cases"),
            "add cases of the other class",
        )
    size = _checked_sizes(design, terms)
    problem = Likelihood(design, label, firth=penalty == "firth")
    refuse = (lambda: _refuse_separation(design, label)) if penalty == "none" else (lambda: None)
    found = maximum(problem, size, refuse, tolerance=tolerance, max_iterations=max_iterations)
    covariance: Floats = np.asarray(np.linalg.inv(found.information), dtype=np.float64)
    chance = np.asarray(expit(problem.eta))
    if subject is not None:
        if subject[1] <= m:
            raise InputError(
                "ids", f"must name more subjects than the model has coefficients, {m}", Words(f"{subject[1]}"),
                "leave out predictors, or collect more subjects",
            )  # fmt: skip
        covariance = sandwich(covariance, design.whole() * (label - chance)[:, None], *subject)
    return _described(
        found, covariance, problem.log_likelihood, terms, chance, n=n, n_pos=n_pos, intercept=intercept,
        penalty=penalty, level=level, subjects=None if subject is None else subject[1],
    )  # fmt: skip


def fit_by_sums(
    problem: Problem, terms: Sequence[str], gram: Floats, *, n: int, n_pos: int, intercept: bool, level: float
) -> LogisticFit:
    """The same fit where only sums over the cases are at hand: X'X as ``gram``, and a likelihood that gives them.

    The probabilities of single cases are not part of it.
    """
    check_level(level)
    m = len(terms)
    size: Floats = np.sqrt(np.diag(gram) / n)
    if not (size > 0).all() or np.linalg.eigvalsh(gram / np.outer(size, size) / n)[0] <= 1e-12 * m:
        raise SingularError(
            "columns must be linearly independent, none of them all zeros", way_out="drop some of them", columns=()
        )

    def refuse() -> None:
        raise InputError(
            "", "the likelihood must have a maximum, but is flat, as where columns separate the classes",
            way_out=f"drop columns, or fetch the rows with {named('engine', 'memory')}, which tell",
        )  # fmt: skip

    found = maximum(problem, size, refuse)
    covariance: Floats = np.asarray(np.linalg.inv(found.information), dtype=np.float64)
    return _described(
        found, covariance, problem.log_likelihood, tuple(terms), np.empty(0), n=n, n_pos=n_pos, intercept=intercept,
        penalty="none", level=level, subjects=None,
    )  # fmt: skip


def _described(
    found: Maximum,
    covariance: Floats,
    plain: float,
    terms: tuple[str, ...],
    chance: Floats,
    *,
    n: int,
    n_pos: int,
    intercept: bool,
    penalty: str,
    level: float,
    subjects: int | None,
) -> LogisticFit:
    """Everything that is said of a fit."""
    beta, m = found.beta, found.beta.size
    se = np.sqrt(np.diag(covariance))
    wald = beta / se
    null = _null_log_likelihood(n, n_pos, intercept)
    ratio = 2 * (plain - null)
    df = m - intercept
    notes = (
        () if found.converged else ("The fit did not converge: the numbers are those of the last step, not a maximum.",)
    )
    tails, chance_p = 2 * ndtr(-np.abs(wald)), float(chdtrc(df, max(ratio, 0.0))) if df else _NO_PREDICTOR
    if subjects is not None:
        tails, chance_p = 2 * stdtr(subjects - 1, -np.abs(wald)), _NO_RATIO
        notes = (*notes, f"Standard errors: sandwich of {subjects} subjects, t with {subjects - 1} df.")
    return LogisticFit(
        names=terms,
        coefficients=beta,
        standard_errors=se,
        wald=wald,
        p_values=np.asarray(tails),
        covariance=covariance,
        log_likelihood=plain,
        log_likelihood_null=null,
        likelihood_ratio=ratio,
        p_likelihood_ratio=chance_p,
        df=df,
        aic=2 * m - 2 * plain,
        bic=m * math.log(n) - 2 * plain,
        probabilities=chance,
        n=n,
        n_pos=n_pos,
        intercept=intercept,
        penalty=penalty,
        converged=found.converged,
        iterations=len(found.path),
        path=np.array(found.path),
        gradient=float(np.max(np.abs(found.gradient))),
        level=level,
        subjects=subjects or 0,
        notes=notes,
    )


_NO_PREDICTOR = Undefined("the model has no predictor")
_NO_RATIO = Undefined("the likelihood takes every case for itself, and subjects have several")


def _refuse_separation(design: Design, label: Bools) -> None:
    kind = separation_of(design.whole(), label)
    if kind == "none":
        return
    raise SeparationError(
        f"the columns separate the classes ({kind} separation), so the likelihood has no maximum and coefficients "
        "would grow without end",
        way_out=f"use {named('penalty', 'firth')}, drop the separating column, or collect more cases",
        kind=kind,
    )


def _checked_sizes(design: Design, terms: tuple[str, ...]) -> Floats:
    """Root mean square of every column; linearly dependent ones are refused and named."""
    n, m = design.shape
    gram = design.gram()
    size: Floats = np.sqrt(np.diag(gram) / n)
    zero = [name for name, one in zip(terms, size, strict=True) if one == 0]
    if zero:
        raise SingularError(
            f"column {zero[0]!r} is all zeros and has no coefficient", way_out="drop it", columns=tuple(zero)
        )
    if np.linalg.eigvalsh(gram / np.outer(size, size) / n)[0] > 1e-12 * m:
        return size
    whole = design.whole() / size
    dependent: list[str] = []
    kept: list[int] = []
    for at in range(m):
        trial = [*kept, at]
        if np.linalg.matrix_rank(whole[:, trial], tol=1e-7 * math.sqrt(max(n, m))) == len(trial):
            kept.append(at)
        else:
            dependent.append(terms[at])
    if not dependent:
        return size
    more = f"; {m} columns for {n} cases" if m > n else ""
    raise SingularError(
        f"columns must be linearly independent, but {', '.join(dependent)} can be computed from the columns before "
        f"{'it' if len(dependent) == 1 else 'them'}{more}",
        way_out=f"drop {'it' if len(dependent) == 1 else 'them'}",
        columns=tuple(dependent),
    )


def _null_log_likelihood(n: int, n_pos: int, intercept: bool) -> float:
    if not intercept:
        return -n * math.log(2)
    p = n_pos / n
    return n_pos * math.log(p) + (n - n_pos) * math.log(1 - p)


def _design(x: Any, names: Sequence[str] | None, intercept: bool) -> tuple[Design, tuple[str, ...]]:
    if isinstance(x, Mapping):
        names = [str(name) for name in x] if names is None else names
        x = np.column_stack([np.asarray(column) for column in x.values()]) if x else np.empty((0, 0))
    table: Array = np.asarray(x)
    if table.ndim == 1:
        table = table[:, None]
    if table.ndim != 2 or table.shape[0] == 0:
        raise InputError("x", "must be a table with one row per case", Words(f"shape {table.shape}"))
    try:
        columns = table.astype(np.float64, copy=False)
    except (TypeError, ValueError):
        raise InputError("x", "must be numeric", way_out="code categories as columns of 0 and 1 first") from None
    for part in blocks(len(columns)):
        bad = np.argwhere(~np.isfinite(columns[part]))
        if bad.size:
            row, column = int(bad[0, 0]) + part.start, int(bad[0, 1])
            raise InputError(
                "x", "must be finite", Words(f"{columns[row, column]} in row {row}, column {column}"), "drop that case"
            )
    largest = max((float(np.abs(columns[part]).max(initial=0.0)) for part in blocks(len(columns))), default=0.0)
    if largest > _LARGEST:
        raise InputError(
            "x", "must have squares within the range of numbers", Words(f"numbers of size {largest:g}"), "rescale them"
        )
    terms = [f"x{at + 1}" for at in range(columns.shape[1])] if names is None else [str(name) for name in names]
    if len(terms) != columns.shape[1]:
        raise InputError("names", "must name every column", Words(f"{len(terms)} names for {columns.shape[1]} columns"))
    return Design(columns, intercept=intercept), (("(intercept)", *terms) if intercept else tuple(terms))
