"""Every figure of the gallery: nothing clipped, no words over other words, the same file each time."""

from __future__ import annotations

import importlib.util
import sys
from itertools import combinations
from pathlib import Path

import matplotlib
import pytest
from matplotlib.text import Text

import roclab.plots
from roclab import names
from roclab.plots.saving import figure_bytes
from roclab.plots.theme import theme

SCRIPT = Path(__file__).parents[2] / "docs" / "gallery" / "make_gallery.py"


def gallery():
    """The script with the modules beside it, which are no package."""
    beside = [path.stem for path in SCRIPT.parent.glob("*.py")]
    sys.path.insert(0, str(SCRIPT.parent))
    try:
        found = importlib.util.spec_from_file_location("make_gallery", SCRIPT)
        module = importlib.util.module_from_spec(found)
        found.loader.exec_module(module)
    finally:
        sys.path.remove(str(SCRIPT.parent))
        for name in beside:  # "curves" and "scores" are names that others may want
            sys.modules.pop(name, None)
    return module


GALLERY = gallery()
FIGURES = GALLERY.FIGURES


@pytest.mark.parametrize("name", FIGURES)
def test_words_are_inside_the_figure_and_legends_do_not_overlap(name):
    before = dict(matplotlib.rcParams)
    ax = FIGURES[name]()
    figure = ax.get_figure()
    with theme():
        figure.draw_without_rendering()
        figure.draw_without_rendering()
    assert dict(matplotlib.rcParams) == before
    page = figure.bbox.padded(1)
    texts = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip()]
    assert ax.get_xlabel() or ax.get_xticks().size
    assert ax.get_ylabel() or ax.get_yticks().size
    hidden = {id(tick) for each in figure.axes for tick in _ticks_beyond_the_limits(each)}
    for text in texts:
        if id(text) not in hidden:
            box = text.get_window_extent()
            inside = page.x0 <= box.x0 <= box.x1 <= page.x1, page.y0 <= box.y0 <= box.y1 <= page.y1
            assert inside == (True, True), text.get_text()
    if ax.get_legend() is not None:
        boxes = [text.get_window_extent() for text in ax.get_legend().get_texts()]
        assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
        handles, labels = ax.get_legend_handles_labels()
        assert len(labels) == len(set(labels)) == len(handles)


def _ticks_beyond_the_limits(ax):
    """They exist, but are not drawn."""
    for axis, limits, at in ((ax.xaxis, ax.get_xlim(), 0), (ax.yaxis, ax.get_ylim(), 1)):
        low, high = sorted(limits)
        for tick in (*axis.get_majorticklabels(), *axis.get_minorticklabels()):
            if not low <= tick.get_position()[at] <= high:
                yield tick


@pytest.mark.parametrize("ending", ["svg", "pdf", "png"])
def test_the_same_figure_is_the_same_file(ending):
    once, twice = (figure_bytes(FIGURES["roc_several"](), ending) for _ in range(2))
    assert once == twice
    assert len(once) < 200_000


def test_svg_keeps_text_as_text():
    assert "procalcitonin, AUC 0.8753 (0.8252 to 0.9100)" in figure_bytes(FIGURES["roc"](), "svg").decode()


def test_every_function_that_draws_is_in_the_gallery():
    used = "".join(path.read_text(encoding="utf-8") for path in SCRIPT.parent.glob("*.py"))
    for name in roclab.plots.__all__:
        if name not in ("Picture", "figure"):  # by name it draws what these functions draw
            assert f"{name}(" in used, name
        assert getattr(roclab.plots, name).__doc__


def test_every_figure_name_has_a_command_in_the_gallery():
    drawn = {words.split("--figure ")[1].split()[0] for words in GALLERY.COMMANDS.values() if "--figure" in words}
    assert drawn | {"roc", "walk"} == set(names.FIGURES)  # the bundled examples are too large to walk
    assert set(GALLERY.COMMANDS) <= set(FIGURES)


def test_page_is_the_one_that_the_script_writes():
    assert (SCRIPT.parent.parent / "gallery.md").read_text(encoding="utf-8") == GALLERY.page()


def test_page_shows_every_figure():
    page = (SCRIPT.parent.parent / "gallery.md").read_text(encoding="utf-8")
    for name, draw in FIGURES.items():
        assert f"gallery/figures/{name}.svg" in page
        assert draw.__doc__.replace("``", "`") in page
    sizes = {path.name: path.stat().st_size for path in (SCRIPT.parent / "figures").glob("*.svg")}
    assert set(sizes) == {f"{name}.svg" for name in FIGURES}
    assert max(sizes.values()) < 60_000
    assert sum(sizes.values()) < 1_750_000
