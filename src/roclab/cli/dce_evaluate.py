"""``roclab dce evaluate``: confidence and subtraction images against the truth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from roclab.cli.shared.command import Command, file_argument, option
from roclab.cli.shared.options import level_option, output_options, seed_option
from roclab.cli.shared.progress import bar_unless_quiet
from roclab.cli.shared.series import anterior_option, cases_of_word
from roclab.cli.shared.wording import saying
from roclab.names import CURVE_CLASSIFIERS, STANDARDS, SUBTRACTION_SCALES

if TYPE_CHECKING:
    from roclab.cli.shared.output import Output
    from roclab.results import Result


@click.command(cls=Command)
@file_argument("cases", metavar="CASES")
@anterior_option
@option("--model", "files", metavar="FILE", multiple=True, heading="Data", help="Model trained on other cases.")
@option("--leave-one-out", "apart", is_flag=True, help="Train on all other cases, for every case.")
@option("--classifier", type=click.Choice(CURVE_CLASSIFIERS), default="mlp", help="With --leave-one-out.")
@option("--images", metavar="NAME,...", default="early,late,wash_out,maximum", help="Subtraction images beside it.")
@option("--scale", type=click.Choice(SUBTRACTION_SCALES), default="relative", help="Of subtraction images.")
@option("--smoothing", type=float, default=0.0, metavar="MM", help="Gaussian on all images alike.")
@option("--partial", metavar="FPR,...", default="0.05,0.15", help="Largest false positive rates of partial areas.")
@option("--standardize", type=click.Choice(STANDARDS), default="mcclish", help="Scale of partial areas.")
@option("--sensitivity", type=float, metavar="R", help="Cut where so many lesion voxels are found; then regions.")
@option("--cost-fp", type=float, metavar="COST", help="Cut at the least cost: of a normal voxel called.")
@option("--cost-fn", type=float, metavar="COST", help="Of a lesion voxel missed.")
@option("--threshold", type=float, metavar="T", help="Cut there.")
@option("--smallest", type=float, default=0.0, metavar="MM3", help="Regions are at least so large.")
@option("--figure", "picture", metavar="PATH", heading="Output", help="Draw the figure: .svg, .pdf or .png.")
@level_option
@seed_option
@output_options
def evaluate(cases: str, output: Output, **asked: Any) -> None:
    r"""Does the confidence image beat the subtraction images?

    CASES is a CSV table with the columns case, series and truth (and label with --leave-one-out); the word "phantoms"
    means three small ones. Areas, partial areas, contrast-to-noise and all comparisons are clustered by case: voxels of
    one patient are alike. --figure draws curves averaged over cases. Research use, not a medical device.

    \b
    Examples:
      roclab dce evaluate phantoms --leave-one-out --classifier logistic --seed 1
      roclab dce evaluate phantoms --images early,maximum --sensitivity 0.8 --figure roc.svg --seed 1
    """
    import roclab as rl
    from roclab.cli.shared.images import numbers_of
    from roclab.results import Several

    output.spare(cases, *asked["files"])
    if asked["picture"] is not None:
        from roclab._core.figure_file import check_figure_place

        check_figure_place(asked["picture"], name="--figure")
    words = {"cases": "CASES", "models": "--model", "truth": "the truth", "label": "the label", "fpr": "--partial"}
    with saying(words), bar_unless_quiet("evaluating") as bar:
        held = cases_of_word(cases, asked["anterior"])
        models: dict[str, Any] = {}
        if asked["apart"]:
            models["network" if asked["classifier"] == "mlp" else asked["classifier"]] = rl.imaging.dce_leave_one_out(
                held, classifier=asked["classifier"], rng=asked["seed"], progress=bar
            )
        for file in asked["files"]:
            models[file.rsplit("/", 1)[-1].split(".")[0]] = rl.imaging.read_dce_model(file)
        evaluation = rl.imaging.dce_evaluate(
            held, models or None, images=[one for one in asked["images"].split(",") if one], scale=asked["scale"],
            smoothing=asked["smoothing"], fpr=numbers_of(asked["partial"], "fpr", float) or (),
            standardize=asked["standardize"], level=asked["level"], progress=bar,
        )  # fmt: skip
        parts: dict[str, Result] = {"images": evaluation}
        if evaluation.n_cases > 1 and len(evaluation.names) > 1:
            for quantity in ("AUC", "CNR"):
                parts[f"differences in {quantity}"] = evaluation.compare(quantity, first=evaluation.names[0])
        cut = _threshold(evaluation, asked)
        if cut is not None:
            parts["regions"] = evaluation.regions(cut, smallest=asked["smallest"], rng=asked["seed"])
    notes = []
    if asked["picture"] is not None:
        from roclab.plots.dce import plot_case_curves

        plot_case_curves(evaluation).save(asked["picture"], name="--figure")
        notes.append(f"figure written to {asked['picture']}")
    output.show(evaluation if len(parts) == 1 else Several(results=parts), notes)


def _threshold(found: Any, asked: dict[str, Any]) -> float | None:
    if asked["threshold"] is not None:
        return float(asked["threshold"])
    if asked["sensitivity"] is None and asked["cost_fp"] is None and asked["cost_fn"] is None:
        return None
    cut: float = found.threshold(sensitivity=asked["sensitivity"], cost_fp=asked["cost_fp"], cost_fn=asked["cost_fn"])
    return cut
