"""What a kernel shows of figures: pictures, once each, with and without pyplot, on light and dark grounds."""

from __future__ import annotations

import base64
import io

import numpy as np
import pytest
from PIL import Image

START = """
import roclab as rl
from roclab.datasets import example_path
rs = rl.roc(example_path(), label="outcome", pos_label="deteriorated", score=["procalcitonin", "lactate"])
r = rs["lactate"]
"""


def pictures(outputs):
    """The images among the outputs of a cell."""
    found = [one.data["image/png"] for one in outputs if "image/png" in one.get("data", {})]
    return [Image.open(io.BytesIO(base64.b64decode(text))).convert("RGB") for text in found]


def ground(image):
    """The colour of a corner, where nothing is drawn."""
    return image.getpixel((2, 2))


def inked(image):
    """Share of the pixels that differ from the ground."""
    return float((np.abs(np.asarray(image, int) - ground(image)).max(axis=2) > 60).mean())


def test_every_kind_of_figure_is_shown_without_pyplot(run_cells):
    _, *shown, modules = run_cells(
        START,
        "r.plot()",
        "rs.plot(colors=['tab:red', 'tab:blue'])",
        "rl.plots.figure('pr', example_path(), label='outcome', pos_label='deteriorated', score='lactate')",
        "rl.plots.draw_roc(r.curve)",
        "r.troc().plot()",
        "rl.compare(example_path(), label='outcome', pos_label='deteriorated', score=['lactate', 'concern']).plot()",
        "from roclab.compat.displays import RocDisplay\n"
        "RocDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])",
        "from roclab.compat.displays import CalibrationDisplay\n"
        "CalibrationDisplay.from_predictions([0, 1, 0, 1, 1, 0] * 10, [0.1, 0.4, 0.35, 0.8, 0.7, 0.2] * 10, n_bins=3)",
        "import sys\nprint('matplotlib.pyplot' in sys.modules)",
    )
    for outputs in shown:
        (image,) = pictures(outputs)
        assert ground(image) == (255, 255, 255)
        assert 0.01 < inked(image) < 0.5
        assert "text/html" not in outputs[0].data  # which notebooks would prefer to the picture
        size = outputs[0].metadata["image/png"]
        assert image.size == pytest.approx((2 * size["width"], 2 * size["height"]), abs=2)  # whole pixels
    assert modules[0].text == "False\n"


def test_pyplot_acts_on_the_figure_and_shows_it_once(run_cells, tmp_path):
    file = tmp_path / "saved.png"
    _, last, kept, titled, own = run_cells(
        START + "import matplotlib.pyplot as plt",
        "r.plot()",
        "kept = r.plot()",
        f"p = r.plot()\nplt.title('by pyplot')\nplt.savefig({str(file)!r})\nprint(p.ax.get_title())",
        "fig, axes = plt.subplots(1, 2, figsize=(9, 4.5))\nr.plot(axes[0])\nrs.plot(axes[1])",
    )
    assert [len(pictures(one)) for one in (last, kept, titled, own)] == [1, 1, 1, 1]
    assert titled[0].text == "by pyplot\n"
    assert inked(Image.open(file).convert("RGB")) > 0.01
    assert pictures(own)[0].size == (1800, 900)


@pytest.mark.parametrize(("style", "dark"), [("default", False), ("dark_background", True)])
def test_light_and_dark(run_cells, style, dark):
    _, one, several, panels = run_cells(
        START + f"import matplotlib.pyplot as plt\nplt.style.use({style!r})",
        "r.plot(band='pointwise', cutoff='youden')",
        "rs.plot()",
        "fig, ax = plt.subplots()\nr.plot(ax, cutoff='youden')",
    )
    for outputs in (one, several, panels):
        (image,) = pictures(outputs)
        assert (max(ground(image)) < 60) is dark
        pixels = np.asarray(image, int)
        # Letters and axes stand out from the ground, whichever it is.
        contrast = pixels.max() - max(ground(image)) if dark else min(ground(image)) - pixels.min()
        assert contrast > 150
        assert inked(image) > 0.01
