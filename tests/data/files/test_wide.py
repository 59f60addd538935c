"""Tables of very many columns: no list of names is searched once for every name."""

from __future__ import annotations

import numpy as np
import pytest

from roclab.data.files.cells import TextRows
from roclab.data.files.read import _gathered


class Unsearched(list):
    """Names that may be walked through, not searched: a search for each of 100,000 takes minutes."""

    def index(self, *_):
        pytest.fail("a list of names was searched")

    def __contains__(self, _):
        pytest.fail("a list of names was searched")


@pytest.mark.parametrize("wanted", [None, ["c7", "c2"]])
def test_columns_are_found_without_searching(wanted):
    names = Unsearched(f"c{at}" for at in range(10))
    rows = TextRows(names, iter([([2, 3], [list("0123456789"), list("1234567890")])]), ".")
    found = _gathered(rows, wanted, numeric=Unsearched(["c2"]), na=(), where="x.csv")
    assert list(found) == (wanted or list(names))
    assert np.asarray(found["c2"]).tolist() == [2.0, 3.0]
    assert np.asarray(found["c7"]).tolist() == [7.0, 8.0]
