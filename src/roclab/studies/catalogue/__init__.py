"""Every table and worked example of the source texts.

``rows/*.csv`` holds the examples, a line each, and ``reading`` says how a line is read; ``samples`` are the data they
are run on, ``runners`` what they can call: the library, and the small functions of ``of_curves``, ``of_samples``,
``of_tables``, ``images`` and ``as_printed`` (formulas as they are printed, which errata correct).
"""

from __future__ import annotations

from pathlib import Path

from roclab.names import SourceText
from roclab.studies.catalogue.images import listings
from roclab.studies.catalogue.of_tables import earthquakes, impossible_pairs
from roclab.studies.catalogue.reading import examples_in
from roclab.studies.verdicts import Example

__all__ = ["TITLES", "examples_of"]

TITLES: dict[SourceText, str] = {
    "italian": "Italian thesis: classifiers of lung nodules (Marafini 2006)",
    "slovenian": "Slovenian textbook chapter 5: ROC curves",
    "russian": "Russian paper: ROC analysis and logistic regression (Gaidyshev 2016)",
    "english": "English excerpt: areas, partial areas and their comparison; it cites Hanley and McNeil (1982, 1983)",
    "greek": "Greek thesis (Paraskevopoulou 2011); it cites Fawcett (2006) and Faraggi and Reiser (2002)",
    "formulas": "Formulas of these texts on made-up samples",
}


def examples_of(source: SourceText, folder: Path | None) -> list[Example]:
    """All examples of a text but its simulations and its bench."""
    more = {"italian": (impossible_pairs, listings), "greek": (earthquakes,)}.get(source, ())
    return examples_in(source, folder) + [row for rows in more for row in rows()]
