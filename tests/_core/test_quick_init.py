"""Frozen dataclasses made quickly behave as those that are not."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from dataclasses import FrozenInstanceError, dataclass, field

import pytest

from roclab._core.quick_init import quickly_made


@dataclass(frozen=True, slots=True, kw_only=True)
class Usual:
    low: float
    high: float
    method: str = "score"
    notes: tuple[str, ...] = field(default=())


@quickly_made
@dataclass(frozen=True, slots=True, kw_only=True)
class Quick:
    low: float
    high: float
    method: str = "score"
    notes: tuple[str, ...] = field(default=())


def test_quick_value_has_the_fields_the_defaults_and_the_signature_of_the_usual_one():
    assert inspect.signature(Quick) == inspect.signature(Usual)
    for given in ({"low": 1.0, "high": 2.0}, {"low": 1.0, "high": 2.0, "notes": ("a",), "method": "logit"}):
        assert dataclasses.asdict(Quick(**given)) == dataclasses.asdict(Usual(**given))
        assert repr(Quick(**given)) == repr(Usual(**given)).replace("Usual", "Quick")


def test_quick_value_stays_frozen_equal_and_can_be_copied():
    one = Quick(low=1.0, high=2.0)
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'low'"):
        one.low = 3.0
    assert one == Quick(low=1.0, high=2.0) != Quick(low=1.0, high=3.0)
    assert hash(one) == hash(Quick(low=1.0, high=2.0))
    assert dataclasses.replace(one, high=5.0) == Quick(low=1.0, high=5.0)
    assert copy.copy(one) == copy.deepcopy(one) == pickle.loads(pickle.dumps(one)) == one


@pytest.mark.parametrize("wrong", [{"low": 1.0}, {"low": 1.0, "high": 2.0, "middle": 3.0}])
def test_quick_value_refuses_the_same_arguments_with_the_same_words(wrong):
    with pytest.raises(TypeError) as usual:
        Usual(**wrong)
    with pytest.raises(TypeError) as quick:
        Quick(**wrong)
    assert str(quick.value) == str(usual.value).replace("Usual", "Quick")


def test_only_plain_keyword_fields_are_made_quickly():
    @dataclass(frozen=True, slots=True, kw_only=True)
    class WithFactory:
        parts: list[int] = field(default_factory=list)

    @dataclass(frozen=True, slots=True)
    class InPlaces:
        low: float

    for refused in (WithFactory, InPlaces):
        with pytest.raises(TypeError, match=f"{refused.__name__} must have plain keyword fields only"):
            quickly_made(refused)
