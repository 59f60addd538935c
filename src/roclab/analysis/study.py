"""How good is an estimator of the area, and do printed tables come out? Simulations and reproductions."""

from __future__ import annotations

from roclab.studies.design_file import read_design
from roclab.studies.designs import TABLES, Design, table_design
from roclab.studies.reproduction import Reproduction, reproduce
from roclab.studies.results import StudyResult
from roclab.studies.runner import run_study
from roclab.studies.verdicts import KINDS, VERDICTS

__all__ = [
    "KINDS",
    "TABLES",
    "VERDICTS",
    "Design",
    "Reproduction",
    "StudyResult",
    "read_design",
    "reproduce",
    "run_study",
    "table_design",
]
