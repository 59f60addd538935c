"""``roclab dce``: lesions in DCE-MRI, each step in a file of its own."""

from __future__ import annotations

import click

from roclab.cli.shared.lazy import LazyCommands

__all__ = ["STEPS", "dce"]

# What each step answers; also the first line of its own help.
STEPS = {
    "phantom": "Make breast DCE-MRI series with known lesions, to try things on.",
    "train": "What do lesions look like? Train a network on rough labels.",
    "apply": "Where may a lesion be? One confidence volume of a series.",
    "evaluate": "Does the confidence image beat the subtraction images?",
    "montage": "What do the subtraction images show? Slices with a common window.",
}


@click.group(cls=LazyCommands, answers=STEPS, prefix="dce")
def dce() -> None:
    """Where are lesions in DCE-MRI? Train, map, evaluate, and show.

    Every step has its own help: roclab dce train --help. Research use, not a medical device.
    """
