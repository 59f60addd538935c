"""Tables for documents: Markdown and LaTeX, from the rows that every other output has."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from roclab._core.text import DIGITS, Row, format_number, is_number

__all__ = ["latex_table", "markdown_table"]

_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
}  # fmt: skip
_SPECIAL = re.compile("|".join(map(re.escape, _LATEX)))


def _shape(rows: Sequence[Row], digits: int) -> tuple[list[str], list[bool], list[list[str]]]:
    """Names of the columns, which of them hold numbers, and the cells as text."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    numeric = [any(is_number(row.get(name)) for row in rows) for name in names]
    return names, numeric, [[format_number(row.get(name), digits) for name in names] for row in rows]


def markdown_table(rows: Sequence[Row], digits: int = DIGITS) -> str:
    r"""A table of pipes, numbers to the right.

    >>> print(markdown_table([{"score": "a|b", "AUC": 0.82368}]))
    | score | AUC |
    |---|---:|
    | a\|b | 0.8237 |
    """
    names, numeric, cells = _shape(rows, digits)
    lines = [names, ["---:" if right else "---" for right in numeric], *cells]
    shown = [[_in_pipe(cell) for cell in line] for line in lines]
    return "\n".join(f"|{'|'.join(line)}|" if at == 1 else f"| {' | '.join(line)} |" for at, line in enumerate(shown))


def _in_pipe(cell: str) -> str:
    return cell.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ")


def latex_table(rows: Sequence[Row], digits: int = DIGITS) -> str:
    r"""A tabular with the lines of booktabs, numbers to the right; every special character is escaped.

    >>> print(latex_table([{"score": "a_b", "AUC": 0.82368}]))
    \begin{tabular}{lr}
    \toprule
    score & AUC \\
    \midrule
    a\_b & 0.8237 \\
    \bottomrule
    \end{tabular}
    """
    names, numeric, cells = _shape(rows, digits)
    body = [" & ".join(map(escaped, line)) + r" \\" for line in cells]
    columns = "".join("r" if right else "l" for right in numeric)
    head = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", " & ".join(map(escaped, names)) + r" \\", r"\midrule"]
    return "\n".join([*head, *body, r"\bottomrule", r"\end{tabular}"])


def escaped(text: Any) -> str:
    r"""A text as LaTeX prints it.

    >>> escaped("95% low")
    '95\\% low'
    """
    return _SPECIAL.sub(lambda found: _LATEX[found[0]], str(text)).replace("\n", " ")
