"""``roclab froc``: detectors of lesions by their marks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.data import stem_of, table_of_file
from roclab.cli.shared.options import level_option, output_options, seed_option
from roclab.cli.shared.progress import bar_unless_quiet
from roclab.cli.shared.wording import saying

if TYPE_CHECKING:
    from roclab.cli.shared.output import Output
    from roclab.results import Result


@click.command(cls=Command)
@file_argument("annotations", metavar="ANNOTATIONS")
@file_argument("candidates", metavar="CANDIDATES...", nargs=-1, required=True)
@option("--excluded", metavar="FILE", heading="Data", help="Findings outside the reference: marks there do not count.")
@option("--scans", metavar="FILE", heading="Data", help="All scans that were searched, with or without lesions.")
@option("--scan-column", metavar="COLUMN", default="seriesuid", heading="Data", help="Column with the scan.")
@option("--score-column", metavar="COLUMN", heading="Data", help="Column of the score (default: probability or score).")
@option("--diameter-column", metavar="COLUMN", default="diameter_mm", heading="Data", help="Column with the diameter.")
@option("--reach", type=float, metavar="MM", help="Distance that counts as a hit (default: each lesion's radius).")
@option("--smallest", type=float, metavar="MM", help="Lesions with a smaller diameter do not count.")
@option("--figure", "picture", metavar="PATH", heading="Output", help="Draw the figure: .svg, .pdf or .png.")
@level_option
@seed_option
@option("--replicates", type=int, default=2000, metavar="N", heading="Resampling", help="Resampled sets of cases.")
@output_options
def froc(annotations: str, candidates: tuple[str, ...], output: Output, **asked: Any) -> None:
    r"""How good is a detector of lesions? Sensitivity by false positives per scan.

    ANNOTATIONS are the lesions, each of CANDIDATES the marks of one detector, in the columns of LUNA16: seriesuid,
    coordX, coordY, coordZ in world millimetres, and diameter_mm or probability. Several detectors are compared on the
    same scans. Research use, not a medical device.

    \b
    Examples:
      roclab froc lesions marks_a --smallest 5 --replicates 500 --seed 1
      roclab froc lesions marks_a marks_b --figure froc.svg --replicates 500 --seed 1
    """
    import roclab as rl
    from roclab.analysis.froc import compare_detectors
    from roclab.results import Several

    output.spare(annotations, *candidates)
    if asked["picture"] is not None:
        from roclab._core.figure_file import check_figure_place

        check_figure_place(asked["picture"], name="--figure")
    words = {"scan": "--scan-column", "score": "--score-column", "diameter": "--diameter-column"}
    found = {}
    with saying(words), bar_unless_quiet() as bar:
        drawn = rl.Resampling(replicates=asked["replicates"], progress=bar)
        for file in candidates:
            found[stem_of(file)] = rl.imaging.froc(
                table_of_file(file),
                table_of_file(annotations),
                excluded=None if asked["excluded"] is None else table_of_file(asked["excluded"]),
                scans=None if asked["scans"] is None else table_of_file(asked["scans"]),
                scan=asked["scan_column"],
                score=asked["score_column"],
                diameter=asked["diameter_column"],
                reach=asked["reach"],
                smallest=asked["smallest"],
                detector=stem_of(file),
                level=asked["level"],
                resampling=drawn,
                rng=asked["seed"],
            )
        parts: dict[str, Result] = dict(found)
        if len(found) > 1:
            parts["differences"] = compare_detectors(found, resampling=drawn, rng=asked["seed"])
    notes = []
    if asked["picture"] is not None:
        from roclab.plots.froc import plot_froc

        plot_froc(found).save(asked["picture"], name="--figure")
        notes.append(f"figure written to {asked['picture']}")
    output.show(next(iter(parts.values())) if len(parts) == 1 else Several(results=parts), notes)
