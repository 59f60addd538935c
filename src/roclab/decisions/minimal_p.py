"""The p-value of a cut-off that was chosen for its p-value, corrected for the choice."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import chdtrc

from roclab._core.types import Floats
from roclab.decisions.coordinates import Coordinates

__all__ = ["chosen_p", "corrected_p", "exact_p", "range_of_shares"]

MOST_CASES = 50_000  # of the exact p-value; more take seconds, and the approximation is better then
FAR = 12.0  # standard deviations of the true positives beyond which paths weigh less than 1e-30


def chosen_p(table: Coordinates, tried: Floats, statistic: float) -> tuple[float, str]:
    """The p-value of the largest chi-squared statistic over the cut-offs tried, and how it was found.

    Exact for whole cases up to 50,000, else the approximation of Miller and Siegmund.
    """
    whole = table.tp.dtype.kind != "f"
    if whole and table.n_pos + table.n_neg <= MOST_CASES:
        return exact_p(table, tried, statistic), "exact, over all orders of the cases"
    return corrected_p(statistic, *range_of_shares(table, tried)), "approximation of Miller and Siegmund"


def exact_p(table: Coordinates, tried: Floats, statistic: float) -> float:
    r"""Chance that some cut-off tried has a chi-squared statistic of at least this size if scores mean nothing [1]_.

    All orders of the P positives and N negatives over the scores, ties as they are, are equally likely. Walking down
    the scores, the number of positives passed is a random walk without replacement; the walks whose statistic stays
    below the observed one at every cut-off are counted, on either side of chance, as a two-sided test does.

    O(T w) for T cases, with w the width of the region where the statistic is small, of order sqrt(T).

    References
    ----------
    .. [1] Koziol JA. On maximally selected chi-square statistics. Biometrics 1991;47:1557-1561. doi:10.2307/2532406.
       Boulesteix AL. Maximally selected chi-square statistics for ordinal variables. Biometrical J 2006;48:451-462.
       doi:10.1002/bimj.200510161
    """
    n_pos, n_neg = int(table.n_pos), int(table.n_neg)
    total = n_pos + n_neg
    called = (table.tp + table.fp).astype(np.int64)
    stops = {int(called[row]) for row in np.flatnonzero(~np.isnan(tried)) if 0 < called[row] < total}
    if statistic <= 0 or not stops:
        return 1.0
    z = math.sqrt(statistic) * (1 - 1e-12)  # reached but for rounding
    p, low, alive = 0.0, 0, np.ones(1)  # alive: chances of low, low + 1, … positives among the cases passed
    for passed in range(1, total):
        up = (n_pos - np.arange(low, low + alive.size)) / (total - passed + 1)
        grown = np.append(alive * (1 - up), 0.0)
        grown[1:] += alive * up
        # Pearson's chi-squared is ((tp - mean) / unit)².
        mean, unit = n_pos * passed / total, math.sqrt(n_pos * n_neg * passed * (total - passed) / total**3)
        reach = z * unit if passed in stops else max(FAR, z) * unit + 1
        first = max(math.floor(mean - reach) + 1 - low, 0)
        last = max(math.ceil(mean + reach) - low, first)
        if passed in stops:
            p += float(grown[:first].sum() + grown[last:].sum())
        low, alive = low + first, grown[first:last]
        if alive.size == 0:
            return 1.0
    return min(p, 1.0)


def corrected_p(statistic: float, low: float, high: float) -> float:
    r"""p-value of the largest chi-squared statistic over all cut-offs in a range [1]_, [2]_, for many cases.

    .. math:: P \approx \varphi(z) \left(z - \frac1z\right) \ln \frac{h (1 - l)}{(1 - h)\, l} + \frac{4 \varphi(z)}{z}

    with :math:`z = \sqrt{\chi^2}` and l, h the shares of cases below the lowest and below the highest cut-off tried.
    The plain p-value of a chosen cut-off rejects a true null hypothesis far too often: a plain 0.05 found among all
    cut-offs over the central 80% of the cases stands for about 0.49.

    Parameters
    ----------
    statistic : float
        The largest chi-squared statistic, 1 degree of freedom.
    low, high : float
        Shares of cases below the lowest and the highest cut-off, 0 < low <= high < 1.

    Notes
    -----
    An asymptotic formula for small P and cut-offs away from both ends; it is too large elsewhere. The result is kept
    between the uncorrected p-value and 1.

    References
    ----------
    .. [1] Miller R, Siegmund D. Maximally selected chi square statistics. Biometrics 1982;38:1011-1016.
       doi:10.2307/2529881
    .. [2] Altman DG, Lausen B, Sauerbrei W, Schumacher M. Dangers of using "optimal" cutpoints in the evaluation of
       prognostic factors. J Natl Cancer Inst 1994;86:829-835. doi:10.1093/jnci/86.11.829

    Examples
    --------
    >>> from scipy.special import chdtri
    >>> [round(corrected_p(chdtri(1, p), 0.1, 0.9), 3) for p in (0.05, 0.01, 0.001)]
    [0.492, 0.161, 0.025]
    """
    plain = float(chdtrc(1, statistic))
    z = math.sqrt(statistic)
    if z <= 1 or not 0 < low <= high < 1:
        return 1.0 if z <= 1 else plain
    density = math.exp(-statistic / 2) / math.sqrt(2 * math.pi)
    odds = math.log(high * (1 - low) / ((1 - high) * low))
    return float(min(max(density * (z - 1 / z) * odds + 4 * density / z, plain), 1.0))


def range_of_shares(table: Coordinates, tried: Floats) -> tuple[float, float]:
    """Shares of cases below the lowest and the highest cut-off that divides the cases and was tried."""
    called = (table.tp + table.fp) / (table.n_pos + table.n_neg)
    dividing = np.flatnonzero(~np.isnan(tried) & (called > 0) & (called < 1))
    if dividing.size == 0:
        return 0.0, 1.0
    return float(1 - called[dividing[-1]]), float(1 - called[dividing[0]])
