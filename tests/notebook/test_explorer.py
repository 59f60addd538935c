"""The explorer as a widget: hosted by a page in Chromium as notebooks host it, with its state read back in Python."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import roclab as rl
from roclab.errors import InputError
from roclab.report.explorer import script, style

DATA = {"label": "outcome", "pos_label": "deteriorated", "score": ["lactate", "concern"]}
# What a notebook gives a widget: a model with its state, and an element of a page with a ground of its own.
HOST = """async ({ state, code, ground }) => {
    document.body.style.background = ground;
    const module = await import(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
    const heard = {};
    window.saved = 0;
    window.model = {
        state,
        get: (name) => state[name],
        set: (changes) => Object.assign(state, changes),
        save_changes: () => { window.saved += 1; },
        on: (name, listener) => { (heard[name] ??= []).push(listener); },
        off: (name, listener) => { heard[name] = heard[name].filter((one) => one !== listener); },
        tell: (changes) => {
            Object.assign(state, changes);
            for (const name of Object.keys(changes)) for (const one of heard[`change:${name}`] ?? []) one();
        },
    };
    const el = document.createElement("div");
    document.body.append(el);
    window.close_widget = module.default.render({ model: window.model, el });
    window.root = el.firstChild.shadowRoot;
    window.host = el.firstChild;
}"""


@pytest.fixture
def explorer():
    return rl.explore("example", **DATA)


@pytest.fixture
def hosted(chromium, explorer):
    page = chromium.new_page(viewport={"width": 1100, "height": 1000})
    failures = []
    page.on("pageerror", lambda error: failures.append(str(error)))
    _host(page, explorer, "white")
    yield page
    assert failures == []
    page.close()


def _host(page, explorer, ground):
    state = {name: value for name, value in explorer.get_state().items() if name in _SHARED}
    page.goto("about:blank")
    page.evaluate(HOST, {"state": state, "code": script(), "ground": ground})
    page.wait_for_function("window.root.querySelector('[data-value=threshold]').textContent !== ''")


_SHARED = ("_data", "_page", "_style", "_at", "score")


def _shown(page, name):
    return json.loads(page.evaluate(f"String(window.root.querySelector('[data-value={name}]').dataset.exact)"))


def _back_in_python(page, explorer):
    explorer.set_state(page.evaluate("({ score: window.model.state.score, _at: window.model.state._at })"))


def _table(name, threshold):
    found = rl.confusion("example", label="outcome", pos_label="deteriorated", score=name, threshold=threshold)
    return {word: getattr(found, word) for word in ("tp", "fp", "fn", "tn")}


def test_dragging_the_point_moves_the_threshold_in_python(hosted, explorer):
    seen = []
    explorer.observe(lambda change: seen.append(change["new"]), names="threshold")
    assert _shown(hosted, "threshold") == explorer.threshold == 1.6  # Youden's
    box = hosted.evaluate(
        "(() => { const b = window.root.querySelector('[data-panel=roc] .grip').getBoundingClientRect();"
        " return [b.x + b.width / 2, b.y + b.height / 2]; })()"
    )
    hosted.mouse.move(*box)
    hosted.mouse.down()
    hosted.mouse.move(box[0] - 60, box[1] + 90, steps=4)
    hosted.mouse.up()
    hosted.wait_for_function("window.saved > 0")
    _back_in_python(hosted, explorer)
    assert explorer.threshold > 1.6
    assert seen[-1] == explorer.threshold == _shown(hosted, "threshold")
    assert explorer.counts == {word: _shown(hosted, word) for word in ("tp", "fp", "fn", "tn")}
    assert explorer.counts == _table("lactate", explorer.threshold)


def test_keys_and_the_choice_of_a_score(hosted, explorer):
    hosted.evaluate("window.root.querySelector('[data-panel=roc] .handle').focus()")
    hosted.keyboard.press("ArrowRight")
    hosted.wait_for_function("window.saved === 1")
    _back_in_python(hosted, explorer)
    assert explorer.threshold < 1.6
    hosted.evaluate(
        "(() => { const pick = window.root.querySelector('select.pick'); pick.value = 'concern';"
        " pick.dispatchEvent(new Event('change')); })()"
    )
    hosted.wait_for_function("window.model.state.score === 'concern'")
    _back_in_python(hosted, explorer)
    assert explorer.score == "concern"
    assert explorer.counts == _table("concern", explorer.threshold)


def test_python_moves_the_point_of_the_page(hosted, explorer):
    seen = []
    explorer.observe(lambda change: seen.append((change["new"], explorer.counts["tp"])), names="threshold")
    explorer.threshold = 2.05  # between two scores: decides as the next score above
    assert seen == [(2.1, 54)]  # told once, when everything has moved
    assert explorer.counts == _table("lactate", 2.05)
    hosted.evaluate("at => window.model.tell({ _at: at })", explorer._at)
    hosted.wait_for_function("window.root.querySelector('[data-value=threshold]').dataset.exact === '2.1'")
    assert hosted.evaluate("window.saved") == 0  # what Python said is not said back
    hosted.evaluate("window.close_widget()")


def test_dark_and_light_grounds(hosted, explorer):
    assert hosted.evaluate("window.host.dataset.ground") == "light"
    _host(hosted, explorer, "#111111")
    assert hosted.evaluate("window.host.dataset.ground") == "dark"
    paper = hosted.evaluate("getComputedStyle(window.root.querySelector('.explorer')).backgroundColor")
    assert paper == "rgb(24, 27, 32)"


def test_nothing_of_the_style_reaches_the_notebook():
    assert ":root" not in style()
    assert "body {" not in style().replace(".explorer {", "")
    assert 'host([data-ground="dark"])' in style()


def test_refusals(explorer):
    with pytest.raises(InputError, match="score must be one of 'lactate', 'concern', got 'crp'"):
        explorer.score = "crp"
    with pytest.raises(InputError, match="only is for a whole report"):
        rl.explore("example", **DATA, only=["areas"])


def test_without_anywidget_the_error_says_how_to_install_it():
    code = (
        "import sys\nsys.modules['anywidget'] = None\nimport roclab as rl\n"
        "try:\n    rl.explore([0, 1], [1, 2])\nexcept rl.errors.MissingExtraError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == 'the explorer needs anywidget; install it with: pip install "roclab[notebook]".\n'


def test_a_kernel_shows_it(run_cells):
    (outputs,) = run_cells(
        "import roclab as rl\nfound = rl.explore([1, 1, 0, 0, 1, 0], [6, 5, 4, 3, 2, 1], rng=1)\n"
        "print(found.threshold)\nfound"
    )
    assert outputs[0].text == "5.0\n"
    assert "application/vnd.jupyter.widget-view+json" in outputs[1].data
