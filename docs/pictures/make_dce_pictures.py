"""Draws the pictures of the page about DCE-MRI: ``python docs/pictures/make_dce_pictures.py [folder with the series]``.

The picture of the real series needs dce_invivo_davidssmith.npz (DCEMRI.jl, MIT) in the folder.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

import roclab as rl
from roclab._core.whole_file import write_whole
from roclab.plots.saving import figure_bytes
from roclab.plots.theme import theme

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "benchmarks"))


def save(figure: Any, name: str) -> None:
    """At a size that a page shows."""
    write_whole(HERE / name, figure_bytes(figure, "png", dpi=130), name=name)


def main() -> None:
    """The phantoms of the page, and the real series where it is."""
    train = [rl.imaging.phantom_breast(rng=seed).as_case(f"case {seed}") for seed in range(1, 6)]
    test = [rl.imaging.phantom_breast(rng=seed).as_case(f"case {seed}") for seed in range(101, 109)]
    model = rl.imaging.dce_train(train, rng=1)
    seen = rl.imaging.phantom_breast(lesions=[("malignant", 22.0), ("benign", 18.0), ("malignant", 12.0)], rng=104)
    confidence = rl.imaging.dce_apply(model, seen.series)
    save(
        rl.imaging.dce_figure(model, seen.series, confidence=confidence, truth=seen.truth).plot().fig, "dce_figure.png"
    )
    middle = sorted({round(float(seen.truth.to_index(one.position)[0][0])) for one in seen.lesions})
    shown = rl.imaging.dce_montage(seen.series, slices=middle, confidence=confidence, outlines={"lesion": seen.truth})
    save(shown.plot().fig, "dce_montage.png")
    save(rl.imaging.dce_evaluate(test, model).plot().ax, "dce_curves.png")
    save(rl.imaging.dce_learning_curve(train, test, sizes=(1, 2, 3, 5), repeats=3, rng=1).plot().ax, "dce_learning.png")
    if len(sys.argv) > 1:
        save(real(model, Path(sys.argv[1])), "dce_real.png")


def real(model: Any, folder: Path) -> Figure:
    """One patient: before contrast agent, two subtractions, and the confidence in the breast."""
    from dce_experiments import real_series

    series, mask, truth = real_series(folder)
    panels = {
        "before contrast agent": (series.baseline[0], "gray", 3.5e6),
        "early subtraction": (rl.imaging.dce_subtraction(series, "early").array[0], "gray", 2.0),
        "maximum enhancement": (rl.imaging.dce_subtraction(series, "maximum").array[0], "gray", 2.0),
        "confidence in the breast": (rl.imaging.dce_apply(model, series, mask=mask).volume.array[0], "inferno", 1.0),
    }
    with theme():
        figure = Figure(figsize=(7.4, 2.1), layout="constrained")
        for ax, (name, (image, colours, top)) in zip(figure.subplots(1, 4), panels.items(), strict=True):
            ax.imshow(image, cmap=colours, vmin=0, vmax=top)
            ax.contour(mask.mask.array[0], [0.5], colors=["#e8590c"], linewidths=0.7)
            ax.contour(truth.array[0] > 0, [0.5], colors=["#22b8cf"], linewidths=0.9)
            ax.set_title(name, fontsize=7)
            ax.set_axis_off()
    return figure


if __name__ == "__main__":
    main()
