"""``roclab cad``: a lung CAD, each step in a file of its own."""

from __future__ import annotations

import click

from roclab.cli.shared.lazy import LazyCommands

__all__ = ["STEPS", "cad"]

# What each step answers; also the first line of its own help.
STEPS = {
    "train": "What do nodules look like? Train a CAD on scans with known ones.",
    "apply": "What in a scan may be a nodule, and how likely? Marks and a page.",
    "stages": "How good is each stage of a lung CAD? ROC, tROC and FROC of each.",
}


class _CadSteps(LazyCommands):
    """Two files or more without a step are annotations and scans, whose stages are asked for."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if len(args) > 1 and args[0] not in self.answers and not args[1].startswith("-"):
            args = ["stages", *args]
        return super().resolve_command(ctx, args)


@click.group(cls=_CadSteps, answers=STEPS, prefix="cad")
def cad() -> None:
    """What in a chest CT is suspicious? Train a lung CAD, apply it, and judge its stages.

    Every step has its own help: roclab cad train --help. Research use, not a medical device.
    """
