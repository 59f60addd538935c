"""What roclab raises and warns about.

::

    RoclabError
    ├── InputError (ValueError)           an argument breaks a rule
    │   ├── OneClassError                 a class has no cases, so no curve exists
    │   ├── MissingValuesError            NaN or null where a value is needed
    │   └── PairingError                  scores that should belong to the same cases do not
    ├── FileError (InputError, OSError)   a file is missing, empty or not what its name says
    └── MissingExtraError (ImportError)   an optional library is not installed

    RoclabWarning (UserWarning)
    └── UndefinedWarning                  a result exists but some of its numbers do not

Every message is one sentence: which argument, what rule, what was received, what to do.
"""

from __future__ import annotations


class RoclabError(Exception):
    """Base of everything roclab raises on purpose."""


class InputError(RoclabError, ValueError):
    """An argument breaks a rule."""


class OneClassError(InputError):
    """Only one of the two classes is present, so the curve does not exist."""


class MissingValuesError(InputError):
    """Values are missing and the caller did not say what to do about them."""


class PairingError(InputError):
    """Scores that should be measured on the same cases are not."""


class FileError(InputError, OSError):
    """A file cannot be used: missing, empty, too large, or not what its name says."""


class MissingExtraError(RoclabError, ImportError):
    """An optional library is needed; the message holds the install line."""

    def __init__(self, *, library: str, extra: str, purpose: str) -> None:
        super().__init__(f'{purpose} needs {library}; install it with: pip install "roclab[{extra}]".')


class RoclabWarning(UserWarning):
    """Base of everything roclab warns about."""


class UndefinedWarning(RoclabWarning):
    """A result exists but some of its numbers are undefined."""
