"""``roclab readers-size``: planning a reader study."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from roclab.cli.readers import study_keywords, study_options
from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.data import Data, table_of_file
from roclab.cli.shared.options import bootstrap_options, output_options
from roclab.cli.shared.parsing import refuse
from roclab.errors import InputError, Words
from roclab.names import RANDOM_EFFECTS, TYPICAL_READERS

if TYPE_CHECKING:
    from roclab.cli.shared.output import Output

__all__ = ["readers_size"]


def _counts(text: str | None, name: str) -> Any:
    """Numbers, as 4,6,8 or 50:400:50."""
    if text is None:
        return None
    try:
        if ":" in text:
            parts = [int(part) for part in text.split(":")]
            low, high, step = (*parts, 1) if len(parts) == 2 else parts
            found = list(range(low, high + 1, step))
        else:
            found = [int(part) for part in text.split(",")]
    except ValueError:
        found = []
    if not found:
        raise InputError(name, "must be whole numbers as 4,6,8 or LOW:HIGH:STEP", text, "for instance 50:400:50")
    return found


@click.command(cls=Command)
@file_argument(required=False)
@study_options
@option("--difference", type=float, required=True, metavar="D", help="The difference of mean areas worth seeing.")
@option("--readers", "numbers", metavar="N,N,…", help="Numbers of readers, as 4,6,8 or 4:20:2 (default 3 to 20).")
@option("--cases", "sizes", metavar="N,N,…", help="Numbers of cases, as 50:400:50 (default around the pilot).")
@option("--typical", type=click.Choice(TYPICAL_READERS), help="Typical variances instead of a pilot")
@option("--auc", type=float, metavar="AREA", help="With --typical: the mean area of both modalities.")
@option("--prevalence", type=float, metavar="P", help="Share of positive cases (default that of the pilot, else 0.5).")
@option("--power", type=float, default=0.8, metavar="P", help="What the fewest cases must reach.")
@option("--random", type=click.Choice(RANDOM_EFFECTS), default="both", help="What the conclusion is to hold for.")
@option("--margin", type=float, metavar="M", help="Plan for non-inferiority within M; --difference is then the truth.")
@option("--level", type=float, default=0.95, metavar="P", help="One minus the chance of a false alarm.")
@bootstrap_options
@option("--figure", "picture", metavar="PATH", heading="Output", help="Draw the figure: .svg, .pdf or .png.")
@output_options
def readers_size(file: str | None, data: Data, output: Output, **asked: Any) -> None:
    r"""How many readers and cases does a reader study need?

    From a pilot in FILE, whose columns are named as for roclab readers, or from typical variances.

    \b
    Examples:
      roclab readers-size readings --difference 0.05
      roclab readers-size readings --difference 0.05 --readers 4:12:2 --cases 50:300:50 \
          --figure power.svg
      roclab readers-size --typical low_reader_high_case --auc 0.85 --difference 0.06
      roclab readers-size readings --difference 0 --margin 0.05 --power 0.9
    """
    import roclab as rl

    figure = asked.pop("picture")
    if figure is not None:
        from roclab._core.figure_file import check_figure_place

        check_figure_place(figure, name="--figure")
    numbers, sizes = _counts(asked.pop("numbers"), "--readers"), _counts(asked.pop("sizes"), "--cases")
    typical, seed, replicates = asked.pop("typical"), asked.pop("seed"), asked.pop("replicates")
    keywords = study_keywords(data, asked)
    plan = asked | {name: value for name, value in (("readers", numbers), ("cases", sizes)) if value is not None}
    if (file is None) == (typical is None):
        raise InputError(
            "", "a plan needs a pilot in FILE, or --typical", Words("neither" if file is None else "both"), "give one"
        )
    if typical is not None:
        refuse(
            "columns belong to a pilot",
            {**data.columns, "--rating": keywords["rating"], "--lesions": keywords["lesions"]},
        )
        found = rl.readers.sample_size(typical, **plan)
    else:
        output.spare(str(file))
        pilot = rl.readers.mrmc(table_of_file(str(file)), resampling=replicates, rng=seed, **keywords)
        found = rl.readers.sample_size(pilot, **plan)
    notes = []
    if figure is not None:
        from roclab.plots import draw_reader_plan, new_axes, save_figure

        save_figure(draw_reader_plan(found, new_axes(ratio=0.8)), figure)
        notes.append(f"figure written to {figure}")
    output.show(found, notes)
