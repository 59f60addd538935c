"""``roclab ties``: scores that the AUC does not tell apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.options import data_options, level_option, output_options
from roclab.cli.shared.parsing import refuse

if TYPE_CHECKING:
    from roclab.cli.shared.data import Data
    from roclab.cli.shared.output import Output


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
    import roclab as rl

    output.spare(*files)
    options: dict[str, Any] = {"tolerance": tolerance, "level": level, "fpr": fpr}
    if len(files) > 1:
        refuse("several files are compared with each other", {"--mirror": mirror})
        given: Any = data.read_each(files)
        who = [f"{name}: {cases.sample().describe()}" for name, cases in given.items()]
    else:
        given = data.read(files[0])
        who = list(dict.fromkeys(given.sample(name).without_name().describe() for name in given.names))
    found = rl.ties(given, mirror=mirror, **options)
    output.show(found, who)
