"""``roclab simulate``: bias and error of area estimators over drawn samples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from roclab.cli.shared.command import Command, option
from roclab.cli.shared.options import output_options, seed_option, workers_option
from roclab.cli.shared.progress import bar_unless_quiet
from roclab.cli.shared.wording import saying
from roclab.errors import InputError, Words
from roclab.names import STUDY_ESTIMATORS

if TYPE_CHECKING:
    from roclab.cli.shared.output import Output
    from roclab.studies.designs import Design


resume_option = option(
    "--resume",
    metavar="PATH",
    help="Keep finished work in this file; a run that was stopped goes on from it, with the same result; needs --seed.",
)


@click.command(cls=Command)
@click.argument("designs", metavar="DESIGN...", nargs=-1, required=True)
@option("--size", "sizes", metavar="N[,N]", multiple=True, help="Cases per class, or positives,negatives; repeatable.")
@option("--area", "areas", type=float, metavar="AREA", multiple=True, help="True area to solve for; repeatable.")
@option(
    "--estimator", "estimators", type=click.Choice(STUDY_ESTIMATORS), multiple=True, help="Only this one; repeatable"
)
@option("--replicates", type=int, default=1000, metavar="N", help="Samples drawn in every situation.")
@resume_option
@seed_option
@workers_option
@output_options
def simulate(
    designs: tuple[str, ...],
    sizes: tuple[str, ...],
    areas: tuple[float, ...],
    estimators: tuple[str, ...],
    replicates: int,
    resume: str | None,
    seed: int,
    workers: int,
    output: Output,
) -> None:
    r"""How good is an estimator of the area? Its bias and error, by simulation.

    DESIGN is a published table (I to X, Faraggi and Reiser 2002; "all" for I to IX), or a TOML file of your own
    with sizes, areas, estimators and the distributions of both classes; the guide has an example.

    \b
    MW            Mann-Whitney
    N             normal distributions
    K1, K2        normal kernels, Zou's and plug-in bandwidths
    NT, K1T, K2T  the same after a Box-Cox transform
    RC            binormal curve of the ranks

    \b
    Examples:
      roclab simulate I --replicates 100 --seed 1
      roclab simulate VI VII --size 30 --area 0.85 --estimator MW --estimator NT --replicates 200
      roclab simulate V --size 20,60 --replicates 100 --workers 2 --resume gammas.json --seed 1 --csv
    """
    from roclab.analysis.study import run_study

    drawn = click.get_current_context().get_parameter_source("seed") is not click.core.ParameterSource.COMMANDLINE
    if resume is not None and drawn:
        raise InputError(
            "--resume",
            "needs --seed, so that a run that goes on draws the same samples",
            Words("none"),
            "write --seed 1",
        )
    with saying(_IN_A_FILE):
        chosen = _designs(designs)
    words = {"replicates": "--replicates", "workers": "--workers", "resume": "--resume", "designs": "DESIGN"}
    with saying(words | (_IN_A_FILE if not (sizes or areas) else {})):
        changes = {"sizes": [_size(text) for text in sizes], "areas": areas, "estimators": estimators}
        chosen = [design.changed(**changes) for design in chosen]  # type: ignore[arg-type]
        with bar_unless_quiet("simulating") as bar:
            result = run_study(chosen, replicates=replicates, rng=seed, workers=workers, progress=bar, resume=resume)
    output.show(result)


_IN_A_FILE = {name: name for name in ("sizes", "areas", "estimators")}  # which has its own names for them


def _designs(names: Sequence[str]) -> list[Design]:
    from roclab.analysis.study import TABLES, read_design, table_design

    out = []
    for name in names:
        if name == "all":
            out += [design for table, design in TABLES.items() if table != "X"]
        elif name.lower().endswith(".toml"):
            out.append(read_design(name))
        elif name in TABLES:
            out.append(table_design(name))
        else:
            raise InputError(
                "",
                f"DESIGN must be a table ({', '.join(TABLES)}), all, or a file that ends in .toml",
                name,
                "for instance VI",
            )
    return out


def _size(text: str) -> tuple[int, int]:
    try:
        numbers = [int(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) not in (1, 2):
        raise InputError("--size", "must be a whole number or two separated by a comma", text, "write 20 or 20,60")
    return numbers[0], numbers[-1]
