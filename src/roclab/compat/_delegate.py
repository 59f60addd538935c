"""Hand every unusual call to scikit-learn itself.

A drop-in function knows only the common case. As soon as it meets anything else it raises `Unusual`,
and the call is repeated, with the caller's own arguments, by the scikit-learn function of the same name.
So warnings, error messages and rare results are scikit-learn's own, whatever version is installed, and
the functions here never need to imitate them.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from importlib import import_module
from typing import Any, ParamSpec, TypeVar

import numpy as np

from roclab.errors import MissingExtraError

P = ParamSpec("P")
R = TypeVar("R")


class Unusual(Exception):  # noqa: N818 - a signal between two functions here, never seen by a caller
    """These arguments are not the common case."""


def drop_in(fast: Callable[P, R]) -> Callable[P, R]:
    """``fast`` for the common case, scikit-learn's function of the same name for all others."""

    @functools.wraps(fast)
    def metric(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            # An overflow on the way to `Unusual` is no news: scikit-learn will meet it again and warn.
            with np.errstate(all="ignore"):
                return fast(*args, **kwargs)
        except Unusual:
            pass
        except TypeError as error:
            # No frame below this one: the arguments do not fit the signature, which is also
            # scikit-learn's to complain about. Any other TypeError is a fault of ours and must show.
            if error.__traceback__ is None or error.__traceback__.tb_next is not None:
                raise
        # Outside the handlers, so that scikit-learn's errors carry no "during handling of" story.
        answer: R = original(fast.__name__)(*args, **kwargs)
        return answer

    return metric


def original(name: str) -> Callable[..., Any]:
    """Scikit-learn's own function, imported at its first use.

    It is taken from its home module, not from ``sklearn.metrics``: a program may well have put our
    function in the latter's place, and would then call itself for ever.
    """
    try:
        home = import_module("sklearn.metrics._ranking")
    except ImportError as error:
        raise MissingExtraError(library="scikit-learn", extra="sklearn", purpose="roclab.compat.sklearn") from error
    function: Callable[..., Any] = getattr(home, name)
    return function
