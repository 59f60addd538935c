"""Simulation studies of area estimators, and the printed results they are held against."""

from roclab.studies.design_file import read_design as read_design
from roclab.studies.designs import table_design as table_design
from roclab.studies.reproduction import reproduce as reproduce
from roclab.studies.runner import run_study as run_study
