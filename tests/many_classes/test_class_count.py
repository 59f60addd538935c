"""Numbers and identifiers that are taken for classes are refused before their pairs are counted."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab.errors import InputError
from tests.cli.conftest import shell

__all__ = ["shell"]

MANY = np.arange(200_000)
REFUSED = "must hold at most 1000 classes, got 200,000 different labels; name the column of classes"


def test_as_many_classes_as_cases_are_refused():
    with pytest.raises(InputError, match=f"y_true {REFUSED}"):
        rl.multiclass(MANY, MANY / 7)
    with pytest.raises(InputError, match=f"y_true {REFUSED}"):
        rl.multiclass(MANY, np.ones((MANY.size, 3)) / 3)
    with pytest.raises(InputError, match=f"y_true {REFUSED}"):
        rl.multiclass_confusion(MANY, MANY[::-1])
    with pytest.raises(InputError, match=f"who {REFUSED}"):
        rl.multiclass({"who": MANY.astype(str), "s": MANY / 7}, label="who", score="s")


def test_the_command_line_says_it_with_its_own_words(shell, tmp_path):
    path = tmp_path / "many.csv"
    path.write_text("who,s\n" + "".join(f"p{at},{at % 97}\n" for at in range(2000)), encoding="utf-8")
    message = shell.error("multiclass", path, "--label", "who", "--score", "s")
    assert message.startswith("who must hold at most 1000 classes, got 2,000 different labels")


def test_a_thousand_classes_are_counted():
    matrix = rl.multiclass_confusion(np.arange(1000), np.arange(1000))
    assert matrix.metrics()["accuracy"] == 1.0
