"""``roclab ties``: scores that the AUC does not tell apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from roclab.cli.data import Data
from roclab.cli.options import Command, data_options, file_argument, level_option, option, output_options
from roclab.cli.output import Output
from roclab.cli.parsing import refuse
from roclab.errors import InputError, Words

if TYPE_CHECKING:
    from roclab.decisions.ties import TieAnalysis


@click.command(cls=Command)
@file_argument("files", metavar="FILE...", nargs=-1, required=True)
@data_options
@option("--tolerance", type=float, default=1e-9, metavar="D", help="AUCs that differ by no more are equal.")
@option(
    "--fpr",
    type=float,
    nargs=2,
    default=(0.0, 0.1),
    metavar="LOW HIGH",
    help="Range of false positive rates of the partial area.",
)
@option("--mirror", is_flag=True, help="Compare one score with its mirror image, which has the same AUC.")
@level_option
@output_options
def ties(
    files: tuple[str, ...],
    data: Data,
    tolerance: float,
    fpr: tuple[float, float],
    mirror: bool,
    level: float,
    output: Output,
) -> None:
    r"""Which scores does the AUC not tell apart, and what decides between them?

    Scores of one FILE are compared on the same cases; several FILEs with one score each as independent samples.
    tAUC rewards curves that rise early, the partial area looks at one range of false positive rates.

    \b
    Examples:
      roclab ties example --label outcome --positive deteriorated \
          --score procalcitonin --score lactate --score concern
      roclab ties example --label outcome --positive deteriorated \
          --score lactate --score concern --fpr 0 0.2 --level 0.99 --json
      roclab ties example --label outcome --positive deteriorated --score lactate --mirror
    """
    from roclab.cli.answers import who
    from roclab.decisions.ties import performance_ties

    output.spare(*files)
    options: dict[str, Any] = {"tolerance": tolerance, "level": level, "fpr": fpr}
    if len(files) > 1:
        refuse("several files are compared with each other", {"--mirror": mirror})
        tallies = data.tallies(files)
        samples = {name: tally.sample for name, tally in tallies.items()}
        found = performance_ties(tallies, **options)
    elif mirror:
        tally = data.read_one(files[0]).tally()
        name = str(tally.sample.score)
        found = performance_ties({name: tally, "mirror image": tally.mirrored()}, **options)
        samples = {name: tally.sample}
    else:
        cases = data.read(files[0])
        if len(cases.names) < 2:
            raise InputError(
                "",
                "ties need at least two scores",
                Words(f"{cases.names[0]} only"),
                "name another one with --score, or add --mirror",
            )
        found = performance_ties(cases, **options)
        samples = {name: cases.sample(name) for name in cases.names}
    output.show(found, [*_changes(found), *who(samples)])


def _changes(found: TieAnalysis) -> list[str]:
    how = "same cases" if found.paired else "independent samples"
    words = [f"differences of AUCs: DeLong, {how}"]
    if found.changed:
        words.append(f"ranked otherwise by tAUC: {', '.join(found.changed)}")
    return words
