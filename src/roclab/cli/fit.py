"""``roclab fit``: models of several columns, each in a file of its own."""

from __future__ import annotations

import click

from roclab.cli.shared.lazy import LazyCommands

__all__ = ["MODELS", "fit"]

# What each model answers; also the first line of its own help.
MODELS = {
    "logistic": "What does logistic regression tell? Coefficients, AUC, cut-off.",
    "recalibration": "Which probability does a score mean? Sigmoid or staircase.",
    "update": "Does a model from elsewhere need an update here, and which?",
    "prevalence": "What do predicted risks mean at another prevalence?",
}


@click.group(cls=LazyCommands, answers=MODELS, prefix="fit")
def fit() -> None:
    """What do columns tell together? Models, and the ROC analysis of their scores.

    Every model has its own help: roclab fit logistic --help
    """
