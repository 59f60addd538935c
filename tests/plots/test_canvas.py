"""Sizes, files, names and the theme."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import matplotlib
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from roclab.errors import FileError, InputError
from roclab.plots import draw_roc, new_axes, save_figure
from roclab.plots.canvas import set_words
from roclab.plots.saving import figure_bytes
from roclab.plots.theme import COLOURS, DASHES, THEME, plain_text, theme
from tests.plots.conftest import legend_of, roc_of


def test_sizes_are_those_of_printed_columns():
    for size, width in (("single", 85), ("double", 180)):
        inches = new_axes(size, ratio=0.5, lines_below=10).get_figure().get_size_inches()
        assert inches * 25.4 == pytest.approx([width, width / 2 + 36])
    with pytest.raises(InputError, match="size must be one of 'single', 'double', got 'huge'"):
        new_axes("huge")
    with pytest.raises(InputError, match="ratio must be a finite number above 0, got -1"):
        new_axes(ratio=-1)


@pytest.mark.parametrize(
    ("ending", "starts"), [("svg", b"<?xml"), ("pdf", b"%PDF"), ("png", b"\x89PNG"), ("PNG", b"\x89PNG")]
)
def test_the_ending_says_the_format(tmp_path, ending, starts):
    path = tmp_path / f"figure.{ending}"
    ax = draw_roc(roc_of("concern").curve, new_axes())
    save_figure(ax, path)
    assert path.read_bytes().startswith(starts)
    save_figure(ax.get_figure(), str(path))
    assert list(tmp_path.iterdir()) == [path]


def test_places_that_cannot_be_written_to(tmp_path):
    ax = new_axes()
    with pytest.raises(FileError, match="path must end in .svg, .pdf or .png, got .*figure.jpg"):
        save_figure(ax, tmp_path / "figure.jpg")
    with pytest.raises(FileError, match="path must be in a directory that exists"):
        save_figure(ax, tmp_path / "none" / "figure.svg")
    assert not list(tmp_path.iterdir())
    ax.remove()
    with pytest.raises(InputError, match="figure must hold axes, got axes that were removed"):
        figure_bytes(ax, "svg")


def test_settings_of_the_program_stay_as_they_are():
    before = dict(matplotlib.rcParams)
    with theme():
        assert matplotlib.rcParams["font.size"] == THEME["font.size"]
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda _: figure_bytes(draw_roc(roc_of("concern").curve, new_axes()), "svg"), range(6)))
    assert len(set(done)) == 1
    assert dict(matplotlib.rcParams) == before


def test_colours_differ_in_grey_and_no_style_repeats():
    grey = [float(np.dot(to_rgb(colour), [0.299, 0.587, 0.114])) for colour in COLOURS]
    assert all(abs(one - other) > 0.1 for one, other in pairwise(grey))
    assert all(value < 0.75 for value in grey)  # nothing too pale for white paper
    cycle = list(THEME["axes.prop_cycle"])
    assert len({(one["color"], one["linestyle"]) for one in cycle}) == len(COLOURS) * len(DASHES) == 63


NAMES = ["$x$ cost", "_hidden", "a<b&c", "αβγ", "Сложное", "tab\tnew\nline", r"\frac{1}{2}", "50% $", "{x}^2", "'\""]


@pytest.mark.parametrize("name", NAMES)
def test_names_are_shown_as_they_are(name):
    ax = draw_roc(roc_of("concern").curve, new_axes(), label=name)
    set_words(ax, title=name)
    text = ax.get_legend().get_texts()[0]
    shown, math = text._preprocess_math(text.get_text())
    assert not math
    assert shown.strip() == " ".join(name.split())
    assert figure_bytes(ax, "svg")


def test_names_that_are_too_long_are_cut():
    assert plain_text("x" * 41) == "x" * 39 + "…"
    assert plain_text("x" * 40) == "x" * 40
    ax = draw_roc(roc_of("concern").curve, new_axes(), label="word " * 30, area=roc_of("concern").auc())
    assert legend_of(ax)[0].endswith("AUC 0.7147 (0.6466 to 0.7724)")


def test_pyplot_is_never_touched(tmp_path):
    code = (
        "import sys, roclab as rl\n"
        "from roclab.plots import save_figure\n"
        "save_figure(rl.roc([0, 1, 0, 1], [1, 2, 3, 4]).plot(), sys.argv[1])\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code, "figure.svg"], check=True, cwd=tmp_path)


def test_without_matplotlib_the_error_says_how_to_install_it():
    code = (
        "import sys\nsys.modules['matplotlib'] = None\nimport roclab as rl\nr = rl.roc([0, 1], [1, 2])\n"
        "try:\n    r.plot()\nexcept rl.errors.MissingExtraError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == 'drawing a figure needs matplotlib; install it with: pip install "roclab[plots]".\n'


def test_axes_of_the_caller_keep_the_callers_look():
    with matplotlib.rc_context({"lines.linewidth": 4, "font.size": 20}):
        ax = Figure().subplots()
        draw_roc(roc_of("concern").curve, ax, label="mine")
        assert ax.get_lines()[-1].get_linewidth() == 4
        assert to_rgb(ax.get_lines()[-1].get_color()) == to_rgb("C0")
        themed = draw_roc(roc_of("concern").curve, new_axes(), label="theirs")
        assert themed.get_lines()[-1].get_linewidth() == THEME["lines.linewidth"]
        assert themed.get_legend().get_texts()[0].get_size() == THEME["xtick.labelsize"]
        assert matplotlib.rcParams["font.size"] == 20


def test_drawing_functions_make_their_own_axes_and_refuse_what_is_none(lactate):
    ax = draw_roc(lactate.curve, label="own")
    assert ax.get_figure().get_size_inches() * 25.4 == pytest.approx([85, 85])
    assert draw_roc(lactate.curve, None, label="again") is not ax
    with pytest.raises(InputError, match="ax must be matplotlib axes, got 3; leave it out for new ones"):
        draw_roc(lactate.curve, 3)
