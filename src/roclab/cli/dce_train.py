"""``roclab dce train``: a network from rough labels."""

from __future__ import annotations

from typing import Any

import click

from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.images import csv_option, json_option, numbers_of, out_option
from roclab.cli.shared.options import quiet_option, seed_option, verbose_option
from roclab.cli.shared.progress import bar_unless_quiet
from roclab.cli.shared.series import anterior_option, cases_of_word
from roclab.cli.shared.wording import saying
from roclab.names import CURVE_CLASSIFIERS, CURVE_TRANSFORMATIONS


@click.command(cls=Command)
@file_argument("cases", metavar="CASES")
@anterior_option
@option("--classifier", type=click.Choice(CURVE_CLASSIFIERS), default="mlp", help="Network, or logistic regression.")
@option("--hidden", metavar="N,N", default="20,10", help="Units of the hidden layers.")
@option("--transformation", type=click.Choice(CURVE_TRANSFORMATIONS), default="relative", help="Of every curve.")
@option("--components", type=int, default=3, metavar="N", help="With pca.")
@option("--grid", metavar="S,S,...", help="Seconds after arrival (default: frames of the first case).")
@option("--positives", "most", type=int, default=1500, metavar="N", help="Voxels drawn from each label at most.")
@option("--ratio", type=float, default=3.0, metavar="R", help="Negatives per positive.")
@option("--margin", type=float, default=5.0, metavar="MM", help="Around labels, from which nothing is learnt.")
@option("--passes", type=int, default=60, metavar="N", help="Over the voxels at most; the network may settle earlier.")
@seed_option
@out_option
@option("--figure", "picture", metavar="PATH", heading="Output", help="Draw the figure: .svg, .pdf or .png.")
@json_option
@csv_option
@quiet_option
@verbose_option
def train(cases: str, **asked: Any) -> None:
    r"""What do lesions look like? Train a network on rough labels.

    CASES is a CSV table with the columns case, series and label, and mask, times and arrival where there are any; the
    word "phantoms" means three small ones. Positives are drawn inside the labels, negatives beyond a margin around
    them; the truth is not looked at. --out writes the model, --figure the data space. Research use, not a medical
    device.

    \b
    Examples:
      roclab dce train phantoms -o model.npz --seed 1
      roclab dce train phantoms --classifier logistic --transformation pca --seed 1
    """
    import roclab as rl
    from roclab._core.whole_file import check_place
    from roclab.cli.shared.output import Output

    if asked["out"] is not None:
        check_place(asked["out"], name="--out")
    if asked["picture"] is not None:
        from roclab._core.figure_file import check_figure_place

        check_figure_place(asked["picture"], name="--figure")
    shown = Output(as_json=asked["as_json"], as_csv=asked["as_csv"], out=None)
    words = {
        "cases": "CASES",
        "label": "the label",
        "mask": "the mask",
        "positives": "--positives",
        "passes": "--passes",
    }
    with bar_unless_quiet("training") as bar, saying(words):
        model = rl.imaging.dce_train(
            cases_of_word(cases, asked["anterior"]), classifier=asked["classifier"],
            hidden=numbers_of(asked["hidden"], "hidden", int) or (),
            transformation=asked["transformation"], components=asked["components"],
            grid=numbers_of(asked["grid"], "grid", float), positives=asked["most"], ratio=asked["ratio"],
            margin=asked["margin"], passes=asked["passes"], rng=asked["seed"], progress=bar,
        )  # fmt: skip
    notes = []
    if asked["out"] is not None:
        notes.append(f"model written to {rl.imaging.write_dce_model(model, asked['out'])}")
    if asked["picture"] is not None:
        from roclab.plots.dce import plot_data_space

        plot_data_space(model).save(asked["picture"], name="--figure")
        notes.append(f"figure written to {asked['picture']}")
    shown.show(model, notes)
