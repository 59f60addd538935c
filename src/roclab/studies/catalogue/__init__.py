"""Every table and worked example of the source texts, one file per text or chapter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from roclab.studies.catalogue.english import examples as english
from roclab.studies.catalogue.formulas import examples as formulas
from roclab.studies.catalogue.greek_curves import examples as greek_curves
from roclab.studies.catalogue.greek_estimators import examples as greek_estimators
from roclab.studies.catalogue.greek_seismology import examples as greek_seismology
from roclab.studies.catalogue.greek_tests import examples as greek_tests
from roclab.studies.catalogue.italian import examples as italian
from roclab.studies.catalogue.russian import examples as russian
from roclab.studies.catalogue.slovenian import examples as slovenian
from roclab.studies.verdicts import PrintedExample

__all__ = ["SOURCES", "TITLES"]

TITLES = {
    "italian": "Italian thesis: classifiers of lung nodules (Marafini 2006)",
    "slovenian": "Slovenian textbook chapter 5: ROC curves",
    "russian": "Russian paper: ROC analysis and logistic regression (Gaidyshev 2016)",
    "english": "English excerpt: areas, partial areas and their comparison, with Hanley and McNeil's papers",
    "greek": "Greek thesis (Paraskevopoulou 2011), with Fawcett (2006) and Faraggi and Reiser (2002)",
    "formulas": "Formulas of these texts on made-up samples",
}

# Examples of a source; those that need outside data look for it in the given folder.
SOURCES: Mapping[str, tuple[Callable[[Path | None], list[PrintedExample]], ...]] = {
    "italian": (italian,),
    "slovenian": (slovenian,),
    "russian": (russian,),
    "english": (english,),
    "greek": (
        greek_tests,
        greek_curves,
        greek_estimators,
        greek_seismology,
    ),
    "formulas": (formulas,),
}
