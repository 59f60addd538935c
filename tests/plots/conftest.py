"""Curves of the bundled example, and what can be read off drawn axes."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab.datasets import example_path

EXAMPLE = {"label": "outcome", "pos_label": "deteriorated"}


def roc_of(name):
    return rl.roc(example_path(), **EXAMPLE, score=name)


def legend_of(ax):
    """Entries of the legend, folded lines joined."""
    return [" ".join(text.get_text().split()) for text in ax.get_legend().get_texts()]


def line_of(ax, label):
    """x and y of the line whose entry starts with a word."""
    line = next(line for line in ax.get_lines() if line.get_label().startswith(label))
    return np.asarray(line.get_xdata(), float), np.asarray(line.get_ydata(), float)


@pytest.fixture(scope="session")
def lactate():
    return roc_of("lactate")


@pytest.fixture(scope="session")
def procalcitonin():
    return roc_of("procalcitonin")


@pytest.fixture(scope="session")
def concern():
    return roc_of("concern")
