"""What the rank tests refuse, in one sentence each."""

from __future__ import annotations

import pytest

from roclab.errors import InputError
from roclab.rank_tests.discrete import discrete_kolmogorov
from roclab.rank_tests.kolmogorov import kolmogorov
from roclab.rank_tests.kruskal_wallis import kruskal_wallis
from roclab.rank_tests.mann_whitney import mann_whitney


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: mann_whitney([], [1]), "first must hold at least one value"),
        (lambda: mann_whitney([1, float("nan")], [1]), "first must not be missing, got 1 gap in 2 values"),
        (lambda: mann_whitney([1], ["a"]), "second must be numeric"),
        (lambda: kruskal_wallis([[1, 2]]), "groups must hold at least two samples, got 1"),
        (lambda: kruskal_wallis([[1, 2], []]), "group 2 must hold at least one value"),
        (lambda: kolmogorov([0.5], lambda x: 2 * x + 1), "cdf must return a rising value between 0 and 1"),
        (lambda: discrete_kolmogorov([7], [1, 2], ["1/2", "1/2"]), "sample must lie in the support, got 7"),
        (lambda: discrete_kolmogorov([1], [1, 2], ["1/2", "1/3"]), "probabilities must add up to 1, got 0.8333333333"),
        (lambda: discrete_kolmogorov([1], [1, 2], ["1/2", "x"]), "probabilities must be numbers or fractions"),
        (lambda: discrete_kolmogorov([1], [1, 1], ["1/2", "1/2"]), "support must hold distinct values"),
    ],
)
def test_rank_error_messages(call, message):
    with pytest.raises(InputError, match=message):
        call()
