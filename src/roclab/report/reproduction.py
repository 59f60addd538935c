"""The page of a reproduction: every printed value beside ours, in one file without scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from roclab.analysis.study import VERDICTS
from roclab.report.page import environment

if TYPE_CHECKING:
    from roclab.studies.reproduction import Reproduction

__all__ = ["reproduction_page"]

# What each verdict means, in the order of the summary.
MEANINGS = dict(
    zip(
        VERDICTS,
        (
            "our value rounds to the printed one",
            "the text gives a formula and no number; our value is that of other code, written apart from roclab",
            "bias and RMSE lie within three standard errors of the difference of two simulations",
            "an erratum says why, and our value is the one it gives",
            "the printed value comes from a program whose steps are not described; ours from the method as it is known",
            "a misprint or mistake in words or formulas, which no number shows",
            "the text does not give the data, nor does anybody else",
            "the data exist but may not be shipped with roclab; the last column says where they are",
            "takes longer than a moment, or needs what roclab does not have yet",
            "a difference without a reason",
        ),
        strict=True,
    )
)

COLOURS = (
    "good",
    "luck",
    "luck",
    "fault",
    "fault",
    "fault",
    "quiet-verdict",
    "quiet-verdict",
    "quiet-verdict",
    "bad",
)  # classes of the style


def reproduction_page(found: Reproduction) -> str:
    """The whole page as HTML."""
    return (
        environment()
        .get_template("reproduction.html")
        .render(
            title="Printed results and ours",
            found=found,
            sources=found.sources(),
            summary=found.summary(),
            meanings={verdict: text for verdict, text in MEANINGS.items() if verdict in _present(found)},
            mark=dict(zip(VERDICTS, COLOURS, strict=True)),
        )
    )


def _present(found: Reproduction) -> set[str]:
    return {one.verdict for one in found.comparisons}
